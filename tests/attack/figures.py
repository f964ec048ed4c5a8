"""Puts tables that a command has made into docs/reliability.md."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"


def write_table(name: str, lines: Iterable[str]) -> None:
    """Replace what stands between the marks of a name."""
    text = PAGE.read_text(encoding="utf-8")
    table = "\n".join((f"<!-- {name} -->", "", *lines, "", f"<!-- /{name} -->"))
    changed, number = re.subn(rf"<!-- {name} -->.*?<!-- /{name} -->", lambda _: table, text, flags=re.DOTALL)
    assert number == 1, f"there are no marks of {name} in {PAGE}"
    PAGE.write_text(changed, encoding="utf-8")
