"""The threat model names tests and modules that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sdfviewer.document.document import MAX_FILE_BYTES
from sdfviewer.document.xml.parse import MAX_DEPTH, MAX_ELEMENTS, MAX_RUN
from sdfviewer.files.transfer import GRACE, SLOWEST
from sdfviewer.formats.sdformat.build import MAX_COMPOSED, MAX_MODEL_DEPTH, MAX_ROWS, MAX_TOPS
from sdfviewer.formats.sdformat.include import MAX_INCLUDE_DEPTH
from sdfviewer.formats.urdf.reading import MAX_MEMBERS
from sdfviewer.formats.xacro import confinement, engine, evaluation, worker, worker_process
from sdfviewer.formats.xacro.values import MOST_BITS
from sdfviewer.model.findings import MOST_OF_A_RULE, MOST_WITH_HINTS

REPOSITORY = Path(__file__).parents[2]
PAGE = (REPOSITORY / "docs" / "security.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:tests|sdfviewer)/[^`]*)`", PAGE))))
def test_what_the_threat_model_names_exists(path: str) -> None:
    assert (REPOSITORY / path).exists()


def test_each_threat_names_its_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| threat", "|--"))]
    assert rows
    assert all("`tests/" in row.rsplit("|", 2)[1] for row in rows)


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
        f"{evaluation.MOST_SECONDS:g} s for a file and all that it includes, {worker_process.MOST_BYTES >> 20} MiB of",
        f"{worker.MOST_MEMORY >> 30} GiB of memory",
        f"{spaced(engine.MOST_ELEMENTS)} elements on every platform",
        f"a whole number {spaced(MOST_BITS)} bits",
        f"more than {confinement.MOST_SECONDS} s of the processor",
        f"| {GRACE:g} s, then {SLOWEST >> 10} KiB a second",
    ],
)
def test_the_limits_that_the_page_names_are_those_of_the_program(phrase: str) -> None:
    assert phrase in PAGE


def test_each_section_names_a_test() -> None:
    """Whatever is promised is proved somewhere; what is not covered and what is only named needs no proof."""
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    without = {section.splitlines()[0] for section in sections if "`tests/" not in section}
    assert without == {"Assets", "What is not covered"}
