"""What is wrong with a text that is not XML."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.document.xml.wellformed import check_well_formed, open_elements


@pytest.fixture
def no_collector(others_set_aside: None) -> Iterator[None]:
    """Stop the collector."""
    gc.disable()
    yield
    gc.enable()


def _parsers() -> int:
    return sum(type(each).__name__ == "xmlparser" for each in gc.get_objects())


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("text", ["<a><b></a>", "<a>", "<a", "<a></a&b>", '<!DOCTYPE a [<!ENTITY b "c">]><a/>', "<a/>"])
def test_reading_a_broken_text_leaves_no_parser_behind(text: str) -> None:
    before = _parsers()
    check_well_formed(text)
    open_elements(text)
    parse_document(text)
    assert _parsers() == before


@pytest.mark.usefixtures("no_collector")
def test_a_text_that_is_typed_is_gone_at_once() -> None:
    document = parse_document("<sdf version='1.9'><model name='m'><link name='l'></model></sdf>")
    reference = weakref.ref(document)
    del document
    assert reference() is None


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("<a>\n<b>1 2\n<c/></a>", "<b"),
        ("<a>\n<b>\n</d></b></a>", "</d"),
        ("<a>\n<b e='1'\n<c/></a>", "<b"),
        ("<a>\n<b e='1>\n<c/></a>", "<b"),
        ("<a>\n<b>1 <\n2</b></a>", "\n"),
    ],
)
def test_what_is_to_be_repaired_is_marked_not_where_it_shows(text: str, marked: str) -> None:
    fault = check_well_formed(text)
    assert fault is not None
    start, end = fault.location(text)
    assert text[start:end].startswith(marked)
