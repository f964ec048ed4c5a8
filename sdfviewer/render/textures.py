"""Textures: decoded in the background, uploaded when ready, cached while in use."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from sdfviewer.render.gl import GL
from sdfviewer.scene.textures import TEXTURES, Pixels, Source, TextureError

Key = Path | int

STRIP_BYTES = 1 << 21
"""What is uploaded in one turn: software takes 10 ms or more for it."""

ALBEDO, SHADOW_MAP, NORMAL_MAP = range(3)
"""What the texture units of surface shaders hold."""


def texture_key(source: Source) -> Key:
    """Return the key of a picture: its path, or the identity of its bytes."""
    return source if isinstance(source, Path) else id(source)


@dataclass
class _Entry:
    source: Source
    """Kept so that the identity of bytes stays theirs."""
    future: Future[list[Pixels]]
    texture: int = 0
    failure: str = ""


class TextureStore:
    """The textures of the scenes on show."""

    def __init__(self) -> None:
        self._entries: dict[Key, _Entry] = {}
        self._pool: ThreadPoolExecutor | None = None
        self._garbage: list[int] = []
        self.uploads = 0
        """How many textures have been uploaded so far."""

    def keep(self, sources: Iterable[Source]) -> None:
        """Start to load what is new and drop what is no longer in `sources`; needs no context."""
        wanted = {texture_key(source): source for source in sources}
        for key in self._entries.keys() - wanted.keys():
            entry = self._entries.pop(key)
            entry.future.cancel()
            if entry.texture:
                self._garbage.append(entry.texture)
        for key, source in wanted.items():
            if key not in self._entries:
                if self._pool is None:
                    self._pool = ThreadPoolExecutor(2, thread_name_prefix="textures")
                self._entries[key] = _Entry(source, self._pool.submit(_levels, source))

    def upload_ready(self, budget: float = 1 << 25) -> Iterator[None]:
        """Upload what has been decoded, about `budget` bytes; yields between parts, of which none takes long."""
        if self._garbage:
            GL.glDeleteTextures(len(self._garbage), self._garbage)
            self._garbage = []
        for entry in tuple(self._entries.values()):
            if entry.texture or entry.failure or not entry.future.done():
                continue
            if budget <= 0:
                break
            try:
                levels = entry.future.result()
            except TextureError as error:
                # The surface keeps its plain colour; the loader has reported the problem.
                entry.failure = str(error)
                continue
            handle = int(GL.glGenTextures(1))
            try:
                yield from _upload(handle, levels)
                entry.texture, handle = handle, 0
            finally:
                if handle:  # the picture that needs it was given up
                    self._garbage.append(handle)
            self.uploads += 1
            # The pixels are on the GPU now; the source can be decoded again after a lost context.
            entry.future = Future()
            budget -= levels[0].nbytes

    @property
    def is_complete(self) -> bool:
        """Whether everything is uploaded, or cannot be."""
        return all(entry.texture or entry.failure for entry in self._entries.values())

    def wait(self) -> None:
        """Decode and upload everything: for a picture that must be complete."""
        wait([entry.future for entry in self._entries.values() if not entry.texture and not entry.failure])
        for _ in self.upload_ready(math.inf):
            pass

    def texture(self, key: Key) -> int:
        """Return the texture's handle, 0 while it is loading or where it failed."""
        entry = self._entries.get(key)
        return entry.texture if entry else 0

    @property
    def failures(self) -> dict[Source, str]:
        """Why some pictures cannot be shown."""
        return {entry.source: entry.failure for entry in self._entries.values() if entry.failure}

    def forget(self) -> None:
        """Take it that the textures died with their context, and load them again."""
        sources = [entry.source for entry in self._entries.values()]
        self._entries, self._garbage = {}, []
        self.keep(sources)

    def release(self) -> None:
        """Delete all textures."""
        handles = [entry.texture for entry in self._entries.values() if entry.texture] + self._garbage
        if handles:
            GL.glDeleteTextures(len(handles), handles)
        for entry in self._entries.values():
            entry.future.cancel()
        self._entries, self._garbage = {}, []
        if self._pool is not None:
            self._pool.shutdown(wait=False)
            self._pool = None


def _levels(source: Source) -> list[Pixels]:
    """Return a picture at full size, at half, and so on to a single pixel.

    Threads make them while others are uploaded; drivers that draw in software take ten times as long, one by one.
    """
    levels = [TEXTURES.pixels(source)]
    while max(levels[-1].shape[:2]) > 1:
        height, width = (max(edge // 2, 1) for edge in levels[-1].shape[:2])
        smaller = Image.fromarray(levels[-1]).resize((width, height), Image.Resampling.BOX)
        levels.append(np.asarray(smaller))
    return levels


def _upload(handle: int, levels: list[Pixels]) -> Iterator[None]:
    """Fill a texture; yields between strips of it."""
    order = (GL.GL_RGBA, GL.GL_UNSIGNED_BYTE)
    for number, pixels in enumerate(levels):
        height, width = pixels.shape[:2]
        data = np.ascontiguousarray(pixels)
        GL.glBindTexture(GL.GL_TEXTURE_2D, handle)
        if data.nbytes <= STRIP_BYTES:
            GL.glTexImage2D(GL.GL_TEXTURE_2D, number, GL.GL_RGBA8, width, height, 0, *order, data)
            continue
        GL.glTexImage2D(GL.GL_TEXTURE_2D, number, GL.GL_RGBA8, width, height, 0, *order, None)
        rows = max(STRIP_BYTES // data[0].nbytes, 1)
        for top in range(0, height, rows):
            strip = data[top : top + rows]
            GL.glTexSubImage2D(GL.GL_TEXTURE_2D, number, 0, top, width, len(strip), *order, strip)
            yield
            GL.glBindTexture(GL.GL_TEXTURE_2D, handle)  # Qt has drawn meanwhile
    GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MAX_LEVEL, len(levels) - 1)
    GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR_MIPMAP_LINEAR)
    GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR)
    yield


def bind_texture(unit: int, texture: int) -> None:
    """Let a texture unit read a texture; unit 0 stays the active one."""
    GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
    GL.glBindTexture(GL.GL_TEXTURE_2D, texture)
    GL.glActiveTexture(GL.GL_TEXTURE0)


def one_channel_texture(pixels: NDArray[np.uint8], mipmaps: bool) -> int:
    """Return a one-channel texture."""
    handle = int(GL.glGenTextures(1))
    GL.glBindTexture(GL.GL_TEXTURE_2D, handle)
    GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
    levels = _halved(pixels) if mipmaps else [pixels]
    for level, picture in enumerate(levels):
        height, width = picture.shape
        GL.glTexImage2D(GL.GL_TEXTURE_2D, level, GL.GL_R8, width, height, 0, GL.GL_RED, GL.GL_UNSIGNED_BYTE, picture)
    GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MAX_LEVEL, len(levels) - 1)
    # Qt's painter expects to find the default.
    GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 4)
    smooth = GL.GL_LINEAR_MIPMAP_LINEAR if mipmaps else GL.GL_NEAREST
    GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MIN_FILTER, smooth)
    GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR if mipmaps else GL.GL_NEAREST)
    return handle


def _halved(picture: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """Return a picture and its halves while both sides are even; drawn in software, the driver takes 70 ms for them."""
    levels = [picture]
    while not (levels[-1].shape[0] % 2 or levels[-1].shape[1] % 2):
        height, width = levels[-1].shape
        blocks = levels[-1].reshape(height // 2, 2, width // 2, 2)
        levels.append(blocks.mean(axis=(1, 3)).astype(np.uint8))
    return levels
