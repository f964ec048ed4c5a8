"""Build the frame table of a URDF ``<robot>``.

A link is at the joint above it, a joint is measured from its parent link: the element-relative reading is the only
one that URDF has. Every link stays, where libsdformat merges those that fixed joints join
(:mod:`sdfviewer.formats.urdf.merge`). A root link called ``world`` is the world outside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isfinite
from typing import TYPE_CHECKING

from sdfviewer.diagnostics import Message, Rule, Severity
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.formats.sdformat.members import add_joint, add_link, add_posed, resolve_joint
from sdfviewer.formats.urdf.checks import check_extensions, check_for_author, check_names, is_kept
from sdfviewer.formats.urdf.merge import Merging, part_name, snapped, urdfdom_numbers
from sdfviewer.formats.urdf.reading import read_robot
from sdfviewer.formats.urdf.robot import Robot, UrdfJoint, UrdfLink, names_beside_link
from sdfviewer.formats.urdf.values import UrdfPose, limits_of, parse_numbers, parse_origin
from sdfviewer.model.findings import ElementPart, FaultyEdge, Finding, Findings
from sdfviewer.model.graph import ROOT, UNRESOLVED
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import reference_hint
from sdfviewer.model.near_names import NearNames, nearest, offer_names
from sdfviewer.model.scope import Mimic, Origin, Scope, WrittenAxis, WrittenJoint
from sdfviewer.model.values import read_pose
from sdfviewer.transforms import Array, invert, pose_to_matrix, written_numbers_of
from sdfviewer.validation import frame_rules, joint_rules, kinematics_rules, urdf_rules
from sdfviewer.validation.joint_rules import check_start
from sdfviewer.versions import Version

if TYPE_CHECKING:
    from sdfviewer.formats.sdformat.build import Builder

#: The version of SDFormat that libsdformat writes a robot in, and in which ``<gazebo>`` extensions are read.
URDF_VERSION: Version = (1, 11)

#: Why a link of a robot cannot be named in an extension.
_DROPPED = Message(": Gazebo leaves that link out, which has no mass", "add an <inertial>")

_ON_LINKS = {"sensor": Kind.SENSOR, "light": Kind.LIGHT, "projector": Kind.PROJECTOR}


def build_robot(builder: Builder, element: Element, origin: Origin) -> Scope:
    """Return the scope of a ``<robot>``; its rows' elements are those of the URDF.

    What ``<gazebo>`` extensions put into the model (models, joints, frames, sensors, lights, projectors, ``static``)
    is there too, written in SDFormat.

    Parameters
    ----------
    builder
        Builds the models in extensions.
    element
        The ``<robot>``.
    origin
        Where it comes from.
    """
    return _RobotBuilder(builder, element, origin).scope


class _RobotBuilder:
    def __init__(self, builder: Builder, element: Element, origin: Origin) -> None:
        self._builder = builder
        self._source = origin.source
        self._origin = Origin(origin.source, URDF_VERSION, origin.depth)
        self._robot: Robot = read_robot(element, origin.source)
        self._merging = Merging(self._robot, origin.source)
        self.scope = Scope(joins_links_only=True)
        self.scope.findings += map(self._as_in_gazebo, self._robot.findings)
        self.scope.findings += self._merging.findings
        self._add_row(Kind.MODEL, element.attributes.get("name", ""), element, -1, self._pose_of_robot())
        self._links: dict[str, int] = {}
        self._joints: dict[str, int] = {}
        self._near_joints = NearNames(self._robot.joints)
        self._open: list[Callable[[], None]] = []  # what finds the names in extensions, when all of them are known
        for child in element.children:
            name = child.attributes.get("name", "")
            link, joint = self._robot.links.get(name), self._robot.joints.get(name)
            if child.tag == "link" and link is not None and link.element is child and not self._is_world(name):
                self._links[name] = self._add_link(link)
            elif child.tag == "joint" and joint is not None and joint.element is child:
                self._joints[name] = self._add_row(Kind.JOINT, self._free_name(name), child, 0, joint.origin)
        self.scope.members.update({name.strip(): row for name, row in (*self._joints.items(), *self._links.items())})
        self._resolve_links()
        for name, row in self._joints.items():
            self._resolve_joint(self._robot.joints[name], row)
        for child in (
            child for extension in self._robot.extensions.get("", ()) for child in extension.findall("model")
        ):
            self._add_model(child)
        for reference, extensions in self._robot.extensions.items():
            for extension in extensions:
                self._add_extension(reference, extension)
        for resolve in self._open:
            resolve()
        self._finish()
        self.scope.findings += check_names(self._robot, self._merging, self._origin)
        self.scope.findings += check_extensions(self._robot, self._merging, self._origin)
        self.scope.findings += check_for_author(self._robot, self._merging, self._source, self._links, self._joints)
        is_xacro = [finding for finding in self.scope.findings if finding.rule is urdf_rules.urdf_is_xacro]
        if is_xacro and is_xacro[0].severity is None:
            others = [finding for finding in self.scope.findings if finding is not is_xacro[0]]
            if any((each.severity or each.rule.severity) is Severity.ERROR for each in others):
                # All else would be said of a robot that is not written yet.
                self.scope.findings = Findings(is_xacro)
            else:  # parsers of URDF read the file as it is written
                self.scope.findings = Findings([replace(is_xacro[0], severity=Severity.WARNING), *others])

    def _pose_of_robot(self) -> UrdfPose:
        """Return the pose of the model: of ``<origin>``, or else of the first ``<pose>`` in a ``<gazebo>`` about it.

        Notes
        -----
        Source: libsdformat, ``InsertSDFExtensionRobot`` and ``InsertRobotOrigin`` in src/parser_urdf.cc.
        """
        posed = (each for each in self._robot.extensions.get("", ()) if each.find("pose") is not None)
        extension = next(posed, None)
        if extension is None or self._robot.element.find("origin") is not None:
            return parse_origin(self._robot.element, self._robot.version)
        written = read_pose(extension, self._origin.version)
        return UrdfPose(written.raw if written.exact is None else tuple(written_numbers_of(written.exact)))

    def _as_in_gazebo(self, finding: Finding) -> Finding:
        """Return a finding; a joint without a counterpart is no error where its link is left out anyway."""
        if finding.rule is urdf_rules.urdf_joint_without_counterpart:
            joint = self._robot.joints.get(finding.location.element.attributes.get("name", ""))
            if joint is not None and joint.child in self._merging.left_out:
                return replace(finding, severity=Severity.WARNING)
        return finding

    def _is_world(self, link: str) -> bool:
        return link == "world" and link not in self._robot.drivers

    def _free_name(self, name: str) -> str:
        """Return the name of a joint: that of a link may be the same in URDF, but not in one scope of SDFormat.

        A joint in an extension has the name too where this one is left out.
        """
        joint = self._robot.joints[name]
        is_replaced = joint.child in self._merging.left_out and any(
            other.attributes.get("name") == name
            for extension in self._robot.extensions.get("", ())
            for other in extension.findall("joint")
        )
        if name not in self._robot.links and not is_replaced:
            return name.strip()
        free = (each for each in names_beside_link(name.strip()) if each not in self._robot.links)
        return next(each for each in free if each not in self._robot.joints)

    def _add_row(self, kind: Kind, name: str, element: Element, owner: int, pose: UrdfPose) -> int:
        row = self.scope.add_row(kind, name, element, self._source, owner, pose.raw, None)
        if (exact := pose.exact) is not None:
            self.scope.exact_poses[row] = exact
        return row

    def _add_link(self, link: UrdfLink) -> int:
        # libsdformat trims the names that urdfdom takes as they are.
        own = link.name.strip()
        row = self._add_row(Kind.LINK, own, link.element, 0, UrdfPose())
        numbers = self._numbers(link)
        for part in link.parts:
            name = part_name(link.name, part.attributes.get("name", ""), part.tag, numbers[id(part)])
            kind = Kind.VISUAL if part.tag == "visual" else Kind.COLLISION
            pose = parse_origin(part, self._robot.version)
            added = self._add_row(kind, f"{own}::{name}", part, row, pose)
            X_LF = pose.X
            if snapped(X_LF) is not X_LF:
                self.scope.exact_poses[added] = snapped(X_LF)
            self.scope.relative_to[added] = self.scope.attached_to[added] = row
        return row

    @staticmethod
    def _numbers(link: UrdfLink) -> dict[int, int]:
        """Return which of its kind each visual and collision is, by identity; what urdfdom leaves out comes last."""
        counts = {"visual": 0, "collision": 0}
        numbers: dict[int, int] = {}
        for part in (*(each for each in link.parts if each not in link.lost), *link.lost):
            numbers[id(part)] = counts[part.tag]
            counts[part.tag] += 1
        return numbers

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
            axes = (WrittenAxis(joint.element, (0.0, 0.0, 1.0), row, 0.0, 0.0, *self._limits(joint, "")[2:], None),)
        elif joint.type in ("revolute", "continuous", "prismatic"):
            axes = (self._read_axis(joint, row),)
        elif joint.type in ("floating", "planar"):
            joint_type = "fixed"
        elif joint.type == "fixed" and joint.name in self._robot.extensions and not self._merging.merges(joint):
            # libsdformat writes an axis for every joint that an extension is about, even without a direction.
            axes = (WrittenAxis(joint.element, (0.0, 0.0, 1.0), row, -inf, inf, inf, inf, None),)
        written = WrittenJoint(row, joint_type, parent, child, axes)
        scope.joints.append(written)
        limit = ElementPart(self._source, joint.element.find("limit") or joint.element)
        for finding in (each for axis in axes for each in check_start(written, axis, limit)):
            self._report(finding)

    def _limits(self, joint: UrdfJoint, joint_type: str) -> tuple[float, float, float, float]:
        return limits_of(joint.element, joint_type, self._robot.version)

    def _read_axis(self, joint: UrdfJoint, row: int) -> WrittenAxis:
        element = joint.element.find("axis") or joint.element
        # An <axis> that says nothing is no axis, unlike none at all: so it is in urdfdom's parseJoint.
        text = "1 0 0" if element is joint.element else element.attributes.get("xyz", "0 0 0")
        numbers = parse_numbers(text)
        x, y, z = numbers if numbers is not None and len(numbers) == 3 else (1.0, 0.0, 0.0)
        if not any((x, y, z)):
            rule = kinematics_rules.axis_zero
            self._report(Finding(rule, ElementPart(self._source, element, "@xyz"), rule.format(), (row,)))
        lower, upper, effort, velocity = self._limits(joint, joint.type)
        if lower > upper:
            rule = kinematics_rules.limits_reversed
            location = ElementPart(self._source, joint.element.find("limit") or joint.element)
            self._report(Finding(rule, location, rule.format(lower, upper), (row,)))
        if joint.type == "continuous" and (limit := joint.element.find("limit")) is not None:
            self._report_ignored(limit, row, *limits_of(joint.element, "revolute", self._robot.version)[:2])
        return WrittenAxis(element, (x, y, z), row, lower, upper, effort, velocity, self._read_mimic(joint, row))

    def _report_ignored(self, limit: Element, row: int, lower: float, upper: float) -> None:
        """Report limits of a continuous joint that are others than those that none would be read as."""
        if not any(isfinite(each) and each for each in (lower, upper)):
            return
        rule = kinematics_rules.limits_ignored
        fixes = (("remove the limits, which are ignored", partial(_without_limits, limit)),)
        location = ElementPart(self._source, limit)
        self._report(Finding(rule, location, rule.format(lower, upper), (row,), severity=Severity.INFO, fixes=fixes))

    def _read_mimic(self, joint: UrdfJoint, row: int) -> Mimic | None:
        element = joint.element.find("mimic")
        if element is None:
            return None
        name = element.attributes.get("joint", "")
        leader = self._robot.joints.get(name)
        if leader is None or leader is joint:
            rule = kinematics_rules.mimic_invalid
            may_hint = leader is None and self.scope.findings.may_hint(rule)
            meant = nearest(name, self._near_joints, (joint.name,)) if may_hint else ()
            what = f"'{name}', the mimic leader, is not a joint" + offer_names(meant)
            if leader is not None:
                what = f"joint '{name}' cannot mimic itself"
            location = ElementPart(self._source, element, "@joint")
            self._report(Finding(rule, location, rule.format(what), (row,)))
            return None

        def number(attribute: str, default: float) -> float:
            found = parse_numbers(element.attributes.get(attribute, ""))
            return found[0] if found else default

        if is_kept(self._robot, self._merging, joint) and not is_kept(self._robot, self._merging, leader):
            rule = kinematics_rules.mimic_invalid
            why = "its link has no mass" if leader.child in self._merging.left_out else "its links become one"
            what = f"'{name}', the mimic leader, is no joint in Gazebo: {why}"
            self._report(Finding(rule, ElementPart(self._source, element, "@joint"), rule.format(what), (row,)))
        leader_name = self.scope.names[self._joints[name]]
        return Mimic(leader_name, 0, number("multiplier", 1.0), number("offset", 0.0), 0.0)

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
                    self._resolve_pose_later(add_posed(self.scope, self._origin, kind, scoped, child, owner), owner)
            elif not reference:
                self._add_to_model(child, name)

    def _add_model(self, element: Element) -> None:
        name = element.attributes.get("name", "")
        nested = self._builder.build_model(element, self._origin.nested)
        row = self.scope.add_scope(nested, name)
        self.scope.nested.setdefault(name, (nested, row))
        self.scope.members.setdefault(name, row)
        written = self.scope.relative_to_written[row]
        target = 0 if written is None else self.scope.lookup(written)
        self.scope.relative_to[row] = UNRESOLVED if target is None else target

    def _add_to_model(self, element: Element, name: str) -> None:
        scope, origin = self.scope, self._origin
        if element.tag == "joint":
            row = add_joint(scope, origin, element, name)
            self._open.append(partial(self._resolve_added_joint, element, row))
        elif element.tag == "frame":
            attached_to = element.attributes.get("attached_to") or None
            row = add_posed(scope, origin, Kind.FRAME, name, element, 0, attached_to)
            self._open.append(partial(self._resolve_added_frame, row))
        elif element.tag == "link":
            row = add_link(scope, origin, element, name)
            for each in range(row, len(scope)):
                scope.attached_to[each] = ROOT if each == row else row
                self._resolve_pose_later(each, 0 if each == row else row)
        else:
            if element.tag == "include":
                scope.has_includes = True
                scope.findings += self._builder.resolver.look_up(element, origin)
            return
        scope.members.setdefault(name, row)

    def _resolve_added_joint(self, element: Element, row: int) -> None:
        joint = self._merged(resolve_joint(self.scope, self._origin, row))
        self.scope.joints.append(joint)
        self._check_ends(element, row, joint)
        self.scope.attached_to[row] = joint.child
        self._resolve_pose(row, joint.child)

    def _resolve_added_frame(self, row: int) -> None:
        scope = self.scope
        written = scope.attached_to_written[row]
        target = 0 if written is None else scope.lookup(written)
        rule = frame_rules.attached_to_invalid
        if target is None:
            hint = reference_hint(scope, rule, written or "", scope.names[row])
            self._report_name(row, rule, rule.format(written, hint), scope.elements[row], "attached_to")
            target = UNRESOLVED
        elif self._is_dropped(target):
            self._report_name(row, rule, rule.format(written, _DROPPED), scope.elements[row], "attached_to")
        scope.attached_to[row] = target
        self._resolve_pose(row, target)

    def _check_ends(self, element: Element, row: int, joint: WrittenJoint) -> None:
        """Report the ends of a joint of an extension that are links which libsdformat leaves out."""
        ends = (
            ("parent", joint.parent, joint_rules.joint_parent_invalid),
            ("child", joint.child, joint_rules.joint_child_invalid),
        )
        for tag, end, rule in ends:
            if self._is_dropped(end):
                location = ElementPart(self._source, element.find(tag) or element)
                self._report(Finding(rule, location, rule.format(self.scope.names[end], _DROPPED), (row,)))

    def _is_dropped(self, row: int) -> bool:
        """Return whether a row is that of a link which libsdformat leaves out, of a robot of which it leaves some."""
        is_left_out = row >= 0 and self.scope.names[row] in self._merging.left_out
        return is_left_out and self.scope.kinds[row] is Kind.LINK and not self._merging.is_empty

    def _merged(self, joint: WrittenJoint) -> WrittenJoint:
        """Return a joint of an extension between merged links, as libsdformat makes it."""
        names = self.scope.names
        targets = self._merging.targets

        def merged(row: int) -> int:
            return self._links.get(targets.get(names[row], ""), row) if row >= 0 else row

        return joint._replace(parent=merged(joint.parent), child=merged(joint.child))

    def _resolve_pose(self, row: int, default: int) -> None:
        scope = self.scope
        written = scope.relative_to_written[row]
        if scope.kinds[row] not in (Kind.LINK, Kind.FRAME, Kind.JOINT):
            scope.attached_to[row] = scope.owners[row]
        target: int | None = default if written is None else scope.lookup(written)
        if target is None:
            rule = frame_rules.relative_to_invalid
            pose = scope.elements[row].find("pose") or scope.elements[row]
            message = rule.format(written, reference_hint(scope, rule, written or "", scope.names[row]))
            # libsdformat asks for the pose of what is no frame only when somebody asks for it.
            severity = None if scope.kinds[row].is_vertex else Severity.WARNING
            self._report_name(row, rule, message, pose, "relative_to", severity)
            target = UNRESOLVED
        scope.relative_to[row] = target

    def _resolve_pose_later(self, row: int, default: int) -> None:
        self._open.append(partial(self._resolve_pose, row, default))

    def _report_name(
        self,
        row: int,
        rule: Rule,
        message: str,
        element: Element,
        attribute: str,
        severity: Severity | None = None,
    ) -> None:
        """Report an attribute of what an extension adds that names nothing."""
        written = element.attributes.get(attribute, "")
        location, edges = ElementPart(self._source, element, f"@{attribute}"), (FaultyEdge(row, attribute),)
        near = self.scope.near_names if self.scope.lookup(written) is None else None
        may_hint = near is not None and self.scope.findings.may_hint(rule)
        meant = tuple(near.nearest(written, (self.scope.names[row],))) if near is not None and may_hint else ()
        finding = Finding(rule, location, message, (row,), severity=severity, reference=written, attribute=attribute)
        self._report(replace(finding, edges=edges, meant=meant))

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
        elif self._robot.links and self._merging.is_empty:
            why = "its root has no mass" if self._links else "it has none but 'world', which is the world outside"
            message = f"Gazebo drops every link of robot '{scope.names[0]}': {why}"
            self._report(
                Finding(joint_rules.model_without_link, ElementPart(self._source, scope.elements[0]), message, (0,))
            )


def _without_limits(limit: Element, document: Document) -> Replacements:
    written = (name for name in ("lower", "upper") if name in limit.attributes)
    return tuple(edit for name in written for edit in set_attribute(document, limit, name, None))


@dataclass(frozen=True, slots=True)
class MergedPart:
    """The name that libsdformat gives a row of a URDF whose link it merges into another one.

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
    """Return the names that libsdformat changes, by row; none for an SDFormat file.

    The merged links and joints keep their names, as frames.
    """
    root = model.document_of(0).root
    if root is None or root.tag != "robot" or len(model) == 0:
        return []
    robot = read_robot(root, None)
    merging = Merging(robot, None)
    names = {id(part): name for part, name in merging.part_names()}
    link_rows: dict[str, int] = {}
    for row, kind in enumerate(model.kinds):
        if kind is Kind.LINK and int(model.owners[row]) == 0:
            link_rows.setdefault(model.elements[row].attributes.get("name", ""), row)
    found: list[MergedPart] = []
    for row, kind in enumerate(model.kinds):
        owner = int(model.owners[row])
        if owner <= 0 or model.kinds[owner] is not Kind.LINK or int(model.scopes[owner]) != 0:
            continue
        link = model.elements[owner].attributes.get("name", "")
        target = merging.targets.get(link, link)
        name = names.get(id(model.elements[row]))
        target_row = link_rows[target]
        if name is not None:
            X_LF = _merged_pose(model, robot, row, target_row)
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


def _merged_pose(model: Model, robot: Robot, row: int, target: int) -> Array:
    """Return the pose of a visual or collision on the link that its own is merged into."""
    X_TL = invert(model.X_RootF[target]) @ model.X_RootF[int(model.owners[row])]
    return snapped(X_TL @ parse_origin(model.elements[row], robot.version).X)


def _written_by_libsdformat(robot: Robot, link: str, target: str, X_LF: Array) -> Array:
    """Return a pose on ``link`` as one on ``target``: at each step libsdformat writes it down with six digits."""
    while link != target:
        joint = robot.drivers[link]
        values = urdfdom_numbers(joint.origin.X @ X_LF)
        X_LF = pose_to_matrix([float(f"{value:.6g}") for value in values])
        link = joint.parent
    return X_LF
