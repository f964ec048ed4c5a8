"""The shapes of an MJCF file, where they are in their bodies, and what bodies weigh.

What is drawn of meshes is read elsewhere, of more formats; here only the corners and triangles of STL, OBJ and MSH
files count, in the numbers of 32 bits that MuJoCo reads.

Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html#asset-mesh, #body-geom and #body-inertial; the order
in which masses are inferred, bounded, balanced and scaled is that of MuJoCo's compiler.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sdfviewer.diagnostics import Message, message_of
from sdfviewer.files.paths import names_a_server, read_regular
from sdfviewer.formats.mjcf.bodies import MjcfBody, Part
from sdfviewer.formats.mjcf.nodes import Node
from sdfviewer.formats.mjcf.spec import LEAST, MjcfValues, rotation_to, unit_vector
from sdfviewer.model import solids
from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.capsule import Capsule
from sdfviewer.model.shapes.cylinder import Cylinder
from sdfviewer.model.shapes.ellipsoid import Ellipsoid
from sdfviewer.model.shapes.heightmap import Heightmap
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.model.shapes.plane import Plane
from sdfviewer.model.shapes.sphere import Sphere
from sdfviewer.model.solids import Body
from sdfviewer.transforms import Array, pose, quaternion_to_matrix
from sdfviewer.validation import format_rules as rules

#: A larger file is not read for a mass; a text takes more time and memory.
_MAX_BYTES, _MAX_TEXT = 200_000_000, 24_000_000
#: Meshes of less volume in m³, or area in m², MuJoCo refuses.
_LEAST = 1e-15


class MeshError(Exception):
    """A mesh whose mass cannot be computed; the message says why, as the end of a sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class MeshTriangles:
    """Corners (n, 3) and, by their numbers, triangles (m, 3)."""

    corners: Array
    faces: NDArray[np.int64]

    def transformed(self, p: Array, R: Array, scale: Array) -> MeshTriangles:
        """Return the mesh seen from a frame at ``p`` with axes ``R``, then scaled; a reflection keeps outsides out."""
        corners = ((self.corners - p) @ R) * scale
        return MeshTriangles(corners, self.faces[:, [0, 2, 1]] if np.prod(scale) < 0 else self.faces)


def read_triangles(path: Path) -> MeshTriangles:
    """Return the triangles of a file.

    Raises
    ------
    MeshError
        If it cannot be read.
    """
    suffix = path.suffix.lower()
    readers = {".stl": _read_stl, ".obj": _read_obj, ".msh": _read_msh}
    if suffix not in readers:
        raise MeshError("MuJoCo reads STL, OBJ and MSH files only")
    try:
        most = _MAX_TEXT if suffix == ".obj" else _MAX_BYTES
        content = read_regular(path, most + 1)
        if len(content) > most:
            raise MeshError(Message(f"it has more than {most // 1_000_000} MB", "write an <inertial>"))
        found = readers[suffix](content)
    except OSError as error:
        raise MeshError(f"it cannot be read: {error}") from error
    except (ValueError, OverflowError, IndexError, struct.error) as error:
        raise MeshError(f"it is no {suffix[1:].upper()} file that MuJoCo reads") from error
    return _checked(found)


def _checked(found: MeshTriangles) -> MeshTriangles:
    if not len(found.faces) or not np.isfinite(found.corners).all():
        raise MeshError("it has no triangles, or corners that are nowhere")
    if found.faces.min() < 0 or found.faces.max() >= len(found.corners):
        raise MeshError("its triangles name corners that it does not have")
    return found


def written_triangles(corners: Sequence[float], faces: Sequence[float]) -> MeshTriangles:
    """Return the triangles of a mesh that is written in the file.

    Raises
    ------
    MeshError
        If they are missing, which means the convex hull of the corners, or are wrong.
    """
    if len(corners) % 3 or len(faces) % 3 or not faces:
        raise MeshError(Message("it is made from corners alone, or by a rule", "write an <inertial>"))
    points = np.array(corners, dtype=np.float32).astype(np.float64).reshape(-1, 3)
    return _checked(MeshTriangles(points, np.array(faces, dtype=np.int64).reshape(-1, 3)))


