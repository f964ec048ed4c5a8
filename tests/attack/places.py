"""What is no file where a file should be: pipes, devices, sockets, folders, links that loop, dangle or lead out.

A project has a model, a part that it includes, a mesh, a texture, a xacro file with its YAML file and settings. Some of
them are replaced; then the commands run, and what was read, written and copied is looked at.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import socket
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from sdfviewer.cli import main
from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.files.paths import parts_of_regular
from sdfviewer.files.saving import SaveError
from sdfviewer.session.session import Session

_MODEL = """<sdf version="1.9"><model name="m"><include><uri>part.sdf</uri></include><link name="l">
<visual name="v"><geometry><mesh><uri>meshes/a.obj</uri></mesh></geometry>
<material><pbr><metal><albedo_map>meshes/a.png</albedo_map></metal></pbr></material></visual></link>
<frame name="f" attached_to="l"><pose>1 0 0 0 0 0</pose></frame></model></sdf>"""
_PART = '<sdf version="1.9"><model name="p"><link name="k"/></model></sdf>'
_ROBOT = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="more.xacro"/>
<link name="${xacro.load_yaml('names.yaml')['a']}"/></robot>"""
_FILES = {
    "model.sdf": _MODEL,
    "part.sdf": _PART,
    "model.config": '<model><name>m</name><sdf version="1.9">model.sdf</sdf></model>',
    "meshes/a.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    "meshes/a.png": "no picture",
    "robot.xacro": _ROBOT,
    "more.xacro": '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="b"/></robot>',
    "names.yaml": "a: base\n",
    "sdfviewer.toml": 'ignore = ["unknown-element"]\n',
    "package.xml": "<package/>",
}
#: What the commands name: a pipe there is read to its end, as one from another program.
_NAMED = ("model.sdf", "part.sdf", "robot.xacro")
#: What lies outside of the project and may be in nothing that is copied. A diagnostic shows the line that it is about.
SECRET = "a-key-that-nobody-may-copy"


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        path.rename(path.with_name(f"{path.name}.old"))
    else:
        path.unlink(missing_ok=True)


def _link(target: str) -> Callable[[Path, Path], None]:
    def make(path: Path, _outside: Path) -> None:
        _remove(path)
        path.symlink_to(target)

    return make


def _pipe(path: Path, _outside: Path) -> None:
    if path.name not in _NAMED:
        _remove(path)
        os.mkfifo(path)


def _socket(path: Path, _outside: Path) -> None:
    _remove(path)
    with socket.socket(socket.AF_UNIX) as made, suppress(OSError):  # a path may be too long for one
        made.bind(str(path))


def _folder(path: Path, _outside: Path) -> None:
    _remove(path)
    path.mkdir()


def _loop(path: Path, _outside: Path) -> None:
    _remove(path)
    other = path.with_name(f"{path.name}.loop")
    _remove(other)
    path.symlink_to(other.name)
    other.symlink_to(path.name)


def _key(path: Path, outside: Path) -> None:
    _remove(path)
    path.symlink_to(outside / "id_rsa")


def _key_of_that_name(path: Path, outside: Path) -> None:
    """A link to a secret whose name ends as the link's does."""
    _remove(path)
    target = outside / f"id_rsa{path.suffix}"
    target.write_text(SECRET, encoding="utf-8")
    path.symlink_to(target)


def _above(path: Path, outside: Path) -> None:
    """The folder in which a file is leads out of the project."""
    if path.parent.name == "meshes":
        folder = path.parent
        _remove(folder)
        folder.symlink_to(outside)


def _large(path: Path, _outside: Path) -> None:
    _remove(path)
    with open(path, "wb") as file:
        file.truncate(1 << 30)  # as much as an input may take


def _forbid(path: Path, _outside: Path) -> None:
    if not path.is_symlink():
        path.chmod(0)


def _second_name(path: Path, outside: Path) -> None:
    with suppress(OSError):
        os.link(path, outside / "other_name")


def _nothing(path: Path, _outside: Path) -> None:
    _remove(path)


