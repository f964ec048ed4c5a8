"""Pictures of the whole window, as ``sdfviewer screenshot --window`` takes them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPixmap

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.formats.load import load_model
from sdfviewer.gui.shell import application
from sdfviewer.gui.shell.application import SWITCHES, render_window
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.scene import loader
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.meshes import read_mesh_file

pytestmark = pytest.mark.pictures

SIZE = (1280, 800)


def taken(examples: Path, out: Path, **options: Any) -> QImage:
    render_window([examples / "nested_gripper.sdf"], SIZE, out, theme="light", **options)
    return QImage(str(out))


def test_a_picture_shows_what_is_asked_for(
    qapp: object, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = taken(examples, tmp_path / "plain.png")
    scale = plain.width() / SIZE[0]
    assert plain.height() == SIZE[1] * scale
    view = QRect(*(round(each * scale) for each in (350, 60, 450, 280)))
    seen: list[tuple[Camera, set[str]]] = []
    grab = application._grab

    def look(window: MainWindow) -> QPixmap:
        assert window.current is not None
        camera = window.current.view.canvas.camera
        seen.append((camera, {name for name, id in SWITCHES.items() if window.actions_by_id[id].isChecked()}))
        return grab(window)

    monkeypatch.setattr(application, "_grab", look)
    name = "nested_gripper::gripper"
    near = taken(examples, tmp_path / "near.png", view="top", layers=frozenset({"visuals"}), focus=name)
    ((camera, layers),) = seen
    np.testing.assert_allclose(camera.axes[2], (0, 0, 1), atol=0.02)
    assert layers == {"visuals"}
    model = load_model(examples / "nested_gripper.sdf")
    near_to = np.linalg.norm(np.asarray(camera.focus)[:2] - model.X_RootF[model.row(name)][:2, 3])
    assert near_to < 0.2
    assert near.copy(view) != plain.copy(view)

    flattened = taken(examples, tmp_path / "flattened.png", actions=["refactor.flatten"])
    middle, corner = plain.rect().center(), plain.rect().topLeft()
    dialog = QRect(middle.x() - 50, middle.y() - 50, 100, 100)
    assert flattened.pixelColor(corner) == plain.pixelColor(corner)
    assert flattened.copy(dialog) != plain.copy(dialog)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"actions": ["refactor.flaten"]}, r"did you mean 'refactor\.flatten'"),
        ({"select": ["nope"]}, "nope"),
        pytest.param({"focus": "nope"}, "nope", marks=pytest.mark.nightly),
        pytest.param({"positions": {"nope": (1.0,)}}, "nope", marks=pytest.mark.nightly),
    ],
)
def test_an_action_or_a_frame_that_is_none_is_refused_before_the_window_is_seen(
    qapp: object,
    examples: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: dict[str, Any],
    reason: str,
) -> None:
    """Each run asks for an action and a frame that are none, the nightly run for a frame in each of the options."""
    monkeypatch.setattr(MainWindow, "show", lambda _window: pytest.fail("it is seen"))
    with pytest.raises(SdfViewerError, match=reason):
        taken(examples, tmp_path / "none.png", **options)


def test_a_picture_waits_for_meshes(qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n", encoding="utf-8")
    path = tmp_path / "part.sdf"
    mesh = "<geometry><mesh><uri>part.obj</uri></mesh></geometry>"
    link = f'<link name="l"><visual name="v">{mesh}</visual></link>'
    path.write_text(f'<sdf version="1.11"><model name="m">{link}</model></sdf>', encoding="utf-8")

    def slow(*arguments: Any) -> Any:
        time.sleep(0.5)  # the disk
        return read_mesh_file(*arguments)

    seen: list[tuple[QImage, QImage]] = []
    grab = application._grab

    def look(window: MainWindow) -> QPixmap:
        assert window.current is not None
        canvas = window.current.view.canvas
        assert len(canvas.feed.scene.surfaces) == 1
        assert not canvas.feed.scene.stand_ins
        middle = QRect(canvas.width() // 2 - 60, canvas.height() // 2 - 60, 120, 120)  # tools and notes lie around it
        seen.append((canvas.grab().toImage().copy(middle), canvas.grabFramebuffer().copy(middle)))
        return grab(window)

    monkeypatch.setattr(loader, "read_mesh_file", slow)
    monkeypatch.setattr(application, "_grab", look)
    render_window([path], SIZE, tmp_path / "part.png", theme="light")
    ((shown, drawn_now),) = seen
    assert shown == drawn_now.convertToFormat(shown.format())
