#!/usr/bin/env bash
# Puts sdfviewer into the desktop's menu and teaches it .sdf, .world and .urdf files, for this user: install.sh
# Takes it out again: install.sh --remove
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/../environment.sh"

share=${XDG_DATA_HOME:-$HOME/.local/share}
entry=$share/applications/sdfviewer.desktop
mime=$share/mime/packages/sdfviewer.xml
icon=$share/icons/hicolor/scalable/apps/sdfviewer.svg

refresh() {
    ! command -v update-mime-database >/dev/null || quietly update-mime-database "$share/mime"
    ! command -v update-desktop-database >/dev/null || quietly update-desktop-database "$share/applications"
}

if [ "${1:-}" = --remove ]; then
    rm -f "$entry" "$mime" "$icon"
    refresh
    exit
fi

install_program all
mkdir -p "$(dirname "$entry")" "$(dirname "$mime")" "$(dirname "$icon")"
# A menu does not know the virtual environment: it needs the program's full path, quoted as the format asks.
sed "s|^Exec=sdfviewer-gui|Exec=\"$venv/bin/sdfviewer-gui\"|" "$repository/packaging/linux/sdfviewer.desktop" >"$entry"
cp "$repository/packaging/linux/sdfviewer.xml" "$mime"
cp "$repository/resources/icons/sdfviewer.svg" "$icon"
refresh
say "sdfviewer is in the menu. To take it out: $0 --remove"
