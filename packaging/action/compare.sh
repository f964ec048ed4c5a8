#!/usr/bin/env bash
# Lists the frames that moved in changed files since a revision, and draws these files before and after.
# Variables: BASE, PICTURES. Outputs: report (Markdown), pictures (a folder).
# Names and texts are those of whoever wrote the pull request. Code is indented: no line of it ends it, as one of ``` would
# end a fence. No name is an option, and no link is followed, which may lead to what only the runner may read.
set -uo pipefail

output=$(mktemp -d)
report=$output/report.md
pictures=$output/pictures
before=$output/before
mkdir -p "$pictures"

# A name without what Markdown or the runner takes for a mark.
plain() { printf '%s' "${1//[^[:alnum:]._\/ -]/?}"; }

draw() {
    local file=$1 picture=$2 why
    if ! why=$(sdfviewer screenshot --size 800x600 -o "$picture" -- "$file" 2>&1); then
        printf 'No picture of %s: %s\n' "$(plain "$file")" "${why##*$'\n'}" >&2
    fi
}

# What others have changed there since the branch began is not shown. Included models and meshes are as they were, too.
start=$(git merge-base "$BASE" HEAD) || exit 2
git worktree add --quiet --detach "$before" "$start" || exit 2
trap 'git worktree remove --force "$before"' EXIT

{
    printf '<!-- sdfviewer -->\n### Robot models: what moved since %s\n' "$BASE"
    count=0
    while IFS= read -r -d '' file; do
        if [ -L "$file" ] || [ -L "$before/$file" ]; then
            continue
        fi
        count=$((count + 1))
        shown=$(plain "$file")
        printf '\n**%s**\n\n' "$shown"
        sdfviewer diff -- "$before/$file" "$file" 2>&1 | sed "s|$before/||g; s|^|    |" | head -100
        if [ "${PICTURES:-false}" = true ]; then
            name=$(printf '%02d-%s' "$count" "$(basename "${shown%.*}")")
            draw "$before/$file" "$pictures/$name-before.png"
            draw "$file" "$pictures/$name-after.png"
            if [ -e "$pictures/$name-after.png" ]; then
                printf '\nPictures: %s-before.png, %s-after.png\n' "$name" "$name"
            fi
        fi
    done < <(git diff --name-only -z --diff-filter=M "$start" -- '*.sdf' '*.world' '*.urdf')
    [ "$count" -gt 0 ] || printf '\nNo model file has changed.\n'
} >"$report"

cat "$report" >>"${GITHUB_STEP_SUMMARY:-/dev/stdout}"
printf 'report=%s\npictures=%s\n' "$report" "$pictures" >>"${GITHUB_OUTPUT:-/dev/null}"
