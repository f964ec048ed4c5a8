"""Models on Fuel: query their size and download them into the cache of Gazebo.

Nothing here runs unless it is requested by name; looking for files never asks the network. Answers of a server
are not trusted: sizes and counts are bounded, paths in an archive may not lead out of it, and a model appears in the
cache only when all of it is there.

Source: the REST interface of https://fuel.gazebosim.org, as gz-fuel-tools uses it.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import threading
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from io import BufferedReader, FileIO
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from sdfviewer.diagnostics import Message, SdfViewerError
from sdfviewer.extras import MissingExtraError
from sdfviewer.files.installed import LOOPBACK, FuelModel, resource_folder
from sdfviewer.files.paths import home_folder, is_name

if TYPE_CHECKING:
    import socket
    import ssl
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


#: Set to anything, it forbids every download.
OFFLINE = "SDFVIEWER_OFFLINE"
#: Bounds of one model: bytes of the archive and of what is in it, number of files, and seconds without an answer.
MAX_ARCHIVE, MAX_CONTENT, MAX_FILES, PATIENCE = 1 << 30, 4 << 30, 20_000, 30.0
#: Number of bytes by which a download may exceed the size that the user has agreed to: servers round it.
MORE_THAN_AGREED = 1 << 20
#: Bytes of a description.
_MAX_DESCRIPTION = 1 << 20
_CHUNK = 1 << 16
#: Bytes of the list of files of an archive.
_MAX_DIRECTORY = 8 << 20


class FuelError(SdfViewerError):
    """A model cannot be downloaded; the message says why."""


def _failed(what: FuelModel | str, reason: str) -> FuelError:
    """Return the error that a model cannot be had, or an address, for a reason."""
    return FuelError(f"{what}: " + Message(reason))


@dataclass(frozen=True, slots=True)
class FuelOffer:
    """The answer of a server about a model: version, download size in bytes if known, and license."""

    model: FuelModel
    version: int
    size: int | None
    licence: str


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder in which Gazebo keeps what it downloads."""
    given = environ.get("GZ_FUEL_CACHE_PATH", "").split(os.pathsep)[0]
    return Path(given) if given else home_folder(environ) / ".gz" / "fuel"


