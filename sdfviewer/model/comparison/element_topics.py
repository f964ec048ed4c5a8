"""What of a row may differ where an element in it is written no longer, or otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sdfviewer.document.element import Element
from sdfviewer.document.topics import LEFT_OUT, MOVED, Aspect, Topic, Topics
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model

#: What the comparison calls what elements of a joint, below its axis and in it, say.
_OF_AXES = {"limit": "limits", "dynamics": "dynamics", "mimic": "mimic"}
_OF_JOINTS = {"thread_pitch": "screw_pitch", "screw_thread_pitch": "screw_pitch"}
#: The aspect of what an element of a row says that is no setting, by kind of the row.
_ASPECTS: Mapping[Kind, Aspect] = {
    Kind.LINK: Aspect.MASS,
    Kind.VISUAL: Aspect.APPEARANCE,
    Kind.COLLISION: Aspect.CONTACT,
    Kind.SENSOR: Aspect.SENSOR,
    Kind.PROJECTOR: Aspect.SENSOR,
    Kind.PARTICLE_EMITTER: Aspect.SENSOR,
    Kind.LIGHT: Aspect.LIGHT,
    Kind.ACTOR: Aspect.ACTOR,
    Kind.MODEL: Aspect.MODEL,
    Kind.WORLD: Aspect.PHYSICS,
}
#: What elements say that mean the same in rows of every kind.
_OF_ALL: Mapping[str, Topics] = {
    "plugin": (Topic(Aspect.PLUGIN),),
    "geometry": (Topic(Aspect.SHAPE),),
    "namespace": (Topic(Aspect.SETTING, "@namespace"),),  # of an include: the attribute of its model
    **dict.fromkeys(("pose", "origin"), (*MOVED, Topic(Aspect.MODEL, "pose"))),
}
#: What the comparison calls what an element says, where that is not its tag.
_CALLED = {
    "camera": "cameras",
    "ray": "lidar",
    "inertial": "(mass|center_of_mass|inertia)",
    "scene": "(ambient|background|shadows|grid|origin_visual|has_sky|fog)",
    "physics": "(physics|name|type|is_default|max_.*|real_time_.*|gravity|magnetic_field)",
}


def topics_of(kind: Kind, path: Sequence[str]) -> Topics:
    """Return what may differ of a row of a kind where what a path leads to is lost or written otherwise.

    Parameters
    ----------
    path
        Tags from below the element of the row, at the end an attribute, ``@name``; empty for the whole row.
    """
    if not path:
        return LEFT_OUT
    first = path[0]
    if first in _OF_ALL:
        return _OF_ALL[first]
    where = "/".join(rf"{re.escape(each)}(\[\d+\])?" for each in path)
    written = Topic(Aspect.SETTING, f"{where}([/@].*)?")
    if kind is Kind.JOINT:
        return (*_of_joint(path), written)
    aspect = _ASPECTS.get(kind)
    if aspect is None:
        return (written,)
    called = _CALLED.get(first, re.escape(first))
    if kind is Kind.WORLD and len(path) > 1:  # whose records are of what is in scene and physics
        inner = re.escape(path[1].removeprefix("@"))
        called = f"(has_)?{inner}|{re.escape(first)}"
    return (Topic(aspect, f"({called}|{where})([./@].*)?"), written)


def _of_joint(path: Sequence[str]) -> Topics:
    first = path[0]
    if first in ("parent", "child"):
        return (Topic(Aspect.JOINT, first), *MOVED)
    if first not in ("axis", "axis2"):
        return (Topic(Aspect.JOINT, _OF_JOINTS.get(first, re.escape(first))),)
    if len(path) == 1:
        return (Topic(Aspect.JOINT, rf"axes|{first}(\..*)?"),)
    below = _OF_AXES.get(path[1])
    if below is None:
        return (Topic(Aspect.JOINT, first),)
    inner = rf"\.{re.escape(path[2])}" if len(path) > 2 and below != "mimic" else r"(\..*)?"
    return (Topic(Aspect.JOINT, rf"{first}\.{below}{inner}"),)


def row_and_path(model: Model, element: Element) -> tuple[int, tuple[str, ...]]:
    """Return the row that an element of the model's own document is written in, and the tags that lead to it there.

    The row is -1 where it is in none.
    """
    path: list[str] = []
    around: Element | None = element
    while around is not None:
        row = model.rows_by_element.get(id(around))
        if row is not None:
            return row, tuple(reversed(path))
        path.append(around.tag)
        around = model.document.parent(around)
    return -1, tuple(reversed(path))
