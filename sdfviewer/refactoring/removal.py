"""Remove elements, alone or with their dependents, and re-target references to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit, Replacements, remove_element
from sdfviewer.formats.registry import writing_of
from sdfviewer.model.model import Model
from sdfviewer.model.references import Reference, find_references
from sdfviewer.model.targets import ReferenceTarget, ReferenceTargets, is_in_tree
from sdfviewer.number_text import counted
from sdfviewer.refactoring.editable import RefactoringError, outermost, why_read_only_together

_NOTHING: Mapping[Reference, str] = MappingProxyType({})


def references_to(model: Model, rows: Sequence[int]) -> list[Reference]:
    """Return the references, outside of several elements, that name one of them or something in them."""
    inside = {each for row in rows for each in model.inside(row)}
    return [
        reference
        for reference in find_references(model)
        if reference.row not in inside and not inside.isdisjoint(reference.steps(model))
    ]


def replacement_targets(model: Model, reference: Reference, without: Collection[int]) -> list[ReferenceTarget]:
    """Return the names that a reference could hold instead, once the rows ``without`` are gone."""
    if reference.attribute is None:
        return []
    targets = ReferenceTargets(model, reference.row, reference.attribute)
    return [target for target in targets if target.row not in without and target.row != reference.row]


def why_not_removed(model: Model, rows: Sequence[int]) -> str | None:
    """Return why elements cannot be removed; None where they can, with all that is in them."""
    reason = why_read_only_together(model, rows)
    if reason is not None:
        return str(reason)
    return "the root of a file cannot be removed" if 0 in rows else None


def remove(model: Model, rows: Sequence[int], names: Mapping[Reference, str] = _NOTHING) -> Edit:
    """Return the edit that takes elements out; ask :func:`references_to` first what still refers to them.

    Parameters
    ----------
    names
        What references to them are to say instead; those that are left out keep naming what is gone.

    Raises
    ------
    RefactoringError
        See :func:`why_not_removed`.
    """
    if (why := why_not_removed(model, rows)) is not None:
        raise RefactoringError(why)
    gone = outermost(model, rows)
    edits: Replacements = ()
    for row in gone:
        edits += remove_element(model.document, model.elements[row])
    for reference, name in names.items():
        edits += reference.write(model.document, name)
    return Edit(f"Remove {model.name_or_count(gone)}", model.document, edits)


# --- dependents ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Dependent:
    """Something that would be left with a reference to what is removed.

    Attributes
    ----------
    row
        What it is.
    reference
        The first reference by which it depends on what is above it.
    above
        The row of the dependent that it depends on, or on something inside; None where that is removed in the first
        place.
    """

    row: int
    reference: Reference
    above: int | None


def find_dependents(model: Model, rows: Sequence[int]) -> tuple[Dependent, ...]:
    """Return the dependents of elements that are to be removed, each row once, before what depends on it in turn.

    A joint depends on its ends, a frame on what it is attached to, anything with a pose on the frame that it is
    measured from. A model does not depend on its canonical link or placement frame, which it can do without, nor on
    what its grippers, plugins and contact sensors name.
    """
    references = [each for each in find_references(model) if each.attribute not in _DISPENSABLE]
    inside = [each for row in outermost(model, rows) for each in model.inside(row)]
    #: For each removed row the dependent that it belongs to, None for what is removed in the first place.
    nodes: dict[int, int | None] = dict.fromkeys(inside)
    found: dict[int | None, list[Dependent]] = {}
    grows = True
    while grows:
        grows = False
        for reference in references:
            if reference.row in nodes or reference.row == 0:
                continue
            target = next((step for step in reference.steps(model) if step in nodes), None)
            if target is not None and not _is_mimic_of_urdf(model, reference):
                above = nodes[target]
                found.setdefault(above, []).append(Dependent(reference.row, reference, above))
                nodes.update((each, reference.row) for each in model.inside(reference.row) if each not in nodes)
                grows = True
        for carrier, above in tuple(nodes.items()):
            is_own = model.sources[carrier] is None  # what another file writes is not removed here
            row = writing_of(model, carrier).carried(model, carrier) if is_own else None
            if row is not None and row not in nodes:
                reference = next(each for each in find_references(model, [carrier]) if each.attribute == "child")
                found.setdefault(above, []).append(Dependent(row, reference, above))
                nodes.update((each, row) for each in model.inside(row) if each not in nodes)
                grows = True

    dependents: list[Dependent] = []
    stack = _last_first(found.get(None, ()))
    while stack:  # a chain of frames may be as long as the file
        dependents.append(stack.pop())
        stack += _last_first(found.get(dependents[-1].row, ()))
    return tuple(dependents)


def _last_first(dependents: Iterable[Dependent]) -> list[Dependent]:
    return sorted(dependents, key=lambda each: each.row, reverse=True)


def _is_mimic_of_urdf(model: Model, reference: Reference) -> bool:
    """Return whether a joint of a URDF follows another one, which it can do without."""
    return reference.attribute == "mimic" and is_in_tree(model, reference.row)


def _holds(outer: Replacement, inner: Replacement) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


_DISPENSABLE = frozenset({"canonical_link", "placement_frame", "link", "joint", "collision"})


def remove_with_dependents(model: Model, rows: Sequence[int]) -> Edit:
    """Return the edit that takes elements out with everything that depends on them; see :func:`find_dependents`."""
    others = [each.row for each in find_dependents(model, rows)]
    edit = remove(model, [*rows, *others])
    document, gone_too = model.document, writing_of(model, 0).going_with(model, {*rows, *others})
    ranges = [remove_element(document, element)[0] for element in gone_too]
    inside = [each for each in edit.replacements if any(_holds(other, each) for other in ranges)]
    kept = tuple(each for each in edit.replacements if each not in inside)
    edit = replace(edit, replacements=kept + tuple(each for each in ranges if not any(_holds(a, each) for a in kept)))
    if not others:
        return edit
    gone = outermost(model, rows)
    return replace(edit, label=f"Remove {model.name_or_count(gone)} and {counted(len(others), 'dependent')}")
