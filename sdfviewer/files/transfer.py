"""One answer of a server: bounded in bytes and in time, whatever the server does."""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sdfviewer.diagnostics import SdfViewerError

if TYPE_CHECKING:
    import socket
    from types import TracebackType

    import httpx

#: Seconds that a server has before the first byte, and bytes that it must send on average in each second after them.
GRACE, SLOWEST = 60.0, 1 << 14
#: Bytes that are unpacked at a time.
_PIECE = 1 << 16
#: What can be requested with :meth:`Transfer.pieces`.
HEADERS: Mapping[str, str] = {"Accept-Encoding": "gzip"}


class TransferError(SdfViewerError):
    """An answer exceeds a limit, or is packed in a way that was not requested; the message says which."""


class Transfer:
    """Reads an answer, redirections counted in. Use it in a ``with`` statement.

    A limit of the wait for the next bytes does not end a server that sends one every two seconds. And httpx hands on
    nothing while it reads headers and the sizes of chunks. So a thread looks at the clock, and cuts the connection.

    Parameters
    ----------
    limit
        Bytes of the answer, both as they are sent and unpacked.

    Attributes
    ----------
    is_too_slow
        Whether the connection was cut.
    """

    def __init__(self, limit: int) -> None:
        self._limit, self._received, self.is_too_slow = limit, 0, False
        self._socket: socket.socket | None = None
        self._begin, self._ended = time.monotonic(), threading.Event()
        self._clock = threading.Thread(target=self._watch, daemon=True, name="transfer")

    def __enter__(self) -> Transfer:
        self._clock.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._clock.join()

    def trace(self, event: str, details: Mapping[str, Any]) -> None:
        """Take note of the connection; the extension ``trace`` of a request of httpx."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self._socket = details["return_value"].get_extra_info("socket")
            if self.is_too_slow:
                self._cut()

    def pieces(self, response: httpx.Response) -> Iterator[bytes]:
        """Yield an answer in short pieces, unpacked.

        Raises
        ------
        TransferError
            If it is larger or slower than allowed, or packed otherwise than by gzip, once.
        """
        packing = response.headers.get("content-encoding", "").strip().lower()
        if packing not in ("", "identity", "gzip", "x-gzip"):
            raise TransferError(
                f"the server packs its answer as {packing[:40]!r}: only gzip is unpacked, and only once"
            )
        raw = self._counted(response.iter_raw())
        count = 0
        for piece in _unpacked(raw) if packing.endswith("gzip") else raw:
            count += len(piece)
            self._check(count)
            yield piece

    def slowness(self) -> TransferError:
        """Return the error of a server that is too slow."""
        return TransferError(
            f"the server is too slow: it must answer within {GRACE:g} s, then send {SLOWEST >> 10} KiB a second"
        )

    def _counted(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            self._received += len(piece)
            self._check(self._received)
            yield piece
        if self.is_too_slow:  # an answer of unknown length seems to end where the connection is cut
            raise self.slowness()

    def _check(self, count: int) -> None:
        if count > self._limit:
            raise TransferError(f"it is larger than {self._limit >> 20} MiB")

    def _watch(self) -> None:
        while not self._ended.wait(max(0.0, self._seconds_left())):
            if self._seconds_left() <= 0:
                self.is_too_slow = True
                self._cut()
                return

    def _seconds_left(self) -> float:
        return self._begin + GRACE + self._received / SLOWEST - time.monotonic()

    def _cut(self) -> None:
        """Wake whoever waits for the connection; closing it would not."""
        if self._socket is not None:
            import socket  # noqa: PLC0415  # most sessions download nothing

            with suppress(OSError):  # closed meanwhile
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)  # not that of TLS, which says good-bye first


def _unpacked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    packed = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        for piece in pieces:
            rest = piece
            while rest and not packed.eof:
                yield packed.decompress(rest, _PIECE)
                rest = packed.unconsumed_tail
        yield packed.flush()
    except zlib.error as error:
        raise TransferError(f"the answer cannot be unpacked: {error}") from error
    if not packed.eof:
        raise TransferError("the answer breaks off")
