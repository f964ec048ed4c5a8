"""Icons by meaning, drawn from the Material Design icon font: one for each kind of frame, severity and action."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPixmap, QPixmapCache

from sdfviewer.diagnostics import Severity
from sdfviewer.extras import EXTRAS, MissingExtraError
from sdfviewer.gui.kit.theme import tokens

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

    def __init__(self, character: str, colour: str) -> None:
        super().__init__()
        self._character, self._colour = character, colour

    def _colour_in(self, mode: QIcon.Mode) -> str:
        return tokens().colour("disabled" if mode is QIcon.Mode.Disabled else self._colour)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        painter.save()
        font = QFont(_family())
        font.setPixelSize(max(1, round(min(rect.width(), rect.height()) * FILL)))
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        painter.setFont(font)
        painter.setPen(QColor(self._colour_in(mode)))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._character)
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        if size.isEmpty():  # of a button without room
            return QPixmap()
        key = f"{self._character} {self._colour_in(mode)} {size.width()} {size.height()}"
        # A window that is painted again shows some eighty of them.
        if QPixmapCache.find(key, known := QPixmap()):
            return known
        picture = QPixmap(size)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        QPixmapCache.insert(key, picture)
        return picture

    def clone(self) -> QIconEngine:
        return _GlyphEngine(self._character, self._colour)


#: One icon for each kind, distinguished by shape as well as by colour.
KINDS = {
    "world": "mdi6.earth",
    "model": "mdi6.hexagon-outline",
    "link": "mdi6.cube-outline",
    "joint": "mdi6.rotate-3d-variant",
    "frame": "mdi6.axis-arrow",
    "visual": "mdi6.eye-outline",
    "collision": "mdi6.shield-outline",
    "sensor": "mdi6.access-point",
    "light": "mdi6.lightbulb-outline",
    "actor": "mdi6.walk",
    "projector": "mdi6.projector",
    "particle_emitter": "mdi6.smoke",
}
SEVERITIES = {
    Severity.ERROR: "mdi6.close-octagon",
    Severity.WARNING: "mdi6.alert",
    Severity.INFO: "mdi6.information-outline",
}
#: What is marked for what is hidden in it; information is too little for that.
_INSIDE = {Severity.ERROR: "mdi6.close-octagon-outline", Severity.WARNING: "mdi6.alert-outline"}


@lru_cache(maxsize=512)
def icon(name: str, colour: str = "text") -> QIcon:
    """Return an icon of the font in a colour of the theme, see :meth:`.Tokens.colour`; grey where it is disabled.

    It is painted in the theme of the moment. Only a picture of it has to be made again for another theme.

    Raises
    ------
    KeyError
        If the font has no icon of that name.
    AttributeError
        If the theme has no colour of that name.
    """
    tokens().colour(colour)  # raises here, and not where it is painted
    return QIcon(_GlyphEngine(glyph(name), colour))


def kind_icon(kind: str, *, resolved: bool = True) -> QIcon:
    """Return the icon of a kind of frame, greyed where its pose cannot be resolved."""
    return icon(KINDS[kind], f"kind {kind}" if resolved else "disabled")


def severity_icon(severity: Severity) -> QIcon:
    """Return the icon of a severity."""
    return icon(SEVERITIES[severity], severity.value)


def inside_icon(severity: Severity) -> QIcon:
    """Return the icon of something with a problem of a severity in what it hides, an error or a warning."""
    return icon(_INSIDE[severity], severity.value)
