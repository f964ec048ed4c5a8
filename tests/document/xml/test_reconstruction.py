"""Broken XML as it may have been meant, and the first step as a fix."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.document.xml import reconstruction
from sdfviewer.document.xml.reconstruction import MOST_STEPS, MOST_TAGS, NestingChange, nesting_changes, reconstruct
from sdfviewer.document.xml.wellformed import check_well_formed
from sdfviewer.session.session import Session

GOOD = """<?xml version="1.0"?>
<sdf version="1.9">
<model name="m">
<link name="a"/>
<link name="b"/>
</model>
</sdf>
"""
DECLARATION, LINK_B = '<?xml version="1.0"?>', '<link name="b"/>'


@pytest.mark.parametrize(
    ("broken", "meant", "label"),
    [
        ("<!-- (c) -->\n" + GOOD, GOOD.replace(DECLARATION, "<!-- (c) -->\n"), "Remove this XML declaration"),
        (GOOD.replace('"m"', "m"), GOOD, "Quote the value"),
        (GOOD.replace('"a"', "a"), GOOD, "Quote the value"),
        (GOOD.replace('"a"/>', '"a">'), GOOD, "End <link> with />"),
        (GOOD.replace("</model>", "</model></joint>"), GOOD, "Remove </joint>"),
        (GOOD.replace("</model>\n</sdf>\n", ""), GOOD.replace("</model>\n</sdf>\n", "</model></sdf>"),
         "Insert </model></sdf> at the end"),
        (GOOD.replace('name="m"', 'name="m" name="n"'), GOOD, "Remove the second 'name'"),
        (GOOD.replace('"m">', '"m"'), GOOD, "Insert > at the end of the tag"),
        (GOOD.replace('"m">', '"m'), GOOD, 'Insert "> at the end of the tag'),
        (GOOD.replace('"m">', '"m>'), GOOD, 'Insert " before >'),
        (GOOD.replace('"a"/>', '"a/>'), GOOD, 'Insert " before />'),
        (GOOD.replace(LINK_B, "1 < 2"), GOOD.replace(LINK_B, "1 &lt; 2"), "Replace '<' by '&lt;'"),
        (GOOD[: GOOD.index('"b"')], GOOD[: GOOD.index('<link name="b')] + "</model></sdf>",
        "Remove the unterminated part"), (GOOD + "text", GOOD, "Remove everything that follows"),
        (GOOD.replace('name="a"/>', "name=a/>"), GOOD, "Quote the value"),
    ],
)  # fmt: skip
def test_what_may_have_been_meant(broken: str, meant: str, label: str) -> None:
    reconstructed = reconstruct(broken)
    assert reconstructed is not None
    assert "".join(reconstructed.text.split()) == "".join(meant.split())
    (problem,) = parse_document(broken).diagnostics
    assert [fix.label for fix in problem.fixes] == [label]
    good = parse_document(GOOD)
    assert good.repaired is good


def test_what_nobody_can_tell_is_given_up() -> None:
    assert reconstruct("<sdf><model></sdf") is not None
    assert reconstruct("name") is None
    assert reconstruct("<sdf " + "a=1 " * (MOST_STEPS + 1) + "/>") is None


@settings(max_examples=200)
@given(data=st.data())
def test_whatever_is_broken_is_reconstructed_or_left(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(GOOD)))
    to = data.draw(st.integers(at, min(len(GOOD), at + 30)))
    text = GOOD[:at] + data.draw(st.text("<>/\"'=& am", max_size=4)) + GOOD[to:]
    reconstructed = reconstruct(text)
    if reconstructed is not None:
        assert parse_document(reconstructed.text).root is not None
    if check_well_formed(text) is None:
        assert reconstructed is not None
        assert reconstructed.text == text


def test_a_broken_file_is_shown_as_it_may_have_been_meant_and_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "broken.sdf"
    file.write_text(GOOD.replace('"a"', "a"), encoding="utf-8")
    session = Session.open(file)
    assert session.model is not None
    assert session.model.names == ["m", "m::a", "m::b"]
    assert not session.is_current
    assert session.document.text == file.read_text(encoding="utf-8")
    (problem,) = session.diagnostics
    fix = problem.fixes[0]
    session.apply(Edit(fix.label, session.document, fix.replacements))
    assert session.is_current
    assert session.document.text == GOOD


def test_many_faults_in_a_long_text_are_not_all_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step reads all tags: a hundred end tags that fit nowhere, among ten thousand tags, took half a minute."""
    weighed = 0

    def count(text: str, at: int) -> list[NestingChange]:
        nonlocal weighed
        weighed += text.count("<")
        return nesting_changes(text, at)

    monkeypatch.setattr(reconstruction, "nesting_changes", count)
    broken = "<sdf>" + "<a></b></a>" * 60 + "<frame/>" * 9_000 + "</sdf>"
    reconstructed = reconstruct(broken)
    assert reconstructed is not None
    assert check_well_formed(reconstructed.text) is None
    assert 0 < weighed <= MOST_TAGS
