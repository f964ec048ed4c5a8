"""Contracts about frames and numbers: poses, distances, names that others rely on, bounds, and numbers in other files.

A number is found in TOML, YAML, JSON, INI or XML by its path, in any text by a pattern. Files and patterns may be a
stranger's: files are bounded and not hidden, patterns are bounded in what they try.
"""

from __future__ import annotations

import configparser
import json
import math
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from sdfviewer.contracts.subject import ContractError, ContractSubject
from sdfviewer.diagnostics import InvalidValueError, SdfViewerError, Span
from sdfviewer.document.document import Document, parse_document
from sdfviewer.extras import install_command
from sdfviewer.files.configuration import MOST_BYTES, WrittenContract, named_path, read_toml
from sdfviewer.files.opening import read_bytes
from sdfviewer.files.toml_places import value_places
from sdfviewer.number_text import format_shown, in_degrees, in_millimetres
from sdfviewer.refactoring.properties.property_values import number_of
from sdfviewer.transforms import matrix_to_pose, pose_error, pose_to_matrix

_IS_NEW = sys.version_info >= (3, 11)
# Only its parser knows in how many ways a pattern can be tried, and it has no public name.
_parser: Any = import_module("re._parser" if _IS_NEW else "sre_parse")
_constants: Any = import_module("re._constants" if _IS_NEW else "sre_constants")
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
#: Longer lines are searched up to here, and what a pattern may try: the product of what each of its parts can be.
_LONGEST_LINE, _MOST_TRIED = 200, 10_000_000
#: Seconds that a pattern is searched for.
_MOST_SECONDS = 2.0
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True)
class FoundNumber:
    """A number in another file, scaled; ``where`` is ``file:line``."""

    number: float
    where: str
    span: Span | None


def find_elsewhere(written: WrittenContract, equals: Mapping[str, Any]) -> FoundNumber:
    """Return the number that a contract names in another file.

    Raises
    ------
    ContractError
        If the file cannot be read, or there is no such number in it.
    """
    name = equals["file"]
    if ("path" in equals) == ("pattern" in equals):
        raise ContractError("give either 'path' or 'pattern', to say where in the file the number is", "equals")
    try:
        path = written.file.parent / named_path(written.file, "equals", name)
        text = read_bytes(path, most=MOST_BYTES).decode("utf-8", "replace")
        document = parse_document(text, path)
        if "pattern" in equals:
            found, span = _by_pattern(document, equals["pattern"])
        else:
            found, span = _by_path(document, path, equals["path"])
    except ContractError:
        raise
    except SdfViewerError as error:
        raise ContractError(str(error), "equals", "file") from error
    where = name if span is None else f"{name}:{span.line}"
    number = _number(found)
    if number is None:
        raise ContractError(f"'{str(found)[:40]}' in {where} is not a number", "equals")
    return FoundNumber(number * equals.get("scale", 1.0), where, span)


def _number(value: object) -> float | None:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    match = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) else None
    return float(match[0]) if match else None


# --- patterns --------------------------------------------------------------------------------------------------


def _by_pattern(document: Document, pattern: str) -> tuple[object, Span | None]:
    """Return what the first group of a pattern, or all of it, matches in the first line in which it does."""
    try:
        compiled = re.compile(pattern)
        tried = _choices(_parser.parse(pattern))
    except (re.error, RecursionError, OverflowError) as error:
        raise ContractError(f"'{pattern}' is not a regular expression: {error}", "equals", "pattern") from error
    if tried > _MOST_TRIED:
        raise ContractError(
            f"'{pattern}' can match in too many ways; use fewer *, + and |, and none of them inside another",
            *("equals", "pattern"),
        )
    end, start = time.monotonic() + _MOST_SECONDS, 0
    for line in document.text.splitlines(keepends=True):
        if found := compiled.search(line.rstrip("\r\n")[:_LONGEST_LINE]):
            group = 1 if compiled.groups else 0
            first, last = found.span(group)
            if first >= 0:
                return found[group], document.span_between(start + first, start + last)
        start += len(line)
        if time.monotonic() > end:
            break
    raise ContractError(f"nothing in {document.name} matches '{pattern}'", "equals", "pattern")


def _choices(parsed: Any, *, repeated: bool = False) -> float:
    """Return in how many ways a pattern can be tried at one place; infinite for repetitions in repetitions."""
    product = 1.0
    for kind, argument in parsed:
        inner: list[Any] = []
        ways = 1.0
        if kind in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            least, most, body = argument
            ways = min(float(most), _LONGEST_LINE) - least + 1
            if repeated and ways > 1:
                return float("inf")
            product *= max(ways, 1.0) * _choices(body, repeated=most > 1)
            continue
        if kind is _constants.BRANCH:
            if repeated:
                return float("inf")
            inner = list(argument[1])
            ways = float(len(inner))
        elif kind is _constants.SUBPATTERN:
            inner = [argument[-1]]
        elif kind not in (_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY, _constants.AT):
            return float("inf")  # what looks ahead, back or at a group is not needed for a number
        product *= ways
        for each in inner:
            product *= _choices(each, repeated=repeated)
    return product


