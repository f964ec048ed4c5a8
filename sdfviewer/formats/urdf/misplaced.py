"""Find elements of URDF that are where nobody reads them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from sdfviewer.document.element import Element
from sdfviewer.document.tables import ElementDefinition
from sdfviewer.formats.urdf.elements import robot_of
from sdfviewer.formats.urdf.origins import UrdfVersion
from sdfviewer.formats.urdf.value_reader import ValueReader
from sdfviewer.validation import urdf_rules as rules


def find_misplaced(root: Element, reader: ValueReader) -> None:
    """Report the elements of a ``<robot>`` that URDF has, but not there."""
    places = _places(reader.version)
    around = [(root, robot_of(reader.version))]
    while around:
        element, definition = around.pop()
        for child in element.children:
            known = definition.children.get(child.tag)
            if known is not None:
                if child.children and not known.allows_any_child:
                    around.append((child, known))
            elif child.tag in places:
                reader.report(rules.urdf_misplaced, child, None, child.tag, element.tag, places[child.tag])


@cache
def _places(version: UrdfVersion) -> Mapping[str, str]:
    """Return the elements in which each element of URDF can be, as a message names them."""
    found: dict[str, dict[str, None]] = {}
    _find_places(robot_of(version), found)
    return {tag: ", ".join(places) for tag, places in found.items()}


def _find_places(definition: ElementDefinition, found: dict[str, dict[str, None]]) -> None:
    for tag, child in definition.children.items():
        found.setdefault(tag, {})[f"<{definition.tag}>"] = None
        _find_places(child, found)
