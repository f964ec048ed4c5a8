#!/usr/bin/env bash
# Builds packages for other package managers: packaging/recipes.sh --help says how.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

usage() {
    cat <<'END'
Usage: packaging/recipes.sh [--prepare] RECIPE

Prepares build/recipes/RECIPE, and builds the package there:

  appimage   one file that runs on Linux, from the bundle     downloads appimagetool where it is missing
  conda      a package for conda-forge                        needs rattler-build
  docker     an image for pipelines and pictures              needs docker
  flatpak    an application of Flatpak, from the bundle       needs flatpak-builder, downloads its runtime
  ros        a package of ROS 2, installed into a folder      needs ament_cmake

  --prepare    only prepare it: nothing of the last column is needed
  -h, --help   show this help and exit

The recipes are in packaging/recipes.
END
}

only_prepare='' recipe=''
for argument in "$@"; do
    case $argument in
        -h | --help)
            usage
            exit
            ;;
        --prepare) only_prepare=yes ;;
        appimage | conda | docker | flatpak | ros) recipe=$argument ;;
        *) refuse "there is no recipe '$argument'" ;;
    esac
done
[ -n "$recipe" ] || refuse "which recipe?"

recipes=$repository/packaging/recipes
bundle=$repository/build/bundle/dist/sdfviewer
work=$repository/build/recipes/$recipe
prepare_venv
rm -rf "$work"
mkdir -p "$work"

need() { command -v "$1" >/dev/null 2>&1 || die "$1 was not found. What it needs is in $work"; }

need_bundle() { [ -x "$bundle/sdfviewer" ] || packaging/bundle.sh; }

build_wheel() { quietly "$python" -m pip wheel --no-deps --wheel-dir "$work" "$repository"; }

prepare_appimage() {
    need_bundle
    local root=$work/sdfviewer.AppDir
    mkdir -p "$root/usr/share/metainfo"
    cp -r "$bundle" "$root/usr/sdfviewer"
    ln -s usr/sdfviewer/sdfviewer "$root/AppRun"
    sed 's/^Exec=sdfviewer-gui/Exec=sdfviewer/' "$repository/packaging/linux/sdfviewer.desktop" >"$root/sdfviewer.desktop"
    cp "$repository/packaging/linux/sdfviewer.metainfo.xml" "$root/usr/share/metainfo/sdfviewer.appdata.xml"
    cp "$repository/resources/icons/sdfviewer.svg" "$root"
    ln -s sdfviewer.svg "$root/.DirIcon"
    expect 0 "no problems found" "$root/AppRun" check "$repository/resources/examples/arm.sdf"
}

build_appimage() {
    local tool=appimagetool tools=https://github.com/AppImage/appimagetool/releases/download/continuous
    if ! command -v appimagetool >/dev/null 2>&1; then
        tool=$work/appimagetool
        quietly curl --fail --location --output "$tool" "$tools/appimagetool-$(uname -m).AppImage"
        chmod +x "$tool"
    fi
    # Where FUSE is missing, as in a container, it unpacks itself.
    (cd "$work" && APPIMAGE_EXTRACT_AND_RUN=1 quietly "$tool" --no-appstream sdfviewer.AppDir)
}

prepare_flatpak() {
    need_bundle
    cp -r "$bundle" "$work/program"
    cp -r "$repository/packaging/linux" "$work/desktop"
    cp "$repository/resources/icons/sdfviewer.svg" "$work"
}

build_flatpak() {
    need flatpak-builder
    quietly flatpak remote-add --user --if-not-exists flathub https://dl.flathub.org/repo/flathub.flatpakrepo
    quietly flatpak-builder --force-clean --user --install-deps-from=flathub --repo="$work/repository" \
        --state-dir="$work/state" "$work/build" "$recipes/io.github.sdfviewer.yml"
}

prepare_conda() {
    quietly "$python" -m pip install --disable-pip-version-check hatchling
    quietly "$python" -m hatchling build --target sdist --directory "$work"
    tar -xzf "$work"/sdfviewer-*.tar.gz -C "$work" --strip-components 1
    rm "$work"/sdfviewer-*.tar.gz
}

build_conda() {
    need rattler-build
    quietly rattler-build build --recipe "$recipes/recipe.yaml" --channel conda-forge --output-dir "$work/output"
}

prepare_docker() {
    build_wheel
    cp "$recipes/Dockerfile" "$repository/packaging/system_libraries.py" "$work"
}

build_docker() {
    need docker
    quietly docker build --tag sdfviewer "$work"
    expect 0 "no problems found" docker run --rm --volume "$repository/resources/examples:/work:ro" sdfviewer check arm.sdf
}

prepare_ros() {
    build_wheel
    (cd "$work" && "$python" -m zipfile -e sdfviewer-*.whl . && rm -rf sdfviewer-*)
    cp "$recipes/ros/package.xml" "$recipes/ros/CMakeLists.txt" "$work"
    mkdir "$work/scripts"
    printf '%s\n' '#!/usr/bin/env python3' 'import sys' 'from sdfviewer.cli import main' 'sys.exit(main())' >"$work/scripts/sdfviewer"
    chmod +x "$work/scripts/sdfviewer"
}

build_ros() {
    need cmake
    local setup
    for setup in /opt/ros/*/setup.bash; do
        # These scripts read variables that may not be there.
        set +u
        # shellcheck disable=SC1090
        [ ! -e "$setup" ] || source "$setup"
        set -u
    done
    quietly cmake -S "$work" -B "$work/build" -DCMAKE_INSTALL_PREFIX="$work/install"
    quietly cmake --build "$work/build" --target install
    say "Installed into $work/install"
}

say "Preparing $work"
(cd "$repository" && "prepare_$recipe")
[ -n "$only_prepare" ] || "build_$recipe"
