#!/usr/bin/env bash
# Compares the Python packages that read robot models on the corpus and writes the table of README.md and
# docs/interoperability.md: peers.sh. The packages go into an environment of their own, build/peers. Minutes.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

folder=$repository/build/peers
[ -x "$folder/bin/python" ] || "$(find_python)" -m venv "$folder"
quietly "$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
    "$repository" drake rod python-sdformat yourdfpy urchin
cd "$repository"
PYTHONPATH=$repository "$folder/bin/python" tests/peers/loading.py
