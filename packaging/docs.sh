#!/usr/bin/env bash
# Builds the documentation site into build/docs; a warning is an error.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

install_program docs
cd "$repository"
"$python" -m sphinx -W --keep-going -q -b html docs build/docs "$@"
"$python" docs/check_links.py build/docs || die "These links of the documentation lead nowhere."
say "The documentation: build/docs/index.html"
