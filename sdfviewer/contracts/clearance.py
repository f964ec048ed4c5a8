"""Contracts about the distance of links, at one position of the joints or while they move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from sdfviewer.contracts.subject import ContractError, ContractSubject
from sdfviewer.model.shapes.surface import Convex
from sdfviewer.number_text import format_shown, in_millimetres
from sdfviewer.scene.collision.bodies import CollisionShape, collision_shapes
from sdfviewer.scene.collision.convex import Bools, overlap
from sdfviewer.scene.collision.triangles import Numbers
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.transforms import Array

#: Positions of each joint that are tried where the contract says nothing.
SAMPLES = 25
#: Halvings by which the least distance is found.
_HALVINGS = 24


def check_clearance(subject: ContractSubject) -> Iterator[ContractError]:
    """Yield that two links come too near. Meshes count as their convex hulls."""
    written = subject.content["clearance"]
    names, least = written["between"], written["min"]
    rows = [subject.row(name, "clearance", "between") for name in names]
    shapes, problems = collision_shapes(subject.model, MeshLoader(subject.state.finder), hulls=True)
    a, b = (_shapes_of(subject, shapes, row) for row in rows)
    for row, name, own in zip(rows, names, (a, b), strict=True):
        if not own:
            why = f": {problems[0].message}" if problems else ""
            raise ContractError(f"'{name}' has no collision shape{why}", "clearance", row=row, is_unverified=True)
    q = _positions(subject, written.get("sweep", []), written.get("samples", SAMPLES))
    X = subject.state.kinematics.poses(q, np.array([shape.row for shape in (*a, *b)]))
    pairs = np.array(list(product(range(len(q)), range(len(a)), range(len(a), len(a) + len(b)))), dtype=np.int64)

    def too_near(which: Numbers, distance: float) -> Bools:
        near = [_grown(shape.convex, distance / 2.0) for shape in (*a, *b) if shape.convex is not None]
        n, i, j = pairs[which].T
        return overlap(near, i, j, X[n, i], X[n, j])

    found = np.flatnonzero(too_near(np.arange(len(pairs)), least))
    if not len(found):
        return
    low, high = 0.0, least
    if len(touching := found[too_near(found, 0.0)]):
        found, high = touching, 0.0
    else:
        for _ in range(_HALVINGS):
            middle = (low + high) / 2.0
            if len(still := found[too_near(found, middle)]):
                high, found = middle, still
            else:
                low = middle
    at = _in_words(subject, q[pairs[found[0], 0]])
    apart = f"are {in_millimetres(high)} apart, less than {in_millimetres(least)}" if high else "touch"
    yield ContractError(f"'{names[0]}' and '{names[1]}' {apart}{at}", "clearance", row=rows[0])


def _shapes_of(subject: ContractSubject, shapes: Sequence[CollisionShape], row: int) -> list[CollisionShape]:
    inside = subject.model.inside(row)
    return [shape for shape in shapes if shape.row in inside and shape.convex is not None]


def _grown(shape: Convex | None, distance: float) -> Convex:
    """Return all points within a distance of a shape."""
    assert shape is not None
    return replace(shape, margin=shape.margin + distance)


def _positions(subject: ContractSubject, sweep: str | list[str], samples: int) -> Array:
    """Return the positions (n, m) to be tried: each joint of the sweep from limit to limit, the others as given."""
    kinematics = subject.state.kinematics
    names = [sweep] if isinstance(sweep, str) and sweep != "all" else sweep
    columns = [column for column, dof in enumerate(kinematics.dofs) if dof.leader is None]
    if names != "all":
        rows = {subject.row(name, "clearance", "sweep"): name for name in names}
        for row, name in rows.items():
            if why := kinematics.why_fixed(row):
                raise ContractError(f"'{name}' {why}", "clearance", "sweep")
        columns = [column for column in columns if kinematics.dofs[column].joint.row in rows]
    q = [subject.q]
    for column in columns:
        for value in np.linspace(*kinematics.dofs[column].range, samples):
            q.append(subject.q.copy())
            q[-1][column] = value
    followed: Array = kinematics.follow(np.array(q))
    return followed


def _in_words(subject: ContractSubject, q: Array) -> str:
    """Return where the joints are that are not at zero."""
    dofs = subject.state.kinematics.dofs
    moved = [
        f"{dof.name} = {format_shown(float(value))}"
        for dof, value in zip(dofs, q, strict=True)
        if value and dof.leader is None
    ]
    more = f" and {len(moved) - 4} more" if len(moved) > 4 else ""
    return f" at {', '.join(moved[:4])}{more}" if moved else ""
