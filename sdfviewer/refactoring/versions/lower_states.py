"""States of a world for versions before SDFormat 1.12: ``<model>`` for ``<model_state>``, angles of axes."""

from __future__ import annotations

import math

from sdfviewer.document.edits import Replacements, remove_element, replace_element, set_tag
from sdfviewer.document.element import Element
from sdfviewer.document.tables import ElementDefinition, table
from sdfviewer.model.values import format_number, format_numbers, parse_bool, parse_numbers
from sdfviewer.refactoring.versions.lowering import Lowering

_PARTS = ("model_state", "link_state", "joint_state", "light_state")
#: Two vectors that were written as one pose of rates.
_PAIRS = {
    ("linear_velocity", "angular_velocity"): "velocity",
    ("linear_acceleration", "angular_acceleration"): "acceleration",
    ("force", "torque"): "wrench",
}
_VECTORS = frozenset(tag for tags in _PAIRS for tag in tags)


def lower_states(lowering: Lowering) -> Replacements:
    """Return the edit of the states of all worlds."""
    edits: Replacements = ()
    root = lowering.document.root
    older = table(lowering.target).element("world/state")
    for world in root.findall("world") if root is not None and older is not None else ():
        for state in world.findall("state"):
            assert older is not None
            edits += _part(lowering, state, older)
    return edits


def _part(lowering: Lowering, part: Element, older: ElementDefinition) -> Replacements:
    """Return the edit of what is in a state or in a part of one."""
    edits: Replacements = ()
    for child in part.children:
        tag = child.tag.removesuffix("_state") if child.tag in _PARTS else child.tag
        definition = older.children.get(tag)
        if definition is not None:
            edits += set_tag(lowering.document, child, tag) + _part(lowering, child, definition)
        elif child.tag in ("axis_state", "axis2_state"):
            edits += _angle(lowering, part, child)
        elif child.tag in _VECTORS:
            continue
        elif ":" not in child.tag:
            lowering.lose(child, f"<{child.tag}> of a state does not exist before SDFormat 1.12; left out")
            edits += remove_element(lowering.document, child)
    for tags, together in _PAIRS.items():
        vectors = [part.find(tag) for tag in tags]
        written = [vector for vector in vectors if vector is not None]
        if written:
            numbers = [number for vector in vectors for number in _vector(vector)]
            xml = f"<{together}>{format_numbers(numbers)}</{together}>"
            edits += replace_element(lowering.document, written[0], xml)
            for other in written[1:]:
                edits += remove_element(lowering.document, other)
    return edits


def _angle(lowering: Lowering, joint: Element, axis: Element) -> Replacements:
    """Return the edit that makes the position of an axis an ``<angle>``."""
    position = axis.find("position")
    for child in axis.children:
        if child is not position:
            lowering.lose(child, f"<{child.tag}> of a joint's state does not exist before SDFormat 1.12; left out")
    numbers = parse_numbers(position.text) if position is not None else None
    if position is None or not numbers:
        return remove_element(lowering.document, axis)
    value = math.radians(numbers[0]) if parse_bool(position.attributes.get("degrees", "")) else numbers[0]
    number = 1 if axis.tag == "axis2_state" else 0
    return replace_element(lowering.document, axis, f'<angle axis="{number}">{format_number(value)}</angle>')


def _vector(element: Element | None) -> tuple[float, ...]:
    """Return three numbers in SI units, zero where nothing is written."""
    numbers = parse_numbers(element.text) if element is not None else None
    if element is None or numbers is None or len(numbers) != 3:
        return (0.0, 0.0, 0.0)
    return tuple(map(math.radians, numbers)) if parse_bool(element.attributes.get("degrees", "")) else numbers
