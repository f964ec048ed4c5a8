"""Offscreen OpenGL contexts: EGL surfaceless, OSMesa, or an X server.

Nothing here imports PyOpenGL's platform layer before a platform is chosen, so a process that draws into windows is not
disturbed by it.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

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


_INSTALL = (
    "no OpenGL without a display: neither EGL nor OSMesa nor Xvfb could be started ({reasons}). "
    "Install one: on Debian and Ubuntu `apt install libegl1 libgl1-mesa-dri` (or `libosmesa6`), "
    "on Fedora `dnf install mesa-libEGL mesa-dri-drivers`; or Xvfb with libGL"
)

_EGL_PLATFORM_SURFACELESS_MESA = 0x31DD
_EGL_PLATFORM_DEVICE_EXT = 0x313F
_EGL_OPENGL_API = 0x30A2
_EGL_NONE = 0x3038
_EGL_CONFIG = (
    0x3033, 0,  # EGL_SURFACE_TYPE: none needed
    0x3040, 0x0008,  # EGL_RENDERABLE_TYPE: EGL_OPENGL_BIT
    _EGL_NONE,
)  # fmt: skip
_EGL_CONTEXT = (
    0x3098, 3,  # EGL_CONTEXT_MAJOR_VERSION
    0x30FB, 3,  # EGL_CONTEXT_MINOR_VERSION
    0x30FD, 1,  # EGL_CONTEXT_OPENGL_PROFILE_MASK: core
    _EGL_NONE,
)  # fmt: skip
_OSMESA_ATTRIBUTES = (
    0x22, 0x1908,  # OSMESA_FORMAT: RGBA
    0x30, 24,  # OSMESA_DEPTH_BITS
    0x33, 0x34,  # OSMESA_PROFILE: core
    0x36, 3,  # OSMESA_CONTEXT_MAJOR_VERSION
    0x37, 3,  # OSMESA_CONTEXT_MINOR_VERSION
    0,
)  # fmt: skip


class OffscreenError(RuntimeError):
    """No context without a display can be had here; the message says what to install."""


class _EglContext:
    """A surfaceless EGL context; all drawing goes to framebuffer objects."""

    platform = "egl"

    def __init__(self) -> None:
        # Without development files only the versioned names of the libraries are installed.
        self._egl = load_library("EGL", "libEGL.so.1")
        egl = self._egl
        for name in ("eglGetPlatformDisplay", "eglCreateContext"):
            getattr(egl, name).restype = ctypes.c_void_p
        egl.eglGetProcAddress.restype = ctypes.c_void_p
        egl.eglGetProcAddress.argtypes = [ctypes.c_char_p]
        self._display: int | None = None
        for display in self._displays():
            if display and egl.eglInitialize(ctypes.c_void_p(display), None, None):
                self._display = display
                break
        if self._display is None:
            raise OffscreenError("EGL: no display could be initialised")
        config, count = ctypes.c_void_p(), ctypes.c_int()
        attributes = (ctypes.c_int * len(_EGL_CONFIG))(*_EGL_CONFIG)
        chosen = egl.eglChooseConfig(
            ctypes.c_void_p(self._display), attributes, ctypes.byref(config), 1, ctypes.byref(count)
        )
        if not chosen or count.value < 1:
            raise OffscreenError("EGL: no configuration for OpenGL")
        egl.eglBindAPI(_EGL_OPENGL_API)
        wanted = (ctypes.c_int * len(_EGL_CONTEXT))(*_EGL_CONTEXT)
        self._context = egl.eglCreateContext(ctypes.c_void_p(self._display), config, None, wanted)
        if not self._context:
            raise OffscreenError("EGL: no OpenGL 3.3 core context")

    def _displays(self) -> Iterator[int | None]:
        """Yield displays to try: Mesa's surfaceless platform, then each device (NVIDIA's driver knows only these)."""
        egl = self._egl
        yield egl.eglGetPlatformDisplay(_EGL_PLATFORM_SURFACELESS_MESA, None, None)
        query = egl.eglGetProcAddress(b"eglQueryDevicesEXT")
        if not query:
            return
        query_devices = ctypes.CFUNCTYPE(
            ctypes.c_uint, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_int)
        )(query)
        devices, count = (ctypes.c_void_p * 16)(), ctypes.c_int()
        if query_devices(16, devices, ctypes.byref(count)):
            for device in devices[: count.value]:
                yield egl.eglGetPlatformDisplay(_EGL_PLATFORM_DEVICE_EXT, ctypes.c_void_p(device), None)

    def make_current(self) -> None:
        display, context = ctypes.c_void_p(self._display), ctypes.c_void_p(self._context)
        if not self._egl.eglMakeCurrent(display, None, None, context):
            raise OffscreenError("EGL: the driver cannot render without a surface")

    def release(self) -> None:
        display = ctypes.c_void_p(self._display)
        self._egl.eglMakeCurrent(display, None, None, None)
        self._egl.eglDestroyContext(display, ctypes.c_void_p(self._context))


class _OsMesaContext:
    """Mesa drawing into a small buffer in memory; all drawing goes to framebuffer objects."""

    platform = "osmesa"

    def __init__(self) -> None:
        self._osmesa = load_library("OSMesa", "libOSMesa.so.8", "libOSMesa.so.6")
        self._osmesa.OSMesaCreateContextAttribs.restype = ctypes.c_void_p
        attributes = (ctypes.c_int * len(_OSMESA_ATTRIBUTES))(*_OSMESA_ATTRIBUTES)
        self._context = self._osmesa.OSMesaCreateContextAttribs(attributes, None)
        if not self._context:
            raise OffscreenError("OSMesa: no OpenGL 3.3 core context")
        self._buffer = (ctypes.c_ubyte * (16 * 16 * 4))()

    def make_current(self) -> None:
        current = self._osmesa.OSMesaMakeCurrent(ctypes.c_void_p(self._context), self._buffer, 0x1401, 16, 16)
        if not current:
            raise OffscreenError("OSMesa: the context cannot be made current")

    def release(self) -> None:
        self._osmesa.OSMesaDestroyContext(ctypes.c_void_p(self._context))


def load_library(name: str, *files: str) -> ctypes.CDLL:
    """Return a shared library: the first of some files that can be loaded, or what the system finds by its name."""
    for file in (*files, ctypes.util.find_library(name)):
        if file:
            with suppress(OSError):
                return ctypes.CDLL(file, mode=ctypes.RTLD_GLOBAL)
    raise OffscreenError(f"{name}: the library is not installed")


class _GlxContext(GlxContext):
    def __init__(self) -> None:
        super().__init__(load_library)


KINDS: tuple[type[_EglContext | _OsMesaContext | _GlxContext], ...] = (_EglContext, _OsMesaContext, _GlxContext)


@contextmanager
def offscreen_context() -> Iterator[str]:
    """Make a context without a window current while the block runs; gives its platform: egl, osmesa or glx.

    Raises
    ------
    OffscreenError
        If there is neither EGL nor OSMesa nor Xvfb; the message names what to install.
    """
    reasons = []
    for kind in KINDS:
        loaded = sys.modules.get("OpenGL.platform")
        chosen = os.environ.get("PYOPENGL_PLATFORM")
        if loaded is not None and chosen not in (None, kind.platform):
            # PyOpenGL looks functions up through one platform for the life of a process.
            reasons.append(f"{kind.platform}: PyOpenGL already runs on {chosen}")
            continue
        try:
            context = kind()
            context.make_current()
        except (OffscreenError, GlxError) as error:
            reasons.append(str(error))
            continue
        os.environ.setdefault("PYOPENGL_PLATFORM", kind.platform)
        try:
            yield kind.platform
        finally:
            context.release()
        return
    raise OffscreenError(_INSTALL.format(reasons="; ".join(reasons)))
