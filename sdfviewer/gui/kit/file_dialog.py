"""Dialogs for files: filters, readable columns and buttons where Qt draws them itself, and warnings."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QHeaderView, QMessageBox, QToolButton, QTreeView, QWidget

from sdfviewer.formats.registry import model_suffixes
from sdfviewer.gui.kit.icons import icon
from sdfviewer.scene.meshes.reading import SUFFIXES

SIZE = QSize(900, 560)
#: The icons of Qt's buttons, by the names that Qt gives these.
_ICONS = {
    "backButton": "mdi6.arrow-left",
    "forwardButton": "mdi6.arrow-right",
    "toParentButton": "mdi6.arrow-up",
    "newFolderButton": "mdi6.folder-plus-outline",
    "listModeButton": "mdi6.view-list-outline",
    "detailModeButton": "mdi6.view-headline",
}


def widen_file_dialogs(application: QApplication) -> None:
    """Give each dialog for files that Qt draws itself room for its columns, once it is shown."""
    application.focusChanged.connect(_follow)


def _follow(_before: QWidget | None, now: QWidget | None) -> None:
    window = None if now is None else now.window()
    if isinstance(window, QFileDialog) and not window.property("widened"):
        window.setProperty("widened", True)
        _widen(window)


def _widen(dialog: QFileDialog) -> None:
    centre = dialog.geometry().center()
    room = dialog.screen().availableGeometry()
    dialog.resize(SIZE.boundedTo(room.size() * 0.9))
    place = dialog.geometry()
    place.moveCenter(centre)
    place.moveLeft(max(min(place.left(), room.right() - place.width()), room.left()))
    place.moveTop(max(min(place.top(), room.bottom() - place.height()), room.top()))
    dialog.move(place.topLeft())
    # Those of Qt's style are black in every theme.
    for name, shape in _ICONS.items():
        button = dialog.findChild(QToolButton, name)
        if button is not None:
            button.setIcon(icon(shape))
    for table in dialog.findChildren(QTreeView):
        header = table.header()
        header.setStretchLastSection(False)
        for section in range(header.count()):
            mode = QHeaderView.ResizeMode.ResizeToContents if section else QHeaderView.ResizeMode.Stretch
            header.setSectionResizeMode(section, mode)


def model_filter() -> str:
    """Return the filter of models and worlds: the suffixes of all formats, and XML."""
    return _filter("Robot models", (*model_suffixes(), ".xml"))


def mesh_filter() -> str:
    """Return the filter of meshes."""
    return _filter("Meshes", SUFFIXES)


def _filter(what: str, suffixes: Iterable[str]) -> str:
    return f"{what} ({' '.join(f'*{suffix}' for suffix in suffixes)});;All files (*)"


def show_warning(parent: QWidget, text: str, detail: str) -> QMessageBox:
    """Return a warning that is open now.

    It is not modal: several files that fail must not block those that open.
    """
    box = QMessageBox(
        QMessageBox.Icon.Warning, "sdfviewer", text, QMessageBox.StandardButton.Ok, parent, informativeText=detail
    )
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box
