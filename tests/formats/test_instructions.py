"""Processing instructions where libsdformat refuses a file."""

from __future__ import annotations

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import misplaced_instructions

SDF = '<sdf version="1.9"><model name="m"><link name="l">{}</link></model></sdf>'


@pytest.mark.parametrize(
    "text",
    [
        SDF.format("<pose>1 0 0 0 0 0<?pi x?></pose>"),
        SDF.format("") + '\n<?xml-model href="x"?>',
        '<?xml version="1.0"?><!-- a --><?xml-model href="x"?>' + SDF.format(""),
    ],
)
def test_one_behind_something_else_is_an_error_that_can_be_removed(text: str) -> None:
    document = parse_document(text)
    (found,) = misplaced_instructions(document)
    assert (found.rule.name, found.libsdformat, found.is_error) == ("misplaced-instruction", "FILE_READ", True)
    assert found.span is not None
    assert text[found.span.start : found.span.start + 2] == "<?"
    assert misplaced_instructions(document.edited(found.fixes[0].replacements)) == ()


@pytest.mark.parametrize(
    "text",
    [
        '<?xml version="1.0"?>\n<?xml-model href="x"?>\n' + SDF.format(""),
        SDF.format("<!-- <?pi?> --><name><![CDATA[<?pi?>]]></name>"),
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/><?pi?></robot>',
    ],
)
def test_one_at_the_beginning_or_in_a_comment_or_in_xacro_is_none(text: str) -> None:
    assert misplaced_instructions(parse_document(text)) == ()
