"""Text for display: escapes it, so that it cannot move the cursor or reverse or break a line, and shortens names.

Names, messages and paths come from whoever wrote a file. In a terminal an escape sequence among them would run, and a
control for right-to-left text would show something else than is there.
"""

from __future__ import annotations

import json
import math
import os
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

# C0 and C1 controls, line and paragraph separators, bidirectional controls, lone surrogates, noncharacters,
# and characters without width, with which two different names can look the same. Joiners stay:
# scripts and emoji need them.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\ufffe\uffff\U000e0000-\U000e007f]"
)

NO_NAME = "(no name)"
"""Instead of a name where none is written."""

LONGEST_MESSAGE = 4000
"""The most letters of a message that is shown whole."""
#: A word that may begin a sentence in capitals: a plain word, not a name, a tag, an attribute or what is written small.
_FIRST_WORD = re.compile(r"(?!(?:xacro|sdfviewer)\b)[a-z]+(?=[ ,;:]|$)")
_FIRST_CAPITAL = re.compile(r"[A-Z][a-z]+(?=[ ,;:]|$)")
_ENDS = (".", "!", "?", "…", ":")
_BACKTICKS, _MARKDOWN = re.compile("`+"), re.compile(r"[\\`*_\[\]<>&!#|~]")
#: What the runner of GitHub Actions, or of Azure Pipelines, takes for a command in any line that a program prints: two
#: colons behind blanks, and brackets anywhere.
_RUNNER_COMMAND = re.compile(r"^(\s*):(?=:)|#(#(?:vso)?\[)", re.MULTILINE)
#: How a formula begins in a spreadsheet, and with an apostrophe what would lose it again.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")
#: An encoder for all: ``json.dumps`` makes one for each value.
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def visible(text: str) -> str:
    """Return a text in one line, with an escape (``\\x1b``, ``\\u202e``) for each character that cannot be seen."""
    return text if text.isprintable() else _UNSEEN.sub(_escape, text)


def without_commands(text: str) -> str:
    """Return a text of one or more lines, with an escape where a runner of CI would see a command in it.

    A file called ``::add-mask::e.sdf`` would hide each letter e in the log.
    """
    return _RUNNER_COMMAND.sub(lambda found: f"\\x23{found[2]}" if found[2] else f"{found[1]}\\x3a", text)


def visible_message(text: str) -> str:
    """Return :func:`visible` text, with the middle of very long names left out."""
    if len(text) > LONGEST_MESSAGE:
        half = LONGEST_MESSAGE // 2
        text = f"{text[:half]} … {text[-half:]}"
    return visible(text)


def with_capital(text: str) -> str:
    """Return a message as the beginning of a sentence; a name, tag or attribute there stays as it is written."""
    return text[:1].upper() + text[1:] if _FIRST_WORD.match(text) else text


def as_sentence(text: str) -> str:
    """Return a reason as a sentence, with a capital as :func:`with_capital` and a full stop."""
    text = with_capital(text)
    return f"{text}." if text and not text.endswith(_ENDS) else text


def as_done(label: str) -> str:
    """Return the label of an edit, which reads as an order, as a message that it is done."""
    return f"Done: {label[:1].lower() + label[1:] if _FIRST_CAPITAL.match(label) else label}"


def cut(text: str, most: int = 60) -> str:
    """Return the beginning of a text in so many letters, with dots for the rest."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def in_short(text: str, most: int) -> str:
    """Return the first words of a text in so many letters, with dots for the rest and for the middle of long words."""
    if len(text) <= most:
        return text
    half = most // 4
    words = (word if len(word) <= 2 * half + 1 else f"{word[:half]}…{word[-half:]}" for word in text.split())
    return textwrap.shorten(" ".join(words), most, placeholder=" …")


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return of each scoped name its end, with as much of the scope as no other of the names ends with."""
    kept = dict.fromkeys(names, 1)
    while True:
        ends = {name: "::".join(name.split("::")[-count:]) for name, count in kept.items()}
        counts = Counter(ends.values())
        longer = [name for name, end in ends.items() if counts[end] > 1 and end != name]
        if not longer:
            return [ends[name] for name in names]
        for name in longer:
            kept[name] += 1


