"""Contracts about links: how far apart they stay, what they weigh, and where their centre is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from sdfviewer.contracts.geometry import bounds_of, in_words
from sdfviewer.contracts.subject import ContractError, ContractSubject
from sdfviewer.formats.mass import link_bodies, links_of
from sdfviewer.model.shapes.surface import Convex
from sdfviewer.model.solids import Body
from sdfviewer.number_text import format_shown, in_millimetres
from sdfviewer.scene.collisions import CollisionShape, collision_shapes
from sdfviewer.scene.loader import MeshLoader
from sdfviewer.scene.overlaps import Bools, Numbers, overlap
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


#: What is no higher than that above the lowest point of a link touches the ground, in metres.
CONTACT_HEIGHT = 0.005


def check_mass(subject: ContractSubject) -> Iterator[ContractError]:
    """Yield that a mass is too small or too large."""
    written = subject.content["mass"]
    name = written.get("of", "")
    row = subject.row(name, "mass", "of") if name else 0
    mass = _total(subject, row, "mass").mass
    for key, is_wrong, word in bounds_of(mass, written):
        if is_wrong:
            what = f"the mass of '{name}'" if name else "the total mass"
            bound = format_shown(written[key])
            yield ContractError(f"{what} is {format_shown(mass)} kg, {word} {bound} kg", "mass", key, row=row)


def check_center_of_mass(subject: ContractSubject) -> Iterator[ContractError]:
    """Yield that the centre of mass has left its box, or is no longer above what carries the model."""
    written = subject.content["center_of_mass"]
    base, _ = subject.base
    p_RootC = np.append(_total(subject, 0, "center_of_mass").p_FB, 1.0)
    X_BR = subject.in_base(np.eye(4))
    p_BC: Array = (X_BR @ p_RootC)[:3]
    for key, is_wrong in (("min", np.less), ("max", np.greater)):
        if key in written and is_wrong(p_BC, written[key]).any():
            word = {"min": "below", "max": "above"}[key]
            yield ContractError(
                f"the centre of mass is at {in_words(p_BC)} in '{base}', {word} {in_words(written[key])}",
                "center_of_mass",
                key,
            )
    if "above" not in written:
        return
    links = written["above"]
    points = _contact_points(subject, [subject.row(name, "center_of_mass", "above") for name in links], X_BR)
    verb = "stands" if len(links) == 1 else "stand"
    inside = _distance_inside(p_BC[:2], points)
    margin = written.get("margin", 0.0)
    if inside < margin:
        where = (
            f"{in_millimetres(-inside)} outside of"
            if inside < 0
            else f"only {in_millimetres(inside)} inside of the edge of"
        )
        yield ContractError(
            f"the centre of mass, at {in_words(p_BC[:2])} in '{base}', is {where} what {', '.join(links)} {verb} on",
            "center_of_mass",
            "above",
        )


def _total(subject: ContractSubject, row: int, key: str) -> Body:
    """Return the mass of the links of a row as one body in the root frame."""
    bodies = link_bodies(subject.model, links_of(subject.model, [row], subject.state.kinematics))
    total, left_out = bodies.total(subject.X_RootF)
    if unknown := (*bodies.unknown, *left_out):
        names = ", ".join(subject.model.names[each] for each in unknown[:3])
        raise ContractError(f"the mass of {names} is not known", key, row=unknown[0], is_unverified=True)
    return total


def _contact_points(subject: ContractSubject, rows: Sequence[int], X_BR: Array) -> Array:
    """Return the points (n, 2) of links that touch a ground below them, in the plane of the base frame."""
    shapes, problems = collision_shapes(subject.model, MeshLoader(subject.state.finder), hulls=False)
    found = []
    for row in rows:
        inside = subject.model.inside(row)
        points = [
            np.concatenate([shape.triangles.reshape(-1, 3), np.ones((shape.triangles.size // 3, 1))], axis=1)
            @ (X_BR @ subject.X_RootF[shape.row]).T
            for shape in shapes
            if shape.row in inside
        ]
        if not points:
            why = f": {problems[0].message}" if problems else ""
            raise ContractError(
                f"'{subject.model.names[row]}' has no collision shape to stand on{why}",
                "center_of_mass",
                "above",
                row=row,
                is_unverified=True,
            )
        together = np.concatenate(points)
        found.append(together[together[:, 2] <= together[:, 2].min() + CONTACT_HEIGHT, :2])
    return np.concatenate(found)


def _distance_inside(point: Array, points: Array) -> float:
    """Return how far a point (2,) is inside of the convex hull of points (n, 2); negative outside."""
    hull = _hull(points)
    if len(hull) == 1:
        return -float(np.linalg.norm(point - hull[0]))
    starts, along = hull, np.roll(hull, -1, axis=0) - hull
    lengths = np.linalg.norm(along, axis=1)
    across = (along[:, 0] * (point - starts)[:, 1] - along[:, 1] * (point - starts)[:, 0]) / lengths
    if len(hull) > 2 and (across >= 0).all():
        return float(across.min())
    t = np.clip(np.einsum("ij,ij->i", point - starts, along) / lengths**2, 0.0, 1.0)
    return -float(np.linalg.norm(point - starts - t[:, None] * along, axis=1).min())


def _hull(points: Array) -> Array:
    """Return the corners (m, 2) of the convex hull of points (n, 2), counter-clockwise.

    Source: A. M. Andrew, Another efficient algorithm for convex hulls in two dimensions, 1979.
    """
    ordered = np.unique(points, axis=0).tolist()
    if len(ordered) < 3:
        return np.array(ordered)
    chains: list[list[float]] = []
    for each in (ordered, ordered[::-1]):
        chain: list[list[float]] = []
        for x, y in each:
            while len(chain) > 1 and (chain[-1][0] - chain[-2][0]) * (y - chain[-2][1]) <= (
                chain[-1][1] - chain[-2][1]
            ) * (x - chain[-2][0]):
                chain.pop()
            chain.append([x, y])
        chains += chain[:-1]
    return np.array(chains)
