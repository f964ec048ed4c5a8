"""Users who check types strictly find nothing to complain about, and their mistakes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sdfviewer
from tests.pyright import complaints

SCRIPT = Path(__file__).with_name("user_script.py")


def complaints_about(folder: Path, text: str) -> list[str]:
    """Return what pyright says about a script of somebody who has the package installed."""
    (folder / "script.py").write_text(text, encoding="utf-8")
    return complaints(folder, "strict")


def test_a_strict_script_has_no_complaints(tmp_path: Path) -> None:
    assert complaints_about(tmp_path, SCRIPT.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "mistake", ["sdfviewer.lod('a')", "sdfviewer.load('a').fk({})", "sdfviewer.load('a').links[0].pose.translation"]
)
def test_a_mistake_is_found(tmp_path: Path, mistake: str) -> None:
    assert complaints_about(tmp_path, f"import sdfviewer\n\nprint({mistake})\n")


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
