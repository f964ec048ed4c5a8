"""The window follows an editor's text, the editor follows the window."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtNetwork import QLocalSocket
from pytestqt.qtbot import QtBot

from sdfviewer.gui.shell.live_server import LiveServer
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.refactoring.pose_writing import set_pose_component, set_relative_to
from sdfviewer.session.live_link import announce, decode, encode, endpoints, prepare_folder

pytestmark = pytest.mark.panels("source")

TEXT = """<sdf version="1.9">
  <model name="m">
    <link name="a"/>
    <link name="b"><pose>1 0 0 0 0 0</pose></link>
  </model>
</sdf>
"""


class Peer:
    """An editor's end of the socket."""

    def __init__(self, qtbot: QtBot, address: str) -> None:
        self._qtbot = qtbot
        self._socket = QLocalSocket()
        self._socket.connectToServer(address)
        assert self._socket.waitForConnected(5000)

    def send(self, **message: Any) -> None:
        self._socket.write(encode(message))
        self._socket.flush()

    def receive(self) -> dict[str, Any]:
        self._qtbot.waitUntil(self._socket.canReadLine)
        message = decode(bytes(self._socket.readLine().data()))
        assert message is not None
        return message

    def close(self) -> None:
        self._socket.disconnectFromServer()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "m.sdf"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_an_editor_and_a_window_follow_each_other(qtbot: QtBot, window: MainWindow, file: Path, tmp_path: Path) -> None:
    live = LiveServer(window.files, tmp_path / "run", window)
    assert live.listen()
    (endpoint,) = endpoints(tmp_path / "run")
    editor = Peer(qtbot, endpoint.address)
    with qtbot.waitSignal(live.raise_requested):
        editor.send(type="show", path=str(file), text=TEXT.replace("1 0 0", "2 0 0"), frame="m::b")
    qtbot.waitUntil(lambda: window.files.find(file) is not None)
    opened = window.files.find(file)
    assert opened is not None
    session = opened.session
    qtbot.waitUntil(lambda: session.selection == ("m::b",))
    assert session.document.text == TEXT.replace("1 0 0", "2 0 0")
    editor.send(type="text", path=str(file), text=TEXT.replace("1 0 0", "3 0 0"))
    qtbot.waitUntil(lambda: "3 0 0" in session.document.text)
    assert session.history.index == 1  # typing is one undo step
    session.select(["m::a"])
    assert editor.receive() == {"type": "selected", "path": str(file), "frame": "m::a"}
    assert session.model is not None
    session.apply(set_relative_to(session.model, session.model.row("m::b"), "a"))
    edited = editor.receive()
    assert edited["type"] == "edited"
    assert edited["base"] == TEXT.replace("1 0 0", "3 0 0")
    assert edited["text"] == session.document.text
    editor.close()
    live.close()
    assert list(endpoints(tmp_path / "run")) == []


def test_what_is_typed_while_the_file_is_opened_arrives(
    qtbot: QtBot, window: MainWindow, file: Path, tmp_path: Path
) -> None:
    live = LiveServer(window.files, tmp_path / "run", window)
    assert live.listen()
    openings = []
    window.files.opening_changed.connect(lambda: openings.append(window.files.opening))
    (endpoint,) = endpoints(tmp_path / "run")
    editor = Peer(qtbot, endpoint.address)
    missing = tmp_path / "missing.sdf"
    typed = TEXT.replace("1 0 0", "2 0 0")
    editor.send(type="show", path=str(file), text=TEXT, frame="m::a")
    editor.send(type="text", path=str(file), text=typed)
    editor.send(type="select", path=str(file), frame="m::b")
    editor.send(type="text", path=str(missing), text=typed)
    qtbot.waitUntil(lambda: window.files.find(file) is not None)
    opened = window.files.find(file)
    assert opened is not None
    qtbot.waitUntil(lambda: opened.session.document.text == typed and opened.session.selection == ("m::b",))
    assert any(each is not None for each in openings), "it is opened beside the window, which shows the progress"
    assert opened.session.history.index == 1
    editor.close()
    live.close()


