#!/usr/bin/env bash
# Opens a pull request for a file that a command has renewed, or updates the one that is open: propose.sh FILE SUBJECT
# Needs gh and a token that may push. Does nothing if the file is as it was.
set -euo pipefail
file=$1
subject=$2

if git diff --quiet -- "$file"; then
    echo "$file is as it was."
    exit
fi
branch=renew/$(basename "$file")
git config user.name "github-actions[bot]"
git config user.email "41898282+github-actions[bot]@users.noreply.github.com"
git switch --quiet --force-create "$branch"
git commit --quiet --message "$subject" -- "$file"
git push --quiet --force origin "$branch"
gh pr view "$branch" --json state --jq .state 2>/dev/null | grep -q OPEN ||
    gh pr create --head "$branch" --title "$subject" --body "\`$file\` was written by the weekly job. The tests say what breaks."
