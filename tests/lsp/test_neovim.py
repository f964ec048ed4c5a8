"""A session in Neovim: a problem is seen, explained, fixed, and a frame is renamed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")
NEOVIM = shutil.which("nvim")
TEXT = """<sdf version="1.9">
  <model name="arm">
    <link name="base"/>
    <link name="tip"/>
    <frame name="F" attached_to="tip"/>
  </model>
</sdf>"""


@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed")
def test_a_session_in_neovim(tmp_path: Path) -> None:
    file, answers = tmp_path / "arm.sdf", tmp_path / "answers.json"
    file.write_text(TEXT + "\n", encoding="utf-8")
    assert NEOVIM is not None
    script = Path(__file__).with_name("neovim.lua")
    done = subprocess.run(
        [NEOVIM, "--headless", "--clean", "-n", "-c", f"luafile {script}", "-c", "qall!"],
        env={
            **os.environ,
            "SERVER": "\n".join([sys.executable, "-m", "sdfviewer", "lsp"]),
            "FILE": str(file),
            "ANSWERS": str(answers),
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "XDG_STATE_HOME": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert answers.exists(), done.stderr
    said = json.loads(answers.read_text(encoding="utf-8"))
    assert said["clean"] == 0
    assert "**link** `arm::tip`" in said["hover"]
    assert said["renamed"] == TEXT.replace("tip", "hand")
    assert said["problem"] == "attached-to-invalid"
    assert said["fixed"] == TEXT.replace("tip", "hand")
