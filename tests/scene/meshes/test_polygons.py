import numpy as np
import pytest

from sdfviewer.scene.meshes.piece import MeshFileError
from sdfviewer.scene.meshes.polygons import extruded, triangulated


def square(size, at=0.0, turn=1):
    points = np.array([[0, 0], [size, 0], [size, size], [0, size]], float) + at
    return points[::turn]


def volume(piece):
    a, b, c = np.moveaxis(piece.positions[piece.indices].astype(float), 1, 0)
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6


def is_closed(piece):
    edges = np.concatenate([piece.indices[:, [0, 1]], piece.indices[:, [1, 2]], piece.indices[:, [2, 0]]])
    there = {tuple(edge) for edge in edges.tolist()}
    return len(there) == len(edges) and all((b, a) in there for a, b in there)


@pytest.mark.parametrize("turn", [1, -1])
def test_a_prism_is_closed_and_turned_outwards(turn):
    piece = extruded([square(2, turn=turn)], 3)
    assert volume(piece) == pytest.approx(12)
    assert is_closed(piece)
    assert piece.positions[:, 2].tolist() == [0] * 4 + [3] * 4


@pytest.mark.parametrize("turn", [1, -1])
def test_a_loop_in_a_loop_is_a_hole_and_one_in_that_an_island(turn):
    loops = [square(1, 4.5, turn), square(10), square(6, 2, turn)]
    piece = extruded(loops, 1)
    assert volume(piece) == pytest.approx(100 - 36 + 1)
    assert is_closed(piece)


def test_loops_side_by_side_are_both_solid():
    assert volume(extruded([square(1), square(1, 5)], 2)) == pytest.approx(4)


def test_a_concave_outline_closed_by_its_first_point():
    loop = np.array([[0, 0], [2, 0], [2, 2], [1, 0.5], [0, 2], [0, 0]], float)
    piece = extruded([loop], 1)
    assert volume(piece) == pytest.approx(2.5)
    assert is_closed(piece)


def test_a_negative_height_goes_down_and_stays_turned_outwards():
    assert volume(extruded([square(1)], -2)) == pytest.approx(2)


@pytest.mark.parametrize("loops", [[], [np.zeros((0, 2))], [np.zeros((5, 2))], [np.array([[0, 0], [1, 0.0]])]])
def test_too_few_points(loops):
    with pytest.raises(MeshFileError, match="three"):
        extruded(loops, 1)


def test_polygons_of_mixed_sizes_keep_their_order():
    triangle = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    arrow = [[0, 0, 0], [2, 1, 0], [0, 2, 0], [0.5, 1, 0]]
    pentagon = [[np.cos(t), np.sin(t), 0] for t in np.arange(5) * 2 * np.pi / 5]
    corners = np.array(pentagon + triangle + arrow, np.float32)
    triangles = triangulated(corners, np.array([5, 3, 4]))
    a, b, c = np.moveaxis(corners[triangles], 1, 0)
    areas = np.cross(b - a, c - a)[:, 2] / 2
    assert (areas > 0).all()
    assert (np.digitize(triangles, [5, 8]) == [[0], [0], [0], [1], [2], [2]]).all()
    assert areas.sum() == pytest.approx(5 / 2 * np.sin(2 * np.pi / 5) + 0.5 + 1.5, abs=1e-6)


def test_degenerate_polygons_do_not_fail():
    corners = np.zeros((7, 3), np.float32)
    assert len(triangulated(corners, np.array([2, 5]))) == 3
