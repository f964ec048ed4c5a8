"""Motions as PNG files, GIF and MP4."""

from __future__ import annotations

import builtins
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.export.animation import write_animation
from sdfviewer.extras import MissingExtraError, required_extras


def pictures(count: int, channels: int = 3, size: tuple[int, int] = (48, 64)) -> Iterator[np.ndarray]:
    """Yield pictures with a bright square that moves to the right."""
    for number in range(count):
        picture = np.zeros((*size, channels), np.uint8)
        picture[10:30, 10 * number : 10 * number + 10] = 255
        yield picture


def frames_in(image: Image.Image) -> int:
    return sum(1 for _ in ImageSequence.Iterator(image))


def test_a_gif_holds_every_picture(tmp_path: Path) -> None:
    assert write_animation(pictures(4), tmp_path / "a.gif", 10) == 4
    with Image.open(tmp_path / "a.gif") as image:
        assert (frames_in(image), image.size, image.info["duration"]) == (4, (64, 48), 100)
        assert image.info["loop"] == 0
        for number in range(4):
            image.seek(number)
            shown = np.asarray(image.convert("L"))
            assert shown[20, 10 * number + 5] > 250
            assert shown[20, (10 * number + 25) % 64] < 5


def test_a_gif_stays_clear_where_the_picture_is(tmp_path: Path) -> None:
    write_animation(pictures(3, channels=4), tmp_path / "a.gif")
    with Image.open(tmp_path / "a.gif") as image:
        image.seek(2)
        alpha = np.asarray(image.convert("RGBA"))[..., 3]
    assert alpha[20, 25] == 255
    # Nothing is left of the pictures before.
    assert alpha[20, 5] == 0


def test_png_files_are_numbered(tmp_path: Path) -> None:
    write_animation(pictures(3), tmp_path / "a.png")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a_000.png", "a_001.png", "a_002.png"]


def test_an_mp4_holds_every_picture_at_an_even_size(tmp_path: Path) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="imageio-ffmpeg is not installed")
    write_animation(pictures(5, channels=4, size=(65, 97)), tmp_path / "a.mp4", 25)
    content = (tmp_path / "a.mp4").read_bytes()
    assert content[4:8] == b"ftyp"
    assert b"avc1" in content
    shown = subprocess.run(
        [ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", tmp_path / "a.mp4", "-f", "rawvideo", "-pix_fmt", "gray", "-"],
        capture_output=True,
        check=True,
    ).stdout
    frames = np.frombuffer(shown, np.uint8).reshape(-1, 64, 96)
    assert len(frames) == 5
    for number, picture in enumerate(frames):
        assert picture[20, 10 * number + 5] > 200


def test_without_its_package_an_mp4_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = builtins.__import__

    def refuse(name: str, *rest: object) -> object:
        if name == "imageio_ffmpeg":
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
        return load(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtraError, match=r"sdfviewer\[video\]"), required_extras():
        write_animation(pictures(2), tmp_path / "a.mp4")
    assert write_animation(pictures(2), tmp_path / "a.gif") == 2


@pytest.mark.parametrize(("name", "count", "message"), [("a.avi", 2, r"\.gif or \.mp4"), ("a.gif", 0, "no picture")])
def test_what_cannot_be_written_is_reported(tmp_path: Path, name: str, count: int, message: str) -> None:
    with pytest.raises(SdfViewerError, match=message):
        write_animation(pictures(count), tmp_path / name)


@pytest.mark.parametrize("suffix", [".gif", ".png", ".mp4"])
def test_pictures_of_different_sizes_are_refused(tmp_path: Path, suffix: str) -> None:
    if suffix == ".mp4":
        pytest.importorskip("imageio_ffmpeg")
    pictures = [np.zeros((height, 40, 3), np.uint8) for height in (30, 28)]
    with pytest.raises(SdfViewerError, match="picture 1 has the shape"):
        write_animation(pictures, tmp_path / f"motion{suffix}")


def test_a_motion_that_breaks_off_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    path.write_bytes(b"old")

    def breaks() -> Iterator[np.ndarray]:
        yield from pictures(2)
        raise OSError("the disk is full")

    with pytest.raises(SdfViewerError, match="disk is full"):
        write_animation(breaks(), path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
