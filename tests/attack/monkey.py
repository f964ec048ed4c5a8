"""A monkey at the window: it clicks, types, drags, opens, saves and closes, and then looks at what must hold.

``xvfb-run -a python -m tests.attack.monkey 7200`` lets it play for two hours in one window, on copies of files;
``--seed N`` begins with another round. After each round these hold:

- nothing has raised, logged an error or taken the window's thread for long,
- what is shown is what a fresh load of the text shows,
- to undo everything gives the bytes that the file was opened with, and those of the files that edits of it change,
- what was closed is gone: no session, file or scene of it is alive, no temporary and no recovery file is left.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import logging
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
import weakref
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType, ModuleType, TracebackType

import numpy as np
from PySide6.QtCore import QEvent, QSettings, Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QDesktopServices, QDrag
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog

from sdfviewer.document.document import parse_document
from sdfviewer.files.opening import open_document
from sdfviewer.files.recovery import recoveries
from sdfviewer.formats.xacro.decisions import Answer, Decisions
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.theme import apply_theme
from sdfviewer.gui.shell.application import make_application
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from tests.attack.figures import write_table
from tests.attack.gestures import GESTURES, Hand
from tests.attack.mutation import REPOSITORY
from tests.attack.robot_edits import robot_files
from tests.corpus import corpus_files

#: Processor time of the window's thread, in seconds, that one gesture may take.
LIMIT = 5.0
#: The size of the window, in pixels, in which its memory is measured: its pictures take some bytes a pixel.
_SIZE = (1400, 900)
#: What a folder of a real file may hold to be copied, in bytes.
_MOST_BYTES = 4 << 20
#: How many of the files are written for this, and how many of those of xacro may be evaluated.
_WRITTEN, _ALLOWED = 0.25, 0.8
#: Messages of Qt that say something about the screen, not about the program.
_HARMLESS = ("xcb", "propagateSizeHints", "QWindowsWindow", "This plugin does not support", "XKB", "OpenType support")


@dataclass
class Findings:
    """What the monkey has come to.

    Attributes
    ----------
    steps, rounds
        How much it did.
    faults
        Each with the number of its round.
    slowest
        Processor time of the longest gesture, and what it was.
    memory
        Resident bytes of the process after each round, with no file open.
    """

    steps: int = 0
    rounds: int = 0
    faults: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    memory: list[int] = field(default_factory=list)


class Monkey:
    """One window and what happens to it.

    Parameters
    ----------
    folder
        Everything that it may write to.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.findings = Findings()
        self._round = 0
        self._last: list[str] = []
        self.window = self._make_window()
        self._files = list(self._seeds())
        self._closed: list[tuple[str, weakref.ref[object]]] = []

    def _make_window(self) -> MainWindow:
        application = make_application()
        store = QSettings(str(self.folder / "settings.ini"), QSettings.Format.IniFormat)
        settings = Settings(store)
        apply_theme(application, settings.theme)
        window = MainWindow(settings)
        window.resize(*_SIZE)
        window.show()
        return window

    @staticmethod
    def _seeds() -> list[Path]:
        suffixes = (".sdf", ".urdf", ".world", ".xacro")
        found = sorted((REPOSITORY / "tests" / "gui" / "data" / "faults").glob("*.sdf"))
        return [*found, *(path for path in corpus_files(*suffixes) if path.stat().st_size < 200_000)]

    # --- what is found ---------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """From now on count exceptions, errors in the log and warnings of Qt as faults."""
        monkey = self

        class Errors(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                monkey.report(self.format(record))

        handler = Errors(logging.ERROR)
        handler.setFormatter(logging.Formatter("%(message)s"))
        logging.getLogger().addHandler(handler)

        def raised(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
            monkey.report("".join(traceback.format_exception(kind, error, trace)))

        sys.excepthook = raised
        qInstallMessageHandler(self._take_message)

    def _take_message(self, kind: QtMsgType, _context: object, text: str) -> None:
        serious = kind in (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)
        if serious and not any(word in text for word in _HARMLESS):
            self.report(f"Qt: {text}")

    def report(self, what: str) -> None:
        """Note a fault with what was done before."""
        done = " ".join(self._last[-12:])
        self.findings.faults.append(f"round {self._round}: {what}\n  after: {done}")
        print(self.findings.faults[-1], file=sys.stderr, flush=True)

    # --- a round ---------------------------------------------------------------------------------------------------

    def play(self, seed: int) -> None:
        """Open some files, do a hundred things with them, look, undo it all and close them."""
        self._round, self._last = seed, []
        rng = random.Random(seed)
        place = Path(tempfile.mkdtemp(dir=self.folder, prefix="round"))
        os.chdir(place)
        hand = Hand(self.window, rng, place, self._copy)
        hand.accompany()
        self.window.files.removed.connect(self._watch)
        try:
            hand.open(*(self._copy(rng, place) for _ in range(rng.choice((1, 1, 2)))))
            for _ in range(rng.randrange(20, 120)):
                name = rng.choices(list(GESTURES), [weight for _, weight in GESTURES.values()])[0]
                self._do(name, partial(GESTURES[name][0], hand))
                if rng.random() < 0.1:
                    self._look(hand)
            self._look(hand)
            self._undo_all(hand)
        finally:
            hand.rest()
            self._close_all()
            self.window.files.removed.disconnect(self._watch)
            os.chdir(self.folder)
            shutil.rmtree(place, ignore_errors=True)
        self._look_behind()
        self.findings.rounds += 1

    def _copy(self, rng: random.Random, place: Path) -> Path:
        """Return a copy of a random file; of a small model folder with all that lies beside it.

        Most xacro files may be evaluated, so that what they write is edited.
        """
        folder = Path(tempfile.mkdtemp(dir=place, prefix="file"))
        path = self._written(rng, folder) if rng.random() < _WRITTEN else self._copied(rng, folder)
        if rng.random() < _ALLOWED and path.suffix in (".xacro", ".urdf"):
            Decisions("").decide([open_document(path)], Answer.FOLDER)
        return path

    @staticmethod
    def _written(rng: random.Random, folder: Path) -> Path:
        """Return a robot that is written in xacro or URDF for this."""
        files = robot_files(rng, is_xacro=rng.random() < _ALLOWED)
        for name, text in files.items():
            (folder / name).write_bytes(text.encode())
        return folder / next(iter(files))

    def _copied(self, rng: random.Random, folder: Path) -> Path:
        source = rng.choice(self._files)
        beside = [path for path in source.parent.rglob("*") if path.is_file()]
        if len(beside) < 100 and sum(path.stat().st_size for path in beside) < _MOST_BYTES:
            shutil.copytree(source.parent, folder / source.parent.name)
            return folder / source.parent.name / source.name
        return Path(shutil.copy(source, folder))

    def _do(self, name: str, gesture: Callable[[], object]) -> None:
        self._last.append(name)
        self.findings.steps += 1
        faulthandler.dump_traceback_later(120)
        began = time.thread_time()
        try:
            detail = gesture()
            QApplication.processEvents()
            # The loop of the program does this by itself; one that is begun by hand does not.
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        except Exception:
            self.report(traceback.format_exc())
            return
        finally:
            faulthandler.cancel_dump_traceback_later()
        took = time.thread_time() - began
        self._last[-1] += f"({detail})" if detail else ""
        if took > self.findings.slowest[0]:
            self.findings.slowest = took, self._last[-1]
        if took > LIMIT:
            self.report(f"{self._last[-1]} took {took:.1f} s")

    # --- what must hold --------------------------------------------------------------------------------------------

    def _look(self, hand: Hand) -> None:
        hand.let_go()
        for file in tuple(self.window.files.opened):
            self._do("look", partial(look_at, self.window, file))

    def _undo_all(self, hand: Hand) -> None:
        hand.let_go()
        for file in tuple(self.window.files.opened):
            self._do("undo all", partial(undo_all, file, hand.originals, hand.contents))

    def _close_all(self) -> None:
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, QDialog) and widget.isVisible():
                widget.reject()
        while self.window.files.opening is not None:
            self.window.files.opening.cancel()
            QApplication.processEvents()
        for file in tuple(self.window.files.opened):
            self.window.files.drop(file)

    def _watch(self, file: OpenFile) -> None:
        self._closed += watched(file)

    def _look_behind(self) -> None:
        """Look whether the round has left anything behind."""
        alive = Counter[str]()
        for _ in range(20):
            settle()
            alive = Counter(name for name, reference in self._closed if reference() is not None)
            if not alive:
                break
            time.sleep(0.05)  # a thread may still end
        if alive:
            held = [each for each in (reference() for _, reference in self._closed) if each is not None]
            self.report(f"still alive: {dict(alive)}, held by\n{holders(held.pop())}")
        self._closed.clear()
        if left := [lost.source.name for lost in recoveries()]:
            self.report(f"recovery files of files that are closed: {left}")
        self.window.resize(*_SIZE)
        settle()
        self.window.files.closed.flush()  # as the window does a second later
        self.findings.memory.append(resident_bytes())


def resident_bytes() -> int:
    """Return how much memory the process takes, 0 where the system does not tell it that way."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if statm.exists() else 0


def settle() -> None:
    """Let Qt delete what is to be deleted, and Python what nobody holds."""
    for _ in range(4):
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


def holders(held: object) -> str:
    """Return the shortest ways from an object to what holds it from outside, a line for each step.

    Outside is what nothing seen by the collector refers to, as Qt does, or a module, the window or its settings.
    """
    referrers: dict[int, list[object]] = {}
    everything = gc.get_objects()
    for each in everything:
        for referent in gc.get_referents(each):
            referrers.setdefault(id(referent), []).append(each)
    origins: dict[int, tuple[object, int]] = {id(held): (held, 0)}
    ours = {id(everything), id(referrers), id(origins)}
    frame: FrameType | None = sys._getframe()
    while frame is not None:  # those of an exception that somebody keeps are not ours
        ours.add(id(frame))
        frame = frame.f_back
    queue, found = deque([held]), list[str]()
    while queue and len(found) < 4:
        each = queue.popleft()
        known = [one for one in referrers.get(id(each), ()) if id(one) not in ours]
        if not known or isinstance(each, ModuleType | MainWindow | Settings):
            found.append(_way(each, origins))
            continue
        for one in known:
            if id(one) not in origins:
                origins[id(one)] = one, id(each)
                queue.append(one)
    return "\n".join(found) or f"nothing seen among {len(origins)} objects"


def _way(end: object, origins: dict[int, tuple[object, int]]) -> str:
    lines = []
    at = id(end)
    while at:
        each, at = origins[at]
        lines.append(f"  {type(each).__module__}.{type(each).__qualname__} {_described(each)}")
    return "\n".join(lines)


def _described(each: object) -> str:
    try:
        return repr(each)[:120]
    except RuntimeError:  # Qt has deleted its half
        return "(deleted)"


def watched(file: OpenFile) -> list[tuple[str, weakref.ref[object]]]:
    """Return weak references to what must not outlive a file."""
    session = file.session
    found: list[tuple[str, object]] = [("session", session), ("file", file), ("view", file.view)]
    found += [(f"panel {name}", panel) for name, panel in file.panels.items()]
    if session.model is not None:
        found.append(("model", session.model))
    if file.view.canvas is not None:
        found.append(("scene", file.view.canvas.feed.scene))
    return [(name, weakref.ref(each)) for name, each in found]


def look_at(window: MainWindow, file: OpenFile) -> None:
    """Assert that a file is shown as a fresh load of its text would be."""
    file.flush()
    window.files.catch_up(file)
    session = file.session
    document = session.document
    assert file.source.text() == document.text, "the source shows another text"
    assert not any(each.rule.name == "internal-error" for each in session.diagnostics), session.diagnostics
    if session.is_reading:
        return  # a xacro file is evaluated beside the window
    fresh = parse_document(document.text, document.path, encoding=document.encoding, on_disk=document.fingerprint)
    model, diagnostics = session.make_loader().load_with_diagnostics(fresh)
    shown = [each.message for each in session.diagnostics]
    assert shown[: len(diagnostics)] == [each.message for each in diagnostics], "other problems than a fresh load"
    if model is not None:
        assert session.model is not None, "a model that can be read is not shown"
        assert session.model.names == model.names, "other names than a fresh load"
        assert np.allclose(session.model.X_RootF, model.X_RootF, equal_nan=True), "other poses than a fresh load"
        assert file.tree.source.model is session.model, "the tree shows another model"
        scene = file.view.canvas.feed.scene if file.view.canvas is not None else None
        if scene is not None and len(model):
            assert len(scene.X_RootF) == len(model), "the scene shows another model"
    if file.history.isVisible():
        assert file.history.list.count() == len(session.history.steps), "the history shows other steps"
    if file is window.current:
        assert window.actions_by_id["edit.undo"].isEnabled() == session.can_undo
        assert window.isWindowModified() == session.dirty


def undo_all(file: OpenFile, originals: Mapping[int, bytes], contents: Mapping[Path, bytes]) -> None:
    """Assert that undoing everything gives the bytes of the file and of others, and redoing it the text before."""
    file.flush()
    session = file.session
    before = session.document.text
    edits = len(session.history.steps) - 1 - session.history.index
    while session.can_undo:
        session.undo()
    assert session.document.to_bytes() == originals[id(file)], "undoing everything gives other bytes"
    assert not (left := others_left(file, contents)), f"undoing everything leaves changes in {left}"
    while session.can_redo:
        session.redo()
    for _ in range(edits):
        session.undo()
    assert session.document.text == before, "redoing everything gives another text"


def others_left(file: OpenFile, contents: Mapping[Path, bytes]) -> list[str]:
    """Return the names of other files that differ from the disk, though nobody else has changed them there."""
    return [path.name for path in file.session.others if path.exists() and contents.get(path) == path.read_bytes()]


def play(seconds: float, first: int, folder: Path, rounds: int | None = None) -> Findings:
    """Let a monkey play, and return what it has found."""
    monkey = Monkey(folder)
    monkey.listen()
    deadline, seed = time.monotonic() + seconds, first
    while time.monotonic() < deadline and (rounds is None or seed < first + rounds):
        try:
            monkey.play(seed)
        except Exception:
            monkey.report(traceback.format_exc())
        found = monkey.findings
        memory = f"{found.memory[-1] >> 20} MB" if found.memory else "?"
        objects = len(gc.get_objects())
        print(f"round {seed}: {found.steps} steps, {len(found.faults)} faults, {memory}, {objects} objects", flush=True)
        seed += 1
    return monkey.findings


def keep_away_from_the_user(folder: Path) -> None:
    """Point settings, recovery and dialogs to a folder of our own, open no browser, and drag nothing out of the window.

    The system ends a drag when the real mouse is released, and the monkey has none.
    """
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "HOME", "APPDATA"):
        home = folder / variable.lower()
        home.mkdir(mode=0o700, exist_ok=True)
        os.environ[variable] = str(home)
    QDesktopServices.openUrl = lambda *_: True  # type: ignore[assignment, method-assign]
    QDrag.exec = lambda *_: Qt.DropAction.IgnoreAction  # type: ignore[assignment, method-assign]
    QFileDialog.getSaveFileName = lambda *_, **__: ("", "")  # type: ignore[assignment, method-assign]
    QFileDialog.getOpenFileName = lambda *_, **__: ("", "")  # type: ignore[assignment, method-assign]
    QFileDialog.getOpenFileNames = lambda *_, **__: ([], "")  # type: ignore[assignment, method-assign]
    QFileDialog.getExistingDirectory = lambda *_, **__: ""  # type: ignore[assignment, method-assign]


def main() -> int:
    """Let the monkey play for some seconds; return 1 where it found a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack.monkey", description=__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1, help="the number of the first round")
    parser.add_argument("--rounds", type=int, help="end after so many rounds")
    parser.add_argument("--write", action="store_true", help="write the figures into docs/reliability.md")
    options = parser.parse_args()
    faulthandler.enable()
    with tempfile.TemporaryDirectory(prefix="monkey") as name:
        folder = Path(name)
        keep_away_from_the_user(folder)
        began = time.monotonic()
        found = play(options.seconds, options.seed, folder, options.rounds)
        minutes = (time.monotonic() - began) / 60
    took, gesture = found.slowest
    first, last = (sum(part) / len(part) / 2**20 for part in (found.memory[:10], found.memory[-10:]))
    lines = ["| minutes | rounds | steps | faults | slowest step | memory, first and last ten rounds |"]
    lines += ["|--:|--:|--:|--:|--:|--:|"]
    lines.append(
        f"| {minutes:.0f} | {found.rounds:,} | {found.steps:,} | {len(found.faults)} | {took:.2f} s |"
        f" {first:.0f} MB, {last:.0f} MB |"
    )
    print("\n".join(lines), f"\nslowest: {gesture}")
    if options.write:
        write_table("monkey", lines)
    # What is written down is all there is to keep: Qt may end as it likes.
    sys.stdout.flush()
    os._exit(1 if found.faults else 0)


if __name__ == "__main__":
    main()
