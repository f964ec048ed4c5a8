"""Read and write properties by their path below an element.

A value is checked against the element tables before it is written: what libsdformat refuses, or reads as something
else than it says, never gets into a file from here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Edit,
    Replacements,
    in_steps,
    insert_child,
    remove_element,
    replace_element,
    set_attribute,
    set_text,
    xml_lines,
)
from sdfviewer.document.element import Element
from sdfviewer.document.tables import AttributeDefinition, ElementDefinition
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.formats.registry import describe_format, places_of, writing_of
from sdfviewer.formats.writing import PropertyPlace
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.shapes import SHAPES
from sdfviewer.model.targets import Attribute, ReferenceTargets, default_relative_to, is_in_tree
from sdfviewer.model.values import parse_number
from sdfviewer.refactoring.draft import note
from sdfviewer.refactoring.editable import RefactoringError, require_editable
from sdfviewer.refactoring.pose_writing import Keep, kept_pose, set_relative_to, write_pose
from sdfviewer.refactoring.properties.catalogue import (
    PropertyGroup,
    PropertySpec,
    catalogue_key,
    define,
    own_groups,
    property_groups,
    shape_specs,
    shapes_of,
    version_of,
)
from sdfviewer.transforms import POSE_PARTS, matrix_to_pose
from sdfviewer.versions import format_version

#: Marks a value without a default in the tables.
_NO_DEFAULT = "__default__"
#: Elements that are not there unless they are written: the defaults of what is in them do not count then.
_NOTHING_BY_DEFAULT = frozenset({"material", "mimic", "noise", "pbr", "spherical_coordinates"})


def written_property(model: Model, row: int, path: str) -> str | None:
    """Return the value of a property as the file of a row writes it, in whatever format; None where it does not.

    Parameters
    ----------
    path
        The path of the property in SDFormat.
    """
    places = places_of(model, row)
    if places is None:
        return read_property(model.elements[row], path)
    place = places.get(path)
    values = [] if place is None else [read_property(model.elements[row], each) for each in place.paths]
    if place is None or all(value is None for value in values):
        return None
    return " ".join(place.missing if value is None else value.strip() for value in values)


def read_property(element: Element, path: str) -> str | None:
    """Return the value of a property as it is written, None where it is not."""
    found, attribute = _find(element, path)
    if found is None:
        return None
    return found.attributes.get(attribute) if attribute else found.text.strip()


def _find(element: Element, path: str) -> tuple[Element | None, str]:
    """Return the element at a path and the name of the attribute that the path ends in, empty where it does not."""
    tags, _, attribute = path.partition("@")
    found: Element | None = element
    for tag in tags.split("/") if tags else ():
        found = found.find(tag) if found is not None else None
    return found, attribute


def default_of(model: Model, row: int, path: str) -> str:
    """Return the default of a property as text; empty if there is none."""
    places = places_of(model, row)
    if places is not None:
        return places[path].default if path in places else ""
    definition = define(model, row, path)
    default = "" if definition is None else definition.default
    if path == "static" and model.elements[row].tag == "include":
        return ""  # then the included file says it
    tags = path.partition("@")[0].split("/")
    for number, tag in enumerate(tags, 1):
        if tag in _NOTHING_BY_DEFAULT and _find(model.elements[row], "/".join(tags[:number]))[0] is None:
            return ""
    return "" if default == _NO_DEFAULT else default


#: The shape of a visual or collision, which is no text but an element; see :func:`set_shape`.
SHAPE = PropertySpec("geometry", "shape", "The form of the body. Another shape starts with a usual size.")


def groups_of(model: Model, rows: Sequence[int]) -> tuple[PropertyGroup, ...]:
    """Return the properties that rows of one kind may have: by their version, and the shape that all of them have."""
    groups = property_groups(catalogue_key(model, rows[0]), version_of(model))
    if model.kinds[rows[0]] in SHAPED:
        known = {shape_of(model, row) for row in rows}
        sizes = shape_specs(known.pop()) if len(known) == 1 else ()
        groups = (PropertyGroup("Geometry", (SHAPE, *sizes)), *groups)
    places = [each for row in rows if (each := places_of(model, row)) is not None]
    if not places:
        return groups
    own = own_groups(f"robot/{catalogue_key(model, rows[0])}")
    common = frozenset.intersection(*map(frozenset, places))
    at = {path: place for path, place in places[0].items() if path in common and define(model, rows[0], path)}
    return _reduced((*groups, *own), at)


def _reduced(groups: Sequence[PropertyGroup], places: Mapping[str, PropertyPlace]) -> tuple[PropertyGroup, ...]:
    """Return groups with those properties that have a place in another format, without those that have none left."""
    reduced = (
        replace(
            group,
            specs=tuple(
                replace(spec, values=places[spec.path].values or spec.values) if places[spec.path].values else spec
                for spec in group.specs
                if spec.path in places
            ),
        )
        for group in groups
    )
    return tuple(group for group in reduced if group.specs)


def applies(model: Model, row: int, group: PropertyGroup, spec: PropertySpec) -> bool:
    """Return whether a property is for a row: by the type of its joint, sensor or light, or because it is written."""
    if written_property(model, row, spec.path) is not None:
        return True
    definition = define(model, row, spec.path)
    if isinstance(definition, ElementDefinition) and definition.is_deprecated:
        return False
    types = spec.types or group.types
    return not types or (model.elements[row].word("type") or default_of(model, row, "@type")).lower() in types


def specs_of(model: Model, row: int) -> list[PropertySpec]:
    """Return all properties that apply to a row, without its shape as such."""
    return [
        spec
        for group in groups_of(model, [row])
        for spec in group.specs
        if spec is not SHAPE and applies(model, row, group, spec)
    ]


def value_fault(model: Model, row: int, spec: PropertySpec, value: str) -> str | None:
    """Return why a value cannot be written, None where it can."""
    definition = define(model, row, spec.path)
    if definition is None:
        return f"SDFormat {format_version(version_of(model))} has no {spec.path}"
    if spec.values and value not in spec.values and value.lower() not in spec.values:
        hint = did_you_mean(value, spec.values) or f"; it is one of {', '.join(spec.values)}"
        return f"'{value}' is not an allowed value{hint}"
    if (message := _fault_of_type(model, row, spec, value, definition)) is not None:
        return message
    if spec.path.endswith("xyz") and _is_zero(value):
        return "0 0 0 is not a direction"
    reason = (
        ReferenceTargets(model, row, cast("Attribute", spec.reference)).named(value).reason if spec.reference else None
    )
    if reason is None and places_of(model, row) is not None:
        return writing_of(model, row).why_no_value(model, row, spec.path, value)
    return reason or _needed_first(model, row, spec.path)


def _fault_of_type(
    model: Model, row: int, spec: PropertySpec, value: str, definition: ElementDefinition | AttributeDefinition
) -> str | None:
    if not value.strip():
        return "it must not be empty"
    if isinstance(definition, AttributeDefinition):
        fault = definition.check(value)
    else:
        found, _ = _find(model.elements[row], spec.path)
        fault = definition.check(value, found.attributes if found is not None else {})
    return None if fault is None else fault.message


def _needed_first(model: Model, row: int, path: str) -> str | None:
    """Return the property that must be given first, because a new element around this one requires it."""
    tags, _, attribute = path.partition("@")
    way = tags.split("/") if tags else []
    for number in range(1, len(way) + 1):
        element, _ = _find(model.elements[row], "/".join(way[:number]))
        definition = define(model, row, "/".join(way[:number]))
        if element is not None or not isinstance(definition, ElementDefinition):
            continue
        for needed in definition.attributes.values():
            is_this = number == len(way) and needed.name == attribute
            if needed.is_required and needed.default in ("", _NO_DEFAULT) and not is_this:
                return f"first choose the {needed.name} of <{definition.tag}>, which is required"
    return None


def _is_zero(value: str) -> bool:
    return all(float(word) == 0 for word in value.split())


def set_property(model: Model, rows: Sequence[int], spec: PropertySpec, value: str | None) -> Edit:
    """Return the edit that writes a property of one or several rows, or (``value`` None) takes it out.

    Elements on the way are made where they are missing, and taken out again with their last content.

    Raises
    ------
    RefactoringError
        If a row is written elsewhere, or the value is none that can stand there; the message is the reason.
    """
    edits: Replacements = ()
    notes: tuple[str, ...] = ()
    for row in rows:
        require_editable(model, row)
        writing = writing_of(model, row)
        is_other = writing.places(model, row) is not None
        if value is not None:
            fault = value_fault(model, row, spec, value)
        else:
            fault = writing.why_no_value(model, row, spec.path, None) if is_other else None
        if fault is not None:
            raise RefactoringError(fault)
        other = writing.set_value(model, row, spec.path, value) if is_other else None
        if other is not None:
            edits += tuple(each for each in other if each not in edits)  # rows may share a material
            notes += writing.notes_on_value(model, row, spec.path, value)
        elif value is None:
            edits += _without(model, row, spec.path)
        else:
            edits += _written(model, row, spec.path, value)
        if spec.path == "@type" and value is not None and model.kinds[row] is Kind.JOINT:
            without, note = _limits_of_another_unit(model, row, value)
            edits, notes = edits + without, notes + note
    what = model.name_or_count(rows)
    if value is None:
        label = f"Clear {spec.label} of {what}"
    else:
        label = f"Set {spec.label} of {what}" + (f" to {value}" if 0 < len(value) <= _MOST_SHOWN else "")
    return Edit(label, model.document, edits, notes=notes)


def _limits_of_another_unit(model: Model, row: int, kind: str) -> tuple[Replacements, tuple[str, ...]]:
    """Return what to do with limits that a new type of their joint would read in another unit, and a note about it.

    SDFormat can do without limits, so they are taken out. URDF requires them.
    """
    document, element = model.document, model.elements[row]
    before = element.attributes.get("type", "")
    if kind == before or "prismatic" not in (kind, before):
        return (), ()
    found = [limit for around in (element, *element.findall("axis")) for limit in around.findall("limit")]
    if not found:
        return (), ()
    units = ("metres", "radians") if before == "prismatic" else ("radians", "metres")
    if writing_of(model, row).places(model, row) is not None:
        words = f"the numbers in <limit> were {units[0]} and are read as {units[1]} now; change them"
        return (), (note(document, found[0], words),)
    words = (
        f"<limit> is taken out: its numbers were {units[0]}, and a {kind} joint has {units[1]}; set its limits again"
    )
    edits: Replacements = ()
    for limit in found:
        edits += remove_element(document, limit)
    return edits, (note(document, found[0], words),)


#: Longer values are left out of the name of an undo step.
_MOST_SHOWN = 32


def _written(model: Model, row: int, path: str, value: str) -> Replacements:
    document, element = model.document, model.elements[row]
    tags, _, attribute = path.partition("@")
    way = tags.split("/") if tags else []
    for number, tag in enumerate(way):
        below = element.find(tag)
        if below is None:
            xml = _new_elements(model, row, way[: number + 1], way[number:], attribute, value)
            return insert_child(document, element, xml, _before(element, tag))
        element = below
    return set_attribute(document, element, attribute, value) if attribute else set_text(document, element, value)


def _before(parent: Element, tag: str) -> Element | None:
    """Return the child before which a new one goes: ahead of plugins and sensors, as people write them."""
    if tag in ("plugin", "sensor"):
        return None
    return next((child for child in parent.children if child.tag in ("plugin", "sensor")), None)


def _new_elements(model: Model, row: int, way: list[str], tags: Sequence[str], attribute: str, value: str) -> str:
    """Return the XML of the missing end of a path; ``way`` leads to the first of ``tags``.

    Attributes without which the new elements are not complete get their defaults.
    """
    opened: list[dict[str, str]] = []
    content = value
    for number in range(len(tags)):
        definition = define(model, row, "/".join([*way, *tags[1 : number + 1]]))
        assert isinstance(definition, ElementDefinition)
        needed = {
            each.name: each.default
            for each in definition.attributes.values()
            if each.is_required and each.default not in ("", _NO_DEFAULT)
        }
        if attribute and number == len(tags) - 1:
            needed[attribute] = value
            content = definition.default if definition.type else ""
        opened.append(needed)
    lines = xml_lines(tags[-1], opened[-1], content)
    for tag, attributes in zip(tags[-2::-1], opened[-2::-1], strict=True):
        lines = xml_lines(tag, attributes, lines)
    return in_steps(model.document, lines)


def _without(model: Model, row: int, path: str) -> Replacements:
    """Return the edit that takes a property out, with the elements around it that hold nothing else."""
    document, element = model.document, model.elements[row]
    found, attribute = _find(element, path)
    if found is None:
        return ()
    definition = define(model, row, path)
    is_needed = definition is not None and definition.is_required and definition.default in ("", _NO_DEFAULT)
    if is_needed and (found is element or not attribute):
        raise RefactoringError(f"it is required in a {catalogue_key(model, row)}")
    # An element goes with the attribute that it cannot be without, or that is all it holds.
    is_all = found is not element and (is_needed or _holds_only_attribute(found, attribute))
    if attribute and not is_all:
        return set_attribute(document, found, attribute, None)
    while (
        (parent := document.parent(found)) is not None
        and parent is not element
        and _holds_only(document, parent, found)
    ):
        found = parent
    return remove_element(document, found)


def _holds_only_attribute(element: Element, attribute: str) -> bool:
    return element.attributes.keys() == {attribute} and not element.children and not element.text.strip()


def _holds_only(document: Document, parent: Element, child: Element) -> bool:
    first, last = document.content_offsets(parent)
    start, end = document.offsets(child, "element")
    around = document.text[first:start] + document.text[end:last]
    return not parent.attributes and not around.strip()


# --- shapes ------------------------------------------------------------------------------------------------------


def shape_of(model: Model, row: int) -> str:
    """Return the shape in the ``<geometry>`` of a visual or collision, empty if there is none."""
    geometry = model.elements[row].find("geometry")
    return geometry.children[0].tag if geometry is not None and geometry.children else ""


def set_shape(model: Model, row: int, shape: str) -> Edit:
    """Return the edit that gives a visual or collision another shape of a usual size.

    Raises
    ------
    RefactoringError
        If the row has no geometry, or the file's version does not know the shape.
    """
    require_editable(model, row)
    if model.kinds[row] not in SHAPED:
        raise RefactoringError(f"a {model.kinds[row]} has no geometry")
    if shape not in shapes_of(model, row):
        raise RefactoringError(f"{describe_format(model)} has no shape '{shape}'")
    document, element = model.document, model.elements[row]
    own = writing_of(model, row).shape_xml(shape)
    lines = [own] if own else xml_lines(shape, None, SHAPES[shape].new_content().splitlines())
    xml = in_steps(document, lines)
    label = f"Make {model.distinct_name(row)} a {shape}"
    geometry = element.find("geometry")
    if geometry is None:
        whole = in_steps(document, xml_lines("geometry", None, lines))
        return Edit(label, model.document, insert_child(document, element, whole))
    if not geometry.children:
        return Edit(label, model.document, insert_child(document, geometry, xml))
    old = geometry.children[0]
    if old.tag == shape:
        return Edit(label, model.document, ())
    if "\n" not in document.text[document.offset(geometry) : document.offset(old)]:  # written on one line
        xml = "".join(line.strip() for line in xml.splitlines())
    return Edit(label, model.document, replace_element(document, old, xml))


# --- names of other things ---------------------------------------------------------------------------------------


def set_joint_end(model: Model, row: int, tag: str, target: str, keep: Keep = "pose") -> Edit:
    """Return the edit that gives a joint another ``parent`` or ``child``.

    A joint without ``relative_to`` is measured from its child, in URDF from its parent, so with ``keep="pose"`` its
    numbers change with it.

    Raises
    ------
    RefactoringError
        If the target cannot be that end; see :class:`~sdfviewer.model.targets.ReferenceTargets`.
    """
    if tag == "parent" and is_in_tree(model, row):
        require_editable(model, row)
        if (why := ReferenceTargets(model, row, "parent").named(target).reason) is not None:
            raise RefactoringError(why)
        edit = set_relative_to(model, row, target, keep)
        return replace(edit, label=f"Set parent of {model.distinct_name(row)} to {target}")
    spec = next(spec for spec in specs_of(model, row) if spec.path == tag)
    edit = set_property(model, [row], spec, target)
    if is_in_tree(model, row) or tag != "child" or keep != "pose" or model.relative_to_written[row] is not None:
        return edit
    if not edit.replacements:
        return edit
    child = ReferenceTargets(model, row, "child").named(target).row
    return Edit(edit.label, model.document, edit.replacements + write_pose(model, row, kept_pose(model, row, child)))


def is_redundant_relative_to(model: Model, row: int) -> bool:
    """Return whether a ``relative_to`` is written that says no more than the default."""
    return (
        model.sources[row] is None
        and model.relative_to_written[row] is not None
        and int(model.relative_to[row]) == default_relative_to(model, row)
    )


_LIMITS = ("axis/limit/lower", "axis/limit/upper", "axis2/limit/lower", "axis2/limit/upper")


def number_of(model: Model, row: int, path: str) -> float:
    """Return a number of a row.

    Parameters
    ----------
    model, row
        The row.
    path
        ``pose/x`` to ``pose/yaw`` in metres and radians as the file measures them, ``mass``, or the path of a property
        as ``sdfviewer edit --set`` takes it.

    Raises
    ------
    InvalidValueError
        If there is no such number.
    """
    first, _, rest = path.partition("/")
    number: float | None
    if first == "pose":
        if rest not in POSE_PARTS:
            raise InvalidValueError(f"'{path}' is not a number of a pose; use pose/{', pose/'.join(POSE_PARTS)}")
        number = float(matrix_to_pose(model.raw_poses[row])[POSE_PARTS.index(rest)])
    elif path in ("mass", "inertial/mass") and model.kinds[row] is Kind.LINK:
        inertial = resolve_inertial(model, row)
        number = None if inertial is None else inertial.mass
    else:
        number = _limit(model, row, path) if path in _LIMITS else _property(model, row, path)
    if number is None:
        hint = did_you_mean(path, ("mass", *_LIMITS, *(f"pose/{part}" for part in POSE_PARTS)))
        raise InvalidValueError(f"{model.shown_name(row)} has no number '{path}'{hint}")
    return number


def _limit(model: Model, row: int, path: str) -> float | None:
    """Return a limit of a joint, in radians or metres in every format."""
    joint = model.joints_by_row.get(row)
    number = int(path.startswith("axis2"))
    if joint is None or number >= len(joint.axes):
        return None
    axis = joint.axes[number]
    return float(axis.upper if path.endswith("upper") else axis.lower)


def _property(model: Model, row: int, path: str) -> float | None:
    written = written_property(model, row, path)
    return parse_number(default_of(model, row, path) if written is None else written)
