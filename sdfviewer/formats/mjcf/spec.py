"""One MJCF file before anything is placed: the settings of its compiler, its default classes and its assets.

Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html#compiler and .../modeling.html#default-settings
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from sdfviewer.diagnostics import Message
from sdfviewer.formats.mjcf.nodes import Node, Reporter, numbers_in, stem_of
from sdfviewer.transforms import Array, axis_angle_to_matrix, pose, quaternion_to_matrix
from sdfviewer.validation import format_rules as rules
from sdfviewer.validation.file_rules import too_large

#: Characters of attributes that the classes and elements of a file take over from classes, each with so many more for
#: its entry. Otherwise a file of one megabyte could make gigabytes of them.
_MOST_DEFAULTS, _ENTRY = 50_000_000, 50
#: Lengths below this are too small for MuJoCo to find a direction.
LEAST = 1e-14
#: Orientations other than a quaternion: the last one that is given counts, whatever quaternion there is.
_OTHER_ORIENTATIONS = ("axisangle", "xyaxes", "zaxis", "euler")
#: Of these a short list replaces the first numbers only.
_PARTIAL = ("size", "friction", "solref", "solimp", "stiffness", "damping", "polycoef", "gear")


class MjcfValues:
    """The attributes of an element, with those of its default class.

    Parameters
    ----------
    node
        The element, for findings.
    texts
        MjcfValues by name.
    """

    def __init__(self, node: Node, texts: Mapping[str, str]) -> None:
        self.node = node
        self._texts = texts

    def __contains__(self, name: str) -> bool:
        return name in self._texts

    def word(self, name: str, default: str = "") -> str:
        """Return a value as it is written."""
        return self._texts.get(name, default)

    def is_true(self, name: str, *, default: bool = False) -> bool:
        """Return a value that is ``true`` or ``false``."""
        return {"true": True, "false": False}.get(self.word(name), default)

    def numbers(self, name: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """Return as many numbers as there are in the default, which counts for what is missing or broken."""
        found = numbers_in(self._texts[name]) if name in self._texts else None
        return default if found is None else (*found, *default[len(found) :])[: len(default)]

    def number(self, name: str, default: float) -> float:
        """Return a number."""
        return self.numbers(name, (default,))[0]

    def all_numbers(self, name: str) -> tuple[float, ...]:
        """Return all numbers of a value."""
        return (numbers_in(self._texts[name]) if name in self._texts else None) or ()


def overlaid(below: Mapping[str, str], above: Mapping[str, str]) -> Mapping[str, str]:
    """Return the attributes of a class, or of an element, over those of its default class."""
    if not below:
        return above
    made = {**below, **above}
    if any(name in above for name in _OTHER_ORIENTATIONS):
        for name in _OTHER_ORIENTATIONS:
            if name not in above:
                made.pop(name, None)
    for name in _PARTIAL:
        if name in above and name in below:
            first, rest = above[name].split(), below[name].split()
            made[name] = " ".join([*first, *rest[len(first) :]])
    return made


@dataclass(slots=True)
class CompilerSettings:
    """What ``<compiler>`` says; see MuJoCo's XML reference, "compiler"."""

    degrees: bool = True
    sequence: str = "xyz"
    meshdir: str = ""
    texturedir: str = ""
    strippath: bool = False
    autolimits: bool = True
    alignfree: bool = False
    boundmass: float = 0.0
    boundinertia: float = 0.0
    total_mass: float = -1.0
    balance: bool = False
    infer: str = "auto"
    groups: tuple[float, ...] = (0.0, 5.0)
    fits_bounds: bool = False

    def read(self, node: Node, report: Reporter) -> None:
        """Take over one ``<compiler>``; the last one counts."""
        values = MjcfValues(node, node.attributes)
        self.degrees = values.word("angle", "degree" if self.degrees else "radian") != "radian"
        sequence = values.word("eulerseq", self.sequence)
        if len(sequence) == 3 and not set(sequence) - set("xyzXYZ"):
            self.sequence = sequence
        else:
            report.refuse(node, "eulerseq has three of the letters x, y, z, X, Y, Z", "@eulerseq")
        if values.word("coordinate") == "global":
            report.refuse(
                node, Message("global coordinates are not read any more", "use coordinate='local'"), "@coordinate"
            )
        assets = values.word("assetdir")
        self.meshdir = values.word("meshdir", assets or self.meshdir)
        self.texturedir = values.word("texturedir", assets or self.texturedir)
        self.strippath = values.is_true("strippath", default=self.strippath)
        self.alignfree = values.is_true("alignfree", default=self.alignfree)
        self.autolimits = values.is_true("autolimits", default=self.autolimits)
        self.boundmass = values.number("boundmass", self.boundmass)
        self.boundinertia = values.number("boundinertia", self.boundinertia)
        self.total_mass = values.number("settotalmass", self.total_mass)
        self.balance = values.is_true("balanceinertia", default=self.balance)
        self.infer = values.word("inertiafromgeom", self.infer)
        self.groups = values.numbers("inertiagrouprange", self.groups)
        self.fits_bounds = values.is_true("fitaabb", default=self.fits_bounds)

    def radians(self, angle: float) -> float:
        """Return an angle of the file in radians."""
        return math.radians(angle) if self.degrees else angle

    def rotation(self, values: MjcfValues, report: Reporter) -> Array:
        """Return the rotation (3, 3) that an element gives.

        Notes
        -----
        Source: MuJoCo's modeling page, "Frame orientations".
        """
        if "axisangle" in values:
            *axis, angle = values.numbers("axisangle", (0.0, 0.0, 1.0, 0.0))
            if (unit := unit_vector(axis)) is not None:
                return axis_angle_to_matrix(unit, self.radians(angle))
            report.refuse(values.node, "the axis of axisangle has no length", "@axisangle")
        elif "xyaxes" in values:
            numbers = np.array(values.numbers("xyaxes", (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)))
            x = unit_vector(numbers[:3])
            y = None if x is None else unit_vector(numbers[3:] - x * float(x @ numbers[3:]))
            if x is not None and y is not None:
                return np.column_stack([x, y, np.cross(x, y)])
            report.refuse(values.node, "the two axes of xyaxes have no length, or are parallel", "@xyaxes")
        elif "zaxis" in values:
            z = unit_vector(values.numbers("zaxis", (0.0, 0.0, 1.0)))
            if z is not None:
                return rotation_to(z)
            report.refuse(values.node, "the zaxis has no length", "@zaxis")
        elif "euler" in values:
            return self.euler(values.numbers("euler", (0.0, 0.0, 0.0)))
        else:
            return quaternion_to_matrix(values.numbers("quat", (1.0, 0.0, 0.0, 0.0)))
        return np.eye(3)

    def euler(self, angles: tuple[float, ...]) -> Array:
        """Return the rotation (3, 3) by three angles of the file, about moving axes or, in capitals, fixed ones."""
        R = np.eye(3)
        if not any(angles) or not all(map(math.isfinite, angles)):  # products of finite numbers may not be
            return R
        for letter, angle in zip(self.sequence, angles, strict=True):
            turn = axis_angle_to_matrix(np.eye(3)["xyz".index(letter.lower())], self.radians(angle))
            R = R @ turn if letter.islower() else turn @ R
        return R

    def pose(self, values: MjcfValues, report: Reporter) -> Array:
        """Return the pose (4, 4) that an element gives."""
        return pose(self.rotation(values, report), values.numbers("pos", (0.0, 0.0, 0.0)))

    def path(self, folder: str, file: str) -> str:
        """Return the path of an asset from the folder of the main file."""
        file = file.replace("\\", "/")
        if self.strippath:
            file = file.rpartition("/")[2]
        return f"{folder.rstrip('/')}/{file}" if folder and not file.startswith("/") else file


