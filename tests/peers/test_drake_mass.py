"""Mass, centre of mass and inertia of the public library against pydrake's, for every file that it loads.

Drake is compared where it is installed (``pip install drake``); ``python tests/peers/test_drake_mass.py`` prints the
counts.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sdfviewer
from sdfviewer import transforms
from sdfviewer.formats.load import load_model
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics

pytest.importorskip("pydrake.all", reason="pydrake is not installed")

from tests.peers.test_drake import (
    NotComparable,
    body_in,
    drake_positions,
    files,
    load_in_drake,
    name_of,
    packages_of,
)

TOLERANCE = 1e-9
CONFIGURATIONS = 5


def compare(file: Path) -> float:
    """Return the largest difference of mass in kg, centre of mass in metres and inertia in kg m², relative to the mass.

    Compared are the links that both have. Trees that float are put where they are here: where they float in Drake is
    nobody's claim.
    """
    paths = packages_of(file)
    model, table = sdfviewer.load(file, paths=paths), load_model(file, paths=paths)
    if not model.is_valid:
        raise NotComparable("not valid")
    plant = load_in_drake(file, paths)
    context = plant.CreateDefaultContext()
    links = [row for row, kind in enumerate(table.kinds) if kind is Kind.LINK]
    bodies = {row: body for row in links if (body := body_in(plant, table, table.names[row])) is not None}
    missing = [row for row in links if row not in bodies]
    if missing or len(bodies) != plant.num_bodies() - 1:
        raise NotComparable("other bodies in Drake: fixed joints are merged there")
    if not bodies:
        raise NotComparable("no links")
    worst, generator = 0.0, np.random.default_rng(3)
    kinematics = Kinematics(table)
    for _ in range(CONFIGURATIONS):
        q = drake_positions(plant, context, table, kinematics, generator)
        X = model.poses(q).array
        X_WR = _root_in_world(plant, context, bodies, X)
        for row, body in bodies.items():
            if body.is_floating_base_body():
                plant.SetFreeBodyPose(context, body, _drake_pose(X_WR @ X[row]))
        worst = max(worst, _difference(plant, context, bodies, model, q, X_WR))
    return worst


def _root_in_world(plant, context, bodies, X: np.ndarray) -> np.ndarray:
    """Return where Drake has the root frame: it takes account of a top model's own pose."""
    for row, body in bodies.items():
        if plant.IsAnchored(body):
            return plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4() @ transforms.invert(X[row])
    return np.eye(4)


def _drake_pose(X: Any):
    from pydrake.math import RigidTransform, RotationMatrix

    return RigidTransform(RotationMatrix.ProjectToRotationMatrix(X[:3, :3]), X[:3, 3])


def _difference(plant, context, bodies, model: sdfviewer.Model, q: np.ndarray, X_WR: np.ndarray) -> float:
    mass = plant.CalcTotalMass(context)
    worst = abs(mass - model.mass)
    if not mass:
        return worst
    p = plant.CalcCenterOfMassPositionInWorld(context)
    mine = X_WR[:3, :3] @ model.center_of_mass(q) + X_WR[:3, 3]
    worst = max(worst, float(np.abs(p - mine).max()))
    indices = [body.index() for body in bodies.values()]
    M = plant.CalcSpatialInertia(context, plant.world_frame(), indices)
    theirs = M.Shift(M.get_com()).CalcRotationalInertia().CopyToFullMatrix3()
    return max(
        worst,
        float(np.abs(theirs - X_WR[:3, :3] @ model.inertia(q) @ X_WR[:3, :3].T).max())
        / max(mass, float(np.abs(theirs).max()), 1.0),
    )


@pytest.mark.corpus
@pytest.mark.parametrize("file", files(), ids=name_of)
def test_masses_are_those_of_drake(file: Path) -> None:
    try:
        worst = compare(file)
    except (NotComparable, sdfviewer.SdfViewerError) as why:
        pytest.skip(str(why))
    assert worst < TOLERANCE


def main() -> int:
    """Compare all files and print what came of it."""
    outcomes: Counter[str] = Counter()
    for file in files():
        try:
            worst = compare(file)
        except (NotComparable, sdfviewer.SdfViewerError) as why:
            outcomes[str(why).split(":")[0]] += 1
            continue
        outcomes["equal" if worst < TOLERANCE else "DIFFERENT"] += 1
        if not worst < TOLERANCE:
            print(f"{worst:.3g}  {name_of(file)}")
    print(dict(outcomes))
    return 1 if outcomes["DIFFERENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
