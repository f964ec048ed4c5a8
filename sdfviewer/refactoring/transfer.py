"""Move members from one model to another and update references to them."""

from __future__ import annotations

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.edits import Edit, Replacements, element_source, insert_child, set_attribute
from sdfviewer.model import graph
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import find_references
from sdfviewer.refactoring.editable import RefactoringError, require_editable, require_sdformat
from sdfviewer.refactoring.poses.writing import write_relative_to
from sdfviewer.refactoring.removal import remove


def transfer_targets(model: Model, row: int) -> list[tuple[int, str | None]]:
    """Return the models, and the world, that a frame may be moved to, and why each cannot be picked (None: it can)."""
    targets: list[tuple[int, str | None]] = []
    for owner, kind in enumerate(model.kinds):
        if kind not in (Kind.MODEL, Kind.WORLD):
            continue
        reason = None
        prefix = model.member_prefix(owner)
        if owner == int(model.owners[row]):
            reason = "It is already there."
        elif model.sources[owner] is not None or model.elements[owner].tag == "include":
            reason = "It is defined in another file."
        elif prefix + model.local_names[row] in model.rows_by_name:
            reason = f"It already has a member called '{model.local_names[row]}'."
        elif _carrier_name(model, row, owner) is None:
            carrier = int(model.bodies[row])
            moves = f"moves with '{model.names[carrier]}'" if carrier >= 0 else "is not attached to anything"
            reason = f"'{model.local_names[row]}' {moves}, which cannot be referenced from there."
        targets.append((owner, reason))
    return targets


def transfer(model: Model, row: int, owner: int) -> Edit:
    """Return the edit that moves a ``<frame>`` into another model or world.

    It stays where it is and moves with the same body; references to it are written as their place sees it then.

    Raises
    ------
    RefactoringError
        If it is no frame, cannot stand there, if what carries it cannot be named from there, or if something refers to
        it that could not name it any more.
    """
    require_sdformat(model)
    require_editable(model, row)
    require_editable(model, owner)
    name = model.local_names[row]
    if model.kinds[row] is not Kind.FRAME:
        raise RefactoringError(f"a {model.kinds[row]} cannot be moved to another model; only a <frame> can")
    reason = dict(transfer_targets(model, row)).get(owner, "It cannot contain frames.")
    if reason is not None:
        raise RefactoringError(f"'{name}' cannot be moved to '{model.names[owner]}': {reason}")
    attached_to = _carrier_name(model, row, owner)
    assert attached_to is not None  # or there would have been a reason
    target = int(model.relative_to[row])
    target = owner if model.name_in(owner, target) is None else target
    X_RF = transforms.invert(model.X_RootF[target]) @ model.X_RootF[row]
    if not np.isfinite(X_RF).all():
        raise RefactoringError(f"the pose of '{name}' is undefined and cannot be kept")
    changes = set_attribute(model.document, model.elements[row], "attached_to", attached_to)
    changes += write_relative_to(model, row, model.name_in(owner, target), X_RF)
    xml = element_source(model.document, model.elements[row], changes)
    scoped = model.member_prefix(owner) + name
    edits = remove(model, [row]).replacements + insert_child(model.document, model.elements[owner], xml)
    edits += _follow(model, row, scoped)
    label = f"Move {model.distinct_name(row)} to {model.distinct_name(owner)}"
    return Edit(label, model.document, edits, ((model.names[row], scoped),))


def _carrier_name(model: Model, row: int, owner: int) -> str | None:
    """Return the target that a frame is attached to from a new place, None where no such name is in scope.

    That is the first on its way along ``attached_to`` that can.
    """
    names = (model.name_in(owner, each) for each in graph.chain(model.attached_to, row)[1:])
    name = next((each for each in names if each is not None), None)
    body = int(model.bodies[row])
    if name is None and body >= 0 and int(model.bodies[owner]) == body:
        return model.name_in(owner, owner)
    return name


def _follow(model: Model, row: int, scoped: str) -> Replacements:
    """Return the edits of all references to a frame that will be called ``scoped`` from the root of the file."""
    edits: Replacements = ()
    lost = []
    for reference in find_references(model):
        if reference.row == row or row not in reference.steps(model):
            continue
        prefix, written = model.member_prefix(reference.scope), model.written_prefixes.get(reference.scope, "")
        if scoped.startswith(prefix):
            edits += reference.write(model.document, written + scoped[len(prefix) :])
        else:
            lost.append(model.names[reference.row])
    if lost:
        raise RefactoringError(f"{', '.join(dict.fromkeys(lost))} could no longer refer to it; re-target it first")
    return edits
