"""Numbers as people type them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfviewer.number_expression import evaluate_words, parse_number


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("0.3+0.05", "m", 0.35),
        ("0.1*3", "m", 0.3),
        ("pi/2", "rad", math.pi / 2),
        ("pi/2", "deg", 90.0),
        ("-π/4", "deg", -45.0),
        ("pi/2+0", "deg", 90.0),
        ("45deg", "rad", math.pi / 4),
        ("45°", "deg", 45.0),
        ("0.5 rad", "deg", math.degrees(0.5)),
        ("90 + pi/2 rad", "deg", 180.0),
        ("12mm", "m", 0.012),
        ("3in", "m", 0.0762),
        ("1ft - 2 in", "m", 0.254),
        ("(1+2)mm", "m", 0.003),
        ("0.5 + 5mm", "m", 0.505),
        ("1/2 in", "m", 0.0127),
        ("10mm/5mm", "m", 2.0),
        ("500g", "kg", 0.5),
        ("2^3", "", 8.0),
        ("-2**2", "", -4.0),
        ("2^-1", "", 0.5),
        ("9^0.5", "", 3.0),
        ("--1", "", 1.0),
        ("1e-3*2", "", 0.002),
        ("1,5", "", 1.5),
        ("1 − 3 × 2 ÷ 4", "", -0.5),
        (".5", "", 0.5),
        ("2*pi", "", 2 * math.pi),
    ],
)
def test_expressions_are_exact(text: str, unit: str, value: float) -> None:
    assert parse_number(text, unit) == value


@pytest.mark.parametrize(
    ("text", "unit", "current", "value"),
    [
        ("+=0.1", "m", 0.2, 0.3),
        ("-=5mm", "m", 0.1, 0.095),
        ("*=2", "m", 0.1, 0.2),
        ("/=4", "", 1.0, 0.25),
        ("+=45deg", "rad", 0.0, math.pi / 4),
        ("+= 10", "deg", 20.0, 30.0),
        ("+=pi", "deg", 0.0, 180.0),
        ("*=-1", "deg", 20.0, -20.0),
    ],
)
def test_a_change_starts_from_the_current_number(text: str, unit: str, current: float, value: float) -> None:
    assert parse_number(text, unit, current) == value


@pytest.mark.parametrize(
    ("text", "unit", "message"),
    [
        ("", "m", "missing"),
        ("abc", "m", "not a number"),
        ("1 2", "m", "not a number"),
        ("(1", "m", "not a number"),
        ("1)", "m", "not a number"),
        ("1+", "m", "not a number"),
        ("sin(1)", "m", "not a number"),
        ("__import__('os')", "m", "not a number"),
        ("1/0", "m", "finite"),
        ("9^9^9", "", "not a number"),
        ("1e999", "", "finite"),
        ("9**64**64", "", "not a number"),
        ("1e300*1e300", "", "finite"),
        ("((((9^64)^64)^64)^64)^64", "", "finite"),
        ("12mm", "rad", "This is a length; this field expects an angle."),
        ("12mm", "", "without a unit"),
        ("1mm*1mm", "m", "multiplies"),
        ("1mm+1deg", "m", "adds"),
        ("1/(2mm+1mm)/1kg", "m", "divides"),
        ("(-1)^0.5", "", "root"),
        ("+=1", "m", "no number to change"),
        ("(" * 60 + "1" + ")" * 60, "", "brackets"),
        ("1+" * 200 + "1", "", "too long"),
        ("inf", "", "not a number"),
        ("nan", "", "not a number"),
    ],
)
def test_what_is_no_number_is_refused_with_a_reason(text: str, unit: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_number(text, unit)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_reads_as_itself(value: float) -> None:
    assert parse_number(repr(value)) == value
    assert parse_number(repr(value), "m") == value


@given(st.text(alphabet='0123456789.+-*/^()e pimdgra°in,="', max_size=60))
def test_any_text_gives_a_finite_number_or_a_reason(text: str) -> None:
    try:
        outcome = str(math.isfinite(parse_number(text, "deg", 1.0)))
    except ValueError as error:
        outcome = str(error)
    assert outcome == "True" or outcome.endswith(".")


def test_words_of_a_vector_are_evaluated_one_by_one() -> None:
    assert evaluate_words("1.50 12mm 0.1+0.2", "m") == "1.50 0.012 0.3"
    assert evaluate_words("a b", "m") == "a b"
