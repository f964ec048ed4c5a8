#!/usr/bin/env bash
# Builds build/sdfviewer.vsix, the extension for VS Code, and tests the language server with its protocol library. Needs
# Node.js 18 or newer with npm.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

command -v npm >/dev/null 2>&1 || die "npm was not found. Install Node.js 18 or newer."
install_program all
mkdir -p "$repository/build"
cd "$repository/packaging/vscode"
quietly npm install --no-audit --no-fund --no-package-lock
SDFVIEWER="$venv/bin/python -m sdfviewer" npm test
quietly npm run package
say "The extension: $repository/build/sdfviewer.vsix"
