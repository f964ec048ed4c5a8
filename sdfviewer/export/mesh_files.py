"""The meshes of a bundle: copied, or converted to OBJ, STL or binary glTF."""

from __future__ import annotations

import os
import re
import struct
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.export.gltf import TEXTURE_TRANSFORM, GlbWriter, material_record
from sdfviewer.export.writing import AddMesh, MeshForm, WrittenMesh
from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import read_regular, regular_status
from sdfviewer.files.uris import AssetKind
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.scene.copied_files import is_usable, require_near
from sdfviewer.scene.geometry import Shape, primitive_mesh, shape_of
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.scene.mesh import MeshMaterial, MeshPart, TriangleMesh
from sdfviewer.scene.meshes import MeshFileError, SideFiles, read_mesh_file
from sdfviewer.scene.meshes.reading import STL_START, is_ascii_stl
from sdfviewer.transforms import Array

_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")
#: Characters of a file's name: with a number and a suffix, every file system takes them.
_LONGEST_STEM = 100
#: Formats of meshes that MuJoCo reads.
_OF_MUJOCO = frozenset({".obj", ".stl", ".msh"})


@dataclass
class MeshFiles:
    """Collects the mesh files of a bundle; nothing was written before all are known.

    Attributes
    ----------
    finder
        Finds meshes by URI.
    form
        How they are written.
    folder
        The folder of the bundle that holds them.
    closed
        Whether flat meshes that are converted get a back, which MuJoCo needs.
    contents
        The content by the name in the bundle: bytes, or a file to copy.
    notes
        What is unknown about meshes that are copied.
    """

    finder: Finder
    form: MeshForm
    folder: str = "meshes"
    closed: bool = False
    contents: dict[str, bytes | Path] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _made: dict[object, WrittenMesh | str] = field(default_factory=dict, repr=False)
    # Names in the folder in small letters, the last number of each, and the names of pictures.
    _taken: set[str] = field(default_factory=set, repr=False)
    _next: dict[str, int] = field(default_factory=dict, repr=False)
    _pictures: dict[Path, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._loader = MeshLoader(self.finder)

    def add(self, geometry: Geometry) -> WrittenMesh | str:
        """Return the file in which a geometry is, or in words why it cannot be written.

        Also shapes that a format lacks become meshes: an ellipsoid, a cone, an extruded outline, terrain.
        """
        shape = shape_of(geometry)
        if shape is None:
            return "it is empty"
        keeps = self.form == "keep" and isinstance(geometry, Mesh) and not geometry.submesh
        plain = replace(shape, scale=(1.0, 1.0, 1.0), source=None)
        key = (keeps, geometry.uri if keeps and isinstance(geometry, Mesh) else "", plain)
        if key not in self._made:
            self._made[key] = self._copied(geometry) if keeps and isinstance(geometry, Mesh) else self._converted(plain)
        made = self._made[key]
        if isinstance(made, str):
            return made
        scale = geometry.scale if keeps and isinstance(geometry, Mesh) else shape.scale
        return replace(made, scale=scale)

    def _copied(self, mesh: Mesh) -> WrittenMesh | str:
        path = self.finder.find(mesh.uri, mesh.file, nearby=True).path
        if path is None or not path.is_file():
            return f"the mesh {mesh.uri} is not found"
        if not is_usable(path, AssetKind.MESH):
            return f"{path} is not copied: the name of a mesh does not end in '{path.suffix}'"
        if refusal := self._why_not_near(path, mesh.file):
            return refusal
        side_files = SideFiles(path, lambda uri: self.finder.find(uri, path, nearby=True).path)
        try:
            read_mesh_file(path, side_files)
        except MeshFileError as error:
            what = f"the mesh {mesh.uri} {error}; it is copied, but not all files that it names may be"
            self.notes.append(f"{mesh.file or path}: {what}")
        files = [path]
        for used in dict.fromkeys(side_files.used):
            if refusal := self._why_not_near(used, mesh.file):
                self.notes.append(f"{mesh.file or path}: {refusal}")
            else:
                files.append(used)
        common = Path(os.path.commonpath([file.parent for file in files]))
        name = self._free(path.stem, "")
        for file in files:
            self.contents[f"{name}/{file.relative_to(common).as_posix()}"] = file
        return WrittenMesh(f"{name}/{path.relative_to(common).as_posix()}", (1.0, 1.0, 1.0))

    def _converted(self, shape: Shape) -> WrittenMesh | str:
        if shape.is_loaded:
            path = self.finder.find(shape.uri, shape.file, nearby=True).path if shape.uri else None
            if path is not None and (refusal := self._why_not_near(path, shape.file)):
                return refusal
            loaded = self._loader.load(shape)
            if loaded.is_placeholder:
                return "; ".join(problem.message for problem in loaded.problems) or "it cannot be read"
            self.notes += [f"{shape.file or path}: {problem.message}" for problem in loaded.problems]
            mesh = self._with_near_pictures(loaded.mesh, shape)
        else:
            mesh = primitive_mesh(shape)
        if self.closed:
            mesh = with_back(mesh)
        form = "obj" if self.form == "keep" else self.form
        stem = Path(shape.uri.replace("\\", "/")).stem if shape.uri else shape.geometry.kind
        submesh = shape.geometry.submesh if isinstance(shape.geometry, Mesh) else None
        name = self._free(f"{stem}_{submesh}" if submesh else stem, f".{form}")
        self.contents[name] = b""
        content = self._obj(name, mesh) if form == "obj" else format_stl(mesh) if form == "stl" else format_glb(mesh)
        self.contents[name] = content
        return WrittenMesh(name, (1.0, 1.0, 1.0))

    def _why_not_near(self, path: Path, naming_file: Path | None) -> str:
        """Return why the target of a link is not copied, see :func:`require_near`; empty where it is."""
        try:
            require_near(path, naming_file, self.finder)
        except SdfViewerError as error:
            return str(error)
        return ""

    def _with_near_pictures(self, mesh: TriangleMesh, shape: Shape) -> TriangleMesh:
        """Return a mesh without the textures that links elsewhere lead to; each is noted."""
        kept: dict[int, MeshMaterial] = {}
        for part in mesh.parts:
            material = kept[id(part.material)] = part.material
            picture = material.albedo_map
            if isinstance(picture, Path) and (refusal := self._why_not_near(picture, shape.file)):
                self.notes.append(f"{shape.file or shape.uri}: {refusal}")
                kept[id(part.material)] = replace(material, albedo_map=None)
        return replace(mesh, parts=tuple(replace(part, material=kept[id(part.material)]) for part in mesh.parts))

    def _free(self, stem: str, suffix: str) -> str:
        """Return a name in the folder that is not taken, also where letters of either size are the same."""
        clean = _UNSAFE.sub("_", stem)[:_LONGEST_STEM].strip(".") or "mesh"
        key = f"{clean}{suffix}".lower()
        number, name = self._next.get(key, 1), f"{clean}{suffix}"
        while name.lower() in self._taken:
            number += 1
            name = f"{clean}_{number}{suffix}"
        self._next[key] = number
        self._taken.add(name.lower())
        return f"{self.folder}/{name}"

    def _obj(self, name: str, mesh: TriangleMesh) -> bytes:
        """Return a mesh as OBJ; its materials and textures become files beside it."""
        stem = Path(name).stem
        parts = mesh.parts or (MeshPart(0, len(mesh.indices)),)
        labels: dict[int, str] = {}
        library: list[str] = []
        for part in parts:
            if id(part.material) not in labels:
                label = labels[id(part.material)] = f"{stem}_{len(labels)}"
                library += _mtl(label, part.material, self._picture(name, part.material))
        self._taken.add(f"{stem}.mtl".lower())
        self.contents[f"{self.folder}/{stem}.mtl"] = "\n".join((*library, "")).encode()
        return format_obj(replace(mesh, parts=parts), f"{stem}.mtl", labels)

    def _picture(self, name: str, material: MeshMaterial) -> str:
        """Return the file of a material's texture, beside the mesh; empty where it has none."""
        source = material.albedo_map
        if source is None:
            return ""
        if isinstance(source, Path):
            if source not in self._pictures:
                self._pictures[source] = self._free(source.stem, source.suffix.lower())
            target = self._pictures[source]
            self.contents[target] = source
        else:
            suffix = ".png" if source.startswith(b"\x89PNG") else ".jpg"
            target = self._free(Path(name).stem, suffix)
            self.contents[target] = source
        return Path(target).name


def _mtl(name: str, material: MeshMaterial, picture: str) -> list[str]:
    r, g, b, _ = material.diffuse
    lines = [f"newmtl {name}", f"Kd {r:.6g} {g:.6g} {b:.6g}", f"d {material.opacity:.6g}"]
    specular = material.specular
    lines.append(f"Ks {specular[0]:.6g} {specular[1]:.6g} {specular[2]:.6g}")
    return [*lines, f"map_Kd {picture}"] if picture else lines


def format_obj(mesh: TriangleMesh, library: str, labels: dict[int, str]) -> bytes:
    """Return a mesh as OBJ: one object, because MuJoCo reads only the first, with the materials of a library.

    Parameters
    ----------
    mesh
        In metres, with parts.
    library
        The MTL file.
    labels
        The name of each material in it, by identity.
    """
    lines = [f"mtllib {library}"]
    lines += [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in mesh.positions.tolist()]
    uvs, normals = mesh.uvs, mesh.normals
    if uvs is not None:
        lines += [f"vt {u:.9g} {v:.9g}" for u, v in uvs.tolist()]
    if normals is not None:
        lines += [f"vn {x:.6g} {y:.6g} {z:.6g}" for x, y, z in normals.tolist()]
    form = {(True, True): "{0}/{0}/{0}", (True, False): "{0}/{0}", (False, True): "{0}//{0}", (False, False): "{0}"}
    corner = form[(uvs is not None, normals is not None)]
    for part in mesh.parts:
        lines.append(f"usemtl {labels[id(part.material)]}")
        triangles = (mesh.indices[part.start : part.start + part.count].astype(np.int64) + 1).tolist()
        lines += [f"f {corner.format(a)} {corner.format(b)} {corner.format(c)}" for a, b, c in triangles]
    return "\n".join((*lines, "")).encode()


def format_stl(mesh: TriangleMesh) -> bytes:
    """Return a mesh as binary STL, which holds neither colours nor names."""
    corners = mesh.positions[mesh.indices.astype(np.int64)]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = normals / np.where(lengths > 0, lengths, 1.0)
    rows = np.zeros(len(corners), dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    rows["n"], rows["v"] = normals, corners
    return b"\0" * 80 + struct.pack("<I", len(rows)) + rows.tobytes()


def format_glb(mesh: TriangleMesh) -> bytes:
    """Return a mesh as binary glTF 2.0 with +y up, as the format has it, and with its textures inside."""
    glb = GlbWriter()
    positions = mesh.positions.astype("<f4")
    accessors: list[dict[str, object]] = []

    def vectors(values: np.ndarray, kind: str, **more: object) -> int:
        accessors.append(
            {"bufferView": glb.view(np.ascontiguousarray(values, "<f4").tobytes(), target=34962)}
            | {"componentType": 5126, "count": len(values), "type": kind, **more}
        )
        return len(accessors) - 1

    low, high = positions.min(axis=0).tolist(), positions.max(axis=0).tolist()
    attributes = {"POSITION": vectors(positions, "VEC3", min=low, max=high)}
    if mesh.normals is not None:
        attributes["NORMAL"] = vectors(mesh.normals, "VEC3")
    if mesh.uvs is not None:
        attributes["TEXCOORD_0"] = vectors(
            mesh.uvs * np.array([1, -1], np.float32) + np.array([0, 1], np.float32), "VEC2"
        )
    images: list[dict[str, object]] = []
    materials: list[dict[str, object]] = []
    primitives: list[dict[str, object]] = []
    for part in mesh.parts or (MeshPart(0, len(mesh.indices)),):
        run = mesh.indices[part.start : part.start + part.count].astype("<u4").ravel()
        accessors.append(
            {"bufferView": glb.view(run.tobytes(), target=34963), "componentType": 5125}
            | {"count": len(run), "type": "SCALAR"}
        )
        source = part.material.albedo_map
        if source is not None:
            data = source.read_bytes() if isinstance(source, Path) else source
            kind = "image/png" if data.startswith(b"\x89PNG") else "image/jpeg"
            images.append({"bufferView": glb.view(data), "mimeType": kind})
        materials.append(material_record(part.material, None if source is None else len(images) - 1))
        primitives.append({"attributes": attributes, "indices": len(accessors) - 1, "material": len(materials) - 1})
    # Seen with +z up, which the node turns to glTF's +y up.
    document: dict[str, object] = {
        "extensionsUsed": [TEXTURE_TRANSFORM],
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "rotation": [-(0.5**0.5), 0, 0, 0.5**0.5]}],
        "meshes": [{"primitives": primitives}],
        "materials": materials,
        "accessors": accessors,
    }
    if images:
        document |= {"images": images, "textures": [{"source": number} for number in range(len(images))]}
    return glb.finish(document)


