"""Text that is not quite XML. What tinyxml2 9.0 says of each text here was recorded from tinyxml2 itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sdfviewer.document.document import parse_document
from sdfviewer.document.xml.encoding import decode
from sdfviewer.document.xml.parse import parse_element
from sdfviewer.document.xml.read import recognise
from sdfviewer.document.xml.repair import MAX_REPAIRS, repair
from sdfviewer.document.xml.wellformed import check_well_formed
from tests.agreement.recorded import open_recorded
from tests.corpus import at_least, corpus_folder

ACCEPTED = [
    ("<a><!-- b -- c --></a>", ["'--' inside a comment"]),
    ("<a><!-- b ---></a>", ["'--' inside a comment"]),
    ("<a><!-- --reqtype -- \x01 --></a>", ["'--' inside a comment"]),
    ("\n <?xml version='1.0'?><a/>", ["the XML declaration is not the first thing in the file"]),
    ("<?xml version='1.0'?><?xml version='1.0'?><a/>", ["a second XML declaration"]),
    ("<?xml version='0.0'?><a/>", ["an incomplete XML declaration"]),
    ("<?xml?><a/>", ["an incomplete XML declaration"]),
    ("<?xml encoding='utf-8'?><a/>", ["an incomplete XML declaration"]),
    ("<? x?><a/>", ["a processing instruction without a name"]),
    ("<a>b & c</a>", ["'&' without a name and ';'"]),
    ("<a b='c&d'/>", ["'&' without a name and ';'"]),
    ("<a>&nbsp;</a>", ["'&nbsp;' is not"]),
    ("<a>&#0;&#xD800;&#x110000;</a>", ["'&#0;' is not", "'&#xD800;' is not", "'&#x110000;' is not"]),
    ("<a b='<c>'/>", ["'<' in the value of an attribute"]),
    ("<a>]]></a>", ["']]>' in text"]),
    ("<a>\x01</a>", ["control character U+0001"]),
    ("<a b='\x1f'/>", ["control character U+001F"]),
    ("<a\x0cb='c'/>", ["control character U+000C"]),
    ("<a></a\x0b>", ["control character U+000B"]),
    ("<a><![CDATA[\x02]]></a>", ["control character U+0002"]),
    ("<a>\ufffe</a>", ["control character U+FFFE"]),
    ("<a b='1'c='2'/>", ["no space between two attributes"]),
    ("<a/><b/>", ["<b> follows the end of the root element"]),
    ("<a/><b><c/></b><!-- d -->", ["<b> follows the end of the root element"]),
    ("<a/></a><b", ["</a> has no start tag"]),
    ('<a></a>\n</a> & < "', ["</a> has no start tag"]),
    ("b<a/>", ["text outside the root element"]),
    ("<![CDATA[b]]><a/>", ["text outside the root element"]),
    ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", ["a document type or", "text outside the root", "'&b;' is not"]),
    ("<!ELEMENT a><a/>", ["a document type or"]),
    ("<a><!b></a>", ["a document type or"]),
]

REFUSED = [
    ("<?xml version='1.0'?>\n<!-- b --><?xml version='1.0'?><a/>", "the XML declaration must be the first thing"),
    ("<!-- b -->\n<?xml version='1.0'?><a/>", "the XML declaration must be the first thing"),
    ("", "the file contains no element"),
    ("   \n", "the file contains no element"),
    ("<!-- only -->", "the file contains no element"),
    ("<a>", "<a> of line 1 is never closed"),
    ("<a>\n<b>\n</a>", "<b> is not closed before </a> of line 3"),
    ("<a>\n<b/></c>", "</c> is where <a> of line 1 should be closed"),
    ("<a b='1' b='2'/>", "the attribute 'b' is given twice"),
    ("<a b=1/>", "the value of 'b' is not in quotes"),
    ("<a b/>", "the attribute 'b' of <a> has no value"),
    ("<a b='1/>", "the tag <a has no end: '>' or a quote is missing"),
    ("<a><b <c/></a>", "the tag <b has no end: '>' or a quote is missing"),
    ("<a><b c='1><d/></a>", "the value of 'c' in the tag <b> has no closing quote"),
    ("<a><!-- b </a>", "a comment has no end: '-->' is missing"),
    ("<a><![CDATA[ b </a>", "a CDATA section has no end: ']]>' is missing"),
    ("<a/><?b", "a processing instruction has no end: '?>' is missing"),
    ("<a>1 < 2</a>", "a tag begins with ' ' instead of a name; a plain '<' is written '&lt;'"),
    ("<a><1/></a>", "a tag begins with '1' instead of a name"),
    ("<a>\0</a>", "control character U+0000"),
    ("<a/>b", "there is content after the end of the root element"),
    ("<a/><b>", "there is content after the end of the root element"),
    ("</a>", "a tag begins with '/'"),
    ("b", "'b' is not allowed here"),
]


def test_what_tinyxml2_accepts_is_repaired_and_read_from_the_original() -> None:
    for text, messages in ACCEPTED:
        assert check_well_formed(text) is not None, text
        repaired, repairs = repair(text)
        assert check_well_formed(repaired) is None, text
        assert len(repaired) == len(text), text
        assert [found.message[: len(message)] for found, message in zip(repairs, messages, strict=True)] == messages
        assert all(0 <= found.start < found.end <= len(text) for found in repairs), text
        root, offset = parse_element(text)
        assert root.tag == "a", text
        assert text.startswith("<a", offset), text


def test_what_tinyxml2_refuses_stays_refused_in_plain_words() -> None:
    for text, message in REFUSED:
        fault = check_well_formed(repair(text)[0])
        assert fault is not None, text
        assert fault.message.startswith(message), text
        assert 0 <= fault.offset <= len(text), text


def test_place_of_a_repair_is_the_character_concerned() -> None:
    text = "<a>\n<!-- ä -- --><b c='1 & 2'>\x07</b></a>"
    _, repairs = repair(text)
    assert [text[found.start : found.end] for found in repairs] == ["--", "&", "\x07"]


def test_place_of_a_fault_counts_characters() -> None:
    fault = check_well_formed("<ä>€😀\n<b></ä>")
    assert fault is not None
    assert (fault.offset, fault.tag) == (9, 6)


def test_place_where_an_element_is_never_closed_is_its_start_tag() -> None:
    fault = check_well_formed("<a>\n<b>\n")
    assert fault is not None
    assert (fault.offset, fault.tag) == (4, 4)


def test_repair_stops_at_the_first_fault_that_nobody_reads() -> None:
    text = "<a> & <b c=1> & </a>"
    repaired, repairs = repair(text)
    assert len(repairs) == 1
    assert repaired[7:] == text[7:]


@pytest.mark.parametrize(
    "text",
    [
        "<a/>",
        "<?xml version='1.0' encoding='latin-1' standalone='yes' ?>\r\n<a/>",
        "<gz:a gz:b='c'><d:e/></gz:a>",
        "<!DOCTYPE a><a/>",
        "<?b?><a/><?c?>",
        "<a>&lt;&#65;&#x41;<![CDATA[&<]]></a>",
        "<a>\udcff</a>",
    ],
)
def test_well_formed_text_is_left_alone(text: str) -> None:
    assert check_well_formed(text) is None
    assert repair(text) == (text, [])


def test_entities_are_never_expanded() -> None:
    laughs = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 20))
    text = f"<!DOCTYPE a [<!ENTITY l0 'ha'>{laughs}]><a>&l19;</a>"
    fault = check_well_formed(text)
    assert fault is not None
    assert fault.message.startswith("entities are declared")
    repaired, _ = repair(text)
    assert check_well_formed(repaired) is None
    assert parse_element(text)[0].text == "&l19;"


def test_list_of_repairs_is_bounded() -> None:
    repaired, repairs = repair(f"<a>{'&' * 5000}</a>")
    assert len(repairs) == MAX_REPAIRS
    assert check_well_formed(repaired) is None


PIECES = st.sampled_from(
    [
        *"<>/\"'-=&;? \n\x0cab1:é\x01\0",
        *("--", "<!--", "-->", "<?xml version='1.0'?>", "<?", "?>", "<!", "<![CDATA[", "]]>", "&amp;", "&#0;"),
        *("<a>", "</a>", "<b c='1'/>", " d='2'", "<!DOCTYPE a [", "<!ENTITY b 'c'>"),
    ]
)


@settings(max_examples=500)
@example(["<!DOCTYPE a [", ">", "</a>", "]]>", "<!"], True)
@given(st.lists(PIECES, max_size=12), st.booleans())
def test_any_text_keeps_its_length_and_is_read_or_explained(pieces: list[str], wrapped: bool) -> None:
    text = f"<a>{''.join(pieces)}</a>" if wrapped else "".join(pieces)
    repaired, repairs = repair(text)
    assert len(repaired) == len(text)
    fault = check_well_formed(repaired)
    if fault is not None:
        assert fault.message
        assert 0 <= fault.offset <= len(text)
    else:
        assert bool(repairs) == (repaired != text)
        document = parse_document(text)
        if recognise(text) is not None:  # a picture, an archive: it is not read at all
            return
        assert document.root is not None
        assert text.startswith("<" + document.root.tag, document.offset(document.root))


@pytest.mark.corpus
def test_files_open_exactly_where_libsdformat_parses_them(tmp_path: Path) -> None:
    opened = []
    for answer in open_recorded(corpus_folder(), tmp_path).answers:
        text = decode((corpus_folder() / answer["file"]).read_bytes()).text
        if check_well_formed(text) is not None:
            opened.append(check_well_formed(repair(text)[0]) is None)
            assert opened[-1] == ("FILE_READ" not in answer["codes"]), answer["file"]
    assert opened.count(True) >= at_least(4)
    assert opened.count(False) >= at_least(6)
