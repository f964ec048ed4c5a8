"""A model for other programs: conversion to other formats and forms, with losses, and objects of other libraries.

These are trimesh, Pinocchio, MuJoCo, Drake and networkx. The files that a model references are listed here, too.
"""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from sdfviewer.diagnostics import InvalidValueError, SdfViewerError, Span
from sdfviewer.document.document import Document
from sdfviewer.extras import required_extras
from sdfviewer.files import saving
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.library.base import Walled
from sdfviewer.library.drawing import import_program
from sdfviewer.library.elements import Link
from sdfviewer.library.names import Handles, short_name
from sdfviewer.model.graph import ROOT
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model as FrameTable
from sdfviewer.model.near_names import Hinted
from sdfviewer.model.shapes.kind import Empty
from sdfviewer.model.shapes.plane import Plane
from sdfviewer.transforms import Array
from sdfviewer.versions import NEWEST, format_version, parse_version

if TYPE_CHECKING:
    import networkx

    from sdfviewer.export.conversion import Conversion
    from sdfviewer.files.uris import Keep, UriForm


_BUNDLING = "save_bundle(folder, 'mjcf') writes a file that it reads"


class ConvertedText(Hinted, str):
    """The text of a file in another form.

    Attributes
    ----------
    losses
        What could not be carried over, in sentences that begin with file and line.
    notes
        What is written otherwise, in sentences of the same form.
    """

    __slots__ = ("_document", "_finder", "losses", "notes")

    losses: tuple[str, ...]
    notes: tuple[str, ...]
    _document: Document | None
    _finder: Finder | None

    def __new__(
        cls,
        text: str,
        losses: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
        document: Document | None = None,
        finder: Finder | None = None,
    ) -> ConvertedText:
        """Return a text with the notes about it, the document that it is of, and what finds its files."""
        made = super().__new__(cls, text)
        made.losses, made.notes, made._document, made._finder = losses, notes, document, finder
        return made

    def save(self, path: str | Path, *, uris: UriForm | Keep | None = None) -> None:
        """Write the text to a file, which is replaced as a whole or not at all.

        Parameters
        ----------
        path
            The file.
        uris
            How the text names its files in another folder than that of the model, see :meth:`EditableDocument.save`.

        Raises
        ------
        SaveError
            If it cannot be written.
        """
        if self._document is None or self._document.path is None:
            saving.save(Path(path), self.encode("utf-8", "surrogateescape"))  # bytes that are not UTF-8 stay
            return
        from sdfviewer.session.other_files import write_elsewhere  # noqa: PLC0415  # as all of this module

        loader = Loader(self._finder or Finder())
        write_elsewhere(self._document, Path(path), loader, uris, partial(warnings.warn, stacklevel=4))


def to_urdf(table: FrameTable, version: str, finder: Finder | None = None) -> ConvertedText:
    """Return a model as URDF of a version."""
    from sdfviewer.export import conversion  # noqa: PLC0415  # as all of this module
    from sdfviewer.formats.urdf.values import URDF_VERSIONS, parse_urdf_version  # noqa: PLC0415

    _refuse_path(version, "to_urdf")
    parsed = parse_urdf_version(version)
    if parsed is None:
        known = ", ".join(".".join(map(str, each)) for each in URDF_VERSIONS)
        raise SdfViewerError(f"there is no URDF {version}: use {known}")
    return _text(conversion.to_urdf(table, conversion.ConversionOptions(version)), finder)


def _text(converted: Conversion, finder: Finder | None = None) -> ConvertedText:
    lost = (*converted.losses, *converted.faults)
    return ConvertedText(converted.document.text, lost, converted.notes, converted.document, finder)


def _refuse_path(version: object, method: str) -> None:
    """Refuse a path where a version is meant.

    Raises
    ------
    InvalidValueError
        With the call that writes a file.
    """
    if version is not None and (not isinstance(version, str) or Path(version).suffix[1:].isalpha()):
        raise InvalidValueError(
            f"{version!r} is not a version; use model.{method}().save({str(version)!r}) to write a file"
        )


