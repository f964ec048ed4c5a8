#!/usr/bin/env bash
# Runs the tests from a plain clone: packaging/test.sh --help says how.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

usage() {
    cat <<'END'
Usage: packaging/test.sh [PYTEST ARGUMENT]...

Without arguments, runs everything but what is nightly once, in two halves: all below the GUI where PySide6 cannot be
imported, which proves that it is not needed there, then the GUI on a virtual screen. With arguments, runs pytest with
these, from the folder of the repository:

  packaging/test.sh tests/model
  packaging/test.sh tests/gui -k manual -x
  packaging/test.sh -m nightly
  packaging/test.sh --help     show this help and exit

The first run prepares a virtual environment in .venv and installs what is missing: minutes, and about 620 MB.
PYTHON names the Python to use, SDFVIEWER_VENV a folder for the environment.
END
}

previous=''
for argument in "$@"; do
    case $argument in
        -h | --help)
            usage
            exit
            ;;
        -*) ;;
        *)
            # What follows an option may be its value; pytest knows that, once it is installed.
            path=${argument%%::*}
            [[ $previous = -* ]] || [ -e "$path" ] || [ -e "$repository/$path" ] || refuse "there is no file or folder '$path'"
            ;;
    esac
    previous=$argument
done

install_program test
prepare_libraries

if [ "$(uname -s)" = Linux ] && ! start_virtual_screen; then
    has_display || die "The GUI tests need a screen, virtual or real."
    say "The GUI tests open their windows on your screen."
fi

cd "$repository"
# Each process would compile all tests again, which takes it 20 s, and each program that a test starts all of sdfviewer.
unset PYTHONDONTWRITEBYTECODE
if [ $# -gt 0 ]; then
    "$python" -m pytest "$@"
    exit
fi

# A third of the time a GUI test waits: for a timer, another thread, or the screen.
cores=$("$python" -c 'import os; print(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)')
failed=0
say "== Below the GUI, with PySide6 out of reach"
PYTHONPATH=tests/without_qt "$python" -m pytest -p no:pytest-qt -m "not gui and not nightly" --numprocesses auto --maxprocesses 8 --dist worksteal || failed=1
say "== The GUI"
# After the death of a process pytest-xdist waits for ever if it may start another (in loadscope, seen with 3.8).
"$python" -m pytest tests/gui -m "not nightly" --numprocesses "$((2 * cores))" --maxprocesses 8 --dist loadscope --max-worker-restart 0 || failed=1
exit "$failed"
