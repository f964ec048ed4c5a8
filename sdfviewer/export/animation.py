"""Write a motion as numbered PNG files, GIF or MP4."""

from __future__ import annotations

import math
import os
import secrets
import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.files.saving import replace_file

if TYPE_CHECKING:
    from PIL.Image import Image

Pixels = NDArray[np.uint8]

SUFFIXES = (".png", ".gif", ".mp4")
DEFAULT_FPS = 25.0
_LEAST_GIF_DELAY, _MOST_GIF_DELAY = 20, 655_350
"""Milliseconds: browsers show faster GIFs at a tenth of a second a picture, and a GIF has no number for slower ones."""
_CLEAR = 255
"""The colour of a GIF's palette that is clear."""


def animation_kind(path: Path) -> str:
    """Return the suffix that says what is written to a path.

    Raises
    ------
    SdfViewerError
        If it is none of :data:`SUFFIXES`.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise SdfViewerError(f"{path.name}: a motion must be saved as {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")
    return suffix


def numbered(path: Path, number: int) -> Path:
    """Return the path of one picture of a sequence: ``arm.png`` becomes ``arm_007.png``."""
    return path.with_stem(f"{path.stem}_{number:03d}")


def write_animation(pictures: Iterable[Pixels], path: Path, fps: float = DEFAULT_FPS) -> int:
    """Write pictures (height, width, 3 or 4) of one size as an animation, and return how many there were.

    The suffix chooses the format. A sequence of PNG files is numbered; the others are one file, which takes its place
    when it is complete. They are taken one by one, so that there need not be memory for all.

    Parameters
    ----------
    pictures
        RGB or RGBA, rows from the top down.
    path
        ``.png``, ``.gif`` or ``.mp4``.
    fps
        Pictures a second; a GIF shows 50 at most.

    Raises
    ------
    SdfViewerError
        If the suffix is none of these, the rate is no positive number, there is no picture, or the file cannot be
        written.
    ImportError
        If the package that writes the format is not installed.
    """
    write = {".png": _write_png, ".gif": _write_gif, ".mp4": _write_mp4}[animation_kind(path)]
    if not 0 < fps < math.inf:
        raise SdfViewerError(f"{fps:g} pictures per second: expected a positive number")
    counted = _Counted(pictures)
    try:
        write(counted, path, fps)
    except (OSError, ValueError, ArithmeticError, RuntimeError, struct.error) as error:
        # The encoders raise the last three for pictures that do not fit into a format, and where ffmpeg is missing.
        raise SdfViewerError(f"cannot write {path}: {error}") from error
    if not counted.count:
        raise SdfViewerError(f"{path.name}: there are no pictures to write")
    return counted.count


class _Counted:
    """Hands pictures of one size on and counts them."""

    def __init__(self, pictures: Iterable[Pixels]) -> None:
        self._pictures = pictures
        self.count = 0

    def __iter__(self) -> Iterator[Pixels]:
        shape: tuple[int, ...] | None = None
        for picture in self._pictures:
            shape = shape or picture.shape
            if picture.shape != shape:
                # A video encoder would read the rest as the start of the next picture.
                raise ValueError(f"picture {self.count} has the shape {picture.shape}, the first one {shape}")
            self.count += 1
            yield picture


def _write_png(pictures: Iterable[Pixels], path: Path, _fps: float) -> None:
    from PIL import Image  # noqa: PLC0415

    for number, picture in enumerate(pictures):
        Image.fromarray(picture).save(numbered(path, number))


def _write_gif(pictures: Iterable[Pixels], path: Path, fps: float) -> None:
    from PIL import Image  # noqa: PLC0415

    images = (_with_palette(Image.fromarray(picture)) for picture in pictures)
    first = next(images, None)
    if first is None:
        return
    delay = round(min(max(1000.0 / fps, _LEAST_GIF_DELAY), _MOST_GIF_DELAY))
    with _complete(path) as part:
        # Transparent pixels must not show the picture before; elsewhere only changes are written.
        disposal = 2 if "transparency" in first.info else 1
        first.save(part, "GIF", save_all=True, append_images=images, duration=delay, loop=0, disposal=disposal)


def _with_palette(image: Image) -> Image:
    """Return an image with the 255 colours that fit it best; what is clear stays clear."""
    from PIL import Image as Images  # noqa: PLC0415

    pixels = np.asarray(image)
    clear = pixels[..., 3] < 128 if pixels.shape[2] == 4 else np.zeros(pixels.shape[:2], bool)
    plain = Images.fromarray(np.ascontiguousarray(pixels[..., :3]))
    # A GIF pixel is either opaque or transparent: one palette colour means transparent. A median cut would give nearly
    # all colours to the greys of sky and floor, and turn the thin axes of frames grey.
    reduced = plain.quantize(_CLEAR, method=Images.Quantize.FASTOCTREE, dither=Images.Dither.NONE)
    if clear.any():
        reduced.paste(_CLEAR, mask=Images.fromarray(clear))
        reduced.info["transparency"] = _CLEAR
    return reduced


def _write_mp4(pictures: Iterable[Pixels], path: Path, fps: float) -> None:
    import imageio_ffmpeg  # noqa: PLC0415

    found = iter(pictures)
    first = next(found, None)
    if first is None:
        return
    # Every player shows this form of H.264, which needs even sizes.
    height, width = (length - length % 2 for length in first.shape[:2])
    if not height or not width:
        raise ValueError("a video needs pictures of 2 pixels or more")
    with _complete(path) as part:
        writer = imageio_ffmpeg.write_frames(
            str(part),
            (width, height),
            fps=fps,
            codec="libx264",
            quality=7,
            macro_block_size=2,
            ffmpeg_log_level="error",
        )
        writer.send(None)
        try:
            for picture in chain((first,), found):
                writer.send(np.ascontiguousarray(picture[:height, :width, :3]))
        finally:
            writer.close()
        if not _is_whole_mp4(part):
            raise OSError("ffmpeg has not completed it")


def _is_whole_mp4(path: Path) -> bool:
    """Return whether a file has the part that an encoder writes last: ffmpeg fails on a full disk without saying so."""
    with path.open("rb") as file:
        while len(header := file.read(16)) >= 8:
            size, kind = struct.unpack_from(">I4s", header)
            if kind == b"moov":
                return True
            if size == 1 and len(header) == 16:  # a longer part
                (size,) = struct.unpack_from(">Q", header, 8)
            if size < 8:
                return False
            file.seek(size - len(header), os.SEEK_CUR)
    return False


@contextmanager
def _complete(path: Path) -> Iterator[Path]:
    """Yield a new empty file, which replaces the target when it is complete and is removed otherwise.

    Nobody can know its name before and put a link there; its path is absolute, because ffmpeg takes what is before a
    colon for the name of a protocol and would connect to ``tcp:host``.
    """
    part = Path(os.path.abspath(path)).with_name(f".{path.stem[:100]}.{secrets.token_hex(6)}{path.suffix}")
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    try:
        yield part
        replace_file(part, path)
    finally:
        part.unlink(missing_ok=True)
