"""An OpenGL context on an X server: the current one, or a private Xvfb."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Callable

from sdfviewer.programs import find_program

_RGBA_BIT, _PBUFFER_BIT, _CORE = 0x1, 0x4, 0x1
_CONFIG = (
    0x8010,
    _PBUFFER_BIT,
    0x8011,
    _RGBA_BIT,
    8,
    8,
    9,
    8,
    10,
    8,
    0,
)  # drawable and render type, red, green, blue
_CONTEXT = (0x2091, 3, 0x2092, 3, 0x9126, _CORE, 0)  # major, minor, profile
_PBUFFER = (0x8041, 16, 0x8040, 16, 0)  # width, height: all drawing goes to framebuffer objects


class GlxError(RuntimeError):
    """Why there is no context on an X server."""


class GlxContext:
    """A context with a small pixel buffer as its surface.

    Parameters
    ----------
    library
        Loads a library by its name and the names of its files, or raises.
    """

    platform = "glx"

    def __init__(self, library: Callable[..., ctypes.CDLL]) -> None:
        self._server: subprocess.Popen[bytes] | None = None
        self._x, self._gl = library("X11", "libX11.so.6"), library("GL", "libGL.so.1")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        for name in ("glXChooseFBConfig", "glXCreatePbuffer", "glXGetProcAddressARB"):
            getattr(self._gl, name).restype = ctypes.c_void_p
        name = os.environ.get("DISPLAY") or self._start_server()
        display = self._x.XOpenDisplay(name.encode())
        if not display:
            self._stop_server()
            raise GlxError(f"GLX: the display {name} cannot be opened")
        self._display = ctypes.c_void_p(display)
        try:
            self._create()
        except GlxError:
            self._x.XCloseDisplay(self._display)
            self._stop_server()
            raise

    def _create(self) -> None:
        count = ctypes.c_int()
        screen = self._x.XDefaultScreen(self._display)
        found = self._gl.glXChooseFBConfig(self._display, screen, _integers(_CONFIG), ctypes.byref(count))
        create = self._gl.glXGetProcAddressARB(b"glXCreateContextAttribsARB")
        if not found or not count.value or not create:
            raise GlxError("GLX: no configuration for OpenGL")
        config = ctypes.cast(found, ctypes.POINTER(ctypes.c_void_p))[0]
        self._surface = ctypes.c_void_p(
            self._gl.glXCreatePbuffer(self._display, ctypes.c_void_p(config), _integers(_PBUFFER))
        )
        prototype = ctypes.CFUNCTYPE(
            ctypes.c_void_p, *[ctypes.c_void_p] * 3, ctypes.c_int, ctypes.POINTER(ctypes.c_int)
        )
        context = prototype(create)(self._display, config, None, 1, _integers(_CONTEXT))
        if not context:
            raise GlxError("GLX: no OpenGL 3.3 core context")
        self._context = ctypes.c_void_p(context)

    def make_current(self) -> None:
        """Draw with this context from now on."""
        if not self._gl.glXMakeContextCurrent(self._display, self._surface, self._surface, self._context):
            raise GlxError("GLX: the context cannot be made current")

    def release(self) -> None:
        """Destroy the context, and end the server where it was started for it."""
        self._gl.glXMakeContextCurrent(self._display, None, None, None)
        self._gl.glXDestroyContext(self._display, self._context)
        self._gl.glXDestroyPbuffer(self._display, self._surface)
        self._x.XCloseDisplay(self._display)
        self._stop_server()

    def _start_server(self) -> str:
        """Return the display of a new Xvfb."""
        program = find_program("Xvfb")
        if program is None:
            raise GlxError("Xvfb: not installed")
        read, write = os.pipe()
        command = [program, "-displayfd", str(write), "-screen", "0", "64x64x24", "-nolisten", "tcp"]
        silent = subprocess.DEVNULL
        self._server = subprocess.Popen(command, pass_fds=(write,), stdout=silent, stderr=silent)
        os.close(write)
        with os.fdopen(read, "rb") as answer:
            number = answer.readline().strip().decode()
        if not number:
            self._stop_server()
            raise GlxError("Xvfb: failed to start")
        return f":{number}"

    def _stop_server(self) -> None:
        if self._server is not None:
            self._server.terminate()
            self._server.wait()
            self._server = None


def _integers(values: tuple[int, ...]) -> ctypes.Array[ctypes.c_int]:
    return (ctypes.c_int * len(values))(*values)
