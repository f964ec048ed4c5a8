#!/usr/bin/env bash
# Installs the program: the core, and what draws pictures where PICTURES is true. Variables: VERSION, PICTURES.
# The working folder is that of whoever wrote the pull request: neither its pip.py nor its site.py is imported.
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
python -c '
import sys
sys.path[:] = [each for each in sys.path if each]
import runpy
runpy.run_module("pip", run_name="__main__", alter_sys=True)' install --quiet "$what"
