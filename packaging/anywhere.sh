#!/usr/bin/env bash
# Tries the two commands of README in a fresh clone of the last commit, in one place after the other:
#   packaging/anywhere.sh [--only PLACE]... [PYTEST ARGUMENT...]
# PLACE is one of name, letters, user, home, busy. With arguments of pytest, test.sh runs these tests only; all of them
# take some ten minutes a place on two cores, and busy some 35.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

places=()
while [ "${1:-}" = --only ]; do
    case ${2:-} in
        name | letters | user | home | busy) places+=("$2") ;;
        *) refuse "--only takes name, letters, user, home or busy" ;;
    esac
    shift 2
done
case ${1:-} in
    -h | --help)
        sed -n '2,5s/^# *//p' "${BASH_SOURCE[0]}"
        exit
        ;;
esac
[ ${#places[@]} -gt 0 ] || places=(name letters user home busy)
tests=("$@")

unset DISPLAY WAYLAND_DISPLAY SDFVIEWER_VENV SDFVIEWER_CONSTRAINTS VIRTUAL_ENV PYTHONPATH PIP_CONSTRAINT UV_CONSTRAINT
[ -z "$(git -C "$repository" status --porcelain)" ] || say "What is not committed is not tried."
folder=$(mktemp -d "${TMPDIR:-/tmp}/anywhere.XXXXXX")
chmod 755 "$folder"
busy=()

clean_up() {
    [ ${#busy[@]} -eq 0 ] || kill "${busy[@]}" 2>/dev/null || true
    busy=()
    chmod -R u+w "$folder"
    rm -rf "$folder"
}
trap clean_up EXIT

# in_place COMMAND...: run it as a place wants it.
as=()
in_place() { env ${as[@]+"${as[@]}"} "$@"; }

# as_user ID: where this is root, run what follows as another user.
as_user() {
    if [ "$(id -u)" -eq 0 ]; then
        command -v setpriv >/dev/null 2>&1 || die "To run as another user, setpriv of util-linux is needed."
        as+=(setpriv --reuid="$1" --regid="$1" --clear-groups)
        chown -R "$1:$1" "$clone" "$settings"
    fi
}

# Open the window on a virtual screen, wait until it is there, and close it.
window_opens() {
    # shellcheck disable=SC2016  # the other bash expands it
    in_place bash -euo pipefail -c '
        source packaging/environment.sh
        start_virtual_screen
        packaging/run.sh >"$0" 2>&1 &
        viewer=$!
        trap "kill $viewer 2>/dev/null; stop_virtual_screen" EXIT
        "$python" packaging/wait_for_window.py "$viewer" arm.sdf' "$settings/window.log" ||
        { cat "$settings/window.log" >&2; return 1; }
}

# try_place: what README promises, in $clone.
try_place() {
    local started=$SECONDS left
    cd "$clone"
    say "   help and wrong arguments"
    expect 0 "Usage:" in_place packaging/run.sh --help
    expect 0 "Usage:" in_place packaging/test.sh --help
    expect 2 "there is no option '--nonsense'" in_place packaging/run.sh --nonsense
    expect 2 "there is no option '--nonsense'" in_place packaging/run.sh --nonsense resources/examples/arm.sdf
    expect 2 "there is no file" in_place packaging/run.sh nonsense.sdf
    expect 2 "there is no file" in_place packaging/test.sh tests/nonsense
    left=$(in_place git status --porcelain --ignored)
    [ -z "$left" ] || die "An answer that needs nothing has left behind: $left"
    say "   run.sh without a display"
    expect 0 "The picture: " in_place packaging/run.sh
    [ -s build/arm.png ] || die "There is no picture."
    if [ "$(uname -s)" = Linux ]; then
        say "   run.sh with a display"
        window_opens || die "The window did not open."
    fi
    say "   test.sh"
    in_place packaging/test.sh ${tests[@]+"${tests[@]}"}
    left=$(in_place git status --porcelain)
    [ -z "$left" ] || die "The tests have left behind: $left"
    say "   passed after $((SECONDS - started)) s"
}

for place in "${places[@]}"; do
    case $place in
        name) what="a folder that is called as the program" clone=$folder/$place/sdfviewer ;;
        letters) what="a path with spaces and letters beyond ASCII" clone="$folder/Ünsere Röböter 機械 (1)/sdf viewer" ;;
        user) what="another user than root, below a folder that may not be written" clone=$folder/$place/clone ;;
        home) what="HOME is not set, and nobody knows the user" clone=$folder/$place/clone ;;
        busy) what="low priority, beside eight busy processes" clone=$folder/$place/clone ;;
    esac
    say "== $place: $what"
    git clone --quiet --no-hardlinks "$repository" "$clone"
    settings=$folder/settings-$place
    mkdir "$settings"
    # The user's own settings and recent files are left alone.
    as=(XDG_CONFIG_HOME="$settings" XDG_DATA_HOME="$settings" XDG_STATE_HOME="$settings")
    case $place in
        user)
            as+=(HOME="$settings" USER=nobody LOGNAME=nobody)
            as_user 65534
            chmod 555 "$(dirname "$clone")"
            ;;
        home)
            [ "$(id -u)" -ne 0 ] || as=() # this user has no settings
            as=(-u HOME -u USER -u LOGNAME ${as[@]+"${as[@]}"})
            as_user 54321
            ;;
        busy)
            as+=(nice)
            for _ in 1 2 3 4 5 6 7 8; do
                nice sh -c 'while :; do :; done' &
                busy+=($!)
            done
            ;;
    esac
    # As part of a condition nothing in it would end at the first failure.
    set +e
    (set -e; try_place)
    status=$?
    set -e
    [ "$status" -eq 0 ] || die "FAILED: $place. The clone was $clone"
    [ ${#busy[@]} -eq 0 ] || kill "${busy[@]}"
    busy=()
    chmod u+w "$(dirname "$clone")"
    rm -rf "$clone" # 620 MB
done
say "Both commands work in: ${places[*]}"
