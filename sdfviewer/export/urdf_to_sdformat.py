"""Convert a URDF to SDFormat and keep every link and number.

A joint is written relative to its parent link and a link relative to the joint above it, as in libsdformat. A link
without mass and without anything on it that hangs on a fixed joint is a frame in SDFormat's terms, and becomes one. On
demand all links that fixed joints join are merged, as libsdformat does: the merged ones become frames, what is on them
moves to the link that remains, and so does their mass.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sdfviewer.diagnostics import PlacedSentence, SdfViewerError
from sdfviewer.document.element import Element
from sdfviewer.document.topics import LEFT_OUT, MOVED, Aspect, Topic, Topics
from sdfviewer.export.gazebo_options import GazeboOptions
from sdfviewer.export.urdf_parts import COLOURS, dedented
from sdfviewer.export.writing import declared_prefixes, element, possible_colour, unread_colour
from sdfviewer.formats.urdf.contents import materials_of
from sdfviewer.formats.urdf.elements import JOINT_TYPES, NAMED_IN_GAZEBO
from sdfviewer.formats.urdf.format import robot_of
from sdfviewer.formats.urdf.merge import Merging
from sdfviewer.formats.urdf.reading import read_inertial, read_robot
from sdfviewer.formats.urdf.robot import OPTIONS, takes_options
from sdfviewer.formats.urdf.values import LATER_LIMITS, UrdfPose, limits_of, parse_origin, urdf_version_of
from sdfviewer.model.comparison.difference import topics_of
from sdfviewer.model.graph import ROOT
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import point_to
from sdfviewer.model.shapes import URDF_SHAPES
from sdfviewer.model.values import format_number
from sdfviewer.transforms import invert, written_numbers_of
from sdfviewer.versions import format_version

#: The elements on a link that have a pose.


@dataclass(frozen=True, slots=True)
class SdfNote:
    """Something about an element of a URDF that SDFormat cannot say in the same way.

    Attributes
    ----------
    element
        The element.
    message
        In words.
    row
        The row concerned, None for what has none.
    topics
        What may differ of the row.
    is_loss
        Whether something is not carried over, rather than written otherwise.
    """

    element: Element
    message: str
    row: int | None = None
    topics: Topics = ()
    is_loss: bool = True

    def sentence(self, model: Model) -> str:
        """Return a sentence that begins with file and line."""
        return PlacedSentence.at(model.document_of(0).span(self.element), self.message)


@dataclass(frozen=True, slots=True)
class SdfExport:
    """An SDFormat text, and what of the URDF it does not hold.

    Attributes
    ----------
    merged
        The rows of links that are merged, with the row of the link that each becomes a part of.
    renamed
        Scoped names of what is on merged links, and its names in the text.
    """

    text: str
    notes: tuple[SdfNote, ...]
    merged: Mapping[int, int] = field(default_factory=dict)
    renamed: tuple[tuple[str, str], ...] = ()


def export_sdformat(model: Model, *, merge_fixed: bool = False) -> SdfExport:
    """Return the robot of a URDF as SDFormat of the newest version.

    Parameters
    ----------
    model
        The robot.
    merge_fixed
        Whether links joined by fixed joints become one.

    Raises
    ------
    SdfViewerError
        If the model is not a URDF.
    """
    robot = robot_of(model.document_of(0))
    if robot is None:
        raise SdfViewerError("only a URDF can be converted to SDFormat this way")
    return _Exporter(model, robot, merge_fixed).export()


def _pose(pose: UrdfPose, relative_to: str | None = None) -> list[str]:
    attributes = {} if relative_to is None else {"relative_to": relative_to}
    if pose.quaternion is not None:
        numbers = " ".join(format_number(value) for value in (*pose.raw[:3], *pose.quaternion))
        return element("pose", {**attributes, "rotation_format": "quat_xyzw"}, numbers)
    words = [format_number(value) for value in pose.raw]
    numbers = "" if all(word in ("0", "-0") for word in words) else " ".join(words)
    return element("pose", attributes, numbers) if numbers or attributes else []


class _Exporter:
    def __init__(self, model: Model, robot: Element, merge_fixed: bool) -> None:
        self._model = model
        self._robot = robot
        self._version = urdf_version_of(robot)
        self._own = {id(child) for child in robot.children}
        self._merging = Merging(read_robot(robot, None), None) if merge_fixed else None
        self._notes: list[SdfNote] = []
        self._extensions: dict[str, Element] = {}
        self._options = GazeboOptions(robot, model.document_of(0))
        self._joint_names = {joint.attributes.get("name", "") for joint in robot.findall("joint")}
        self._known_names = {each.attributes.get("name", "") for each in robot.findall("link", "joint")}
        self._materials = materials_of(robot)
        # As the robot calls them: SDFormat takes "::" in a name for a path, so the local name would be another one.
        self._names = [name.removeprefix(f"{model.names[0]}::") for name in model.names]
        #: The names of links as urdfdom merges them: with the blanks around them, which libsdformat leaves out.
        self._link_names = {row: self._link_name(row) for row, kind in enumerate(model.kinds) if kind is Kind.LINK}
        own = [joint for joint in model.joints if id(model.elements[joint.row]) in self._own]
        # If two joints have the same child, which is an error, the first one counts, as everywhere.
        self._carried = {joint.child: joint for joint in reversed(own) if joint.child >= 0 and self._is_whole(joint)}

    def export(self) -> SdfExport:
        model = self._model
        extensions: dict[str, list[str]] = {}
        for extension in self._robot.findall("gazebo"):
            reference = extension.attributes.get("reference", "")
            target = reference if self._merging is None else self._merging.targets.get(reference, reference)
            self._extensions.setdefault(target, extension)
            extensions.setdefault(target, []).extend(
                self._extension(extension, reference if target != reference else "")
            )
        is_placed = self._robot.find("origin") is not None  # or else by <pose> in <gazebo>
        lines = _pose(self._origin(0)) if is_placed else []
        if model.static[0]:
            lines += element("static", None, "true")
        # The first link carries the model: the root link, as where libsdformat reads the URDF.
        for row in sorted(range(len(model)), key=lambda row: row != int(model.bodies[0])):
            kind = model.kinds[row]
            if id(model.elements[row]) not in self._own:
                continue  # written in a <gazebo>, which is copied as a whole
            local = self._names[row]
            if kind is Kind.LINK:
                lines += self._frame(row) if self._is_frame(row) else self._link(row, extensions.pop(local, []))
            elif kind is Kind.JOINT and not self._is_frame(model.joints_by_row[row].child):
                joint, own = model.joints_by_row[row], extensions.pop(local, [])
                lines += self._joint(joint, own) if self._is_whole(joint) else self._left_out(joint)
        lines += extensions.pop("", [])
        for each in self._robot.findall("transmission", "ros2_control"):
            message = f"<{each.tag}> '{each.attributes.get('name', '')}' has no counterpart in SDFormat; it is left out"
            self._note(each, message, is_loss=False)
        for reference, lost in extensions.items():
            if lost:
                self._note(
                    self._extensions[reference], f"<gazebo reference={reference!r}> has no counterpart; it is left out"
                )
        version = format_version(model.version)
        body = element("model", {"name": model.name}, lines)
        attributes = {"version": version, **declared_prefixes(model, body)}
        text = "\n".join(['<?xml version="1.0"?>', *element("sdf", attributes, body), ""])
        return SdfExport(text, tuple(self._notes), *self._merged())

    def _merged(self) -> tuple[dict[int, int], tuple[tuple[str, str], ...]]:
        """Return which links are merged into which, and what becomes of the names of what is on them."""
        model, merging = self._model, self._merging
        if merging is None:
            return {}, ()
        links = {name: row for row, name in self._link_names.items()}
        targets = {row: links[merging.targets.get(name, name)] for name, row in links.items()}
        parts = {row: local for each in self._parts_by_link.values() for row, local in each}
        renamed = [
            (model.names[row], f"{model.names[targets[owner]]}::{parts.get(row, model.local_names[row])}")
            for row, owner in enumerate(model.owners.tolist())
            if owner in targets and not model.kinds[row].is_vertex
        ]
        return {row: target for row, target in targets.items() if row != target}, tuple(renamed)

    def _note(self, about: Element, message: str, row: int | None = None, *topics: Topic, is_loss: bool = True) -> None:
        self._notes.append(SdfNote(about, message, row, topics, is_loss))

    def _extension(self, extension: Element, merged: str) -> list[str]:
        """Return the lines of what a ``<gazebo>`` holds in SDFormat already, measured from the link it is about."""
        document = self._model.document_of(0)
        lines: list[str] = []
        for child in extension.children:
            if child.tag in OPTIONS:
                reference = extension.attributes.get("reference", "")
                if reference and reference not in self._known_names:
                    self._note(child, f"<{child.tag}> is about '{reference}', which nothing is called; it is left out")
                elif not self._options.is_written(child, is_joint=reference in self._joint_names):
                    self._note(
                        child,
                        f"<{child.tag}> of '{reference or 'the robot'}' has no counterpart in SDFormat; it is left out",
                    )
                continue
            if child.tag == "pose" and self._robot.find("origin") is not None:
                continue  # which counts instead
            pose = child.find("pose")
            base = (merged if child.tag in NAMED_IN_GAZEBO else "") or self._child_of(child)
            leans = base and (pose is None or not pose.attributes.get("relative_to"))
            moved = document.edited(point_to(document, child, "relative_to", base)) if leans else document
            first, last = moved.offsets(moved.element(document.address(child)), "element")
            lines += dedented(moved.text[first:last])
        return lines

    def _child_of(self, joint: Element) -> str:
        """Return the link that libsdformat puts for the child of a joint in ``<gazebo>``, empty where it is the same.

        It measures the joint from the link that the child is merged into.
        """
        model = self._model
        row = model.rows_by_element.get(id(joint))
        child = model.joints_by_row[row].child if row is not None and row in model.joints_by_row else ROOT
        if child == ROOT or self._names[child] == joint.text_of("child"):
            return ""
        return self._names[child]

    def _link_name(self, row: int) -> str:
        written = self._model.elements[row].attributes.get("name", "")
        return written if written.strip() == self._names[row] else self._names[row]

    def _origin(self, row: int) -> UrdfPose:
        return parse_origin(self._model.elements[row], self._version)

    # --- links -------------------------------------------------------------------------------------------------

    def _is_frame(self, row: int) -> bool:
        """Return whether a link is nothing but a name for a place on another link."""
        joint = self._carried.get(row)
        if self._merging is not None:
            local = self._link_names.get(row)  # a joint may name no link
            return local is not None and self._merging.targets.get(local, local) != local
        if joint is None or joint.type != "fixed" or joint.parent < 0:
            return False
        link = self._model.elements[row]
        inertial = read_inertial(link, self._version)
        massless = inertial is None or inertial.mass <= 0
        owns = bool(self._model.rows_in(row))
        return massless and not owns

    def _frame(self, row: int) -> list[str]:
        joint, names = self._carried[row], self._names
        where = _pose(self._origin(joint.row))
        if self._merging is None:
            return element("frame", {"name": names[row], "attached_to": names[joint.parent]}, where)
        lines = element("frame", {"name": names[joint.row], "attached_to": names[joint.parent]}, where)
        return lines + element("frame", {"name": names[row], "attached_to": names[joint.row]})

    def _link(self, row: int, extension: list[str]) -> list[str]:
        link = self._model.elements[row]
        joint = self._carried.get(row)
        name = self._names[row]
        lines = _pose(UrdfPose(), self._names[joint.row]) if joint is not None else []
        merging = self._merging
        inertial = read_inertial(link, self._version) if merging is None else merging.inertial_of(self._link_names[row])
        if inertial is None or inertial.mass <= 0:
            message = f"link '{name}' has no mass, and SDFormat would assume 1 kg: add an <inertial>"
            self._note(link, message, row, Topic(Aspect.MASS), is_loss=False)
        else:
            ixx, iyy, izz, ixy, ixz, iyz = (repr(value) for value in inertial.moments)
            moments = {"ixx": ixx, "ixy": ixy, "ixz": ixz, "iyy": iyy, "iyz": iyz, "izz": izz}
            inertia = [line for tag, value in moments.items() for line in element(tag, None, value)]
            mass = element("mass", None, repr(inertial.mass))
            lines += element("inertial", None, [*_pose(inertial.origin), *mass, *element("inertia", None, inertia)])
        for part, own_name, pose in self._parts(row):
            lines += self._part(part, own_name, pose)
        return element("link", {"name": name}, lines + self._options.link(name) + extension)

    def _parts(self, link: int) -> Iterator[tuple[int, str, UrdfPose]]:
        """Yield the visuals and collisions of a link, their names there, and their poses on it."""
        model = self._model
        for row, local in self._parts_by_link.get(self._names[link], ()):
            if int(model.owners[row]) == link:
                yield row, local, self._origin(row)
            else:
                X_LF = invert(model.X_RootF[link]) @ model.X_RootF[row]
                yield row, local, UrdfPose(tuple(written_numbers_of(X_LF)))

    @cached_property
    def _parts_by_link(self) -> dict[str, list[tuple[int, str]]]:
        """The visuals and collisions, and their names, by the name of the link that they are written in."""
        model, merging = self._model, self._merging
        merged = {id(part): name for part, name in merging.part_names()} if merging is not None else {}
        parts: dict[str, list[tuple[int, str]]] = {}
        for row, kind in enumerate(model.kinds):
            if kind is Kind.VISUAL or kind is Kind.COLLISION:
                target, _, local = merged.get(id(model.elements[row]), self._names[row]).rpartition("::")
                if merging is not None:  # what urdfdom leaves out has no name there
                    target = merging.targets.get(target, target)
                parts.setdefault(target.strip(), []).append((row, local))
        return parts

    def _part(self, row: int, name: str, pose: UrdfPose) -> list[str]:
        model, written = self._model, self._model.elements[row]
        geometry = written.find("geometry")
        shape = geometry.children[0] if geometry is not None and geometry.children else None
        kind = URDF_SHAPES.get(shape.tag) if shape is not None else None
        if shape is None or kind is None:
            self._note(written, f"'{model.names[row]}' has no known shape; it is left out", row, *LEFT_OUT)
            return []
        if shape.tag == "mesh":
            uri = shape.attributes.get("filename", "")
            if not uri.strip():
                self._note(shape, f"the mesh of '{model.names[row]}' names no file; it is left out", row, *LEFT_OUT)
                return []
            content = element("uri", None, "model://" + uri[10:] if uri.startswith("package://") else uri)
            if scale := shape.attributes.get("scale"):
                content += element("scale", None, " ".join(scale.split()))
        else:
            content = [
                line for name in kind.urdf_numbers for line in element(name, None, shape.attributes.get(name, "0"))
            ]
        lines = _pose(pose) + element("geometry", None, element(shape.tag, None, content))
        link = self._names[int(model.owners[row])]
        reference = link if takes_options(written.attributes.get("name", ""), link) else None
        if model.kinds[row] is Kind.VISUAL:
            lines += self._options.visual(reference, self._colour(row, written.find("material")))
        else:
            lines += self._options.collision(reference)
        return element(str(model.kinds[row]), {"name": name}, lines)

    def _colour(self, row: int, written: Element | None) -> list[str]:
        """Return the lines of the colour of a material."""
        if written is None:
            return []
        known = self._materials.meant(written)
        color = known.find("color") if known is not None else None
        texture = known.find("texture") if known is not None else None
        if texture is not None:
            file = texture.attributes.get("filename", "")
            name = self._model.names[row]
            message = f"the texture '{file}' of '{name}' is read by no program for SDFormat; it is left out"
            self._note(written, message, row, *topics_of(Kind.VISUAL, ["material"]))
        if known is None or color is None:
            return []
        if why := unread_colour(known):
            self._note(color, f"{why}; the colour of '{self._model.names[row]}' is left out", row, COLOURS)
            return []
        rgba = color.attributes.get("rgba", "")
        words, changed = possible_colour(rgba)
        if changed:
            self._note(color, changed, row, COLOURS, is_loss=False)
        return [*element("ambient", None, words), *element("diffuse", None, words)]

    # --- joints ------------------------------------------------------------------------------------------------

    def _is_whole(self, joint: Joint) -> bool:
        """Return whether both ends of a joint are links of the robot."""
        return joint.child >= 0 and (joint.parent >= 0 or joint.parent == ROOT)

    def _left_out(self, joint: Joint) -> list[str]:
        written, name = self._model.elements[joint.row], self._names[joint.row]
        end = "child" if joint.child < 0 else "parent"
        self._note(
            written, f"joint '{name}': its {end} is not a link of the robot; it is left out", joint.row, *LEFT_OUT
        )
        if joint.child >= 0 and joint.child not in self._carried:
            message = f"link '{self._names[joint.child]}' is at the origin of the robot: its joint is left out"
            self._note(self._model.elements[joint.child], message, joint.child, *MOVED)
        return []

    def _joint(self, joint: Joint, extension: list[str]) -> list[str]:
        written = self._model.elements[joint.row]
        name = self._names[joint.row]
        parent = "world" if joint.parent == ROOT else self._names[joint.parent]
        lines = _pose(self._origin(joint.row), "__model__" if joint.parent == ROOT else parent)
        lines += element("parent", None, parent) + element("child", None, self._names[joint.child])
        for axis in joint.axes:
            content = element("xyz", None, " ".join(format_number(value) for value in axis.xyz.tolist()))
            content += self._limits(joint) + self._dynamics(written, self._options.dynamics(name))
            if axis.mimic is not None:
                values = {"multiplier": axis.mimic.multiplier, "offset": axis.mimic.offset}
                line = [each for tag, value in values.items() for each in element(tag, None, format_number(value))]
                content += element("mimic", {"joint": axis.mimic.joint}, line)
            lines += element("axis", None, content)
        limit = written.find("limit")
        if limit is not None and (lost := [name for name in LATER_LIMITS if name in limit.attributes]):
            message = f"SDFormat has no limits of {', '.join(lost)}; those of joint '{name}' are left out"
            topic = Topic(Aspect.JOINT, rf"axis\.limits\.({'|'.join(lost)})")
            self._note(limit, message, joint.row, topic)
        joint_type = joint.type
        if written.attributes.get("type") in ("floating", "planar"):
            why = f"joint '{name}' is {written.attributes['type']}; it is fixed here"
            self._note(written, why, joint.row, Topic(Aspect.JOINT))
        elif written.attributes.get("type", "") not in JOINT_TYPES:
            joint_type = "fixed"
            why = f"'{joint.type}' of joint '{name}' is not a joint type of URDF; it is fixed here"
            self._note(written, why, joint.row, Topic(Aspect.JOINT))
        lines += self._options.joint(name)
        sensors = [line for line in extension if line]
        return element("joint", {"name": name, "type": joint_type}, lines + sensors)

    def _limits(self, joint: Joint) -> list[str]:
        axis = joint.axes[0]
        effort, velocity = limits_of(self._model.elements[joint.row], joint.type, self._version)[2:]
        values = {"lower": axis.lower, "upper": axis.upper, "effort": effort, "velocity": velocity}
        finite = {tag: value for tag, value in values.items() if math.isfinite(value)}
        lines = [line for tag, value in finite.items() for line in element(tag, None, format_number(value))]
        return element("limit", None, lines) if lines else []

    @staticmethod
    def _dynamics(joint: Element, spring: list[str]) -> list[str]:
        dynamics = joint.find("dynamics")
        values = (
            {} if dynamics is None else {name: dynamics.attributes.get(name, "") for name in ("damping", "friction")}
        )
        lines = [line for tag, value in values.items() if value for line in element(tag, None, value)] + spring
        return element("dynamics", None, lines) if lines else []
