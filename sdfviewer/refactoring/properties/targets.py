"""Legal targets of a reference, and the reasons against all others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sdfviewer.model import graph
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.references import Reference


@dataclass(frozen=True, slots=True)
class ReferenceTarget:
    """A name as it would be written, the row that it means, and why it cannot be picked (None where it can).

    The row is :data:`~sdfviewer.model.graph.ROOT` for the world outside of a model file.
    """

    name: str
    row: int
    reason: str | None = None


def reference_targets(model: Model, row: int, reference: str) -> list[ReferenceTarget]:
    """Return the targets that a property of a row may reference, in the order of the file.

    Parameters
    ----------
    reference
        As in :class:`~sdfviewer.refactoring.properties.catalogue.PropertySpec`.
    """
    return _TARGETS[reference](model, row)


def _frames(model: Model, row: int) -> list[ReferenceTarget]:
    return [ReferenceTarget(name, target) for name, target in model.legal_targets(row)]


def _joints(model: Model, row: int) -> list[ReferenceTarget]:
    targets = []
    for name, target in model.legal_targets(row):
        if model.kinds[target] is Kind.JOINT:
            joint = model.joints_by_row.get(target)
            reason = None
            if target == row:
                reason = "It is this joint itself."
            elif joint is None or not joint.axes:
                reason = "It has no axis to mimic."
            targets.append(ReferenceTarget(name, target, reason))
    return targets


def _links(model: Model, row: int) -> list[ReferenceTarget]:
    return [
        ReferenceTarget(name, target) for name, target in model.legal_targets(row) if model.kinds[target] is Kind.LINK
    ]


def _parents(model: Model, row: int) -> list[ReferenceTarget]:
    joint = model.joints_by_row.get(row)
    child = joint.child if joint is not None else graph.UNRESOLVED
    targets = [] if model.is_world and model.scopes[row] == 0 else [ReferenceTarget("world", graph.ROOT)]
    return targets + _ends(model, row, child, "child")


def _children(model: Model, row: int) -> list[ReferenceTarget]:
    joint = model.joints_by_row.get(row)
    parent = joint.parent if joint is not None else graph.UNRESOLVED
    targets = _ends(model, row, parent, "parent")
    return [
        ReferenceTarget(target.name, target.row, "A joint cannot move the world.") if target.name == "world" else target
        for target in targets
    ]


def _ends(model: Model, row: int, other: int, what: str) -> list[ReferenceTarget]:
    """Return the frames that an end of a joint may name; both ends must not belong to one body."""
    moving = set(graph.dependents(model.attached_to, row).tolist())
    other_body = int(model.bodies[other]) if other >= 0 else graph.UNRESOLVED
    targets = []
    for name, target in model.legal_targets(row):
        reason = None
        if target in moving:
            reason = "It moves with this joint, so it cannot be its parent."
        elif target == other:
            reason = f"It is already the {what}."
        elif model.bodies[target] >= 0 and model.bodies[target] == other_body:
            reason = f"It belongs to the same body as the {what}: {model.names[other_body]}."
        targets.append(ReferenceTarget(name, target, reason))
    return targets


def _inside(model: Model, row: int, kinds: frozenset[Kind]) -> list[ReferenceTarget]:
    """Return the members of a model and of the models in it, as the model itself names them."""
    prefix = model.names[row] + "::"
    targets = []
    for other in range(row + 1, len(model)):
        name = model.names[other]
        if not name.startswith(prefix):
            break
        if model.kinds[other] in kinds and model.rows_by_name[name] == other:
            targets.append(ReferenceTarget(name[len(prefix) :], other))
    return targets


def _canonical_links(model: Model, row: int) -> list[ReferenceTarget]:
    return _inside(model, row, frozenset({Kind.LINK}))


def _placement_frames(model: Model, row: int) -> list[ReferenceTarget]:
    return _inside(model, row, frozenset({Kind.LINK, Kind.JOINT, Kind.FRAME, Kind.MODEL}))


_TARGETS: dict[str, Callable[[Model, int], list[ReferenceTarget]]] = {
    "frame": _frames,
    "joint": _joints,
    "link": _links,
    "parent": _parents,
    "child": _children,
    "canonical_link": _canonical_links,
    "placement_frame": _placement_frames,
}


def replacement_targets(model: Model, reference: Reference, without: set[int]) -> list[ReferenceTarget]:
    """Return the names that a reference could hold instead, once the rows ``without`` are gone."""
    if reference.element.tag == "mimic":
        wanted = frozenset({Kind.JOINT})
    elif reference.part == "@canonical_link" or reference.element.tag == "gearbox_reference_body":
        wanted = frozenset({Kind.LINK})
    else:
        wanted = frozenset({Kind.LINK, Kind.JOINT, Kind.FRAME, Kind.MODEL, Kind.WORLD})
    if reference.part in ("@canonical_link", "@placement_frame") or reference.element.tag == "placement_frame":
        targets = _inside(model, reference.row, wanted)
    else:
        targets = [
            ReferenceTarget(*each) for each in model.legal_targets(reference.row) if model.kinds[each[1]] in wanted
        ]
        if reference.element.tag == "parent" and not model.is_world:
            targets.insert(0, ReferenceTarget("world", graph.ROOT))
    return [target for target in targets if target.row not in without and target.row != reference.row]
