"""Undo and redo over immutable documents.

Of states further back only the text is kept, which is read again when it is needed: a snapshot takes ten times
the memory of its text. Of most of these texts only what differs from the next one is kept: an hour of typing makes some
thousand states, each of a letter more.

What is undone is the text. Where the file lies and what it holds on disk is no state of the text: undoing across a save
does not make the file older.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from sys import getsizeof

from sdfviewer.computed import equal_at_end, first_difference
from sdfviewer.document.document import Document

#: Bytes that the texts of all states together may take.
MOST_BYTES = 128 * 2**20
#: States that are kept.
MOST_STEPS = 10_000
#: Number of states before and after the present one that keep their snapshots and whole texts.
NEAR = 8
#: The text of no state is put together of more differences.
_MOST_DIFFERENCES = 64


_NO_OTHERS: Mapping[Path, Document] = {}


class HistoryStep:
    """A state of the text and the edit that led to it.

    Attributes
    ----------
    label
        The name of the edit.
    document
        The snapshot, None where the text has not been read: of a burst of typing only the end is.
    renamed
        Old and new scoped names of the frames that the edit renamed.
    selected_before, selected_after
        Scoped names of what was selected when the edit was made, and what was then.
    is_large
        Whether the edit changed so much of the text that it was read in the background.
    others
        Documents of other files that this state and those before it have changed, by resolved path.
    replaced
        Start and end of what the edit replaced in the text before it, None where that is not known.
    """

    __slots__ = (
        "_leaning", "_length", "_next", "_replaced", "_text",
        "document", "is_large", "label", "others", "renamed", "selected_after", "selected_before",
    )  # fmt: skip

    def __init__(
        self,
        label: str,
        text: str,
        document: Document | None = None,
        renamed: tuple[tuple[str, str], ...] = (),
        selected_before: tuple[str, ...] = (),
        selected_after: tuple[str, ...] = (),
        *,
        is_large: bool = False,
        others: Mapping[Path, Document] = _NO_OTHERS,
        replaced: tuple[int, int] | None = None,
    ) -> None:
        self.label = label
        self.document = document
        self.renamed = renamed
        self.selected_before = selected_before
        self.selected_after = selected_after
        self.is_large = is_large
        self.others = others
        # The text; or what stands in it in place of what is between two offsets of the next state's text.
        self._text = text
        self._length = len(text)
        self._replaced = replaced
        self._next: tuple[HistoryStep, int, int] | None = None  # with these offsets
        # This many earlier states are kept as differences, each from the next one, the last of them from this one.
        self._leaning = 0

    @property
    def text(self) -> str:
        """The text after the edit."""
        step, differences = self, list[tuple[str, int, int]]()
        while step._next is not None:
            following, start, end = step._next
            differences.append((step._text, start, end))
            step = following
        text = step._text
        for middle, start, end in reversed(differences):
            text = text[:start] + middle + text[end:]
        return text

    @property
    def size(self) -> int:
        """How many bytes are kept of the text."""
        return getsizeof(self._text)

    def has_text(self, text: str) -> bool:
        """Return whether the text is the same as another one; it is put together only where that is likely."""
        if len(text) != self._length or (self._next is not None and not text.startswith(self._text, self._next[1])):
            return False
        return self.text == text

    def shorten(self, following: HistoryStep) -> None:
        """Forget what the text has in common with that of the next state, where that is whole and most of it."""
        if self._next is not None or following._next is not None or self._leaning == _MOST_DIFFERENCES:
            return
        text, other = self._text, following._text
        if following._replaced is not None:  # comparing two long texts takes a tenth of an edit
            start, end = following._replaced[0], len(text) - following._replaced[1]
        else:
            start = first_difference(text, other)
            end = min(equal_at_end(text, other), min(len(text), len(other)) - start)
        if start + end > len(text) // 2:
            self._next = following, start, len(other) - end
            self._text = text[start : len(text) - end]
            following._leaning = self._leaning + 1

    def with_document(self, document: Document) -> HistoryStep:
        """Return the same state as it is on disk; other states may be kept as differences from this one."""
        self.document = None
        selected = self.selected_before, self.selected_after
        return HistoryStep(
            self.label,
            document.text,
            document,
            self.renamed,
            *selected,
            is_large=self.is_large,
            others=self.others,
            replaced=self._replaced,
        )


class History:
    """The states of one document, from the one that was opened to the last one that can be redone.

    Parameters
    ----------
    document
        The first state.
    most_bytes
        The most memory for the texts of all states; beyond it the oldest states are dropped.

    Attributes
    ----------
    document
        The present state, with the present path of its file.
    is_missing
        Whether the file has gone from the disk, so that no state is saved.
    """

    def __init__(self, document: Document, most_bytes: int = MOST_BYTES) -> None:
        self.document = document
        self._steps = [HistoryStep("Open", document.text, document)]
        self._at = 0
        self.is_missing = False
        self._saved = document.text
        self._most_bytes = most_bytes

    @property
    def steps(self) -> tuple[HistoryStep, ...]:
        """All states, oldest first."""
        return tuple(self._steps)

    @property
    def index(self) -> int:
        """The position of the present state among :attr:`steps`."""
        return self._at

    @property
    def others(self) -> Mapping[Path, Document]:
        """The documents of other files that the edits up to the present state have changed, by resolved path."""
        return self._steps[self._at].others

    @property
    def dirty(self) -> bool:
        """Whether the present text differs from the one last read or saved."""
        return self.is_missing or self.document.text != self._saved

    @property
    def saved_text(self) -> str:
        """The text last read or saved, of which the present one was made."""
        return self._saved

    def is_saved(self, index: int) -> bool:
        """Return whether the state at ``index`` is what was last read or saved."""
        return not self.is_missing and self._steps[index].has_text(self._saved)

    @property
    def undo_label(self) -> str | None:
        """The name of the edit that undo reverts, None if there is none."""
        return self._steps[self._at].label if self._at else None

    @property
    def redo_label(self) -> str | None:
        """The name of the edit that redo makes again, None if there is none."""
        return self._steps[self._at + 1].label if self._at + 1 < len(self._steps) else None

    def push(
        self,
        label: str,
        document: Document,
        *,
        renamed: tuple[tuple[str, str], ...] = (),
        passed: Sequence[tuple[str, str]] = (),
        merge: bool = False,
        selected: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
        is_large: bool = False,
        others: Mapping[Path, Document] | None = None,
        replaced: tuple[int, int] | None = None,
    ) -> None:
        """Add a state after the present one; states that could have been redone are dropped.

        Parameters
        ----------
        label, document, renamed, is_large
            See `HistoryStep`.
        passed
            Name and text of intermediate states, each an undo step that is not parsed.
        merge
            Replace the present state, so that a word typed with a pause is one step; the first state stays.
        selected
            Scoped names of what is selected before and after the edit.
        others
            See `HistoryStep`; by default those of the present state.
        replaced
            See `HistoryStep`: of the present text.
        """
        selected_before = selected[0]
        others = self.others if others is None else others
        if merge and self._at:
            selected_before = self._steps[self._at].selected_before
            self._at -= 1
        for step in self._steps[self._at + 1 :]:
            step.document = None  # earlier states may still be kept as differences from it
        del self._steps[self._at + 1 :]
        self._steps += [
            HistoryStep(name, text, selected_before=selected_before, others=others) for name, text in passed
        ]
        made = HistoryStep(
            label,
            document.text,
            document,
            renamed,
            selected_before,
            selected[1],
            is_large=is_large,
            others=others,
            replaced=None if merge or passed else replaced,  # else another state is before it
        )
        self._steps.append(made)
        size = sum(each.size for each in self._steps)
        first = 0
        while (size > self._most_bytes or len(self._steps) - first > MOST_STEPS) and len(self._steps) - first > 2:
            size -= self._steps[first].size
            first += 1
        del self._steps[:first]
        self._at = len(self._steps) - 1
        _forget_locations(self.document, document)
        self.document = document
        self._forget_far_snapshots()

    def _forget_far_snapshots(self) -> None:
        for number, step in enumerate(self._steps):
            if abs(number - self._at) > NEAR:
                step.document = None
                if number + 1 < len(self._steps):
                    step.shorten(self._steps[number + 1])

    def go_to(self, index: int, read: Callable[[str, Document], Document]) -> tuple[tuple[str, str], ...]:
        """Make the state at ``index`` the present one and return the old and new names of renamed frames.

        Parameters
        ----------
        index
            Among :attr:`steps`.
        read
            Returns the document of a text that belongs to the same file as another document.

        Raises
        ------
        IndexError
            If there is no such state.
        """
        if not 0 <= index < len(self._steps):
            raise IndexError(f"no step {index} in a history of {len(self._steps)}")
        renamed = self._renamed_to(index)
        step, present = self._steps[index], self.document
        document = step.document if step.document is not None else read(step.text, present)
        if (document.path, document.fingerprint) != (present.path, present.fingerprint):
            document = document.moved_to(present.path, present.fingerprint)
        step.document = document
        if document is not present:
            document.take_locations(present)
            _forget_locations(present, document)
        self.document, self._at = document, index
        self._forget_far_snapshots()
        return renamed

    def _renamed_to(self, index: int) -> tuple[tuple[str, str], ...]:
        """Return the present names of frames and those in the state at ``index``, where they differ."""
        back = [{new: old for old, new in step.renamed} for step in self._steps[self._at : index : -1]]
        forward = [dict(step.renamed) for step in self._steps[self._at + 1 : index + 1]]
        return _in_turn([*back, *forward])

    @property
    def renamed_to_saved(self) -> tuple[tuple[str, str], ...]:
        """The present names of frames and those in the text last read or saved, where they differ."""
        saved = next((index for index in range(self._at, -1, -1) if self._steps[index].has_text(self._saved)), self._at)
        return self._renamed_to(saved)

    def selected_at(self, index: int) -> tuple[str, ...]:
        """Return what was selected in the state at ``index``, by scoped names, on its side of the present state.

        That is what the edit was made on that going back takes back, or what was selected after the one made again.
        """
        if index < self._at:
            return self._steps[index + 1].selected_before
        return self._steps[index].selected_after

    def is_large_step_to(self, index: int) -> bool:
        """Return whether the state at ``index`` is one edit away, before or after, and that edit is a large one."""
        return abs(index - self._at) == 1 and self._steps[max(index, self._at)].is_large

    def mark_saved(self, document: Document) -> None:
        """Replace the present state by the same text as it is on disk now."""
        self._steps[self._at] = self._steps[self._at].with_document(document)
        self.document = document
        self._saved = document.text
        self.is_missing = False

    def mark_merged(self, document: Document, saved: str) -> None:
        """Replace the present state by the same text in a file that another program has written to.

        Parameters
        ----------
        document
            The present text.
        saved
            The text on disk, which counts as read: the present one has been merged with it.
        """
        self.mark_saved(document)
        self._saved = saved


def _forget_locations(before: Document, after: Document) -> None:
    """Free the memory of the indexes of a document that another one has followed."""
    for each in (before, before.faultless):
        if each is not after and each is not after.faultless:
            each.forget_locations()


def _in_turn(steps: Iterable[Mapping[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return old and new names after several steps, each of which renames everything at once."""
    names: dict[str, str] = {}
    for step in steps:
        known = set(names.values())
        names = {old: step.get(new, new) for old, new in names.items()}
        names.update((old, new) for old, new in step.items() if old not in known)
    return tuple(names.items())
