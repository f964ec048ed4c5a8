"""The bar below the editor: the elements around the caret, and its position."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from sdfviewer.gui.kit.safe_text import escaped
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widgets import named, row_of
from sdfviewer.language.completion import Open
from sdfviewer.palette import STYLES

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
        self.path = named(QLabel(), "Elements around the caret")
        self.path.setTextFormat(Qt.TextFormat.RichText)
        self.path.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.path.linkActivated.connect(lambda link: self.element_wanted.emit(int(link)))
        self.place = named(QLabel(), "Caret position")
        self.place.setProperty("role", "muted")
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
