#!/usr/bin/env bash
# Compare what the .xacro files below folders expand to with what the package xacro itself makes of them. The package runs
# the code in a file, so name only folders that you trust:
#   packaging/xacro.sh FOLDER... [--arg NAME=VALUE]... [--refused]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec .venv/bin/python -m tests.formats.xacro.reference "$@"
