import io
import os

import numpy as np
import pytest
from PIL import Image

from sdfviewer.scene import textures
from sdfviewer.scene.textures import MAX_EDGE, TextureCache, TextureError, grey, open_picture


def encoded(image: Image.Image, kind: str = "PNG") -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind)
    return stream.getvalue()


def test_the_lowest_row_comes_first():
    image = Image.fromarray(np.array([[[255, 0, 0]], [[0, 255, 0]]], np.uint8))
    pixels = TextureCache().pixels(encoded(image))
    assert pixels.tolist() == [[[0, 255, 0, 255]], [[255, 0, 0, 255]]]
    assert pixels.flags.c_contiguous


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_every_mode_becomes_rgba(mode):
    kind = "TIFF" if mode == "CMYK" else "PNG"
    pixels = TextureCache().pixels(encoded(Image.new(mode, (3, 2)), kind))
    assert pixels.shape == (2, 3, 4)
    assert pixels.dtype == np.uint8


def test_sixteen_bit_greys_are_scaled_not_clipped():
    image = Image.fromarray(np.array([[0, 32768, 65535]], np.uint16))
    assert grey(open_picture(encoded(image))).tolist() == [[0, pytest.approx(0.5, abs=1e-4), 1]]
    assert TextureCache().pixels(encoded(image))[0, :, 0].tolist() == [0, 127, 255]


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_large_pictures_are_scaled_down(kind):
    pixels = TextureCache().pixels(encoded(Image.new("RGB", (MAX_EDGE * 2, 64)), kind))
    assert pixels.shape == (32, MAX_EDGE, 4)


def test_pictures_that_cannot_be_shown(tmp_path, monkeypatch):
    cache = TextureCache()
    with pytest.raises(TextureError, match="does not exist"):
        cache.pixels(tmp_path / "gone.png")
    with pytest.raises(TextureError, match="cannot be decoded"):
        cache.pixels(b"no picture")
    with pytest.raises(TextureError, match="cannot be decoded"):
        cache.pixels(encoded(Image.effect_noise((64, 64), 50))[:-200])
    with pytest.raises(TextureError, match="cannot be decoded"):
        cache.pixels(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n")
    monkeypatch.setattr(textures, "MAX_PIXELS", 100)
    with pytest.raises(TextureError, match="20 × 10 pixels"):
        cache.pixels(encoded(Image.new("L", (20, 10))))


def test_a_file_is_decoded_once_until_it_changes(tmp_path):
    path = tmp_path / "a.png"
    Image.new("L", (2, 2)).save(path)
    cache = TextureCache()
    first = cache.pixels(path)
    assert cache.pixels(path) is first
    os.utime(path, ns=(1, 1))
    assert cache.pixels(path) is not first


def test_the_cache_is_bounded():
    cache = TextureCache(limit=100)
    sources = [encoded(Image.new("L", (4, 4), k)) for k in range(4)]
    first = cache.pixels(sources[0])
    last = [cache.pixels(source) for source in sources[1:]][-1]
    assert cache.pixels(sources[3]) is last
    assert cache.pixels(sources[0]) is not first
