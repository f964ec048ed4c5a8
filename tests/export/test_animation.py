"""Motions as PNG files, GIF and MP4."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
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
    with pytest.raises(MissingExtraError, match=r"\[video\]"), required_extras():
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


@pytest.mark.parametrize("fps", [0.0, -1.0, float("nan"), float("inf")])
@pytest.mark.parametrize("suffix", [".gif", ".png", ".mp4"])
def test_a_rate_that_is_no_positive_number_is_refused(tmp_path: Path, suffix: str, fps: float) -> None:
    with pytest.raises(SdfViewerError, match="expected a positive number"):
        write_animation(pictures(2), tmp_path / f"a{suffix}", fps)


def test_a_thin_axis_keeps_its_colour_in_a_gif(tmp_path: Path) -> None:
    """Its 255 colours went to the greys of sky and floor: orange was brown, and the axes of the frames were grey."""
    picture = np.empty((400, 600, 3), np.uint8)
    tints = np.random.default_rng(0).integers(0, 8, picture.shape)
    picture[:] = np.linspace(90, 235, 400)[:, None, None] + tints
    axes = np.array([[235, 64, 72], [72, 196, 72], [64, 128, 255], [226, 112, 16]], np.uint8)
    picture[100:130, 200:208:2] = axes
    write_animation([picture, picture], tmp_path / "a.gif")
    with Image.open(tmp_path / "a.gif") as image:
        shown = np.asarray(image.convert("RGB")).astype(int)
    assert np.abs(shown[100:130, 200:208:2] - axes).max() < 24
    assert np.abs(shown - picture).mean() < 4, "the others stay as near as they were"


def test_a_gif_slower_than_a_gif_can_be_is_as_slow_as_it_can_be(tmp_path: Path) -> None:
    write_animation(pictures(2), tmp_path / "a.gif", 1e-300)
    with Image.open(tmp_path / "a.gif") as image:
        assert image.info["duration"] == 655_350


def test_pictures_that_do_not_fit_into_a_format_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SdfViewerError, match="cannot write"):
        write_animation(pictures(2, size=(1, 70_000)), tmp_path / "a.gif")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
@pytest.mark.parametrize("suffix", [".gif", ".mp4"])
def test_a_link_where_a_temporary_would_be_leads_nowhere(tmp_path: Path, suffix: str) -> None:
    if suffix == ".mp4":
        pytest.importorskip("imageio_ffmpeg")
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    for name in (f".a.part{suffix}", f".a{suffix}", f"a.part{suffix}"):
        (tmp_path / name).symlink_to(victim)
    write_animation(pictures(2), tmp_path / f"a{suffix}")
    assert victim.read_bytes() == b"precious"
    assert not (tmp_path / f"a{suffix}").is_symlink()
    assert (tmp_path / f"a{suffix}").stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.skipif(sys.platform == "win32", reason="a colon is not allowed in a name there")
@pytest.mark.parametrize("name", ["tcp:localhost:9/a.mp4", "http:a.mp4", "concat:a|b.mp4", "-y.mp4", "a%03d.mp4"])
def test_a_path_means_a_file_to_ffmpeg(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("imageio_ffmpeg")
    monkeypatch.chdir(tmp_path)
    Path(name).parent.mkdir(exist_ok=True)
    write_animation(pictures(2), Path(name))
    assert b"moov" in Path(name).read_bytes()


def test_a_video_that_the_encoder_does_not_complete_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    path = tmp_path / "a.mp4"
    write_animation(pictures(2), path)
    whole = path.read_bytes()

    def write_half(part: str, *_: object, **__: object) -> Iterator[None]:
        yield
        try:
            while True:
                yield
        finally:
            Path(part).write_bytes(whole[: whole.index(b"moov") - 4])

    monkeypatch.setattr(ffmpeg, "write_frames", write_half)
    with pytest.raises(SdfViewerError, match="not completed"):
        write_animation(pictures(2), path)
    assert path.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [path]
