#!/usr/bin/env bash
# Makes every picture in screenshots/ anew, so that README shows the program as it is: screenshots.sh [NAME...]
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

install_program
prepare_libraries
# Always a virtual screen where there can be one: a desktop's own scaling and theme would show in the pictures.
[ "$(uname -s)" != Linux ] || start_virtual_screen || has_display || die "The pictures need a screen, virtual or real."

cd "$repository"
mkdir -p screenshots
# Neither the settings of whoever runs this nor the windows that they left open belong into the pictures.
settings=$(mktemp -d)
trap 'rm -rf "$settings"; stop_virtual_screen' EXIT
export XDG_CONFIG_HOME=$settings XDG_DATA_HOME=$settings XDG_STATE_HOME=$settings

wanted=" $* "
made=0
# picture NAME ARGUMENT...: one picture, where its name was asked for or none was.
picture() {
    local name=$1
    shift
    if [ "$wanted" != "  " ] && [ "${wanted/ $name /}" = "$wanted" ]; then
        return
    fi
    "$venv/bin/sdfviewer" screenshot -o "screenshots/$name.png" "$@"
    say "screenshots/$name.png"
    made=$((made + 1))
}

examples=resources/examples
picture window-arm --window --size 1600x1000 "$examples/arm.sdf"
picture window-cycle --window --size 1600x1000 "$examples/relative_to_cycle.sdf"
picture arm --size 1200x900 "$examples/arm.sdf"
picture workshop --size 1200x900 "$examples/world_frames.sdf"
picture shapes --size 1200x900 "$examples/shapes.sdf"
# A real robot, where the collection of real files is at hand.
pr2=$(find ../shared/corpus -path '*pr2*' -name 'model.sdf' 2>/dev/null | sort | head -n 1) || true
if [ -n "$pr2" ]; then
    picture window-pr2 --window --size 1600x1000 "$pr2"
fi
[ "$made" -gt 0 ] || die "No picture is called:$wanted"
