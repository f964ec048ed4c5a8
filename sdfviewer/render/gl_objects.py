"""What a context of OpenGL holds: vertex buffers, framebuffers, shader programs, and the uniforms that they share."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdfviewer.render.gl import GL, RenderError, glBindVertexArray, glVertexAttribPointer
from sdfviewer.resources import resource

_GL_TYPES = {np.dtype(np.float32): GL.GL_FLOAT, np.dtype(np.uint8): GL.GL_UNSIGNED_BYTE}

#: A corner of a square that is drawn many times.
CORNER = np.dtype([("corner", np.float32, 2)])
POSE = np.dtype([("pose_x", np.float32, 4), ("pose_y", np.float32, 4), ("pose_z", np.float32, 4)])
"""The rows of a pose X_WF without its last: what every instance carries."""


class Buffer:
    """Bytes on the GPU, uploaded from NumPy arrays."""

    def __init__(self, target: int = GL.GL_ARRAY_BUFFER) -> None:
        self.handle = GL.glGenBuffers(1)
        self._target = target

    def upload(self, array: NDArray[Any]) -> None:
        """Replace the contents: with new memory, so that nothing waits for a picture that still reads the old."""
        data = np.ascontiguousarray(array)
        GL.glBindBuffer(self._target, self.handle)
        GL.glBufferData(self._target, max(data.nbytes, 4), data if data.nbytes else None, GL.GL_DYNAMIC_DRAW)

    def release(self) -> None:
        """Delete the buffer."""
        GL.glDeleteBuffers(1, [self.handle])


class VertexArray:
    """How the attributes of a draw call are read from buffers."""

    def __init__(self) -> None:
        self.handle = int(GL.glGenVertexArrays(1))

    def attach(self, buffer: Buffer, dtype: np.dtype[Any], *, first: int = 0, per_instance: bool = False) -> None:
        """Read the fields of a structured dtype from a buffer, starting at row `first`; bytes become 0..1."""
        glBindVertexArray(self.handle)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, buffer.handle)
        assert dtype.fields is not None
        for name, (field, offset, *_) in dtype.fields.items():
            base, shape = field.subdtype or (field, (1,))
            location = LOCATIONS[name]
            GL.glEnableVertexAttribArray(location)
            where = ctypes.c_void_p(first * dtype.itemsize + offset)
            glVertexAttribPointer(location, shape[0], _GL_TYPES[base], base == np.uint8, dtype.itemsize, where)
            GL.glVertexAttribDivisor(location, int(per_instance))

    def attach_indices(self, buffer: Buffer) -> None:
        """Take the order of vertices from an index buffer."""
        glBindVertexArray(self.handle)
        GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, buffer.handle)

    def release(self) -> None:
        """Delete the vertex array."""
        GL.glDeleteVertexArrays(1, [self.handle])


def delete_vertex_arrays(arrays: Iterable[VertexArray]) -> None:
    """Delete many vertex arrays with one call."""
    handles = [array.handle for array in arrays]
    if handles:
        GL.glDeleteVertexArrays(len(handles), handles)


def pack_poses(X_RootF: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return poses (n, 4, 4) as the GPU wants them, (n, 12) float32; unresolved ones lie far outside every picture."""
    packed = X_RootF[:, :3, :].astype(np.float32).reshape(-1, 12)
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(packed.sum()):  # as nearly always: one sum, not one for each row
            return packed
        lost = ~np.isfinite(packed.sum(axis=1))
    if lost.any():
        packed[lost] = 0.0
        packed[np.ix_(lost, [3, 7, 11])] = 1e18
    return packed


def square(low: float) -> NDArray[np.float32]:
    """Return two triangles (6, 2) from `low` to 1 in both directions."""
    return np.array([(low, low), (1, low), (1, 1), (low, low), (1, 1), (low, 1)], np.float32)


def _check(what: str) -> None:
    status = GL.glCheckFramebufferStatus(GL.GL_FRAMEBUFFER)
    if status != GL.GL_FRAMEBUFFER_COMPLETE:
        raise RenderError(f"the driver does not support the {what} (status {int(status):#x})")


