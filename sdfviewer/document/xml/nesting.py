"""Which tag is at fault where elements are not closed in the order in which they were opened.

A reader stops at an end tag that does not fit. What was lost or misspelt may be far above: the end tag of ``<pose>`` in
front of ten other elements of the link. The likeliest change is the one after which the fewest tags do not fit, and the
fewest elements are where the specification does not know them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.tables import ElementDefinition, definition_of_root
from sdfviewer.document.xml.tags import Tag, find_tags

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
        empty = replace(start, attributes=f"{start.attributes}/")
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
    return NestingChange(label, edit, tag, (replace(tag, name=name),))


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
