"""The application where there is no window, or no display."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

PICTURE = """
import sys
from sdfviewer import gui
from sdfviewer.cli import main, screenshot
screenshot._context = lambda: gui.hidden_context
sys.exit(main(["screenshot", "--size", "160x120", "-o", sys.argv[1], sys.argv[2]]))
"""


def test_a_picture_is_the_same_by_the_window_system(tmp_path: Path, examples: Path) -> None:
    arm = str(examples / "arm.sdf")
    # A process draws on one platform only, so each picture has one of its own.
    commands = {"window_system": ["-c", PICTURE], "alone": ["-m", "sdfviewer", "screenshot", "--size", "160x120", "-o"]}
    pictures = []
    for name, words in commands.items():
        done = subprocess.run(
            [sys.executable, *words, str(tmp_path / f"{name}.png"), arm], capture_output=True, text=True, check=False
        )
        if "no OpenGL without a display" in done.stderr:
            pytest.skip(done.stderr)
        assert done.returncode == 0, done.stderr
        with Image.open(tmp_path / f"{name}.png") as picture:
            pictures.append(np.asarray(picture).astype(int))
    assert np.abs(pictures[0] - pictures[1]).mean() < 1
    assert len(np.unique(pictures[0].reshape(-1, pictures[0].shape[2]), axis=0)) > 50


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
def test_without_a_display_the_program_says_so(examples: Path) -> None:
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {name: value for name, value in os.environ.items() if name not in screens}
    command = [sys.executable, "-m", "sdfviewer", str(examples / "arm.sdf")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 2
    assert "there is no display" in done.stderr
