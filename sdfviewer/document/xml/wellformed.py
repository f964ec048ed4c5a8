"""Check that a text is well-formed XML, and explain why it is not.

expat judges; what it reports is only a code and a place, so the words are found by looking at the text around.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.parsers import expat

from sdfviewer.diagnostics import Message
from sdfviewer.display_text import cut

#: The XML declaration as the standard requires it; expat itself accepts any version.
DECLARATION = re.compile(
    r"""<\?xml\s+version\s*=\s*(?:"1\.[0-9]+"|'1\.[0-9]+')
        (?:\s+encoding\s*=\s*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?
        (?:\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)'))?\s*\?>""",
    re.VERBOSE | re.ASCII,
)
_OPEN_TAG = re.compile(r"<(/?[^\s<>/]*)[^<>]*\Z")


class Malformed(NamedTuple):
    """Why a text is not well-formed.

    Attributes
    ----------
    message
        What is wrong, in plain words.
    offset
        The character where it shows.
    code
        expat's, 0 where expat minds nothing.
    tag
        Where the tag begins that is not closed, or has no end, if that shows only behind it.
    """

    message: str
    offset: int
    code: int = 0
    tag: int | None = None

    def location(self, text: str) -> tuple[int, int]:
        """Return start and end of what is to be repaired in a text: a tag up to its name, or a character."""
        start = self.offset if self.tag is None else self.tag
        tag = _TAG_START.match(text, start)
        return tag.span() if tag else (start, start + 1)


class _EntityDeclared(Exception):
    """No fault, a way out of expat."""


def check_well_formed(text: str) -> Malformed | None:
    """Return why a text is not well-formed XML, None where it is.

    Prefixes need not be declared. A declaration of entities counts as malformed: they are never expanded, so that no
    text can grow, and libsdformat does not know them either. Bytes that are no
    text (:mod:`sdfviewer.document.xml.encoding`) count as characters of no name.
    """
    data = text.encode("utf-8", "replace")
    fault = _fault(data)
    if fault == _ENTITIES:
        return Malformed("entities are declared, but no SDFormat reader expands them", text.find("<!ENTITY"))
    if fault is not None:
        code, at = fault
        offset = _character_at(text, data, at)
        return _explain(text, data, code, min(offset, len(text)))
    return None if _is_declared(text) else Malformed("the XML declaration has no version 1.x", 0)


def is_well_formed(text: str) -> bool:
    """Return whether :func:`check_well_formed` finds nothing; an explanation reads the text once more."""
    return _fault(text.encode("utf-8", "replace")) is None and _is_declared(text)


def _is_declared(text: str) -> bool:
    return not text.startswith("<?xml") or DECLARATION.match(text) is not None


#: In place of a code of expat where entities are declared.
_ENTITIES = (0, 0)


def _fault(data: bytes) -> tuple[int, int] | None:
    """Return expat's code of what is wrong with a text, and at which byte."""
    parser = expat.ParserCreate("utf-8")

    def stop(*_: object) -> None:
        raise _EntityDeclared

    parser.EntityDeclHandler = stop
    try:
        parser.Parse(data, True)
    except _EntityDeclared:
        return _ENTITIES
    except expat.ExpatError as error:
        return error.code, max(parser.ErrorByteIndex, 0)
    return None


def _character_at(text: str, data: bytes, at: int) -> int:
    """Return which character of a text begins at a byte; those of ASCII, as of most files, need not be decoded."""
    return at if len(data) == len(text) else len(data[:at].decode("utf-8", "replace"))


def open_elements(text: str) -> list[tuple[str, int]]:
    """Return name and offset of the elements that are open where parsing a text fails, outermost first."""
    data = text.encode("utf-8", "replace")
    found: list[tuple[str, int]] = []
    offset = last = 0
    for name, at in _open_elements(data):
        offset += at - last if len(data) == len(text) else len(data[last:at].decode("utf-8", "replace"))
        last = at
        found.append((name, offset))
    return found


