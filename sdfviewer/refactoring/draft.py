"""A draft of a document: several edits combined into one, with notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements
from sdfviewer.document.element import Element


def note(document: Document, element: Element, message: str) -> str:
    """Return a sentence about an element with its place before it."""
    return f"{document.name}:{document.span(element).line}: {message}"


class Draft:
    """A document on its way through several edits, each made in the text that the one before has left.

    Attributes
    ----------
    original, document
        As it was, and as it is now.
    """

    def __init__(self, document: Document) -> None:
        self.original = document
        self.document = document
        self._length = len(document.text)
        # The present text: the new text, and the range that it replaces in the first document.
        self._pieces: list[str | tuple[int, int]] = [(0, self._length)]

    def edit(self, replacements: Replacements) -> None:
        """Make an edit of the present document."""
        if not replacements:
            return
        self.document = self.document.edited(replacements)
        old, self._pieces = iter(self._pieces), []
        rest: str | tuple[int, int] = ""
        at = 0
        for change in sorted(replacements, key=lambda change: (change.start, change.end)):
            rest = _pass_on(rest, old, change.start - at, self._pieces)
            rest = _pass_on(rest, old, change.end - change.start, [])
            self._pieces.append(change.text)
            at = change.end
        self._pieces += [rest, *old]

    def note(self, element: Element, message: str) -> str:
        """Return a sentence about an element of the present document with its place in the original before it."""
        offset, at, found = self.document.offset(element), 0, 0
        for piece in self._pieces:
            if at > offset:
                break
            if isinstance(piece, str):
                at += len(piece)
            else:  # what is new is where the text before it ends
                found = min(piece[0] + offset - at, piece[1])
                at += piece[1] - piece[0]
        return f"{self.original.name}:{self.original.position(found)[0]}: {message}"

    def replacements(self) -> Replacements:
        """Return all edits as one of the first document."""
        edits: list[Replacement] = []
        at, text = 0, ""
        for piece in (*self._pieces, (self._length, self._length)):
            if isinstance(piece, str):
                text += piece
                continue
            if text or piece[0] > at:
                edits.append(Replacement(at, piece[0], text))
            at, text = piece[1], ""
        return tuple(edits)


def _pass_on(
    rest: str | tuple[int, int],
    old: Iterator[str | tuple[int, int]],
    length: int,
    pieces: list[str | tuple[int, int]],
) -> str | tuple[int, int]:
    """Move ``length`` characters from ``rest`` and the pieces after it to ``pieces``; return the rest of the last."""
    while length > 0:
        size = len(rest) if isinstance(rest, str) else rest[1] - rest[0]
        if size > length:
            if isinstance(rest, str):
                pieces.append(rest[:length])
                return rest[length:]
            pieces.append((rest[0], rest[0] + length))
            return (rest[0] + length, rest[1])
        pieces.append(rest)
        length -= size
        rest = next(old, "")
    return rest


def moved_offsets(offsets: Sequence[int], replacements: Replacements) -> Iterator[int]:
    """Yield where characters stand after an edit that does not touch them; the offsets are in rising order."""
    changes = sorted(replacements, key=lambda change: (change.start, change.end))
    number = shift = 0
    for offset in offsets:
        while number < len(changes) and changes[number].end <= offset and changes[number].start <= offset:
            change = changes[number]
            shift += len(change.text) - (change.end - change.start)
            number += 1
        yield offset + shift
