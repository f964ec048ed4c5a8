"""COLLADA (DAE) by Gazebo's rules: the unit is applied, the up axis is not.

Points, lines, animations and skin weights are left out; skinned geometry has its bind shape. What is broken costs only
the part that it belongs to: a node, a group of polygons, a material.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdfviewer.extras import required_extras
from sdfviewer.scene.mesh import MeshMaterial
from sdfviewer.scene.meshes.collada_materials import ColladaMaterials, ColladaNames, local_name
from sdfviewer.scene.meshes.piece import (
    Floats,
    Indices,
    MeshFileError,
    Piece,
    SideFiles,
    Tally,
    as_colours,
    check_indices,
    check_size,
    numbers,
    unit,
    weld,
)
from sdfviewer.scene.meshes.polygons import triangulated
from sdfviewer.transforms import axis_angle_to_matrix

Node: TypeAlias = Any  # lxml comes without types

_PRIMITIVES = ("triangles", "polylist", "polygons", "tristrips", "trifans")
#: libxml2 refuses longer text runs by default; real meshes have them.
_LONG_TEXT = 10_000_000
_MOST_NODES = 100_000
_QUOTED = re.compile(rb"""=\s*(?:"[^"]*"|'[^']*')""")


def read_collada(data: bytes, side_files: SideFiles) -> list[Piece]:
    """Return the polygons of the scene of a COLLADA file, one piece for each node and material.

    What is broken is left out and noted in `SideFiles.left_out`.

    Raises
    ------
    MeshFileError
        Where the file is not COLLADA, or nothing is left that could be drawn.
    """
    return _Document(_parsed(data), side_files).pieces()


def _parsed(data: bytes) -> Node:
    # Entities are the one way in which a small XML file grows without bound, and no exporter writes them. Fixing the
    # encoding keeps them from hiding in another one.
    if b"<!ENTITY" in data:
        raise MeshFileError("declares XML entities, which are not expanded")
    with required_extras():
        from lxml import etree  # noqa: PLC0415  # only COLLADA needs it
    try:
        data.decode("utf-8")
        encoding = "utf-8"
    except UnicodeDecodeError:
        encoding = "iso-8859-1"

    def parsed(content: bytes) -> Node:
        parser = etree.XMLParser(
            encoding=encoding,
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=len(data) > _LONG_TEXT,
            remove_comments=True,
            remove_pis=True,
        )
        return etree.fromstring(content, parser)

    try:
        try:
            root = parsed(data)
        except etree.XMLSyntaxError as error:
            if error.code != etree.ErrorTypes.ERR_LT_IN_ATTRIBUTE:
                raise
            # Exporters write names such as <STL_BINARY> into attributes unescaped; Gazebo's parser takes them.
            root = parsed(_QUOTED.sub(lambda value: value.group().replace(b"<", b"&lt;"), data))
    except etree.XMLSyntaxError as error:
        raise MeshFileError(f"is not well-formed XML: {error.msg}") from error
    if root is None or local_name(root) != "COLLADA":
        raise MeshFileError("is not a COLLADA file")
    return root


@dataclass(frozen=True)
class _Input:
    semantic: str
    offset: int
    table: Floats


