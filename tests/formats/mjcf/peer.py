"""What MuJoCo says about an MJCF file, live or as recorded, and the same of a model of this program.

``python -m tests.formats.mjcf.peer`` records the answers of the installed MuJoCo about the files beside this one.
``python -m tests.formats.mjcf.peer FOLDER...`` compares every MJCF file in folders with it, such as the robots of
MuJoCo Menagerie, and prints what differs and how many are equal.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from sdfviewer.files.opening import open_document
from sdfviewer.formats.contents import read_inertial
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.formats.mjcf.format import MjcfExpansion
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array, matrix_to_rpy, quaternion_to_matrix

FILES = Path(__file__).parent / "files"
ANSWERS = Path(__file__).parent / "answers.json"
#: MuJoCo's numbers for types of joints.
_FREE, _BALL = 0, 1


def ask_mujoco(path: Path, count: int) -> dict[str, Any]:
    """Return the masses of all bodies, and where bodies and sites are at random configurations."""
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    random = np.random.default_rng(7)
    poses = []
    is_coupling = model.eq_type == mujoco.mjtEq.mjEQ_JOINT
    for _ in range(count):
        moved: list[list[float]] = []
        for joint in range(model.njnt):
            at, kind = model.jnt_qposadr[joint], model.jnt_type[joint]
            if kind == _FREE:
                moved.append([])
            elif kind == _BALL:
                turn = random.normal(size=4)
                data.qpos[at : at + 4] = turn / np.linalg.norm(turn)
                moved.append((turn / np.linalg.norm(turn)).tolist())
            else:
                moved.append([float(random.uniform(-1.5, 1.5))])
        for number in np.flatnonzero(is_coupling):
            follower, leader = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
            offset, gain = model.eq_data[number, :2]
            moved[follower] = [float(offset + gain * moved[leader][0])]
        for joint in range(model.njnt):
            at = model.jnt_qposadr[joint]
            if model.jnt_type[joint] not in (_FREE, _BALL):
                data.qpos[at] = model.qpos0[at] + moved[joint][0]
        mujoco.mj_kinematics(model, data)
        poses.append(
            {
                "moved": moved,
                "bodies": [[*p, *R] for p, R in zip(data.xpos.tolist(), data.xmat.tolist(), strict=True)],
                "sites": [[*p, *R] for p, R in zip(data.site_xpos.tolist(), data.site_xmat.tolist(), strict=True)],
            }
        )
    inertias = []
    for body in range(model.nbody):
        R = quaternion_to_matrix(model.body_iquat[body])
        inertias.append((R @ np.diag(model.body_inertia[body]) @ R.T).ravel().tolist())
    return {
        "masses": model.body_mass.tolist(),
        "centres": model.body_ipos.tolist(),
        "inertias": inertias,
        "configurations": poses,
    }


def expansion_of(model: Model) -> MjcfExpansion:
    """Return what an MJCF file was written as."""
    document = model.document_of(0)
    assert isinstance(document, MjcfExpansion)
    return document


def largest_errors(path: Path, answers: dict[str, Any]) -> tuple[float, float]:
    """Return by how much poses, and masses, centres and inertias differ from MuJoCo's, at most."""
    model = load_model(path)
    expansion, kinematics = expansion_of(model), Kinematics(model)
    rows = {
        model.local_names[row]: row
        for row in range(len(model))
        if model.kinds[row] in (Kind.LINK, Kind.FRAME, Kind.JOINT)
    }
    bodies = [rows[name] if name else -1 for name in expansion.links]
    sites = [rows[name] for name in expansion.sites]
    assert len(bodies) == len(answers["masses"])
    worst = 0.0
    for answer in answers["configurations"]:
        q = kinematics.q0.copy()
        for name, moved in zip(expansion.joints, answer["moved"], strict=True):
            columns = kinematics.columns_of_joints.get(rows.get(name, -1), [])
            if moved:
                q[columns] = matrix_to_rpy(quaternion_to_matrix(moved)) if len(moved) == 4 else moved
        X_RootF = kinematics.poses(kinematics.follow(q))
        for row, wanted in zip([*bodies, *sites], [*answer["bodies"], *answer["sites"]], strict=True):
            if row >= 0:
                worst = max(worst, _difference(X_RootF[row], wanted))
    masses = 0.0
    for row, mass, centre, inertia in zip(
        bodies[1:], answers["masses"][1:], answers["centres"][1:], answers["inertias"][1:], strict=True
    ):
        found = read_inertial(model, row)
        masses = max(masses, abs(found.mass - mass), float(np.abs(found.inertia_in_link.ravel() - inertia).max()))
        if mass:
            masses = max(masses, float(np.abs(found.center_of_mass - centre).max()))
    return worst, masses


def _difference(X: Array, wanted: list[float]) -> float:
    return float(np.abs(np.concatenate([X[:3, 3], X[:3, :3].ravel()]) - wanted).max())


def compare_files(paths: Iterable[Path]) -> int:
    """Print what differs from MuJoCo and what one of both refuses, and return how many files differ."""
    counts: Counter[str] = Counter()
    for path in paths:
        model, diagnostics = Loader().load_with_diagnostics(open_document(path))
        why = next((str(each) for each in diagnostics if each.is_error), "" if model is not None else "no model")
        try:
            answers, why_not = ask_mujoco(path, 20), ""
        except (ValueError, FileNotFoundError) as error:  # what MuJoCo raises for a file that it refuses
            answers, why_not = {}, " ".join(str(error).split())
        if why or why_not:
            what = "refused by both" if why and why_not else "refused here" if why else "refused by MuJoCo"
            print(f"{path}: {what}: {why or why_not}", flush=True)
        else:
            poses, masses = largest_errors(path, answers)
            what = "equal" if poses < 1e-9 else "other poses"
            if max(poses, masses) >= 1e-9:
                print(f"{path}: poses differ by {poses:.1e}, masses and inertias by {masses:.1e}", flush=True)
        counts[what] += 1
    print(", ".join(f"{count} {what}" for what, count in counts.most_common()))
    return counts["other poses"]


def robots_in(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the files in folders that are MJCF by themselves, not what others include."""
    for folder in folders:
        for path in sorted(folder.rglob("*.xml")):
            if re.search(r"<mujoco\b.*<(worldbody|include)\b", path.read_text("utf-8", "replace"), re.DOTALL):
                yield path


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(min(compare_files(robots_in(map(Path, sys.argv[1:]))), 1))
    found = {path.name: ask_mujoco(path, 2) for path in sorted(FILES.glob("*.xml"))}
    ANSWERS.write_text(
        json.dumps(found, separators=(",", ":")).replace('"bodies"', '\n"bodies"') + "\n", encoding="utf-8"
    )
