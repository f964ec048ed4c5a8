#!/usr/bin/env bash
# Makes one thing in the program wrong at a time, at places chosen at random, and lists what no test notices:
#   packaging/coverage.sh --below-gui     once, to know which test runs which line
#   packaging/mutate.sh 20 --seed 7       twenty places; --help says more
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

install_program test
cd "$repository"
exec "$python" -m tests.mutants "$@"
