"""A fault in drawing becomes a problem of the file, and ends neither the view nor the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.canvas import Canvas
from sdfviewer.gui.view3d.opengl import probe
from sdfviewer.session.session import Session

pytestmark = pytest.mark.pictures


@pytest.fixture
def canvas(arm: OpenFile) -> Canvas:
    canvas = arm.view.canvas
    if canvas is None:
        pytest.skip(probe().problem)
    return canvas


def fail(*_: object, **__: object) -> None:
    raise ZeroDivisionError("injected")


def type_blank(session: Session) -> None:
    """Change the text, and nothing of what it means."""
    at = session.document.text.index("<link")
    session.apply(Edit("Type", session.document, (Replacement(at, at, " "),)))


def faults(session: Session) -> list[str]:
    return [each.message for each in session.diagnostics if each.rule.name == "internal-error"]


def test_a_scene_that_fails_is_reported_and_comes_back(
    arm: OpenFile, canvas: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = arm.session
    with monkeypatch.context() as patch:
        patch.setattr("sdfviewer.scene.scene_build.build_joint_glyphs", fail)
        type_blank(session)
        assert canvas.feed.scene.surfaces == ()
        (message,) = faults(session)
        assert "drawn" in message
        assert "ZeroDivisionError: injected" in message
        assert "report" in message
        assert "sdfviewer/scene/scene_build.py:" in message
    session.undo()
    assert canvas.feed.scene.surfaces
    assert faults(session) == []


def test_the_view_comes_back_after_the_renderer_failed(
    qtbot: QtBot, arm: OpenFile, canvas: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures: list[Exception] = []
    canvas.failed.connect(failures.append)
    with monkeypatch.context() as patch:
        patch.setattr(canvas.renderer, "set_scene", fail)
        type_blank(arm.session)
        qtbot.waitUntil(lambda: len(failures) == 1)
        assert not canvas.isVisible()
        said = [label.text() for label in arm.view.findChildren(QLabel) if "The 3D view failed" in label.text()]
        assert "ZeroDivisionError: injected" in said[0]
        assert "driver" not in said[0]
    with qtbot.waitSignal(canvas.pictured):
        arm.session.undo()
    assert canvas.isVisible()
    assert len(failures) == 1


def test_a_file_opens_although_its_scene_fails(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.sdf"
    path.write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>', encoding="utf-8")
    monkeypatch.setattr("sdfviewer.scene.scene_build.build_joint_glyphs", fail)
    window.files.open([path])
    qtbot.waitUntil(lambda: window.files.current is not None and window.files.current.name == "a.sdf")
    file = window.files.current
    assert file is not None
    if file.view.canvas is not None:
        qtbot.waitUntil(lambda: bool(faults(file.session)))


FAR = """<sdf version="1.9"><model name="m">
<link name="a"><visual name="v"><geometry><box><size>1 1 1</size></box></geometry></visual></link>
<link name="b"><pose>{}</pose><visual name="v"><geometry><box><size>1 1 1</size></box></geometry></visual></link>
</model></sdf>"""


def test_a_pose_of_1e308_leaves_the_view_alive(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "far.sdf"
    path.write_text(FAR.format("0 0 1 0 0 0"), encoding="utf-8")
    window.files.open([path])
    qtbot.waitUntil(lambda: window.files.current is not None and window.files.current.name == "far.sdf")
    file = window.files.current
    assert file is not None
    canvas = file.view.canvas
    if canvas is None:
        pytest.skip(probe().problem)
    failures: list[Exception] = []
    canvas.failed.connect(failures.append)
    text = file.session.document.text
    at = text.index("0 0 1 0 0 0")
    with qtbot.waitSignal(canvas.pictured):
        file.session.apply(Edit("Type", file.session.document, (Replacement(at, at + 1, "1e308"),)))
    canvas.grabFramebuffer()
    with qtbot.waitSignal(canvas.pictured):
        file.session.undo()
    canvas.grabFramebuffer()
    assert failures == []
    assert canvas.isVisible()
