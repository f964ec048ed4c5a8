"""Typing since the last edit, split into undo steps by word."""

from __future__ import annotations

from dataclasses import dataclass

from sdfviewer.diagnostics import Replacement
from sdfviewer.display_text import cut
from sdfviewer.language.text_map import difference

#: Maximum number of typed characters in the name of an undo step.
_MOST = 24


@dataclass(slots=True)
class _Word:
    """A piece of typing: the text before and after it, and where and how it continues."""

    before: str
    after: str
    label: str
    removes: bool
    at: int
    ends_blank: bool


class Strokes:
    """Collects what is typed.

    Parameters
    ----------
    text
        What typing begins from.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._words: list[_Word] = []
        self._former: _Word | None = None

    def reset(self, text: str) -> None:
        """Start again from another text."""
        self._text, self._words, self._former = text, [], None

    def note(self, text: str, label: str, at: int | None = None, *, joins: bool = False) -> None:
        """Take note of a change.

        Parameters
        ----------
        text
            The text after it.
        label
            The name of the command that made it, empty for plain typing.
        at
            Offset of the change; a text difference alone is ambiguous when a character is typed before an equal one.
        joins
            Whether it belongs to the change before, if that has the same name.
        """
        last = self._words[-1] if self._words else self._former
        before = self._words[-1].after if self._words else self._text
        change = _change_at(before, text, at) or difference(before, text)
        if change is None:
            return
        removed, piece = change.end - change.start, change.text
        word = _Word(before, text, label, not piece, change.start + len(piece), piece[-1:].isspace())
        goes_on = last is not None and label == last.label
        if last is not None and goes_on and (joins if label else _goes_on(last, change.start, removed, piece)):
            word.before = last.before
            del self._words[-1:]
        self._words.append(word)

    @property
    def continues(self) -> bool:
        """Whether the first word belongs to the one that was taken last."""
        return self._former is not None and bool(self._words) and self._words[0].before is self._former.before

    def take(self) -> list[tuple[str, str]]:
        """Return name and text of each step, and start again from the last one."""
        steps = [(word.label or describe(word.before, word.after), word.after) for word in self._words]
        if self._words:
            self._former = self._words[-1]
            self._text = self._former.after
        self._words = []
        return steps

    def pause(self) -> None:
        """Start a new word with the next key."""
        self._former = None


def _change_at(before: str, after: str, at: int | None) -> Replacement | None:
    """Return the insertion or removal at a place that makes one text of the other, None where it is something else."""
    grown = len(after) - len(before)
    if at is None or not grown or before[:at] != after[:at]:
        return None
    removed, added = max(-grown, 0), max(grown, 0)
    return (
        Replacement(at, at + removed, after[at : at + added]) if before[at + removed :] == after[at + added :] else None
    )


def _goes_on(last: _Word, at: int, removed: int, piece: str) -> bool:
    """Return whether a change belongs to the word before it."""
    if last.removes:
        return not piece and at in (last.at, last.at - removed)
    begins_word = last.ends_blank and bool(piece.strip())
    return not removed and at == last.at and not begins_word and "\n" not in piece


def describe(before: str, after: str) -> str:
    """Return the name of the step from one text to another."""
    change = difference(before, after)
    if change is None:
        return "Edit the text"
    removed, typed = before[change.start : change.end], change.text
    if not removed.strip() and not typed.strip():
        return "Insert a new line" if "\n" in typed and not removed else "Change whitespace"
    if not removed:
        return f"Type {_quoted(typed)}"
    return f"Delete {_quoted(removed)}" if not typed else f"Replace {_quoted(removed)} with {_quoted(typed)}"


def _quoted(text: str) -> str:
    lines = text.strip().count("\n") + 1
    if lines > 1:
        return f"{lines} lines"
    text = " ".join(text.split())
    # Single quotes: the name of the step is itself quoted where it is undone.
    return f"‘{cut(text, _MOST)}’"
