"""The window's end of the link to code editors: text, selection and edits in both directions."""

from __future__ import annotations

import logging
import os
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from sdfviewer.document.edits import Edit
from sdfviewer.gui.shell.files.files import Files
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.language.text_map import difference
from sdfviewer.session.live_link import (
    MOST_BYTES,
    SOCKET_SUFFIX,
    Endpoint,
    announce,
    decode,
    encode,
    endpoints,
    prepare_folder,
    remove_announcement,
    runtime_folder,
)
from sdfviewer.session.session_change import SessionChange

_log = logging.getLogger(__name__)
#: What a window answers that has ended without saying so.
_NOBODY_LISTENS = (
    QLocalSocket.LocalSocketError.ConnectionRefusedError,
    QLocalSocket.LocalSocketError.ServerNotFoundError,
)


class LiveServer(QObject):
    """Listens for editors.

    Parameters
    ----------
    files
        The open files.
    folder
        Where to announce the socket; the runtime folder by default.
    """

    #: An editor wants the window to be seen.
    raise_requested = Signal()
    #: A file that is open here is open in another window too.
    also_open = Signal(Path)

    def __init__(self, files: Files, folder: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self._folder = folder or runtime_folder()
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._accept)
        self._source: Path | None = None
        # The editors, each with its text of the files that it shares: only differences are sent.
        self._editors: dict[QLocalSocket, dict[Path, str]] = {}
        # The last message of each kind from editors about files that are still being opened.
        self._said_early: dict[Path, dict[str, tuple[QLocalSocket, dict[str, Any]]]] = {}
        for file in files.opened:
            self._follow(file)
        files.added.connect(self._follow)
        files.added.connect(self._catch_up)
        files.added.connect(self._ask_other_windows)
        files.opening_changed.connect(self._forget_what_never_opened)

    def listen(self) -> bool:
        """Start to listen; return whether that works. Without it only the link is missing."""
        try:
            if not prepare_folder(self._folder):
                return False
            name = (
                str(self._folder / f"window-{os.getpid()}{SOCKET_SUFFIX}")
                if os.name != "nt"
                else f"sdfviewer-{os.getpid()}"
            )
            QLocalServer.removeServer(name)
            if not self._server.listen(name):
                return False
            self._source = announce(self._server.fullServerName(), self._folder).source
        except OSError:
            return False
        for file in self._files.opened:
            self._ask_other_windows(file)
        return True

    def close(self) -> None:
        """Stop listening."""
        self._server.close()
        if self._source is not None:
            self._source.unlink(missing_ok=True)
            self._source = None

    # --- editors ---------------------------------------------------------------------------------------------------

    def _accept(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.setReadBufferSize(MOST_BYTES)
            self._editors[socket] = {}
            socket.readyRead.connect(lambda socket=socket: self._read(socket))
            socket.disconnected.connect(lambda socket=socket: self._drop(socket))
            self._read(socket)

    def _drop(self, socket: QLocalSocket) -> None:
        if self._editors.pop(socket, None) is not None:
            socket.deleteLater()

    def _read(self, socket: QLocalSocket) -> None:
        while socket.canReadLine():
            message = decode(bytes(socket.readLine().data()))
            if message is not None and message["type"] == "opened":
                self._answer_window(socket, message)
            elif message is not None:
                self._receive(socket, message)
        if socket.bytesAvailable() >= MOST_BYTES:
            socket.abort()

    def _receive(self, socket: QLocalSocket, message: dict[str, Any]) -> None:
        path, text, frame = (message.get(key) for key in ("path", "text", "frame"))
        if not isinstance(path, str):
            return
        file = self._files.find(Path(path))
        if message["type"] == "find":
            socket.write(encode({"type": "found", "path": path, "open": file is not None}))
        if message["type"] == "propose":
            socket.write(encode({"type": "proposed", "path": path, **self._take_proposal(file, message)}))
            return
        if message["type"] == "show":
            if file is None:
                self._said_early[Path(path).absolute()] = {}
                self._files.open_soon([Path(path)])
            elif file is not self._files.current:
                self._files.show(file)
            self.raise_requested.emit()
        if file is None:
            early = self._said_early.get(Path(path).absolute())
            if early is not None:
                early[message["type"]] = socket, message
            return
        if isinstance(text, str) and message["type"] in ("show", "text"):
            self._take_text(socket, file, Path(path), text)
        if isinstance(frame, str) and frame and message["type"] in ("show", "select"):
            file.session.select([frame], self)

    def _catch_up(self, file: OpenFile) -> None:
        """Hand on the messages about a file while it was being opened."""
        path = file.session.path
        for socket, message in self._said_early.pop(path, {}).values() if path is not None else ():
            self._receive(socket, message)

    def _forget_what_never_opened(self) -> None:
        if self._files.opening is None:
            self._said_early.clear()

    def _take_text(self, socket: QLocalSocket, file: OpenFile, path: Path, text: str) -> None:
        """Make a file's text that of an editor: steps of typing are one undo step. Other editors get the edit."""
        shared = self._editors.get(socket)
        if shared is not None:
            shared[path] = text
        document = file.session.document
        change = difference(document.text, text)
        if change is not None:
            edit = Edit("Edit in the code editor", document, (change,))
            merge = file.session.history.undo_label == edit.label
            file.session.apply(edit, self, merge=merge)

    def _take_proposal(self, file: OpenFile | None, message: dict[str, Any]) -> dict[str, Any]:
        """Make what an assistant proposes an unsaved undo step; return whether it was taken, or the reason why not."""
        base, text, label = (message.get(key) for key in ("base", "text", "label"))
        if file is None or not isinstance(text, str):
            return {"taken": False, "reason": "the file is not open"}
        document = file.session.document
        if document.text != base or not file.session.is_current:
            return {"taken": False, "reason": "the window has unsaved edits of the file"}
        change = difference(document.text, text)
        if change is not None:
            file.session.apply(Edit(str(label or "Edit of an assistant"), document, (change,)), self)
        if file is not self._files.current:
            self._files.show(file)
        self.raise_requested.emit()
        return {"taken": True}

    # --- other windows ---------------------------------------------------------------------------------------------

    def _ask_other_windows(self, file: OpenFile) -> None:
        """Ask whether a file that was opened here is open elsewhere."""
        path = file.session.path
        for endpoint in endpoints(self._folder) if path is not None else ():
            if self._source is not None and endpoint.source == self._source:
                continue
            socket = QLocalSocket(self)
            message = encode({"type": "opened", "path": str(path)})
            socket.connected.connect(lambda socket=socket, message=message: socket.write(message))
            socket.readyRead.connect(lambda socket=socket: self._read_answer(socket))
            socket.disconnected.connect(socket.deleteLater)
            socket.errorOccurred.connect(partial(self._end_question, socket, endpoint))
            socket.connectToServer(endpoint.address)

    def _end_question(self, socket: QLocalSocket, endpoint: Endpoint, error: QLocalSocket.LocalSocketError) -> None:
        """Stop to ask a window, and remove the announcement of one that was killed, which cannot do it."""
        socket.deleteLater()
        if error in _NOBODY_LISTENS:
            try:
                remove_announcement(endpoint)
            except OSError:
                _log.info("The announcement of a window that has ended cannot be removed: %s", endpoint.source)

    def _answer_window(self, socket: QLocalSocket, message: dict[str, Any]) -> None:
        path = message.get("path")
        if isinstance(path, str) and self._files.find(Path(path)) is not None:
            socket.write(encode({"type": "also_open", "path": path}))
            self.also_open.emit(Path(path))

    def _read_answer(self, socket: QLocalSocket) -> None:
        while socket.canReadLine():
            message = decode(bytes(socket.readLine().data()))
            if message is not None and message["type"] == "also_open" and isinstance(message.get("path"), str):
                self.also_open.emit(Path(message["path"]))
                socket.disconnectFromServer()

    # --- the window ------------------------------------------------------------------------------------------------

    def _follow(self, file: OpenFile) -> None:
        file.context.changed.connect(lambda change: self._send(file, change))

    def _send(self, file: OpenFile, change: SessionChange) -> None:
        path = file.session.path
        if not self._editors or path is None:
            return
        text = file.session.document.text
        for socket, shared in self._editors.items():
            base = shared.get(path)
            if change.document and base is not None and base != text:
                shared[path] = text
                socket.write(encode({"type": "edited", "path": str(path), "base": base, "text": text}))
            if change.selection and file.session.selection and change.origin is not self:
                selected = {"type": "selected", "path": str(path), "frame": file.session.selection[-1]}
                socket.write(encode(selected))