class Framebuffer:
    """Colour, depth and stencil of one size and number of samples, rebuilt when either changes.

    Attributes
    ----------
    texture
        Its colours.
    """

    def __init__(self) -> None:
        self._shape: tuple[int, int, int] | None = None
        self._framebuffer = 0
        self._depth = 0
        self.texture = 0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return (0, 0) if self._shape is None else self._shape[:2]

    @property
    def samples(self) -> int:
        """Samples a pixel, 0 where it is not multisampled."""
        return 0 if self._shape is None else self._shape[2]

    @property
    def target(self) -> int:
        """What the texture of the colours is bound to."""
        return int(GL.GL_TEXTURE_2D_MULTISAMPLE if self.samples else GL.GL_TEXTURE_2D)

    def bind(self, width: int, height: int, samples: int) -> None:
        """Draw into a canvas of this size from now on."""
        most = (GL.GL_MAX_SAMPLES, GL.GL_MAX_COLOR_TEXTURE_SAMPLES) if samples else ()
        samples = min([samples, *(int(GL.glGetIntegerv(each)) for each in most)])
        if self._shape != (width, height, samples):
            self.release()
            self._shape = (width, height, samples)
            self._make()
            _check(f"canvas of {width}x{height} with {samples} samples")
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._framebuffer)
        GL.glViewport(0, 0, width, height)

    def _make(self) -> None:
        width, height, samples = self._shape or (0, 0, 0)
        self.texture = GL.glGenTextures(1)
        GL.glBindTexture(self.target, self.texture)
        if samples:
            GL.glTexImage2DMultisample(self.target, samples, GL.GL_RGBA8, width, height, True)
        else:
            GL.glTexImage2D(self.target, 0, GL.GL_RGBA8, width, height, 0, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, None)
            for setting, value in (
                (GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR),
                (GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR),
                (GL.GL_TEXTURE_WRAP_S, GL.GL_CLAMP_TO_EDGE),
                (GL.GL_TEXTURE_WRAP_T, GL.GL_CLAMP_TO_EDGE),
            ):
                GL.glTexParameteri(self.target, setting, value)
        GL.glBindTexture(self.target, 0)
        self._depth = GL.glGenRenderbuffers(1)
        GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, self._depth)
        GL.glRenderbufferStorageMultisample(GL.GL_RENDERBUFFER, samples, GL.GL_DEPTH24_STENCIL8, width, height)
        self._framebuffer = GL.glGenFramebuffers(1)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._framebuffer)
        GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, GL.GL_COLOR_ATTACHMENT0, self.target, self.texture, 0)
        attachment = GL.GL_DEPTH_STENCIL_ATTACHMENT
        GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, attachment, GL.GL_RENDERBUFFER, self._depth)

    def copy_samples_to(self, other: Framebuffer, *, depth: bool) -> None:
        """Copy the picture with all its samples, and its depth if wanted, into another canvas, the current one then."""
        assert self._shape is not None
        width, height, samples = self._shape
        other.bind(width, height, samples)
        GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, self._framebuffer)
        # Depth and stencil are stored together. To copy both is to copy memory; for the depth alone Mesa compiles a
        # shader, which holds the window for 50 ms.
        buffers = GL.GL_COLOR_BUFFER_BIT | (GL.GL_DEPTH_BUFFER_BIT | GL.GL_STENCIL_BUFFER_BIT if depth else 0)
        GL.glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, buffers, GL.GL_NEAREST)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, other._framebuffer)

    def blit_to(self, framebuffer: int) -> None:
        """Copy the picture into another framebuffer of the same size and samples, which becomes the current one."""
        GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, self._framebuffer)
        GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, framebuffer)
        GL.glBlitFramebuffer(0, 0, *self.size, 0, 0, *self.size, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
        GL.glViewport(0, 0, *self.size)

    def release(self) -> None:
        """Delete the framebuffer and what it holds."""
        if self._shape is not None:
            GL.glDeleteFramebuffers(1, [self._framebuffer])
            GL.glDeleteRenderbuffers(1, [self._depth])
            GL.glDeleteTextures(1, [self.texture])
        self._shape, self.texture = None, 0


class TextureTarget:
    """A texture that is drawn into: the selection mask (two channels) or the shadow map (depth)."""

    def __init__(self, depth: bool) -> None:
        self._depth = depth
        self._size: tuple[int, int] | None = None
        self._framebuffer = 0
        self.texture = 0

    def bind(self, width: int, height: int) -> None:
        """Draw into the texture from now on, at this size."""
        if self._size != (width, height):
            self.release()
            self.texture = GL.glGenTextures(1)
            GL.glBindTexture(GL.GL_TEXTURE_2D, self.texture)
            stored, order, number = (
                (GL.GL_DEPTH_COMPONENT24, GL.GL_DEPTH_COMPONENT, GL.GL_FLOAT)
                if self._depth
                else (GL.GL_RG8, GL.GL_RG, GL.GL_UNSIGNED_BYTE)
            )
            GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, stored, width, height, 0, order, number, None)
            # Everything outside the shadow map is lit: its border has the largest depth.
            wrap = GL.GL_CLAMP_TO_BORDER if self._depth else GL.GL_CLAMP_TO_EDGE
            for side in (GL.GL_TEXTURE_WRAP_S, GL.GL_TEXTURE_WRAP_T):
                GL.glTexParameteri(GL.GL_TEXTURE_2D, side, wrap)
            GL.glTexParameterfv(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_BORDER_COLOR, (1.0, 1.0, 1.0, 1.0))
            for scaling in (GL.GL_TEXTURE_MIN_FILTER, GL.GL_TEXTURE_MAG_FILTER):
                GL.glTexParameteri(GL.GL_TEXTURE_2D, scaling, GL.GL_LINEAR)
            self._framebuffer = GL.glGenFramebuffers(1)
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._framebuffer)
            attachment = GL.GL_DEPTH_ATTACHMENT if self._depth else GL.GL_COLOR_ATTACHMENT0
            GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, attachment, GL.GL_TEXTURE_2D, self.texture, 0)
            if self._depth:
                GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_COMPARE_MODE, GL.GL_COMPARE_REF_TO_TEXTURE)
                GL.glDrawBuffer(GL.GL_NONE)
                GL.glReadBuffer(GL.GL_NONE)
            _check("shadow map" if self._depth else "selection mask")
            self._size = (width, height)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._framebuffer)
        GL.glViewport(0, 0, width, height)

    def release(self) -> None:
        """Delete the texture and its framebuffer."""
        if self._size is not None:
            GL.glDeleteFramebuffers(1, [self._framebuffer])
            GL.glDeleteTextures(1, [self.texture])
        self._size, self.texture = None, 0


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