def path_here(path: str) -> str:
    """Return a path of a file as it is written in the current folder: without that folder, where it is in it."""
    try:
        return str(Path(path).relative_to(os.getcwd()))
    except (ValueError, OSError):  # it is elsewhere, or relative; the current folder has been deleted
        return path


def visible_columns(text: str) -> str:
    """Return a text in one line and as many columns, with U+FFFD for each character that cannot be seen."""
    return text if text.isprintable() else _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)


def json_text(value: Any, indent: int | None = None) -> str:
    """Return a value as JSON in which every character that cannot be seen is escaped; all others are as they are.

    JSON has no word for a number that is infinite or none: it is ``null``.
    """
    try:
        text = _json(value, indent)
    except ValueError:
        text = _json(_finite(value), indent)
    if "##" in text:  # of which a runner makes commands, see `without_commands`
        text = text.replace("##[", "#\\u0023[").replace("##vso[", "#\\u0023vso[")
    return (
        text
        if text.isprintable()
        else _UNSEEN.sub(lambda match: match[0] if match[0] == "\n" else json.dumps(match[0])[1:-1], text)
    )


def _json(value: Any, indent: int | None) -> str:
    if indent is None:
        return _encode(value)
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)


def _finite(value: Any) -> Any:
    """Return what JSON is made of with None for each number that is infinite or none."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    return [_finite(each) for each in value] if isinstance(value, (list, tuple)) else value


def markdown_code(text: str) -> str:
    """Return a text as code in Markdown: nothing in it is a picture, which an editor would fetch, a link or a tag."""
    text = visible(text)
    fence = "`" * (max(map(len, _BACKTICKS.findall(text)), default=0) + 1)
    blank = " " if text.startswith("`") or text.endswith("`") or not text else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def markdown_text(text: str) -> str:
    """Return a sentence for Markdown in which nothing of a file has a meaning."""
    return _MARKDOWN.sub(r"\\\g<0>", visible(text))


def table_cell(text: str) -> str:
    """Return a text for a cell of a CSV file, with an apostrophe where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(match[0])
    return short or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


#: At least so many letters of each word are left: with fewer, words are hard to recognise.
LEAST_LETTERS = 3
_WORDS = re.compile(r"[^\W_]+|[\W_]+")
_ELLIPSIS = "…"


def short_name(
    name: str, kind: str, room: float, measure: Callable[[str], float], least: int = LEAST_LETTERS
) -> str | None:
    """Return a name as short as its place needs it, None where too little of it would be left.

    First goes a last word that its colour and shape say too, as in ``base_link``; then the ends of the longest words:
    ``l_gripper_r_finger_link`` becomes ``l_grip…r_fing…``, which the middle of a name left out would not tell from the
    one of the left finger.

    Parameters
    ----------
    name, kind
        The name of an element, and what it is: ``link``, ``joint``...
    room
        How wide it may be.
    measure
        Returns the width of a text.
    least
        How many letters of each word are left at least.
    """
    if measure(name) <= room:
        return name
    parts = _WORDS.findall(name)
    if len(parts) > 2 and parts[-1].lower() == kind:
        parts = [*parts[:-2], _ELLIPSIS]
    # The width grows with the letters that are left: find the most that have room by halving.
    few, many, best = least, max(map(len, parts), default=0), None
    while few <= many:
        letters = (few + many) // 2
        text = _cut(parts, letters)
        if measure(text) <= room:
            best, few = text, letters + 1
        else:
            many = letters - 1
    return best


def _cut(parts: list[str], letters: int) -> str:
    """Return words and what is between them with no word longer than some letters and an ellipsis, but for numbers."""
    text = ""
    for part in parts:
        if text.endswith(_ELLIPSIS) and not part[0].isalnum():
            continue  # the ellipsis parts words as well as an underscore
        text += part if len(part) <= letters + 1 or part[-1].isdigit() else part[:letters] + _ELLIPSIS
    return text
