"""Compare the program with what libsdformat says of files: see packaging/agreement.sh."""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from tests.agreement.comparison import compare_recorded
from tests.agreement.recorded import ANSWERS, COLLECTION, GENERATED, open_recorded


def main() -> int:
    """Print what differs, and return 0 where nothing does, 1 where something does, 2 where nothing can be compared."""
    parser = argparse.ArgumentParser(prog="packaging/agreement.sh", description=__doc__)
    parser.add_argument(
        "path",
        nargs="*",
        type=Path,
        help=f"a folder with {ANSWERS}, or a .tar.gz of one; without, what the repository holds",
    )
    parser.add_argument("--only", default="", help="compare only files with this in their name")
    parser.add_argument("--show", type=int, default=15, help="how many differences to print for each folder")
    options = parser.parse_args()
    status = compared = 0
    for path in options.path or (GENERATED, COLLECTION):
        with tempfile.TemporaryDirectory() as scratch:
            try:
                recorded = open_recorded(path, Path(scratch))
            except FileNotFoundError:
                print(f"{path} holds no {ANSWERS}; name a folder that does", file=sys.stderr)
                return 2
            answers = tuple(answer for answer in recorded.answers if options.only in answer["file"])
            agreement = compare_recorded(replace(recorded, answers=answers))
        if not answers:
            continue
        compared += len(answers)
        print(f"{path.name}: {agreement}")
        for disagreement in agreement.disagreements[: options.show]:
            print(f"  {disagreement}")
        if more := len(agreement.disagreements[options.show :]):
            print(f"  and {more} more")
        status = max(status, bool(agreement.disagreements))
    if not compared:
        print(f"there is no file of that name with an answer in {ANSWERS}", file=sys.stderr)
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main())
