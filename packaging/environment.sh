# shellcheck shell=bash
# Sourced by the scripts beside it: prepares a virtual environment with the program, the system
# libraries that Qt and OpenGL load, and a virtual screen. Works with bash 3.2 (macOS).

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=${SDFVIEWER_VENV:-$repository/.venv}
# Git's bash on Windows: an environment keeps its programs elsewhere there.
case $(uname -s) in
    MINGW* | MSYS*) programs=$venv/Scripts ;;
    *) programs=$venv/bin ;;
esac
python=$programs/python

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$*"
    exit 1
}

# refuse MESSAGE...: end a script for its arguments, before it does anything.
refuse() {
    say "$(basename "$0"): $*"
    say "$0 --help says what it takes."
    exit 2
}

# Run a command and show its output only if it fails. It reads no input: FILE may be "-", and no installer may wait for
# an answer.
quietly() {
    local said status=0
    said=$("$@" </dev/null 2>&1) || status=$?
    [ "$status" -eq 0 ] || say "$said"
    return "$status"
}

# expect STATUS TEXT COMMAND...: run a command that must exit with a status and print a text.
expect() {
    local status=$1 text=$2 got=0 said
    shift 2
    said=$("$@" 2>&1 </dev/null) || got=$?
    if [ "$got" -ne "$status" ] || { [ -n "$text" ] && [ "${said/"$text"/}" = "$said" ]; }; then
        die "expected status $status and '$text' from: $*
status $got: $said"
    fi
}

may_install() { [ "$(id -u)" -eq 0 ] || { command -v sudo && sudo -n true; } >/dev/null 2>&1; }

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

# The package manager whose names system_libraries.py knows; empty where there is none of them.
package_manager() {
    local manager
    for manager in apt-get dnf pacman zypper; do
        if command -v "$manager" >/dev/null 2>&1; then
            printf '%s' "$manager"
            return
        fi
    done
}

install_command() {
    case $1 in
        apt-get) printf 'apt-get install -y --no-install-recommends' ;;
        dnf) printf 'dnf install -y' ;;
        pacman) printf 'pacman -S --needed --noconfirm' ;;
        zypper) printf 'zypper --non-interactive install --no-recommends' ;;
    esac
}

# install_packages WHAT PACKAGE...: install them, or name the command and fail.
install_packages() {
    local what=$1 manager command
    shift
    manager=$(package_manager)
    if [ -z "$manager" ]; then
        say "Missing: $what. Install the packages that contain: $*"
        return 1
    fi
    command=$(install_command "$manager")
    if ! may_install; then
        say "Missing: $what. Install with: sudo $command $*"
        return 1
    fi
    say "Installing $what: $*"
    # The lists of a fresh image are empty or old.
    if [ "$manager" = apt-get ]; then
        quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update ||
            say "apt-get update failed; using the package lists that are here"
        # A machine that has just started often installs its own updates.
        command="$command -o DPkg::Lock::Timeout=300"
    fi
    # shellcheck disable=SC2086  # the command is several words
    quietly as_root env DEBIAN_FRONTEND=noninteractive $command "$@" ||
        { say "That failed. Run it yourself: sudo $command $*"; return 1; }
}

# ---- Python ----------------------------------------------------------------------------------------------------------

is_supported() {
    "$1" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info < (3, 15))' </dev/null >/dev/null 2>&1
}

find_python() {
    local candidate
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python3.10 python; do
        if command -v "$candidate" >/dev/null 2>&1 && is_supported "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
    die "Python 3.10 to 3.14 is needed and was not found; name one with PYTHON=/path/to/python3 $0"
}

has_pip() { "$python" -m pip --version </dev/null >/dev/null 2>&1; }