def meshes_in_place(finder: Finder, instead: str) -> AddMesh:
    """Return the function that names the meshes of an MJCF by their absolute paths.

    Parameters
    ----------
    finder
        Finds meshes by URI.
    instead
        What writes the meshes that MuJoCo does not read as they are, in words.
    """

    def add(geometry: Geometry) -> WrittenMesh | str:
        if not isinstance(geometry, Mesh):
            return f"MuJoCo has no {geometry.kind or 'shape'} of this kind; {instead}"
        if geometry.submesh:
            return f"MuJoCo cannot take '{geometry.submesh}' alone out of {geometry.uri}; {instead}"
        path = finder.find(geometry.uri, geometry.file, nearby=True).path
        if path is None:
            return f"the mesh {geometry.uri} is not found"
        if path.suffix.lower() not in _OF_MUJOCO:
            return f"MuJoCo does not read {path.name}; {instead}"
        is_stl = path.suffix.lower() == ".stl"
        if is_stl and is_ascii_stl(read_regular(path, STL_START), regular_status(path).st_size):
            return f"{path.name} is an STL file of text, which MuJoCo does not read; {instead}"
        flat = f"{path.name} is flat, and MuJoCo refuses flat meshes that something can collide with; {instead}"
        return WrittenMesh(path.absolute().as_posix(), geometry.scale, lambda: flat if is_flat_file(path) else "")

    return add


