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
_MOST_SCREENS = 60
#: Ends what it starts when the walk is killed.
_WITH_US = ("setpriv", "--pdeathsig", "TERM")


@contextmanager
def virtual_screen(width: int, height: int, first: int) -> Iterator[None]:
    """Let ``DISPLAY`` name a new screen while the block runs, the first free one from a number on."""
    number, server = _start_server(width, height, first)
    os.environ.pop("WAYLAND_DISPLAY", None)
    os.environ.update(DISPLAY=f":{number}", QT_QPA_PLATFORM="xcb", XDG_SESSION_TYPE="x11", LIBGL_ALWAYS_SOFTWARE="1")
    manager = subprocess.Popen(
        [*_WITH_US, "openbox", "--sm-disable", "--config-file", str(_OPENBOX)],
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
    for number in range(first, first + _MOST_SCREENS):
        read, write = os.pipe()
        command = [*_WITH_US, "Xvfb", f":{number}", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24"]
        server = subprocess.Popen(
            [*command, "+extension", "GLX", "-nolisten", "tcp"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(write,),
        )  # fmt: skip
        os.close(write)
        with os.fdopen(read) as answer:
            if answer.readline():  # else the number is taken
                return number, server
        server.wait()
    raise SystemExit("Xvfb does not start")
