"""Load what was written in other programs and compare poses, masses, centres, inertia and shapes with the source.

MuJoCo, Drake, Pinocchio and yourdfpy are imported only when they are asked for; none of them is a dependency.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np

from sdfviewer import transforms
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.formats.mass import link_bodies
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.model.solids import Body, combine
from sdfviewer.transforms import Array, invert

#: How many random configurations are compared.
CONFIGURATIONS = 20
#: Poses are the same within this, in metres and radians: other programs read rotations with fewer digits.
POSE_TOLERANCE = 1e-6
#: Masses, and moments of inertia as a part of the largest, are the same within this; so are centres in metres.
MASS_TOLERANCE = 1e-6
#: What a program may give to a link without mass, in kg: MuJoCo moves nothing that has none.
LEAST_MASS = 1.1e-4

_MOVING = ("revolute", "continuous", "prismatic")
#: Positions of joints by name.
Positions: TypeAlias = Mapping[str, float]


class Peer(Protocol):
    """A model that another program has loaded."""

    shapes: int | None

    def joints(self) -> set[str]:
        """Return the names of the joints with one degree of freedom that can be moved."""
        ...

    def move(self, q: Positions) -> tuple[dict[str, Array], Body]:
        """Return the poses (4, 4) of links by name in the program's world, and all bodies as one in it."""
        ...


@dataclass(frozen=True)
class Verification:
    """What another program makes of what was written.

    Attributes
    ----------
    program, version
        For example ``mujoco``.
    message
        Why it could not be compared; empty where it could.
    links
        How many links were compared.
    metres, radians
        By how much the pose of a link differs at most, seen from the first of them.
    mass, center, inertia
        By how much the mass in kg differs, the centre of mass in metres at most, and the inertia in kg m² at most.
    shapes
        How many visuals and collisions were written, and how many the program has; None where that is not known.
    differences
        What differs by more than the tolerances, in words.
    """

    program: str
    version: str = ""
    message: str = ""
    links: int = 0
    metres: float = 0.0
    radians: float = 0.0
    mass: float = 0.0
    center: float = 0.0
    inertia: float = 0.0
    shapes: tuple[int, int] | None = None
    differences: tuple[str, ...] = field(default=())

    @property
    def agrees(self) -> bool:
        """Whether the program has loaded it and finds the same."""
        return not self.message and not self.differences

    def __str__(self) -> str:
        name = f"{self.program} {self.version}".strip()
        if self.message:
            return f"{name}: {self.message}"
        if self.differences:
            return f"{name}: {'; '.join(self.differences)}"
        far = f"{self.metres:.1g} m, {self.radians:.1g} rad"
        return f"{name}: agrees: {self.links} links at {CONFIGURATIONS} configurations within {far}, mass, inertia"


def verify(
    program: str, file: Path, source: Model, names: Mapping[str, str], shapes: int | None = None
) -> Verification:
    """Return what a program makes of a file that a model was written as.

    Parameters
    ----------
    program
        One of `PROGRAMS`.
    file, source
        What was written, and the model that it was made from.
    names
        The names of links and joints in the file, by scoped name in the model.
    shapes
        How many visuals and collisions were written, None where they are not compared.
    """
    package, load = PROGRAMS[program]
    try:
        importlib.import_module(package[1])
        installed = version(package[0])
    except (ImportError, PackageNotFoundError):
        return Verification(program, message=f"it is not installed; install it with: pip install {package[0]}")
    try:
        return _compared(Verification(program, installed), load(file), source, names, shapes)
    except SdfViewerError as error:
        return Verification(program, installed, str(error))
    except Exception as error:  # whatever another program raises is its answer
        return Verification(program, installed, f"it refuses the file: {' '.join(str(error).split())}")