#: A mesh thinner than this part of its size counts as flat.
_FLAT = 1e-5
#: The thickness that a flat mesh gets, as a part of its size.
_THICKNESS = 1e-4


def is_flat_file(path: Path) -> bool:
    """Return whether all that a mesh file holds lies in one plane, False where it cannot be read."""
    try:
        pieces = read_mesh_file(path, SideFiles(path))
    except (MeshFileError, OSError):
        return False
    return _plane_of(np.concatenate([piece.positions for piece in pieces]).astype(np.float64)) is not None


def _plane_of(points: Array) -> tuple[Array, float] | None:
    """Return the normal (3,) of the plane in which points (n, 3) lie and the size of what they span, None for others.

    Points on one line lie in no plane.
    """
    spread = points - points.mean(axis=0)
    axes = np.linalg.eigh(spread.T @ spread)[1].T  # the thinnest first
    thickness, width, size = np.ptp(spread @ axes.T, axis=0)
    return None if thickness > _FLAT * size or width <= _FLAT * size else (axes[0], float(size))


def with_back(mesh: TriangleMesh) -> TriangleMesh:
    """Return a mesh; a flat one with the same triangles again behind it, seen from the other side.

    Notes
    -----
    MuJoCo refuses coplanar vertices, and meshes without volume in a URDF.
    """
    points = mesh.positions.astype(np.float64)
    plane = _plane_of(points) if len(mesh.indices) else None
    if plane is None:
        return mesh
    normal, size = plane
    first = points[mesh.indices[0].astype(np.int64)]
    if np.cross(first[1] - first[0], first[2] - first[0]) @ normal < 0:
        normal = -normal
    back = (points - normal * _THICKNESS * size).astype(np.float32)
    parts = mesh.parts or (MeshPart(0, len(mesh.indices)),)
    count = len(mesh.indices)
    return replace(
        mesh,
        positions=np.concatenate([mesh.positions, back]),
        normals=None if mesh.normals is None else np.concatenate([mesh.normals, -mesh.normals]),
        uvs=None if mesh.uvs is None else np.concatenate([mesh.uvs, mesh.uvs]),
        indices=np.concatenate([mesh.indices, mesh.indices[:, ::-1] + np.uint32(len(points))]),
        parts=(*parts, *(replace(part, start=part.start + count) for part in parts)),
        coarse=None,
        colours=None if mesh.colours is None else np.concatenate([mesh.colours, mesh.colours]),
    )
