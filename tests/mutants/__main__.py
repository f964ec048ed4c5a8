"""Make one thing in the program wrong at a time, and look whether a test notices.

``packaging/mutate.sh 20 --seed 7`` does so at twenty places chosen at random; the seed gives the same places again.
Each is tried in a copy of the tree, with the tests that run the line, those first that run little else.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.attack.figures import write_row
from tests.mutants.covering import DATA, ROOT, Covering, fingerprint
from tests.mutants.places import Place, find_places

_COPY = ROOT / "build" / "mutants"
#: A change may make the program wait for ever. In seconds: all tests of a change, and one of them.
_LONGEST, _LONGEST_TEST = 900, 120
_LEFT_OUT = (".git", ".venv", "build", "dist", "__pycache__", "node_modules", ".*_cache", ".hypothesis")


@dataclass(frozen=True)
class Outcome:
    """What became of a change: ``killed``, ``survived``, or ``not run`` where no test runs the line."""

    word: str
    detail: str


def all_places(folders: Sequence[str], root: Path = ROOT) -> list[tuple[str, Place]]:
    """Return the places of all modules in some folders, in a fixed order."""
    files = sorted({file for folder in folders for file in (root / folder).rglob("*.py")})
    return [
        (file.relative_to(root).as_posix(), place)
        for file in files
        if "gui" in folders[0].split("/") or "gui" not in file.relative_to(root).parts
        for place in find_places(file.read_bytes())
    ]


def _copy_tree() -> None:
    shutil.rmtree(_COPY, ignore_errors=True)
    shutil.copytree(ROOT, _COPY, ignore=shutil.ignore_patterns(*_LEFT_OUT))


def _pytest(words: Sequence[str]) -> tuple[int, str]:
    """Run pytest in the copy; return its exit code and what it printed."""
    path = os.pathsep.join([str(_COPY), str(_COPY / "tests" / "without_qt")])
    arguments = _COPY / "arguments.txt"
    arguments.write_text("\n".join(words), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "--no-header",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:pytest-qt",
        f"--timeout={_LONGEST_TEST}",
    ]
    try:
        done = subprocess.run(
            [*command, f"@{arguments}"], cwd=_COPY, env={**os.environ, "PYTHONPATH": path}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace",
            timeout=_LONGEST, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return 1, f"no end after {_LONGEST} s"
    return done.returncode, done.stdout


def attempt(file: str, place: Place, tests: Sequence[str]) -> Outcome:
    """Make a place wrong in the copy, run tests, and put it right again."""
    if not tests:
        return Outcome("not run", "no test runs this line")
    path = _COPY / file
    right = path.read_bytes()
    try:
        path.write_bytes(place.applied(right))
        status, output = _pytest(tests)
        if status == 4:  # the module of a test cannot be imported, so that pytest does not find the test in it
            status, output = _pytest(sorted({test.split("::")[0] for test in tests}))
    finally:
        path.write_bytes(right)
    if status == 0:
        return Outcome("survived", f"{len(tests)} tests passed")
    if status not in (1, 2):
        raise SystemExit(f"pytest ended with {status}:\n{output}")
    killer = re.search(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", output, re.MULTILINE)
    return Outcome("killed", killer[1] if killer else output.strip().splitlines()[-1])


def main() -> int:
    """Run a round and return 1 if something survived."""
    parser = argparse.ArgumentParser(prog="packaging/mutate.sh", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("places", type=int, metavar="N", help="how many places")
    parser.add_argument("--seed", type=int, default=1, help="which places (default: %(default)s)")
    parser.add_argument("--under", action="append", metavar="FOLDER", help="only there (default: all below the GUI)")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="only the place of this number")
    parser.add_argument("--tests", nargs="+", metavar="PATH", help="run these instead of the tests that run the line")
    parser.add_argument("--most", type=int, default=300, help="how many tests at most (default: %(default)s)")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/reliability.md")
    options = parser.parse_args()
    measured = DATA.with_name("fingerprint")
    if options.tests is None and not (measured.exists() and measured.read_text(encoding="utf-8") == fingerprint()):
        raise SystemExit("which test runs which line is not known of this source: run packaging/coverage.sh first")
    under = options.under or ["sdfviewer"]
    every = all_places(under)
    chosen = random.Random(options.seed).sample(every, min(options.places, len(every)))
    covering = None if options.tests else Covering()
    _copy_tree()
    counts = {"killed": 0, "survived": 0, "not run": 0}
    for number, (file, place) in enumerate(chosen, 1):
        if options.only not in (None, number):
            continue
        tests = options.tests or covering.tests(file, place.lines)[: options.most]
        outcome = attempt(file, place, tests)
        counts[outcome.word] += 1
        was = (ROOT / file).read_bytes()[place.start : place.end].decode()
        line = (ROOT / file).read_bytes()[: place.start].count(b"\n") + 1
        print(f"{number:3} {outcome.word}: {file}:{line}: {was} → {place.text}  [{outcome.detail}]", flush=True)
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    if options.write:
        what = " ".join(under)
        row = f"| {options.seed} | {what} | {sum(counts.values())} | {' | '.join(map(str, counts.values()))} |"
        write_row("mutants", row)
    return int(counts["killed"] < sum(counts.values()))


if __name__ == "__main__":
    raise SystemExit(main())
