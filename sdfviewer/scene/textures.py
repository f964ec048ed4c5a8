"""Decode images with limits of size, each once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.extras import required_extras
from sdfviewer.files.paths import stamp_of

if TYPE_CHECKING:
    from PIL import Image

#: A picture's file, or its encoded bytes.
Source: TypeAlias = Path | bytes
Pixels: TypeAlias = NDArray[np.uint8]

#: Longest edge of a texture that is kept; larger pictures are scaled down.
MAX_EDGE = 2048
#: The most pixels that a picture may declare: a few kilobytes can claim enough to fill the memory.
MAX_PIXELS = 64 << 20
#: Decoded textures that are kept beyond their last use.
CACHE_BYTES = 192 << 20

#: Only plain raster formats: some that Pillow knows start other programs.
_FORMATS = ("PNG", "JPEG", "TGA", "BMP", "TIFF", "GIF", "WEBP", "DDS", "PPM", "PSD")


class TextureError(SdfViewerError):
    """A picture that cannot be shown; the message is a predicate for a sentence about it."""


def open_picture(source: Source, edge: int | None = None, *, most_pixels: int | None = None) -> Image.Image:
    """Return a decoded picture, scaled down so that its longer edge is at most ``edge``.

    Raises
    ------
    TextureError
        Where it cannot be read or declares more than ``most_pixels``, `MAX_PIXELS` by default.
    MissingExtraError
        Where Pillow is not installed.
    """
    with required_extras():
        from PIL import Image  # noqa: PLC0415  # the library reads most models without a picture
    try:
        if isinstance(source, Path) and source.exists() and not source.is_file():
            raise TextureError("is not a regular file")
        image = Image.open(BytesIO(source) if isinstance(source, bytes) else source, formats=_FORMATS)
        width, height = image.size
        most = MAX_PIXELS if most_pixels is None else most_pixels
        if width * height > most:
            raise TextureError(f"has {width} × {height} pixels; at most {most >> 20} million are decoded")
        if edge is not None and max(width, height) > edge:
            image.thumbnail((edge, edge), Image.Resampling.BILINEAR)
        image.load()
    except TextureError:
        raise
    except FileNotFoundError as error:
        raise TextureError("does not exist") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise TextureError(f"has too many pixels: {error}") from error
    except MemoryError as error:
        raise TextureError("needs more memory than is available") from error
    except Exception as error:  # what decoders may raise is not documented
        raise TextureError(f"cannot be decoded: {error}") from error
    return image


def rgba(image: Image.Image) -> Pixels:
    """Return a picture as (height, width, 4) bytes, its lowest row first, as OpenGL takes it. They are read-only."""
    if image.mode.startswith(("I", "F")):
        from PIL import Image  # noqa: PLC0415

        # Pillow clips 16-bit greys instead of scaling them.
        image = Image.fromarray((grey(image) * 255).astype(np.uint8))
    # The -1 turns it upside down; an array of the picture that is turned later takes four times as long.
    lowest_row_first = image.convert("RGBA").tobytes("raw", "RGBA", 0, -1)
    return np.frombuffer(lowest_row_first, np.uint8).reshape(image.height, image.width, 4)


def grey(image: Image.Image) -> NDArray[np.float64]:
    """Return the brightness (height, width) of a picture of 8 or 16 bits in 0..1, its top row first."""
    if image.mode.startswith("I"):
        return np.asarray(image, np.float64) / 65535.0
    if image.mode == "F":
        return np.clip(np.asarray(image, np.float64), 0.0, 1.0)
    return np.asarray(image.convert("L"), np.float64) / 255.0


class TextureCache:
    """Decoded textures by source, the least recently used forgotten first; safe to use from any thread.

    Attributes
    ----------
    edge
        Longest edge of a texture in pixels; larger ones are scaled down. Where a processor draws, or a picture is
        small, half of `MAX_EDGE` saves hundreds of megabytes and seconds of decoding.
    """

    def __init__(self, limit: int = CACHE_BYTES) -> None:
        self.edge = MAX_EDGE
        self._limit = limit
        self._lock = threading.Lock()
        self._held: OrderedDict[tuple[int, object], Pixels | str] = OrderedDict()
        self._bytes = 0

    def pixels(self, source: Source) -> Pixels:
        """Return a texture as (height, width, 4) bytes, its lowest row first.

        Raises
        ------
        PictureError
            Where it cannot be shown, each time without decoding again.
        """
        key = (self.edge, source if isinstance(source, bytes) else (source, stamp_of(source)))
        with self._lock:
            held = self._held.get(key)
            if held is not None:
                self._held.move_to_end(key)
        if held is None:
            try:
                held = rgba(open_picture(source, self.edge))
            except TextureError as error:
                held = str(error)
            self._keep(key, held)
        if isinstance(held, str):
            raise TextureError(held)
        return held

    def _keep(self, key: tuple[int, object], held: Pixels | str) -> None:
        with self._lock:
            if key not in self._held:
                self._held[key] = held
                self._bytes += _size(key, held)
            while self._bytes > self._limit and len(self._held) > 1:
                self._bytes -= _size(*self._held.popitem(last=False))


def _size(key: tuple[int, object], held: Pixels | str) -> int:
    """Return the bytes of a texture, and of the picture in a mesh file that it was decoded from."""
    source = key[1]
    return (len(source) if isinstance(source, bytes) else 0) + (0 if isinstance(held, str) else held.nbytes)


#: The cache that the loader fills in its threads and the renderer reads.
TEXTURES = TextureCache()
