"""Distances, angles and radii between things that ride on frames, against closed forms."""

from __future__ import annotations

import csv
import io
import math

import numpy as np
import pytest

from sdfviewer.scene.tools.measuring import (
    Anchor,
    AnchorKind,
    Measurement,
    Reading,
    Relation,
    format_csv,
    format_text,
    read,
    unused_name,
)
from sdfviewer.transforms import Array, pose_to_matrix

POSES = {"root": np.eye(4), "turned": pose_to_matrix((1, 2, 3, 0, 0, math.pi / 2))}


def anchor(kind: str, point: tuple[float, ...], along: tuple[float, ...] | None = None, frame: str = "root") -> Anchor:
    direction = None if along is None else np.array(along, np.float64)
    return Anchor.at(AnchorKind(kind), frame, "x", np.array(point, np.float64), direction)


def measured(*anchors: Anchor) -> Reading:
    reading = read(Measurement("m", anchors), POSES.get)
    assert reading is not None
    return reading


@pytest.mark.parametrize(
    ("a", "b", "distance", "angle"),
    [
        (anchor("vertex", (0, 0, 0)), anchor("point", (3, 4, 0)), 5.0, None),
        (anchor("vertex", (0, 5, 0)), anchor("axis", (7, 0, 0), (1, 0, 0)), 5.0, None),
        (anchor("edge", (0, 0, 0), (0, 0, 2)), anchor("vertex", (3, 4, 9)), 5.0, None),
        (anchor("face", (0, 0, 0), (0, 0, 1)), anchor("vertex", (3, 4, 9)), 9.0, None),
        (anchor("axis", (0, 0, 0), (1, 0, 0)), anchor("axis", (5, 5, 2), (0, 1, 0)), 2.0, math.pi / 2),
        (anchor("axis", (0, 0, 0), (1, 0, 0)), anchor("edge", (9, 3, 4), (-1, 0, 0)), 5.0, 0.0),
        (anchor("axis", (0, 0, 0), (1, 0, 0)), anchor("axis", (4, 0, 0), (1, 1, 0)), 0.0, math.pi / 4),
        (anchor("face", (0, 0, 0), (0, 0, 1)), anchor("face", (8, 8, 0.5), (0, 0, -1)), 0.5, 0.0),
        (anchor("face", (0, 0, 0), (0, 0, 1)), anchor("face", (0, 0, 0), (1, 0, 0)), 0.0, math.pi / 2),
        (anchor("face", (0, 0, 0), (0, 0, 1)), anchor("axis", (1, 1, 2), (1, 0, 0)), 2.0, 0.0),
        (anchor("axis", (1, 1, 2), (1, 0, 0)), anchor("face", (0, 0, 0), (0, 0, 1)), 2.0, 0.0),
        (anchor("axis", (0, 0, 2), (0, 0, 1)), anchor("face", (0, 0, 0), (0, 0, 1)), 2.0, math.pi / 2),
    ],
)
def test_distance_and_angle(a: Anchor, b: Anchor, distance: float, angle: float | None) -> None:
    for first, second in ((a, b), (b, a)):
        reading = measured(first, second)
        assert reading.distance == pytest.approx(distance, abs=1e-12)
        assert reading.angle == (None if angle is None else pytest.approx(angle, abs=1e-9))


def test_frames_give_the_pose_of_one_in_the_other() -> None:
    a = Anchor(AnchorKind.FRAME, "turned", np.eye(4), "turned")
    b = Anchor(AnchorKind.FRAME, "root", np.eye(4), "root")
    reading = measured(a, b)
    assert reading.X_AB is not None
    np.testing.assert_allclose(POSES["turned"] @ reading.X_AB, POSES["root"], atol=1e-12)
    assert reading.angle == pytest.approx(math.pi / 2)
    np.testing.assert_allclose(reading.components(np.eye(4)), (-1, -2, -3))
    np.testing.assert_allclose(reading.components(POSES["turned"]), (-2, 1, -3), atol=1e-12)


def test_an_anchor_rides_on_its_frame() -> None:
    reading = measured(anchor("vertex", (1, 0, 0), frame="turned"), anchor("vertex", (0, 0, 0)))
    np.testing.assert_allclose(reading.ends[0], (1, 3, 3), atol=1e-12)


def test_three_points_make_a_circle() -> None:
    points = [(2 + 0.5 * math.cos(t), 1 + 0.5 * math.sin(t), 4) for t in (0.1, 1.3, 4.0)]
    reading = measured(*(anchor("vertex", point) for point in points))
    assert reading.radius == pytest.approx(0.5)
    np.testing.assert_allclose(reading.ends[0], (2, 1, 4), atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(reading.rim()[:, 0] - (2, 1, 4), axis=1), 0.5)


def test_three_points_on_a_line_are_no_circle() -> None:
    anchors = tuple(anchor("vertex", (k, 0, 0)) for k in range(3))
    assert read(Measurement("m", anchors), POSES.get) is None


@pytest.mark.parametrize("poses", [{}, {"root": np.full((4, 4), np.nan)}])
def test_what_has_no_pose_cannot_be_measured(poses: dict[str, Array]) -> None:
    assert read(Measurement("m", (anchor("vertex", (0, 0, 0)), anchor("vertex", (1, 0, 0)))), poses.get) is None


