#!/usr/bin/env bash
# Attack the program: mutated files, meshes and pictures, typing at random, programs killed while they save.
#   packaging/attack.sh           for 45 seconds, as .ci/run does
#   packaging/attack.sh 7200      for two hours
#   packaging/attack.sh --repeat texts 123    one input again
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec .venv/bin/python -m tests.attack "$@"
