#!/usr/bin/env bash
# Lists what has changed in model files since a revision, and draws these files before and after, as pictures and as one
# web page each. Variables: BASE, PICTURES. Outputs: report (Markdown), pictures (a folder). Works with bash 3.2 of macOS.
# Names and texts are those of whoever wrote the pull request. In tables they are code, which they cannot end. Errors are
# indented: no line of such code ends it, as one of ``` would end a fence. No name is an option, and no link is followed,
# which may lead to what only the runner may read.
set -uo pipefail

output=$(mktemp -d)
report=$output/report.md
pictures=$output/pictures
before=$output/before
mkdir -p "$pictures"

# A name without what Markdown or the runner takes for a mark.
plain() { printf '%s' "${1//[^[:alnum:]._\/ -]/?}"; }

try_to() {
    local what=$1 why
    shift
    why=$(sdfviewer "$@" 2>&1) || printf 'No %s: %s\n' "$(plain "$what")" "${why##*$'\n'}" >&2
}

# Writes the part of a file: its path before, empty where it is new, and its path now.
describe() {
    local old=$1 file=$2 shown name lines status
    if [ -L "$file" ] || [ -L "$before/$old" ]; then
        return 0
    fi
    count=$((count + 1))
    shown=$(plain "$file")
    name=$(printf '%02d-%s' "$count" "$(basename "${shown%.*}")")
    printf '\n**%s**\n\n' "$shown"
    if [ -z "$old" ]; then
        printf 'New.\n'
    else
        [ "$old" = "$file" ] || printf 'Renamed from %s.\n\n' "$(plain "$old")"
        lines=$(sdfviewer diff --markdown -- "$before/$old" "$file" 2>"$output/why")
        status=$?
        if [ "$status" = 0 ]; then
            printf 'The text has changed; nothing moves, and nothing else differs in its meaning.\n'
        elif [ "$status" = 1 ]; then
            printf '%s\n' "$lines" | sed "s|$before/||g"
        else
            sed "s|$before/||g; s|^|    |" "$output/why" | head -100
        fi
    fi
    [ "${PICTURES:-false}" = true ] || return 0
    if [ -n "$old" ]; then
        try_to "picture of $old" screenshot --size 800x600 -o "$pictures/$name-before.png" -- "$before/$old"
        try_to "page of $file" page -o "$pictures/$name.html" -- "$before/$old" "$file"
    else
        try_to "page of $file" page -o "$pictures/$name.html" -- "$file"
    fi
    try_to "picture of $file" screenshot --size 800x600 -o "$pictures/$name-after.png" -- "$file"
    printf '\n<!-- pictures %02d -->\n' "$count" # where publish.sh shows them
    [ ! -e "$pictures/$name.html" ] || printf '\nTo turn, with before and after: %s.html in the artifact.\n' "$name"
}

# What others have changed there since the branch began is not shown. Included models and meshes are as they were, too.
start=$(git merge-base "$BASE" HEAD) || exit 2
git worktree add --quiet --detach "$before" "$start" || exit 2
trap 'git worktree remove --force "$before"' EXIT

count=0
{
    printf '<!-- sdfviewer -->\n### Robot models: what changed since %s\n' "$BASE"
    while IFS= read -r -d '' status && IFS= read -r -d '' old; do
        file=$old
        case $status in
            R*) IFS= read -r -d '' file ;;
            A) old= ;;
        esac
        describe "$old" "$file"
    done < <(git diff --name-status -z --find-renames --diff-filter=AMR "$start" -- '*.sdf' '*.world' '*.urdf')
    [ "$count" -gt 0 ] || printf '\nNo SDFormat or URDF file has changed.\n'
    programs=$(git diff --name-only -z "$start" -- '*.xacro' | tr -dc '\000' | wc -c | tr -d ' ')
    [ "$programs" = 0 ] || printf '\nNot compared: %s xacro files, which are programs and are not run here.\n' "$programs"
} >"$report"

cat "$report" >>"${GITHUB_STEP_SUMMARY:-/dev/stdout}"
printf 'report=%s\npictures=%s\n' "$report" "$pictures" >>"${GITHUB_OUTPUT:-/dev/null}"
