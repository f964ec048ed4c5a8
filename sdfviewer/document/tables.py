"""The element tables of the specification: elements, attributes and values of each version."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, TypeAlias

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.value_types import ValueFault, check_pose_notation, check_value
from sdfviewer.resources import resource
from sdfviewer.versions import NEWEST, VERSIONS, Version, format_version

#: Types whose bounds libsdformat checks: it compares single numbers only.
_SCALARS = ("double", "float", "int", "unsigned int")


class UnknownVersionError(SdfViewerError):
    """There is no table for a version."""


@dataclass(frozen=True, slots=True)
class AttributeDefinition:
    """The definition of an attribute in the specification.

    Attributes
    ----------
    name
        As written.
    type
        Type of the value, for example ``string`` or ``bool``.
    default
        What a missing attribute represents, as text.
    is_required
        Whether it must be given, and not be empty.
    choices
        The values that it may have, where they are few.
    """

    name: str
    type: str
    default: str
    is_required: bool
    choices: tuple[str, ...] = ()

    def check(self, value: str) -> ValueFault | None:
        """Return the fault of a value, None for a valid one."""
        if value.strip():
            return check_value(self.type, value)
        return ValueFault("it is empty", accepted=False) if self.is_required else None


@dataclass(frozen=True, slots=True, eq=False)
class ElementDefinition:
    """The definition of an element in the specification. Definitions are shared, and cyclic where models nest.

    Attributes
    ----------
    tag
        Name as written.
    type
        Type of its text, None if it has no value.
    default
        What missing text represents, as text.
    cardinality
        ``"0"`` optional, ``"1"`` required, ``"*"`` any number, ``"+"`` at least one, ``"-1"`` deprecated.
    attributes
        Its attributes by name.
    children
        Definitions of its child elements by tag.
    allows_any_child
        Whether it may hold what the specification does not know, as ``<plugin>`` does.
    minimum, maximum
        Bounds of the value, None if there is none. They are those of the newest version at all versions, since
        libsdformat converts a file before it checks values: 1.3 forbade friction above 1, but that is never checked.
    """

    tag: str
    type: str | None
    default: str
    cardinality: str
    allows_any_child: bool = False
    minimum: float | None = None
    maximum: float | None = None
    attributes: dict[str, AttributeDefinition] = field(default_factory=dict)
    children: dict[str, ElementDefinition] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<definition of {self.tag}>"

    @property
    def is_required(self) -> bool:
        """Whether it must be written at least once."""
        return self.cardinality in ("1", "+")

    @property
    def is_repeatable(self) -> bool:
        """Whether it may be written more than once."""
        return self.cardinality in ("*", "+")

    @property
    def is_deprecated(self) -> bool:
        """Whether the specification has given it up."""
        return self.cardinality == "-1"

    def check(self, text: str, attributes: Mapping[str, str]) -> ValueFault | None:
        """Return the fault of an element's text, None for a valid one.

        Blank text represents the default, but in an element that must be given.

        Parameters
        ----------
        text
            The text as written.
        attributes
            The attributes as written; those of a pose say how many numbers it has.

        Notes
        -----
        Source: libsdformat, ``Param::SetFromString``.
        """
        if self.type is None:
            return None
        notation = ("", "")
        if self.type == "pose" and attributes:
            notation = attributes.get("rotation_format", "").strip(), attributes.get("degrees", "").strip()
        if not text.strip():
            empty = ValueFault("it is empty", accepted=False) if self.cardinality == "1" else None
            return check_pose_notation(*notation) or empty
        if self.type == "string":
            return None
        if self.type == "pose":
            return check_value("pose", text, None, None, *notation)
        return check_value(self.type, text, self.minimum, self.maximum)


@dataclass(frozen=True, slots=True)
class ElementTable:
    """All definitions of one version of SDFormat.

    Attributes
    ----------
    version
        For example ``"1.12"``.
    root
        The root element, ``<sdf>``, or ``<gazebo>`` before 1.3.
    """

    version: Version
    root: ElementDefinition

    def element(self, path: str) -> ElementDefinition | None:
        """Return the definition at a path of tags below the root such as ``"model/link/inertial"``, None if unknown."""
        definition: ElementDefinition | None = self.root
        for tag in path.split("/") if path else ():
            definition = definition.children.get(tag) if definition is not None else None
        return definition


@cache
def table(version: Version) -> ElementTable:
    """Return the element table of a version, read once.

    Raises
    ------
    UnknownVersionError
        If there is none: see :data:`sdfviewer.versions.VERSIONS`.

    Notes
    -----
    Source: the files ``sdf/<version>/*.sdf`` of libsdformat, read as ``initXml`` in src/parser.cc does: an included
    file brings its own cardinality, whatever the including file says, and of two definitions the first counts.
    """
    if version not in VERSIONS:
        raise UnknownVersionError(f"there is no SDFormat version {format_version(version)}")
    files, newest = _read(version), _read(NEWEST)
    # Definitions of files are made before their insides, so that a file may include itself through others.
    shared = {name: _definition(written, newest.get(name)) for name, written in files.items()}
    for name, written in files.items():
        _fill(shared[name], written, newest.get(name), shared)
    return ElementTable(version, shared["root.sdf" if "root.sdf" in files else "gazebo.sdf"])


#: What gives the definition of the root element of other formats, by its tag.
OTHER_ROOTS: dict[str, Callable[[], ElementDefinition]] = {}


def definition_of_root(tag: str) -> ElementDefinition | None:
    """Return the definition of a root element in the newest version that has it, None where no format has it."""
    if tag in OTHER_ROOTS:
        return OTHER_ROOTS[tag]()
    roots = (table(version).root for version in (NEWEST, VERSIONS[0]))  # which is <gazebo> in the oldest
    return next((root for root in roots if root.tag == tag), None)


_Written: TypeAlias = dict[str, Any]


@lru_cache(maxsize=2)
def _read(version: Version) -> dict[str, _Written]:
    content: dict[str, _Written] = json.loads(
        resource("spec", f"{format_version(version)}.json").read_text(encoding="utf-8")
    )
    return content


def _definition(written: _Written, newest: _Written | None) -> ElementDefinition:
    """Return the definition of an element without its insides; ``newest`` is the same element in the newest version."""
    bounds: _Written = {}
    if newest is not None and newest.get("type") == written.get("type") and written.get("type") in _SCALARS:
        bounds = newest
    return ElementDefinition(
        tag=written["name"],
        type=written.get("type"),
        default=written.get("default", ""),
        cardinality=written["required"],
        allows_any_child=written.get("any_children", False),
        minimum=float(bounds["min"]) if "min" in bounds else None,
        maximum=float(bounds["max"]) if "max" in bounds else None,
    )


def _fill(
    definition: ElementDefinition,
    written: _Written,
    newest: _Written | None,
    shared: dict[str, ElementDefinition],
) -> None:
    """Give a definition its attributes and children."""
    for attribute in written.get("attributes", ()):
        name, required = attribute["name"], attribute["required"].strip() == "1"
        definition.attributes.setdefault(
            name, AttributeDefinition(name, attribute["type"], attribute["default"], required)
        )
    newest_children = {child["name"]: child for child in newest.get("children", ())} if newest is not None else {}
    for child in written.get("children", ()):
        if "ref" in child:
            definition.children.setdefault(child["name"], shared[f"{child['ref']}.sdf"])
            continue
        newest_child = newest_children.get(child["name"])
        below = _definition(child, newest_child)
        _fill(below, child, newest_child, shared)
        definition.children.setdefault(below.tag, below)
    for include in written.get("includes", ()):
        included = shared[include["filename"]]
        definition.children.setdefault(included.tag, included)
