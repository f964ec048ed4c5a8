"""Small scenes made by hand, and a model of the semantics that the scene is built from."""

from __future__ import annotations

import numpy as np

from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.cylinder import Cylinder
from sdfviewer.model.shapes.sphere import Sphere
from sdfviewer.palette import TOKENS
from sdfviewer.scene.geometry import own_mesh
from sdfviewer.scene.mesh import MeshMaterial, TriangleMesh
from sdfviewer.scene.nodes import JointGlyphs, JointShape, Labels, Lines, MeshInstance, Stroke, Triads
from sdfviewer.scene.scene import Scene
from sdfviewer.transforms import pose_to_matrix

RED, GREEN, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)


def boxes_in_a_row(
    count: int = 3, colours: tuple[tuple[float, float, float, float], ...] = (RED, GREEN, BLUE)
) -> Scene:
    """Return unit cubes 3 m apart along y: row 0 the world, then for each cube a link and its visual."""
    box = own_mesh(Box())
    poses = [np.eye(4)]
    owners, kinds, names = [-1], ["world"], ["world"]
    surfaces = []
    for k in range(count):
        X = pose_to_matrix((0, 3.0 * (k - (count - 1) / 2), 0, 0, 0, 0))
        poses += [X, X]
        owners += [0, len(poses) - 2]
        kinds += ["link", "visual"]
        names += [f"link_{k}", f"link_{k}::visual"]
        surfaces.append(MeshInstance(len(poses) - 1, box, material=MeshMaterial(diffuse=colours[k % len(colours)])))
    links = np.arange(1, 2 * count, 2, dtype=np.int32)
    tokens = np.full(count, TOKENS.index("link"), np.int32)
    return Scene(
        np.array(poses),
        np.array(owners, np.int32),
        tuple(names),
        tuple(kinds),
        tuple(surfaces),
        Triads(links, tokens),
        JointGlyphs(),
        Lines(),
        Labels(links, tuple(names[row] for row in links), tokens, np.ones(count), np.zeros((count, 3))),
    )


def many(links: int, triads: int = 0, joints: int = 0) -> Scene:
    """Return a scene of some boxes, cylinders and spheres on a lattice, and triads and joints on other rows."""
    generator = np.random.default_rng(7)
    meshes = (own_mesh(Box((0.5, 0.5, 0.5))), own_mesh(Cylinder(0.3, 0.5)), own_mesh(Sphere(0.3)))
    side = int(np.ceil(links ** (1 / 2))) or 1
    n = 1 + links + triads
    pose = np.zeros((n, 6))
    lattice = np.arange(links)
    pose[1 : links + 1, 0] = lattice % side - side / 2
    pose[1 : links + 1, 1] = lattice // side - side / 2
    pose[links + 1 :, :3] = generator.uniform(-side / 2, side / 2, (triads, 3)) * (1, 1, 0.1)
    pose[links + 1 :, 3:] = generator.uniform(-np.pi, np.pi, (triads, 3))
    colours = generator.uniform(0.2, 0.9, (16, 3))
    materials = [MeshMaterial(diffuse=(float(r), float(g), float(b), 1.0)) for r, g, b in colours]
    surfaces = tuple(MeshInstance(1 + k, meshes[k % 3], material=materials[k % 16]) for k in range(links))
    rows = np.arange(links + 1, n, dtype=np.int32)
    kinds = np.array([TOKENS.index(kind) for kind in ("link", "joint", "frame")], np.int32)
    turning = rows[:joints]
    return Scene(
        pose_to_matrix(pose),
        np.concatenate([[-1], np.zeros(n - 1)]).astype(np.int32),
        tuple(f"frame_{k}" for k in range(n)),
        ("world",) + ("frame",) * (n - 1),
        surfaces,
        Triads(rows, kinds[np.arange(triads) % 3]),
        JointGlyphs(
            turning,
            np.full(joints, JointShape.ARC.value, np.int32),
            np.tile([0.0, 0.0, 1.0], (joints, 1)),
            np.tile([-1.0, 2.0], (joints, 1)),
            np.zeros(joints),
            np.full(joints, -1, np.int32),
            tuple(f"joint_{k}" for k in range(joints)),
            np.zeros(joints),
        ),
        Lines(),
        Labels(
            rows,
            tuple(f"frame_{k}" for k in rows),
            kinds[np.arange(triads) % 3],
            np.ones(triads),
            np.zeros((triads, 3)),
        ),
    )


def one_line(start: tuple[float, float, float], end: tuple[float, float, float]) -> Lines:
    """Return a solid line in root coordinates."""
    return Lines.in_frame(-1, np.array([[start, end]]), "measure", Stroke.SOLID)


def ball(side: int) -> TriangleMesh:
    """Return a sphere of radius 1 m with about two times `side` squared triangles."""
    turn, tilt = np.meshgrid(np.linspace(0, 2 * np.pi, side), np.linspace(0, np.pi, side))
    points = np.stack([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)], axis=-1)
    positions = points.reshape(-1, 3).astype(np.float32)
    corner = np.arange(side * side).reshape(side, side)
    a, b, c, d = (each.ravel() for each in (corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]))
    quads = np.stack([np.stack([a, d, c], axis=1), np.stack([a, c, b], axis=1)], axis=1)
    return TriangleMesh(positions, positions, None, quads.reshape(-1, 3).astype(np.uint32))
