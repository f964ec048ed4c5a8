"""What is not being typed keeps its elements while the text is no XML."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document, parse_document

TEXT = """<?xml version="1.0"?>
<sdf version="1.9">
  <model name="m">
    <link name="a"><pose>1 2 3 0 0 0</pose></link>
    <!-- the second one -->
    <link name="b"><inertial><mass>2</mass></inertial></link>
    <frame name="f" attached_to="b"/>
  </model>
</sdf>
"""


def written(document: Document) -> list[str]:
    """Return the text of each element of a text as far as it can be told."""
    shown = document.recovered
    if shown.root is None:
        return []
    return [shown.text[slice(*shown.offsets(element, "element"))] for element in shown.root.descendants()]


def named(document: Document) -> list[str]:
    root = document.recovered.root
    return [] if root is None else [each.attributes["name"] for each in root.descendants() if "name" in each.attributes]


def test_an_element_that_is_typed_leaves_the_others_alone() -> None:
    document = parse_document(TEXT)
    assert document.recovered is document
    others = [piece for piece in written(document) if 'name="m"' not in piece]
    at = TEXT.index("<!--")
    typed = '<link name="c"><pose>0 0 1 0 0 0</pose></link>'
    for number, key in enumerate(typed):
        document = document.edited([Replacement(at + number, at + number, key)])
        assert [piece for piece in others if piece not in written(document)] == [], typed[: number + 1]
        assert document.recovered.text is document.text
    assert document.recovered is document
    assert named(document) == ["m", "a", "c", "b", "f"]


def test_what_is_typed_elsewhere_counts_while_a_tag_is_not_closed() -> None:
    document = parse_document(TEXT).edited([Replacement(TEXT.index("<!--"), TEXT.index("<!--"), '<link name="c">')])
    assert document.root is None
    at = document.text.index("<frame")
    document = document.edited([Replacement(at, at, '<frame name="g"/>')])
    at = document.text.index('"a"')
    document = document.edited([Replacement(at, at + 3, '"first"')])
    assert named(document) == ["m", "first", "b", "g", "f"]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("</pose>", ""),
        ('"a">', '"a>'),
        ("</link>", "</lnk>"),
        ("  </model>\n</sdf>\n", ""),
        ("2</mass>", "1 < 2</mass>"),
    ],
)
def test_a_text_that_is_opened_broken_has_elements_where_they_are(wrong: str, right: str) -> None:
    document = parse_document(TEXT.replace(wrong, right, 1))
    assert document.root is None
    assert {"m", "b", "f"} <= set(named(document))
    shown = document.recovered
    assert shown.root is not None
    frame = next(each for each in shown.root.descendants() if each.tag == "frame")
    assert shown.text[slice(*shown.offsets(frame, "element"))] == '<frame name="f" attached_to="b"/>'


def test_a_comment_that_is_typed_does_not_hide_what_follows() -> None:
    document = parse_document(TEXT)
    at = TEXT.index("<link")
    for number, key in enumerate("<!-- hi -->"):
        document = document.edited([Replacement(at + number, at + number, key)])
        assert named(document) == ["m", "a", "b", "f"], document.text[at : at + number + 1]


@pytest.mark.parametrize("rotated", [0, 1, 5])
def test_an_edit_that_is_one_of_several_alike_cuts_no_tag(rotated: int) -> None:
    """An editor that compares texts reports what begins behind the bracket that both have."""
    text = TEXT.replace("    <!-- the second one -->\n", "")
    end_tag = "</link>\n    "
    at = text.index(end_tag)
    document = parse_document(text).edited([Replacement(at + 1, at + 1 + len(end_tag), "")])
    assert document.root is None
    assert named(document) == ["m", "a", "b", "f"]
    begun = document.text.index('<link name="b"')
    typed = '<link name="c">\n    '
    piece = typed[rotated:] + typed[:rotated]
    if document.text.startswith(typed[:rotated], begun):
        document = parse_document(text).edited([Replacement(begun + rotated, begun + rotated, piece)])
        assert "b" in named(document)


def test_an_edit_that_changes_nothing_at_the_end_of_a_broken_text_is_harmless() -> None:
    document = parse_document(TEXT).edited([Replacement(len(TEXT), len(TEXT), "<")])
    end = len(document.text)
    assert named(document.edited([Replacement(end, end, "")])) == ["m", "a", "b", "f"]


@given(data=st.data())
def test_elements_that_an_edit_does_not_touch_are_where_their_text_is(data: st.DataObject) -> None:
    document = parse_document(TEXT)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(document.text)))
        end = data.draw(st.integers(start, min(len(document.text), start + 20)))
        document = document.edited([Replacement(start, end, data.draw(st.text("<>/\"'=& am-!", max_size=4)))])
        shown = document.recovered
        if shown.root is None:
            continue
        assert shown.root_offset + shown.root.length <= len(shown.text)
        for element in shown.root.descendants():
            begin, last = shown.content_offsets(element)
            whole = shown.offsets(element, "element")
            assert whole[0] <= begin <= last <= whole[1]
            ends = [at + child.length for child, at in zip(element.children, element.offsets, strict=True)]
            assert all(end <= at for end, at in zip(ends, element.offsets[1:], strict=False))
            if element.children and element.end_length:
                assert element.start_length <= element.offsets[0]
                assert ends[-1] <= element.length - element.end_length