class _Document:
    """One parsed file: looks up what its elements refer to, and builds each geometry once."""

    def __init__(self, root: Node, side_files: SideFiles) -> None:
        self._root = root
        self._names = ColladaNames(root)
        self._side_files = side_files
        self._materials = ColladaMaterials(self._names, side_files)
        self._tables: dict[Node, Floats] = {}
        self._geometries: dict[Node, list[tuple[str, Piece]]] = {}

    def pieces(self) -> list[Piece]:
        """Return the pieces of the whole scene in metres."""
        scale = np.diag([self._metres(), self._metres(), self._metres(), 1.0])
        pieces: list[Piece] = []
        tally = Tally()
        for X, name, instance in self._instances():
            try:
                held = self._instance_pieces(instance)
            except MeshFileError as error:
                self._side_files.leave_out(error, f"the node '{name}'")
                continue
            for piece in held:
                tally.add(len(piece.indices), len(piece.positions))
                pieces.append(replace(piece.transformed(scale @ X), name=name))
        up_axis = (self._root.findtext("{*}asset/{*}up_axis") or "Z_UP").strip()
        self._side_files.up_axis = "" if up_axis == "Z_UP" else up_axis
        if not pieces and self._side_files.left_out:
            raise MeshFileError(self._side_files.left_out[0])
        return pieces

    def _metres(self) -> float:
        found = self._root.find("{*}asset/{*}unit")
        text = found.get("meter", "1") if found is not None else "1"
        try:
            metres = float(text)
        except ValueError as error:
            raise MeshFileError(f"has the unit {text!r}, which is not a number") from error
        if not metres > 0:
            raise MeshFileError(f"has the unit {text!r}, which is not above zero")
        return metres

    def _scene(self) -> Node | None:
        """Return the scene that is drawn: the one that the file chooses, else the first."""
        chosen = self._root.find("{*}scene/{*}instance_visual_scene")
        scene = self._names.target(chosen, "visual_scene") if chosen is not None else None
        return self._root.find("{*}library_visual_scenes/{*}visual_scene") if scene is None else scene

    def _instances(self) -> Iterator[tuple[NDArray[np.float64], str, Node]]:
        """Yield pose, node name and element of every instance of a geometry in the scene, in document order."""
        scene = self._scene()
        if scene is None:
            for geometry in self._root.iterfind("{*}library_geometries/{*}geometry"):
                yield np.eye(4), geometry.get("name") or geometry.get("id", ""), geometry
            return
        stack = [(node, np.eye(4), "", frozenset[Node]()) for node in reversed(scene.findall("{*}node"))]
        visited = 0
        while stack:
            node, X_parent, inherited, chain = stack.pop()
            visited += 1
            if visited > _MOST_NODES:
                raise MeshFileError(f"has more than {_MOST_NODES:,} nodes")
            if node in chain:
                raise MeshFileError(f"has a node {node.get('id')!r} that contains itself")
            name = node.get("name") or node.get("id") or inherited
            try:
                X = X_parent @ _transform(node)
            except MeshFileError as error:
                # Cameras of SketchUp have matrices of NaN; only what would be drawn there is missed.
                if self._holds_geometry(node):
                    self._side_files.leave_out(error, f"the node '{name}'")
                continue
            below = []
            for child in node:
                match local_name(child):
                    case "instance_geometry" | "instance_controller":
                        yield X, name, child
                    case "node":
                        below.append(child)
                    case "instance_node":
                        target = self._names.target(child, "node")
                        if target is not None:
                            below.append(target)
            stack += [(child, X, name, chain | {node}) for child in reversed(below)]

    @staticmethod
    def _holds_geometry(node: Node) -> bool:
        """Whether something is drawn in a node or may be, through nodes that it refers to."""
        kinds = ("instance_geometry", "instance_controller", "instance_node")
        return any(local_name(inner) in kinds for inner in node.iter())

    def _instance_pieces(self, instance: Node) -> list[Piece]:
        """Return the pieces of one instance with its own materials, in the frame and unit of the geometry."""
        geometry = instance if local_name(instance) == "geometry" else self._shape(instance)
        X = np.eye(4)
        depth = 0
        while geometry is not None and local_name(geometry) == "controller" and depth < 8:
            skin = next(iter(geometry.findall("{*}skin") + geometry.findall("{*}morph")), None)
            if skin is None:
                return []
            shape = skin.find("{*}bind_shape_matrix")
            if shape is not None:
                X = X @ _matrix(shape)
            geometry = self._shape(skin, "source")
            depth += 1
        if geometry is None:
            return []
        if geometry not in self._geometries:
            self._geometries[geometry] = list(self._geometry(geometry))
        bound = {
            node.get("symbol", ""): node.get("target", "").removeprefix("#")
            for node in instance.iterfind(".//{*}instance_material")
        }
        pieces = []
        for symbol, piece in self._geometries[geometry]:
            material: MeshMaterial | None = self._materials.material(bound.get(symbol, symbol))
            pieces.append(replace(piece if depth == 0 else piece.transformed(X), material=material))
        return pieces

    def _shape(self, node: Node, attribute: str = "url") -> Node | None:
        """Return the geometry that an element refers to, or the controller that changes one."""
        return self._names.target(node, "geometry", "controller", attribute=attribute)

    def _geometry(self, geometry: Node) -> Iterator[tuple[str, Piece]]:
        """Yield the material symbol and the triangles of each group of polygons."""
        mesh = geometry.find("{*}mesh")
        if mesh is None:
            return
        for primitive in mesh:
            if local_name(primitive) in _PRIMITIVES:
                try:
                    piece = self._primitive(primitive)
                except MeshFileError as error:
                    self._side_files.leave_out(
                        error, f"the geometry '{geometry.get('name') or geometry.get('id', '')}'"
                    )
                    continue
                if piece is not None:
                    yield primitive.get("material", ""), piece

    def _primitive(self, primitive: Node) -> Piece | None:
        inputs = list(self._inputs(primitive))
        stride = 1 + max((given.offset for given in inputs), default=0)
        chosen = {given.semantic: given for given in reversed(inputs)}
        position = chosen.get("POSITION")
        corners, counts = _corners(primitive, stride)
        if position is None or len(corners) == 0:
            return None
        others = (chosen[key] for key in ("NORMAL", "TEXCOORD", "COLOR") if key in chosen)
        used = [position, *(given for given in others if len(given.table))]
        for given in used:
            check_indices(corners[:, given.offset], len(given.table), f"a {given.semantic.lower()} index")
        triangles = _triangles(primitive, position.table[corners[:, position.offset]], counts)
        check_size(len(triangles))
        corners = corners[triangles.ravel()]
        offsets = sorted({given.offset for given in used})
        first, inverse = weld(*(corners[:, offset] for offset in offsets))
        tables = {given.semantic: given.table[corners[first, given.offset]] for given in used}
        normals = tables.get("NORMAL")
        uvs, colours = tables.get("TEXCOORD"), tables.get("COLOR")
        return Piece(
            "",
            tables["POSITION"],
            inverse.reshape(-1, 3),
            None if normals is None else unit(normals),
            None if uvs is None else np.ascontiguousarray(uvs[:, :2]),
            colours=None if colours is None else as_colours(colours),
        )

    def _inputs(self, primitive: Node) -> Iterator[_Input]:
        """Yield the inputs of a primitive, those of ``<vertices>`` in place of the VERTEX that names it."""
        for given in primitive.findall("{*}input"):
            is_vertices = given.get("semantic") == "VERTEX"
            source = self._names.target(given, "vertices" if is_vertices else "source", attribute="source")
            offset = _whole(given.get("offset", "0"))
            if source is None:
                continue
            if not is_vertices:
                yield _Input(given.get("semantic", ""), offset, self._table(source))
                continue
            for inner in source.findall("{*}input"):
                target = self._names.target(inner, "source", attribute="source")
                if target is not None:
                    yield _Input(inner.get("semantic", ""), offset, self._table(target))

    def _table(self, source: Node) -> Floats:
        """Return the values of a ``<source>`` as (count, at least 3 or 2) numbers."""
        if source not in self._tables:
            self._tables[source] = self._read_table(source)
        return self._tables[source]

    def _read_table(self, source: Node) -> Floats:
        accessor = source.find("{*}technique_common/{*}accessor")
        array = self._names.target(accessor, "float_array", attribute="source") if accessor is not None else None
        if array is None:
            array = source.find("{*}float_array")
        if array is None:
            return np.zeros((0, 3), np.float32)
        values = numbers(array.text or "", np.float32, f"the source {source.get('id')!r}")
        if accessor is None:
            return np.asarray(values[: len(values) // 3 * 3].reshape(-1, 3))
        stride = max(_whole(accessor.get("stride", "1")), 1)
        offset = _whole(accessor.get("offset", "0"))
        count = _whole(accessor.get("count", "0"))
        if count == 0:  # however many columns it declares
            return np.zeros((0, 3), np.float32)
        params = accessor.findall("{*}param")
        # Unnamed parameters are skipped; a file without parameters means all of them.
        columns = [k for k, param in enumerate(params[:stride]) if param.get("name")] or list(range(min(stride, 4)))
        if offset + count * stride > len(values):
            raise MeshFileError(f"the source {source.get('id')!r} declares more values than it holds")
        table = values[offset : offset + count * stride].reshape(count, stride)[:, columns[:4]]
        return np.pad(table, ((0, 0), (0, max(0, 3 - table.shape[1]))))


def _corners(primitive: Node, stride: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return index rows (n, stride) of a primitive's corners and how many each polygon, strip or fan has."""
    runs = [numbers(p.text or "", np.int64, "a list of indices") for p in primitive.iterfind(".//{*}p")]
    if any(len(run) % stride for run in runs):
        raise MeshFileError("has a list of indices that ends within a corner")
    corners = np.concatenate(runs).reshape(-1, stride) if runs else np.zeros((0, stride), np.int64)
    match local_name(primitive):
        case "triangles":
            counts = np.full(len(corners) // 3, 3, np.int64)
        case "polylist":
            vcount = primitive.find("{*}vcount")
            counts = numbers((vcount.text or "") if vcount is not None else "", np.int64, "vcount")
        case _:
            counts = np.array([len(run) // stride for run in runs], np.int64)
    if counts.size and int(counts.min()) < 0:
        raise MeshFileError("has a polygon with a negative number of corners")
    if int(counts.sum()) != len(corners):
        raise MeshFileError(f"has polygons of {int(counts.sum()):,} corners and indices for {len(corners):,}")
    return corners, counts


def _triangles(primitive: Node, corners: Floats, counts: NDArray[np.int64]) -> Indices:
    kind = local_name(primitive)
    if kind not in ("tristrips", "trifans"):
        return triangulated(corners, counts)
    runs = []
    for start, count in zip(np.cumsum(counts) - counts, counts, strict=True):
        k = np.arange(max(int(count) - 2, 0))
        odd = k % 2 if kind == "tristrips" else np.zeros_like(k)
        first = k if kind == "tristrips" else np.zeros_like(k)
        runs.append(start + np.stack([first, k + 1 + odd, k + 2 - odd], axis=1))
    return np.concatenate(runs).astype(np.uint32) if runs else np.zeros((0, 3), np.uint32)


def _transform(node: Node) -> NDArray[np.float64]:
    """Return the pose (4, 4) of a node in its parent: the product of its transformations in document order."""
    X = np.eye(4)
    for child in node:
        match local_name(child):
            case "matrix":
                X = X @ _matrix(child)
            case "translate":
                step = np.eye(4)
                step[:3, 3] = _vector(child, 3)
                X = X @ step
            case "scale":
                X = X @ np.diag([*_vector(child, 3), 1.0])
            case "rotate":
                *axis, degrees = _vector(child, 4)
                length = float(np.linalg.norm(axis))
                if length > 0:
                    step = np.eye(4)
                    step[:3, :3] = axis_angle_to_matrix(np.array(axis) / length, np.radians(degrees))
                    X = X @ step
    return X


def _matrix(node: Node) -> NDArray[np.float64]:
    return np.asarray(_vector(node, 16).reshape(4, 4))


def _vector(node: Node, size: int) -> NDArray[np.float64]:
    values = numbers(node.text or "", np.float64, f"a <{local_name(node)}>")
    if values.size != size or not np.isfinite(values).all():
        raise MeshFileError(f"has a <{local_name(node)}> that is not {size} numbers")
    return values


def _whole(text: str) -> int:
    try:
        value = int(text)
    except ValueError as error:
        raise MeshFileError(f"has {text!r} instead of a whole number") from error
    if value < 0:
        raise MeshFileError(f"has {text!r} instead of a number of at least zero")
    return value
