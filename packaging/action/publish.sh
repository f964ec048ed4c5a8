#!/usr/bin/env bash
# Pushes the pictures of a pull request to a branch that holds nothing else, and shows them in the report. The branch has
# one commit, so that it does not grow; it is made where it is missing, and no other branch is touched.
# Variables: REPORT, PICTURES (a folder), BRANCH, REQUEST (number), GITHUB_REPOSITORY, GITHUB_SERVER_URL, GITHUB_SHA,
# GH_TOKEN. Works with bash 3.2 of macOS.
set -uo pipefail

mark=.pictures-of-sdfviewer
store=$(mktemp -d)
secret=$(printf 'x-access-token:%s' "${GH_TOKEN:-}" | base64 | tr -d '\n')
address=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY

# The report without pictures is worth a comment, too.
stop() {
    printf '::warning title=sdfviewer::The pictures are not in the comment: %s\n' "$1"
    exit 0
}

in_store() { git -C "$store" -c "http.extraheader=AUTHORIZATION: basic $secret" "$@"; }

git check-ref-format --branch "$BRANCH" >/dev/null 2>&1 || stop "'$BRANCH' is no name of a branch."
git init --quiet "$store" || exit 2
in_store config user.name "github-actions[bot]"
in_store config user.email "41898282+github-actions[bot]@users.noreply.github.com"

push_pictures() {
    local old="" tree commit folder=pull-$REQUEST
    rm -rf "${store:?}"/*
    if in_store fetch --quiet --depth 1 "$address.git" "refs/heads/$BRANCH" 2>/dev/null; then
        old=$(in_store rev-parse FETCH_HEAD)
        in_store cat-file -e "$old:$mark" 2>/dev/null || stop "the branch $BRANCH holds other files."
        in_store read-tree "$old" && in_store checkout-index --all --force
    fi
    rm -rf "${store:?}/$folder"
    mkdir -p "$store/$folder/$GITHUB_SHA" || exit 2
    # By number, since names of files may be anything: 01-robot-before.png is 01-before.png.
    for picture in "$PICTURES"/[0-9][0-9]-*-before.png "$PICTURES"/[0-9][0-9]-*-after.png; do
        [ -f "$picture" ] || continue
        name=$(basename "$picture")
        cp "$picture" "$store/$folder/$GITHUB_SHA/${name:0:2}-${name##*-}"
    done
    : >"$store/$mark"
    in_store add --all --force
    tree=$(in_store write-tree) && commit=$(in_store commit-tree "$tree" -m "Pictures of pull requests") || exit 2
    in_store push --quiet --force-with-lease="refs/heads/$BRANCH:$old" "$address.git" "$commit:refs/heads/$BRANCH"
}

# Another run may push at the same time.
push_pictures || push_pictures || push_pictures || stop "they could not be pushed; the job needs the permission contents: write."

while IFS= read -r line; do
    case $line in
        "<!-- pictures "[0-9][0-9]" -->")
            number=${line:14:2}
            for kind in before after; do
                path=pull-$REQUEST/$GITHUB_SHA/$number-$kind.png
                [ ! -f "$store/$path" ] || printf '![%s](%s/raw/%s/%s)\n' "$kind" "$address" "$BRANCH" "$path"
            done
            ;;
        *) printf '%s\n' "$line" ;;
    esac
done <"$REPORT" >"$REPORT.shown" && mv "$REPORT.shown" "$REPORT"
