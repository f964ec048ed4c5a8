#!/usr/bin/env bash
# Builds resources/page/page.js.gz, the program of the web pages that sdfviewer writes. With --check it compares the
# result with the one that is there. Needs Node.js 18 or newer with npm.
set -euo pipefail
# shellcheck source=packaging/environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

require_npm
install_program test
enter_node_package "$repository/packaging/page"
quietly npm run build
"$python" - "$repository" "${1:-}" <<'PYTHON'
import gzip
import sys
from pathlib import Path

repository, mode = Path(sys.argv[1]), sys.argv[2]
built = (repository / "build" / "page.js").read_bytes()
kept = repository / "resources" / "page" / "page.js.gz"
if mode == "--check":
    if not kept.exists() or gzip.decompress(kept.read_bytes()) != built:
        sys.exit("resources/page/page.js.gz is not what packaging/page makes: run packaging/page.sh")
else:
    kept.write_bytes(gzip.compress(built, 9, mtime=0))
    print(f"{kept.relative_to(repository)}: {kept.stat().st_size / 1000:.0f} kB, {len(built) / 1000:.0f} kB unpacked")
PYTHON
