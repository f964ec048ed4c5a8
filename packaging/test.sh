#!/usr/bin/env bash
# Runs the tests from a plain clone: test.sh [PYTEST ARGUMENT...]
#
# Without arguments everything but what is nightly runs once, in two halves: all below the GUI where PySide6 cannot be
# imported, which proves that it is not needed there, then the GUI on a virtual screen. With arguments, pytest runs with
# these: test.sh -m nightly.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

install_program test
prepare_libraries

if [ "$(uname -s)" = Linux ] && ! start_virtual_screen; then
    has_display || die "The GUI tests need a screen, virtual or real."
    say "The GUI tests open their windows on your screen."
fi

cd "$repository"
if [ $# -gt 0 ]; then
    "$python" -m pytest "$@"
    exit
fi

processes=(--numprocesses auto --maxprocesses 8)
failed=0
say "== Below the GUI, with PySide6 out of reach"
PYTHONPATH=tests/without_qt "$python" -m pytest -p no:pytest-qt -m "not gui and not nightly" "${processes[@]}" --dist worksteal || failed=1
say "== The GUI"
# On a busy machine the window system may answer late. A test that fails runs once more, and the summary counts it.
# After the death of a process pytest-xdist waits for ever if it may start another (in loadscope, seen with 3.8).
"$python" -m pytest -m "gui and not nightly" "${processes[@]}" --dist loadscope --max-worker-restart 0 --reruns 1 || failed=1
exit "$failed"
