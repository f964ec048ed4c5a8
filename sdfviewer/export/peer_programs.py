"""Other programs that load robot models, in a process of their own: one that crashes ends nothing else.

``main`` loads a file and answers on standard output, a line of JSON each: what it has found, then, for a line with the
positions of joints at some configurations, where the links are at each.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np

from sdfviewer import transforms
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.model.solids import Body, combine
from sdfviewer.transforms import Array

#: Positions of joints by name.
Positions: TypeAlias = Mapping[str, float]


class LoadedRobot(Protocol):
    """A model that another program has loaded."""

    shapes: int | None

    def joints(self) -> set[str]:
        """Return the names of the joints with one degree of freedom that can be moved."""
        ...

    def move(self, q: Positions) -> tuple[dict[str, Array], Body]:
        """Return the poses (4, 4) of links by name in the program's world, and all bodies as one in it."""
        ...


class _Mujoco:
    def __init__(self, file: Path) -> None:
        self._mujoco = mujoco = importlib.import_module("mujoco")
        self._model: Any = mujoco.MjModel.from_xml_path(str(file))
        self._data: Any = mujoco.MjData(self._model)
        keeps_visuals = file.suffix != ".urdf" or 'discardvisual="false"' in file.read_text(encoding="utf-8")
        self.shapes: int | None = self._model.ngeom if keeps_visuals else None

    def joints(self) -> set[str]:
        m = self._model
        return {m.joint(i).name for i in range(m.njnt) if m.jnt_type[i] in (2, 3)}  # slides and hinges

    def move(self, q: Positions) -> tuple[dict[str, Array], Body]:
        m, d = self._model, self._data
        known = self.joints()
        for name, value in q.items():
            if name in known:
                d.qpos[m.jnt_qposadr[m.joint(name).id]] = value
        self._mujoco.mj_kinematics(m, d)
        poses, bodies = {}, []
        for i in range(1, m.nbody):
            X = transforms.pose(d.xmat[i].reshape(3, 3).copy(), d.xpos[i].copy())
            poses[m.body(i).name] = X
            if m.body_mass[i] > 0:
                R = transforms.quaternion_to_matrix(m.body_iquat[i])
                bodies.append(
                    Body(float(m.body_mass[i]), m.body_ipos[i], R @ np.diag(m.body_inertia[i]) @ R.T).moved(X)
                )
        return poses, combine(bodies)


class _Yourdfpy:
    def __init__(self, file: Path) -> None:
        if file.suffix != ".urdf":
            raise SdfViewerError("it reads URDF only")
        package = importlib.import_module("yourdfpy")
        self._robot: Any = package.URDF.load(str(file), load_meshes=False, build_scene_graph=True)
        links = self._robot.robot.links
        self.shapes: int | None = sum(len(link.visuals) + len(link.collisions) for link in links)

    def joints(self) -> set[str]:
        return set(self._robot.actuated_joint_names)

    def move(self, q: Positions) -> tuple[dict[str, Array], Body]:
        self._robot.update_cfg({name: q.get(name, 0.0) for name in self._robot.actuated_joint_names})
        poses, bodies = {}, []
        for link in self._robot.robot.links:
            poses[link.name] = X = np.array(self._robot.get_transform(link.name))
            inertial = link.inertial
            if inertial is not None and inertial.mass:
                X_LI = np.eye(4) if inertial.origin is None else np.array(inertial.origin)
                I_I = np.zeros((3, 3)) if inertial.inertia is None else np.array(inertial.inertia)
                bodies.append(Body(float(inertial.mass), np.zeros(3), I_I).moved(X @ X_LI))
        return poses, combine(bodies)


