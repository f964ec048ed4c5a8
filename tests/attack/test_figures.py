"""Tests of the tables that commands write into a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attack.figures import PAGE, write_row, write_table

TEXT = """# Page

<!-- cycles -->

| file | growth |
|---|--:|
| a.sdf | 1 |
| b.sdf | 2 |

<!-- /cycles -->

The end.
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_row_replaces_that_of_the_same_file_only(page: Path) -> None:
    write_row("cycles", "| a.sdf | 3 |", page)
    assert page.read_text(encoding="utf-8") == TEXT.replace("| a.sdf | 1 |", "| a.sdf | 3 |")


def test_a_row_of_another_file_comes_last(page: Path) -> None:
    write_row("cycles", "| c.sdf | 3 |", page)
    assert page.read_text(encoding="utf-8") == TEXT.replace("| b.sdf | 2 |", "| b.sdf | 2 |\n| c.sdf | 3 |")


def test_a_table_is_replaced(page: Path) -> None:
    write_table("cycles", ["| x |", "|---|"], page)
    assert "| x |\n|---|\n\n<!-- /cycles -->\n\nThe end." in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["attacks", "cycles", "growth"])
def test_the_page_has_the_marks_of_each_table(name: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert f"<!-- {name} -->" in text
    assert f"<!-- /{name} -->" in text
