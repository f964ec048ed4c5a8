"""The protocol: its types, made of answers of :mod:`sdfviewer.language`, and its rules for messages out of order.

A request is answered however wrong or out of order it is.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, TypeVar
from urllib.parse import unquote_to_bytes, urlsplit
from weakref import finalize

from lsprotocol import types
from pygls import uris
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol

from sdfviewer.diagnostics import Diagnostic, Replacement, Rule, Severity, Span
from sdfviewer.document.document import MAX_FILE_BYTES, Document
from sdfviewer.language.actions import causes
from sdfviewer.language.text_map import Positions, Unit
from sdfviewer.lsp.files import Snapshot


class RulePages:
    """Addresses of rule pages.

    Parameters
    ----------
    address
        Of a site with a page for each rule. Without one the pages are written into a folder on this computer, each when
        it is first linked to. It is removed at the latest when the program ends.
    """

    def __init__(self, address: str = "") -> None:
        self._address = address
        self._folder: Path | None = None
        self._remove: Callable[[], object] = lambda: None
        self._known: dict[str, str] = {}
        self._is_closed = False
        self._lock = Lock()  # a file may still be read in another thread when the editor ends

    def address_of(self, rule: Rule) -> str:
        """Return the address of a rule's page, empty where it could not be written."""
        known = self._known.get(rule.name)
        if known is None:
            known = self._known[rule.name] = f"{self._address}/{rule.name}.html" if self._address else self._write(rule)
        return known

    def _write(self, rule: Rule) -> str:
        heading = f"# {rule.name}\n\n*{rule.code}, {rule.severity.value}*\n\n"
        with self._lock:
            if self._is_closed:
                return ""
            try:
                if self._folder is None:
                    self._folder = Path(tempfile.mkdtemp(prefix="sdfviewer-rules-"))
                    # An editor that crashes says nothing before it ends.
                    self._remove = finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
                path = self._folder / f"{rule.name}.md"
                path.write_text(heading + rule.page.replace("``", "`") + "\n", encoding="utf-8")
            except OSError:
                return ""
        return uris.from_fs_path(str(path)) or ""

    def close(self) -> None:
        """Remove the pages; no further ones are written."""
        with self._lock:
            self._is_closed = True
            self._remove()


SOURCE = "sdfviewer"
#: After so many items of a long answer, check whether the request was cancelled.
_CHECKED_ITEMS = 256
_Item = TypeVar("_Item")
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_TAGS = {
    "deprecated": [types.DiagnosticTag.Deprecated],
    "unknown-attribute": [types.DiagnosticTag.Unnecessary],
    "unknown-element": [types.DiagnosticTag.Unnecessary],
    "repeated-element": [types.DiagnosticTag.Unnecessary],
}
_SYMBOL_KINDS = {
    "world": types.SymbolKind.Namespace,
    "model": types.SymbolKind.Class,
    "robot": types.SymbolKind.Class,
    "include": types.SymbolKind.Module,
    "link": types.SymbolKind.Struct,
    "joint": types.SymbolKind.Method,
    "frame": types.SymbolKind.Variable,
    "sensor": types.SymbolKind.Event,
    "light": types.SymbolKind.Event,
    "plugin": types.SymbolKind.Package,
}


def path_of(uri: str) -> Path | None:
    """Return the path of a ``file://`` URI, None for any other."""
    if not uri.startswith("file:"):
        return None
    path = uris.to_fs_path(uri)
    if path is not None and "\ufffd" in path:  # bytes that are not UTF-8, as in names that an old program wrote
        path = os.fsdecode(unquote_to_bytes(urlsplit(uri).path))
    return None if path is None else Path(path)


def uri_of(path: Path | str) -> str:
    """Return the URI of a file."""
    absolute = Path(path).absolute()
    try:
        return uris.from_fs_path(str(absolute)) or ""
    except UnicodeEncodeError:  # its name is not UTF-8
        return absolute.as_uri()


