"""Each line of the threat model names a test that is there and is run, and the limits that the program has."""

from __future__ import annotations

import re

import pytest

from sdfviewer.document.document import MAX_FILE_BYTES
from sdfviewer.document.xml.parse import MAX_DEPTH, MAX_ELEMENTS, MAX_RUN
from sdfviewer.files.fuel import GRACE, SLOWEST
from sdfviewer.formats.sdformat.build import MAX_COMPOSED, MAX_MODEL_DEPTH, MAX_ROWS, MAX_TOPS
from sdfviewer.formats.sdformat.include import MAX_INCLUDE_DEPTH
from sdfviewer.formats.urdf.reading import MAX_MEMBERS
from sdfviewer.formats.xacro import confinement, engine, evaluation, worker
from sdfviewer.formats.xacro.values import MOST_BITS
from sdfviewer.model.findings import MOST_OF_A_RULE, MOST_WITH_HINTS
from tests.named_tests import REPOSITORY, is_run

PAGE = (REPOSITORY / "docs" / "threats.md").read_text(encoding="utf-8")
FOR_USERS = (REPOSITORY / "docs" / "security.md").read_text(encoding="utf-8")


#: Sections that claim nothing.
WITHOUT_CLAIMS = {"Assets", "What is not covered"}
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| threat", "|--"))]
NAMED = sorted({name for row in ROWS for name in re.findall(r"`(tests/[^`]*)`", row.rsplit("|", 2)[1])})


def test_what_the_page_names_is_there_and_is_run() -> None:
    assert [name for name in NAMED if not is_run(name)] == []


@pytest.mark.parametrize(
    "name",
    [
        "tests/docs/test_threats.py::test_that_nobody_wrote",
        "tests/docs/test_pages_that_are_not_there.py::test_a",
        "tests/docs/test_threats.py::spaced",
        "tests/attack/faults.py::model",
        "tests/attack/places.py::_run",
    ],
)
def test_what_nobody_runs_is_no_test(name: str) -> None:
    assert not is_run(name)


def test_each_threat_names_a_test() -> None:
    assert len(ROWS) > 60
    for row in ROWS:
        assert len(row.split("|")) == 5, row
        assert re.search(r"`tests/[^`]*::\w+`", row.rsplit("|", 2)[1]), row


def test_nothing_is_claimed_outside_of_the_tables() -> None:
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        title, _, content = section.partition("\n")
        rest = [line for line in content.splitlines() if line and not line.startswith(("|", "### "))]
        if title not in WITHOUT_CLAIMS:
            assert "| threat |" in content, title
            assert not rest, title


def test_what_happens_when_a_file_is_opened_is_said_in_five_sentences() -> None:
    section = FOR_USERS.partition("## What happens when you open a stranger's file")[2].partition("\n## ")[0]
    assert len(re.findall(r"[.](?=\s)", section)) == 5


@pytest.mark.parametrize("page", [PAGE, FOR_USERS, (REPOSITORY / "SECURITY.md").read_text(encoding="utf-8")])
def test_no_page_promises_that_expressions_can_only_compute(page: str) -> None:
    """They read files of their package, and variables."""
    assert "only compute" not in page


def spaced(number: int) -> str:
    """Return a number as the page writes it."""
    return f"{number:,}".replace(",", " ")


@pytest.mark.parametrize(
    "phrase",
    [
        f"| {MAX_DEPTH} elements; {MAX_MODEL_DEPTH} models",
        f"| {MAX_FILE_BYTES >> 20} MiB, {spaced(MAX_ELEMENTS)} elements and attributes",
        f"{MAX_RUN // 1_000_000} million characters in one tag",
        f"of each rule the first {spaced(MOST_OF_A_RULE)} problems",
        f"for the first {spaced(MOST_WITH_HINTS)} problems of a rule",
        f"{spaced(MAX_TOPS)} worlds and models in one file, {spaced(MAX_ROWS)} links",
        f"{spaced(MAX_MEMBERS)} links, joints and shapes of a URDF",
        f"| {spaced(MAX_ROWS)} rows, {spaced(MAX_COMPOSED)} rows, names and findings composed, {MAX_INCLUDE_DEPTH}",
        f"{evaluation.MOST_SECONDS:g} s for a file and all that it includes, {evaluation.MOST_BYTES >> 20} MiB of",
        f"{worker.MOST_MEMORY >> 30} GiB of memory",
        f"{spaced(engine.MOST_ELEMENTS)} elements on every platform",
        f"a whole number {spaced(MOST_BITS)} bits",
        f"more than {confinement.MOST_SECONDS} s of the processor",
        f"| {GRACE:g} s, then {SLOWEST >> 10} KiB a second",
    ],
)
def test_the_limits_that_the_page_names_are_those_of_the_program(phrase: str) -> None:
    assert phrase in PAGE