def _read_stl(content: bytes) -> MeshTriangles:
    (count,) = struct.unpack_from("<I", content, 80)
    if len(content) < 84 + 50 * count:
        raise ValueError(count)
    layout = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("colour", "<u2")])
    rows = np.frombuffer(content, layout, count, 84)
    return MeshTriangles(rows["corners"].reshape(-1, 3).astype(np.float64), np.arange(3 * count).reshape(-1, 3))


def _read_msh(content: bytes) -> MeshTriangles:
    corners, normals, places, faces = struct.unpack_from("<4i", content)
    if min(corners, normals, places, faces) < 0 or len(content) != 16 + 12 * (corners + normals + faces) + 8 * places:
        raise ValueError(corners)
    points = np.frombuffer(content, "<f4", 3 * corners, 16).reshape(-1, 3).astype(np.float64)
    at = 16 + 12 * (corners + normals) + 8 * places
    return MeshTriangles(points, np.frombuffer(content, "<i4", 3 * faces, at).reshape(-1, 3).astype(np.int64))


def _read_obj(content: bytes) -> MeshTriangles:
    corners: list[tuple[float, float, float]] = []
    faces: list[tuple[int, int, int]] = []
    points: Array | None = None
    for line in content.decode("utf-8", "replace").splitlines():
        tag, *words = line.split()[:1000] or [""]
        if tag == "v":
            x, y, z = map(float, words[:3])
            corners.append((x, y, z))
        elif tag == "f":
            numbers = [int(word.partition("/")[0]) for word in words]
            ring = [number - 1 if number > 0 else len(corners) + number for number in numbers]
            if len(ring) == 4 and _is_second_diagonal_shorter(corners, ring):
                ring = [*ring[1:], ring[0]]
            faces += [(ring[0], ring[at], ring[at + 1]) for at in range(1, len(ring) - 1)]
    points = np.array(corners, dtype=np.float32).astype(np.float64).reshape(-1, 3)
    return MeshTriangles(points, np.array(faces, dtype=np.int64).reshape(-1, 3))


def _is_second_diagonal_shorter(corners: list[tuple[float, float, float]], ring: list[int]) -> bool:
    points = np.array([corners[at] for at in ring], dtype=np.float32)
    across, other = points[2] - points[0], points[3] - points[1]
    return bool(across @ across > other @ other)


def mesh_body(mesh: MeshTriangles, kind: str) -> Body:
    """Return the body of a mesh with a density of 1 kg/m³, of a shell 1 kg/m².

    Parameters
    ----------
    mesh
        MeshTriangles in metres.
    kind
        ``legacy``, where each pyramid from the middle of all triangles counts as positive, ``exact`` or ``shell``.

    Raises
    ------
    MeshError
        If MuJoCo refuses its volume.

    Notes
    -----
    Source: MuJoCo's XML reference, "asset/mesh" and its attribute ``inertia``; J. O'Rourke, Computational Geometry in
    C, 1.3.8.
    """
    D, E, F = (mesh.corners[mesh.faces[:, at]] for at in range(3))
    normals = np.cross(E - D, F - D)
    areas = np.linalg.norm(normals, axis=1) / 2
    centres = (D + E + F) / 3
    if areas.sum() < _LEAST:
        raise MeshError("it has no surface")
    middle = areas @ centres / areas.sum()
    if kind == "shell":
        weights, middles, part = areas, centres, 12.0
    else:
        weights = np.einsum("ij,ij->i", centres - middle, normals) / 6
        weights = np.abs(weights) if kind == "legacy" else weights
        middles, part = centres * 0.75 + middle * 0.25, 20.0
    volume = float(weights.sum())
    if volume < _LEAST:
        raise MeshError(Message("it has no volume, or its triangles face inwards", "try inertia='shell'"))
    centre = weights @ middles / volume
    D, E, F = D - centre, E - centre, F - centre
    if kind != "shell":
        weights = np.einsum("ij,ij->i", D, np.cross(E, F)) / 6
        weights = np.abs(weights) if kind == "legacy" else weights
    total = D + E + F
    products = sum(np.einsum("n,ni,nj->ij", weights, each, each) for each in (D, E, F, total)) / part
    return Body(float(weights.sum()), centre, np.trace(products) * np.eye(3) - products)


