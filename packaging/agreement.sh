#!/usr/bin/env bash
# Compares verdicts, error codes and frames with what libsdformat has said of files, and prints what differs.
#   packaging/agreement.sh             the generated models and the collection of the repository
#   packaging/agreement.sh FOLDER...   files of others, such as checkouts of the repositories that
#                                      docs/interoperability.md names. An expected.jsonl in the folder holds libsdformat's
#                                      answers, see tests/agreement/recorded.py. Then come the tests of what must hold
#                                      for every file: bytes, conversions, versions, fixes, edits
#   packaging/agreement.sh --answers FOLDER...   the comparison alone; with --only TEXT of files that are called so
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${SDFVIEWER_VENV:-.venv}/bin/python

comparison_alone=false
folders=()
options=()
while [ $# -gt 0 ]; do
    case $1 in
        --answers) comparison_alone=true ;;
        --only | --show)
            options+=("$1" "${2:?"$1 needs a value"}")
            comparison_alone=true
            shift
            ;;
        -*) options+=("$1") ;;
        *) folders+=("$1") ;;
    esac
    shift
done
if [ ${#folders[@]} -eq 0 ]; then
    exec "$python" -m tests.agreement ${options[@]+"${options[@]}"}
fi
failed=0
for folder in "${folders[@]}"; do
    if $comparison_alone || [ -f "$folder/expected.jsonl" ]; then
        "$python" -m tests.agreement ${options[@]+"${options[@]}"} "$folder" || failed=$?
    else
        echo "$folder holds no expected.jsonl: nothing to compare with"
    fi
    if ! $comparison_alone; then
        SDFVIEWER_CORPUS=$folder "$python" -m pytest -q -m "corpus and not nightly" --timeout 0 --ignore tests/gui tests || failed=1
    fi
done
exit "$failed"
