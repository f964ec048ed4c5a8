#!/usr/bin/env bash
# Measures what README says about speed and prints it as a Markdown table:
#   packaging/benchmark.sh [--history FILE] [PYTEST ARGUMENT...]
# With --history also adds a line for each benchmark to a table: date, commit, what, on, median and best in seconds.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

install_program test
prepare_libraries
has_display || start_virtual_screen || say "Without a screen the window is not measured."
cd "$repository"
"$python" -m tests.benchmarks "$@"
