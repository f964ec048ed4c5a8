"""The frame graphs and the kinematic graph as graphs of networkx."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.library.names import short_name
from sdfviewer.model.graph import ROOT
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model as FrameTable

if TYPE_CHECKING:
    import networkx

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
