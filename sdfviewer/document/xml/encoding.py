"""Convert bytes to text and back without losing a byte.

Line ends are never touched: text is decoded from bytes, not read in text mode.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import NamedTuple
from xml.parsers import expat

from sdfviewer.diagnostics import SdfViewerError

# UTF-32 first: its little-endian mark starts with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Without a mark the zeros around the first "<" tell the width and the order (XML 1.0, appendix F.1).
_FIRST_CHARACTERS = (
    (b"<\0\0\0", "utf-32-le"),
    (b"\0\0\0<", "utf-32-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
_DECLARED_PATTERN = r"""\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']"""
_DECLARED = re.compile(_DECLARED_PATTERN.encode("ascii"))
_DECLARED_IN_TEXT = re.compile(_DECLARED_PATTERN, re.ASCII)
# Every one of these writes the markup of XML as ASCII does, and reads and writes without hidden state.
_ASCII_COMPATIBLE = ("iso8859", "cp125", "cp437", "cp85", "cp866", "koi8", "mac-", "gb", "big5", "euc", "tis-620")
#: Characters that stand for bytes which are invalid in the encoding.
ESCAPED_BYTES = re.compile("[\udc80-\udcff]+")


class EncodingError(SdfViewerError):
    """Bytes cannot be text, or text cannot be bytes; ``offset`` is where: in bytes and in characters respectively."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a text is written as bytes: the name of a Python codec, and the byte order mark in front, if any."""

    name: str = "utf-8"
    bom: bytes = b""


class Decoded(NamedTuple):
    """The text of a file.

    Attributes
    ----------
    text
        All characters behind the byte order mark. A byte that is no text in the encoding is a lone surrogate
        U+DC80 … U+DCFF, its value in the low bits, and becomes the same byte again (PEP 383).
    encoding
        How to write it back.
    undecodable
        Start and end of each run of such bytes, in characters.
    """

    text: str
    encoding: Encoding
    undecodable: tuple[tuple[int, int], ...] = ()


def decode(data: bytes, limit: int | None = None) -> Decoded:
    """Return the text of a file, such that :func:`encode` gives exactly ``data`` again.

    The encoding is that of the byte order mark, else the one the first characters betray, else the declared one, else
    UTF-8. A declaration that contradicts the bytes, or names an encoding that cannot be read and written without loss,
    counts as absent; libsdformat ignores declarations altogether.

    Parameters
    ----------
    data
        The content of the file.
    limit
        Refuse more bytes than this.

    Raises
    ------
    EncodingError
        If there are more than ``limit`` bytes, or UTF-16 or UTF-32 is broken.
    """
    if limit is not None and len(data) > limit:
        raise EncodingError(f"{len(data)} bytes are more than the {limit} allowed", limit)
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _decode_as(data[len(mark) :], Encoding(name, mark))
    for start, name in _FIRST_CHARACTERS:
        if data.startswith(start):
            return _decode_as(data, Encoding(name))
    declared = _declared_encoding(data)
    if declared is not None:
        decoded = _decode_as(data, Encoding(declared))
        if encode(decoded.text, decoded.encoding) == data:
            return decoded
    return _decode_as(data, Encoding())


def _declared_encoding(data: bytes) -> str | None:
    """Return the codec that the XML declaration names, None where that says nothing that helps."""
    match = _DECLARED.match(data[:1024])
    if match is None:
        return None
    try:
        name = codecs.lookup(match[1].decode("ascii")).name
    except LookupError:
        return None
    return name if name == "shift_jis" or name.startswith(_ASCII_COMPATIBLE) else None


def _is_wide(encoding: Encoding) -> bool:
    return encoding.name.startswith(("utf-16", "utf-32"))


