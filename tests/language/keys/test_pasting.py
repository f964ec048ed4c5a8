"""A block that is pasted gets the indentation of the place; anything else is pasted as it is."""

from __future__ import annotations

import pytest

from sdfviewer.language.line_commands import Passage, pasted

MODEL = "<sdf>\n  <model>\n{}\n  </model>\n</sdf>"
BLOCK = '<link name="a">\n  <pose/>\n\n</link>'
WANTED = MODEL.format('    <link name="a">\n      <pose/>\n\n    </link>')


def paste(text: str, block: str) -> str:
    """Return the text with a block pasted at the ``|`` in it, where a ``|`` is at the caret."""
    at = text.index("|")
    after = pasted(Passage(text.replace("|", ""), at, at), block, "  ")
    return f"{after.text[: after.caret]}|{after.text[after.caret :]}"


@pytest.mark.parametrize("place", ["|", "    |", "  |  "])
@pytest.mark.parametrize(
    "block",
    [
        pytest.param(BLOCK, id="from the first column"),
        pytest.param('<link name="a">\n          <pose/>\n\n        </link>', id="copied behind its blanks"),
        pytest.param('\t<link name="a">\n\t  <pose/>\n\n\t</link>', id="with tabs before it"),
    ],
)
def test_in_a_blank_line_it_is_inside_of_the_element_around(place: str, block: str) -> None:
    assert paste(MODEL.format(place), block).replace("|", "").replace("</link>  ", "</link>") == WANTED


@pytest.mark.parametrize("line", ["|    <joint/>", "  |  <joint/>", "    |<joint/>"])
def test_whole_lines_go_before_a_line_with_its_indentation(line: str) -> None:
    expected = WANTED.replace("</link>", f"</link>\n{line.split('|', maxsplit=1)[0]}|{line.split('|')[1]}")
    assert paste(MODEL.format(line), BLOCK + "\n") == expected


@pytest.mark.parametrize("block", ["<link/>", "1\n2", "  <link/>\n", "<link/>\n    "])
def test_what_is_no_block_is_pasted_as_it_is(block: str) -> None:
    assert paste(MODEL.format("  |"), block) == MODEL.format(f"  {block}|")
    assert paste("<pose>|</pose>", BLOCK) == f"<pose>{BLOCK}|</pose>"


def test_it_takes_the_place_of_what_is_selected() -> None:
    text = MODEL.format("    <old/>")
    start = text.index("<old/>")
    assert pasted(Passage(text, start, start + 6), BLOCK, "  ").text == WANTED
