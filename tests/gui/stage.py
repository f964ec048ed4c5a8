"""A 3D view with a hand on the mouse, for tests of what is done in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.view3d.canvas import Canvas
from sdfviewer.gui.view3d.opengl import probe
from sdfviewer.gui.view3d.tools.gizmo_tool import Axes
from sdfviewer.gui.view3d.view3d import View3D
from sdfviewer.scene.tools.gizmo import Handle, Mode
from sdfviewer.session.session import Session
from sdfviewer.transforms import Array

NONE = Qt.KeyboardModifier.NoModifier


class Stage:
    """A 3D view of a text, and a hand on the mouse."""

    def __init__(
        self, qtbot: QtBot, settings: Settings, text: str, path: Path | None = None, size: tuple[int, int] = (800, 600)
    ) -> None:
        if probe().problem:
            pytest.skip(probe().problem)
        self.context = DocumentContext(Session(parse_document(text, path)))
        self.view = View3D(self.context, settings, Finder())
        qtbot.addWidget(self.view)
        self.view.resize(*size)
        with qtbot.waitExposed(self.view):
            self.view.show()
        assert self.view.canvas is not None
        self.canvas: Canvas = self.view.canvas
        self.canvas.setFocus()
        qtbot.waitUntil(self.canvas.isValid)
        self.canvas.camera_control.keep_in_sight()  # as the first picture does
        self.refused: list[str] = []
        self.context.messages.refused.connect(self.refused.append)

    @classmethod
    def of(cls, qtbot: QtBot, view: View3D) -> Stage:
        """Return the stage of a view that is there already."""
        stage = cls.__new__(cls)
        stage.context, stage.view = view.context, view
        assert view.canvas is not None
        stage.canvas = view.canvas
        qtbot.waitUntil(stage.canvas.isValid)
        stage.canvas.setFocus()
        stage.canvas.camera_control.keep_in_sight()
        stage.refused = []
        return stage

    @property
    def session(self) -> Session:
        return self.context.session

    @property
    def text(self) -> str:
        return self.session.document.text

    def X(self, name: str) -> Array:
        """Return where a frame of the text is."""
        model = self.session.model
        assert model is not None
        return np.asarray(self.session.X_RootF[model.row(name)])

    def shown(self, name: str) -> Array:
        """Return where a frame is drawn."""
        model = self.session.model
        assert model is not None
        return np.asarray(self.canvas.feed.scene.X_RootF[model.row(name)])

    def take(self, *names: str, mode: Mode, axes: Axes = Axes.LOCAL, alone: bool = False) -> None:
        """Select frames and show their handles."""
        self.session.select(tuple(f"m::{name}" for name in names))
        self.choose(mode, axes, alone=alone)

    def choose(self, mode: Mode, axes: Axes = Axes.LOCAL, *, alone: bool = False) -> None:
        """Show the handles of what is selected."""
        gizmo = self.canvas.tools.gizmo
        gizmo.choose(mode, axes, snaps=gizmo.snaps, alone=alone)

    def place(self, handle: Handle) -> QPoint:
        """Return a point on a handle that no other handle covers."""
        gizmo = self.canvas.tools.gizmo.gizmo()
        assert gizmo is not None
        path = gizmo.outline(handle)
        if handle.mode is Mode.MOVE and len(handle.axes) != 1:
            path = path.mean(axis=0)[None]
        elif handle.mode is Mode.MOVE:
            path = path[0] + np.linspace(0.55, 1.0, 8)[:, None] * (path[1] - path[0])
        else:  # from the middle of the half that is seen
            path = np.concatenate([path[len(path) // 2 :], path[: len(path) // 2]])
        for x, y in path:
            if gizmo.pick(x, y) == handle:
                return QPoint(round(x), round(y))
        raise AssertionError(f"{handle} is covered")

    def press(self, at: QPoint) -> None:
        # Sent to the widget itself, as the moves that follow: what QTest moves depends on the tests before.
        where, none = self.canvas.mapToGlobal(QPointF(at)), Qt.MouseButton.NoButton
        QApplication.sendEvent(self.canvas, QMouseEvent(QEvent.Type.MouseMove, QPointF(at), where, none, none, NONE))
        QTest.mousePress(self.canvas, Qt.MouseButton.LeftButton, NONE, at)

    def move(self, at: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Move the mouse with the button held: QTest's own moves say nothing of buttons."""
        local, button = QPointF(at), Qt.MouseButton.LeftButton
        where = self.canvas.mapToGlobal(local)
        event = QMouseEvent(QEvent.Type.MouseMove, local, where, Qt.MouseButton.NoButton, button, modifiers)
        QApplication.sendEvent(self.canvas, event)

    def release(self, at: QPoint) -> None:
        QTest.mouseRelease(self.canvas, Qt.MouseButton.LeftButton, NONE, at)

    def drag(self, handle: Handle, by: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> QPoint:
        """Press on a handle and move, without letting go; return where the mouse is."""
        start = self.place(handle)
        self.press(start)
        for step in range(1, 6):
            self.move(start + QPoint(by.x() * step // 5, by.y() * step // 5), modifiers)
        return start + by

    def double_press(self, at: QPoint) -> None:
        """Press for the second time in a short time."""
        local, button = QPointF(at), Qt.MouseButton.LeftButton
        where = self.canvas.mapToGlobal(local)
        QApplication.sendEvent(
            self.canvas, QMouseEvent(QEvent.Type.MouseButtonDblClick, local, where, button, button, NONE)
        )

    def type(self, text: str) -> None:
        for letter in text:
            QTest.keyClicks(self.canvas, letter)

    def close(self) -> None:
        self.view.stop()
        self.context.close()

    def key(self, key: Qt.Key | str, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.canvas, key, modifiers)  # type: ignore[arg-type]
