"""Joint states as CSV: time, and one column for each degree of freedom.

Units are seconds, radians and metres. The names in the first line choose the columns; a unit in brackets behind a name,
``elbow [deg]``, is taken into account. A file without names has the columns that the caller gives, or the degrees of
freedom in their order, with the time before them where there is one more column.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import table_cell
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.motion import Trajectory
from sdfviewer.model.names import NameIndex, did_you_mean
from sdfviewer.number_expression import parse_number
from sdfviewer.transforms import Array

TIME = "time"
#: Marks a column to skip in a list of columns.
SKIP = "-"
_TIMES = frozenset({"time", "t", "timestamp", "stamp", "seconds", "secs"})
_UNITS = {
    "s": 1.0,
    "ms": 1e-3,
    **{unit: parse_number(f"1 {unit}", "rad") for unit in ("rad", "deg", "°")},
    **{unit: parse_number(f"1 {unit}", "m") for unit in ("m", "mm")},
}
_SEPARATORS = (";", "\t", ",")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
#: Names that need quotes: separators, line ends, and what is not kept without them.
_NEEDS_QUOTES = re.compile(r'[;,"\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]|^[#\s]|\s$')
#: A table has no more cells than this.
_MOST_CELLS = 2_000_000


class JointStatesError(SdfViewerError):
    """A table of joint states that cannot be read."""


@dataclass(frozen=True, eq=False)
class JointStates:
    """Joint states that were read.

    Attributes
    ----------
    trajectory
        The states, linear in between; joints without a column are at zero.
    ignored
        Names of the columns that no joint has.
    """

    trajectory: Trajectory
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Column:
    """What a column of the table holds: the degree of freedom, -1 for the time; and what one unit of it is."""

    number: int
    dof: int
    factor: float


def parse_joint_states(text: str, kinematics: Kinematics, columns: Sequence[str] | None = None) -> JointStates:
    """Return the joint states in a CSV text, one each second where no column holds the time.

    Parameters
    ----------
    text
        The table; the separator is the comma, the semicolon (then a comma may mark decimals) or the tabulator.
    kinematics
        What moves.
    columns
        What the columns hold, in place of the names in the first line: names of degrees of freedom, ``time``, and ``-``
        for what is passed over.

    Raises
    ------
    JointStatesError
        If it cannot be read; the message says where.
    """
    lines = list(_lines(text))
    if not lines:
        raise JointStatesError("the table of joint states is empty")
    header = None if _is_numeric(lines[0][1]) else lines[0][1]
    rows = lines if header is None else lines[1:]
    if not rows:
        raise JointStatesError("the table of joint states contains no numbers")
    width = len(rows[0][1])
    ignored: list[str] = []
    if columns is None and header is None:
        chosen = _columns_in_order(kinematics, width)
    else:
        names = header if columns is None else columns
        assert names is not None
        if columns is not None and len(columns) != width:
            raise JointStatesError(f"{len(columns)} columns are given, but line {rows[0][0]} has {width}")
        chosen = _columns_by_name(kinematics, names, ignored, strict=columns is not None)
    if not any(column.dof >= 0 for column in chosen):
        known = ", ".join(dof.name for dof in kinematics.dofs[:4])
        raise JointStatesError(f"no column is named after a movable joint, such as {known or 'none'}")
    numbers = _numbers(rows, max(column.number for column in chosen) + 1)
    times: Array = np.arange(len(rows), dtype=np.float64)
    q = np.tile(kinematics.q0, (len(rows), 1))
    for column in chosen:
        values = numbers[:, column.number] * column.factor
        wrong = np.flatnonzero(np.isnan(values))
        if len(wrong):
            line, cells = rows[int(wrong[0])]
            raise JointStatesError(f"line {line}, column {column.number + 1}: '{cells[column.number]}' is not a number")
        if column.dof < 0:
            times = values
        else:
            q[:, column.dof] = values
    _check_times(times, rows)
    return JointStates(Trajectory(times, kinematics.follow(q)), tuple(ignored))


def suggest_columns(text: str, kinematics: Kinematics) -> tuple[list[str], list[str]]:
    """Return what the columns of a table seem to hold, and the cells of its first line.

    Parameters
    ----------
    text
        The table, or its beginning.
    kinematics
        What moves.

    Returns
    -------
    columns
        Names for :func:`parse_joint_states`, :data:`SKIP` for each column that no joint has.
    cells
        The first line: names or numbers.
    """
    cells = next((cells for _, cells in _lines(text)), [])
    dofs = _names_of_dofs(kinematics)
    if _is_numeric(cells):
        names = list(dict.fromkeys(dof.name for dof in kinematics.dofs))
        timed = [TIME] if len(cells) == len(names) + 1 else []
        return ([*timed, *names, *[SKIP] * len(cells)])[: len(cells)], cells
    known = (_without_unit(cell, dofs)[0] for cell in cells)
    columns = [
        cell if name in dofs or name.lower() in _TIMES else SKIP for cell, name in zip(cells, known, strict=True)
    ]
    return columns, cells


def format_joint_states(kinematics: Kinematics, times: Array, q: Array, columns: Sequence[str] | None = None) -> str:
    """Return joint states at times (k,) with positions q (k, m) as CSV that :func:`parse_joint_states` reads.

    A name that a spreadsheet would take for a formula has an apostrophe before it.

    Parameters
    ----------
    kinematics, times, q
        The states.
    columns
        The columns in another order, or only some of them; ``time`` and all degrees of freedom by default.

    Raises
    ------
    JointStatesError
        If a name in ``columns`` is not that of a degree of freedom.
    """
    names = [TIME, *(dof.name for dof in kinematics.dofs)] if columns is None else list(columns)
    chosen = _columns_by_name(kinematics, names, [], strict=True)
    numbers = np.zeros((len(times), len(names)))
    for column in chosen:
        values = times if column.dof < 0 else q[:, column.dof]
        numbers[:, column.number] = values / column.factor
    lines = [",".join(map(_written_name, names))]
    lines += [",".join([repr(value + 0.0) for value in row]) for row in numbers.tolist()]
    return "\n".join(lines) + "\n"


def _written_name(name: str) -> str:
    cell = table_cell(name)
    if not _NEEDS_QUOTES.search(cell):
        return cell
    doubled = cell.replace('"', '""')
    return f'"{doubled}"'


def _check_times(times: Array, rows: Sequence[tuple[int, list[str]]]) -> None:
    late = np.flatnonzero(times[1:] <= times[:-1])
    if len(late):
        raise JointStatesError(f"line {rows[int(late[0]) + 1][0]}: the time must be later than in the line before")
    if not math.isfinite(float(times[-1]) - float(times[0])):
        raise JointStatesError("the times are too far apart")


# --- the table -------------------------------------------------------------------------------------------------------


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that are neither empty nor comments, with their numbers, cut into cells."""
    text = text.removeprefix("\ufeff")
    separator = _separator(text)
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
    count = 0
    try:
        for cells in reader:
            count += len(cells)
            if count > _MOST_CELLS:
                raise JointStatesError(f"line {reader.line_num}: the table has more than {_MOST_CELLS:,} cells")
            stripped = [cell.strip() for cell in cells]
            if any(stripped) and not stripped[0].startswith("#"):
                yield reader.line_num, [_point(cell) if separator == ";" else cell for cell in stripped]
    except csv.Error as error:
        raise JointStatesError(f"line {reader.line_num}: {error}") from error


