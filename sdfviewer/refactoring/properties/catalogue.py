"""The properties that an editor shows for each kind, with label, unit and help.

The data is in ``resources/help/properties.json``, that of shapes in :mod:`sdfviewer.model.shapes`; types, defaults and
bounds come from the element tables.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from sdfviewer.document.tables import AttributeDefinition, ElementDefinition, table
from sdfviewer.formats.registry import writing_of
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import SHAPES
from sdfviewer.resources import resource
from sdfviewer.versions import NEWEST, VERSIONS, Version

#: Where the element tables define what a row of each kind is.
_TABLE_PATHS = {
    Kind.WORLD: "world",
    Kind.MODEL: "model",
    Kind.LINK: "model/link",
    Kind.JOINT: "model/joint",
    Kind.FRAME: "model/frame",
    Kind.VISUAL: "model/link/visual",
    Kind.COLLISION: "model/link/collision",
    Kind.SENSOR: "model/link/sensor",
    Kind.LIGHT: "light",
    Kind.ACTOR: "world/actor",
    Kind.PROJECTOR: "model/link/projector",
    Kind.PARTICLE_EMITTER: "model/link/particle_emitter",
}
#: Children that other parts of an editor show: names, poses, and what has a row of its own.
_SHOWN_ELSEWHERE = frozenset({"pose", "name"})


@dataclass(frozen=True, slots=True)
class PropertySpec:
    """One property of a thing.

    Attributes
    ----------
    path
        Tags from the thing's element downwards, ``axis/limit/lower``; ``@name`` at the end represents an attribute.
    label
        What it is called beside its field.
    help
        What it does, in one or two sentences.
    unit
        Of its number; ``angle``, ``effort``, ``speed``, ``damping`` and ``stiffness`` depend on the type of the joint.
    values
        The words that are allowed, empty where any are.
    reference
        What kind of name it holds: ``frame``, ``parent``, ``child``, ``joint``, ``link``, ``canonical_link`` or
        ``placement_frame``; empty where it holds no name.
    types
        The types of joint that have it, empty for all.
    """

    path: str
    label: str
    help: str = ""
    unit: str = ""
    values: tuple[str, ...] = ()
    reference: str = ""
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PropertyGroup:
    """Properties that stand together under a title; ``folded`` ones are looked for less often."""

    title: str
    specs: tuple[PropertySpec, ...]
    folded: bool = False
    types: tuple[str, ...] = ()


#: Units that depend on whether a joint turns or slides.
_TURNING = {"angle": "rad", "effort": "N m", "speed": "rad/s", "damping": "N m s/rad", "stiffness": "N m/rad"}
_SLIDING = {"angle": "m", "effort": "N", "speed": "m/s", "damping": "N s/m", "stiffness": "N/m"}


def unit_in_file(model: Model, row: int, spec: PropertySpec) -> str:
    """Return the unit in which a file writes a property of a row, empty where it has none."""
    sliding = model.kinds[row] is Kind.JOINT and model.elements[row].attributes.get("type") == "prismatic"
    return (_SLIDING if sliding else _TURNING).get(spec.unit, spec.unit)


@cache
def _catalogue() -> dict[str, Any]:
    written: dict[str, Any] = json.loads(resource("help", "properties.json").read_text(encoding="utf-8"))
    return written


def property_help(path: tuple[str, ...]) -> str:
    """Return what an element or attribute does, empty where the catalogue does not say.

    Parameters
    ----------
    path
        Tags from any element downwards, ``("sdf", "model", "joint", "axis", "limit", "lower")``; ``@name`` at the end
        represents an attribute.
    """
    for start in range(len(path) - 2, -1, -1):
        wanted = "/".join(path[start + 1 :])
        for group in _catalogue().get(path[start], ()):
            for written in group["fields"]:
                if written["path"] == wanted:
                    return str(written.get("help", ""))
    return ""


def catalogue_key(model: Model, row: int) -> str:
    """Return under which name the properties of a row are listed: its kind, or ``include``."""
    return "include" if model.elements[row].tag == "include" else model.kinds[row].value


@cache
def own_groups(key: str) -> tuple[PropertyGroup, ...]:
    """Return the properties that a row has in another format and not in SDFormat: ``robot/joint`` in URDF."""
    return tuple(
        PropertyGroup(written["title"], tuple(map(_spec, written["fields"])), written.get("folded", False))
        for written in _catalogue().get(key, ())
    )


@cache
def property_groups(key: str, version: Version) -> tuple[PropertyGroup, ...]:
    """Return the properties of a kind that a version of SDFormat knows; the last group holds what has no help yet.

    Parameters
    ----------
    key
        As :func:`catalogue_key` returns it.
    version
        As :func:`version_of` returns it.
    """
    definition = _definition_of(key, version)
    if definition is None:
        return ()
    groups = []
    for written in _catalogue().get(key, ()):
        specs = tuple(
            spec for spec in map(_spec, written["fields"]) if definition_at(definition, spec.path) is not None
        )
        if specs:
            types = tuple(written.get("types", ()))
            groups.append(PropertyGroup(written["title"], specs, written.get("folded", False), types))
    known = {spec.path for group in groups for spec in group.specs}
    rest = tuple(PropertySpec(path, path.lstrip("@")) for path in _plain_values(definition) if path not in known)
    return (*groups, PropertyGroup("Other", rest, folded=True)) if rest else tuple(groups)


def _spec(written: dict[str, Any]) -> PropertySpec:
    return PropertySpec(
        written["path"],
        written["label"],
        written["help"],
        written.get("unit", ""),
        tuple(written.get("values", ())),
        written.get("reference", ""),
        tuple(written.get("types", ())),
    )


def _plain_values(definition: ElementDefinition) -> Iterator[str]:
    """Yield the paths of attributes and single children that hold one value."""
    for name, attribute in definition.attributes.items():
        if name not in _SHOWN_ELSEWHERE and not attribute.is_required and name != "attached_to":
            yield f"@{name}"
    for tag, child in definition.children.items():
        is_plain = child.type is not None and not child.is_repeatable and not child.is_deprecated
        if is_plain and tag not in _SHOWN_ELSEWHERE:
            yield tag


def version_of(model: Model) -> Version:
    """Return the version whose element table describes a model: its own, or the newest where there is none."""
    return model.version if model.version in VERSIONS else NEWEST


@cache
def _definition_of(key: str, version: Version) -> ElementDefinition | None:
    tables = table(version)
    if key == "include":
        return tables.element("model/include") or tables.element("world/include")
    path = _TABLE_PATHS[Kind(key)]
    return tables.element(path) or tables.element(path.replace("model/frame", "world/frame"))


def definition_at(definition: ElementDefinition, path: str) -> ElementDefinition | AttributeDefinition | None:
    """Return the definition of a property below an element, None where the tables have none."""
    tags, at, attribute = path.partition("@")
    below: ElementDefinition | None = definition
    for tag in tags.split("/") if tags else ():
        below = below.children.get(tag) if below is not None else None
    if not at:
        return below
    return below.attributes.get(attribute) if below is not None else None


def define(model: Model, row: int, path: str) -> ElementDefinition | AttributeDefinition | None:
    """Return the definition of a property of a row in the file's version, None where the tables have none."""
    definition = _definition_of(catalogue_key(model, row), version_of(model))
    found = definition_at(definition, path) if definition is not None else None
    if found is None and (own := writing_of(model, row).definition(model, row)) is not None:
        return definition_at(own, path)  # a property that only the format of the file has
    return found


@cache
def shapes(version: Version) -> tuple[str, ...]:
    """Return the shapes that a ``<geometry>`` may hold in a version."""
    definition = table(version).element("model/link/visual/geometry")
    known = definition.children if definition is not None else {}
    return tuple(shape for shape in SHAPES if shape in known)


def shapes_of(model: Model, row: int) -> tuple[str, ...]:
    """Return the shapes that a file can write in a visual or collision, or in one that is added to a row."""
    known, tags = shapes(version_of(model)), writing_of(model, row).shape_tags(model)
    return known if tags is None else tuple(shape for shape in known if shape in tags)


def joint_types_of(model: Model, owner: int) -> tuple[str, ...]:
    """Return the types that a joint may have that is added to a model."""
    return writing_of(model, owner).joint_types


@cache
def shape_specs(shape: str) -> tuple[PropertySpec, ...]:
    """Return the properties of a shape, as paths below the thing that has the ``<geometry>``."""
    kind = SHAPES.get(shape)
    return tuple(
        PropertySpec(f"geometry/{shape}/{size.path}", size.label or size.path, size.help, size.unit)
        for size in (kind.sizes if kind is not None else ())
    )
