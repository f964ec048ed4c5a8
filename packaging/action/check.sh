#!/usr/bin/env bash
# The steps of action.yml: annotate problems, write SARIF, list frames that moved. Variables: FILES, STRICT, SARIF, BASE.
set -uo pipefail

strict=()
[ "${STRICT:-false}" != true ] || strict=(--strict)
# FILES holds several words on purpose.
# shellcheck disable=SC2086
sdfviewer check --sarif ${FILES:-.} >"${SARIF:-sdfviewer.sarif}" 2>/dev/null
status=0
# shellcheck disable=SC2086
sdfviewer check --output-format github "${strict[@]}" ${FILES:-.} || status=$?

if [ -n "${BASE:-}" ]; then
    {
        echo "### Frames that moved since $BASE"
        git diff --name-only --diff-filter=M "$BASE" -- '*.sdf' '*.world' '*.urdf' | while IFS= read -r file; do
            printf '\n**%s**\n\n```\n' "$file"
            sdfviewer diff "$BASE:$file" "$file" || true
            printf '```\n'
        done
    } >>"${GITHUB_STEP_SUMMARY:-/dev/stdout}"
fi
exit "$status"
