"""What is shown beside the text of the editor: a notice above, a bar below, a field over it, a list of places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, indentation_step
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.labels import ElidedLabel, ElidedLines
from sdfviewer.gui.kit.safe_text import escaped
from sdfviewer.gui.kit.theme import monospace, on_theme_change, tokens
from sdfviewer.gui.kit.widgets import column_of, named, row_of, styled
from sdfviewer.language.completion import Open
from sdfviewer.language.line_commands import break_lines
from sdfviewer.language.text_map import LONGEST_LINE, TextMap, long_lines
from sdfviewer.number_text import counted
from sdfviewer.palette import STYLES


class Prompt(QFrame):
    """Asks for a text; Enter answers, Esc or a click elsewhere gives up. A refusal is shown, and the field stays."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self._answer: Callable[[str], str] = lambda text: ""
        self.setObjectName("prompt")  # the style sheet gives it ground and edge
        self.question = styled(QLabel(), "muted")
        self.field = _Field(self)
        self.refusal = styled(QLabel(), "error")
        row_of(self.question, self.field, self.refusal, parent=self, margins=(8, 4, 8, 4), spacing=8)
        self.hide()

    def ask(self, question: str, text: str, at: QPoint, answer: Callable[[str], str]) -> None:
        """Ask something.

        Parameters
        ----------
        question
            What is requested.
        text
            The answer as long as nothing is typed.
        at
            The wanted position of the field.
        answer
            Takes the answer and returns why it is refused, or nothing.
        """
        self._answer = answer
        self.question.setText(question)
        self.refusal.hide()
        named(self.field, question).setText(text)
        self.field.selectAll()
        self._place(at)
        self.show()
        self.raise_()
        self.field.setFocus()

    def _place(self, at: QPoint) -> None:
        self.adjustSize()
        x = min(at.x(), self._over.width() - self.width() - 4)
        y = min(at.y(), self._over.height() - self.height() - 4)
        self.move(max(x, 0), max(y, 0))

    def give(self) -> None:
        """Give the answer."""
        why_not = self._answer(self.field.text().strip())
        if not why_not:
            self.give_up()
            return
        self.refusal.setText(why_not)
        self.refusal.show()
        self._place(self.pos())

    def give_up(self) -> None:
        """Close without an answer."""
        if self.isVisible():
            self.hide()
            self._over.setFocus()


class _Field(QLineEdit):
    """The field of a prompt."""

    def __init__(self, prompt: Prompt) -> None:
        super().__init__(prompt)
        self._prompt = prompt
        self.setMinimumWidth(160)

    def event(self, event: QEvent) -> bool:
        """Keep Esc from the window."""
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Answer with Enter, give up with Esc; the editor behind must not see either."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._prompt.give()
        elif event.key() == Qt.Key.Key_Escape:
            self._prompt.give_up()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Give up with a click elsewhere."""
        super().focusOutEvent(event)
        if event.reason() in (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self._prompt.hide()


#: Rows that are shown without scrolling.
_MOST_ROWS = 5


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the text.

    Attributes
    ----------
    start, end
        Where it is, in positions of the editor.
    line, text
        Its line, counted from 1, and what that says.
    remark
        What sets it apart from other places, in a few words.
    """

    start: int
    end: int
    line: int
    text: str
    remark: str = ""


class Places(QWidget):
    """Places by line and text; a click or Enter goes to one, Esc closes the list.

    Attributes
    ----------
    ranges
        The places, in positions of the editor.
    """

    #: Start and end of the place to go to.
    chosen = Signal(int, int)
    #: The list was closed.
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ranges: list[tuple[int, int]] = []
        self.title = styled(ElidedLabel(elide=Qt.TextElideMode.ElideRight), "muted")
        self.list = named(QListWidget(), "Places")
        self.list.setFont(monospace())
        self.list.installEventFilter(self)
        self.list.itemClicked.connect(lambda item: self.go_to(self.list.row(item)))
        self.list.itemActivated.connect(lambda item: self.go_to(self.list.row(item)))
        close = named(QToolButton(), "Close", "Close (Esc)")
        close.setIcon(icon("mdi6.close", "muted"))
        close.clicked.connect(self.shut)
        head = row_of((self.title, 1), close, margins=(8, 2, 4, 2))
        column_of(head, self.list, parent=self, margins=0, spacing=0)
        self.hide()

    def show_places(self, title: str, places: Sequence[Place]) -> None:
        """Show places of the text."""
        self.title.set_full_text(title)
        self.title.setToolTip(title)
        self.ranges = [(place.start, place.end) for place in places]
        self.list.clear()
        height = self.list.fontMetrics().height() + 4
        width = max((len(str(place.line)) for place in places), default=1)
        for place in places:
            remark = f"[{place.remark}] " if place.remark else ""
            item = QListWidgetItem(f"{place.line:>{width}}  {remark}{place.text.strip()}", self.list)
            item.setToolTip(item.text())
            item.setSizeHint(QSize(0, height))  # as wide as the list: a longer text is elided
            if place.remark:
                item.setForeground(QColor(tokens(self.palette()).muted))
        rows = min(max(len(places), 1), _MOST_ROWS)
        self.list.setFixedHeight(rows * height + 2 * self.list.frameWidth())
        self.setVisible(bool(places))

    def go_to(self, number: int) -> None:
        """Go to one of the places."""
        if 0 <= number < len(self.ranges):
            self.list.setCurrentRow(number)
            self.chosen.emit(*self.ranges[number])

    def step(self, by: int) -> None:
        """Go to the next place (1) or the one before (-1), round the ends."""
        if self.ranges:
            row = self.list.currentRow()
            self.go_to((row + by) % len(self.ranges) if row >= 0 else (0 if by > 0 else len(self.ranges) - 1))

    def shut(self) -> None:
        """Close the list."""
        if self.isVisible():
            self.hide()
            self.ranges = []
            self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc closes."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
            elif event.type() == QEvent.Type.KeyPress:
                self.shut()
            return True
        return super().eventFilter(watched, event)


