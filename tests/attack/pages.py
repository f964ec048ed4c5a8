"""Web pages of mutated meshes and pictures, of sizes and poses that nobody can draw, and of names that are markup."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
import tempfile
import warnings
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

from sdfviewer.document.document import parse_document
from sdfviewer.export.page import PageModel, PageTooLargeError, write_page
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from tests.attack.mutation import mesh_seeds, mutate, picture_seeds

_meshes, _pictures = cache(mesh_seeds), cache(picture_seeds)
_NAMES = (
    "a",
    "</script><script>alert(1)</script>",
    "<!--",
    "${x}",
    "javascript:alert(1)",
    "\u202e",
    "constructor",
    "__proto__",
)
_NUMBERS = ("0", "1", "-1", "1e308", "-1e308", "1e-320", "nan", "inf", "1e19", "0.1")
_MOST_MEGABYTES = 8.0


def attack(seed: int) -> None:
    """A page has one program, no markup of the file, and numbers that JSON and glTF have."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        document = parse_document(_file(rng, folder), folder / "a.sdf")
        loader = Loader(Finder(environ={}, cwd=folder))
        model, diagnostics = loader.load_with_diagnostics(document)
        if model is None:
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow's, about what it could still read, and of sizes beyond all numbers
            try:
                page = write_page(PageModel(model, diagnostics), loader.finder, _MOST_MEGABYTES).text
            except PageTooLargeError:
                return
        assert len(page) <= _MOST_MEGABYTES * 1e6
        assert page.count("<script") == page.count("</script>") == 3
        assert str(folder) not in page
        _check(page, str(folder))


def _check(page: str, folder: str) -> None:
    packed = re.search(r'id="data">([^<]*)<', page)
    assert packed is not None
    block = gzip.decompress(base64.b64decode(packed[1]))
    length = int.from_bytes(block[:4], "little")
    text = block[4 : 4 + length].decode("ascii")
    assert folder not in text
    record = json.loads(text, parse_constant=_refuse)
    _, start, (size,) = record["gltf"]["$"]
    gltf = block[4 + length + start :][:size]
    document = json.loads(gltf[20 : 20 + int.from_bytes(gltf[12:16], "little")], parse_constant=_refuse)
    for mesh in document.get("meshes", ()):
        for part in mesh["primitives"]:
            counts = {document["accessors"][each]["count"] for each in part["attributes"].values()}
            assert len(counts) == 1
            assert part["material"] < len(document["materials"])


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no number of JSON")


def _file(rng: random.Random, folder: Path) -> str:
    suffix = rng.choice(sorted(_meshes()))
    others = [data for seeds in _meshes().values() for data in seeds]
    (folder / f"a{suffix}").write_bytes(mutate(rng.choice(_meshes()[suffix]), others, rng))
    (folder / "a.png").write_bytes(mutate(rng.choice(_pictures()), _pictures(), rng))

    def numbers(count: int) -> str:
        return " ".join(rng.choice(_NUMBERS) for _ in range(count))

    def name() -> str:
        return escape(rng.choice(_NAMES), {'"': "&quot;"})

    shapes = (
        f"<mesh><uri>a{suffix}</uri><scale>{rng.choice(('1 1 1', numbers(3)))}</scale></mesh>",
        f"<box><size>{numbers(3)}</size></box>",
        f"<sphere><radius>{numbers(1)}</radius></sphere>",
        f"<heightmap><uri>a.png</uri><size>{numbers(3)}</size></heightmap>",
    )
    material = (
        f"<material><diffuse>{numbers(4)}</diffuse><pbr><metal><albedo_map>a.png</albedo_map></metal></pbr></material>"
    )
    links = "".join(
        f'<link name="{name()}{number}"><pose>{rng.choice(("0 0 0 0 0 0", numbers(6)))}</pose>'
        f'<visual name="{name()}"><geometry>{rng.choice(shapes)}</geometry>{material}</visual></link>'
        for number in range(rng.randrange(1, 4))
    )
    return f'<sdf version="1.9"><model name="{name()}">{links}</model></sdf>'
