"""Re-targeting by dragging an edge: legal targets, reasons, and the edit."""

from __future__ import annotations

from sdfviewer.document.edits import Edit
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.model.graph import dependents
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.retargeting import Keep, refusal, set_attached_to, set_relative_to


class Retargeting:
    """The possible edits of the edge of one frame in one graph.

    Parameters
    ----------
    model
        Whose frame it is.
    kind
        The graph: what is re-targeted is ``relative_to`` or ``attached_to``.
    row
        The frame.
    """

    def __init__(self, model: Model, kind: GraphKind, row: int) -> None:
        self._model, self._kind, self._row = model, kind, row
        self._names: dict[int, str] = {}
        self._general: str | None = None
        if kind is GraphKind.KINEMATIC:
            self._general = "change the parent and child of a joint in its properties"
        elif row < 0:
            self._general = "no frame in the file has this name"
        elif row == 0:
            self._general = f"the {model.kinds[0]} is the root and refers to no other frame"
        elif kind is GraphKind.ATTACHED_TO and model.kinds[row] is not Kind.FRAME:
            self._general = f"a {model.kinds[row]} has no attached_to; only a <frame> has"
        else:
            # Frames that are out of scope, included or in a URDF are refused for every target.
            self._names = {target: name for name, target in model.legal_targets(row)}
            own = next(iter(self._names.values()))
            general = refusal(model, row, own, kind.value)
            self._general = general if general is not None and "circle" not in general else None
        parents = model.relative_to if kind is GraphKind.RELATIVE_TO else model.attached_to
        self._behind = set() if row < 0 else set(dependents(parents, row).tolist())
        if kind is GraphKind.ATTACHED_TO and row >= 0 and not model.relative_to_written[row]:
            # The pose of this frame follows attached_to, so the other graph may close as well.
            self._behind |= set(dependents(model.relative_to, row).tolist())

    def allows(self, target: int) -> bool:
        """Return whether a row is a valid target of the edge."""
        return self._general is None and target in self._names and target not in self._behind

    def refusal(self, target: int) -> str | None:
        """Return why a row is not a valid target of the edge, None if it is."""
        if self.allows(target):
            return None
        if self._general is not None:
            return self._general
        if target < 0:
            return "no frame in the file has this name"
        model = self._model
        if target not in self._names:
            return f"it is outside of the scope of {model.names[int(model.scopes[self._row])]}"
        reason = refusal(model, self._row, self._names[target], self._kind.value)
        if reason is None and self._kind is GraphKind.ATTACHED_TO:
            reason = refusal(model, self._row, self._names[target])
            return f"its pose is relative to attached_to by default: {reason}"
        return reason

    def edit(self, target: int, keep: Keep) -> tuple[Edit, Keep]:
        """Return the edit that leads the edge to a row, and what it keeps.

        The numbers are kept where there is no pose to keep, as for a frame on a cycle.

        Raises
        ------
        RefactoringError
            If the target is refused.
        """
        change = set_relative_to if self._kind is GraphKind.RELATIVE_TO else set_attached_to
        name = self._names.get(target)
        if name is None:
            raise RefactoringError(self.refusal(target) or "there is no such frame")
        try:
            return change(self._model, self._row, name, keep), keep
        except RefactoringError:
            if keep == "numbers" or not self.allows(target):
                raise
            return change(self._model, self._row, name, "numbers"), "numbers"
