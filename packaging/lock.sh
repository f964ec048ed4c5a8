#!/usr/bin/env bash
# Writes packaging/constraints.txt, the versions that CI installs, anew: lock.sh [PACKAGE...]
# They are the newest that pyproject.toml allows, for Python 3.10 to 3.14 on every system; with PACKAGEs only these
# change. A constraints file rather than a pylock.toml, since every pip reads it: `pip lock` writes one for one Python on
# one system, with the addresses of the registry, and only pip 26.1 and later install from it.
set -euo pipefail
unset SDFVIEWER_CONSTRAINTS PIP_CONSTRAINT UV_CONSTRAINT
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

tools=$repository/build/lock
[ -x "$tools/bin/uv" ] || {
    mkdir -p "$repository/build"
    "$(find_python)" -m venv --clear "$tools"
    quietly "$tools/bin/python" -m pip install --quiet --disable-pip-version-check uv
}
change=(--upgrade)
[ $# -eq 0 ] || change=()
for package in "$@"; do
    change+=(--upgrade-package "$package")
done

cd "$repository"
# uv does not read the settings of pip.
index=$("$tools/bin/python" -m pip config get global.index-url 2>/dev/null || true)
[ -z "$index" ] || export UV_DEFAULT_INDEX=${UV_DEFAULT_INDEX:-$index}
locked=packaging/constraints.txt
# What builds the package is locked too; `editables` is what hatchling asks for then.
printf '%s\n' hatchling editables >build/lock/build.in
"$tools/bin/uv" pip compile --quiet --universal --python-version 3.10 "${change[@]}" --extra test --extra docs \
    --no-header --no-annotate --output-file "$locked" pyproject.toml build/lock/build.in
git --no-pager diff --stat -- "$locked" >&2
