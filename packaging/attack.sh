#!/usr/bin/env bash
# Attack the program: mutated files, meshes and pictures, hostile workspaces, typing for hours, programs that are killed.
#   packaging/attack.sh                         for 90 seconds, as .ci/run does
#   packaging/attack.sh 7200                    for two hours, in rounds of ten minutes
#   packaging/attack.sh 3600 --only typing      one attack
#   packaging/attack.sh --repeat texts 123      one input again
#   packaging/attack.sh --list                  the attacks, and how far each has come
# What has been tried is in build/attack_rounds.json: the next run goes on behind it. --first 1 tries the same each time.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

cd "$repository"
# Some attacks open windows. Without a screen they are left out, and that is said.
if [ "$(uname -s)" = Linux ] && command -v Xvfb >/dev/null 2>&1; then
    start_virtual_screen || say "There is no virtual screen."
fi
status=0
"$python" -m tests.attack "$@" || status=$?
exit "$status"