def to_sdformat(table: FrameTable, loader: Loader, version: str | None, merge_fixed: bool) -> ConvertedText:
    """Return a file in a version of SDFormat."""
    from sdfviewer.export import conversion  # noqa: PLC0415

    _refuse_path(version, "to_sdformat")
    target = format_version(NEWEST) if version is None else version
    conversion.require_target(target)
    how = conversion.ConversionOptions(merge_fixed=merge_fixed)
    return _text(conversion.convert(table, loader, target, how), loader.finder)


def to_mjcf(table: FrameTable, loader: Loader) -> ConvertedText:
    """Return a model in MuJoCo's format, which names mesh files where they are."""
    from sdfviewer.export import conversion  # noqa: PLC0415

    how = conversion.ConversionOptions(bundling=_BUNDLING)
    return _text(conversion.to_mjcf(table, loader, how), loader.finder)


def save_bundle(
    table: FrameTable,
    loader: Loader,
    folder: Path,
    target: str,
    uris: str,
    meshes: str,
    skip_missing: bool,
    **given: object,
) -> tuple[str, ...]:
    """Write a folder with a model and its files; return what could not be carried over."""
    from sdfviewer.export.conversion import options_of  # noqa: PLC0415
    from sdfviewer.files.uris import URI_FORMS  # noqa: PLC0415

    with required_extras():
        from sdfviewer.export.bundle import make_bundle  # noqa: PLC0415
        from sdfviewer.export.writing import MESH_FORMS  # noqa: PLC0415

    uri_form = next((each for each in URI_FORMS if each == uris), None)
    mesh_form = next((each for each in MESH_FORMS if each == meshes), None)
    if uri_form is None:
        raise SdfViewerError(f"'{uris}' must be one of: {', '.join(URI_FORMS)}")
    if mesh_form is None:
        raise SdfViewerError(f"'{meshes}' must be one of: {', '.join(MESH_FORMS)}")
    if target not in ("sdformat", "urdf", "mjcf") and parse_version(target) is None:
        raise SdfViewerError(f"there is no form '{target}': use sdformat, urdf, mjcf or a version of SDFormat")
    form = format_version(NEWEST) if target == "sdformat" else target
    missing = () if skip_missing else [each for each in find_meshes(table, loader.finder) if not each.is_found]
    if missing:
        more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        raise SdfViewerError(
            f"the bundle would lack a mesh: {missing[0].uri} is not found{more}; "
            "load the model with paths=[folder], or pass skip_missing=True to leave out what is missing"
        )
    how = options_of(table, loader, given, _BUNDLING)
    with required_extras():
        bundle = make_bundle(table, loader, form, folder, uri_form, mesh_form, how)
        bundle.write(folder)
    return tuple(bundle.notes)


def convert(table: FrameTable, loader: Loader, target: str, **given: object) -> ConvertedText:
    """Return a file in another form; see :meth:`Model.convert`."""
    from sdfviewer.export import conversion  # noqa: PLC0415

    how = conversion.options_of(table, loader, given, _BUNDLING)
    return _text(conversion.convert(table, loader, target, how), loader.finder)


@dataclass(frozen=True, slots=True)
class Resource(Walled, Hinted):
    """A file that a model names.

    Attributes
    ----------
    kind
        ``include``, ``mesh``, ``heightmap``, ``texture``, ``material script`` or ``plugin``.
    uri
        As written.
    path
        The file or folder; None where it is not found.
    tried
        Where it was not found; nowhere for what comes with Gazebo itself.
    problem
        Why it is missing, empty where it is not.
    near
        A URI that may have been meant, empty where nothing is near.
    users
        Names of what uses it.
    location
        Where it is named first.
    used_by
        The mesh file that names it, None where the model does.
    triangles
        Of a mesh, None where it was not read.
    only_here
        Why other programs do not find a file that was found near the model, empty where they do.
    found_in
        A folder to load the model with (``paths=``), in which the file would be found; empty where none is known.
    """

    kind: str
    uri: str
    path: Path | None
    tried: tuple[Path, ...]
    problem: str
    near: str
    users: tuple[str, ...]
    location: Span
    used_by: Path | None = None
    triangles: int | None = None
    only_here: str = ""
    found_in: str = ""

    @property
    def is_found(self) -> bool:
        """Whether the file is there."""
        return self.path is not None


