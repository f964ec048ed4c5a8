"""Contracts about a number of the model: its bounds, or the same number in another file."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sdfviewer.contracts.elsewhere import find_elsewhere
from sdfviewer.contracts.geometry import TOLERANCE, bounds_of
from sdfviewer.contracts.subject import ContractError, ContractSubject
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.values import parse_number
from sdfviewer.number_text import format_shown
from sdfviewer.refactoring.properties.property_values import default_of, written_property
from sdfviewer.transforms import matrix_to_pose

#: The numbers of a pose, in their order.
POSE_PARTS = ("x", "y", "z", "roll", "pitch", "yaw")
_LIMITS = ("axis/limit/lower", "axis/limit/upper", "axis2/limit/lower", "axis2/limit/upper")


def check_value(subject: ContractSubject) -> Iterator[ContractError]:
    """Yield that a number is beyond its bounds, or not what it is elsewhere."""
    path = subject.content["value"]
    name, _, part = path.partition("/")
    row = subject.row(name, "value")
    value = number_of(subject.model, row, part)
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


def number_of(model: Model, row: int, path: str) -> float:
    """Return a number of a row.

    Parameters
    ----------
    model, row
        The row.
    path
        ``pose/x`` to ``pose/yaw`` in metres and radians as the file measures them, ``mass``, or the path of a property
        as ``sdfviewer edit --set`` takes it.

    Raises
    ------
    ContractError
        If there is no such number.
    """
    first, _, rest = path.partition("/")
    number: float | None
    if first == "pose":
        if rest not in POSE_PARTS:
            raise ContractError(f"'{path}' is no number of a pose; use pose/{', pose/'.join(POSE_PARTS)}", "value")
        number = float(matrix_to_pose(model.raw_poses[row])[POSE_PARTS.index(rest)])
    elif path in ("mass", "inertial/mass") and model.kinds[row] is Kind.LINK:
        inertial = resolve_inertial(model, row)
        number = None if inertial is None else inertial.mass
    else:
        number = _limit(model, row, path) if path in _LIMITS else _property(model, row, path)
    if number is None:
        hint = did_you_mean(path, ("mass", *_LIMITS, *(f"pose/{part}" for part in POSE_PARTS)))
        raise ContractError(f"{model.shown_name(row)} has no number '{path}'{hint}", "value", row=row)
    return number


def _limit(model: Model, row: int, path: str) -> float | None:
    """Return a limit of a joint, in radians or metres in every format."""
    joint = model.joints_by_row.get(row)
    number = int(path.startswith("axis2"))
    if joint is None or number >= len(joint.axes):
        return None
    axis = joint.axes[number]
    return float(axis.upper if path.endswith("upper") else axis.lower)


def _property(model: Model, row: int, path: str) -> float | None:
    written = written_property(model, row, path)
    return parse_number(default_of(model, row, path) if written is None else written)
