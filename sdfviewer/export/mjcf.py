"""Export a model to MJCF, the format of MuJoCo.

A body is at its link and a joint at its own position in it, so every link has the same pose at every joint position.
Joints that close a loop, followers and screws become equality constraints. What is on the bodies is written by
:mod:`sdfviewer.export.mjcf_parts`.

Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from sdfviewer import transforms
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.topics import FIXED, LEFT_OUT, MOVED, Aspect, Topic
from sdfviewer.export.mjcf_parts import MjcfNames, MjcfParts, finite_words, number_list, pose_attributes
from sdfviewer.export.writing import (
    LEAST_MOMENT,
    AddMesh,
    ExportNote,
    Obstacle,
    WrittenMesh,
    element,
    exportable_links,
    possible_moment,
)
from sdfviewer.files.finder import Finder
from sdfviewer.formats.contents import contents_of, read_dynamics, read_environment, read_limits
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.formats.urdf.format import robot_of
from sdfviewer.model.comparison.values import NO_LIMIT
from sdfviewer.model.graph import ROOT
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import JOINT_AXES, Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.tree import GROUND, Carrier, body_of
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.transforms import Array

#: The mass in kg of a link that has none: MuJoCo cannot move what has no mass.
_LEAST_MASS = 1e-4
#: MuJoCo's constraints are soft; these are as stiff as its usual time step of 2 ms allows.
_STIFF = {"solref": "0.004 1", "solimp": "0.9999 0.9999 0.001"}
#: The range, in radians or metres, of a joint whose limits leave none: MuJoCo takes "0 0" as no limits.
_LEAST_RANGE = 1e-6
#: Bodies are nested, and MuJoCo's reader of XML refuses elements more than 500 deep.
_DEEPEST_BODY = 400
#: Number of axes of a joint that closes a loop, by its type.
_AXES_OF_LOOPS = {each: number for each, number in JOINT_AXES.items() if each != "gearbox"}

_INERTIA = Topic(Aspect.MASS, "inertia")
_NO_BODY = "it closes a loop with something that is not a body; it is left out"
#: What the comparison calls what attributes of a joint say of an axis.
_WORDS_OF_AXES = {
    "range": "limits.(lower|upper)",
    "actuatorfrcrange": "limits.effort",
    "damping": "dynamics.damping",
    "frictionloss": "dynamics.friction",
    "stiffness": "dynamics.spring_stiffness",
    "springref": "dynamics.spring_reference",
}


@dataclass(frozen=True, slots=True)
class MjcfExport:
    """An MJCF text, the notes about it, and its names of bodies and joints by scoped name.

    Of a joint with several degrees of freedom each has a joint of its own, named as :class:`Kinematics` names it.
    ``rows`` has the row of the model by the tag and the name of the element that it is written as, and ``X_RootWorld``
    is the pose (4, 4) of the world in which the bodies are. ``written`` has the mesh that is written for a geometry,
    and ``equivalent`` the joints that are written as something else, such as a loop or a screw.
    """

    text: str
    notes: tuple[ExportNote, ...]
    bodies: dict[str, str]
    joints: dict[str, str]
    rows: Mapping[tuple[str, str], int] = field(default_factory=dict, repr=False)
    X_RootWorld: Array = field(default_factory=lambda: np.eye(4), repr=False)
    written: Mapping[Geometry, WrittenMesh] = field(default_factory=dict, repr=False)
    equivalent: frozenset[int] = frozenset()


def export_mjcf(model: Model, finder: Finder, add_mesh: AddMesh) -> MjcfExport:
    """Return a model or world as MJCF.

    Parameters
    ----------
    model
        What to write.
    finder
        Finds material scripts and textures by URI.
    add_mesh
        Collects mesh files.

    Raises
    ------
    SdfViewerError
        If it has no link or too many, or the pose of one is undefined.
    """
    return _Exporter(model, finder, add_mesh).export()


class _Exporter:
    def __init__(self, model: Model, finder: Finder, add_mesh: AddMesh) -> None:
        self._model = model
        self._links = exportable_links(model, "MJCF")
        self._kinematics = Kinematics(model)
        self._carried: dict[int, list[int]] = {}
        for body, carrier in self._kinematics.forest.carriers.items():
            self._carried.setdefault(carrier.body, []).append(body)
        # Frames and joints become sites of the link that their frame moves with.
        self._sites: dict[int, list[int]] = {}
        for row, kind in enumerate(model.kinds):
            if kind in (Kind.FRAME, Kind.JOINT):
                self._sites.setdefault(int(model.bodies[row]), []).append(row)
        self._notes: list[ExportNote] = []
        self._massless: set[int] = set()
        self._equivalent: set[int] = set()
        #: Where the world is in the root frame: the file of a model may say where the model is.
        self._X_RootWorld = np.eye(4)
        if not model.is_world and np.isfinite(model.raw_poses[0]).all():
            self._X_RootWorld = transforms.invert(model.raw_poses[0])
        self._names = MjcfNames(model)
        self._parts = MjcfParts(model, finder, add_mesh, self._names, self._lose, self._rewrite)
        self._bodies: dict[int, str] = {row: self._names.of("body", row) for row in self._links}
        # By degree of freedom: a file may have joints of equal names.
        self._joints = [self._names.new("joint", dof.name) for dof in self._kinematics.dofs]
        carriers = {carrier.joint.row: carrier for carrier in self._kinematics.forest.carriers.values()}
        for row, columns in self._kinematics.columns_of_joints.items():
            joint_type = carriers[row].joint.type
            # A screw is two joints, and a ball seen from its child has other angles.
            is_ball = joint_type == "ball" and not carriers[row].backwards
            if is_ball or (len(columns) == 1 and joint_type != "screw"):
                self._names.rows["joint", self._joints[columns[0]]] = row
        self._equalities: list[list[str]] = []
        self._loops: dict[int, list[Joint]] = {}
        for joint in self._kinematics.loop_joints:
            self._loops.setdefault(body_of(model, joint.parent), []).append(joint)

    def export(self) -> MjcfExport:
        model = self._model
        carriers = self._kinematics.forest.carriers
        grounded = self._carried.get(GROUND, [])
        roots = [row for row in self._links if row not in carriers]
        world = self._on_ground()
        for row in (*grounded, *roots):
            world += self._body(row, self._X_RootWorld, carriers.get(row), 1)
        for column, dof in enumerate(self._kinematics.dofs):
            if dof.leader is not None:
                self._follow(column)
        for row, kind in enumerate(model.kinds):
            if kind in (Kind.ACTOR, Kind.PROJECTOR, Kind.PARTICLE_EMITTER):
                self._lose(row, f"MJCF has no {kind}; it is left out", *LEFT_OUT)
            elif kind is Kind.WORLD or (kind is Kind.MODEL and (row or model.is_world)):
                self._lose_of_model(row)
            elif kind is Kind.SENSOR and model.kinds[model.owners[row]] is not Kind.LINK:
                why = "MuJoCo's cameras are on bodies, and it has no other sensor here"
                self._lose(row, f"{why}; it is left out", *LEFT_OUT)
        for row in self._loops.keys() - {GROUND, *self._links}:
            for joint in self._loops[row]:
                self._lose(joint.row, _NO_BODY, *LEFT_OUT)
        assets = self._parts.assets()
        content = element("compiler", {"angle": "radian", "autolimits": "true", "balanceinertia": "true"})
        if model.is_world:
            content += element("option", {"gravity": number_list(read_environment(model).gravity)})
        content += element("asset", None, assets) if assets else []
        content += element("worldbody", None, world)
        if self._equalities:
            content[:0] = element("default", None, element("equality", _STIFF))
            content += element("equality", None, [line for lines in self._equalities for line in lines])
        text = "\n".join(['<?xml version="1.0"?>', *element("mujoco", {"model": model.name or "model"}, content), ""])
        bodies = {model.names[row]: name for row, name in self._bodies.items()}
        joints = {dof.name: name for dof, name in zip(self._kinematics.dofs, self._joints, strict=True)}
        written = self._names.rows, self._X_RootWorld, self._parts.written, frozenset(self._equivalent)
        return MjcfExport(text, tuple(self._notes), bodies, joints, *written)

    # --- names and notes ---------------------------------------------------------------------------------------

    def _lose_of_model(self, row: int) -> None:
        """Note what is written in a world or a nested model itself, of which MJCF has no element."""
        reader = contents_of(self._model, row)
        names = [f"plugin {each.name or each.filename}" for each in reader.plugins(self._model, row)]
        names += reader.settings(self._model, row) if self._model.kinds[row] is Kind.MODEL else ()
        if names:
            topics = Topic(Aspect.PLUGIN), Topic(Aspect.SETTING)
            self._lose(row, f"MJCF has nothing for its {', '.join(names)}; it is left out", *topics)

    def _lose(self, row: int, message: str, *topics: Topic) -> None:
        """Note what MJCF cannot say of a row, and what of it may differ therefore."""
        self._notes.append(ExportNote(Obstacle.LOST, row, message, topics))

    def _rewrite(self, row: int, message: str, *topics: Topic) -> None:
        """Note what MJCF says otherwise of a row."""
        self._notes.append(ExportNote(Obstacle.REWRITTEN, row, message, topics))

    # --- bodies ------------------------------------------------------------------------------------------------

    def _on_ground(self) -> list[str]:
        """Return the elements of the world itself: lights, and links of static models are bodies without joints."""
        lines: list[str] = []
        for row in self._model.rows_in(0, Kind.LIGHT):
            if np.isfinite(self._model.X_RootF[row]).all():
                lines += self._parts.light(row, transforms.invert(self._X_RootWorld) @ self._model.X_RootF[row])
        X_WorldRoot = transforms.invert(self._X_RootWorld)
        for body in self._sites.keys() - self._bodies.keys():
            for frame in self._sites[body]:
                if body < ROOT:
                    self._rewrite(frame, "nothing is known to carry it; it is fixed to the world", *MOVED)
                lines += self._site(frame, X_WorldRoot @ self._model.X_RootF[frame])
        for joint in self._loops.get(GROUND, ()):
            lines += self._close_loop(joint, self._X_RootWorld)
        return lines

    def _site(self, frame: int, X_BF: Array) -> list[str]:
        """Return the site of a frame at a pose (4, 4) in a body or the world."""
        if not np.isfinite(X_BF).all():
            self._lose(frame, "its pose is undefined; it is left out", *LEFT_OUT)
            return []
        name = self._names.of("site", frame)
        return element("site", {"name": name, **pose_attributes(X_BF), "group": "4", "size": "0.005"})

    def _body(self, row: int, X_RootP: Array, carrier: Carrier | None, depth: int) -> list[str]:
        """Return the lines of the body of a link with all that it carries, in the frame of a parent P."""
        model = self._model
        if depth > _DEEPEST_BODY:
            raise SdfViewerError(
                f"'{model.names[row]}' is at the end of a chain of more than {_DEEPEST_BODY} joints; "
                "MJCF nests the bodies of a chain, and MuJoCo reads no more"
            )
        X_RootL = model.X_RootF[row]
        lines: list[str] = []
        if carrier is not None:
            lines += self._joint_lines(row, carrier)
        elif not model.static[row]:
            lines += element("freejoint", {"name": self._names.new("joint", f"{model.names[row]}_free")})
        lines += self._inertial(row)
        X_LRoot = transforms.invert(X_RootL)
        for part in model.rows_in(row):
            X_LF = X_LRoot @ model.X_RootF[part]
            lines += self._parts.lines(part, X_LF, moves=self._moves(row), massless=row in self._massless)
        for frame in self._sites.get(row, ()):
            lines += self._site(frame, X_LRoot @ model.X_RootF[frame])
        for below in self._carried.get(row, ()):
            lines += self._body(below, X_RootL, self._kinematics.forest.carriers[below], depth + 1)
        for loop in self._loops.get(row, ()):
            lines += self._close_loop(loop, X_RootL)
        X_PL = transforms.invert(X_RootP) @ X_RootL
        weightless = {"gravcomp": "1"} if contents_of(model, row).settings(model, row).get("gravity") == "false" else {}
        return element("body", {"name": self._bodies[row], **pose_attributes(X_PL), **weightless}, lines)

    def _inertial(self, row: int) -> list[str]:
        inertial = resolve_inertial(self._model, row)
        has_mass = inertial is not None and 0 < inertial.mass < math.inf
        is_written = inertial is not None and has_mass and (inertial.is_written or self._has_default_mass(row))
        if inertial is None or not is_written:
            if self._is_fixed(row):
                self._massless.add(row)
                return []
            self._lose(
                row,
                f"it has no mass, which MuJoCo cannot move: its mass becomes {_LEAST_MASS} kg",
                Topic(Aspect.MASS),
            )
            return _least_inertial()
        xx, yy, zz, xy, xz, yz = (
            float(inertial.inertia_in_link[at]) for at in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        )
        if (possible := possible_moment(inertial.inertia_in_link)) is not None:
            moment, why = possible
            self._lose(row, why, _INERTIA)
            centre = number_list(inertial.center_of_mass.tolist())
            moments = number_list((moment,) * 3)
            return element("inertial", {"pos": centre, "mass": repr(inertial.mass), "diaginertia": moments})
        principal = np.linalg.eigvalsh(inertial.inertia_in_link)
        if principal[0] + principal[1] < principal[2]:
            self._rewrite(
                row,
                "one moment of inertia exceeds the sum of the others: MuJoCo uses their mean for all three",
                _INERTIA,
            )
        centre = number_list(inertial.center_of_mass.tolist())
        moments = number_list((xx, yy, zz, xy, xz, yz))
        return element("inertial", {"pos": centre, "mass": repr(inertial.mass), "fullinertia": moments})

    def _is_fixed(self, row: int) -> bool:
        """Return whether a link has no joint in MuJoCo."""
        carrier = self._kinematics.forest.carriers.get(row)
        return bool(self._model.static[row]) if carrier is None else not self._dofs_of(carrier.joint)

    def _has_default_mass(self, row: int) -> bool:
        """Return whether a link that writes no mass has one: SDFormat takes 1 kg, URDF none."""
        return robot_of(self._model.document_of(row)) is None

    # --- joints ------------------------------------------------------------------------------------------------

    def _joint_lines(self, row: int, carrier: Carrier) -> list[str]:
        """Return the joints of a body: one for each degree of freedom, the outermost first."""
        model, joint = self._model, carrier.joint
        if carrier.body == GROUND and not self._dofs_of(joint):
            return []
        X_LJ = transforms.invert(model.X_RootF[row]) @ model.X_RootF[joint.row]
        pos = number_list(X_LJ[:3, 3].tolist())
        dofs = self._dofs_of(joint)
        if joint.type == "screw" and dofs:
            self._equivalent.add(joint.row)
        if joint.type == "ball" and dofs:
            if joint.axes:
                self._equivalent.add(joint.row)  # its axis says nothing
            name = self._joints[dofs[0]]
            return element("joint", {"name": name, "type": "ball", "pos": pos})
        lines: list[str] = []
        if carrier.backwards:
            self._equivalent.add(joint.row)
        for column in reversed(dofs) if carrier.backwards else dofs:
            dof = self._kinematics.dofs[column]
            lines += self._axis_lines(joint, dof.axis, X_LJ, self._joints[column], backwards=carrier.backwards)
        if dofs and joint.type == "gearbox":  # the only joint between its bodies
            why = "MJCF has no gearbox, and this one couples no joints; its link turns freely"
            self._lose(joint.row, why, Topic(Aspect.JOINT, "type|axes|gearbox_.*"))
        if not dofs and joint.type not in ("fixed", "gearbox"):
            self._lose(joint.row, f"the {joint.type} joint has no axis; its link is fixed", *FIXED)
        return lines

    def _axis_lines(self, joint: Joint, number: int, X_LJ: Array, name: str, *, backwards: bool = False) -> list[str]:
        """Return the joints of one axis of a joint: a screw is a turn and a travel that follows it."""
        pos = number_list(X_LJ[:3, 3].tolist())
        axis = number_list((X_LJ[:3, :3] @ joint.axes[number].xyz * (-1.0 if backwards else 1.0)).tolist())
        kind = "slide" if joint.type == "prismatic" else "hinge"
        limits = self._limits(joint, number)
        lines = element("joint", {"name": name, "type": kind, "pos": pos, "axis": axis, **limits})
        if joint.type == "screw" and joint.screw_pitch:
            travel = self._names.new("joint", f"{name}_travel")
            lines += element("joint", {"name": travel, "type": "slide", "pos": pos, "axis": axis})
            self._couple(travel, name, 0.0, joint.screw_pitch)
        return lines

    def _couple(self, follower: str, leader: str, offset: float, gain: float) -> None:
        """Hold one joint at ``offset + gain`` times another.

        MuJoCo estimates the inertia that resists without the gain, so the joint that moves more is the first: a fast
        rotor before a slow output would make the coupling soft.
        """
        if 0 < abs(gain) < 1:
            follower, leader, offset, gain = leader, follower, -offset / gain, 1 / gain
        line = {"joint1": follower, "joint2": leader, "polycoef": number_list((offset, gain, 0, 0, 0))}
        self._equalities.append(element("joint", line))

    def _dofs_of(self, joint: Joint) -> list[int]:
        return self._kinematics.columns_of_joints.get(joint.row, [])

    def _moves(self, body: int) -> bool:
        """Return whether a link moves in the world."""
        carriers = self._kinematics.forest.carriers
        while body in carriers:
            if self._dofs_of(carriers[body].joint):
                return True
            body = carriers[body].body
        return body != GROUND and not self._model.static[body]

    def _limits(self, joint: Joint, number: int) -> dict[str, str]:
        if joint.type == "ball" or number >= len(joint.axes):
            return {}
        axis = joint.axes[number]
        limits, dynamics = read_limits(self._model, joint.row, axis), read_dynamics(self._model, joint.row, axis)
        words: dict[str, str] = {}
        if joint.type != "continuous" and math.isfinite(axis.lower) and math.isfinite(axis.upper):
            upper = axis.upper
            if axis.lower >= upper:
                upper = axis.lower + _LEAST_RANGE
                why = f"MJCF has no limits without a range between: {_LEAST_RANGE} is added"
                self._rewrite(joint.row, why, _of_axis(number, "limits.upper"))
            words["range"] = number_list((axis.lower, upper))
        elif joint.type != "continuous" and (math.isfinite(axis.lower) or math.isfinite(axis.upper)):
            self._lose(
                joint.row,
                "MJCF limits a joint at both ends or not at all; its only limit is left out",
                _of_axis(number, "limits.(lower|upper)"),
                Topic(Aspect.JOINT, "type"),
            )
        for name in ("velocity", "acceleration", "deceleration", "jerk"):
            value = getattr(limits, name)
            if math.isfinite(value) and value < NO_LIMIT:
                self._rewrite(
                    joint.row, f"MJCF has no limit of {name}; it is left out", _of_axis(number, f"limits.{name}")
                )
        if limits.effort <= 0:
            why = "its limit of effort is zero, which MJCF takes as none; it is left out"
            self._rewrite(joint.row, why, _of_axis(number, "limits.effort"))
        if limits.effort > 0 and math.isfinite(limits.effort):
            words["actuatorfrcrange"] = number_list((-limits.effort, limits.effort))
        if dynamics.damping > 0:
            words["damping"] = repr(dynamics.damping)
        if dynamics.friction > 0:
            words["frictionloss"] = repr(dynamics.friction)
        if dynamics.spring_stiffness:
            words |= {"stiffness": repr(dynamics.spring_stiffness), "springref": repr(dynamics.spring_reference)}
        called = {word: _of_axis(number, each) for word, each in _WORDS_OF_AXES.items()}
        return finite_words(words, lambda word, why: self._lose(joint.row, why, called[word]))

    def _follow(self, column: int) -> None:
        """Couple a follower with its leader, as a mimic or a gearbox does."""
        followers = self._kinematics.followers
        leader = int(followers.sources[column])
        names = self._joints[column], self._joints[leader]
        if 0 < abs(float(followers.gains[column])) < 1:
            for each in (leader, *np.flatnonzero(followers.sources == leader).tolist()):
                self._equivalent.add(self._kinematics.dofs[each].joint.row)  # the leader follows there
        self._couple(*names, float(followers.offsets[column]), float(followers.gains[column]))

    def _close_loop(self, joint: Joint, X_RootP: Array) -> list[str]:
        """Hold the two ends of a joint that closes a loop together, and return the lines of a body that this needs.

        Equality constraints hold bodies in one point, in two, or completely. For other types an extra body hangs on
        the parent by this joint, and the child is welded to it.
        """
        model = self._model
        self._equivalent.add(joint.row)
        child = body_of(model, joint.child)
        if child not in self._bodies:
            self._lose(joint.row, _NO_BODY, *LEFT_OUT)
            return []
        parent = self._bodies.get(body_of(model, joint.parent), "world")
        names = {"body1": self._bodies[child], "body2": parent}
        X_CJ = transforms.invert(model.X_RootF[child]) @ model.X_RootF[joint.row]
        name = self._names.new("equality", model.names[joint.row])
        axes = [axis.xyz for axis in joint.axes[: _AXES_OF_LOOPS.get(joint.type, 0)]]
        if joint.type == "fixed":
            self._equalities.append(element("weld", {"name": name, **names}))
        elif joint.type == "ball":
            self._equalities.append(
                element("connect", {"name": name, **names, "anchor": number_list(X_CJ[:3, 3].tolist())})
            )
        elif not axes or not all(np.isfinite(u).all() and u.any() for u in axes):
            why = "it has no axis" if joint.type in _AXES_OF_LOOPS else f"MJCF has no {joint.type} joint for loops"
            self._lose(joint.row, f"it closes a loop, and {why}; it is left out", *LEFT_OUT)
        elif joint.type in ("revolute", "continuous"):
            # Two points hold an axis.
            for label, anchor in ((name, X_CJ[:3, 3]), (f"{name}_axis", X_CJ[:3, 3] + 0.1 * (X_CJ[:3, :3] @ axes[0]))):
                self._equalities.append(
                    element("connect", {"name": label, **names, "anchor": number_list(anchor.tolist())})
                )
        else:
            between = self._names.new("body", model.names[joint.row])
            lines: list[str] = []
            for number in range(len(axes)):
                label = model.names[joint.row] + (f"[{number}]" if number else "")
                lines += self._axis_lines(joint, number, X_CJ, self._names.new("joint", label))
            self._equalities.append(element("weld", {"name": name, **names, "body2": between}))
            X_PC = transforms.invert(X_RootP) @ model.X_RootF[child]
            return element("body", {"name": between, **pose_attributes(X_PC)}, lines + _least_inertial())
        return []


def _of_axis(number: int, quantity: str) -> Topic:
    """Return the topic of a quantity of an axis of a joint."""
    return Topic(Aspect.JOINT, rf"{'axis2' if number else 'axis'}\.{quantity}")


def _least_inertial() -> list[str]:
    """Return the inertial of a body that has no mass."""
    moments = number_list((LEAST_MOMENT,) * 3)
    return element("inertial", {"pos": "0 0 0", "mass": repr(_LEAST_MASS), "diaginertia": moments})
