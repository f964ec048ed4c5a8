"""Highlights in the text: problems, current line, selected frame, shown place, matches, matching tags, links."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette, QTextBlock, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from sdfviewer.diagnostics import SEVERITY_RANK, Diagnostic, Fix, Severity
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.source.text_area import TextArea

_WAVE = QTextCharFormat.UnderlineStyle.WaveUnderline
#: More marks slow the editor down without being useful.
MOST_MARKS = 400
#: How much of the colour of a selection the lines of the selected frame have.
CHOSEN = 0.35
#: How much of the colour of what is under the mouse the line of the caret has: names can still be read on it.
CARET_LINE = 0.65
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Underline:
    """A problem in editor positions: from, to, how bad, what the tooltip says, and what to ask for its quick fixes."""

    start: int
    end: int
    severity: Severity
    text: str
    problem: Diagnostic | None = None

    @property
    def is_fixable(self) -> bool:
        """Whether it may have quick fixes, which take a while to compute."""
        return self.problem is not None and self.problem.may_have_fixes

    @property
    def fixes(self) -> Sequence[Fix]:
        """Its quick fixes, of those that take long to find those that are known."""
        return () if self.problem is None else self.problem.fixes_at_hand


class TextMarks:
    """Marks of an editor, in its positions; they move along with the text.

    Attributes
    ----------
    line_severities
        The worst problem of each line, counted from 0.
    fixable_lines
        The lines with a problem that may have quick fixes.
    other_carets
        Returns the carets beside the main one, whose selections are marked.
    """

    def __init__(self, editor: TextArea) -> None:
        self._editor = editor
        self._underlines: list[tuple[Underline, QTextCursor]] = []
        self.line_severities: dict[int, Severity] = {}
        self.fixable_lines: set[int] = set()
        self._chosen: list[QTextCursor] = []
        self._place: QTextCursor | None = None
        self._matches: Sequence[Range] = ()
        self._selection_colour = ""
        self.partner_cursors: list[QTextCursor] = []
        self._link: list[QTextCursor] = []
        self.other_carets: Callable[[], Sequence[QTextCursor]] = tuple
        editor.selectionChanged.connect(self._colour_selection)
        bar = editor.verticalScrollBar()
        bar.valueChanged.connect(self._follow_sight)
        bar.rangeChanged.connect(self._follow_sight)

    def underline(self, underlines: Sequence[Underline]) -> None:
        """Underline problems."""
        self._underlines = [(each, self._editor.cursor_over(each.start, each.end)) for each in underlines[:MOST_MARKS]]
        self.line_severities, self.fixable_lines = {}, set()
        for each in underlines:
            line = self._editor.document().findBlock(each.start).blockNumber()
            known = self.line_severities.get(line)
            if known is None or SEVERITY_RANK[each.severity] < SEVERITY_RANK[known]:
                self.line_severities[line] = each.severity
            if each.is_fixable:
                self.fixable_lines.add(line)
        self.show()

    def problems_at(self, position: int) -> list[Underline]:
        """Return the problems at a position."""
        return [
            each for each, cursor in self._underlines if cursor.selectionStart() <= position <= cursor.selectionEnd()
        ]

    def problems_in(self, block: QTextBlock) -> list[Underline]:
        """Return the problems that begin in a line."""
        end = block.position() + block.length()
        return [each for each, cursor in self._underlines if block.position() <= cursor.selectionStart() < end]

    def put_out(self, block: QTextBlock) -> None:
        """Take the light bulb from a line: there are no fixes for its problems after all."""
        if block.blockNumber() in self.fixable_lines:
            self.fixable_lines.discard(block.blockNumber())
            self._editor.marks_changed.emit()

    def choose(self, chosen: Range | None) -> None:
        """Mark the lines of the selected frame."""
        self._chosen = [] if chosen is None else [self._editor.cursor_over(*chosen)]
        self.show()

    def point_at(self, start: int, end: int) -> None:
        """Mark a place that the caret was put before; unlike a selection, no key can remove or replace it."""
        self._place = self._editor.cursor_over(start, end)
        self.show()

    @property
    def place(self) -> Range | None:
        """The place that is pointed at, until the caret moves away from its start."""
        if self._place is None or self._editor.textCursor().hasSelection():
            return None
        start, end = self._place.selectionStart(), self._place.selectionEnd()
        return (start, end) if self._editor.textCursor().position() == start else None

    def matches(self, matches: Sequence[Range]) -> None:
        """Mark what was found, by place in the text; only what is in sight has marks."""
        self._matches = matches
        self.show()

    def _follow_sight(self) -> None:
        if self._matches:
            self.show()

    def _in_sight(self) -> Sequence[Range]:
        """Return the matches in the lines that are shown, and the one before, which may reach into them."""
        if not self._matches:
            return ()
        blocks = [block for block, _ in self._editor.visible_blocks()]
        start, end = blocks[0].position(), blocks[-1].position() + blocks[-1].length()
        first = max(bisect_left(self._matches, (start, start)) - 1, 0)
        return self._matches[first : bisect_left(self._matches, (end, end))][:MOST_MARKS]

    def _is_at_match(self) -> bool:
        """Return whether what is selected is one of the matches."""
        caret = self._editor.textCursor()
        selected = (caret.selectionStart(), caret.selectionEnd())
        at = bisect_left(self._matches, selected)
        return at < len(self._matches) and self._matches[at] == selected

    def _colour_selection(self) -> None:
        """Let the match that is selected be seen before all others; another selection looks as everywhere."""
        colours = tokens(self._editor.palette())
        colour = colours.warning if self._is_at_match() else ""
        if colour != self._selection_colour:  # another palette costs a pass of the style
            self._selection_colour = colour
            palette = QPalette()
            if colour:
                palette.setColor(QPalette.ColorRole.Highlight, QColor(colour))
                palette.setColor(QPalette.ColorRole.HighlightedText, QColor(colours.base))
            self._editor.setPalette(palette)

    def partners(self, partners: Sequence[Range]) -> None:
        """Mark the names of a start and an end tag that belong together."""
        if [(each.selectionStart(), each.selectionEnd()) for each in self.partner_cursors] != list(partners):
            self.partner_cursors = [self._editor.cursor_over(*each) for each in partners]
            self.show()

    def link(self, link: Range | None) -> None:
        """Underline a name that leads somewhere."""
        if self._link or link is not None:
            self._link = [] if link is None else [self._editor.cursor_over(*link)]
            self.show()

    def show(self) -> None:
        """Show all marks, those on top last."""
        colours = tokens(self._editor.palette())
        self._colour_selection()
        marks = [_mark(each, colours.selection, CHOSEN, whole=True) for each in self._chosen]
        caret = self._editor.textCursor()
        if not caret.hasSelection():
            marks.append(_mark(caret, colours.hover, CARET_LINE, whole=True))
        if self.place is None:
            self._place = None
        if self._place is not None:  # on a ground it would look as if it were selected
            pointed = _mark(self._place)
            pointed.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
            pointed.format.setUnderlineColor(QColor(colours.accent))
            marks.append(pointed)
        grounds = [_mark(each, colours.selection) for each in self.partner_cursors]
        grounds += [_mark(each, colours.selection) for each in self.other_carets() if each.hasSelection()]
        grounds += [_mark(self._editor.cursor_over(*found), colours.warning, 0.35) for found in self._in_sight()]
        for mark in grounds:
            mark.format.setForeground(QColor(colours.text))  # on these grounds the colours of tags are hard to read
        marks += grounds
        for each, cursor in self._underlines:
            mark = _mark(cursor)
            mark.format.setUnderlineStyle(_WAVE)
            mark.format.setUnderlineColor(QColor(colours.severity(each.severity)))
            marks.append(mark)
        for cursor in self._link:
            mark = _mark(cursor)
            mark.format.setFontUnderline(True)
            mark.format.setForeground(QColor(colours.link))
            marks.append(mark)
        self._editor.setExtraSelections(marks)
        self._editor.marks_changed.emit()


def _mark(
    cursor: QTextCursor, background: str = "", alpha: float = 1.0, *, whole: bool = False
) -> QTextEdit.ExtraSelection:
    mark = QTextEdit.ExtraSelection()
    mark.cursor = cursor
    if background:
        colour = QColor(background)
        colour.setAlphaF(alpha)
        mark.format.setBackground(colour)
    if whole:
        mark.format.setProperty(QTextCharFormat.Property.FullWidthSelection, True)
    return mark
