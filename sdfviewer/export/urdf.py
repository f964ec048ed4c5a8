"""Export a model to URDF, and list what URDF cannot express.

In URDF links form one tree, each link is at the joint above it, and every pose is measured from its kinematic
parent. A model in element-relative form is that already; another one is computed again, and its links stay where they
are: where a link does not stand on the axis of its joint, a link of its own carries the joint.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from sdfviewer import transforms
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.element import Element
from sdfviewer.document.topics import FIXED, LEFT_OUT, MOVED, Aspect, Topic
from sdfviewer.export.gazebo_options import (
    joint_extension,
    link_extension,
    model_extension,
    plugins_of,
)
from sdfviewer.export.urdf_parts import dedented, gazebo_joint, geared_joint, link_content, origin, urdf_links
from sdfviewer.export.writing import (
    AddMesh,
    ExportNote,
    Obstacle,
    declared_prefixes,
    element,
    exportable_links,
    writable,
)
from sdfviewer.formats.contents import read_dynamics
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.formats.urdf.format import robot_of
from sdfviewer.formats.urdf.values import (
    LATER_LIMITS,
    OLDEST,
    WITH_MORE_LIMITS,
    WITH_QUATERNIONS,
    UrdfVersion,
    urdf_version_of,
)
from sdfviewer.model.comparison.difference import topics_of
from sdfviewer.model.contents import Dynamics
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.tree import GROUND, NOWHERE, Carrier, body_of
from sdfviewer.model.model import Model
from sdfviewer.model.names import FreeNames
from sdfviewer.model.values import format_number, parse_numbers
from sdfviewer.transforms import Array

#: Represents "no limit" where URDF asks for a number; it is what SDFormat wrote before 1.10.
_NO_LIMIT = "1e16"
MOVING = ("revolute", "continuous", "prismatic")
#: Of the file of a model.
_POSE = Topic(Aspect.MODEL, "pose")
_AT_CHILD = "its frame is that of its child, as in every URDF"
#: Metres within which a point lies on an axis, and radians within which frames are parallel.
_SAME = 1e-11


class Requirement(Enum):
    """The requirements of URDF on a model; a model that meets all of them converts exactly."""

    ROOT = "one root link, at the model frame"
    TREE = "links and joints form one tree"
    JOINTS = "joint types of URDF"
    NAMES = "names that URDF allows"
    FRAMES = "every frame is kept"
    POSES = "poses are relative to the kinematic parent"
    CONTENTS = "shapes, sensors and limits of URDF"


@dataclass(frozen=True, slots=True)
class UrdfNote(ExportNote):
    """A note about a row that does not meet a requirement of URDF."""

    requirement: Requirement = Requirement.CONTENTS


@dataclass(frozen=True, slots=True)
class UrdfExport:
    """A URDF and the notes about it.

    Attributes
    ----------
    names
        The URDF's names of links, joints and frames by scoped name.
    parts
        The row of each visual and collision in the order of the text, -1 for a further shape of the one before.
    X_ModelUrdf
        Where the root of the URDF is in the model (4, 4).
    """

    text: str
    notes: tuple[UrdfNote, ...]
    names: dict[str, str]
    parts: tuple[int, ...]
    X_ModelUrdf: Array

    @property
    def is_direct_copy(self) -> bool:
        """Whether every number of the model's kinematics is copied as it is written."""
        return not any(
            note.obstacle is Obstacle.REWRITTEN and note.requirement is not Requirement.CONTENTS for note in self.notes
        )


def export_urdf(model: Model, version: UrdfVersion = OLDEST, add_mesh: AddMesh | None = None) -> UrdfExport:
    """Return a model as URDF.

    Links keep their names and their poses at every joint position. ``::`` becomes ``__``. Frames become links that are
    fixed to theirs; sensors, lights and plugins go into ``<gazebo>``.

    Parameters
    ----------
    model
        What to write.
    version
        The version of URDF. The oldest is read everywhere; 1.1 has capsules and keeps quaternions, 1.2 has limits of
        acceleration, deceleration and jerk.
    add_mesh
        Collects the meshes of a bundle, None where URIs stay as they are.

    Raises
    ------
    SdfViewerError
        If there is no single model to write, it is too large, or a pose of it is undefined.
    """
    return _Exporter(model, version, add_mesh).export()


