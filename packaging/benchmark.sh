#!/usr/bin/env bash
# Measures what README says about speed and prints it as a Markdown table:
#   packaging/benchmark.sh [--history FILE] [PYTEST ARGUMENT...]
# With --history also adds a line for each benchmark to a table: date, commit, what, on, median and best in seconds.
#   packaging/benchmark.sh --peers [FILE...]
# measures poses beside yourdfpy and Pinocchio, in an environment of its own, build/peers.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

if [ "${1:-}" = --peers ]; then
    shift
    folder=$repository/build/peers
    [ -x "$folder/bin/python" ] || "$(find_python)" -m venv "$folder"
    quietly "$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
        --editable "${repository}[pinocchio]" yourdfpy pytest
    cd "$repository"
    exec "$folder/bin/python" -m tests.benchmarks.beside_peers "$@"
fi
install_program test
prepare_libraries
has_display || start_virtual_screen || say "Without a screen the window is not measured."
cd "$repository"
"$python" -m tests.benchmarks "$@"
