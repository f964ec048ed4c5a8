"""The colours and marks of a difference, and the joint axes of another convention."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.model.kinematics.conventions import Comparison, Differences
from sdfviewer.model.model import Model
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyphs import axes_at
from sdfviewer.scene.marks import colours, most_different, paint_differences, tints
from sdfviewer.session.session import Session
from tests.scenes import build_scene

SIZE = (800.0, 600.0)
EXPRESSED = """<sdf version="1.11">
  <model name="m">
    <link name="a"/>
    <link name="b"><pose>0 0 0 0 0 0.5</pose></link>
    <joint name="j" type="revolute">
      <pose>0 0 0 0.3 0 0</pose>
      <parent>a</parent><child>b</child><axis><xyz expressed_in="__model__">1 0 0</xyz></axis>
    </joint>
  </model>
</sdf>
"""


@pytest.fixture
def comparison(examples: Path) -> Comparison:
    found = Session.open(examples / "parity_legacy_numbers.sdf").comparison
    assert found is not None
    return found


def test_what_only_one_reading_can_place_differs_most() -> None:
    differences = Differences(np.array([0.0, 0.1, np.nan, 1e-12]), np.array([0.0, 0.2, np.nan, 0.0]))
    assert differences.different.tolist() == [False, True, True, False]
    shades = colours(differences.shares, dark=True)
    np.testing.assert_array_equal(shades[1], shades[2])
    assert np.isfinite(shades).all()


def test_distances_and_rotations_have_scales_of_their_own() -> None:
    """A millimetre and a thousandth of a radian had the same colour."""
    differences = Differences(np.array([0.02, 0.01, 0.0, 0.005]), np.array([0.0, 0.4, 1.6, 0.0]))
    assert differences.largest == (0.02, 1.6)
    np.testing.assert_allclose(differences.shares, [1.0, 0.5, 1.0, 0.25])
    assert differences.rows == [0, 2, 1, 3]
    unturned = Differences(np.array([0.02, 0.01]), np.array([0.0, 1e-15]))
    np.testing.assert_allclose(unturned.shares, [1.0, 0.5])


def test_few_frames_that_differ_most_are_apart() -> None:
    here, there = np.tile(np.eye(4), (2, 9, 1, 1))
    there[:8, 0, 3] = 10.0, 9.9, 7.0, 4.0, 3.9, 1.0, 0.1, np.nan
    differences = Differences(there[:, 0, 3], np.where(np.isnan(there[:, 0, 3]), np.nan, 0.0))
    rows = np.repeat(np.arange(9), 2)
    assert most_different(differences, here, there, rows) == {7, 0, 2, 3}
    assert most_different(differences, here, there, rows[2:]) == {7, 1, 2, 3}, "what is drawn"
    assert most_different(differences, here, there, rows[:0]) == frozenset()


def test_what_a_frame_carries_has_no_larger_difference() -> None:
    """The largest distance was that of a visual far from its link: no frame of the table was so far away."""
    metres, radians, are_frames = np.array([0.6, 0.8, 0.3]), np.array([1.5, 1.5, 0.0]), np.array([True, False, True])
    differences = Differences(metres, radians, are_frames)
    assert differences.largest == (0.6, 1.5)
    np.testing.assert_allclose(differences.shares, [1.0, 1.0, 0.5])
    alone = Differences(np.array([0.0, 0.8]), np.zeros(2), np.array([True, False]))
    assert alone.largest == (0.8, 0.0), "no frame differs, but what it carries does"


def test_the_colours_of_differences_have_the_same_order_in_both_themes() -> None:
    """Yellow was small on light ground and large on dark ground."""
    for dark in (True, False):
        (red, green, blue), (_, other_green, other_blue) = colours(np.array([0.0, 1.0]), dark=dark)
        assert red > blue < green, "yellow: nearly the same"
        assert other_blue > other_green, "purple: farthest apart"


def test_where_nothing_differs_nothing_is_tinted() -> None:
    nothing = Differences(np.zeros(5), np.zeros(5))
    shades = tints(nothing, dark=True)
    assert not shades[:, 3].any()
    assert np.isfinite(shades).all()


@pytest.mark.parametrize("dark", [True, False])
def test_every_frame_that_differs_is_marked_once(comparison: Comparison, dark: bool) -> None:
    model, differences = comparison.model, comparison.initial_differences
    X_absolute, X_relative = comparison.poses(comparison.absolute.kinematics.q0)
    camera = Camera(distance=3.0)
    alone = paint_differences(model, differences, (X_relative, None), camera, SIZE, dark=dark)
    rows = [row for row in differences.rows if model.kinds[row].is_vertex]
    places, _ = camera.project(X_relative[rows, :3, 3], *SIZE)
    for place in places:
        assert (np.linalg.norm(alone.points - place, axis=1) < 12).any()
    both = paint_differences(model, differences, (X_absolute, X_relative), camera, SIZE, dark=dark)
    # A line ends at each place of the other convention.
    for place in places:
        assert (np.linalg.norm(both.points - place, axis=1) < 4).any()
    nothing = Differences(differences.metres * 0, differences.radians * 0)
    assert len(paint_differences(model, nothing, (X_absolute, None), camera, SIZE, dark=dark)) == 0


def test_an_axis_turns_with_the_frame_that_it_is_expressed_in() -> None:
    comparison = Session(parse_document(EXPRESSED)).comparison
    assert comparison is not None
    glyphs = build_scene(comparison.model).joints
    np.testing.assert_allclose(axes_at(glyphs, comparison.model, comparison.absolute.X_RootF), glyphs.axes, atol=1e-12)
    (u,) = axes_at(glyphs, comparison.model, comparison.relative.X_RootF)
    row = comparison.model.row("j")
    np.testing.assert_allclose(comparison.relative.X_RootF[row, :3, :3] @ u, [1, 0, 0], atol=1e-12)


def test_where_nothing_differs_no_frame_is_looked_at() -> None:
    without_kinds = cast(Model, SimpleNamespace(kinds=()))
    nothing = Differences(np.zeros(3000), np.zeros(3000))
    poses = np.tile(np.eye(4), (3000, 1, 1)), None
    assert len(paint_differences(without_kinds, nothing, poses, Camera(), SIZE, dark=True)) == 0
