"""The meter of the window: how long a frame and the last edit took, and what has held the window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QLabel, QWidget

from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.shell.files.files import Files
from sdfviewer.gui.shell.watchdog import Watchdog
from sdfviewer.session.session_change import SessionChange

LIMIT = 0.1
"""Seconds after which something is said to hold the window: a key or click is felt to wait."""
_SHOW_MILLISECONDS = 250
_FRAMES = 10
"""Number of frames whose median is shown."""
_GAP, _BESIDE_CUBE = 8, 112
"""Pixels to the upper edge, and to the right one, where the view cube is."""


class PerformanceMeter(QLabel):
    """Lies over the lower right corner of the 3D views and measures while it is there.

    Parameters
    ----------
    files
        The open files; that in front is measured.
    views
        What shows their 3D views.
    """

    def __init__(self, files: Files, views: QWidget) -> None:
        super().__init__(views)
        self.setObjectName("performance")
        self.setAccessibleName("Performance")
        self.setProperty("role", "floating")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setContentsMargins(8, 4, 8, 4)
        self._files, self._views = files, views
        self._frames: list[float] = []
        self._edit = 0.0
        self._held = ""
        self._ends: list[Callable[[], object]] = []
        self._soon = delayed(self, self._say, _SHOW_MILLISECONDS)
        self._watchdog = Watchdog(self, LIMIT, logs=False)
        self._watchdog.held.connect(self._note_hold)
        files.current_changed.connect(self._follow)
        views.installEventFilter(self)
        self._follow()
        self._say()
        self.show()

    def stop(self) -> None:
        """Measure no longer, and go."""
        self._watchdog.stop()
        self._files.current_changed.disconnect(self._follow)
        self._views.removeEventFilter(self)
        self._leave()
        self.hide()
        self.deleteLater()

    def _leave(self) -> None:
        for end in self._ends:
            end()
        self._ends = []

    def _follow(self) -> None:
        """Measure the file in front."""
        self._leave()
        file, self._frames = self._files.current, []
        if file is None:
            return
        canvas, context = file.view.canvas, file.context
        if canvas is not None:
            canvas.pictured.connect(self._note_frame)
            self._ends.append(lambda: canvas.pictured.disconnect(self._note_frame))
        context.changed.connect(self._note_change)
        self._ends.append(lambda: context.changed.disconnect(self._note_change))
        self.raise_()

    def _note_frame(self) -> None:
        file = self._files.current
        if file is not None and file.view.canvas is not None:
            self._frames = [*self._frames[1 - _FRAMES :], file.view.canvas.draw_seconds]
            self._soon.start()

    def _note_change(self, change: SessionChange) -> None:
        if change.document:
            self._soon.start()

    def _note_hold(self, seconds: float, where: str) -> None:
        self._held = f"held {seconds:.1f} s in {where}"
        self._soon.start()

    def _say(self) -> None:
        file = self._files.current
        parts = []
        if self._frames:
            parts.append(f"{1000 * sorted(self._frames)[len(self._frames) // 2]:.0f} ms a frame")
        if file is not None and file.context.edits.seconds is not None:
            parts.append(f"last edit {1000 * file.context.edits.seconds:.0f} ms")
        parts.append(self._held or f"nothing held the window for {LIMIT:g} s")
        self.setText(" · ".join(parts))
        self.adjustSize()
        self._place()

    def _place(self) -> None:
        room = self._views.rect()
        self.move(max(room.right() - self.width() - _BESIDE_CUBE, 0), _GAP)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the corner."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False
