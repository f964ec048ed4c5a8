"""A message box that does not hold the program up."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget


def show_warning(parent: QWidget, text: str, detail: str) -> QMessageBox:
    """Return a warning that is open now.

    It is not modal: several files that fail must not block those that open.
    """
    box = QMessageBox(QMessageBox.Icon.Warning, "sdfviewer", text, QMessageBox.StandardButton.Ok, parent)
    box.setInformativeText(detail)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box
