"""Contracts about frames and numbers: poses, distances, names that others rely on, and the bounds of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from sdfviewer.contracts.elsewhere import find_elsewhere
from sdfviewer.contracts.subject import ContractError, ContractSubject
from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.number_text import format_shown, in_degrees, in_millimetres
from sdfviewer.refactoring.properties.property_values import number_of
from sdfviewer.transforms import matrix_to_pose, pose_error, pose_to_matrix

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