# --- paths -----------------------------------------------------------------------------------------------------


def _by_path(document: Document, file: Path, path: str) -> tuple[object, Span | None]:
    """Return the value at a path of a file, by its suffix, and where it is written where that is known."""
    suffix = file.suffix.lower()
    readers: dict[str, Callable[[Document, Path], tuple[Any, Callable[[tuple[Any, ...]], Span | None]]]] = {
        ".toml": _toml,
        ".json": _json,
        **dict.fromkeys((".yaml", ".yml"), _yaml),
        **dict.fromkeys((".ini", ".cfg", ".conf"), _ini),
    }
    if suffix not in readers:
        return _in_xml(document, path)
    value, place = readers[suffix](document, file)
    keys: list[Any] = []
    for name, number in _STEP.findall(path):
        key: Any = int(number) if number else name
        keys.append(key)
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            raise ContractError(f"{file.name} has no '{path}': there is no '{key}'", "equals", "path") from None
    return value, place(tuple(keys))


def _toml(document: Document, file: Path) -> tuple[Any, Callable[[tuple[Any, ...]], Span | None]]:
    return read_toml(file), value_places(document.name, document.text).get


def _json(document: Document, file: Path) -> tuple[Any, Callable[[tuple[Any, ...]], Span | None]]:
    try:
        return json.loads(document.text), _nowhere
    except (ValueError, RecursionError) as error:
        raise ContractError(f"{file.name} is not valid JSON: {error}", "equals", "file") from error


def _ini(document: Document, file: Path) -> tuple[Any, Callable[[tuple[Any, ...]], Span | None]]:
    read = configparser.ConfigParser(strict=False, interpolation=None, allow_no_value=True)
    read.optionxform = str  # type: ignore[method-assign,assignment]  # names as they are written
    try:
        read.read_string(document.text)
    except configparser.Error as error:
        raise ContractError(
            f"{file.name} is not a valid INI file: {str(error).splitlines()[0]}", "equals", "file"
        ) from error
    return read, _nowhere


def _yaml(document: Document, file: Path) -> tuple[Any, Callable[[tuple[Any, ...]], Span | None]]:
    from sdfviewer.formats.xacro.expressions import read_yaml  # noqa: PLC0415
    from sdfviewer.formats.xacro.values import Bounds, ExpressionError  # noqa: PLC0415  # needs [xacro]

    try:
        read = read_yaml(str(file), Bounds(lambda _: None), float)
    except ImportError as error:
        message = f"{file.name} is YAML; install what reads it with: {install_command('xacro')}"
        raise ContractError(message, "equals", "file", is_unverified=True) from error
    except (ExpressionError, OSError, ValueError, RecursionError) as error:
        raise ContractError(f"{file.name} is not valid YAML: {error}", "equals", "file") from error

    def place(keys: tuple[Any, ...]) -> Span | None:
        holder = read
        for key in keys[:-1]:
            holder = holder[key]
        places = getattr(holder, "places", None)
        found = None if places is None else places.definition(keys[-1])
        return None if found is None else document.span_between(found.place.start, found.place.end)

    return read, place


def _nowhere(_keys: tuple[Any, ...]) -> None:
    return None


def _in_xml(document: Document, path: str) -> tuple[object, Span | None]:
    """Return the text of an element or an attribute: ``a/b[2]/@value``, beginning below or at the root."""
    root = document.root
    if root is None:
        message = f"{document.name} is neither XML nor TOML, YAML, JSON or INI; use 'pattern'"
        raise ContractError(message, "equals", "file")
    steps = path.strip("/").split("/")
    if steps[0] == root.tag:
        steps = steps[1:]
    element = root
    for step in steps:
        if step.startswith("@"):
            if step[1:] not in element.attributes:
                raise ContractError(f"{document.name} has no '{path}': no {step}", "equals", "path")
            return element.attributes[step[1:]], document.span(element, step)
        tag, _, number = step.rstrip("]").partition("[")
        found = element.findall(tag)
        index = int(number) - 1 if number.isdecimal() else 0
        if not 0 <= index < len(found):
            raise ContractError(f"{document.name} has no '{path}': no <{tag}>", "equals", "path")
        element = found[index]
    return element.text, document.span(element, "text")


