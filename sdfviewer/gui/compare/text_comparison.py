"""Comparisons of two texts: side by side or in one column, and for the little room of a dialog."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QShortcut, QTextCursor
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QSplitter, QToolButton, QWidget

from sdfviewer.document.line_difference import CONTEXT, DiffLine, EqualLines, Pair, Row, TextDifference
from sdfviewer.gui.compare.text_pane import DifferencePane
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.commands import tooltip
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.widgets import column_of, styled
from sdfviewer.gui.kit.xml_highlighter import kinds_of_vertices
from sdfviewer.model.model import Model

NEXT, PREVIOUS = "F7", "Shift+F7"
#: Pixels between the buttons and the text.
_SPACING = 4


class TextComparison(QWidget):
    """Shows a difference; what is equal is folded but for a few lines around each change.

    Attributes
    ----------
    changes
        The rows of each change, in the layout that is shown.
    panes
        The columns in sight: one, or that of the text before and that of the text after.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._difference = TextDifference((), (), ())
        self.changes: list[range] = []
        self._current = -1
        # The folds that are open, by the number of their first line.
        self._opened: set[int] = set()
        self._rows: list[Pair] = []
        self._one = DifferencePane("Difference of the text", ("before", "after"))
        self._two = (DifferencePane("Text before", ("before",)), DifferencePane("Text after", ("after",)))
        self._splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        for pane in (self._one, *self._two):
            pane.fold_clicked.connect(self.open_fold)
            self._splitter.addWidget(pane)
        self._tie()
        self.place = styled(QLabel(), "muted")
        self.previous, self.next = QToolButton(), QToolButton()
        self.unfold = _switch("All Lines")
        self.unified, self.side_by_side = _switch("Unified"), _switch("Side by Side")
        self._lay_out()
        self.show_layout()

    def _lay_out(self) -> None:
        choice = QButtonGroup(self)
        for button, tip in (
            (self.unified, "Show both texts in one column, removed lines above added ones"),
            (self.side_by_side, "Show the old and the new text side by side"),
        ):
            choice.addButton(button)
            button.setToolTip(tip)
        self.unfold.setToolTip("Also show equal lines")
        for button, sign, tip, key, by in (
            (self.previous, "mdi6.arrow-up", "Go to the previous change", PREVIOUS, -1),
            (self.next, "mdi6.arrow-down", "Go to the next change", NEXT, 1),
        ):
            button.setIcon(icon(sign))
            button.setToolTip(tooltip(tip, key))
            button.setAccessibleName(tip)
            button.clicked.connect(lambda _=False, by=by: self.step(by))
            QShortcut(key, self).activated.connect(lambda by=by: self.step(by))
        self.unfold.toggled.connect(lambda _on: self.show_layout())
        self.side_by_side.setChecked(self._settings.side_by_side)
        self.unified.setChecked(not self._settings.side_by_side)
        self.side_by_side.toggled.connect(self._choose_layout)
        row = QHBoxLayout()
        row.setSpacing(4)
        for widget in (self.previous, self.next, self.place):
            row.addWidget(widget)
        row.addStretch(1)
        for widget in (self.unfold, self.unified, self.side_by_side):
            row.addWidget(widget)
        column_of(row, (self._splitter, 1), parent=self, margins=0, spacing=_SPACING)
        self.setFocusProxy(self._splitter)

    def _tie(self) -> None:
        """Scroll both columns together."""
        left, right = self._two
        for one, other in ((left, right), (right, left)):
            one.verticalScrollBar().valueChanged.connect(other.verticalScrollBar().setValue)
            one.horizontalScrollBar().valueChanged.connect(other.horizontalScrollBar().setValue)
            one.horizontalScrollBar().rangeChanged.connect(lambda _low, _high: self._level())
        left.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _level(self) -> None:
        """Give both columns a horizontal scroll bar as soon as one needs it: they stay equally high."""
        bars = [pane.horizontalScrollBar() for pane in self._two]
        needed = any(bar.maximum() > 0 for bar in bars)
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOn if needed else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        for pane in self._two:
            pane.setHorizontalScrollBarPolicy(policy)

    @property
    def content_height(self) -> int:
        """Pixels of what is above the lines, and of the lines as they are folded."""
        return self.unified.sizeHint().height() + _SPACING + self.panes[0].content_height

    @property
    def panes(self) -> tuple[DifferencePane, ...]:
        return self._two if self.side_by_side.isChecked() else (self._one,)

    def set_model(self, model: Model | None) -> None:
        """Colour the names of a model's frames by their kind, as the source view does."""
        kinds = kinds_of_vertices(model)
        for pane in (self._one, *self._two):
            pane.set_kinds(kinds)

    # --- what is shown ---------------------------------------------------------------------------------------------

    def show_difference(self, difference: TextDifference) -> None:
        """Show another difference, from its first change on."""
        self._difference = difference
        self._current = -1
        self._opened = set()
        self.show_layout()

    def _choose_layout(self, side_by_side: bool) -> None:
        self._settings.side_by_side = side_by_side
        self.show_layout()

    def show_layout(self) -> None:
        """Show the difference in the chosen layout; only that one is built."""
        side_by_side = self.side_by_side.isChecked()
        for pane in self._two:
            pane.setVisible(side_by_side)
        self._one.setVisible(not side_by_side)
        self._show_rows()
        for button in (self.previous, self.next):
            button.setEnabled(bool(self.changes))
        if self.changes:
            self._go(max(self._current, 0))
        else:
            self.place.setText("The texts are identical")

    def _show_rows(self) -> None:
        context = None if self.unfold.isChecked() else CONTEXT
        if self.side_by_side.isChecked():
            self._rows = self._difference.side_by_side(context, self._opened)
        else:
            self._rows = [(row, row) for row in self._difference.unified(context, self._opened)]
        for number, pane in enumerate(self.panes):
            pane.show_rows([row[number] for row in self._rows])
        self.changes = list(_changes(self._rows))

    def open_fold(self, row: int) -> None:
        """Replace a fold by its lines."""
        fold = self._rows[row][0]
        assert isinstance(fold, EqualLines)
        self._opened.add(fold.before)
        bar = self.panes[0].verticalScrollBar()
        at = bar.value()
        self._show_rows()
        bar.setValue(at)

    # --- from change to change -------------------------------------------------------------------------------------

    def step(self, by: int) -> None:
        """Go to another change; after the last comes the first."""
        if self.changes:
            self._go((self._current + by) % len(self.changes))

    def _go(self, number: int) -> None:
        self._current = min(number, len(self.changes) - 1)
        self.place.setText(f"Change {self._current + 1} of {len(self.changes)}")
        for pane in self.panes:
            pane.go_to(self.changes[self._current])


