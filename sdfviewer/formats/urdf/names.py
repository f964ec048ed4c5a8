"""Names in a URDF that follow from others."""

from __future__ import annotations

from collections.abc import Mapping

from sdfviewer.formats.urdf.merge import part_name
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model


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
