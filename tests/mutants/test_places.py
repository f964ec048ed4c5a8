"""What is made wrong, where, and which tests are asked."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

coverage = pytest.importorskip("coverage")

from tests.mutants.covering import Covering  # noqa: E402
from tests.mutants.places import find_places  # noqa: E402


def changed(source: str) -> list[str]:
    """Return a source with each of its places wrong."""
    return [place.applied(source.encode()).decode() for place in find_places(source.encode())]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a < b", ["x = (a <= b)"]),
        ("x = a < b == c", ["x = (a < b != c)", "x = (a <= b == c)"]),
        ("x = a and not b", ["x = (a or not b)", "x = a and (b)"]),
        ("x = A @ B", ["x = (B @ A)"]),
        ("x = -1", ["x = (1)", "x = -(2)"]),
        ("x: list[1] = [0.5, True]", ["x: list[1] = [(1.5), True]", "x: list[1] = [0.5, (False)]"]),
        ("é = 'ü' + b", ["é = ('ü' - b)"]),
        ("f(a)", ["pass"]),
        ("def f(a: int = 1): return a", ["def f(a: int = (2)): return a", "def f(a: int = 1): return None"]),
        ("if a: b = 1", ["if (not (a)): b = 1", "if a: b = (2)"]),
        ("for a in b:\n    continue", ["for a in b:\n    break"]),
        ("try: a\nexcept E: b = 1", ["try: a\nexcept E: b = (2)"]),
        ("match a:\n    case 1: b = 1", ["match a:\n    case 1: b = (2)"]),
    ],
)  # fmt: skip
def test_one_thing_is_wrong_at_a_time(source: str, expected: list[str]) -> None:
    found = changed(source)
    assert found == expected
    for each in found:
        ast.parse(each)


@pytest.mark.parametrize(
    "source",
    [
        '"""a < b"""',
        "import a",
        "raise E(1)",
        "assert a < 1",
        "if TYPE_CHECKING:\n    a = 1",
        "x = f'{a < b}'",
        "return None",
        "x = zip(a, b, strict=True)",
    ],
)
def test_what_says_nothing_about_the_tests_is_left_alone(source: str) -> None:
    assert changed(source) == []


def test_a_place_has_the_lines_of_its_own_statement_and_what_runs_with_the_import_all() -> None:
    source = b"""@d(1)
def f(
    a=2,
):
    if (
        a > 3
    ):
        return [
            4,
        ]
"""
    lines = {place.text: (place.lines.start, place.lines.stop) for place in find_places(source)}
    assert lines == {"(3)": (1, 11), "(a >= 3)": (5, 8), "(4)": (5, 8), "return None": (8, 11), "(5)": (8, 11)}


def test_the_tests_of_a_line_are_those_that_run_it_and_little_else_first(tmp_path: Path) -> None:
    data = coverage.CoverageData(str(tmp_path / "data"))
    for context, lines in {
        "": [1, 2],
        "t.py::wide": [3, 4, 5, 6],
        "t.py::narrow": [3],
        "t.py::other[a|b] (call)": [6],
    }.items():
        data.set_context(context)
        data.add_lines({"sdfviewer/a.py": lines})
    data.write()
    covering = Covering(tmp_path / "data")
    assert covering.tests("sdfviewer/a.py", [3]) == ["t.py::narrow", "t.py::wide"]
    assert covering.tests("sdfviewer/a.py", [1, 3, 6]) == ["t.py::narrow", "t.py::other[a|b]", "t.py::wide"]
    assert covering.tests("sdfviewer/a.py", [7]) == []