def _open_elements(data: bytes) -> list[tuple[str, int]]:
    """The same, in bytes."""
    parser = expat.ParserCreate("utf-8")
    opened: dict[int, tuple[str, int]] = {}  # what began last in each depth
    started = 0
    ended: list[str] = []  # only their number counts, so that no end tag needs a call of Python

    def start(name: str, _attributes: object) -> None:
        nonlocal started
        opened[started - len(ended)] = name, parser.CurrentByteIndex
        started += 1

    parser.StartElementHandler, parser.EndElementHandler = start, ended.append
    try:
        parser.Parse(data, True)
    except expat.ExpatError:
        return [opened[depth] for depth in range(started - len(ended))]
    finally:
        # The first one refers to the parser: a reference cycle that holds the whole text but looks small.
        parser.StartElementHandler = parser.EndElementHandler = None
    return []


PLAIN_AMPERSAND = "a plain '&' is written '&amp;'"
"""Advice about a character that begins a reference."""
_PLAIN_LESS = "a plain '<' is written '&lt;'"
# Faults whose location says enough.
_MESSAGES = {
    expat.errors.codes[name]: message
    for name, message in (
        (expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT, "there is content after the end of the root element"),
        (expat.errors.XML_ERROR_UNDEFINED_ENTITY, Message("this entity is not defined", PLAIN_AMPERSAND)),
        (expat.errors.XML_ERROR_BAD_CHAR_REF, "this character reference is invalid"),
        (expat.errors.XML_ERROR_MISPLACED_XML_PI, "the XML declaration must be the first thing in the file"),
        (expat.errors.XML_ERROR_XML_DECL, 'the XML declaration should read <?xml version="1.0"?>'),
        (expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION, "a CDATA section has no end: ']]>' is missing"),
    )
}
_TAG_MISMATCH = expat.errors.codes[expat.errors.XML_ERROR_TAG_MISMATCH]
_NO_ELEMENTS = expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]
_DUPLICATE_ATTRIBUTE = expat.errors.codes[expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE]
_UNCLOSED_TOKEN = expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN]
_BAD_TOKEN = (
    expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN],
    expat.errors.codes[expat.errors.XML_ERROR_SYNTAX],
)
_ATTRIBUTE_NAME = re.compile(r"[^\s=<>]*")
_END_TAG_START = re.compile(r"</[^\s<>]*")
_TAG_START = re.compile(r"</?[^\s<>/]*")
# A range of a million characters would take as long to compile as all other patterns together.
_TAG_NAME_START = re.compile(r"/?(?:[A-Za-z_:]|[^\x00-\x7f])")
_QUOTE_OR_END = re.compile("[\"'>]")
_VALUE_OF = re.compile(r"([^\s=<>\"']+)\s*=\s*\Z")


def _explain(text: str, data: bytes, code: int, offset: int) -> Malformed:
    """Word a fault that expat reports at a character."""
    if code in (_TAG_MISMATCH, _NO_ELEMENTS):
        return _explain_nesting(text, data, code, offset)
    if code == _DUPLICATE_ATTRIBUTE:
        message = f"the attribute '{_matched(_ATTRIBUTE_NAME, text, offset)}' is given twice"
    elif code == _UNCLOSED_TOKEN:
        message = _explain_unclosed(text, offset)
    elif code in _BAD_TOKEN:
        tag = _unended_tag(text, offset) if text.startswith("<", offset) else None
        message = _explain_token(text, offset) if tag is None else _explain_unended(text, tag, offset)
        return Malformed(message, offset, code, tag)
    else:
        message = _MESSAGES.get(code) or expat.ErrorString(code) or "this is not XML"
    return Malformed(message, offset, code=code)


def _explain_nesting(text: str, data: bytes, code: int, offset: int) -> Malformed:
    """Word that an element is not closed where it should be."""
    opened = _open_elements(data)
    if not opened:
        return Malformed("the file contains no element", offset, code=code)
    tag, start = opened[-1]
    opening = _character_at(text, data, start)
    begun = f"<{cut(tag)}> of line {text.count(chr(10), 0, opening) + 1}"
    if code == _NO_ELEMENTS:
        return Malformed(f"{begun} is never closed", opening, code, opening)
    end_tag = text.rfind("</", 0, offset + 1)
    found = _END_TAG_START.match(text, end_tag)
    closing = found[0] if found else ""
    if closing[2:] in (name for name, _ in opened):
        line = text.count("\n", 0, end_tag) + 1
        message = f"<{cut(tag)}> is not closed before {cut(closing)}> of line {line}"
        return Malformed(message, end_tag, code, opening)
    return Malformed(f"{cut(closing)}> is where {begun} should be closed", end_tag, code)


