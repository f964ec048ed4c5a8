"""The attacks: each makes one input from a number, and fails where the program breaks a promise.

An input that breaks one is repeated by its name and number: ``python -m tests.attack --repeat texts 123``.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path

from sdfviewer.diagnostics import Replacement, SdfViewerError
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.document.xml.encoding import EncodingError, decode
from sdfviewer.export.svg import format_svg
from sdfviewer.export.urdf import export_urdf
from sdfviewer.export.urdf_to_sdformat import export_sdformat
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.graphs.picture import draw_graph
from sdfviewer.model.model import Model
from sdfviewer.refactoring.composition.flatten import flatten
from sdfviewer.refactoring.forms import to_element_relative_form, to_model_absolute_form
from sdfviewer.refactoring.renaming.rename import rename
from sdfviewer.refactoring.tidy import remove_redundant, write_defaults
from sdfviewer.refactoring.versions.changing import change_version
from sdfviewer.scene.meshes import MeshFileError, SideFiles, read_mesh_file
from sdfviewer.scene.scene_build import build_scene
from sdfviewer.scene.textures import TextureError, open_picture, rgba
from sdfviewer.session.session import Session
from tests.attack import exports, expressions, fuel, full_disk, numbers, stored
from tests.attack import language_server as language_server_attack
from tests.attack.mutation import mesh_seeds, mutate, picture_seeds, text_seeds

_texts, _meshes, _pictures = cache(text_seeds), cache(mesh_seeds), cache(picture_seeds)


def _finder() -> Finder:
    return Finder(environ={}, cwd=Path(tempfile.gettempdir()))


def texts(seed: int) -> None:
    """A mutated file through everything that reads, judges, draws and rewrites one."""
    rng = random.Random(seed)
    data = mutate(rng.choice(_texts()), _texts(), rng)
    try:
        read = decode(data)
    except EncodingError:
        return
    document = parse_document(read.text, Path("attack.sdf"), encoding=read.encoding)
    assert document.to_bytes() == data, "bytes changed"
    loader = Loader(_finder())
    model, diagnostics = loader.load_with_diagnostics(document)
    assert all(each.message for each in diagnostics)
    for diagnostic in diagnostics[:3]:
        for fix in diagnostic.fixes[:2]:
            if fix.path == document.name:
                loader.load_with_diagnostics(document.edited(fix.replacements))
    if model is not None:
        _use(model, loader, rng)


def _use(model: Model, loader: Loader, rng: random.Random) -> None:
    for kind in GraphKind:
        format_svg(draw_graph(build_graph(model, kind)))
    build_scene(model, finder=_finder())
    row = rng.randrange(len(model))
    document = model.document
    is_urdf = document.root is not None and document.root.tag == "robot"
    steps: list[Callable[[], object]] = [
        lambda: export_sdformat(model, merge_fixed=bool(row % 2)) if is_urdf else export_urdf(model),
        lambda: document.edited(rename(model, row, "another_name").replacements),
        lambda: document.edited(change_version(document, loader, rng.choice(((1, 7), (1, 9), (1, 12)))).replacements),
        lambda: document.edited(flatten(document, loader).replacements),
        lambda: document.edited(to_element_relative_form(model).replacements),
        lambda: document.edited(to_model_absolute_form(model).replacements),
        lambda: document.edited(write_defaults(model).replacements),
        lambda: document.edited(remove_redundant(model).replacements),
    ]
    for step in rng.sample(steps, 3):
        try:
            step()
        except SdfViewerError:
            continue  # refused, with a reason


def edits(seed: int) -> None:
    """Typing at random: what is undone is the file, and what is shown is what a fresh load shows."""
    rng = random.Random(seed)
    text = rng.choice(_texts()).decode("utf-8", "surrogateescape")
    session = Session(parse_document(text, Path("attack.sdf")), _finder())
    for _ in range(rng.randrange(1, 12)):
        document = session.document
        at = rng.randrange(len(document.text) + 1)
        end = min(len(document.text), at + rng.choice((0, 0, 1, 5, 40)))
        other = rng.choice(_texts()).decode("utf-8", "surrogateescape")
        start = rng.randrange(len(other) + 1)
        typed = rng.choice(("", "<", ">", "/", '"', "a", " ", "&", other[start : start + rng.choice((3, 30, 300))]))
        session.apply(Edit("Type", document, (Replacement(at, end, typed),)))
        if rng.random() < 0.2:
            session.undo()
    assert not any(each.rule.name == "internal-error" for each in session.diagnostics), session.diagnostics
    fresh = parse_document(session.document.text, Path("attack.sdf"))
    model, diagnostics = Loader(_finder()).load_with_diagnostics(fresh)
    if session.document.root is not None and model is not None and session.model is not None:
        assert session.model.names == model.names
    assert [each.message for each in session.diagnostics] == [each.message for each in diagnostics]
    while session.can_undo:
        session.undo()
    assert session.document.text == text


def meshes(seed: int) -> None:
    """A mutated mesh file."""
    rng = random.Random(seed)
    suffix = rng.choice(sorted(_meshes()))
    others = [data for seeds in _meshes().values() for data in seeds]
    data = mutate(rng.choice(_meshes()[suffix]), others, rng)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        path.write_bytes(data)
        try:
            read_mesh_file(path, SideFiles(path))
        except MeshFileError:
            return


def language_server(seed: int) -> None:
    """An editor that sends anything to the language server."""
    language_server_attack.attack(seed, _texts())


def pictures(seed: int) -> None:
    """A mutated picture."""
    rng = random.Random(seed)
    data = mutate(rng.choice(_pictures()), _pictures(), rng)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow's, about what it could still read
        try:
            rgba(open_picture(data, 256))
        except TextureError:
            return


_SAVE = """
import os, sys
from pathlib import Path
from sdfviewer.files.saving import save
path = Path(sys.argv[1])
other = path.with_name("b.sdf")
is_linked = other.exists()
print("ready", flush=True)
number = 0
while True:
    number += 1
    if is_linked:
        other.unlink(missing_ok=True)
        os.link(path, other)
    save(path, str(number % 10).encode() * 300_000)
"""


def kills(seed: int) -> None:
    """A program that is killed while it saves leaves a whole file."""
    if not hasattr(signal, "SIGKILL"):
        return
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.sdf"
        path.write_bytes(b"0" * 300_000)
        if rng.random() < 0.5:
            os.link(path, path.with_name("b.sdf"))
        process = subprocess.Popen([sys.executable, "-c", _SAVE, str(path)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(rng.random() * 0.05)
        process.kill()
        process.communicate()
        for each in (path, path.with_name("b.sdf")):
            data = each.read_bytes() if each.exists() else b"0" * 300_000
            assert len(data) == 300_000, "torn"
            assert len(set(data)) == 1, "torn"


#: The attacks by name, with the share of the time that each gets.
ATTACKS: dict[str, tuple[Callable[[int], None], float]] = {
    "texts": (texts, 0.15),
    "numbers": (numbers.attack, 0.1),
    "edits": (edits, 0.15),
    "meshes": (meshes, 0.1),
    "pictures": (pictures, 0.1),
    "server": (language_server, 0.1),
    "full disk": (full_disk.attack, 0.05),
    "kills": (kills, 0.05),
    "exports": (exports.attack, 0.05),
    "stored": (stored.attack, 0.05),
    "archives": (fuel.archives, 0.025),
    "caches": (fuel.caches, 0.025),
    "expressions": (expressions.attack, 0.05),
}
