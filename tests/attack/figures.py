"""Puts tables that a command has made into docs/reliability.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"


def write_table(name: str, lines: Iterable[str], page: Path = PAGE) -> None:
    """Replace the text between the marks of a name."""
    _put(page, name, lambda _: list(lines))


def write_row(name: str, row: str, page: Path = PAGE) -> None:
    """Replace the row of a table that has the same first cell, or add one."""

    def with_row(lines: list[str]) -> list[str]:
        first = row.split("|")[1].strip()
        at = next((at for at, line in enumerate(lines) if line.split("|")[1].strip() == first), len(lines))
        return [*lines[:at], row, *lines[at + 1 :]]

    _put(page, name, with_row)


def _put(page: Path, name: str, change: Callable[[list[str]], list[str]]) -> None:
    text = page.read_text(encoding="utf-8")
    found = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", text, flags=re.DOTALL)
    assert found is not None, f"there are no marks of {name} in {page}"
    lines = change([line for line in found[1].splitlines() if line.strip()])
    table = "\n".join(("", *lines, "", ""))
    page.write_text(text[: found.start(1)] + table + text[found.end(1) :], encoding="utf-8")
