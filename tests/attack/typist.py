"""Types into one open file for an hour, key by key, and compares the memory of the program then with that before.

``packaging/attack.sh 3600 --only typing --only "window typing"`` does so with a file of the repository, a hundred keys
an input. ``python -m tests.attack.typist server FILE`` types into another file in the language server, ``server-files``
opens and closes it there, and ``xvfb-run -a python -m tests.attack.typist window FILE`` types in the window. Each
prints a row of docs/reliability.md. An hour of typing is some 10 000 keys: they are sent one after the other, as fast
as the program takes them. ``tests/session/test_memory.py``, ``tests/lsp/test_memory.py`` and
``tests/gui/test_memory.py`` count objects after a thousand.

Each key is a blank behind the first number, so that the text is another one each time, and once in a while all of them
are deleted. Every tenth key is followed by what editors ask for, or by a pause in which the window reads the text.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.attack.figures import write_row
from tests.attack.mutation import REPOSITORY
from tests.attack.record import MOST_GROWTH, growth

#: What is typed into: a robot with two arms.
FILE = REPOSITORY / "tests" / "collection" / "porter" / "models" / "porter" / "model.sdf"
#: Keys of one input.
KEYS = 100
#: Keys after which what was typed is deleted again, and after which there is a pause.
_LINE, PAUSE = 200, 10
#: What editors ask for after a pause.
_ASKED = ("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "diagnostic")
#: Behind this text is typed, of whichever comes first in a file.
_BEHIND = ("<pose>", "<xyz>", "<mass>", 'xyz="', 'value="')


def place_in(text: str) -> int:
    """Return where to type: where a blank more changes nothing."""
    found = [text.index(each) + len(each) for each in _BEHIND if each in text]
    assert found, "there is no number in this file"
    return min(found)


def bytes_of(process: int) -> int:
    """Return how much memory a process takes, 0 where the system does not tell it that way."""
    statm = Path(f"/proc/{process}/statm")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if statm.exists() else 0


def keys_in_server(path: Path, keys: int) -> Iterator[int]:
    """Type in the language server; yield its memory after each pause."""
    from tests.attack.language_server import Server

    server, text, uri = Server(), path.read_text(encoding="utf-8"), path.as_uri()
    first = place_in(text)
    line, column = text.count("\n", 0, first), first - text.rfind("\n", 0, first) - 1
    document = {"uri": uri, "languageId": "sdf", "version": 1, "text": text}
    server.tell("textDocument/didOpen", {"textDocument": document})
    typed = 0
    for key in range(1, keys + 1):
        gone = typed if typed >= _LINE else 0
        start, end = ({"line": line, "character": column + each} for each in (0, gone))
        change = {"range": {"start": start, "end": end}, "text": "" if gone else " "}
        typed = 0 if gone else typed + 1
        changed = {"textDocument": {"uri": uri, "version": key + 1}, "contentChanges": [change]}
        server.tell("textDocument/didChange", changed)
        if key % PAUSE == 0:
            _ask(server, uri)
            yield bytes_of(server.process.pid)
    server.check()
    server.end()


def files_in_server(path: Path, times: int) -> Iterator[int]:
    """Open and close a file in the language server; yield its memory each time."""
    from tests.attack.language_server import Server

    server, text = Server(), path.read_text(encoding="utf-8")
    for number in range(times):
        uri = f"{path.as_uri()}{number}"
        document = {"uri": uri, "languageId": "sdf", "version": 1, "text": text}
        server.tell("textDocument/didOpen", {"textDocument": document})
        _ask(server, uri)
        server.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        yield bytes_of(server.process.pid)
    server.check()
    server.end()


def _ask(server: Any, uri: str) -> None:
    for number in [server.ask(f"textDocument/{each}", {"textDocument": {"uri": uri}}) for each in _ASKED]:
        assert "result" in (answer := server.answer(number)), answer


def keys_in_window(path: Path, keys: int) -> Iterator[int]:
    """Type in the window; yield its memory after each pause."""
    from PySide6.QtCore import QEvent, QSettings, Qt
    from PySide6.QtGui import QKeyEvent, QTextCursor
    from PySide6.QtWidgets import QApplication

    from sdfviewer.gui.context.settings import Settings
    from sdfviewer.gui.shell.application import make_application
    from sdfviewer.gui.shell.window import MainWindow
    from tests.attack.monkey import keep_away_from_the_user

    with tempfile.TemporaryDirectory(prefix="typist") as name:
        folder = Path(name)
        keep_away_from_the_user(folder)
        application = make_application()
        window = MainWindow(Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)))
        window.resize(1400, 900)
        window.show()
        window.files.open([path])
        file = window.current
        assert file is not None, f"{path} cannot be opened"
        window.app.docks.reveal("source")
        if file.view.canvas is not None:
            file.view.canvas.feed.wait()
        editor = file.source.editor
        editor.setFocus()

        def press(key: Qt.Key, text: str) -> None:
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                QApplication.sendEvent(editor, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text))

        typed, first = 0, place_in(file.source.text())
        for key in range(1, keys + 1):
            cursor = editor.textCursor()
            cursor.setPosition(first + typed)
            editor.setTextCursor(cursor)
            if typed < _LINE:
                press(Qt.Key.Key_Space, " ")
                typed += 1
            else:
                cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, typed)
                editor.setTextCursor(cursor)
                press(Qt.Key.Key_Delete, "")
                typed = 0
            QApplication.processEvents()
            file.flush()  # as a pause of a person does
            if key % PAUSE == 0:
                end = time.monotonic() + 0.5
                while time.monotonic() < end:
                    QApplication.processEvents()
                    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
                yield bytes_of(os.getpid())
        assert file.session.document.text == file.source.text()
        print(f"{len(gc.get_objects()):,} objects, of which {gc.collect():,} could be collected", file=sys.stderr)
        window.files.drop(file)
        window.close()
        del application


@cache
def _keys_in_server() -> Iterator[int]:
    return keys_in_server(FILE, sys.maxsize)


def attack(_number: int) -> int:
    """Type a hundred keys into the file that is open in the language server, and return the server's memory."""
    return max(next(_keys_in_server()) for _ in range(KEYS // PAUSE))


ROUNDS: dict[str, tuple[Callable[[Path, int], Iterator[int]], str]] = {
    "server": (keys_in_server, "keys, language server"),
    "server-files": (files_in_server, "opened and closed, language server"),
    "window": (keys_in_window, "keys, window"),
}


def main() -> int:
    """Type; return 1 where memory has grown by more than a tenth."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack.typist", description=__doc__)
    parser.add_argument("where", choices=ROUNDS)
    parser.add_argument("file", type=Path)
    parser.add_argument("--keys", type=int, default=10_000, help="how many keys, or how often the file is opened")
    parser.add_argument("--write", action="store_true", help="write the row into docs/reliability.md")
    options = parser.parse_args()
    faulthandler.enable()
    run, what = ROUNDS[options.where]
    path = options.file.absolute()
    memory: list[int] = []
    for each in run(path, options.keys):
        memory.append(each)
        if len(memory) % 50 == 0:
            print(f"{len(memory)}: {each >> 20} MB", file=sys.stderr, flush=True)
    grown = growth(memory)
    if grown is None:
        print("too few keys to say how memory grows", file=sys.stderr)
        return 0
    cells = (
        f"{options.keys:,} {what} | {max(memory[: len(memory) // 5]) >> 20} MB, {memory[-1] >> 20} MB | {grown:+.1%}"
    )
    row = f"| {path.parent.name}/{path.name}, {options.where} | {cells} |"  # a row of its own for each
    print(row, flush=True)
    if options.write:
        write_row("typist", row)
    return int(grown > MOST_GROWTH)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # Qt may take its time
