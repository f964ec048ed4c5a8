"""The numbers of a model by their names: ``pose/x``, ``mass``, ``axis/limit/upper``."""

from __future__ import annotations

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.values import parse_number
from sdfviewer.refactoring.properties.property_values import default_of, written_property
from sdfviewer.transforms import POSE_PARTS, matrix_to_pose

_LIMITS = ("axis/limit/lower", "axis/limit/upper", "axis2/limit/lower", "axis2/limit/upper")


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
    InvalidValueError
        If there is no such number.
    """
    first, _, rest = path.partition("/")
    number: float | None
    if first == "pose":
        if rest not in POSE_PARTS:
            raise InvalidValueError(f"'{path}' is not a number of a pose; use pose/{', pose/'.join(POSE_PARTS)}")
        number = float(matrix_to_pose(model.raw_poses[row])[POSE_PARTS.index(rest)])
    elif path in ("mass", "inertial/mass") and model.kinds[row] is Kind.LINK:
        inertial = resolve_inertial(model, row)
        number = None if inertial is None else inertial.mass
    else:
        number = _limit(model, row, path) if path in _LIMITS else _property(model, row, path)
    if number is None:
        hint = did_you_mean(path, ("mass", *_LIMITS, *(f"pose/{part}" for part in POSE_PARTS)))
        raise InvalidValueError(f"{model.shown_name(row)} has no number '{path}'{hint}")
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
