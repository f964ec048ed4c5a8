"""Where the elements of a document are in its tree: their parents and child indices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, repeat

from sdfviewer.document.element import Element
from sdfviewer.sameness import common_ends


class ElementIndex:
    """Parent and child index of each element below a root, by identity. It never changes.

    An index that was made from another one may also hold elements that are gone: to be in the tree, an element must be
    where its entry says.
    """

    __slots__ = ("_entries", "_root")

    def __init__(self, root: Element | None, entries: dict[int, tuple[Element, int]]) -> None:
        self._root = root
        self._entries = entries

    @classmethod
    def of(cls, root: Element | None) -> ElementIndex:
        """Return the index of all elements below a root."""
        entries: dict[int, tuple[Element, int]] = {}
        if root is not None:
            _add_descendants(entries, root)
        return cls(root, entries)

    def edited(self, root: Element, fresh: Iterable[Element], branch: Iterable[Element]) -> ElementIndex:
        """Return the index after an edit.

        Parameters
        ----------
        root
            The root after the edit.
        fresh, branch
            See :class:`~sdfviewer.document.xml.incremental.Reread`.
        """
        entries = dict(self._entries)
        for element in fresh:
            _add_descendants(entries, element)
        for parent in branch:
            _add_children(entries, parent)
        return ElementIndex(root, entries)

    def carried_over(self, root: Element) -> ElementIndex:
        """Return the index of another root that shares most elements with this one.

        Only what differs is looked at: children that are not shared are paired by their order, or by tag and name where
        an element was added or removed.
        """
        entries = dict(self._entries)
        pairs = [] if self._root is None else [(root, self._root)]
        while pairs:
            parent, counterpart = pairs.pop()
            _add_children(entries, parent)
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
                    _add_descendants(entries, child)
                else:
                    pairs.append((child, known))
        return ElementIndex(root, entries)

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
        offset, entries, root = 0, self._entries, self._root
        while element is not root:
            parent, number = entries.get(id(element), (None, 0))
            if parent is None or number >= len(parent.children) or parent.children[number] is not element:
                raise _not_in_document(element)
            offset += parent.offsets[number]
            element = parent
        return offset

    def _entry(self, element: Element) -> tuple[Element, int]:
        parent, number = self._entries.get(id(element), (None, 0))
        if parent is None or number >= len(parent.children) or parent.children[number] is not element:
            raise _not_in_document(element)
        return parent, number


def _only_in(these: Sequence[Element], others: Sequence[Element]) -> list[Element]:
    """Return the elements that are not among others."""
    known = set(map(id, others))
    return [each for each in these if id(each) not in known]


def _not_in_document(element: Element) -> LookupError:
    return LookupError(f"{element!r} is not in this document")


def _add_children(entries: dict[int, tuple[Element, int]], parent: Element) -> None:
    entries.update(zip(map(id, parent.children), zip(repeat(parent), count()), strict=False))


def _add_descendants(entries: dict[int, tuple[Element, int]], top: Element) -> None:
    stack = [top]
    while stack:
        parent = stack.pop()
        for number, child in enumerate(parent.children):
            entries[id(child)] = (parent, number)
            if child.children:
                stack.append(child)
