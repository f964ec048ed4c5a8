"""The functions, constants and methods that expressions of xacro may use, by name.

A method is found in a table by the exact type of its value, never as an attribute. Those that make bytes or read
attributes are not in it; those that can make something large are bounded. ``format`` is not Python's, which reads
attributes of what it is given: it fills in whole arguments only.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from functools import partial
from string import Formatter
from typing import Any

from sdfviewer.formats.xacro.values import (
    DICTS,
    LARGEST,
    MOST_BITS,
    NUMBERS,
    Bounds,
    ExpressionError,
    Function,
    Once,
    YamlDict,
    YamlList,
    count_of,
    describe,
)

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


#: The numbers of the module ``math``.
MATH_CONSTANTS = ("e", "inf", "nan", "pi", "tau")
#: Its functions of numbers, those that this version of Python has.
MATH_FUNCTIONS = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "comb", "copysign", "cos", "cosh",
    "degrees", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "factorial", "floor", "fma", "fmod", "frexp", "gamma",
    "gcd", "hypot", "isclose", "isfinite", "isinf", "isnan", "isqrt", "lcm", "ldexp", "lgamma", "log", "log10",
    "log1p", "log2", "modf", "nextafter", "perm", "pow", "radians", "remainder", "sin", "sinh", "sqrt", "tan", "tanh",
    "trunc", "ulp",
)  # fmt: skip
#: Its functions of lists of numbers.
MATH_LIST_FUNCTIONS = ("dist", "fsum", "prod", "sumprod")

#: The functions that stand for a type, too.
_TYPES: Mapping[str, type] = {
    each.__name__: each for each in (bool, dict, float, frozenset, int, list, set, str, tuple)
}


def math_symbols(bounds: Bounds) -> dict[str, Any]:
    """Return the constants and functions of the module ``math`` by name."""
    present = vars(math)
    symbols: dict[str, Any] = {name: present[name] for name in MATH_CONSTANTS}
    for name in MATH_FUNCTIONS:
        if name in present:
            symbols[name] = Function(name, _of_numbers(name, present[name]))
    for name in MATH_LIST_FUNCTIONS:
        if name in present:
            symbols[name] = Function(name, _of_lists(name, present[name], bounds))
    return symbols


def _of_numbers(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*numbers: Any, **options: Any) -> Any:
        _require_numbers(name, (*numbers, *options.values()))
        bits = _RESULT_BITS.get((name, len(numbers)))
        if name == "lcm":
            bits = _sum_of_bits
        if bits is not None and bits([abs(int(each)) for each in numbers]) > MOST_BITS:
            raise ExpressionError(f"the result of {name} is too large")
        return function(*numbers, **options)

    return call


def _of_lists(name: str, function: Callable[..., Any], bounds: Bounds) -> Callable[..., Any]:
    def call(*lists: Any, **options: Any) -> Any:
        numbers = [bounds.elements(each) for each in lists]
        _require_numbers(name, (*(each for values in numbers for each in values), *options.values()))
        if name == "prod" and _sum_of_bits([each for values in numbers for each in values]) > MOST_BITS:
            raise ExpressionError("the result of prod is too large")
        return function(*numbers, **options)

    return call


def _require_numbers(name: str, values: Any) -> None:
    for each in values:
        if type(each) not in NUMBERS:
            raise TypeError(f"{name} needs a number, not {describe(each)}")


def _sum_of_bits(numbers: list[Any]) -> int:
    return sum(each.bit_length() for each in numbers if type(each) is int)


def _comb_bits(numbers: list[int]) -> int:
    n, k = numbers
    return min(k, abs(n - k)) * n.bit_length()


#: About how many bits the result of a function has that can make large whole numbers of few arguments.
_RESULT_BITS: Mapping[tuple[str, int], Callable[[list[int]], int]] = {
    ("factorial", 1): lambda numbers: numbers[0] * numbers[0].bit_length(),
    ("comb", 2): _comb_bits,
    ("perm", 1): lambda numbers: numbers[0] * numbers[0].bit_length(),
    ("perm", 2): lambda numbers: numbers[1] * numbers[0].bit_length(),
}


class Builtins:
    """The functions of Python that xacro offers.

    Parameters
    ----------
    bounds
        Bounds what they make.
    apply
        Calls a :class:`Function` with arguments.

    Attributes
    ----------
    direct, in_namespace
        The functions that a file calls by name, and those that it reaches as ``python.NAME``.
    """

    def __init__(self, bounds: Bounds, apply: Callable[..., Any]) -> None:
        self._bounds, self._apply = bounds, apply
        elements, hashed = bounds.elements, bounds.hashed
        direct: Mapping[str, Callable[..., Any]] = {
            "bool": bool,
            "dict": self._dict,
            "float": float,
            "int": self._int,
            "len": count_of,
            "list": lambda values=(): elements(values),
            "map": lambda function, *values: Once("map", [apply(function, *each) for each in self._zipped(values)]),
            "max": partial(self._extreme, max),
            "min": partial(self._extreme, min),
            "round": self._round,
            "str": lambda value="": bounds.text(value),
        }
        others: Mapping[str, Callable[..., Any]] = {
            "abs": abs,
            "all": lambda values: all(elements(values)),
            "any": lambda values: any(elements(values)),
            "divmod": self._divmod,
            "enumerate": lambda values, start=0: Once("enumerate", [*enumerate(elements(values), start)]),
            "filter": self._filter,
            "frozenset": lambda values=(): frozenset(hashed(elements(values))),
            "isinstance": self._isinstance,
            "ord": ord,
            "range": self._range,
            "repr": self._repr,
            "reversed": lambda values: Once("reversed", elements(values)[::-1]),
            "set": lambda values=(): set(hashed(elements(values))),
            "sorted": self._sorted,
            "sum": self._sum,
            "tuple": lambda values=(): tuple(elements(values)),
            "type": self._type,
            "zip": lambda *values, strict=False: Once("zip", self._zipped(values, strict=bool(strict))),
        }
        self.direct = {name: Function(name, call, _TYPES.get(name)) for name, call in direct.items()}
        self.in_namespace = {
            **self.direct,
            **{name: Function(name, call, _TYPES.get(name)) for name, call in others.items()},
        }

    # --- types --------------------------------------------------------------------------------------------------------

    def _dict(self, values: Any = (), /, **named: Any) -> Any:
        if type(values) in DICTS:
            return {**values, **named}
        pairs = [self._bounds.elements(each) for each in self._bounds.elements(values)]
        if any(len(pair) != 2 for pair in pairs):
            raise ValueError("a dictionary is made of pairs")
        self._bounds.hashed(key for key, _ in pairs)
        return {**dict(pairs), **named}

    def _int(self, value: Any = 0, base: Any = None) -> Any:
        """Return a whole number."""
        if type(value) is str and len(value) > MOST_BITS // 4:
            raise ExpressionError("a number has too many digits")
        return int(value) if base is None else int(value, base)

    def _type(self, value: Any) -> Any:
        """Return the function of a value's type, which can be compared."""
        function = self.in_namespace.get(type(value).__name__)
        if function is None or function.kind is not type(value):
            raise ExpressionError(f"the type of {describe(value)} is not supported: use python.isinstance")
        return function

    def _isinstance(self, value: Any, kinds: Any) -> Any:
        """Return whether a value is of a type or one of several."""
        wanted = kinds if type(kinds) is tuple else (kinds,)
        types = [each.kind for each in wanted if type(each) is Function and each.kind is not None]
        if len(types) < len(wanted):
            raise TypeError("isinstance needs a type, such as int, or a tuple of types")
        return isinstance(value, tuple(types))

    # --- numbers ------------------------------------------------------------------------------------------------------

    def _divmod(self, a: Any, b: Any) -> Any:
        """Return quotient and remainder."""
        _require_numbers("divmod", (a, b))
        return divmod(a, b)

    def _round(self, number: Any, ndigits: Any = None) -> Any:
        _require_numbers("round", (number,))
        if ndigits is None:
            return round(number)
        if type(ndigits) is int and abs(ndigits) > MOST_BITS:
            raise ExpressionError("round has too many digits")
        return round(number, ndigits)

    def _sum(self, values: Any, start: Any = 0) -> Any:
        added = self._bounds.elements(values)
        if all(type(each) in NUMBERS for each in (*added, start)):
            return sum(added, start)  # more exact than one after the other
        if type(start) is str:
            raise TypeError("sum does not add texts: use ''.join")
        for each in added:
            start = self._bounds.binary(ast.Add, start, each)
        return start

    # --- texts --------------------------------------------------------------------------------------------------------

    def _repr(self, value: Any) -> Any:
        """Return how a value is written."""
        self._bounds.measure(value)
        return repr(value)

    # --- collections --------------------------------------------------------------------------------------------------

    def _filter(self, function: Any, values: Any) -> Any:
        """Return the values for which a function gives true, or those that are true."""
        found = self._bounds.elements(values)
        return Once("filter", [each for each in found if (each if function is None else self._apply(function, each))])

    def _extreme(self, choose: Callable[..., Any], *values: Any, key: Any = None, **default: Any) -> Any:
        """Return the largest or the smallest value."""
        compared = self._bounds.elements(values[0]) if len(values) == 1 else [*values]
        self._bounds.measure(compared)
        order = None if key is None else lambda value: self._key(key, value)
        if default.keys() - {"default"} or (default and len(values) != 1):
            raise TypeError(f"{choose.__name__} got an option that it does not have")
        return choose(compared, key=order, **default)

    def _range(self, *bounds: Any) -> Any:
        """Return whole numbers from start to stop."""
        made = range(*bounds)
        if len(made) > LARGEST:
            raise ExpressionError("a range has too many steps")
        return made

    def _sorted(self, values: Any, *, key: Any = None, reverse: Any = False) -> Any:
        found = self._bounds.elements(values)
        self._bounds.measure(found)
        order = None if key is None else lambda value: self._key(key, value)
        return sorted(found, key=order, reverse=bool(reverse))

    def _key(self, key: Any, value: Any) -> Any:
        found = self._apply(key, value)
        self._bounds.measure(found)
        return found

    def _zipped(self, values: Any, *, strict: Any = False) -> Any:
        return [*zip(*map(self._bounds.elements, values), strict=strict)]
