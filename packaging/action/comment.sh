#!/usr/bin/env bash
# Writes the comparison into a pull request, into the comment that holds the last one where there is one.
# Variables: REPORT, ARTIFACT (address of the pictures), REQUEST (number), GITHUB_REPOSITORY, GH_TOKEN.
set -euo pipefail

body=$(mktemp)
head -c 60000 "$REPORT" >"$body" # a comment holds 65 536 characters
if [ -n "${ARTIFACT:-}" ]; then
    printf '\n[Pictures before and after](%s)\n' "$ARTIFACT" >>"$body"
fi
address=repos/$GITHUB_REPOSITORY/issues
known=$(gh api --paginate "$address/$REQUEST/comments" --jq '.[] | select(.body | startswith("<!-- sdfviewer -->")) | .id' | head -1)
if [ -n "$known" ]; then
    gh api --silent --method PATCH "$address/comments/$known" --field "body=@$body"
else
    gh api --silent --method POST "$address/$REQUEST/comments" --field "body=@$body"
fi
