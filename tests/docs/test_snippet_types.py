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


@pytest.mark.parametrize("page", PAGES)
def test_mypy_has_no_complaint(page: str, tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="needs the extra test")
    script = tmp_path / "script.py"
    script.write_text(script_of(page), encoding="utf-8")
    options = ["--config-file=", "--ignore-missing-imports", "--allow-redefinition-new", "--local-partial-types"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, str(script)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_pyright_has_no_complaint(tmp_path: Path) -> None:
    for page in PAGES:
        (tmp_path / f"{Path(page).stem}.py").write_text(script_of(page), encoding="utf-8")
    assert complaints(tmp_path, "basic") == []


def test_pyright_reads_the_examples(tmp_path: Path) -> None:
    """An example of a call that is wrong is found, so the scripts are not empty to it."""
    (tmp_path / "library.py").write_text(script_of("library.md") + "\nmodel.not_a_method()\n", encoding="utf-8")
    assert ["not_a_method" in each for each in complaints(tmp_path, "basic")] == [True]
