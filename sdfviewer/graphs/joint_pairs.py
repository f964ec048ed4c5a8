"""Pairs of a link and a joint that is only attached to it: the graph of bodies needs one vertex for both."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from sdfviewer.graphs.folding import merge
from sdfviewer.graphs.graph_view import Graph, GraphKind


def fold_joints(graph: Graph, apart: Collection[str] = (), opened: Collection[str] = ()) -> Graph:
    """Return the ``attached_to`` graph with each joint in its child link where the joint says nothing else.

    A joint is always attached to its child, so its edge is news only where something is attached to the joint, where
    the child is a frame or in another model, or where something is wrong.

    Parameters
    ----------
    graph
        What to draw, perhaps with folded models; other graphs are returned as they are.
    apart
        Scoped names of joints that are drawn for themselves, such as those of the selection.
    opened
        Scoped names of links whose joints are drawn for themselves.
    """
    if graph.kind is not GraphKind.ATTACHED_TO or not len(graph):
        return graph
    kinds = np.array(graph.kinds)
    leads_on = graph.parents >= 0
    folds = (kinds == "joint") & leads_on & ~graph.unresolved & (kinds[graph.parents] == "link")
    folds &= graph.box_of == graph.box_of[graph.parents]
    folds[graph.targets] = False
    folds[[vertex for vertex in map(graph.vertex_of, apart) if vertex >= 0]] = False
    for link in map(graph.vertex_of, opened):
        folds[graph.parents == link] &= link < 0
    joints = np.flatnonzero(folds)
    if not len(joints):
        return graph
    owner = np.arange(len(graph))
    owner[joints] = graph.parents[joints]
    hidden = {graph.names[joint]: graph.names[link] for joint, link in zip(joints, owner[joints], strict=True)}
    return replace(merge(graph, np.flatnonzero(~folds), owner), hidden={**graph.hidden, **hidden}, _index={})
