"""What is marked in the text: problems, the line of the caret, the selected frame, matches, partners of tags, links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from sdfviewer.diagnostics import Fix, Severity
from sdfviewer.gui.theme import tokens

if TYPE_CHECKING:
    from sdfviewer.gui.source.editor import SourceEditor

_WAVE = QTextCharFormat.UnderlineStyle.WaveUnderline
#: More marks slow the editor down and help nobody.
MOST_MARKS = 400
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Underline:
    """A problem in editor positions: from, to, how bad, what the tooltip says, and how it can be mended."""

    start: int
    end: int
    severity: Severity
    text: str
    fixes: tuple[Fix, ...] = ()


class Marks:
    """Marks of an editor, in its positions.

    Attributes
    ----------
    underlines
        The problems.
    line_severities
        The worst problem of each line, counted from 0.
    fixable_lines
        The lines with a problem that can be mended.
    """

    def __init__(self, editor: SourceEditor) -> None:
        self._editor = editor
        self.underlines: list[Underline] = []
        self.line_severities: dict[int, Severity] = {}
        self.fixable_lines: set[int] = set()
        self._chosen: Range | None = None
        self._matches: Sequence[Range] = ()
        self._partners: Sequence[Range] = ()
        self._link: Range | None = None

    def underline(self, underlines: Sequence[Underline]) -> None:
        """Underline problems."""
        self.underlines = list(underlines)
        self.line_severities, self.fixable_lines = {}, set()
        order = list(Severity)
        for each in underlines:
            line = self._editor.document().findBlock(each.start).blockNumber()
            known = self.line_severities.get(line)
            if known is None or order.index(each.severity) < order.index(known):
                self.line_severities[line] = each.severity
            if each.fixes:
                self.fixable_lines.add(line)
        self.show()

    def texts_at(self, position: int) -> list[str]:
        """Return what is to be said of the problems at a position."""
        return [each.text for each in self.underlines if each.start <= position <= each.end]

    def choose(self, chosen: Range | None) -> None:
        """Mark the lines of the selected frame."""
        if chosen != self._chosen:
            self._chosen = chosen
            self.show()

    def matches(self, matches: Sequence[Range]) -> None:
        """Mark what was found."""
        self._matches = matches
        self.show()

    def partners(self, partners: Sequence[Range]) -> None:
        """Mark the names of a start and an end tag that belong together."""
        if partners != self._partners:
            self._partners = partners
            self.show()

    def link(self, link: Range | None) -> None:
        """Underline a name that leads somewhere."""
        if link != self._link:
            self._link = link
            self.show()

    def show(self) -> None:
        """Show all marks, those on top last."""
        colours = tokens(self._editor.palette())
        marks: list[QTextEdit.ExtraSelection] = []
        if self._chosen is not None:
            marks.append(self._mark(*self._chosen, background=colours.selection, alpha=0.35, whole=True))
        caret = self._editor.textCursor()
        if not caret.hasSelection():
            marks.append(self._mark(caret.position(), background=colours.hover, whole=True))
        marks += [self._mark(*each, background=colours.selection) for each in self._partners]
        near = self._near(self._matches, caret.position())
        marks += [self._mark(*each, background=colours.warning, alpha=0.35) for each in near]
        for each in self.underlines[:MOST_MARKS]:
            mark = self._mark(each.start, each.end)
            mark.format.setUnderlineStyle(_WAVE)
            mark.format.setUnderlineColor(QColor(colours.severity(each.severity)))
            marks.append(mark)
        if self._link is not None:
            mark = self._mark(*self._link)
            mark.format.setFontUnderline(True)
            mark.format.setForeground(QColor(colours.link))
            marks.append(mark)
        self._editor.setExtraSelections(marks)
        self._editor.gutter.update()

    @staticmethod
    def _near(matches: Sequence[Range], position: int) -> Sequence[Range]:
        """Return those of very many matches that are around a position."""
        if len(matches) <= MOST_MARKS:
            return matches
        at = next((number for number, match in enumerate(matches) if match[1] >= position), len(matches))
        return matches[max(at - MOST_MARKS // 2, 0) :][:MOST_MARKS]

    def _mark(
        self, start: int, end: int | None = None, *, background: str = "", alpha: float = 1.0, whole: bool = False
    ) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        mark.cursor = QTextCursor(self._editor.document())
        last = self._editor.document().characterCount() - 1
        mark.cursor.setPosition(min(start, last))
        if end is not None:
            mark.cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
        if background:
            colour = QColor(background)
            colour.setAlphaF(alpha)
            mark.format.setBackground(colour)
        if whole:
            mark.format.setProperty(QTextCharFormat.Property.FullWidthSelection, True)
        return mark
