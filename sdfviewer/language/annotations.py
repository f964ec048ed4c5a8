"""What an editor shows of a text: hover at the mouse, signatures at the caret; hints, lenses and colours beside it."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdfviewer.document.document import Document
from sdfviewer.document.edits import text_offsets
from sdfviewer.document.element import Element
from sdfviewer.document.tables import AttributeDefinition, ElementDefinition
from sdfviewer.language.completion import Open, definition_of
from sdfviewer.language.markup import comment_at, tag_at
from sdfviewer.language.names import Placed, elements_between, reference_counts, rows_between, target_of, value_range
from sdfviewer.model.explanation import explain_axes, explain_pose, explain_settings
from sdfviewer.model.graph import ROOT
from sdfviewer.model.joints import LIMITS
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import find_references
from sdfviewer.number_text import format_exact, format_shown
from sdfviewer.refactoring.pose_notation import as_xyz_rpy
from sdfviewer.refactoring.properties.catalogue import property_help
from sdfviewer.transforms import POSE_PARTS, QUATERNION_PARTS, Array, matrix_to_pose

if TYPE_CHECKING:
    from sdfviewer.formats.xacro.value_origins import ValueOrigin


def describe_row(model: Model, row: int, X_RootF: Array) -> str:
    """Return kind, name, pose and location of a row, one a line."""
    lines = [f"{model.kinds[row].value} {model.names[row]}"]
    if model.kinds[row].is_vertex and row:
        known = np.isfinite(X_RootF[row]).all()
        pose = as_xyz_rpy(X_RootF[row]) if known else "not known"
        lines.append(f"pose in {model.local_names[0]}: {pose}")
        if model.relative_to[row] >= 0:
            lines.append(f"relative_to {model.names[int(model.relative_to[row])]}")
        lines += explain_axes(model, row)
    lines += explain_settings(model, row)
    span = model.document_of(row).span(model.elements[row])
    lines.append(f"{span.path}:{span.line}")
    return "\n".join(lines)


def describe_markup(text: str, at: int, around: list[Open], model: Model | None) -> str:
    """Return the documentation of the element or attribute whose name is at an offset of a text."""
    tag = tag_at(text, at)
    if tag is None or at < tag.name_start:
        return ""
    definition = definition_of([*around, Open(tag.name, None)], model)
    if definition is None:
        return ""
    path = (*(element.tag for element in around), tag.name)
    if at <= tag.name_start + len(tag.name):
        return "\n\n".join(filter(None, (describe_element(definition), property_help(path))))
    for attribute in definition.attributes.values():
        start = text.find(attribute.name, tag.name_start + len(tag.name), tag.end)
        if start <= at <= start + len(attribute.name) and start > 0:
            help = property_help((*path, f"@{attribute.name}"))
            return "\n\n".join(filter(None, (describe_attribute(attribute), help)))
    return ""


_TIMES = {"0": "optional", "1": "required", "*": "zero or more", "+": "one or more", "-1": "deprecated"}


def describe_element(definition: ElementDefinition) -> str:
    """Return the definition of an element in one line."""
    words = [f"<{definition.tag}>: {_TIMES[definition.cardinality]}"]
    if definition.type is not None and not definition.children:
        words.append(definition.type + (f", {definition.default!r} by default" if definition.default else ""))
    bounds = [
        f"at {word} {bound:g}"
        for word, bound in (("least", definition.minimum), ("most", definition.maximum))
        if bound is not None
    ]
    return "; ".join([*words, *bounds])


def describe_attribute(attribute: AttributeDefinition) -> str:
    """Return the definition of an attribute in one line."""
    default = "" if attribute.is_required or not attribute.default else f", {attribute.default!r} by default"
    return f"{attribute.name}: {'required' if attribute.is_required else 'optional'}; {attribute.type}{default}"


def describe_chain(model: Model, row: int) -> list[str]:
    """Return the chain of frames behind a pose, from the root on: each step with what it is measured from."""
    lines = []
    for step in explain_pose(model, row):
        name = model.names[step.row]
        if step.relative_to < 0:
            lines.append(name if not step.fault else f"{name}: {step.fault}")
            continue
        edge = "relative_to" if step.is_written else "by default relative_to"
        lines.append(f"{name} {edge} {model.names[step.relative_to]}: {format_pose_shown(step.X_RF)}")
    return lines


#: Maximum number of origins listed for one value, which hundreds of macro calls may write.
_MOST_ORIGINS = 8


def describe_origins(origins: Sequence[ValueOrigin]) -> list[str]:
    """Return what a value of a xacro file is computed with, one a line; indented, what that comes from in the end."""
    lines = []
    for origin in origins[:_MOST_ORIGINS]:
        lines.append(_describe_origin(origin))
        lines += [f"  {_describe_origin(end)}" for end in origin.ends()[:_MOST_ORIGINS] if end != origin]
    if len(origins) > _MOST_ORIGINS:
        lines.append(f"and {len(origins) - _MOST_ORIGINS} more")
    return lines


def _describe_origin(origin: ValueOrigin) -> str:
    what = f"from {origin.kind} {origin.name}" if origin.name else "from YAML file"
    if origin.document is None:
        return what
    value = f" = {' '.join(origin.text.split())}" if origin.text else ""
    return f"{what}{value}, {Path(origin.document.name).name}:{origin.document.position(origin.start)[0]}"


_ANGLES = ("roll", "pitch", "yaw")


def describe_number(text: str, at: int) -> str:
    """Return the other unit of the angle at an offset: degrees for radians, radians for degrees; empty elsewhere."""
    signature = signature_at(text, at)
    if signature is None or signature.active >= len(signature.names):
        return ""
    name, unit = signature.names[signature.active], signature.units[signature.active]
    end = next((index for index in range(at, len(text)) if text[index] in " \t\r\n<\"'"), len(text))
    start = next((index + 1 for index in range(at - 1, -1, -1) if text[index] in " \t\r\n>\"'"), 0)
    try:
        value = float(text[start:end])
    except ValueError:
        return ""
    if name not in _ANGLES or not math.isfinite(value):
        return f"{name}, {unit}" if unit else name
    if unit == "degrees":
        return f"{name}: {format_shown(math.radians(value))} radians"
    return f"{name}: {format_shown(math.degrees(value))} degrees"


# --- signature help -----------------------------------------------------------------------------------------------


_COLOUR = ("red", "green", "blue", "alpha")
_VECTORS = {
    **dict.fromkeys(("xyz", "size", "scale", "radii", "normal", "gravity", "magnetic_field", "wind"), ("x", "y", "z")),
    **dict.fromkeys(("linear_velocity", "linear_acceleration", "direction", "center_of_mass"), ("x", "y", "z")),
    **dict.fromkeys(("ambient", "diffuse", "specular", "emissive", "background"), _COLOUR),
    "point": ("x", "y"),
}
_ATTRIBUTES = {
    "xyz": ("x", "y", "z"),
    "rpy": ("roll", "pitch", "yaw"),
    "rgba": _COLOUR,
    "quat_xyzw": QUATERNION_PARTS[3:],
}
_OPEN_ELEMENT = re.compile(r"<([\w.:-]+)((?:\s[^<>]*)?)>([^<>]*)$")
_OPEN_ATTRIBUTE = re.compile(r"<[\w.:-]+\s[^<>]*?([\w.:-]+)\s*=\s*(?:\"([^\"<>]*)|'([^'<>]*))$")


@dataclass(frozen=True, slots=True)
class Signature:
    """The numbers of a value.

    Attributes
    ----------
    label
        The element or attribute.
    names
        What each number is.
    units
        The unit of each number, empty where it has none.
    active
        Index of the number at the caret; the count of names where there are too many numbers.
    """

    label: str
    names: tuple[str, ...]
    units: tuple[str, ...]
    active: int


def signature_at(text: str, offset: int) -> Signature | None:
    """Return the signature of the value in which the caret is, None where it is in none."""
    if comment_at(text, offset) is not None:
        return None
    before = text[max(text.rfind("<", 0, offset), 0) : offset]
    if match := _OPEN_ATTRIBUTE.search(before):
        typed = match[2] if match[2] is not None else match[3]
        names = _ATTRIBUTES.get(match[1])
        return None if names is None else Signature(match[1], names, _units(names, degrees=False), _active(typed))
    if match := _OPEN_ELEMENT.search(before):
        tag, attributes, typed = match.groups()
        if attributes.rstrip().endswith("/"):
            return None
        names = _VECTORS.get(tag)
        if tag == "pose":
            names = QUATERNION_PARTS if "quat_xyzw" in attributes else POSE_PARTS
        if names is not None:
            degrees = re.search(r"degrees\s*=\s*[\"'](true|1)", attributes) is not None
            return Signature(tag, names, _units(names, degrees=degrees), _active(typed))
    return None


def _units(names: tuple[str, ...], *, degrees: bool) -> tuple[str, ...]:
    angle = "degrees" if degrees else "radians"
    lengths = dict.fromkeys("xyz", "metres") if len(names) >= len(POSE_PARTS) else {}
    return tuple({**lengths, **dict.fromkeys(POSE_PARTS[3:], angle)}.get(name, "") for name in names)


def _active(typed: str) -> int:
    words = typed.split()
    return len(words) - (0 if not typed or typed[-1].isspace() else 1)


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
        elif element.tag in LIMITS and HintKind.UNIT in kinds:
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
    for row in sorted(counts) if len(model) > _MANY_ROWS else range(len(model)):
        kind = model.kinds[row]
        if kind not in _SHOWN or model.sources[row] is not None:
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
    in_range = None if end is None else rows_between(model, start, end)
    end = len(document.text) if end is None else end
    tokens = []
    for row in range(len(model)) if in_range is None else in_range:
        written = document.value_offsets(model.elements[row], "name") if model.sources[row] is None else None
        if written is not None:
            tokens.append(Token(*written, TOKEN_TYPES[model.kinds[row]], is_definition=True))
    for reference in find_references(model, in_range):
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
