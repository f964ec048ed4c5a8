"""Find and replace in the source."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import islice

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QToolButton, QWidget

from sdfviewer.gui.kit.commands import FIND_NEXT, FIND_PREVIOUS, tooltip
from sdfviewer.gui.kit.fields import LineEdit
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.jobs import Later
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.gui.kit.widgets import named, styled
from sdfviewer.gui.source.editor import SourceEditor
from sdfviewer.language.line_commands import Passage

#: How many matches are looked for in one turn: a letter is found a hundred thousand times in a large text.
SLICE = 4_000
_COUNT_WIDTH = 72
#: The field is never narrower than this, in pixels: a shorter one hides what is looked for.
FIELD_WIDTH = 120


#: A group in a replacement, as VS Code writes it and as Python does; $$ is a dollar.
_GROUP = re.compile(r"\$(\d+|[$&])|\\(?:g<(\w+)>|(\d+|[\\nt]))")
_ESCAPES = {"\\": "\\", "n": "\n", "t": "\t"}


def expanded(match: re.Match[str], replacement: str) -> str:
    """Return a replacement with the groups of a match: ``$1`` or ``\\1``, ``$&`` for all of it.

    A group that there is not, or that has matched nothing, is empty.
    """

    def value(found: re.Match[str]) -> str:
        name = found[1] or found[2] or found[3]
        if name == "$":
            return "$"
        if name == "&":
            return match[0]
        if name in _ESCAPES:
            return _ESCAPES[name]
        group = int(name) if name.isdecimal() else name
        is_there = group in match.re.groupindex or (isinstance(group, int) and group <= match.re.groups)
        return (match[group] or "") if is_there else ""

    return _GROUP.sub(value, replacement)


class FindBar(QWidget):
    """A bar below the editor; Enter goes to the next match, Shift+Enter to the one before, Esc closes it.

    Attributes
    ----------
    matches
        What was found, in editor positions and their order. In a large text it grows over several passes.
    """

    def __init__(self, editor: SourceEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self.matches: list[tuple[int, int]] = []
        self._found_for: tuple[re.Pattern[str] | None, str] | None = None
        # The matches that were not looked for yet; None where all are known.
        self._rest: Iterator[re.Match[str]] | None = None
        self._later = Later(self)
        # Where the search began, and whether the first match from there is still to be shown.
        self._begin = 0
        self._wants_first = False
        self.pattern = LineEdit(self)
        self.pattern.setPlaceholderText("Find")
        self.pattern.setAccessibleName("Find in the source")
        self.replacement = LineEdit(self)
        self.replacement.setPlaceholderText("Replace with")
        self.replacement.setAccessibleName("Replace with")
        self.count = styled(ElidedLabel(parent=self, elide=Qt.TextElideMode.ElideRight), "muted")
        self.count.setMinimumWidth(_COUNT_WIDTH)
        self._options: list[QToolButton] = []
        self.case = self._option("mdi6.format-letter-case", "Match case")
        self.word = self._option("mdi6.format-letter-matches", "Match whole words")
        self.expression = self._option(
            "mdi6.regex", "Use a regular expression", "; $1 in the replacement is its first group, $& all of it"
        )
        self._arrows = (self._arrow(Qt.ArrowType.UpArrow, -1), self._arrow(Qt.ArrowType.DownArrow, 1))
        self._replace_one = QPushButton("Replace", self)
        self._replace_all = QPushButton("Replace All", self)

        self.close_button = named(QToolButton(self, autoRaise=True), "Close the search", "Close (Esc)")
        self.close_button.setIcon(icon("mdi6.close", "muted"))
        self.close_button.clicked.connect(self.close_bar)
        self._lay_out()
        self._second = (self.replacement, self._replace_one, self._replace_all)

        self.pattern.textChanged.connect(self.refresh)
        self.pattern.textEdited.connect(self._go_to_first)
        self._replace_one.clicked.connect(self.replace)
        self._replace_all.clicked.connect(self.replace_all)
        for field in (self.pattern, self.replacement):
            field.setMinimumWidth(FIELD_WIDTH)
            field.installEventFilter(self)
        self.hide()

    def _option(self, glyph: str, name: str, more: str = "") -> QToolButton:
        option = named(QToolButton(self), name, name + more)
        option.setCheckable(True)
        option.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # Tab reaches it from the field
        option.toggled.connect(self.refresh)
        option.setIcon(icon(glyph))
        self._options.append(option)
        return option

    def _lay_out(self) -> None:
        self._grid, self._steps, self._replacing = QGridLayout(self), QHBoxLayout(), QHBoxLayout()
        self._grid.setContentsMargins(4, 4, 4, 4)
        self._grid.setSpacing(4)
        self._grid.setColumnStretch(0, 1)
        self._steps.setSpacing(2)
        for widget in (*self._arrows, *self._options):
            self._steps.addWidget(widget)
        self._steps.addStretch()
        self._steps.addWidget(self.close_button)
        self._replacing.addWidget(self._replace_one)
        self._replacing.addWidget(self._replace_all)
        self._replacing.addStretch(1)
        self._is_beside: bool | None = None
        self._arrange()

    def _arrange(self) -> None:
        """Put the buttons beside the fields, or below them where that would be wider than the bar."""
        is_beside = self.width() >= self._width(is_beside=True)
        if is_beside is self._is_beside:
            return
        self._is_beside = is_beside
        grid = self._grid
        while grid.count():
            grid.takeAt(0)
        self._steps.removeWidget(self.count)
        grid.addWidget(self.pattern, 0, 0)
        if is_beside:
            self._steps.insertWidget(self._steps.count() - 2, self.count, 1)
            grid.addLayout(self._steps, 0, 1)
            grid.addWidget(self.replacement, 1, 0)
            grid.addLayout(self._replacing, 1, 1)
        else:
            grid.addWidget(self.count, 0, 1)
            grid.addLayout(self._steps, 1, 0, 1, 2)
            grid.addWidget(self.replacement, 2, 0, 1, 2)
            grid.addLayout(self._replacing, 3, 0, 1, 2)
        grid.setColumnStretch(1, int(is_beside))

    def _width(self, *, is_beside: bool) -> int:
        """Return how wide the bar is at least with the buttons beside the fields or below them."""
        margins = self._grid.contentsMargins()
        buttons = [option.sizeHint().width() for option in (*self._arrows, *self._options, self.close_button)]
        steps = sum(buttons) + len(buttons) * self._steps.spacing()
        found = FIELD_WIDTH + self._grid.spacing() + self.count.minimumWidth()
        needed = found + steps if is_beside else max(found, steps, self._replacing.minimumSize().width())
        return margins.left() + needed + margins.right()

    def minimumSizeHint(self) -> QSize:
        """Return the least size, which is that with the buttons below the fields: the bar never widens the panel."""
        return QSize(self._width(is_beside=False), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrow(self, arrow: Qt.ArrowType, step: int) -> QToolButton:
        button = QToolButton(self, arrowType=arrow)
        name, command = ("Next match", FIND_NEXT) if step > 0 else ("Previous match", FIND_PREVIOUS)
        named(button, name, tooltip(name, command.keys))
        button.clicked.connect(lambda: self.go(step))
        return button

    def open(self, replacing: bool) -> None:
        """Show the bar with what is selected in the editor as pattern."""
        for widget in self._second:
            widget.setVisible(replacing)
        self.show()
        cursor = self._editor.textCursor()
        self._begin, selected = cursor.selectionStart(), cursor.selectedText()
        if selected and "\u2029" not in selected:
            self.pattern.setText(selected)
        self.pattern.setFocus()
        self.pattern.selectAll()
        self.refresh()

    def close_bar(self) -> None:
        """Hide the bar and its marks."""
        self.hide()
        self._editor.marks.matches([])
        self._editor.setFocus()

    def _compiled(self) -> re.Pattern[str] | None:
        pattern = self.pattern.text()
        if not pattern:
            return None
        flags = re.MULTILINE | (0 if self.case.isChecked() else re.IGNORECASE)
        written = pattern if self.expression.isChecked() else re.escape(pattern)
        if self.word.isChecked():
            written = rf"(?<!\w)(?:{written})(?!\w)"
        try:
            return re.compile(written, flags)
        except re.error as error:
            self._show_fault(error.msg)
            return None

    def refresh(self) -> None:
        """Find all matches again and mark them."""
        if not self.isVisible():
            return
        self._show_count("")
        self._find()
        self._show_found()

    def _show_count(self, text: str) -> None:
        """Show how many there are: half a number would be another one."""
        self.count.set_full_text(text)
        self.count.setToolTip("")
        self.count.setMinimumWidth(max(self.count.fontMetrics().horizontalAdvance(text) + 2, _COUNT_WIDTH))
        self._arrange()

    def _show_fault(self, text: str) -> None:
        """Show why nothing is found or replaced; it does not widen the panel."""
        self._show_count("")
        self.count.set_full_text(text)
        self.count.setToolTip(text)

    def _show_found(self) -> None:
        if self._wants_first:
            self._show_first()
        if self._compiled() is not None:
            self._show_count(f"{self._total} found" if self.matches else "none found")
            self._show_number()
        self._editor.marks.matches(self.matches)

    @property
    def is_complete(self) -> bool:
        """Whether all matches are known."""
        return self._rest is None

    @property
    def _total(self) -> str:
        """How many matches there are, as far as is known."""
        return f"{len(self.matches)}{'' if self.is_complete else '+'}"

    def _find(self) -> None:
        """Look for all matches, the first of them at once."""
        pattern, text = self._compiled(), self._editor.searched_text()
        if (pattern, text) == self._found_for:  # a key in the field asks twice: for the marks, and for the first match
            return
        self._found_for = (pattern, text)
        self.matches = []
        self._rest = None if pattern is None else pattern.finditer(text)
        self._find_more()

    def _find_more(self) -> None:
        """Look for some more matches, and for others in a later pass."""
        if self._rest is None:
            return
        found = [match.span() for match in islice(self._rest, SLICE)]
        if len(found) < SLICE:
            self._rest = None
        else:
            self._later.do(self._find_more_and_show)
        if self.expression.isChecked():  # no other pattern matches nothing
            found = [(start, end) for start, end in found if end > start]
        self.matches += self._editor.positions_of_found(found)

    def _find_more_and_show(self) -> None:
        # The text may have changed since: what was found in it is no longer there.
        if self.isVisible() and self._found_for == (self._compiled(), self._editor.searched_text()):
            self._find_more()
            self._show_found()

    def _find_rest(self) -> None:
        while not self.is_complete:
            self._find_more()

    def _go_to_first(self) -> None:
        """Go to the first match from where the search began, as it is typed."""
        self._wants_first = True
        self.refresh()

    def _show_first(self) -> None:
        at = bisect_left(self.matches, (self._begin, 0))
        if at == len(self.matches) and not self.is_complete:
            return
        self._wants_first = False
        if self.matches:
            self._editor.go_to(*reversed(self.matches[at % len(self.matches)]))

    def _show_number(self) -> None:
        """Say which of the matches is selected."""
        cursor = self._editor.textCursor()
        selected = (cursor.selectionStart(), cursor.selectionEnd())
        at = bisect_left(self.matches, selected)
        if self.matches[at : at + 1] == [selected]:
            self._show_count(f"{at + 1} of {self._total}")

    def go(self, step: int) -> None:
        """Go to the next match (1) or the one before (-1), round the ends."""
        self._find()
        self._find_rest()
        if not self.matches:
            return
        cursor = self._editor.textCursor()
        if step > 0:
            at = bisect_left(self.matches, (cursor.selectionEnd(), 0))
        else:
            at = bisect_right(self.matches, cursor.selectionStart(), key=lambda match: match[1]) - 1
        self._editor.go_to(*reversed(self.matches[at % len(self.matches)]))
        self._show_number()

    def _replacement(self, match: re.Match[str]) -> str:
        text = self.replacement.text()
        return expanded(match, text) if self.expression.isChecked() else text

    def replace(self) -> None:
        """Replace the match that is selected, then go to the next one."""
        self._find()  # the text may have changed
        self._find_rest()
        pattern = self._compiled()
        cursor = self._editor.textCursor()
        selected = (cursor.selectionStart(), cursor.selectionEnd())
        if pattern is not None and selected in self.matches and not self._editor.isReadOnly():
            match = pattern.match(self._editor.raw_text(), self._editor.places().shown_of_position(selected[0]))
            assert match is not None
            try:
                text = self._replacement(match)
            except (re.error, IndexError) as error:
                self._show_fault(str(error))
                return
            with self._editor.doing("Replace"):
                self._editor.replace(*selected, text)
            self.refresh()
        self.go(1)

    def replace_all(self) -> None:
        """Replace every match, as one edit."""
        pattern = self._compiled()
        if pattern is None or not self.matches or self._editor.isReadOnly():
            return
        text = self._editor.raw_text()
        found = [match for match in pattern.finditer(text) if match.end() > match.start()]
        try:
            pieces = [self._replacement(match) for match in found]
        except (re.error, IndexError) as error:
            self._show_fault(str(error))
            return
        ends = [0, *(match.end() for match in found)]
        kept = [text[end : match.start()] for end, match in zip(ends, found, strict=False)]
        wanted = "".join(part for pair in zip(kept, pieces, strict=True) for part in pair) + text[ends[-1] :]
        self._editor.flush_wanted.emit()
        self._editor.rewrite(f"Replace {len(found)} matches", lambda passage: _with_text(passage, wanted))
        self._editor.flush_wanted.emit()
        self.refresh()
        self._show_count(f"{len(found)} replaced")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter goes on, Esc closes."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if watched is self.replacement:
                    self.replace()
                else:
                    self.go(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
                return True
        key = event.key() if isinstance(event, QKeyEvent) else None
        if event.type() == QEvent.Type.ShortcutOverride and key == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().eventFilter(watched, event)


def _with_text(passage: Passage, text: str) -> Passage:
    """Return another text with the caret at the same offset if possible."""
    at = min(passage.caret, len(text))
    return Passage(text, at, at)
