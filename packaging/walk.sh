#!/usr/bin/env bash
# Walk through the window with a real mouse and keyboard, and take a picture after each step, for people to look at.
#   packaging/walk.sh FILE --out FOLDER [--screen 1366x768] [--scale 2] [--theme light] [--only STORY]
#   packaging/walk.sh all FOLDER [FILE...] [--only STORY]    each file on six screens in two themes; JOBS=2 walks at a time
#   packaging/walk.sh chance SEED COUNT FOLDER [FILE...]     so many walks, drawn by chance from ten, the files, screens and themes
# A STORY is a story, a topic or one of the ten walks: first, select, relative_to, cycles, joints, graphs, tools, screens,
# files, help. After each picture nothing may be cut, covered or empty, and the keyboard must be where it is seen.
# Without files of your own it walks through real robots and worlds where they lie in ../shared, else through those of
# the repository: a robot with two arms, a humanoid, an aircraft of merged parts, and a world of 3 000 models.
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
screens=("960x540 1" "1366x768 1" "1600x900 1" "1920x1080 1" "3840x2160 2" "1080x1920 1")
themes=(dark light)
ten=(first select relative_to cycles joints graphs tools screens files help)

case ${1:-} in
    all)
        out=${2:?where should the pictures go?}
        shift 2
        ;;
    chance)
        [ $# -ge 4 ] || die "say a seed, how many walks, and a folder for the pictures"
        seed=$2 count=$3 out=$4
        shift 4
        ;;
    *) exec "$python" -m tests.walk "$@" ;;
esac

files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
walked=()
while [ $# -gt 0 ] && [ "${1#-}" = "$1" ]; do
    [ -f "$1" ] || die "$1 is not a file"
    walked+=("$(realpath "$1")")
    shift
done
if [ ${#walked[@]} -eq 0 ]; then
    shared=$repository/../shared
    for path in corpus/osrf+gazebo_models/pr2/model.sdf corpus/Gepetto+example-robot-data/robots/cassie_description/robots/cassie.sdf \
        corpus/unitreerobotics+unitree_ros/robots/go1_description/urdf/go1.urdf corpus/gazebosim+sdformat/test/sdf/world_merge_include.sdf \
        corpus/gazebosim+gz-sim/examples/worlds/3k_shapes.sdf checkouts/ArduPilot+ardupilot_gazebo/worlds/iris_runway.sdf \
        checkouts/osrf+vrx/vrx_gz/worlds/nbpark.sdf checkouts/UniversalRobots+Universal_Robots_ROS2_Description/urdf/ur.urdf.xacro \
        checkouts/turtlebot+turtlebot4/turtlebot4_description/urdf/standard/turtlebot4.urdf.xacro; do
        [ ! -f "$shared/$path" ] || walked+=("$(realpath "$shared/$path")")
    done
fi
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
    [ "${1:-}" != --only ] || folder=$folder-$2
    mkdir -p "$folder"
    "$python" -m tests.walk "$file" --screen "$screen" --scale "$scale" --theme "$theme" --out "$folder" "$@" \
        >"$folder/log.txt" 2>&1 || printf 'not all is so: %s\n' "$folder/report.txt"
}
export -f walk_one
export out python
# Models and packages stand beside one another: hoverfly includes its parts, URIs name packages.
resources=$(for file in "${walked[@]}"; do dirname "$(dirname "$(dirname "$file")")"; dirname "$(dirname "$file")"; done | sort -u | paste -sd :)
export ROS_PACKAGE_PATH=$resources GZ_SIM_RESOURCE_PATH=$resources

say_walk() {
    local file=$1 screen=$2 theme=$3 name
    shift 3
    name=$(basename "$file")
    [ "$name" != model.sdf ] || name=$(basename "$(dirname "$file")")
    printf '%q ' "${name%%.*}" "$file"
    echo "$screen" "$theme" "$@"
}

draw_walks() {
    local number
    RANDOM=$seed # in this shell: bash draws other numbers in each subshell
    for ((number = 0; number < count; number++)); do
        say_walk "${walked[RANDOM % ${#walked[@]}]}" "${screens[RANDOM % ${#screens[@]}]}" "${themes[RANDOM % 2]}" \
            --only "${ten[RANDOM % ${#ten[@]}]}"
    done
}

all_walks() {
    local theme screen file
    for theme in "${themes[@]}"; do
        for screen in "${screens[@]}"; do
            for file in "${walked[@]}"; do
                say_walk "$file" "$screen" "$theme" "$@"
            done
        done
    done
}

if [ -n "${seed:-}" ]; then draw_walks; else all_walks "$@"; fi >"$files/walks"
xargs -P "${JOBS:-2}" -L 1 bash -c 'walk_one "$@"' walk <"$files/walks"
