"""A virtual screen of a size, with a window manager: what a desktop is made of, as far as a window notices."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: No key is taken from the program but Alt+F4, and Alt with the mouse is not for moving windows.
_OPENBOX = Path(__file__).with_name("openbox.xml")
_SECONDS = 20.0


@contextmanager
def virtual_screen(width: int, height: int, first: int) -> Iterator[None]:
    """Let ``DISPLAY`` name a new screen while the block runs, the first free one from a number on."""
    number, server = _start_server(width, height, first)
    os.environ.pop("WAYLAND_DISPLAY", None)
    os.environ.update(DISPLAY=f":{number}", QT_QPA_PLATFORM="xcb", XDG_SESSION_TYPE="x11", LIBGL_ALWAYS_SOFTWARE="1")
    manager = subprocess.Popen(
        ["openbox", "--sm-disable", "--config-file", str(_OPENBOX)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(0.5)
    try:
        yield
    finally:
        for process in (manager, server):
            process.terminate()
            process.wait()


def _start_server(width: int, height: int, first: int) -> tuple[int, subprocess.Popen[bytes]]:
    for number in range(first, first + 60):
        if Path(f"/tmp/.X{number}-lock").exists():
            continue
        command = [
            "Xvfb",
            f":{number}",
            "-screen",
            "0",
            f"{width}x{height}x24",
            "+extension",
            "GLX",
            "-nolisten",
            "tcp",
        ]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + _SECONDS
        while time.monotonic() < deadline and server.poll() is None:
            if Path(f"/tmp/.X11-unix/X{number}").exists():
                return number, server
            time.sleep(0.05)
        server.kill()
        server.wait()
    raise SystemExit("Xvfb does not start")
