"""Three-way merging: what either text has changed survives, what both have changed is asked about, the rest stays."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.document.document import parse_document
from sdfviewer.document.merging import Merge, Side, element_changes, merge
from sdfviewer.document.xml.encoding import Encoding

BASE = """<?xml version="1.0"?>
<sdf version="1.9">
  <model name="m">
    <!-- A comment. -->
    <link name="a">
      <pose>1 0 0 0 0 0</pose>
      <inertial><mass>1</mass></inertial>
    </link>
    <link name="b"/>
    <joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>
  </model>
</sdf>
"""
B = '    <link name="b"/>\n'


def merged(mine: str, theirs: str, base: str = BASE) -> Merge:
    return merge(*map(parse_document, (base, mine, theirs)))


def changed(old: str, new: str, text: str = BASE) -> str:
    assert text.count(old) == 1
    return text.replace(old, new)


# --- properties --------------------------------------------------------------------------------------------------

_NAMES = st.sampled_from(["", ' name="a"', ' name="b"', " name='c' other='1'"])
_BLANKS = st.sampled_from(["", "\n", "\r\n  ", " "])
_LEAVES = st.builds(
    lambda name, text, blanks: f"<pose{name}>{text}</pose>{blanks}",
    _NAMES,
    st.sampled_from(["", "1 2 3", " 4 ", "<!-- c -->", "<![CDATA[<]]>"]),
    _BLANKS,
)
_TREES = st.recursive(
    _LEAVES | st.builds(lambda name, blanks: f"<link{name}/>{blanks}", _NAMES, _BLANKS),
    lambda inner: st.builds(
        lambda name, blanks, children, behind: f"<model{name}>{blanks}{''.join(children)}</model>{behind}",
        _NAMES,
        _BLANKS,
        st.lists(inner, max_size=4),
        _BLANKS,
    ),
    max_leaves=8,
)
_TEXTS = st.builds(lambda blanks, tree: f"<sdf>{blanks}{tree}</sdf>\n", _BLANKS, _TREES) | st.just("<sdf><open></sdf>")


@given(_TEXTS, _TEXTS)
def test_what_only_one_has_changed_is_taken_as_it_is(base: str, other: str) -> None:
    assert merged(other, base, base).text() == other
    assert merged(base, other, base).text() == other
    assert merged(other, other, base).text() == other


@given(_TEXTS, _TEXTS, _TEXTS)
def test_a_conflict_loses_neither_side_and_the_edit_of_mine_makes_the_text(base: str, mine: str, theirs: str) -> None:
    found = merged(mine, theirs, base)
    for side in Side.MINE, Side.THEIRS:
        chosen = [side] * len(found.conflicts)
        assert parse_document(mine).spliced(found.replacements(chosen)) == found.text(chosen)
        if found.by_elements:
            assert parse_document(found.text(chosen)).is_well_formed
    assert len(merged(theirs, mine, base).conflicts) == len(found.conflicts)


_VALUES = st.integers(0, 99)


@given(st.lists(st.sampled_from("abcdef"), unique=True, min_size=2), st.data())
def test_edits_of_two_elements_both_survive_and_every_other_byte_stays(names: list[str], data: st.DataObject) -> None:
    newline = data.draw(st.sampled_from(["\n", "\r\n"]))
    lines = [f"  <link name='{name}'><pose>0 0 {data.draw(_VALUES)}</pose></link>{newline}" for name in names]
    base = f"<model name='m'>{newline}{''.join(lines)}</model>"
    one, other = data.draw(st.lists(st.sampled_from(range(len(names))), min_size=2, max_size=2, unique=True))

    def with_value(text: str, number: int, value: str) -> str:
        return re.sub(rf"(name='{names[number]}'><pose>)[^<]*", rf"\g<1>{value}", text)

    mine, theirs = with_value(base, one, "mine"), with_value(base, other, "theirs")
    found = merged(mine, theirs, base)
    assert not found.conflicts
    assert found.text() == with_value(mine, other, "theirs")


# --- cases -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "wanted"),
    [
        pytest.param(("1 0 0 ", "2 0 0 "), ("<mass>1", "<mass>7"), (), id="two values of one link"),
        pytest.param(('name="j"', 'name="k"'), ('"fixed"', '"revolute"'), (), id="two attributes of one tag"),
        pytest.param(('link name="a"', 'link name="q"'), ("1 0 0 ", "2 0 0 "), (), id="a name and what is in it"),
        pytest.param((B, ""), ("1 0 0 ", "2 0 0 "), (), id="one removed, another changed"),
        pytest.param((" A comment. ", " Mine. "), ('name="a"', 'name="a" x="1"'), (), id="a comment and an attribute"),
        pytest.param((B, f'{B}    <link name="c"/>\n'), (B, ""), (B, '    <link name="c"/>\n'), id="added beside"),
    ],
)
def test_changes_of_different_things_are_both_made(
    mine: tuple[str, str], theirs: tuple[str, str], wanted: tuple[str, ...]
) -> None:
    found = merged(changed(*mine), changed(*theirs))
    assert not found.conflicts
    assert found.text() == (changed(*wanted) if wanted else changed(*mine, text=changed(*theirs)))


def test_elements_that_both_add_at_one_place_are_both_taken_unless_they_have_one_name() -> None:
    mine, theirs = (changed(B, f'{B}    <link name="{name}"/>\n') for name in "cd")
    found = merged(mine, theirs)
    assert found.text() == changed(B, f'{B}    <link name="c"/>\n    <link name="d"/>\n')
    twice = merged(mine, changed(B, f'{B}    <link name="c"><pose/></link>\n'))
    assert [(each.mine.strip(), each.can_take_both) for each in twice.conflicts] == [('<link name="c"/>', True)]
    assert twice.text([Side.BOTH]).count('<link name="c"') == 2


def test_one_value_changed_by_both_is_a_conflict_that_is_chosen() -> None:
    found = merged(changed("1 0 0 ", "2 0 0 "), changed("1 0 0 ", "3 0 0 "))
    assert [(each.mine, each.theirs, each.can_take_both) for each in found.conflicts] == [
        ("2 0 0 0 0 0", "3 0 0 0 0 0", False)
    ]
    assert found.text() == found.text([None]) == changed("1 0 0 ", "2 0 0 ")
    assert found.text([Side.THEIRS]) == changed("1 0 0 ", "3 0 0 ")


def test_what_one_removes_and_the_other_changes_is_a_conflict() -> None:
    removed = re.sub(r' *<link name="a">.*?</link>\n', "", BASE, flags=re.DOTALL)
    found = merged(removed, changed("<mass>1", "<mass>2"))
    assert len(found.conflicts) == 1
    assert found.text([Side.MINE]) == removed
    assert found.text([Side.THEIRS]) == changed("<mass>1", "<mass>2")


def test_a_text_that_is_indented_again_takes_the_values_of_the_other() -> None:
    indented = BASE.replace("\n  ", "\n\t\t")
    assert merged(indented, changed("1 0 0 ", "2 0 0 ")).text() == indented.replace("1 0 0 ", "2 0 0 ")


def test_a_text_that_is_not_well_formed_is_merged_by_lines() -> None:
    broken, theirs = changed("</link>\n", "\n"), changed('"fixed"', '"revolute"')
    found = merged(broken, theirs)
    assert (found.by_elements, len(found.conflicts)) == (False, 0)
    assert found.text() == changed('"fixed"', '"revolute"', text=broken)
    both = merged(changed("<mass>1", "<mass>", text=broken), changed("<mass>1", "<mass>3"))
    assert len(both.conflicts) == 1
    assert both.conflicts[0].can_take_both


def test_the_encoding_that_the_other_program_has_chosen_is_kept() -> None:
    base, mine = parse_document(BASE, encoding=Encoding("latin-1")), parse_document(BASE, encoding=Encoding("latin-1"))
    assert merge(base, mine, parse_document(BASE)).encoding == Encoding()
    assert merge(base, parse_document(BASE), base).encoding == Encoding()


def test_a_change_in_a_large_text_compares_only_the_elements_around_it() -> None:
    links = "".join(f'<link name="l{number}"><pose>{number} 0 0 0 0 0</pose></link>\n' for number in range(3000))
    base = f'<sdf version="1.9"><model name="m">\n{links}</model></sdf>'
    changes = element_changes(parse_document(base), parse_document(base.replace(">1500 0", ">7 0")))
    assert [each.text for each in changes] == ["7 0 0 0 0 0"]