def find_meshes(table: FrameTable, finder: Finder) -> tuple[Resource, ...]:
    """Return the mesh files of a model, each once."""
    return tuple(each for each in find_resources(table, finder) if each.kind == "mesh")


def find_resources(table: FrameTable, finder: Finder, *, read: bool = False) -> tuple[Resource, ...]:
    """Return all files that a model names, each once for each file that names it, in document order.

    Parameters
    ----------
    table, finder
        The model, and what finds its files.
    read
        Whether meshes are read, for what is wrong with them and for the textures that they name.
    """
    from sdfviewer.scene.assets import documents_of, find_assets, named_in  # noqa: PLC0415  # only some ask

    rows = {id(element): row for row, element in enumerate(table.elements)}
    users: dict[tuple[str, str, Path | None], list[str]] = {}
    for document in documents_of(table):
        for use in named_in(document):
            row = next((rows[id(each)] for each in document.outwards(use.element) if id(each) in rows), None)
            if row is not None:
                users.setdefault((use.kind.value, use.uri, document.path), []).append(short_name(table, row))
    found: dict[tuple[str, str, Path | None], Resource] = {}
    for asset in find_assets(table, finder, read=read):
        key = asset.kind.value, asset.uri, asset.document.path
        found.setdefault(
            key,
            Resource(
                asset.kind.value,
                asset.uri,
                asset.path,
                asset.tried,
                asset.problem,
                asset.near,
                tuple(dict.fromkeys(users.get(key, ()))),
                asset.document.span(asset.element, asset.part),
                asset.used_by,
                asset.triangles,
                asset.only_here,
                asset.found_in,
            ),
        )
    return tuple(found.values())


def to_scene(links: Handles[Link], X_RootL: Array, root: str, *, collisions: bool) -> Any:
    """Return a ``trimesh.Scene`` with a node for each link at X_RootL (n, 4, 4), and its shapes below it."""
    scene = import_program("trimesh").Scene(base_frame=root)
    for link, X in zip(links, X_RootL, strict=True):
        scene.graph.update(frame_from=root, frame_to=link.name, matrix=np.array(X))
        for shape in link.collisions if collisions else link.visuals:
            if not isinstance(shape.geometry, Empty):
                names = {"node_name": shape.name, "geom_name": shape.name, "parent_node_name": link.name}
                scene.add_geometry(shape.to_trimesh(), transform=np.array(shape.pose_in_owner), **names)
    return scene


# --- programs that read files --------------------------------------------------------------------------------------


def _warn_of_losses(losses: Sequence[str], program: str) -> None:
    if losses:
        more = f" (and {len(losses) - 1} more)" if len(losses) > 1 else ""
        warnings.warn(f"{program} gets less than the file has: {losses[0]}{more}", stacklevel=5)


def to_pinocchio(table: FrameTable, options: dict[str, Any]) -> Any:
    """Return a ``pinocchio.Model``; see :meth:`Model.to_pinocchio`."""
    pinocchio = import_program("pinocchio")
    text = to_urdf(table, "1.0")
    _warn_of_losses(text.losses, "Pinocchio")
    return pinocchio.buildModelFromXML(str(text), **options)


def _bundled(table: FrameTable, loader: Loader, program: str, form: str, folder: str, skip_missing: bool) -> str:
    """Write a bundle for a program into a folder; return the path of its file."""
    target = Path(folder) / "robot"
    notes = save_bundle(table, loader, target, form, "relative", "obj", skip_missing)
    _warn_of_losses([each for each in notes if "lost: " in each], program)
    return str(next(each for each in target.iterdir() if each.suffix in (".xml", ".sdf")))


def to_mujoco(table: FrameTable, loader: Loader, skip_missing: bool) -> Any:
    """Return a ``mujoco.MjModel``; see :meth:`Model.to_mujoco`."""
    mujoco = import_program("mujoco")
    with TemporaryDirectory(prefix="sdfviewer-") as folder:
        try:
            return mujoco.MjModel.from_xml_path(_bundled(table, loader, "MuJoCo", "mjcf", folder, skip_missing))
        except ValueError as error:
            raise SdfViewerError(f"MuJoCo refuses the model: {error}") from error


