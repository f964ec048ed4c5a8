"""The values that expressions of xacro compute with, and bounds on how large they become.

Values are plain objects of Python: numbers, texts, lists, dictionaries. Their types are checked exactly, so that none
has operators of its own, and the size of a result is computed before the result is.
"""

from __future__ import annotations

import ast
import datetime
import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from sdfviewer.formats.xacro.reads import Definition, DefinitionKind, FilePlace

#: The longest text and collection that an expression may make, nested ones counted.
LARGEST = 1_000_000
#: Bits of the largest whole number; more than 4 300 digits are not written by Python either.
MOST_BITS = 10_000
#: Levels of collections within collections.
MOST_DEPTH = 50
#: The widest field of a format.
_WIDEST = 999
#: Characters that are written at most for one that :meth:`Bounds.measure` counts: ``\\U0001f600``, ``, -1e-308``.
_LONGEST_PART = 30
#: Characters of the longest number: the largest whole one in bits, ``%f`` of 1e308.
_LONGEST_NUMBER = MOST_BITS

_TOO_LARGE = "an expression creates a value that is too large"


class ExpressionError(ValueError):
    """An expression asks for what is not supported, or for too much."""


class Function:
    """A function that an expression may call; the only values that can be called.

    Attributes
    ----------
    name
        Its name in messages.
    call
        What it does with values; it is never reached by name.
    kind
        The type that it stands for, for ``isinstance``, None where it is a function only.
    """

    __slots__ = ("call", "kind", "name")

    def __init__(self, name: str, call: Callable[..., Any], kind: type | None = None) -> None:
        self.name, self.call, self.kind = name, call, kind

    def __repr__(self) -> str:
        return f"<function {self.name}>"


class Once:
    """Values that can be iterated over once, as ``zip`` and ``map`` give them."""

    __slots__ = ("name", "values")

    def __init__(self, name: str, values: list[Any]) -> None:
        self.name, self.values = name, values

    def take(self) -> list[Any]:
        """Return the values; none are left."""
        values, self.values = self.values, []
        return values

    def __repr__(self) -> str:
        return f"<{self.name} object>"


class YamlDict(dict[Any, Any]):
    """A dictionary whose keys can be read with a dot: one of a YAML file, or what ``dotify`` returns.

    Attributes
    ----------
    places
        Where its values are written, None where that is in no file.
    """

    places: YamlPlaces | None = None


class YamlList(list[Any]):
    """A list in a YAML file, or a part of one; see :class:`YamlDict`."""

    places: YamlPlaces | None = None


class YamlPlaces:
    """Where the values of a collection are written in a YAML file.

    Parameters
    ----------
    file
        The file.
    keys
        The keys that lead to the collection.
    spans
        Where each value begins and ends, in characters, by its key; of a list by its number. Collections are not in it.
    numbers
        The numbers of the elements that a list has, where it is one: those of a part of a list are its own.
    """

    __slots__ = ("_definitions", "_file", "_keys", "_numbers", "_spans")

    def __init__(
        self, file: str, keys: tuple[Any, ...], spans: dict[Any, tuple[int, int]], numbers: range | None = None
    ) -> None:
        self._file, self._keys, self._spans, self._numbers = file, keys, spans, numbers
        self._definitions: dict[Any, Definition] = {}

    def definition(self, key: Any) -> Definition | None:
        """Return where the value of a key is written, None where it is a collection."""
        if self._numbers is not None:
            key = self._numbers[key]
        known = self._definitions.get(key)
        if known is None and (span := self._spans.get(key)) is not None:
            name = ".".join(map(str, (*self._keys, key)))
            known = self._definitions[key] = Definition(DefinitionKind.YAML, name, FilePlace(self._file, *span))
        return known

    def part(self, part: slice) -> YamlPlaces | None:
        """Return those of a part of a list."""
        return None if self._numbers is None else YamlPlaces(self._file, self._keys, self._spans, self._numbers[part])


_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
NUMBERS = frozenset({bool, int, float})
LISTS = frozenset({list, YamlList})
DICTS = frozenset({dict, YamlDict})
YAML_COLLECTIONS = frozenset({YamlDict, YamlList})
_SEQUENCES = frozenset({str, list, YamlList, tuple})
_COLLECTIONS = frozenset({*LISTS, *DICTS, tuple, set, frozenset, *_VIEWS})
_SCALARS = frozenset({*NUMBERS, str, type(None), datetime.date, datetime.datetime})
_ITERABLES = frozenset({*_COLLECTIONS, str, range})
_VALUES = frozenset({*_SCALARS, *_COLLECTIONS, range, Function, Once})

