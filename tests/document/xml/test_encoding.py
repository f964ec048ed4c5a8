"""Bytes to text and back."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.document.document import parse_document
from sdfviewer.document.xml.encoding import Encoding, EncodingError, decode, encode, storable


def round_trip(data: bytes) -> None:
    decoded = decode(data)
    assert encode(decoded.text, decoded.encoding) == data


@given(st.binary())
def test_every_sequence_of_bytes_survives_or_is_refused(data: bytes) -> None:
    try:
        decoded = decode(data)
    except EncodingError:
        return
    assert encode(decoded.text, decoded.encoding) == data


@given(
    st.sampled_from(["", "iso-8859-1", "windows-1252", "shift_jis", "gb18030", "euc-jp", "utf-7", "utf-16", "rot13"]),
    st.binary(),
)
def test_every_content_behind_a_declaration_survives(name: str, content: bytes) -> None:
    round_trip(f'<?xml version="1.0" encoding="{name}"?>\r\n'.encode() + content)


@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs"])),
    st.sampled_from(["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]),
)
def test_every_text_with_a_byte_order_mark_is_read(text: str, name: str) -> None:
    bom = "\ufeff".encode(name)
    # A zero behind the mark of UTF-16 LE is the mark of UTF-32 LE: no reader can tell them apart.
    if name == "utf-16-le" and text.startswith("\0"):
        return
    assert decode(bom + text.encode(name)).text == text
    round_trip(bom + text.encode(name))


@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_text_without_a_mark_is_recognised(name: str) -> None:
    decoded = decode("<sdf name='ü'/>".encode(name))
    assert decoded.text == "<sdf name='ü'/>"
    assert decoded.encoding == Encoding(name)


@pytest.mark.parametrize(
    ("declared", "codec", "text"),
    [
        ("ISO-8859-1", "latin-1", "é"),
        ("latin1", "latin-1", "é"),
        ("windows-1252", "cp1252", "„é€“"),
        ("UTF-8", "utf-8", "é€"),
        ("us-ascii", "utf-8", "é€"),
        ("no-such-thing", "utf-8", "é"),
        ("utf-16", "utf-8", "é"),
    ],
)
def test_declared_encoding_is_used_where_the_bytes_allow_it(declared: str, codec: str, text: str) -> None:
    whole = f"<?xml version='1.0' encoding='{declared}'?><a>{text}</a>"
    assert decode(whole.encode(codec)).text == whole


def test_undecodable_bytes_are_reported_and_kept() -> None:
    data = b"<a>caf\xe9 \xff\xfe</a>"
    decoded = decode(data)
    assert decoded.undecodable == ((6, 7), (8, 10))
    assert encode(decoded.text, decoded.encoding) == data


def test_byte_without_meaning_in_windows_1252_is_kept() -> None:
    data = b"<?xml version='1.0' encoding='windows-1252'?><a>\x81\x80</a>"
    decoded = decode(data)
    assert decoded.encoding.name == "cp1252"
    assert len(decoded.undecodable) == 1
    assert encode(decoded.text, decoded.encoding) == data


def test_line_ends_are_untouched() -> None:
    data = b"<a>\r\n\n\r<b/>\r\r\n</a>"
    assert decode(data).text == data.decode()
    round_trip(data)


def test_new_character_that_the_encoding_lacks_becomes_a_reference() -> None:
    assert encode("<a>→é</a>", Encoding("iso8859-1")) == b"<a>&#8594;\xe9</a>"


LATIN = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<a b="\xe9">'


@pytest.mark.parametrize("text", [f"{LATIN}→</a>", f'{LATIN}<b c="→"/>\xe9</a>'], ids=["content", "attribute"])
def test_a_reference_may_stand_where_readers_resolve_it(text: str) -> None:
    assert storable(text, Encoding("iso8859-1")) == (text, Encoding("iso8859-1"))


@pytest.mark.parametrize(
    "inner",
    ["<!--→-->", "<![CDATA[→]]>", "<?p →?>", "<→/>", '<b →="1"/>', "<b>→"],
    ids=["comment", "CDATA", "instruction", "tag", "attribute", "malformed"],
)
@pytest.mark.parametrize("declared", ["ISO-8859-1", "windows-1250"])
def test_what_would_be_another_text_in_its_encoding_becomes_utf_8(inner: str, declared: str) -> None:
    text = LATIN.replace("ISO-8859-1", declared) + f"{inner}</a>"
    stored, encoding = storable(text, Encoding(codecs.lookup(declared).name))
    assert (stored, encoding) == (text.replace(declared, "UTF-8"), Encoding())
    assert decode(encode(stored, encoding)).text == stored


@pytest.mark.parametrize("declaration", ["", '<?xml version="1.0" encoding="utf-8"?>', '<?xml version="1.0"?>'])
def test_a_text_that_no_longer_declares_latin_1_is_not_written_in_it(declaration: str) -> None:
    text = f"{declaration}<a>\xe9</a>"
    assert storable(text, Encoding("iso8859-1")) == (text, Encoding())


def test_a_text_that_declares_latin_1_again_is_written_in_it() -> None:
    text = f"{LATIN}\xe9</a>"
    assert storable(text, Encoding()) == (text, Encoding("iso8859-1"))


@pytest.mark.parametrize("name", ["utf-8", "utf-16-le", "iso8859-1"])
def test_half_a_surrogate_pair_is_refused_with_its_place(name: str) -> None:
    with pytest.raises(EncodingError) as caught:
        encode("abc\ud800", Encoding(name))
    assert caught.value.offset == 3


def test_broken_utf_16_is_refused_with_its_place() -> None:
    with pytest.raises(EncodingError, match="UTF-16-LE") as caught:
        decode(codecs.BOM_UTF16_LE + b"<\0\0\xd8<\0")
    assert caught.value.offset == 4


def test_size_is_bounded() -> None:
    assert decode(b"1234", limit=4).text == "1234"
    with pytest.raises(EncodingError):
        decode(b"12345", limit=4)


def test_an_encoding_that_nobody_knows_is_reported_with_a_fix() -> None:
    text = '<?xml version="1.0" encoding="foo"?>\n<sdf version="1.9"/>'
    (problem,) = parse_document(text).diagnostics
    assert problem.rule.name == "unknown-encoding"
    assert problem.span is not None
    assert (problem.span.line, text[problem.span.start : problem.span.end]) == (1, "foo")
    (fix,) = problem.fixes
    assert parse_document(text).edited(fix.replacements).text == text.replace("foo", "UTF-8")
    assert parse_document(text.replace("foo", "ISO-8859-1")).diagnostics == ()
