"""Users who check types strictly find nothing to complain about, and their mistakes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import sdfviewer
from tests.patience import PATIENCE_SECONDS

SCRIPT = Path(__file__).with_name("user_script.py")
REPOSITORY = Path(__file__).parents[2]
PYRIGHT = shutil.which("pyright")


def complaints(folder: Path, text: str) -> list[str]:
    """Return what pyright says about a script of somebody who has the package installed."""
    (folder / "script.py").write_text(text, encoding="utf-8")
    config = {"typeCheckingMode": "strict", "extraPaths": [str(REPOSITORY)], "include": ["script.py"]}
    (folder / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    assert PYRIGHT is not None
    command = [PYRIGHT, "--outputjson", "-p", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=PATIENCE_SECONDS)
    found = json.loads(done.stdout)["generalDiagnostics"]
    return [f"{each['range']['start']['line'] + 1}: {each['message']}" for each in found]


@pytest.mark.skipif(PYRIGHT is None, reason="pyright is not installed")
def test_a_strict_script_has_no_complaints(tmp_path: Path) -> None:
    assert complaints(tmp_path, SCRIPT.read_text(encoding="utf-8")) == []


@pytest.mark.skipif(PYRIGHT is None, reason="pyright is not installed")
@pytest.mark.parametrize(
    "mistake", ["sdfviewer.lod('a')", "sdfviewer.load('a').fk({})", "sdfviewer.load('a').links[0].pose.translation"]
)
def test_a_mistake_is_found(tmp_path: Path, mistake: str) -> None:
    assert complaints(tmp_path, f"import sdfviewer\n\nprint({mistake})\n")


def test_the_script_covers_the_methods_of_the_public_surface() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", text))
    classes: list[type] = [sdfviewer.Model, sdfviewer.World, sdfviewer.DocumentEdit, sdfviewer.EditableDocument]
    classes += [sdfviewer.Link, sdfviewer.Joint, sdfviewer.Frame, sdfviewer.Visual, sdfviewer.Collision]
    classes += [sdfviewer.Sweep, sdfviewer.Pose]
    own = {
        name
        for cls in classes
        for base in cls.__mro__
        if base.__module__.startswith("sdfviewer")
        for name in vars(base)
    }
    assert {name for name in own if not name.startswith("_")} - words == set()