class Ranges:
    """Makes ranges of the protocol from offsets in any document, each document's lines counted once.

    Parameters
    ----------
    unit
        How the editor counts characters.
    snapshot
        The file that was asked about.
    pages
        The rules' pages.
    check
        Called now and then while a long answer is made; raises an exception where it is no longer needed.
    """

    def __init__(
        self, unit: Unit, snapshot: Snapshot, pages: RulePages, check: Callable[[], None] = lambda: None
    ) -> None:
        self._check = check
        self._unit = unit
        self._pages = pages
        self._snapshot = snapshot
        self._others: dict[int, Positions] = {}

    def interruptible(self, items: Iterable[_Item]) -> Iterator[_Item]:
        """Yield items as long as the answer that is made of them is needed."""
        for number, item in enumerate(items):
            if number % _CHECKED_ITEMS == 0:
                self._check()
            yield item

    def range(self, start: int, end: int, document: Document | None = None) -> types.Range:
        """Return the range between two offsets, of the file that was asked about by default."""
        positions = self._positions(document)
        return types.Range(types.Position(*positions.position(start)), types.Position(*positions.position(end)))

    def _positions(self, document: Document | None) -> Positions:
        if document is None or document is self._snapshot.document or document.text is self._snapshot.text:
            return self._snapshot.positions
        known = self._others.get(id(document))
        if known is None:
            known = self._others[id(document)] = Positions(document.text, self._unit)
        return known

    def location(self, document: Document, start: int, end: int) -> types.Location:
        """Return a location in any document."""
        same = document.path == self._snapshot.document.path
        uri = self._snapshot.uri if same else uri_of(document.name)
        return types.Location(uri, self.range(start, end, document))

    def edits(self, replacements: Iterable[Replacement], document: Document | None = None) -> list[types.TextEdit]:
        """Return text edits; the protocol wants them not to overlap, which replacements do not."""
        return [
            types.TextEdit(self.range(each.start, each.end, document), each.text)
            for each in sorted(replacements, key=lambda each: (each.start, each.end))
        ]

    def span(self, span: Span) -> types.Range:
        """Return the range of a span. In another file it is right to the line: that file's text is not at hand."""
        if span.path == self._snapshot.document.name:
            return self.range(span.start, span.end)
        start = types.Position(span.line - 1, span.column - 1)
        return types.Range(start, types.Position(span.end_line - 1, span.end_column - 1))

    def span_location(self, span: Span) -> types.Location:
        """Return the location of a span."""
        uri = self._snapshot.uri if span.path == self._snapshot.document.name else uri_of(span.path)
        return types.Location(uri, self.span(span))

    def diagnostics(self, diagnostics: Sequence[Diagnostic]) -> list[types.Diagnostic]:
        """Return the diagnostics of a file; their data say what each is about, wherever it is by now."""
        found = zip(diagnostics, causes(diagnostics), strict=True)
        return [self._diagnostic(diagnostic, cause) for diagnostic, cause in found]

    def _diagnostic(self, diagnostic: Diagnostic, cause: dict[str, object]) -> types.Diagnostic:
        """Return a diagnostic. One in an included file is shown where the file includes it."""
        own = self._snapshot.document.name
        places = [diagnostic.span, *(related.span for related in diagnostic.related)]
        here = next((span for span in places if span is not None and span.path == own), None)
        related = [
            types.DiagnosticRelatedInformation(self.span_location(each.span), each.message)
            for each in diagnostic.related
            if each.span is not None
        ]
        if diagnostic.span is not None and here is not diagnostic.span:
            related.insert(0, types.DiagnosticRelatedInformation(self.span_location(diagnostic.span), "the problem"))
        start = types.Position(0, 0)
        page = self._pages.address_of(diagnostic.rule)
        return types.Diagnostic(
            self.span(here) if here is not None else types.Range(start, start),
            diagnostic.message,
            _SEVERITIES[diagnostic.severity],
            diagnostic.rule.name,
            types.CodeDescription(page) if page else None,
            SOURCE,
            _TAGS.get(diagnostic.rule.name),
            related or None,
            data=cause,
        )


def symbol_kind(tag: str) -> types.SymbolKind:
    """Return the kind under which editors show an element."""
    return _SYMBOL_KINDS.get(tag, types.SymbolKind.Property)


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