def _switch(text: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setCheckable(True)
    return button


def _changes(rows: Sequence[Pair]) -> Iterator[range]:
    at = 0
    for changed, run in groupby(rows, _is_changed):
        first, at = at, at + len(list(run))
        if changed:
            yield range(first, at)


def _is_changed(pair: Pair) -> bool:
    return any(row is None or (isinstance(row, DiffLine) and row.sign != " ") for row in pair)


_CHANGE = 24
"""How many characters of a change must have room, or else what is equal before it is left out."""
_LEFT_OUT = "…"


class DifferenceView(DifferencePane):
    """Shows what is removed above what is added; what is equal is folded.

    Of a line whose first change would be out of sight to the right, what is equal before it is left out.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Difference of the text", ("before", "after"), parent)
        self._difference = TextDifference((), (), ())
        self._context = CONTEXT
        self._opened: set[int] = set()
        self._whole: Sequence[Row] = ()
        #: Start and end of what is left out of rows.
        self._left_out: Mapping[int, tuple[int, int]] = {}
        self.fold_clicked.connect(self._open_fold)

    def show_difference(self, difference: TextDifference, context: int = CONTEXT) -> None:
        """Show another difference, with so many lines around each change."""
        self._difference, self._context, self._opened = difference, context, set()
        self._show()

    def _show(self) -> None:
        rows = self._difference.unified(self._context, self._opened)
        # A small view has no room for a fold at either end.
        while rows and isinstance(rows[-1], EqualLines):
            rows.pop()
        while rows and isinstance(rows[0], EqualLines):
            rows.pop(0)
        self._whole = rows
        self._leave_out(self._out_of_sight())

    def _out_of_sight(self) -> dict[int, tuple[int, int]]:
        """Return what to leave out of which rows, by their numbers, so that their first changes are in sight."""
        columns = self.viewport().width() // max(self.fontMetrics().horizontalAdvance("0"), 1)
        found = {}
        for number, row in enumerate(self._whole):
            ends = _equal_before_change(row, columns) if isinstance(row, DiffLine) else None
            if ends is not None:
                found[number] = ends
        return found

    def _leave_out(self, left_out: Mapping[int, tuple[int, int]]) -> None:
        rows = list(self._whole)
        for number, (start, end) in left_out.items():
            row = rows[number]
            assert isinstance(row, DiffLine)
            assert row.partner is not None
            text, partner = (f"{each[:start]}{_LEFT_OUT}{each[end:]}" for each in (row.text, row.partner))
            rows[number] = replace(row, text=text, partner=partner)
        self._left_out = left_out
        self.show_rows(rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        left_out = self._out_of_sight()
        if left_out != self._left_out:
            at = self.verticalScrollBar().value()
            self._leave_out(left_out)
            self.verticalScrollBar().setValue(at)

    def copied_text(self, number: int, inside: QTextCursor) -> str:
        """Return the text of what is selected in a row, with what is left out in it."""
        text, first = super().copied_text(number, inside), inside.selectionStart() - inside.block().position()
        start, end = self._left_out.get(number, (-1, -1))
        at, row = start - first, self._whole[number]
        if not isinstance(row, DiffLine) or not 0 <= at < len(text):
            return text
        return text[:at] + row.text[start:end] + text[at + 1 :]

    def _open_fold(self, row: int) -> None:
        fold = self.rows[row]
        assert isinstance(fold, EqualLines)
        at = self.verticalScrollBar().value()
        self._opened.add(fold.before)
        self._show()
        self.verticalScrollBar().setValue(at)


def _equal_before_change(line: DiffLine, columns: int) -> tuple[int, int] | None:
    """Return start and end of what is left out before the first change; None where that has room as it is.

    It is the same for both lines of a pair. What is shown begins with a tag, if there is one near, and its colours.
    """
    if line.partner is None or max(len(line.text), len(line.partner)) <= columns:
        return None
    pairs = enumerate(zip(line.text, line.partner, strict=False))
    text = line.text[: next((at for at, (one, other) in pairs if one != other), None)]
    if len(text) + _CHANGE <= columns:
        return None
    start = len(text) - len(text.lstrip())
    tag = text.rfind("<")
    end = tag if len(text) - tag + start + _CHANGE <= columns else max(len(text) - columns // 3, 0)
    # What is left out must not begin or end a comment.
    is_plain = text.count("<!--", start, end) == text.count("-->", start, end)
    return (start, end) if is_plain and end > start + len(_LEFT_OUT) else None
