"""Inputs that once broke a promise; ``packaging/attack.sh`` looks for others."""

from __future__ import annotations

import pytest

from tests.attack.attacks import ATTACKS


@pytest.mark.parametrize("name", sorted(ATTACKS))
def test_the_first_inputs_of_an_attack_break_no_promise(name: str) -> None:
    if name == "server":
        pytest.importorskip("pygls", reason="the extra lsp is not installed")
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
