"""What the pages tell people to type has no complaint of a type checker."""

from __future__ import annotations

import doctest
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_SECONDS

PYRIGHT = shutil.which("pyright") or shutil.which("basedpyright")
REPOSITORY = Path(__file__).parents[2]
#: Pages with examples of the library.
PAGES = ("library.md", "cookbook.md", "handover.md")
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


@pytest.mark.skipif(PYRIGHT is None, reason="pyright is not installed")
def test_pyright_has_no_complaint(tmp_path: Path) -> None:
    for page in PAGES:
        (tmp_path / f"{Path(page).stem}.py").write_text(script_of(page), encoding="utf-8")
    settings = {"typeCheckingMode": "basic", "extraPaths": [str(REPOSITORY)], "reportMissingImports": False}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    assert PYRIGHT is not None
    command = [PYRIGHT, "--outputjson", "-p", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)
    found = [each for each in json.loads(done.stdout)["generalDiagnostics"] if each["severity"] == "error"]
    assert [f"{each['file']}:{each['range']['start']['line'] + 1}: {each['message']}" for each in found] == []
