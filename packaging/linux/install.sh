#!/usr/bin/env bash
# Puts sdfviewer into the desktop's menu, with its file types and their thumbnails, the manual page, and completion for
# bash, zsh and fish, for this user: install.sh
# Takes all of it out again: install.sh --remove
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/../environment.sh"

share=${XDG_DATA_HOME:-$HOME/.local/share}
entry=$share/applications/sdfviewer.desktop
mime=$share/mime/packages/sdfviewer.xml
icon=$share/icons/hicolor/scalable/apps/sdfviewer.svg
thumbnailer=$share/thumbnailers/sdfviewer.thumbnailer
metainfo=$share/metainfo/sdfviewer.metainfo.xml
manual=$share/man/man1/sdfviewer.1
bash=$share/bash-completion/completions/sdfviewer
zsh=$share/zsh/site-functions/_sdfviewer
fish=$share/fish/vendor_completions.d/sdfviewer.fish
files=("$entry" "$mime" "$icon" "$thumbnailer" "$metainfo" "$manual" "$bash" "$zsh" "$fish")

refresh() {
    ! command -v update-mime-database >/dev/null || quietly update-mime-database "$share/mime"
    ! command -v update-desktop-database >/dev/null || quietly update-desktop-database "$share/applications"
}

if [ "${1:-}" = --remove ]; then
    rm -f "${files[@]}"
    refresh
    exit
fi

install_program all
for file in "${files[@]}"; do
    mkdir -p "$(dirname "$file")"
done
# A menu does not know the virtual environment: it needs the program's full path, quoted as the format asks.
sed "s|^Exec=sdfviewer-gui|Exec=\"$programs/sdfviewer-gui\"|" "$repository/packaging/linux/sdfviewer.desktop" >"$entry"
cp "$repository/packaging/linux/sdfviewer.xml" "$mime"
cp "$repository/resources/icons/sdfviewer.svg" "$icon"
sed "s|=sdfviewer|=\"$programs/sdfviewer\"|" "$repository/packaging/linux/sdfviewer.thumbnailer" |
    sed "s|^TryExec=.*|TryExec=$programs/sdfviewer|" >"$thumbnailer"
cp "$repository/packaging/linux/sdfviewer.metainfo.xml" "$metainfo"
for kind in man bash zsh fish; do
    case $kind in
        man) file=$manual ;;
        bash) file=$bash ;;
        zsh) file=$zsh ;;
        *) file=$fish ;;
    esac
    "$programs/sdfviewer" shell "$kind" >"$file"
done
refresh
say "sdfviewer is in the menu. To take it out: $0 --remove"
