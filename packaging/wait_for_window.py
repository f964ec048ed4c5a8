"""Wait until a process has opened a window on the X screen of DISPLAY.

usage: wait_for_window.py PROCESS TITLE

Exits with 0 once a window is there whose title contains TITLE, and with 1 if the process has ended before. Asks libX11,
which every machine has that shows windows, and so needs no tool to be installed.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Iterator

_ErrorHandler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class _TextProperty(ctypes.Structure):
    """XTextProperty: a text in one of several encodings, of which all are ASCII where it is."""

    _fields_ = (
        ("value", ctypes.c_char_p),
        ("encoding", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("count", ctypes.c_ulong),
    )


class Screen:
    """The X screen of DISPLAY."""

    def __init__(self) -> None:
        self._x = ctypes.CDLL("libX11.so.6")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XDefaultRootWindow.restype = ctypes.c_ulong
        # A window may be gone before its title is asked for, which by default ends this process.
        self._ignore = _ErrorHandler(lambda *_: 0)
        self._x.XSetErrorHandler(self._ignore)
        self._display = ctypes.c_void_p(self._x.XOpenDisplay(None))
        if not self._display:
            raise SystemExit(f"there is no X screen at DISPLAY={os.environ.get('DISPLAY', '')}")
        self._root = ctypes.c_ulong(self._x.XDefaultRootWindow(self._display))

    def titles(self) -> Iterator[str]:
        """Yield the titles of all windows at the top."""
        ids, count, unused = ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint(), ctypes.c_ulong()
        results = [ctypes.byref(each) for each in (unused, unused, ids, count)]
        self._x.XQueryTree(self._display, self._root, *results)
        for number in range(count.value):
            title = _TextProperty()
            self._x.XGetWMName(self._display, ctypes.c_ulong(ids[number]), ctypes.byref(title))
            yield (title.value or b"").decode("utf-8", "replace")


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def main(process: int, title: str) -> int:
    """Wait, and return the exit code."""
    screen = Screen()
    while not any(title in each for each in screen.titles()):
        if not _is_alive(process):
            return 1
        time.sleep(0.2)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]), sys.argv[2]))
