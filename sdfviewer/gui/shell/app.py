"""The parts of the window, as the actions use them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QMainWindow, QToolBar
from shiboken6 import isValid

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.operations.form_dialog import EditDialog
from sdfviewer.gui.operations.other_files import ProjectFiles
from sdfviewer.gui.shell.comparing import Comparisons
from sdfviewer.gui.shell.docks import Docks
from sdfviewer.gui.shell.files.disk_changes import DiskChanges
from sdfviewer.gui.shell.files.file_saving import FileSaving
from sdfviewer.gui.shell.files.files import Files
from sdfviewer.gui.shell.menus import Menus
from sdfviewer.gui.shell.notice import NoticeBar
from sdfviewer.gui.shell.status import StatusBar
from sdfviewer.gui.shell.welcome import Welcome
from sdfviewer.gui.shell.workspaces import Workspaces


@dataclass(eq=False)
class App:
    """The parts of the window that actions use.

    Attributes
    ----------
    settings
        What the program remembers.
    notices, messages
        Questions above the view, and the status bar.
    comparisons
        The comparisons of the open files with other versions of them.
    files, saving, disk
        The open files, what saves and closes them, and what follows the changes of other programs.
    docks, workspaces
        The panels, and how they are arranged.
    welcome
        What is shown while no file is open.
    actions
        All actions by their id.
    menus, toolbar
        All menus by their path, and the toolbar.
    dialog_parent
        The window.
    dialog
        The dialog opened last.
    """

    settings: Settings
    notices: NoticeBar
    messages: StatusBar
    comparisons: Comparisons
    files: Files
    saving: FileSaving
    disk: DiskChanges
    docks: Docks
    workspaces: Workspaces
    welcome: Welcome
    actions: Mapping[str, QAction]
    menus: Menus
    toolbar: QToolBar
    dialog_parent: QMainWindow
    dialog: QDialog | None = None

    @property
    def project_files(self) -> ProjectFiles:
        """The files of the project around an open one."""
        return ProjectFiles(self.files, self.saving.report_unsaved)

    def show_dialog(self, dialog: QDialog) -> None:
        """Open a dialog beside which the window can be used; one form is open at a time."""
        self.close_forms(None)
        self.note_dialog(dialog)
        dialog.show()

    def close_forms(self, current: DocumentContext | None) -> None:
        """Close the forms that are not about the current file."""
        # Not all that is in the window: with the widgets of a large file that takes 10 ms.
        children = Qt.FindChildOption.FindDirectChildrenOnly
        for form in self.dialog_parent.findChildren(EditDialog, options=children):
            if form.isVisible() and not form.is_about(current):
                form.done(QDialog.DialogCode.Rejected)

    def open_dialog(self, dialog: QDialog) -> None:
        """Open a dialog beside the work; it is deleted with what it holds when it is closed."""
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.note_dialog(dialog)
        dialog.open()

    def note_dialog(self, dialog: QDialog) -> None:
        """Take note of a dialog that is open, until Qt deletes it."""
        self.dialog = dialog
        dialog.destroyed.connect(self._forget_dialog)

    def _forget_dialog(self) -> None:
        # The file and history that the dialog refers to must not outlive it.
        if self.dialog is not None and not isValid(self.dialog):
            self.dialog = None
