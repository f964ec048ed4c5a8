"""Texts in the picture: letters from an atlas on rounded plates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdfviewer.render.gl.buffers import CORNER, Buffer, VertexArray, square
from sdfviewer.render.gl.gl import GL, glBindVertexArray, glDrawArraysInstanced
from sdfviewer.render.gl.program import Program
from sdfviewer.render.text.text import Atlas
from sdfviewer.render.textures import one_channel_texture

_QUAD = np.dtype([("place", np.float32, 4), ("source", np.float32, 4), ("depth", np.float32), ("tone", np.uint8, 4)])


@dataclass(frozen=True)
class PlacedText:
    """One text in the picture: its upper left corner in device pixels, and its colour as 0..1."""

    text: str
    x: float
    y: float
    tone: tuple[float, float, float]
    plate: tuple[float, float, float, float] | None = None
    """Colour and opacity of the plate behind it."""
    stripe: tuple[float, float, float] | None = None
    """Colour of the stripe at its left end, which tells the kind."""
    rim: tuple[float, float, float] | None = None
    """Colour of a line around the plate."""
    depth: float = -1.0
    """Where it lies between near (-1) and far (1); nearer surfaces hide it."""


class _Group:
    """Quads that are drawn together."""

    def __init__(self, shape: Buffer) -> None:
        self.array, self.quads, self.count = VertexArray(), Buffer(), 0
        self.quads.upload(np.zeros(1, _QUAD))
        self.array.attach(shape, CORNER)
        self.array.attach(self.quads, _QUAD, per_instance=True)


class TextPass:
    """Texts from an atlas, with plates behind them, in two groups: what surfaces hide, and what lies over all."""

    def __init__(self) -> None:
        self._shape = Buffer()
        self._shape.upload(square(0.0))
        self._groups = (_Group(self._shape), _Group(self._shape))
        self._program = Program("label.vert", "label.frag")
        self._atlases: dict[int, Atlas] = {}
        self._uploaded: tuple[tuple[list[PlacedText], list[PlacedText]], float] = (([], []), 1.0)
        self._texture, self._shown = 0, (0, -1)

    def atlas(self, ratio: float) -> Atlas:
        """Return the atlas whose glyphs suit a pixel ratio."""
        size = max(8, round(11.5 * ratio))
        atlas = self._atlases.get(size)
        if atlas is None:
            atlas = self._atlases[size] = Atlas(size)
        return atlas

    @staticmethod
    def padding(ratio: float) -> tuple[float, float]:
        """Return the space between a text and the edge of its plate, in device pixels."""
        return 6.0 * ratio, 2.0 * ratio

    def size(self, text: str, ratio: float) -> tuple[float, float]:
        """Return width and height of a text on its plate, in device pixels."""
        width, height = self.sizes((text,), ratio)[0].tolist()
        return width, height

    def sizes(self, texts: Sequence[str], ratio: float) -> NDArray[np.float64]:
        """Return width and height of texts on their plates (n, 2), in device pixels."""
        atlas = self.atlas(ratio)
        pad_x, pad_y = self.padding(ratio)
        widths = atlas.widths(texts) + 2 * pad_x + 2 * ratio
        return np.stack([widths, np.full(len(texts), atlas.line_height + 2 * pad_y)], axis=1)

    def set_texts(self, groups: tuple[list[PlacedText], list[PlacedText]], ratio: float) -> None:
        """Upload groups of texts, each all its plates and then all its letters; the same groups cost nothing."""
        if (groups, ratio) == self._uploaded:
            return
        self._uploaded = (groups, ratio)
        atlas = self.atlas(ratio)
        # The atlas grows with new letters, which changes the texture coordinates of all.
        for item in (*groups[0], *groups[1]):
            atlas.line(item.text)
        for group, texts in zip(self._groups, groups, strict=True):
            quads = self._quads_of(texts, atlas, ratio) if texts else np.zeros(0, _QUAD)
            group.count = len(quads)
            if texts:
                group.quads.upload(quads)
        if self._shown != (atlas.size, atlas.version):
            if self._texture:
                GL.glDeleteTextures(1, [self._texture])
            self._texture, self._shown = one_channel_texture(atlas.pixels, mipmaps=False), (atlas.size, atlas.version)

    def _quads_of(self, texts: list[PlacedText], atlas: Atlas, ratio: float) -> NDArray[np.void]:
        pad_x, pad_y = self.padding(ratio)
        lines = [atlas.line(item.text) for item in texts]
        plates: list[tuple[tuple[float, ...], tuple[float, ...], float, tuple[float, ...]]] = []
        for item in texts:
            width, height = self.size(item.text, ratio)
            if item.rim is not None:
                around = (item.x - ratio, item.y - ratio, width + 2 * ratio, height + 2 * ratio)
                plates.append((around, (-4.5 * ratio, 0, 0, 0), item.depth, (*item.rim, 1.0)))
            if item.plate is not None:
                plates.append(((item.x, item.y, width, height), (-3.5 * ratio, 0, 0, 0), item.depth, item.plate))
            if item.stripe is not None:
                bar = (item.x + 2.5 * ratio, item.y + 3 * ratio, 2.5 * ratio, height - 6 * ratio)
                plates.append((bar, (-1.2 * ratio, 0, 0, 0), item.depth, (*item.stripe, 1.0)))
        counts = [len(line[0]) for line in lines]
        quads = np.zeros(len(plates) + sum(counts), _QUAD)
        for k, (place, source, depth, tone) in enumerate(plates):
            quads[k] = (place, source, depth, tuple(round(value * 255) for value in tone))
        letters = quads[len(plates) :]
        corner = np.repeat(
            [(round(item.x + pad_x + 2 * ratio), round(item.y + pad_y)) for item in texts], counts, axis=0
        )
        letters["place"] = np.concatenate([line[0] for line in lines])
        letters["place"][:, :2] += corner
        height, width = atlas.pixels.shape
        letters["source"] = np.concatenate([line[1] for line in lines]) / (width, height, width, height)
        letters["depth"] = np.repeat([item.depth for item in texts], counts)
        tones = np.array([(*item.tone, 1.0) for item in texts])
        letters["tone"] = np.repeat((tones * 255 + 0.5).astype(np.uint8), counts, axis=0)
        return quads

    def draw(self, group: int) -> None:
        """Draw the first or the second group, 0 or 1."""
        if not self._groups[group].count:
            return
        self._program.use()
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._texture)
        GL.glDepthFunc(GL.GL_LEQUAL)
        GL.glDepthMask(False)
        glBindVertexArray(self._groups[group].array.handle)
        glDrawArraysInstanced(GL.GL_TRIANGLES, 0, 6, self._groups[group].count)
        GL.glDepthMask(True)
        GL.glDepthFunc(GL.GL_LESS)

    def release(self) -> None:
        """Delete all GPU objects."""
        for group in self._groups:
            group.array.release()
            group.quads.release()
        self._shape.release()
        self._program.release()
        if self._texture:
            GL.glDeleteTextures(1, [self._texture])
