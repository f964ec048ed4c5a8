"""What libsdformat makes of fixed joints: it merges the links they join, and names visuals and collisions anew.

Here every link stays. But Gazebo knows the merged ones: a contact sensor must say
``base_fixed_joint_lump__tool_collision_1``, and an impossible inertia of all of them together is refused.

Source: libsdformat, ``ReduceFixedJoints`` and what it calls, in src/parser_urdf.cc.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from sdfviewer.document.element import Element
from sdfviewer.semantics.inertia import impossibility
from sdfviewer.semantics.rules import kinematics as kinematics_rules
from sdfviewer.semantics.rules import urdf as rules
from sdfviewer.semantics.scope import Finding, Place, Source
from sdfviewer.semantics.urdf.reading import Moments, Robot, UrdfInertial, UrdfJoint
from sdfviewer.transforms import Array, matrix_to_quaternion, pose, pose_to_matrix, rpy_to_matrix

_LUMP = "_fixed_joint_lump__"


@dataclass(slots=True)
class _Body:
    """A link with all that is merged into it.

    ``mass``, its first moment ``m`` (3,) and second moments ``inertia`` (3, 3) about the link's origin; ``parts`` with
    the names that they bring along.
    """

    mass: float = 0.0
    m: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))
    parts: list[tuple[str, Element]] = field(default_factory=list)

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


def _own_body(inertial: UrdfInertial | None) -> _Body:
    if inertial is None:
        return _Body()
    ixx, iyy, izz, ixy, ixz, iyz = inertial.moments
    about_centre = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
    body = _Body(inertial.mass, np.zeros(3), about_centre)
    return body.moved(pose_to_matrix(inertial.origin))


class Merging:
    """The bodies that remain of a robot after fixed joints are merged.

    Attributes
    ----------
    targets
        The link that each link becomes a part of: often itself.
    findings
        Bodies that cannot be.
    """

    def __init__(self, robot: Robot, source: Source) -> None:
        self._robot = robot
        self._source = source
        self.targets: dict[str, str] = {}
        self.findings: list[Finding] = []
        self._bodies: dict[str, _Body] = {}
        for name in robot.links:
            top = name
            seen = {name}
            while (joint := robot.drivers.get(top)) is not None and self._merges(joint) and joint.parent not in seen:
                top = joint.parent
                seen.add(top)
            self.targets[name] = top
        for name, target in self.targets.items():
            if name == target and name != "world":
                self._bodies[name] = self._merge(name)
        self.findings += self._check_bodies()

    def _merges(self, joint: UrdfJoint) -> bool:
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
        link = self._robot.links[name]
        body = _own_body(link.inertial)
        body.parts = [(part.attributes.get("name", ""), part) for part in link.parts]
        for joint in self._robot.children(name):
            if not self._merges(joint):
                continue
            child = self._robot.links[joint.child]
            merged = self._merge(joint.child).moved(pose_to_matrix(joint.origin))
            body.parts += [(own or joint.child, part) for own, part in merged.parts]
            if child.inertial is not None and body.mass + merged.mass == 0.0:
                rule = rules.urdf_merged_without_mass
                message = rule.format(joint.child, name)
                self.findings.append(Finding(rule, Place(self._source, child.inertial.element), message))
            body.mass += merged.mass
            body.m = body.m + merged.m
            body.inertia = body.inertia + merged.inertia
        return body

    def _check_bodies(self) -> Iterator[Finding]:
        """Yield bodies that Gazebo leaves out, and those that it refuses."""
        left_out: set[str] = set()
        for name, body in self._bodies.items():
            link = self._robot.links[name]
            if body.mass <= 0:
                below = self._below(name)
                if not left_out & {name, *self._above(name)}:
                    at = Place(self._source, link.element, "@name")
                    yield Finding(rules.urdf_massless, at, rules.urdf_massless.format(name, len(below)))
                left_out |= {name, *below}
        for name, body in self._bodies.items():
            if name in left_out:
                continue
            why = impossibility(body.mass, body.moments())
            if why:
                link = self._robot.links[name]
                rule = kinematics_rules.inertia_invalid
                together = "with all that is fixed to it, " if self._is_merged(name) else ""
                inertial = link.element if link.inertial is None else link.inertial.element
                yield Finding(rule, Place(self._source, inertial), rule.format(name, together + why))

    def inertial_of(self, name: str) -> UrdfInertial | None:
        """Return mass and moments of a link with all that is fixed to it, in its own axes; None without mass."""
        body, link = self._bodies[name], self._robot.links[name]
        if body.mass <= 0:
            return None
        centre = (body.m / body.mass).tolist()
        return UrdfInertial(link.element, (*centre, 0.0, 0.0, 0.0), body.mass, body.moments())

    def _is_merged(self, name: str) -> bool:
        return sum(target == name for target in self.targets.values()) > 1

    def _above(self, name: str) -> list[str]:
        above: list[str] = []
        while (joint := self._robot.drivers.get(name)) is not None and joint.parent not in above:
            name = joint.parent
            above.append(name)
        return above

    def _below(self, name: str) -> list[str]:
        """Return the links below a link that are not merged into it."""
        return [link for link in self._robot.links if name in self._above(link) and self.targets[link] != name]

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
    """Return what libsdformat calls a visual or collision of a link.

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
    return name if name.startswith(link) else link + _LUMP + name


def snapped(X: Array) -> Array:
    """Return a pose (4, 4) with a pitch near ±90° made exactly that, as urdfdom does.

    Where ``|sin pitch| ≥ 0.99999`` roll, pitch and yaw are badly conditioned. urdfdom, from which libsdformat has the
    poses of visuals and collisions, then takes a quarter turn and no roll; the orientation may be off by 4 mrad.

    Notes
    -----
    Source: urdfdom_headers, ``Rotation::getRPY``.
    """
    sine = -float(X[2, 0])
    if abs(sine) < 0.99999:
        return X
    _, x, y, _ = matrix_to_quaternion(X[:3, :3]).tolist()
    side = math.copysign(1.0, sine)
    yaw = 2.0 * math.atan2(-side * x, side * y)
    return pose(rpy_to_matrix([0.0, side * math.pi / 2.0, yaw]), X[:3, 3])
