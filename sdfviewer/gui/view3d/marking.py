"""What is marked in the 3D view: what is selected, pointed at, faulty, on the way to the selection, in a motion."""

from __future__ import annotations

from collections.abc import Sequence

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.model import graph
from sdfviewer.render.renderer import Renderer
from sdfviewer.scene.marks import collision_tints, path_lines
from sdfviewer.scene.nodes import Lines


def mark(
    renderer: Renderer, context: DocumentContext, followers: Sequence[int], near: Sequence[int], *, only_chain: bool
) -> None:
    """Mark rows by what they are to the user.

    Parameters
    ----------
    followers
        Rows that follow what is dragged.
    near
        Rows near the mouse, which are drawn in full where there are many.
    only_chain
        Whether only the selection and its chain are labelled; always while the steps of a chain are shown.
    """
    session = context.session
    model = session.model
    if model is None:
        return
    rows = model.rows_by_name
    selected = [rows[name] for name in session.selection if name in rows]
    chain = graph.chain(model.relative_to, selected[-1])[1:] if selected else []
    errors = {rows[name] for each in session.diagnostics if each.is_error for name in each.frames if name in rows}
    hovered = None if context.highlights.hovered is None else rows.get(context.highlights.hovered)
    steps = [rows[name] for name in context.highlights.chain_steps if name in rows]
    kinematics = session.kinematics
    joints = kinematics.joints_above(selected[-1]) if selected and kinematics is not None else ()
    carriers = [joint.row for joint in joints]
    if kinematics is not None:  # what should not be so is in sight, also where there are many joints
        outside = kinematics.outside_limits(kinematics.positions(session.positions))
        carriers += [kinematics.dofs[place].joint.row for place in outside]
    only_chain = only_chain or bool(steps)
    lit = [rows[name] for name in context.highlights.selected if name in rows]
    along = followers or steps or chain
    renderer.set_highlight(lit, hovered, along, errors, only_chain=only_chain, detailed=near, carriers=carriers)


class MotionView:
    """What one 3D view shows of a motion: the way of a frame, and the links that collide."""

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        canvas.document_context.motion.marks_changed.connect(lambda _marks: self.show())

    def show(self) -> None:
        """Show the marks as they are now."""
        canvas, marks = self._canvas, self._canvas.document_context.motion.marks
        model = canvas.document_context.session.model
        canvas.renderer.set_paths(Lines() if marks.path is None else path_lines(marks.path))
        known = model is not None and len(model) == len(canvas.feed.scene.X_RootF)
        lit = collision_tints(model, marks.lit) if known and model is not None and marks.lit else None
        canvas.renderer.set_lit(lit)
        canvas.update()
