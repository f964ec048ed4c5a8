"""Poses at random configurations against pydrake's, for every tree model of the corpus that it loads.

Drake is compared where it is installed (``pip install drake``); ``python tests/peers/test_drake.py`` prints the counts.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from sdfviewer import transforms
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.formats.load import load_model
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from tests.corpus import corpus_files, corpus_folder, model_folders

drake = pytest.importorskip("pydrake.all", reason="pydrake is not installed")

CONFIGURATIONS = 100
TOLERANCE = 1e-9


class NotComparable(Exception):
    """Drake refuses the file, or is about something else."""


def packages_of(file: Path) -> list[Path]:
    """Return the folders of packages and models that a file of the corpus needs."""
    more = (corpus_folder() / "RobotLocomotion+models", corpus_folder())
    return [*model_folders(file), *(folder for folder in more if folder.is_dir())]


def load_in_drake(file: Path, packages: list[Path]):
    """Return Drake's plant of a file and the model instances in it by scoped name."""
    text = file.read_text(encoding="utf-8", errors="replace")
    plant = drake.MultibodyPlant(0.0)
    parser = drake.Parser(plant)
    for folder in packages:
        for package in folder.iterdir():
            if package.is_dir() and not parser.package_map().Contains(package.name):
                parser.package_map().Add(package.name, str(package))
    try:
        parser.AddModelsFromString(text, "urdf" if file.suffix.lower() == ".urdf" else "sdf")
        plant.Finalize()
    except RuntimeError as error:
        raise NotComparable(f"Drake: {str(error).splitlines()[0]}") from error
    return plant


def drake_positions(plant, context, model: Model, kinematics: Kinematics, generator: np.random.Generator) -> np.ndarray:
    """Put Drake's joints to random positions, and return the same positions q for ours; followers go along."""
    q = kinematics.follow(generator.uniform(-1.0, 1.0, len(kinematics.dofs)))
    theirs = plant.GetPositions(context).copy()
    for column, dof in enumerate(kinematics.dofs):
        joint = joint_in(plant, model, dof.joint.name)
        if joint is None or dof.lower == dof.upper:
            # It moves nothing there: libsdformat may keep a fixed joint as one with equal limits.
            q[column] = 0.0
        elif joint.num_positions() > dof.axis:
            theirs[joint.position_start() + dof.axis] = q[column]
    plant.SetPositions(context, theirs)
    return q


def instance_name(model: Model, name: str) -> tuple[str, str]:
    scope, _, local = name.rpartition("::")
    return scope, local


def joint_in(plant, model: Model, name: str):
    scope, local = instance_name(model, name)
    if not plant.HasModelInstanceNamed(scope):
        return None
    instance = plant.GetModelInstanceByName(scope)
    return plant.GetJointByName(local, instance) if plant.HasJointNamed(local, instance) else None


def body_in(plant, model: Model, name: str):
    scope, local = instance_name(model, name)
    if not plant.HasModelInstanceNamed(scope):
        return None
    instance = plant.GetModelInstanceByName(scope)
    return plant.GetBodyByName(local, instance) if plant.HasBodyNamed(local, instance) else None


def rounding_of_axes(kinematics: Kinematics) -> float:
    """Return by how much Drake's axes may be off: it takes one next to a coordinate axis for that axis itself."""
    off = 0.0
    for dof in kinematics.dofs:
        if dof.axis < len(dof.joint.axes):
            nearest = float(np.sort(np.abs(dof.joint.axes[dof.axis].xyz))[:2].max())
            off = max(off, nearest if nearest < 1e-7 else 0.0)
    return off


def compare(file: Path, packages: list[Path] | None = None) -> tuple[int, float]:
    """Return how many bodies were compared, and the largest difference of an entry of their relative poses.

    What the file includes is in ``packages``, by default those of a file of the corpus. What Drake itself rounds is
    not counted. Bodies are compared in the first body of their own tree: where a free tree floats is nobody's claim.
    """
    packages = packages_of(file) if packages is None else packages
    model = load_model(file, paths=packages)
    if any(diagnostic.is_error for diagnostic in model.diagnostics):
        raise NotComparable("not valid")
    kinematics = Kinematics(model)
    if kinematics.loop_joints:
        raise NotComparable("has loops")
    if any(joint.type == "gearbox" for joint in model.joints):
        raise NotComparable("has a gearbox, which Drake does not know")
    if not kinematics.dofs:
        raise NotComparable("nothing moves")
    plant = load_in_drake(file, packages)
    context = plant.CreateDefaultContext()
    rows = [row for row, kind in enumerate(model.kinds) if kind is Kind.LINK and not model.static[row]]
    rows = [row for row in rows if body_in(plant, model, model.names[row]) is not None]
    trees: dict[int, int] = {}
    for row in rows:
        root = row
        while (carrier := kinematics.forest.carriers.get(root)) is not None:
            root = carrier.body
        trees[row] = root
    first = {root: next(row for row in rows if trees[row] == root) for root in set(trees.values())}
    generator, worst = np.random.default_rng(11), 0.0
    for _ in range(CONFIGURATIONS):
        q = drake_positions(plant, context, model, kinematics, generator)
        X = dict(zip(rows, kinematics.poses(q, rows), strict=True))
        theirs = {
            row: plant.EvalBodyPoseInWorld(context, body_in(plant, model, model.names[row])).GetAsMatrix4()
            for row in rows
        }
        for row in rows:
            base = first[trees[row]]
            mine = transforms.invert(X[base]) @ X[row]
            other = transforms.invert(theirs[base]) @ theirs[row]
            worst = max(worst, float(np.abs(mine - other).max()))
    return len(rows), worst - 2.0 * rounding_of_axes(kinematics)


def files() -> list[Path]:
    return corpus_files(".sdf", ".world", ".urdf")


def name_of(file: Path) -> str:
    """Return how a file is called in the corpus."""
    return file.relative_to(corpus_folder()).as_posix()


@pytest.mark.corpus
@pytest.mark.parametrize("file", files(), ids=name_of)
def test_bodies_are_where_drake_puts_them(file: Path) -> None:
    try:
        count, worst = compare(file)
    except (NotComparable, SdfViewerError) as why:
        pytest.skip(str(why))
    assert count
    assert worst < TOLERANCE


def main() -> int:
    """Compare all files and print what came of it."""
    outcomes: Counter[str] = Counter()
    bodies = 0
    for file in files():
        try:
            count, worst = compare(file)
        except (NotComparable, SdfViewerError) as why:
            outcomes[str(why).split(":")[0]] += 1
            continue
        bodies += count
        outcomes["equal" if worst < TOLERANCE else "DIFFERENT"] += 1
        if worst >= TOLERANCE:
            print(f"{worst:.3g}  {name_of(file)}")
    print(dict(outcomes), f"{bodies} bodies, {CONFIGURATIONS} configurations each")
    return 1 if outcomes["DIFFERENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
