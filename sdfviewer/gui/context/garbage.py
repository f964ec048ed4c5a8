"""Collects garbage in the window's thread alone."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

from sdfviewer.garbage_collection import count_as_old

#: How many objects more than are gone make a collection due, and how many collections one of older objects. A world
#: has millions of objects that live as long as its tab; collecting among them is seldom worth the pause.
MOST = (50_000, 20, 100)
#: More objects at once are of a file that was opened: nearly all of them live as long as its tab. They count as old at
#: once, for to look at each holds a window with a large world up.
_AT_ONCE = 4 * MOST[0]
#: So many objects count as old unseen before all are looked at after all.
_MOST_UNSEEN = 5_000_000
_LOOK_MILLISECONDS = 200


class GarbageCollector(QObject):
    """Looks for circles of objects that nothing else refers to, in passes of the event loop, as Python does by itself.

    Python does it in whichever thread makes many objects. What Qt has made must be deleted in the window's thread: a
    dialog that was collected while a graph was laid out in the background would end the process.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._unseen = 0
        look = QTimer(self, interval=_LOOK_MILLISECONDS)
        look.timeout.connect(self._look)
        look.start()

    def _look(self) -> None:
        counts = gc.get_count()
        due = [generation for generation, most in enumerate(MOST) if counts[generation] > most]
        self._unseen += counts[0] if counts[0] > _AT_ONCE else 0
        if self._unseen > _MOST_UNSEEN:
            self._unseen = 0
            gc.collect()
        elif counts[0] > _AT_ONCE:
            count_as_old()
        elif due:
            gc.collect(due[-1])
