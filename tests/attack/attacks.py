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
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from sdfviewer.diagnostics import Replacement, SdfViewerError
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.document.xml.encoding import EncodingError, decode
from sdfviewer.export.graph_files import format_svg
from sdfviewer.export.urdf import export_urdf
from sdfviewer.export.urdf_to_sdformat import export_sdformat
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.graphs.picture import draw_graph
from sdfviewer.model.model import Model
from sdfviewer.refactoring.composition.flatten import flatten
from sdfviewer.refactoring.forms import (
    remove_redundant,
    to_element_relative_form,
    to_model_absolute_form,
    write_defaults,
)
from sdfviewer.refactoring.renaming import rename
from sdfviewer.refactoring.versions.changing import change_version
from sdfviewer.scene.meshes import MeshFileError, SideFiles, read_mesh_file
from sdfviewer.scene.textures import TextureError, open_picture, rgba
from sdfviewer.session.session import Session
from tests.attack import (
    exports,
    expressions,
    fuel,
    full_disk,
    kept,
    long_lines,
    numbers,
    pages,
    places,
    robot_edits,
    stored,
    transfers,
    typist,
    workspaces,
)
from tests.attack import language_server as language_server_attack
from tests.attack.mutation import mesh_seeds, mjcf_seeds, mutate, mutate_mjcf, picture_seeds, text_seeds
from tests.scenes import build_scene

#: What one input may cost: memory, and processor time of the attack and of the programs that it starts.
MOST_BYTES, MOST_SECONDS = 1 << 30, 5.0

_texts, _mjcf, _meshes, _pictures = cache(text_seeds), cache(mjcf_seeds), cache(mesh_seeds), cache(picture_seeds)


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


def mjcf(seed: int) -> None:
    """A mutated MJCF file."""
    rng = random.Random(seed)
    try:
        read = decode(mutate_mjcf(rng.choice(_mjcf()), _mjcf(), rng))
    except EncodingError:
        return
    loader = Loader(_finder())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        document = parse_document(read.text, Path("attack.mjcf"), encoding=read.encoding)
        model, diagnostics = loader.load_with_diagnostics(document)
        assert not any(each.rule.name == "internal-error" for each in diagnostics), diagnostics
        if model is not None:
            _use(model, loader, rng)


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


# Only those that can open a window may import Qt.


def window_typing(seed: int) -> int:
    """A hundred keys in the window."""
    from tests.attack import window_attacks

    return window_attacks.type_keys(seed)


def window_kills(seed: int) -> None:
    """A window that is killed while somebody types."""
    from tests.attack import windows

    lost = windows.kill_one(seed)
    assert lost < windows.LIMIT, f"{lost:.2f} s of typing are lost"


def window_starts(seed: int) -> None:
    """A window that starts on settings which are broken."""
    from tests.attack import window_attacks

    window_attacks.start(seed)


def monkey(seed: int) -> int:
    """A round of the monkey in the window."""
    from tests.attack import window_attacks

    return window_attacks.play(seed)


@dataclass(frozen=True)
class Attack:
    """A kind of attack.

    Attributes
    ----------
    run
        Makes an input from a number and tries it; raises where it breaks a promise. May return how much memory what is
        attacked takes then.
    share
        The part of the time that it gets.
    needs
        The packages that it needs.
    opens_window
        Whether it needs a screen.
    is_steady
        Whether the memory that it returns must not grow.
    warm_up
        How many inputs of a process come before its memory is compared, where it is more than a tenth of a round:
        until each panel, dialog and table of the specification has been met once.
    most_seconds, most_bytes
        What one input may cost: processor time and memory of the attack and of what it starts.
    """

    run: Callable[[int], int | None]
    share: float
    needs: tuple[str, ...] = ()
    opens_window: bool = False
    is_steady: bool = False
    warm_up: int = 0
    most_seconds: float = MOST_SECONDS
    most_bytes: int = MOST_BYTES

    def why_not(self) -> str:
        """Return why it cannot be run here, empty where it can."""
        missing = [each for each in self.needs if find_spec(each) is None]
        if missing:
            return f"{missing[0]} is not installed"
        has_screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        if self.opens_window and sys.platform.startswith("linux") and not has_screen:
            return "there is no screen"
        return ""


def _in_a_window(
    run: Callable[[int], int | None], share: float, *, is_steady: bool = False, warm_up: int = 0
) -> Attack:
    """Return an attack that needs a window; one input may be a hundred things that are done in it."""
    return Attack(
        *(run, share, ("PySide6",)),
        opens_window=True,
        is_steady=is_steady,
        warm_up=warm_up,
        most_seconds=60.0,
        most_bytes=4 << 30,
    )


#: The attacks by name.
ATTACKS: dict[str, Attack] = {
    "texts": Attack(texts, 0.06),
    "mjcf": Attack(mjcf, 0.04),
    "numbers": Attack(numbers.attack, 0.08),
    "edits": Attack(edits, 0.1),
    "robot edits": Attack(robot_edits.attack, 0.06),
    "long lines": Attack(long_lines.attack, 0.05),
    "meshes": Attack(meshes, 0.08),
    "pictures": Attack(pictures, 0.08),
    "server": Attack(language_server, 0.08, ("pygls",)),
    "workspaces": Attack(workspaces.attack, 0.06, ("pygls", "xacro"), most_seconds=20.0),
    "typing": Attack(typist.attack, 0.06, ("pygls",), is_steady=True),
    "places": Attack(places.attack, 0.05),
    "full disk": Attack(full_disk.attack, 0.05),
    "kills": Attack(kills, 0.05),
    "exports": Attack(exports.attack, 0.03),
    "pages": Attack(pages.attack, 0.02),
    "stored": Attack(stored.attack, 0.04),
    "kept": Attack(kept.attack, 0.03),
    "archives": Attack(fuel.archives, 0.025),
    "caches": Attack(fuel.caches, 0.025),
    "transfers": Attack(transfers.attack, 0.03, ("httpx",)),
    "expressions": Attack(expressions.attack, 0.05, ("xacro",)),
    "window typing": _in_a_window(window_typing, 0.05, is_steady=True),
    "window starts": _in_a_window(window_starts, 0.05),
    "window kills": _in_a_window(window_kills, 0.05),
    "monkey": _in_a_window(monkey, 0.08, is_steady=True, warm_up=20),
}
