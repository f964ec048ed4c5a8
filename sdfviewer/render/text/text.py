"""Text as pictures: an atlas of glyphs drawn by Pillow, and the lines of quads that spell a text."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

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
