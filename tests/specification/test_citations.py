"""Every citation of a section of the specification names a heading of that document."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.specification.headings import HEADINGS
from tests.specification.statements import (
    COMPOSITION,
    COMPOSITION_LEGACY,
    FRAMES,
    FRAMES_LEGACY,
    KINEMATICS,
    STATEMENTS,
)

ROOT = Path(__file__).parents[2]
SEEDS = next((path for parent in ROOT.parents if (path := parent / "shared" / "seeds").is_dir()), None)
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
FILES = {
    "model-kinematics.md": KINEMATICS,
    "pose-frame-semantics-proposal.md": FRAMES,
    "pose-frame-semantics-legacy.txt": FRAMES_LEGACY,
    "model-composition-proposal.txt": COMPOSITION,
    "model-composition-legacy.txt": COMPOSITION_LEGACY,
}


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


@pytest.mark.skipif(SEEDS is None, reason="the documents themselves are not here")
@pytest.mark.parametrize("file", FILES)
def test_the_headings_are_those_of_the_document(file: str) -> None:
    assert SEEDS is not None
    lines = (SEEDS / file).read_text(encoding="utf-8").replace("`", "").splitlines()
    headings = {line.lstrip("#").strip() for line in lines}
    assert [heading for heading in HEADINGS[FILES[file]] if heading not in headings] == []
