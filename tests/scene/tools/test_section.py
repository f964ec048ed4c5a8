"""Planes that cut a scene open: which side they keep, how they ride on frames, what can be picked behind them."""

from __future__ import annotations

import numpy as np
import pytest

from sdfviewer.scene.camera import Camera
from sdfviewer.scene.scene import with_section
from sdfviewer.scene.tools.picking import hit_triangle, pick
from sdfviewer.scene.tools.section import CuttingPlane, Section, through_middle
from sdfviewer.transforms import pose_to_matrix
from tests.scene.scenes import boxes_in_a_row

FRONT = Camera(distance=20.0).seen_from("front")


def test_a_section_rides_on_its_frame() -> None:
    section = Section("f", (0.0, 0.0, 1.0), 0.25)
    plane = section.placed(pose_to_matrix((1, 2, 3, np.pi / 2, 0, 0)))
    np.testing.assert_allclose(plane.normal, (0, -1, 0), atol=1e-12)
    np.testing.assert_allclose(
        plane.keeps(np.array([(1, 1.75, 9), (1, 2.75, 9), (1, 0.75, 9)])), (0, 1, -1), atol=1e-12
    )


def test_flipping_keeps_the_other_side_of_the_same_plane() -> None:
    X = pose_to_matrix((1, 2, 3, 0.1, 0.2, 0.3))
    section = Section("f", (0.0, 0.6, 0.8), 0.25)
    points = np.random.default_rng(3).normal(size=(9, 3))
    np.testing.assert_allclose(section.flipped().placed(X).keeps(points), -section.placed(X).keeps(points))
    assert section.flipped().flipped() == section


def test_moving_moves_along_the_normal() -> None:
    section = Section("f", (1.0, 0.0, 0.0))
    assert section.moved(0.5).placed(np.eye(4)).keeps(np.zeros(3)) == pytest.approx(0.5)


def test_a_section_through_the_middle_halves_the_scene() -> None:
    points = np.array([(-1.0, 0, 0), (5.0, 0, 0)])
    X = pose_to_matrix((7, 0, 0, 0, 0, np.pi))
    plane = through_middle("f", (1.0, 0.0, 0.0), X, points).placed(X)
    np.testing.assert_allclose(plane.keeps(points), (-3, 3), atol=1e-9)


def test_what_is_cut_away_cannot_be_picked() -> None:
    scene = boxes_in_a_row(3)
    (x, y), _ = FRONT.project((0.5, 0.2, 0.1), 800, 600)
    whole = pick(scene, FRONT, float(x), float(y), 800, 600)
    assert whole is not None
    assert whole.point[0] == pytest.approx(0.5)
    # The front half is away: the ray ends on the back face.
    cut = with_section(scene, CuttingPlane((1.0, 0.0, 0.0), 0.0))
    hit = hit_triangle(cut, *FRONT.ray(float(x), float(y), 800, 600))
    assert hit is not None
    assert hit[2][0] == pytest.approx(-0.5)
    assert (
        hit_triangle(with_section(scene, CuttingPlane((1.0, 0.0, 0.0), -1.0)), *FRONT.ray(float(x), float(y), 800, 600))
        is None
    )


def test_a_ray_along_the_plane_is_kept_or_not() -> None:
    plane = CuttingPlane((0.0, 0.0, 1.0), 1.0)
    along = np.array([1.0, 0, 0])
    assert plane.enter(np.zeros(3), along) == (0.0, np.inf)
    start, end = plane.enter(np.array([0.0, 0, 2]), along)
    assert start > end
