"""Breaks in long lines."""

from __future__ import annotations

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.language.keys.formatting import break_lines


def broken(text: str, longest: int = 20) -> str:
    breaks = sorted(break_lines(text, "  ", longest), key=lambda each: each.start)
    return parse_document(text).spliced(breaks)


def test_each_element_gets_a_line_of_its_own() -> None:
    assert broken(
        '<sdf><model name="m"><link name="a"><pose>1 2 3 0 0 0</pose></link> <!-- b --><link/></model></sdf>'
    ) == (
        """<sdf>
  <model name="m">
    <link name="a">
      <pose>1 2 3 0 0 0</pose>
    </link>
    <!-- b -->
    <link/>
  </model>
</sdf>"""
    )


def test_lines_that_are_short_enough_stay() -> None:
    text = '<sdf>\n<model><link/></model>\n<model><link name="a"/><link name="b"/></model></sdf>'
    assert broken(text, 30) == (
        '<sdf>\n<model><link/></model>\n<model>\n    <link name="a"/>\n    <link name="b"/>\n  </model>\n</sdf>'
    )


@pytest.mark.parametrize(
    "content",
    [
        "<name></name>",
        "<name> </name>",
        "<text>one<b/><b/>two</text>",
        "<text><![CDATA[ <b><c/></b> ]]></text>",
        "<text><!-- <b><c/></b> --></text>",
        '<b c="<>"/>'.replace("<>", "&lt;&gt;"),
    ],
)
def test_text_values_and_comments_stay_as_they_are(content: str) -> None:
    assert broken(f"<sdf><model>{content}</model></sdf>") == (f"<sdf>\n  <model>\n    {content}\n  </model>\n</sdf>")


def test_new_lines_end_as_the_others_do() -> None:
    assert broken("<sdf>\r\n<model><link/><link/></model></sdf>") == (
        "<sdf>\r\n<model>\r\n    <link/>\r\n    <link/>\r\n  </model>\r\n</sdf>"
    )
