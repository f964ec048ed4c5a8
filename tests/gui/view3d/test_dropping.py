"""Shapes and mesh files that are dragged into the 3D view."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.context.topics import MeshDrop
from sdfviewer.gui.operations.add_link import AddMeshDialog
from sdfviewer.gui.view3d.tools.tool_strip import SHAPE_MIME
from tests.gui.stage import NONE, Stage

pytestmark = pytest.mark.pictures

TEXT = """<?xml version="1.0"?>
<sdf version="1.11">
  <model name="m"> <!-- kept -->
    <link name="table">
      <pose>0 0 0.5 0 0 0</pose>
      <visual name="top">
        <geometry><box><size>1 1 0.1</size></box></geometry>
      </visual>
    </link>
  </model>
</sdf>
"""


@pytest.fixture
def stage(qtbot: QtBot, settings: Settings, tmp_path: Path) -> Iterator[Stage]:
    path = tmp_path / "table.sdf"
    path.write_text(TEXT, encoding="utf-8")
    stage = Stage(qtbot, settings, TEXT, path)
    stage.view.set_switches(switches())
    yield stage
    stage.close()


def switches() -> dict[str, bool]:
    from sdfviewer.gui.shell.actions.edit_actions import VIEW_TOPICS
    from sdfviewer.gui.shell.actions.table import ACTIONS

    known = {spec.id: spec.on for spec in ACTIONS if spec.checkable and spec.id.partition(".")[0] in VIEW_TOPICS}
    return {**known, "show.shapes": True}


def shape(tag: str) -> QMimeData:
    data = QMimeData()
    data.setData(SHAPE_MIME, tag.encode())
    return data


def files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def pixel(stage: Stage, *point: float) -> QPoint:
    canvas = stage.canvas
    (x, y), _ = canvas.camera.project(np.array(point), canvas.width(), canvas.height())
    return QPoint(round(float(x)), round(float(y)))


def drag(stage: Stage, data: QMimeData, at: QPoint) -> bool:
    """Drag over the view; return whether it takes what is dragged."""
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    enter = QDragEnterEvent(at, copy, data, left, NONE)
    QApplication.sendEvent(stage.canvas, enter)
    if enter.isAccepted():
        QApplication.sendEvent(stage.canvas, QDragMoveEvent(at, copy, data, left, NONE))
    return enter.isAccepted()


def drop(stage: Stage, data: QMimeData, at: QPoint) -> None:
    assert drag(stage, data, at)
    event = QDropEvent(QPointF(at), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, NONE)
    QApplication.sendEvent(stage.canvas, event)


def write_stl(path: Path, size: float) -> Path:
    corners = [(0, 0, 0), (size, 0, 0), (0, size, 0), (0, 0, size)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *corners[a], *corners[b], *corners[c], 0) for a, b, c in faces)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"\0" * 80 + struct.pack("<I", len(faces)) + body)
    return path


def test_a_shape_on_a_link_is_its_visual_and_collision(qtbot: QtBot, stage: Stage) -> None:
    at = pixel(stage, 0.2, 0.3, 0.55)
    with qtbot.waitSignal(stage.context.previews.edit_changed):
        assert drag(stage, shape("cylinder"), at)
    assert stage.text == TEXT
    drop(stage, shape("cylinder"), at)
    model = stage.session.model
    assert model is not None
    X = stage.X("m::table::cylinder")
    np.testing.assert_allclose(X[:2, 3], (0.2, 0.3), atol=0.02)
    np.testing.assert_allclose(X[:3, :3], np.eye(3), atol=1e-12)
    assert "m::table::cylinder_collision" in model.names
    assert stage.session.selection == ("m::table::cylinder",)
    before, after = TEXT.split("    </link>")
    assert stage.text.startswith(before)
    assert stage.text.endswith(f"    </link>{after}")
    stage.context.edits.undo()
    assert stage.text == TEXT


def test_a_shape_beside_all_links_is_a_link_on_the_ground(stage: Stage) -> None:
    drop(stage, shape("box"), pixel(stage, 1.0, -0.2, 0.0))
    X = stage.X("m::box")
    model = stage.session.model
    assert model is not None
    assert X[2, 3] > 0
    half = float(model.document.text.split("<size>")[-1].split()[0]) / 2
    assert X[2, 3] == pytest.approx(half)
    assert "<inertial>" in stage.text


def test_a_shape_that_leaves_the_view_adds_nothing(qtbot: QtBot, stage: Stage) -> None:
    drag(stage, shape("sphere"), pixel(stage, 0.0, 0.0, 0.55))
    QApplication.sendEvent(stage.canvas, QDragLeaveEvent())
    assert stage.context.previews.edit is None
    assert stage.text == TEXT


def test_a_shape_is_clicked_and_then_its_place(stage: Stage) -> None:
    QTest.mouseClick(stage.view.shapes.buttons["cone"], Qt.MouseButton.LeftButton)
    assert stage.context.requests.pick is not None
    at = pixel(stage, 0.2, 0.3, 0.55)
    QTest.mouseMove(stage.canvas, at)
    QTest.mouseClick(stage.canvas, Qt.MouseButton.LeftButton, NONE, at)
    assert "<cone>" in stage.text
    assert stage.context.requests.pick is None


def test_a_shape_is_given_up_with_the_model(stage: Stage) -> None:
    QTest.mouseClick(stage.view.shapes.buttons["cone"], Qt.MouseButton.LeftButton)
    QTest.mouseMove(stage.canvas, pixel(stage, 0.2, 0.3, 0.55))
    stage.session.recover("<sdf version='1.11'/>")
    stage.canvas.grabFramebuffer()
    assert stage.session.model is None
    assert stage.context.requests.pick is None


def test_models_are_for_the_window(stage: Stage, tmp_path: Path) -> None:
    assert not drag(stage, files(tmp_path / "robot.sdf"), QPoint(100, 100))
    assert not drag(stage, files(tmp_path / "a.stl", tmp_path / "b.stl"), QPoint(100, 100))


@pytest.fixture
def dropped(qtbot: QtBot, stage: Stage) -> Callable[[Path], AddMeshDialog]:
    """Return what drops a file on the table, and waits until its size is known."""

    def drop_file(path: Path) -> AddMeshDialog:
        drops: list[MeshDrop] = []
        stage.context.requests.mesh.connect(drops.append)
        drop(stage, files(path), pixel(stage, 0.2, 0.3, 0.55))
        dialog = AddMeshDialog(stage.context, drops[0], stage.view)
        dialog.show()
        qtbot.waitUntil(lambda: "Reading" not in dialog.extents.text())
        return dialog

    return drop_file


def test_a_mesh_in_millimetres_is_scaled(
    stage: Stage, tmp_path: Path, dropped: Callable[[Path], AddMeshDialog]
) -> None:
    dialog = dropped(write_stl(tmp_path / "meshes" / "leg.stl", 80.0))
    assert dialog.unit.currentText() == "millimetres"
    assert dialog.extents.text() == "0.08 × 0.08 × 0.08 m"
    dialog.kind.setCurrentText("visual")
    dialog.accept()
    assert (
        '      <visual name="leg">\n        <geometry>\n          <mesh>\n            <uri>meshes/leg.stl</uri>\n'
        "            <scale>0.001 0.001 0.001</scale>\n          </mesh>\n"
    ) in stage.text
    assert "<collision" not in stage.text
    stage.context.edits.undo()
    assert stage.text == TEXT


def test_a_mesh_in_metres_has_no_scale(stage: Stage, tmp_path: Path, dropped: Callable[[Path], AddMeshDialog]) -> None:
    dialog = dropped(write_stl(tmp_path / "leg.stl", 0.4))
    assert dialog.unit.currentText() == "metres"
    dialog.where.setCurrentIndex(1)
    dialog.accept()
    assert "<scale>" not in stage.text
    assert '<collision name="leg_collision">' in stage.text
    np.testing.assert_allclose(stage.X("m::table::leg")[2, 3], 0.55)


def test_a_broken_mesh_says_why(stage: Stage, tmp_path: Path, dropped: Callable[[Path], AddMeshDialog]) -> None:
    path = tmp_path / "broken.obj"
    path.write_text("nothing", encoding="utf-8")
    dialog = dropped(path)
    assert dialog.fault.text() == "This mesh cannot be added: broken.obj: is not an OBJ file, or has no faces."
    assert not dialog.accept_button.isEnabled()
    dialog.reject()


@pytest.mark.parametrize("size", [(800, 600), (360, 420), (280, 300)])
def test_the_palette_leaves_the_view_cube_free(stage: Stage, qtbot: QtBot, size: tuple[int, int]) -> None:
    stage.view.resize(*size)
    qtbot.waitUntil(lambda: stage.canvas.width() == size[0])
    shapes, cube = stage.view.shapes.geometry(), stage.canvas.cube.rectangle
    assert not shapes.intersects(cube)
    assert not shapes.intersects(stage.view.strip.geometry())
    assert stage.canvas.rect().contains(shapes)
