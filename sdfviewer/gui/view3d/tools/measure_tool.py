"""Measuring in the 3D view: what the mouse snaps to, the things picked so far, and the measurements as drawings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt

from sdfviewer.gui.kit.fields import LENGTH, AngleUnit, from_radians
from sdfviewer.gui.view3d.pointing import name_at
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.gui.view3d.tools.measure_panel import MeasurePanel
from sdfviewer.palette import theme
from sdfviewer.scene.nodes import Floats, Lines, Stroke
from sdfviewer.scene.shapes2d import Shapes, colour_of, dashes, disc, ring, strokes
from sdfviewer.scene.tools.measuring import Anchor, AnchorKind, Measurement, Reading, Row, read, unused_name
from sdfviewer.scene.tools.snapping import Snap, drawn_axes, snap
from sdfviewer.session.session_change import SessionChange

_ROOT = -1
"""What is bound to no row is given in root coordinates."""
_ON_A_LINE = "The three points are on one line: no circle goes through them. The distance stays."


class MeasureTool:
    """Two picked things, or three points of a circle; the session keeps the measurements.

    Attributes
    ----------
    on
        Whether clicks pick things to measure.
    picked
        What has been picked of the next measurement.
    """

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        self.on = False
        self.picked: tuple[Anchor, ...] = ()
        self._snap: Snap | None = None
        canvas.document_context.changed.connect(self._follow)

    @cached_property
    def panel(self) -> MeasurePanel:
        """The list of measurements, made when something is measured for the first time: many never measure."""
        panel = MeasurePanel(self._canvas, self)
        self._canvas.lay_over(panel)
        return panel

    def place(self) -> None:
        """Keep the list in its corner."""
        if self.on:
            self.panel.place()

    def choose(self, on: bool) -> None:
        """Begin or end measuring."""
        if on != self.on:
            self.on, self.picked, self._snap = on, (), None
            self.panel.setVisible(on)
        self.show()

    def _follow(self, change: SessionChange) -> None:
        # What is selected is offered as the frame of the components. After an edit all is shown with its scene.
        if not change.document and (change.measurements or (change.selection and self.on)):
            self.show()

    # --- picking ---------------------------------------------------------------------------------------------------

    def hover(self, at: QPointF | None, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Show what a click would pick; with Ctrl the point of the surface as it is."""
        found = self._find(at, modifiers) if self.on and at is not None else None
        if found is not None or self._snap is not None:
            self._snap = found
            self.panel.show_hint(found.anchor if found else None)
            self._canvas.update()

    def _find(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> Snap | None:
        canvas = self._canvas
        model, target = canvas.document_context.session.model, name_at(canvas, at)
        is_free = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        is_name = target is not None and not target.is_count and not is_free
        if is_name and target is not None and model is not None and target.row < len(model):
            return Snap(_frame_anchor(model.names[target.row]), np.zeros((0, 2, 3)))
        return snap(
            canvas.feed.scene,
            canvas.camera,
            at.x(),
            at.y(),
            (canvas.width(), canvas.height()),
            preferred=canvas.document_context.session.selected_rows,
            free=is_free,
        )

    def click(self, at: QPointF, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> bool:
        """Return whether the click was for this tool: it picks A, then B; with Shift the third point of a circle."""
        if not self.on:
            return False
        found = self._find(at, modifiers)
        if found is not None:
            self.pick(found.anchor, extends=bool(modifiers & Qt.KeyboardModifier.ShiftModifier))
        return True

    def pick(self, anchor: Anchor, *, extends: bool = False) -> None:
        """Pick a thing; with `extends` it becomes the third of the last measurement, whose circle is measured then."""
        session = self._canvas.document_context.session
        if extends and session.measurements and len(session.measurements[-1].anchors) == 2:
            last = session.measurements[-1]
            anchors = (*last.anchors, anchor)
            is_given = re.sub(r" \(\d+\)$", "", last.name) != self._name(last.anchors)  # by the user
            circle = Measurement(last.name if is_given else self._name(anchors, session.measurements), anchors)
            if read(circle, self._pose_of) is None and read(last, self._pose_of) is not None:
                self.panel.refuse(_ON_A_LINE)
            else:
                session.set_measurements((*session.measurements[:-1], circle))
            return
        self.picked = (*self.picked, anchor)
        if len(self.picked) == 2:
            measurement = Measurement(self._name(self.picked, session.measurements), self.picked)
            self.picked = ()
            session.set_measurements((*session.measurements, measurement))
        self.show()

    def _name(self, anchors: tuple[Anchor, ...], taken: Sequence[Measurement] = ()) -> str:
        """Return a name for a measurement that none of some others has."""
        model = self._canvas.document_context.session.model
        is_named = [] if model is None else np.flatnonzero(model.is_vertex).tolist()
        return unused_name(taken, anchors, [] if model is None else [model.names[row] for row in is_named])

    def pick_frame(self, name: str) -> None:
        """Pick a frame by its scoped name, as the tree and the graphs do."""
        self.pick(_frame_anchor(name))

    # --- reading ---------------------------------------------------------------------------------------------------

    @property
    def rows(self) -> list[Row]:
        """The measurements of the session with what they say of the picture."""
        return [(each, read(each, self._pose_of)) for each in self._canvas.document_context.session.measurements]

    def _pose_of(self, name: str) -> Floats | None:
        """Return where a frame is drawn: while it is dragged, elsewhere than the session knows."""
        model, X_RootF = self._canvas.document_context.session.model, self._canvas.feed.scene.X_RootF
        row = -1 if model is None else model.rows_by_name.get(name, -1)
        return X_RootF[row] if 0 <= row < len(X_RootF) else None

    @property
    def X_AB(self) -> Floats | None:
        """The pose of B in A (4, 4) of the last measurement, None where it has none."""
        rows = self.rows
        return rows[-1][1].X_AB if rows and rows[-1][1] is not None else None

    # --- showing ---------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Draw and list what is measured now."""
        canvas, rows = self._canvas, self.rows
        shown = [(measurement, reading) for measurement, reading in rows if reading is not None] if self.on else []
        lines = Lines.concatenate([_dimension(reading) for _, reading in shown])
        unit = canvas.settings.angle_unit
        notes = tuple((value_of(reading, unit), reading.ends) for _, reading in shown)
        canvas.renderer.set_measure(lines, notes)
        if self.on:
            self.panel.show_rows(rows, self.picked, self._pose_of)
        canvas.update()

    def _axes(self) -> list[Floats]:
        """Return the axes of joints that are measured from, as lines (2, 3) that reach to where the distance ends."""
        canvas = self._canvas
        ends_of = [
            (anchor, None if reading is None else reading.ends)
            for measurement, reading in self.rows
            for anchor in measurement.anchors
        ]
        lines = []
        for anchor, ends in (*ends_of, *((anchor, None) for anchor in self.picked)):
            X = self._pose_of(anchor.frame)
            if anchor.kind is not AnchorKind.AXIS or X is None:
                continue
            X_RootA = X @ anchor.X_FA
            p, u = X_RootA[:3, 3], X_RootA[:3, 2]
            drawn = drawn_axes(p[None], u[None], canvas.camera, canvas.height())[0]
            points = drawn if ends is None else np.concatenate([drawn, ends[_on_line(ends, p, u)]])
            along = (points - p) @ u
            lines.append(points[[along.argmin(), along.argmax()]])
        return lines

    def shapes(self) -> Shapes:
        """Return the marks of what is picked, and of what a click would pick."""
        if not self.on:
            return Shapes()
        canvas = self._canvas
        colours = theme(canvas.look.dark)
        tone, rim = colour_of(colours.measure), colour_of(colours.plate)
        parts: list[Shapes] = []
        # An axis is dashed as in a drawing, and what is measured lies over it: it must not look like the distance.
        for line in self._axes():
            segments = dashes(canvas.pixels_of(line))
            parts += [strokes(segments, 3.5, (*rim[:3], 0.5)), strokes(segments, 1.5, tone)]
        for _, reading in self.rows:
            if reading is not None:
                segments = canvas.pixels_of(reading.ends)[None]
                parts += [strokes(segments, 5.0, (*rim[:3], 0.7)), strokes(segments, 2.5, tone)]
        for anchor in self.picked:
            X = self._pose_of(anchor.frame)
            if X is not None and np.isfinite(at := canvas.pixels_of((X @ anchor.X_FA)[:3, 3])).all():
                parts += [disc(at, 5.0, rim), disc(at, 3.5, tone)]
        found = self._snap
        X = None if found is None else self._pose_of(found.anchor.frame)
        if found is not None and X is not None:
            if len(found.outline):
                segments = canvas.pixels_of(found.outline)
                parts += [strokes(segments, 5.0, (*rim[:3], 0.7)), strokes(segments, 2.5, tone)]
            at = canvas.pixels_of((X @ found.anchor.X_FA)[:3, 3])
            if np.isfinite(at).all():
                is_corner = found.anchor.kind in (AnchorKind.VERTEX, AnchorKind.FRAME)
                radius = 6.0 if is_corner else 3.5
                parts += [ring(at, radius, 4.0, (*rim[:3], 0.7)), ring(at, radius, 2.0, tone)]
        return Shapes.concatenate(parts)


def _frame_anchor(name: str) -> Anchor:
    return Anchor(AnchorKind.FRAME, name, np.eye(4), name)


def _on_line(points: Floats, p: Floats, u: Floats) -> NDArray[np.bool_]:
    """Return which points (k, 3) are on the line through p along the unit vector u."""
    away = points - p
    off = np.linalg.norm(away - (away @ u)[:, None] * u, axis=1)
    return np.asarray(off <= 1e-6 * (1.0 + np.linalg.norm(away, axis=1)))


def _dimension(reading: Reading) -> Lines:
    """Return a line with arrows at both ends; of a circle its radius and its rim."""
    a, b = reading.ends
    parts = []
    if reading.radius is None:
        middle = (a + b) / 2
        both: Floats = np.array([[middle, a], [middle, b]])
        if reading.distance > 1e-9:
            parts.append(Lines.in_frame(_ROOT, both, "measure", Stroke.ARROW))
    else:
        parts.append(Lines.in_frame(_ROOT, reading.ends[None], "measure", Stroke.ARROW))
        parts.append(Lines.in_frame(_ROOT, reading.rim(), "measure"))
    return Lines.concatenate(parts)


def value_of(reading: Reading, unit: AngleUnit) -> str:
    """Return what the label of a measurement says."""
    if reading.radius is not None:
        return f"R {reading.radius:.5g} {LENGTH}"
    # Rounded as in the list first: a distance of 4e-16 m is noise, and the list says 0.
    text = f"{round(reading.distance, 5):.5g} {LENGTH}"
    if reading.relation is not None:
        return f"{text}  {reading.relation.value}"
    return text if reading.angle is None else f"{text}  {round(from_radians(reading.angle, unit), 5):.4g} {unit.value}"
