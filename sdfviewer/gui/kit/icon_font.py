"""Icons drawn from the Material Design font that comes with QtAwesome.

QtAwesome itself is not imported: it wraps all of Qt again and loads eleven fonts, a fifth of a second at each start.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPixmap, QPixmapCache

from sdfviewer.extras import EXTRAS, MissingExtraError

PREFIX = "mdi6."
FILL = 0.94
"""Part of an icon's square that the font's em square takes: its glyphs leave a little blank themselves."""


@cache
def _folder() -> Path:
    found = find_spec("qtawesome")
    if found is None or not found.submodule_search_locations:
        raise MissingExtraError("qtawesome", EXTRAS["qtawesome"])
    return Path(found.submodule_search_locations[0]) / "fonts"


def _file(pattern: str) -> Path:
    # The names carry the version of the font.
    return next(_folder().glob(pattern))


@cache
def _family() -> str:
    number = QFontDatabase.addApplicationFont(str(_file("materialdesignicons6-webfont-[0-9]*.ttf")))
    return QFontDatabase.applicationFontFamilies(number)[0]


@cache
def _glyphs() -> dict[str, str]:
    charmap: dict[str, str] = json.loads(_file("materialdesignicons6-webfont-charmap-*.json").read_text("utf-8"))
    return charmap


def glyph(name: str) -> str:
    """Return the character of an icon.

    Raises
    ------
    KeyError
        If the font has no icon of that name.
    """
    return chr(int(_glyphs()[name.removeprefix(PREFIX)], 16))


class _GlyphEngine(QIconEngine):
    """Draws one glyph at any requested size and resolution."""

    def __init__(self, character: str, colour: str, disabled: str) -> None:
        super().__init__()
        self._character, self._colour, self._disabled = character, colour, disabled

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        painter.save()
        font = QFont(_family())
        font.setPixelSize(max(1, round(min(rect.width(), rect.height()) * FILL)))
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        painter.setFont(font)
        painter.setPen(QColor(self._disabled if mode == QIcon.Mode.Disabled else self._colour))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._character)
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        if size.isEmpty():  # of a button without room
            return QPixmap()
        colour = self._disabled if mode == QIcon.Mode.Disabled else self._colour
        key = f"{self._character} {colour} {size.width()} {size.height()}"
        # A window that is painted again shows some eighty of them.
        if QPixmapCache.find(key, known := QPixmap()):
            return known
        picture = QPixmap(size)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        QPixmapCache.insert(key, picture)
        return picture

    def clone(self) -> QIconEngine:
        return _GlyphEngine(self._character, self._colour, self._disabled)


def glyph_icon(name: str, colour: str, disabled: str) -> QIcon:
    """Return an icon of the font in one colour, and in another where it is disabled."""
    return QIcon(_GlyphEngine(glyph(name), colour, disabled))
