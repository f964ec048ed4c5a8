"""Where in a TOML text each value is written: readers of TOML give values without places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from sdfviewer.diagnostics import Span
from sdfviewer.document.indexes import LineIndex
from sdfviewer.files.json_schema import KeyPath

#: A string is taken up to where it would have to end: so that no search begins twice at one place, whatever the text.
_STRING = r'''"""(?:\\.|[^\\])*?(?:"""+|\Z)|\'{3}.*?(?:\'{3,}|\Z)|"(?:\\[^\n]|[^"\\\n])*"?|\'[^\'\n]*\'?'''
_TOKEN = re.compile(
    rf"(?P<blank>[ \t\r\n]+|#[^\n]*)|(?P<string>{_STRING})|(?P<mark>[\[\]{{}},=.])|(?P<bare>[^\s\[\]{{}},=#]+)",
    re.DOTALL,
)
_KEY = re.compile(rf"\s*({_STRING}|[A-Za-z0-9_-]+)\s*(\.?)", re.DOTALL)
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|\\(.)", re.DOTALL)
_ESCAPED = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b"}


@lru_cache(maxsize=8)
def value_places(file: str, text: str) -> Mapping[KeyPath, Span]:
    """Return where each table, key and value of a text is written.

    Parameters
    ----------
    file
        Its name, for the spans.
    text
        TOML that a reader has accepted.

    Returns
    -------
    Mapping[KeyPath, Span]
        Of a table its header; of all else the key with its value, or the value in a list.
    """
    return _Places(file, text).found


def levels(text: str) -> Iterator[int]:
    """Yield how deep a text is at each of its marks: brackets within brackets, or parts of a dotted key."""
    brackets = parts = 0
    for token in _TOKEN.finditer(text):
        if mark := token["mark"]:
            brackets = max(0, brackets + (mark in "[{") - (mark in "]}"))
            parts = parts + 1 if mark == "." else 0
        elif token["bare"]:
            parts += token["bare"].count(".")
        elif "\n" in (token["blank"] or ""):
            parts = 0
        yield max(brackets, parts)


class _Places:
    """One pass over a text. A text that is no TOML gives some of its places; it never fails."""

    def __init__(self, file: str, text: str) -> None:
        self.found: dict[KeyPath, Span] = {}
        self._file, self._text, self._at = file, text, 0
        self._lines = LineIndex.of(text)
        self._counts: dict[KeyPath, int] = {}
        table: KeyPath = ()
        while self._skip():
            start = self._at
            if text.startswith("[", start):
                table = self._header(start)
            else:
                self._pair(table)
            if self._at == start:
                self._at += 1  # no TOML

    def _skip(self) -> bool:
        """Go to what is neither blank nor a comment; return whether there is something."""
        while (match := _TOKEN.match(self._text, self._at)) and match["blank"]:
            self._at = match.end()
        return self._at < len(self._text)

    def _header(self, start: int) -> KeyPath:
        is_list = self._text.startswith("[[", start)
        self._at = start + 1 + is_list
        keys = self._keys()
        path: KeyPath = ()
        for number, key in enumerate(keys):
            path = (*path, key)
            if is_list and number == len(keys) - 1:
                count = self._counts[path] = self._counts.get(path, -1) + 1
                path = (*path, count)
            elif path in self._counts:
                path = (*path, self._counts[path])
        closing = self._text.find("]", self._at)
        self._at = len(self._text) if closing < 0 else closing + 1 + is_list
        self._note(path, start, self._at)
        return path

    def _keys(self) -> list[str]:
        keys = []
        while match := _KEY.match(self._text, self._at):
            keys.append(_unquoted(match[1]))
            self._at = match.end()
            if not match[2]:
                break
        return keys

    def _pair(self, table: KeyPath) -> None:
        start = self._at
        path = (*table, *self._keys())
        self._skip()
        if path == table or not self._text.startswith("=", self._at):
            return
        self._at += 1
        self._value(path)
        self._note(path, start, self._at)

    def _value(self, path: KeyPath) -> None:
        if not self._skip():
            return
        opening = self._text[self._at]
        if opening not in "[{":
            while (match := _TOKEN.match(self._text, self._at)) and (
                match["string"] or match["bare"] or match["mark"] == "."
            ):
                self._at = match.end()
            return
        closing, number = {"[": "]", "{": "}"}[opening], 0
        self._at += 1
        while self._skip() and not self._text.startswith(closing, self._at):
            start = self._at
            if self._text.startswith(",", start):
                self._at += 1
            elif opening == "[":
                self._value((*path, number))
                self._note((*path, number), start, self._at)
                number += 1
            else:
                self._pair(path)
            if self._at == start:
                self._at += 1
        self._at += 1

    def _note(self, path: KeyPath, start: int, end: int) -> None:
        end = min(end, len(self._text))
        self.found.setdefault(
            path, Span(self._file, start, end, *self._lines.position(start), *self._lines.position(end))
        )


def _unquoted(key: str) -> str:
    if key[0] not in "\"'":
        return key
    inner = key[1:-1]
    if key[0] == "'":
        return inner

    def plain(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return (
            chr(int(code, 16)) if code and int(code, 16) <= 0x10FFFF else _ESCAPED.get(match[3] or "", match[3] or "")
        )

    return _ESCAPE.sub(plain, inner)
