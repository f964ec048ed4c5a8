"""The application where there is no window, or no display."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QApplication

from sdfviewer import gui
from sdfviewer.cli import main, screenshot


def test_a_picture_is_the_same_by_the_window_system(
    qapp: QApplication, tmp_path: Path, examples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = tmp_path / "alone.png", tmp_path / "window_system.png"
    words = ["screenshot", "--size", "160x120", str(examples / "arm.sdf"), "-o"]
    # A process draws on one platform only, this one by the window system.
    command = [sys.executable, "-m", "sdfviewer", *words, str(files[0])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "no OpenGL without a display" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    monkeypatch.setattr(screenshot, "_context", lambda: gui.hidden_context)
    assert main([*words, str(files[1])]) == 0
    pictures = []
    for file in files:
        with Image.open(file) as picture:
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
