"""Texts in the picture: where they are, at which of them the mouse can point, and how they are drawn.

Glyphs are drawn by Pillow into an atlas, and lines of quads from it on rounded plates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from sdfviewer.palette import TOKENS
from sdfviewer.render.gl import GL, glBindVertexArray, glDrawArraysInstanced
from sdfviewer.render.gl_objects import CORNER, Buffer, Program, VertexArray, square
from sdfviewer.render.textures import one_channel_texture
from sdfviewer.render.view import View
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.nodes import Labels
from sdfviewer.scene.shapes2d import Shapes, strokes

#: Red, green, blue from 0 to 1.
_Colour: TypeAlias = tuple[float, float, float]

_LEADER = 1.2
"""How broad the line from a name to its frame is, in logical pixels."""

_COLOURS = ("plate", "selection", "hover", "text", "grid_major")
"""The colours that names and metre marks are drawn in."""


@dataclass(frozen=True)
class NameTarget:
    """A name in the picture: the row that it marks, and whether it says how many more names are left out."""

    row: int
    is_count: bool


@dataclass(frozen=True, eq=False)
class Targets:
    """Names, the topmost first, with rectangles (k, 4) of left, top, right and bottom in device pixels."""

    names: tuple[NameTarget, ...] = ()
    rectangles: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 4)))

    def at(self, x: float, y: float) -> NameTarget | None:
        """Return the name at a point of the picture in device pixels."""
        low, high = self.rectangles[:, :2], self.rectangles[:, 2:]
        inside = np.flatnonzero(((low <= (x, y)) & (high > (x, y))).all(axis=1))
        return self.names[inside[0]] if len(inside) else None

    def is_as(self, other: Targets) -> bool:
        """Return whether others are the same names in the same places."""
        return self.names == other.names and np.array_equal(self.rectangles, other.rectangles)


def _no_pairs() -> NDArray[np.float64]:
    return np.zeros((0, 2))


@dataclass(frozen=True, eq=False)
class TextLayout:
    """The n texts of a picture, the k names first, with what is shown, the most important first, and where.

    Of the names that had to move away from their frames `leaders` has the lines (2, 2) back to them, in device pixels.
    """

    texts: tuple[str, ...] = ()
    corners: NDArray[np.float64] = field(default_factory=_no_pairs)
    sizes: NDArray[np.float64] = field(default_factory=_no_pairs)
    shown: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, np.intp))
    selected: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    hovered: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    is_count: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    points: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))
    leaders: Mapping[int, NDArray[np.float64]] = field(default_factory=dict)

    @property
    def is_shown(self) -> NDArray[np.bool_]:
        """Which texts (n,) are shown."""
        mask = np.zeros(len(self.texts), bool)
        mask[self.shown] = True
        return mask

    def targets(self, labels: Labels, resting: TextLayout | None) -> Targets:
        """Return the names that one can point at: without those that are shown only because the mouse is near.

        A name that moves when it is hovered is pointed at where it is at rest, else it would leave the mouse.
        """
        names, corners = self.shown[self.shown < len(self.is_count)], self.corners
        if resting is not None:
            names, corners = names[resting.is_shown[names]], corners.copy()
            corners[: len(self.hovered)][self.hovered] = resting.corners[: len(self.hovered)][self.hovered]
        rectangles = np.concatenate([corners[names], corners[names] + self.sizes[names]], axis=1)
        pairs = zip(labels.owners[names].tolist(), self.is_count[names].tolist(), strict=True)
        return Targets(tuple(NameTarget(row, is_count) for row, is_count in pairs), rectangles)

    def leader_shapes(self, labels: Labels, colours: NDArray[np.float32], ratio: float) -> Shapes:
        """Return the lines from names to the frames from which they had to move away."""
        if not self.leaders:
            return Shapes()
        ends = np.stack([*self.leaders.values()]) / ratio
        tones = [(*rgb(colours[labels.tokens[label]]), 1.0) for label in self.leaders]
        # On a dark or light ground of its own a line is seen in front of anything.
        below = strokes(ends, _LEADER + 1.6, (*rgb(colours[TOKENS.index("plate")]), 0.6))
        return Shapes.concatenate([below, strokes(ends, _LEADER, tones)])

    def written(
        self, labels: Labels, colours: NDArray[np.float32], view: View, eye_to_clip: NDArray[np.float64]
    ) -> tuple[list[PlacedText], list[PlacedText]]:
        """Return the metre marks and the names that are shown, with the most important ones last, above the others."""
        texts, corners, first = self.texts, self.corners, len(self.is_count)
        table = {name: rgb(colours[TOKENS.index(name)]) for name in _COLOURS}
        lower_edges = corners[first:] + self.sizes[first:] * (0.5, 1.0)
        depths = _ground_depths(view.camera, self.points, lower_edges, view.size, eye_to_clip).tolist()
        order = self.shown[::-1].tolist()
        on_ground = [_mark(texts[k], corners[k], depths[k - first], table) for k in order if k >= first]
        tones = [rgb(colours[labels.tokens[k]]) for k in order if k < first]
        states = [(bool(self.selected[k]), bool(self.hovered[k])) for k in order if k < first]
        names = [
            _name(texts[k], corners[k], tone, *state, table)
            for k, tone, state in zip((k for k in order if k < first), tones, states, strict=True)
        ]
        return on_ground, names


def _mark(text: str, corner: NDArray[np.float64], depth: float, table: Mapping[str, _Colour]) -> PlacedText:
    """Return a metre mark, on the ground."""
    return PlacedText(
        text, float(corner[0]), float(corner[1]), table["grid_major"], (*table["plate"], 0.7), depth=depth
    )


def _name(
    text: str,
    corner: NDArray[np.float64],
    stripe: _Colour,
    is_selected: bool,
    is_hovered: bool,
    table: Mapping[str, _Colour],
) -> PlacedText:
    """Return the name of a frame, with a stripe in the colour of its kind."""
    plate = "selection" if is_selected else "plate"
    # The colour of the selection is light on either ground.
    tone = min(table["plate"], table["text"], key=sum) if is_selected else table["text"]
    opacity = 1.0 if is_selected or is_hovered else 0.78
    x, y = corner.tolist()
    rim = table["hover"] if is_hovered and not is_selected else None
    return PlacedText(text, x, y, tone, (*table[plate], opacity), stripe, rim)


def _ground_depths(
    camera: Camera,
    points: NDArray[np.float64],
    lower_edges: NDArray[np.float64],
    size: tuple[int, int],
    eye_to_clip: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the depths (k,) of metre marks at points (k, 3), so that a floor at z = 0 does not cut them in half.

    That is the depth of the ground under the middle of their lower edges, pixels (k, 2).
    """
    feet = points.copy()
    for foot, (x, y) in zip(feet, lower_edges.tolist(), strict=True):
        origin, direction = camera.ray(x, y, *size)
        # From below or beyond the horizon, no floor is in front of the mark.
        if origin[2] > 0 > direction[2]:
            foot[:] = origin - direction * (origin[2] / direction[2])
    from_eye = feet - camera.eye
    clip = from_eye @ eye_to_clip[:3, :3].T + eye_to_clip[:3, 3]
    w = np.ones(len(clip)) if camera.orthographic else np.maximum(-from_eye @ camera.axes[2], 1e-6)
    return np.asarray(clip[:, 2] / w - 1e-4)


