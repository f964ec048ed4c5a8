#!/usr/bin/env bash
# Takes the pictures in screenshots/ again, so that README shows the program as it is:
#   packaging/screenshots.sh [NAME...]            replace those that show something else now
#   packaging/screenshots.sh --check [NAME...]    only say which those are, and exit with 1 if there are any
#   packaging/screenshots.sh --sizes              say which are too large
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

mode=keep
case ${1:-} in
    --check)
        mode=differs
        shift
        ;;
    --sizes)
        install_program all
        exec "$python" "$repository/packaging/pictures.py" sizes "$repository/screenshots"
        ;;
    -h | --help)
        sed -n '2,5s/^# *//p' "${BASH_SOURCE[0]}"
        exit
        ;;
    -*) refuse "there is no option '$1'" ;;
esac
wanted=" $* "

install_program all
prepare_libraries
# Always a virtual screen where there can be one: a desktop's own scaling and theme would show in the pictures.
[ "$(uname -s)" != Linux ] || start_virtual_screen || has_display || die "The pictures need a screen, virtual or real."

cd "$repository"
mkdir -p screenshots build/screenshots
# Neither the settings of whoever runs this nor the windows that they left open belong into the pictures.
settings=$(mktemp -d)
trap 'rm -rf "$settings"; stop_virtual_screen' EXIT
export XDG_CONFIG_HOME=$settings XDG_DATA_HOME=$settings XDG_STATE_HOME=$settings

made=0
changed=0

is_wanted() { [ "$wanted" = "  " ] || [ "${wanted/ $1 /}" != "$wanted" ]; }

# keep NAME PICTURE...: compare them with the one that is there, and replace it.
keep() {
    local name=$1
    shift
    "$python" packaging/pictures.py "$mode" "screenshots/$name.webp" "$@" || changed=1
    made=$((made + 1))
}

# picture NAME ARGUMENT...: one picture, where its name was asked for or none was.
picture() {
    local name=$1
    shift
    is_wanted "$name" || return 0
    "$programs/sdfviewer" screenshot -o "build/screenshots/$name.png" "$@"
    keep "$name" "build/screenshots/$name.png"
}

examples=resources/examples
window=(--window --size 1600x1000)
picture window-arm "${window[@]}" --select arm::grasp --joint arm::joint_1=-0.5 --joint arm::joint_4=0.6 "$examples/arm.sdf"
picture window-cycle "${window[@]}" --action workspace.debug "$examples/relative_to_cycle.sdf"
picture window-arm-dark "${window[@]}" --theme dark --select arm::grasp --joint arm::joint_1=-0.5 --joint arm::joint_4=0.6 "$examples/arm.sdf"
picture window-cycle-dark "${window[@]}" --theme dark --action workspace.debug "$examples/relative_to_cycle.sdf"
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
    if [ "$wanted" = "  " ] && [ "$mode" = keep ]; then
        "$programs/sdfviewer" graph --kind "$kind" --format svg -o "$file" "$examples/nested_gripper.sdf"
    fi
done
# A robot of a hundred links.
picture window-porter "${window[@]}" --select porter::r_gripper_l_finger_tip_link tests/collection/porter/models/porter/model.sdf
# A cycle is found and fixed with the mouse.
if is_wanted cycle-fixed; then
    rm -rf build/screenshots/cycle
    quietly packaging/walk.sh "$examples/relative_to_cycle.sdf" --out build/screenshots/cycle --screen 1280x800 --theme light \
        --only cycle_fixed
    keep cycle-fixed build/screenshots/cycle/*_cycle_fixed_*.png
fi
[ "$made" -gt 0 ] || die "No picture is called:$wanted"
exit "$changed"
