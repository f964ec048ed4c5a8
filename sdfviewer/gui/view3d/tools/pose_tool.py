"""Posing by dragging: a link that is dragged in the 3D view moves the joint above it, or the whole chain."""

from __future__ import annotations

from collections import Counter

import numpy as np
from PySide6.QtCore import QPointF, Qt

from sdfviewer.display_text import visible
from sdfviewer.gui.kit.fields import LENGTH, from_radians
from sdfviewer.gui.view3d.pointing import hit_at, name_of_row
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.number_text import format_shown
from sdfviewer.scene.nodes import Floats
from sdfviewer.scene.shapes2d import Shapes, disc, ring, stroke
from sdfviewer.scene.tools.posing import PoseGrip, Turn, moving_joints
from sdfviewer.session.session_change import SessionChange

_TONE = (0.90, 0.62, 0.0, 1.0)
_DARK = (0.08, 0.09, 0.1, 0.6)
_THRESHOLD = 4


class PoseTool:
    """Keeps a point of a link under the mouse.

    Attributes
    ----------
    on
        Whether a plain drag on a link poses it; with Alt it always does.
    keeps_orientation
        Whether a link that is dragged with all joints below it keeps its orientation.
    """

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        self.on = False
        self.keeps_orientation = False
        self._grip: PoseGrip | None = None
        self._turn: Turn | None = None
        self._start: Floats = np.empty(0)
        self._chain = False
        self._row = -1
        self._pressed = QPointF()
        self._started = False
        self._before: dict[str, tuple[float, ...]] = {}
        self._is_waiting_for_release = False

    @property
    def is_dragging(self) -> bool:
        """Whether a link is being dragged."""
        return self._grip is not None and self._started

    def press(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        """Begin to drag the link under the mouse; return whether there is one that can move."""
        self._is_waiting_for_release = False
        if not self.on and not modifiers & Qt.KeyboardModifier.AltModifier:
            return False
        session = self._canvas.document_context.session
        kinematics, hit = session.kinematics, hit_at(self._canvas, at)
        if kinematics is None or hit is None:
            return False
        held = self._canvas.document_context.motion.held_joints
        joints = [joint for joint in moving_joints(kinematics, hit.row) if joint.name not in held]
        if not joints:
            return False
        self._chain = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        q = kinematics.positions(session.positions)
        chosen = joints if self._chain else joints[:1]
        limited = not self._canvas.document_context.motion.limits_lifted
        self._grip = PoseGrip(
            kinematics,
            q,
            hit.row,
            np.array(hit.point),
            chosen,
            limited=limited,
            held=held,
            keeps_orientation=self.keeps_orientation,
        )
        self._row = hit.row
        self._pressed, self._started, self._before = at, False, dict(session.positions)
        return True

    def move(self, at: QPointF) -> bool:
        """Move the link to the mouse; return whether one is dragged."""
        if self._grip is None:
            return self._is_waiting_for_release
        if not self._started:
            if (at - self._pressed).manhattanLength() < _THRESHOLD:
                return True
            refusal = self._begin(self._grip)
            if refusal:
                self._end()
                self._is_waiting_for_release = True
                self._canvas.document_context.messages.refuse(refusal)
                return True
            self._started = True
            self._canvas.document_context.motion.drag_began.emit()
        canvas, session = self._canvas, self._canvas.document_context.session
        if session.kinematics is None:
            return True
        if self._turn is None:
            q = self._grip.drag(canvas.camera, at.x(), at.y(), canvas.width(), canvas.height(), in_depth=self._chain)
        else:
            q = self._grip.turn(self._start, self._turn.follow(at.x(), at.y()))
        moved = session.kinematics.joint_positions(q)
        now = session.kinematics.joint_positions(session.kinematics.positions(session.positions))
        changed = {name: values for name, values in moved.items() if values != now.get(name)}
        if changed:
            session.move_joints(changed, canvas)
        canvas.tools.show_message(self._text(q), at)
        return True

    def _begin(self, grip: PoseGrip) -> str:
        """Choose how the mouse leads the joint; return why it cannot, empty where it can.

        A point on the axis of its joint stays where it is, whatever the mouse does: there the mouse turns the joint.
        """
        canvas, model = self._canvas, self._canvas.document_context.session.model
        if self._chain or model is None or not grip.joints:
            return ""
        camera, size = canvas.camera, (canvas.width(), canvas.height())
        point, motions = grip.held_point(), grip.motions()
        if any(motion.leads(camera, point, size[1]) for motion in motions):
            return ""
        joint = visible(model.local_names[model.row(grip.joints[0])])
        if len(motions) == 1 and motions[0].turns:
            self._start = grip.q
            self._turn = Turn(motions[0], camera, point, (self._pressed.x(), self._pressed.y()), size)
            return ""
        if not any(motion.turns for motion in motions):
            return f"'{joint}' slides along the line of sight: look at it from another side."
        body = visible((name_of_row(model, self._row) or "").rpartition("::")[2])
        return f"'{body}' lies on the axes of '{joint}': drag a point beside them."

    def _text(self, q: Floats) -> str:
        """Return the positions of the joints that move."""
        session, unit = self._canvas.document_context.session, self._canvas.settings.angle_unit
        assert session.kinematics is not None
        assert self._grip is not None
        names = set(self._grip.joints)
        if self._chain:
            return f"{len(names)} joint{'s' if len(names) != 1 else ''}"
        parts = []
        top = f"{session.kinematics.model.names[0]}::"
        ends = Counter(dof.name.rpartition("::")[2] for dof in session.kinematics.dofs)
        for dof, value in zip(session.kinematics.dofs, q.tolist(), strict=True):
            if dof.joint.name in names:
                shown = from_radians(value, unit) if dof.unit == "rad" else value
                sign = unit.value if dof.unit == "rad" else LENGTH
                name = dof.name.rpartition("::")[2]
                if ends[name] > 1:  # another model has a joint of this name
                    name = dof.name.removeprefix(top)
                parts.append(f"{name}  {format_shown(shown, 4)} {sign}")
        return "   ".join(parts)

    def release(self) -> bool:
        """End the drag; return whether a link was dragged, not only clicked."""
        if self._is_waiting_for_release:
            self._is_waiting_for_release = False
            return True
        dragged = self.is_dragging
        self._end()
        return dragged

    def cancel(self) -> None:
        """Move the joints back to where the drag began."""
        if self._grip is None:
            return
        session = self._canvas.document_context.session
        # The earlier positions leave out joints at zero.
        zeros = {name: (0.0,) * len(values) for name, values in session.positions.items()}
        self._end()
        self._is_waiting_for_release = True
        session.move_joints({**zeros, **self._before}, self._canvas)

    def follow(self, change: SessionChange) -> None:
        """End the drag where the model changes meanwhile."""
        if change.document and self._grip is not None:
            self._end()
            self._is_waiting_for_release = True

    def _end(self) -> None:
        self._grip, self._turn, self._started = None, None, False
        self._canvas.tools.show_message("", QPointF())
        self._canvas.update()

    def shapes(self) -> Shapes:
        """Return the point that is dragged, and the point of the joint's axis that it rotates about."""
        session = self._canvas.document_context.session
        if not self.is_dragging or self._grip is None or session.kinematics is None:
            return Shapes()
        canvas, model = self._canvas, session.kinematics.model
        X = canvas.feed.scene.X_RootF
        point = self._grip.held_point()
        origins = [X[model.row(name), :3, 3] for name in self._grip.joints]
        pixels, depth = canvas.camera.project(np.stack([point, *origins]), canvas.width(), canvas.height())
        if not (depth > 0).all():
            return Shapes()
        parts = []
        for origin in pixels[1:]:
            if not self._chain:
                parts += [stroke(np.stack([origin, pixels[0]]), 4.0, _DARK), stroke([origin, pixels[0]], 1.75, _TONE)]
            parts += [ring(origin, 6.0, 4.5, _DARK), ring(origin, 6.0, 2.25, _TONE)]
        parts += [disc(pixels[0], 6.5, _DARK), disc(pixels[0], 4.5, _TONE)]
        return Shapes.concatenate(parts)
