"""SRDF: what MoveIt knows of a robot beyond its URDF.

An SRDF brings its robot, which is written elsewhere, like an include, and is checked against it.

It has groups, their states, end effectors, virtual joints and the pairs of links that are not tested. Names of links
and joints in it are references, which are checked as all others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sdfviewer.diagnostics import Message
from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.document.edits import Replacements, remove_element, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.formats.format import Capabilities, Format, root_of
from sdfviewer.formats.urdf.format import URDF
from sdfviewer.formats.urdf.values import parse_numbers
from sdfviewer.formats.xacro.format import XACRO
from sdfviewer.model.findings import ElementPart, Finding, Findings
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.near_names import nearest, offer_names
from sdfviewer.model.scope import Scope, WrittenJoint
from sdfviewer.validation import format_rules as rules
from sdfviewer.validation.format_rules import srdf_robot_missing
from sdfviewer.versions import NEWEST, Version

if TYPE_CHECKING:
    from sdfviewer.formats.sdformat.build import Builder
    from sdfviewer.model.kinematics.forward import Kinematics


#: Elements of an SRDF, of which a URDF has none.
TAGS = frozenset(
    {"group", "group_state", "end_effector", "virtual_joint", "passive_joint", "joint_property"}
    | {"disable_collisions", "enable_collisions", "disable_default_collisions", "link_sphere_approximation"}
)


def is_semantic(document: Document) -> bool:
    """Return whether a document is an SRDF: a ``<robot>`` with elements of SRDF and without links and joints."""
    root = document.root
    if root is None or root.tag != "robot":
        return False
    tags = {child.tag for child in root.children}
    return not TAGS.isdisjoint(tags) and tags.isdisjoint(("link", "joint"))


class JointGroup(NamedTuple):
    """A group of joints and links that are planned for together.

    Attributes
    ----------
    name, element
        Its name, and where it is written.
    links, joints, groups
        Names of what it lists.
    chains
        The first and the last link of each of its chains.
    """

    name: str
    element: Element
    links: tuple[str, ...]
    joints: tuple[str, ...]
    groups: tuple[str, ...]
    chains: tuple[tuple[str, str], ...]


class GroupState(NamedTuple):
    """Positions of the joints of a group under a name: numbers in radians or metres, by joint."""

    name: str
    group: str
    element: Element
    positions: Mapping[str, tuple[float, ...]]


class EndEffector(NamedTuple):
    """A group that is mounted on a link, of another group if that is given."""

    name: str
    parent_link: str
    group: str
    parent_group: str
    element: Element


class VirtualJoint(NamedTuple):
    """A joint that is not in the URDF: it connects the robot to a frame of the world."""

    name: str
    type: str
    parent_frame: str
    child_link: str
    element: Element


class DisabledPair(NamedTuple):
    """Two links that are not tested against each other, and why: Adjacent, Never, Default, Always, User."""

    first: str
    second: str
    reason: str
    element: Element

    @property
    def links(self) -> frozenset[str]:
        """Both links, in no order."""
        return frozenset((self.first, self.second))


@dataclass(frozen=True, slots=True)
class Semantics:
    """All of an SRDF, in the order of the file.

    Attributes
    ----------
    document, root
        The file, and its ``<robot>``.
    """

    document: Document
    root: Element
    groups: list[JointGroup] = field(default_factory=list)
    states: list[GroupState] = field(default_factory=list)
    end_effectors: list[EndEffector] = field(default_factory=list)
    virtual_joints: list[VirtualJoint] = field(default_factory=list)
    passive_joints: list[str] = field(default_factory=list)
    disabled: list[DisabledPair] = field(default_factory=list)

    def group(self, name: str) -> JointGroup | None:
        """Return a group by its name."""
        return next((group for group in self.groups if group.name == name), None)

    def rows_of(self, model: Model, group: JointGroup) -> list[int]:
        """Return the rows of the joints and links of a group, with those of its subgroups.

        A joint brings its child, a link the joint above it, and a chain all joints below its first link down to its
        last link.
        """
        above = _joints_above(model.scope.joints)
        rows: dict[int, None] = {}
        waiting, seen = [group], {group.name}
        while waiting:
            each = waiting.pop()
            for joint in each.joints:
                row = find_row(model, joint, Kind.JOINT)
                rows.update(dict.fromkeys((row, int(model.attached_to[row])) if row is not None else ()))
            for link in each.links:
                row = find_row(model, link, Kind.LINK)
                rows.update(dict.fromkeys((*above.get(row, ())[:1], row) if row is not None else ()))
            for chain in each.chains:
                first, last = (find_row(model, link, Kind.LINK) for link in chain)
                rows.update(dict.fromkeys(chain_rows(model.scope.joints, first, last) or ()))
            for name in each.groups:
                inner = self.group(name)
                if inner is not None and name not in seen:
                    seen.add(name)
                    waiting.append(inner)
        return [row for row in rows if row >= 0]

    @staticmethod
    def positions(kinematics: Kinematics, state: GroupState) -> dict[str, tuple[float, ...]]:
        """Return the positions of a state by the scoped names of the joints that the robot has and that can move."""
        model, found = kinematics.model, dict[str, tuple[float, ...]]()
        for name, numbers in state.positions.items():
            row = find_row(model, name, Kind.JOINT)
            joints = [dof.joint for dof in kinematics.dofs if dof.joint.row == row]
            if joints and len(numbers) == len(joints):
                found[joints[0].name] = numbers
        return found


def read_semantics(document: Document) -> Semantics:
    """Return what a document that is an SRDF says."""
    root = document.root
    assert root is not None, "the text is not well-formed"
    found = Semantics(document, root)
    for each in root.children:
        get = each.attributes.get
        name = get("name", "")
        if each.tag == "group":
            names = {tag: tuple(_names(each, tag)) for tag in ("link", "joint", "group")}
            chains = tuple(
                (chain.attributes.get("base_link", ""), chain.attributes.get("tip_link", ""))
                for chain in each.findall("chain")
            )
            found.groups.append(JointGroup(name, each, names["link"], names["joint"], names["group"], chains))
        elif each.tag == "group_state":
            joints = (
                (joint.attributes.get("name", ""), joint.attributes.get("value", "")) for joint in each.findall("joint")
            )
            positions = {joint: parse_numbers(" ".join(value.split())) or () for joint, value in joints}
            found.states.append(GroupState(name, get("group", ""), each, positions))
        elif each.tag == "end_effector":
            ends = get("parent_link", ""), get("group", ""), get("parent_group", "")
            found.end_effectors.append(EndEffector(name, *ends, each))
        elif each.tag == "virtual_joint":
            ends = get("type", ""), get("parent_frame", ""), get("child_link", "")
            found.virtual_joints.append(VirtualJoint(name, *ends, each))
        elif each.tag == "passive_joint":
            found.passive_joints.append(name)
        elif each.tag == "disable_collisions":
            found.disabled.append(DisabledPair(get("link1", ""), get("link2", ""), get("reason", ""), each))
    return found


def _names(element: Element, tag: str) -> Iterator[str]:
    return (child.attributes.get("name", "") for child in element.findall(tag))


def find_row(model: Model, name: str, kind: Kind) -> int | None:
    """Return the row of a link or joint by its name in the URDF, None where there is none."""
    row = model.find(0, name)
    if row is not None and model.kinds[row] is kind:
        return row
    of_kind = (each for each in range(len(model)) if model.kinds[each] is kind and model.owners[each] == 0)
    return next((each for each in of_kind if model.elements[each].attributes.get("name") == name), None)


def _joints_above(joints: Iterable[WrittenJoint]) -> dict[int, tuple[int, int]]:
    """Return the joint above each link, and the link above that."""
    return {joint.child: (joint.row, joint.parent) for joint in joints}


def chain_rows(joints: Iterable[WrittenJoint], first: int | None, last: int | None) -> list[int] | None:
    """Return the rows of the joints and links below one link down to another, None where that is not below it."""
    above = _joints_above(joints)
    rows: list[int] = []
    row = last
    while row is not None and row != first:
        joint, parent = above.get(row, (-1, -1))
        if joint < 0 or joint in rows:
            return None
        rows += [row, joint]
        row = parent
    return None if row is None else rows[::-1]


def check_semantics(semantics: Semantics, scope: Scope) -> Iterator[Finding]:
    """Yield what is wrong with an SRDF.

    Parameters
    ----------
    semantics
        What the file says.
    scope
        The robot that it is about.
    """
    joints = {joint.row: joint for joint in scope.joints}
    groups: set[tuple[str, ...]] = set()
    for group in semantics.groups:
        what = Message(f"two groups are called '{group.name}'", "rename one")
        yield from _repeated(groups, (group.name,), what, group.element)
        for child in group.element.findall("group"):
            yield from _check_group(semantics, child, "name", f"group '{group.name}'")
        yield from _check_chains(group, scope)
    yield from _check_velocities(semantics, scope, joints)
    states: set[tuple[str, ...]] = set()
    for state in semantics.states:
        key = state.group, state.name
        what = Message(f"two states of group '{state.group}' are called '{state.name}'", "rename one")
        yield from _repeated(states, key, what, state.element)
        yield from _check_group(semantics, state.element, "group", f"state '{state.name}'")
        yield from _check_state(state, scope, joints)
    for effector in semantics.end_effectors:
        for attribute in ("group", "parent_group"):
            yield from _check_group(semantics, effector.element, attribute, f"end effector '{effector.name}'")
    pairs: set[frozenset[str]] = set()
    for pair in semantics.disabled:
        if pair.first == pair.second:
            what = Message(f"link '{pair.first}' is never tested against itself", "remove this pair")
            yield _useless(what, pair.element)
        elif pair.links in pairs:
            what = Message(f"the pair '{pair.first}' and '{pair.second}' is disabled above already", "remove this one")
            yield _useless(what, pair.element)
        pairs.add(pair.links)


def _repeated(seen: set[tuple[str, ...]], key: tuple[str, ...], what: str, element: Element) -> Iterator[Finding]:
    if key in seen:
        yield Finding(rules.srdf_repeated, ElementPart(None, element, "@name"), what)
    seen.add(key)


def _useless(what: str, element: Element) -> Finding:
    fix = ("remove it", partial(_without, element))
    return Finding(rules.srdf_repeated, ElementPart(None, element), what, fixes=(fix,))


def _without(element: Element, document: Document) -> Replacements:
    return remove_element(document, element)


def _check_group(semantics: Semantics, element: Element, attribute: str, what: str) -> Iterator[Finding]:
    name = element.attributes.get(attribute, "")
    if not name or semantics.group(name) is not None:
        return
    meant = nearest(name, [group.name for group in semantics.groups])
    message = rules.srdf_name_unknown.format(what, name, offer_names(meant))
    location = ElementPart(None, element, f"@{attribute}")
    yield Finding(rules.srdf_name_unknown, location, message, meant=tuple(meant))


def _check_chains(group: JointGroup, scope: Scope) -> Iterator[Finding]:
    for (base, tip), element in zip(group.chains, group.element.findall("chain"), strict=True):
        first, last = scope.lookup(base), scope.lookup(tip)
        if first is None or last is None or chain_rows(scope.joints, first, last) is not None:
            continue
        is_reversed = chain_rows(scope.joints, last, first) is not None
        hint = Message("", "the other way round it is one") if is_reversed else ""
        message = rules.srdf_not_a_chain.format(group.name, base, tip, hint)
        fixes = (("swap the ends of the chain", partial(_swapped, element)),) if is_reversed else ()
        yield Finding(rules.srdf_not_a_chain, ElementPart(None, element), message, (first, last), fixes=fixes)


def _swapped(chain: Element, document: Document) -> Replacements:
    base, tip = chain.attributes["base_link"], chain.attributes["tip_link"]
    return (*set_attribute(document, chain, "base_link", tip), *set_attribute(document, chain, "tip_link", base))


def _check_state(state: GroupState, scope: Scope, joints: dict[int, WrittenJoint]) -> Iterator[Finding]:
    for element in state.element.findall("joint"):
        name = element.attributes.get("name", "")
        row = scope.lookup(name)
        joint = None if row is None else joints.get(row)
        positions = state.positions.get(name, ())
        why = ""
        if not positions:
            why = f"at '{element.attributes.get('value', '')}', which is no number"
        elif joint is not None and len(joint.axes) == len(positions) == 1:
            axis, position = joint.axes[0], positions[0]
            if not axis.lower - _ROUNDING <= position <= axis.upper + _ROUNDING:
                why = f"at {position:g}, outside of its limits {axis.lower:g} and {axis.upper:g}"
        if why:
            message = rules.srdf_state.format(state.name, name, why)
            rows = () if row is None else (row,)
            yield Finding(rules.srdf_state, ElementPart(None, element, "@value"), message, rows)


#: Radians or metres: states are written with four digits.
_ROUNDING = 1e-4


def _check_velocities(semantics: Semantics, scope: Scope, joints: dict[int, WrittenJoint]) -> Iterator[Finding]:
    """Yield the joints of groups whose motion MoveIt cannot time, each once."""
    passive = {scope.lookup(name) for name in semantics.passive_joints}
    seen: set[int] = set()
    for group in semantics.groups:
        rows = [scope.lookup(name) for name in group.joints]
        rows += [joint.row for link in group.links for joint in scope.joints if joint.child == scope.lookup(link)]
        for base, tip in group.chains:
            rows += chain_rows(scope.joints, scope.lookup(base), scope.lookup(tip)) or ()
        for row in rows:
            joint = None if row is None or row in seen or row in passive else joints.get(row)
            if joint is None or not joint.axes or joint.type == "fixed" or joint.axes[0].mimic is not None:
                continue
            seen.add(joint.row)
            if not 0.0 < joint.axes[0].velocity < math.inf:
                message = rules.srdf_no_velocity.format(scope.local_names[joint.row], group.name)
                yield Finding(rules.srdf_no_velocity, ElementPart(None, group.element), message, (joint.row,))


def _build(builder: Builder, document: Document, findings: list[Finding]) -> tuple[Scope | None, Version]:
    """Return the scope of the robot: its rows are those of its own file, except the robot itself."""
    from sdfviewer.files.search import robots_near  # noqa: PLC0415  # needed only for such files

    root = root_of(document)
    name = root.attributes.get("name", "")
    here = ElementPart(None, root, "@name" if name else None)
    tried = [] if document.path is None else robots_near(document.path, name)
    scope = None
    for path in tried:
        answer = _robot(builder, path)
        if isinstance(answer, Scope) and answer.names[0] == name:
            scope = answer
            break
        if isinstance(answer, Finding):
            findings.append(replace(answer, location=here))
    if scope is None:
        findings.append(
            Finding(srdf_robot_missing, here, srdf_robot_missing.format(name), tried=tuple(map(str, tried)))
        )
        return None, NEWEST
    copy = replace(
        scope,
        elements=[root, *scope.elements[1:]],
        sources=[None, *scope.sources[1:]],
        included_models={0: ElementPart(scope.sources[0], scope.elements[0]), **scope.included_models},
        has_includes=True,
        findings=Findings(),  # the robot has its own, whatever MoveIt knows of it
    )
    copy.findings += check_semantics(read_semantics(document), copy)
    return copy, NEWEST


def _robot(builder: Builder, path: Path) -> Scope | Finding | None:
    """Return the scope of the robot in a file; None where it holds another one or cannot be read."""
    try:
        robot = builder.resolver.read(path)
    except UnreadableFileError:
        return None
    known = next((each for each in (XACRO, URDF) if robot.root is not None and each.recognise(robot)), None)
    return None if known is None or is_semantic(robot) else known.build_included(builder, robot, None)


def _describe(_model: Model) -> str:
    return "SRDF"


SRDF = Format(
    "srdf",
    "SRDF",
    (".srdf",),
    is_semantic,
    _build,
    lambda _builder, _document, _static: None,
    _describe,
    URDF.contents,
    Capabilities(names_materials=True),
)
