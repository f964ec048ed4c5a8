#!/usr/bin/env bash
# Installs the package with each extra in a fresh environment and tries what that extra brings: extras.sh [EXTRA...]
# The core is tried first, without any extra. Minutes; for nightly runs.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

base=$(find_python)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
arm=$repository/resources/examples/arm.sdf

try_core() {
    expect 0 "no problems found" "$bin/sdfviewer" check "$arm"
    expect 0 "grasp" "$bin/sdfviewer" frames "$arm"
    expect 0 "<robot" "$bin/sdfviewer" convert --to urdf --allow-loss "$arm"
    expect 0 "digraph" "$bin/sdfviewer" graph "$arm"
    expect 0 "arm" "$bin/python" -c "import sdfviewer; print(sdfviewer.load('$arm'))"
}

for extra in "${@:-core render gui lsp xacro video notebook coacd all}"; do
    # The default is one word with all of them.
    # shellcheck disable=SC2086
    for each in $extra; do
        say "== $each"
        "$base" -m venv "$folder/$each"
        bin=$folder/$each/bin
        if [ "$each" = core ]; then
            quietly "$bin/python" -m pip install --quiet --disable-pip-version-check "$repository"
            installed=$("$bin/python" -m pip list --format freeze | grep -vE '^(pip|setuptools|sdfviewer|wheel)' | cut -d= -f1 | sort | tr '\n' ' ')
            say "installed: $installed"
        else
            quietly "$bin/python" -m pip install --quiet --disable-pip-version-check "${repository}[$each]"
        fi
        try_core
        case $each in
            core)
                expect 2 "sdfviewer[gui]" "$bin/sdfviewer" "$arm"
                expect 2 "sdfviewer[render]" "$bin/sdfviewer" screenshot -o "$folder/a.png" "$arm"
                expect 2 "sdfviewer[lsp]" "$bin/sdfviewer" lsp
                ;;
            render | gui) expect 0 "" "$bin/sdfviewer" screenshot -o "$folder/$each.png" "$arm" ;;
            lsp) expect 0 "" "$bin/sdfviewer" lsp ;;
            notebook) expect 0 "NotebookView" "$bin/python" -c "from sdfviewer.library import notebook_view; print(notebook_view.NotebookView)" ;;
            video) expect 0 "ffmpeg" "$bin/python" -c "import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())" ;;
            coacd) expect 0 "coacd" "$bin/python" -c "import coacd; print(coacd.__name__)" ;;
            xacro) expect 0 "xacro" "$bin/python" -c "import xacro; print(xacro.__name__)" ;;
            all) expect 0 "" "$bin/sdfviewer" screenshot -o "$folder/all.png" "$arm" ;;
        esac
    done
done
say "Every extra works alone."