#: The tolerance of a pose that gives none, in metres and radians.
TOLERANCE = 1e-6


def in_words(numbers: Iterable[float]) -> str:
    """Return numbers as a file has them."""
    return " ".join(format_shown(float(each), 6) for each in numbers)


def check_pose(subject: ContractSubject) -> Iterator[ContractError]:
    """Yield where a frame is not at its pose."""
    name, wanted = subject.content.get("frame", ""), subject.content.get("pose")
    if not name:
        raise ContractError("'pose' needs 'frame', the frame that must be there", "pose")
    row = subject.row(name, "frame")
    X_RootF = subject.pose(row, name, "frame")
    if wanted is None:
        return
    base, _ = subject.base
    X_BF, X_BW = subject.in_base(X_RootF), pose_to_matrix(wanted)
    distance, angle = map(float, pose_error(X_BF, X_BW))
    position, rotation = _tolerances(subject.content.get("tolerance", {}))
    is_off = [
        *([f"{in_millimetres(distance)} away"] if distance > position else []),
        *([f"rotated by {in_degrees(angle, 4)}"] if angle > rotation else []),
    ]
    if is_off:
        tolerance = f"{in_millimetres(position)}, {in_degrees(rotation, 4)}"
        yield ContractError(
            f"'{name}' is {' and '.join(is_off)} from where it must be in '{base}': it is at "
            f"{in_words(matrix_to_pose(X_BF))}, not at {in_words(wanted)} (tolerance {tolerance})",
            "pose",
            row=row,
            part="pose",
        )


def _tolerances(written: Any) -> tuple[float, float]:
    """Return the tolerances of position and rotation; one number is both."""
    if isinstance(written, dict):
        return written.get("position", TOLERANCE), written.get("rotation", TOLERANCE)
    return written, written


def check_distance(subject: ContractSubject) -> Iterator[ContractError]:
    """Yield that two frames are too near or too far."""
    written = subject.content["distance"]
    first, second = written["between"]
    rows = [subject.row(name, "distance", "between") for name in (first, second)]
    p, q = (subject.pose(row, name, "distance")[:3, 3] for row, name in zip(rows, (first, second), strict=True))
    distance = float(np.linalg.norm(p - q))
    for key, is_wrong, word in bounds_of(distance, written):
        if is_wrong:
            yield ContractError(
                f"'{first}' and '{second}' are {in_millimetres(distance)} apart, {word} {in_millimetres(written[key])}",
                "distance",
                key,
                row=rows[0],
                part="pose",
            )


def bounds_of(value: float, written: dict[str, Any]) -> Iterator[tuple[str, bool, str]]:
    """Yield the bounds that are written: the key, whether a value is beyond it, and in words how."""
    if "min" in written:
        yield "min", value < written["min"], "less than"
    if "max" in written:
        yield "max", value > written["max"], "more than"


def check_names(subject: ContractSubject) -> Iterator[ContractError]:
    """Yield each name that is gone."""
    for number, name in enumerate(subject.content["names"]):
        try:
            subject.row(name, "names", number)
        except ContractError as error:
            yield ContractError(f"other programs rely on '{name}': {error.message}", "names", number)


# --- numbers ------------------------------------------------------------------------------------------------------


def check_value(subject: ContractSubject) -> Iterator[ContractError]:
    """Yield that a number is beyond its bounds, or not what it is elsewhere."""
    path = subject.content["value"]
    name, _, part = path.partition("/")
    row = subject.row(name, "value")
    try:
        value = number_of(subject.model, row, part)
    except InvalidValueError as error:
        raise ContractError(str(error), "value", row=row) from error
    where = "pose" if part.startswith("pose/") else None
    for key, is_wrong, word in bounds_of(value, dict(subject.content)):
        if is_wrong:
            message = f"{path} is {format_shown(value)}, {word} {format_shown(subject.content[key])}"
            yield ContractError(message, key, row=row, part=where)
    wanted = subject.content.get("equals")
    if wanted is None:
        return
    found = find_elsewhere(subject.written, wanted) if isinstance(wanted, dict) else None
    other = float(wanted) if found is None else found.number
    tolerance = subject.content.get("tolerance", TOLERANCE)
    if not isinstance(tolerance, (int, float)):
        raise ContractError("the tolerance of a value must be a number", "tolerance")
    if not math.isclose(value, other, rel_tol=1e-12, abs_tol=tolerance):
        said = "not" if found is None else f"and {found.where} says"
        places = () if found is None or found.span is None else ((f"{format_shown(other)} here", found.span),)
        message = f"{path} is {format_shown(value, 9)}, {said} {format_shown(other, 9)}"
        yield ContractError(message, "equals", row=row, part=where, places=places)
