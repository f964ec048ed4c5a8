"""Framebuffers: multisampled image, selection mask, shadow map."""

from __future__ import annotations

from sdfviewer.render.gl.gl import GL, RenderError


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
