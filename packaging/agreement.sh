#!/usr/bin/env bash
# Compares verdicts, error codes and frames with what libsdformat has said of files, and prints what differs.
#   packaging/agreement.sh             the generated models and the collection of the repository
#   packaging/agreement.sh FOLDER...   folders with files and an expected.jsonl, such as a larger collection
#   packaging/agreement.sh --only pr2 FOLDER
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec "${SDFVIEWER_VENV:-.venv}/bin/python" -m tests.agreement "$@"
