"""Opens and closes a file many times in one window, and compares its memory in the end with that in the beginning.

``xvfb-run -a python -m tests.attack.cycles FILE`` does it a hundred times and prints a row of docs/reliability.md.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import os
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QSettings
from PySide6.QtWidgets import QApplication

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.shell.application import make_application
from sdfviewer.gui.shell.window import MainWindow
from tests.attack.figures import write_row
from tests.attack.monkey import keep_away_from_the_user, resident_bytes, settle

#: How many cycles are compared at either end, and by how much the last may exceed the first.
COMPARED, MOST_GROWTH = 10, 0.1
#: Cycles before the first that counts: fonts, icons and modules are loaded once.
_WARM_UP = 2


def cycle(window: MainWindow, path: Path) -> None:
    """Open a file, wait for its meshes, select and move what there is, type, and close it."""
    window.files.open([path])
    file = window.current
    assert file is not None, f"{path} cannot be opened"
    session = file.session
    if session.model is not None:
        session.select(session.model.names[1:2])
    if session.kinematics is not None and session.kinematics.dofs:
        session.move_joints({session.kinematics.dofs[0].joint.name: (0.1,)})
    settle()
    if file.view.canvas is not None:
        file.view.canvas.feed.wait()
    settle()
    window.files.drop(file)


def measure(path: Path, cycles: int, folder: Path) -> tuple[list[int], list[int]]:
    """Return the resident bytes and the number of Python objects after each cycle, with no file open."""
    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(Settings(store))
    window.resize(1400, 900)
    window.show()
    memory, objects = [], []
    for number in range(cycles + _WARM_UP):
        cycle(window, path)
        settle()
        window.files.closed.flush()  # as the window does a second later
        if number >= _WARM_UP:
            memory.append(resident_bytes())
            objects.append(len(gc.get_objects()))
    return memory, objects


def main() -> int:
    """Open and close files; return 1 where a file leaves more behind than it may."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack.cycles", description=__doc__)
    parser.add_argument("file", nargs="+", type=Path)
    parser.add_argument("--cycles", type=int, default=100)
    parser.add_argument("--write", action="store_true", help="write each row into docs/reliability.md")
    options = parser.parse_args()
    faulthandler.enable()
    print("| file | cycles | memory, first and last ten cycles | growth | objects |", "|---|--:|--:|--:|--:|", sep="\n")
    worst = 0.0
    with tempfile.TemporaryDirectory(prefix="cycles") as name:
        folder = Path(name)
        keep_away_from_the_user(folder)
        application = make_application()
        for path in options.file:
            memory, objects = measure(path.absolute(), options.cycles, folder)
            first, last = (sum(part) / len(part) for part in (memory[:COMPARED], memory[-COMPARED:]))
            worst = max(worst, last / first - 1)
            row = (
                f"| {path.parent.name}/{path.name} | {len(memory)} | {first / 2**20:.0f} MB, {last / 2**20:.0f} MB |"
                f" {last / first - 1:+.1%} | {objects[0]:,}, {objects[-1]:,} |"
            )
            print(row, *(f"{each >> 20}" for each in memory[::10]), flush=True)
            if options.write:  # at once: an hour later another file may fail
                write_row("cycles", row)
            for widget in QApplication.topLevelWidgets():
                widget.close()
        del application
    QCoreApplication.processEvents()
    sys.stdout.flush()
    os._exit(1 if worst > MOST_GROWTH else 0)


if __name__ == "__main__":
    main()
