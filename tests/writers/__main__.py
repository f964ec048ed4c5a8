"""Write every file in every way and list what differs without a word.

``python -m tests.writers`` does so with the corpus of the repository, with ``SDFVIEWER_CORPUS=FOLDER`` before it with
other files: ``--only TEXT`` takes those whose path contains a text, ``--to NAME`` one way.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tests.writers.targets import WRITERS, faults, read_source, source_files


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.writers", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="files whose path contains this")
    parser.add_argument("--to", action="append", choices=tuple(WRITERS), metavar="NAME", help="this writer, repeatable")
    parser.add_argument("--first", action="store_true", help="stop at the first difference")
    options = parser.parse_args()
    written: Counter[str] = Counter()
    found = 0
    for file in source_files():
        if options.only not in str(file) or (source := read_source(file)) is None:
            continue
        for name in options.to or WRITERS:
            said = faults(source, name)
            written[name] += said is not None
            found += len(said or ())
            for each in said or ():
                print(f"{file}: {each}", flush=True)
            if found and options.first:
                return 1
    print(", ".join(f"{name} {count}" for name, count in written.items()), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
