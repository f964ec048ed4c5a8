"""Opens the comparison of a file with another version of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.gui.context.document_context import attempt, compute_first
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.shell.files.open_file import OpenFile

if TYPE_CHECKING:
    from sdfviewer.gui.compare.compare_dialog import CompareDialog, FileState


class Comparisons:
    """The comparisons of a window's files: one for each file at a time.

    Attributes
    ----------
    settings
        Of the program.
    dialog
        The one opened last, None when it is gone.
    """

    def __init__(self, settings: Settings, parent: QWidget) -> None:
        self.settings = settings
        self._parent = parent
        self.dialog: CompareDialog | None = None

    def open(self, file: OpenFile, version: FileState, answers: dict[str, Callable[[], None]] | None = None) -> None:
        """Compare a file with another version of it.

        Parameters
        ----------
        answers
            Further buttons and what they do.
        """

        def show(other: Document | SdfViewerError) -> None:
            if isinstance(other, SdfViewerError):
                file.context.messages.refuse(str(other))
            else:
                self._show(file, version, other, answers)

        read, title = partial(attempt, version.read), f"Read {version.name}"
        compute_first(file.context, title, read, show, self._parent, is_slow=version.is_slow)

    def _show(
        self, file: OpenFile, version: FileState, other: Document, answers: Mapping[str, Callable[[], None]] | None
    ) -> None:
        from sdfviewer.gui.compare.compare_dialog import CompareDialog

        for former in file.view.findChildren(CompareDialog):
            former.close()
        # Deleted when its file is closed; the window stays usable meanwhile.
        dialog = CompareDialog(file.context, self.settings, version, other, answers, file.view)
        dialog.stand_below(self._parent)
        self.dialog = dialog
        dialog.destroyed.connect(self._forget)
        dialog.show()

    def _forget(self) -> None:
        # The file and history that the dialog refers to must not outlive it.
        if self.dialog is not None and not isValid(self.dialog):
            self.dialog = None

    def open_step(self, file: OpenFile, index: int) -> None:
        """Compare a file with a step of its history."""
        from sdfviewer.gui.compare.compare_dialog import step_version

        self.open(file, step_version(file.session, index))
