import struct

import numpy as np
import pytest

from sdfviewer.scene.meshes.piece import MeshFileError, joined
from sdfviewer.scene.meshes.reading import read_stl

CORNERS = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[1, 0, 0], [1, 1, 0], [0, 1, 0]]], np.float32)


def binary(corners: np.ndarray, header: bytes = b"made by a test", count: int | None = None) -> bytes:
    facets = b"".join(struct.pack("<3f", 0, 0, 0) + c.astype("<f4").tobytes() + b"\0\0" for c in corners)
    return header.ljust(80, b"\0") + struct.pack("<I", len(corners) if count is None else count) + facets


def ascii_stl(corners: np.ndarray) -> str:
    facets = [
        "facet normal 0 0 0\nouter loop\n"
        + "\n".join(f"vertex {x:g} {y:g} {z:g}" for x, y, z in facet)
        + "\nendloop\nendfacet"
        for facet in corners
    ]
    return "solid made by a test\n" + "\n".join(facets) + "\nendsolid"


@pytest.mark.parametrize(
    "data",
    [
        binary(CORNERS),
        binary(CORNERS, header=b"solid, but binary"),
        binary(CORNERS, header=b"solid facet normal"),
        binary(CORNERS) + b"trailing bytes",
        ascii_stl(CORNERS).encode(),
        ascii_stl(CORNERS).upper().encode(),
        ascii_stl(CORNERS).replace("\n", "\r\n").encode(),
    ],
    ids=["binary", "binary solid", "binary solid facet", "binary and more", "ascii", "upper case", "crlf"],
)
def test_two_triangles_share_their_edge(data):
    (piece,) = read_stl(data)
    assert piece.positions.shape == (4, 3)
    np.testing.assert_array_equal(piece.positions[piece.indices], CORNERS)
    assert piece.normals is None


def test_minus_zero_is_the_same_point():
    corners = CORNERS.copy()
    corners[1, 0] = [1, -0.0, -0.0]
    (piece,) = read_stl(binary(corners))
    assert len(piece.positions) == 4


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "0 bytes"),
        (binary(CORNERS)[:-10], "declares 2 triangles and has room for 1"),
        (binary(CORNERS, count=0xFFFFFFFF), "declares 4,294,967,295 triangles"),
        (ascii_stl(CORNERS)[:-60].encode(), "truncated"),
        (ascii_stl(CORNERS).replace("vertex 1 1 0", "vertex 1 one 0").encode(), "not a number"),
        (binary(CORNERS * np.float32(np.nan)), "not finite"),
    ],
)
def test_broken_files_say_what_is_wrong(data, message):
    with pytest.raises(MeshFileError, match=message):
        read_stl(data)


def test_no_triangles_make_an_empty_mesh():
    assert len(joined(read_stl(binary(CORNERS[:0]))).indices) == 0


def with_attributes(header: bytes, *attributes: int) -> bytes:
    data = bytearray(binary(CORNERS, header))
    for k, attribute in enumerate(attributes):
        data[84 + 50 * k + 48 : 84 + 50 * k + 50] = struct.pack("<H", attribute)
    return bytes(data)


@pytest.mark.parametrize(
    ("header", "attributes", "colours"),
    [
        (b"viscam", (0x8000 | 31 << 10, 0x8000 | 31), [(255, 0, 0), (0, 0, 255)]),
        (b"viscam, one without", (0x8000 | 31 << 5, 0), [(0, 255, 0), (179, 179, 179)]),
        (b"COLOR=\x10\x20\x30\xff magics", (31, 0x8000), [(255, 0, 0), (16, 32, 48)]),
    ],
)
def test_facets_have_colours_by_either_custom(header, attributes, colours):
    (piece,) = read_stl(with_attributes(header, *attributes))
    assert [tuple(piece.colours[corners].tolist()[0]) for corners in piece.indices] == colours
    assert [np.ptp(piece.colours[corners], axis=0).max() for corners in piece.indices] == [0, 0]


def test_attributes_that_are_no_colours_split_no_vertices():
    (piece,) = read_stl(with_attributes(b"some exporter", 12, 34))
    assert piece.colours is None
    assert len(piece.positions) == 4