class _Exporter:
    def __init__(self, model: Model, version: UrdfVersion, add_mesh: AddMesh | None) -> None:
        if model.is_world:
            raise SdfViewerError("a world is not a robot; convert the file of one of its models")
        self._model = model
        self._version = version
        self._add_mesh = add_mesh
        self._links = exportable_links(model, "URDF")
        self._is_urdf = robot_of(model.document_of(0)) is not None
        self._urdf_links = urdf_links(model)
        self._kinematics = Kinematics(model)
        self._notes: list[UrdfNote] = []
        self._free = FreeNames(["world"])
        self._names: dict[int, str] = {}
        #: The links that fixed joints hold.
        self._fixed: set[int] = set()
        #: What <gazebo> holds about the links that are written in SDFormat.
        self._extended: dict[int, list[str]] = {}
        self._parts: list[int] = []
        #: Where the world is in the model.
        self._X_ModelWorld = np.eye(4)

    def export(self) -> UrdfExport:
        model, kinematics = self._model, self._kinematics
        for row, kind in enumerate(model.kinds):
            if kind in (Kind.LINK, Kind.JOINT, Kind.FRAME):
                self._names[row] = self._name(row)
        lines: list[str] = []
        grounded = any(carrier.body == GROUND for carrier in kinematics.forest.carriers.values())
        if grounded:
            lines += element("link", {"name": "world"})
        self._place(grounded=grounded)
        roots = [row for row in self._links if row not in kinematics.forest.carriers]
        for row in self._links:
            is_urdf = row in self._urdf_links
            prefixes: dict[Kind, str] = {}
            if not is_urdf:  # else what extends it is in a <gazebo> of the robot
                self._extended[row], kinds = link_extension(
                    model, row, self._tell, is_bundle=self._add_mesh is not None
                )
                prefixes = dict.fromkeys(kinds, self._names[row])
            content = link_content(
                model,
                row,
                self._version,
                self._tell,
                self._add_mesh,
                is_urdf=is_urdf,
                prefixes=prefixes,
                parts=self._parts,
            )
            lines += element("link", {"name": self._names[row]}, content)
            carrier = kinematics.forest.carriers.get(row)
            if carrier is not None:
                lines += self._joint(row, carrier)
            elif grounded or row != roots[0]:
                lines += self._hold(row, None if grounded else roots[0])
        if not grounded and not np.allclose(model.X_RootF[roots[0]], np.eye(4), atol=_SAME):
            message = "it is the root, which has no pose in URDF: the model frame is lost"
            self._rewrite(roots[0], message, Requirement.ROOT, _POSE)
        for row, kind in enumerate(model.kinds):
            if kind is Kind.FRAME:
                lines += self._frame(row)
        loops = [line for joint in kinematics.loop_joints for line in self._close_loop(joint)]
        loops += self._unconnected()
        lines += [*self._gazebo(), *loops]
        # Sensors and plugins are copied as the file writes them.
        text = writable("\n".join(['<?xml version="1.0"?>', *element("robot", self._attributes(lines), lines), ""]))
        names = {model.names[row]: name for row, name in self._names.items()}
        X_ModelUrdf = self._X_ModelWorld if grounded else model.X_RootF[roots[0]]
        return UrdfExport(text, tuple(self._notes), names, tuple(self._parts), X_ModelUrdf)

    def _place(self, *, grounded: bool) -> None:
        """Take up where the file says that the model is: in the joints to the world, or else it is lost."""
        X_WorldModel = self._model.raw_poses[0]
        robot = robot_of(self._model.document_of(0))
        if robot is not None and robot.find("origin") is None:
            return  # it is in <gazebo>, and stays there
        if np.allclose(X_WorldModel, np.eye(4), rtol=0, atol=_SAME):
            return
        if grounded:
            self._X_ModelWorld = transforms.invert(X_WorldModel)
            self._rewrite(0, "its pose is written into the joints that fix it to the world", Requirement.ROOT, _POSE)
            return
        pose = " ".join(format_number(value) for value in transforms.written_numbers_of(X_WorldModel))
        message = f"URDF has no pose for a whole robot; its pose {pose} is left out: give it to what spawns the robot"
        self._lose(0, message, Requirement.ROOT, _POSE)

    def _attributes(self, lines: Sequence[str]) -> dict[str, str]:
        version = {} if self._version == OLDEST else {"version": ".".join(map(str, self._version))}
        return {"name": self._model.name, **version, **declared_prefixes(self._model, lines)}

    # --- notes and names ---------------------------------------------------------------------------------------

    def _lose(self, row: int, message: str, requirement: Requirement, *topics: Topic) -> None:
        self._notes.append(UrdfNote(Obstacle.LOST, row, message, topics, requirement))

    def _tell(self, row: int, message: str, /, *topics: Topic, obstacle: Obstacle = Obstacle.LOST) -> None:
        self._notes.append(UrdfNote(obstacle, row, message, topics))

    def _rewrite(self, row: int, message: str, requirement: Requirement = Requirement.POSES, *topics: Topic) -> None:
        self._notes.append(UrdfNote(Obstacle.REWRITTEN, row, message, topics, requirement))

    def _name(self, row: int) -> str:
        inner = self._model.names[row].removeprefix(self._model.names[0] + "::")
        name = self._free.new(writable(inner.replace("::", "__")))
        if name != inner:
            self._notes.append(
                UrdfNote(Obstacle.RENAMED, row, f"it is renamed to '{name}'", requirement=Requirement.NAMES)
            )
        return name

    # --- joints ------------------------------------------------------------------------------------------------

    def _pose_of(self, body: int | None) -> Array:
        return self._X_ModelWorld if body is None or body == GROUND else self._model.X_RootF[body]

    def _parent_name(self, body: int | None) -> str:
        return "world" if body is None or body == GROUND else self._names[body]

    def _parent(self, carrier: Carrier) -> int:
        """Return the row of the link that a joint hangs on; a frame that the joint names is a link in URDF."""
        named = carrier.joint.parent
        if not carrier.backwards and named >= 0 and self._model.kinds[named] is Kind.FRAME and carrier.body != GROUND:
            return named
        return carrier.body

    def _joint(self, row: int, carrier: Carrier) -> list[str]:
        """Return the lines of the joint that carries a link, with a link between where the link is not on its axis."""
        model, joint, parent = self._model, carrier.joint, self._parent(carrier)
        X_RootJ, X_RootL = model.X_RootF[joint.row], model.X_RootF[row]
        X_PRoot = transforms.invert(self._pose_of(parent))
        name, ends = self._names[joint.row], (self._parent_name(parent), self._names[row])
        axis = joint.axes[0].xyz if joint.axes else None
        moves = joint.type in MOVING and axis is not None and np.isfinite(axis).all() and bool(axis.any())
        if not moves or axis is None:
            if carrier.body != GROUND:
                self._fixed.add(row)
            if carrier.backwards:
                self._swap(joint)
            elif not np.allclose(X_RootJ, X_RootL, atol=_SAME):
                self._rewrite(joint.row, _AT_CHILD, Requirement.FRAMES, *MOVED)
            if joint.type != "fixed":
                why = "it has no axis" if joint.type in MOVING else f"URDF has no {joint.type} joints"
                self._lose(joint.row, f"{why}; its link is fixed", Requirement.JOINTS, *FIXED)
            return self._joint_lines(name, "fixed", ends, self._origin(joint, row, carrier, X_PRoot @ X_RootL), [])
        u = X_RootJ[:3, :3] @ axis * (-1.0 if carrier.backwards else 1.0)
        if carrier.backwards:
            self._swap(joint)
        same_frame = np.allclose(X_RootJ, X_RootL, atol=_SAME)
        off_axis = np.linalg.norm(np.cross(X_RootL[:3, 3] - X_RootJ[:3, 3], u))
        if same_frame or joint.type == "prismatic" or off_axis < _SAME:
            if not same_frame and not carrier.backwards:
                self._rewrite(joint.row, _AT_CHILD, Requirement.FRAMES, *MOVED)
            where = self._origin(joint, row, carrier, X_PRoot @ X_RootL)
            in_link = axis if same_frame and not carrier.backwards else X_RootL[:3, :3].T @ u
            return self._joint_lines(name, joint.type, ends, where, self._motion(joint, in_link))
        between = self._free.new(f"{name}_child")
        self._rewrite(row, f"it is not on the axis of '{name}': the link '{between}' carries the joint instead")
        self._check_joint(joint, carrier)
        lines = self._joint_lines(
            name, joint.type, (ends[0], between), origin(X_PRoot @ X_RootJ), self._motion(joint, X_RootJ[:3, :3].T @ u)
        )
        lines += element("link", {"name": between})
        X_JL = transforms.invert(X_RootJ) @ X_RootL
        fixed = self._free.new(f"{between}_fixed")
        return lines + self._joint_lines(fixed, "fixed", (between, ends[1]), origin(X_JL), [])

    def _swap(self, joint: Joint) -> None:
        message = "its child is closer to the root than its parent; they are swapped in URDF"
        self._rewrite(joint.row, message, Requirement.TREE, Topic(Aspect.JOINT, "parent|child|axis"), *MOVED)

    def _origin(self, joint: Joint, row: int, carrier: Carrier, X_PL: Array) -> list[str]:
        """Return the ``<origin>`` of a joint that is at its link: the written numbers where they can be copied."""
        model = self._model
        copied = self._check_copied(joint, row, carrier)
        quaternion = self._version >= WITH_QUATERNIONS and joint.row in model.scope.exact_poses
        return origin(X_PL, model.scope.raw_poses[joint.row] if copied else None, quaternion=quaternion)

    def _check_joint(self, joint: Joint, carrier: Carrier) -> bool:
        """Return whether a joint's pose is measured from its parent, as in URDF, and note where it is not."""
        model = self._model
        parent = max(self._parent(carrier), 0)  # the model frame represents the ground
        measured_from = int(model.relative_to[joint.row])
        at_parent = np.allclose(model.X_RootF[measured_from], self._pose_of(parent), atol=_SAME)
        rides_along = int(model.bodies[measured_from]) == int(model.bodies[parent])
        if not (at_parent and (rides_along or carrier.body == GROUND)):
            names = model.names[measured_from], model.names[parent]
            self._rewrite(joint.row, f"its pose is measured from '{names[0]}'; URDF measures it from '{names[1]}'")
        if carrier.body == GROUND and not np.array_equal(self._X_ModelWorld, np.eye(4)):
            return False
        return measured_from == parent and not carrier.backwards and joint.row not in model.scope.exact_poses

    def _check_copied(self, joint: Joint, row: int, carrier: Carrier) -> bool:
        """Return whether the numbers of a joint's pose are those of URDF, and note why not."""
        model = self._model
        copied = self._check_joint(joint, carrier)
        measured_from = int(model.relative_to[row])
        at_joint = np.allclose(model.X_RootF[joint.row], model.X_RootF[row], atol=_SAME)
        if not at_joint:
            self._rewrite(row, f"it is not at its joint '{model.names[joint.row]}', as links of a URDF are")
        elif int(model.bodies[measured_from]) != row:
            names = model.names[measured_from], model.names[joint.row]
            self._rewrite(row, f"its pose is measured from '{names[0]}'; URDF measures it from '{names[1]}'")
        return at_joint and copied

    def _motion(self, joint: Joint, axis: Array) -> list[str]:
        """Return the lines of axis, limits, dynamics and mimic of a joint that moves."""
        written = joint.axes[0]
        lines = element("axis", {"xyz": " ".join(format_number(value) for value in axis.tolist())})
        limits = {"effort": _limit(written.effort), "velocity": _limit(written.velocity)}
        if joint.type != "continuous" and not self._turns_freely(joint):
            limits = {"lower": _limit(written.lower), "upper": _limit(written.upper), **limits}
        lines += element("limit", {**limits, **self._more_limits(joint)})
        dynamics = read_dynamics(self._model, joint.row, written)
        if dynamics.element is not None:
            lines += _dynamics(dynamics)
        return lines + self._mimic(joint)

    def _more_limits(self, joint: Joint) -> dict[str, str]:
        """Return the limits of acceleration, deceleration and jerk, which only another URDF can give."""
        limit = self._model.elements[joint.row].find("limit")
        robot = robot_of(self._model.document_of(joint.row))
        if limit is None or robot is None or urdf_version_of(robot) < WITH_MORE_LIMITS:
            return {}
        written = {name: limit.attributes[name] for name in LATER_LIMITS if name in limit.attributes}
        if written and self._version < WITH_MORE_LIMITS:
            why = f"URDF has limits of {', '.join(written)} only since version 1.2; they are left out"
            topic = Topic(Aspect.JOINT, rf"axis\.limits\.({'|'.join(written)})")
            self._lose(joint.row, why, Requirement.CONTENTS, topic)
            return {}
        return written

    @staticmethod
    def _turns_freely(joint: Joint) -> bool:
        axis = joint.axes[0]
        return joint.type == "revolute" and axis.lower == -math.inf and axis.upper == math.inf

    def _mimic(self, joint: Joint) -> list[str]:
        kinematics = self._kinematics
        columns = kinematics.columns_of_joints.get(joint.row, [])
        if not columns or kinematics.dofs[columns[0]].leader is None:
            return []
        followers, column = kinematics.followers, columns[0]
        leader = kinematics.dofs[int(followers.sources[column])]
        if leader.axis:
            why = f"it mimics '{leader.name}', and URDF supports only first axes; it moves freely"
            self._lose(joint.row, why, Requirement.CONTENTS, *topics_of(Kind.JOINT, ("axis", "mimic")))
            return []
        line = followers.gains[column], followers.offsets[column]
        words = dict(zip(("multiplier", "offset"), (format_number(float(value)) for value in line), strict=True))
        return element("mimic", {"joint": self._names[leader.joint.row], **words})

    def _joint_lines(
        self, name: str, joint_type: str, ends: tuple[str, str], where: list[str], motion: list[str]
    ) -> list[str]:
        if joint_type == "revolute" and not any('lower="' in line for line in motion):
            joint_type = "continuous"
        parent, child = element("parent", {"link": ends[0]}), element("child", {"link": ends[1]})
        return element("joint", {"name": name, "type": joint_type}, [*where, *parent, *child, *motion])

    def _hold(self, row: int, root: int | None) -> list[str]:
        """Return the joint that fixes a link to the root of the tree where nothing else connects it."""
        if not self._model.static[row]:
            message = "no joint connects it to the rest, but a URDF is one tree; it is fixed at its initial pose"
            self._lose(row, message, Requirement.TREE)
        X_PL = transforms.invert(self._pose_of(root)) @ self._model.X_RootF[row]
        name = self._free.new(f"{self._names[row]}_fixed")
        return self._joint_lines(name, "fixed", (self._parent_name(root), self._names[row]), origin(X_PL), [])

    def _close_loop(self, joint: Joint) -> list[str]:
        """Return the lines of a joint that URDF itself cannot hold."""
        lines = None if self._is_urdf else gazebo_joint(self._model, joint, self._names)
        if self._is_urdf:  # it is in a <gazebo> of the file already
            where = "it stays in <gazebo>, which few programs but Gazebo read"
        elif lines is not None:
            where = "it is written in <gazebo>, which few programs but Gazebo read"
        else:
            where = "it is left out"
        topics = LEFT_OUT if lines is None and not self._is_urdf else ()
        self._lose(joint.row, f"it closes a loop, and URDF supports only trees; {where}", Requirement.TREE, *topics)
        return lines or []

    def _gearbox(self, joint: Joint) -> list[str]:
        """Return the lines of a gearbox, which is a mimic constraint of URDF where it couples two joints."""
        model = self._model
        follower = geared_joint(self._kinematics, model, joint)
        if follower is not None:
            message = f"URDF has no gearbox: it is the <mimic> of '{self._names[follower]}'"
            self._rewrite(joint.row, message, Requirement.JOINTS, *LEFT_OUT)
            return []
        lines = None if self._is_urdf else gazebo_joint(model, joint, self._names)
        where = "it is left out" if lines is None else "it is written in <gazebo>, which few programs but Gazebo read"
        topics = LEFT_OUT if lines is None else ()
        self._lose(joint.row, f"URDF has no gearbox; {where}", Requirement.JOINTS, *topics)
        return lines or []

    def _unconnected(self) -> list[str]:
        """Return the lines of gearboxes, and note the joints that connect no two bodies."""
        lines: list[str] = []
        forest = self._kinematics.forest
        written = {carrier.joint.row for carrier in forest.carriers.values()}
        written |= {joint.row for joint in self._kinematics.loop_joints}
        for joint in self._model.joints:
            if joint.row in written:
                continue
            if joint.type == "gearbox":
                lines += self._gearbox(joint)
                continue
            ends = {"parent": joint.parent, "child": joint.child}
            missing = [tag for tag, row in ends.items() if body_of(self._model, row) == NOWHERE]
            why = f"its {' and its '.join(missing)} cannot be found" if missing else "it connects a body to itself"
            self._lose(joint.row, f"{why}; it is left out", Requirement.TREE, *LEFT_OUT)
        return lines

    def _frame(self, row: int) -> list[str]:
        """Return the lines of a frame: a link without mass, fixed to its own."""
        model = self._model
        body = int(model.bodies[row])
        is_on_link = body >= 0 and model.kinds[body] is Kind.LINK
        if not is_on_link or not model.is_resolved[row]:
            why = "its pose cannot be resolved" if is_on_link else "it is attached to no link"
            self._lose(row, f"{why}; it is left out", Requirement.FRAMES, *LEFT_OUT)
            return []
        X_LF = transforms.invert(model.X_RootF[body]) @ model.X_RootF[row]
        name = self._free.new(f"{self._names[row]}_fixed")
        lines = element("link", {"name": self._names[row]})
        return lines + self._joint_lines(name, "fixed", (self._names[body], self._names[row]), origin(X_LF), [])

    # --- <gazebo> ----------------------------------------------------------------------------------------------

    def _gazebo(self) -> list[str]:
        model, lines = self._model, []
        robot = robot_of(model.document_of(0))
        if robot is not None:
            lines += self._extensions(robot)
        elif model.static[0]:
            lines += element("gazebo", None, element("static", None, "true"))
        for row, content in self._extended.items():
            lines += element("gazebo", {"reference": self._names[row]}, content) if content else []
        if robot is not None:
            return lines
        for content in (model_extension(model, self._tell), plugins_of(model)):
            lines += element("gazebo", None, content) if content else []
        for row, carrier in self._kinematics.forest.carriers.items():
            lines += self._joint_extension(row, carrier.joint)
        return lines

    def _joint_extension(self, row: int, joint: Joint) -> list[str]:
        """Return the ``<gazebo>`` of the joint that carries a link."""
        content = joint_extension(self._model, joint, self._tell)
        if row in self._fixed:
            inertial = resolve_inertial(self._model, row)
            if inertial is not None and inertial.mass > 0:
                # libsdformat would make the link a frame of its parent.
                content = [*element("preserveFixedJoint", None, "true"), *content]
            elif content:  # without mass the link would be left out where it is not merged
                why = "its link has no mass, so Gazebo merges it; what is on the joint is left out"
                self._lose(joint.row, why, Requirement.CONTENTS, Topic(Aspect.SETTING))
                for part in self._model.rows_in(joint.row):
                    why = "it is on a joint that Gazebo merges; it is left out"
                    self._lose(part, why, Requirement.CONTENTS, *LEFT_OUT)
                content = []
        return element("gazebo", {"reference": self._names[joint.row]}, content) if content else []

    def _extensions(self, robot: Element) -> list[str]:
        """Return each ``<gazebo>`` of a robot, without links and joints that are already in the tree."""
        document, carriers, lines = self._model.document_of(0), self._kinematics.forest.carriers, []
        rows = (*self._links, *(carrier.joint.row for carrier in carriers.values()))
        written = {id(self._model.elements[row]) for row in rows}
        for extension in robot.findall("gazebo"):
            spans = [document.offsets(child, "element") for child in extension.children if id(child) in written]
            if spans and len(spans) == len(extension.children):
                continue  # nothing else is in it
            start, last = document.offsets(extension, "element")
            text = ""
            for first, after in spans:
                text += document.text[start:first].rstrip()
                start = after
            lines += dedented(text + document.text[start:last])
        return lines


def _dynamics(dynamics: Dynamics) -> list[str]:
    """Return the line of damping and friction that are written, in the words of the file where they count."""
    values = {}
    for name, value in (("damping", dynamics.damping), ("friction", dynamics.friction)):
        element_ = dynamics.element
        text = "" if element_ is None else element_.text_of(name) or element_.attributes.get(name, "")
        if value or parse_numbers(text):
            values[name] = text if parse_numbers(text) == (value,) else format_number(value)
    return element("dynamics", values) if values else []


def _limit(value: float) -> str:
    return format_number(value) if math.isfinite(value) else ("-" if value < 0 else "") + _NO_LIMIT
