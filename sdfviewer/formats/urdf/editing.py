"""What edits of a URDF need: where it writes the properties that SDFormat has too, and the names that follow others."""

from __future__ import annotations

from collections.abc import Mapping

from sdfviewer.formats.format import PropertyPlace
from sdfviewer.formats.urdf.contents import children_of
from sdfviewer.formats.urdf.merge import part_name
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import URDF_SHAPES

_MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
_LINK = {
    "inertial/mass": PropertyPlace(("inertial/mass@value",)),
    "inertial/pose": PropertyPlace(("inertial/origin@xyz", "inertial/origin@rpy"), missing="0 0 0"),
    **{f"inertial/inertia/{name}": PropertyPlace((f"inertial/inertia@{name}",)) for name in _MOMENTS},
}
_JOINT = {
    "@type": PropertyPlace(("@type",)),
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
    Kind.VISUAL: {**_SHAPE, "material/diffuse": PropertyPlace(("material/color@rgba",))},
    Kind.COLLISION: _SHAPE,
}


def property_places(model: Model, row: int) -> Mapping[str, PropertyPlace] | None:
    """Return where a row of a URDF writes its properties; None for what a ``<gazebo>`` holds, which is SDFormat."""
    kind, root = model.kinds[row], model.document_of(row).root
    element = model.elements[row]
    if kind in (Kind.VISUAL, Kind.COLLISION):
        element = model.elements[int(model.owners[row])]
    is_own = root is not None and (element is root or id(element) in children_of(root))
    return _PLACES.get(kind) if is_own else None


def names_that_follow(model: Model, link: int, name: str) -> Mapping[int, str]:
    """Return the names of a link's visuals and collisions, by row, once the link has another name.

    Contact sensors in ``<gazebo>`` call collisions by these names. A joint that is called as the link has its own name
    from then on.
    """
    old = model.local_names[link]
    parts = [
        row
        for row, kind in enumerate(model.kinds)
        if kind in (Kind.VISUAL, Kind.COLLISION) and int(model.owners[row]) == link and model.sources[row] is None
    ]
    names = {}
    for row in parts:
        element = model.elements[row]
        own, tag = element.attributes.get("name", ""), element.tag
        number = next((at for at in range(len(parts)) if part_name(old, own, tag, at) == model.local_names[row]), None)
        if number is not None:
            names[row] = part_name(name, own, tag, number)
    for row, kind in enumerate(model.kinds):
        written = model.elements[row].attributes.get("name")
        if kind is Kind.JOINT and model.kinds[link] is Kind.LINK and written == old != model.local_names[row]:
            names[row] = old
    return names
