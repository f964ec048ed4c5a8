"""What a name that finds nothing in its scope would mean outside of it."""

from __future__ import annotations

from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.model import Model


def explain_outside(model: Model, row: int, name: str) -> str:
    """Return the end of a message about a reference that finds nothing, empty where nothing outside explains it.

    References only go down: to siblings and into nested models. Two mistakes are common: to name something of the
    model around, and to begin with the name of the model that the reference itself stands in.

    Parameters
    ----------
    model
        The whole table.
    row
        The row whose reference it is.
    name
        The name as written.

    Notes
    -----
    Source: model composition proposal, "1.3.2 Reference Types".
    """
    scope = row if model.kinds[row] is Kind.MODEL and row == 0 else int(model.scopes[row])
    inside = model.member_prefix(scope)
    head, separator, tail = name.partition("::")
    around: list[int] = []
    walk = scope
    while walk > 0:
        walk = int(model.scopes[walk])
        around.append(walk)
    for outer in (scope, *around):
        own_name = model.scope.names[0] if outer == 0 else model.local_names[outer]
        if separator and head == own_name:
            target = model.rows_by_name.get(model.member_prefix(outer) + tail)
            if target is not None and outer == scope:
                return f"; names start inside of '{own_name}', so this is '{tail}' here"
            if target is not None:
                return _goes_up(model, model.names[target], scope)
    for outer in around:
        target = model.rows_by_name.get(model.member_prefix(outer) + name)
        if target is not None and model.kinds[target].is_vertex and not model.names[target].startswith(inside or "\0"):
            return _goes_up(model, model.names[target], scope)
    return ""


def _goes_up(model: Model, target: str, scope: int) -> str:
    return f"; '{target}' is outside of '{model.names[scope]}', and references only go down, into nested models"
