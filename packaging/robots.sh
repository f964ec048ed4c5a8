#!/usr/bin/env bash
# Edits robots that people have and loads them in other programs: robots.sh FOLDER... looks for them in these folders
# and in the package example-robot-data, and prints a table of what held. The packages go into an environment of their
# own, build/robots. Minutes.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

folder=$repository/build/robots
[ -x "$folder/bin/python" ] || "$(find_python)" -m venv "$folder"
quietly "$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
    "${repository}[render,xacro]" drake mujoco yourdfpy example-robot-data
# Its files: the package has had no module since 6.0.
data=$("$folder/bin/python" -c '
from importlib.metadata import files
print(next(file.locate() for file in files("example-robot-data") if file.name == "panda.urdf").parents[2].resolve())')
cd "$repository"
PYTHONPATH=$repository "$folder/bin/python" -m tests.peers.robots "$@" "$data"
