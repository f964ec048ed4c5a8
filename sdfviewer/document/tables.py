"""The element tables of the specification, and values against the types that they give, as libsdformat does.

libsdformat reads numbers with the functions of C++, which stop at the first character they cannot use: ``1,5`` is 1,
``0.1m`` is 0.1, and of four numbers for a vector the fourth is dropped. Such a value is *accepted*, though it hardly
says what its author meant.

Source: libsdformat, ``ParamPrivate::ValueFromStringImpl``, ``ParsePoseUsingStringStream``,
``ParseColorUsingStringStream`` and ``Param::ValidateValue`` in src/Param.cc; gz-math, ``operator>>`` of Vector3,
Vector2, Quaternion and Angle. Where a value is refused the element is an ``ELEMENT_INVALID`` of libsdformat, as is
every element around it, and an attribute is an ``ATTRIBUTE_INVALID``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeAlias

from sdfviewer.diagnostics import Message, SdfViewerError
from sdfviewer.display_text import cut
from sdfviewer.garbage_collection import remembered
from sdfviewer.resources import resource
from sdfviewer.versions import NEWEST, VERSIONS, Version, format_version

#: Types whose bounds libsdformat checks: it compares single numbers only.
_SCALARS = ("double", "float", "int", "unsigned int")


class UnknownVersionError(SdfViewerError):
    """There is no table for a version."""


@dataclass(frozen=True, slots=True)
class AttributeDefinition:
    """The definition of an attribute in the specification.

    Attributes
    ----------
    name
        As written.
    type
        Type of the value, for example ``string`` or ``bool``.
    default
        What a missing attribute represents, as text.
    is_required
        Whether it must be given, and not be empty.
    choices
        The values that it may have, where they are few.
    """

    name: str
    type: str
    default: str
    is_required: bool
    choices: tuple[str, ...] = ()

    def check(self, value: str) -> ValueFault | None:
        """Return the fault of a value, None for a valid one."""
        if value.strip():
            return check_value(self.type, value)
        return ValueFault("it is empty", accepted=False) if self.is_required else None


@dataclass(frozen=True, slots=True, eq=False)
class ElementDefinition:
    """The definition of an element in the specification. Definitions are shared, and cyclic where models nest.

    Attributes
    ----------
    tag
        Name as written.
    type
        Type of its text, None if it has no value.
    default
        What missing text represents, as text.
    cardinality
        ``"0"`` optional, ``"1"`` required, ``"*"`` any number, ``"+"`` at least one, ``"-1"`` deprecated.
    attributes
        Its attributes by name.
    children
        Definitions of its child elements by tag.
    allows_any_child
        Whether it may hold what the specification does not know, as ``<plugin>`` does.
    minimum, maximum
        Bounds of the value, None if there is none. They are those of the newest version at all versions, since
        libsdformat converts a file before it checks values: 1.3 forbade friction above 1, but that is never checked.
    """

    tag: str
    type: str | None
    default: str
    cardinality: str
    allows_any_child: bool = False
    minimum: float | None = None
    maximum: float | None = None
    attributes: dict[str, AttributeDefinition] = field(default_factory=dict)
    children: dict[str, ElementDefinition] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<definition of {self.tag}>"

    @property
    def is_required(self) -> bool:
        """Whether it must be written at least once."""
        return self.cardinality in ("1", "+")

    @property
    def is_repeatable(self) -> bool:
        """Whether it may be written more than once."""
        return self.cardinality in ("*", "+")

    @property
    def is_deprecated(self) -> bool:
        """Whether the specification has given it up."""
        return self.cardinality == "-1"

    def check(self, text: str, attributes: Mapping[str, str]) -> ValueFault | None:
        """Return the fault of an element's text, None for a valid one.

        Blank text represents the default, but in an element that must be given.

        Parameters
        ----------
        text
            The text as written.
        attributes
            The attributes as written; those of a pose say how many numbers it has.

        Notes
        -----
        Source: libsdformat, ``Param::SetFromString``.
        """
        if self.type is None:
            return None
        notation = ("", "")
        if self.type == "pose" and attributes:
            notation = attributes.get("rotation_format", "").strip(), attributes.get("degrees", "").strip()
        if not text.strip():
            empty = ValueFault("it is empty", accepted=False) if self.cardinality == "1" else None
            return check_pose_notation(*notation) or empty
        if self.type == "string":
            return None
        if self.type == "pose":
            return check_value("pose", text, None, None, *notation)
        return check_value(self.type, text, self.minimum, self.maximum)


@dataclass(frozen=True, slots=True)
class ElementTable:
    """All definitions of one version of SDFormat.

    Attributes
    ----------
    version
        For example ``"1.12"``.
    root
        The root element, ``<sdf>``, or ``<gazebo>`` before 1.3.
    """

    version: Version
    root: ElementDefinition

    def element(self, path: str) -> ElementDefinition | None:
        """Return the definition at a path of tags below the root such as ``"model/link/inertial"``, None if unknown."""
        definition: ElementDefinition | None = self.root
        for tag in path.split("/") if path else ():
            definition = definition.children.get(tag) if definition is not None else None
        return definition


@cache
def table(version: Version) -> ElementTable:
    """Return the element table of a version, read once.

    Raises
    ------
    UnknownVersionError
        If there is none: see :data:`sdfviewer.versions.VERSIONS`.

    Notes
    -----
    Source: the files ``sdf/<version>/*.sdf`` of libsdformat, read as ``initXml`` in src/parser.cc does: an included
    file brings its own cardinality, whatever the including file says, and of two definitions the first counts.
    """
    if version not in VERSIONS:
        raise UnknownVersionError(f"there is no SDFormat version {format_version(version)}")
    files, newest = _read(version), _read(NEWEST)
    # Definitions of files are made before their insides, so that a file may include itself through others.
    shared = {name: _definition(written, newest.get(name)) for name, written in files.items()}
    for name, written in files.items():
        _fill(shared[name], written, newest.get(name), shared)
    return ElementTable(version, shared["root.sdf" if "root.sdf" in files else "gazebo.sdf"])


#: What gives the definition of the root element of other formats, by its tag.
OTHER_ROOTS: dict[str, Callable[[], ElementDefinition]] = {}


def definition_of_root(tag: str) -> ElementDefinition | None:
    """Return the definition of a root element in the newest version that has it, None where no format has it."""
    if tag in OTHER_ROOTS:
        return OTHER_ROOTS[tag]()
    roots = (table(version).root for version in (NEWEST, VERSIONS[0]))  # which is <gazebo> in the oldest
    return next((root for root in roots if root.tag == tag), None)


_Written: TypeAlias = dict[str, Any]


@lru_cache(maxsize=2)
def _read(version: Version) -> dict[str, _Written]:
    content: dict[str, _Written] = json.loads(
        resource("spec", f"{format_version(version)}.json").read_text(encoding="utf-8")
    )
    return content


def _definition(written: _Written, newest: _Written | None) -> ElementDefinition:
    """Return the definition of an element without its insides; ``newest`` is the same element in the newest version."""
    bounds: _Written = {}
    if newest is not None and newest.get("type") == written.get("type") and written.get("type") in _SCALARS:
        bounds = newest
    return ElementDefinition(
        tag=written["name"],
        type=written.get("type"),
        default=written.get("default", ""),
        cardinality=written["required"],
        allows_any_child=written.get("any_children", False),
        minimum=float(bounds["min"]) if "min" in bounds else None,
        maximum=float(bounds["max"]) if "max" in bounds else None,
    )


def _fill(
    definition: ElementDefinition,
    written: _Written,
    newest: _Written | None,
    shared: dict[str, ElementDefinition],
) -> None:
    """Give a definition its attributes and children."""
    for attribute in written.get("attributes", ()):
        name, required = attribute["name"], attribute["required"].strip() == "1"
        definition.attributes.setdefault(
            name, AttributeDefinition(name, attribute["type"], attribute["default"], required)
        )
    newest_children = {child["name"]: child for child in newest.get("children", ())} if newest is not None else {}
    for child in written.get("children", ()):
        if "ref" in child:
            definition.children.setdefault(child["name"], shared[f"{child['ref']}.sdf"])
            continue
        newest_child = newest_children.get(child["name"])
        below = _definition(child, newest_child)
        _fill(below, child, newest_child, shared)
        definition.children.setdefault(below.tag, below)
    for include in written.get("includes", ()):
        included = shared[include["filename"]]
        definition.children.setdefault(included.tag, included)


#: Answers for longer texts are not kept: of a text of megabytes neither it nor its million numbers may stay.
LONGEST_KEPT = 250
_BLANKS = " \t\n\r\v\f"
_DECIMAL = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_PLAIN = re.compile(rf"[+-]?{_DECIMAL}")
_PLAIN_INTEGER = re.compile(r"[+-]?[0-9]+")
# Most numbers of most files: nothing to report about them while they are too short to be out of range.
_SIMPLE = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]-?[0-9])?"
_SIMPLE_VALUES = {
    "double": re.compile(_SIMPLE),
    "vector3": re.compile(rf"(?:{_SIMPLE}[ ]+){{2}}{_SIMPLE}"),
    "pose": re.compile(rf"(?:{_SIMPLE}[ ]+){{5}}{_SIMPLE}"),
}
_SIMPLE_LENGTH = 250
# What strtod reads at the start of a text.
_C_NUMBER = re.compile(
    rf"""[{_BLANKS}]*[+-]?(?:
        inf(?:inity)? | nan(?:\([0-9a-z_]*\))?
      | 0x(?:[0-9a-f]+(?:\.[0-9a-f]*)?|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?
      | {_DECIMAL}
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_C_INTEGER = re.compile(rf"[{_BLANKS}]*([+-]?[0-9]+)")
_C_HEXADECIMAL = re.compile(r"0x[0-9a-f]*", re.IGNORECASE)
# What a C++ stream reads: it knows neither infinity nor hexadecimal numbers.
_STREAM_NUMBER = re.compile(rf"[{_BLANKS}]*([+-]?{_DECIMAL})")
_STREAM_BROKEN = re.compile(rf"[{_BLANKS}]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE](?![+-]?[0-9])")
_STREAM_INTEGER = re.compile(rf"[{_BLANKS}]*([+-]?[0-9]+)")

# The smallest positive number with all its digits and the largest, as C and IEEE 754 have them.
_DOUBLE = (2.2250738585072014e-308, 1.7976931348623157e308)
_FLOAT = (1.1754943508222875e-38, 3.4028235677973366e38)  # what still rounds to the largest float
_INT = (-(2**31), 2**31 - 1)
_UNSIGNED_LONG = 2**64 - 1

#: Types that are read from a stream: how many numbers, and whether they are integers.
_STREAMED = {
    "vector3": (3, False),
    "vector2d": (2, False),
    "vector2i": (2, True),
    "quaternion": (3, False),  # roll, pitch, yaw
    "angle": (1, False),
    "time": (2, True),  # seconds, nanoseconds
}


class ValueFault(NamedTuple):
    """The fault of a value.

    Attributes
    ----------
    message
        In words that follow the name of the element or attribute.
    accepted
        Whether libsdformat reads it anyway, but as something else.
    """

    message: str
    accepted: bool


def check_value(
    value_type: str,
    text: str,
    minimum: float | None = None,
    maximum: float | None = None,
    rotation_format: str = "",
    degrees: str = "",
) -> ValueFault | None:
    """Return the fault of a value, None for a valid one.

    Parameters
    ----------
    value_type
        A type of the element tables: ``bool``, ``int``, ``unsigned int``, ``uint64_t``, ``double``, ``float``,
        ``string``, ``char``, ``time``, ``angle``, ``color``, ``vector2i``, ``vector2d``, ``vector3``, ``pose``,
        ``quaternion``.
    text
        The text, not blank.
    minimum, maximum
        Bounds of a number; NaN is within all bounds.
    rotation_format, degrees
        Attributes of a pose: ``quat_xyzw`` asks for seven numbers and allows no ``degrees="true"``.
    """
    check = _known_fault if len(text) <= LONGEST_KEPT else _find_fault
    return check(value_type, text, minimum, maximum, rotation_format, degrees)


def _find_fault(
    value_type: str, text: str, minimum: float | None, maximum: float | None, rotation_format: str, degrees: str
) -> ValueFault | None:
    text = text.strip(" \t\n\r")
    simple = None if rotation_format or minimum is not None or maximum is not None else _SIMPLE_VALUES.get(value_type)
    if simple is not None and len(text) < _SIMPLE_LENGTH and simple.fullmatch(text):
        return None
    fault = None
    if value_type == "bool":
        if text.lower() not in ("true", "false", "1", "0"):
            fault = _refused(f"'{cut(text)}' is not true or false")
    elif value_type in ("double", "float"):
        fault = _check_number(text, value_type, minimum, maximum)
    elif value_type in ("int", "unsigned int", "uint64_t"):
        fault = _check_integer(text, value_type, minimum, maximum)
    elif value_type == "pose":
        fault = _check_pose(text, rotation_format, degrees)
    elif value_type == "color":
        fault = _check_color(text)
    elif value_type in _STREAMED:
        fault = _check_stream(text, *_STREAMED[value_type])
    return fault


_known_fault = remembered(65536)(_find_fault)


def leading_number(text: str) -> float | None:
    """Return the number that libsdformat reads at the beginning of a text, None where it reads none.

    ``0.1m`` is 0.1, ``0x10`` is 16, ``true`` is 1.
    """
    text = text.strip(_BLANKS)
    if text.lower() in ("true", "false"):
        return float(text.lower() == "true")
    match = _C_NUMBER.match(text)
    return _number(match[0], "double") if match is not None else None


def _refused(message: str) -> ValueFault:
    return ValueFault(message, accepted=False)


def _partly_read(read: str, text: str) -> ValueFault:
    return ValueFault(f"only '{cut(read.strip())}' of '{cut(text)}' is read", accepted=True)


def _check_number(text: str, value_type: str, minimum: float | None, maximum: float | None) -> ValueFault | None:
    if text.lower() in ("true", "false"):
        return ValueFault(f"'{text}' is read as {int(text.lower() == 'true')}", accepted=True)
    match = _C_NUMBER.match(text)
    if match is None:
        return _refused(f"'{cut(text)}' is not a number")
    value = _number(match[0], value_type)
    if value is None:
        return _refused(f"'{cut(text)}' is too large or too small for a number")
    return _check_bounds(value, text, minimum, maximum) or (
        None if match.end() == len(text) else _partly_read(match[0], text)
    )


def _number(text: str, value_type: str) -> float | None:
    """Return the number that C reads, None where it is out of range: too large, or so small that digits are lost."""
    plain = text.strip(_BLANKS).lower()
    if "n" in plain:
        return math.nan if "nan" in plain else float(plain)
    try:
        value = float.fromhex(plain) if "x" in plain else float(plain)
    except OverflowError:
        return None
    mantissa = re.split("p" if "x" in plain else "e", plain)[0].replace("0x", "")
    if value == 0:
        return None if re.search("[1-9a-f]", mantissa) else value
    smallest, largest = _FLOAT if value_type == "float" else _DOUBLE
    return value if smallest <= abs(value) <= largest else None


def _check_bounds(value: float, text: str, minimum: float | None, maximum: float | None) -> ValueFault | None:
    if minimum is not None and value < minimum:
        return _refused(f"{cut(text)} is less than {minimum:g}, the least allowed")
    if maximum is not None and value > maximum:
        return _refused(f"{cut(text)} is more than {maximum:.10g}, the most allowed")
    return None


def _check_integer(text: str, value_type: str, minimum: float | None, maximum: float | None) -> ValueFault | None:
    if text.lower() in ("true", "false"):
        return ValueFault(f"'{text}' is read as {int(text.lower() == 'true')}", accepted=True)
    hexadecimal = value_type != "uint64_t" and _C_HEXADECIMAL.match(text)
    match = hexadecimal or _C_INTEGER.match(text)
    if not match:
        return _refused(f"'{cut(text)}' is not a whole number")
    value = int(match[0][2:] or "0", 16) if hexadecimal else _integer(match[1])
    smallest, largest = _INT if value_type == "int" else (-_UNSIGNED_LONG, _UNSIGNED_LONG)
    if not smallest <= value <= largest:
        return _refused(f"'{cut(text)}' is too large for a whole number")
    if value_type != "int" and value < 0:
        return ValueFault(f"{cut(text)} is negative and is read as a large positive number", accepted=True)
    return _check_bounds(value, text, minimum, maximum) or (
        None if match.end() == len(text) else _partly_read(match[0], text)
    )


def _integer(digits: str) -> int:
    # Python refuses to read thousands of digits; any number that long is out of range.
    return int(digits) if len(digits) < 1000 else 2**70


def check_pose_notation(rotation_format: str, degrees: str) -> ValueFault | None:
    """Return the fault of the attributes of a pose, which count in an empty one too."""
    if rotation_format == "quat_xyzw":
        if degrees.lower() in ("true", "1"):
            return _refused("degrees='true' cannot be used with rotation_format='quat_xyzw'")
    elif rotation_format not in ("", "euler_rpy"):
        return _refused(
            Message(f"unknown rotation_format '{cut(rotation_format)}'", "it must be one of: euler_rpy, quat_xyzw")
        )
    return None


#: Only so many numbers of a pose or colour are read; one with more is wrong in any case.
_MOST_WORDS = 1000


def _check_pose(text: str, rotation_format: str, degrees: str) -> ValueFault | None:
    fault = check_pose_notation(rotation_format, degrees)
    if fault is not None:
        return fault
    wanted = 7 if rotation_format == "quat_xyzw" else 6
    words = text.split()
    sloppy = None
    for word in words[:_MOST_WORDS]:
        match = _C_NUMBER.match(word)
        if match is None:
            return _refused(f"'{cut(word)}' is not a number")
        value = _number(match[0], "double")
        if value is None or not math.isfinite(value):
            return _refused(f"'{cut(word)}' is not a finite number")
        if match.end() < len(word):
            sloppy = sloppy or _partly_read(match[0], word)
    if len(words) != wanted:
        return _refused(f"a pose has {wanted} numbers, not {len(words)}")
    return sloppy


def _check_color(text: str) -> ValueFault | None:
    words = text.split()
    sloppy = None
    for word in words[:_MOST_WORDS]:
        match = _C_NUMBER.match(word)
        value = _number(match[0], "float") if match else None
        if match is None or value is None:
            return _refused(f"'{cut(word)}' is not a number")
        if value < 0 or value > 1:
            return _refused(f"{cut(word)} is not between 0 and 1")
        if match.end() < len(word):
            sloppy = sloppy or _partly_read(match[0], word)
    if len(words) not in (3, 4):
        return _refused(f"a colour has 3 or 4 numbers, not {len(words)}")
    return sloppy


def _check_stream(text: str, wanted: int, integers: bool) -> ValueFault | None:
    pattern, plain = (_STREAM_INTEGER, _PLAIN_INTEGER) if integers else (_STREAM_NUMBER, _PLAIN)
    kind = "whole number" if integers else "number"
    at = 0
    for number in range(wanted):
        match = pattern.match(text, at)
        # After an "e" a C++ stream requires an exponent.
        if match is None or (not integers and _STREAM_BROKEN.match(text, at)):
            rest = text[at:].split()
            if rest:
                return _refused(f"'{cut(rest[0])}' is not a {kind} that can be read here")
            return _refused(f"it has {wanted} {kind}s, not {number}")
        if integers and not _INT[0] <= _integer(match[1]) <= _INT[1]:
            return _refused(f"'{cut(match[1])}' is too large for a whole number")
        if not integers and math.isinf(float(match[1])):
            return _refused(f"'{cut(match[1])}' is too large for a number")
        at = match.end()
    words = text.split()
    if len(words) == wanted and all(plain.fullmatch(word) for word in words):
        return None
    return _partly_read(text[:at], text)
