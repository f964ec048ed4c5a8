"""What an editor adds to a text: hints with implicit values, lenses with references and what moves, colours."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np

from sdfviewer.document.document import Document
from sdfviewer.document.edits import text_offsets
from sdfviewer.document.element import Element
from sdfviewer.language.names import Placed, elements_between, reference_counts, rows_between, target_of, value_range
from sdfviewer.model.graph import ROOT
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import find_references
from sdfviewer.number_text import format_exact, format_shown
from sdfviewer.transforms import Array, matrix_to_pose

_DIGITS = 4
#: Below this cosine of the pitch, four digits do not distinguish roll and yaw.
_LOCKED = 1e-4
#: Joint types whose axis moves by metres.
_LINEAR = ("prismatic",)


class HintKind(str, Enum):
    """What a hint is about; each kind can be switched off by this name."""

    RESOLVED_POSE = "resolvedPose"
    DEFAULT_FRAME = "defaultFrame"
    UNIT = "unit"


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint: the offset in the text that it is shown at, its label, and a sentence that explains it."""

    offset: int
    label: str
    tooltip: str
    kind: HintKind


def inlay_hints(
    model: Model, start: int = 0, end: int | None = None, kinds: Collection[HintKind] = tuple(HintKind)
) -> Iterator[Hint]:
    """Yield the hints between two offsets of the model's file."""
    document = model.document
    for placed in elements_between(document, start, len(document.text) if end is None else end):
        element, _, parent = placed
        row = model.rows_by_element.get(id(parent)) if parent is not None else None
        if element.tag in ("pose", "origin") and row is not None:
            yield from _of_pose(model, row, placed, kinds)
        elif element.tag == "frame" and HintKind.DEFAULT_FRAME in kinds:
            yield from _of_frame(model, placed)
        elif element.tag in ("lower", "upper", "effort", "velocity") and HintKind.UNIT in kinds:
            yield from _of_limit(model, placed)


def _of_pose(model: Model, row: int, placed: Placed, kinds: Collection[HintKind]) -> Iterator[Hint]:
    element, offset, _ = placed
    target = int(model.relative_to[row])
    is_default = model.relative_to_written[row] is None and element.tag == "pose" and model.kinds[row].is_vertex
    if is_default and HintKind.DEFAULT_FRAME in kinds and target >= 0 and row:
        name = _name_in_scope(model, row, target)
        tooltip = f"The default: the pose is measured from {name}."
        yield Hint(offset + 1 + len(element.tag), f' relative_to="{name}"', tooltip, HintKind.DEFAULT_FRAME)
    X = model.X_RootF[row]
    if HintKind.RESOLVED_POSE in kinds and target not in (ROOT, 0) and row and np.isfinite(X).all():
        label = f" {model.local_names[0]}: {format_pose_shown(X)}"
        tooltip = f"The pose of {model.names[row]} in {model.names[0]}: metres, and roll, pitch, yaw in degrees."
        yield Hint(placed.end, label, tooltip, HintKind.RESOLVED_POSE)


def _of_frame(model: Model, placed: Placed) -> Iterator[Hint]:
    element, offset, _ = placed
    row = model.rows_by_element.get(id(element))
    if row is None or model.kinds[row] is not Kind.FRAME or model.attached_to_written[row] is not None:
        return
    target = int(model.attached_to[row])
    if target >= 0:
        name = _name_in_scope(model, row, target)
        end = offset + element.start_length - (1 if element.end_length else 2)
        tooltip = f"The default: the frame moves with {name}."
        yield Hint(end, f' attached_to="{name}"', tooltip, HintKind.DEFAULT_FRAME)


def _of_limit(model: Model, placed: Placed) -> Iterator[Hint]:
    joint = _joint_around(model, placed)
    if joint is None or placed.element.children:
        return
    is_linear = joint.attributes.get("type") in _LINEAR
    tag = placed.element.tag
    if tag == "effort":
        unit = "N" if is_linear else "N·m"
    elif tag == "velocity":
        unit = "m/s" if is_linear else "rad/s"
    else:
        unit = "m" if is_linear else f"rad{_in_degrees(placed.element.text)}"
    yield Hint(placed.content[1], f" {unit}", "The unit of this value.", HintKind.UNIT)


def _joint_around(model: Model, placed: Placed) -> Element | None:
    document = model.document
    around: Element | None = placed.parent  # <limit>
    for _ in range(3):
        if around is None or around.tag == "joint":
            return around
        around = document.parent(around)
    return around if around is not None and around.tag == "joint" else None


def _in_degrees(text: str) -> str:
    try:
        value = float(text)
    except ValueError:
        return ""
    return f" = {format_shown(math.degrees(value), _DIGITS)}°" if math.isfinite(value) and abs(value) < 1e6 else ""


def _name_in_scope(model: Model, row: int, target: int) -> str:
    """Return how the element of a row would name a target."""
    scope = int(model.scopes[row])
    if target == scope:
        return "world" if model.kinds[scope] is Kind.WORLD else "__model__"
    return model.name_in(scope, target) or model.names[target]


