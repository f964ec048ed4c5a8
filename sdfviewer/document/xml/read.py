"""Read a text that may not be XML: its root element where it has one, and what is wrong with it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from sdfviewer.diagnostics import Replacement, Rule
from sdfviewer.document import text_rules as rules
from sdfviewer.document.element import Element
from sdfviewer.document.xml.encoding import ESCAPED_BYTES
from sdfviewer.document.xml.parse import MAX_DEPTH, NestingError, SizeError, StructureError, check_size, parse_element
from sdfviewer.document.xml.wellformed import check_well_formed

#: Maximum number of reported places with bytes that are invalid in the file's encoding.
_MOST_UNDECODABLE = 1000
_DECLARED_ENCODING = re.compile(r"""<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']""")


class TextProblem(NamedTuple):
    """A rule that a text breaks.

    Attributes
    ----------
    rule, arguments
        The rule and what its message is formatted with.
    start, end
        Where, in offsets.
    fix
        Label and replacements of the quick fix, if there is one.
    """

    rule: Rule
    start: int
    end: int
    arguments: tuple[str, ...]
    fix: tuple[str, Sequence[Replacement]] | None = None


class ParsedText(NamedTuple):
    """The root element of a text, None where it has none, the offset of the root, and what is wrong with the text."""

    root: Element | None
    offset: int
    problems: Sequence[TextProblem]


def prepare_for_faults() -> None:
    """Import what only a faulty text needs, whose patterns take 20 ms to compile. Another thread may do it."""
    from sdfviewer.document.xml import reconstruction, repair  # noqa: F401, PLC0415


def read_text(text: str, encoding_name: str) -> ParsedText:
    """Return the root element of a text and what is wrong with it.

    Parameters
    ----------
    text
        Any text.
    encoding_name
        How the file is encoded, for the message about bytes that are no text in it.
    """
    try:
        check_size(text)
    except SizeError as error:
        return ParsedText(None, 0, (_refusal(error),))
    return read_unlimited(text, encoding_name)


def read_unlimited(text: str, encoding_name: str, whole: str | None = None) -> ParsedText:
    """Return what :func:`read_text` does, of a text that may be blank over any length.

    Parameters
    ----------
    text, encoding_name
        See :func:`read_text`.
    whole
        The text with what is blank in ``text``: which tag is at fault shows in the elements beside it.
    """
    malformed = check_well_formed(text)
    repaired = text
    problems: list[TextProblem] = []
    if malformed is not None:
        if foreign := recognise(text):
            return ParsedText(None, 0, (TextProblem(rules.xml_syntax, 0, 1, (foreign,)),))
        from sdfviewer.document.xml.repair import repair  # noqa: PLC0415  # its patterns take a while to compile

        repaired, repairs = repair(text, is_malformed=True)
        problems += [TextProblem(rules.xml_not_strict, start, end, (what,)) for start, end, what in repairs]
        if repaired != text:
            malformed = check_well_formed(repaired)
    root, offset = None, 0
    if malformed is not None:
        from sdfviewer.document.xml.reconstruction import next_step  # noqa: PLC0415  # as repair

        step = next_step(repaired if whole is None else _repaired_as(whole, text, repaired), malformed)
        fix = None if step is None else (step.label, step.replacements)
        problems.append(TextProblem(rules.xml_syntax, *malformed.location(repaired), (malformed.message,), fix))
    else:
        try:
            root, offset = _parse_root(text, repaired)
        except StructureError as error:
            problems.append(_refusal(error))
    # How undecodable bytes are carried through; Python knows at once that a text is ASCII.
    for match in () if text.isascii() else islice(ESCAPED_BYTES.finditer(text), _MOST_UNDECODABLE):
        problems.append(TextProblem(rules.bad_encoding, *match.span(), (encoding_name,)))
    return ParsedText(root, offset, [*_check_declared_encoding(text, encoding_name), *problems])


