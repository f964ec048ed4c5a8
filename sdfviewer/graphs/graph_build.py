"""Build the graphs of a model, even if it has errors."""

from __future__ import annotations

from collections import Counter

import numpy as np

from sdfviewer.formats.registry import places_of
from sdfviewer.graphs.graph_view import GHOST, Graph, GraphKind, ScopeBox
from sdfviewer.graphs.layout import Bools, Ints
from sdfviewer.model.graph import ROOT, UNRESOLVED, cycles
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.tree import body_of, span
from sdfviewer.model.model import Model
from sdfviewer.model.targets import Attribute, ReferenceTargets


def build_graph(model: Model, kind: GraphKind) -> Graph:
    """Return one of the three graphs of a model with every box open."""
    return build_kinematic_graph(model) if kind is GraphKind.KINEMATIC else build_frame_graph(model, kind)


def build_frame_graph(model: Model, kind: GraphKind) -> Graph:
    """Return the ``attached_to`` or the ``relative_to`` graph of a model.

    Parameters
    ----------
    model
        Where the frames come from, however broken.
    kind
        Which of the two.
    """
    if kind is GraphKind.ATTACHED_TO:
        named, written_names = model.attached_to, model.attached_to_written
    else:
        named, written_names = model.relative_to, model.relative_to_written
    vertex_kinds = {kind: kind.value for kind in Kind if kind.is_vertex}
    rows = np.array([row for row, kind in enumerate(model.kinds) if kind in vertex_kinds], dtype=np.intp)
    n = len(rows)
    vertex_of = np.full(len(model.names) + 2, -1, dtype=np.intp)  # the two extra entries serve -1 and -2
    vertex_of[rows] = np.arange(n)
    parents = vertex_of[named[rows]]

    ghosts: dict[tuple[int, str], int] = {}
    named_by: list[int] = []
    names, notes = [model.names[row] for row in rows.tolist()], [""] * n
    for vertex in np.flatnonzero(named[rows] == UNRESOLVED).tolist():
        row = int(rows[vertex])
        # The target of a default may be missing as well: what a frame is attached to, what a joint moves.
        missing = written_names[row] or model.attached_to_written[row] or _default_target(model, kind, row)
        key = (int(model.scopes[row]), missing)
        if key not in ghosts:
            ghosts[key] = n + len(ghosts)
            named_by.append(row)
        parents[vertex] = ghosts[key]
        notes[vertex] = f"{kind.value} names {missing!r}, which does not exist here" if missing else "it names no frame"
    scope_rows = [scope for scope, _ in ghosts]
    parents = np.concatenate([parents, np.full(len(ghosts), -1, dtype=np.intp)])
    notes += [_explain_ghost(model, kind, row, missing) for row, (_, missing) in zip(named_by, ghosts, strict=True)]
    names += [f"?{model.names[scope]}::{missing}" for scope, missing in ghosts]

    rings = tuple(tuple(ring) for ring in cycles(parents))
    unresolved = _leads_nowhere(parents, rings, range(n, n + len(ghosts)))
    _note_causes(notes, parents, rings, unresolved, [model.names[row] for row in rows.tolist()])
    boxes, box_of = _boxes(model, rows, scope_rows)
    sources = np.flatnonzero(parents >= 0)
    cycle_of = np.full(len(parents), -1, dtype=np.intp)
    for index, cycle in enumerate(rings):
        cycle_of[list(cycle)] = index
    is_written = np.array([_is_written(model, kind, row) for row in rows.tolist()] + [False] * len(ghosts), dtype=bool)
    return Graph(
        kind=kind,
        names=tuple(names),
        labels=(*_labels(model, rows, boxes, box_of), *(missing or "?" for _, missing in ghosts)),
        kinds=(*(vertex_kinds[model.kinds[row]] for row in rows.tolist()), *(GHOST for _ in ghosts)),
        rows=np.concatenate([rows, np.full(len(ghosts), -1, dtype=np.intp)]),
        canonical=_pad(_canonical_links(model)[rows], len(ghosts)),
        static=_pad(model.static[rows], len(ghosts)),
        unresolved=unresolved,
        folded=np.zeros(len(parents), dtype=np.intp),
        members=np.zeros(len(parents), dtype=np.intp),
        notes=tuple(notes),
        parents=parents,
        box_of=box_of,
        boxes=boxes,
        sources=sources,
        targets=parents[sources],
        written=is_written[sources],
        cycle_of=cycle_of[sources],
        cycles=rings,
    )