def to_drake(table: FrameTable, loader: Loader, plant: Any, skip_missing: bool) -> Any:
    """Return a ``pydrake`` plant; see :meth:`Model.to_drake`."""
    import_program("pydrake")
    parsing, multibody = import_module("pydrake.multibody.parsing"), import_module("pydrake.multibody.plant")
    made = multibody.MultibodyPlant(0.001) if plant is None else plant
    # Drake reads meshes when a picture or a contact asks for them: they stay as long as the plant.
    folder = TemporaryDirectory(prefix="sdfviewer-")
    weakref.finalize(made, folder.cleanup)
    try:
        parsing.Parser(made).AddModels(_bundled(table, loader, "Drake", "1.11", folder.name, skip_missing))
    except RuntimeError as error:
        raise SdfViewerError(f"Drake refuses the model: {error}") from error
    if plant is None:
        made.Finalize()
    return made


# --- the box around a model ----------------------------------------------------------------------------------------


def bounding_box(links: Handles[Link], X_RootL: Array) -> Array:
    """Return the smallest and largest x, y and z (2, 3) of all visuals, of links without any of their collisions."""
    corners = []
    for link, X in zip(links, X_RootL, strict=True):
        for shape in link.visuals or link.collisions:
            if isinstance(shape.geometry, (Empty, Plane)):
                continue
            X_RootS = X @ shape.pose_in_owner
            p = shape.triangles().vertices @ X_RootS[:3, :3].T + X_RootS[:3, 3]
            corners += [p.min(axis=0), p.max(axis=0)]
    if not corners:
        raise SdfViewerError("there are no shapes, so there is no box around them")
    return np.stack([np.min(corners, axis=0), np.max(corners, axis=0)])


# --- networkx -----------------------------------------------------------------------------------------------------


GraphName = Literal["relative_to", "attached_to", "kinematic"]


def build_graph(table: FrameTable, kind: GraphName) -> networkx.DiGraph[str]:
    """Return a graph of a frame table, see :meth:`sdfviewer.Model.graph`.

    Raises
    ------
    InvalidValueError
        If there is no such graph.
    """
    import networkx  # noqa: PLC0415  # takes 100 ms

    if kind not in ("relative_to", "attached_to", "kinematic"):
        raise InvalidValueError(f"there is no graph '{kind}': use 'relative_to', 'attached_to' or 'kinematic'")
    graph: networkx.DiGraph[str] = networkx.DiGraph(kind=kind, name=table.name)
    names = [short_name(table, row) for row in range(len(table))]
    if kind == "kinematic":
        _add_kinematics(graph, table, names)
    else:
        _add_references(graph, table, names, kind)
    return graph


def _add_references(graph: networkx.DiGraph[str], table: FrameTable, names: Sequence[str], kind: GraphName) -> None:
    rows = [row for row, each in enumerate(table.kinds) if each.is_vertex]
    for row in rows:
        graph.add_node(names[row], kind=table.kinds[row].value, scoped_name=table.names[row])
    targets = table.relative_to if kind == "relative_to" else table.attached_to
    written = table.relative_to_written if kind == "relative_to" else table.attached_to_written
    for row in rows:
        if (target := int(targets[row])) >= 0:
            graph.add_edge(names[row], names[target], written=written[row] is not None)


def _add_kinematics(graph: networkx.DiGraph[str], table: FrameTable, names: Sequence[str]) -> None:
    for row, kind in enumerate(table.kinds):
        if kind is Kind.LINK:
            graph.add_node(names[row], kind="link", scoped_name=table.names[row])
    for joint in table.joints:
        ends = []
        for end in (joint.parent, joint.child):
            body = ROOT if end == ROOT else int(table.bodies[end]) if end >= 0 else end
            is_world = body == ROOT or (body >= 0 and table.kinds[body] is Kind.WORLD)
            ends.append("world" if is_world else names[body] if body >= 0 else None)
        if None not in ends:
            graph.add_edge(*ends, joint=names[joint.row], type=joint.type)
