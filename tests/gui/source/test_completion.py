"""What is offered at a place."""

from __future__ import annotations

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.gui.source.completion import Completions, complete, open_elements
from sdfviewer.session import Session

TEXT = """<sdf version="1.11">
  <model name="arm">
    <link name="base"><pose relative_to="@">0 0 0 0 0 0</pose></link>
    <link name="tip"/>
    <joint name="J" type="fixed"><parent>base</parent><child>tip</child></joint>
    <model name="hand"><link name="palm"/><frame name="grip"/></model>
    <frame name="F" attached_to="tip"/>
  </model>
</sdf>"""


def at(marked: str) -> Completions:
    """Complete at the first '|' of a text; the model is that of TEXT."""
    model = Session(parse_document(TEXT.replace("@", ""))).model
    return complete(marked[: marked.index("|")], model)


HEAD = '<sdf version="1.11"><model name="arm">'


def test_elements_are_those_of_the_table() -> None:
    found = at(HEAD + "<lin|")
    assert found.typed == "lin"
    assert {"link", "joint", "frame", "model", "include"} <= set(found.choices)
    assert "visual" not in found.choices
    assert "visual" in at(HEAD + '<link name="L"><|').choices
    assert at("<|").choices == ("sdf",)


def test_a_closing_tag_closes_what_is_open() -> None:
    assert at(HEAD + '<link name="L"></|') == Completions("", ("link",), ">")


def test_attributes_written_already_are_not_offered() -> None:
    found = at(HEAD + '<frame name="F" a|')
    assert found.typed == "a"
    assert found.choices == ("attached_to",)
    assert found.ending == '="|"'


def test_frame_names_are_those_legal_at_the_place() -> None:
    names = at(HEAD + '<link name="base"><pose relative_to="|').choices
    assert set(names) == {"__model__", "tip", "J", "hand", "hand::palm", "hand::grip", "F"}
    inner = at(HEAD + '<model name="hand"><frame name="grip"><pose relative_to="|').choices
    assert set(inner) == {"__model__", "palm"}


def test_a_new_element_sees_the_names_of_its_model() -> None:
    assert {"base", "tip", "hand::palm"} <= set(at(HEAD + '<frame name="new" attached_to="b|').choices)
    assert at(HEAD + '<frame name="new" attached_to="b|').typed == "b"


def test_parent_and_child_take_names_and_the_world() -> None:
    parent = at(HEAD + '<joint name="J" type="fixed"><parent>|').choices
    assert parent[0] == "world"
    assert "base" in parent
    assert "world" not in at(HEAD + '<joint name="J" type="fixed"><parent>base</parent><child>|').choices


def test_types_and_switches() -> None:
    assert "revolute" in at(HEAD + '<joint name="K" type="|').choices
    assert at(HEAD + '<link name="L"><pose degrees="|').choices == ("true", "false")
    assert at(HEAD + "<static>|").choices == ("true", "false")
    assert at('<sdf version="|').choices[0] == "1.12"


def test_only_links_can_be_canonical() -> None:
    assert set(at('<sdf version="1.11"><model name="arm" canonical_link="|').choices) == {"base", "tip", "hand::palm"}


@pytest.mark.parametrize("text", ["|", "<!-- <|", "<?xml |", "</|", "<a b='|", "<a><b></c><|", "x > y <<< | >"])
def test_nothing_breaks_on_unfinished_text(text: str) -> None:
    assert isinstance(at(text), Completions)
    assert isinstance(complete(text, None), Completions)


def test_open_elements_forgive_what_is_not_closed() -> None:
    text = '<sdf><model name="a"><link name="b"/><!-- <x> --><joint name=\'c\'></model><world name="w">'
    assert [(element.tag, element.name) for element in open_elements(text)] == [("sdf", None), ("world", "w")]
