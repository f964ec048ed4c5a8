"""The problems panel: a table of problems with their locations and quick fixes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QMenu,
    QSplitter,
    QStackedLayout,
    QTableView,
    QToolButton,
    QWidget,
)

from sdfviewer.diagnostics import SEVERITY_RANK, Diagnostic, Fix, Related, Severity
from sdfviewer.display_text import with_capital
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.commands import SHOW_IN_SOURCE, add_command
from sdfviewer.gui.kit.icons import icon, severity_icon
from sdfviewer.gui.kit.widgets import column_of, named, row_of, set_menu, styled
from sdfviewer.gui.problems.problem_detail import (
    FixAllMenu,
    ProblemDetail,
    edit_of_fix,
    format_place,
    problem_at_hand,
    rules_with_fixes,
)
from sdfviewer.language.actions import describe_fix
from sdfviewer.session.other_files import OtherEdits
from sdfviewer.session.session_change import SessionChange

Index = QModelIndex | QPersistentModelIndex
LOW = 220
"""Pixels of height below which the details are beside the table."""
MOST_ABOVE = 0.35
"""Part of the height of a low panel that a short table may have above the details, which then have all the width."""
BESIDE = 220
"""Pixels of width of the details beside the table where its messages need the rest."""
MOST_MEASURED = 20
"""The most messages whose width counts for that."""
NARROW = 500
"""Pixels of width below which a list of problems shows only the icon of a rule, and a line without its file."""
_HEADERS = ("Rule", "Problem", "Place")
ROW_HEIGHT = 22


def group_problems(problems: Sequence[Diagnostic]) -> list[list[Diagnostic]]:
    """Return problems, errors first, with those of one rule that say the same together."""
    groups: dict[tuple[object, ...], list[Diagnostic]] = {}
    for problem in sorted(problems, key=lambda problem: SEVERITY_RANK[problem.severity]):
        alike = (problem.rule.name, problem.severity, problem.message, problem.frames)
        # Apply the fixes one at a time.
        key = (*alike, id(problem)) if problem.may_have_fixes else alike[:3]
        groups.setdefault(key, []).append(problem)
    return list(groups.values())


class ProblemTable(QAbstractTableModel):
    """The diagnostics of a file, errors first, each severity in the order of the file; what is reported often, once.

    Attributes
    ----------
    groups
        The problems of each row, which say the same.
    current
        The problem that the user went to, as row and index in its group, or None.
    last
        Where the problem was that the user went to last; in its place is the one after it where it is gone.
    is_narrow
        Whether places in the file itself leave out its name.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_narrow = False
        self._file = ""
        self.groups: list[list[Diagnostic]] = []
        self.current: tuple[int, int] | None = None
        self.last: tuple[int, int] | None = None

    @property
    def problems(self) -> list[Diagnostic]:
        """The first problem of each row."""
        return [group[0] for group in self.groups]

    def set_narrow(self, is_narrow: bool) -> None:
        """Leave out, or show, the name of the file in places in the file itself."""
        if is_narrow is not self.is_narrow:
            self.is_narrow = is_narrow
            if self.groups:
                self.dataChanged.emit(self.index(0, 2), self.index(len(self.groups) - 1, 2))

    def show_problems(self, problems: Sequence[Diagnostic], file: str) -> None:
        """Show other problems, which a file has or causes."""
        self.beginResetModel()
        self._file = file
        before = None if self.current is None else self.groups[self.current[0]][self.current[1]]
        self.groups, self.current = group_problems(problems), None
        if before is not None:
            self.current = self.find(before)
            self.last = self.current or self.last
        self.endResetModel()

    def find(self, problem: Diagnostic) -> tuple[int, int] | None:
        """Return where a problem is after an edit, which may have moved it; None where it is gone."""
        said = (problem.rule.name, problem.message, problem.frames)
        for row, group in enumerate(self.groups):
            for place, each in enumerate(group):
                if (each.rule.name, each.message, each.frames) == said:
                    return row, place
        return None

    def go_to(self, row: int, place: int) -> None:
        """Remember which problem the user goes to; its row shows which of its places that is."""
        before, self.current, self.last = self.current, (row, place), (row, place)
        for changed in {row, row if before is None else before[0]}:
            self.dataChanged.emit(self.index(changed, 2), self.index(changed, 2))

    def begin_at(self, row: int, place: int) -> None:
        """Show which problem the user is at; the first F8 still goes to the first one."""
        last = self.last
        self.go_to(row, place)
        self.last = last and self.last

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.groups)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(_HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _HEADERS[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        group = self.groups[index.row()]
        problem = group[0]
        if role == Qt.ItemDataRole.DisplayRole:
            return (problem.rule.name, with_capital(problem.message), self._describe_place(index.row()))[index.column()]
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            return severity_icon(problem.severity)
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == 0:
            return f"{problem.severity.value}: {problem.rule.name}"
        if role == Qt.ItemDataRole.ToolTipRole:
            code = f" · libsdformat {problem.libsdformat}" if problem.libsdformat else ""
            place = format_place(problem.span)
            return f"{with_capital(problem.message)}\n{problem.rule.name} {problem.rule.code}{code}\n{place}".rstrip()
        return None

    def _describe_place(self, row: int) -> str:
        """Return where the problem of a row is, and in how many places; where the user went to one of them, which."""
        group = self.groups[row]
        if len(group) == 1:
            return self._format_place(group[0])
        if self.current is not None and self.current[0] == row:
            place = self.current[1]
            return f"{self._format_place(group[place])} ({place + 1} of {len(group)})"
        return f"{self._format_place(group[0])} +{len(group) - 1}"

    def _format_place(self, problem: Diagnostic) -> str:
        if self.is_narrow and problem.span is not None and problem.span.path == self._file:
            return f":{problem.span.line}"
        return format_place(problem.span)


class ProblemsPanel(QWidget):
    """The table, and under it what belongs to the current problem."""

    #: Number of errors and of warnings.
    counted = Signal(int, int)
    #: The user wants to see and edit the text that a problem is about.
    source_wanted = Signal()

    def __init__(self, context: DocumentContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.table = ProblemTable(self)
        self._detail_is_current = True
        self._wanted: Diagnostic | None = None
        #: The problems, and the line and the frames of the user, for which the one at hand was looked for last.
        self._begun_at: tuple[list[list[Diagnostic]], object] = [], None
        self.view = self._build_view()
        self.detail = ProblemDetail(context, self)
        self.detail.chosen.connect(self.apply_fix)
        self.filters = {severity: self._build_filter(severity) for severity in Severity}
        self._empty = styled(QLabel("No problems in this file.", alignment=Qt.AlignmentFlag.AlignCenter), "muted")
        self._empty.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._bar = QWidget()
        bar = row_of(parent=self._bar, margins=(4, 2, 4, 2), spacing=4)
        for button in self.filters.values():
            bar.addWidget(button)
        bar.addStretch(1)
        self.fix_all = self._build_fix_all()
        bar.addWidget(self.fix_all)
        self._splitter = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._splitter.addWidget(self.view)
        self._splitter.addWidget(self.detail)
        self._splitter.setStretchFactor(0, 1)
        self.view.installEventFilter(self)
        full = QWidget()
        column_of(self._bar, (self._splitter, 1), parent=full, margins=0, spacing=0)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(full)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._show_detail(self._selected_row))
        self.view.clicked.connect(lambda index: self.go_to(index.row()))
        self.view.activated.connect(self._open_source)
        self.view.customContextMenuRequested.connect(self._open_menu)
        context.changed.connect(self._follow)
        self.show_problems()

    def _build_view(self) -> QTableView:
        view = named(QTableView(), "Problems")
        view.setModel(self.table)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setTabKeyNavigation(False)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.setMinimumHeight(ROW_HEIGHT + 4)
        header = view.horizontalHeader()
        header.hide()  # the columns explain themselves, and room is scarce
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(0, 144)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        header.setMaximumSectionSize(640)
        return view

    def _build_fix_all(self) -> QToolButton:
        button = named(QToolButton(self), "Fix All", "Apply the quick fixes of many problems as one undo step")
        button.setText("Fix All")
        button.setIcon(icon("mdi6.auto-fix", "success"))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setAutoRaise(True)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        set_menu(button, FixAllMenu(self.context.session, self.context.edits, button))
        return button

    def _build_filter(self, severity: Severity) -> QToolButton:
        words = {Severity.ERROR: "errors", Severity.WARNING: "warnings", Severity.INFO: "notes"}
        button = named(QToolButton(self), f"Show {words[severity]}", f"Show or hide {words[severity]}")
        button.setCheckable(True)
        button.setChecked(True)
        button.setAutoRaise(True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIcon(severity_icon(severity))
        button.toggled.connect(lambda _on: self.show_problems())
        return button

    def _follow(self, change: SessionChange) -> None:
        if change.document or change.problems:
            self.show_problems()

    def show_problems(self) -> None:
        """Show the problems of the session again."""
        row = self.view.currentIndex().row()
        self._wanted = self._explained or self._wanted
        was_empty = not self.table.groups
        problems = tuple(self.context.session.diagnostics)
        shown = [each for each in problems if self.filters[each.severity].isChecked()]
        self.table.show_problems(shown, self.context.session.document.name)
        counts = {severity: sum(each.severity is severity for each in problems) for severity in Severity}
        for severity, button in self.filters.items():
            button.setVisible(counts[severity] > 0)
            button.setText(str(counts[severity]))
        can_fix = rules_with_fixes(self.context.session).total() > 1
        self.fix_all.setVisible(can_fix)
        self._bar.setVisible(can_fix or sum(count > 0 for count in counts.values()) > 1)
        self._pages.setCurrentIndex(1 if problems else 0)
        self.setFocusProxy(self.view if problems else self._empty)  # a list that is not in sight has no keyboard
        # Explain the first problem at once, but select its frames only when the user goes to it.
        found = self.table.current
        if found is None and self._wanted is not None:
            found = self.table.find(self._wanted)
        if found is not None:
            self._explain(found[0])
        elif was_empty and self.table.groups:
            self._explain(0)
        else:
            self._explain_none(row)
        self._share_room()
        self.counted.emit(counts[Severity.ERROR], counts[Severity.WARNING])

    @property
    def _explained(self) -> Diagnostic | None:
        """The problem of the selected row, at the place that the user went to."""
        row = self._selected_row
        if not 0 <= row < len(self.table.groups):
            return None
        current = self.table.current
        return self.table.groups[row][current[1] if current is not None and current[0] == row else 0]

    @property
    def _selected_row(self) -> int:
        """The selected row, -1 where there is none: the row that the keyboard is at need not be selected."""
        return next((index.row() for index in self.view.selectionModel().selectedRows()), -1)

    def _explain(self, row: int) -> None:
        """Select a row, and show what belongs to its problem."""
        is_selected = self._selected_row == row  # as that of another place of the same problem
        if not is_selected or self.view.currentIndex().row() != row:
            self.view.setCurrentIndex(self.table.index(row, 0))
        if is_selected:
            self._show_detail(row)

    def _explain_none(self, row: int) -> None:
        """Select nothing where the problem that was shown is gone: a second click must not fix the one after it.

        The keyboard goes on from its row.
        """
        index = self.table.index(min(max(row, 0), len(self.table.groups) - 1), 0)
        self.view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self._show_detail(-1)

    def _share_room(self) -> None:
        """Give the table the rows it has, up to about half, and what belongs to the current problem the rest.

        Where there is no height for both, that is beside the table.
        """
        rows = max(len(self.table.groups), 1) * ROW_HEIGHT + 4
        is_low = self.height() < LOW and self.width() >= 2 * LOW and rows > MOST_ABOVE * self.height()
        self._splitter.setOrientation(Qt.Orientation.Horizontal if is_low else Qt.Orientation.Vertical)
        if is_low:
            beside = round(self.width() * (0.5 if self.detail.buttons and self.width() < NARROW else 0.4))
            if not self.detail.buttons:  # the words of fixes need the room
                beside = min(max(self.width() - self._wanted_width(), BESIDE), beside)
            self._splitter.setSizes([self.width() - beside, beside])
            return
        room = self._splitter.height()
        height = min(rows, max(round(room * 0.55), ROW_HEIGHT + 4))
        self._splitter.setSizes([height, max(room - height, 1)])

    def _wanted_width(self) -> int:
        """Return how wide the list is where no message is cut, of those that may be in sight at once."""
        metrics = self.view.fontMetrics()
        rows = range(min(len(self.table.groups), MOST_MEASURED))
        texts = [[self.table.index(row, column).data() for row in rows] for column in (1, 2)]
        return ROW_HEIGHT + sum(max(map(metrics.horizontalAdvance, each), default=0) + 24 for each in texts)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Share the width of the list among its columns."""
        if watched is self.view and event.type() == QEvent.Type.Resize:
            self._share_columns()
        return super().eventFilter(watched, event)

    def _share_columns(self) -> None:
        """In a narrow list the message takes the room of the rule's and the file's name, which its tooltip has."""
        is_narrow = self.view.width() < NARROW
        self.view.horizontalHeader().resizeSection(0, ROW_HEIGHT if is_narrow else 144)
        self.table.set_narrow(is_narrow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def go_to(self, row: int, place: int = 0) -> None:
        """Select the frames of a problem, or the one it is written in, and show its location in the source.

        The frames are brought into sight in 3D and in the graphs.
        """
        if not 0 <= row < len(self.table.groups):
            return
        self.table.go_to(row, place)
        self._explain(row)
        problem = self.table.groups[row][place]
        frames = problem.marked
        if frames:
            self.context.session.select(frames, self)
            self.context.requests.reveal.emit(tuple(frames))
        self.context.requests.show_place(problem.span, behind=True)

    def _open_source(self, index: Index) -> None:
        """Go to a problem, and from there to the text, also of another file: a click only shows what is in sight."""
        self.go_to(index.row())
        span, document = self.table.groups[index.row()][0].span, self.context.session.document
        if span is not None and span.path == document.name:
            self.source_wanted.emit()
        else:
            self.context.requests.open_place(span, document)

    def step(self, by: int) -> None:
        """Go to the next place of a problem, or back; around at the end."""
        stops = [(row, place) for row, group in enumerate(self.table.groups) for place in range(len(group))]
        if not stops:
            self.context.messages.show("No problems in this file.")
            return
        at = 0 if by > 0 else -1  # the first F8 goes to the first problem
        if self.table.last is not None:
            is_there = self.table.current is not None
            at = bisect_right(stops, self.table.last) if by > 0 and is_there else bisect_left(stops, self.table.last)
            at -= 1 if by < 0 else 0
        at %= len(stops)
        row, place = stops[at]
        # Said of the problem that was there: to show its place makes what is being typed an edit, which may solve it.
        message = with_capital(self.table.groups[row][place].message)
        self.go_to(row, place)
        self.context.messages.show(f"Problem {at + 1} of {len(stops)}: {message}")

    def apply_fix(self, fix: Fix) -> None:
        """Make the edits of a fix as one undo step."""
        made = edit_of_fix(self.context.session, fix)
        if made is None:
            self.context.messages.refuse(f"Fix this in {fix.path}, which this file includes.")
        else:
            edit, files = made
            self.context.edits.apply(edit, self, others=OtherEdits.of_files(files) if files else None)

    def _show_detail(self, row: int) -> None:
        """Show what belongs to a problem; a panel that is folded does so when it opens."""
        self._detail_is_current = self.isVisible()
        if self._detail_is_current:
            current = self.table.current
            place = current[1] if current is not None and current[0] == row else None
            had_fixes = bool(self.detail.buttons)
            self.detail.show_problems(self.table.groups[row] if 0 <= row < len(self.table.groups) else (), place)
            if bool(self.detail.buttons) is not had_fixes:
                self._share_room()
        else:
            self.context.previews.show(None)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._share_room()  # while the panel was hidden its parts kept their size
        if not event.spontaneous():
            self.begin_at_hand()
        if not self._detail_is_current:
            self._show_detail(self._selected_row)

    def begin_at_hand(self) -> None:
        """Show the problem at the caret, or of the selected frame, where there is one.

        Both the panel and its dock come into sight when the dock is opened: the second time nothing has changed.
        """
        context = self.context
        groups, where = self.table.groups, (context.highlights.caret_line, tuple(context.session.selection))
        if self._begun_at[0] is groups and self._begun_at[1] == where:
            return
        self._begun_at = groups, where
        found = problem_at_hand(self.table.groups, self.table.current, context.highlights.caret_line, context.session)
        if found is not None and found != self.table.current:
            self.table.begin_at(*found)
            self._explain(found[0])

    def _open_menu(self, at: QPoint) -> None:
        row = self.view.rowAt(at.y())
        if row < 0:
            return
        group = self.table.groups[row]
        problem = group[0]
        menu = QMenu(self, toolTipsVisible=True)
        for fix in problem.fixes_at_hand:
            action = menu.addAction(icon("mdi6.auto-fix", "success"), fix.label)
            action.setToolTip(describe_fix(self.detail.text_of(fix), fix))
            action.triggered.connect(lambda _=False, fix=fix: self.apply_fix(fix))
            action.hovered.connect(partial(self.detail.consider, fix, True))
        menu.aboutToHide.connect(partial(self.context.previews.show, None))
        if problem.fixes_at_hand:
            menu.addSeparator()
        add_command(menu, SHOW_IN_SOURCE, lambda: self.go_to(row))
        for related in (*problem.related, *(Related("here too", each.span) for each in group[1:] if each.span)):
            menu.addAction(f"{related.message} ({format_place(related.span)})").triggered.connect(
                lambda _=False, related=related: self.context.requests.show_place(related.span, behind=True)
            )
        menu.addSeparator()
        menu.addAction("Copy Message").triggered.connect(lambda: _copy(problem))
        menu.popup(self.view.viewport().mapToGlobal(at))


def _copy(problem: Diagnostic) -> None:
    place = f"{problem.span.path}:{problem.span.line}:{problem.span.column}: " if problem.span else ""
    QGuiApplication.clipboard().setText(f"{place}{problem.severity.value}: {problem.message} [{problem.rule.name}]")
