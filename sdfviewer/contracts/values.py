"""Contracts about a number of the model: its bounds, or the same number in another file."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sdfviewer.contracts.elsewhere import find_elsewhere
from sdfviewer.contracts.geometry import TOLERANCE, bounds_of
from sdfviewer.contracts.subject import ContractError, ContractSubject
from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.number_text import format_shown
from sdfviewer.refactoring.properties.property_values import number_of


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
