"""Elements in the clipboard: as text for every editor, and as a file with what they name outside for this program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from sdfviewer.refactoring.composition.copying import CopiedElements

_FORMAT = "application/x-sdfviewer-elements"


def put_elements(copied: CopiedElements, source: Path | None) -> None:
    """Put elements into the clipboard.

    Parameters
    ----------
    copied
        The elements.
    source
        The file that they are from, None for a text without one.
    """
    data = QMimeData()
    data.setText(copied.xml)
    held = {"xml": copied.document, "source": None if source is None else str(source)}
    data.setData(_FORMAT, json.dumps(held).encode())
    QGuiApplication.clipboard().setMimeData(data)


def pasted_elements() -> dict[str, object] | None:
    """Return what is in the clipboard as arguments of the operation that pastes it; None where there is no text."""
    data = QGuiApplication.clipboard().mimeData()
    if data.hasFormat(_FORMAT):
        held = json.loads(bytes(data.data(_FORMAT).data()).decode())
        return {"xml": str(held["xml"]), "source": held["source"]}
    return {"xml": data.text()} if data.hasText() and data.text().strip() else None
