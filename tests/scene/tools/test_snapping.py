"""What a measurement snaps to on a box, a ball and a joint."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.scene import Scene, update_poses
from sdfviewer.scene.scene_build import SceneOptions
from sdfviewer.scene.tools.measuring import AnchorKind
from sdfviewer.scene.tools.picking import pick
from sdfviewer.scene.tools.snapping import Snap, section_along, snap, snap_to_surface
from tests.scenes import build_scene

SIZE = (900, 700)
TEXT = """<sdf version="1.11"><model name="m">
<link name="box"><pose>0 -1 0 0 0 0</pose>
<visual name="v"><geometry><box><size>0.8 0.8 0.8</size></box></geometry></visual></link>
<link name="ball"><pose>0 1 0 0 0 0</pose>
<visual name="v"><geometry><sphere><radius>0.4</radius></sphere></geometry></visual></link>
<link name="far"><pose>0 0 1 0 0 0</pose></link>
<joint name="j" type="revolute"><parent>box</parent><child>far</child><axis><xyz>0 1 0</xyz></axis></joint>
</model></sdf>
"""
CAMERA = replace(Camera().seen_from("iso"), distance=4.0)


@pytest.fixture(scope="module")
def scene() -> Scene:
    model, _ = Loader(Finder()).load_with_diagnostics(parse_document(TEXT))
    assert model is not None
    return build_scene(model, SceneOptions(parent_sides=True))


def at(scene: Scene, point: tuple[float, float, float], camera: Camera = CAMERA, **more: Any) -> Snap | None:
    (x, y), _ = camera.project(point, *SIZE)
    return snap(scene, camera, float(x) + 1.5, float(y) + 1.0, SIZE, **more)


def placed(scene: Scene, found: Snap) -> np.ndarray:
    return scene.X_RootF[scene.names.index(found.anchor.frame)] @ found.anchor.X_FA


@pytest.mark.parametrize(
    ("point", "kind"),
    [
        ((0.4, -0.6, 0.4), AnchorKind.VERTEX),
        ((0.4, -0.9, 0.4), AnchorKind.EDGE),
        ((0.4, -0.9, 0.1), AnchorKind.FACE),
        ((0.2, -1.05, 0.4), AnchorKind.FACE),
    ],
)
def test_corners_edges_and_faces_of_a_box(scene: Scene, point: tuple[float, float, float], kind: AnchorKind) -> None:
    found = at(scene, point)
    assert found is not None
    assert found.anchor.kind is kind
    assert found.anchor.frame == "m::box::v"
    X = placed(scene, found)
    if kind is AnchorKind.VERTEX:
        np.testing.assert_allclose(X[:3, 3], point, atol=1e-6)
    elif kind is AnchorKind.EDGE:
        assert abs(X[1, 2]) == pytest.approx(1.0)  # along y
        np.testing.assert_allclose(X[[0, 2], 3], (0.4, 0.4), atol=1e-6)
    else:
        across = int(np.argmax(np.abs(X[:3, 2])))
        assert X[across, 3] == pytest.approx(point[across])


@pytest.mark.parametrize("point", [(0.4, -0.6, 0.4), (0.4, -0.9, 0.4), (0.2, -1.05, 0.4), (0.4, -0.9, 0.1)])
def test_a_section_goes_along_the_face_under_the_mouse(scene: Scene, point: tuple[float, float, float]) -> None:
    """Also near corners, edges and frames, which a measurement takes."""
    (x, y), _ = CAMERA.project(point, *SIZE)
    found = snap_to_surface(scene, CAMERA, float(x) - 3, float(y) + 3, SIZE)
    assert found is not None
    assert found.anchor.kind is AnchorKind.FACE
    section = section_along(found, scene)
    plane = section.placed(scene.X_RootF[scene.names.index(section.frame)])
    across = int(np.argmax(np.abs(plane.normal)))
    np.testing.assert_allclose(plane.normal, np.eye(3)[across], atol=1e-9)
    assert plane.offset == pytest.approx(point[across])


def test_a_section_touches_a_round_surface(scene: Scene) -> None:
    toward = CAMERA.axes[2] * 0.4
    (x, y), _ = CAMERA.project((float(toward[0]), 1.0 + float(toward[1]), float(toward[2])), *SIZE)
    found = snap_to_surface(scene, CAMERA, float(x), float(y), SIZE)
    assert found is not None
    section = section_along(found, scene)
    plane = section.placed(scene.X_RootF[scene.names.index(section.frame)])
    np.testing.assert_allclose(plane.normal, CAMERA.axes[2], atol=0.05)
    assert float(plane.keeps(np.array([0.0, 1.0, 0.0]))) == pytest.approx(0.4, abs=0.01)


def test_a_ball_has_only_points(scene: Scene) -> None:
    toward = CAMERA.axes[2] * 0.4
    found = at(scene, (float(toward[0]), 1.0 + float(toward[1]), float(toward[2])), free=True)
    assert found is not None
    assert found.anchor.kind is AnchorKind.POINT
    assert np.linalg.norm(placed(scene, found)[:3, 3] - (0, 1, 0)) == pytest.approx(0.4, abs=0.01)


def test_ctrl_takes_the_point_of_a_face(scene: Scene) -> None:
    found = at(scene, (0.4, -0.6, 0.4), free=True)
    assert found is None or found.anchor.kind is AnchorKind.POINT


def test_frames_and_axes_of_joints(scene: Scene) -> None:
    found = at(scene, (0, 0, 1))
    assert found is not None
    assert (found.anchor.kind, found.anchor.frame) == (AnchorKind.FRAME, "m::far")
    along = 45 * float(CAMERA.metres_per_pixel(np.array([0.0, 0, 1]), SIZE[1]))
    found = at(scene, (0, along, 1))
    assert found is not None
    assert (found.anchor.kind, found.anchor.frame) == (AnchorKind.AXIS, "m::j")
    np.testing.assert_allclose(placed(scene, found)[:3, 2], (0, 1, 0), atol=1e-9)


def test_the_parent_side_of_a_joint_can_be_measured_where_the_joint_has_moved(scene: Scene) -> None:
    X = scene.X_RootF.copy()
    for name in ("m::far", "m::j"):
        X[scene.names.index(name), :3, 3] = (0, 0, 2)
    found = at(update_poses(scene, X), (0, 0, 1))
    assert found is not None
    assert found.anchor.label == "m::j (Jp)"
    assert found.anchor.frame == "m::box"


def test_the_parent_side_of_a_joint_is_picked_as_the_joint(scene: Scene) -> None:
    X = scene.X_RootF.copy()
    for name in ("m::far", "m::j"):
        X[scene.names.index(name), :3, 3] = (0, 0, 2)
    (x, y), _ = CAMERA.project((0, 0, 1), *SIZE)
    hit = pick(update_poses(scene, X), CAMERA, float(x), float(y), *SIZE)
    assert hit is not None
    assert scene.names[hit.row] == "m::j"


def test_nothing_under_the_mouse(scene: Scene) -> None:
    assert at(scene, (0, 5, 5)) is None
