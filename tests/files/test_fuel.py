"""Downloads from Fuel, tried against a server on this machine: good answers, slow, broken, huge and hostile ones."""

from __future__ import annotations

import gzip
import io
import json
import stat
import struct
import sys
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sdfviewer.cli import main
from sdfviewer.extras import install_command
from sdfviewer.files import fuel
from sdfviewer.files.fuel import FuelClient, FuelError
from sdfviewer.files.installed import parse_fuel_uri
from tests.fuel_server import ABOUT, BOX, CONFIG, GOOD, MODEL, Server, archive, fuel_server

pytest.importorskip("httpx")


@pytest.fixture
def server() -> Iterator[Server]:
    with fuel_server() as running:
        yield running


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FuelClient]:
    made = FuelClient(tmp_path / "cache", {})
    yield made
    made.close()


def nothing_is_left(client: FuelClient) -> bool:
    return not [path for path in client.cache.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("https://fuel.gazebosim.org/1.0/o/models/Box", ("https://fuel.gazebosim.org", "o", "models", "Box", None)),
        ("https://api.ignitionfuel.org/1.0/o/models/Box/2", ("https://fuel.gazebosim.org", "o", "models", "Box", 2)),
        ("https://app.gazebosim.org/o/fuel/models/Box", ("https://fuel.gazebosim.org", "o", "models", "Box", None)),
        ("http://fuel.gazebosim.org/1.0/o/models/Box", None),
        ("https://fuel.gazebosim.org/1.0/o/models/%2e%2e", None),
        ("https://fuel.gazebosim.org/1.0/../models/Box", None),
        ("https://fuel.gazebosim.org/1.0/o/things/Box", None),
        ("model://Box", None),
        ("https://[", None),
    ],
)  # fmt: skip
def test_addresses(uri: str, expected: tuple[object, ...] | None) -> None:
    found = parse_fuel_uri(uri)
    assert (None if found is None else (found.base, found.owner, found.kind, found.name, found.version)) == expected


def test_a_model_comes_into_the_cache_as_gazebo_keeps_it(server: Server, client: FuelClient) -> None:
    offer = client.describe(server.offer())
    assert (offer.version, offer.size, offer.licence) == (3, 123, "CC BY 4.0")
    seen: list[int] = []
    folder = client.download(offer, lambda count: not seen.append(count))
    assert folder == client.cache / "127.0.0.1" / "open robotics" / "models" / "box" / "3"
    assert (folder / "model.sdf").read_text() == MODEL
    assert seen[-1] == len(GOOD)
    assert sorted(path.name for path in folder.parent.iterdir()) == ["3"]
    count = len(server.asked)
    assert client.download(offer) == folder  # it is there: nobody is asked
    assert len(server.asked) == count


@pytest.mark.parametrize(
    ("about", "words"),
    [
        (b"<html>", "no description"),
        (b"[" * 900_000, "no description"),
        (b"[]", "no version"),
        (b'{"version": -1}', "version"),
        (b"{}", "version"),
    ],
)
def test_descriptions_that_mean_nothing(server: Server, client: FuelClient, about: bytes, words: str) -> None:
    with pytest.raises(FuelError, match=words):
        client.describe(server.offer(about))


def patched(at: int, value: int) -> bytes:
    """Return an archive with another value in the header of its entry, and at the same place of the directory."""
    data = bytearray(archive({"model.sdf": "x"}))
    data[at] = data[data.index(b"PK\x01\x02") + at + 2] = value
    return bytes(data)


