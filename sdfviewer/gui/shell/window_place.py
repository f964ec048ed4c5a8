"""Where the window is on the screen, in parts of it: a start at another scale or on another screen fits too."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from sdfviewer.gui.context.settings import Settings

PREFERRED = QSize(1920, 1200)
#: A screen with less room is filled.
_ENOUGH = QSize(2000, 1260)
#: What a window manager draws around a window, at most.
FRAME = 32
_MOST = 1000.0
_STATES = {"maximized": Qt.WindowState.WindowMaximized, "full screen": Qt.WindowState.WindowFullScreen}


class WindowPlace(QObject):
    """The place of a window: saved when it closes, restored at the next start.

    A window that starts maximized has the size of the screen at once, so that its panels are laid out for it; when it
    is restored for the first time it gets the size it had before.
    """

    def __init__(self, window: QMainWindow, settings: Settings) -> None:
        super().__init__(window)
        self._window, self._settings = window, settings
        self._normal: QRect | None = None
        if not self._restore():
            self._place_first()
        window.installEventFilter(self)

    def _place_first(self) -> None:
        """Give the window its size at the first start: never more than the screen has."""
        room = self._window.screen().availableGeometry()
        size = PREFERRED.boundedTo(room.size() - QSize(2 * FRAME, 3 * FRAME))
        rect = QRect(room.topLeft() + QPoint(FRAME, FRAME), size)
        rect.moveCenter(room.center())
        is_small = room.width() < _ENOUGH.width() or room.height() < _ENOUGH.height()
        self._put(rect, Qt.WindowState.WindowMaximized if is_small else Qt.WindowState.WindowNoState)

    def _put(self, rect: QRect, state: Qt.WindowState) -> None:
        if state is Qt.WindowState.WindowNoState:
            self._window.setGeometry(rect)
            return
        self._normal = rect
        self._window.setGeometry(self._window.screen().availableGeometry())
        self._window.setWindowState(state)

    def save(self) -> None:
        """Remember where the window is."""
        window = self._window
        room = window.screen().availableGeometry()
        rect = self._normal or window.normalGeometry()
        if not rect.isValid():
            rect = window.geometry()
        self._settings.save_window_place(
            {
                "screen": window.screen().name(),
                "left": (rect.left() - room.left()) / room.width(),
                "top": (rect.top() - room.top()) / room.height(),
                "width": rect.width() / room.width(),
                "height": rect.height() / room.height(),
                "state": next((name for name, state in _STATES.items() if window.windowState() & state), ""),
            }
        )

    def _restore(self) -> bool:
        """Put the window where it was, clamped to the screen; return whether that is known."""
        place = self._settings.window_place()
        try:
            numbers = [float(str(place[key])) for key in ("left", "top", "width", "height")]
        except (KeyError, ValueError):
            return False
        if not all(math.isfinite(number) for number in numbers):
            return False
        # No screen is a thousand times larger than another, and Qt counts pixels with 31 bits.
        left, top, width, height = (min(max(number, -_MOST), _MOST) for number in numbers)
        name = str(place.get("screen", ""))
        screens = (screen for screen in QGuiApplication.screens() if screen.name() == name)
        room = next(screens, self._window.screen()).availableGeometry()
        size = QSize(round(width * room.width()), round(height * room.height()))
        size = size.expandedTo(self._window.minimumSizeHint()).boundedTo(room.size())
        x = min(max(round(left * room.width()), 0), room.width() - size.width())
        y = min(max(round(top * room.height()), 0), room.height() - size.height())
        rect = QRect(room.topLeft() + QPoint(x, y), size)
        self._put(rect, _STATES.get(str(place.get("state")), Qt.WindowState.WindowNoState))
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give the window the size it had before it was maximized at an earlier start."""
        if event.type() == QEvent.Type.WindowStateChange:
            self._shrink()
        return super().eventFilter(watched, event)

    def _shrink(self) -> None:
        large = Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen | Qt.WindowState.WindowMinimized
        if self._normal is not None and self._window.isVisible() and not self._window.windowState() & large:
            self._window.setGeometry(self._normal)
            self._normal = None
