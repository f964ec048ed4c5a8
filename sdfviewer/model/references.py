"""References: every attribute and element whose value is the name of a frame."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast, get_args

import numpy as np

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Replacements, prepend_child, set_attribute, set_text
from sdfviewer.document.element import Element
from sdfviewer.document.xml.parse import escape
from sdfviewer.model.findings import ElementPart
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.targets import Attribute
from sdfviewer.model.values import IDENTITY, format_pose
from sdfviewer.versions import FRAME_SEMANTICS

#: Where a joint of URDF names links and joints: in attributes that SDFormat does not have.
_URDF_NAMES = (("parent", "link"), ("child", "link"), ("mimic", "joint"))
#: What else names the joints of a robot, in elements whose tags end with ``joint``.
_ACTUATION = frozenset({"transmission", "ros2_control"})
#: What a gripper names its links in.
_GRIPPER = frozenset({"gripper_link", "palm_link"})
#: Attributes and elements whose own name says what kind of name they hold.
_ATTRIBUTES = frozenset(get_args(Attribute)) - {"joint", "link", "model", "collision", "gazebo_reference", "mimic"}
#: Where the elements of an SRDF name links of its robot.
_SEMANTIC_LINKS: Mapping[str, tuple[str, ...]] = {
    "chain": ("base_link", "tip_link"),
    "end_effector": ("parent_link",),
    "virtual_joint": ("child_link",),
    "disable_collisions": ("link1", "link2"),
    "enable_collisions": ("link1", "link2"),
    "disable_default_collisions": ("link",),
    "link_sphere_approximation": ("link",),
}
#: What in an SRDF names one joint of its robot.
_SEMANTIC_JOINTS: Mapping[str, tuple[str, ...]] = {"passive_joint": ("name",), "joint_property": ("joint_name",)}
#: Elements with an attribute that holds a name and is called otherwise.
_NAMING: Mapping[tuple[str, str], Attribute] = {
    ("gazebo", "@reference"): "gazebo_reference",
    ("mimic", "@joint"): "mimic",
    **{(tag, f"@{name}"): "joint" for tag, names in _SEMANTIC_JOINTS.items() for name in names},
    **{(tag, f"@{name}"): "link" for tag, names in _SEMANTIC_LINKS.items() for name in names},
}
#: What a plugin calls the model that it is written in, where it may name another one.
_ITSELF = "__model__"
#: Elements of an SRDF that list links and joints by their names.
_GROUPS = frozenset({"group", "group_state"})
#: The joint that Pinocchio adds to a robot that floats, and the numbers of its position.
_FREE_FLYER, _POSE_NUMBERS = "root_joint", 7


@dataclass(frozen=True, slots=True)
class Reference:
    """A place in the file itself where a frame is named.

    Attributes
    ----------
    row
        The row whose element holds the reference.
    scope
        Row of the model or world in which the name is looked up.
    element, part
        Where it is written: ``"@name"`` of an attribute, or ``"text"``.
    name
        As written.
    is_joint
        Whether it names a joint in any case: in URDF a link may be called the same.
    attribute
        What kind of name it is, see :mod:`sdfviewer.model.targets`; None in a state, which names anything.
    plugin
        File name of the plugin that it is a parameter of, empty where it is none.
    """

    row: int
    scope: int
    element: Element
    part: str
    name: str
    is_joint: bool = False
    attribute: Attribute | None = None
    plugin: str = ""

    def steps(self, model: Model) -> list[int]:
        """Return the rows that the components of ``a::b::c`` mean, as far as they can be found.

        A ``__model__`` behind others means what the one before it does.
        """
        rows: list[int] = []
        written = model.written_prefixes.get(self.scope, "")
        if written and self.name.startswith(written):  # names of the flattened models around come first
            around = self.scope
            while around in model.written_prefixes:
                rows.insert(0, around)
                around = int(model.scopes[around])
        components = self.name.split("::")
        for number in range(len(rows), len(components)):
            is_itself = bool(rows) and components[number] == "__model__"
            row = rows[-1] if is_itself else model.find(self.scope, "::".join(components[: number + 1]))
            if row is None:
                break
            rows.append(row)
        if len(rows) < len(components) and (row := model.find(self.scope, self.name)) is not None:
            return [row] * len(components)  # one name, which an older file may write with ``::`` in it
        if self.is_joint and rows and model.kinds[rows[-1]] is not Kind.JOINT:
            joints = (row for row in model.inside(self.scope) if model.kinds[row] is Kind.JOINT)
            return [row for row in joints if model.elements[row].attributes.get("name") == self.name][:1]
        return rows

    def renamed(self, model: Model, names: Mapping[int, str]) -> str:
        """Return what is to be written here once some rows are called otherwise, each without what it is in."""
        components = self.name.split("::")
        for number, row in enumerate(self.steps(model)):
            if components[number] != "__model__":
                components[number] = names.get(row, components[number])
        return "::".join(components)

    def write(self, document: Document, name: str) -> Replacements:
        """Return the edit that names another frame here."""
        if self.part == "text":
            return set_text(document, self.element, name)
        return set_attribute(document, self.element, self.part[1:], name)


def attribute_of(tag: str, part: str, around: Collection[str] = (), plugin: str = "") -> Attribute | None:
    """Return what kind of name an element holds in its text or in an attribute, None where it holds none.

    Parameters
    ----------
    tag
        Of the element.
    part
        ``"text"``, or ``"@name"`` of an attribute.
    around
        Tags of elements around it.
    plugin
        File name of the plugin that it is a parameter of, empty where it is none.
    """
    if "plugin" in around:  # whatever it is called, only the plugin knows what it means
        from sdfviewer.model.plugin_catalogue import plugin_parameters  # noqa: PLC0415  # many models have no plugins

        return plugin_parameters(plugin).get(tag if part == "text" else part)
    if (naming := _NAMING.get((tag, part))) is not None:
        return naming
    if part == "@name":
        is_listed = tag in ("link", "joint") and not _GROUPS.isdisjoint(around)
        is_joint = tag.lower().endswith("joint") and not _ACTUATION.isdisjoint(around)
        return cast("Attribute", tag) if is_listed else "joint" if is_joint else None
    if part == "text" and tag == "collision":
        return "collision" if "contact" in around else None
    if (tag in _GRIPPER and part == "text") or (tag == "parent" and part == "@link" and "sensor" in around):
        return "link"
    word = {"@frame": "relative_to", "@link": tag, "text": tag}.get(part, part[1:])
    return cast("Attribute", word) if word in _ATTRIBUTES else None


#: What SDFormat calls the roots that hold no extensions, as those of a URDF do.
_MODELS = ("model", "world")


def find_references(model: Model, rows: Iterable[int] | None = None) -> Iterator[Reference]:
    """Yield the references that are written in the file itself, in the order of the rows that hold them.

    Parameters
    ----------
    rows
        The rows to look at, all by default.
    """
    for row in _holders(model) if rows is None else rows:
        element = model.elements[row]
        if model.sources[row] is not None:
            continue
        kind, scope = model.kinds[row], int(model.scopes[row])
        if kind is Kind.MODEL or kind is Kind.WORLD:
            yield from _named_in_model(row, element, is_root=row == 0 and kind is Kind.MODEL)
            if kind is Kind.MODEL:
                yield from _named_by_plugins(row, element, model)
                yield from _named_in_grippers(row, element)
        if kind is Kind.SENSOR:
            yield from _named_in_contacts(row, int(model.owners[row]), element)
        if kind is Kind.FRAME:
            yield from _attribute(row, scope, element, "attached_to")
            yield from _text(row, scope, element, "placement_frame")  # of an <include> that is merged
        if kind is Kind.JOINT:
            yield from _named_in_joint(row, scope, element)
        # A world has no pose, and may have thousands of children to look through.
        pose = None if kind is Kind.WORLD else element.find("pose")
        # In a large file few poses have attributes; and one in a joint of a URDF means nothing.
        counts = model.relative_to_written[row] is not None or kind is not Kind.JOINT
        if pose is not None and pose.attributes and counts:
            yield from _named_in_pose(model, row, scope, pose)


def _named_in_pose(model: Model, row: int, scope: int, pose: Element) -> Iterator[Reference]:
    # Versions 1.5 and 1.6 called it `frame`, and either name counts in their files.
    old = model.version < FRAME_SEMANTICS and "frame" in pose.attributes
    yield from _attribute(row, scope, pose, "frame" if old else "relative_to")


def _holders(model: Model) -> list[int]:
    """Return the rows that may hold references: of a world of a thousand models few do."""
    contains = model.document.contains
    kinds = [Kind.FRAME, Kind.JOINT]
    if contains("canonical_link") or contains("placement_frame"):
        kinds += [Kind.MODEL, Kind.WORLD]
    holders = {0, *_loose_holders(model), *model.written_prefixes, *np.flatnonzero(model.kinds_are(*kinds)).tolist()}
    holders.update(row for row, written in enumerate(model.relative_to_written) if written is not None)
    if contains("<include"):  # its pose may not count in the model that it brings
        holders.update(row for row, element in enumerate(model.elements) if element.tag == "include")
    return sorted(holders)


def _loose_holders(model: Model) -> list[int]:
    """Return the rows that may hold references that are not resolved while a file is read: most files have none."""
    contains, holders = model.document.contains, set() if model.elements[0].tag in _MODELS else {0}
    if contains("<plugin") or contains("<gripper"):
        holders.add(0)
        models = np.flatnonzero(model.kinds_are(Kind.MODEL)).tolist()
        holders.update(row for row in models if model.elements[row].findall("plugin", "gripper"))
    for kind, tag in ((Kind.SENSOR, "<contact"), (Kind.JOINT, "<gearbox_reference_body")):
        rows = np.flatnonzero(model.kinds_are(kind))
        if len(rows) and contains(tag):  # to look through a large text takes longer
            holders.update(rows.tolist())
    return sorted(holders)


def _named_in_model(row: int, element: Element, *, is_root: bool) -> Iterator[Reference]:
    yield from _attribute(row, row, element, "canonical_link")
    yield from _attribute(row, row, element, "placement_frame")
    if element.tag == "include":
        yield from _text(row, row, element, "placement_frame")
    elif element.tag == "frame":  # what an older tool wrote for a model that it has flattened
        for reference in _attribute(row, row, element, "attached_to"):
            yield replace(reference, attribute="canonical_link")
    elif is_root and element.tag not in _MODELS:  # SDFormat has none of these
        yield from _named_in_robot(element)


def _named_in_joint(row: int, scope: int, joint: Element) -> Iterator[Reference]:
    for tag in ("parent", "child", "gearbox_reference_body"):
        yield from _text(row, scope, joint, tag)
    for tag, name in _URDF_NAMES:
        child = joint.find(tag)
        if child is not None:
            yield from _attribute(row, scope, child, name, is_joint=name == "joint")
    for axis in joint.findall("axis", "axis2"):
        for inner in axis.children:
            if inner.tag == "xyz":
                yield from _attribute(row, scope, inner, "expressed_in")
            elif inner.tag == "mimic":
                yield from _attribute(row, scope, inner, "joint")


def _named_in_robot(robot: Element) -> Iterator[Reference]:
    """Yield what the extensions, transmissions and sensors of a URDF name."""
    for element in robot.children:
        if element.tag == "gazebo":
            yield from _attribute(0, 0, element, "reference")
            yield from _named_by_plugins(0, element)
        elif element.tag in _ACTUATION:
            for inner in element.descendants():
                if inner is not element and inner.tag.lower().endswith("joint"):
                    yield from _attribute(0, 0, inner, "name", is_joint=True, around=(element.tag,))
        elif element.tag == "sensor" and (parent := element.find("parent")) is not None:
            yield from _attribute(0, 0, parent, "link", around=(element.tag,))
    yield from _named_in_semantics(robot)


def _named_in_semantics(robot: Element) -> Iterator[Reference]:
    """Yield what the elements of an SRDF name in its robot; a group may also have joints of the SRDF itself."""
    own: set[str] | None = None
    for element in robot.children:
        listed = element.children if element.tag in _GROUPS else ()
        for each, around in ((element, ()), *((inner, (element.tag,)) for inner in listed)):
            links, joints = _SEMANTIC_LINKS.get(each.tag, ()), _SEMANTIC_JOINTS.get(each.tag, ())
            if around and each.tag in ("link", "joint"):
                links, joints = (("name",), ()) if each.tag == "link" else ((), ("name",))
            for name in (*links, *joints):
                for reference in _attribute(0, 0, each, name, is_joint=name in joints, around=around):
                    if own is None:
                        own = {joint.attributes.get("name", "") for joint in robot.findall("virtual_joint")}
                    if reference.attribute == "link" or not (reference.name in own or _is_of_pinocchio(each)):
                        yield reference


def _is_of_pinocchio(joint: Element) -> bool:
    """Return whether a state is about the joint by which Pinocchio lets a robot float, whose position has 7 numbers."""
    return (
        joint.attributes.get("name") == _FREE_FLYER and len(joint.attributes.get("value", "").split()) == _POSE_NUMBERS
    )


def _named_by_plugins(scope: int, holder: Element, model: Model | None = None) -> Iterator[Reference]:
    """Yield what the plugins in an element name in a model, and in the world that holds it."""
    plugins = holder.findall("plugin")
    if not plugins:
        return
    from sdfviewer.model.plugin_catalogue import known_plugin  # noqa: PLC0415  # many models have no plugins

    for plugin in plugins:
        filename = plugin.attributes.get("filename", "")
        if (known := known_plugin(filename)) is None or not known.named:
            continue
        around, attributes = ("plugin",), [key for key in known.named if key.startswith("@")]
        for element in plugin.descendants():
            if element is not plugin and element.tag in known.named:
                in_world = known.named[element.tag] == "model"
                if not in_world or (model is not None and model.is_world and element.value != _ITSELF):
                    yield from _content(scope, 0 if in_world else scope, element, around, filename)
            for key in attributes:
                yield from _attribute(scope, scope, element, key[1:], around=around, plugin=filename)
        for tag, of in known.named_elsewhere.items():
            link, name = plugin.find(tag), plugin.text_of(of)
            other = scope if name == _ITSELF else model.find(0, name) if model is not None and model.is_world else None
            if link is not None and link.value and other is not None:
                yield Reference(scope, other, link, "text", link.value, attribute="link", plugin=filename)


def _named_in_grippers(row: int, model: Element) -> Iterator[Reference]:
    for gripper in model.findall("gripper"):
        for link in gripper.findall(*_GRIPPER):
            yield from _content(row, row, link)


def _named_in_contacts(row: int, link: int, sensor: Element) -> Iterator[Reference]:
    for contact in sensor.findall("contact"):
        for collision in contact.findall("collision"):
            yield from _content(row, link, collision, around=(contact.tag,))


#: What a name is looked up as where it is not resolved while a file is read.
_LOOSE = frozenset({"gazebo_reference", "gearbox_reference_body", "joint", "link", "model", "collision"})


def find_loose_references(model: Model) -> Iterator[Reference]:
    """Yield the references that are not resolved while a file is read, so that a wrong name in them goes unnoticed.

    They are in the extensions, transmissions and sensors of a URDF, or of the robot that a xacro file writes, in
    gearboxes, grippers, contact sensors and plugins.
    """
    if model.sources[0] is not None:
        yield from _named_in_robot(model.elements[0])
    yield from (each for each in find_references(model, _loose_holders(model)) if each.attribute in _LOOSE)


_STATE_PARTS = ("model", "link", "joint", "light")


def find_mentions(model: Model) -> Iterator[Reference]:
    """Yield what states in the file itself call by its name."""
    if model.document.contains("state"):
        for row in np.flatnonzero(model.kinds_are(Kind.MODEL, Kind.WORLD)).tolist():
            if model.sources[row] is None:
                for state in model.elements[row].findall("state", "model_state"):
                    yield from _named_in_state(model, row, state)


def is_state_part(reference: Reference) -> bool:
    """Return whether what names something is the part of a state that is about it."""
    tag = reference.element.tag.removesuffix("_state")
    return reference.part == "@name" and reference.row == reference.scope and tag in _STATE_PARTS


def _named_in_state(model: Model, scope: int, state: Element) -> Iterator[Reference]:
    """Yield the names in a state of a world or model, which are those of its members, level by level."""
    for child in state.children:
        name = child.attributes.get("name")
        if name and child.tag.removesuffix("_state") in _STATE_PARTS:
            reference = Reference(scope, scope, child, "@name", name)
            yield reference
            steps = reference.steps(model)
            if len(steps) == len(name.split("::")):
                yield from _named_in_state(model, steps[-1], child)


def _attribute(
    row: int,
    scope: int,
    element: Element,
    name: str,
    *,
    is_joint: bool = False,
    around: Collection[str] = (),
    plugin: str = "",
) -> Iterator[Reference]:
    value = element.attributes.get(name)
    if value:
        part = f"@{name}"
        attribute = attribute_of(element.tag, part, around, plugin)
        yield Reference(row, scope, element, part, value, is_joint, attribute, plugin)


def _text(row: int, scope: int, element: Element, tag: str) -> Iterator[Reference]:
    child = element.find(tag)
    if child is not None:
        yield from _content(row, scope, child)


def _content(
    row: int, scope: int, element: Element, around: Collection[str] = (), plugin: str = ""
) -> Iterator[Reference]:
    if name := element.value:
        attribute = attribute_of(element.tag, "text", around, plugin)
        yield Reference(row, scope, element, "text", name, attribute == "joint", attribute, plugin)


def set_name(document: Document, element: Element, name: str) -> Replacements:
    """Return the edit that gives an element a name: of an ``<include>`` it is a child, of all others an attribute."""
    if element.tag != "include":
        return set_attribute(document, element, "name", name)
    written = element.find("name")
    if written is not None:
        return set_text(document, written, name)
    return prepend_child(document, element, f"<name>{escape(name)}</name>")


def point_to(document: Document, element: Element, attribute: str, target: str) -> Replacements:
    """Return the edit that writes ``attached_to`` of a frame, or ``relative_to`` of anything's pose."""
    if attribute == "attached_to":
        return set_attribute(document, element, "attached_to", target)
    pose = element.find("pose")
    if pose is not None:
        return set_attribute(document, pose, "relative_to", target)
    return prepend_child(document, element, format_pose(IDENTITY, target))


