#!/usr/bin/env bash
# Annotates problems and writes SARIF. Variables: FILES, STRICT, SARIF.
set -uo pipefail

strict=()
[ "${STRICT:-false}" != true ] || strict=(--strict)
# FILES holds several words on purpose.
# shellcheck disable=SC2086
sdfviewer check --sarif ${FILES:-.} >"${SARIF:-sdfviewer.sarif}" 2>/dev/null
# shellcheck disable=SC2086
sdfviewer check --output-format github "${strict[@]}" ${FILES:-.}
