"""From text to elements.

expat decides whether a text is well-formed (:mod:`sdfviewer.document.xml.wellformed`). This scanner only gets text that
is, so one regular expression for each token is enough, and every token's offset in the text is exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.element import ATTRIBUTE, Element

#: libsdformat's XML reader stops at this depth as well.
MAX_DEPTH = 500
#: A file has no more elements and attributes together, and no more characters in one tag, text or comment: to read it
#: would take more than five seconds, or exhaust memory.
MAX_ELEMENTS, MAX_RUN = 800_000, 10_000_000

# The last group that matches tells what a token is, none for what is passed over. An element that holds only text is a
# token: most elements do, and what is done for each token takes most of the time. Names and blanks are where they may
# be, as TinyXML2 sees them, so sets that are quick to match are enough.
_EMPTY, _LEAF, _END = 3, 4, 5
_TOKEN = re.compile(
    r"""<(?:
        ([^ \t\r\n\v\f/>!?]+)                                     # 1: name of a start tag
        ([^"'>/]*(?:(?:"[^"]*"|'[^']*'|/(?!>))[^"'>/]*)*)         # 2: its attributes
        (?:(/)>                                                   # 3: empty element
          |>(?:([^<]*)</[^>]+>)?)                                 # 4: the text of an element that holds only text
      | (/)[^>]+>                                                 # 5: end tag
      | !--.*?-->
      | !\[CDATA\[.*?\]\]>
      | \?.*?\?>
      | ![^\[>]*\[.*?\]\s*>                                       # document type with declarations
      | ![^>]*>                                                   # document type as libsdformat sees it
    )""",
    re.VERBOSE | re.DOTALL,
)
_LONG = re.compile(f"<[^<]{{{MAX_RUN}}}")
_LEADING_COMMENTS = re.compile(r"(?:\s*<(?:!--.*?--|\?.*?\?)>)*", re.DOTALL)
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(lt|gt|amp|quot|apos));")
#: Digits of the largest character reference, ``&#1114111;``.
_MOST_DIGITS = 7
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


class StructureError(SdfViewerError):
    """Elements are nested too deep, or not at all as the tags seem to say; ``offset`` is where that shows."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


class NestingError(StructureError):
    """Elements are nested deeper than :data:`MAX_DEPTH`."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"elements are nested more than {MAX_DEPTH} deep", offset)


class SizeError(StructureError):
    """More elements and attributes than :data:`MAX_ELEMENTS`, or more characters in one piece than :data:`MAX_RUN`."""


def check_size(text: str) -> None:
    """Refuse a tag, a text or a comment that is too long before it is parsed: expat takes seconds for one.

    Raises
    ------
    SizeError
        If there are more than :data:`MAX_RUN` characters between two "<".
    """
    if long := _LONG.search(text):
        raise SizeError(f"more than {MAX_RUN:,} characters follow without another '<'", long.start())


def resolve_references(text: str) -> str:
    """Return ``text`` with character references and the five predefined entities resolved; others stay as written."""
    if "&" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        hexadecimal, decimal, name = match.groups()
        if name:
            return _NAMED[name]
        digits = (hexadecimal or decimal).lstrip("0")
        if len(digits) > _MOST_DIGITS:  # no character, and Python refuses to read thousands of digits
            return match[0]
        code = int(digits or "0", 16 if hexadecimal else 10)
        return chr(code) if code < 0x110000 else match[0]

    return _REFERENCE.sub(replace, text)


def escape(text: str, quote: str = "") -> str:
    """Return ``text`` as it is written in XML; inside an attribute, give the ``quote`` that surrounds it."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if not quote:
        return text
    # XML readers turn each of these in an attribute into a space.
    text = text.replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")
    return text.replace('"', "&quot;") if quote == '"' else text.replace("'", "&apos;")


def text_before(content: str, children: Sequence[Element]) -> str:
    """Return the text of an element that holds ``content`` before the first of its children, or at all.

    It counts in an element with children, too, as in TinyXML2. Blanks do not count there.
    """
    if "<" in content:
        content = _character_data(content)
    elif "&" in content:
        content = resolve_references(content)
    return "" if children and content.isspace() else content


def _character_data(content: str) -> str:
    """Return the first run of character data in an element's ``content`` that holds a comment or a CDATA section."""
    start = _LEADING_COMMENTS.match(content).end()  # type: ignore[union-attr]  # matches the empty string too
    if cdata := _CDATA.match(content, start):
        return cdata[1]
    end = content.find("<", start)
    return resolve_references(content[start:] if end < 0 else content[start:end])


