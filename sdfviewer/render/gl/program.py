"""Shader programs from ``resources/shaders``, and the block of uniforms that they share."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from sdfviewer.render.gl.gl import GL, RenderError
from sdfviewer.resources import resource

# One table for all shaders, so that one vertex array serves every program that draws the same buffers.
LOCATIONS = {
    **{"position": 0, "corner": 0, "normal": 1, "uv": 2, "pose_x": 3, "pose_y": 4, "pose_z": 5},
    **{"start": 3, "finish": 4, "icon": 5, "depth": 5, "place": 3, "source": 4, "reach": 4, "region": 3},
    **{"scale": 6, "glyph": 6, "tone": 6, "axis": 6, "diffuse": 7, "state": 7, "emissive": 8, "zero": 8},
    **{"specular": 9, "range": 9, "tint": 10, "mark": 11, "paint": 12},
}
_FRAME_BINDING = 0


@cache
def _shader_text(name: str) -> str:
    return resource("shaders", name).read_text(encoding="utf-8")


class Program:
    """A linked pair of shaders; uniforms are set by name. `defines` choose a variant of their text.

    It is compiled when it is first used: most pictures need half of the programs, and software takes 10 ms for some.
    """

    def __init__(self, vertex: str, fragment: str, **defines: int) -> None:
        self._vertex, self._fragment = vertex, fragment
        self._head = "".join(f"#define {name} {value}\n" for name, value in defines.items())
        self._handle = 0
        self._uniforms: dict[str, int] = {}
        self._values: dict[str, float | bytes] = {}

    def _link(self) -> int:
        handle = int(GL.glCreateProgram())
        kinds = ((GL.GL_VERTEX_SHADER, self._vertex), (GL.GL_FRAGMENT_SHADER, self._fragment))
        shaders = [self._compile(kind, name, self._head) for kind, name in kinds]
        for shader in shaders:
            GL.glAttachShader(handle, shader)
        for name, location in LOCATIONS.items():
            if f" {name};" in _shader_text(self._vertex):
                GL.glBindAttribLocation(handle, location, name)
        GL.glLinkProgram(handle)
        for shader in shaders:
            GL.glDeleteShader(shader)
        if not GL.glGetProgramiv(handle, GL.GL_LINK_STATUS):
            log = _log(GL.glGetProgramInfoLog(handle))
            raise RenderError(f"{self._vertex} and {self._fragment} do not link: {log}")
        block = GL.glGetUniformBlockIndex(handle, "Frame")
        if block != GL.GL_INVALID_INDEX:
            GL.glUniformBlockBinding(handle, block, _FRAME_BINDING)
        return handle

    @staticmethod
    def _compile(kind: int, name: str, head: str) -> int:
        shader = GL.glCreateShader(kind)
        parts = ("#version 330 core\n", head, _shader_text("frame.glsl"), "#line 1\n", _shader_text(name))
        GL.glShaderSource(shader, "".join(parts))
        GL.glCompileShader(shader)
        if not GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS):
            raise RenderError(f"the shader {name} does not compile: {_log(GL.glGetShaderInfoLog(shader))}")
        return int(shader)

    def use(self, **uniforms: float | bool | tuple[float, ...] | NDArray[np.float32]) -> None:
        """Make this the current program and set some of its uniforms."""
        self._handle = self._handle or self._link()
        GL.glUseProgram(self._handle)
        for name, value in uniforms.items():
            self.set(name, value)

    def set(self, name: str, value: float | bool | tuple[float, ...] | NDArray[np.float32]) -> None:
        """Set a uniform of the current program: numbers, vectors, arrays of vectors (k, 3), matrices (3, 3), (4, 4)."""
        known: float | bytes
        if isinstance(value, (bool, int, float)):
            array, known = None, value
        else:
            array = np.ascontiguousarray(value, np.float32)
            known = array.tobytes()
        # A program keeps its uniforms: most are the same from picture to picture.
        if self._values.get(name) == known:
            return
        self._values[name] = known
        location = self._uniforms.get(name)
        if location is None:
            location = self._uniforms[name] = GL.glGetUniformLocation(self._handle, name)
        if isinstance(value, (bool, int)):
            GL.glUniform1i(location, int(value))
        elif isinstance(value, float):
            GL.glUniform1f(location, value)
        elif array is not None:
            if array.shape == (4, 4):
                GL.glUniformMatrix4fv(location, 1, GL.GL_TRUE, array)
            elif array.shape == (3, 3) and "_to_" in name:
                GL.glUniformMatrix3fv(location, 1, GL.GL_TRUE, array)
            elif array.shape[-1] == 2:
                GL.glUniform2fv(location, array.size // 2, array)
            else:
                GL.glUniform3fv(location, array.size // 3, array)

    def release(self) -> None:
        """Delete the program."""
        if self._handle:
            GL.glDeleteProgram(self._handle)


def _log(text: bytes | str) -> str:
    return (text.decode(errors="replace") if isinstance(text, bytes) else text).strip()


class FrameBlock:
    """The uniform block ``Frame``: what all shaders know of the camera and the light."""

    _LAYOUT = np.dtype(
        [
            ("eye_to_clip", np.float32, (4, 4)),
            ("rotation_kw", np.float32, (4, 4)),
            ("viewport", np.float32, 4),
            ("eye", np.float32, 4),
            ("key_light", np.float32, 4),
            ("eye_to_shadow", np.float32, (4, 4)),
            ("section", np.float32, 4),
            ("lift", np.float32, 4),
        ]
    )

    def __init__(self) -> None:
        self._buffer = GL.glGenBuffers(1)
        GL.glBindBuffer(GL.GL_UNIFORM_BUFFER, self._buffer)
        GL.glBufferData(GL.GL_UNIFORM_BUFFER, self._LAYOUT.itemsize, None, GL.GL_DYNAMIC_DRAW)

    def update(self, **values: NDArray[np.float64]) -> None:
        """Set all members; matrices are given row by row, as NumPy has them."""
        block = np.zeros(1, self._LAYOUT)
        for name, value in values.items():
            # std140 stores columns one after another.
            block[name][0] = value.T if value.ndim == 2 else value
        GL.glBindBuffer(GL.GL_UNIFORM_BUFFER, self._buffer)
        GL.glBufferSubData(GL.GL_UNIFORM_BUFFER, 0, self._LAYOUT.itemsize, block)
        GL.glBindBufferBase(GL.GL_UNIFORM_BUFFER, _FRAME_BINDING, self._buffer)

    def release(self) -> None:
        """Delete the buffer."""
        GL.glDeleteBuffers(1, [self._buffer])