def _compared(
    empty: Verification, peer: Peer, source: Model, names: Mapping[str, str], shapes: int | None
) -> Verification:
    kinematics = Kinematics(source)
    q = _configurations(kinematics, names, peer.joints())
    bodies = link_bodies(source, [row for row, kind in enumerate(source.kinds) if kind is Kind.LINK])
    massless = sum(kind is Kind.LINK for kind in source.kinds) - len(bodies.links)
    worst: dict[str, tuple[float, str]] = {}
    links: list[int] = []
    mine = combine(())
    for positions in q:
        given = {
            names[dof.joint.name]: float(value)
            for dof, value in zip(kinematics.dofs, positions, strict=True)
            if dof.joint.name in names
        }
        theirs, body = peer.move(given)
        X = kinematics.poses(positions)
        links = [
            row
            for row, kind in enumerate(source.kinds)
            if kind is Kind.LINK and names.get(source.names[row]) in theirs and np.isfinite(X[row]).all()
        ]
        if not links:
            return Verification(empty.program, empty.version, "it has none of the links")
        first = theirs[names[source.names[links[0]]]]
        for row in links:
            apart = transforms.pose_error(
                invert(X[links[0]]) @ X[row], invert(first) @ theirs[names[source.names[row]]]
            )
            for quantity, error in zip(("metres", "radians"), apart, strict=True):
                worst[quantity] = max(worst.get(quantity, (0.0, "")), (float(error), source.names[row]))
        mine, other = bodies.total(X, X[links[0]])[0], body.moved(invert(first))
        if mine.mass > 0 and other.mass > 0:
            found = (
                ("mass", abs(mine.mass - other.mass)),
                ("center", float(np.abs(mine.p_FB - other.p_FB).max())),
                ("inertia", float(np.abs(mine.I_B - other.I_B).max())),
            )
            for quantity, value in found:
                worst[quantity] = max(worst.get(quantity, (0.0, "")), (value, ""))
    values = {quantity: value for quantity, (value, _) in worst.items()}
    slack = LEAST_MASS * massless / mine.mass if mine.mass > 0 else 0.0
    size = float(np.abs(mine.p_FB).max()) + 1.0
    tolerances = {
        "metres": POSE_TOLERANCE,
        "radians": POSE_TOLERANCE,
        "mass": (MASS_TOLERANCE + slack) * mine.mass,
        "center": MASS_TOLERANCE + slack * size,
        "inertia": (MASS_TOLERANCE + slack) * (float(np.abs(mine.I_B).max()) + mine.mass * size**2),
    }
    words = {"metres": "m", "radians": "rad", "mass": "kg of mass", "center": "m of the centre of mass"}
    differences = [
        f"{value:.6g} {words.get(quantity, 'kg m² of inertia')}"
        + (f" at '{worst[quantity][1]}'" if worst[quantity][1] else "")
        for quantity, value in values.items()
        if value > tolerances[quantity]
    ]
    counts = None if shapes is None or peer.shapes is None else (shapes, peer.shapes)
    if counts is not None and counts[0] != counts[1]:
        differences.append(f"{counts[0]} shapes are written and it has {counts[1]}")
    return Verification(
        empty.program, empty.version, "", len(links), shapes=counts, differences=tuple(differences), **values
    )


def _configurations(kinematics: Kinematics, names: Mapping[str, str], known: set[str]) -> Array:
    """Return random configurations (k, dofs): joints that the other program cannot move stay at zero."""
    lower, upper = (np.array([getattr(dof, end) for dof in kinematics.dofs]) for end in ("lower", "upper"))
    lower, upper = np.where(np.isfinite(lower), lower, -1.0), np.where(np.isfinite(upper), upper, 1.0)
    low, high = np.minimum(lower, upper), np.maximum(lower, upper)
    q = np.random.default_rng(0).uniform(low, high, (CONFIGURATIONS, len(kinematics.dofs)))
    for column, dof in enumerate(kinematics.dofs):
        if dof.joint.type not in _MOVING or names.get(dof.joint.name) not in known:
            q[:, column] = 0.0
    return kinematics.follow(q)


# --- the programs ----------------------------------------------------------------------------------------------------


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


#: The programs: the name of the package that installs each, the module, and what loads a file.
PROGRAMS: Mapping[str, tuple[tuple[str, str], Callable[[Path], Peer]]] = {
    "mujoco": (("mujoco", "mujoco"), _Mujoco),
    "drake": (("drake", "pydrake"), _Drake),
    "pinocchio": (("pin", "pinocchio"), _Pinocchio),
    "yourdfpy": (("yourdfpy", "yourdfpy"), _Yourdfpy),
}


def parse_programs(text: str) -> Sequence[str]:
    """Return the programs that a comma-separated text names.

    Raises
    ------
    SdfViewerError
        If it names another one.
    """
    names = [each.strip().lower() for each in text.split(",") if each.strip()]
    unknown = [each for each in names if each not in PROGRAMS]
    if unknown or not names:
        raise SdfViewerError(
            f"'{unknown[0] if unknown else text}' is no program to verify with: use {', '.join(PROGRAMS)}"
        )
    return names
