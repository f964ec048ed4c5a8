#!/usr/bin/env bash
# Compares the Python packages that read robot models: peers.sh on the files of the repository, peers.sh FOLDER... on files
# with an expected.jsonl, whose table it writes into README.md and docs/interoperability.md. The packages go into an environment of their own, build/peers. Minutes.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

folder=$repository/build/peers
[ -x "$folder/bin/python" ] || "$(find_python)" -m venv "$folder"
quietly "$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
    "$repository" drake rod python-sdformat yourdfpy urchin
cd "$repository"
PYTHONPATH=$repository "$folder/bin/python" tests/peers/loading.py "$@"