def _is_written(model: Model, kind: GraphKind, row: int) -> bool:
    """Return whether the file says where an edge leads: by the attribute, by a joint's child, by a canonical link."""
    if kind is GraphKind.RELATIVE_TO:
        return bool(model.relative_to_written[row])
    if model.kinds[row] is Kind.JOINT:
        return _child_text(model, row) is not None
    if model.kinds[row] is Kind.MODEL:
        return bool(model.elements[row].attributes.get("canonical_link"))
    return bool(model.attached_to_written[row])


def build_kinematic_graph(model: Model) -> Graph:
    """Return the graph of bodies and joints: edges from a joint's parent body to the joint and on to its child body.

    The joints that close loops are those of the kinematics. A body hangs on the first joint that carries it; every
    other joint that has it as its child is an extra edge.
    """
    ends = {joint.row: (_body(model, joint.parent), _body(model, joint.child)) for joint in model.joints}
    rows = [row for row, kind in enumerate(model.kinds) if kind in {Kind.LINK, Kind.JOINT}]
    names = [model.names[row] for row in rows]
    labels = [model.label(row) for row in rows]
    kinds = [model.kinds[row].value for row in rows]
    has_world = any(0 in pair for pair in ends.values())
    vertex_of = {row: vertex + has_world for vertex, row in enumerate(rows)}
    if has_world:  # it comes first; in a model file it is no frame of the file
        vertex_of[0] = 0
        rows.insert(0, 0 if model.kinds[0] is Kind.WORLD else -1)
        for column in (names, labels, kinds):
            column.insert(0, Kind.WORLD.value)
    n = len(names)
    notes = [""] * n
    parents = np.full(n, -1, dtype=np.intp)
    forest = span(model, model.joints)
    carrying = {carrier.joint.row for carrier in forest.carriers.values()}
    edges: list[tuple[int, int]] = []
    for joint in model.joints:
        moved_by = vertex_of[joint.row]
        parent, child = (vertex_of.get(row, -1) for row in ends[joint.row])
        if parent >= 0:
            parents[moved_by] = parent
            edges.append((parent, moved_by))
        if child >= 0:
            edges.append((moved_by, child))
        if child < 0 or parent < 0:
            notes[moved_by] = "its parent or child cannot be found"
    for joint in sorted(model.joints, key=lambda joint: joint.row not in carrying):
        moved_by, child = vertex_of[joint.row], vertex_of.get(ends[joint.row][1], -1)
        if child >= 0 and parents[child] < 0 and not _hangs_on(parents, moved_by, child):
            parents[child] = moved_by
    loops: list[tuple[int, ...]] = []
    for joint in forest.loop_joints:
        bodies = body_of(model, joint.parent), body_of(model, joint.child)
        around = forest.loop(joint, *bodies)
        notes[vertex_of[joint.row]] = f"closes a loop of {len(around)} bodies"
        loops.append(_loop_vertices(model, around, bodies[1], vertex_of, ends))
    cycle_of = np.full(len(edges), -1, dtype=np.intp)
    for index, loop in enumerate(loops):
        ring = set(zip(loop, (*loop[1:], loop[0]), strict=True))
        for position, (source, target) in enumerate(edges):
            if cycle_of[position] < 0 and ((source, target) in ring or (target, source) in ring):
                cycle_of[position] = index
    row_column = np.array(rows, dtype=np.intp)
    known = np.maximum(row_column, 0)
    boxes, box_of = _boxes(model, row_column, [])
    ends_column = np.array(edges, dtype=np.intp).reshape(-1, 2)
    return Graph(
        kind=GraphKind.KINEMATIC,
        names=tuple(names),
        labels=tuple(labels),
        kinds=tuple(kinds),
        rows=row_column,
        canonical=_canonical_links(model)[known],
        static=model.static[known],
        unresolved=np.zeros(n, dtype=bool),
        folded=np.zeros(n, dtype=np.intp),
        members=np.zeros(n, dtype=np.intp),
        notes=tuple(notes),
        parents=parents,
        box_of=np.where(row_column <= 0, -1, box_of),
        boxes=boxes,
        sources=ends_column[:, 0],
        targets=ends_column[:, 1],
        written=np.ones(len(edges), dtype=bool),
        cycle_of=cycle_of,
        cycles=tuple(loops),
    )


def _hangs_on(parents: Ints, vertex: int, other: int) -> bool:
    """Return whether a vertex is below another one, or is that one."""
    while vertex >= 0 and vertex != other:
        vertex = int(parents[vertex])
    return vertex == other


