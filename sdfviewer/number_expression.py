"""Number expressions: ``0.3+0.05``, ``pi/2``, ``45deg``, ``12mm``, ``+=0.1``.

The language has numbers, ``pi``, units, the four operations, powers and brackets. It has no names to call, so that
nothing typed or pasted can do more than give a number. Fractions are exact: ``0.1*3`` is 0.3, and ``3in`` is 0.0762.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

_LENGTH, _ANGLE, _MASS = "a length", "an angle", "a mass"


@dataclass(frozen=True, slots=True)
class _Quantity:
    """``value * pi**pi``: in metres, radians or kilograms where it is of a kind, else a plain number.

    ``has_pi`` is whether pi went into a plain number: such a number is an angle in radians.
    """

    value: Fraction
    pi: int = 0
    kind: str = ""
    has_pi: bool = False

    def __float__(self) -> float:
        return float(self.value) * math.pi**self.pi


def _unit(numerator: int, denominator: int, kind: str, pi: int = 0) -> _Quantity:
    return _Quantity(Fraction(numerator, denominator), pi, kind)


_UNITS = {
    "m": _unit(1, 1, _LENGTH),
    "cm": _unit(1, 100, _LENGTH),
    "mm": _unit(1, 1000, _LENGTH),
    "um": _unit(1, 10**6, _LENGTH),
    "µm": _unit(1, 10**6, _LENGTH),
    "km": _unit(1000, 1, _LENGTH),
    "in": _unit(254, 10**4, _LENGTH),
    "ft": _unit(3048, 10**4, _LENGTH),
    "rad": _unit(1, 1, _ANGLE),
    "mrad": _unit(1, 1000, _ANGLE),
    "deg": _unit(1, 180, _ANGLE, 1),
    "°": _unit(1, 180, _ANGLE, 1),
    "kg": _unit(1, 1, _MASS),
    "g": _unit(1, 1000, _MASS),
    "lb": _unit(45359237, 10**8, _MASS),
}
UNITS = tuple(_UNITS)
"""The units that can be written behind a number or a bracket."""

_PLAIN = _Quantity(Fraction(1))
_PI = _Quantity(Fraction(1), 1, "", True)
_TOKEN = re.compile(r"\s*((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[a-zµ]+|°|\*\*|[-+*/^()])")
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")
_SPELLINGS = str.maketrans({"π": "pi", "−": "-", "×": "*", "·": "*", "÷": "/", "μ": "µ"})
_CHANGE = re.compile(r"\s*([-+*/])=(.*)", re.DOTALL)
_MOST_CHARACTERS, _MOST_BRACKETS, _MOST_POWER, _MOST_EXPONENT, _MOST_BITS = 200, 40, 64, 400, 8192


class _NotANumberError(Exception):
    """The text is no expression."""


def parse_number(text: str, unit: str = "", current: float | None = None) -> float:
    """Return the value of a number expression.

    Parameters
    ----------
    text
        An expression. ``+=``, ``-=``, ``*=`` and ``/=`` at its beginning change the current number.
    unit
        The unit of the result, and of numbers that come without their own; empty where it has none. In degrees an
        expression with ``pi`` and without units is in radians: ``pi/2`` is 90.
    current
        What a change starts from, in that unit.

    Raises
    ------
    ValueError
        With a sentence that can be shown beside the field.
    """
    if not text.strip():
        raise ValueError("A number is missing here.")
    own = _UNITS.get(unit, _PLAIN)
    written = _DECIMAL_COMMA.sub(".", text.lower().translate(_SPELLINGS))
    change = _CHANGE.fullmatch(written)
    try:
        result = _Parser(change[2] if change else written, own).parse()
        if change:
            if current is None or not math.isfinite(current):
                raise ValueError("There is no number to change yet.")
            start = _times(_Quantity(Fraction(repr(float(current)))), own)
            result = _OPERATIONS[change[1]](start, result, own)
        value = _in_unit(result, own)
    except _NotANumberError:
        raise ValueError(f"“{text.strip()}” is not a number.") from None
    except (ZeroDivisionError, OverflowError):
        raise ValueError("The number must be finite.") from None
    if not math.isfinite(value):
        raise ValueError("The number must be finite.")
    return value


def is_change(text: str) -> bool:
    """Return whether a text changes a number, as ``+=0.1`` does."""
    return _CHANGE.fullmatch(text.translate(_SPELLINGS)) is not None


def evaluate_words(text: str, unit: str = "") -> str:
    """Return a text of several numbers with those words that are expressions as plain numbers, all others as they are.

    Words without an operation or unit keep their spelling: ``1.50`` stays.
    """
    words = []
    for word in text.split():
        try:
            float(word)
        except ValueError:
            try:
                word = repr(parse_number(word, unit)).removesuffix(".0")  # noqa: PLW2901  # the same word, evaluated
            except ValueError:
                return text
        words.append(word)
    return " ".join(words)


# --- quantities ------------------------------------------------------------------------------------------------------


def _in_unit(result: _Quantity, own: _Quantity) -> float:
    """Return a result as a number of the field's unit."""
    result = _of_kind(result, own.kind, own) if result.has_pi and own.kind == _ANGLE else result
    if not result.kind:
        return float(result)
    if result.kind != own.kind:
        raise ValueError(f"This is {result.kind}; this field expects {own.kind or 'a number without a unit'}.")
    return float(_Quantity(result.value / own.value, result.pi - own.pi))


def _of_kind(plain: _Quantity, kind: str, own: _Quantity) -> _Quantity:
    """Return a number without a unit as one of the field's unit, which must be of a kind."""
    if kind != own.kind:
        raise ValueError(f"This mixes {kind} with numbers of another kind.")
    if plain.has_pi and kind == _ANGLE:
        return replace(plain, kind=kind, has_pi=False)
    return replace(_times(plain, own), has_pi=False)


