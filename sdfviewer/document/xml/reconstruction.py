"""Reconstruct text that is not well-formed XML, step by step.

libsdformat refuses such a file. Here it is shown as it may have been meant, and each step is offered as a fix; the text
itself stays as it is until the user makes one. (What libsdformat reads though it is not XML is another matter, see
:mod:`sdfviewer.document.xml.repair`.)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from xml.parsers import expat

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.element import ATTRIBUTE
from sdfviewer.document.tables import ElementDefinition, definition_of_root
from sdfviewer.document.xml.parse import Tag, find_tags
from sdfviewer.document.xml.repair import repair
from sdfviewer.document.xml.wellformed import Malformed, check_well_formed, open_elements, open_value

#: Maximum number of characters of a text whose tags are compared: a reconstruction may take a hundred such steps.
_LONGEST = 500_000


@dataclass(frozen=True, slots=True)
class NestingChange:
    """A change after which an end tag fits.

    Attributes
    ----------
    label
        What it does, for a menu.
    replacement
        The edit of the text.
    tag, instead
        Which tag it changes, and the tags in its place.
    """

    label: str
    replacement: Replacement
    tag: Tag
    instead: tuple[Tag, ...]

    def applied(self, tags: Iterable[Tag]) -> Iterator[Tag]:
        """Yield the tags of the text after the change."""
        for tag in tags:
            if tag is self.tag:
                yield from self.instead
            else:
                yield tag


@dataclass(slots=True)
class _Open:
    """An element that is open: its start tag, its definition if it is known, and the start tags directly in it."""

    tag: Tag
    definition: ElementDefinition | None
    children: list[Tag]


def nesting_changes(text: str, at: int) -> list[NestingChange]:
    """Return the changes that let the end tag at an offset fit, the likeliest first.

    Parameters
    ----------
    text
        The text, well-formed up to the end tag.
    at
        Where the end tag is that does not fit.
    """
    if len(text) > _LONGEST:
        return []
    tags = [tag for tag in find_tags(text) if tag.is_whole]
    number = next((number for number, tag in enumerate(tags) if tag.start == at and tag.is_end), None)
    if number is None:
        return []
    opened = _open_at(tags[:number])
    if not opened:
        return []
    wrong, innermost = tags[number], opened[-1]
    if any(each.tag.name == wrong.name for each in opened):
        changes = list(_close(text, wrong, innermost))
    else:
        changes = list(_respell(tags, wrong, innermost.tag))
    return sorted(changes, key=lambda change: _cost(change.applied(tags)))


def _open_at(tags: Sequence[Tag]) -> list[_Open]:
    """Return the elements that are open after some tags, outermost first."""
    opened: list[_Open] = []
    for tag in tags:
        if tag.is_end:
            opened.pop()
            continue
        if opened:
            opened[-1].children.append(tag)
        if not tag.is_empty:
            around = opened[-1].definition if opened else None
            own = _definition_in(around, tag.name) if opened else definition_of_root(tag.name)
            opened.append(_Open(tag, own, []))
    return opened


def _close(text: str, wrong: Tag, innermost: _Open) -> Iterator[NestingChange]:
    """Yield where the innermost element may have lost its end tag: in front of one of its children, or of ``wrong``."""
    start = innermost.tag
    outside = _first_outside(text, innermost)
    if outside is not None and not text[start.end : outside.start].strip():
        edit = Replacement(start.end - 1, start.end, "/>")
        empty = start._replace(attributes=f"{start.attributes}/")
        yield NestingChange(f"End <{start.name}> with />", edit, start, (empty,))
    for before in (outside, wrong):
        if before is not None:
            yield _end_before(text, start.name, before)
    if innermost.definition is None:
        yield _renamed(start, wrong.name)


def _end_before(text: str, name: str, before: Tag) -> NestingChange:
    """Return the change that ends an element in front of a tag; in front of a start tag, behind what is before it."""
    at = before.start if before.is_end else len(text[: before.start].rstrip())
    label = f"Insert </{name}> before <{'/' if before.is_end else ''}{before.name}>"
    return NestingChange(label, Replacement(at, at, f"</{name}>"), before, (Tag(at, at, name, "", True, True), before))


def _first_outside(text: str, element: _Open) -> Tag | None:
    """Return the first child that is not meant to be in an element.

    It is one that the specification does not know there, or one that is no further indented than the element itself.
    """
    definition, column = element.definition, _column(text, element.tag)
    for child in element.children:
        is_known = definition is None or definition.allows_any_child or child.name in definition.children
        own = _column(text, child)
        if not (is_known or ":" in child.name) or (own is not None and column is not None and own <= column):
            return child
    return None


def _column(text: str, tag: Tag) -> int | None:
    """Return how far a tag is indented, None where it does not begin its line."""
    line = text.rfind("\n", 0, tag.start) + 1
    return tag.start - line if not text[line : tag.start].strip() else None


def _respell(tags: Sequence[Tag], wrong: Tag, start: Tag) -> Iterator[NestingChange]:
    """Yield what an end tag without a start tag may mean: the end of the innermost element, or nothing."""
    used = Counter(tag.name for tag in tags)  # of two names the one that is written more often is likelier
    ends, starts = _renamed(wrong, start.name), _renamed(start, wrong.name)
    yield from (starts, ends) if used[wrong.name] > used[start.name] else (ends, starts)
    yield NestingChange(f"Remove </{wrong.name}>", Replacement(wrong.start, wrong.end, ""), wrong, ())


def _renamed(tag: Tag, name: str) -> NestingChange:
    slash = "/" if tag.is_end else ""
    label = f"Replace <{slash}{tag.name}> with <{slash}{name}>"
    edit = Replacement(tag.name_start, tag.name_start + len(tag.name), name)
    return NestingChange(label, edit, tag, (tag._replace(name=name),))


#: Stands for what may hold any elements, as a plugin does.
_ANYTHING = ElementDefinition("", None, "", "*", allows_any_child=True)


def _cost(tags: Iterable[Tag]) -> tuple[int, int]:
    """Return how many of some tags do not fit, and how many elements are unknown in their parent."""
    opened: list[tuple[str, ElementDefinition | None]] = []
    open_names: Counter[str] = Counter()  # each end tag would search all that is open
    misfits = unknown = 0
    for tag in tags:
        if not tag.is_end:
            own = _definition_in(opened[-1][1], tag.name) if opened else definition_of_root(tag.name)
            unknown += own is None
            if not tag.is_empty:
                opened.append((tag.name, own))
                open_names[tag.name] += 1
        elif open_names[tag.name]:
            closed = ""
            while closed != tag.name:
                closed = opened.pop()[0]
                open_names[closed] -= 1
                misfits += closed != tag.name
        else:
            misfits += 1
    return misfits + len(opened), unknown


def _definition_in(around: ElementDefinition | None, name: str) -> ElementDefinition | None:
    """Return the definition of a child, None where it is not known there, or is in something that is not known."""
    if around is None:
        return None
    return around.children.get(name) or (_ANYTHING if around.allows_any_child or ":" in name else None)


#: A text that needs more steps, or too much time, is given up: each step reads the whole text.
MOST_STEPS, MOST_CHARACTERS = 100, 30_000_000
#: Tags that all steps together weigh against each other. After that, elements are closed where an end tag does not fit.
MOST_TAGS = 100_000

_DECLARATION = re.compile(r"<\?xml.*?\?>", re.DOTALL | re.IGNORECASE)
_BARE_VALUE = re.compile(r"[^\s\"'<>=]*[^\s\"'<>=/]|[^\s\"'<>=]+(?=/[^>])")
_END_TAG = re.compile(r"</([^\s<>]*)\s*>?")
_TAG_END = re.compile("/?>")
_LESS_THAN = re.compile(r"<(?![A-Za-z_:/!?])")


class RepairStep(NamedTuple):
    """One step towards XML.

    Attributes
    ----------
    label
        What it does, for a menu.
    replacements
        The edit of the text before it.
    """

    label: str
    replacements: tuple[Replacement, ...]


def next_step(text: str, fault: Malformed, *, weighs_tags: bool = True) -> RepairStep | None:
    """Return the fix of the first fault of a text, None if there is none.

    A step leaves less text behind the first fault than there was before it, so that steps come to an end.

    Parameters
    ----------
    text, fault
        The text, and its first fault.
    weighs_tags
        Whether the tag that is at fault is sought among all tags, which takes long in a long text.
    """
    find = _STEPS.get(fault.code)
    if find is _close_or_remove and not weighs_tags:
        find = _close_here
    step = find(text, fault) if find is not None else None
    if step is None:
        return None
    after = _edited(text, step.replacements)
    next_fault = check_well_formed(after)
    return step if next_fault is None or _unread(after, next_fault) < _unread(text, fault) else None


def _unread(text: str, fault: Malformed) -> int:
    """Return how much of a text the reader has not yet seen where it finds a fault."""
    # What is missing at the end of the text is reported where the element begins.
    return 0 if fault.code == _CODES[expat.errors.XML_ERROR_NO_ELEMENTS] else len(text) - fault.offset


def _edited(text: str, replacements: tuple[Replacement, ...]) -> str:
    for replacement in sorted(replacements, reverse=True, key=lambda each: each.start):
        text = text[: replacement.start] + replacement.text + text[replacement.end :]
    return text


class Reconstruction(NamedTuple):
    """A text as it may have been meant.

    Attributes
    ----------
    text
        It; lines keep their numbers.
    steps
        The text before each step that leads to it, and the step.
    """

    text: str
    steps: Sequence[tuple[str, RepairStep]]


def reconstruct(text: str) -> Reconstruction | None:
    """Return a text as it may have been meant, None if that cannot be guessed."""
    steps: list[tuple[str, RepairStep]] = []
    tags = 0
    for _ in range(min(MOST_STEPS, MOST_CHARACTERS // max(len(text), 1))):
        lenient, _ = repair(text)  # what libsdformat would pass over stays
        fault = check_well_formed(lenient)
        if fault is None:
            return Reconstruction(text, steps)
        tags += lenient.count("<") * (fault.code == _CODES[expat.errors.XML_ERROR_TAG_MISMATCH])
        step = next_step(lenient, fault, weighs_tags=tags <= MOST_TAGS)
        if step is None:
            return None
        steps.append((text, step))
        text = _edited(text, step.replacements)
    return None


def _remove_declaration(text: str, fault: Malformed) -> RepairStep | None:
    match = _DECLARATION.match(text, fault.offset)
    if match is None:
        return None
    return RepairStep("Remove this XML declaration", (Replacement(*match.span(), ""),))


def _mend_token(text: str, fault: Malformed) -> RepairStep | None:
    """Quote a value, end a tag, or write a ``<`` or ``&`` that begins nothing as what it represents."""
    at = fault.offset
    if text[:at].rstrip()[-1:] == "=" and (bare := _BARE_VALUE.match(text, at)):
        return RepairStep("Quote the value", (Replacement(*bare.span(), f'"{bare[0]}"'),))
    if fault.tag is not None:
        return _end_tag(text, fault.tag, at)
    for place in (at, at - 1):
        if _LESS_THAN.match(text, place):
            return RepairStep("Replace '<' by '&lt;'", (Replacement(place, place + 1, "&lt;"),))
        if text[place : place + 1] == "&":
            return RepairStep("Replace '&' by '&amp;'", (Replacement(place, place + 1, "&amp;"),))
    if text[at - 1 : at] in ("'", '"'):
        return RepairStep("Insert a space before it", (Replacement(at, at, " "),))
    return None


def _end_tag(text: str, tag: int, at: int) -> RepairStep:
    """Write the quote that a value of a tag lacks, or the end of the tag, before another tag begins."""
    value = open_value(text, tag, at)
    if value is not None and (end := _TAG_END.search(text, value, at)):
        place = end.start()
        return RepairStep(f"Insert {text[value]} before {end[0]}", (Replacement(place, place, text[value]),))
    missing = ">" if value is None else f"{text[value]}>"
    place = len(text[:at].rstrip())
    return RepairStep(f"Insert {missing} at the end of the tag", (Replacement(place, place, missing),))


def _remove_attribute(text: str, fault: Malformed) -> RepairStep | None:
    match = ATTRIBUTE.match(text, fault.offset)
    if match is None:
        return None
    return RepairStep(f"Remove the second '{match[1]}'", (Replacement(*match.span(), ""),))


def _close_or_remove(text: str, fault: Malformed) -> RepairStep | None:
    """Change the tag after which the fewest others do not fit."""
    changes = nesting_changes(text, fault.offset) if _END_TAG.match(text, fault.offset) is not None else []
    return RepairStep(changes[0].label, (changes[0].replacement,)) if changes else _close_here(text, fault)


def _close_here(text: str, fault: Malformed) -> RepairStep | None:
    """Close what is open before an end tag, or take the end tag out where nothing of its name is open."""
    end_tag = _END_TAG.match(text, fault.offset)
    if end_tag is None:
        return None
    opened = [name for name, _ in open_elements(text)]
    if end_tag[1] not in opened:
        return RepairStep(f"Remove {end_tag[0]}", (Replacement(*end_tag.span(), ""),))
    missing = "".join(f"</{name}>" for name in reversed(opened[len(opened) - opened[::-1].index(end_tag[1]) :]))
    at = fault.offset
    return RepairStep(f"Insert {missing} before {end_tag[0].rstrip()}", (Replacement(at, at, missing),))


def _close_all(text: str, _fault: Malformed) -> RepairStep | None:
    """Close what is open where the text ends."""
    missing = "".join(f"</{name}>" for name, _ in reversed(open_elements(text)))
    if not missing:
        return None
    end = len(text.rstrip())
    return RepairStep(f"Insert {missing} at the end", (Replacement(end, end, missing),))


def _cut(text: str, fault: Malformed) -> RepairStep | None:
    """Leave out a tag or comment in which the text ends."""
    if fault.offset <= 0:
        return None
    return RepairStep("Remove the unterminated part", (Replacement(fault.offset, len(text), ""),))


def _cut_surplus(text: str, fault: Malformed) -> RepairStep | None:
    return RepairStep("Remove everything that follows", (Replacement(fault.offset, len(text), ""),))


def _close_cdata(text: str, _fault: Malformed) -> RepairStep | None:
    return RepairStep("Insert ]]> at the end", (Replacement(len(text), len(text), "]]>"),))


_CODES = expat.errors.codes
_STEPS: dict[int, Callable[[str, Malformed], RepairStep | None]] = {
    _CODES[expat.errors.XML_ERROR_MISPLACED_XML_PI]: _remove_declaration,
    _CODES[expat.errors.XML_ERROR_INVALID_TOKEN]: _mend_token,
    _CODES[expat.errors.XML_ERROR_SYNTAX]: _mend_token,
    _CODES[expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE]: _remove_attribute,
    _CODES[expat.errors.XML_ERROR_TAG_MISMATCH]: _close_or_remove,
    _CODES[expat.errors.XML_ERROR_NO_ELEMENTS]: _close_all,
    _CODES[expat.errors.XML_ERROR_UNCLOSED_TOKEN]: _cut,
    _CODES[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION]: _close_cdata,
    _CODES[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]: _cut_surplus,
}
