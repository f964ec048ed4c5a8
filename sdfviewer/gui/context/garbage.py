"""Collects garbage in the window's thread alone."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

#: How many objects more than are gone make a collection due, and how many collections one of older objects. A world
#: has millions of objects that live as long as its tab; collecting among them is seldom worth the pause.
MOST = (50_000, 20, 100)
_LOOK_MILLISECONDS = 200


class GarbageCollector(QObject):
    """Looks for circles of objects that nothing else refers to, in turns of the event loop, as Python does by itself.

    Python does it in whichever thread makes many objects. What Qt has made must be deleted in the window's thread: a
    dialog that was collected while a graph was laid out beside the window would end the process.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        look = QTimer(self, interval=_LOOK_MILLISECONDS)
        look.timeout.connect(self._look)
        look.start()

    def _look(self) -> None:
        due = [generation for generation, most in enumerate(MOST) if gc.get_count()[generation] > most]
        if due:
            gc.collect(due[-1])