def _loop_vertices(
    model: Model, joints: list[Joint], body: int, vertex_of: dict[int, int], ends: dict[int, tuple[int, int]]
) -> tuple[int, ...]:
    """Return the vertices of a loop of joints that begins at a body: bodies and joints in turn.

    Of the ground, which is one body, the two links are given that the loop passes through.
    """
    vertices: dict[int, None] = {}
    for joint in joints:
        parent, child = body_of(model, joint.parent), body_of(model, joint.child)
        before, after = ends[joint.row] if parent == body else ends[joint.row][::-1]
        body = child if parent == body else parent
        for row in (before, joint.row, after):
            if row in vertex_of:  # what is outside of a model file is no vertex
                vertices[vertex_of[row]] = None
    return tuple(vertices)


def _body(model: Model, row: int) -> int:
    """Return the row of the body that a joint's end belongs to: 0 for the world, negative if there is none."""
    if row < 0:
        return 0 if row == ROOT else row
    return int(model.bodies[row])


def _pad(column: Bools, count: int) -> Bools:
    return np.concatenate([column, np.zeros(count, dtype=bool)])


def _child_text(model: Model, row: int) -> str | None:
    """Return the child of a joint: its default relative_to."""
    return model.elements[row].text_of("child") or None


def _default_target(model: Model, kind: GraphKind, row: int) -> str:
    """Return the name in a joint that its edge leads to by default: in URDF its pose is relative to the parent."""
    from sdfviewer.refactoring.properties.property_values import written_property  # noqa: PLC0415  # rarely needed

    by_parent = kind is GraphKind.RELATIVE_TO and places_of(model, row) is not None
    return written_property(model, row, "parent" if by_parent else "child") or ""


def _explain_ghost(model: Model, kind: GraphKind, row: int, missing: str) -> str:
    if not missing:
        return "the name is missing"
    attribute: Attribute = "relative_to" if kind is GraphKind.RELATIVE_TO else "attached_to"
    return ReferenceTargets(model, row, attribute).explain_unknown(missing)


def _leads_nowhere(parents: Ints, rings: tuple[tuple[int, ...], ...], ghosts: range) -> Bools:
    """Return which vertices end in a cycle or in a ghost instead of a root."""
    n = len(parents)
    jump = np.where(parents < 0, np.arange(n), parents)
    for _ in range(n.bit_length()):
        jump = jump[jump]
    lost = np.zeros(n, dtype=bool)
    lost[list(ghosts)] = True
    for ring in rings:
        lost[list(ring)] = True
    return lost[jump]


def _note_causes(
    notes: list[str], parents: Ints, rings: tuple[tuple[int, ...], ...], unresolved: Bools, names: list[str]
) -> None:
    """Note for each unresolved vertex why; those that name a missing frame have their note already."""
    count = Counter(names)
    for ring in rings:
        path = " → ".join(names[v] for v in (*ring, ring[0]))
        clash = next((names[v] for v in ring if count[names[v]] > 1), None)
        for v in ring:
            # Report the duplicate name, not the cycle that it causes.
            notes[v] = f"on the cycle {path}" if clash is None else f"{clash!r} is defined more than once"
    causes = {v: v for v, note in enumerate(notes) if note}
    for start in np.flatnonzero(unresolved).tolist():
        way = [start]
        while way[-1] not in causes:
            way.append(int(parents[way[-1]]))
        cause = causes[way.pop()]
        for v in way:
            causes[v] = cause
            notes[v] = f"leads to {names[cause]}: {notes[cause]}"


def _canonical_links(model: Model) -> Bools:
    canonical = np.zeros(len(model), dtype=bool)
    canonical[list(model.canonical_links.values())] = True
    return canonical


def _boxes(model: Model, rows: Ints, ghost_scopes: list[int]) -> tuple[tuple[ScopeBox, ...], Ints]:
    """Return a box for each nested model, and the box of each vertex: a model frame is in its own box."""
    boxes: list[ScopeBox] = []
    box_of_scope = {0: -1}
    scope_of = model.scopes.tolist()
    for row, kind in enumerate(model.kinds):
        if kind is Kind.MODEL and row > 0:
            around = box_of_scope.get(scope_of[row], -1)
            box_of_scope[row] = len(boxes)
            boxes.append(ScopeBox(model.names[row], model.label(row), row, around))
    scopes = [row if row in box_of_scope else scope_of[row] for row in rows.tolist()] + ghost_scopes
    return tuple(boxes), np.array([box_of_scope.get(scope, -1) for scope in scopes], dtype=np.intp)


def _labels(model: Model, rows: Ints, boxes: tuple[ScopeBox, ...], box_of: Ints) -> list[str]:
    heads = {box.name for box in boxes}
    labels = []
    for row in rows.tolist():
        name = model.names[row]
        labels.append("__model__" if name in heads and model.kinds[row] is Kind.MODEL else model.label(row))
    return labels
