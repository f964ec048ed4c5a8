"""The protocol's rules for messages that are out of order: each request is answered, however wrong it is."""

from __future__ import annotations

import asyncio
import json
import logging
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol

from sdfviewer.document.document import MAX_FILE_BYTES

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Refused:
    """A request that cannot be understood."""

    id: int | str
    error: JsonRpcException


@dataclass(frozen=True, slots=True)
class Json:
    """A result that is JSON text already.

    Long answers are given like this: to make thousands of the protocol's objects, check them and convert them takes
    ten times as long as all the rest.
    """

    text: str


class Protocol(LanguageServerProtocol):
    """pygls' protocol; it leaves some requests without an answer, for which editors would wait."""

    @property
    def is_shut_down(self) -> bool:
        """Whether the editor has shut the server down."""
        return self._shutdown

    def leave(self) -> None:
        """Send nothing any more: the editor has gone.

        pygls closes the output and goes on sending what is cancelled then. It reports that this fails in a message,
        which fails in its turn, a thousand times, and a full error pipe without a reader keeps the process alive.
        """
        self.writer = None

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return the message that an object is, or what it is inside of one."""
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if "id" not in data or "method" not in data:
                raise
            return _Refused(data["id"], JsonRpcInvalidParams(f"the parameters are not those of {data['method']}"))

    def handle_message(self, message: Any) -> None:
        """Handle a message, or refuse it."""
        refused = message if isinstance(message, _Refused) else self._untimely(message)
        if refused is None and getattr(message, "jsonrpc", None) is None:
            # A list, a text or null: there is no id to answer to.
            _LOG.warning("Ignored %s that is no JSON-RPC message", type(message).__name__)
        elif refused is None:
            super().handle_message(message)
        else:
            self._send_response(refused.id, error=refused.error.to_response_error())

    def _execute_handler(self, msg_id: int | str, *args: Any, **kwargs: Any) -> None:
        """Run the handler of a message; pygls keeps what each notification has come to for ever."""
        super()._execute_handler(msg_id, *args, **kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        """Cancel a request; what is no number of one cancels nothing."""
        if isinstance(msg_id, (int, str)):
            super()._handle_cancel_notification(msg_id)

    def _handle_response(
        self, msg_id: int | str, result: Any | None = None, error: types.ResponseError | None = None
    ) -> None:
        """Take the answer to a request of the server; editors cannot answer what they have asked themselves."""
        if isinstance(self._request_futures.get(msg_id), asyncio.Task):
            _LOG.warning("Ignored an answer to the editor's own request %r", msg_id)
        else:
            super()._handle_response(msg_id, result, error)

    def _send_handler_result(self, future: Future[Any], *, msg_id: int | str) -> None:
        """Answer a request; what is refused on purpose is no error of the server, for its log."""
        refusal = None if future.cancelled() else future.exception()
        if isinstance(refusal, JsonRpcException):
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=refusal.to_response_error())
        else:
            super()._send_handler_result(future, msg_id=msg_id)

    def _send_response(self, msg_id: int | str, result: Any = None, error: types.ResponseError | None = None) -> None:
        if error is None and isinstance(result, Json):
            self._result_types.pop(msg_id, None)
            self._send_text(f'{{"jsonrpc":"{self.VERSION}","id":{json.dumps(msg_id)},"result":{result.text}}}')
        else:
            super()._send_response(msg_id, result, error)

    def _send_data(self, data: Any) -> None:
        """Send a message, unless the editor has gone."""
        if self.writer is not None:
            super()._send_data(data)

    def _send_text(self, body: str) -> None:
        """Send a message that is JSON text of ASCII characters, as pygls sends all others."""
        if self.writer is None:
            return  # the editor has gone
        header = f"Content-Length: {len(body)}\r\n\r\n" if self._include_headers else ""
        self.writer.write((header + body).encode("ascii"))

    def _untimely(self, message: Any) -> _Refused | None:
        """Return the refusal of a request that comes before the handshake, a second time, or after the end."""
        if not (hasattr(message, "id") and hasattr(message, "method")):
            return None
        is_initialized, asks_to = self._workspace is not None, message.method == types.INITIALIZE
        if self._shutdown:
            return _Refused(message.id, JsonRpcInvalidRequest("the server is shut down"))
        if asks_to and is_initialized:
            return _Refused(message.id, JsonRpcInvalidRequest("the server is initialized already"))
        if not asks_to and not is_initialized:
            return _Refused(message.id, JsonRpcServerNotInitialized("send initialize first"))
        return None


# --- messages as bytes --------------------------------------------------------------------------------------------


#: No message is longer: the text of the largest file that is read, with an escape for each of its characters.
MOST_BYTES = 6 * MAX_FILE_BYTES
_LONGEST_HEADER = 4096
_LENGTH = b"content-length:"


class MessageInput:
    """The stream of the editor's messages, which ends where a header is wrong: what follows cannot be separated.

    pygls takes every length for right, reserves memory for it, and ends with an exception at one of 5000 digits.

    Attributes
    ----------
    fault
        Why it has ended, empty where the editor has ended it.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.fault = ""

    def readline(self) -> bytes:
        """Return the next header, nothing at the end."""
        if self.fault:
            return b""
        try:
            line = self._stream.readline(_LONGEST_HEADER)
        except ConnectionError:  # the editor has gone
            return b""
        if len(line) == _LONGEST_HEADER:
            self.fault = f"the editor has sent a header of more than {_LONGEST_HEADER} bytes"
        elif line.lower().startswith(_LENGTH):
            self.fault = _why_wrong(line[len(_LENGTH) :].strip())
        return b"" if self.fault else line

    def read(self, size: int) -> bytes:
        """Return the next bytes, those of a message; nothing where the editor goes before it has sent them all."""
        try:
            body = self._stream.read(size)
        except ConnectionError:
            body = b""
        if len(body) < size:
            self.fault = f"the editor has announced a message of {size} bytes, and has sent {len(body)}"
            return b""
        return body


def _why_wrong(length: bytes) -> str:
    """Return what is wrong with the length of a message, empty where nothing is."""
    shown = length[:20].decode("ascii", "backslashreplace")
    if not length.isdigit():
        return f"the editor has sent 'Content-Length: {shown}', which is no number of bytes"
    if len(length) > len(str(MOST_BYTES)) or int(length) > MOST_BYTES:
        return f"the editor has announced a message of {shown} bytes; more than {MOST_BYTES} are not read"
    return ""
