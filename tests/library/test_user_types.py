"""Users who check types strictly find nothing to complain about, and their mistakes."""

from __future__ import annotations

import re
from pathlib import Path

import sdfviewer
from tests.pyright import complaints

SCRIPT = Path(__file__).with_name("user_script.py")


#: What has to be found wrong.
MISTAKES = ("sdfviewer.lod('a')", "sdfviewer.load('a').fk({})", "sdfviewer.load('a').links[0].pose.translation")


def test_of_a_strict_script_only_the_mistakes_are_found(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT.read_text(encoding="utf-8"), encoding="utf-8")
    for number, mistake in enumerate(MISTAKES):
        (tmp_path / f"mistake{number}.py").write_text(f"import sdfviewer\n\nprint({mistake})\n", encoding="utf-8")
    assert {each.split(":")[0] for each in complaints(tmp_path, "strict")} == {
        f"mistake{number}.py" for number in range(len(MISTAKES))
    }


def test_the_script_covers_the_methods_of_the_public_surface() -> None:
    """Edits need not be in it: each is called in test_same_bytes.py, whose types are checked too."""
    text = SCRIPT.read_text(encoding="utf-8") + SCRIPT.with_name("test_same_bytes.py").read_text(encoding="utf-8")
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
