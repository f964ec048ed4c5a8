"""Repair text that libsdformat accepts although it is not strict XML.

libsdformat reads files with tinyxml2, which is more lenient than the standard. :func:`repair` covers just that
difference, so that a text which is still refused afterwards is one that libsdformat refuses as well.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sdfviewer.diagnostics import Message
from sdfviewer.document.xml.wellformed import DECLARATION, PLAIN_AMPERSAND, is_well_formed

#: No more than this many are listed: a broken file may hold one for each character.
MAX_REPAIRS = 1000

# The names of tinyxml2: any character beyond ASCII may stand anywhere.
_NAME = r"[A-Za-z_:\x80-\U0010ffff][A-Za-z0-9_:.\x80-\U0010ffff-]*"
_VALUE = r"""(?:"[^"]*"|'[^']*')"""
# The look-ahead keeps the name whole: `<ab="c">` is not an attribute `b` of an element `a`.
_START_TAG = re.compile(
    rf"<({_NAME})(?![A-Za-z0-9_:.\x80-\U0010ffff-])((?:[\s]*{_NAME}[\s]*=[\s]*{_VALUE})*)[\s]*(/?)>", re.ASCII
)
_END_TAG = re.compile(rf"</({_NAME})\s*>", re.ASCII)
_ATTRIBUTE = re.compile(rf"(\s*){_NAME}\s*=\s*({_VALUE})", re.ASCII)
_DOCTYPE = re.compile(rf"<!DOCTYPE\s+{_NAME}\s*>", re.ASCII)
_INSTRUCTION = re.compile(r"<\?(?!xml[\s?])[A-Za-z_:][\w.:-]*(?:\s.*)?\?>", re.ASCII | re.IGNORECASE | re.DOTALL)
_REFERENCE = re.compile(r"&(?:lt|gt|amp|quot|apos|#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7})));")
_AMPERSAND = re.compile("&")
_UNDEFINED = re.compile(r"&[\w.#-]+;")
# Not allowed in XML 1.0. A zero byte ends the text for libsdformat, so it is never repaired.
_CONTROL = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ODD_BLANK = re.compile("[\x0b\x0c]")
_NOT_LINE_END = re.compile(r"[^\r\n]")


class Repair(NamedTuple):
    """Something that is not XML though libsdformat reads it: where, and what in plain words."""

    start: int
    end: int
    message: str


def repair(text: str, *, is_malformed: bool = False) -> tuple[str, list[Repair]]:
    """Return a text of the same length that expat accepts where libsdformat accepts ``text``, and what differs.

    The answer is for judging and for offsets only: characters that offend are overwritten there, so names, values and
    text must be read from the original. Everything after the first fault that libsdformat refuses too stays as it is.

    Covered are: ``--`` inside a comment; a declaration that follows blanks, is repeated, or does not say what it must;
    ``&`` that begins no reference; ``<`` in the value of an attribute; ``]]>`` in text; control characters; attributes
    without a space between them; a document type, which is ignored with all its entities; text and further elements
    outside the root element.

    Parameters
    ----------
    text
        Any text.
    is_malformed
        Whether expat is known to refuse it: to ask again takes as long as to read it.

    Notes
    -----
    Source: tinyxml2 9 and 10, ``XMLDocument::Identify``, ``XMLNode::ParseDeep``, ``XMLElement::ParseAttributes``,
    ``XMLUtil::GetCharacterRef``; libsdformat 17, ``readFileInternal`` in src/parser.cc.
    """
    if not is_malformed and is_well_formed(text):
        return text, []
    scan = _Scan(text)
    scan.run()
    return scan.repaired(), sorted(scan.repairs)


