#!/usr/bin/env bash
# Runs the tests with the oldest versions that pyproject.toml allows, in an environment of its own in build/:
# lowest.sh [PYTEST ARGUMENT...]
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

export PYTHON=${PYTHON:-python3.10}
"$PYTHON" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 10))' 2>/dev/null ||
    die "Only Python 3.10 has wheels of all these versions; name one with PYTHON=/path/to/python3.10 $0"

mkdir -p "$repository/build"
lowest_versions >"$repository/build/lowest.txt"
export SDFVIEWER_CONSTRAINTS=$repository/build/lowest.txt SDFVIEWER_VENV=$repository/build/lowest
exec "$repository/packaging/test.sh" "$@"
