#!/usr/bin/env bash
# Builds build/bundle/sdfviewer-VERSION-SYSTEM.tar.xz (.zip on Windows): a folder with the program, Python and Qt, which
# runs where none of these is installed:
#   packaging/bundle.sh            build it
#   packaging/bundle.sh --try      and start it in a bare Debian 12 (needs root and debootstrap)
# On Linux it runs with the glibc that its Python was built with, or a later one; CI takes 2.34, which PySide6 needs.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

try=''
case ${1:-} in
    '') ;;
    --try) try=yes ;;
    -h | --help)
        sed -n '2,6s/^# *//p' "${BASH_SOURCE[0]}"
        exit
        ;;
    *) refuse "there is no option '$1'" ;;
esac

work=$repository/build/bundle
venv=$work/environment
programs=$venv/${programs##*/}
python=$programs/python
mkdir -p "$work"
prepare_venv
say "Installing what goes into the bundle"
quietly "$python" -m pip install --disable-pip-version-check --upgrade "${repository}[gui,lsp,xacro,fuel]" pyinstaller
prepare_libraries

say "Collecting it"
rm -rf "$work/dist"
# Not from the repository: there "sdfviewer" is the checkout, whose resources are beside it.
(cd "$work" && quietly "$python" -m PyInstaller --noconfirm --log-level WARN --distpath dist --workpath work \
    "$repository/packaging/bundle/sdfviewer.spec")
bundle=$work/dist/sdfviewer
cp "$repository/LICENSE" "$repository/README.md" "$bundle"
[ "$(uname -s)" != Linux ] || cp -r "$repository/packaging/linux" "$bundle/desktop"
version=$("$python" -c 'import sdfviewer; print(sdfviewer.__version__)')
case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=macos ;;
    *) system=windows ;;
esac
archive=$work/sdfviewer-$version-$system-$(uname -m)
rm -f "$archive".*
if [ "$system" = windows ]; then
    archive=$archive.zip
    (cd "$work/dist" && "$python" -m zipfile -c "$archive" sdfviewer)
else
    archive=$archive.tar.xz
    XZ_OPT=-T0 tar -C "$work/dist" -cJf "$archive" sdfviewer
fi
say "$archive: $(($(wc -c <"$archive") / 1000000)) MB"
[ "$(wc -c <"$archive")" -lt 120000000 ] || die "A bundle has less than 120 MB."
expect 0 "sdfviewer $version" "$bundle/sdfviewer" --version
expect 0 "no problems found" "$bundle/sdfviewer" check "$repository/resources/examples/arm.sdf"
[ -n "$try" ] || exit 0

# The files of the bundle and X with Mesa; no Python, no Qt.
root=$work/bare
if ! [ -e "$root/.ready" ]; then
    command -v debootstrap >/dev/null 2>&1 || install_packages "debootstrap" debootstrap
    say "Making a bare Debian 12 in $root"
    rm -rf "$root"
    mirror=$(apt-cache policy 2>/dev/null | sed -n 's/^ *[0-9]* \(http[^ ]*\) bookworm\/main .*/\1/p' | head -n 1)
    quietly debootstrap --variant=minbase --no-check-gpg \
        --include=xvfb,xauth,libgl1,libegl1,libopengl0,libgl1-mesa-dri,fonts-dejavu-core \
        bookworm "$root" "${mirror:-http://deb.debian.org/debian}"
    umount "$root/proc" "$root/sys" 2>/dev/null || true
    touch "$root/.ready"
fi
rm -rf "$root/opt/sdfviewer" "$root/tmp/window.png"
cp -r "$bundle" "$root/opt/sdfviewer"
cp "$repository/tests/collection/porter/models/porter/model.sdf" "$root/tmp/robot.sdf"
expect 0 "" chroot "$root" xvfb-run -a /opt/sdfviewer/sdfviewer screenshot --window -o /tmp/window.png /tmp/robot.sdf
cp "$root/tmp/window.png" "$work/window.png"
say "Its window there: $work/window.png"
