"""The problems of a file: a table, the places that take part, and the fixes that are on offer."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from sdfviewer.diagnostics import Diagnostic, Fix, Related, Severity, Span
from sdfviewer.document.edits import Edit
from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.elided import ElidedButton
from sdfviewer.gui.icons import icon, severity_icon
from sdfviewer.gui.named import named
from sdfviewer.gui.theme import tokens
from sdfviewer.session import Change

Index = QModelIndex | QPersistentModelIndex
_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
DETAIL_HEIGHT = 64
"""How much of the panel a message may take."""
_HEADERS = ("Rule", "Problem", "Place")


def format_place(span: Span | None) -> str:
    """Return ``file:line`` with the file's name only."""
    if span is None:
        return ""
    return f"{Path(span.path).name}:{span.line}" if span.path != "-" else f"line {span.line}"


def describe_fix(text: str, fix: Fix) -> str:
    """Return what a fix would write, as the lines before and after."""
    lines = [fix.label]
    for change in fix.replacements[:4]:
        start = text.rfind("\n", 0, change.start) + 1
        end = text.find("\n", change.end)
        end = len(text) if end < 0 else end
        lines += [f"− {line.strip()}" for line in text[start:end].splitlines()]
        after = text[start : change.start] + change.text + text[change.end : end]
        lines += [f"+ {line.strip()}" for line in after.splitlines()]
    return "\n".join(lines)


