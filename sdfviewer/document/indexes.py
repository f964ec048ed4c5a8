"""Where the elements and the lines of a document are: parents, child indices, and offsets of lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, repeat
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdfviewer.computed import common_ends
from sdfviewer.document.element import Element

_Entries: TypeAlias = "dict[int, tuple[Element, int]]"
#: Maximum number of changed entries without a new index, however small it is.
_FEW = 100
#: Of an element that is not known.
_NO_ENTRY: tuple[None, int] = None, 0


class ElementIndex:
    """Parent and child index of each element below a root, by identity. It never changes.

    An index that was made from another one may also hold elements that are gone: to be in the tree, an element must be
    where its entry says. It shares the entries of the first one, and has those that edits have changed beside them: to
    copy all of them would take longer than an edit.
    """

    __slots__ = ("_changed", "_entries", "_root")

    def __init__(self, root: Element | None, entries: _Entries, changed: _Entries) -> None:
        self._root = root
        self._entries = entries
        self._changed = changed

    @classmethod
    def of(cls, root: Element | None) -> ElementIndex:
        """Return the index of all elements below a root."""
        entries: _Entries = {}
        if root is not None:
            _add_descendants(entries, root)
        return cls(root, entries, {})

    def edited(self, root: Element, fresh: Iterable[Element], branch: Iterable[Element]) -> ElementIndex:
        """Return the index after an edit.

        Parameters
        ----------
        root
            The root after the edit.
        fresh, branch
            See :class:`~sdfviewer.document.xml.incremental.Reread`.
        """
        changed = dict(self._changed)
        for element in fresh:
            _add_descendants(changed, element)
        for parent in branch:
            _add_children(changed, parent)
        return self._with(root, changed)

    def carried_over(self, root: Element) -> ElementIndex:
        """Return the index of another root that shares most elements with this one.

        Only what differs is looked at: children that are not shared are paired by their order, or by tag and name where
        an element was added or removed.
        """
        changed = dict(self._changed)
        pairs = [] if self._root is None else [(root, self._root)]
        while pairs and self._may_have(changed):
            parent, counterpart = pairs.pop()
            _add_children(changed, parent)
            start, end = common_ends(parent.children, counterpart.children)
            own = parent.children[start : len(parent.children) - end]
            others = counterpart.children[start : len(counterpart.children) - end]
            new, former = _only_in(own, others), _only_in(others, own)
            if len(new) == len(former):
                pairs += zip(new, former, strict=True)
                continue
            named = {(child.tag, child.word("name")): child for child in former}
            for child in new:
                known = named.pop((child.tag, child.word("name")), None)
                if known is None:
                    _add_descendants(changed, child)
                else:
                    pairs.append((child, known))
        return self._with(root, changed)

    def _with(self, root: Element, changed: _Entries) -> ElementIndex:
        """Return the index of another root with the same first entries; after many changes a new one.

        That one lets go of the elements that are gone, and with them of the texts of an hour of typing.
        """
        if self._may_have(changed):
            return ElementIndex(root, self._entries, changed)
        return ElementIndex.of(root)

    def _may_have(self, changed: _Entries) -> bool:
        """Return whether entries are so few that they are kept beside the first ones."""
        return 2 * len(changed) < len(self._entries) + _FEW

    def path_up(self, element: Element) -> Iterator[tuple[Element, int]]:
        """Yield parent and child index from an element up to the root.

        Raises
        ------
        LookupError
            If the element is not in the tree.
        """
        while element is not self._root:
            parent, number = self._entry(element)
            yield parent, number
            element = parent

    def offset(self, element: Element) -> int:
        """Return the offset of an element's first character from that of the root's.

        Raises
        ------
        LookupError
            If the element is not in the tree.
        """
        # Written out because it is called for every element that a view lists.
        offset, changed, entries, root = 0, self._changed, self._entries, self._root
        while element is not root:
            parent, number = changed.get(id(element)) or entries.get(id(element)) or _NO_ENTRY
            if parent is None or number >= len(parent.children) or parent.children[number] is not element:
                raise _not_in_document(element)
            offset += parent.offsets[number]
            element = parent
        return offset

    def _entry(self, element: Element) -> tuple[Element, int]:
        parent, number = self._changed.get(id(element)) or self._entries.get(id(element)) or _NO_ENTRY
        if parent is None or number >= len(parent.children) or parent.children[number] is not element:
            raise _not_in_document(element)
        return parent, number


def _only_in(these: Sequence[Element], others: Sequence[Element]) -> list[Element]:
    """Return the elements that are not among others."""
    known = set(map(id, others))
    return [each for each in these if id(each) not in known]


def _not_in_document(element: Element) -> LookupError:
    return LookupError(f"{element!r} is not in this document")


def _add_children(entries: _Entries, parent: Element) -> None:
    entries.update(zip(map(id, parent.children), zip(repeat(parent), count()), strict=False))


def _add_descendants(entries: _Entries, top: Element) -> None:
    parents = [top]
    for parent in parents:  # which grow meanwhile
        number = 0
        for child in parent.children:
            entries[id(child)] = (parent, number)
            number += 1  # noqa: SIM113  # most have few children: to set up `enumerate` takes longer
            if child.children:
                parents.append(child)


def characters_of(text: str) -> tuple[NDArray[Any], str]:
    """Return the codes (n,) of the characters of a text, and their encoding."""
    encoding, width = ("ascii", np.uint8) if text.isascii() else ("utf-32-le", np.uint32)
    return np.frombuffer(text.encode(encoding, "surrogatepass"), width), encoding


class LineIndex:
    """The offset of the first character of each line. It never changes.

    A lone carriage return does not end a line, as in expat and in editors.

    Parameters
    ----------
    starts
        Offsets (n,), in ascending order; the first is 0.
    """

    __slots__ = ("_starts",)

    def __init__(self, starts: NDArray[np.int64]) -> None:
        self._starts = starts

    @classmethod
    def of(cls, text: str) -> LineIndex:
        """Return the lines of a text."""
        return cls(np.append(0, np.flatnonzero(characters_of(text)[0] == ord("\n")) + 1))

    def edited(self, text: str, start: int, end: int, delta: int) -> LineIndex:
        """Return the lines after an edit.

        Parameters
        ----------
        text
            The text after the edit.
        start, end, delta
            What was replaced, in offsets before the edit, and by how much the text has grown.
        """
        before, after = np.searchsorted(self._starts, (start, end), side="right")
        between = [start + match.end() for match in re.finditer("\n", text[start : end + delta])]
        starts = [self._starts[:before], np.array(between, np.int64), self._starts[after:] + delta]
        return LineIndex(np.concatenate(starts))

    def __len__(self) -> int:
        return len(self._starts)

    def start(self, line: int) -> int:
        """Return the offset of the first character of a line, counted from 1."""
        return int(self._starts[line - 1])

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of a character, both counted from 1."""
        line = int(np.searchsorted(self._starts, offset, side="right"))
        return line, offset - int(self._starts[line - 1]) + 1
