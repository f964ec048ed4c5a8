"""What the pages tell people to type has no complaint of a type checker."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_SECONDS
from tests.pyright import complaints

REPOSITORY = Path(__file__).parents[2]
#: Pages with examples of the library.
PAGES = ("library.md", "cookbook.md", "handover.md", "../README.md")
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
#: What an example shows to be wrong: its error is the example.
_WRONG = ("model.update_cfg", "model.get_transform", "left_jar")


def script_of(page: str) -> str:
    """Return the examples of a page as one script: doctests, and blocks without prompts."""
    text = (REPOSITORY / "docs" / page).read_text(encoding="utf-8")
    parts = ["from typing import Any"]
    for block in _BLOCK.findall(text):
        if ">>>" in block:
            examples = doctest.DocTestParser().get_examples(block)
            parts += [each.source for each in examples if not any(word in each.source for word in _WRONG)]
        else:
            parts.append(block)
    return "\n".join(parts)


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """Return a folder with the script of each page."""
    for page in PAGES:
        (tmp_path / f"{Path(page).stem}.py").write_text(script_of(page), encoding="utf-8")
    return tmp_path


def test_mypy_has_no_complaint(scripts: Path) -> None:
    pytest.importorskip("mypy", reason="needs the extra test")
    options = ["--config-file=", "--ignore-missing-imports", "--allow-redefinition-new", "--local-partial-types"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *map(str, scripts.iterdir())],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_pyright_complains_only_about_a_call_that_is_wrong(scripts: Path) -> None:
    """The wrong call behind the examples of a page is found, so the scripts are not empty to it."""
    (scripts / "wrong.py").write_text(script_of("library.md") + "\nmodel.not_a_method()\n", encoding="utf-8")
    (found,) = complaints(scripts, "basic")
    assert found.startswith("wrong.py:")
    assert "not_a_method" in found
