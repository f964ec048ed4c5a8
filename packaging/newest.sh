#!/usr/bin/env bash
# Runs the tests with the newest versions that pyproject.toml allows, in an environment of its own in build/, and lists
# where they are not those of CI: newest.sh [PYTEST ARGUMENT...]
# What fails here fails for whoever installs the program today. PIP_PRE=1 tries what is not released yet.
set -euo pipefail
unset SDFVIEWER_CONSTRAINTS PIP_CONSTRAINT UV_CONSTRAINT
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

export SDFVIEWER_VENV=$repository/build/newest
venv=$SDFVIEWER_VENV
programs=$venv/bin
python=$programs/python
rm -rf "$venv" # what was the newest yesterday
install_program test
"$python" -m pip list --format freeze --disable-pip-version-check | while IFS= read -r installed; do
    name=$(printf '%s' "${installed%%==*}" | tr 'A-Z_.' 'a-z--')
    if grep -q "^$name==" "$repository/packaging/constraints.txt" &&
        ! grep -Eq "^$name==${installed#*==}( |$)" "$repository/packaging/constraints.txt"; then
        say "  $name ${installed#*==} is not the version of CI"
    fi
done
exec "$repository/packaging/test.sh" "$@"
