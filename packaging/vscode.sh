#!/usr/bin/env bash
# Builds build/sdfviewer.vsix, the extension for VS Code, and tests the language server with its protocol library. Needs
# Node.js 18 or newer with npm.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

require_npm
install_program all
enter_node_package "$repository/packaging/vscode"
SDFVIEWER="$python -m sdfviewer" npm test
quietly npm run build
"$python" stage.py "$repository/build/vscode"
vsce=$PWD/node_modules/.bin/vsce
(cd "$repository/build/vscode" &&
    quietly "$vsce" package --no-dependencies --allow-missing-repository --no-rewrite-relative-links --out "$repository/build/sdfviewer.vsix")
say "The extension: $repository/build/sdfviewer.vsix"
