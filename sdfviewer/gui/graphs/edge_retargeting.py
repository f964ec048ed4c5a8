"""Re-targeting by dragging an edge: legal targets, reasons, and the edit."""

from __future__ import annotations

from typing import cast

from sdfviewer.document.edits import Edit
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.model.model import Model
from sdfviewer.model.targets import Attribute, ReferenceTargets
from sdfviewer.refactoring.editable import RefactoringError, why_read_only
from sdfviewer.refactoring.retargeting import Keep, set_attached_to, set_relative_to


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
        self._general: str | None = None
        self._reasons: dict[int, str | None] = {}
        self._targets: ReferenceTargets | None = None
        if kind is GraphKind.KINEMATIC:
            self._general = "change the parent and child of a joint in its properties"
        elif row < 0:
            self._general = "no frame in the file has this name"
        else:
            targets = self._targets = ReferenceTargets(model, row, cast("Attribute", kind.value))
            # Frames that are included or in a URDF are refused for every target.
            read_only = why_read_only(model, row)
            self._general = targets.general or (None if read_only is None else str(read_only))
            self._reasons = {target.row: target.reason for target in targets}

    def allows(self, target: int) -> bool:
        """Return whether a row is a valid target of the edge."""
        return self._general is None and target in self._reasons and self._reasons[target] is None

    def refusal(self, target: int) -> str | None:
        """Return why a row is not a valid target of the edge, None if it is."""
        if self.allows(target):
            return None
        if self._general is not None or self._targets is None:
            return self._general
        return "no frame in the file has this name" if target < 0 else self._targets.refusal(target)

    def edit(self, target: int, keep: Keep) -> tuple[Edit, Keep]:
        """Return the edit that leads the edge to a row, and what it keeps.

        The numbers are kept where there is no pose to keep, as for a frame on a cycle.

        Raises
        ------
        RefactoringError
            If the target is refused.
        """
        change = set_relative_to if self._kind is GraphKind.RELATIVE_TO else set_attached_to
        name = None if self._targets is None else self._targets.name_of(target)
        if name is None:
            raise RefactoringError(self.refusal(target) or "there is no such frame")
        try:
            return change(self._model, self._row, name, keep), keep
        except RefactoringError:
            if keep == "numbers" or not self.allows(target):
                raise
            return change(self._model, self._row, name, "numbers"), "numbers"
