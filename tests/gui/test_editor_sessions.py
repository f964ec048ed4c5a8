"""Sessions in real editors, with a window beside them: what a user does from the first problem to the saved file.

A broken relative_to is seen while it is typed and fixed by a code action, the frame is renamed in two files, its
resolved pose is read in a hint, the window is opened on it and the frame dragged there. The saved files differ from
what they were in what was changed only.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from sdfviewer.gui.shell.live_server import LiveServer
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.scene.tools.gizmo import Handle, Mode
from tests.gui.kept_window import ALL_PANELS
from tests.gui.stage import Stage

pytestmark = pytest.mark.panels(*ALL_PANELS)

pytest.importorskip("pygls", reason="the extra lsp is not installed")

REPOSITORY = Path(__file__).parents[2]
NEOVIM, NODE = shutil.which("nvim"), shutil.which("node")
EXTENSION = REPOSITORY / "packaging" / "vscode"
ARM = """<?xml version='1.0'?>
<sdf version="1.9">
\t<model name='arm'>   <!-- kept as it is: tabs, quotes, blanks -->
    <link name="base"/>
    <link name="tip"  >
      <pose relative_to="base">0  0 0.5   0 0 0</pose></link>
    <joint name="j" type="fixed"><parent>base</parent><child>tip</child></joint>
    <frame name="grasp" attached_to="tip"><pose relative_to="tip">0.1 0 0 0 0 0</pose></frame>
  </model>
</sdf>
"""
WORLD = """<sdf version="1.9"><world name="w">
  <include><name>robot</name><uri>arm.sdf</uri></include>\t
  <frame name="G" attached_to="robot::grasp"/>
</world></sdf>
"""


def run_session(
    command: list[str], qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[dict[str, Any], str, str]:
    """Run an editor on two files, drag the frame that it shows in the window; return its answers and both files."""
    arm, world, answers = folder / "arm.sdf", folder / "world.sdf", folder / "answers.json"
    arm.write_bytes(ARM.encode())
    world.write_bytes(WORLD.replace("\n", "\r\n").encode())
    # The path of a socket is at most 107 bytes, and the folders of pytest are deep.
    runtime = Path(tempfile.mkdtemp())
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    live = LiveServer(window.files, parent=window)
    log = folder / "editor.log"
    try:
        assert live.listen()
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                env={
                    **os.environ,
                    "SERVER": "\n".join([sys.executable, "-m", "sdfviewer", "lsp"]),
                    "ARM": str(arm),
                    "WORLD": str(world),
                    "ANSWERS": str(answers),
                    "PYTHONPATH": str(REPOSITORY),
                    "XDG_STATE_HOME": str(folder / "state"),
                },
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        try:
            _drag_what_is_shown(qtbot, window, arm, process)
            qtbot.waitUntil(lambda: process.poll() is not None)
        finally:
            process.kill()
            process.wait()
    finally:
        live.close()
        shutil.rmtree(runtime)
    assert answers.exists(), log.read_text(encoding="utf-8", errors="replace")
    said = json.loads(answers.read_text(encoding="utf-8"))
    return said, arm.read_bytes().decode(), world.read_bytes().decode()


def _drag_what_is_shown(qtbot: QtBot, window: MainWindow, file: Path, process: subprocess.Popen[bytes]) -> None:
    def is_shown() -> bool:
        opened = window.files.find(file)
        ended = process.poll() is not None
        return ended or (opened is not None and opened.session.selection == ("arm::hold",))

    qtbot.waitUntil(is_shown)
    opened = window.files.find(file)
    if opened is None:
        return  # the editor has ended: its log says why
    stage = Stage.of(qtbot, opened.view)
    stage.choose(Mode.MOVE)
    handle = Handle(Mode.MOVE, (2,))
    stage.release(stage.drag(handle, QPoint(0, -60)))


def check(said: dict[str, Any], arm: str, world: str) -> None:
    """Check what an editor said and saved."""
    assert said["clean"] == 0
    assert said["problem"] == "relative-to-invalid"
    assert said["page"].endswith("relative-to-invalid.md")
    assert said["restored"] is True
    assert said["renamed"] == [True, True]
    assert " arm: 0.1 0 0.5" in said["hints"]
    assert said["opened"] is True
    assert world == WORLD.replace("robot::grasp", "robot::hold").replace("\n", "\r\n")
    before, _, after = ARM.replace('"grasp"', '"hold"').partition("0.1 0 0 0 0 0")
    moved = re.fullmatch(re.escape(before) + r"(\S+ \S+ \S+ 0 0 0)" + re.escape(after), arm)
    assert moved is not None, arm
    x, y, z = (float(number) for number in moved[1].split()[:3])
    assert (x, y) == (0.1, 0)
    assert z > 0.01


@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed")
def test_a_session_in_neovim(qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert NEOVIM is not None
    script = Path(__file__).parents[1] / "lsp" / "session.lua"
    command = [NEOVIM, "--headless", "--clean", "-n", "-c", f"luafile {script}", "-c", "cquit!"]
    said, arm, world = run_session(command, qtbot, window, tmp_path, monkeypatch)
    check(said, arm, world)
    assert "**frame** `arm::hold`" in said["hover"]


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
def test_a_session_in_the_client_library_of_vs_code(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (EXTENSION / "node_modules" / "vscode-languageclient").is_dir():
        pytest.skip("packaging/vscode.sh has not installed the packages of the extension")
    assert NODE is not None
    said, arm, world = run_session([NODE, str(EXTENSION / "test" / "session.js")], qtbot, window, tmp_path, monkeypatch)
    check(said, arm, world)
    assert "frame" in said["hover"]