def rgb(colour: NDArray[np.float32]) -> _Colour:
    """Return red, green and blue of a colour."""
    return float(colour[0]), float(colour[1]), float(colour[2])


_WIDTH = 1024
# Pillow's own font holds Latin letters; other scripts come from whatever of these the system has.
_FALLBACKS = ("NotoSansCJK-Regular.ttc", "DejaVuSans.ttf", "arialuni.ttf", "msyh.ttc", "Arial Unicode.ttf")
_FACE_SHARE = 0.84
"""Of the side of a face of the view cube, what its word takes at most."""
_LATIN_END = "\u0250"


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


@cache
def _fallback(size: int) -> ImageFont.FreeTypeFont | None:
    for name in _FALLBACKS:
        with suppress(OSError):
            return ImageFont.truetype(name, size)
    return None


class Atlas:
    """Glyphs of one size in one picture, added as texts need them.

    `pixels` (height, width) grows downwards; `version` counts its changes, so that a copy on the GPU knows when it is
    out of date.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        ascent, descent = self._metrics(_font(size))
        self.line_height = ascent + descent
        self.version = 0
        self._picture = Image.new("L", (_WIDTH, max(4 * self.line_height, 64)))
        self._cursor = (1, 1)
        self._glyphs: dict[str, tuple[tuple[int, int, int, int], float]] = {}
        self._lines: dict[str, tuple[NDArray[np.float32], NDArray[np.float32], float]] = {}

    @staticmethod
    def _metrics(font: ImageFont.FreeTypeFont | ImageFont.ImageFont) -> tuple[int, int]:
        if isinstance(font, ImageFont.FreeTypeFont):
            ascent, descent = font.getmetrics()
            return int(ascent), int(descent)
        return 11, 3

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """Coverage of each texel, rows from the top down."""
        return np.asarray(self._picture)

    def _add(self, character: str) -> None:
        font = _font(self.size)
        if character >= _LATIN_END:
            font = _fallback(self.size) or font
        advance = float(font.getlength(character))
        width, height = int(advance) + 4, self.line_height + 2
        x, y = self._cursor
        if x + width > _WIDTH:
            x, y = 1, y + height + 1
        if y + height > self._picture.height:
            taller = Image.new("L", (_WIDTH, self._picture.height * 2))
            taller.paste(self._picture)
            self._picture = taller
            self._lines.clear()
        ImageDraw.Draw(self._picture).text((x + 1, y), character, fill=255, font=font)
        self._glyphs[character] = ((x, y, width, height), advance)
        self._cursor = (x + width + 1, y)
        self.version += 1

    def widths(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return how wide texts are (n,): a world has thousands of names, of which a picture shows a few."""
        if not texts:
            return np.zeros(0)
        ends, joined = np.cumsum([len(text) for text in texts]), "".join(texts)
        characters = sorted(set(joined))
        codes = np.frombuffer("".join(characters).encode("utf-32-le", "surrogatepass"), np.uint32)
        which = np.searchsorted(codes, np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32))
        advances = []
        for character in characters:
            if character not in self._glyphs:
                self._add(character)
            advances.append(self._glyphs[character][1])
        total = np.concatenate([[0.0], np.cumsum(np.array(advances, np.float64)[which])])
        return np.asarray(total[ends] - total[np.concatenate([[0], ends[:-1]])])

    def line(self, text: str) -> tuple[NDArray[np.float32], NDArray[np.float32], float]:
        """Return the quads of a text: places (g, 4) x, y, width, height from its upper left corner, their sources in
        texels (g, 4) left, top, right, bottom, and how wide the whole is.
        """
        line = self._lines.get(text)
        if line is not None:
            return line
        for character in dict.fromkeys(text):
            if character not in self._glyphs:
                self._add(character)
        places, sources, x = [], [], 0.0
        for character in text:
            (left, top, width, height), advance = self._glyphs[character]
            if character != " ":
                places.append((round(x) - 1, 0, width, height))
                sources.append((left, top, left + width, top + height))
            x += advance
        line = (np.array(places, np.float32).reshape(-1, 4), np.array(sources, np.float32).reshape(-1, 4), x)
        self._lines[text] = line
        return line


def _fitting_size(texts: tuple[str, ...], side: int) -> int:
    """Return the size of letters at which every word leaves a margin in a square: small copies mix with the next."""
    size = side // 4
    widest = max(_font(size).getlength(text) for text in texts)
    return min(size, int(size * _FACE_SHARE * side / widest))


def face_pictures(texts: tuple[str, ...], side: int) -> NDArray[np.uint8]:
    """Return square pictures of one word each side by side, rows from the bottom up, (side, side * len(texts))."""
    sheet = Image.new("L", (side * len(texts), side))
    draw = ImageDraw.Draw(sheet)
    font = _font(_fitting_size(texts, side))
    for k, text in enumerate(texts):
        draw.text((side * (k + 0.5), side / 2), text, fill=255, font=font, anchor="mm", stroke_width=1, stroke_fill=200)
    return np.ascontiguousarray(np.asarray(sheet)[::-1])


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
