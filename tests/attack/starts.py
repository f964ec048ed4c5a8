"""Starts the window on settings that are broken, hostile, huge or of another version: it must start and be usable.

``xvfb-run -a python -m tests.attack.starts 100`` starts a hundred windows; ``--seed N`` begins with another one.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import random
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QSettings
from PySide6.QtWidgets import QApplication

from sdfviewer.gui.context.settings import Settings, key_of
from sdfviewer.gui.kit.theme import apply_theme
from sdfviewer.gui.shell.application import make_application
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.shell.workspaces import LAYOUT_VERSION, WORKSPACES
from tests.attack.attacks import MOST_SECONDS
from tests.attack.mutation import REPOSITORY, mutate

_EXAMPLE = REPOSITORY / "resources" / "examples" / "double_pendulum.sdf"
_HUGE = 5_000_000
#: What somebody may have written into any value.
_VALUES: tuple[Callable[[random.Random], object], ...] = (
    lambda rng: rng.choice(("", "0", "-1", "nan", "inf", "1e308", "9" * 5000, "\0", "a\0b", "\ud7ff", "x" * 5000)),
    lambda rng: rng.choice((0, -1, 2**31, 2**62, 1e308, float("nan"), float("-inf"), True)),
    lambda rng: "[" * 50_000,
    lambda rng: rng.choice(("null", "[]", "{}", "[[]]", '{"a": null}', '[{"time": 1e400}]', '{"m": {"j": [1e400]}}')),
    lambda rng: rng.choice(([], ["a", 1, None], ["x" * 5000, "/dev/zero", "\0"], {"a": 1})),
    lambda rng: QByteArray(rng.randbytes(rng.choice((0, 4, 100)))),
    lambda rng: QByteArray(rng.randbytes(_HUGE)),
    lambda rng: "y" * _HUGE,
)  # fmt: skip
_NUMBERS = ("NaN", "Infinity", "-Infinity", "1e308", "-1e308", "1e12", "-1", "0", '"x"', "null", "[]", "9" * 5000)


def usual_settings(folder: Path, path: Path) -> bytes:
    """Return the settings that a window leaves behind that was used: layouts of every workspace, poses, a place."""
    file = folder / "usual.ini"
    settings = Settings(QSettings(str(file), QSettings.Format.IniFormat))
    window = _start(settings, path)
    for workspace in WORKSPACES:
        window.workspaces.switch(workspace)
        _settle()
    settings.save("poses", path, {"up": {"m::j": [0.5]}})
    settings.save("timelines", path, [{"time": 0.0, "name": "a", "easing": "smooth", "positions": {"m::j": [0.1]}}])
    settings.save("views", path, {"hidden": ["a"], "opacities": {"a": 0.5}})
    settings.shortcuts = {"file.open": "Ctrl+Shift+O"}
    settings.snap_length, settings.model_folders = 0.02, [folder]
    _end(window)
    settings._store.sync()
    return file.read_bytes()


def broken(usual: bytes, file: Path, rng: random.Random) -> None:
    """Write a settings file that is not what it should be."""
    kind = rng.randrange(6)
    if kind == 0:
        usual = mutate(usual, [usual], rng)
    elif kind == 1:
        usual = usual[: rng.randrange(len(usual))]
    elif kind == 2:  # numbers of the place of the window, of poses and keyframes
        numbers = list(re.finditer(rb"(?<=: )-?[0-9.]+", usual))
        for found in reversed(rng.sample(numbers, min(3, len(numbers)))):
            usual = usual[: found.start()] + rng.choice(_NUMBERS).replace('"', '\\"').encode() + usual[found.end() :]
    file.write_bytes(usual)
    if kind < 3:
        return
    store = QSettings(str(file), QSettings.Format.IniFormat)
    states = [key for key in store.allKeys() if isinstance(store.value(key), QByteArray)]
    if kind == 3:
        for key in rng.sample(store.allKeys(), 3):
            store.setValue(key, rng.choice(_VALUES)(rng))
    else:
        for key in states:
            state = bytes(store.value(key).data())
            others = [bytes(store.value(each).data()) for each in states]
            store.setValue(key, QByteArray(_other_state(state, others, rng, is_old=kind == 4)))
    store.sync()


def _other_state(state: bytes, others: list[bytes], rng: random.Random, *, is_old: bool) -> bytes:
    """Return a layout of another version or of another part, or one whose bytes are changed but not its head."""
    if is_old:
        version = rng.choice((0, LAYOUT_VERSION - 1, LAYOUT_VERSION + 1, 2**31 - 1))
        return state[:4] + version.to_bytes(4, "big") + state[8:]
    changed = state[:8] + mutate(state[8:], others, rng)
    return rng.choice((changed, changed, rng.choice(others), state[: rng.randrange(len(state))]))


def _start(settings: Settings, path: Path) -> MainWindow:
    apply_theme(QApplication.instance(), settings.theme)  # type: ignore[arg-type]
    window = MainWindow(settings)
    window.show()
    window.files.open([path])
    _settle()
    return window


def _settle() -> None:
    for _ in range(5):
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _end(window: MainWindow) -> None:
    for file in tuple(window.files.opened):
        window.files.drop(file)
    window.close()
    window.deleteLater()
    _settle()


def use(settings: Settings, path: Path) -> float:
    """Start a window as the program does and use what is kept: nothing raises, and what is there can be reached.

    Return how much processor time the start has taken.
    """
    began = time.process_time()
    window = _start(settings, path)
    took = time.process_time() - began
    try:
        assert window.isVisible()
        room = window.screen().availableGeometry()
        assert room.intersects(window.frameGeometry()), window.frameGeometry()
        assert window.width() >= 300, window.size()
        assert window.height() >= 200, window.size()
        assert window.menuBar().isVisible()
        assert window.current is not None
        assert window.current.session.model is not None
        for workspace in WORKSPACES:
            window.workspaces.switch(workspace)
            _settle()
        window.workspaces.reset()
        _settle()
        source = window.docks.docks["source"]
        source.show()
        _settle()
        assert source.isVisible()
    finally:
        _end(window)
    return took


def main() -> int:
    """Start some windows; return 1 where one did not start or could not be used."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack.starts", description=__doc__)
    parser.add_argument("number", nargs="?", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    faulthandler.enable()
    faults: list[str] = []
    raised: list[str] = []

    def remember(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        raised.append("".join(traceback.format_exception(kind, error, trace, limit=-4)))

    sys.excepthook = remember
    slowest = 0.0
    with tempfile.TemporaryDirectory(prefix="starts") as name:
        folder = Path(name)
        for variable in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
            os.environ[variable] = name
        path = Path(shutil.copy(_EXAMPLE, folder))
        application = make_application()
        usual = usual_settings(folder, path)
        assert key_of(path).encode() in usual
        assert b"place=" in usual
        for seed in range(options.seed, options.seed + options.number):
            faulthandler.dump_traceback_later(60, exit=True)
            file = folder / f"{seed}.ini"
            broken(usual, file, random.Random(seed))
            took = 0.0
            try:
                took = use(Settings(QSettings(str(file), QSettings.Format.IniFormat)), path)
            except Exception:
                raised.append(traceback.format_exc(limit=-4))
            slowest = max(slowest, took)
            if took > MOST_SECONDS:
                raised.append(f"{took:.1f} s of processor time")
            faults += [f"{seed}: {each}" for each in dict.fromkeys(raised)]
            for each in dict.fromkeys(raised):
                print(f"{seed}: {each}", flush=True)
            raised.clear()
            file.unlink()
        faulthandler.cancel_dump_traceback_later()
        del application
    print(f"{options.number} windows started, {len(faults)} faults, slowest {slowest:.1f} s of processor time")
    sys.stdout.flush()
    os._exit(1 if faults else 0)


if __name__ == "__main__":
    main()
