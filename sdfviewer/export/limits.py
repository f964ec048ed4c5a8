"""How large a model may be that is written for another program."""

from __future__ import annotations

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.formats.urdf.reading import MAX_MEMBERS
from sdfviewer.model.model import Model


def require_exportable(model: Model, format: str) -> None:
    """Refuse a model with more parts than a URDF may have, in the name of a format.

    Raises
    ------
    SdfViewerError
        If it has more.
    """
    if len(model) > MAX_MEMBERS:
        raise SdfViewerError(
            f"'{model.names[0]}' has {len(model):,} links, joints, frames and shapes; "
            f"{format} is written for at most {MAX_MEMBERS:,}"
        )
