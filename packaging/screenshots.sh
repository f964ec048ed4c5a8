#!/usr/bin/env bash
# Takes every picture in screenshots/ again, so that README shows the program as it is: screenshots.sh [NAME...]
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

install_program all
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
# compress PICTURE TARGET: write a picture as WebP, as good as fits into 150 kB.
compress() {
    "$python" -c '
import os, sys
from PIL import Image
picture = Image.open(sys.argv[1]).convert("RGB")
for quality in range(90, 40, -5):
    picture.save(sys.argv[2], quality=quality, method=6)
    if os.path.getsize(sys.argv[2]) < 150_000:
        break' "$@"
}

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
window=(--window --size 1600x1000)
picture window-arm "${window[@]}" --select arm::grasp --joint arm::joint_1=-0.5 --joint arm::joint_4=0.6 "$examples/arm.sdf"
picture window-cycle "${window[@]}" --action workspace.debug "$examples/relative_to_cycle.sdf"
picture window-compare "${window[@]}" --action workspace.compare "$examples/parity_legacy_numbers.sdf"
picture window-refactor "${window[@]}" --action refactor.flatten "$examples/nested_gripper.sdf"
picture window-workshop "${window[@]}" --theme dark --select table_top "$examples/world_frames.sdf"
picture workshop --size 1200x900 "$examples/world_frames.sdf"
picture shapes --size 1200x900 "$examples/shapes.sdf"
# The figures of the specification's kinematics chapter, Jp beside Jc, and its parity models.
figure=(--size 640x480 --show "visuals,frames,joints,labels,grid,shadows,jp")
kinematics=(--view right --orthographic --show "visuals,frames,joints,labels,grid,jp")
picture joint-frames --size 800x500 "${kinematics[@]}" --joint M::J=0.6 "$examples/joint_frames.sdf"
for angle in 0 0.78; do
    picture "two-links-at-$angle" --size 1000x480 "${kinematics[@]}" --joint "pair_1::jointAB=$angle" \
        --joint "pair_2::joint12=$angle" "$examples/two_links_orthogonal.sdf"
done
picture parity-relative-to "${figure[@]}" "$examples/parity_relative_to.sdf"
picture parity-frames "${figure[@]}" "$examples/parity_frames.sdf"
picture parity-legacy-numbers "${figure[@]}" "$examples/parity_legacy_numbers.sdf"
# The graphs of the concept pages.
for kind in relative_to attached_to; do
    file="docs/pictures/nested-gripper-${kind/_/-}.svg"
    if [ "$wanted" = "  " ]; then
        "$venv/bin/sdfviewer" graph --kind "$kind" --format svg -o "$file" "$examples/nested_gripper.sdf"
    fi
done
# A robot of a hundred links.
picture window-porter "${window[@]}" --select porter::r_gripper_l_finger_tip_link tests/collection/porter/models/porter/model.sdf
if [ -f screenshots/window-porter.png ]; then
    compress screenshots/window-porter.png screenshots/window-porter.webp
    rm screenshots/window-porter.png
fi
[ "$made" -gt 0 ] || die "No picture is called:$wanted"
