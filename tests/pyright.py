"""What pyright says about scripts of users."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_SECONDS

_REPOSITORY = Path(__file__).parents[1]


@functools.cache
def _why_not() -> str:
    """Return why pyright cannot run here, empty where it can: its first start fetches its program."""
    try:
        done = _run("--version")
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else done.stderr.strip()[-300:] or "it does not start"


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pyright", *words],
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=PATIENCE_SECONDS,
    )


def complaints(folder: Path) -> list[str]:
    """Return what pyright says about the scripts of a folder, each with its file and line; skip where it cannot run.

    It looks strictly at those in a folder ``strict`` of it. Settings are written beside them. Notes do not count.
    """
    pytest.importorskip("pyright", reason="needs the extra test")
    if why := _why_not():
        pytest.skip(f"pyright cannot run: {why}")
    config = {
        "typeCheckingMode": "basic",
        "strict": ["strict"],
        "extraPaths": [str(_REPOSITORY)],
        "reportMissingImports": False,
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    found = json.loads(_run("--outputjson", "-p", str(folder)).stdout)["generalDiagnostics"]
    return [
        f"{Path(each['file']).name}:{each['range']['start']['line'] + 1}: {each['message']}"
        for each in found
        if each["severity"] == "error"
    ]
