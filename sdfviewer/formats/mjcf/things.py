"""Cameras, lights, appearance, and constraints between bodies and joints.

Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html#body-camera, #body-light and #asset-material
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sdfviewer.document.xml.parse import escape
from sdfviewer.formats.mjcf.bodies import MjcfBody, Part
from sdfviewer.formats.mjcf.nodes import Node, Reporter
from sdfviewer.formats.mjcf.spec import MjcfValues, Spec, unit_vector
from sdfviewer.model.contents import Rgba
from sdfviewer.number_text import format_exact
from sdfviewer.transforms import Array, matrix_to_quaternion, rpy_to_matrix, written_numbers_of
from sdfviewer.validation import format_rules as rules

#: By how much three angles may differ from the rotation that they are written for; else four numbers are written.
_EXACT = 4e-16


@dataclass(slots=True)
class MjcfOutput:
    """An XML text, and the element of the MJCF that each of its elements comes from."""

    pieces: list[str] = field(default_factory=list)
    origins: list[Node] = field(default_factory=list)
    _depth: int = 0

    def open(self, node: Node, tag: str, attributes: Mapping[str, str] | None = None) -> None:
        """Begin an element."""
        self.origins.append(node)
        written = "".join(f' {name}="{escape(value, chr(34))}"' for name, value in (attributes or {}).items())
        self.pieces.append(f"{'  ' * self._depth}<{tag}{written}>\n")
        self._depth += 1

    def close(self, tag: str) -> None:
        """End an element."""
        self._depth -= 1
        self.pieces.append(f"{'  ' * self._depth}</{tag}>\n")

    def leaf(self, node: Node, tag: str, text: str, attributes: Mapping[str, str] | None = None) -> None:
        """Add an element with a text."""
        self.open(node, tag, attributes)
        self._depth -= 1
        self.pieces[-1] = f"{self.pieces[-1][:-1]}{escape(text)}</{tag}>\n"

    def numbers(self, node: Node, tag: str, *values: float, attributes: Mapping[str, str] | None = None) -> None:
        """Add an element with numbers."""
        self.leaf(node, tag, in_words(values), attributes)

    def pose(self, node: Node, X: Array, relative_to: str | None = None) -> None:
        """Add a pose (4, 4): three angles where they say exactly the same, else a quaternion; nothing for none."""
        if relative_to is None and np.array_equal(X, np.eye(4)):
            return
        attributes = {} if relative_to is None else {"relative_to": relative_to}
        numbers = np.array(written_numbers_of(X))
        if np.abs(rpy_to_matrix(numbers[3:]) - X[:3, :3]).max() > _EXACT:
            w, x, y, z = matrix_to_quaternion(X[:3, :3]).tolist()
            numbers = np.array([*X[:3, 3], x, y, z, w])
            attributes = {"rotation_format": "quat_xyzw", **attributes}
        self.leaf(node, "pose", in_words(numbers.tolist()), attributes)


def in_words(values: Iterable[float]) -> str:
    """Return numbers as text that reads back as the same numbers; none is beyond what a number can be."""
    return " ".join(format_exact(value + 0.0) if math.isfinite(value) else "0" for value in values)


#: A file with the affixes of the names from it.
Affixed = tuple[Spec, str, str]
_Lose = Callable[[Node, str], None]


@dataclass(frozen=True, slots=True)
class MjcfMimic:
    """A joint follows another one: position = multiplier · position of the leader + offset."""

    node: Node
    leader: str
    multiplier: float
    offset: float


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A joint J that closes a loop: ``X_FJ`` (4, 4) is its pose in the frame ``relative_to``."""

    node: Node
    name: str
    type: str
    parent: str
    child: str
    relative_to: str
    X_FJ: Array


def _constraints(specs: Sequence[Affixed]) -> Iterator[tuple[MjcfValues, Callable[[str], str]]]:
    """Yield the constraints that act, with what completes the names in them."""
    for spec, prefix, suffix in specs:

        def full(name: str, prefix: str = prefix, suffix: str = suffix) -> str:
            return f"{prefix}{name}{suffix}" if name and name != "world" else name

        for section in spec.sections("equality"):
            for node in section.children:
                values = spec.values(node, "main")
                defaults = spec.classes.get(node.attributes.get("class", "main"), {}).get("equality", {})
                if MjcfValues(node, {**defaults, **node.attributes}).is_true("active", default=True):
                    yield values, full


