"""The details of a problem: message, locations, quick fixes; a menu of fixes for many; which problem is at hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from sdfviewer.diagnostics import Diagnostic, Fix, Related, Span
from sdfviewer.display_text import with_capital
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.edits import Edits, edit_by
from sdfviewer.gui.context.missing import Answers, what_helps
from sdfviewer.gui.kit.frame_picker import FrameChoice, FramePicker, choice_of
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.kit.labels import ROOM_OF_BUTTON, BreakingLabel, ElidedButton, in_lines
from sdfviewer.gui.kit.safe_text import escaped
from sdfviewer.gui.kit.widgets import STRETCH, FoldButton, column_of, row_of, styled
from sdfviewer.language.actions import describe_fix
from sdfviewer.language.text_map import difference
from sdfviewer.number_text import counted
from sdfviewer.operations.table import find_operation
from sdfviewer.refactoring.fix_check import fix_all
from sdfviewer.refactoring.fix_offers import document_of_fix
from sdfviewer.refactoring.quick_fixes import Pointer, pointers_of
from sdfviewer.session.session import Session

CONSIDER_MILLISECONDS = 80
"""How long the mouse rests on a fix before the views show what it would do."""
ROOM_OF_EDGE = 148
"""Pixels of a line with an edge, a fix and a picker beside their texts: icons and margins."""
ANOTHER = "Another Frame…"
MOST_PLACES = 24
"""The most locations of a problem that are listed."""


def format_place(span: Span | None) -> str:
    """Return ``file:line`` with the file's name only."""
    if span is None:
        return ""
    return f"{Path(span.path).name}:{span.line}" if span.path != "-" else f"line {span.line}"


def edit_of_fix(session: Session, fix: Fix) -> tuple[Edit, tuple[tuple[Document, Document], ...]] | None:
    """Return the edit that a fix makes of a file, and of another one before and after, which xacro reads with it.

    None where the fix is for a file that is read by itself, such as an included model.
    """
    document = session.document
    edited = document_of_fix(document, session.model, fix)
    if edited is None or edited is document:
        return None if edited is None else (Edit(fix.label, document, fix.replacements), ())
    return Edit(fix.label, document, ()), ((edited, edited.edited(fix.replacements)),)


class FixButton(ElidedButton):
    """One quick fix of a problem; while the mouse or the keyboard is on it, the views show what it would do."""

    #: Whether the pointer or the focus is on this button.
    considered = Signal(bool)

    def __init__(self, fix: Fix, text: str) -> None:
        super().__init__(fix.label, elide=Qt.TextElideMode.ElideRight)
        self.fix = fix
        self.setProperty("role", "fix")
        self.setStyleSheet("text-align: left; padding: 2px 8px;")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setIcon(icon("mdi6.auto-fix", "success"))
        self.set_full_text(fix.label)
        self.setToolTip(describe_fix(text, fix))
        self._rest = delayed(self, lambda: self.considered.emit(True), CONSIDER_MILLISECONDS)

    def sizeHint(self) -> QSize:
        """Leave room below the last of several lines, where the style would cut letters like g and _."""
        size = super().sizeHint()
        return size + QSize(0, self.fontMetrics().descent() if "\n" in self.text() else 0)

    def _elide(self) -> None:
        """Show the label in as many lines as it needs: what two fixes differ in may be anywhere in it."""
        icon = self.iconSize().width() + 4 if not self.icon().isNull() else 0
        room = max(24, self.width() - ROOM_OF_BUTTON - icon)
        text = in_lines(self.full_text, room, self.fontMetrics()).replace("&", "&&")
        if text != self.text():
            self.setText(text)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._rest.start()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._leave()
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.MouseFocusReason:  # then it is about to be pressed
            self._rest.start()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._leave()
        super().focusOutEvent(event)

    def _leave(self) -> None:
        self._rest.stop()
        self.considered.emit(False)


class PlacesTried(QWidget):
    """The paths where a missing file was searched, folded at first."""

    def __init__(self, places: Sequence[str]) -> None:
        super().__init__()
        noun = "place" if len(places) == 1 else "places"
        self.heading = FoldButton(f"{len(places)} {noun} tried", "Show or hide the searched paths")
        self.list = styled(
            QLabel(
                "\n".join(places),
                wordWrap=True,
                textFormat=Qt.TextFormat.PlainText,
                textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse,
            ),
            "muted",
        )
        self.list.hide()
        self.heading.toggled.connect(self.list.setVisible)
        column = column_of(parent=self, margins=0, spacing=2)
        column.addWidget(self.heading, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.list)


