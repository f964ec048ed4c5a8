#!/usr/bin/env bash
# Puts 64 faults into the writers one by one, and looks whether reading back finds each of them:
#   packaging/faulty_writers.sh           prints what is found
#   packaging/faulty_writers.sh --write   and writes the table in docs/reliability.md
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

install_program test
cd "$repository"
exec "$python" -m tests.writers.faulty "$@"
