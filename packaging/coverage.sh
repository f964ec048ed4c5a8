#!/usr/bin/env bash
# Measures which lines and branches of the program the tests run, programs that they start included:
#   packaging/coverage.sh                 all tests, as test.sh runs them
#   packaging/coverage.sh --below-gui     without those of the window
#   packaging/coverage.sh PYTEST ARGUMENT...
#   packaging/coverage.sh --write         put the figures of the last time into docs/reliability.md
# Prints a line for each folder and the total; build/coverage/html shows the lines. packaging/mutate.sh reads from it
# which test runs which line.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

install_program test
prepare_libraries
[ "$(uname -s)" != Linux ] || start_virtual_screen || has_display || die "The GUI tests need a screen, virtual or real."

cd "$repository"
if [ "${1:-}" = --write ]; then
    exec "$python" -m tests.mutants.covering --write
fi
rm -rf build/coverage
mkdir -p build/coverage
# The way of Python 3.12 to trace is quicker, but does not know which test runs.
export COVERAGE_CORE=ctrace
failed=0

# measure FOLDER PYTEST ARGUMENT...: run tests with a folder first in the path of Python.
measure() {
    local folder=$1
    shift
    PYTHONPATH=$folder "$python" -m coverage run -m pytest -p tests.mutants.contexts "$@" || failed=1
}

below=(tests/without_qt -p no:pytest-qt -m "not gui and not nightly" --numprocesses auto --maxprocesses 8 --dist worksteal)
gui=('' tests/gui -m "not nightly" --numprocesses auto --maxprocesses 8 --dist loadscope --max-worker-restart 0)
case ${1:-} in
    '')
        measure "${below[@]}"
        measure "${gui[@]}"
        ;;
    --below-gui) measure "${below[@]}" ;;
    *) measure '' "$@" ;;
esac
quietly "$python" -m coverage combine
"$python" -m tests.mutants.covering
quietly "$python" -m coverage html --directory build/coverage/html
say "Line by line: $repository/build/coverage/html/index.html"
exit "$failed"