class _Scan:
    """One pass over a text with the eyes of tinyxml2, collecting what expat would not accept."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.repairs: list[Repair] = []
        self._overwritten: list[tuple[int, str]] = []
        self._open: list[str] = []
        self._root_closed = False
        self._only_declarations = True
        self._first_character = len(text) - len(text.lstrip())
        self._surplus: int | None = None

    def repaired(self) -> str:
        pieces: list[str] = []
        at = 0
        for start, replacement in sorted(self._overwritten):
            # If two overlap, the one that starts earlier blanks the other as well.
            if start >= at:
                pieces += (self.text[at:start], replacement)
                at = start + len(replacement)
        return "".join((*pieces, self.text[at:]))

    def run(self) -> None:
        at = 0
        while at is not None and at < len(self.text):
            markup = self.text.find("<", at)
            end = len(self.text) if markup < 0 else markup
            if markup < 0 and self.text[at:].strip():
                return  # text at the very end, which tinyxml2 refuses too
            self._character_data(at, end)
            if markup < 0:
                break
            following = self._markup(markup)
            if following is None:  # reading cannot go on from here
                return
            at = following
        if self._surplus is not None and not self._open:
            self._blank(self._surplus, len(self.text))

    def _note(self, start: int, end: int, message: str) -> None:
        if len(self.repairs) < MAX_REPAIRS:
            self.repairs.append(Repair(start, end, message))

    def _overwrite(self, start: int, replacement: str) -> None:
        self._overwritten.append((start, replacement))

    def _blank(self, start: int, end: int) -> None:
        self._overwrite(start, _NOT_LINE_END.sub(" ", self.text[start:end]))

    def _markup(self, at: int) -> int | None:
        """Pass over what begins with ``<`` at an offset and return where it ends, None where it cannot be read."""
        if self.text.startswith("<?", at):
            return self._instruction(at)
        self._only_declarations = False
        for beginning, read in (
            ("<!--", self._comment),
            ("<![CDATA[", self._character_section),
            ("<!", self._document_type),
            ("</", self._end_tag),
        ):
            if self.text.startswith(beginning, at):
                return read(at)
        return self._start_tag(at)

    def _character_section(self, at: int) -> int | None:
        end = self.text.find("]]>", at + 9)
        if end < 0:
            return None
        self._control_characters(at, end)
        if not self._open:
            self._outside(at, end + 3)
        return end + 3

    def _instruction(self, at: int) -> int | None:
        end = self.text.find("?>", at + 2) + 2
        if end < 2:
            return None
        written = self.text[at:end]
        declaration = written[2:5].lower() == "xml" and not (written[5:6].isalnum() or written[5:6] in "-_.:")
        if not self._only_declarations:
            return None if declaration else end
        if declaration and at > 0:
            first = at <= self._first_character
            what = "the XML declaration is not the first thing in the file" if first else "a second XML declaration"
        elif declaration and not DECLARATION.fullmatch(written):
            what = Message("an incomplete XML declaration", 'it should read <?xml version="1.0"?>')
        elif not declaration and not _INSTRUCTION.fullmatch(written):
            what = "a processing instruction without a name"
        else:
            return end
        self._note(at, end, what)
        self._blank(at, end)
        return end

    def _comment(self, at: int) -> int | None:
        end = self.text.find("-->", at + 4)
        if end < 0:
            return None
        inside = self.text[at + 4 : end]
        dashes = inside.find("--")
        if dashes < 0 and inside.endswith("-"):
            dashes = len(inside) - 1
        if dashes >= 0:
            self._note(at + 4 + dashes, at + 6 + dashes, "'--' inside a comment")
            self._overwrite(at + 4, _CONTROL.sub(" ", inside.replace("-", " ")))
        else:
            self._control_characters(at + 4, end)
        return end + 3

    def _document_type(self, at: int) -> int | None:
        end = self.text.find(">", at + 2) + 1
        if end < 1:
            return None
        if self._open or self._root_closed or not _DOCTYPE.fullmatch(self.text, at, end):
            # tinyxml2 ends it at the first ">", takes the rest of an internal subset for text, and drops both.
            self._note(at, end, "a document type or entity declaration, which is ignored")
            self._blank(at, end)
        return end

    def _end_tag(self, at: int) -> int | None:
        tag = _END_TAG.match(self.text, at)
        if tag is None:
            return None
        self._odd_blanks(*tag.span())
        if self._open:
            if self._open.pop() != tag[1]:
                self._open.append("")  # never closed: what was blanked so far must not hide this
                return None
            self._root_closed = self._root_closed or not self._open
            return tag.end()
        if not self._root_closed:
            return None
        self._note(*tag.span(), f"</{tag[1]}> has no start tag: everything from here on is ignored")
        self._blank(self._surplus if self._surplus is not None else at, len(self.text))
        return len(self.text)

    def _start_tag(self, at: int) -> int | None:
        tag = _START_TAG.match(self.text, at)
        if tag is None:
            return None
        if not self._open and self._root_closed and self._surplus is None:
            self._surplus = at
            self._note(*tag.span(), f"<{tag[1]}> follows the end of the root element and is ignored")
        previous = None
        for attribute in _ATTRIBUTE.finditer(self.text, *tag.span(2)):
            start, end = attribute.start(2) + 1, attribute.end(2) - 1
            if previous is not None and not attribute[1] and len(previous) > 2:
                self._note(attribute.start(), attribute.start() + 1, "no space between two attributes")
                self._overwrite(attribute.start() - 2, previous[0] + " ")
            previous = attribute[2]
            self._references(start, end)
            self._control_characters(start, end, but="\x0b\x0c")  # those are seen to with the whole tag
            for offset in _found("<", self.text, start, end):
                self._note(offset, offset + 1, "'<' in the value of an attribute, which should be '&lt;'")
                self._overwrite(offset, " ")
        self._odd_blanks(*tag.span())
        if not tag[3]:
            self._open.append(tag[1])
        else:
            self._root_closed = self._root_closed or not self._open
        return tag.end()

    def _character_data(self, start: int, end: int) -> None:
        if not self._open:
            self._outside(start, end)
            return
        self._references(start, end)
        self._control_characters(start, end)
        for offset in _found("]]>", self.text, start, end):
            self._note(offset, offset + 3, "']]>' in text, which should be ']]&gt;'")
            self._overwrite(offset, "   ")

    def _outside(self, start: int, end: int) -> None:
        """Blank character data outside the root element."""
        data = self.text[start:end]
        stripped = data.strip(" \t\r\n")
        if stripped and "\0" not in stripped:
            self._only_declarations = False
            start += data.index(stripped)
            self._note(start, start + len(stripped), "text outside the root element")
            self._blank(start, start + len(stripped))

    def _references(self, start: int, end: int) -> None:
        for ampersand in _AMPERSAND.finditer(self.text, start, end):
            offset = ampersand.start()
            if _is_reference(_REFERENCE.match(self.text, offset, end)):
                continue
            undefined = _UNDEFINED.match(self.text, offset, end)
            what = f"'{undefined[0]}' is not defined" if undefined else "'&' without a name and ';'"
            self._note(offset, offset + 1, Message(what, PLAIN_AMPERSAND))
            self._overwrite(offset, " ")

    def _odd_blanks(self, start: int, end: int) -> None:
        """Overwrite what is a blank to tinyxml2 but not to the standard."""
        for blank in _ODD_BLANK.finditer(self.text, start, end):
            self._note(*blank.span(), f"control character U+{ord(blank[0]):04X}")
            self._overwrite(blank.start(), " ")

    def _control_characters(self, start: int, end: int, but: str = "") -> None:
        for character in _CONTROL.finditer(self.text, start, end):
            if character[0] in but:
                continue
            self._note(*character.span(), f"control character U+{ord(character[0]):04X}")
            self._overwrite(character.start(), " ")


def _found(what: str, text: str, start: int, end: int) -> list[int]:
    """Return the offsets of ``what`` between two places."""
    offsets = []
    while (start := text.find(what, start, end)) >= 0:
        offsets.append(start)
        start += len(what)
    return offsets


def _is_reference(match: re.Match[str] | None) -> bool:
    """Return whether a match is a reference that XML defines, to a character that XML knows."""
    if match is None:
        return False
    hexadecimal, decimal = match.groups()
    if hexadecimal is None and decimal is None:
        return True
    code = int(hexadecimal, 16) if hexadecimal else int(decimal)
    return code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0x10000 <= code <= 0x10FFFF
