#!/usr/bin/env bash
# Walk through the window with a real mouse and keyboard, and take a picture after each step, for people to look at.
#   packaging/walk.sh FILE --out FOLDER [--screen 1366x768] [--scale 2] [--theme light] [--only STORY]
#   packaging/walk.sh all FOLDER [--only STORY]    four files on three screens in two themes; JOBS=2 walks at a time
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

# A checkout without an environment of its own may use another one: SDFVIEWER_VENV.
[ -n "${SDFVIEWER_VENV:-}" ] || install_program all
prepare_libraries
for program in Xvfb openbox xdotool; do
    command -v "$program" >/dev/null 2>&1 || install_packages "$program" "$([ "$program" = Xvfb ] && screen_package || printf '%s' "$program")"
done

cd "$repository"
export PYTHONPATH=$repository
if [ "${1:-}" != all ]; then
    exec "$python" -m tests.walk "$@"
fi

out=${2:?where should the pictures go?}
shift 2
corpus=${CORPUS:-$repository/../shared/corpus}
[ -d "$corpus" ] || die "The collection of real files is not at $corpus; name it with CORPUS=/path"
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
# Not part of the collection of real files, but on PyPI.
pip_install --no-deps --target "$files" icub-models
icub=$(find "$files" -path '*iCub/robots/iCubGazeboV2_5/model.urdf' | head -n 1)
[ -n "$icub" ] || die "icub-models has no robots/iCubGazeboV2_5/model.urdf"
mkdir -p "$out"

# What xargs runs: NAME FILE SCREEN SCALE THEME OPTION...
walk_one() {
    local folder=$out/$1-$3-x$4-$5 file=$2 screen=$3 scale=$4 theme=$5
    shift 5
    mkdir -p "$folder"
    "$python" -m tests.walk "$file" --screen "$screen" --scale "$scale" --theme "$theme" --out "$folder" "$@" \
        >"$folder/log.txt" 2>&1 || printf 'not all is so: %s\n' "$folder/report.txt"
}
export -f walk_one
export out python
export ROS_PACKAGE_PATH=${icub%/iCub/*} GZ_SIM_RESOURCE_PATH=$corpus/PX4+PX4-gazebo-models/models:${icub%/iCub/*}
for theme in dark light; do
    for screen in "1366x768 1" "1920x1080 1" "1920x1080 2"; do
        for file in "pr2 $corpus/osrf+gazebo_models/pr2/model.sdf" "icub $icub" \
            "vtol $corpus/PX4+PX4-gazebo-models/models/standard_vtol/model.sdf" \
            "3k $corpus/gazebosim+gz-sim/examples/worlds/3k_shapes.sdf"; do
            echo "$file" "$screen" "$theme" "$@"
        done
    done
done | xargs -P "${JOBS:-2}" -L 1 bash -c 'walk_one "$@"' walk