class ProblemTable(QAbstractTableModel):
    """The diagnostics of a file, errors first, each severity in the order of the file."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.problems: list[Diagnostic] = []

    def show_problems(self, problems: tuple[Diagnostic, ...]) -> None:
        """Show other problems."""
        self.beginResetModel()
        self.problems = sorted(problems, key=lambda problem: _ORDER[problem.severity])
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.problems)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(_HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _HEADERS[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        problem = self.problems[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (problem.rule.name, problem.message, format_place(problem.span))[index.column()]
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            return severity_icon(problem.severity, tokens())
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == 0:
            return f"{problem.severity.value}: {problem.rule.name}"
        if role == Qt.ItemDataRole.ToolTipRole:
            code = f" · libsdformat {problem.libsdformat}" if problem.libsdformat else ""
            return f"{problem.message}\n{problem.rule.name} {problem.rule.code}{code}"
        return None


class ProblemsPanel(QWidget):
    """The table, and under it what belongs to the current problem."""

    #: Number of errors and of warnings.
    counted = Signal(int, int)

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self.table = ProblemTable(self)
        # The problem that was gone to last: the first F8 goes to the first one, not to the second.
        self._visited = -1
        self.view = named(QTableView(), "Problems")
        self.view.setModel(self.table)
        self.view.setShowGrid(False)
        self.view.setWordWrap(False)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setDefaultSectionSize(22)
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setTabKeyNavigation(False)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header = self.view.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(0, 144)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        header.setMaximumSectionSize(640)
        self.detail = _Detail(self)
        self._empty = QLabel("No problems in this file.", alignment=Qt.AlignmentFlag.AlignCenter)
        self._empty.setProperty("role", "muted")
        full = QWidget()
        column = QVBoxLayout(full)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        column.addWidget(self.detail)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(full)
        self.setFocusProxy(self.view)
        self.view.selectionModel().currentRowChanged.connect(lambda current, _: self._show_detail(current.row()))
        self.view.clicked.connect(lambda index: self.go_to(index.row()))
        self.view.activated.connect(lambda index: self.go_to(index.row()))
        self.view.customContextMenuRequested.connect(self._open_menu)
        bridge.changed.connect(self._follow)
        self.show_problems()

    def _follow(self, change: Change) -> None:
        if change.document:
            self.show_problems()

    def show_problems(self) -> None:
        """Show the problems of the session anew."""
        current = self.view.currentIndex().row()
        self._visited = -1
        self.table.show_problems(tuple(self.bridge.session.diagnostics))
        self._pages.setCurrentIndex(1 if self.table.problems else 0)
        self._show_detail(-1)
        # The first problem is explained at once; only going to it selects its frames.
        if self.table.problems:
            self.view.setCurrentIndex(self.table.index(min(max(current, 0), len(self.table.problems) - 1), 0))
        errors = sum(problem.is_error for problem in self.table.problems)
        warnings = sum(problem.severity is Severity.WARNING for problem in self.table.problems)
        self.counted.emit(errors, warnings)

    def go_to(self, row: int) -> None:
        """Select the frames of a problem and show its place."""
        if not 0 <= row < len(self.table.problems):
            return
        self.view.setCurrentIndex(self.table.index(row, 0))
        self._visited = row
        problem = self.table.problems[row]
        if problem.frames:
            self.bridge.session.select(tuple(problem.frames), self)
        self.bridge.show_place(problem.span)

    def step(self, by: int) -> None:
        """Go to the next problem, or back; around at the end."""
        count = len(self.table.problems)
        if not count:
            self.bridge.said.emit("No problems in this file.")
            return
        self._visited = (self._visited + by) % count if self._visited >= 0 else (0 if by > 0 else count - 1)
        self.go_to(self._visited)

    def apply_fix(self, fix: Fix) -> None:
        """Make the edits of a fix as one undo step."""
        if fix.path != self.bridge.session.document.name:
            self.bridge.refused.emit(f"This must be mended in {fix.path}, which this file includes.")
            return
        self.bridge.make(lambda: Edit(fix.label, fix.replacements), self)

    def _show_detail(self, row: int) -> None:
        problem = self.table.problems[row] if 0 <= row < len(self.table.problems) else None
        self.detail.show_problem(problem, self.bridge.session.document.text)

    def _open_menu(self, at: QPoint) -> None:
        row = self.view.rowAt(at.y())
        if row < 0:
            return
        problem = self.table.problems[row]
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        for fix in problem.fixes:
            action = menu.addAction(icon("mdi6.auto-fix", tokens().success), fix.label)
            action.setToolTip(describe_fix(self.bridge.session.document.text, fix))
            action.triggered.connect(lambda _=False, fix=fix: self.apply_fix(fix))
        if problem.fixes:
            menu.addSeparator()
        menu.addAction("Show in Source").triggered.connect(lambda: self.go_to(row))
        for related in problem.related:
            menu.addAction(f"{related.message} ({format_place(related.span)})").triggered.connect(
                lambda _=False, related=related: self.bridge.show_place(related.span)
            )
        menu.addSeparator()
        menu.addAction("Copy Message").triggered.connect(lambda: _copy(problem))
        menu.popup(self.view.viewport().mapToGlobal(at))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self.view.viewport().update()
        super().changeEvent(event)


def _copy(problem: Diagnostic) -> None:
    place = f"{problem.span.path}:{problem.span.line}:{problem.span.column}: " if problem.span else ""
    QGuiApplication.clipboard().setText(f"{place}{problem.severity.value}: {problem.message} [{problem.rule.name}]")


class _Detail(QFrame):
    """The whole message of one problem, its related places as links, its fixes as buttons."""

    def __init__(self, panel: ProblemsPanel) -> None:
        super().__init__(panel)
        self._panel = panel
        self._related: tuple[Related, ...] = ()
        self._message = QLabel(wordWrap=True)
        self._message.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self._message.linkActivated.connect(self._follow_link)
        self._fixes = QHBoxLayout()
        self._fixes.setSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 4)
        column.setSpacing(4)
        # A cycle can be long: the message scrolls rather than push the table away.
        area = QScrollArea(widgetResizable=True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self._message)
        area.setMaximumHeight(DETAIL_HEIGHT)
        column.addWidget(area)
        column.addLayout(self._fixes)

    def show_problem(self, problem: Diagnostic | None, text: str) -> None:
        """Show one problem, or hide."""
        while self._fixes.count():
            item = self._fixes.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                widget.deleteLater()
        self.setVisible(problem is not None)
        if problem is None:
            return
        self._related = problem.related
        links = [
            f'<a href="{number}">{escape(related.message)} ({escape(format_place(related.span))})</a>'
            for number, related in enumerate(problem.related)
        ]
        self._message.setText(escape(problem.message) + ("<br>" + " → ".join(links) if links else ""))
        colours = tokens(self.palette())
        for fix in problem.fixes[:3]:
            button = ElidedButton(fix.label, elide=Qt.TextElideMode.ElideRight)
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            button.setIcon(icon("mdi6.auto-fix", colours.success))
            button.setToolTip(describe_fix(text, fix))
            button.clicked.connect(lambda _=False, fix=fix: self._panel.apply_fix(fix))
            self._fixes.addWidget(button)

    def _follow_link(self, link: str) -> None:
        self._panel.bridge.show_place(self._related[int(link)].span)
