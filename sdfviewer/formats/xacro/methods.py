"""The methods of texts, lists, dictionaries and sets that expressions of xacro may call, by name.

A method is found in a table by the exact type of its value, never as an attribute. Those that make bytes or read
attributes are not in it; those that can make something large are bounded. ``format`` is not Python's, which reads
attributes of what it is given: it fills in whole arguments only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Formatter
from typing import Any

from sdfviewer.formats.xacro.values import DICTS, Bounds, ExpressionError, YamlDict, YamlList

#: The methods of a text that make nothing longer than it is.
TEXT_METHODS = (
    "capitalize", "casefold", "count", "endswith", "find", "index", "isalnum", "isalpha", "isascii", "isdecimal",
    "isdigit", "isidentifier", "islower", "isnumeric", "isprintable", "isspace", "istitle", "isupper", "lower",
    "lstrip", "partition", "removeprefix", "removesuffix", "rfind", "rindex", "rpartition", "rsplit", "rstrip", "split",
    "splitlines", "startswith", "strip", "swapcase", "title", "upper",
)  # fmt: skip
#: The methods of a list that look at no element, and those that compare.
LIST_METHODS = ("clear", "copy", "pop", "reverse")
COMPARING_METHODS = ("count", "index", "remove")
DICT_METHODS = ("clear", "copy", "items", "keys", "popitem", "values")
#: The methods of a dictionary that look for a key.
KEY_METHODS = ("get", "pop", "setdefault")
#: The methods of a list or dictionary that leave it as it is.
READING_METHODS = frozenset({"copy", "count", "get", "index", "items", "keys", "values"})
TUPLE_METHODS = ("count", "index")
#: The methods of a set; their arguments are collections, or of the last ones an element.
SET_METHODS = (
    "difference", "intersection", "isdisjoint", "issubset", "issuperset", "symmetric_difference", "union",
)  # fmt: skip
_CHANGING_SET = ("difference_update", "intersection_update", "symmetric_difference_update", "update")
_OF_ELEMENT = ("add", "discard", "remove")

#: Methods by type and name; each takes the value first.
Methods = Mapping[type, Mapping[str, Callable[..., Any]]]


def make_methods(bounds: Bounds, apply: Callable[..., Any]) -> Methods:
    """Return the methods by the type of their value.

    Parameters
    ----------
    bounds
        Bounds what they make.
    apply
        Calls a function that is a value with arguments.
    """
    texts = _select(str, TEXT_METHODS)
    texts.update(_growing_texts(bounds))
    lists = _select(list, LIST_METHODS) | _growing_lists(bounds, apply)
    lists |= _measured(bounds, list, COMPARING_METHODS)
    tuples = _measured(bounds, tuple, TUPLE_METHODS)
    dicts = _select(dict, DICT_METHODS) | _of_keys(bounds) | {"update": _update(bounds)}
    sets = {name: _of_collections(bounds, vars(set)[name]) for name in (*SET_METHODS, *_CHANGING_SET)}
    sets |= _measured(bounds, set, _OF_ELEMENT) | _select(set, ("clear", "copy", "pop"))
    frozen = {name: _of_collections(bounds, vars(frozenset)[name]) for name in SET_METHODS}
    return {
        str: texts, list: lists, YamlList: lists, tuple: tuples, dict: dicts, YamlDict: dicts, set: sets,
        frozenset: frozen,
    }  # fmt: skip


def _select(kind: type, names: tuple[str, ...]) -> dict[str, Callable[..., Any]]:
    methods = vars(kind)
    return {name: methods[name] for name in names}


def _measured(bounds: Bounds, kind: type, names: tuple[str, ...]) -> dict[str, Callable[..., Any]]:
    """Return methods that run only where the value and the arguments are no larger than any robot needs.

    Comparing and hashing take as long as what is compared is large, and a collection in it may have grown.
    """

    def measured(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(value: Any, *arguments: Any) -> Any:
            for each in (value, *arguments):
                bounds.measure(each)
            return method(value, *arguments)

        return call

    return {name: measured(method) for name, method in _select(kind, names).items()}


def _of_keys(bounds: Bounds) -> dict[str, Callable[..., Any]]:
    def measured(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(value: Any, key: Any, *default: Any) -> Any:
            bounds.measure(key)
            found = method(value, key, *default)
            if method is dict.setdefault:
                bounds.measure(value)
            return found

        return call

    return {name: measured(method) for name, method in _select(dict, KEY_METHODS).items()}


def _of_collections(bounds: Bounds, method: Callable[..., Any]) -> Callable[..., Any]:
    def call(value: Any, *collections: Any) -> Any:
        bounds.measure(value)
        result = method(value, *(bounds.hashed(bounds.iterate(each)) for each in collections))
        bounds.measure(value)
        return result

    return call


def _growing_texts(bounds: Bounds) -> dict[str, Callable[..., Any]]:
    def join(text: str, parts: Any) -> str:
        found = bounds.elements(parts)
        bounds.allow(sum(len(each) for each in found if type(each) is str) + len(text) * len(found))
        return text.join(found)

    def replace(text: str, old: str, new: str, count: int = -1) -> str:
        if type(old) is str and type(new) is str:
            bounds.allow(len(text) + text.count(old) * len(new))
        return text.replace(old, new, count)

    def expandtabs(text: str, tabsize: int = 8) -> str:
        bounds.allow(len(text) + text.count("\t") * max(tabsize, 0))
        return text.expandtabs(tabsize)

    def widened(method: Callable[..., str]) -> Callable[..., str]:
        def call(text: str, width: int, *fill: str) -> str:
            bounds.allow(width)
            return method(text, width, *fill)

        return call

    def format_(text: str, /, *values: Any, **named: Any) -> str:
        arguments = {**{str(number): value for number, value in enumerate(values)}, **named}
        parts: list[str] = []
        size = count = 0
        for literal, field, spec, conversion in Formatter().parse(text):
            parts.append(literal)
            if field is None:  # the end
                continue
            if conversion or "{" in (spec or ""):
                raise ExpressionError("format with a conversion or nested fields is not supported")
            name = field or str(count)
            count += not field
            if name not in arguments:
                raise ExpressionError(
                    f"format has no argument '{name[:40]}'; attributes and elements are not supported"
                )
            parts.append(bounds.format(arguments[name], spec or ""))
            size += len(literal) + len(parts[-1])
            bounds.allow(size)
        return "".join(parts)

    wide = {"center": str.center, "ljust": str.ljust, "rjust": str.rjust, "zfill": str.zfill}
    found: dict[str, Callable[..., Any]] = {
        "join": join,
        "replace": replace,
        "expandtabs": expandtabs,
        "format": format_,
    }
    return found | {name: widened(method) for name, method in wide.items()}


def _growing_lists(bounds: Bounds, apply: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    def check(values: list[Any], added: list[Any]) -> None:
        """Raise ExpressionError where a list has become too large, or contains itself."""
        bounds.allow(len(values))
        if any(bounds.measure(each) > 1 for each in added):
            bounds.measure(values)

    def append(values: list[Any], value: Any) -> None:
        values.append(value)
        check(values, [value])

    def extend(values: list[Any], more: Any) -> None:
        added = bounds.elements(more)
        bounds.allow(len(values) + len(added))
        values.extend(added)
        check(values, added)

    def insert(values: list[Any], index: Any, value: Any) -> None:
        values.insert(index, value)
        check(values, [value])

    def sort(values: list[Any], *, key: Any = None, reverse: Any = False) -> None:
        def order(value: Any) -> Any:
            found = value if key is None else apply(key, value)
            bounds.measure(found)
            return found

        bounds.count(len(values))
        values.sort(key=order, reverse=bool(reverse))

    return {"append": append, "extend": extend, "insert": insert, "sort": sort}


def _update(bounds: Bounds) -> Callable[..., Any]:
    def update(value: dict[Any, Any], /, *others: Any, **named: Any) -> None:
        for other in others:
            bounds.measure(other)
            if type(other) in DICTS:
                value.update(other)
            else:
                pairs: Any = [bounds.elements(each) for each in bounds.elements(other)]
                bounds.measure(pairs)
                value.update(pairs)
        value.update(named)
        bounds.measure(value)

    return update
