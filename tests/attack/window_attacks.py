"""The attacks that need a window: what they keep open, and may write to, lasts as long as the process."""

from __future__ import annotations

import gc
import random
import shutil
import sys
import tempfile
import traceback
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QSettings

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.shell.application import make_application
from tests.attack import starts
from tests.attack.monkey import Monkey, keep_away_from_the_user
from tests.attack.mutation import REPOSITORY
from tests.attack.typist import FILE, KEYS, PAUSE, keys_in_window

_EXAMPLE = REPOSITORY / "resources" / "examples" / "double_pendulum.sdf"
#: What exceptions in slots and overrides of Qt have said since the last input.
_raised: list[str] = []


@cache
def _folder() -> Path:
    """Return the folder that everything is written to, and listen to exceptions from now on."""
    folder = Path(tempfile.mkdtemp(prefix="sdfviewer-attack-"))
    keep_away_from_the_user(folder)

    def remember(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _raised.append("".join(traceback.format_exception(kind, error, trace, limit=-4)))

    sys.excepthook = remember
    return folder


def _check() -> None:
    said = [*dict.fromkeys(_raised)]
    _raised.clear()
    assert not said, "\n".join(said)


# --- typing ----------------------------------------------------------------------------------------------------------


@cache
def _keys() -> Iterator[int]:
    _folder()
    return keys_in_window(FILE, sys.maxsize)


def type_keys(_number: int) -> int:
    """Type a hundred keys into the file that is open in the window, and return the memory of this process."""
    memory = max(next(_keys()) for _ in range(KEYS // PAUSE))
    _check()
    return memory


# --- starts ----------------------------------------------------------------------------------------------------------


@cache
def _usual() -> tuple[bytes, Path]:
    folder = _folder()
    path = Path(shutil.copy(_EXAMPLE, folder))
    make_application()
    return starts.usual_settings(folder, path), path


def start(number: int) -> None:
    """Start a window on settings, recovery files and decisions that are broken, and use it."""
    usual, path = _usual()
    rng = random.Random(number)
    file = _folder() / f"{number}.ini"
    starts.broken(usual, file, rng)
    try:
        starts.use(Settings(QSettings(str(file), QSettings.Format.IniFormat)), path)
    finally:
        file.unlink(missing_ok=True)
    _check()


# --- the monkey ------------------------------------------------------------------------------------------------------


@cache
def _monkey() -> Monkey:
    monkey = Monkey(_folder())
    monkey.listen()
    return monkey


def play(number: int) -> int:
    """Let the monkey play a round, and return the memory without a file."""
    monkey = _monkey()
    known = len(monkey.findings.faults)
    monkey.play(number)
    assert len(monkey.findings.faults) == known, "\n".join(monkey.findings.faults[known:])
    gc.collect()
    return monkey.findings.memory[-1]
