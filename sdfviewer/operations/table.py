"""All operations, in the order of the manual."""

from __future__ import annotations

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.model.names import did_you_mean
from sdfviewer.operations import (
    adding,
    arranging,
    contracts,
    copying,
    frames,
    including,
    joining,
    joints,
    plugins,
    properties,
    semantics,
    simplifying,
    structure,
    whole,
)
from sdfviewer.operations.declaration import Operation

#: Every operation by its name.
OPERATIONS: dict[str, Operation] = {
    each.name: each
    for module in (
        *(adding, joining, frames, copying, joints, arranging, properties, simplifying),
        *(plugins, including, structure, whole, contracts, semantics),
    )
    for each in vars(module).values()
    if isinstance(each, Operation) and each.make.__module__ == module.__name__
}


def find_operation(name: str) -> Operation:
    """Return the operation of a name.

    Raises
    ------
    InvalidValueError
        If there is none.
    """
    if name not in OPERATIONS:
        raise InvalidValueError(f"there is no operation '{name}'{did_you_mean(name, OPERATIONS)}")
    return OPERATIONS[name]
