"""Inputs that once broke a promise; ``packaging/attack.sh`` looks for others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attack.attacks import ATTACKS
from tests.attack.figures import PAGE
from tests.attack.language_server import raised_by_us

#: So many inputs of an attack are tried, and of some fewer: `.ci/run` goes on with the attacks themselves.
INPUTS = 5
FEWER = {"kills": 1, "long lines": 2, "numbers": 2, "server": 2, "typing": 1, "workspaces": 1}


@pytest.mark.parametrize("name", sorted(name for name, attack in ATTACKS.items() if not attack.opens_window))
def test_the_first_inputs_of_an_attack_break_no_promise(name: str) -> None:
    if why := ATTACKS[name].why_not():
        pytest.skip(why)
    for number in range(FEWER.get(name, INPUTS)):
        ATTACKS[name].run(number)


def test_the_page_says_what_each_attack_tries() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("| attack | what is tried |")[2].partition("\n\n")[0]
    named = [name.strip() for row in table.splitlines()[2:] for name in row.split("|")[1].split(",")]
    assert sorted(named) == sorted(ATTACKS)


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
        ("long lines", 14),
    ],
)
def test_an_input_that_once_broke_a_promise_stays_fixed(name: str, number: int) -> None:
    ATTACKS[name].run(number)


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
