"""README says what is true: its code runs, and what it links to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_the_code_runs(code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(REPOSITORY)
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out


@pytest.mark.parametrize("target", re.findall(r"\]\((?!https?:)([^)#]+)\)", README))
def test_a_link_leads_somewhere(target: str) -> None:
    assert (REPOSITORY / target).exists()