def test_two_editors_on_one_file_get_the_edits_of_each_other(
    qtbot: QtBot, window: MainWindow, file: Path, tmp_path: Path
) -> None:
    live = LiveServer(window.files, tmp_path / "run", window)
    assert live.listen()
    (endpoint,) = endpoints(tmp_path / "run")
    first, second = Peer(qtbot, endpoint.address), Peer(qtbot, endpoint.address)
    first.send(type="find", path=str(file))
    assert first.receive() == {"type": "found", "path": str(file), "open": False}
    first.send(type="show", path=str(file), text=TEXT, frame="m::b")
    qtbot.waitUntil(lambda: window.files.find(file) is not None)
    first.send(type="find", path=str(file))
    assert first.receive() == {"type": "found", "path": str(file), "open": True}
    second.send(type="show", path=str(file), text=TEXT, frame="")
    second.send(type="find", path=str(file))
    assert second.receive()["open"] is True
    typed = TEXT.replace("1 0 0", "2 0 0")
    first.send(type="text", path=str(file), text=typed)
    assert second.receive() == {"type": "edited", "path": str(file), "base": TEXT, "text": typed}
    opened = window.files.find(file)
    assert opened is not None
    assert opened.session.document.text == typed
    second.close()
    first.close()
    live.close()


def test_what_is_no_message_changes_nothing(qtbot: QtBot, window: MainWindow, file: Path, tmp_path: Path) -> None:
    window.files.open([file])
    live = LiveServer(window.files, tmp_path / "run", window)
    assert live.listen()
    (endpoint,) = endpoints(tmp_path / "run")
    opened = window.files.find(file)
    assert opened is not None
    lines = (b"", b"[]", b"{}", b'{"type": 3}', b'{"type": "text"}', b'{"type": "show", "path": 7}', b"\xff")
    for line in lines:
        opened.session.select(("m::a",))
        socket = QLocalSocket()
        socket.connectToServer(endpoint.address)
        assert socket.waitForConnected(5000)
        socket.write(line + b"\n")
        socket.write(encode({"type": "select", "path": str(file), "frame": "m::b"}))
        socket.flush()
        qtbot.waitUntil(lambda: opened.session.selection == ("m::b",))
        assert opened.session.document.text == TEXT, line
        socket.disconnectFromServer()
    live.close()


@pytest.mark.skipif(sys.platform == "win32", reason="the rights of folders are those of POSIX")
def test_a_folder_of_others_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert prepare_folder(folder)
    announce("x", folder)
    assert [each.process for each in endpoints(folder)] == [os.getpid()]
    folder.chmod(0o777)
    assert not prepare_folder(folder)
    assert list(endpoints(folder)) == []


@pytest.mark.skipif(sys.platform == "win32", reason="asyncio opens the socket of POSIX here")
def test_the_language_server_speaks_to_a_window(qtbot: QtBot, window: MainWindow, file: Path, tmp_path: Path) -> None:
    pytest.importorskip("pygls")
    from sdfviewer.session.live_link import LiveWindow, LiveWindows

    live = LiveServer(window.files, tmp_path / "run", window)
    assert live.listen()
    window.files.open([file])

    def receive(peer: LiveWindow, message: dict[str, Any]) -> None:
        assert peer.is_connected

    async def talk() -> None:
        windows = LiveWindows(receive, tmp_path / "run")
        peer = await windows.window_for(file)
        assert peer is not None
        peer.send({"type": "select", "path": str(file), "frame": "m::b"})
        await asyncio.sleep(0.05)
        windows.close()
        await asyncio.sleep(0.05)

    asyncio.run(talk())
    opened = window.files.find(file)
    assert opened is not None
    qtbot.waitUntil(lambda: opened.session.selection == ("m::b",))
    live.close()