class _Pinocchio:
    def __init__(self, file: Path) -> None:
        self._pin = pin = importlib.import_module("pinocchio")
        readers: dict[str, Callable[[str], Any]] = {".urdf": pin.buildModelFromUrdf}
        if hasattr(pin, "buildModelFromMJCF"):
            readers |= {".xml": pin.buildModelFromMJCF, ".mjcf": pin.buildModelFromMJCF}
        if file.suffix not in readers:
            raise SdfViewerError("it reads URDF and MJCF only")
        self._model: Any = readers[file.suffix](str(file))
        self._data: Any = self._model.createData()
        self.shapes: int | None = None

    def joints(self) -> set[str]:
        m = self._model
        return {m.names[i] for i in range(1, m.njoints) if m.joints[i].nv == 1}

    def move(self, q: Positions) -> tuple[dict[str, Array], Body]:
        pin, m, d = self._pin, self._model, self._data
        full = pin.neutral(m)
        for i in range(1, m.njoints):
            value, joint = q.get(m.names[i]), m.joints[i]
            if value is None or joint.nv != 1:
                continue
            full[joint.idx_q : joint.idx_q + joint.nq] = value if joint.nq == 1 else (np.cos(value), np.sin(value))
        pin.forwardKinematics(m, d, full)
        pin.updateFramePlacements(m, d)
        poses = {
            frame.name: np.array(d.oMf[i].homogeneous)
            for i, frame in enumerate(m.frames)
            if frame.type == pin.FrameType.BODY
        }
        bodies = [
            Body(float(each.mass), np.array(each.lever), np.array(each.inertia)).moved(np.array(d.oMi[i].homogeneous))
            for i, each in enumerate(m.inertias)
            if each.mass > 0
        ]
        return poses, combine(bodies)


class _Drake:
    def __init__(self, file: Path) -> None:
        multibody = importlib.import_module("pydrake.multibody.plant")
        parsing = importlib.import_module("pydrake.multibody.parsing")
        self._plant: Any = multibody.MultibodyPlant(0.001)
        self._models = parsing.Parser(self._plant).AddModels(str(file))
        self._plant.Finalize()
        self._context: Any = self._plant.CreateDefaultContext()
        self.shapes: int | None = None

    def _indices(self, kind: str) -> list[Any]:
        return [i for model in self._models for i in getattr(self._plant, f"Get{kind}Indices")(model)]

    def joints(self) -> set[str]:
        joints = [self._plant.get_joint(i) for i in self._indices("Joint")]
        return {joint.name() for joint in joints if joint.num_positions() == 1}

    def move(self, q: Positions) -> tuple[dict[str, Array], Body]:
        plant, context = self._plant, self._context
        positions = np.array(plant.GetPositions(context))
        for index in self._indices("Joint"):
            joint = plant.get_joint(index)
            if joint.num_positions() == 1 and joint.name() in q:
                positions[joint.position_start()] = q[joint.name()]
        plant.SetPositions(context, positions)
        poses, bodies = {}, []
        for index in self._indices("Body"):
            body = plant.get_body(index)
            poses[body.name()] = X = np.array(plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4())
            spatial = body.default_spatial_inertia()
            mass = float(body.default_mass())
            if mass > 0 and np.isfinite(mass):
                central = spatial.Shift(spatial.get_com()).CalcRotationalInertia().CopyToFullMatrix3()
                bodies.append(Body(mass, np.array(spatial.get_com()), np.array(central)).moved(X))
        return poses, combine(bodies)


#: What loads a file, by the name of the program.
_LOADERS: Mapping[str, Callable[[Path], LoadedRobot]] = {
    "mujoco": _Mujoco,
    "drake": _Drake,
    "pinocchio": _Pinocchio,
    "yourdfpy": _Yourdfpy,
}


def main(program: str, file: str) -> None:
    """Load a file in a program, and answer for the positions that are read from standard input."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the program prints is no answer

    def answer(record: object) -> None:
        print(json.dumps(record), file=answers, flush=True)

    try:
        robot = _LOADERS[program](Path(file))
        answer({"joints": sorted(robot.joints()), "shapes": robot.shapes})
        moved = [robot.move(positions) for positions in json.loads(sys.stdin.readline() or "[]")]
    except SdfViewerError as error:
        answer({"error": str(error)})
    except Exception as error:  # whatever another program raises is its answer
        answer({"error": f"it refuses the file: {' '.join(str(error).split()) or type(error).__name__}"})
    else:
        answer(
            [
                {
                    "poses": {name: X.tolist() for name, X in poses.items()},
                    "body": [body.mass, body.p_FB.tolist(), body.I_B.tolist()],
                }
                for poses, body in moved
            ]
        )
