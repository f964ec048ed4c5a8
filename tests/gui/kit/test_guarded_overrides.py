"""An exception in an override of a method of Qt is reported, and the program goes on."""

from __future__ import annotations

import subprocess
import sys

from sdfviewer.gui.tree.tree_model import FrameTreeModel
from tests.patience import PATIENCE_SECONDS

PROGRAM = """
import sys
import sdfviewer.gui
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

__name__ = "sdfviewer.part"  # of which the classes are

class Part(QWidget):
    def resizeEvent(self, event):
        if event.size().width() == 300:
            [][0]

class Slot(QWidget):
    def close(self):
        print("closed", self.isVisible())
        return super().close()

sys.excepthook = lambda kind, error, trace: print(kind.__name__, flush=True)
application = QApplication([])
part, slot = Part(), Slot()
part.show()
slot.windowTitleChanged.connect(slot.close)
QTimer.singleShot(0, lambda: part.resize(300, 200))
QTimer.singleShot(10, lambda: slot.setWindowTitle("its signal has an argument, the slot has none"))
QTimer.singleShot(20, application.quit)
application.exec()
print("alive", flush=True)
"""


def test_the_program_survives_what_an_override_raises() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    assert done.stdout.split("\n")[:-1] == ["IndexError", "closed False", "alive"], done.stderr
    assert done.returncode == 0


def test_only_what_raises_nothing_is_called_directly() -> None:
    methods = FrameTreeModel.index, FrameTreeModel.hasChildren, FrameTreeModel.parent
    is_guarded = [hasattr(method, "__wrapped__") for method in methods]
    assert is_guarded == [False, False, sys.version_info < (3, 12)]