class ProblemDetail(QScrollArea):
    """The whole message of a problem, its places as links, and its fixes: beside each edge of a cycle its own."""

    #: A `Fix` that the user wants.
    chosen = Signal(Fix)

    def __init__(self, context: DocumentContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._problems: Sequence[Diagnostic] = ()
        self._place: int | None = None
        #: Widths from which on something is beside another instead of below it.
        self._wide: set[int] = set()
        self._arranged_for = 0
        self._arrange = delayed(self, lambda: self.show_problems(self._problems, self._place))
        self._places: list[Span | None] = []
        self.buttons: list[FixButton] = []
        self.pickers: list[FramePicker] = []
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Problem")

    def show_problems(self, problems: Sequence[Diagnostic], place: int | None = None) -> None:
        """Show one problem, perhaps in several places, of which the user went to one; none hides this."""
        self._context.previews.show(None)
        self.setVisible(bool(problems))
        self._problems, self._place = problems, place
        self._wide, self._arranged_for = set(), self.viewport().width()
        self._arrange.stop()
        self.buttons, self.pickers, self._places = [], [], []
        page = QWidget()
        if problems:
            self._fill(page, problems)
        former = self.takeWidget()
        if former is not None:
            # One of its buttons may be the sender. Without a parent it would be deleted when this function returns.
            former.hide()
            former.setParent(self)
            former.deleteLater()
        self.setWidget(page)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = self.viewport().width()
        if any((width >= wide) != (self._arranged_for >= wide) for wide in self._wide):
            self._arrange.start()

    def _has(self, room: int) -> bool:
        """Return whether there is so much width; where this changes, everything is arranged again."""
        self._wide.add(room)
        return self._arranged_for >= room

    def _fill(self, page: QWidget, problems: Sequence[Diagnostic]) -> None:
        problem, model = problems[0], self._context.session.model
        pointers = pointers_of(model, problem.edges) if model is not None and self._context.session.is_current else []
        by_frame = {model.names[pointer.row]: pointer for pointer in pointers} if model is not None else {}
        column = column_of(self._label(self._message(problem)), parent=page, margins=(8, 4, 8, 4), spacing=4)
        if problem.tried:
            column.addWidget(PlacesTried(problem.tried))
        answers = what_helps(problems, self._context.session, self._context.requests)
        if answers:
            column.addLayout(self._answer_row(answers))
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        fixes = list(problem.fixes_at_hand)
        if problem.fixes_are_late:
            self._find_fixes(problem)
        if problem.is_cycle:
            steps = _steps(problem)
            for number, (edge, related) in enumerate(zip(problem.edges, problem.related, strict=True)):
                own = [fix for fix in fixes if fix.frame == edge.frame]
                fixes = [fix for fix in fixes if fix.frame != edge.frame]
                text = f"{steps[number]} → {steps[number + 1]}"
                self._add_edge(grid, related, own, by_frame.get(edge.frame), text)
        else:
            links = self._links(problems)
            if links:
                more = f" and {len(links) - MOST_PLACES} more" if len(links) > MOST_PLACES else ""
                column.addWidget(self._label(", ".join(links[:MOST_PLACES]) + more))
        if fixes:
            self._add_edge(grid, None, fixes, None if problem.is_cycle else next(iter(pointers), None))
        elif not problem.is_cycle and pointers:
            self._add_edge(grid, None, [], pointers[0])
        grid.setColumnStretch(1, 1)
        column.addLayout(grid)
        column.addStretch(1)

    def _answer_row(self, answers: Answers) -> QHBoxLayout:
        """Return buttons that help."""
        buttons = []
        for label, act in answers.items():
            button = QPushButton(label)
            button.clicked.connect(act)
            buttons.append(button)
        return row_of(*buttons, STRETCH, margins=0, spacing=8)

    def _message(self, problem: Diagnostic) -> str:
        if not problem.is_cycle or len(problem.edges) == 1:
            # What is wrong, and below it what to do.
            parts = (with_capital(part) for part in (problem.what, problem.advice) if part)
            return "<br>".join(escaped(part, quote=False) for part in parts)
        graph = "relative_to" if all(edge.attribute == "relative_to" for edge in problem.edges) else "attached_to"
        steps, spans = _steps(problem), [related.span for related in problem.related]
        links = [
            self._anchor(escaped(step, quote=False), span) for step, span in zip(steps, [*spans, spans[0]], strict=True)
        ]
        return f"{graph} cycle: {' → '.join(links)}"

    def _anchor(self, text: str, span: Span | None) -> str:
        self._places.append(span)
        return f'<a href="{len(self._places) - 1}">{text}</a>'

    def _links(self, problems: Sequence[Diagnostic]) -> list[str]:
        """Return links to all places of a problem, the one that the user went to in bold, and to what concerns it."""
        places = []
        for number, each in enumerate(problems if len(problems) > 1 else ()):
            if each.span is not None:
                link = self._link(Related("", each.span))
                places.append(f"<b>{link}</b>" if number == self._place else link)
        return places + [self._link(each) for each in problems[0].related]

    def _link(self, related: Related) -> str:
        place = escaped(format_place(related.span))
        text = escaped(related.message, quote=False)
        return self._anchor(f"{text} ({place})" if text else place, related.span)

    def _label(self, text: str) -> QLabel:
        label = BreakingLabel()
        label.setMinimumWidth(1)  # a long path in it would make the page wider than the panel, fixes included
        label.linkActivated.connect(self._open_place)
        label.setText(text)
        return label

    def _open_place(self, link: str) -> None:
        self._context.requests.open_place(self._places[int(link)], self._context.session.document, behind=True)

    def _add_edge(
        self,
        grid: QGridLayout,
        related: Related | None,
        fixes: Sequence[Fix],
        pointer: Pointer | None,
        text_of_edge: str = "",
    ) -> None:
        """Add one edge, or what is not of one edge: a link to its place, its fixes, and a picker for any frame."""
        row, column, below = grid.rowCount(), 0, 0
        # Fixes that belong to no edge get the whole width, with the picker below.
        picker_row, picker_column = row + len(fixes), 0
        if related is not None:
            link = self._label(self._anchor(escaped(text_of_edge, quote=False), related.span))
            link.setToolTip(f"{related.message} ({format_place(related.span)})")
            # A fix is beside its edge if it is readable there, otherwise below.
            metrics = self.fontMetrics()
            widest = max((metrics.horizontalAdvance(fix.label) for fix in fixes), default=0)
            texts = metrics.horizontalAdvance(text_of_edge) + widest + metrics.horizontalAdvance(ANOTHER)
            if self._has(texts + ROOM_OF_EDGE):
                column = 1
            else:
                below = 1
            edge_and_picker = metrics.horizontalAdvance(text_of_edge) + metrics.horizontalAdvance(ANOTHER)
            link.setWordWrap(not column)  # a long edge would push its fixes out of sight
            if column or self._has(edge_and_picker + ROOM_OF_EDGE):
                picker_row, picker_column = row, 2
            else:
                picker_row += 1
            grid.addWidget(link, row, 0, 1, 1 if column else 2)
        for number, fix in enumerate(fixes):
            button = FixButton(fix, self.text_of(fix))
            button.clicked.connect(partial(self.chosen.emit, fix))
            button.considered.connect(partial(self.consider, fix))
            # Below its edge a fix gets the whole width, with the picker beside the edge or below it too.
            spans = 3 if below or related is None else 2 - column
            grid.addWidget(button, row + below + number, column, 1, spans)
            self.buttons.append(button)
        if pointer is not None:
            # Across the columns, whose gaps would else make the page wider than the panel.
            spans = 3 - picker_column
            grid.addWidget(self._picker(pointer), picker_row, picker_column, 1, spans, Qt.AlignmentFlag.AlignLeft)

    def _picker(self, pointer: Pointer) -> FramePicker:
        """Return a button that lists all frames that may be named instead."""
        model = self._context.session.model
        assert model is not None
        picker = FramePicker(f"Another frame for {model.local_names[pointer.row]}")
        picker.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        picker.beside = self
        width = self.fontMetrics().horizontalAdvance(ANOTHER) + picker.iconSize().width() + picker.room_at_end
        picker.setFixedWidth(width + 32)
        tip = f"Choose another frame for {model.local_names[pointer.row]}; the views preview the change"
        picker.show_choice(ANOTHER, None, tip)
        picker.setIcon(icon("mdi6.target"))

        def offer() -> None:
            picker.set_choices([choice_of(model, target) for target in pointer.targets(model)])

        def fix_of(choice: FrameChoice) -> Fix:
            session, label = self._context.session, pointer.label(model, choice.name)
            operation, arguments = pointer.operation(model, choice.name)
            edit = edit_by(session, model, find_operation(operation), **arguments)
            return Fix(label, session.document.name, edit.replacements)

        picker.opening.connect(offer)

        def write(choice: FrameChoice) -> None:
            document = self._context.session.document

            def compute() -> Edit:
                fix = fix_of(choice)
                return Edit(fix.label, document, fix.replacements)

            self._context.edits.make(compute)

        picker.picked.connect(write)
        picker.considered.connect(
            lambda choice: self._context.previews.show(None) if choice is None else self.consider(fix_of(choice), True)
        )
        self.pickers.append(picker)
        return picker

    def text_of(self, fix: Fix) -> str:
        """Return the text that a fix edits."""
        session = self._context.session
        return (document_of_fix(session.document, session.model, fix) or session.document).text

    def consider(self, fix: Fix, considered: bool) -> None:
        """Show in all views what a fix would do, or no longer."""
        made = edit_of_fix(self._context.session, fix) if considered else None
        self._context.previews.show(*(made or (None,)))

    def _find_fixes(self, problem: Diagnostic) -> None:
        """Find in the background the fixes for which xacro has to be evaluated, and show them then."""

        def show(_fixes: object) -> None:
            if any(each is problem for each in self._problems):
                self.show_problems(self._problems, self._place)

        self._context.run_in_background(lambda: len(problem.fixes), show)


def _steps(problem: Diagnostic) -> list[str]:
    """Return the names of the frames of a cycle, the first again at the end; without their scope where that is one."""
    frames = [edge.frame for edge in problem.edges]
    is_one_scope = len({frame.rpartition("::")[0] for frame in frames}) == 1
    names = [frame.rpartition("::")[2] if is_one_scope else frame for frame in frames]
    return [*names, names[0]]


def rules_with_fixes(session: Session) -> Counter[str]:
    """Return how many problems of each rule may have a quick fix in this file, in the order of the problems.

    No fix is computed, for each is tried out: that takes as long as loading the file.
    """
    name = session.document.name
    return Counter(
        problem.rule.name
        for problem in session.diagnostics
        if problem.may_have_fixes and problem.span is not None and problem.span.path == name
    )


class FixAllMenu(QMenu):
    """Fixes all problems with a safe fix, or all of one rule."""

    def __init__(self, session: Session, edits: Edits, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._edits = session, edits
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        sign = icon("mdi6.auto-fix", "success")
        safe = self.addAction(sign, "All with a Safe Fix")
        safe.setToolTip("Applies a fix if it is the only one of its problem and no frame changes its meaning")
        safe.triggered.connect(partial(self.fix, None))
        self.addSeparator()
        for rule, number in rules_with_fixes(self._session).items():
            action = self.addAction(sign, f"{rule} ({number})")
            action.setToolTip(f"Apply the first fix of {counted(number, 'problem')}")
            action.triggered.connect(partial(self.fix, rule))

    def fix(self, rule: str | None, _checked: bool = False) -> None:
        """Fix all problems of a rule, or without one all that have a safe fix, in the background."""
        which = "this file has a safe fix" if rule is None else f"{rule} can be fixed"
        self._edits.apply_later(self._job(rule), f"No problem of {which}.")

    def _job(self, rule: str | None) -> Callable[[], Edit | None]:
        session = self._session
        document, loader = session.document, session.make_loader()
        # Leave out rules that are checked only on request: the panel does not show them.
        rules = set(rules_with_fixes(session)) if rule is None else {rule}

        def job() -> Edit | None:
            fixed = fix_all(loader, document, rules, unsafe=rule is not None)
            change = difference(document.text, fixed.document.text)
            if change is None:
                return None
            number = len(fixed.applied)
            label = fixed.applied[0].label if number == 1 else f"Fix {counted(number, 'problem')}"
            return Edit(with_capital(label), document, (change,))

        return job


Stop = tuple[int, int]
"""A problem of a list: its row, and its index among the problems of that row."""


def problem_at_hand(
    groups: Sequence[Sequence[Diagnostic]], current: Stop | None, line: int | None, session: Session
) -> Stop | None:
    """Return the problem in a line of the file, else that of the frame selected last; None where neither has one.

    Parameters
    ----------
    groups
        The problems of each row of the list.
    current
        The one that the user is at; it is preferred to others in the same place.
    line
        The line of the caret, None where there is no caret.
    session
        The file.
    """
    stops = [(row, place) for row, group in enumerate(groups) for place in range(len(group))]
    file = session.document.name

    def starts(stop: Stop) -> int:
        span = groups[stop[0]][stop[1]].span
        return -1 if span is None or span.path != file else span.start

    def is_in_line(stop: Stop) -> bool:
        span = groups[stop[0]][stop[1]].span
        return line is not None and span is not None and span.path == file and span.line <= line <= span.end_line

    found = [stop for stop in stops if is_in_line(stop)]
    innermost = max(map(starts, found), default=-1)
    found = [stop for stop in found if starts(stop) == innermost or stop == current]
    if not found and session.selection:
        name = session.selection[-1]
        first, end = _extent_of_selected(session)
        found = [stop for stop in stops if name in groups[stop[0]][stop[1]].frames]
        found = found or [stop for stop in stops if first <= starts(stop) < end]
    return current if current in found else next(iter(found), None)


def _extent_of_selected(session: Session) -> tuple[int, int]:
    """Return where the frame selected last is written in the file, nowhere if it is not."""
    model, row = session.model, session.selected_row
    if model is None or row is None or not session.is_current or model.sources[row] is not None:
        return 0, 0
    start = model.document.offset(model.elements[row])
    return start, start + model.elements[row].length
