"""Elements taken out, and references to them pointed elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from sdfviewer.document.edits import Edit, Replacements, remove_element
from sdfviewer.semantics.editing.editable import RefactoringError, require_editable
from sdfviewer.semantics.model import Model
from sdfviewer.semantics.references import Reference, find_references

_NOTHING: Mapping[Reference, str] = MappingProxyType({})


def rows_in(model: Model, row: int) -> list[int]:
    """Return a row and all that is written in it."""
    inside = {row}
    for other in range(row + 1, len(model)):
        if int(model.owners[other]) not in inside:
            break
        inside.add(other)
    return sorted(inside)


def outermost(model: Model, rows: Sequence[int]) -> list[int]:
    """Return the rows that are not inside of another of them."""
    inside: set[int] = set()
    found = []
    for row in sorted(rows):
        if row not in inside:
            found.append(row)
            inside.update(rows_in(model, row))
    return found


def references_to(model: Model, rows: Sequence[int]) -> list[Reference]:
    """Return the references, outside of several elements, that name one of them or something in them."""
    inside = {each for row in rows for each in rows_in(model, row)}
    return [
        reference
        for reference in find_references(model)
        if reference.row not in inside and not inside.isdisjoint(reference.steps(model))
    ]


def remove(model: Model, rows: Sequence[int], names: Mapping[Reference, str] = _NOTHING) -> Edit:
    """Return the edit that takes elements out; ask :func:`references_to` first what still refers to them.

    Parameters
    ----------
    names
        What references to them are to say instead; those that are left out keep naming what is gone.

    Raises
    ------
    RefactoringError
        If a row is the root or comes from another file.
    """
    gone = outermost(model, rows)
    edits: Replacements = ()
    for row in gone:
        require_editable(model, row)
        if row == 0:
            raise RefactoringError("the root of a file cannot be removed")
        edits += remove_element(model.document, model.elements[row])
    for reference, name in names.items():
        edits += reference.write(model.document, name)
    what = model.local_names[gone[0]] if len(gone) == 1 else f"{len(gone)} elements"
    return Edit(f"Remove {what}", edits)
