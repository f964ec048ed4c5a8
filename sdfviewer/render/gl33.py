"""The functions and constants of OpenGL 3.3.

``OpenGL.GL`` holds those of all versions, most of them wrapped once more in Python: a twentieth of a second at every
start, and some microseconds at every call. Only functions that take or return arrays, texts and names are wrapped here,
in the form in which PyOpenGL has them too.
"""
# ruff: noqa: F403

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from OpenGL import platform
from OpenGL.raw.GL.VERSION import GL_1_1, GL_1_5, GL_2_0, GL_3_0, GL_3_1
from OpenGL.raw.GL.VERSION.GL_1_1 import *
from OpenGL.raw.GL.VERSION.GL_1_2 import *
from OpenGL.raw.GL.VERSION.GL_1_3 import *
from OpenGL.raw.GL.VERSION.GL_1_4 import *
from OpenGL.raw.GL.VERSION.GL_1_5 import *
from OpenGL.raw.GL.VERSION.GL_2_0 import *
from OpenGL.raw.GL.VERSION.GL_3_0 import *
from OpenGL.raw.GL.VERSION.GL_3_1 import *
from OpenGL.raw.GL.VERSION.GL_3_2 import *
from OpenGL.raw.GL.VERSION.GL_3_3 import *

_LONGEST_LOG = 16384


def _generates(function: Callable[..., None]) -> Callable[[int], int]:
    """Return a function that makes one object and returns its name."""

    def generate(count: int) -> int:
        names = (ctypes.c_uint * count)()
        function(count, names)
        return int(names[0])

    return generate


def _deletes(function: Callable[..., None]) -> Callable[[int, Sequence[int]], None]:
    """Return a function that deletes objects by their names."""
    return lambda count, names: function(count, (ctypes.c_uint * count)(*names))


def _asks(function: Callable[..., None]) -> Callable[[int, int], int]:
    """Return a function that asks an object for a number."""

    def ask(handle: int, name: int) -> int:
        answer = (ctypes.c_int * 1)()
        function(handle, name, answer)
        return int(answer[0])

    return ask


def _tells(function: Callable[..., None]) -> Callable[[int], bytes]:
    """Return a function that returns what the driver says of a shader or a program."""

    def tell(handle: int) -> bytes:
        log = ctypes.create_string_buffer(_LONGEST_LOG)
        function(handle, _LONGEST_LOG, None, log)
        return log.value

    return tell


def _address(data: NDArray[np.generic] | bytes | None) -> ctypes.c_void_p | None:
    """Return where data begins, which must live on until it has been taken over."""
    if isinstance(data, np.ndarray):
        if not data.flags.c_contiguous:
            raise ValueError("the array has gaps")
        return ctypes.c_void_p(data.ctypes.data)
    return None if data is None else ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p)


glGenTextures, glDeleteTextures = _generates(GL_1_1.glGenTextures), _deletes(GL_1_1.glDeleteTextures)
glGenBuffers, glDeleteBuffers = _generates(GL_1_5.glGenBuffers), _deletes(GL_1_5.glDeleteBuffers)
glGenVertexArrays, glDeleteVertexArrays = _generates(GL_3_0.glGenVertexArrays), _deletes(GL_3_0.glDeleteVertexArrays)
glGenFramebuffers, glDeleteFramebuffers = _generates(GL_3_0.glGenFramebuffers), _deletes(GL_3_0.glDeleteFramebuffers)
glGenRenderbuffers = _generates(GL_3_0.glGenRenderbuffers)
glDeleteRenderbuffers = _deletes(GL_3_0.glDeleteRenderbuffers)
glGetShaderiv, glGetProgramiv = _asks(GL_2_0.glGetShaderiv), _asks(GL_2_0.glGetProgramiv)
glGetShaderInfoLog, glGetProgramInfoLog = _tells(GL_2_0.glGetShaderInfoLog), _tells(GL_2_0.glGetProgramInfoLog)
glGetString: Callable[[int], bytes | None] = platform.createBaseFunction(
    "glGetString", dll=platform.PLATFORM.GL, resultType=ctypes.c_char_p, argTypes=[ctypes.c_uint], argNames=("name",)
)


def glGetIntegerv(name: int) -> int:
    """Return a state that is one number."""
    answer = (ctypes.c_int * 1)()
    GL_1_1.glGetIntegerv(name, answer)
    return int(answer[0])


def glShaderSource(shader: int, text: str) -> None:
    """Set the text of a shader."""
    parts = (ctypes.c_char_p * 1)(text.encode())
    GL_2_0.glShaderSource(shader, 1, ctypes.cast(parts, ctypes.POINTER(ctypes.POINTER(ctypes.c_char))), None)


def glBindAttribLocation(program: int, location: int, name: str) -> None:
    """Say where an input of a vertex shader comes from."""
    GL_2_0.glBindAttribLocation(program, location, name.encode())


def glGetUniformLocation(program: int, name: str) -> int:
    """Return where a uniform is, -1 if there is none."""
    return int(GL_2_0.glGetUniformLocation(program, name.encode()))


def glGetUniformBlockIndex(program: int, name: str) -> int:
    """Return the number of a block of uniforms, ``GL_INVALID_INDEX`` where there is none."""
    return int(GL_3_1.glGetUniformBlockIndex(program, name.encode()))


def glBufferData(target: int, size: int, data: NDArray[np.generic] | None, usage: int) -> None:
    """Give a buffer its size and its content."""
    GL_1_5.glBufferData(target, size, _address(data), usage)


def glBufferSubData(target: int, offset: int, size: int, data: NDArray[np.generic]) -> None:
    """Replace a part of a buffer's content."""
    GL_1_5.glBufferSubData(target, offset, size, _address(data))


def glTexImage2D(*arguments: int | NDArray[np.generic] | bytes | None) -> None:
    """Give a texture its size and its content; the texels come last."""
    *layout, texels = arguments
    assert not isinstance(texels, int)
    GL_1_1.glTexImage2D(*layout, _address(texels))


def glReadPixels(x: int, y: int, width: int, height: int, order: int, number: int) -> bytes:
    """Return a rectangle of the picture, four bytes a pixel."""
    pixels = ctypes.create_string_buffer(width * height * 4)
    GL_1_1.glReadPixels(x, y, width, height, order, number, pixels)
    return pixels.raw
