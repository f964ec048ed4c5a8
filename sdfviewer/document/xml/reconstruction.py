"""Reconstruct text that is not well-formed XML, step by step.

libsdformat refuses such a file. Here it is shown as it may have been meant, and each step is offered as a fix; the text
itself stays as it is until the user makes one. (What libsdformat reads though it is not XML is another matter, see
:mod:`sdfviewer.document.xml.repair`.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple
from xml.parsers import expat

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.element import ATTRIBUTE
from sdfviewer.document.xml.nesting import nesting_changes
from sdfviewer.document.xml.repair import repair
from sdfviewer.document.xml.wellformed import Malformed, check_well_formed, open_elements, open_value

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