def test_measurements_as_text_and_csv() -> None:
    whole = Measurement("reach, largest", (anchor("vertex", (0, 0, 0)), anchor("vertex", (0, 3, 4))))
    broken = Measurement("gone", (anchor("vertex", (0, 0, 0), frame="nowhere"), anchor("vertex", (1, 0, 0))))
    rows = [(each, read(each, POSES.get)) for each in (whole, broken)]
    text = format_text(rows, np.eye(4), "root")
    assert text.splitlines()[0] == "reach, largest: vertex x to vertex x: 5 m, x y z in root 0 3 4 m"
    assert text.splitlines()[1].endswith("cannot be measured")
    first, second = csv.DictReader(io.StringIO(format_csv(rows, np.eye(4), "root")))
    assert (first["name"], float(first["distance_m"]), float(first["z_m"])) == ("reach, largest", 5.0, 4.0)
    assert second["distance_m"] == ""


def test_a_circle_is_written_with_its_center_and_without_a_distance() -> None:
    circle = Measurement("wheel", tuple(anchor("vertex", point) for point in ((3, 1, 4), (2, 2, 4), (1, 1, 4))))
    rows = [(circle, read(circle, POSES.get))]
    assert format_text(rows, np.eye(4), "root").endswith("radius 1 m, centre in root 2 1 4 m\n")
    (row,) = csv.DictReader(io.StringIO(format_csv(rows, POSES["turned"], "turned")))
    assert (row["distance_m"], float(row["radius_m"]), row["components_in"]) == ("", 1.0, "turned")
    np.testing.assert_allclose([float(row[f"{axis}_m"]) for axis in "xyz"], (-1, -1, 1), atol=1e-12)


def test_things_on_shapes_are_called_by_their_links() -> None:
    corner, face = (anchor(kind, (0, 0, 0), frame="m::palm::box_visual") for kind in ("vertex", "face"))
    base = anchor("axis", (0, 0, 0), (0, 0, 1), frame="m::base_joint")
    assert unused_name([], (corner, base)) == "vertex of palm → axis of base_joint"
    assert unused_name([], (corner, face)) == "vertex of palm → face of palm"


def test_a_new_measurement_has_a_name_of_its_own() -> None:
    anchors = (anchor("frame", (0, 0, 0), frame="m::palm"), anchor("frame", (0, 0, 0), frame="m::base"))
    assert unused_name([], anchors) == "palm → base"
    links = (anchor("frame", (0, 0, 0), frame="w::tower::link"), anchor("point", (0, 0, 0), frame="w::pad::link::v"))
    assert unused_name([], links) == "tower::link → point of pad::link", "not one name for two links"
    taken = [Measurement("palm → base", ()), Measurement("palm → base (3)", ())]
    assert unused_name(taken, anchors) == "palm → base (2)"


@pytest.mark.parametrize(
    ("a", "b", "relation"),
    [
        (anchor("face", (0, 0, 0), (0, 0, 1)), anchor("face", (8, 8, 0), (0, 0, -1)), Relation.SAME_PLANE),
        (anchor("face", (0, 0, 0), (0, 0, 1)), anchor("face", (8, 8, 1), (0, 0, 1)), Relation.PARALLEL),
        (anchor("face", (0, 0, 0), (0, 0, 1)), anchor("edge", (8, 8, 0), (1, 0, 0)), Relation.IN_PLANE),
        (anchor("axis", (0, 0, 0), (0, 0, 1)), anchor("axis", (0, 0, 3), (0, 0, 1)), Relation.SAME_LINE),
        (anchor("face", (0, 0, 0), (0, 0, 1)), anchor("vertex", (8, 8, 1)), Relation.TO_PLANE),
        (anchor("face", (0, 0, 0), (0, 0, 1)), anchor("face", (0, 0, 0), (1, 0, 0)), None),
        (anchor("vertex", (0, 0, 0)), anchor("vertex", (0, 3, 4)), None),
    ],
)
def test_a_measurement_says_how_parallel_things_lie(a: Anchor, b: Anchor, relation: Relation | None) -> None:
    """Two faces of one plane gave 0 m, without a word about the plane to which the arrow went."""
    assert measured(a, b).relation is measured(b, a).relation is relation


def test_a_measurement_names_the_models_of_parts_that_are_called_alike() -> None:
    anchors = (anchor("frame", (0, 0, 0), frame="w::left::palm"), anchor("frame", (0, 0, 0), frame="w::left::base"))
    others = ("w::left::palm", "w::right::palm", "w::right::tip")
    assert unused_name([], anchors, others) == "left::palm → left::base"
    assert unused_name([], anchors, others[:1]) == "palm → base"


def test_a_circle_is_named_after_all_its_points() -> None:
    points = [anchor("vertex", (0, 0, 0), frame=f"m::{link}::v") for link in ("rim", "rim", "hub")]
    assert unused_name([], points) == "circle on rim, hub"
    assert unused_name([], points[:2]) == "vertex of rim → vertex of rim"
