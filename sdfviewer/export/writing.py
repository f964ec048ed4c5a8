"""What the writers of models share: lines of XML, references to meshes, notes on what is lost, and limits."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, TypeAlias

import numpy as np

from sdfviewer.diagnostics import PlacedSentence, SdfViewerError
from sdfviewer.display_text import visible
from sdfviewer.document.edits import xml_lines
from sdfviewer.document.element import Element
from sdfviewer.document.topics import Topics
from sdfviewer.formats.sdformat.contents import read_colour
from sdfviewer.formats.urdf.reading import MAX_MEMBERS
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.values import format_numbers, parse_numbers
from sdfviewer.transforms import Array

#: How meshes are written: as they are, or in one of these formats.
MeshForm: TypeAlias = Literal["keep", "obj", "stl", "glb"]
MESH_FORMS: tuple[MeshForm, ...] = ("keep", "obj", "stl", "glb")

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def writable(text: str) -> str:
    """Return a text with an escape (``\\x1b``) for each character that XML cannot hold; a file may contain some."""
    return _NOT_IN_XML.sub(lambda match: visible(match[0]), text)


def element(tag: str, attributes: Mapping[str, str] | None = None, content: Iterable[str] | str = ()) -> list[str]:
    """Return the lines of an element as :func:`.xml_lines` does, with an escape for what XML cannot hold."""
    values = {name: writable(value) for name, value in (attributes or {}).items()}
    return xml_lines(tag, values, writable(content) if isinstance(content, str) else content)


def declared_prefixes(model: Model, lines: Sequence[str]) -> dict[str, str]:
    """Return the attributes ``xmlns:…`` that the files of a model hold, of those prefixes that lines use.

    Readers of strict XML refuse an element or attribute with a prefix that nothing declares. Of several declarations of
    a prefix the first counts.
    """
    declared: dict[str, str] = {}
    for document in {id(each): each for each in map(model.document_of, range(len(model)))}.values():
        for each in document.root.descendants() if document.root is not None else ():
            for name, uri in each.attributes.items():
                if name.startswith("xmlns:"):
                    declared.setdefault(name, uri)
    if not declared:
        return {}
    text = "\n".join(lines)
    return {name: uri for name, uri in declared.items() if re.search(rf"[<\s]{re.escape(name[6:])}:", text)}


@dataclass(frozen=True, slots=True)
class WrittenMesh:
    """A mesh of an exported model.

    Attributes
    ----------
    file
        Its file as the model names it.
    scale
        What it is scaled by along x, y, z.
    why_no_collision
        Returns why nothing can collide with it, in words; empty if something can. It reads the file.
    """

    file: str
    scale: tuple[float, float, float]
    why_no_collision: Callable[[], str] = field(default=str, compare=False)


#: Returns the file of a geometry, or in words why it has none.
AddMesh: TypeAlias = Callable[[Geometry], WrittenMesh | str]

#: MuJoCo takes moments of inertia in kg m² below this as zero.
_LEAST = 1e-14
#: The moment of inertia in kg m² written for a moving body that has none.
LEAST_MOMENT = 1e-7


def possible_moment(I_B: Array) -> tuple[float, str] | None:
    """Return the moment of inertia to write for all axes, with the reason, where no body can have an inertia (3, 3).

    It is the mean of the principal moments, as MuJoCo's ``balanceinertia`` takes it, and a small one where that is not
    positive or not finite.
    """
    moment = LEAST_MOMENT
    if np.isfinite(I_B).all():
        if float(np.linalg.eigvalsh(I_B)[0]) >= _LEAST:
            return None
        mean = float(np.trace(I_B)) / 3
        moment = mean if _LEAST <= mean < np.inf else LEAST_MOMENT
    return moment, f"its moments of inertia are impossible: {moment:.3g} is written for all three"


def possible_colour(written: str) -> tuple[str, str | None]:
    """Return a colour as it is written, each number from 0 to 1, and why it is another one; None where it is not."""
    numbers = parse_numbers(written) or ()
    if all(0.0 <= each <= 1.0 for each in numbers):
        return " ".join(written.split()), None
    words = format_numbers(min(max(each, 0.0), 1.0) for each in numbers)
    return words, f"a colour is from 0 to 1, and this one is {written}: {words} is written"


def exportable_links(model: Model, format: str) -> list[int]:
    """Return the links of a model that can be written in a format.

    Raises
    ------
    SdfViewerError
        If it has no link or more parts than a URDF may have, or if the pose of a link is undefined.
    """
    if len(model) > MAX_MEMBERS:
        raise SdfViewerError(
            f"'{model.names[0]}' has {len(model):,} links, joints, frames and shapes; "
            f"{format} is written for at most {MAX_MEMBERS:,}"
        )
    links = [row for row, kind in enumerate(model.kinds) if kind is Kind.LINK]
    if not links:
        raise SdfViewerError(f"'{model.names[0]}' has no link, and {format} needs one")
    for row in links:
        if not np.isfinite(model.X_RootF[row]).all():
            raise SdfViewerError(f"the pose of '{model.names[row]}' is undefined; see `sdfviewer check`")
    return links


class Obstacle(Enum):
    """An obstacle to copying something into another format."""

    REWRITTEN = "rewritten"
    RENAMED = "renamed"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class ExportNote:
    """Something about one row that another format cannot say in the same way.

    Attributes
    ----------
    obstacle
        Whether its numbers are rewritten, it gets another name, or it is lost.
    row
        The row concerned.
    message
        In words.
    topics
        What may differ of the row: nothing else of it may.
    """

    obstacle: Obstacle
    row: int
    message: str
    topics: Topics = ()

    @property
    def is_loss(self) -> bool:
        """Whether something is not carried over."""
        return self.obstacle is Obstacle.LOST

    def sentence(self, model: Model, *, with_obstacle: bool = False) -> str:
        """Return a sentence that begins with file and line; on demand the obstacle follows in one word."""
        span = model.document_of(self.row).span(model.elements[self.row])
        obstacle = f"{self.obstacle.value}: " if with_obstacle else ""
        return PlacedSentence.at(
            span, f"{obstacle}{model.kinds[self.row]} '{model.shown_name(self.row)}': {self.message}"
        )


def unread_colour(material: Element) -> str:
    """Return why the colour of a ``<material>`` of SDFormat or URDF is none, empty where it is one or is not written.

    Of SDFormat that is the diffuse colour, or the ambient one where there is no other.
    """
    color = material.find("color")
    if color is None:
        written = material.find("diffuse") or material.find("ambient")
        if written is None or not written.value or read_colour(material, written.tag) is not None:
            return ""
        text = written.value
    else:
        text = color.attributes.get("rgba", "")
        numbers = parse_numbers(text)
        if numbers is not None and len(numbers) == 4 and all(map(math.isfinite, numbers)):
            return ""
    return f"'{text}' is not a colour"
