"""What one 3D view shows of a motion: the way of a frame, and the links that collide."""

from __future__ import annotations

from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.scene.motion_marks import collision_tints, path_lines
from sdfviewer.scene.nodes import Lines


class MotionView:
    """Hands the renderer the marks of the motion."""

    def __init__(self, canvas: SceneWidget) -> None:
        self._canvas = canvas
        canvas.document_context.motion_marked.connect(lambda _marks: self.show())

    def show(self) -> None:
        """Show the marks as they are now."""
        canvas, marks = self._canvas, self._canvas.document_context.motion_marks
        model = canvas.document_context.session.model
        canvas.renderer.set_paths(Lines() if marks.path is None else path_lines(marks.path))
        known = model is not None and len(model) == len(canvas.feed.scene.X_RootF)
        lit = collision_tints(model, marks.lit) if known and model is not None and marks.lit else None
        canvas.renderer.set_lit(lit)
        canvas.update()
