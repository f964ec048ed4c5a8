#!/usr/bin/env bash
# Opens sdfviewer from a plain clone: packaging/run.sh --help says how.
#
# Needs Python 3.10 to 3.14 and git, nothing else: the virtual environment, the program and the system libraries are
# prepared the first time. What is wrong in the arguments is said before that.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

usage() {
    cat <<'END'
Usage: packaging/run.sh [--path DIR]... [--arg NAME=VALUE]... [--xacro] [FILE]...
       packaging/run.sh COMMAND [ARGUMENT]...

Opens each FILE in the window, or an example where none is named. Where there is no display, writes a picture of the
window to build/ instead. With a COMMAND such as check or convert, runs that command of sdfviewer.

The first run prepares a virtual environment in .venv and installs what is missing: minutes, and about 620 MB.

  --path DIR        add a folder to the model path
  --arg NAME=VALUE  set an argument of xacro files
  --xacro           also evaluate xacro files that are included
  --version         show the version and exit
  -h, --help        show this help and exit

PYTHON names the Python to use, SDFVIEWER_VENV a folder for the environment.
END
}

# The commands need packages that may not be installed yet; their list does not.
uninstalled() {
    local base
    base=$(find_python)
    # From here: the folder of the caller may hold modules of its own.
    (cd "$repository" && PYTHONPATH='' "$base" -m sdfviewer "$@")
}

is_command() {
    [[ $1 =~ ^[a-z]+(-[a-z]+)*$ ]] && uninstalled --help | grep -Eq "^ +$1  "
}

case ${1:-} in
    -h | --help)
        usage
        exit
        ;;
    --version)
        uninstalled --version
        exit
        ;;
esac

if [ "${1:-}" = open ]; then
    shift
elif [ $# -gt 0 ] && is_command "$1"; then
    install_program all
    if [ "$1" = screenshot ]; then
        prepare_libraries
        has_display || start_virtual_screen || true
    fi
    "$programs/sdfviewer" "$@"
    exit
fi

options=()
files=()
while [ $# -gt 0 ]; do
    case $1 in
        --path | --arg)
            [ $# -gt 1 ] || refuse "$1 needs a value"
            [ "$1" = --arg ] || [ -d "$2" ] || refuse "there is no folder '$2'"
            options+=("$1" "$2")
            shift
            ;;
        --path=* | --arg=* | --xacro) options+=("$1") ;;
        -h | --help)
            usage
            exit
            ;;
        --)
            shift
            files+=("$@")
            break
            ;;
        -?*) refuse "there is no option '$1'" ;;
        *) files+=("$1") ;;
    esac
    shift
done
[ ${#files[@]} -gt 0 ] || files=("$repository/resources/examples/arm.sdf")
for file in "${files[@]}"; do
    [ -e "$file" ] || [ "$file" = - ] || refuse "there is no file and no command '$file'"
done

install_program all
prepare_libraries

# Bash 3.2 takes an empty list for one that is not set.
if has_display; then
    say "Opening ${files[*]}"
    exec "$programs/sdfviewer" open ${options[@]+"${options[@]}"} -- "${files[@]}"
fi

say "There is no display here: a picture of the window is written instead."
mkdir -p "$repository/build"
look=(--window)
if ! start_virtual_screen; then
    say "Without a virtual screen it shows the 3D view alone."
    look=()
fi
number=''
for file in "${files[@]}"; do
    name=$(basename -- "$file")
    picture=$repository/build/${name%.*}${number:+-$number}.png
    "$programs/sdfviewer" screenshot ${look[@]+"${look[@]}"} ${options[@]+"${options[@]}"} -o "$picture" -- "$file"
    say "The picture: $picture"
    number=$((${number:-1} + 1)) # files in several folders often have one name
done