def _repaired_as(whole: str, text: str, repaired: str) -> str:
    """Return a text with the repairs of another one, which is blank in places and as long."""
    if repaired == text:
        return whole
    return "".join(new if new != old else kept for kept, old, new in zip(whole, text, repaired, strict=True))


def _check_declared_encoding(text: str, encoding_name: str) -> Iterator[TextProblem]:
    """Yield the problem of an XML declaration with an unknown encoding."""
    declared = _DECLARED_ENCODING.match(text)
    if declared is None:
        return
    try:
        codecs.lookup(declared[1])
    except LookupError:
        read_as = encoding_name.upper()
        is_utf_8 = read_as == "UTF-8" and not ESCAPED_BYTES.search(text)
        fix = ("Declare UTF-8", (Replacement(*declared.span(1), "UTF-8"),)) if is_utf_8 else None
        yield TextProblem(rules.unknown_encoding, *declared.span(1), (declared[1], read_as), fix)


def _parse_root(text: str, repaired: str) -> tuple[Element, int]:
    """Return the root element of a text and its offset; where the scanner loses its way, that of the repaired text.

    Raises
    ------
    StructureError
        If neither is one element.
    """
    try:
        return parse_element(text)
    except (NestingError, SizeError):
        raise
    except StructureError:
        # A declaration inside an element may hide tags: it is blank in the repaired text, which has the same offsets.
        if repaired == text:
            raise
        return parse_element(repaired)


def _refusal(error: StructureError) -> TextProblem:
    rule, what = rules.xml_syntax, str(error)
    if isinstance(error, NestingError):
        rule, what = rules.too_deep, str(MAX_DEPTH)
    elif isinstance(error, SizeError):
        rule = rules.text_too_large
    return TextProblem(rule, error.offset, error.offset + 1, (what,))


#: How a file begins, undecodable bytes carried through, what it is then, and what to do.
_BEGINNINGS = (
    ("PK\x03\x04", "a ZIP archive: unpack it and open the model in it"),
    ("\x1f\udc8b", "a gzip archive: unpack it and open the model in it"),
    ("7z\udcbc\udcaf", "a 7z archive: unpack it and open the model in it"),
    ("\udc89PNG", "a picture"),
    ("\udcff\udcd8\udcff", "a picture"),
    ("PXR-USDC", "a USD scene: convert it to SDFormat first"),
    ("#usda", "a USD scene: convert it to SDFormat first"),
    ("glTF", "a mesh: reference it from the <uri> of a <mesh> in a model"),
    ("solid ", "a mesh: reference it from the <uri> of a <mesh> in a model"),
    ("mtllib ", "a mesh: reference it from the <uri> of a <mesh> in a model"),
    ("#VRML", "a VRML scene: convert it to a mesh first"),
    ("%YAML", "YAML"),
    ("{", "JSON"),
)
_WEB_PAGES = ("<!doctype html", "<html")
#: Number of characters at the beginning that are checked.
_LOOKED_AT = 1024
#: Maximum part of them that may be undecodable.
_MOST_STRANGE = 0.1


def recognise(text: str) -> str | None:
    """Return what kind of text it is that is not XML; None for text that may be broken XML.

    Parameters
    ----------
    text
        As :mod:`sdfviewer.document.xml.encoding` decodes it: bytes that are no text are lone surrogates.
    """
    if not text or text.isspace():
        return None
    start = text[:_LOOKED_AT]
    strange = sum(map(_is_strange, start))
    for beginning, what in _BEGINNINGS:
        if start.startswith(beginning) and (strange or "<" not in text):
            return f"this is not XML but {what}"
    if strange > _MOST_STRANGE * len(start):
        return "this is binary data, not text"
    if start.lstrip().lower().startswith(_WEB_PAGES):
        return "this is a web page: download the file itself"
    if "<" not in text:
        return "this is not XML: an SDFormat file starts with <sdf>, a URDF with <robot>"
    return None


def _is_strange(character: str) -> bool:
    """Return whether no text holds such a character."""
    return (character < " " and character not in "\t\r\n\f") or "\udc80" <= character <= "\udcff"
