"""``sdfviewer explain``: pages and tables made from the registry of rules."""

from __future__ import annotations

import pytest

from sdfviewer.cli import explain, main
from sdfviewer.diagnostics import RULES


@pytest.mark.parametrize("word", ["relative-to-cycle", "E502", "e502", "502"])
def test_a_rule_is_found_by_name_or_code(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", word]) == 0
    out = capsys.readouterr().out
    assert out.startswith("relative-to-cycle (E502, error; libsdformat: POSE_RELATIVE_TO_CYCLE)")
    assert "Use instead:" in out


def test_a_rule_that_does_not_exist_is_guessed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "relativ-to-cycle"]) == 2
    assert "did you mean 'relative-to-cycle'" in capsys.readouterr().err


def test_the_tables_hold_every_rule(capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines] == [rule.name for rule in explain.sorted_rules()]
    main(["explain", "--markdown"])
    markdown = capsys.readouterr().out
    assert all(f"| `{name}` |" in markdown for name in RULES)


def test_every_rule_belongs_to_a_phase() -> None:
    assert {rule.phase for rule in RULES.values()} == set(explain.PHASES)
