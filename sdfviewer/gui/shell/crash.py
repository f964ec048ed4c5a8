"""Reports unexpected exceptions without closing the window, with what was logged last."""

from __future__ import annotations

import logging
import platform
import sys
import traceback
from collections import deque
from collections.abc import Callable
from types import TracebackType

import PySide6
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QWidget

from sdfviewer.faults import program_version
from sdfviewer.gui.kit.theme import monospace
from sdfviewer.gui.kit.widgets import column_of, named, resize_on_screen
from sdfviewer.gui.view3d.opengl import probe

_open: list[QDialog] = []


def describe_system() -> str:
    """Return facts about this computer for a bug report, one for each line."""
    graphics = probe()
    return "\n".join(
        (
            f"sdfviewer {program_version()}",
            f"Python {platform.python_version()}, {platform.platform()}",
            f"PySide6 {PySide6.__version__}, Qt {qVersion()}, {QGuiApplication.platformName()}",
            f"OpenGL {graphics.description or graphics.problem}, {graphics.renderer}",
        )
    )


class ReportDialog(QDialog):
    """Shows a report to copy."""

    def __init__(self, title: str, advice: str, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        message = QLabel(advice, wordWrap=True)
        self.report = named(QPlainTextEdit(report, readOnly=True), "Report")
        self.report.setFont(monospace())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("Copy Report", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.report.toPlainText()))
        buttons.rejected.connect(self.reject)
        column_of(message, self.report, buttons, parent=self)
        resize_on_screen(self, 640, 400)


def _logged() -> str:
    logged = keep_recent_log().text()
    return f"Log:\n{logged}\n" if logged else "Nothing was logged.\n"


def report_problem(parent: QWidget | None = None) -> ReportDialog:
    """Show what the developers need to know to look into a problem, and return the dialog."""
    advice = (
        "Describe what you did, what you expected and what happened, and add this report. Attach the file if you can: "
        "the "
        "report contains only its name."
    )
    dialog = ReportDialog("Report a Problem", advice, f"{describe_system()}\n\n{_logged()}", parent)
    dialog.open()
    return dialog


def show_report(error: BaseException, parent: QWidget | None = None) -> None:
    """Show the report of an exception, unless one is open: a fault in drawing comes again at every frame."""
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    print(text, end="", file=sys.stderr)  # on Windows a window has no stderr; print knows that
    if _open:
        return
    advice = "Your files are still open, and unsaved work is stored on disk. Please send this report to the developers."
    dialog = ReportDialog("Something went wrong", advice, f"{describe_system()}\n\n{text}\n{_logged()}", parent)
    _open.append(dialog)
    dialog.finished.connect(lambda _result: _open.remove(dialog))
    dialog.open()


def report_exceptions(keep_work: Callable[[], None], parent: QWidget) -> None:
    """From now on, keep unsaved work and show a report at every unhandled exception."""

    def handle(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        try:
            keep_work()
        finally:
            show_report(error.with_traceback(trace), parent)

    sys.excepthook = handle


#: Records that are kept.
MOST_RECORDS = 200


class RecentLog(logging.Handler):
    """Keeps the last warnings and errors as text."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._lines: deque[str] = deque(maxlen=MOST_RECORDS)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        self._lines.append(self.format(record))

    def text(self) -> str:
        """Return the logged lines, the oldest first."""
        return "\n".join(self._lines)


def keep_recent_log() -> RecentLog:
    """Keep what this program logs from now on, and return where."""
    logger = logging.getLogger("sdfviewer")
    known = next((handler for handler in logger.handlers if isinstance(handler, RecentLog)), None)
    if known is not None:
        return known
    handler = RecentLog()
    logger.addHandler(handler)
    return handler