def parse_element(text: str) -> tuple[Element, int]:  # noqa: PLR0912, PLR0915  # one loop, for speed
    """Return the root element of well-formed ``text`` and the offset at which it starts.

    Raises
    ------
    StructureError
        If elements are nested deeper than :data:`MAX_DEPTH`, there is too much, or a repaired text has no element after
        all.
    """
    # The parts of the innermost open element are variables, for speed; those around it are on the stack, the document
    # itself at the bottom.
    stack: list[tuple[str, dict[str, str] | None, int, int, list[Element], list[int]]] = []
    tag = ""
    values: dict[str, str] | None = None
    start = content_start = 0
    children: list[Element] = []
    offsets: list[int] = []
    find_attributes = ATTRIBUTE.findall
    # Where a file has fewer of these characters, nothing needs to be counted.
    is_counted = text.count("<") + text.count("=") > MAX_ELEMENTS
    count = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastindex
        if kind == _END:
            if not stack:
                break
            end_start, end = token.span()
            content = text[content_start : start + offsets[0] if children else end_start]
            if children and content.isspace():  # nearly always
                content = ""
            elif content:
                content = text_before(content, children)
            before, after, length = content_start - start, end - end_start, end - start
            element = Element(tag, values, content, tuple(children), tuple(offsets), before, after, length)
            element_start = start
            tag, values, start, content_start, children, offsets = stack.pop()
            offsets.append(element_start - start)
            children.append(element)
        elif kind is not None:
            start_tag, inside, _, content, _ = token.groups()
            new_start, end = token.span()
            new_values: dict[str, str] | None = None
            if inside and "=" in inside:
                new_values = {name: quoted[1:-1] for name, quoted in find_attributes(inside)}
                if "&" in inside:
                    new_values = {name: resolve_references(value) for name, value in new_values.items()}
            if is_counted:
                count += 1 + len(new_values or ())
                if count > MAX_ELEMENTS:
                    raise SizeError(f"the file has more than {MAX_ELEMENTS:,} elements and attributes", new_start)
            if kind == _EMPTY:
                element = Element(start_tag, new_values, "", (), (), end - new_start, 0, end - new_start)
            elif len(stack) >= MAX_DEPTH:
                raise NestingError(new_start)
            elif kind == _LEAF:
                if "&" in content:
                    content = resolve_references(content)
                first, last = token.span(_LEAF)
                element = Element(
                    start_tag, new_values, content, (), (), first - new_start, end - last, end - new_start
                )
            else:
                stack.append((tag, values, start, content_start, children, offsets))
                tag, values, start, content_start, children, offsets = start_tag, new_values, new_start, end, [], []
                continue
            offsets.append(new_start - start)
            children.append(element)
        if children and not stack:  # what follows the root element was only let through by a repair
            break
    if stack or not children:
        raise StructureError("the tags do not form one element", start)
    return children[0], offsets[0]


# The only token with a name (group 2) is a tag; the last group tells whether it has an end. Of the others this is the
# beginning: `str.find` reaches the end of a comment of megabytes twenty times as fast as a pattern.
_MARK = re.compile(r"<!--|<!\[CDATA\[|<\?|<(/?)([^\s<>/\"']*)([^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*)(>?)")
_ENDS = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}
_NAME, _FILENAME = (re.compile(rf"\b{name}\s*=\s*(?:\"([^\"]*)\"|'([^']*)')") for name in ("name", "filename"))


class Tag(NamedTuple):
    """A start or end tag: where it is, and what it says."""

    start: int
    end: int
    name: str
    attributes: str
    is_end: bool
    is_whole: bool

    @property
    def is_empty(self) -> bool:
        """Whether it is a whole element: ``<a/>``."""
        return not self.is_end and self.attributes.endswith("/")

    @property
    def name_start(self) -> int:
        """Where its name begins."""
        return self.start + (2 if self.is_end else 1)

    @property
    def name_attribute(self) -> str | None:
        """The value of its ``name``, as a reader gets it; None where it has none."""
        return self._value(_NAME)

    @property
    def filename_attribute(self) -> str:
        """The value of its ``filename``, empty where it has none."""
        return self._value(_FILENAME) or ""

    def _value(self, pattern: re.Pattern[str]) -> str | None:
        match = pattern.search(self.attributes)
        return None if match is None else resolve_references(match[1] if match[1] is not None else match[2])


def comment_end(text: str, start: int) -> int:
    """Return the end of the comment that begins at an offset.

    One that is never closed, or only where another one ends, is being typed: it ends with its line.
    """
    end = text.find("-->", start + 4)
    if end < 0 or text.find("<!--", start + 4, end) >= 0:
        end = text.find("\n", start)
        return len(text) if end < 0 else end
    return end + 3


def find_markup(text: str, start: int = 0) -> Iterator[tuple[int, int, Tag | None]]:
    """Yield start and end of what is between angle brackets, from an offset on that is inside of none, and the tag.

    Comments, CDATA and instructions have no tag, and what has no end goes to the end of the text.
    """
    at = start
    while (match := _MARK.search(text, at)) is not None:
        begin, at = match.span()
        if (end := _ENDS.get(match[0])) is not None:
            at = text.find(end, at)
            at = len(text) if at < 0 else at + len(end)
            yield begin, at, None
        elif match[2]:
            yield begin, at, Tag(begin, at, match[2], match[3].rstrip(), bool(match[1]), bool(match[4]))


def find_tags(text: str, start: int = 0) -> Iterator[Tag]:
    """Yield the tags of a text from an offset on that is inside of none."""
    return (tag for _, _, tag in find_markup(text, start) if tag is not None)
