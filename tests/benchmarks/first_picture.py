"""Open the window on a file exactly as the program does, and end when its first picture is on the screen.

usage: python first_picture.py FILE
"""

from __future__ import annotations

import os
import sys

from sdfviewer import gui
from sdfviewer.gui.shell.application import make_application

# isort: split
# Qt comes second, as in the program: what is imported after it takes longer.
from PySide6.QtCore import QEvent, QObject
from PySide6.QtOpenGLWidgets import QOpenGLWidget


class FirstPicture(QObject):
    """Ends the process when the 3D view, and with it the window around it, has been shown for the first time."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QOpenGLWidget):
            # At once: what the program does when it is closed is no part of what is measured.
            watched.frameSwapped.connect(lambda: os._exit(0))
        return False


application = make_application()
first_picture = FirstPicture()
application.installEventFilter(first_picture)
gui.main(sys.argv[1:])
sys.exit("the window was closed without a picture")
