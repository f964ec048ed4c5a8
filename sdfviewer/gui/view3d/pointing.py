"""What a person means who points at something in the 3D view."""

from __future__ import annotations

from sdfviewer.model.model import Model
from sdfviewer.scene.picking import Hit, Target


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