#: Corners and triangles of all meshes of a file that masses are computed of, those of each asset counted.
_MOST_OF_MESHES = 12_000_000
#: How large a plane without bounds is drawn, in metres.
_ENDLESS = 100.0
#: How many sizes each type has.
_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}


@dataclass(frozen=True, slots=True, eq=False)
class Geom:
    """A geom G of a body: its shape, None where it is left out, its pose (4, 4) in the body, and its mass there.

    ``is_weighed`` is false where it has a mass that is not known.
    """

    part: Part
    geometry: Geometry | None
    X_BG: Array
    body: solids.Body | None = None
    is_weighed: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class BodyInertia:
    """Mass of a body in kg, pose (4, 4) of a frame at its centre of mass, and inertia (3, 3) in the axes of that."""

    mass: float
    X_BI: Array
    matrix: Array

    @property
    def is_finite(self) -> bool:
        """Whether all of it are numbers that can be computed with."""
        return all(np.isfinite(each).all() for each in (self.mass, self.X_BI, self.matrix))


class GeomReader:
    """Reads geoms; the file of a mesh is read once, and only where a mass depends on it.

    Parameters
    ----------
    folder
        Of the file being loaded, None where it has none.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._meshes: dict[object, MeshTriangles | MeshError] = {}
        self._bodies: dict[Node, tuple[MeshTriangles, solids.Body]] = {}
        self._left = _MOST_OF_MESHES

    def read(self, part: Part, *, infers: bool) -> Geom:
        """Return a geom, with its mass where the mass of its body is inferred."""
        values = part.values
        kind = values.word("type", "sphere")
        if kind not in ("plane", "hfield", "mesh", "sdf", *_SIZES):
            kind = "sphere"
        lowest, highest = part.spec.settings.groups
        infers = infers and lowest <= values.number("group", 0.0) <= highest
        if kind == "mesh" or "mesh" in values:
            return self._mesh(part, kind, infers=infers)
        if kind == "sdf":
            return self._left_out(part, "its surface is computed by a plugin")
        if kind == "hfield":
            return self._heightmap(part)
        X_BG, size = self._placed(part, kind)
        if kind == "plane":
            lengths = (2 * size[0] or _ENDLESS, 2 * size[1] or _ENDLESS)
            return Geom(part, Plane(size=lengths), X_BG)
        return self._primitive(part, kind, size, X_BG, infers=infers)

    def _primitive(self, part: Part, kind: str, size: tuple[float, float, float], X_BG: Array, *, infers: bool) -> Geom:
        count = _SIZES[kind]
        if min(size[:count]) <= 0:
            part.spec.report.refuse(part.node, f"the size of a {kind} is {_in_words(count)} above zero", "@size")
            return Geom(part, None, X_BG)
        x, y, z = size
        shapes: Mapping[str, Callable[[], Geometry]] = {
            "sphere": lambda: Sphere(x),
            "capsule": lambda: Capsule(x, 2 * y),
            "cylinder": lambda: Cylinder(x, 2 * y),
            "ellipsoid": lambda: Ellipsoid((x, y, z)),
            "box": lambda: Box((2 * x, 2 * y, 2 * z)),
        }
        geometry = shapes[kind]()
        if infers and part.values.is_true("shellinertia"):
            part.spec.report(
                rules.mjcf_not_read, part.node, "@shellinertia", "the mass of this shell", "it is not solid"
            )
            return Geom(part, geometry, X_BG, is_weighed=False)
        body = self._weighed(part, solids.solid_body(geometry, 1.0), X_BG) if infers else None
        return Geom(part, geometry, X_BG, body)

    @classmethod
    def placed(cls, part: Part) -> Array:
        """Return the pose (4, 4) of a geom or site in its body."""
        return cls._placed(part, part.values.word("type", "sphere"))[0]

    @staticmethod
    def _placed(part: Part, kind: str) -> tuple[Array, tuple[float, float, float]]:
        """Return the pose of a geom in its body, and its sizes, which ``fromto`` may give in part."""
        values = part.values
        x, y, z = values.numbers("size", (0.0, 0.0, 0.0))
        if "fromto" not in values:
            return part.pose(), (x, y, z)
        ends = np.array(values.numbers("fromto", (0.0,) * 6)).reshape(2, 3)
        direction = unit_vector(ends[0] - ends[1])
        report = part.spec.report
        if kind not in ("capsule", "cylinder", "ellipsoid", "box"):
            report.refuse(part.node, "fromto goes with capsules, cylinders, ellipsoids and boxes", "@fromto")
        elif direction is None:
            report.refuse(part.node, "the two points of fromto are the same", "@fromto")
        elif any(values.numbers("pos", (0.0, 0.0, 0.0))):
            report.refuse(part.node, "it has pos and fromto: keep one", "@fromto")
        if direction is None:
            return part.pose(), (x, y, z)
        half = float(np.linalg.norm(ends[0] - ends[1])) / 2
        X_BG: Array = part.X_BF @ pose(rotation_to(direction), ends.mean(axis=0))
        return X_BG, (x, x, half) if kind in ("ellipsoid", "box") else (x, half, z)

    def _mesh(self, part: Part, kind: str, *, infers: bool) -> Geom:
        name = part.values.word("mesh")
        asset = part.spec.assets.get(("mesh", name))
        if asset is None:
            if not name:
                part.spec.report.refuse(part.node, Message("a geom of type mesh needs the attribute 'mesh'", "add it"))
            return Geom(part, None, part.pose())
        path = part.spec.path_of(asset, part.spec.settings.meshdir)
        if kind not in ("mesh", "sdf"):
            return self._fitted(part, kind, asset, path, infers=infers)
        X_GM, scale = self._mesh_frame(part, asset)
        body, is_weighed = None, True
        if infers and (part.values.number("mass", 1.0) and part.values.number("density", 1000.0)):
            try:
                body = self._weighed(part, self._mesh_body(asset, path)[1], part.pose())
            except MeshError as error:
                what, is_weighed = "the mass of this mesh", False
                part.spec.report(rules.mjcf_not_read, part.node, "@mesh", what, message_of(error))
        x, y, z = scale
        geometry = Mesh(path.as_posix(), scale=(x, y, z)) if "file" in asset else None
        if geometry is None:
            what = "a built-in mesh" if "builtin" in asset else "a mesh whose corners are written in the file"
            part.spec.report(rules.mjcf_not_read, part.node, None, "the shape", f"{what} cannot be named by a model")
        return Geom(part, geometry, part.pose() @ X_GM, body, is_weighed)

    def _mesh_frame(self, part: Part, asset: MjcfValues) -> tuple[Array, tuple[float, ...]]:
        """Return the pose (4, 4) of a mesh as its file has it in the geom, and its scale.

        MuJoCo moves the corners by ``refpos``, turns them by ``refquat``, and then scales them.
        """
        scale = asset.numbers("scale", (1.0, 1.0, 1.0))
        p = np.array(asset.numbers("refpos", (0.0, 0.0, 0.0)))
        R = quaternion_to_matrix(asset.numbers("refquat", (1.0, 0.0, 0.0, 0.0)))
        if not np.allclose(R, np.eye(3), atol=1e-15) and len(set(scale)) > 1:
            why = "its mesh is turned by refquat and then scaled unevenly, which is drawn without the turn"
            part.spec.report(rules.mjcf_not_read, part.node, "@mesh", "the turn of this mesh", why)
            R = np.eye(3)
        return pose(R.T, -np.array(scale) * (R.T @ p)), scale

    def _mesh_body(self, asset: MjcfValues, path: Path) -> tuple[MeshTriangles, solids.Body]:
        """Return a mesh in the frame of the geom, and its body of the density 1.

        Raises
        ------
        MeshError
            If it cannot be computed.
        """
        kind = asset.word("inertia", "legacy")
        if kind == "convex":
            raise MeshError(Message("it is that of the convex hull", "write an <inertial>, or inertia='exact'"))
        if asset.node in self._bodies:
            return self._bodies[asset.node]
        key: object = path if "file" in asset else asset.node
        if key not in self._meshes:
            try:
                self._meshes[key] = self._counted(self._triangles(asset, path))
            except MeshError as error:
                self._meshes[key] = error
        found = self._meshes[key]
        if isinstance(found, MeshError):
            raise found
        self._counted(found)
        p = np.array(asset.numbers("refpos", (0.0, 0.0, 0.0)))
        R = quaternion_to_matrix(asset.numbers("refquat", (1.0, 0.0, 0.0, 0.0)))
        mesh = found.transformed(p, R, np.array(asset.numbers("scale", (1.0, 1.0, 1.0))))
        made = self._bodies[asset.node] = mesh, mesh_body(mesh, kind)
        return made

    def _counted(self, mesh: MeshTriangles) -> MeshTriangles:
        if self._left < 0:
            raise MeshError(
                f"the meshes of this file have more than {_MOST_OF_MESHES:,} corners and triangles together"
            )
        self._left -= len(mesh.corners) + len(mesh.faces)
        return mesh

    def _triangles(self, asset: MjcfValues, path: Path) -> MeshTriangles:
        if "file" not in asset:
            return written_triangles(asset.all_numbers("vertex"), asset.all_numbers("face"))
        if names_a_server(path.as_posix()):
            raise MeshError("its file is on another computer")
        if self._folder is None and not path.is_absolute():
            raise MeshError("its file can be found only from a file that is saved")
        return read_triangles(path if self._folder is None else self._folder / path)

    def _fitted(self, part: Part, kind: str, asset: MjcfValues, path: Path, *, infers: bool) -> Geom:
        """Return the shape that is fitted to a mesh: to its box of equal inertia, or to its bounds in the same axes.

        Source: MuJoCo's XML reference, "geom/mesh" and "compiler/fitaabb".
        """
        try:
            mesh, body = self._mesh_body(asset, path)
        except MeshError as error:
            return self._left_out(part, "it is fitted to a mesh, and " + message_of(error))
        moments, axes = (each[..., ::-1] for each in np.linalg.eigh(body.I_B))
        axes = axes * [1.0, 1.0, np.sign(np.linalg.det(axes))]
        if part.spec.settings.fits_bounds:
            corners = (mesh.corners - body.p_FB) @ axes
            centre, half = (corners.max(axis=0) + corners.min(axis=0)) / 2, np.ptp(corners, axis=0) / 2
            across = max(half[0], half[1])
            ball, capsule, cylinder = half.max(), (across, half[2] - across), (across, half[2])
        else:
            centre = np.zeros(3)
            half = np.sqrt(np.maximum(moments.sum() - 2 * moments, 0.0) * 1.5 / body.mass)
            across = (half[0] + half[1]) / 2
            ball, capsule, cylinder = half.mean(), (across, max(0.0, half[2] - across / 2)), (across, half[2])
        sizes = {"sphere": (ball,), "capsule": capsule, "cylinder": cylinder}.get(kind, tuple(half))
        scale = part.values.number("fitscale", 1.0)
        x, y, z = (*(float(each) * scale for each in sizes), 0.0, 0.0)[:3]
        X_BG = part.pose() @ pose(axes, body.p_FB + axes @ centre)
        return self._primitive(part, kind, (x, y, z), X_BG, infers=infers)

    @staticmethod
    def _weighed(part: Part, solid: solids.Body | None, X_BG: Array) -> solids.Body | None:
        """Return the body of a geom from that of density 1; None where it weighs nothing."""
        values = part.values
        if solid is None:
            return None
        mass = values.number("mass", 0.0) if "mass" in values else values.number("density", 1000.0) * solid.mass
        if mass < 0:
            part.spec.report.refuse(part.node, "a mass and a density are not negative")
        if mass <= LEAST or solid.mass <= LEAST:
            return None
        return solids.Body(mass, solid.p_FB, solid.I_B * (mass / solid.mass)).moved(X_BG)

    def _heightmap(self, part: Part) -> Geom:
        asset = part.spec.assets.get(("hfield", part.values.word("hfield")))
        if asset is None or not asset.word("file").lower().endswith(".png"):
            return self._left_out(part, "its heights are no picture that a model can name")
        x, y, z, _ = asset.numbers("size", (1.0, 1.0, 1.0, 1.0))
        path = part.spec.path_of(asset, part.spec.settings.meshdir)
        return Geom(part, Heightmap(path.as_posix(), size=(2 * x, 2 * y, z)), part.pose())

    @staticmethod
    def _left_out(part: Part, why: str) -> Geom:
        part.spec.report(rules.mjcf_not_read, part.node, None, "this geom", why)
        return Geom(part, None, part.pose(), is_weighed=part.values.number("mass", 1.0) == 0)


def _in_words(count: int) -> str:
    return "a number" if count == 1 else f"{count} numbers"


def infers_inertia(body: MjcfBody, number: int) -> bool:
    """Return whether the mass of a body is that of its geoms."""
    infer = body.spec.settings.infer
    return number > 0 and (infer == "true" or (infer != "false" and body.inertial is None))


def inertia_of(body: MjcfBody, geoms: Iterable[Geom]) -> BodyInertia:
    """Return mass, centre and inertia of a body as MuJoCo compiles them, but for the total mass of the file."""
    made = _compiled(body, geoms)
    if made.is_finite:
        return made
    body.spec.report.refuse(
        body.inertial or body.node, Message("mass and inertia are finite numbers", "these are too large")
    )
    return BodyInertia(0.0, np.eye(4), np.zeros((3, 3)))


def _compiled(body: MjcfBody, geoms: Iterable[Geom]) -> BodyInertia:
    settings, report = body.spec.settings, body.spec.report
    found = [geom.body for geom in geoms if geom.body is not None] if infers_inertia(body, 1) else []
    if found:
        total = solids.combine(found)
        made = BodyInertia(total.mass, pose(np.eye(3), total.p_FB), total.I_B)
    else:
        made = _written(body, body.inertial)
    if not made.is_finite:
        return made
    principal, axes = np.linalg.eigh(made.matrix)
    mass, moments = max(made.mass, settings.boundmass), np.maximum(principal, settings.boundinertia)
    where = body.inertial or body.node
    if mass < 0 or min(moments) < -LEAST:
        report.refuse(where, "mass and inertia are not negative")
        mass, moments = max(mass, 0.0), np.zeros(3)
    elif moments[0] + moments[1] < moments[2] * (1 - 1e-12):
        if not settings.balance:
            report.refuse(
                where, Message("no moment of inertia is larger than the sum of the other two", "see balanceinertia")
            )
        moments = np.full(3, moments.mean())
    if np.array_equal(moments, principal):
        return BodyInertia(mass, made.X_BI, made.matrix)
    return BodyInertia(mass, made.X_BI, (axes * moments) @ axes.T)


def _written(body: MjcfBody, node: Node | None) -> BodyInertia:
    spec = body.spec
    if node is None:  # what a bound makes of it is where the body is in its parent: so MuJoCo has it
        X_BI = spec.settings.pose(MjcfValues(body.node, body.node.attributes), spec.report)
        return BodyInertia(0.0, X_BI if spec.settings.boundmass > 0 else np.eye(4), np.zeros((3, 3)))
    values = MjcfValues(node, node.attributes)
    xx, yy, zz = values.numbers("diaginertia", (0.0, 0.0, 0.0))
    matrix = np.diag([xx, yy, zz])
    if "fullinertia" in values:
        if "diaginertia" in values:
            spec.report.refuse(node, "it has diaginertia and fullinertia: keep one", "@fullinertia")
        xx, yy, zz, xy, xz, yz = values.numbers("fullinertia", (0.0,) * 6)
        matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return BodyInertia(values.number("mass", 0.0), spec.settings.pose(values, spec.report), matrix)
