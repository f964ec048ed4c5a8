"""What a model looks like: the triangles of visuals and collisions, and pictures without a window."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdfviewer.diagnostics import InvalidValueError, SdfViewerError
from sdfviewer.extras import required_extras
from sdfviewer.files.finder import Finder
from sdfviewer.model.model import Model as FrameTable
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.scene.camera import VIEWS
from sdfviewer.transforms import Array


@dataclass(frozen=True, slots=True, eq=False)
class Triangles:
    """The surface of a shape in the frame of its visual or collision, in metres.

    Attributes
    ----------
    vertices
        Points (n, 3).
    faces
        Three vertices (m, 3) for each triangle, counter-clockwise seen from outside.
    """

    vertices: Array
    faces: NDArray[np.int64]

    @property
    def corners(self) -> Array:
        """The corners (m, 3, 3) of each triangle."""
        corners: Array = self.vertices[self.faces]
        return corners

    @property
    def bounds(self) -> Array:
        """The smallest and largest x, y and z (2, 3)."""
        return np.stack([self.vertices.min(axis=0), self.vertices.max(axis=0)])

    @property
    def area(self) -> float:
        """The area in m²."""
        a, b, c = np.moveaxis(self.corners, 1, 0)
        return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)

    @property
    def volume(self) -> float:
        """The volume in m³ of a surface that is closed."""
        a, b, c = np.moveaxis(self.corners, 1, 0)
        return abs(float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6))

    def __repr__(self) -> str:
        return f"<{len(self.faces)} triangles, {len(self.vertices)} vertices>"


def read_triangles(geometry: Geometry, finder: Finder) -> Triangles:
    """Return the triangles of a shape; round shapes as they are drawn.

    Raises
    ------
    SdfViewerError
        If it has none, or its file is missing or cannot be read.
    """
    with required_extras():
        from sdfviewer.scene.geometry import shape_of  # noqa: PLC0415
        from sdfviewer.scene.loader import MeshLoader  # noqa: PLC0415

        shape = shape_of(geometry)
        if shape is None:
            raise SdfViewerError("there is no shape, so there are no triangles")
        loader = MeshLoader(finder)
        if shape.is_loaded:
            loaded = loader.load(shape)
            if loaded.is_placeholder:
                raise SdfViewerError("; ".join(f"{each.uri}: {each.message}" for each in loaded.problems))
            mesh = loaded.mesh
        else:
            mesh = loader.mesh(shape)
    scale = np.array(shape.scale, dtype=np.float64)
    faces = mesh.indices.reshape(-1, 3).astype(np.int64)
    if np.prod(scale) < 0:  # a mirrored surface, whose outside would be inside
        faces = faces[:, ::-1]
    return Triangles(mesh.positions.astype(np.float64) * scale, faces)


def import_program(module: str) -> Any:
    """Return a module of another program.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    with required_extras():
        return import_module(module)


def to_trimesh(triangles: Triangles, colour: Sequence[float] | None = None) -> Any:
    """Return triangles as a ``trimesh.Trimesh`` of one colour."""
    mesh = import_program("trimesh").Trimesh(triangles.vertices, triangles.faces, process=False)
    if colour is not None:
        mesh.visual.face_colors = np.clip(np.round(np.array(colour) * 255), 0, 255).astype(np.uint8)
    return mesh


LAYERS = (
    "visuals", "collisions", "inertia", "com", "sensors", "lights", "frames", "joints", "labels", "grid", "shadows",
    "jp", "canonical", "wireframe",
)  # fmt: skip
_SAMPLES = 8


def take_picture(
    table: FrameTable,
    finder: Finder,
    path: str | Path | None,
    size: tuple[int, int],
    view: str,
    X_RootF: Array | None,
    show: Sequence[str],
    focus: int | None,
    *,
    dark: bool,
    transparent: bool,
) -> bytes:
    """Return a picture as PNG; see :meth:`Model.screenshot`."""
    if path is not None and not isinstance(path, (str, Path)):
        raise InvalidValueError(f"the first argument is the path of the picture, not {path!r}; pass positions as q=...")
    if view not in VIEWS:
        raise InvalidValueError(f"there is no view '{view}': use {', '.join(VIEWS)}")
    for layer in show:
        if layer not in LAYERS:
            raise InvalidValueError(f"there is no layer '{layer}'{did_you_mean(layer, LAYERS)}")
    with required_extras():
        from PIL import Image  # noqa: PLC0415

        from sdfviewer.render.offscreen import OffscreenError  # noqa: PLC0415
        from sdfviewer.render.screenshot import MotionStep, camera_of, look_of, render_motion  # noqa: PLC0415
        from sdfviewer.scene.scene import update_poses  # noqa: PLC0415
        from sdfviewer.scene.scene_build import SceneOptions, load_scene  # noqa: PLC0415

        scene, _ = load_scene(table, SceneOptions.of_layers(show), finder)
        if X_RootF is not None:
            if X_RootF.ndim != 3:
                raise InvalidValueError("a picture can show one configuration, not a batch")
            scene = update_poses(scene, X_RootF)
        camera = camera_of(scene, view, size, None if focus is None else [focus])
        look = look_of(show, dark=dark)
        try:
            steps = [MotionStep(camera)]
            (pixels,) = render_motion(scene, steps, size, samples=_SAMPLES, transparent=transparent, look=look)
        except OffscreenError as error:
            where = " (pictures without a window need Linux)" if sys.platform in ("darwin", "win32") else ""
            raise SdfViewerError(f"{error}{where}") from error
        picture = Image.fromarray(pixels)
        stream = io.BytesIO()
        picture.save(stream, "PNG")
        if path is not None:
            try:
                picture.save(path)
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", None) or error
                raise SdfViewerError(f"cannot write {path}: {why}") from error
        return stream.getvalue()
