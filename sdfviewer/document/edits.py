"""Edits as minimal text replacements.

Each function returns the replacements, in offsets of the document it is given; several edits of one snapshot can be
added up and made at once as long as they do not overlap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.document.xml.parse import escape

if TYPE_CHECKING:
    from sdfviewer.document.topics import Announced

Replacements: TypeAlias = tuple[Replacement, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """One undo step, and what it means for those who know things by their names.

    Attributes
    ----------
    label
        Its name in the history.
    document
        The document that it was computed from: it applies to no other.
    replacements
        What makes it, in offsets of that document.
    renamed
        Old and new scoped names of what it renames; equal ones where a model becomes a frame.
    added
        Scoped names of what is there only after it.
    notes
        What means something else after it, in sentences that begin with ``file:line:``.
    losses
        What could not be carried over, in sentences of the same form.
    about
        What losses and notes are about, and what may differ there: nothing else may.
    """

    label: str
    document: Document
    replacements: Replacements
    renamed: tuple[tuple[str, str], ...] = ()
    added: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    about: tuple[Announced, ...] = ()

    def fits(self, document: Document) -> bool:
        """Return whether it can be made in a document: whether that has the text that it was computed from.

        Elements of a text that is not XML may not be all that it has: no edit is computed from them.
        """
        is_same = self.document is document or self.document.text == document.text
        return is_same and not self.document.is_recovered


def set_attribute(document: Document, element: Element, name: str, value: str | None) -> Replacements:
    """Return the edit that writes, changes or (``value`` None) removes an attribute; quotes stay as they are."""
    written = document.attribute_offsets(element, name)
    if written is None:
        return () if value is None else add_attributes(document, element, {name: value})
    start, end = written
    if value is None:
        while document.text[start - 1].isspace():
            start -= 1
        return (Replacement(start, end, ""),)
    if element.attributes.get(name) == value:
        return ()
    quote = document.text[end - 1]
    first = document.text.index(quote, start) + 1
    return (Replacement(first, end - 1, escape(value, quote)),)


def add_attributes(document: Document, element: Element, values: Mapping[str, str]) -> Replacements:
    """Return the edit that writes attributes that an element does not have behind those that it has."""
    if not values:
        return ()
    start = document.offset(element)
    last = ATTRIBUTES_END.match(document.text, start + 1 + len(element.tag), start + element.start_length)
    at = start + 1 + len(element.tag) if last is None else last.end()
    text = "".join(f" {format_attribute(name, value, document.quote)}" for name, value in values.items())
    return (Replacement(at, at, text),)


def format_attribute(name: str, value: str, quote: str = '"') -> str:
    """Return ``name="value"`` with the quotes given."""
    return f"{name}={quote}{escape(value, quote)}{quote}"


def in_steps(document: Document, lines: Iterable[str]) -> str:
    """Return lines whose levels are indented by two blanks as XML with the indentation steps of a document."""
    step, contents = indentation_step(document), ((line, line.lstrip(" ")) for line in lines)
    return "\n".join(step * ((len(line) - len(content)) // 2) + content for line, content in contents)


def xml_lines(tag: str, attributes: Mapping[str, str] | None = None, content: Iterable[str] | str = ()) -> list[str]:
    """Return the lines of an element, each level indented by two blanks.

    Parameters
    ----------
    tag, attributes
        Of its start tag; values are escaped.
    content
        Lines of the elements in it, or its text, which is escaped.
    """
    start = " ".join([f"<{tag}", *(format_attribute(name, value) for name, value in (attributes or {}).items())])
    if isinstance(content, str):
        return [f"{start}>{escape(content)}</{tag}>"] if content else [f"{start}/>"]
    inner = [f"  {line}" if line else line for line in content]
    return [f"{start}>", *inner, f"</{tag}>"] if inner else [f"{start}/>"]


def with_quotes(xml: str, quote: str) -> str:
    """Return XML with the attributes of its start tags in the quotes given; comments and CDATA stay as they are."""
    other = "'" if quote == '"' else '"'
    if other not in xml:
        return xml

    def turn(attribute: re.Match[str]) -> str:
        value = attribute["value"]
        # Both escape the quote around them; the other quote may stay as it is.
        value = value.replace(quote, "&quot;" if quote == '"' else "&apos;")
        return f"{attribute['name']}{quote}{value}{quote}"

    attribute = re.compile(rf"(?P<name>\s[^\s=/<>\"']+\s*=\s*){other}(?P<value>[^{other}]*){other}")
    return _TAG.sub(lambda tag: attribute.sub(turn, tag[0]) if tag["start"] else tag[0], xml)


#: A comment, CDATA or processing instruction, or else a start tag.
_TAG = re.compile(
    r"""<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|(?P<start><[^\s/<>!?](?:[^"'<>]|"[^"]*"|'[^']*')*>)""", re.DOTALL
)


#: From the end of a start tag's name to the end of its last attribute.
ATTRIBUTES_END = re.compile(r"""(?:\s+[^\s=/<>"']+\s*=\s*(?:"[^"]*"|'[^']*'))+""")


def set_text(document: Document, element: Element, text: str) -> Replacements:
    """Return the edit that changes an element's text; blanks around it and comments beside it stay."""
    if element.text.strip() == text:
        return ()
    if element.end_length == 0:
        return _open_up(document, element, escape(text))
    return (Replacement(*text_offsets(document, element), escape(text)),)


def text_offsets(document: Document, element: Element) -> tuple[int, int]:
    """Return start and end of the run of text that an element's value is read from, without blanks around it.

    If there is none, both are where it would be written.
    """
    first, last = document.content_offsets(element)
    run = TEXT_RUN.search(document.text[first:last])
    return (first, first) if run is None else (first + run.start(2), first + run.end(2))


def _open_up(document: Document, element: Element, content: str) -> Replacements:
    """Return the edit that makes ``<a/>`` into ``<a>content</a>``; it leaves the attributes to other edits."""
    start = document.offset(element)
    source = document.text[start : start + element.length]
    slash = len(source[: source.rindex("/")].rstrip())
    return (Replacement(start + slash, start + element.length, f">{content}</{element.tag}>"),)


#: The first run of text of an element's content, after blanks and comments: group 2, without surrounding blanks.
TEXT_RUN = re.compile(r"^((?:\s*<!--.*?-->)*\s*)((?:<!\[CDATA\[.*?\]\]>|[^<\s])(?:[^<]*[^<\s])?)", re.DOTALL)


def indentation(document: Document, element: Element) -> str:
    """Return the blanks that precede an element on its line, empty where something else is there."""
    start = document.offset(element)
    first = _blanks_begin(document.text, start)
    return document.text[first:start] if _begins_line(document.text, first) else ""


def _blanks_begin(text: str, end: int) -> int:
    """Return where the blanks of a line begin that end at an offset; only they are looked at, a line may be all."""
    while end > 0 and text[end - 1] != "\n" and text[end - 1].isspace():
        end -= 1
    return end


def _begins_line(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] == "\n"


def indentation_step(document: Document) -> str:
    """Return by how much the file indents one level, judged by its first indented child; two blanks by default."""
    step = _STEPS.get(document)
    if step is None:
        step = _STEPS[document] = _indentation_step(document)
    return step


#: An edit of many elements asks for each of them.
_STEPS: WeakKeyDictionary[Document, str] = WeakKeyDictionary()


def _indentation_step(document: Document) -> str:
    front = [document.root] if document.root is not None else []
    for _ in range(_MOST_ASKED):
        if not front:
            break
        parent = front.pop(0)
        outer = indentation(document, parent)
        for child in parent.children[:_MOST_CHILDREN]:
            inner = indentation(document, child)
            if len(inner) > len(outer) and inner.startswith(outer):
                return inner[len(outer) :]
        front.extend(parent.children[:_MOST_CHILDREN])
    return "  "


#: Without indentation there is no need to read the whole file: so many children of so many elements are checked.
_MOST_ASKED, _MOST_CHILDREN = 32, 8


def as_one(label: str, edits: Sequence[Edit]) -> Edit:
    """Return edits of different parts of one text as one undo step."""
    if len(edits) == 1:
        return edits[0]
    replacements = tuple(each for edit in edits for each in edit.replacements)
    return Edit(label, edits[0].document, replacements, added=tuple(name for edit in edits for name in edit.added))


def element_behind(document: Document, element: Element) -> Element | None:
    """Return what follows an element in its parent, None behind the last one and for the root."""
    parent = document.parent(element)
    siblings = () if parent is None else parent.children
    return next((siblings[at + 1] for at, each in enumerate(siblings[:-1]) if each is element), None)


def insert_behind(document: Document, element: Element, xml: str) -> Replacements:
    """Return the edit that writes an element behind another one below the root, see :func:`insert_child`."""
    parent = document.parent(element)
    assert parent is not None
    return insert_child(document, parent, xml, element_behind(document, element))


def insert_child(document: Document, parent: Element, xml: str, before: Element | None = None) -> Replacements:
    """Return the edit that writes an element into ``parent``, indented and quoted as the file is.

    Parameters
    ----------
    xml
        The new element; further lines are indented relative to the first.
    before
        The child before which it goes; at the end by default.
    """
    newline = document.newline
    child_indent = indentation(document, parent.children[0]) if parent.children else ""
    if not child_indent:
        child_indent = indentation(document, parent) + indentation_step(document)
    block = reindented(with_quotes(xml, document.quote), "", child_indent, newline)
    if before is not None:
        at = document.offset(before)
        shares_line = not _begins_line(document.text, _blanks_begin(document.text, at))
        gap = "" if shares_line and "\n" not in block else f"{newline}{child_indent}"
        return (Replacement(at, at, block + gap),)
    if parent.end_length == 0:
        return _open_up(document, parent, f"{newline}{child_indent}{block}{newline}{indentation(document, parent)}")
    first, last = document.content_offsets(parent)
    content_end = first + len(document.text[first:last].rstrip())
    tail = "" if "\n" in document.text[content_end:last] else newline + indentation(document, parent)
    return (Replacement(content_end, content_end, f"{newline}{child_indent}{block}{tail}"),)


def prepend_child(document: Document, parent: Element, xml: str) -> Replacements:
    """Return the edit that writes an element as the first one in ``parent``; see :func:`insert_child`."""
    return insert_child(document, parent, xml, parent.children[0] if parent.children else None)


def replace_element(document: Document, element: Element, xml: str) -> Replacements:
    """Return the edit that writes another element in the place of one; see :func:`insert_child`."""
    text = reindented(with_quotes(xml, document.quote), "", indentation(document, element), document.newline)
    return (Replacement(*document.offsets(element, "element"), text),)


def set_tag(document: Document, element: Element, tag: str) -> Replacements:
    """Return the edit that calls an element otherwise, in its start tag and in its end tag."""
    if tag == element.tag:
        return ()
    start = document.offset(element)
    places = [start + 1, *([start + element.length - element.end_length + 2] if element.end_length else [])]
    return tuple(Replacement(place, place + len(element.tag), tag) for place in places)


def element_source(document: Document, element: Element, changes: Replacements = ()) -> str:
    """Return the text of an element, ready to be inserted: its further lines are indented relative to the first.

    Parameters
    ----------
    changes
        Edits within the element that the text is to have.
    """
    start, end = document.offsets(element, "element")
    text = document.text[start:end]
    for change in sorted(changes, key=lambda change: (change.start, change.end), reverse=True):
        text = text[: change.start - start] + change.text + text[change.end - start :]
    return reindented(text, indentation(document, element), "")


def reindented(text: str, old: str, new: str, newline: str = "\n") -> str:
    """Return the text of an element with the indentation of its further lines changed; CDATA stays as it is."""
    lines = re.split(r"\r?\n", text)
    raw = [match.span() for match in CDATA.finditer(text)]
    starts = [match.end() for match in re.finditer("\n", text)]
    result = [lines[0]]
    for line, at in zip(lines[1:], starts, strict=True):
        is_raw = any(first < at < last for first, last in raw)
        result.append(line if is_raw or not line else new + line.removeprefix(old))
    return newline.join(result)


#: Text that is taken as it is written.
CDATA = re.compile(r"<!\[CDATA\[.*?\]\]>", re.DOTALL)


def remove_element(document: Document, element: Element) -> Replacements:
    """Return the edit that takes an element out, with its line if nothing else is on it."""
    start, end = document.offsets(element, "element")
    text = document.text
    line_start = _blanks_begin(text, start)
    rest = _REST_OF_LINE.match(text, end) if _begins_line(text, line_start) else None
    return (Replacement(line_start, rest.end(), "") if rest else Replacement(start, end, ""),)


_REST_OF_LINE = re.compile(r"[^\S\n]*\n")
