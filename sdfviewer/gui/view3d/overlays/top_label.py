"""Short texts in the upper middle of a 3D view, or at its lower edge, clear of the tools and of each other."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from sdfviewer.gui.kit.safe_text import markup, set_rich_text
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.view3d.overlays.colour_key import ColourKey
from sdfviewer.gui.view3d.tools.shape_palette import ShapePalette
from sdfviewer.gui.view3d.tools.tool_strip import MARGIN, ToolStrip
from sdfviewer.scene.view_cube import cube_rectangle

_PADDING = (22, 8)
"""Logical pixels that the style sheet adds to the width and the height of the text."""
_LEAST_WIDTH, _LEAST_OF_TITLE, _LEAST_SHORT = 240, 120, 64
"""Logical pixels between the tools and the view cube for a text, a title of two words, and a short title."""
_MOST_DOWN = 0.25
"""The part of the height of a view from above that a text may reach into."""
_MOVES = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)


class TopLabel(QLabel):
    """A text right of the tools and below the shapes and the labels made before; in a narrow view it takes two lines.

    Parameters
    ----------
    text
        What it says first.
    canvas
        The view.
    token
        The name of its colour among the `Tokens`.
    bold
        Whether it is a title.
    yields
        Whether it is at the lower edge of a view so low that it would cover the middle of what is shown.
    short
        What it says instead where that, but not all, has room beside the view cube.

    Attributes
    ----------
    full_text
        What it says, as plain text.
    """

    def __init__(
        self, text: str, canvas: QWidget, token: str, *, bold: bool = False, yields: bool = False, short: str = ""
    ) -> None:
        super().__init__(text, canvas, wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._canvas, self._token, self._bold, self._yields = canvas, token, bold, yields
        self.full_text, self._shown, self._link, self._short = text, text, "", short
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        self._earlier = [each for each in canvas.findChildren(TopLabel, options=direct) if each is not self]
        canvas.installEventFilter(self)
        for each in self._earlier:
            each.installEventFilter(self)
        self.hide()
        self._paint()

    def say(self, text: str, link: str = "", *, short: str = "") -> None:
        """Show another text, and words behind it that look as if they can be clicked; an empty one hides the label."""
        self.full_text, self._link, self._short = " ".join(filter(None, (text, link))), link, short
        self._shown = self.full_text
        self._show_text()
        self.setVisible(bool(text))
        self.place()

    def _fitted(self, text: str, width: int) -> str:
        """Return a text with words that are broader than a line shortened in the middle."""
        metrics, middle = self.fontMetrics(), Qt.TextElideMode.ElideMiddle
        return " ".join(metrics.elidedText(word, middle, width) for word in text.split(" "))

    def _text_for(self, room: int) -> str:
        """Return the text in some width: the short text where some of its letters have room, and not the whole one."""
        whole, short = (
            self.fontMetrics().horizontalAdvance(text) + _PADDING[0] for text in (self.full_text, self._short)
        )
        return self._short if self._short and min(short, _LEAST_SHORT) <= room < whole else self.full_text

    def _show_text(self) -> None:
        if not self._link:
            self.setText(self._shown)
            return
        tone = tokens(self._canvas.palette()).link
        linked = markup(
            '<span style="color: {tone}; text-decoration: underline">{link}</span>', tone=tone, link=self._link
        )
        set_rich_text(self, markup("{text}{linked}", text=self._shown.removesuffix(self._link), linked=linked))

    def place(self) -> None:
        """Take the free room."""
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        strip = self._canvas.findChild(ToolStrip, options=direct)
        shapes = self._canvas.findChild(ShapePalette, options=direct)
        for each in (strip, shapes):
            if each is not None:
                each.installEventFilter(self)  # once, however often it is called
        left = strip.geometry().right() + MARGIN if strip is not None and not strip.isHidden() else MARGIN
        right = self._canvas.width() - MARGIN
        self.ensurePolished()
        cube, cube_top, cube_side = cube_rectangle(self._canvas.width())
        beside = round(cube) - MARGIN
        # Beside the view cube, unless that leaves too little room, or less than a word needs.
        text = self._text_for(beside - left)
        broadest = max(map(self.fontMetrics().horizontalAdvance, text.split(" "))) + _PADDING[0]
        least = _LEAST_OF_TITLE if self._bold else _LEAST_WIDTH
        is_short = text != self.full_text
        right = beside if is_short or beside - left >= max(least, min(broadest, right - left)) else right
        self._fit(text, right - left)
        x = max(min((self._canvas.width() - self.width()) // 2, right - self.width()), left)
        y = MARGIN if x + self.width() <= beside else round(cube_top + cube_side) + MARGIN
        for above in (shapes, *self._earlier):
            if above is not None and not above.isHidden() and above.geometry().right() >= x:
                y = max(y, above.geometry().bottom() + MARGIN)
        if self._yields and y + self.height() > _MOST_DOWN * self._canvas.height():
            self._place_below(left)
        else:
            self.move(x, y)

    def _fit(self, text: str, room: int) -> None:
        """Take the size that a text needs in some width."""
        room = max(room, 1)
        shown = self._fitted(text, room - _PADDING[0])
        if shown != self._shown:
            self._shown = shown
            self._show_text()
        lines = self.fontMetrics().boundingRect(
            QRect(0, 0, room - _PADDING[0], 1000), int(Qt.TextFlag.TextWordWrap), shown
        )
        self.setFixedSize(lines.width() + _PADDING[0], lines.height() + _PADDING[1])

    def _place_below(self, left: int) -> None:
        """Take the lower right corner, where there is hardly more than the ground; the left one names what is hovered.

        Parameters
        ----------
        left
            The first free column beside the tools.
        """
        self._fit(self.full_text, self._canvas.width() - MARGIN - left)
        y = self._canvas.height() - MARGIN - self.height()
        key = self._canvas.findChild(ColourKey, options=Qt.FindChildOption.FindDirectChildrenOnly)
        for below in (key, *self._earlier):
            if below is not None and not below.isHidden() and below.y() > self._canvas.height() // 2:
                y = min(y, below.y() - MARGIN - self.height())
        self.move(max(self._canvas.width() - MARGIN - self.width(), left), y)

    def _paint(self) -> None:
        colours = tokens(self._canvas.palette())
        self.setStyleSheet(
            f"background: {colours.raised}; color: {getattr(colours, self._token)};"
            f"border: 1px solid {colours.border_strong}; border-radius: 4px; padding: 2px 8px;"
            + ("font-weight: 600;" if self._bold else "")
        )
        if self._link:
            self._show_text()
        self.place()

    def showEvent(self, event: QShowEvent) -> None:
        self.place()
        super().showEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES:
            if not self.isHidden():  # else it is placed when it is shown
                self.place()
        elif event.type() == QEvent.Type.PaletteChange and watched is self._canvas:
            self._paint()
        return False
