"""Open the window on a file exactly as the program does, and end with the first picture in its 3D view.

usage: python first_picture.py FILE
"""

from __future__ import annotations

import sys

from sdfviewer import gui
from sdfviewer.gui.application import make_application

# isort: split
# Qt comes second, as in the program: what is imported after it takes longer.
from PySide6.QtCore import QTimer
from PySide6.QtOpenGLWidgets import QOpenGLWidget

application = make_application()


def end_with_the_next_picture() -> None:
    canvases = [widget for widget in application.allWidgets() if isinstance(widget, QOpenGLWidget)]
    assert canvases, "the window shows no 3D view"
    for canvas in canvases:
        canvas.frameSwapped.connect(application.quit)
        canvas.update()


QTimer.singleShot(0, end_with_the_next_picture)
sys.exit(gui.main(sys.argv[1:]))