# Debian and Ubuntu ship Python without ensurepip, so that "python3 -m venv" fails until python3-venv is there.
create_venv() {
    local base
    base=$(find_python)
    [ -w "$venv" ] || { mkdir -p "$(dirname "$venv")" && [ -w "$(dirname "$venv")" ]; } 2>/dev/null ||
        die "$venv may not be written. Name another folder for the environment: SDFVIEWER_VENV=/path $0"
    say "Creating a virtual environment in $venv with $base"
    if "$base" -c 'import ensurepip, venv' </dev/null >/dev/null 2>&1; then
        quietly "$base" -m venv --clear "$venv"
    elif "$base" -m virtualenv --version </dev/null >/dev/null 2>&1; then
        quietly "$base" -m virtualenv --clear "$venv"
    elif command -v uv >/dev/null 2>&1; then
        quietly uv venv --clear --seed --python "$base" "$venv"
    elif "$base" -m venv --without-pip --clear "$venv" </dev/null >/dev/null 2>&1 &&
        "$base" -m pip --python "$python" install --quiet pip </dev/null >/dev/null 2>&1; then
        : # an old pip of the system put a new one into the environment
    elif [ "$(package_manager)" = apt-get ]; then
        local version
        version=$("$base" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        install_packages "the venv module of Python" "python$version-venv" || exit 1
        quietly "$base" -m venv --clear "$venv"
    else
        die "$base has neither venv with ensurepip nor virtualenv. Install one: $base -m pip install virtualenv"
    fi
    has_pip || die "The virtual environment in $venv has no pip"
}

# A working environment is used as it is, whoever created it. One that cannot run is created again.
prepare_venv() {
    if [ -e "$venv" ] && ! [ -e "$venv/pyvenv.cfg" ]; then
        die "$venv exists but is not a virtual environment"
    fi
    if ! is_supported "$python"; then
        create_venv
    elif ! has_pip && ! command -v uv >/dev/null 2>&1; then
        quietly "$python" -m ensurepip || create_venv
    fi
}

# The versions to install, in a file of pip's constraints: those of CI, or the oldest. A run that a user makes has none:
# it takes what pyproject.toml allows. Builds take place in environments of their own, which only variables reach; these
# split at spaces, so the file is an address in them.
if [ -n "${SDFVIEWER_CONSTRAINTS:-}" ]; then
    PIP_CONSTRAINT=file://$(printf '%s' "$SDFVIEWER_CONSTRAINTS" | sed 's/%/%25/g; s/ /%20/g; s/#/%23/g; s/?/%3F/g')
    export PIP_CONSTRAINT PIP_BUILD_CONSTRAINT=$PIP_CONSTRAINT UV_CONSTRAINT=$PIP_CONSTRAINT UV_BUILD_CONSTRAINT=$PIP_CONSTRAINT
fi

# pip_install ARGUMENT...: what takes the time is shown, the large packages, and all that pip says if it fails.
pip_install() {
    local log status=0 installer=("$python" -m pip install --disable-pip-version-check --progress-bar off)
    has_pip || installer=(uv pip install --python "$python")
    log=$(mktemp)
    "${installer[@]}" "$@" </dev/null 2>&1 | tee "$log" | while IFS= read -r line; do
        case $line in
            *' MB)') # Downloading NAME-VERSION-TAGS.whl (SIZE MB), or Using cached
                line=${line#*Downloading }
                line=${line#*Using cached }
                say "  ${line%%-*} ${line##*.whl }"
                ;;
            'Installing collected packages'*) say "  Unpacking" ;;
        esac
    done || status=$?
    [ "$status" -eq 0 ] || cat "$log" >&2
    rm -f "$log"
    return "$status"
}

# install_program EXTRA: install the program from this checkout with an extra of pyproject.toml. A stamp skips this while
# pyproject.toml and the folder stay the same: pip takes seconds and needs the network even when nothing changes.
install_program() {
    local extra=$1 wanted stamp
    prepare_venv
    wanted="$(cat "$repository/pyproject.toml" ${SDFVIEWER_CONSTRAINTS:+"$SDFVIEWER_CONSTRAINTS"} | cksum) $repository"
    for stamp in "$venv/.packaging-stamp-$extra" "$venv/.packaging-stamp-test"; do
        # What the tests need includes what the program needs, but not what the documentation needs.
        if [ "$extra" = docs ] && [ "$stamp" = "$venv/.packaging-stamp-test" ]; then
            continue
        fi
        if [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
            return
        fi
    done
    say "Installing sdfviewer[$extra]. This takes minutes the first time."
    if pip_install --editable "${repository}[$extra]"; then
        printf '%s' "$wanted" >"$venv/.packaging-stamp-$extra"
        rm -f "$venv/.packaging-stamp-libraries" # another Qt may need other libraries
    elif "$python" -c 'import sdfviewer.cli, lxml, numpy, PySide6' </dev/null >/dev/null 2>&1; then
        say "Installing failed. Using the packages that are already in $venv."
    else
        die "Installing failed. See the output of pip above."
    fi
}

# The oldest version of each requirement in pyproject.toml, in the form of pip's constraints.
lowest_versions() {
    sed -n 's/^ *"\([A-Za-z0-9._-]*\)>=\([0-9.]*\)[,;"].*/\1==\2/p' "$repository/pyproject.toml" | sort -u
}

# ---- system libraries and the screen ---------------------------------------------------------------------------------

# Ask for what cannot be loaded, and install that.
prepare_libraries() {
    local stamp=$venv/.packaging-stamp-libraries packages
    if [ "$(uname -s)" != Linux ] || [ -e "$stamp" ]; then
        return
    fi
    say "Looking for the libraries of the system that Qt and OpenGL need"
    packages=$("$python" "$repository/packaging/system_libraries.py" "$(package_manager)" </dev/null)
    if [ -n "$packages" ]; then
        # shellcheck disable=SC2086  # one word for each package
        install_packages "system libraries" $packages || exit 1
        packages=$("$python" "$repository/packaging/system_libraries.py" "$(package_manager)" </dev/null)
        [ -z "$packages" ] || say "Still missing after installing: $packages"
    fi
    [ -n "$packages" ] || touch "$stamp"
}

has_display() {
    [ "$(uname -s)" = Linux ] || return 0
    [ -n "${WAYLAND_DISPLAY:-}" ] && return 0
    # DISPLAY may name a screen that is long gone.
    [ -n "${DISPLAY:-}" ] && "$python" -c '
import ctypes, sys
sys.exit(ctypes.CDLL("libX11.so.6").XOpenDisplay(None) == 0)' </dev/null >/dev/null 2>&1
}

screen_package() {
    case $(package_manager) in
        apt-get) printf 'xvfb' ;;
        pacman) printf 'xorg-server-xvfb' ;;
        dnf | zypper) printf 'xorg-x11-server-Xvfb' ;;
    esac
}