def format_pose_shown(X: Array) -> str:
    """Return a pose (4, 4) for reading: x y z in metres, then roll pitch yaw in degrees unless they are zero."""
    pose = matrix_to_pose(X).tolist()
    if math.cos(pose[4]) < _LOCKED:  # roll and yaw turn about one axis: all of it is called yaw
        yaw = pose[5] - pose[3] if pose[4] > 0 else pose[5] + pose[3]
        pose[3], pose[5] = 0.0, math.remainder(yaw, 2 * math.pi)
    xyz = " ".join(format_shown(value, _DIGITS) for value in pose[:3])
    angles = [format_shown(math.degrees(value), _DIGITS) for value in pose[3:]]
    return xyz if angles == ["0", "0", "0"] else f"{xyz}  {' '.join(f'{angle}°' for angle in angles)}"


#: In files with more rows only referenced names have a lens: thousands of "0 references" are no help.
_MANY_ROWS = 3000
_SHOWN = (Kind.MODEL, Kind.LINK, Kind.JOINT, Kind.FRAME)


@dataclass(frozen=True, slots=True)
class Lens:
    """A lens: the row that it is about, the offset of the row's element, references, and the body that carries it."""

    row: int
    offset: int
    references: int
    body: str

    @property
    def title(self) -> str:
        """The text of the references: ``2 references``."""
        return f"{self.references} reference{'' if self.references == 1 else 's'}"


def code_lenses(model: Model) -> Iterator[Lens]:
    """Yield a lens for each model, link, joint and frame that is written in the file itself."""
    counts = reference_counts(model)
    has_many = len(model) > _MANY_ROWS
    for row, kind in enumerate(model.kinds):
        if kind not in _SHOWN or model.sources[row] is not None:
            continue
        if has_many and row not in counts:
            continue
        body = int(model.bodies[row])
        carrier = model.names[body] if kind in (Kind.JOINT, Kind.FRAME) and body >= 0 else ""
        yield Lens(row, model.document.offset(model.elements[row]), counts.get(row, 0), carrier)


#: The protocol's type of each kind of frame. Clients have colours for these types.
TOKEN_TYPES: dict[Kind, str] = {
    Kind.WORLD: "namespace",
    Kind.MODEL: "class",
    Kind.LINK: "struct",
    Kind.JOINT: "method",
    Kind.FRAME: "variable",
    Kind.VISUAL: "property",
    Kind.COLLISION: "property",
    Kind.SENSOR: "event",
    Kind.LIGHT: "event",
    Kind.ACTOR: "class",
    Kind.PROJECTOR: "property",
    Kind.PARTICLE_EMITTER: "property",
}
#: The type of a name that no frame has.
UNRESOLVED_TYPE = "comment"
#: All types, in the order of the legend.
LEGEND = (*dict.fromkeys(TOKEN_TYPES.values()), UNRESOLVED_TYPE)
DEFINITION = "definition"


class Token(NamedTuple):
    """A name in the text: its range, the type of its token, and whether the frame is defined here."""

    start: int
    end: int
    type: str
    is_definition: bool


def semantic_tokens(model: Model, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """Yield the names of frames between two offsets of the model's file, in their order."""
    document = model.document
    rows = range(len(model)) if end is None else rows_between(model, start, end)
    end = len(document.text) if end is None else end
    tokens = []
    for row in rows:
        written = document.value_offsets(model.elements[row], "name") if model.sources[row] is None else None
        if written is not None:
            tokens.append(Token(*written, TOKEN_TYPES[model.kinds[row]], is_definition=True))
    for reference in find_references(model, rows):
        target = target_of(model, reference)
        if target is not None:
            kind = TOKEN_TYPES[model.kinds[target]]
        else:  # a joint may name the world around the file
            kind = TOKEN_TYPES[Kind.WORLD] if reference.name == "world" else UNRESOLVED_TYPE
        tokens.append(Token(*value_range(document, reference), kind, is_definition=False))
    tokens.sort()
    last = -1
    for token in tokens:
        if token.start >= max(start, last) and token.end <= end and token.end > token.start:
            last = token.end
            yield token


_TAGS = frozenset(("ambient", "diffuse", "specular", "emissive", "color", "background", "sky", "fog"))
Rgba = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Colour:
    """The range of a colour, and its red, green, blue and alpha from 0 to 1."""

    start: int
    end: int
    rgba: Rgba


def document_colours(document: Document) -> Iterator[Colour]:
    """Yield the colours in a document, ``<diffuse>`` and others, URDF's ``rgba``."""
    for element, offset, _ in elements_between(document, 0, len(document.text)):
        if element.tag == "color" and "rgba" in element.attributes:
            where = document.value_offsets(element, "rgba", offset) or (offset, offset)
            rgba = parse_colour(element.attributes["rgba"])
        elif element.tag in _TAGS and not element.children:
            where, rgba = text_offsets(document, element), parse_colour(element.text)
        else:
            continue
        if rgba is not None:
            yield Colour(*where, rgba)


def parse_colour(text: str) -> Rgba | None:
    """Return the colour of three or four numbers from 0 to 1, alpha 1 where it is left out; None for anything else."""
    words = text.split()
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        return None
    if len(numbers) not in (3, 4) or not all(0 <= number <= 1 for number in numbers):
        return None
    red, green, blue, alpha = (*numbers, 1.0)[:4]
    return red, green, blue, alpha


def format_colour(rgba: Rgba, *, like: str) -> str:
    """Return a colour as text, with as many numbers as ``like`` has; alpha is written where it is not 1."""
    count = 3 if len(like.split()) == 3 and rgba[3] == 1.0 else 4
    return " ".join(format_exact(round(number, 4)) for number in rgba[:count])