def edge_location(model: Model, row: int, attribute: str) -> ElementPart:
    """Return where the edge of a row is written: its attribute, or the element whose default it is.

    An included model whose include has no pose is where its own file says.
    """
    element, source = model.elements[row], model.sources[row]
    if attribute == "attached_to":
        if model.kinds[row] is Kind.JOINT:
            return ElementPart(source, element.find("child") or element, "text")
        return ElementPart(source, element, "@attached_to")
    # A world has none, and may have thousands of children to look through.
    pose = None if model.kinds[row] is Kind.WORLD else element.find("pose")
    if pose is None and (own := own_pose(model, row)) is not None:
        source, pose = own.source, own.element
    if model.relative_to_written[row] is not None and pose is not None:
        return ElementPart(source, pose, "@relative_to" if "relative_to" in pose.attributes else "@frame")
    if model.kinds[row] is Kind.FRAME and model.attached_to_written[row] is not None:
        return ElementPart(source, element, "@attached_to")
    return ElementPart(source, pose or element)


def own_pose(model: Model, row: int) -> ElementPart | None:
    """Return the ``<pose>`` that an included model has in its own file, None where it has none or is not included."""
    included = model.scope.included_models.get(row)
    pose = None if included is None or included.element is model.elements[row] else included.element.find("pose")
    return None if included is None or pose is None else ElementPart(included.source, pose)