def _decode_as(data: bytes, encoding: Encoding) -> Decoded:
    wide = _is_wide(encoding)
    try:
        # Bytes cannot be carried through a wide encoding one by one, so there a fault is an exception.
        text = data.decode(encoding.name, "strict" if wide else "surrogateescape")
    except UnicodeDecodeError as error:
        offset = len(encoding.bom) + error.start
        raise EncodingError(f"the bytes at offset {offset} are not {encoding.name.upper()}", offset) from error
    # Python knows at once that a text is ASCII; to search a large one takes as long as to check that it is XML.
    escaped = () if text.isascii() else ESCAPED_BYTES.finditer(text)
    return Decoded(text, encoding, tuple(match.span() for match in escaped))


def encode(text: str, encoding: Encoding) -> bytes:
    """Return ``text`` as the bytes of a file.

    A character that the encoding lacks, typed into a Latin-1 file for example, becomes a character reference:
    :func:`storable` says where that would be another text.

    Raises
    ------
    EncodingError
        If the text holds half a surrogate pair, which no encoding can write.
    """
    try:
        return encoding.bom + text.encode(encoding.name, "sdfviewer-reference")
    except UnicodeEncodeError as error:
        message = f"character {error.start} is half of a surrogate pair and cannot be written"
        raise EncodingError(message, error.start) from error


def storable(text: str, encoding: Encoding) -> tuple[str, Encoding]:
    """Return a text and the encoding to write it in, such that it is read again as it is.

    A character that the encoding lacks may be a reference in content and in values of attributes. In a comment, in
    CDATA or in a name that would be another text: such a text is written as UTF-8, and its declaration says so. A
    declaration that was changed itself, by typing or by undoing, is followed where it can be.

    Parameters
    ----------
    text
        The text to save.
    encoding
        How its file was written when it was read.
    """
    match = _DECLARED_IN_TEXT.match(text)
    declared = Encoding((match and _declared_encoding(match[0].encode("ascii", "replace"))) or "utf-8")
    if encoding.bom or _is_wide(encoding) or encoding == declared == Encoding() or _is_read_back(text, encoding):
        return text, encoding
    if match is None or _is_read_back(text, declared):
        return text, declared
    return f"{text[: match.start(1)]}UTF-8{text[match.end(1) :]}", Encoding()


def lacking_character(text: str, encoding: Encoding) -> str:
    """Return the first character that an encoding lacks, empty where it has them all."""
    try:
        text.encode(encoding.name, "surrogateescape")
    except UnicodeEncodeError as error:
        return text[error.start]
    return ""


def _is_read_back(text: str, encoding: Encoding) -> bool:
    """Return whether a text that is written in an encoding is read as the same text, or as one of the same content."""
    read = decode(encode(text, encoding)).text
    if read == text:
        return True
    content = _content(text)
    return content is not None and content == _content(read)


def _content(text: str) -> str | None:
    """Return all that an XML reader finds in a text, in the order of the text; None where it is malformed."""
    parser = expat.ParserCreate("utf-8")
    found: list[str] = []  # no text of XML has the character 0
    parser.StartElementHandler = lambda name, values: found.append(f"\0<{name} {values}\0")
    parser.EndElementHandler = lambda _: found.append("\0>\0")
    parser.CharacterDataHandler = found.append
    parser.StartCdataSectionHandler = parser.EndCdataSectionHandler = lambda: found.append("\0[]\0")
    parser.CommentHandler = lambda comment: found.append(f"\0!{comment}\0")
    parser.ProcessingInstructionHandler = lambda name, content: found.append(f"\0?{name} {content}\0")
    parser.DefaultHandler = found.append  # with it no entity is expanded
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError:
        return None
    return "".join(found)


def _refer(error: UnicodeError) -> tuple[str | bytes, int]:
    """Write what an encoding lacks: escaped bytes as they were, characters as references."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    if not "\ud800" <= character <= "\udfff":
        return f"&#{ord(character)};", error.start + 1
    if "\udc80" <= character <= "\udcff" and not error.encoding.replace("_", "-").startswith(("utf-16", "utf-32")):
        return bytes([ord(character) - 0xDC00]), error.start + 1
    raise error


codecs.register_error("sdfviewer-reference", _refer)
