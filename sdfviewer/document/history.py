"""Undo and redo over immutable documents: a step back is the earlier snapshot itself, nothing is computed again."""

from __future__ import annotations

from dataclasses import dataclass

from sdfviewer.document.document import Document


@dataclass(frozen=True, slots=True)
class Step:
    """A state of the document and the name of the edit that led to it."""

    label: str
    document: Document


class History:
    """The states of one document, from the one that was opened to the last one that can be redone."""

    def __init__(self, document: Document) -> None:
        self._steps = [Step("Open", document)]
        self._at = 0
        self._saved = document.text

    @property
    def document(self) -> Document:
        """The present state."""
        return self._steps[self._at].document

    @property
    def steps(self) -> tuple[Step, ...]:
        """All states, oldest first."""
        return tuple(self._steps)

    @property
    def index(self) -> int:
        """The position of the present state among :attr:`steps`."""
        return self._at

    @property
    def dirty(self) -> bool:
        """Whether the present text differs from the one last read or saved."""
        return self.document.text != self._saved

    def is_saved(self, index: int) -> bool:
        """Return whether the state at ``index`` is what was last read or saved."""
        return self._steps[index].document.text == self._saved

    @property
    def undo_label(self) -> str | None:
        """The name of the edit that :meth:`undo` takes back, None where there is none."""
        return self._steps[self._at].label if self._at else None

    @property
    def redo_label(self) -> str | None:
        """The name of the edit that :meth:`redo` makes again, None where there is none."""
        return self._steps[self._at + 1].label if self._at + 1 < len(self._steps) else None

    def push(self, label: str, document: Document) -> None:
        """Add a state after the present one; states that could have been redone are dropped."""
        del self._steps[self._at + 1 :]
        self._steps.append(Step(label, document))
        self._at += 1

    def amend(self, label: str, document: Document) -> None:
        """Replace the present state, so that one burst of typing is one step; the first state is never replaced."""
        if not self._at:
            self.push(label, document)
            return
        del self._steps[self._at + 1 :]
        self._steps[self._at] = Step(label, document)

    def go_to(self, index: int) -> None:
        """Make the state at ``index`` the present one.

        Raises
        ------
        IndexError
            If there is no such state.
        """
        if not 0 <= index < len(self._steps):
            raise IndexError(f"no step {index} in a history of {len(self._steps)}")
        self._at = index

    def undo(self) -> None:
        """Go one state back.

        Raises
        ------
        IndexError
            If this is the first state.
        """
        self.go_to(self._at - 1)

    def redo(self) -> None:
        """Go one state forward.

        Raises
        ------
        IndexError
            If this is the last state.
        """
        self.go_to(self._at + 1)

    def mark_saved(self, document: Document) -> None:
        """Replace the present state by the same text as it stands on disk now."""
        self._steps[self._at] = Step(self._steps[self._at].label, document)
        self._saved = document.text
