"""Measuring: pick frames A and B, read X_AB."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout

from sdfviewer import transforms
from sdfviewer.gui.icons import icon
from sdfviewer.gui.named import named
from sdfviewer.gui.settings import AngleUnit
from sdfviewer.gui.theme import tokens
from sdfviewer.gui.units import LENGTH, from_radians
from sdfviewer.gui.view3d.pointing import name_of_row
from sdfviewer.scene.nodes import Floats, Lines, Stroke

if TYPE_CHECKING:
    from sdfviewer.gui.view3d.canvas import Canvas

_MARGIN = 8


class MeasureTool:
    """Two picked frames, the way from one to the other along A's axes, and a panel with the numbers.

    Attributes
    ----------
    on
        Whether clicks pick frames to measure.
    frames
        Scoped names of A, and of B once it is picked.
    """

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.on = False
        self.frames: tuple[str, ...] = ()
        self.panel = _Panel(canvas)

    def choose(self, on: bool) -> None:
        """Begin or end measuring."""
        if on != self.on:
            self.on, self.frames = on, ()
        self.show()

    def click(self, at: QPointF) -> bool:
        """Return whether the click was for this tool: it picks A, then B, then A anew."""
        if not self.on:
            return False
        hit = self._canvas.pick(at)
        name = None if hit is None else name_of_row(self._canvas.bridge.session.model, hit.row)
        if name is not None:
            self.frames = (name,) if len(self.frames) != 1 else (*self.frames, name)
            self.show()
        return True

    @property
    def X_AB(self) -> Floats | None:
        """The pose of B in A (4, 4) as shown, None before both are picked or where one has no pose."""
        rows = self._rows()
        if len(rows) < 2:
            return None
        X_RootF = self._canvas.feed.scene.X_RootF
        X_AB = transforms.invert(X_RootF[rows[0]]) @ X_RootF[rows[1]]
        return X_AB if np.isfinite(X_AB).all() else None

    def _rows(self) -> list[int]:
        model = self._canvas.bridge.session.model
        known = {} if model is None else model.rows_by_name
        rows = [known[name] for name in self.frames if name in known]
        return rows if max(rows, default=-1) < len(self._canvas.feed.scene.X_RootF) else []

    def show(self) -> None:
        """Draw and say what is measured now."""
        canvas = self._canvas
        rows, X_AB = self._rows(), self.X_AB
        lines = Lines()
        if X_AB is not None:
            x, y, z = X_AB[:3, 3]
            corners = np.array([(0, 0, 0), (x, 0, 0), (x, y, 0), (x, y, z)], np.float64)
            # The same frame twice, or one straight along an axis, leaves steps of no length.
            steps = [(corners[k : k + 2], f"axis_{axis}") for k, axis in enumerate("xyz") if abs(X_AB[k, 3]) > 1e-9]
            parts = [Lines.in_frame(rows[0], step[None], token, Stroke.DASHED) for step, token in steps]
            whole = np.stack([corners[0], corners[3]])[None]
            lines = Lines.concatenate([*parts, Lines.in_frame(rows[0], whole, "measure", Stroke.ARROW)])
        canvas.renderer.set_measure(lines)
        self.panel.show_measure(self.on, self.frames, X_AB, canvas.settings.angle_unit)
        canvas.update()


class _Panel(QFrame):
    """The numbers, in the lower right corner of the view."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self.setObjectName("measure_panel")
        self._canvas = canvas
        self._text = ""
        self._title, self._numbers = QLabel(), QLabel()
        self._numbers.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._numbers.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = named(QToolButton(), "Copy the measured pose", "Copy as x y z roll pitch yaw, metres and radians")
        self.copy.setAutoRaise(True)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text))
        top = QHBoxLayout()
        top.addWidget(self._title, 1)
        top.addWidget(self.copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 8, 8)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(self._numbers)
        self.hide()

    @property
    def text(self) -> str:
        """What is read: title and numbers."""
        return f"{self._title.text()}\n{self._numbers.text()}"

    def show_measure(self, on: bool, frames: tuple[str, ...], X_AB: Floats | None, unit: AngleUnit) -> None:
        """Show a pose, or what to pick next."""
        self.setVisible(on)
        if not on:
            return
        colours = tokens(self._canvas.palette())
        self.setStyleSheet(
            f"#measure_panel {{ background: {colours.panel}; border: 1px solid {colours.border_strong};"
            "border-radius: 6px; }"
        )
        self.copy.setIcon(icon("mdi6.content-copy", colours.text))
        self.copy.setVisible(X_AB is not None)
        self._numbers.setVisible(X_AB is not None)
        if X_AB is not None:
            xyz, rpy = X_AB[:3, 3].tolist(), transforms.matrix_to_rpy(X_AB[:3, :3]).tolist()
            lines = [
                _row("x y z", xyz, LENGTH),
                _row("r p y", [from_radians(angle, unit) for angle in rpy], unit.value),
                _row("length", [math.dist(xyz, (0.0, 0.0, 0.0))], LENGTH),
            ]
            self._title.setText(f"<b>X_AB</b>  {frames[1]} in {frames[0]}")
            self._numbers.setText("\n".join(lines))
            self._text = " ".join(f"{value:.12g}" for value in (*xyz, *rpy))
        elif len(frames) == 2:
            self._title.setText("No pose: a frame cannot be resolved")
        elif frames:
            self._title.setText(f"Measure from {frames[0]}: pick B")
        else:
            self._title.setText("Measure: pick frame A")
        self.adjustSize()
        self.place()

    def place(self) -> None:
        """Stand in the corner."""
        self.move(
            max(self._canvas.width() - self.width() - _MARGIN, _MARGIN),
            max(self._canvas.height() - self.height() - _MARGIN, _MARGIN),
        )


def _row(name: str, values: Sequence[float], unit: str) -> str:
    # Adding zero turns -0.0 into 0.0.
    return f"{name:<7}" + "".join(f"{value + 0.0:>11.5f}" for value in values) + f"  {unit}"
