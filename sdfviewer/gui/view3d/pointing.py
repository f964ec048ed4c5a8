"""What is under a point of a 3D view, and what a click there selects."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from PySide6.QtCore import QPointF, Qt

from sdfviewer.gui.view3d.surface import SceneWidget
from sdfviewer.model.model import Model
from sdfviewer.scene.picking import Hit, Target, everything_under, pick, pick_frames


def name_of_row(model: Model | None, row: int, *, exact: bool = False) -> str | None:
    """Return the scoped name that a click on a row means: the link of a visual, unless `exact` is asked for."""
    if model is None or not 0 <= row < len(model):
        return None
    while not exact and not model.kinds[row].is_vertex and model.owners[row] >= 0:
        row = int(model.owners[row])
    return model.names[row]


def name_of_hit(model: Model | None, hit: Hit | None, *, exact: bool = False) -> str | None:
    """Return the scoped name of a hit; the hit of an icon is its sensor or light."""
    return None if hit is None else name_of_row(model, hit.row, exact=exact or hit.target is Target.ICON)


def hit_at(view: SceneWidget, at: QPointF) -> Hit | None:
    """Return what is under a point of a view; of frames in one place the selected one."""
    return _hit_at(view, at, view.document_context.session.selected_rows)


def hits_at(view: SceneWidget, at: QPointF) -> tuple[Hit, ...]:
    """Return everything under a point of a view, from front to back."""
    return everything_under(view.feed.scene, view.camera, at.x(), at.y(), view.width(), view.height())


def _hit_at(view: SceneWidget, at: QPointF, preferred: Collection[int]) -> Hit | None:
    size = (view.width(), view.height())
    return pick(view.feed.scene, view.camera, at.x(), at.y(), *size, preferred=preferred)


def select_at(view: SceneWidget, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
    """Select what is under a point of a view: Ctrl adds it, Alt selects a visual instead of its link."""
    session = view.document_context.session
    exact = bool(modifiers & Qt.KeyboardModifier.AltModifier)
    name = name_of_hit(session.model, _next_hit(view, at), exact=exact)
    if not modifiers & Qt.KeyboardModifier.ControlModifier:
        session.select(() if name is None else (name,), view)
    elif name is not None:
        others = tuple(known for known in session.selection if known != name)
        session.select(others if name in session.selection else (*others, name), view)


def _next_hit(view: SceneWidget, at: QPointF) -> Hit | None:
    """Return what a click selects: of frames in one place the first, then the next at each click."""
    hit, selected = _hit_at(view, at, ()), view.document_context.session.selected_rows
    if hit is None or hit.target is Target.SURFACE or not selected:
        return hit
    size = (view.width(), view.height())
    together = [
        each
        for each in pick_frames(view.feed.scene, view.camera, at.x(), at.y(), *size)
        if np.allclose(each.point, hit.point, atol=1e-6)
    ]
    rows = [each.row for each in together]
    return together[(rows.index(selected[-1]) + 1) % len(rows)] if selected[-1] in rows else hit
