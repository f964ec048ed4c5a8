import numpy as np

from sdfviewer.render.texts import Atlas, face_pictures
from sdfviewer.scene.view_cube import FACES


def test_a_line_is_as_wide_as_its_letters() -> None:
    atlas = Atlas(12)
    places, sources, width = atlas.line("wide wide")
    assert len(places) == len(sources) == 8  # the blank needs no quad
    assert places[-1, 0] + places[-1, 2] <= width + 6
    assert atlas.line("wide")[2] < width


def test_letters_are_drawn_once() -> None:
    atlas = Atlas(12)
    atlas.line("abc")
    version = atlas.version
    atlas.line("cab")
    assert atlas.version == version
    atlas.line("d")
    assert atlas.version > version


def test_each_letter_has_ink_inside_its_source() -> None:
    atlas = Atlas(14)
    _, sources, _ = atlas.line("Aj_1")
    for left, top, right, bottom in sources.astype(int):
        assert atlas.pixels[top:bottom, left:right].max() > 150


def test_grows_for_many_letters() -> None:
    atlas = Atlas(24)
    before = atlas.pixels.shape[0]
    atlas.line("".join(chr(code) for code in range(33, 0x24F)))
    assert atlas.pixels.shape[0] > before


def test_faces_are_side_by_side() -> None:
    sheet = face_pictures(("ONE", "TWO"), 64)
    assert sheet.shape == (64, 128)
    assert sheet[:, :64].max() > 200
    assert sheet[:, 64:].max() > 200


def test_no_word_on_the_view_cube_reaches_its_neighbour() -> None:
    """The end of BOTTOM was a stroke left of FRONT."""
    side = 128
    sheet = face_pictures(FACES, side)
    for k in range(len(FACES)):
        ink = np.flatnonzero(sheet[:, k * side : (k + 1) * side].any(axis=0))
        assert ink[0] >= 8
        assert ink[-1] < side - 8
