import numpy as np
import pytest
from PIL import Image

from sdfviewer.scene.meshes.heightmap import extruded_image, heightmap
from sdfviewer.scene.meshes.piece import MeshFileError


@pytest.fixture
def ramp(tmp_path):
    """A picture that is dark below and bright in its upper right corner."""
    path = tmp_path / "ramp.png"
    Image.fromarray(np.array([[0, 100, 200], [0, 0, 0], [0, 0, 0]], np.uint8)).save(path)
    return path


def test_the_brightest_pixel_has_the_full_height_and_the_top_row_is_plus_y(ramp):
    piece = heightmap(ramp, (4, 6, 2), (10, 20, 30))
    top = piece.positions[np.argmax(piece.positions[:, 2])]
    assert top.tolist() == [12, 23, 32]
    assert piece.positions.min(axis=0).tolist() == [8, 17, 30]
    a, b, c = np.moveaxis(piece.positions[piece.indices], 1, 0)
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()
    assert (piece.normals[:, 2] > 0).all()


def test_a_negative_height_turns_hills_into_pits(ramp):
    piece = heightmap(ramp, (4, 6, -2), (0, 0, 0))
    assert piece.positions[np.argmin(piece.positions[:, 2])].tolist() == [2, 3, 0]
    assert piece.positions[:, 2].max() == 2


def test_sixteen_bits_are_finer_than_eight(tmp_path):
    path = tmp_path / "fine.png"
    Image.fromarray(np.array([[0, 1], [2, 65535]], np.uint16)).save(path)
    piece = heightmap(path, (1, 1, 65535), (0, 0, 0))
    assert sorted(piece.positions[:, 2].tolist()) == pytest.approx([0, 1, 2, 65535])


def test_a_flat_black_picture_is_flat(tmp_path):
    Image.new("L", (3, 3)).save(tmp_path / "flat.png")
    assert not heightmap(tmp_path / "flat.png", (1, 1, 5), (0, 0, 0)).positions[:, 2].any()


@pytest.mark.parametrize(
    ("name", "message"), [("terrain.dem", "elevation model"), ("gone.png", "does not exist"), ("text.png", "decoded")]
)
def test_what_is_no_picture_says_so(tmp_path, name, message):
    (tmp_path / "text.png").write_text("no picture")
    with pytest.raises(MeshFileError, match=message):
        heightmap(tmp_path / name, (1, 1, 1), (0, 0, 0))


def test_dark_pixels_become_as_few_boxes_as_rows_allow(tmp_path):
    path = tmp_path / "map.png"
    pixels = np.full((4, 5), 255, np.uint8)
    pixels[:, 0] = 0
    pixels[1:3, 3:5] = 200
    Image.fromarray(pixels).save(path)
    piece = extruded_image(path, 0.5, 200, 2)
    assert len(piece.indices) == 2 * 12
    a, b, c = np.moveaxis(piece.positions[piece.indices].astype(float), 1, 0)
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(8 * 0.25 * 2)
    assert piece.positions.min(axis=0).tolist() == [0, 0, 0]
    assert piece.positions.max(axis=0).tolist() == [2.5, 2, 2]


def test_an_image_without_dark_pixels(tmp_path):
    Image.new("L", (3, 3), 255).save(tmp_path / "white.png")
    with pytest.raises(MeshFileError, match="threshold 100"):
        extruded_image(tmp_path / "white.png", 1, 100, 1)
