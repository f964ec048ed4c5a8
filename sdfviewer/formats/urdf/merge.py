"""Merge links across fixed joints, as libsdformat does.

Here every link stays. But Gazebo knows the merged ones: a contact sensor must say
``base_fixed_joint_lump__tool_collision_1``, and an impossible inertia of all of them together is refused.

Source: libsdformat, ``ReduceFixedJoints`` and what it calls, in src/parser_urdf.cc.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from sdfviewer.diagnostics import Message
from sdfviewer.document.element import Element
from sdfviewer.formats.urdf.robot import Moments, Robot, UrdfInertial, UrdfJoint
from sdfviewer.formats.urdf.values import UrdfPose
from sdfviewer.model.findings import ElementPart, Finding, Source
from sdfviewer.transforms import Array, matrix_to_pose, matrix_to_quaternion, pose, rpy_to_matrix
from sdfviewer.validation import frame_rules, kinematics_rules
from sdfviewer.validation import urdf_rules as rules
from sdfviewer.validation.frame_rules import LUMP
from sdfviewer.validation.kinematics_rules import impossibility


@dataclass(slots=True)
class _Body:
    """A link with all that is merged into it.

    ``mass``, its first moment ``m`` (3,) and second moments ``inertia`` (3, 3) about the link's origin; ``parts`` with
    the names that they bring along; ``written`` are the moments in the file where nothing is merged into the link.
    """

    mass: float = 0.0
    m: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))
    parts: list[tuple[str, Element]] = field(default_factory=list)
    written: Moments | None = None

    def moved(self, X: Array) -> _Body:
        """Return the same body seen from a frame in which this one is at X (4, 4)."""
        R, p = X[:3, :3], X[:3, 3]
        if not self.mass:
            return _Body(0.0, R @ self.m, R @ self.inertia @ R.T, self.parts)
        centre = self.m / self.mass
        about_centre = R @ (self.inertia - self.mass * _steiner(centre)) @ R.T
        moved = R @ centre + p
        return _Body(self.mass, self.mass * moved, about_centre + self.mass * _steiner(moved), self.parts)

    def moments(self) -> Moments:
        """Return ixx, iyy, izz, ixy, ixz, iyz about the centre of mass."""
        about = self.inertia - self.mass * _steiner(self.m / self.mass)
        xx, yy, zz = about.diagonal().tolist()
        return xx, yy, zz, float(about[0, 1]), float(about[0, 2]), float(about[1, 2])


def _steiner(p: Array) -> Array:
    return float(p @ p) * np.eye(3) - np.outer(p, p)


#: What sums and rotations of moments may lose, as a part of the largest of them.
_ROUNDING = 1e-9


def _is_nearly_possible(moments: Moments) -> bool:
    """Return whether the moments of several bodies together are possible but for rounding.

    Point masses on a line have the principal moments (0, I, I), the last that is possible: whether their sum still is
    depends on the order in which it is made.
    """
    ixx, iyy, izz, ixy, ixz, iyz = moments
    inertia = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
    if not np.isfinite(inertia).all():
        return False
    a, b, c = np.linalg.eigvalsh(inertia)
    least = -_ROUNDING * max(abs(a), abs(c))
    return bool(a >= least and a + b - c >= least)


def _own_body(inertial: UrdfInertial | None) -> _Body:
    if inertial is None:
        return _Body()
    ixx, iyy, izz, ixy, ixz, iyz = inertial.moments
    about_centre = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
    body = _Body(inertial.mass, np.zeros(3), about_centre).moved(inertial.origin.X)
    body.written = inertial.moments
    return body


class Merging:
    """The bodies that remain of a robot after fixed joints are merged.

    Attributes
    ----------
    targets
        The link that each link becomes a part of: often itself.
    left_out
        Links that libsdformat leaves out because they, or links above them, have no mass.
    findings
        Bodies that cannot be.
    """

    def __init__(self, robot: Robot, source: Source) -> None:
        self._robot = robot
        self._source = source
        self.targets: dict[str, str] = {}
        self.left_out: set[str] = set()
        self._without_mass: list[tuple[str, Finding]] = []
        self.findings: list[Finding] = []
        self._bodies: dict[str, _Body] = {}
        for name in robot.links:
            self._find_target(name)
        for name, target in self.targets.items():
            if name == target and name != "world":
                self._bodies[name] = self._merge(name)
        self.findings += self._check_bodies()

    def _find_target(self, name: str) -> None:
        """Note what a link, and every link on the way up to that, becomes a part of."""
        drivers = self._robot.drivers
        way: dict[str, None] = {}
        top = name
        while top not in way and top not in self.targets:
            way[top] = None
            joint = drivers.get(top)
            if joint is None or not self.merges(joint):
                self.targets[top] = top
                break
            top = joint.parent
        if top in self.targets:
            self.targets.update(dict.fromkeys(way, self.targets[top]))
        else:  # a cycle, which is reported elsewhere: none of its links remains
            self.targets.update({link: drivers[link].parent for link in way})

    def merges(self, joint: UrdfJoint) -> bool:
        """Return whether the child of a joint becomes a part of its parent."""
        kept = self._robot.option(joint.name, "preserveFixedJoint") or self.turns(joint)
        return joint.type == "fixed" and joint.parent != "world" and not kept

    def turns(self, joint: UrdfJoint) -> bool:
        """Return whether a fixed joint is made a revolute one with both limits zero, an old way to keep it."""
        robot = self._robot
        return (
            joint.type == "fixed"
            and robot.option(joint.name, "disableFixedJointLumping")
            and not robot.option(joint.name, "preserveFixedJoint")
        )

    def _merge(self, name: str) -> _Body:
        """Return the body of a link and everything fixed to it."""
        robot = self._robot
        order: list[tuple[str, list[UrdfJoint]]] = []  # parents before children
        stack = [name]
        while stack:
            link = stack.pop()
            joints = [joint for joint in robot.children(link) if self.merges(joint)]
            order.append((link, joints))
            stack += [joint.child for joint in reversed(joints)]
        bodies: dict[str, _Body] = {}
        for link, joints in reversed(order):
            bodies[link] = self._with_children(link, joints, bodies)
        body = bodies[name]
        for link, _ in order:
            usual = "" if link == name else link
            kept = (part for part in robot.links[link].parts if part not in robot.links[link].lost)
            body.parts += [(part.attributes.get("name", "") or usual, part) for part in kept]
        return body

    def _with_children(self, name: str, joints: Sequence[UrdfJoint], bodies: dict[str, _Body]) -> _Body:
        """Return the body of a link together with those of the links fixed to it, without their parts."""
        body = _own_body(self._robot.links[name].inertial)
        for joint in joints:
            child = self._robot.links[joint.child]
            merged = bodies.pop(joint.child).moved(joint.origin.X)
            if child.inertial is not None and body.mass + merged.mass == 0.0:
                rule = rules.urdf_merged_without_mass
                finding = Finding(
                    rule, ElementPart(self._source, child.inertial.element), rule.format(joint.child, name)
                )
                self._without_mass.append((self.targets[name], finding))
            body.written = None
            body.mass += merged.mass
            body.m = body.m + merged.m
            body.inertia = body.inertia + merged.inertia
        return body

    def _check_bodies(self) -> Iterator[Finding]:
        """Yield bodies that Gazebo leaves out, and those that it refuses."""
        sizes = self._subtree_sizes() if any(body.mass <= 0 for body in self._bodies.values()) else {}
        merged = Counter(self.targets.values())
        for name, body in self._bodies.items():
            if body.mass <= 0 and name not in self.left_out:
                at = ElementPart(self._source, self._robot.links[name].element, "@name")
                below = sizes[name] - merged[name]
                yield Finding(rules.urdf_massless, at, rules.urdf_massless.format(name, below))
                self._mark_subtree(name, self.left_out)
        if not self.is_empty:  # else nothing of it is read
            yield from self._check_frames()
            yield from self._check_meshes()
        yield from (finding for target, finding in self._without_mass if target not in self.left_out)
        for name, body in self._bodies.items():
            if name in self.left_out:
                continue
            # As written where nothing is merged: a rounding error can make zeros negative.
            why = impossibility(body.mass, body.written or body.moments())
            if why and (body.written is not None or not _is_nearly_possible(body.moments())):
                link = self._robot.links[name]
                rule = kinematics_rules.inertia_invalid
                together = "with all that is fixed to it, " if self._is_merged(name) else ""
                inertial = link.element if link.inertial is None else link.inertial.element
                yield Finding(rule, ElementPart(self._source, inertial), rule.format(name, together + why))

    def _check_frames(self) -> Iterator[Finding]:
        """Yield the first frame that stays of a link merged into one that is left out; of a root nothing stays."""
        seen: set[str] = set()
        for name, target in self.targets.items():
            joint = self._robot.drivers.get(name)
            if name == target or target not in self.left_out or target in seen or joint is None:
                continue
            if target in self._robot.drivers and joint.name == target:
                seen.add(target)
                cycle = frame_rules.attached_to_cycle
                why = (
                    f"Gazebo leaves link '{target}' out, which has no mass, and attaches the joint's frame to its name"
                )
                message = Message(f"{cycle.format([target])}: {why}", "rename the joint, and add an <inertial>")
                yield Finding(cycle, ElementPart(self._source, joint.element, "@name"), message)
            elif target in self._robot.drivers:
                seen.add(target)
                rule = rules.urdf_fixed_to_massless
                yield Finding(rule, ElementPart(self._source, joint.element, "@name"), rule.format(name, target))

    def _check_meshes(self) -> Iterator[Finding]:
        """Yield the meshes without a file that urdfdom reads and libsdformat refuses."""
        for name, target in self.targets.items():
            link = self._robot.links[name]
            if target in self.left_out or target == "world":
                continue
            for part in link.parts:
                geometry = part.find("geometry") if part not in link.lost else None
                mesh = geometry.children[0] if geometry is not None and geometry.children else None
                if mesh is not None and mesh.tag == "mesh" and not mesh.attributes.get("filename"):
                    message = rules.urdf_bad_value.format("", "<mesh filename>", "the name of a file")
                    yield Finding(rules.urdf_bad_value, ElementPart(self._source, mesh, "@filename"), message)

    def inertial_of(self, name: str) -> UrdfInertial | None:
        """Return mass and moments of a link with all that is fixed to it, in its own axes; None without mass."""
        body, link = self._bodies[name], self._robot.links[name]
        if body.mass <= 0:
            return None
        centre = (body.m / body.mass).tolist()
        return UrdfInertial(link.element, UrdfPose((*centre, 0.0, 0.0, 0.0)), body.mass, body.moments())

    def _is_merged(self, name: str) -> bool:
        return any(self.targets[joint.child] == name for joint in self._robot.children(name))

    def _subtree_sizes(self) -> dict[str, int]:
        """Return how many links each link has below it, itself included."""
        drivers = self._robot.drivers
        sizes = dict.fromkeys(self._robot.links, 1)
        waiting = {name: len(self._robot.children(name)) for name in sizes}
        ready = [name for name, children in waiting.items() if not children]
        while ready:  # leaves first; links of a cycle are never ready
            link = ready.pop()
            joint = drivers.get(link)
            if joint is not None and joint.parent in sizes:
                sizes[joint.parent] += sizes[link]
                waiting[joint.parent] -= 1
                if not waiting[joint.parent]:
                    ready.append(joint.parent)
        return sizes

    def _mark_subtree(self, name: str, marked: set[str]) -> None:
        """Add a link and every link below it to a set; what is below a marked link is marked already."""
        stack = [name]
        while stack:
            link = stack.pop()
            if link not in marked:
                marked.add(link)
                stack += [joint.child for joint in self._robot.children(link)]

    @property
    def is_empty(self) -> bool:
        """Whether Gazebo leaves everything out, because no root has mass."""
        robot = self._robot
        roots = [name for name in robot.links if name not in robot.drivers and name != "world"]
        roots += [joint.child for joint in robot.children("world")]
        return all(self._bodies[name].mass <= 0 for name in roots if name in self._bodies)

    def part_names(self) -> Iterator[tuple[Element, str]]:
        """Yield each visual and collision with the name, ``link::visual``, by which libsdformat knows it."""
        for name, body in self._bodies.items():
            for tag in ("visual", "collision"):
                parts = [(own, part) for own, part in body.parts if part.tag == tag]
                for number, (own, part) in enumerate(parts):
                    yield part, f"{name}::{part_name(name, own, tag, number)}"


def part_name(link: str, own: str, tag: str, number: int) -> str:
    """Return the name that libsdformat gives a visual or collision of a link.

    Parameters
    ----------
    link
        The link that it belongs to after merging.
    own
        Its own name, or that of the link it was merged from; may be empty.
    tag, number
        ``visual`` or ``collision``, and which of the link's it is.
    """
    name = f"{own or link}_{tag}" + (f"_{number}" if number else "")
    return name if name.startswith(link) else link + LUMP + name


def snapped(X: Array) -> Array:
    """Return a pose (4, 4) with a pitch near ±90° made exactly that, as urdfdom does.

    Where ``|sin pitch| ≥ 0.99999`` roll, pitch and yaw are badly conditioned. urdfdom, from which libsdformat has the
    poses of visuals and collisions, then takes a quarter turn and no roll; the orientation may be off by 4 mrad.

    Notes
    -----
    Source: urdfdom_headers, ``Rotation::getRPY``.
    """
    angles = _snapped_angles(X)
    return X if angles is None else pose(rpy_to_matrix(angles), X[:3, 3])


def urdfdom_numbers(X: Array) -> list[float]:
    """Return ``x y z roll pitch yaw`` of a pose (4, 4) as urdfdom computes them, see :func:`snapped`.

    Near a pitch of ±90° only the sum or the difference of roll and yaw counts; which numbers stand for it matters as
    soon as they are rounded.
    """
    angles = _snapped_angles(X)
    return matrix_to_pose(X).tolist() if angles is None else [*X[:3, 3].tolist(), *angles]


def _snapped_angles(X: Array) -> list[float] | None:
    sine = -float(X[2, 0])
    if abs(sine) < 0.99999:
        return None
    _, x, y, _ = matrix_to_quaternion(X[:3, :3]).tolist()
    side = math.copysign(1.0, sine)
    return [0.0, side * math.pi / 2.0, 2.0 * math.atan2(-side * x, side * y)]