@pytest.mark.skipif(sys.platform == "win32", reason="the runtime folder is set by XDG_RUNTIME_DIR")
def test_a_drag_in_the_window_arrives_in_the_editor(
    qtbot: QtBot,
    window: MainWindow,
    file: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("pygls")
    from lsprotocol import types

    from tests.lsp.editor import Editor, edit

    # The path of a socket is at most 107 bytes, and the folders of pytest are deep.
    runtime = Path(tempfile.mkdtemp())
    request.addfinalizer(lambda: shutil.rmtree(runtime))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    live = LiveServer(window.files, parent=window)
    assert live.listen()
    arrived: list[types.WorkspaceEdit] = []

    async def scenario(editor: Editor) -> str:
        @editor.client.feature(types.WORKSPACE_APPLY_EDIT)
        def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            arrived.append(params.edit)
            return types.ApplyWorkspaceEditResult(applied=True)

        document = editor.open(file)
        command = types.ExecuteCommandParams("sdfviewer.open", [document.uri, "m::b"])
        assert await editor.client.workspace_execute_command_async(command) is True
        at = TEXT.index("1 0 0")
        editor.type(file, at, at + 1, "2")  # not saved: the window shows it all the same
        for _ in range(500):
            if arrived:
                return editor.apply(arrived[0])[document.uri]
            await asyncio.sleep(0.02)
        raise AssertionError("no edit arrived")

    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(edit, scenario, tmp_path)
        qtbot.waitUntil(lambda: window.files.find(file) is not None)
        opened = window.files.find(file)
        assert opened is not None
        session = opened.session
        qtbot.waitUntil(lambda: "2 0 0" in session.document.text)
        assert session.selection == ("m::b",)
        assert session.model is not None
        session.apply(set_pose_component(session.model, [session.model.row("m::b")], 2, 0.5))
        qtbot.waitUntil(answer.done)
        assert answer.result() == session.document.text
    assert "2 0 0.5" in session.document.text
    live.close()


def test_two_windows_on_one_file_are_both_notified(
    qtbot: QtBot, make_window: Callable[[], MainWindow], file: Path, tmp_path: Path
) -> None:
    # One process has one announcement; the second window announces itself under another name.
    first, second = make_window(), make_window()
    live = LiveServer(first.files, tmp_path / "run", first)
    assert live.listen()
    first.files.open([file])
    other = LiveServer(second.files, tmp_path / "run", second)
    with qtbot.waitSignals([live.also_open, other.also_open]) as heard:
        second.files.open([file])
    assert heard.all_signals_and_args is not None
    live.close()


def test_the_announcement_of_a_killed_window_is_removed(
    qtbot: QtBot, window: MainWindow, file: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    live = LiveServer(window.files, folder, window)
    assert live.listen()
    (own,) = endpoints(folder)
    left = folder / "window-1.json"
    left.write_text(json.dumps({"process": 1, "address": str(folder / "window-1.socket")}), encoding="utf-8")
    (folder / "window-1.socket").touch()
    window.files.open([file])
    qtbot.waitUntil(lambda: not left.exists())
    assert not (folder / "window-1.socket").exists()
    assert list(endpoints(folder)) == [own]
    live.close()


def test_what_an_assistant_proposes_is_a_step_that_is_not_saved(
    window: MainWindow, qtbot: QtBot, file: Path, tmp_path: Path
) -> None:
    live = LiveServer(window.files, tmp_path / "run", window)
    assert live.listen()
    window.files.open([file])
    session = window.files.current.session
    (endpoint,) = endpoints(tmp_path / "run")
    assistant = Peer(qtbot, endpoint.address)
    try:
        changed = TEXT.replace("1 0 0 0 0 0", "2 0 0 0 0 0")
        message = {"type": "propose", "path": str(file), "text": changed, "label": "Set pose"}
        assistant.send(base="<sdf/>", **message)
        assert assistant.receive() == {
            "type": "proposed",
            "path": str(file),
            "taken": False,
            "reason": "the window has unsaved edits of the file",
        }
        assert session.document.text == TEXT
        assistant.send(base=TEXT, **message)
        assert assistant.receive() == {"type": "proposed", "path": str(file), "taken": True}
        assert session.document.text == changed
        assert session.history.undo_label == "Set pose"
        assert session.dirty
        assert file.read_text(encoding="utf-8") == TEXT
        assistant.send(base=TEXT, **{**message, "path": str(tmp_path / "other.sdf")})
        assert assistant.receive()["reason"] == "the file is not open"
    finally:
        assistant.close()
        live.close()