def unit_vector(vector: object) -> Array | None:
    """Return a vector (3,) with the length of 1, None where it has none."""
    numbers = np.array(vector, dtype=np.float64)
    length = float(np.linalg.norm(numbers))
    return numbers / length if length >= LEAST and math.isfinite(length) else None


def rotation_to(z: Array) -> Array:
    """Return the smallest rotation (3, 3) that turns the z axis into a unit vector (3,).

    Of the opposite direction it is the half turn about x, as MuJoCo takes it.
    """
    across = np.cross([0.0, 0.0, 1.0], z)
    sine = float(np.linalg.norm(across))
    axis = across / sine if sine >= LEAST else np.array([1.0, 0.0, 0.0])
    return axis_angle_to_matrix(axis, math.atan2(sine, float(z[2])))


@dataclass(slots=True, eq=False)
class Spec:
    """A file with what it includes.

    Attributes
    ----------
    root
        The ``<mujoco>`` element.
    folder
        Its folder from that of the file being loaded, for assets of attached files.
    classes
        Default attributes by class and tag.
    assets
        Assets by tag and name.
    """

    root: Node
    report: Reporter
    folder: str = ""
    settings: CompilerSettings = field(default_factory=CompilerSettings)
    classes: dict[str, dict[str, Mapping[str, str]]] = field(default_factory=lambda: {"main": {}})
    assets: dict[tuple[str, str], MjcfValues] = field(default_factory=dict)
    _left: int = _MOST_DEFAULTS

    def __post_init__(self) -> None:
        for section in self.sections("compiler"):
            self.settings.read(section, self.report)
        for section in self.sections("default"):
            self._read_class(section)
        for section in self.sections("asset"):
            for node in section.children:
                name = node.attributes.get("name") or stem_of(node.attributes.get("file", ""))
                self.assets.setdefault((node.tag, name), self.values(node, "main"))

    def sections(self, tag: str) -> list[Node]:
        """Return the sections of a kind in their order."""
        return [child for child in self.root.children if child.tag == tag]

    def _read_class(self, section: Node) -> None:
        name = section.attributes.get("class", "main")
        if name != "main":
            self.report.refuse(section, f"the outermost class of defaults is 'main', not '{name}'", "@class")
        pending = [(section, "main", "main")]
        while pending:
            node, name, parent = pending.pop()
            if name not in self.classes:
                inherited = self.classes[parent]
                self.classes[name] = dict(inherited) if self._takes_over(node, inherited) else {}
            own = self.classes[name]
            for child in node.children:
                if child.tag != "default":
                    own[child.tag] = self._overlaid(child, own.get(child.tag, {}))
            inner = [child for child in node.children if child.tag == "default"]
            for child in inner:
                if not child.attributes.get("class"):
                    self.report(
                        rules.mjcf_attributes,
                        child,
                        None,
                        "<default>",
                        Message("needs the attribute 'class'", "add it"),
                    )
            pending += [(child, child.attributes.get("class") or name, name) for child in reversed(inner)]

    def values(self, node: Node, default_class: str) -> MjcfValues:
        """Return the attributes of an element in a body whose default class is known."""
        name = node.attributes.get("class") or default_class
        defaults = self.classes.get(name, self.classes["main"]).get(node.tag, {})
        return MjcfValues(node, self._overlaid(node, defaults))

    def _overlaid(self, node: Node, defaults: Mapping[str, str]) -> Mapping[str, str]:
        """Return the attributes of an element over those of a class, as long as there are not too many of these."""
        return overlaid(defaults if self._takes_over(node, defaults, defaults.values()) else {}, node.attributes)

    def _takes_over(self, node: Node, entries: Mapping[str, object], texts: Iterable[str] = ()) -> bool:
        """Return whether entries of a class may be taken over; report once that they are too many."""
        if self._left < 0:
            return False
        self._left -= _ENTRY * len(entries) + sum(map(len, texts))
        if self._left < 0:
            self.report(
                too_large, node, None, node.tag, "", f"{_MOST_DEFAULTS:,} characters taken from default classes"
            )
        return self._left >= 0

    def path_of(self, values: MjcfValues, folder: str) -> Path:
        """Return the path of an asset's file from the folder of the file being loaded."""
        return Path(self.folder, self.settings.path(folder, values.word("file")))
