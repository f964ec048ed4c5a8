"""Where in a TOML text each value is written, and what a JSON Schema says against it, in plain words."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from sdfviewer.diagnostics import Span
from sdfviewer.document.indexes import LineIndex

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


# --- schemas ------------------------------------------------------------------------------------------------------


Schema: TypeAlias = Mapping[str, Any]
#: The keys and numbers that lead to a value, as in ``("contract", 0, "pose", 2)``.
KeyPath: TypeAlias = tuple[str | int, ...]

_TYPES: dict[str, tuple[type, ...]] = {
    **{"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)},
    **{"object": (dict,), "array": (list,), "null": (type(None),)},
}
_ONE = {"string": "a string", "integer": "a whole number", "number": "a number", "boolean": "true or false"}
_ONE |= {"object": "a table", "array": "a list", "null": "null"}
_MANY = {"string": "strings", "integer": "whole numbers", "number": "numbers", "object": "tables", "array": "lists"}


class Violation(NamedTuple):
    """What is wrong with a value, and the keys and numbers that lead to it."""

    path: KeyPath
    message: str


def first_violation(value: object, schema: Schema) -> Violation | None:
    """Return what is wrong with a value of dictionaries, lists, strings, numbers and booleans; None where it fits."""
    return next(_violations(value, schema, (), schema), None)


def _violations(value: object, schema: Schema, path: KeyPath, root: Schema) -> Iterator[Violation]:
    schema = _resolved(schema, root)
    if "anyOf" in schema:
        choices = [each for each in schema["anyOf"] if _has_kind(value, _resolved(each, root))]
        found = [next(_violations(value, each, path, root), None) for each in choices]
        if not choices:
            yield Violation(path, f"{_dotted(path)} must be {_described(schema, root)}")
        elif None not in found:
            yield from filter(None, found)
    elif not _has_kind(value, schema):
        yield Violation(path, f"{_dotted(path)} must be {_described(schema, root)}")
    elif isinstance(value, dict):
        yield from _in_table(value, schema, path, root)
    elif isinstance(value, list):
        yield from _in_list(value, schema, path, root)
    elif isinstance(value, str) and len(value) > schema.get("maxLength", math.inf):
        what = "has a pattern of" if isinstance(path[-1], int) else "has"
        yield Violation(path, f"{_dotted(path)} {what} more than {schema['maxLength']:,} characters; shorten it")
    elif isinstance(value, (int, float)) and value < schema.get("minimum", -math.inf):
        yield Violation(path, f"{_dotted(path)} must be {schema['minimum']} or more")
    elif isinstance(value, (int, float)) and value > schema.get("maximum", math.inf):
        yield Violation(path, f"{_dotted(path)} must be {schema['maximum']} or less")


def _resolved(schema: Schema, root: Schema) -> Schema:
    return root["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def _has_kind(value: object, schema: Schema) -> bool:
    """Return whether a value has the type of a schema, or is what it must be."""
    if "const" in schema and value != schema["const"]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    is_number = not isinstance(value, bool) and (not isinstance(value, float) or math.isfinite(value))
    return "type" not in schema or any(
        isinstance(value, _TYPES[name]) and (is_number or name not in ("number", "integer"))
        for name in _type_names(schema)
    )


def _type_names(schema: Schema) -> list[str]:
    written = schema.get("type", [])
    return [written] if isinstance(written, str) else list(written)


def _in_list(value: list[Any], schema: Schema, path: KeyPath, root: Schema) -> Iterator[Violation]:
    fewest, most = schema.get("minItems", 0), schema.get("maxItems", math.inf)
    items = _resolved(schema.get("items", {}), root)
    if fewest == most != len(value):
        yield Violation(path, f"{_dotted(path)} must be {_described(schema, root)}")
    elif len(value) > most:
        what = "patterns" if "maxLength" in items else "entries"
        yield Violation(path, f"{_dotted(path)} has more than {most:,} {what}; use fewer")
    elif len(value) < fewest:
        yield Violation(path, f"{_dotted(path)} is empty; write at least {fewest}")
    for number, each in enumerate(value):
        if not _has_kind(each, items):
            yield Violation((*path, number), f"{_dotted(path)} must be {_described(schema, root)}")
        else:
            yield from _violations(each, items, (*path, number), root)


def _in_table(value: dict[str, Any], schema: Schema, path: KeyPath, root: Schema) -> Iterator[Violation]:
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    if len(value) > schema.get("maxProperties", math.inf):
        yield Violation(path, f"{_dotted(path)} has more than {schema['maxProperties']:,} patterns; use fewer")
    for name, inner in value.items():
        most = schema.get("propertyNames", {}).get("maxLength", math.inf)
        if name not in properties and others is False:
            where = f" in {_dotted(path)}" if path else ""
            yield Violation((*path, name), f"unknown setting {name[:60]!r}{where}; use {', '.join(properties)}")
        elif len(name) > most:
            yield Violation(path, f"{_dotted(path)} has a pattern of more than {most} characters; shorten it")
        else:
            yield from _violations(inner, properties.get(name, {} if others is True else others), (*path, name), root)
    for name, others in schema.get("dependentRequired", {}).items():
        if name in value and (lacking := [each for each in others if each not in value]):
            yield Violation((*path, name), f"{_dotted(path)}.{name} needs {_dotted(path)}.{lacking[0]}")
    for name in schema.get("required", ()):
        if name not in value:
            yield Violation(path, f"{_dotted(path)} lacks '{name}'")


def _described(schema: Schema, root: Schema) -> str:
    """Return in words what a value must be."""
    schema = _resolved(schema, root)
    names = _type_names(schema)
    if "anyOf" in schema:
        words = " or ".join(_described(each, root) for each in schema["anyOf"])
    elif "const" in schema:
        words = json.dumps(schema["const"])
    elif "enum" in schema:
        words = f"one of {', '.join(map(json.dumps, schema['enum']))}"
    elif names == ["array"]:
        count = (
            f"{schema['minItems']} " if "minItems" in schema and schema["minItems"] == schema.get("maxItems") else ""
        )
        inner = _type_names(_resolved(schema.get("items", {}), root))
        words = f"a list of {count}{_MANY[inner[0]] if len(inner) == 1 else 'values'}"
    else:
        words = " or ".join(_ONE[name] for name in names)
    return words


def _dotted(path: KeyPath) -> str:
    """Return a path as it is shown: ``contract.pose``; which entry of a list it is, its line says."""
    return ".".join(str(key) for key in path if isinstance(key, str))
