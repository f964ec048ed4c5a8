"""PyOpenGL without per-call error checks, and a check of the context.

OpenGL is imported through this module only: the switches below must be set before PyOpenGL is first imported.
"""
# ruff: noqa: E402

from __future__ import annotations

import sys
from typing import Any

import OpenGL

# PyOpenGL would call glGetError after each call, which costs more than the call.
OpenGL.ERROR_CHECKING = False
OpenGL.ERROR_LOGGING = False

from OpenGL.raw.GL.VERSION.GL_2_0 import glVertexAttribPointer
from OpenGL.raw.GL.VERSION.GL_3_0 import glBindVertexArray
from OpenGL.raw.GL.VERSION.GL_3_1 import glDrawArraysInstanced, glDrawElementsInstanced

from sdfviewer.render import gl33

__all__ = [
    "GL",
    "RenderError",
    "check_version",
    "glBindVertexArray",
    "glDrawArraysInstanced",
    "glDrawElementsInstanced",
    "glVertexAttribPointer",
]

#: PyOpenGL has no types.
GL: Any = gl33

_OLDEST = (3, 3)


class RenderError(RuntimeError):
    """The picture cannot be drawn on this machine; the message says what to do about it."""


def check_version() -> str:
    """Return the name of the driver behind the current context.

    Raises
    ------
    RenderError
        If no context is current, or it is older than OpenGL 3.3: old drivers hand out 2.1 when asked for more.
    """
    raw = GL.glGetString(GL.GL_VERSION)
    if not raw:
        raise RenderError("no OpenGL context is current")
    version = raw.decode(errors="replace")
    driver = str((GL.glGetString(GL.GL_RENDERER) or b"unknown").decode(errors="replace"))
    digits = version.split()[0].split(".")
    if (int(digits[0]), int(digits[1])) < _OLDEST:
        software = ", or use software rendering with LIBGL_ALWAYS_SOFTWARE=1" if sys.platform == "linux" else ""
        raise RenderError(
            f"the driver provides OpenGL {version} ({driver}), but 3.3 is needed: update the graphics driver{software}"
        )
    return driver
