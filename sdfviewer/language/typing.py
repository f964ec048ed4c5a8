"""Typing: end tags, quotes and indentation that come by themselves, and undo steps by word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sdfviewer.diagnostics import Replacement
from sdfviewer.display_text import cut
from sdfviewer.language.markup import comment_at, is_missing_an_end, tag_at
from sdfviewer.language.text_map import difference

#: What may follow the caret for an automatic insertion; before a word it would be in the way.
_ROOM = frozenset(" \t\n>/<?")


@dataclass(frozen=True, slots=True)
class Typed:
    """What to insert before and behind the caret, replacing ``skipped`` characters there."""

    before: str
    behind: str = ""
    skipped: int = 0


def respond(text: str, at: int, typed: str, innermost: Callable[[int], str | None]) -> Typed:
    """Return the text that a typed character inserts at an offset: the character, and its partner.

    Parameters
    ----------
    innermost
        Returns the tag of the innermost element that is open at an offset.
    """
    following = text[at : at + 1]
    if typed == "-" and text[max(at - 3, 0) : at] == "<!-" and comment_at(text, at) is None:
        # Insert the end at once, otherwise the rest of the file would become a comment.
        return Typed("-", "-->")
    if comment_at(text, at) is not None:
        return Typed(typed, skipped=int(typed == "-" and text.startswith("-->", at)))
    if typed == "/" and text[at - 1 : at] == "<":
        return _end_tag(text, at, innermost)
    inside = _inside_start_tag(text, at)
    if inside is None:
        return Typed(typed)
    quote = _open_quote(inside)
    has_room = not following or following in _ROOM
    answer = Typed(typed)
    if quote:
        answer = Typed(typed, skipped=int(following == typed == quote))
    elif typed == ">" and not inside.endswith("/"):
        answer = _start_tag_end(text, at, inside)
    elif typed == "=" and inside[-1:].strip() and has_room:
        quote = "'" if text.count("='") > text.count('="') else '"'
        answer = Typed(f"={quote}", quote)
    elif typed in "\"'" and inside.rstrip().endswith("=") and has_room:
        answer = Typed(typed, typed)
    return answer


def _inside_start_tag(text: str, at: int) -> str | None:
    """Return the text between the ``<`` of a start tag and an offset in it, None outside of a start tag."""
    start = text.rfind("<", 0, at)
    if start < 0 or text.startswith(("<!", "<?", "</"), start):
        return None
    written = text[start + 1 : at]
    outside_of_values = "".join(part for number, part in enumerate(_split_quoted(written)) if number % 2 == 0)
    return None if ">" in outside_of_values else written


def _split_quoted(written: str) -> list[str]:
    """Return the pieces of a tag's text outside and inside of quotes, in turn; the last one may be unfinished."""
    parts, quote, begun = [], "", 0
    for number, character in enumerate(written):
        if character == quote or (not quote and character in "\"'"):
            parts.append(written[begun:number])
            quote, begun = ("", number + 1) if quote else (character, number + 1)
    return [*parts, written[begun:]]


def _open_quote(inside: str) -> str:
    """Return the quote that is open at the end of a tag's text, empty if there is none."""
    parts = _split_quoted(inside)
    return "" if len(parts) % 2 else inside[len(inside) - len(parts[-1]) - 1]


def _start_tag_end(text: str, at: int, inside: str) -> Typed:
    """Return the end of a start tag, and the end tag unless there is one already."""
    if text[at : at + 1] == ">":
        return Typed(">", skipped=1)
    name = inside.split(None, 1)[0] if inside[:1].strip() else ""
    return Typed(">", f"</{name}>" if name and is_missing_an_end(f"{text[:at]}>{text[at:]}", name) else "")


def _end_tag(text: str, at: int, innermost: Callable[[int], str | None]) -> Typed:
    """Return the rest of the end tag that ``</`` begins, or the way into the one that was typed along already."""
    following = text[at : at + 1]
    name = innermost(at - 1) if not following or following in _ROOM else None
    if name is None:
        return Typed("/")
    if is_missing_an_end(text, name):
        return Typed(f"/{name}" + ("" if following == ">" else ">"))
    return Typed("/", skipped=2 if text.startswith(f"</{name}>", at) else 0)


def break_line(text: str, at: int, step: str) -> Typed:
    """Return the text that Enter inserts: the indentation of the line, one level deeper after a start tag."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    indentation = line[: len(line) - len(line.lstrip())]
    before = at - (len(line) - len(line.rstrip()))
    tag = tag_at(text, before - 1) if text[before - 1 : before] == ">" and line.strip() else None
    if tag is None or tag.is_end or tag.is_empty or not tag.is_whole:
        return Typed("\n" + indentation)
    is_shut = text.startswith(f"</{tag.name}", at)
    return Typed(f"\n{indentation}{step}", f"\n{indentation}" if is_shut else "")


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