screen_process=''
screen_folder=''

stop_virtual_screen() {
    [ -z "$screen_process" ] || kill "$screen_process" 2>/dev/null || true
    [ -z "$screen_folder" ] || rm -rf "$screen_folder"
}

# start_virtual_screen: an X server that draws into memory, on the first number that is free, until the script ends.
start_virtual_screen() {
    command -v Xvfb >/dev/null 2>&1 || install_packages "a virtual screen (Xvfb)" "$(screen_package)" || return 1
    local number=''
    screen_folder=$(mktemp -d)
    : >"$screen_folder/number" # it is read before Xvfb has started
    # So large that the pointer, which rests in the middle, hovers over no window.
    Xvfb -displayfd 3 -screen 0 4096x2560x24 -nolisten tcp 3>"$screen_folder/number" 2>"$screen_folder/log" </dev/null >&2 &
    screen_process=$!
    trap stop_virtual_screen EXIT
    # As long as it lives: on a busy machine it may take a minute.
    while [ -z "$number" ] && kill -0 "$screen_process" 2>/dev/null; do
        number=$(cat "$screen_folder/number")
        sleep 0.1
    done
    if [ -z "$number" ]; then
        say "Xvfb did not start: $(cat "$screen_folder/log")"
        return 1
    fi
    unset WAYLAND_DISPLAY
    export DISPLAY=":$number" QT_QPA_PLATFORM=xcb XDG_SESSION_TYPE=x11
}

require_npm() {
    command -v npm >/dev/null 2>&1 || die "npm was not found. Install Node.js 18 or newer."
}

# enter_node_package FOLDER: go to a package of Node.js, install what it needs, and have a folder for what it builds.
enter_node_package() {
    mkdir -p "$repository/build"
    cd "$1" || exit
    quietly npm install --no-audit --no-fund --no-package-lock
}
