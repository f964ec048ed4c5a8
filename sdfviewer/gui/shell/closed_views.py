"""The views of closed files, which refer to each other in circles."""

from __future__ import annotations

import weakref

from PySide6.QtCore import QObject
from shiboken6 import isValid

from sdfviewer.gui.shell.open_file import OpenFile


class ClosedViews:
    """What a closed file leaves behind in Python when Qt has deleted its views.

    A view refers to its parts, its parts refer to the view, and most of them to the session: circles that the garbage
    collector finds only when it walks all objects of the program, which holds the window up for longer than anything
    else. Emptied views refer to nothing, so everything of the file goes as its last reference goes.
    """

    def __init__(self, file: OpenFile) -> None:
        self._session = weakref.ref(file.session)
        roots = (file, file.view, *file.panels.values())
        self._objects = [weakref.ref(each) for root in roots for each in (root, *root.findChildren(QObject))]

    def empty(self) -> bool:
        """Empty what Qt has deleted; return whether the file is gone."""
        for reference in self._objects:
            each = reference()
            if each is not None and not isValid(each):
                vars(each).clear()
        self._objects.clear()
        return self._session() is None
