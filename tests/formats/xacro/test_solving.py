"""An expression is solved for its terms by plain arithmetic, whatever a stranger has written in it."""

from __future__ import annotations

import math
import random

import pytest

from sdfviewer.formats.xacro.solving import Chain, number_text, solve

VALUES: dict[Chain, str] = {
    ("length",): "0.3",
    ("a",): "1",
    ("cm2m",): "0.01",
    ("prefix",): "left_",
    ("p", "wheel", "radius"): "0.125",
}


@pytest.mark.parametrize(
    ("expression", "wanted", "expected"),
    [
        ("length/2", "0.4", [("length", "0.8")]),
        (" -(length + 1) ", "0", [("length", "-1"), ("1", "-0.3")]),
        ("a + a/2", "3", [("a", "2")]),
        ("a * a", "4", []),
        ("1/a", "4", [("a", "0.25")]),
        ("3*cm2m", "0.4", [("3", "40")]),
        ("cm2m", "2", [("cm2m", "2")]),
        ("math.radians(a)", "0.1", [("a", "5.729577951308232")]),
        ("p['wheel']['radius'] - 0.025", "1", [("p['wheel']['radius']", "1.025"), ("0.025", "-0.875")]),
        ("prefix + 'wheel'", "right_wheel", [("prefix", "right_")]),
        ("prefix + 'wheel'", "left_tyre", [("'wheel'", "'tyre'")]),
        ("prefix + 'wheel'", "other", []),
        ("sin(a)", "1", []),
        ("a if a else 2", "3", []),
        ("a / 0", "3", []),
        ("unknown + 1", "3", []),
    ],
)
def test_terms_and_their_values(expression: str, wanted: str, expected: list[tuple[str, str]]) -> None:
    found = solve(expression, wanted, VALUES.get)
    assert [(expression[term.start : term.end], term.text) for term in found] == expected


@pytest.mark.parametrize("expression", ["a/2", "-(a/2 + b)", "a*0.1", "a - b/2", "radians(a)", "3*a", "(a + b)/2"])
def test_of_numbers_with_which_rounding_alone_differs_the_short_one_is_written(expression: str) -> None:
    rng = random.Random(expression)
    for _ in range(300):
        values = {("a",): round(rng.uniform(-2, 2), 3), ("b",): round(rng.uniform(-2, 2), 2)}
        wanted = round(rng.uniform(-2, 2), 3)
        names = {"a": wanted, "b": values["b",], "radians": math.radians}
        texts: dict[Chain, str] = {chain: str(value) for chain, value in values.items()}
        found = solve(expression, repr(eval(expression, names)), texts.get)
        assert {term.chain: term.text for term in found}["a",] == number_text(wanted)


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os').system('echo')",
        "().__class__.__bases__[0].__subclasses__()",
        "9**9**9**9",
        "'a'*999999999",
        "[1]*999999999",
        "a*1e308*1e308 + 1e999",
        "-" * 290 + "a",
        "(" * 140 + "a" + ")" * 140,
        "a" + "+a" * 149,
        "a.b" * 400,
        "a :=",
        "lambda: a",
        "\0a",
        "ａ",
        "a\n+a",
    ],
)
def test_what_is_no_arithmetic_has_no_terms(expression: str) -> None:
    found = solve(expression, "2", VALUES.get)
    assert all(term.chain == ("a",) for term in found)