_DAMAGES: tuple[Callable[[Path, Path], None], ...] = (
    _pipe, _socket, _folder, _loop, _key, _key_of_that_name, _above, _large, _forbid, _second_name, _nothing,
    *(_link(device) for device in ("/dev/zero", "/dev/full", "/dev/tty", "/dev/stdin", "/proc/self/mem")),
    *(_link(target) for target in ("nowhere", ".", "..", "a" * 255, "/proc/self/environ", "/proc/self/fd/0")),
)  # fmt: skip
_COMMANDS: tuple[tuple[str, ...], ...] = (
    ("check", "{m}"), ("check", "{d}"), ("check", "--xacro", "--resources", "{d}"), ("check", "--fix", "{m}"),
    ("check", "--write-baseline", "{d}/baseline.json", "{m}"), ("frames", "{m}"), ("frames", "--xacro", "{d}"),
    ("assets", "{m}"), ("assets", "--copy", "{o}/copied", "{m}"), ("graph", "-o", "{d}/part.sdf", "{m}"),
    ("convert", "--to", "1.12", "--bundle", "{o}/bundle", "{m}"), ("diff", "{m}", "{d}/part.sdf"), ("diff", "{m}"),
    ("convert", "--to", "urdf", "-o", "{d}/more.xacro", "{m}"),
    ("convert", "--to", "standalone", "-o", "{o}/one.sdf", "{m}"),
    ("edit", "--rename", "m::f=g", "--in-place", "--also", "{d}", "{m}"), ("frames", "{d}/robot.xacro"),
    ("edit", "--set-pose", "m::f=2 0 0 0 0 0", "-o", "{d}/part.sdf", "{m}"), ("why", "{m}", "m::f"),
)  # fmt: skip


def attack(seed: int) -> None:
    """Replace files of a project, and use it."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        around = Path(name).resolve()
        project, outside, out = around / "project", around / "outside", around / "out"
        for folder in (project / "meshes", outside, out):
            folder.mkdir(parents=True)
        for path, text in _FILES.items():
            (project / path).write_text(text, encoding="utf-8")
        (outside / "id_rsa").write_text(SECRET, encoding="utf-8")
        session = _open(project) if rng.random() < 0.3 else None
        for path in rng.sample((*_FILES, *_FILES, "meshes"), rng.choice((1, 1, 2, 4))):
            with suppress(OSError):  # what another one has replaced
                rng.choice(_DAMAGES)(project / path, outside)
        if session is not None:
            _edit(session, project / "model.sdf")
            assert (outside / "id_rsa").read_text(encoding="utf-8") == SECRET, "saving wrote to where a link leads"
        places = {"m": project / "model.sdf", "d": project, "o": out}
        commands = rng.sample(_COMMANDS, 4)
        for words in commands:
            _run([word.format(**places) for word in words])
        _look(out)
        if not any("-o" in words for words in commands):  # what is written to where a link leads is what was asked for
            assert (outside / "id_rsa").read_text(encoding="utf-8") == SECRET, "a file outside was changed"


def _open(project: Path) -> Session:
    path = project / "model.sdf"
    return Session(open_document(path), Finder(environ={}, cwd=project))


def _edit(session: Session, path: Path) -> None:
    """Edit and save where the file is something else by now: it is written, or the reason is said."""
    document = session.document
    at = document.text.index("1 0 0")
    session.apply(Edit("Type", document, (Replacement(at, at + 1, "2"),)))
    text = session.document.text
    for overwrite in (False, True):
        try:
            session.save(overwrite=overwrite)
        except SaveError as error:
            why = str(error)
            assert path.name in why
            assert session.document.text == text
        else:
            assert path.read_text(encoding="utf-8") == text, "not saved, and nobody said so"


def _run(words: Sequence[str]) -> None:
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="surrogateescape", write_through=True)
    said = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
        try:
            code: object = main(words)
        except SystemExit as error:
            code = error.code
    printed.seek(0)
    text = printed.read() + said.getvalue()
    assert code in (0, 1, 2), f"{words}: {code}\n{text}"
    assert "internal error" not in text, f"{words}: {text}"
    assert "internal-error" not in text, f"{words}: {text}"
    assert "Traceback" not in text, f"{words}: {text}"


def _look(out: Path) -> None:
    """Assert that nothing secret was copied, and that only files and folders were made."""
    for path in out.rglob("*"):
        assert not path.is_symlink(), f"{path} is a link"
        assert path.is_dir() or path.is_file(), path
        parts = () if path.is_dir() else parts_of_regular(path)
        assert not any(SECRET.encode() in part for part in parts), f"{path} was copied"
