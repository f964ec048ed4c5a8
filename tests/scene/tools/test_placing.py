"""Poses of what is put on faces, edges, frames and the ground."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.tools.placing import PickedPlace, ground_place, place_of, rotation_onto, rounded_pose
from sdfviewer.scene.tools.snapping import snap
from sdfviewer.transforms import pose_to_matrix, rpy_to_matrix
from tests.scenes import build_scene

SIZE = (900, 700)
TEXT = """<sdf version="1.11"><model name="m">
<link name="box"><pose>0 -1 0 0 0 0</pose>
<visual name="v"><geometry><box><size>0.8 0.8 0.8</size></box></geometry></visual></link>
<link name="pipe"><pose>0 1 0 0 0 0</pose>
<visual name="v"><geometry><cylinder><radius>0.4</radius><length>1</length></cylinder></geometry></visual></link>
<link name="turned"><pose>0 0 1.2 0.3 0 0</pose></link>
</model></sdf>
"""
CAMERA = replace(Camera().seen_from("iso"), distance=5.0)


@pytest.fixture(scope="module")
def scene() -> Scene:
    model, _ = Loader(Finder()).load_with_diagnostics(parse_document(TEXT))
    assert model is not None
    return build_scene(model)


def place_at(scene: Scene, point: tuple[float, float, float], pixel: float = 0.004) -> PickedPlace:
    (x, y), _ = CAMERA.project(point, *SIZE)
    found = snap(scene, CAMERA, float(x), float(y), SIZE)
    assert found is not None
    return place_of(found, scene, pixel)


def test_z_goes_along_the_normal_of_a_face(scene: Scene) -> None:
    place = place_at(scene, (0.4, -0.93, 0.13))
    X = place.pose(np.eye(3), turned=True)
    np.testing.assert_allclose(X[:3, 2], (1, 0, 0), atol=1e-9)
    np.testing.assert_allclose(X[0, 3], 0.4, atol=1e-6)
    np.testing.assert_allclose(place.pose(np.eye(3), turned=False)[:3, :3], np.eye(3))


def test_the_coordinates_along_a_face_are_as_exact_as_the_mouse(scene: Scene) -> None:
    place = place_at(scene, (0.4, -0.93, 0.13))
    X = place.pose(np.eye(3), turned=True)
    x, y, z, roll, pitch, yaw = rounded_pose(X, place, X)
    assert x == 0.4
    assert (y, z) == (pytest.approx(-0.93, abs=0.01), pytest.approx(0.13, abs=0.01))
    assert (round(y, 3), round(z, 3)) == (y, z)
    assert (roll, pitch, yaw) == (0, math.pi / 2, 0)


def test_a_corner_keeps_its_coordinates(scene: Scene) -> None:
    place = place_at(scene, (0.4, -0.6, 0.4))
    X = place.pose(np.eye(3), turned=False)
    assert rounded_pose(X, place, X) == [0.4, -0.6, 0.4, 0, 0, 0]


def test_a_round_surface_has_the_normal_of_the_curve(scene: Scene) -> None:
    angle = math.radians(20)
    place = place_at(scene, (0.4 * math.cos(angle), 1 - 0.4 * math.sin(angle), 0.2))
    assert place.normal is not None
    out = place.point[:2] - (0, 1)
    np.testing.assert_allclose(place.normal, [*(out / np.linalg.norm(out)), 0], atol=2e-3)
    assert not place.free.any()


def test_a_frame_gives_its_orientation(scene: Scene) -> None:
    place = place_at(scene, (0, 0, 1.2))
    X = place.pose(np.eye(3), turned=True)
    np.testing.assert_allclose(X, pose_to_matrix((0, 0, 1.2, 0.3, 0, 0)), atol=1e-12)


def test_the_ground_is_below_the_horizon(scene: Scene) -> None:
    (x, y), _ = CAMERA.project((0.5, -2.2, 0), *SIZE)
    place = ground_place(CAMERA, float(x), float(y), SIZE)
    assert place is not None
    np.testing.assert_allclose(place.point, (0.5, -2.2, 0), atol=1e-6)
    level = replace(CAMERA.seen_from("front"), distance=5.0)
    assert ground_place(level, 450.0, 10.0, SIZE) is None


@pytest.mark.parametrize("normal", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0.6, 0, 0.8)])
def test_a_rotation_onto_a_normal_is_the_nearest_one(normal: tuple[float, float, float]) -> None:
    R = rpy_to_matrix((0.0, 0.0, 0.4))
    turned = rotation_onto(R, np.array(normal))
    np.testing.assert_allclose(turned[:, 2], normal, atol=1e-12)
    np.testing.assert_allclose(turned @ turned.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(turned) == pytest.approx(1)
    angle = math.acos(np.clip((np.trace(turned @ R.T) - 1) / 2, -1, 1))
    assert angle == pytest.approx(math.acos(normal[2]), abs=1e-7)