def mimics_of(
    specs: Sequence[Affixed], bodies: Sequence[MjcfBody], joints: Sequence[str], lose: _Lose, report: Reporter
) -> Mapping[str, MjcfMimic]:
    """Return by the name of a joint how it follows another one.

    Parameters
    ----------
    joints
        The names that the joints of all bodies have, in their order.
    """
    parts = [part for body in bodies for part in body.joints]
    numbers = {part.name: number for number, part in enumerate(parts) if part.name}
    found: dict[str, MjcfMimic] = {}
    for values, full in _constraints(specs):
        if values.node.tag != "joint":
            continue
        follower, leader = (numbers.get(full(values.word(name))) for name in ("joint1", "joint2"))
        offset, multiplier, *rest = values.numbers("polycoef", (0.0, 1.0, 0.0, 0.0, 0.0))
        if follower is None or (leader is None and "joint2" in values):
            continue  # which is reported as a name that is unknown
        if any(parts[each].values.word("type") in ("free", "ball") for each in (follower, leader) if each is not None):
            report.refuse(values.node, "only hinges and slides can follow each other")
        elif leader is None or any(rest) or joints[follower] in found or leader == follower:
            lose(values.node, "an equality of joints that is not linear, or holds one joint")
        else:
            found[joints[follower]] = MjcfMimic(values.node, joints[leader], multiplier, offset)
    return found


def loops_of(
    specs: Sequence[Affixed],
    bodies: Sequence[MjcfBody],
    links: Sequence[str],
    sites: Sequence[str],
    lose: _Lose,
    report: Reporter,
) -> Iterator[Loop]:
    """Yield the joints that close loops.

    Parameters
    ----------
    links, sites
        The names that the bodies and all sites have, in their order.
    """
    numbers = {body.name: number for number, body in enumerate(bodies) if body.name}
    owners = [(part.name, number) for number, body in enumerate(bodies) for part in body.sites]
    places = {name: (at, number) for at, (name, number) in enumerate(owners) if name}
    for values, full in _constraints(specs):
        node = values.node
        if node.tag not in ("connect", "weld"):
            if node.tag != "joint":
                lose(node, f"an equality of the kind {node.tag}")
            continue
        X_FJ = np.eye(4)
        if "site1" in values:
            ends = [places.get(full(values.word(name))) for name in ("site1", "site2")]
            if ends[0] is None or ends[1] is None:
                continue
            first, second = ends[0][1], ends[1][1]
            relative_to = sites[ends[0][0]]
            lose(node, "the way between two sites that a constraint holds together, if they are apart at first,")
        else:
            one, two = numbers.get(full(values.word("body1"))), numbers.get(full(values.word("body2", "world")))
            if one is None or two is None:
                continue
            first, second = one, two
            relative_to = links[first] or "__model__"
            X_FJ[:3, 3] = values.numbers("anchor", (0.0, 0.0, 0.0))
            if any(values.numbers("relpose", (0.0,) * 7)[3:]):
                lose(node, "the relative pose of a weld, if it is not that at first,")
        if first == second:
            report(rules.mjcf_refused, node, None, "a body cannot be connected to itself")
            continue
        if second == 0:
            first, second = second, first
        name = full(node.attributes.get("name", "")) or f"{links[second]}_{node.tag}"
        kind = "ball" if node.tag == "connect" else "fixed"
        yield Loop(node, name, kind, links[first] if first else "world", links[second], relative_to, X_FJ)


#: Notes that something is not converted.
Lose = Callable[[Node, str], None]
_GREY: Rgba = (0.5, 0.5, 0.5, 1.0)
#: Pixels of a camera that names none, along y.
_PIXELS = 480
#: The axes of SDFormat's camera, which looks along x with z up, in those of MuJoCo's, which looks along -z with y up.
_R_CAMERA = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]])


@dataclass(frozen=True, slots=True)
class GeomLook:
    """The colour, the emission and the texture file of a geom."""

    rgba: Rgba
    emission: float = 0.0
    texture: str = ""