def open_value(text: str, tag: int, offset: int) -> int | None:
    """Return where the value begins whose quote is open at an offset inside a tag, None if none is.

    Parameters
    ----------
    tag
        Where the tag begins.
    """
    at = tag
    while quote := _QUOTE_OR_END.search(text, at, offset):
        if quote[0] == ">":
            return None
        at = text.find(quote[0], quote.end(), offset) + 1
        if not at:
            return quote.start()
    return None


def _unended_tag(text: str, offset: int) -> int | None:
    """Return where the tag begins in which a '<' is, None if it is in none."""
    tag = text.rfind("<", 0, offset)
    if tag < 0 or not _TAG_NAME_START.match(text, tag + 1):
        return None
    is_open = open_value(text, tag, offset) is not None or text.find(">", tag, offset) < 0
    return tag if is_open else None


def _explain_unended(text: str, tag: int, offset: int) -> str:
    """Word that a tag has no end before another one begins."""
    value, name = open_value(text, tag, offset), _matched(_TAG_START, text, tag)
    attribute = None if value is None else _VALUE_OF.search(text[max(tag, value - 300) : value])
    if attribute is not None:
        return f"the value of '{attribute[1]}' in the tag {name}> has no closing quote"
    return f"the tag {name} has no end: '>' or a quote is missing"


def _matched(pattern: re.Pattern[str], text: str, offset: int) -> str:
    """Return the match of a pattern at an offset, shortened for a message."""
    match = pattern.match(text, offset)
    return cut(match[0]) if match else ""


def _explain_unclosed(text: str, offset: int) -> str:
    if text.startswith("<!--", offset):
        return "a comment has no end: '-->' is missing"
    if text.startswith("<?", offset):
        return "a processing instruction has no end: '?>' is missing"
    return f"the tag {_matched(_TAG_START, text, offset)} has no end: '>' or a quote is missing"


def _explain_token(text: str, offset: int) -> str:
    """Word what is wrong with the character at which expat stumbles."""
    character = text[offset : offset + 1]
    message = f"'{character}' is not allowed here"
    tag = _OPEN_TAG.search(text, max(text.rfind("<", 0, offset), 0), offset)
    if not character:
        message = "the file ends unexpectedly"
    elif text.rfind("<!--", 0, offset) > text.rfind("-->", 0, max(offset - 1, 0)):
        message = "'--' inside a comment"
    elif character == "&" or text[offset - 1 : offset] == "&":
        message = Message("'&' does not begin a reference", PLAIN_AMPERSAND)
    elif character < " " and character not in "\t\r\n":
        message = f"control character U+{ord(character):04X}"
    elif tag is not None:
        message = _explain_in_tag(text[max(tag.start(), offset - 300) : offset], cut(tag[1]), character)
    elif character == "<":
        message = Message("'<' does not begin a tag", _PLAIN_LESS)
    elif text.startswith("]]>", offset):
        message = "']]>' in text, which should be ']]&gt;'"
    return message


def _explain_in_tag(before: str, tag: str, character: str) -> str:
    """Word what is wrong with a character inside a tag; ``before`` is the tag up to it, at least the end."""
    if not tag or tag == "/":
        return Message(f"a tag begins with '{character}' instead of a name", _PLAIN_LESS)
    if before.endswith(('"', "'")):
        return f"a space is missing before '{character}' in the tag <{tag}>"
    if attribute := _VALUE_OF.search(before):
        return f"the value of '{attribute[1]}' is not in quotes"
    if attribute := re.search(r"\s([^\s=<>\"']+)\s*\Z", before):
        return f"the attribute '{attribute[1]}' of <{tag}> has no value"
    return f"'{character}' is not allowed in the tag <{tag}>"
