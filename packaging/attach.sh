#!/usr/bin/env bash
# Makes the page of a release and attaches what was built to it: attach.sh FOLDER
# Needs gh and a token that may write. The text is the part of CHANGELOG.md about this version.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tag=${GITHUB_REF_NAME:-$(git describe --exact-match --tags)}
notes=$(mktemp)
awk -v heading="## [${tag#v}]" 'index($0, "## [") == 1 { inside = index($0, heading) == 1; next } inside' CHANGELOG.md >"$notes"
[ -s "$notes" ] || {
    echo "CHANGELOG.md has nothing about ${tag#v}." >&2
    exit 1
}
find "$1" -type f -exec gh release create "$tag" --verify-tag --title "sdfviewer ${tag#v}" --notes-file "$notes" {} +
