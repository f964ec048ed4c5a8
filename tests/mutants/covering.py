"""Which tests run a line, and how many lines no test runs, from what ``packaging/coverage.sh`` has recorded."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from coverage import Coverage, CoverageData

from tests.attack.figures import write_table

ROOT = Path(__file__).parents[2]
DATA = ROOT / "build" / "coverage" / "data"


def fingerprint(root: Path = ROOT) -> str:
    """Return a hash of the program's source: what was recorded holds for no other."""
    found = hashlib.sha256()
    for file in sorted((root / "sdfviewer").rglob("*.py")):
        found.update(f"{file.relative_to(root).as_posix()}\0".encode() + file.read_bytes())
    return found.hexdigest()


class Covering:
    """The tests that run each line of the program.

    Parameters
    ----------
    data
        The file that coverage has written.
    """

    def __init__(self, data: Path = DATA) -> None:
        self._data = CoverageData(str(data))
        self._data.read()
        self._files: dict[str, dict[int, set[str]]] = {}

    def _of_file(self, file: str) -> dict[int, set[str]]:
        if file not in self._files:
            contexts = self._data.contexts_by_lineno(file)
            self._files[file] = {line: set(map(_test, each)) for line, each in contexts.items()}
        return self._files[file]

    @cached_property
    def _weights(self) -> Counter[str]:
        """How many lines of the program each test runs."""
        return Counter(
            test for file in self._data.measured_files() for tests in self._of_file(file).values() for test in tests
        )

    def tests(self, file: str, lines: Iterable[int]) -> list[str]:
        """Return the tests that run one of some lines, those first that run little else."""
        of_file = self._of_file(file)
        found = set[str]().union(*(of_file.get(line, set()) for line in lines))
        return sorted(found - {""}, key=lambda test: (self._weights[test], test))


def _test(context: str) -> str:
    """Return the name of a test: a process that it starts has it from a variable of pytest, with the phase behind."""
    return re.sub(r" \((setup|call|teardown)\)$", "", context)


def by_folder(data: Path = DATA) -> Iterator[str]:
    """Yield the rows of a table: a folder of the program, its lines and branches, and how many of them no test runs."""
    measured = Coverage(data_file=data)
    measured.load()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        with contextlib.redirect_stdout(io.StringIO()):
            measured.json_report(outfile=str(report))
        files = json.loads(report.read_text(encoding="utf-8"))["files"]
    window = {name for name in files if Path(name).parts[1] == "gui"}
    if not any(files[name]["summary"]["covered_lines"] for name in window):
        files = {name: file for name, file in files.items() if name not in window}  # its tests did not run
    sums: dict[str, Counter[str]] = {}
    for name, file in files.items():
        parts = Path(name).parts
        for key in (parts[1] if len(parts) > 2 else "others", "all"):
            sums.setdefault(key, Counter()).update({k: v for k, v in file["summary"].items() if isinstance(v, int)})
    yield "| folder | lines | not run | branches | not taken | covered |"
    yield "|---|--:|--:|--:|--:|--:|"
    for key, each in sorted(sums.items(), key=lambda item: (item[0] == "all", item[0] == "others", item[0])):
        covered = each["covered_lines"] + each["covered_branches"]
        whole = each["num_statements"] + each["num_branches"]
        yield (
            f"| {key} | {each['num_statements']:,} | {each['missing_lines']:,} | {each['num_branches']:,} "
            f"| {each['missing_branches']:,} | {covered / max(whole, 1):.1%} |"
        )


if __name__ == "__main__":
    DATA.with_name("fingerprint").write_text(fingerprint(), encoding="utf-8")
    table = list(by_folder())
    print("\n".join(table))
    if "--write" in sys.argv:
        write_table("coverage", table)
