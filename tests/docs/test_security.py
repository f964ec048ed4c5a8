"""The threat model names tests and modules that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PAGE = (REPOSITORY / "docs" / "security.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:tests|sdfviewer)/[^`]*)`", PAGE))))
def test_what_the_threat_model_names_exists(path: str) -> None:
    assert (REPOSITORY / path).exists()


def test_each_threat_names_its_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| threat", "|--"))]
    assert rows
    assert all("`tests/" in row.rsplit("|", 2)[1] for row in rows)
