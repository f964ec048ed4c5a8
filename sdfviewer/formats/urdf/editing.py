"""What an edit means in a URDF: how poses and properties are written, and which names follow others."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from sdfviewer.diagnostics import PlacedSentence, Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Replacements,
    add_attributes,
    format_attribute,
    in_steps,
    insert_child,
    prepend_child,
    remove_element,
    set_attribute,
    xml_lines,
)
from sdfviewer.document.element import Element
from sdfviewer.document.tables import ElementDefinition
from sdfviewer.formats.urdf.contents import children_of, materials_of
from sdfviewer.formats.urdf.elements import (
    JOINT_TYPES,
    USUAL,
    definition_of_robot,
    new_lines,
    origin_xml,
    shape_xml,
    why_not_new,
)
from sdfviewer.formats.urdf.merge import part_name
from sdfviewer.formats.urdf.robot import names_beside_link
from sdfviewer.formats.urdf.values import (
    LATER_LIMITS,
    OLDEST,
    WITH_QUATERNIONS,
    UrdfVersion,
    parse_numbers,
    parse_origin,
    urdf_version_of,
)
from sdfviewer.formats.writing import PropertyPlace, Writing
from sdfviewer.model.contents import MOMENTS
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import free_name_among
from sdfviewer.model.references import find_references
from sdfviewer.model.shapes import URDF_SHAPES
from sdfviewer.model.values import NOISE, WrittenPose, format_number, format_numbers

_LINK = {
    "inertial/mass": PropertyPlace(("inertial/mass@value",)),
    "inertial/pose": PropertyPlace(("inertial/origin@xyz", "inertial/origin@rpy"), missing="0 0 0"),
    **{f"inertial/inertia/{name}": PropertyPlace((f"inertial/inertia@{name}",)) for name in MOMENTS},
}
_SAFETY = tuple(
    f"safety_controller@{name}" for name in ("soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity")
)
_LATER = tuple(f"limit@{name}" for name in LATER_LIMITS)
_JOINT = {
    "@type": PropertyPlace(("@type",), values=JOINT_TYPES),
    "parent": PropertyPlace(("parent@link",)),
    "child": PropertyPlace(("child@link",)),
    "axis/xyz": PropertyPlace(("axis@xyz",), default="1 0 0"),
    "axis/limit/lower": PropertyPlace(("limit@lower",)),
    "axis/limit/upper": PropertyPlace(("limit@upper",)),
    "axis/limit/effort": PropertyPlace(("limit@effort",)),
    "axis/limit/velocity": PropertyPlace(("limit@velocity",)),
    "axis/dynamics/damping": PropertyPlace(("dynamics@damping",), default="0"),
    "axis/dynamics/friction": PropertyPlace(("dynamics@friction",), default="0"),
    "axis/mimic@joint": PropertyPlace(("mimic@joint",)),
    "axis/mimic/multiplier": PropertyPlace(("mimic@multiplier",)),
    "axis/mimic/offset": PropertyPlace(("mimic@offset",)),
    **{path: PropertyPlace((path,)) for path in (*_SAFETY, *_LATER)},
}
_SHAPE = {
    "geometry": PropertyPlace(("geometry",)),
    **{
        f"geometry/{shape}/{size}": PropertyPlace((f"geometry/{shape}@{size}",))
        for shape, kind in URDF_SHAPES.items()
        for size in kind.urdf_numbers
    },
    "geometry/mesh/uri": PropertyPlace(("geometry/mesh@filename",)),
    "geometry/mesh/scale": PropertyPlace(("geometry/mesh@scale",), default="1 1 1"),
}
_PLACES: dict[Kind, Mapping[str, PropertyPlace]] = {
    Kind.MODEL: {},
    Kind.LINK: _LINK,
    Kind.JOINT: _JOINT,
    Kind.VISUAL: {
        **_SHAPE,
        "material@name": PropertyPlace(("material@name",)),
        "material/diffuse": PropertyPlace(("material/color@rgba",)),
    },
    Kind.COLLISION: _SHAPE,
}


def writing(model: Model, row: int) -> Writing | None:
    """Return how a row of a URDF is written; None for what a ``<gazebo>`` holds, which is SDFormat."""
    kind, root = model.kinds[row], model.document_of(row).root
    element = model.elements[row]
    if kind in SHAPED:
        element = model.elements[int(model.owners[row])]
    is_own = root is not None and (element is root or id(element) in children_of(root))
    return _WRITING if is_own and kind in _PLACES else None


class UrdfWriting(Writing):
    """How a link, joint, visual or collision of a URDF is written.

    A link is always at the joint that carries it, whose ``<origin>`` is its pose in the parent link. So what hangs on a
    link moves with it, and what it is measured from is the parent of that joint.
    """

    joint_types = JOINT_TYPES

    def places(self, model: Model, row: int) -> Mapping[str, PropertyPlace]:
        """Return where a row writes the properties of SDFormat, by their paths there."""
        return _PLACES[model.kinds[row]]

    def definition(self, model: Model, row: int) -> ElementDefinition | None:
        """Return the definition of the element of a row, in the version of the file."""
        robot, kind = definition_of_robot(self._version(model)), model.kinds[row]
        around = robot.children["link"] if kind in SHAPED else robot
        return robot if kind is Kind.MODEL else around.children[kind.value]

    @staticmethod
    def _version(model: Model) -> UrdfVersion:
        root = model.document_of(0).root
        return OLDEST if root is None else urdf_version_of(root)

    # --- properties ------------------------------------------------------------------------------------------------

    def why_no_value(self, model: Model, row: int, path: str, value: str | None) -> str | None:
        """Return why URDF cannot write a value, which may be one that only SDFormat has."""
        whole = self.definition(model, row)
        for place in self.places(model, row)[path].paths:
            tags, _, attribute = place.partition("@")
            around = whole if whole is None or not tags else _below(whole, tags)
            definition = None if around is None else around.attributes.get(attribute)
            if around is None or (attribute and definition is None):
                return f"the version of URDF that the file names has no {place}"
            if value is None:
                required = [each.name for each in around.attributes.values() if each.is_required]
                if around.is_required or around is whole or (attribute in required and len(required) > 1):
                    return f"URDF requires it in <{around.tag}>: give another value"
            elif definition is not None and definition.type in ("double", *_COUNTS):
                words = value.split()
                if len(words) == _COUNTS.get(definition.type, 1) and parse_numbers(" ".join(words)) is None:
                    return f"URDF needs finite numbers without units, not '{value}'"
        return None

    def set_value(self, model: Model, row: int, path: str, value: str | None) -> Replacements:
        """Return the edit that writes a property, or (None) takes it out, each part of it at its place."""
        document, element = model.document, model.elements[row]
        if path == "inertial/pose":
            inertial = element.find("inertial")
            written = WrittenPose(None) if inertial is None else self.read_pose(model, inertial)
            if written.element is None:
                return () if inertial is None else self.insert_pose(document, inertial, _six(value))
            if value is None:
                return remove_element(document, written.element)
            return self.write_pose(document, written, _six(value))
        if path == "material/diffuse" and value is not None and (color := _shared_color(model, row)) is not None:
            return set_attribute(document, color, "rgba", value)
        if path == "material/diffuse" and value is not None and element.find("material") is None:
            return insert_child(document, element, _new_material(model, row, value))
        (place,) = self.places(model, row)[path].paths
        tags, _, attribute = place.partition("@")
        definition = self.definition(model, row)
        assert definition is not None
        return _set_at(document, element, definition, tags.split("/") if tags else [], attribute, value)

    def notes_on_value(self, model: Model, row: int, path: str, value: str | None) -> tuple[str, ...]:
        """Return what else is written, since URDF requires it, or changes, since others use the same material."""
        document, element = model.document, model.elements[row]
        (place, *_) = self.places(model, row)[path].paths
        if value is not None and place.startswith("limit@") and element.find("limit") is None:
            line, definition = document.span(element).line, self.definition(model, row)
            limit = None if definition is None else definition.children["limit"]
            given = [
                f"{name}={USUAL.get(name, '0')}"
                for name, each in (limit.attributes if limit is not None else {}).items()
                if each.is_required and f"limit@{name}" != place
            ]
            if given:
                words = f"URDF requires {' and '.join(given)} in <limit>; check what was written"
                return (PlacedSentence(document.name, line, words),)
        if path == "material/diffuse" and value is not None and _shared_color(model, row) is not None:
            name = _material_name(element)
            others = sum(_material_name(each) == name for each in model.elements if each.tag == "visual") - 1
            if others > 0:
                what = "visual uses" if others == 1 else "visuals use"
                return (f"{document.name}: material '{name}' changes; {others} other {what} it",)
        return ()

    # --- removal ---------------------------------------------------------------------------------------------------

    def carried(self, model: Model, row: int) -> int | None:
        """Return the link below a joint, which cannot do without it: the links of a URDF are one tree."""
        rows = self.rows_at(model, row)
        return rows[1] if len(rows) > 1 and rows[0] == row else None

    def going_with(self, model: Model, rows: Collection[int]) -> list[Element]:
        """Return the elements that say nothing once rows are gone: about them, or in a joint that follows one."""
        gone = {id(model.elements[row]) for row in rows}
        naming = {
            id(each.element) for each in find_references(model) if not set(each.steps(model)[-1:]).isdisjoint(rows)
        }
        root, found = model.document.root, list[Element]()
        for element in () if root is None else root.children:
            if element.tag == "gazebo" and id(element) in naming:
                found.append(element)
            elif element.tag in ("transmission", "ros2_control"):
                named = [each for each in element.children if each.tag == "joint"]
                lost = [each for each in named if id(each) in naming]
                found += [element] if lost and len(lost) == len(named) and element.tag == "transmission" else lost
            elif element.tag == "joint" and id(element) not in gone:
                found += [each for each in element.findall("mimic") if id(each) in naming]
        return found

    # --- new elements ----------------------------------------------------------------------------------------------

    def children_of(self, kind: Kind) -> tuple[str, ...]:
        """Return the tags of what can be added to a kind of row; a frame becomes a link of its own."""
        return _CHILDREN.get(kind, ())

    def why_no_child(self, model: Model, tag: str) -> str | None:
        """Return why nothing of a tag can be added, and what helps; None where the version does not matter."""
        if tag in ("model", "include"):
            return (
                f"URDF has no <{tag}>: one file is one robot; join another one to a link (File, Join Robot; --join), "
                "or convert this file to SDFormat"
            )
        return None

    def new_lines(self, model: Model, owner: int, tag: str, fields: Mapping[str, str]) -> list[str] | None:
        """Return the lines of a new element, None for what a ``<gazebo>`` holds."""
        return new_lines(tag, fields, self._version(model))

    def why_not_new(self, model: Model, tag: str, fields: Mapping[str, str]) -> str | None:
        """Return why the fields of a new element cannot be written, None where they can."""
        return why_not_new(tag, fields, self.shape_tags(model))

    def name_of_new(self, model: Model, owner: int, tag: str, name: str) -> str:
        """Return the name that libsdformat gives a new visual or collision, which may have none of its own."""
        if tag not in ("visual", "collision"):
            return name
        return part_name(model.local_names[owner], name, tag, len(model.elements[owner].findall(tag)))

    def shape_tags(self, model: Model) -> Collection[str]:
        """Return the tags of the shapes that the version of the file has."""
        return [tag for tag, kind in URDF_SHAPES.items() if kind.is_in_urdf(self._version(model))]

    def shape_xml(self, tag: str) -> str:
        """Return a new shape of a usual size."""
        return shape_xml(tag, {size.path: size.new for size in URDF_SHAPES[tag].sizes})

    # --- poses -----------------------------------------------------------------------------------------------------

    def rows_at(self, model: Model, row: int) -> tuple[int, ...]:
        """Return the joint that carries a link, and the link."""
        if model.kinds[row] is Kind.LINK:
            joint = int(model.relative_to[row])
            return (joint, row) if joint > 0 else (row,)
        if model.kinds[row] is Kind.JOINT:
            link = int(model.attached_to[row])
            return (row, link) if link > 0 and int(model.relative_to[link]) == row else (row,)
        return (row,)

    def why_fixed(self, model: Model, row: int) -> str | None:
        """Return why a row has no ``<origin>``: the robot, which is placed by what loads it, and its root link."""
        if model.kinds[row] is Kind.MODEL and model.elements[row].find("origin") is None:
            return "a URDF says nothing about where the robot is; what loads or includes the file does"
        if model.kinds[row] is Kind.LINK and int(model.relative_to[row]) <= 0:
            name = model.local_names[row]
            return (
                f"'{name}' is a root link, which no joint carries, so it has no pose; move the joints and shapes on "
                "it, or add a joint that carries it"
            )
        return None

    def read_pose(self, model: Model, element: Element) -> WrittenPose:
        """Return the pose in the ``<origin>`` of an element."""
        version, origin = self._version(model), element.find("origin")
        written, pose = WrittenPose(origin), parse_origin(element, version)
        written.raw, written.exact, written.quaternion = pose.raw, pose.exact, pose.quaternion is not None
        return written

    def pose_numbers(self, written: WrittenPose) -> tuple[float, ...] | None:
        """Return the numbers of an ``<origin>``; what is not written counts as zero."""
        origin = written.element
        if origin is None or not written.quaternion:
            return None if origin is None else written.raw
        return (*written.raw[:3], *(parse_numbers(origin.attributes["quat_xyzw"]) or ()))

    def pose_texts(self, document: Document, written: WrittenPose) -> list[tuple[int, int]]:
        """Return from where to where in the text the numbers of an ``<origin>`` are written."""
        origin = written.element
        names = ("xyz", "quat_xyzw" if written.quaternion else "rpy")
        return [
            value_offsets(document, origin, name) for name in names if origin is not None and name in origin.attributes
        ]

    def write_pose(self, document: Document, written: WrittenPose, numbers: Sequence[float]) -> Replacements:
        """Return the edit that puts numbers into an ``<origin>``; numbers that stay are not touched.

        An attribute that is missing is written where it does not say the default.
        """
        origin = written.element
        assert origin is not None
        is_quaternion = len(numbers) == len("xyz") + len("xyzw")
        rotation, other = ("quat_xyzw", "rpy") if is_quaternion else ("rpy", "quat_xyzw")
        values = {"xyz": numbers[:3], rotation: numbers[3:]}
        edits: Replacements = ()
        if other in origin.attributes and is_quaternion != written.quaternion:
            # In its place, unless both are there, of which the one that counts is written.
            if rotation in origin.attributes:
                edits += set_attribute(document, origin, other, None)
            else:
                found = document.attribute_offsets(origin, other)
                assert found is not None
                text = format_attribute(rotation, format_numbers(values.pop(rotation)), document.text[found[1] - 1])
                edits += (Replacement(*found, text),)
        missing: dict[str, str] = {}
        for name, wanted in values.items():
            if name in origin.attributes:
                edits += set_numbers(document, origin, name, wanted)
            elif any(abs(a - b) > NOISE for a, b in zip(wanted, _ZERO[name], strict=True)):
                missing[name] = format_numbers(wanted)
        return edits + add_attributes(document, origin, missing)

    def insert_pose(self, document: Document, element: Element, numbers: Sequence[float]) -> Replacements:
        """Return the edit that writes the ``<origin>`` of an element that has none."""
        return prepend_child(document, element, origin_xml(numbers))

    def new_pose(
        self, model: Model, row: int, numbers: Sequence[float], default: Sequence[float], target: str | None
    ) -> Replacements:
        """Return the edit that writes the ``<origin>`` of a row that has none, unless it would say zero."""
        edits = self._measured_from(model, row, target)
        if all(abs(a - b) <= NOISE for a, b in zip(numbers, default, strict=True)):
            return edits
        return edits + self.insert_pose(model.document, model.elements[row], numbers)

    def measure_from(self, model: Model, row: int, written: WrittenPose, target: str | None) -> Replacements:
        """Return the edit that gives a joint another parent link."""
        return self._measured_from(model, row, target)

    @staticmethod
    def _measured_from(model: Model, row: int, target: str | None) -> Replacements:
        parent = model.elements[row].find("parent") if model.kinds[row] is Kind.JOINT else None
        if target is None or parent is None:
            return ()
        return set_attribute(model.document, parent, "link", target)

    def why_no_notation(self, model: Model, row: int, *, degrees: bool, quaternion: bool) -> str | None:
        """Return why the file cannot write a pose in degrees or with a quaternion, None where it can."""
        if degrees:
            return "URDF writes angles in radians"
        if quaternion and self._version(model) < WITH_QUATERNIONS:
            needed = ".".join(map(str, WITH_QUATERNIONS))
            return f'a quaternion in an <origin> needs version="{needed}" in <robot>'
        return None

    def declare_notation(
        self, document: Document, written: WrittenPose, *, degrees: bool, quaternion: bool
    ) -> Replacements:
        """Return no edit: the name of the attribute says what it holds."""
        return ()


_CHILDREN = {
    Kind.MODEL: ("link", "joint", "frame", "plugin"),
    Kind.LINK: ("visual", "collision", "inertial", "sensor", "light"),
    Kind.JOINT: ("sensor",),
}
_COUNTS = {"vector3": 3, "quaternion": 4}


def _below(definition: ElementDefinition, tags: str) -> ElementDefinition | None:
    found: ElementDefinition | None = definition
    for tag in tags.split("/"):
        found = None if found is None else found.children.get(tag)
    return found


def _six(value: str | None) -> tuple[float, ...]:
    return (parse_numbers(" ".join((value or "").split())) or ()) if value else (0.0,) * 6


def _material_name(visual: Element) -> str:
    material = visual.find("material")
    return "" if material is None else material.attributes.get("name", "")


def _shared_color(model: Model, row: int) -> Element | None:
    """Return the ``<color>`` that a visual takes from the material of its name; None where it writes its own."""
    material, robot = model.elements[row].find("material"), model.document.root
    meant = None if material is None or robot is None else materials_of(robot).meant(material)
    return None if meant is None or meant is material else meant.find("color")


def _new_material(model: Model, row: int, rgba: str) -> str:
    """Return a material of a colour, with a name that no other material of the file has."""
    root = model.document.root
    taken = {each.attributes.get("name") for each in (root.descendants() if root else ()) if each.tag == "material"}
    name = free_name_among(f"{model.local_names[row]}_material", {each for each in taken if each}, 1)
    return in_steps(model.document, xml_lines("material", {"name": name}, xml_lines("color", {"rgba": rgba})))


def _set_at(
    document: Document,
    element: Element,
    definition: ElementDefinition,
    tags: Sequence[str],
    attribute: str,
    value: str | None,
) -> Replacements:
    """Return the edit that writes an attribute, or (None) takes it out, of an element at a path below another one.

    Elements on the way are made where they are missing, with what URDF requires in them, and taken out where nothing is
    left in them.
    """
    if not tags:
        return set_attribute(document, element, attribute, value)
    below, inner = element.find(tags[0]), definition.children[tags[0]]
    if below is None and value is None:
        return ()
    if below is None:
        lines = complete_lines(inner, tags[1:], attribute, value or "")
        following = _following(element, definition, tags[0])
        return insert_child(document, element, in_steps(document, lines), following)
    needed = [name for name, each in inner.attributes.items() if each.is_required]
    if value is None and not tags[1:] and (attribute in needed or below.attributes.keys() <= {attribute}):
        return remove_element(document, below)
    return _set_at(document, below, inner, tags[1:], attribute, value)


def _following(element: Element, definition: ElementDefinition, tag: str) -> Element | None:
    """Return the child before which a new one goes: the order is that of the definition, where the file keeps it."""
    order = list(definition.children)
    later = order[order.index(tag) + 1 :] if tag in order else []
    before = [number for number, child in enumerate(element.children) if child.tag in order[: order.index(tag)]]
    last = max(before, default=-1)
    following = element.children[last + 1] if last + 1 < len(element.children) else None
    return following if following is not None and following.tag in later else None


def complete_lines(definition: ElementDefinition, tags: Sequence[str], attribute: str, value: str) -> list[str]:
    """Return the lines of a new element that holds an attribute at a path, with everything that URDF requires in it."""
    given = {name: USUAL.get(name, "0") for name, each in definition.attributes.items() if each.is_required}
    if not tags and attribute:
        given[attribute] = value
    lines: list[str] = []
    for tag, inner in definition.children.items():
        if (tags and tag == tags[0]) or inner.cardinality == "1":
            is_way = bool(tags) and tag == tags[0]
            lines += complete_lines(inner, tags[1:] if is_way else (), attribute if is_way else "", value)
    return xml_lines(definition.tag, {name: text for name, text in given.items() if text}, lines)


_WRITING = UrdfWriting()
_ZERO: Mapping[str, Sequence[float]] = {"xyz": (0, 0, 0), "rpy": (0, 0, 0), "quat_xyzw": (0, 0, 0, 1)}


def value_offsets(document: Document, element: Element, name: str) -> tuple[int, int]:
    """Return from where to where the value of an attribute that is there is written, without its quotes."""
    found = document.attribute_offsets(element, name)
    assert found is not None
    return document.text.index(document.text[found[1] - 1], found[0]) + 1, found[1] - 1


def set_numbers(document: Document, element: Element, name: str, numbers: Sequence[float]) -> Replacements:
    """Return the edit that puts numbers into an attribute that is there; numbers that stay are not touched."""
    first, last = value_offsets(document, element, name)
    words = list(re.finditer(r"\S+", document.text[first:last]))
    old = parse_numbers(element.attributes[name])
    if old is None or len(old) != len(numbers) or len(words) != len(numbers):
        return set_attribute(document, element, name, format_numbers(numbers))
    return tuple(
        Replacement(first + word.start(), first + word.end(), format_number(number))
        for word, before, number in zip(words, old, numbers, strict=True)
        if abs(before - number) > NOISE
    )


def names_that_follow(model: Model, link: int, name: str) -> Mapping[int, str]:
    """Return the names of a link's visuals and collisions, by row, once the link has another name.

    Contact sensors in ``<gazebo>`` call collisions by these names. A joint that is called as the link has its own name
    from then on.
    """
    old = model.local_names[link]
    parts = [row for row in model.rows_in(link, *SHAPED) if model.sources[row] is None]
    names = {}
    for row in parts:
        element = model.elements[row]
        own, tag = element.attributes.get("name", ""), element.tag
        number = next((at for at in range(len(parts)) if part_name(old, own, tag, at) == model.local_names[row]), None)
        if number is not None:
            names[row] = part_name(name, own, tag, number)
    for renamed in names_beside_link(old) if model.kinds[link] is Kind.LINK else ():
        joint = model.find(int(model.owners[link]), renamed)
        if joint is None:
            break
        if model.kinds[joint] is Kind.JOINT and model.elements[joint].attributes.get("name") == old:
            names[joint] = old
    return names