def look_of(part: Part) -> GeomLook:
    """Return the appearance of a geom: its colour counts before that of its material, unless it is the default."""
    red, green, blue, alpha = part.values.numbers("rgba", _GREY)
    own = red, green, blue, alpha
    material = part.spec.assets.get(("material", part.values.word("material")))
    if material is None:
        return GeomLook(_clipped(own))
    red, green, blue, alpha = material.numbers("rgba", (1.0, 1.0, 1.0, 1.0))
    names = [material.word("texture")]
    names += [layer.attributes.get("texture", "") for layer in material.node.children if layer.tag == "layer"]
    texture = next((found for name in names if (found := part.spec.assets.get(("texture", name)))), None)
    file = ""
    if texture is not None and texture.word("file").lower().endswith(".png"):
        file = part.spec.path_of(texture, part.spec.settings.texturedir).as_posix()
    colour = own if own != _GREY else (red, green, blue, alpha)
    return GeomLook(_clipped(colour), max(0.0, material.number("emission", 0.0)), file)


def _clipped(colour: Rgba) -> Rgba:
    red, green, blue, alpha = (min(max(each, 0.0), 1.0) for each in colour)
    return red, green, blue, alpha


def camera_lines(output: MjcfOutput, part: Part, name: str, lose: Lose) -> None:
    """Write a camera as a sensor."""
    node, values = part.node, part.values
    if values.word("mode", "fixed") != "fixed":
        lose(node, "a camera that follows something")
    width, height = (max(int(each), 1) for each in values.numbers("resolution", (1.0, 1.0)))
    if (width, height) == (1, 1):
        width, height = _PIXELS * 4 // 3, _PIXELS
    upright = math.radians(min(max(values.number("fovy", 45.0), 1.0), 179.0))
    size = values.numbers("sensorsize", (0.0, 0.0))
    focal = values.numbers("focal", (0.0, 0.0))
    across = 2 * math.atan(math.tan(upright / 2) * width / height)
    if size[0] > 0 and focal[0] > 0:
        across = 2 * math.atan(size[0] / (2 * focal[0]))
    output.open(node, "sensor", {"name": name, "type": "camera"})
    X_BS = part.pose()
    X_BS[:3, :3] = X_BS[:3, :3] @ _R_CAMERA
    output.pose(node, X_BS)
    output.open(node, "camera")
    output.numbers(node, "horizontal_fov", across)
    output.open(node, "image")
    output.numbers(node, "width", width)
    output.numbers(node, "height", height)
    output.close("image")
    output.close("camera")
    output.close("sensor")


def light_lines(output: MjcfOutput, part: Part, name: str, lose: Lose) -> None:
    """Write a light."""
    node, values = part.node, part.values
    if values.word("mode", "fixed") != "fixed":
        lose(node, "a light that follows something")
    kind = values.word("type", "directional" if values.is_true("directional") else "spot")
    if kind == "image":
        lose(node, "a light from an image")
        return
    direction = unit_vector(part.X_BF[:3, :3] @ np.array(values.numbers("dir", (0.0, 0.0, -1.0))))
    X_BL = np.eye(4)
    X_BL[:3, 3] = (part.X_BF @ [*values.numbers("pos", (0.0, 0.0, 0.0)), 1.0])[:3]
    output.open(node, "light", {"name": name, "type": kind})
    output.pose(node, X_BL)
    output.leaf(node, "cast_shadows", "true" if values.is_true("castshadow", default=True) else "false")
    if not values.is_true("active", default=True):
        output.leaf(node, "light_on", "false")
    for tag, default in (("diffuse", (0.7, 0.7, 0.7)), ("specular", (0.3, 0.3, 0.3))):
        output.numbers(node, tag, *(min(max(each, 0.0), 1.0) for each in values.numbers(tag, default)), 1.0)
    output.open(node, "attenuation")
    output.numbers(node, "range", max(values.number("range", 10.0), 0.0))
    for tag, value in zip(
        ("constant", "linear", "quadratic"), values.numbers("attenuation", (1.0, 0.0, 0.0)), strict=True
    ):
        output.numbers(node, tag, max(value, 0.0))
    output.close("attenuation")
    if kind != "point":
        output.numbers(node, "direction", *((0.0, 0.0, -1.0) if direction is None else direction.tolist()))
    if kind == "spot":
        angle = math.radians(min(max(values.number("cutoff", 45.0), 0.0), 90.0))
        output.open(node, "spot")
        output.numbers(node, "inner_angle", 0.0)
        output.numbers(node, "outer_angle", 2 * angle)
        output.numbers(node, "falloff", max(values.number("exponent", 10.0), 0.0))
        output.close("spot")
    output.close("light")
