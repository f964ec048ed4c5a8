"""What the pages tell people to type has no complaint of a type checker."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_SECONDS

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


def write_scripts(folder: Path) -> None:
    """Write the script of each page, and one that ends in a call which is wrong."""
    for page in PAGES:
        (folder / f"{Path(page).stem}.py").write_text(script_of(page), encoding="utf-8")
    (folder / "wrong.py").write_text(script_of("library.md") + "\nmodel.not_a_method()\n", encoding="utf-8")


@pytest.mark.nightly
def test_mypy_complains_only_about_a_call_that_is_wrong(tmp_path: Path) -> None:
    """It is found behind the examples of a page, so they are not empty to it.

    By day the examples run; a clone that has no cache yet checks the types of the whole program for this.
    """
    pytest.importorskip("mypy", reason="needs the extra test")
    write_scripts(tmp_path)
    # A cache of its own: that of the whole program has other options, and each would throw the other away.
    cache = f"--cache-dir={REPOSITORY / '.mypy_cache' / 'pages'}"
    options = [cache, "--config-file=", "--ignore-missing-imports", "--allow-redefinition-new", "--local-partial-types"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *map(str, tmp_path.iterdir())],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
        timeout=2 * PATIENCE_SECONDS,  # it checks the whole program where it has not done so before
    )
    (found,) = (line for line in done.stdout.splitlines() if ": error: " in line)
    assert "wrong.py:" in found
    assert "not_a_method" in found
