"""Tags in a text that need not be well-formed."""

from __future__ import annotations

import pytest

from sdfviewer.document.xml.parse import find_tags
from sdfviewer.language.annotations import signature_at
from sdfviewer.language.markup import comment_at, is_missing_an_end, partner_of, tag_at, widened

TEXT = """<sdf version='1.11'>
  <model name="a &gt; b">
    <!-- <link name="not"> -->
    <link name="L"><pose relative_to="x>y">1 2.5 -3 0 0 0</pose></link>
    <link name="M"/>
    <model name="inner"><link name="N"></link></model>
  </model>
</sdf>"""


def test_tags_are_found_between_comments_and_quotes() -> None:
    tags = [(tag.name, tag.name_attribute, tag.is_end, tag.is_empty) for tag in find_tags(TEXT)]
    assert tags[:4] == [
        ("sdf", None, False, False),
        ("model", "a > b", False, False),
        ("link", "L", False, False),
        ("pose", None, False, False),
    ]
    assert ("link", "M", False, True) in tags
    assert "not" not in [name for _, name, _, _ in tags]


@pytest.mark.parametrize("text", ["<", "<a", "<a b='", "</", "</a", "<!--", "<![CDATA[", "<?x", '<a b="<c/>', "a > b"])
def test_unfinished_text_breaks_nothing(text: str) -> None:
    for at in range(len(text) + 1):
        tag_at(text, at)
        comment_at(text, at)
        assert widened(text, at, at)[1] <= len(text)
    assert all(tag.name for tag in find_tags(text))


@pytest.mark.parametrize(
    ("place", "partner"),
    [
        ('model name="a', "  </model>\n</sdf>"),
        ('link name="L"', '</link>\n    <link name="M"'),
        ('link name="N"', "</link></model>"),
        ("sdf version", "</sdf>"),
    ],
)
def test_partners_find_each_other(place: str, partner: str) -> None:
    start = tag_at(TEXT, TEXT.index(place))
    assert start is not None
    end = partner_of(TEXT, start)
    assert end is not None
    assert end.start == TEXT.index(partner) + len(partner) - len(partner.lstrip())
    assert partner_of(TEXT, end) == start


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<pose>", ("pose", "x", "metres")),
        ("<pose degrees='true'>0 0 1 9", ("pose", "roll", "degrees")),
        ("<pose rotation_format='quat_xyzw'>0 0 1 0 0 0 1", ("pose", "qw", "")),
        ("<axis><xyz>0 ", ("xyz", "y", "")),
        ('<origin xyz="0 0 1" rpy="0 ', ("rpy", "pitch", "radians")),
        ("<origin xyz='0", ("xyz", "x", "")),
        ("<color rgba='1 1 1 ", ("rgba", "alpha", "")),
        ('<link name="a', None),
        ("<mass>1", None),
        ("<pose/>1", None),
        ("<!-- <pose>", None),
    ],
)
def test_the_number_at_the_caret_has_a_name_and_a_unit(text: str, shown: tuple[str, str, str] | None) -> None:
    found = signature_at(text, len(text))
    assert shown == (found and (found.label, found.names[found.active], found.units[found.active]))


def test_what_has_no_partner_has_none() -> None:
    empty = tag_at(TEXT, TEXT.index('link name="M"'))
    assert empty is not None
    assert partner_of(TEXT, empty) is None
    assert tag_at(TEXT, TEXT.index("not")) is None, "in a comment there are no tags"
    assert is_missing_an_end("<a><b></b>", "a")
    assert not is_missing_an_end("<a><b/></a><ab>", "a")
    assert not is_missing_an_end("<a/><a b='/>'/>", "a")


def test_a_selection_widens_by_what_means_something() -> None:
    at = TEXT.index("2.5")
    seen = []
    start = end = at
    for _ in range(9):
        start, end = widened(TEXT, start, end)
        seen.append(TEXT[start:end])
    assert seen[:5] == [
        "2.5",
        "1 2.5 -3 0 0 0",
        '<pose relative_to="x>y">1 2.5 -3 0 0 0</pose>',
        '<link name="L"><pose relative_to="x>y">1 2.5 -3 0 0 0</pose></link>',
        TEXT[TEXT.index("<!--") : TEXT.index("  </model>\n</sdf>")].rstrip(),
    ]
    assert seen[-1] == TEXT
    name = TEXT.index("x>y")
    assert TEXT[slice(*widened(TEXT, name, name + 3))] == 'relative_to="x>y"'


@pytest.mark.parametrize(
    "before", ["<m/>\n" * 3000, "<!-- <m> -->" * 2000, "<![CDATA[" + "<m>" * 3000 + "]]>", "<m>" * 3000]
)
def test_a_selection_in_a_large_text_grows_as_in_a_small_one(before: str) -> None:
    inner = "<a><b>\n  <c>text</c>\n</b></a>"
    start = end = inner.index("ext")
    moved = len(before) + len("<sdf>")
    large = f"<sdf>{before}{inner}</sdf>"
    while (start, end) != (0, len(inner)):
        wider = widened(large, moved + start, moved + end)
        start, end = widened(inner, start, end)
        assert wider == (moved + start, moved + end)
    assert widened(large, moved, moved + len(inner))[0] <= len("<sdf>")
