"""Answers of a server of Fuel: packed to be huge, packed twice, nested, cut, slow, redirected; archives in archives.

Nothing but a whole model may be in the cache afterwards. No answer may take more memory than its limit, or have no end.
"""

from __future__ import annotations

import gzip
import random
import tempfile
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from unittest.mock import patch

from sdfviewer.files import fuel
from sdfviewer.files.fuel import FuelClient, FuelError
from tests.attack.mutation import mutate
from tests.fuel_server import ABOUT, BOX, CONFIG, GOOD, MODEL, ZIP, Server, archive, fuel_server

#: Bytes that an attack may take beside what it makes itself.
_MOST_BYTES = 64 << 20
#: What is announced of an answer.
_PACKINGS = ("", "gzip", "x-gzip", "GZIP", "gzip, gzip", "gzip,identity", "br", "deflate", "zstd", "compress", "\u00e9")


@cache
def _zeros(size: int) -> bytes:
    return gzip.compress(bytes(size))


def _stored(data: bytes) -> bytes:
    """Return an archive with an archive in it, which is not compressed again."""
    return archive({"model.config": CONFIG, "model.sdf": MODEL, "more.zip": data.decode("latin-1")})


_BODIES: tuple[Callable[[random.Random], bytes], ...] = (
    lambda rng: ABOUT,
    lambda rng: GOOD,
    lambda rng: mutate(ABOUT, [ABOUT, GOOD], rng),
    lambda rng: mutate(GOOD, [ABOUT, GOOD], rng),
    lambda rng: gzip.compress(ABOUT),
    lambda rng: gzip.compress(gzip.compress(ABOUT)),
    lambda rng: gzip.compress(ABOUT) * 50,  # members behind each other
    lambda rng: gzip.compress(ABOUT)[: rng.randrange(40)],
    lambda rng: mutate(gzip.compress(ABOUT), [GOOD], rng),
    lambda rng: _zeros(1 << 25),
    lambda rng: gzip.compress(_zeros(1 << 25)),
    lambda rng: _zeros(1 << 20) * 64,
    lambda rng: zlib.compress(ABOUT),
    lambda rng: b"[" * rng.choice((10, 900_000)),
    lambda rng: b'{"a":' * 100_000,
    lambda rng: b'{"version": ' + b"9" * rng.choice((3, 5_000)) + b"}",
    lambda rng: b'{"version": 3, "filesize": ' + rng.choice((b"-1", b"1e400", b"NaN", b"1" * 40, b"[]")) + b"}",
    lambda rng: b'{"version": 3, "license_name": "' + rng.choice((b"\\u202e", b"x" * 90_000, b"\\ud800")) + b'"}',
    lambda rng: archive({"model.config": CONFIG, "model.sdf": "0" * (1 << 25)}),
    lambda rng: _stored(archive({"zeros": "0" * (1 << 24)})),
    lambda rng: b"",
)
_HEADERS: tuple[Callable[[random.Random], dict[str, str]], ...] = (
    lambda rng: {},
    lambda rng: {"Content-Encoding": rng.choice(_PACKINGS)},
    lambda rng: {"Content-Encoding": rng.choice(_PACKINGS)},
    lambda rng: {"Content-Encoding": "gzip", "Transfer-Encoding": "chunked"},
    lambda rng: {"Content-Length": rng.choice(("0", "-1", "7", "9" * 30, "x"))},
    lambda rng: {"X-Slowly": rng.choice(("headers", "sizes", "body"))},
    lambda rng: {"X-Raw": "1"},
    lambda rng: {"X-Many": "y" * 60_000},
)
_PLACES = ("", BOX, ZIP, "/elsewhere", "http://[", "https://a:port", "file:///etc/passwd", "ftp://x/", "//x", "\u00e9")
_RAW = (
    b"", b"HTTP/9.9 200 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n0\r\n\r\n",
    b"\0" * 100_000, b"HTTP/1.1 99999\r\n\r\n",
    b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 5_000, b"HTTP/1.1 103 Early\r\n\r\n" * 200,
    b"HTTP/1.1 200 OK\r\n" + b"Content-Encoding: gzip\r\n" * 2 + b"\r\n" + gzip.compress(gzip.compress(ABOUT)),
)  # fmt: skip


@contextmanager
def _bounded() -> Iterator[None]:
    """Fail where more memory of Python is taken than an answer may have."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < _MOST_BYTES, "more memory than an answer may have"
    finally:
        tracemalloc.stop()


def _answer(rng: random.Random) -> tuple[int, dict[str, str], bytes]:
    headers, body = rng.choice(_HEADERS)(rng), rng.choice(_BODIES)(rng)
    if headers.get("X-Raw"):
        body = rng.choice(_RAW)
    if rng.random() < 0.15:
        return rng.choice((301, 302, 307, 308)), {"Location": rng.choice(_PLACES)}, body
    return rng.choice((200, 200, 200, 200, 204, 206, 404, 500)), headers, body


def attack(seed: int) -> None:
    """Ask for a model of which the server says anything, and download it."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name, fuel_server() as server, patch.object(fuel, "GRACE", 0.3):
        model = server.offer()
        for path in rng.choice(((BOX,), (ZIP,), (BOX, ZIP))):
            server.answers[path] = _answer(rng)
        client = FuelClient(Path(name) / "cache", {})
        try:
            with suppress(FuelError), _bounded():
                client.download(client.describe(model))
        finally:
            client.close()
        _look(client.cache, server)


def _look(cache: Path, server: Server) -> None:
    """Assert that the cache has a whole model, or nothing."""
    kept = sorted(path.relative_to(cache) for path in cache.rglob("*") if path.is_file())
    assert not [path for path in kept if ".download-" in str(path)], kept
    assert not kept or {"model.sdf", "model.config"} <= {path.name for path in kept} or server.answers[ZIP][2] != GOOD
    assert not [path for path in cache.parent.iterdir() if path != cache]
