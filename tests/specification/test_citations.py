"""Every citation of a section of the specification names a heading of that document."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.specification.__main__ import differences
from tests.specification.headings import HEADINGS
from tests.specification.marked_lines import MARKED
from tests.specification.statements import (
    COMPOSITION,
    COMPOSITION_LEGACY,
    FRAMES,
    FRAMES_LEGACY,
    KINEMATICS,
    STATEMENTS,
)

ROOT = Path(__file__).parents[2]
#: How the documents are called in docstrings.
CALLED = {
    "pose frame semantics proposal": FRAMES,
    "pose frame semantics, legacy behavior": FRAMES_LEGACY,
    "model composition proposal": COMPOSITION,
    "composition, legacy behavior": COMPOSITION_LEGACY,
    '"Specifying model kinematics in SDFormat"': KINEMATICS,
}
_QUOTED = r"""(?:"(?:[^"]|"[^",;.]*")+?"|'[^']+')"""
_DOCUMENTS = "|".join(re.escape(name).replace("\\ ", r"\s+") for name in CALLED)
_CITATION = re.compile(rf"({_DOCUMENTS}),\s+({_QUOTED}(?:\s+and\s+{_QUOTED})*)", re.S)


def citations() -> list[tuple[str, str, str]]:
    """Return file, document and heading of each citation in the package."""
    found = []
    for path in sorted((ROOT / "sdfviewer").rglob("*.py")):
        for match in _CITATION.finditer(path.read_text(encoding="utf-8")):
            for quoted in re.findall(_QUOTED, match[2], re.S):
                heading = re.sub(r"\s+", " ", quoted[1:-1]).replace("``", "")
                found.append((str(path.relative_to(ROOT)), CALLED[re.sub(r"\s+", " ", match[1])], heading))
    return found


def test_citations_are_found() -> None:
    assert len(citations()) > 30


@pytest.mark.parametrize("citation", sorted(set(citations())), ids=" ".join)
def test_each_citation_names_a_heading(citation: tuple[str, str, str]) -> None:
    _, document, heading = citation
    assert heading in HEADINGS[document]


def test_each_statement_names_a_heading() -> None:
    assert [each.section for each in STATEMENTS if each.section not in HEADINGS[each.document]] == []


def test_copies_are_compared_with_the_document() -> None:
    text = "\n".join((*(f"## {heading}" for heading in HEADINGS[KINEMATICS]), "<a/> <!-- VALID -->"))
    (marked,) = MARKED[KINEMATICS]
    assert differences(KINEMATICS, text) == [f"not marked so: {marked[0]}", "not copied: <a/>"]
    whole = text.replace("<a/> <!-- VALID", f"{marked[0]} <!-- INVALID")
    assert differences(KINEMATICS, whole) == []
    assert differences(KINEMATICS, whole.replace("## <link>\n", "")) == ["no heading: <link>"]