def damaged(method: int) -> bytes:
    """Return an archive whose compressed data has bytes of another in its middle."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as opened:
        opened.writestr("model.sdf", "".join(map(str, range(5000))))
    data = bytearray(buffer.getvalue())
    data[100:1000] = b"\xff" * 900
    return bytes(data)


LYING = archive({"model.sdf": "0" * 1_000_000}).replace(struct.pack("<I", 1_000_000), struct.pack("<I", 10))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"no archive", "cannot be read"),
        (LYING, "cannot be read"),
        (patched(6, 1), "is encrypted"),
        (patched(8, 99), "not supported"),
        (archive({"a": "x", "a/b": "x"}), "cannot write"),
        (archive({"d/" * 3000 + "f": "x"}), "cannot write"),
        (GOOD[:60], "cannot be read"),
        (damaged(zipfile.ZIP_DEFLATED), "cannot be read"),
        (damaged(zipfile.ZIP_BZIP2), "cannot be read"),
        (damaged(zipfile.ZIP_LZMA), "cannot be read"),
        (archive({"../out.txt": "x"}), "leads outside it"),
        (archive({"/etc/passwd": "x"}), "leads outside it"),
        (archive({"a\\..\\..\\b": "x"}), "leads outside it"),
        (archive({"C:/b": "x"}), "leads outside it"),
        (
            archive({"link": "/etc"}, lambda entry: setattr(entry, "external_attr", (stat.S_IFLNK | 0o777) << 16)),
            "leads outside it",
        ),
    ],
)
def test_archives_that_are_not_what_they_should_be(server: Server, client: FuelClient, data: bytes, words: str) -> None:
    offer = client.describe(server.offer(data=data))
    with pytest.raises(FuelError, match=words):
        client.download(offer)
    assert nothing_is_left(client)


def test_a_list_of_files_that_is_too_long_is_not_read(
    server: Server, client: FuelClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuel, "_MAX_DIRECTORY", 1 << 16)
    offer = client.describe(server.offer(data=archive({f"{number:0200}": "" for number in range(300)})))
    with pytest.raises(FuelError, match="larger than a model may be"):
        client.download(offer)
    assert nothing_is_left(client)


def test_a_download_that_breaks_off_leaves_nothing(server: Server, client: FuelClient) -> None:
    offer = client.describe(server.offer())
    server.answers["/1.0/Open%20Robotics/models/Box/3/Box.zip"] = 200, {"Content-Length": "100000"}, GOOD
    with pytest.raises(FuelError, match=r"Box\.zip"):
        client.download(offer)
    assert nothing_is_left(client)


def test_what_is_too_large_is_refused(server: Server, client: FuelClient, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = archive({"model.sdf": "0" * 1_000_000})
    offer = client.describe(server.offer(data=bomb))
    monkeypatch.setattr(fuel, "MAX_CONTENT", 10_000)
    with pytest.raises(FuelError, match="larger than a model may be"):
        client.download(offer)
    monkeypatch.setattr(fuel, "MAX_CONTENT", 10_000_000)
    monkeypatch.setattr(fuel, "MAX_ARCHIVE", 100)
    with pytest.raises(FuelError, match="larger than"):
        client.download(offer)
    monkeypatch.setattr(fuel, "MAX_ARCHIVE", 10_000_000)
    monkeypatch.setattr(fuel, "MAX_FILES", 0)
    with pytest.raises(FuelError, match="larger than a model may be"):
        client.download(offer)
    assert nothing_is_left(client)


def test_what_is_larger_than_agreed_is_refused(
    server: Server, client: FuelClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuel, "MORE_THAN_AGREED", 10)
    offer = client.describe(server.offer())
    assert offer.size is not None
    assert len(GOOD) > offer.size + 10
    with pytest.raises(FuelError, match="larger than"):
        client.download(offer)
    assert nothing_is_left(client)
    huge = json.dumps({"version": 3, "filesize": fuel.MAX_ARCHIVE + 1}).encode()
    with pytest.raises(FuelError, match="1,073,741,825 bytes are more than"):
        client.describe(server.offer(huge))


def test_a_download_can_be_cancelled(server: Server, client: FuelClient) -> None:
    offer = client.describe(server.offer())
    with pytest.raises(FuelError, match="cancelled"):
        client.download(offer, lambda _: False)
    assert nothing_is_left(client)


def test_redirections_stay_encrypted(server: Server, client: FuelClient) -> None:
    model = server.offer()
    path = "/1.0/Open%20Robotics/models/Box"
    server.answers["/there"] = server.answers[path]
    server.answers[path] = 302, {"Location": "/there"}, b""
    assert client.describe(model).version == 3
    server.answers[path] = 302, {"Location": "http://example.com/box"}, b""
    with pytest.raises(FuelError, match="not encrypted"):
        client.describe(model)
    server.answers[path] = 302, {"Location": path}, b""
    with pytest.raises(FuelError, match="too many"):
        client.describe(model)


def test_a_server_that_says_nothing_is_given_up(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuel, "PATIENCE", 0.2)
    client = FuelClient(tmp_path / "cache", {})
    model = server.offer()
    server.answers["/1.0/Open%20Robotics/models/Box"] = 200, {"X-Hang": "1"}, b""
    with pytest.raises(FuelError):
        client.describe(model)
    client.close()


def test_an_answer_may_be_packed_once(server: Server, client: FuelClient) -> None:
    model = server.offer()
    server.answers[BOX] = 200, {"Content-Encoding": "gzip"}, gzip.compress(ABOUT)
    assert client.describe(model).version == 3
    server.answers[BOX] = 200, {"Content-Encoding": "gzip"}, gzip.compress(ABOUT)[:-9]
    with pytest.raises(FuelError, match="breaks off"):
        client.describe(model)
    server.answers[BOX] = 200, {"Content-Encoding": "gzip"}, ABOUT
    with pytest.raises(FuelError, match="cannot be unpacked"):
        client.describe(model)
    for packing in ("gzip, gzip", "br", "deflate"):
        server.answers[BOX] = 200, {"Content-Encoding": packing}, gzip.compress(gzip.compress(ABOUT))
        with pytest.raises(FuelError, match="only gzip is unpacked, and only once"):
            client.describe(model)


def test_what_is_unpacked_is_counted_before_it_takes_memory(server: Server, client: FuelClient) -> None:
    model = server.offer()
    server.answers[BOX] = 200, {"Content-Encoding": "gzip"}, gzip.compress(bytes(1 << 25))
    tracemalloc.start()
    try:
        with pytest.raises(FuelError, match="larger than 1 MiB"):
            client.describe(model)
        assert tracemalloc.get_traced_memory()[1] < 1 << 23
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("part", ["headers", "sizes", "body"])
def test_a_server_that_sends_a_byte_now_and_then_is_given_up(
    server: Server, client: FuelClient, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    monkeypatch.setattr(fuel, "GRACE", 0.2)
    model = server.offer()
    server.answers[BOX] = 200, {"X-Slowly": part}, b""
    with pytest.raises(FuelError, match="the server is too slow"):
        client.describe(model)


@pytest.mark.parametrize("headers", [{}, {"Location": "https://a:port"}])
def test_redirections_that_lead_nowhere(server: Server, client: FuelClient, headers: dict[str, str]) -> None:
    model = server.offer()
    server.answers[BOX] = 302, headers, b""
    with pytest.raises(FuelError, match="models/Box: "):
        client.describe(model)


def test_downloads_can_be_forbidden(tmp_path: Path) -> None:
    with pytest.raises(FuelError, match="turns downloads off"):
        FuelClient(tmp_path, {"SDFVIEWER_OFFLINE": "1"})


def test_fetch_downloads_what_a_world_names_only_on_request(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server.offer()
    monkeypatch.setenv("GZ_FUEL_CACHE_PATH", str(tmp_path / "cache"))
    world = tmp_path / "world.sdf"
    uri = f"{server.base}/1.0/Open%20Robotics/models/Box"
    world.write_text(f'<sdf version="1.9"><world name="w"><include><uri>{uri}</uri></include></world></sdf>')
    assert main(["check", str(world)]) == 1
    assert server.asked == []
    assert main(["fetch", "--dry-run", str(world)]) == 1
    assert "123 bytes, licence CC BY 4.0" in capsys.readouterr().out
    assert main(["fetch", str(world)]) == 1  # nobody is there to agree
    assert not (tmp_path / "cache").exists()
    assert main(["fetch", "--yes", str(world)]) == 0
    assert main(["check", str(world)]) == 0
    count = len(server.asked)
    assert main(["fetch", "--yes", str(world)]) == 0
    assert len(server.asked) == count


def test_an_archive_without_a_model_is_downloaded_once(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server.offer(data=archive({"model.config": CONFIG}))
    monkeypatch.setenv("GZ_FUEL_CACHE_PATH", str(tmp_path / "cache"))
    world = tmp_path / "world.sdf"
    uri = f"{server.base}/1.0/Open%20Robotics/models/Box"
    world.write_text(f'<sdf version="1.9"><world name="w"><include><uri>{uri}</uri></include></world></sdf>')
    assert main(["fetch", "--yes", str(world)]) == 1
    out, err = capsys.readouterr()
    assert out.count("licence") == 1
    assert err.count("what was downloaded holds no model") == 1


def test_fetch_needs_no_http_library_before_something_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    world = tmp_path / "world.sdf"
    world.write_text('<sdf version="1.9"><world name="w"/></sdf>')
    assert main(["fetch", str(world)]) == 0
    uri = "https://fuel.gazebosim.org/1.0/Nobody/models/Nothing"
    world.write_text(f'<sdf version="1.9"><world name="w"><include><uri>{uri}</uri></include></world></sdf>')
    assert main(["fetch", str(world)]) == 2
    out, err = capsys.readouterr()
    assert "Nobody/Nothing from fuel.gazebosim.org" in out
    assert install_command("fuel") in err
