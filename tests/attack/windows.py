"""Kills windows in which somebody types, and measures how much of the typing is lost.

``xvfb-run -a python -m tests.attack.windows 100`` kills a hundred windows.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

#: Seconds of typing that may be lost.
LIMIT = 1.0
#: Milliseconds between two keys: faster than typing pauses.
_KEYS = 120

_TYPIST = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtTest import QTest
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.shell.application import make_application
from sdfviewer.gui.shell.window import MainWindow
folder, path = Path(sys.argv[1]), Path(sys.argv[2])
application = make_application()
window = MainWindow(Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)))
window.show()
window.files.open([path])
editor = window.current.source.editor
editor.select(0)
count = 0
def press():
    global count
    QTest.keyClicks(editor, "x")
    count += 1
    print(count, time.time(), flush=True)
timer = QTimer(interval=int(sys.argv[3]))
timer.timeout.connect(press)
timer.start()
application.exec()
"""


def kill_one(seed: int) -> float:
    """Return how many seconds of typing were lost when a window was killed at a random moment."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "a.sdf"
        path.write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>', encoding="utf-8")
        environment = {**os.environ, "XDG_STATE_HOME": name, "XDG_CONFIG_HOME": name}
        command = [sys.executable, "-c", _TYPIST, name, str(path), str(_KEYS)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        pressed: list[float] = []
        wanted = rng.randrange(5, 40)
        while len(pressed) < wanted:
            pressed.append(float(process.stdout.readline().split()[1]))
        time.sleep(rng.random() * _KEYS / 1000)
        killed = time.time()
        process.kill()
        process.communicate()
        kept = 0
        for file in (folder / "sdfviewer" / "recovery").glob("*.recovery"):
            found = re.search(rb"\n(x*)<sdf", file.read_bytes())
            kept = max(kept, len(found[1]) if found else 0)
        return killed - pressed[kept] if kept < len(pressed) else 0.0


def main() -> int:
    """Kill some windows; return 1 where more was lost than may be."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    lost = [kill_one(seed) for seed in range(number)]
    print(f"{number} windows killed, at most {max(lost):.2f} s of typing lost")
    return int(max(lost) > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
