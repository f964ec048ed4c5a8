"""The examples of docs/library.md and of the package's docstring run."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


def test_the_examples_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    failed, tried = doctest.testfile(
        str(REPOSITORY / "docs" / "library.md"), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL
    )
    assert tried > 20
    assert failed == 0
