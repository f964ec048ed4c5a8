"""Inputs that once broke a promise; ``packaging/attack.sh`` looks for others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attack.attacks import ATTACKS
from tests.attack.language_server import raised_by_us


@pytest.mark.parametrize("name", sorted(ATTACKS))
def test_the_first_inputs_of_an_attack_break_no_promise(name: str) -> None:
    if name == "server":
        pytest.importorskip("pygls", reason="the extra lsp is not installed")
    if name == "expressions":
        pytest.importorskip("xacro", reason="the extra xacro is not installed")
    for number in range({"kills": 1, "server": 10}.get(name, 25)):
        ATTACKS[name][0](number)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("texts", 4756),
        ("texts", 5848),
        ("meshes", 2122),
        ("pictures", 1013),
        ("meshes", 110009484),
        ("exports", 9),
        ("exports", 38),
        ("exports", 381),
    ],
)
def test_an_input_that_once_broke_a_promise_stays_fixed(name: str, number: int) -> None:
    ATTACKS[name][0](number)


@pytest.mark.parametrize(
    ("place", "ours"),
    [
        ("sdfviewer/lsp/server.py", True),
        ("build/sdfviewer/lib/pygls/protocol.py", False),
        ("sdfviewer-cli/server.py", False),
    ],
)
def test_a_trace_is_ours_by_the_file_that_it_went_through(place: str, ours: bool) -> None:
    """A checkout is called after the program by everybody who clones it, and so is all that lies in it."""
    file = Path(__file__).parents[2] / place
    said = f'Error\nTraceback (most recent call last):\n  File "{file}", line 7, in run\n    go()\nValueError: no\n'
    assert bool(raised_by_us(said)) is ours