class FuelClient:
    """Asks Fuel servers.

    Parameters
    ----------
    cache
        Where models are kept.
    environ
        Environment variables.

    Raises
    ------
    FuelError
        If downloads are forbidden.
    MissingExtraError
        If the package ``httpx`` is not installed.
    """

    def __init__(self, cache: Path | None = None, environ: Mapping[str, str] = os.environ) -> None:
        if environ.get(OFFLINE):
            raise FuelError(f"{OFFLINE} turns downloads off")
        self.cache = cache or cache_folder(environ)
        self._httpx = _httpx()
        # Each request makes its connection, so that a transfer knows the one that it has to cut.
        limits = self._httpx.Limits(max_keepalive_connections=0)
        self._client: httpx.Client = self._httpx.Client(
            timeout=PATIENCE, follow_redirects=False, limits=limits, verify=_certificates()
        )

    def close(self) -> None:
        """End all connections."""
        self._client.close()

    def describe(self, model: FuelModel) -> FuelOffer:
        """Return the answer of the server about a model.

        Raises
        ------
        FuelError
            If it does not answer, or says nothing that can be understood.
        """
        import json  # noqa: PLC0415  # only here

        data = bytearray()
        self._stream(model.address, _MAX_DESCRIPTION, data.extend)
        try:
            answer: Any = json.loads(bytes(data))
        except (ValueError, RecursionError) as error:  # no JSON, or nested deeper than Python reads
            raise _failed(model, f"{model.server} sent no description of it") from error
        version = answer.get("version") if isinstance(answer, dict) else None
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            raise _failed(model, f"{model.server} sent no version of it")
        size, licence = answer.get("filesize"), answer.get("license_name")
        known_size = size if isinstance(size, int) and not isinstance(size, bool) and size >= 0 else None
        if known_size is not None and known_size > MAX_ARCHIVE:
            raise _failed(model, f"{known_size:,} bytes are more than the {MAX_ARCHIVE:,} of a download")
        wanted = version if model.version is None else model.version
        name = "".join(letter for letter in str(licence)[:80] if letter.isprintable()) if licence else "unknown"
        return FuelOffer(model, wanted, known_size, name)

    def download(self, offer: FuelOffer, progress: Callable[[int], bool] = lambda _: True) -> Path:
        """Download a model into the cache and return its folder.

        Parameters
        ----------
        offer
            What was agreed to.
        progress
            Called with the bytes so far; False ends the download.

        Raises
        ------
        FuelError
            If it cannot be had, is larger than allowed, or its archive is not what it should be.
        """
        model = offer.model
        versions = resource_folder(self.cache, model.server, model.owner, model.kind, model.name)
        target = versions / str(offer.version)
        if target.is_dir():
            return target
        address = f"{model.address}/{offer.version}/{quote(model.name)}.zip"
        count = 0
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".download-", dir=target.parent) as folder:
                archive = Path(folder) / "model.zip"
                with archive.open("wb") as file:

                    def take(chunk: bytes) -> None:
                        nonlocal count
                        count += len(chunk)
                        file.write(chunk)
                        if not progress(count):
                            raise _failed(model, "the download was cancelled")

                    agreed = MAX_ARCHIVE if offer.size is None else min(MAX_ARCHIVE, offer.size + MORE_THAN_AGREED)
                    self._stream(address, agreed, take)
                content = Path(folder) / "content"
                unpack(archive, content)
                os.replace(content, target)
        except OSError as error:
            raise _failed(model, f"cannot write into {self.cache}: {error.strerror or error}") from error
        return target

    def _stream(self, address: str, limit: int, take: Callable[[bytes], object]) -> None:
        """Hand an answer on in pieces; redirections are followed where they stay encrypted."""
        with Transfer(limit) as transfer:
            for _ in range(5):
                try:
                    with self._client.stream(
                        "GET", address, headers=HEADERS, extensions={"trace": transfer.trace}
                    ) as response:
                        if response.has_redirect_location:
                            address = str(response.url.join(response.headers["location"]))
                            self._check_address(address)
                            continue
                        if response.status_code != 200:
                            raise _failed(address, f"the server answered {response.status_code}")
                        for piece in transfer.pieces(response):
                            take(piece)
                        return
                except TransferError as error:
                    raise _failed(address, str(error)) from error
                except (self._httpx.HTTPError, self._httpx.InvalidURL) as error:
                    reason = transfer.slowness() if transfer.is_too_slow else str(error) or type(error).__name__
                    raise _failed(address, str(reason)) from error
        raise _failed(address, "too many redirects")

    @staticmethod
    def _check_address(address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme != "https" and (parts.hostname or "") not in LOOPBACK:
            raise _failed(address, "the server redirects to an address that is not encrypted")


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a model into a new folder.

    Raises
    ------
    FuelError
        If it is not an archive, holds more than a model may, or a path that leads out of it.
    """
    try:
        with _Archive(FileIO(archive)) as file, zipfile.ZipFile(file) as opened:
            entries = opened.infolist()
            if len(entries) > MAX_FILES or sum(entry.file_size for entry in entries) > MAX_CONTENT:
                raise FuelError("the archive is larger than a model may be")
            folder.mkdir()
            written = 0
            for entry in entries:
                target = folder / _safe(entry)
                if entry.is_dir():
                    target.mkdir(parents=True, exist_ok=True)
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                with opened.open(entry) as source, target.open("xb") as unpacked:
                    while chunk := _read_chunk(source):
                        written += len(chunk)
                        if written > MAX_CONTENT:
                            raise FuelError("the archive is larger than a model may be")
                        unpacked.write(chunk)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise FuelError(f"the archive cannot be read: {error}") from error


class _Archive(BufferedReader):
    """An archive whose list of files is read into memory only if it is short: that of 1 GiB can take ten times more."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Return the next bytes; only the list of files is ever requested in one piece of such a size."""
        if size is not None and size > _MAX_DIRECTORY:
            raise FuelError("the archive is larger than a model may be")
        return super().read(size)


def _read_chunk(source: IO[bytes]) -> bytes:
    try:
        return source.read(_CHUNK)
    except Exception as error:  # damaged data: zlib.error, LZMAError, OSError of bz2, and what later methods raise
        raise FuelError(f"the archive cannot be read: {error}") from error


def _safe(entry: zipfile.ZipInfo) -> PurePosixPath:
    """Return the path of an entry, which must stay inside of the archive."""
    name = entry.filename.replace("\\", "/")
    path = PurePosixPath(name)
    is_link = stat.S_ISLNK(entry.external_attr >> 16)
    leads_out = path.is_absolute() or ":" in name or not path.parts or not all(map(is_name, path.parts))
    if is_link or leads_out:
        raise FuelError(f"the archive contains a path that leads outside it: {entry.filename!r}")
    return path


@cache
def _certificates() -> ssl.SSLContext:
    """Return the certificates that servers are checked against, which take 50 ms to read."""
    context: ssl.SSLContext = _httpx().create_ssl_context()
    return context


def _httpx() -> ModuleType:
    try:
        import httpx  # noqa: PLC0415  # an extra
    except ModuleNotFoundError as error:
        raise MissingExtraError("httpx", "fuel") from error
    return httpx
