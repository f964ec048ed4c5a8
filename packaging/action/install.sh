#!/usr/bin/env bash
# Installs the program: the core, and what draws pictures where PICTURES is true. Variables: VERSION, PICTURES.
set -euo pipefail

what=${VERSION:-$GITHUB_ACTION_PATH/../..}
if [ "${PICTURES:-false}" = true ]; then
    # sdfviewer==1.0 becomes sdfviewer[render]==1.0, a folder becomes folder[render].
    what=$(sed -E 's/^([^<>=!~]+)/\1[render]/' <<<"$what")
    if command -v apt-get >/dev/null 2>&1 && ! ldconfig -p | grep -q libEGL.so.1; then
        sudo apt-get update -qq
        sudo apt-get install -qq -y --no-install-recommends libegl1 libgl1-mesa-dri
    fi
fi
python -m pip install --quiet "$what"
