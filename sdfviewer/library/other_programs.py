"""Models as objects of other programs: trimesh, Pinocchio, MuJoCo, Drake, networkx."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from sdfviewer.diagnostics import InvalidValueError, SdfViewerError
from sdfviewer.formats.load import Loader
from sdfviewer.library.conversion import save_bundle, to_urdf
from sdfviewer.library.elements import Link
from sdfviewer.library.names import Handles, short_name
from sdfviewer.library.triangles import import_program
from sdfviewer.model.graph import ROOT
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model as FrameTable
from sdfviewer.model.shapes.kind import Empty
from sdfviewer.model.shapes.plane import Plane
from sdfviewer.transforms import Array

if TYPE_CHECKING:
    import networkx


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