def _times(a: _Quantity, b: _Quantity) -> _Quantity:
    if a.kind and b.kind:
        raise ValueError(f"This multiplies {a.kind} by {b.kind}.")
    has_pi = (a.has_pi or b.has_pi) and not (a.kind or b.kind)
    return _Quantity(a.value * b.value, a.pi + b.pi, a.kind or b.kind, has_pi)


def _multiply(a: _Quantity, b: _Quantity, _own: _Quantity) -> _Quantity:
    return _times(a, b)


def _divide(a: _Quantity, b: _Quantity, _own: _Quantity) -> _Quantity:
    if b.kind and a.kind != b.kind:
        raise ValueError(f"This divides {a.kind or 'a plain number'} by {b.kind}.")
    kind = "" if b.kind else a.kind
    has_pi = (a.has_pi or b.has_pi) and not (a.kind or b.kind)
    return _Quantity(a.value / b.value, a.pi - b.pi, kind, has_pi)


def _add(a: _Quantity, b: _Quantity, own: _Quantity) -> _Quantity:
    if a.kind != b.kind:
        a, b = (each if each.kind else _of_kind(each, a.kind or b.kind, own) for each in (a, b))
        if a.kind != b.kind:
            raise ValueError(f"This adds {a.kind} to {b.kind}.")
    has_pi = a.has_pi or b.has_pi
    if a.pi == b.pi:
        return _Quantity(a.value + b.value, a.pi, a.kind, has_pi)
    return _Quantity(Fraction(float(a)) + Fraction(float(b)), 0, a.kind, has_pi)


def _subtract(a: _Quantity, b: _Quantity, own: _Quantity) -> _Quantity:
    return _add(a, replace(b, value=-b.value), own)


_OPERATIONS: dict[str, Callable[[_Quantity, _Quantity, _Quantity], _Quantity]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
}


def _power(base: _Quantity, exponent: _Quantity) -> _Quantity:
    if base.kind or exponent.kind:
        raise ValueError("A power has no unit.")
    value = float(exponent)
    bits = max(base.value.numerator.bit_length(), base.value.denominator.bit_length())
    if value.is_integer() and abs(value) <= _MOST_POWER and bits * abs(value) <= _MOST_BITS:
        return _Quantity(base.value ** int(value), base.pi * int(value), "", base.has_pi)
    number = float(base) ** value
    if isinstance(number, complex):
        raise ValueError("A root of a negative number is no number.")
    return _Quantity(Fraction(number), 0, "", base.has_pi)


# --- text ------------------------------------------------------------------------------------------------------------


class _Parser:
    """A recursive descent: sums of products of powers."""

    def __init__(self, text: str, own: _Quantity) -> None:
        self._tokens = _split(text)
        self._own = own
        self._at = self._depth = 0
        #: The unit read last.
        self._unit = ""

    def parse(self) -> _Quantity:
        result = self._sum()
        if self._at < len(self._tokens):
            raise _NotANumberError
        return result

    def _take(self, *wanted: str) -> str:
        """Return the next token and go on, if it is one of some; else an empty text."""
        token = self._tokens[self._at] if self._at < len(self._tokens) else ""
        if token not in wanted:
            return ""
        self._at += 1
        return token

    def _sum(self) -> _Quantity:
        result = self._product()
        while sign := self._take("+", "-"):
            result = _OPERATIONS[sign](result, self._product(), self._own)
        return result

    def _product(self) -> _Quantity:
        result = self._signed()
        while sign := self._take("*", "/"):
            factor = self._signed()
            if sign == "/" and factor.kind and not result.kind:
                # "pi/2 rad" and "1/2 in": the unit is that of the fraction.
                unit = _UNITS[self._unit]
                result = _times(_divide(result, _divide(factor, unit, self._own), self._own), unit)
            else:
                result = _OPERATIONS[sign](result, factor, self._own)
        return result

    def _signed(self) -> _Quantity:
        is_negative = False
        while sign := self._take("+", "-"):
            is_negative ^= sign == "-"
        result = self._atom()
        if self._take("^", "**"):
            result = _power(result, self._signed_exponent())
        return replace(result, value=-result.value) if is_negative else result

    def _signed_exponent(self) -> _Quantity:
        is_negative = self._take("+", "-") == "-"
        result = self._atom()
        return replace(result, value=-result.value) if is_negative else result

    def _atom(self) -> _Quantity:
        if self._at >= len(self._tokens):
            raise _NotANumberError
        token = self._tokens[self._at]
        self._at += 1
        if token == "(":
            self._depth += 1
            if self._depth > _MOST_BRACKETS:
                raise ValueError("There are too many brackets.")
            result = self._sum()
            self._depth -= 1
            if not self._take(")"):
                raise _NotANumberError
        elif token == "pi":
            result = _PI
        elif token[0].isdigit() or token[0] == ".":
            exponent = token.partition("e")[2]
            if exponent and abs(int(exponent)) > _MOST_EXPONENT:
                raise OverflowError
            result = _Quantity(Fraction(token))
        else:
            raise _NotANumberError
        unit = self._take(*UNITS)
        self._unit = unit or self._unit
        return _times(replace(result, has_pi=False), _UNITS[unit]) if unit else result


def _split(text: str) -> list[str]:
    if len(text) > _MOST_CHARACTERS:
        raise ValueError("This is too long for a number.")
    tokens, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _NotANumberError
        tokens.append(match[1])
        at = match.end()
    return tokens
