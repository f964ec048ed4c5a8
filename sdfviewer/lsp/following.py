"""Files that a window and the editor show together: text and selection go both ways."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams

from sdfviewer.extras import install_command
from sdfviewer.language.names import definition_of_row
from sdfviewer.language.text_map import difference, rebase
from sdfviewer.lsp.files import ServerFile, Snapshot
from sdfviewer.lsp.protocol import Ranges, path_of
from sdfviewer.lsp.server import SdfServer, edit_for_editor
from sdfviewer.programs import own_process
from sdfviewer.session.live_link import LiveWindow, LiveWindows

#: How long after the last key a window that follows the editor gets the text.
_FOLLOW_SECONDS = 0.15


def register(server: SdfServer) -> None:
    """Answer the command of this module."""
    following = Following(server)

    @server.command("sdfviewer.open")
    async def open_window(*arguments: Any) -> bool:
        """Show a file in a running window, or in a new one, and follow each other from then on.

        The arguments are the file's URI and, where one is to be selected, the name of a frame.
        """
        match arguments:
            case (str(uri),) | (str(uri), None):
                frame = ""
            case (str(uri), str(frame)):
                pass
            case _:
                raise JsonRpcInvalidParams("the arguments are the file's URI and the name of a frame")
        if await following.show(uri, frame):
            return True
        text = f"The window could not be opened. Save the file, and install what it needs: {install_command('gui')}"
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))
        return False

    server.closing.append(following.close)


class Following:
    """Which window follows which file.

    Parameters
    ----------
    server
        Has the open files.
    """

    def __init__(self, server: SdfServer) -> None:
        self._server = server
        self._windows = LiveWindows(self._receive)
        self._followed: dict[str, LiveWindow] = {}
        self._sending: dict[str, asyncio.TimerHandle] = {}
        server.changed.append(self._send_text_soon)
        server.pointed.append(self.select)

    async def show(self, uri: str, frame: str) -> bool:
        """Show a file as it is typed in a window, with a frame selected; return whether there is a window."""
        path = path_of(uri)
        if path is None:
            return False
        window = self._followed.get(uri)
        if window is None or not window.is_connected:
            window = await self._windows.window_for(path, start=own_process(str(path.absolute())))
        if window is None:
            return False
        message = {"type": "show", "path": str(path), "frame": frame}
        file = self._server.open_files.get(uri)
        if file is not None:
            self._followed[uri] = window
            message["text"] = file.snapshot.text
        window.send(message)
        return True

    def select(self, uri: str, frame: str) -> None:
        """Select the frame at the caret in the window that follows the file, if one does."""
        path = path_of(uri)
        if uri in self._followed and path is not None:
            self._followed[uri].send({"type": "select", "path": str(path), "frame": frame})

    def _send_text_soon(self, uri: str) -> None:
        """Send the text of a file to its window once it is left alone."""
        if uri not in self._followed or not self._followed[uri].is_connected:
            return
        if uri in self._sending:
            self._sending[uri].cancel()
        self._sending[uri] = asyncio.get_running_loop().call_later(_FOLLOW_SECONDS, self._send_text, uri)

    def _send_text(self, uri: str) -> None:
        self._sending.pop(uri, None)
        file, path = self._server.open_files.get(uri), path_of(uri)
        if file is not None and path is not None:
            self._followed[uri].send({"type": "text", "path": str(path), "text": file.snapshot.text})

    def _receive(self, window: LiveWindow, message: dict[str, Any]) -> None:
        path = message.get("path")
        followed = (uri for uri, each in self._followed.items() if each is window)
        uri = next((uri for uri in followed if isinstance(path, str) and path_of(uri) == Path(path)), None)
        file = self._server.open_files.get(uri) if uri is not None else None
        if uri is None or file is None:
            return
        if message["type"] == "selected" and isinstance(message.get("frame"), str):
            asyncio.get_running_loop().create_task(self._show_frame(uri, message["frame"]))
        elif message["type"] == "edited":
            self._apply(file, message)

    async def _show_frame(self, uri: str, frame: str) -> None:
        """Let the editor show where a frame that was picked in the window is defined."""

        def find_frame(file: ServerFile, snapshot: Snapshot, ranges: Ranges) -> types.Location | None:
            model = file.model(snapshot)
            row = None if model is None else model.rows_by_name.get(frame)
            if model is None or row is None or model.document is not snapshot.shown:
                return None
            place = definition_of_row(model, row)
            return ranges.location(place.document, place.start, place.end)

        try:
            place = await self._server.compute(uri, find_frame)
        except (JsonRpcContentModified, JsonRpcInvalidParams):
            return  # what is picked in a text that has changed is not there any more
        if place is not None:
            self._server.window_show_document(
                types.ShowDocumentParams(place.uri, external=False, take_focus=False, selection=place.range)
            )

    def _apply(self, file: ServerFile, message: dict[str, Any]) -> None:
        """Hand an edit of the window to the editor; what was typed meanwhile stays where both touch other places."""
        base, text, snapshot = message.get("base"), message.get("text"), file.snapshot
        if not isinstance(base, str) or not isinstance(text, str):
            return
        change = difference(base, text)
        typed = difference(base, snapshot.text)
        if change is not None and typed is not None:
            change = rebase(change, typed)
        if change is None:
            self._send_text(snapshot.uri)
            return
        edits = Ranges(self._server.unit, snapshot, self._server.rule_pages).edits([change])
        edit = edit_for_editor(self._server, [(snapshot.uri, snapshot.version, edits)])
        self._server.workspace_apply_edit(types.ApplyWorkspaceEditParams(edit, "Edit in sdfviewer"))

    def close(self) -> None:
        """End the links to all windows."""
        self._windows.close()