def _separator(text: str) -> str:
    """Return what separates the cells of the first line that is no comment; in a name with quotes nothing does."""
    for match in re.finditer(r"[^\r\n]+", text):
        if match[0].strip() and not match[0].startswith("#"):
            first = _QUOTED.sub("", text[match.start() : match.end() + csv.field_size_limit()])
            first = first.splitlines()[0] if first else ""
            return next((each for each in _SEPARATORS if each in first), ",")
    return ","


def _point(cell: str) -> str:
    """Return a number with a decimal comma as one with a point, all else as it is."""
    return cell.replace(",", ".") if re.fullmatch(r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?", cell) else cell


def _is_numeric(cells: Sequence[str]) -> bool:
    return all(_number(cell) is not None for cell in cells if cell)


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def _numbers(rows: Sequence[tuple[int, list[str]]], width: int) -> Array:
    """Return the numbers (k, width) of lines, NaN for what is none."""
    numbers = np.zeros((len(rows), width))
    for row, (line, cells) in enumerate(rows):
        if len(cells) < width:
            raise JointStatesError(f"line {line} has {len(cells)} columns, not {width}")
        for column, cell in enumerate(cells[:width]):
            value = _number(cell)
            if value is None or not math.isfinite(value):
                value = math.nan
            numbers[row, column] = value
    return numbers


def _columns_in_order(kinematics: Kinematics, width: int) -> list[_Column]:
    count = len(kinematics.dofs)
    if width not in (count, count + 1):
        raise JointStatesError(
            f"{width} columns without names, but {count} degrees of freedom; name the columns in the first line"
        )
    timed = width - count
    columns = [_Column(0, -1, 1.0)] if timed else []
    return columns + [_Column(dof + timed, dof, 1.0) for dof in range(count)]


def _columns_by_name(
    kinematics: Kinematics, names: Sequence[str], ignored: list[str], *, strict: bool
) -> list[_Column]:
    """Return the degrees of freedom of some columns; unknown names are added to ``ignored``, or refused."""
    found: list[_Column] = []
    taken: dict[int, str] = {}
    dofs = _names_of_dofs(kinematics)
    for number, written in enumerate(names):
        name, factor = _without_unit(written, dofs)
        dof = -1 if name.lower() in _TIMES and name not in dofs else dofs.get(name)
        if name == SKIP:
            continue
        if dof is None:
            if strict:
                raise JointStatesError(f"there is no movable joint '{written}'{did_you_mean(name, list(dofs))}")
            ignored.append(written)
            continue
        if dof in taken:
            raise JointStatesError(f"the columns '{taken[dof]}' and '{written}' name the same joint")
        taken[dof] = written
        found.append(_Column(number, dof, factor))
    return found


def _without_unit(written: str, dofs: dict[str, int]) -> tuple[str, float]:
    """Return the name in a heading, and what one unit of its column is."""
    if written in dofs:
        return written, 1.0
    plain = written.removeprefix("'")
    if plain in dofs and table_cell(plain) == written:
        return plain, 1.0
    for begin, end in ("[]", "()"):
        name, _, unit = written.rpartition(begin)
        factor = _UNITS.get(unit.removesuffix(end).strip().lower()) if unit.endswith(end) else None
        if factor is not None and name.strip():
            return name.rstrip(), factor
    return written, 1.0


def _names_of_dofs(kinematics: Kinematics) -> dict[str, int]:
    """Return the columns of q by every name that means one degree of freedom: scoped, and as short as it is unique."""
    full = {dof.name: column for column, dof in enumerate(kinematics.dofs)}
    names = NameIndex([dof.name for dof in kinematics.dofs]).unique
    names.pop(TIME, None)  # the heading of another column
    # A full name means its own joint, whatever other names end with it.
    return {**names, **full}