_SEPARATOR = " › "
_MARGINS = 24
"""Pixels around and between the two texts."""


class CaretBar(QWidget):
    """Says which elements the caret is in, each a link to its start, and line, column, line ends and encoding."""

    #: Go to the start of one of the elements, counted from the outermost.
    element_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.around: Sequence[Open] = ()
        self._here = self._kind = ""
        self.path = named(QLabel(textFormat=Qt.TextFormat.RichText), "Elements around the caret")
        self.path.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.path.linkActivated.connect(lambda link: self.element_wanted.emit(int(link)))
        self.place = styled(named(QLabel(), "Caret position"), "muted")
        row_of((self.path, 1), self.place, parent=self, margins=(8, 2, 8, 2), spacing=8)

    def show_place(
        self, around: Sequence[Open], line: int, column: int, selected: int, kind: str, carets: int = 1
    ) -> None:
        """Show the elements that are open at the caret, where it is, and what kind of text this is."""
        self.around = around
        chosen = f" ({selected} selected)" if selected else ""
        several = f", {carets} carets" if carets > 1 else ""
        self._here, self._kind = f"Ln {line}, Col {column}{several}{chosen}", kind
        self._share_room()

    def _share_room(self) -> None:
        """Show the kind of text only where the innermost element has room beside it."""
        whole = f"{self._here}  ·  {self._kind}"
        innermost = ("…" + _SEPARATOR if len(self.around) > 1 else "") + (
            _named(self.around[-1]) if self.around else ""
        )
        room = self.contentsRect().width() - _MARGINS
        fits = sum(self.place.fontMetrics().horizontalAdvance(text) + 1 for text in (whole, innermost)) <= room
        self.place.setText(whole if fits else self._here)
        self.place.setToolTip("" if fits else whole)
        layout = self.layout()
        assert layout is not None
        layout.activate()  # the path has the room that the place leaves
        self._show_path()

    def _show_path(self) -> None:
        """Show as many of the innermost elements as there is room for."""
        colours = tokens(self.palette())
        metrics, room = self.path.fontMetrics(), self.path.width()
        shown: list[str] = []
        for number in range(len(self.around) - 1, -1, -1):
            each = self.around[number]
            text, outside = _named(each), metrics.horizontalAdvance("…" + _SEPARATOR) if number else 0
            if not shown:
                text = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, max(room - outside, 0))
            elif metrics.horizontalAdvance(text + _SEPARATOR) > room - outside:
                shown.insert(0, "…")
                break
            room -= metrics.horizontalAdvance(text + _SEPARATOR if shown else text) + 1  # widths are rounded
            colour = colours.kind(each.tag) if each.tag in STYLES else colours.muted
            style = f"color:{colour};text-decoration:none"
            shown.insert(0, f'<a href="{number}" style="{style}">{escaped(text)}</a>')
        self.path.setText(f'<span style="color:{colours.disabled}">{_SEPARATOR}</span>'.join(shown))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the room there is."""
        super().resizeEvent(event)
        self._share_room()


def _named(each: Open) -> str:
    """Return the tag of an element with its name."""
    return f"{each.tag} {each.name}" if each.name else each.tag


_WHY = f"Lines of more than {LONGEST_LINE // 1000} 000 characters are shown in pieces, and nothing can be typed here."
_UNBREAKABLE = f"{_WHY} They have no elements that could stand in lines of their own."
_MOST_LINES = 2


def broken_lines(document: Document) -> Edit:
    """Return the edit that puts the elements of long lines into lines of their own.

    Raises
    ------
    SdfViewerError
        If the text is not well-formed, or there is nothing to break.
    """
    if not document.is_well_formed:
        raise SdfViewerError("The lines cannot be broken before the errors in the XML are corrected.")
    breaks = sorted(break_lines(document.text, indentation_step(document)), key=lambda each: each.start)
    if not breaks:
        raise SdfViewerError("No long line has elements that could stand in lines of their own.")
    lines = sum(1 for _ in long_lines(document.text))
    return Edit(f"Break {counted(lines, 'long line')} at {counted(len(breaks), 'place')}", document, tuple(breaks))


class LongLines(QFrame):
    """Says why nothing can be typed, and offers to break the lines where that helps."""

    #: The lines are to be broken.
    wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._sign = QLabel()
        self.text = ElidedLines("", _MOST_LINES)
        self.button = QPushButton("Break Lines")
        self.button.setToolTip(
            "Puts each element of these lines into a line of its own; changes no text, value or comment"
        )
        self.button.clicked.connect(self.wanted)
        row_of(self._sign, (self.text, 1), self.button, parent=self, margins=(8, 4, 8, 4), spacing=8)
        on_theme_change(self._paint)
        self._paint()
        self.hide()

    def _paint(self) -> None:
        self._sign.setPixmap(icon("mdi6.information-outline", "warning").pixmap(16, 16))

    def follow(self, document: Document, places: TextMap) -> None:
        """Show or hide the notice for a document and the way it is shown."""
        if places.is_cut:
            # The first element that can be broken answers.
            can_break = document.root is not None and next(break_lines(document.text, ""), None) is not None
            self.text.set_full_text(_WHY if can_break else _UNBREAKABLE)
            self.button.setVisible(can_break)
        self.setVisible(places.is_cut)
