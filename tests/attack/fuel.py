"""Models of Fuel: archives that are damaged or hostile, and caches that somebody else has written into."""

from __future__ import annotations

import os
import random
import stat
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path

from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.files.fuel import FuelError, unpack
from sdfviewer.formats.load import Loader
from tests.attack.mutation import mutate
from tests.scenes import build_scene

_MODEL = b'<sdf version="1.9"><model name="cup"><link name="l"><visual name="v"><geometry><mesh>'
_MODEL += b"<uri>meshes/cup.obj</uri></mesh></geometry></visual></link></model></sdf>"
_CONFIG = b"<model><name>cup</name><version>1.0</version><sdf version='1.9'>model.sdf</sdf></model>"
_MESH = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
_FILES = {"model.sdf": _MODEL, "model.config": _CONFIG, "meshes/cup.obj": _MESH, "metadata.pbtxt": b'name: "cup"\n'}
_NAMES = (
    "../out", "/out", "a/../../out", "C:/out", "\\\\server\\share\\out", "..", ".", "", "a\0b", "a/" * 3000 + "b",
    "x" * 300, "model.sdf", "model.sdf/x", "meshes", "meshes/", "con", "name\n", "\ud7ff", "a//b", "./model.sdf",
    "~/out", "²",
)  # fmt: skip


def _archive(rng: random.Random) -> bytes:
    """Return an archive, often with entries that nobody should unpack."""
    file = BytesIO()
    method = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", method) as archive:
        warnings.simplefilter("ignore")  # names that are there twice
        for name, data in _FILES.items():
            archive.writestr(name, data)
        for _ in range(rng.choice((0, 0, 1, 3))):
            entry = zipfile.ZipInfo(rng.choice(_NAMES) or "x")
            if rng.random() < 0.3:
                entry.external_attr = (stat.S_IFLNK | 0o777) << 16
            with suppress(ValueError):
                archive.writestr(entry, rng.choice((b"/etc/passwd", b"../..", b"x" * 1000)))
    return file.getvalue()


def archives(seed: int) -> None:
    """An archive is unpacked into its folder, or refused."""
    rng = random.Random(seed)
    data = _archive(rng)
    if rng.random() < 0.8:
        data = mutate(data, [data], rng)
    with tempfile.TemporaryDirectory() as name:
        around = Path(name).resolve()
        archive, folder = around / "a.zip", around / "inside" / "content"
        archive.write_bytes(data)
        folder.parent.mkdir()
        with suppress(FuelError, OSError):
            unpack(archive, folder)
        assert sorted(each.name for each in around.iterdir()) == ["a.zip", "inside"]
        assert [each.name for each in folder.parent.iterdir()] in ([], ["content"])
        for path, folders, files in os.walk(folder):
            assert not any(Path(path, each).is_symlink() for each in (*folders, *files))


def caches(seed: int) -> None:
    """A cache that is half written, or by somebody else, is looked into like any folder."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        owner = home / ".gz" / "fuel" / "fuel.gazebosim.org" / "openrobotics"
        versions = owner / "models" / "cup"
        for version in rng.sample(("1", "2", "10", "²", "٣", "9" * 200, "x", "-1", "1.0", " 2", "tip"), 4):
            folder = versions / version
            for path, data in _FILES.items():
                written = mutate(data, [*_FILES.values()], rng) if rng.random() < 0.4 else data
                with suppress(OSError):  # what was done to the version before may forbid it
                    (folder / path).parent.mkdir(parents=True, exist_ok=True)
                    (folder / path).write_bytes(written)
            for _ in range(rng.choice((0, 1, 2))):
                with suppress(OSError):
                    rng.choice(_DAMAGES)(folder / rng.choice((*_FILES, "meshes")), home)
        with suppress(OSError):
            if rng.random() < 0.2:
                rng.choice(_DAMAGES)(rng.choice((owner, owner / "models", versions)), home)
        uri = rng.choice(_URIS)
        text = f'<sdf version="1.9"><world name="w"><include><uri>{uri}</uri></include></world></sdf>'
        finder = Finder(environ={"HOME": name}, cwd=home)
        model, diagnostics = Loader(finder).load_with_diagnostics(parse_document(text, home / "a.sdf"))
        assert not any(each.rule.name == "internal-error" for each in diagnostics), diagnostics
        assert all(each.message for each in diagnostics)
        if model is not None:
            build_scene(model, finder=finder)


def _remove(path: Path) -> None:
    path.rename(path.with_name(f"{path.name}.old"))


def _replace(path: Path, _home: Path) -> None:
    """A file in place of a folder, or a folder in place of a file."""
    was_folder = path.is_dir()
    _remove(path)
    path.write_bytes(b"x") if was_folder else path.mkdir()


def _link_out(path: Path, home: Path) -> None:
    _remove(path)
    path.symlink_to("/etc/passwd" if path.suffix else home)


def _link_to_itself(path: Path, _home: Path) -> None:
    _remove(path)
    path.symlink_to(path)


def _cut(path: Path, _home: Path) -> None:
    if path.is_file():
        path.write_bytes(path.read_bytes()[:20])


def _forbid(path: Path, _home: Path) -> None:
    path.chmod(0)


def _pipe(path: Path, _home: Path) -> None:
    _remove(path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(path)


def _other_case(path: Path, _home: Path) -> None:
    path.rename(path.with_name(path.name.upper()))


_DAMAGES: tuple[Callable[[Path, Path], None], ...] = (
    _replace, _link_out, _link_to_itself, _cut, _forbid, _pipe, _other_case,
)  # fmt: skip
_BASE = "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Cup"
_URIS = (
    _BASE, f"{_BASE}/2", f"{_BASE}/tip", f"{_BASE}/²", f"{_BASE}/{'9' * 5000}",
    f"{_BASE}/tip/files/meshes/cup.obj",
    f"{_BASE}/1/../../x", "https://app.gazebosim.org/OpenRobotics/fuel/models/cup", f"{_BASE}/1/files/%2e%2e/%2e%2e/x",
    "https://fuel.gazebosim.org/1.0/OpenRobotics/models/%00", f"{_BASE}/1/files", "model://cup",
)  # fmt: skip