#: What each operator does; those that are missing are not supported.
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
}
OPERATORS = tuple(_OPERATORS)

_CONVERSION = re.compile(r"%(?:\([^()]*\))?[-+ #0]*(\d*)(?:\.(\d*))?([diouxXeEfFgGcrsa%])", re.ASCII)
_FORMAT = re.compile(r"(?:.?[<>=^])?[-+ ]?z?#?0?(\d*)[,_]?(?:\.(\d+))?[bcdeEfFgGnosxX%]?", re.ASCII | re.DOTALL)


def describe(value: object) -> str:
    """Return what a value is, for messages."""
    kind = type(value)
    if kind is Function:
        return f"the function '{value.name}'"  # type: ignore[attr-defined]
    names = {str: "a text", bool: "a truth value", type(None): "None", Once: "an iterator"}
    if kind in NUMBERS:
        return names.get(kind, "a number")
    return names.get(kind) or f"a {kind.__name__.removeprefix('Yaml').lower()}"


def admitted(value: Any) -> Any:
    """Return a value of a type that expressions have.

    Raises
    ------
    ExpressionError
        If it is another object.
    """
    if type(value) in _VALUES:
        return value
    if type(value) is complex:
        raise ExpressionError("the result is a complex number")
    raise ExpressionError("only numbers, texts, lists, tuples, sets and dictionaries are supported")


