from dataclasses import replace

import numpy as np
import pytest

from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.plane import Plane
from sdfviewer.scene.geometry import own_mesh
from sdfviewer.scene.nodes import Layer, Lines, MeshInstance
from sdfviewer.scene.scene import Scene, update_poses
from sdfviewer.transforms import pose_to_matrix
from tests.scene.scenes import boxes_in_a_row


def test_bounds_hold_the_surfaces_where_they_are() -> None:
    scene = boxes_in_a_row(3)
    np.testing.assert_allclose(scene.bounds(), [[-0.5, -3.5, -0.5], [0.5, 3.5, 0.5]])
    np.testing.assert_allclose(scene.bounds([1]), [[-0.5, -3.5, -0.5], [0.5, -2.5, 0.5]])


def test_bounds_of_a_turned_box_are_tight_for_its_corners() -> None:
    scene = Scene(
        np.array([pose_to_matrix((1, 0, 0, 0, 0, np.pi / 4))]),
        np.array([-1], np.int32),
        surfaces=(MeshInstance(0, own_mesh(Box()), (2.0, 2.0, 2.0)),),
    )
    np.testing.assert_allclose(scene.bounds()[:, 0], [1 - np.sqrt(2), 1 + np.sqrt(2)])
    np.testing.assert_allclose(scene.bounds()[:, 2], [-1, 1])


def test_the_ground_does_not_push_the_camera_away() -> None:
    boxes = boxes_in_a_row(1)
    ground = MeshInstance(0, own_mesh(Plane(size=(100.0, 100.0))))
    scene = Scene(boxes.X_RootF, boxes.owners, surfaces=(*boxes.surfaces, ground))
    assert np.abs(scene.outline()).max() < 1
    assert scene.bounds()[1, 0] == pytest.approx(50)  # but the clip planes must hold it
    alone = Scene(boxes.X_RootF, boxes.owners, surfaces=(ground,))
    assert alone.outline().max() == pytest.approx(50)


def test_the_frames_of_the_ground_do_not_push_the_camera_away() -> None:
    boxes = boxes_in_a_row(3)
    X = boxes.X_RootF.copy()
    X[5:7, 0, 3] = 545.0
    runway = MeshInstance(6, own_mesh(Plane(size=(1500.0, 100.0))))
    scene = replace(boxes, X_RootF=X, surfaces=(*boxes.surfaces[:2], runway))
    assert np.abs(scene.outline()).max() < 10
    assert replace(scene, surfaces=(runway,)).outline().max() > 1000, "where there is nothing else to see"


@pytest.mark.parametrize(("away", "size"), [(343_582.0, 1.0), (0.0, 5000.0)])
def test_what_is_hundreds_of_times_as_far_as_all_else_is_left_out(away: float, size: float) -> None:
    boxes = boxes_in_a_row(4)
    X = boxes.X_RootF.copy()
    X[7:9, 2, 3] = away
    *near, last = boxes.surfaces
    assert last.row == 8
    scene = replace(boxes, X_RootF=X, surfaces=(*near, replace(last, scale=(size, size, size))))
    assert scene.far_away.tolist() == [7]
    assert np.abs(scene.outline()).max() < 10
    assert scene.bounds().max() > 1000, "the clip planes must hold it"
    assert boxes.far_away.tolist() == []
    assert replace(scene, surfaces=scene.surfaces[2:]).far_away.tolist() == [], "of two, either may be the far one"


@pytest.mark.parametrize(("away", "is_far"), [(3.0, False), (600.0, True)])
def test_a_model_that_is_not_found_is_left_out_where_it_is_far_from_what_is_drawn(away: float, is_far: bool) -> None:
    """Of a world on a runway that was not found, the aircraft was a dot."""
    boxes = boxes_in_a_row(2)
    X = boxes.X_RootF.copy()
    X[3, 1, 3] = away
    scene = replace(boxes, X_RootF=X, surfaces=boxes.surfaces[:1], absent=np.array([3], np.int32))
    assert (scene.far_away.tolist() == [3]) == is_far
    assert scene.outline().max() < max(away, 5.0)
    assert scene.bounds().max() >= away, "the clip planes must hold it"
    assert replace(scene, surfaces=()).outline().max() >= away, "where nothing else is drawn"


def test_where_something_is_drawn_a_missing_model_does_not_push_the_camera_away() -> None:
    """A drone among seven models that were not downloaded was a dot."""
    boxes = boxes_in_a_row(2)
    X = boxes.X_RootF.copy()
    X[1:3, 0, 3], X[3, 0, 3] = -6.0, -9.0
    scene = replace(boxes, X_RootF=X, surfaces=boxes.surfaces[:1], absent=np.array([3], np.int32))
    assert np.ptp(scene.outline(), axis=0).max() < 2
    assert np.ptp(replace(scene, surfaces=()).outline(), axis=0).max() > 2


