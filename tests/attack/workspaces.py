"""Workspaces of a stranger in the language server: nothing in them runs, whatever is opened, asked and decided there.

They have modules and programs that a process started there could run by mistake, a repository of git that names
programs, xacro files with payloads, settings, links and pipes. The user lets every xacro file be evaluated.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from tests.attack.language_server import Server
from tests.formats.xacro.payloads import EXPENSIVE, FILES, REACHING
from tests.hostile import CARELESS, GIT_PROGRAMS, HostileFolder, make_hostile

_HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
_WORLD = '<sdf version="1.9"><world name="w">\n{}</world></sdf>\n'
_INCLUDE = "<include><uri>{}</uri></include>\n"
_URIS = (
    "a.xacro", "model://m", "package://p/b.xacro", "../../../../etc/passwd", "file:///dev/zero", "pipe.sdf", "loop.sdf",
    "https://fuel.gazebosim.org/1.0/x/models/y", "//server/share/x", "a.sdf", "b.sdf", "\\\\server\\x", "model://..",
)  # fmt: skip
_SETTINGS = (
    'paths = ["/", "//server/x", "."]\n', "[" * 5_000, 'select = ["*"]\n', "\xff", 'paths = ["/dev"]\nignore = 3\n', "",
)  # fmt: skip
_OF_FILE = ("documentSymbol", "codeAction", "codeLens", "documentLink", "inlayHint", "diagnostic", "foldingRange")
_AT_POSITION = ("hover", "completion", "definition", "references", "prepareRename", "rename", "typeDefinition")


class _Workspace:
    """A server that was started in the folder of a stranger, and the folders that are added to it."""

    def __init__(self) -> None:
        self.around = Path(tempfile.mkdtemp(prefix="sdfviewer-workspaces-"))
        self.hostile: HostileFolder = make_hostile(self.around / "first")
        home = self.around / "home"
        home.mkdir(mode=0o700)
        own = {name: str(home) for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR")}
        self.server = Server(self.hostile.path, {**CARELESS, **own})


@cache
def _workspace() -> _Workspace:
    return _Workspace()


def make_folder(folder: Path, hostile: HostileFolder, rng: random.Random) -> Path:
    """Make a folder of a stranger in which code would leave its name in the marker of another one."""
    made = make_hostile(folder)
    mark = hostile.marker.as_posix()
    if made.marker != hostile.marker:
        made.marker.symlink_to(hostile.marker)
    yaml = ""
    for name in ("a.xacro", "b.xacro"):
        content, yaml = rng.choice(FILES) if rng.random() < 0.4 else (_link(rng.choice((*REACHING, *EXPENSIVE))), yaml)
        text = f"{_HEAD}\n{content}\n</robot>".replace("MARK", mark)
        (folder / name).write_text(text, encoding="utf-8", errors="replace")
    (folder / "y.yaml").write_text(yaml.replace("MARK", mark), encoding="utf-8", errors="replace")
    for name in ("a.sdf", "b.sdf"):
        includes = "".join(_INCLUDE.format(rng.choice(_URIS)) for _ in range(rng.choice((1, 3))))
        frame = f'<frame name="f" attached_to="r::{rng.choice(("a", "<", "x" * 2_000, "../.."))[:1]}"/>\n'
        (folder / name).write_text(_WORLD.format(includes + frame), encoding="utf-8")
    (folder / rng.choice(("sdfviewer.toml", "pyproject.toml"))).write_text(rng.choice(_SETTINGS), encoding="latin-1")
    (folder / ".vscode").mkdir()
    settings = '{"sdfviewer.command": ["touch", "MARK"], "python.defaultInterpreterPath": "./git"}'
    (folder / ".vscode" / "settings.json").write_text(settings.replace("MARK", mark), encoding="utf-8")
    if sys.platform != "win32":
        os.mkfifo(folder / "pipe.sdf")
        (folder / "loop.sdf").symlink_to("loop.sdf")
        (folder / "secret.yaml").symlink_to("/etc/passwd")
        (folder / "up").symlink_to("..")
        _make_repository(folder, rng)
    return folder


def _link(expression: str) -> str:
    return f"<link name={quoteattr('${' + expression + '}')}/>"


def _make_repository(folder: Path, rng: random.Random) -> None:
    """Make a repository whose settings name a program for everything."""
    git = shutil.which("git", path=os.environ.get("PATH"))
    if git is None:
        return
    program = folder / "git"  # of make_hostile: it writes down that it ran
    subprocess.run([git, "-C", str(folder), "init", "-q"], check=True, capture_output=True)
    lines = ["[protocol]\n\tallow = always\n"]
    for key in rng.sample(GIT_PROGRAMS, 8):
        section, _, name = key.rpartition(".")
        top, _, below = section.partition(".")
        lines.append(f"[{top}{f' {chr(34)}{below}{chr(34)}' if below else ''}]\n\t{name} = {program}\n")
    with (folder / ".git" / "config").open("a", encoding="utf-8") as file:
        file.writelines(lines)
    (folder / ".gitattributes").write_text("* filter=x diff=x merge=x\n", encoding="utf-8")


def attack(seed: int) -> None:
    """Add such a folder to the workspace, and do with it all that an editor does."""
    rng = random.Random(seed)
    workspace = _workspace()
    server, folder = workspace.server, workspace.around / f"w{seed}" / "workspace"
    make_folder(folder, workspace.hostile, rng)
    added = [{"uri": folder.as_uri(), "name": "w"}]
    try:
        _change_folders(server, added, [])
        for answer in _use(server, folder, rng):
            code = answer.get("error", {}).get("code", 0)
            assert code != -32603, answer  # an internal error
        server.check()
        assert not workspace.hostile.ran, f"{workspace.hostile.ran} ran"
        _change_folders(server, [], added)
    except BaseException:
        server.process.kill()
        server.process.wait()
        _workspace.cache_clear()
        shutil.rmtree(workspace.around, ignore_errors=True)
        raise
    shutil.rmtree(folder.parent, ignore_errors=True)


def _change_folders(server: Server, added: list[dict[str, str]], removed: list[dict[str, str]]) -> None:
    server.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": removed}})


def _use(server: Server, folder: Path, rng: random.Random) -> Iterator[dict[str, Any]]:
    """Open files, decide that xacro files are evaluated, and ask for everything; yield the answers."""
    for name in rng.sample(("a.sdf", "b.sdf", "a.xacro", "b.xacro"), 3):
        path = folder / name
        document = {"uri": path.as_uri(), "languageId": "sdf", "version": 1, "text": path.read_text("utf-8")}
        server.tell("textDocument/didOpen", {"textDocument": document})
        identifier = {"textDocument": {"uri": path.as_uri()}}
        yield server.answer(server.ask("textDocument/diagnostic", identifier))
        for xacro in ("a.xacro", "b.xacro"):
            arguments = [path.as_uri(), str(folder / xacro), rng.choice(("file", "folder"))]
            request = {"command": "sdfviewer.xacro", "arguments": arguments}
            yield server.answer(server.ask("workspace/executeCommand", request))
        everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        for method in (*_OF_FILE, *rng.sample(_AT_POSITION, 4)):
            at = {"position": {"line": rng.randrange(4), "character": rng.choice((3, 12, 20))}, "newName": "b"}
            more = {"range": everywhere, "context": {"diagnostics": [], "includeDeclaration": True, "triggerKind": 1}}
            params = {**identifier, **(at if method in _AT_POSITION else {}), **more}
            yield server.answer(server.ask(f"textDocument/{method}", params))
        server.tell("textDocument/didSave", identifier)
        if rng.random() < 0.5:
            server.tell("textDocument/didClose", identifier)
    with suppress(KeyError):
        yield server.answer(server.ask("workspace/symbol", {"query": "r"}))
    yield server.answer(server.ask("workspace/diagnostic", {"previousResultIds": []}))