class Bounds:
    """Bounds the work of expressions.

    Parameters
    ----------
    count
        Counts steps, and raises where there are too many.
    """

    def __init__(self, count: Callable[[int], None]) -> None:
        self.count = count

    def made(self, value: Any) -> Any:
        """Return a value that was made, if it is no larger than any robot needs.

        Raises
        ------
        ExpressionError
            If it is too large, or no value of an expression.
        """
        kind = type(admitted(value))
        if kind is int:
            if value.bit_length() > MOST_BITS:
                raise ExpressionError(_TOO_LARGE)
        elif kind is str:
            self.allow(len(value))
            if len(value) > 64:
                self.count(len(value) >> 6)
        elif kind in _COLLECTIONS:
            self.allow(len(value))
            self.count(len(value))
        return value

    def allow(self, size: int) -> None:
        """Raise ExpressionError where a value of so many characters or elements is too large."""
        if size > LARGEST:
            raise ExpressionError(_TOO_LARGE)

    def measure(self, value: Any) -> int:
        """Return the size of a value with all that is in it: what is written, compared or hashed costs as much.

        A collection that is in it often counts as often, but is looked through once in each depth.

        Raises
        ------
        ExpressionError
            If it is too large, is nested too deeply, or contains itself.
        """
        if type(value) not in _COLLECTIONS:
            return _length(value)
        size, width = 0, 1
        level: dict[int, tuple[Any, int]] = {id(value): (value, 1)}
        for _ in range(MOST_DEPTH):
            inner: dict[int, tuple[Any, int]] = {}
            self.count(width >> 4)
            width = written = 0
            for each, times in level.values():
                self.allow(size + width + 2 * times * len(each))
                for parts in (each, each.values()) if type(each) in DICTS else (each,):
                    width += times * len(parts)
                    for part in parts:
                        if type(part) in _COLLECTIONS:
                            inner[id(part)] = part, times + inner.get(id(part), (part, 0))[1]
                        else:
                            written += times * _length(part)
            size += written
            self.allow(size)
            if not width:
                return size
            level = inner
        raise ExpressionError("collections are nested too deeply")

    def text(self, value: Any) -> str:
        """Return the text of a value, as ``str`` does."""
        if type(value) is str:
            return value
        self.measure(admitted(value))
        return str(value)

    def iterate(self, value: Any) -> Iterator[Any]:
        """Yield what is in a value, and count it.

        Raises
        ------
        ExpressionError
            If there is nothing to iterate over.
        """
        if type(value) is Once:
            value = value.take()
        elif type(value) not in _ITERABLES:
            raise ExpressionError(f"{describe(value)} has no elements")
        for each in value:
            self.count(1)
            yield each

    def elements(self, value: Any) -> list[Any]:
        """Return what is in a value, as a list."""
        return list(self.iterate(value))

    def hashed(self, values: Iterable[Any]) -> list[Any]:
        """Return values that are to be keys or elements of a set: their hash is not kept, but computed each time."""
        hashed = list(values)
        for each in hashed:
            self.measure(each)
        return hashed

    def binary(self, kind: type[ast.operator], a: Any, b: Any) -> Any:
        """Return ``a`` and ``b`` combined by an operator.

        Raises
        ------
        ExpressionError
            If the result is too large, or no value of an expression.
        """
        types = {type(a), type(b)}
        if types <= NUMBERS:
            self._check_numbers(kind, a, b)
        elif kind is ast.Mult:
            sizes = [len(each) for each in (a, b) if type(each) in _SEQUENCES]
            counts = [each for each in (a, b) if type(each) in NUMBERS]
            if sizes and counts:
                self.allow(sizes[0] * max(counts[0], 0))
        elif kind is ast.Mod and type(a) is str:
            return self.made(self._percent(a, b))
        elif kind is ast.Add and types <= _SEQUENCES:
            self.allow(len(a) + len(b))
        else:
            self.measure(a)
            self.measure(b)
        return self.made(_OPERATORS[kind](a, b))

    def _check_numbers(self, kind: type[ast.operator], a: Any, b: Any) -> None:
        if float in (type(a), type(b)):
            return
        if kind is ast.Pow and max(a.bit_length(), 1) * b > MOST_BITS:
            raise ExpressionError("an exponent is too large")
        if kind is ast.Mult and a.bit_length() + b.bit_length() > MOST_BITS + 1:
            raise ExpressionError(_TOO_LARGE)
        if kind is ast.LShift and a.bit_length() + b > MOST_BITS:
            raise ExpressionError(_TOO_LARGE)

    def _percent(self, template: str, values: Any) -> str:
        """Return ``template % values``, whose size is computed first."""
        size = len(template)
        each = _LONGEST_PART * self.measure(values) + _LONGEST_NUMBER
        at = template.find("%")
        while at >= 0:
            conversion = _CONVERSION.match(template, at)
            if conversion is None:
                raise ExpressionError("a % is not followed by a format that is supported; write %% for the sign")
            width, precision, letter = conversion.groups()
            size += _width(width) + _width(precision) + (each if letter != "%" else 1)
            at = template.find("%", conversion.end())
        self.allow(size)
        self.count(size >> 6)
        return str(template % values)

    def format(self, value: Any, spec: str) -> str:
        """Return ``format(value, spec)``.

        Raises
        ------
        ExpressionError
            If the format is wider than a line, or none of a number or text.
        """
        if not spec:
            return self.text(value)
        found = _FORMAT.fullmatch(spec)
        if found is None or type(value) not in {*NUMBERS, str}:
            raise ExpressionError(f"the format '{spec[:40]}' of {describe(value)} is not supported")
        for width in found.groups():
            _width(width)
        return format(value, spec)

    def compare(self, a: Any, b: Any) -> tuple[Any, Any]:
        """Return two values that may be compared: comparing nested collections takes as long as they are large."""
        if type(a) in _COLLECTIONS and type(b) in _COLLECTIONS:
            self.measure(a)
            self.measure(b)
        return a, b

    def contains(self, container: Any, value: Any) -> bool:
        """Return whether a value is in a container."""
        if type(container) is Once or type(container) not in _ITERABLES:
            raise ExpressionError(f"{describe(container)} has no elements to look for")
        self.measure(container)
        self.measure(value)
        return value in container


def _length(value: Any) -> int:
    """Return about how many characters are written for a value that is no collection."""
    kind = type(value)
    if kind is str:
        return len(value)
    return 1 + (value.bit_length() >> 2 if kind is int else 0)


def _width(digits: str | None) -> int:
    if digits and (len(digits) > 4 or int(digits) > _WIDEST):
        raise ExpressionError(f"the format '{digits[:20]}' is too wide: at most {_WIDEST}")
    return int(digits or 0)


def count_of(values: Collection[Any]) -> int:
    """Return the number of elements of a collection or text."""
    if type(values) not in _ITERABLES:
        raise ExpressionError(f"{describe(values)} has no length")
    return len(values)
