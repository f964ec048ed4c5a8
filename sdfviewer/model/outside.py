"""Explain names that exist only outside their scope."""

from __future__ import annotations

from sdfviewer.diagnostics import Message
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import merged_frame


def find_outside(model: Model, row: int, name: str, scope: int | None = None) -> tuple[int, int] | None:
    """Return the row that a name unknown in its scope has in the nearest model around it.

    Parameters
    ----------
    model
        The whole table.
    row
        The row whose reference it is.
    name
        The name as written.
    scope
        The model in which it is looked up, by default the one that the row is in.

    Returns
    -------
    tuple of int or None
        The row that is meant, and the row of the model or world in which the name means it; None where nothing around
        explains it. That model is the reference's own where the name begins with that model's name.
    """
    if scope is None:
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
        target = model.find(outer, tail) if separator and head == own_name else None
        if target is not None:
            return target, outer
    for outer in around:
        target = model.find(outer, name)
        if target is not None and model.kinds[target].is_vertex and not model.names[target].startswith(inside or "\0"):
            return target, outer
    return None


#: Attributes of a model whose names are looked up in that model, not around it.
LOOKED_UP_INSIDE = frozenset({"canonical_link", "placement_frame"})


def explain_outside(model: Model, row: int, name: str, attribute: str) -> str:
    """Return why a reference finds nothing, empty where nothing outside of its model explains it.

    References only go down: to siblings and into nested models. Three mistakes are common: to name something of the
    model around, to begin with the name of the model that the reference itself is in, and to name that model.

    ``attribute`` is how the file calls what holds the name.

    Notes
    -----
    Source: model composition proposal, "1.3.2 Reference Types".
    """
    inside = model.kinds[row] is Kind.MODEL and (row == 0 or attribute in LOOKED_UP_INSIDE)
    scope = row if inside else int(model.scopes[row])
    own_name = model.scope.names[0] if scope == 0 else model.local_names[scope]
    if name == own_name and model.kinds[scope] is Kind.MODEL:
        return Message(f"'{name}' is this model itself", "omit it, or use '__model__'")
    found = find_outside(model, row, name, scope)
    if found is not None:
        target, outer = found
        if outer == scope:
            return f"names are relative to '{own_name}', so write '{name.partition('::')[2]}'"
        # A joint belongs in the model around both of its ends, which may be in another file.
        where = Message("", f"write the joint in '{model.names[outer]}'") if model.kinds[row] is Kind.JOINT else ""
        return (
            f"'{model.names[target]}' is outside '{model.names[scope]}', and a model can refer only to its own contents"
            + where
        )
    head, separator, tail = name.partition("::")
    prefix = model.member_prefix(scope)
    if separator and prefix + merged_frame(head) in model.rows_by_name:
        instead = Message("", f"write '{tail}'") if prefix + tail in model.rows_by_name else ""
        return f"'{head}' is merged into '{model.names[scope]}', so what is in it has no prefix" + instead
    if separator and head not in model.local_names:
        return Message(
            f"'{head}' is not in this file", "a file can refer only to its own contents and the models it includes"
        )
    return ""
