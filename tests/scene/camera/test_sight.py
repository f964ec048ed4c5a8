"""The camera goes to where a part can be seen, if it is hidden where one looks from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sdfviewer.model.shapes.box import Box
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.geometry import own_mesh
from sdfviewer.scene.nodes import MeshInstance
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.sight import in_clear_sight
from sdfviewer.scene.tools.picking import pick_surfaces
from sdfviewer.transforms import pose_to_matrix
from tests.scene.scenes import boxes_in_a_row

#: The link and the visual of a small box at the origin.
LINK, VISUAL = 1, 2
FRONT = Camera().seen_from("front")


def among(*walls: tuple[tuple[float, float, float], tuple[float, float, float]]) -> Scene:
    """Return a scene of a box of 2 cm and walls: the size and the place of each."""
    scene = boxes_in_a_row(1)
    row = len(scene.X_RootF)
    surfaces = [MeshInstance(VISUAL, own_mesh(Box((0.02, 0.02, 0.02))))]
    surfaces += [MeshInstance(row + k, own_mesh(Box(size))) for k, (size, _) in enumerate(walls)]
    poses = [pose_to_matrix((*place, 0, 0, 0)) for _, place in walls]
    return replace(
        scene,
        X_RootF=np.concatenate([scene.X_RootF, np.reshape(poses, (-1, 4, 4))]),
        owners=np.concatenate([scene.owners, np.zeros(len(walls), np.int32)]),
        surfaces=tuple(surfaces),
    )


def looked_at(scene: Scene, camera: Camera = FRONT) -> Camera:
    points = scene.outline([LINK])

    def fit(camera: Camera) -> Camera:
        return camera.fit(points, 1.5, margin=2.0)

    return in_clear_sight(scene, fit(camera), [LINK], fit)


def row_ahead(scene: Scene, camera: Camera) -> int:
    return pick_surfaces(scene, camera.eye, -camera.axes[2])[0].row


def test_what_is_seen_is_looked_at_from_where_one_is() -> None:
    free = among()
    assert looked_at(free).yaw == FRONT.yaw
    behind = among(((0.01, 1, 1), (-0.05, 0, 0)))
    assert looked_at(behind).yaw == FRONT.yaw
    half = among(((0.01, 1, 1), (0.02, 0.5, 0)))
    assert looked_at(half).yaw == FRONT.yaw


def test_what_is_behind_a_wall_is_looked_at_from_the_nearest_free_side() -> None:
    """The whole view was that of the wall."""
    scene = among(((0.01, 0.3, 1), (0.03, 0, 0)))
    assert row_ahead(scene, FRONT.fit(scene.outline([LINK]), 1.5, margin=2.0)) != VISUAL
    camera = looked_at(scene)
    assert row_ahead(scene, camera) == VISUAL
    assert abs(camera.yaw) == np.deg2rad(90)
    assert camera.pitch == FRONT.pitch
    flat = looked_at(scene, replace(FRONT, orthographic=True))
    assert abs(flat.yaw) == np.deg2rad(90)


def test_what_is_hidden_all_around_is_looked_at_from_where_one_is() -> None:
    camera = looked_at(among(((0.1, 0.1, 0.1), (0, 0, 0))))
    assert (camera.yaw, camera.pitch) == (FRONT.yaw, FRONT.pitch)


def test_a_frame_without_surfaces_is_looked_at_from_where_one_is() -> None:
    scene = replace(among(), surfaces=())
    assert in_clear_sight(scene, FRONT, [LINK], lambda camera: camera) is FRONT
