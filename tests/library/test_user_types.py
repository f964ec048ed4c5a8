"""Users who check types strictly find nothing to complain about, and their mistakes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sdfviewer
from tests.docs.test_snippet_types import write_scripts
from tests.pyright import complaints

SCRIPT = Path(__file__).with_name("user_script.py")


#: What has to be found wrong.
MISTAKES = ("sdfviewer.lod('a')", "sdfviewer.load('a').fk({})", "sdfviewer.load('a').links[0].pose.translation")


@pytest.mark.nightly
def test_pyright_finds_only_the_mistakes(tmp_path: Path) -> None:
    """In a script that it looks at strictly, and in the examples of the pages.

    It takes half a minute. By day mypy looks at the script, as at all tests, and the examples run.
    """
    strict = tmp_path / "strict"
    strict.mkdir()
    (strict / "script.py").write_text(SCRIPT.read_text(encoding="utf-8"), encoding="utf-8")
    for number, mistake in enumerate(MISTAKES):
        (strict / f"mistake{number}.py").write_text(f"import sdfviewer\n\nprint({mistake})\n", encoding="utf-8")
    write_scripts(tmp_path)
    found = complaints(tmp_path)
    mistakes = {f"mistake{number}.py" for number in range(len(MISTAKES))}
    assert {each.split(":")[0] for each in found} == {"wrong.py", *mistakes}
    (wrong,) = (each for each in found if each.startswith("wrong.py:"))
    assert "not_a_method" in wrong


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