def test_a_huge_box_of_an_inertia_does_not_push_the_camera_away() -> None:
    boxes = boxes_in_a_row(1)
    huge = MeshInstance(0, own_mesh(Box()), (80.0, 60.0, 40.0), layer=Layer.INERTIA)
    assert np.abs(replace(boxes, surfaces=(*boxes.surfaces, huge)).outline()).max() < 1
    assert replace(boxes, surfaces=(huge,)).outline().max() == pytest.approx(40), "where it is all there is to see"


def test_the_origin_of_a_visual_far_from_its_mesh_does_not_push_the_camera_away() -> None:
    boxes = boxes_in_a_row(1)
    X = boxes.X_RootF.copy()
    X[2, 0, 3] = 5.0
    mesh = own_mesh(Box())
    shifted = replace(mesh, positions=mesh.positions - np.array([5.0, 0.0, 0.0], np.float32))
    scene = replace(boxes, X_RootF=X, surfaces=(MeshInstance(2, shifted),))
    for rows in (None, [1], [2]):
        np.testing.assert_allclose(np.abs(scene.outline(rows)).max(axis=0), 0.5, atol=1e-6)
    # The collision of the same mesh is not drawn.
    both = replace(
        scene,
        X_RootF=np.concatenate([X, X[2:]]),
        owners=np.append(scene.owners, scene.owners[2]),
        kinds=(*scene.kinds, "collision"),
    )
    np.testing.assert_allclose(np.abs(both.outline([1])).max(axis=0), 0.5, atol=1e-6)


def test_a_small_part_is_fitted_by_its_size() -> None:
    """A finger of three centimetres was a third of the view: the least size was that for lone frames."""
    X, owners = np.eye(4)[None], np.array([-1], np.int32)
    screw = Scene(X, owners, surfaces=(MeshInstance(0, own_mesh(Box()), (0.01, 0.03, 0.01)),))
    assert np.ptp(screw.outline([0]), axis=0).max() == pytest.approx(0.03)
    assert np.ptp(Scene(X, owners).outline([0]), axis=0) == pytest.approx([0.1] * 3)


def test_nothing_can_be_fitted_too() -> None:
    empty = Scene(np.full((1, 4, 4), np.nan), np.array([-1], np.int32))
    assert np.ptp(empty.outline(), axis=0) == pytest.approx([1, 1, 1])


def test_unresolved_rows_do_not_spoil_the_bounds() -> None:
    scene = boxes_in_a_row(3)
    X = scene.X_RootF.copy()
    X[1:3] = np.nan
    bounds = update_poses(scene, X).bounds()
    np.testing.assert_allclose(bounds, [[-0.5, -0.5, -0.5], [0.5, 3.5, 0.5]])


def test_update_poses_shares_all_but_the_poses() -> None:
    scene = boxes_in_a_row(3)
    columns = scene.surface_arrays
    moved = update_poses(scene, scene.X_RootF @ pose_to_matrix((1, 0, 0, 0, 0, 0)))
    assert moved.surfaces is scene.surfaces
    assert moved.surface_arrays is columns
    np.testing.assert_allclose(moved.bounds()[:, 0], [0.5, 1.5])
    with pytest.raises(ValueError, match="poses of shape"):
        update_poses(scene, np.eye(4))


def test_owned_by_reaches_through_all_levels() -> None:
    scene = boxes_in_a_row(2)
    assert np.nonzero(scene.owned_by([1]))[0].tolist() == [1, 2]
    assert scene.owned_by([0]).all()
    assert not scene.owned_by([]).any()
    assert not scene.owned_by([99]).any()


def test_surfaces_with_a_pose_of_their_own() -> None:
    X_RowG = pose_to_matrix((0, 0, 2, 0, 0, 0))
    scene = Scene(
        np.array([np.eye(4), pose_to_matrix((1, 0, 0, 0, 0, 0))]),
        np.array([-1, 0], np.int32),
        surfaces=(MeshInstance(1, own_mesh(Box())), MeshInstance(1, own_mesh(Box()), X_RowG=X_RowG)),
    )
    poses = scene.surface_arrays.poses(scene.X_RootF)
    np.testing.assert_allclose(poses[:, :3, 3], [[1, 0, 0], [1, 0, 2]])


def test_lines_join_frames_and_are_in_the_root() -> None:
    X = np.array([np.eye(4), pose_to_matrix((1, 2, 3, 0, 0, np.pi / 2))])
    lines = Lines(
        np.array([[1, 0], [-1, 1]], np.int32),
        np.array([[[1.0, 0, 0], [0, 0, 0]], [[5.0, 5, 5], [0, 1, 0]]]),
        np.zeros(2, np.int32),
        np.zeros(2, np.int32),
        np.array([1, 1], np.int32),
        np.zeros(2, bool),
    )
    np.testing.assert_allclose(lines.endpoints(X), [[[1, 3, 3], [0, 0, 0]], [[5, 5, 5], [0, 2, 3]]], atol=1e-12)
