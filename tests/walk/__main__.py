"""Walks through the window with a real mouse and keyboard, and takes a picture after each step.

``python -m tests.walk FILE --screen 1366x768 --theme dark --out FOLDER`` starts a screen of its own.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.walk.screen import virtual_screen

_MOST_BYTES = 300 << 20
"""A folder that is larger is not copied with the file."""


def copy_with_folder(path: Path, folder: Path) -> Path:
    """Return a copy of a file, with its package or what lies beside it: the walk edits and saves it."""
    packages = [each for each in path.parents if (each / "package.xml").is_file()]
    for around in (*packages[:1], path.parent):
        if sum(each.stat().st_size for each in around.rglob("*") if each.is_file()) <= _MOST_BYTES:
            place = folder / around.name
            shutil.copytree(around, place, symlinks=False)
            break
    else:
        around, place = path.parent, folder / path.parent.name
        place.mkdir()
        shutil.copy(path, place)
    subprocess.run(["chmod", "-R", "u+w", str(place)], check=True)
    return place / path.relative_to(around)


def use_own_home(folder: Path) -> None:
    """Point settings and recovery files to an empty place, and let the theme and the scale be those of the walk."""
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "HOME"):
        home = folder / variable.lower()
        home.mkdir(mode=0o700)
        os.environ[variable] = str(home)


def walk(path: Path, options: argparse.Namespace, about: dict[str, object]) -> int:
    """Open a file in the window, and tell it the stories; return how many checks have failed."""
    from PySide6.QtCore import QTimer
    from PySide6.QtGui import QDesktopServices
    from PySide6.QtWidgets import QApplication

    from sdfviewer.gui.kit.theme import Choice
    from sdfviewer.gui.shell import application
    from sdfviewer.gui.shell.window import MainWindow
    from tests.walk.report import write_report, write_sheets
    from tests.walk.rest import Jobs
    from tests.walk.stories import chosen_stories
    from tests.walk.walker import Walker

    out: Path = options.out
    jobs = Jobs()
    application.make_application()
    application.user_settings().theme = Choice(options.theme)
    QDesktopServices.openUrl = lambda *_: True  # type: ignore[assignment, method-assign]
    walkers: list[Walker] = []

    def begin() -> None:
        window = next((each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow)), None)
        if window is None or not window.isVisible():
            QTimer.singleShot(20, begin)
            return

        def end() -> None:
            for file in tuple(window.files.opened):
                window.files.drop(file)
            window.close()
            QApplication.exit(0)

        walker = Walker(
            window, chosen_stories(options.only), out, jobs, lambda told: write_report(told, about, out), end
        )
        walkers.append(walker)
        walker.start()

    QTimer.singleShot(0, begin)
    application.main([path])
    outcomes = walkers[0].outcomes
    about["minutes"] = round((time.monotonic() - walkers[0].started) / 60, 1)
    write_report(outcomes, about, out)
    print(f"{write_sheets(out)} sheets and report.txt in {out}")
    return sum(len(each.failed) for each in outcomes)


def main() -> None:
    """Walk through a file; the exit code says whether a check has failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.walk", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--screen", default="1366x768", help="width and height in pixels")
    parser.add_argument("--scale", type=float, default=1.0, help="pixels of the screen for each logical pixel")
    parser.add_argument("--theme", choices=("dark", "light"), default="dark")
    parser.add_argument("--out", type=Path, required=True, help="folder for the pictures and the report")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        help="a story, a topic, or keys for the table of keys; can be given several times",
    )
    parser.add_argument("--display", type=int, default=90, help="the first number of a screen to try")
    options = parser.parse_args()
    width, height = (int(part) for part in options.screen.split("x"))
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    for old in (*options.out.glob("*.png"), *options.out.glob("report.*")):
        old.unlink()
    source = options.file.resolve()
    about: dict[str, object] = {
        "file": str(options.file), "screen": options.screen, "scale": options.scale, "theme": options.theme
    }  # fmt: skip
    if options.scale != 1.0:
        os.environ["QT_SCALE_FACTOR"] = f"{options.scale:g}"
    faulthandler.enable()
    with tempfile.TemporaryDirectory(prefix="walk-") as name, virtual_screen(width, height, options.display):
        folder = Path(name)
        use_own_home(folder)
        failed = walk(copy_with_folder(source, folder), options, about)
    # Qt may end as it likes: all there is to keep is written.
    sys.stdout.flush()
    os._exit(1 if failed else 0)


if __name__ == "__main__":
    main()
