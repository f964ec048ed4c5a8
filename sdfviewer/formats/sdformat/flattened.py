"""Models flattened by older tools: ``a::b`` in a name represents ``b`` in a nested model ``a``.

Before SDFormat 1.8 libsdformat itself put the links, joints and frames of an included model into the model around,
with its name and ``::`` before theirs, and wrote such files. In a world they are nested again when they are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sdfviewer.document.element import Element
from sdfviewer.model.scope import Origin
from sdfviewer.versions import SCOPED_REFERENCES

_TAGS = ("frame", "joint", "link", "model", "gripper")


@dataclass(slots=True)
class FlattenedModel:
    """A nested model as it is written flattened.

    Attributes
    ----------
    name
        Its name, the first part of its members' names.
    prefix
        What comes before the names of its members as they are written.
    members
        The elements whose names begin with the prefix.
    frame
        The ``<frame>`` called ``…::__model__`` that says where the model is and which link carries it.
    """

    name: str
    prefix: str
    members: list[Element] = field(default_factory=list)
    frame: Element | None = None


def unflatten(children: Sequence[Element], prefix: str, origin: Origin) -> tuple[list[Element], list[FlattenedModel]]:
    """Return the members that stay in a model, and the nested models that the others are put into.

    Parameters
    ----------
    children
        The elements in the model.
    prefix
        What comes before all of their names already.
    origin
        Only models in worlds older than 1.8 are taken to be flattened.

    Notes
    -----
    Source: libsdformat, ``Converter::Unflatten`` and ``Converter::FindNewModelElements``, sdf/1.8/1_7.convert.
    """
    if origin.version >= SCOPED_REFERENCES or not origin.in_world:
        return list(children), []
    models: dict[str, FlattenedModel] = {}
    rest: list[Element] = []
    for child in children:
        name = child.word("name") if child.tag in _TAGS else ""
        head, separator, tail = name.removeprefix(prefix).partition("::")
        if not separator:
            rest.append(child)
            continue
        model = models.setdefault(head, FlattenedModel(head, f"{prefix}{head}::"))
        if child.tag == "frame" and tail == "__model__" and model.frame is None:
            model.frame = child
        elif child.tag != "gripper":
            model.members.append(child)
    return rest, list(models.values())
