#!/usr/bin/env bash
# Walk through the window with a real mouse and keyboard, and take a picture after each step, for people to look at.
#   packaging/walk.sh FILE --out FOLDER [--screen 1366x768] [--scale 2] [--theme light] [--only STORY]
#   packaging/walk.sh all FOLDER [FILE...] [--only STORY]    each file on three screens in two themes; JOBS=2 walks at a time
# Without files of your own, "all" walks through four of the repository: a robot with two arms, a humanoid, an aircraft of
# merged parts, and a world of 3 000 models.
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
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
walked=()
while [ $# -gt 0 ] && [ "${1#-}" = "$1" ]; do
    [ -f "$1" ] || die "$1 is not a file"
    walked+=("$(realpath "$1")")
    shift
done
if [ ${#walked[@]} -eq 0 ]; then
    collection=$repository/tests/collection
    "$python" -m tests.large shapes 3000 >"$files/3k.sdf"
    walked=("$collection/porter/models/porter/model.sdf" "$collection/strider_description/urdf/strider.urdf"
        "$collection/hoverfly/models/hoverfly/model.sdf" "$files/3k.sdf")
fi
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
# Models and packages stand beside one another: hoverfly includes its parts, URIs name packages.
resources=$(for file in "${walked[@]}"; do dirname "$(dirname "$(dirname "$file")")"; dirname "$(dirname "$file")"; done | sort -u | paste -sd :)
export ROS_PACKAGE_PATH=$resources GZ_SIM_RESOURCE_PATH=$resources
for theme in dark light; do
    for screen in "1366x768 1" "1920x1080 1" "1920x1080 2"; do
        for file in "${walked[@]}"; do
            name=$(basename "$file")
            [ "$name" != model.sdf ] || name=$(basename "$(dirname "$file")")
            printf '%q ' "${name%.*}" "$file"
            echo "$screen" "$theme" "$@"
        done
    done
done | xargs -P "${JOBS:-2}" -L 1 bash -c 'walk_one "$@"' walk
