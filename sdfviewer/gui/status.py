"""The status bar: what was said last, and what the file holds."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLabel, QStatusBar, QToolButton, QWidget

from sdfviewer.diagnostics import Severity
from sdfviewer.gui.icons import icon, severity_icon
from sdfviewer.gui.named import named
from sdfviewer.gui.theme import tokens
from sdfviewer.gui.workspace import Workspace

MESSAGE_MILLISECONDS = 6000


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


class StatusBar(QStatusBar):
    """File, version, counts, problems, time to load."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._message = named(QLabel(), "Message")
        self._clear = QTimer(self, singleShot=True, interval=MESSAGE_MILLISECONDS)
        self._clear.timeout.connect(lambda: self._message.setText(""))
        self.addWidget(self._message, 1)
        self._facts = named(QLabel(), "File")
        self._facts.setProperty("role", "muted")
        self.problems = named(QToolButton(), "Problems", "Show the problems (Alt+5)")
        self.problems.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.addPermanentWidget(self._facts)
        self.addPermanentWidget(self.problems)
        self.problems.hide()

    def say(self, text: str) -> None:
        """Say something for a few seconds."""
        self._show(text, "")

    def refuse(self, text: str) -> None:
        """Say why something was not done."""
        self._show(text, "error")

    def _show(self, text: str, role: str) -> None:
        self._message.setProperty("role", role)
        self._message.style().unpolish(self._message)
        self._message.style().polish(self._message)
        # The text is cut where it must be, never the counts beside it.
        room = max(120, self.width() - self._facts.width() - self.problems.width() - 48)
        self._message.setText(self._message.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room))
        self._message.setToolTip(text)
        self._clear.start()

    @property
    def message(self) -> str:
        """What is being said, whole."""
        return self._message.toolTip() if self._message.text() else ""

    def show_workspace(self, workspace: Workspace | None) -> None:
        """Show what the current file holds."""
        self.problems.setVisible(workspace is not None)
        if workspace is None:
            self._facts.setText("")
            return
        session = workspace.session
        facts = [workspace.name]
        if session.model is not None:
            kinds: Counter[str] = Counter(session.model.kinds)
            root = session.model.document.root
            is_urdf = root is not None and root.tag == "robot"
            facts.append("URDF" if is_urdf else "SDFormat " + ".".join(map(str, session.model.version)))
            facts += [counted(kinds[kind], kind) for kind in ("link", "joint", "frame")]
        facts.append(f"{workspace.load_seconds * 1000:.0f} ms to load")
        self._facts.setText(" · ".join(facts))
        self._facts.setToolTip(str(session.path or ""))
        colours = tokens(self.palette())
        errors = sum(problem.is_error for problem in session.diagnostics)
        warnings = sum(problem.severity is Severity.WARNING for problem in session.diagnostics)
        parts = [counted(errors, "error")] * bool(errors) + [counted(warnings, "warning")] * bool(warnings)
        self.problems.setText(", ".join(parts) or "no problems")
        if errors or warnings:
            self.problems.setIcon(severity_icon(Severity.ERROR if errors else Severity.WARNING, colours))
        else:
            self.problems.setIcon(icon("mdi6.check-circle-outline", colours.success))
