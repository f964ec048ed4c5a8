#!/usr/bin/env bash
# Opens sdfviewer from a plain clone: run.sh [FILE...]
#
# Needs Python 3.10 to 3.14 and git, nothing else: the virtual environment, the program and the system libraries are
# prepared the first time. Where there is no display, a picture of the window is written instead.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

install_program all
prepare_libraries

if [ $# -eq 0 ]; then
    set -- "$repository/resources/examples/arm.sdf"
fi

if has_display; then
    exec "$venv/bin/sdfviewer" "$@"
fi

say "There is no display here: a picture of the window is written instead."
name=$(basename "$1")
picture=$repository/build/${name%.*}.png
mkdir -p "$repository/build"
if start_virtual_screen; then
    "$venv/bin/sdfviewer" screenshot --window -o "$picture" "$1"
else
    say "Without a virtual screen it shows the 3D view alone."
    "$venv/bin/sdfviewer" screenshot -o "$picture" "$1"
fi
say "The picture: $picture"
