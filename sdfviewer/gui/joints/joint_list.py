"""The list of the joints panel: a row for each degree of freedom, created when it comes into view."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget

from sdfviewer.gui.joints.joint_rows import JointRow, ListedDof, Shortening, name_room, shortenings
from sdfviewer.gui.kit.jobs import Later
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.gui.kit.widgets import styled
from sdfviewer.language.fuzzy import best_matches

#: So many rows above and below those in sight are there as well: Tab reaches them, and scrolling finds them made.
ROWS_AHEAD = 30
#: So many of these are made in one pass of the event loop, as each takes some milliseconds.
ROWS_AT_ONCE = 4
GAP, SIDE = 4, 8
LEAST_HEIGHT = 52
"""Pixels of height of one row."""


@dataclass(frozen=True, slots=True)
class _Line:
    """Where a row, or the heading of a nested model, is."""

    top: int
    height: int
    dof: ListedDof | None
    heading: str


class JointList(QScrollArea):
    """Rows of degrees of freedom, those of each nested model below its name.

    Thousands of sliders take seconds to create; only those near the visible part are created.

    Parameters
    ----------
    make_row
        Returns the row of a degree of freedom, showing its position.
    later
        Makes rows that are not in sight in later passes.

    Attributes
    ----------
    rows
        The rows made so far, by the names of their dofs.
    """

    def __init__(self, make_row: Callable[[ListedDof], JointRow], later: Later) -> None:
        super().__init__(widgetResizable=True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The rows in it have the keyboard.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # Qt's own areas want room for more, which a small screen does not have below the loops and the motion.
        self.setMinimumHeight(LEAST_HEIGHT)
        self._make_row, self._later = make_row, later
        self.rows: dict[str, JointRow] = {}
        self._headings: dict[str, QLabel] = {}
        self._dofs: Sequence[ListedDof] = ()
        self._absence = ""
        self._marks: dict[str, tuple[int, ...]] = {}
        self._lines: list[_Line] = []
        self._shortenings: dict[str, Shortening] = {}
        self._shortened_at: int | None = None
        self._page = QWidget()
        self._hint = styled(QLabel(self._page, wordWrap=True), "muted")
        self._hint.move(SIDE, GAP)
        self.setWidget(self._page)
        self.verticalScrollBar().valueChanged.connect(lambda _value: self._fill())

    def show_dofs(self, dofs: Sequence[ListedDof], text: str = "") -> None:
        """Show other degrees of freedom, those whose names match a text; rows of those that were there stay."""
        kept = {each.name: each for each in dofs}
        for name, row in list(self.rows.items()):
            if kept.get(name) != row.dof:
                _discard(self.rows.pop(name))
        scopes = {each.scope for each in dofs}
        for scope in [scope for scope in self._headings if scope not in scopes]:
            _discard(self._headings.pop(scope))
        self._dofs = dofs
        self.filter(text)

    def say_absence(self, reason: str) -> None:
        """Say why there is nothing to list, as a sentence."""
        if reason != self._absence:
            self._absence = reason
            self._show_hint()

    def _show_hint(self) -> None:
        self._hint.setText("No match" if self._dofs else self._absence)
        room = max(self.viewport().width() - 2 * SIDE, 1)
        self._hint.resize(room, self._hint.heightForWidth(room))

    def filter(self, text: str) -> None:
        """Show only the degrees of freedom whose names match a text, in their order."""
        found = best_matches(text, ((each.label, each.scope) for each in self._dofs))
        self._marks = {self._dofs[number].name: match.positions for number, match in found.items()}
        shown = [self._dofs[number] for number in found]
        self._show_hint()
        self._hint.setVisible(not shown)
        # Group the joints of a model even if those of a nested model are written between them.
        places = {scope: place for place, scope in enumerate(dict.fromkeys(each.scope for each in shown))}
        shown.sort(key=lambda each: places[each.scope])
        self._lines = list(self._arrange(shown))
        self._shortened_at = None
        self._page.setMinimumHeight(self._lines[-1].top + self._lines[-1].height + GAP if self._lines else 0)
        listed = {line.dof.name for line in self._lines if line.dof is not None}
        for name, row in self.rows.items():
            row.setVisible(name in listed)
        headings = {line.heading for line in self._lines}
        for scope, heading in self._headings.items():
            heading.setVisible(scope in headings)
        # Those far from the visible part too: they would stay where an earlier search has put them, over other rows.
        for line in self._lines:
            made = self._made(line)
            if made is not None:
                made.move(SIDE, line.top)
        self._fill()

    def _arrange(self, shown: Sequence[ListedDof]) -> Iterator[_Line]:
        top, height = GAP, 0
        for scope, members in groupby(shown, key=lambda dof: dof.scope):
            if scope:
                line = _Line(top, self.fontMetrics().height() + 2 * GAP, None, scope)
                top += line.height
                yield line
            for dof in members:
                height = height or self._row(dof).sizeHint().height() + GAP
                yield _Line(top, height, dof, "")
                top += height

    def _row(self, dof: ListedDof) -> JointRow:
        """Return the row of a degree of freedom, made where it is missing."""
        row = self.rows.get(dof.name)
        if row is None:
            row = self.rows[dof.name] = self._make_row(dof)
            row.setParent(self._page)
        return row

    def _heading(self, scope: str) -> QLabel:
        if scope not in self._headings:
            heading = self._headings[scope] = ElidedLabel(scope, self._page)
            heading.setProperty("role", "muted")
            heading.setToolTip(scope)
        return self._headings[scope]

    def _made(self, line: _Line) -> QWidget | None:
        return self._headings.get(line.heading) if line.dof is None else self.rows.get(line.dof.name)

    def _near(self, rows: int) -> Iterator[_Line]:
        """Yield the lines in sight, and some rows above and below."""
        top, sight = self.verticalScrollBar().value(), self.viewport().height()
        for line in self._lines:
            if top - rows * line.height <= line.top <= top + sight + rows * line.height:
                yield line

    def _fill(self) -> None:
        """Create and place the rows in sight; those near them follow."""
        self._shorten(name_room(self._width))
        if self.isVisible():
            for line in self._near(1):
                self._place(line)
        self._later.do(self._fill_ahead)

    def _fill_ahead(self) -> None:
        """Place the rows near those in sight; create some that are missing, and the others in later passes."""
        made: list[_Line] = []
        missing: list[_Line] = []
        for line in self._near(ROWS_AHEAD):
            (missing if self._made(line) is None else made).append(line)
        for line in (*made, *missing[:ROWS_AT_ONCE]):
            self._place(line)
        if len(missing) > ROWS_AT_ONCE:
            self._later.do(self._fill_ahead)

    @property
    def _width(self) -> int:
        return self.viewport().width() - 2 * SIDE

    def _place(self, line: _Line) -> None:
        """Put the widget of a line in its place, made where it is missing."""
        widget = self._heading(line.heading) if line.dof is None else self._row(line.dof)
        if isinstance(widget, JointRow):
            widget.label.set_shortening(self._shortenings.get(widget.dof.label, Shortening.WORDS))
            widget.label.set_marks(self._marks.get(widget.dof.name, ()))
        widget.setGeometry(SIDE, line.top, self._width, line.height)
        widget.show()

    def _shorten(self, room: int) -> None:
        """Find out how to shorten names that are wider than some pixels; those of two models may be the same."""
        if room != self._shortened_at:
            self._shortened_at = room
            labels = (line.dof.label for line in self._lines if line.dof is not None)
            self._shortenings = shortenings(labels, self.fontMetrics(), room)

    def reveal(self, joint: str) -> None:
        """Scroll to the first degree of freedom of a joint."""
        for line in self._lines:
            if line.dof is not None and line.dof.joint == joint:
                self.ensureVisible(0, line.top + line.height // 2, 0, line.height // 2 + 24)
                self._begin_with_a_row()
                self._fill()
                return

    def _begin_with_a_row(self) -> None:
        """Scroll on to the next row where the upper edge cuts one."""
        bar = self.verticalScrollBar()
        cut = next((line for line in self._lines if line.top < bar.value() < line.top + line.height), None)
        if cut is not None:
            bar.setValue(cut.top + cut.height)

    def showEvent(self, event: QShowEvent) -> None:
        """Create the rows that come into sight."""
        super().showEvent(event)
        self._fill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the rows the new width."""
        super().resizeEvent(event)
        self._show_hint()
        self._fill()


def _discard(widget: QWidget) -> None:
    widget.hide()  # it is on the screen until the event loop deletes it
    widget.deleteLater()
