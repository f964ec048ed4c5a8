"""Addresses on Fuel name folders of the cache and nothing else, on every system."""

from __future__ import annotations

import ntpath
import posixpath
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import cast
from urllib.parse import urlsplit

import pytest

from sdfviewer.files import paths
from sdfviewer.files.fuel import FuelError, unpack
from sdfviewer.files.installed import fuel_places, parse_fuel_uri, resource_folder
from tests.files.test_fuel import archive

WINDOWS, POSIX = PureWindowsPath(r"C:\Users\me\.gz\fuel"), PurePosixPath("/home/me/.gz/fuel")

# Each part of "https://HOST/1.0/OWNER/models/NAME" in turn.
EVERYWHERE = ["..", ".", "%2e%2e", "%2E.", "..%2f..", "%2Fetc", "a%2fb", "a%5cb", "%5c%5cserver%5cshare", "a%00b"]
ON_WINDOWS = [
    *("c:", "C%3A", "d:", "d:x", "name:stream", "con", "CON", "nul", "aux.txt", "com1", "COM%C2%B9", "lpt9.tar.gz"),
    *("conin$", "nul .txt", "..%20", ".%20.", "a.", "a%20", "...", "a%3F", "a*", "a%3Cb", "a%22", "a%7C", "a%0Ab"),
]  # fmt: skip
PLACES = ["{0}/models/Box", "o/models/{0}"]


def places(uri: str, cache: PurePath) -> list[PurePath]:
    """Return where a model is looked for; the caches are only ever joined with names."""
    address = urlsplit(uri)
    return [*fuel_places(address.path, address.hostname or "", [cast("Path", cache)])]


def leads_out(place: PurePath, cache: PurePath) -> bool:
    rules = ntpath if isinstance(cache, PureWindowsPath) else posixpath
    return not rules.normpath(place).startswith(f"{cache}{rules.sep}")


@pytest.mark.parametrize("part", [*EVERYWHERE, *ON_WINDOWS])
@pytest.mark.parametrize("place", PLACES)
def test_on_windows_no_part_of_an_address_leads_elsewhere(
    place: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "ON_WINDOWS", True)
    uri = f"https://fuel.gazebosim.org/1.0/{place.format(part)}"
    assert parse_fuel_uri(uri) is None
    assert places(f"{uri}/2/files/model.sdf", WINDOWS) == []


@pytest.mark.parametrize("part", EVERYWHERE)
@pytest.mark.parametrize("place", PLACES)
def test_on_posix_no_part_of_an_address_leads_elsewhere(place: str, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "ON_WINDOWS", False)
    uri = f"https://fuel.gazebosim.org/1.0/{place.format(part)}"
    assert parse_fuel_uri(uri) is None
    assert places(f"{uri}/2/files/model.sdf", POSIX) == []


@pytest.mark.parametrize("part", [*EVERYWHERE, *ON_WINDOWS])
def test_on_windows_no_file_of_a_model_lies_elsewhere(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "ON_WINDOWS", True)
    uri = "https://fuel.gazebosim.org/1.0/o/models/Box/2/files"
    assert places(f"{uri}/{part}/a.dae", WINDOWS) == []
    (good,) = {each.name for each in places(f"{uri}/meshes/a.dae", WINDOWS)}
    assert good == "a.dae"


@pytest.mark.parametrize("host", ["..", ".", r"a\..\..\b", "con", "aux.org", "..."])
@pytest.mark.parametrize("cache", [WINDOWS, POSIX])
def test_no_server_leads_elsewhere(host: str, cache: PurePath, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "ON_WINDOWS", cache is WINDOWS)
    uri = f"https://{host}/1.0/o/models/Box"
    found = parse_fuel_uri(uri)
    assert not [each for each in places(f"{uri}/2", cache) if leads_out(each, cache)]
    if cache is WINDOWS or host in ("..", "."):
        assert found is None
    if found is not None:
        folder = resource_folder(cast("Path", cache), found.server, found.owner, found.kind, found.name)
        assert not leads_out(folder, cache)


@pytest.mark.parametrize("name", ["con", "a/nul.dae", "meshes./a.dae", "meshes /a.dae", "a:b", "x/../../y"])
def test_on_windows_no_file_of_an_archive_leads_elsewhere(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(paths, "ON_WINDOWS", True)
    (tmp_path / "model.zip").write_bytes(archive({name: "x"}))
    with pytest.raises(FuelError, match="leads outside"):
        unpack(tmp_path / "model.zip", tmp_path / "content")


@pytest.mark.parametrize("on_windows", [False, True])
def test_ordinary_names_stay(on_windows: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "ON_WINDOWS", on_windows)
    for name in ("Box", "Traffic%20Cone", "R2-D2_v1.5", "console", "command%20post", "nullarbor", "b%C3%A4r%20(2)"):
        found = parse_fuel_uri(f"https://fuel.gazebosim.org/1.0/Open%20Robotics/models/{name}")
        assert found is not None
        assert found.owner == "Open Robotics"
