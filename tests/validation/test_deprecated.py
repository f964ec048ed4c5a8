"""Deprecated elements."""

from __future__ import annotations

import re

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.document.tables import ElementDefinition, table
from sdfviewer.formats.load import Loader
from sdfviewer.validation.element_tree import SUCCESSORS
from sdfviewer.versions import VERSIONS, Version


def definitions(version: Version) -> dict[str, ElementDefinition]:
    """Return the definitions of a version by their tags."""
    found: dict[str, ElementDefinition] = {}
    stack = [table(version).root]
    while stack:
        definition = stack.pop()
        if found.setdefault(definition.tag, definition) is definition:
            stack += (child for child in definition.children.values() if found.get(child.tag) is not child)
    return found


def test_the_newest_version_knows_the_successor_of_each_deprecated_element() -> None:
    known = definitions(VERSIONS[-1])
    deprecated = {(tag, each.tag) for tag in known for each in known[tag].children.values() if each.is_deprecated}
    assert deprecated == SUCCESSORS.keys()
    for instead in SUCCESSORS.values():
        assert set(re.findall(r"<(\w+)>", instead)) <= known.keys()


@pytest.mark.parametrize(
    ("version", "body", "instead"),
    [
        ("1.12", "<joint name='j' type='screw'>{}<thread_pitch>1</thread_pitch></joint>", "<screw_thread_pitch>"),
        (
            "1.8",
            "<joint name='j' type='revolute'>{}<axis><initial_position>1</initial_position></axis></joint>",
            "no successor",
        ),
    ],
)
def test_the_message_names_the_successor(version: str, body: str, instead: str) -> None:
    ends = body.format("<parent>a</parent><child>b</child>")
    text = f"<sdf version='{version}'><model name='m'><link name='a'/><link name='b'/>{ends}</model></sdf>"
    (problem,) = (
        each for each in Loader().load_with_diagnostics(parse_document(text))[1] if each.rule.name == "deprecated"
    )
    assert instead in problem.message


def test_nothing_is_said_where_the_version_of_the_file_has_no_other_word() -> None:
    camera = "<camera><optical_frame_id>l</optical_frame_id></camera>"
    body = f"<model name='m'><link name='l'><sensor name='c' type='camera'>{camera}</sensor></link></model>"

    def rules(version: str) -> list[str]:
        text = f"<sdf version='{version}'>{body}</sdf>"
        return [each.rule.name for each in Loader().load_with_diagnostics(parse_document(text))[1]]

    assert rules("1.9") == rules("1.11") == []
    assert rules("1.12") == ["deprecated"]
