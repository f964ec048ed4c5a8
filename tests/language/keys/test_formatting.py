"""Formatting a document changes blanks between tags and comments only; breaks in long lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.parsers import expat

import pytest

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document, parse_document
from sdfviewer.language.line_commands import break_lines, formatted
from tests.corpus import at_least, corpus_files


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


# --- formatting --------------------------------------------------------------------------------------------------


def tokens(text: str) -> Iterator[tuple[object, ...]]:
    """Yield what a parser reads of a text; runs of blanks between two others are left out."""
    found: list[tuple[object, ...]] = []
    parser = expat.ParserCreate()
    parser.ordered_attributes = True
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: found.append(("start", name, attributes))
    parser.EndElementHandler = lambda name: found.append(("end", name))
    parser.CommentHandler = lambda comment: found.append(("comment", comment))
    parser.CharacterDataHandler = lambda data: found.append(("text", data))
    parser.StartCdataSectionHandler = lambda: found.append(("cdata",))
    parser.Parse(text.encode(errors="surrogatepass"), True)
    return (each for each in found if each[0] != "text" or str(each[1]).strip())


def format_text(text: str) -> str:
    document = parse_document(text)
    return document.spliced(formatted(document))


def test_lines_are_indented_by_their_depth_and_text_comments_and_data_stay() -> None:
    text = """<?xml version="1.0"?>
  <sdf   version="1.9">
 <!-- a
   comment -->
    <model
      name="m"><link
 name="a"/>
         <plugin name="p" filename="f">
   <![CDATA[
 x
   ]]>
 </plugin>
\t<pose>
  1 0 0
  </pose>
    <frame name="f"/></model>
      </sdf>
"""
    wanted = """<?xml version="1.0"?>
<sdf   version="1.9">
  <!-- a
   comment -->
  <model
      name="m"><link
 name="a"/>
    <plugin name="p" filename="f">
   <![CDATA[
 x
   ]]>
 </plugin>
    <pose>
  1 0 0
  </pose>
    <frame name="f"/></model>
</sdf>
"""
    assert format_text(text) == wanted
    assert format_text(format_text(text)) == format_text(text)
    assert list(tokens(format_text(text))) == list(tokens(text))


def test_line_ends_stay() -> None:
    assert format_text("<a>\r\n  <b>\r\n<c/>\n</b></a>") == "<a>\r\n  <b>\r\n    <c/>\n  </b></a>"


def test_every_file_keeps_its_tokens_when_its_blanks_are_lost_and_formatted() -> None:
    checked = 0
    for path in corpus_files(".sdf", ".urdf")[::3]:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        document = parse_document(text)
        try:
            edits = formatted(document)
        except SdfViewerError:
            continue
        assert list(tokens(document.spliced(edits))) == list(tokens(text)), path
        assert re.sub(r"\s", "", document.spliced(edits)) == re.sub(r"\s", "", text)
        checked += 1
    assert checked >= at_least(100)


def test_a_text_that_is_not_well_formed_is_refused() -> None:
    document: Document = parse_document("<a>\n<b></a>")
    with pytest.raises(SdfViewerError, match="errors in the XML"):
        formatted(document)
