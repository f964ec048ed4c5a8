"""From a URDF ``<robot>`` to the same frame table that an SDFormat model has.

A link stands at the joint above it, a joint is measured from its parent link: the element-relative reading is the only
one that URDF has. Every link stays, where libsdformat merges those that fixed joints join
(:mod:`sdfviewer.semantics.urdf.merge`). A root link called ``world`` is the world outside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.semantics.graph import ROOT, UNRESOLVED
from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.members import Origin, add_joint, add_link, add_posed, resolve_joint
from sdfviewer.semantics.model import Model
from sdfviewer.semantics.names import did_you_mean
from sdfviewer.semantics.rules import joints as joint_rules
from sdfviewer.semantics.rules import kinematics as kinematics_rules
from sdfviewer.semantics.rules import relative_to as relative_to_rules
from sdfviewer.semantics.rules import urdf as urdf_rules
from sdfviewer.semantics.scope import Finding, Place, Scope, WrittenAxis, WrittenJoint, WrittenMimic
from sdfviewer.semantics.urdf.merge import Merging, part_name, snapped
from sdfviewer.semantics.urdf.reading import Robot, UrdfJoint, UrdfLink, limits_of, parse_numbers, read_robot
from sdfviewer.semantics.values import IDENTITY, Version
from sdfviewer.transforms import Array, invert, matrix_to_pose, pose_to_matrix

#: The version of SDFormat that libsdformat writes a robot in, and in which ``<gazebo>`` extensions are read.
URDF_VERSION: Version = (1, 11)

_ON_LINKS = {"sensor": Kind.SENSOR, "light": Kind.LIGHT, "projector": Kind.PROJECTOR}


def build_robot(document: Document, element: Element, origin: Origin) -> Scope:
    """Return the scope of the ``<robot>`` of a document; its rows' elements are those of the URDF.

    What ``<gazebo>`` extensions put into the model (joints, frames, sensors, lights, projectors, ``static``) is there
    too, written in SDFormat.
    """
    return _Builder(element, origin).scope


class _Builder:
    def __init__(self, element: Element, origin: Origin) -> None:
        self._source = origin.source
        self._origin = Origin(origin.source, URDF_VERSION, origin.depth)
        self._robot: Robot = read_robot(element, origin.source)
        self._merging = Merging(self._robot, origin.source)
        self.scope = Scope()
        self.scope.findings += self._robot.findings + self._merging.findings
        raw = _origin_of(element)
        self.scope.add_row(Kind.MODEL, element.attributes.get("name", ""), element, origin.source, -1, raw, None)
        self._links: dict[str, int] = {}
        self._joints: dict[str, int] = {}
        for child in element.children:
            name = child.attributes.get("name", "")
            link, joint = self._robot.links.get(name), self._robot.joints.get(name)
            if child.tag == "link" and link is not None and link.element is child and not self._is_world(name):
                self._links[name] = self._add_link(link)
            elif child.tag == "joint" and joint is not None and joint.element is child:
                self._joints[name] = self._add_row(Kind.JOINT, self._free_name(name, child), child, 0, joint.origin)
        self.scope.members.update({**self._joints, **self._links})
        self._resolve_links()
        for name, row in self._joints.items():
            self._resolve_joint(self._robot.joints[name], row)
        for reference, extensions in self._robot.extensions.items():
            for extension in extensions:
                self._add_extension(reference, extension)
        self._finish()
        if unexpanded := [finding for finding in self.scope.findings if finding.rule is urdf_rules.urdf_is_xacro]:
            # All else would be said of a robot that is not written yet.
            self.scope.findings = unexpanded

    def _is_world(self, link: str) -> bool:
        return link == "world" and link not in self._robot.drivers

    def _free_name(self, name: str, element: Element) -> str:
        """Return the name of a joint: that of a link may be the same in URDF, but not in one scope of SDFormat."""
        if name not in self._robot.links:
            return name
        renamed = f"{name}_joint"
        while renamed in self._robot.links or renamed in self._robot.joints:
            renamed += "_"
        return renamed

    def _add_row(self, kind: Kind, name: str, element: Element, owner: int, raw_pose: tuple[float, ...]) -> int:
        return self.scope.add_row(kind, name, element, self._source, owner, raw_pose, None)

    def _add_link(self, link: UrdfLink) -> int:
        row = self._add_row(Kind.LINK, link.name, link.element, 0, IDENTITY)
        numbers = {"visual": 0, "collision": 0}
        for part in link.parts:
            name = part_name(link.name, part.attributes.get("name", ""), part.tag, numbers[part.tag])
            numbers[part.tag] += 1
            kind = Kind.VISUAL if part.tag == "visual" else Kind.COLLISION
            raw = _origin_of(part)
            added = self._add_row(kind, f"{link.name}::{name}", part, row, raw)
            X_LF = pose_to_matrix(raw)
            if snapped(X_LF) is not X_LF:
                self.scope.exact_poses[added] = snapped(X_LF)
            self.scope.relative_to[added] = self.scope.attached_to[added] = row
        return row

    def _resolve_links(self) -> None:
        for name, row in self._links.items():
            driver = self._robot.drivers.get(name)
            self.scope.relative_to[row] = 0 if driver is None else self._joints[driver.name]

    def _resolve_joint(self, joint: UrdfJoint, row: int) -> None:
        scope = self.scope
        from_world = self._is_world(joint.parent)
        parent = ROOT if from_world else self._links.get(joint.parent, UNRESOLVED)
        child = self._links.get(joint.child, UNRESOLVED)
        # libsdformat measures joints to the world from the model frame.
        scope.relative_to[row] = 0 if from_world else parent
        scope.attached_to[row] = child
        turns = self._merging.turns(joint)
        joint_type = "revolute" if turns else joint.type
        axes: tuple[WrittenAxis, ...] = ()
        if turns:
            axes = (
                WrittenAxis(joint.element, (0.0, 0.0, 1.0), row, 0.0, 0.0, *limits_of(joint.element, "")[2:], None),
            )
        elif joint.type in ("revolute", "continuous", "prismatic"):
            axes = (self._read_axis(joint, row),)
        elif joint.type in ("floating", "planar"):
            joint_type = "fixed"
        scope.joints.append(WrittenJoint(row, joint_type, parent, child, axes))

    def _read_axis(self, joint: UrdfJoint, row: int) -> WrittenAxis:
        element = joint.element.find("axis") or joint.element
        # An <axis> that says nothing is no axis, unlike none at all: so it is in urdfdom's parseJoint.
        text = "1 0 0" if element is joint.element else element.attributes.get("xyz", "0 0 0")
        numbers = parse_numbers(text)
        x, y, z = numbers if numbers is not None and len(numbers) == 3 else (1.0, 0.0, 0.0)
        if not any((x, y, z)):
            rule = kinematics_rules.axis_zero
            self._report(Finding(rule, Place(self._source, element, "@xyz"), rule.format(), (row,)))
        lower, upper, effort, velocity = limits_of(joint.element, joint.type)
        if lower > upper:
            rule = kinematics_rules.limits_reversed
            place = Place(self._source, joint.element.find("limit") or joint.element)
            self._report(Finding(rule, place, rule.format(lower, upper), (row,)))
        return WrittenAxis(element, (x, y, z), row, lower, upper, effort, velocity, self._read_mimic(joint, row))

    def _read_mimic(self, joint: UrdfJoint, row: int) -> WrittenMimic | None:
        element = joint.element.find("mimic")
        if element is None:
            return None
        name = element.attributes.get("joint", "")
        leader = self._robot.joints.get(name)
        if leader is None or leader is joint:
            rule = kinematics_rules.mimic_invalid
            hint = did_you_mean(name, self._robot.joints)
            what = (
                f"joint '{name}' cannot mimic itself" if leader else f"'{name}', the mimic's leader, is no joint{hint}"
            )
            self._report(Finding(rule, Place(self._source, element, "@joint"), rule.format(what), (row,)))
            return None

        def number(attribute: str, default: float) -> float:
            found = parse_numbers(element.attributes.get(attribute, ""))
            return found[0] if found else default

        leader_name = self.scope.names[self._joints[name]]
        return WrittenMimic(leader_name, 0, number("multiplier", 1.0), number("offset", 0.0), 0.0)

    def _report(self, finding: Finding) -> None:
        self.scope.findings.append(finding)

    # --- <gazebo> ----------------------------------------------------------------------------------------------

    def _add_extension(self, reference: str, extension: Element) -> None:
        """Add the rows of what a ``<gazebo>`` element puts into the model."""
        owner = self._links.get(reference, self._joints.get(reference, ROOT))
        for child in extension.children:
            name = child.attributes.get("name", "")
            if owner >= 0:
                kind = _ON_LINKS.get(child.tag)
                if kind is not None:
                    scoped = f"{self.scope.names[owner]}::{name}"
                    self._resolve_pose(add_posed(self.scope, self._origin, kind, scoped, child, owner), owner)
            elif not reference:
                self._add_to_model(child, name)

    def _add_to_model(self, element: Element, name: str) -> None:
        scope, origin = self.scope, self._origin
        if element.tag == "joint":
            row = add_joint(scope, origin, element, name)
            joint = self._merged(resolve_joint(scope, origin, row))
            scope.joints.append(joint)
            scope.attached_to[row] = joint.child
            self._resolve_pose(row, joint.child)
        elif element.tag == "frame":
            attached_to = element.attributes.get("attached_to") or None
            row = add_posed(scope, origin, Kind.FRAME, name, element, 0, attached_to)
            target = 0 if attached_to is None else scope.lookup(attached_to)
            scope.attached_to[row] = UNRESOLVED if target is None else target
            self._resolve_pose(row, scope.attached_to[row])
        elif element.tag == "link":
            row = add_link(scope, origin, element, name)
            for each in range(row, len(scope)):
                scope.attached_to[each] = ROOT if each == row else row
                self._resolve_pose(each, 0 if each == row else row)
        else:
            return
        scope.members.setdefault(name, row)

    def _merged(self, joint: WrittenJoint) -> WrittenJoint:
        """Return a joint of an extension between merged links, as libsdformat makes it."""
        names = self.scope.names
        targets = self._merging.targets

        def merged(row: int) -> int:
            return self._links.get(targets.get(names[row], ""), row) if row >= 0 else row

        return replace(joint, parent=merged(joint.parent), child=merged(joint.child))

    def _resolve_pose(self, row: int, default: int) -> None:
        scope = self.scope
        written = scope.relative_to_written[row]
        if scope.kinds[row] not in (Kind.LINK, Kind.FRAME, Kind.JOINT):
            scope.attached_to[row] = scope.owners[row]
        target: int | None = default if written is None else scope.lookup(written)
        if target is None:
            rule = relative_to_rules.relative_to_invalid
            pose = scope.elements[row].find("pose") or scope.elements[row]
            place = Place(self._source, pose, "@relative_to")
            self._report(Finding(rule, place, rule.format(written, did_you_mean(written or "", scope.members)), (row,)))
            target = UNRESOLVED
        scope.relative_to[row] = target

    def _finish(self) -> None:
        scope = self.scope
        roots = [name for name in self._links if name not in self._robot.drivers]
        roots += [joint.child for joint in self._robot.children("world") if joint.child in self._links]
        scope.canonical_link = self._links[roots[0]] if roots else min(self._links.values(), default=UNRESOLVED)
        scope.attached_to[0] = scope.canonical_link
        static = any(extension.find("static") is not None for extension in self._robot.extensions.get("", ()))
        if static and self._robot.option("", "static"):
            scope.static = [True] * len(scope)
            scope.attached_to[0] = ROOT
        elif self._links and self._merging.is_empty:
            message = f"Gazebo reads robot '{scope.names[0]}' without any link: its root has no mass"
            self._report(Finding(joint_rules.model_without_link, Place(self._source, scope.elements[0]), message, (0,)))


def _origin_of(element: Element) -> tuple[float, ...]:
    """Return the numbers of ``<origin>``, zeros for what is no number: that is reported where it is checked."""
    origin = element.find("origin")
    if origin is None:
        return IDENTITY

    def three(name: str) -> tuple[float, ...]:
        numbers = parse_numbers(origin.attributes.get(name, ""))
        return numbers if numbers is not None and len(numbers) == 3 else (0.0, 0.0, 0.0)

    return (*three("xyz"), *three("rpy"))


@dataclass(frozen=True, slots=True)
class MergedPart:
    """What libsdformat makes of a row of a URDF whose link it merges into another one.

    Attributes
    ----------
    row
        The visual, collision, sensor, light or projector.
    name
        The scoped name by which libsdformat, and so Gazebo, knows it.
    link
        Row of the link L that it is on there.
    X_LF
        Its pose (4, 4) on that link.
    """

    row: int
    name: str
    link: int
    X_LF: Array


def merged_parts(model: Model) -> list[MergedPart]:
    """Return what libsdformat calls otherwise than its row here; nothing for an SDFormat file.

    The merged links and joints keep their names, as frames.
    """
    root = model.document.root
    if root is None or root.tag != "robot":
        return []
    robot = read_robot(root, None)
    merging = Merging(robot, None)
    names = {id(part): name for part, name in merging.part_names()}
    found: list[MergedPart] = []
    for row, kind in enumerate(model.kinds):
        owner = int(model.owners[row])
        if owner <= 0 or model.kinds[owner] is not Kind.LINK:
            continue
        link = model.local_names[owner]
        target = merging.targets.get(link, link)
        name = names.get(id(model.elements[row]))
        target_row = model.rows_by_name[f"{model.names[0]}::{target}"]
        if name is not None:
            X_LF = _merged_pose(model, row, owner, target_row)
        elif kind in _ON_LINKS.values():
            name = f"{target}::{model.names[row].rpartition('::')[2]}"
            if model.relative_to_written[row] is None:
                X_LF = _written_by_libsdformat(robot, link, target, model.raw_poses[row])
            else:
                X_LF = invert(model.X_RootF[target_row]) @ model.X_RootF[row]
        else:
            continue
        if model.names[row] != f"{model.names[0]}::{name}":
            found.append(MergedPart(row, f"{model.names[0]}::{name}", target_row, X_LF))
    return found


def _merged_pose(model: Model, row: int, owner: int, target: int) -> Array:
    """Return the pose of a visual or collision on the link that its own is merged into."""
    X_TL = invert(model.X_RootF[target]) @ model.X_RootF[owner]
    return snapped(X_TL @ pose_to_matrix(model.scope.raw_poses[row]))


def _written_by_libsdformat(robot: Robot, link: str, target: str, X_LF: Array) -> Array:
    """Return a pose on ``link`` as one on ``target``: at each step libsdformat writes it down with six digits."""
    while link != target:
        joint = robot.drivers[link]
        values = matrix_to_pose(snapped(pose_to_matrix(joint.origin) @ X_LF))
        X_LF = pose_to_matrix([float(f"{value:.6g}") for value in values.tolist()])
        link = joint.parent
    return X_LF
