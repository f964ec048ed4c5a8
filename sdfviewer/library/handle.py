"""What every handle can: its name and place in the file, its pose, and why it has that pose.

A handle holds nothing but a row of its model. A handle of a document's model stays valid through edits, renames
included, and raises an error after its element was removed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdfviewer.diagnostics import Diagnostic, InvalidValueError, Span
from sdfviewer.document.element import Element
from sdfviewer.formats.registry import has_versions
from sdfviewer.library.base import ModelBase, Positions, ReadOnly, Walled
from sdfviewer.library.names import AnyHandle, short_name
from sdfviewer.library.pose import Pose, as_pose
from sdfviewer.model import model as core
from sdfviewer.model.explanation import explain_pose
from sdfviewer.model.kinds import Kind
from sdfviewer.refactoring.properties.catalogue import define
from sdfviewer.refactoring.properties.property_values import default_of, read_property
from sdfviewer.transforms import Array, invert


@dataclass(frozen=True, slots=True, eq=False)
class ChainStep:
    """One frame F of the chain behind a pose.

    Attributes
    ----------
    frame
        Name of F.
    relative_to
        Name of the frame R that its pose is measured from; None at the root and where a name finds nothing.
    is_written
        Whether R is written in the file, rather than the default.
    X_RF, X_RootF
        Raw pose (4, 4), and the running pose in the root frame; NaN where it is undefined.
    span
        Where that is written.
    problem
        Why the chain ends here, empty where it does not.
    """

    frame: str
    relative_to: str | None
    is_written: bool
    X_RF: Pose
    X_RootF: Pose
    span: Span
    problem: str = ""

    def __str__(self) -> str:
        xyz_rpy = " ".join(
            f"{value:.6g}" for value in np.round(np.concatenate([self.X_RF.xyz, self.X_RF.rpy]), 9) + 0.0
        )
        where = f"{self.span.path}:{self.span.line}"
        origin = "" if self.relative_to is None else f" in {self.relative_to}" + " (default)" * (not self.is_written)
        return f"{where}: {self.frame}: {xyz_rpy}{origin}" + (f"; {self.problem}" if self.problem else "")


class ElementHandle(Walled, ReadOnly, AnyHandle):
    """Anything in a model that has a pose."""

    def __init__(self, model: ModelBase, row: int) -> None:
        self._model = model
        self._place = (model._state.revision, row, model._state.table.names[row])

    # --- what it is --------------------------------------------------------------------------------------------

    @property
    def _row(self) -> int:
        revision, row, name = self._place
        if revision != self._model._state.revision:
            row = self._model._follow(revision, name, self._kinds)
            self._place = (self._model._state.revision, row, self._model._state.table.names[row])
        return row

    def _row_in(self, table: core.Model) -> int:
        row = self._row
        if self._model._state.table is not table:
            raise InvalidValueError(f"{self!r} belongs to another model; pass its name, or look it up in this one")
        return row

    @property
    def _kinds(self) -> tuple[Kind, ...]:
        return tuple(Kind)

    @property
    def _table(self) -> core.Model:
        return self._model._state.table

    @property
    def name(self) -> str:
        """The name inside the top model, or the world: ``palm``, or ``gripper::palm`` in a nested model."""
        return short_name(self._table, self._row)

    @property
    def scoped_name(self) -> str:
        """The name from the root of the file: ``arm::gripper::palm``."""
        return self._table.names[self._row]

    @property
    def local_name(self) -> str:
        """The name as it is written: ``palm``."""
        return self._table.local_names[self._row]

    @property
    def kind(self) -> str:
        """What it is: ``link``, ``joint``, ``frame``, ``visual`` ..."""
        return self._table.kinds[self._row].value

    @property
    def owner(self) -> ElementHandle | None:
        """What it is written in; None for the top model and the world."""
        owner = int(self._table.owners[self._row])
        return None if owner < 0 else self._handle(owner)

    @property
    def element(self) -> Element:
        """The XML element that defines it; for an included model the ``<include>``."""
        return self._table.elements[self._row]

    def get_property(self, path: str) -> str | None:
        """Return a property of its element as text: as it is written, else its default; None where it has neither.

        Parameters
        ----------
        path
            Tags from the element downwards, ``axis/limit/lower``; ``@type`` for an attribute. An edit writes the same
            path with ``set_property``.

        Raises
        ------
        InvalidValueError
            If SDFormat has no such property.
        """
        written = read_property(self.element, path)
        if written is not None or not has_versions(self._table.document_of(self._row)):
            return written
        if define(self._table, self._row, path) is None:
            raise InvalidValueError(f"a {self.kind} has no property '{path}'")
        return default_of(self._table, self._row, path) or None

    @property
    def xml(self) -> str:
        """The text of its element."""
        document = self._table.document_of(self._row)
        first, last = document.offsets(self.element, "element")
        return document.text[first:last]

    @property
    def location(self) -> Span:
        """Where it is written: file, line and column."""
        return self._table.document_of(self._row).span(self.element)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with it."""
        name = self.scoped_name
        return tuple(each for each in self._model.diagnostics if name in each.frames)

    @property
    def is_static(self) -> bool:
        """Whether it belongs to a static model."""
        return bool(self._table.static[self._row])

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ElementHandle) and other._model is self._model and other._row == self._row

    def __hash__(self) -> int:
        # After an edit a handle may have another row and another name.
        return hash(id(self._model)) if self._model._is_live else hash((id(self._model), self._row))

    # --- where it is -------------------------------------------------------------------------------------------

    @property
    def pose(self) -> Pose:
        """X_RootF (4, 4) at the initial configuration, in the frame of the top model or the world; NaN if undefined."""
        return as_pose(self._table.X_RootF[self._row].copy())

    @property
    def raw_pose(self) -> Pose:
        """X_RF (4, 4) in the frame that :attr:`relative_to` names, as written."""
        return as_pose(self._table.raw_poses[self._row].copy())

    @property
    def relative_to(self) -> ElementHandle | None:
        """The frame that the pose is measured from; None for the root, and where the name finds nothing."""
        return self._target(int(self._table.relative_to[self._row]))

    @property
    def body(self) -> ElementHandle | None:
        """The link, or world, that carries it; None where nothing does."""
        return self._target(int(self._table.bodies[self._row]))

    def _target(self, row: int) -> ElementHandle | None:
        return self._handle(row) if row >= 0 else None

    def _handle(self, row: int) -> ElementHandle:
        thing = self._model._thing(row)
        assert isinstance(thing, ElementHandle)
        return thing

    def resolve_pose(self, relative_to: str | ElementHandle | None = None, q: Positions = None) -> Pose:
        """Return the pose X_GF (4, 4) of this frame F in another frame G.

        Parameters
        ----------
        relative_to
            G; by default the initial place of the top model, or the world.
        q
            Joint positions, see :meth:`Model.poses`; a batch gives (..., 4, 4).

        Raises
        ------
        UnresolvedPoseError
            If either pose is undefined.
        UnknownNameError
            If there is no frame G.
        """
        other = 0 if relative_to is None else self._model._row_of(relative_to)
        X = self._model._state.poses(q, [other, self._row])
        X_GF: Array = X[..., 1, :, :] if relative_to is None else invert(X[..., 0, :, :]) @ X[..., 1, :, :]
        if not np.isfinite(X_GF).all():
            raise core.UnresolvedPoseError(f"the pose of '{self.name}' cannot be resolved; see the model's diagnostics")
        return as_pose(X_GF)

    def explain(self) -> tuple[ChainStep, ...]:
        """Return why it is where it is: the chain of frames from the root to it, each with its file and line."""
        table = self._table

        def name(row: int) -> str:
            return short_name(table, row)

        return tuple(
            ChainStep(
                name(step.row),
                name(step.relative_to) if step.relative_to >= 0 else None,
                step.is_written,
                as_pose(step.X_RF.copy()),
                as_pose(step.X_RootF.copy()),
                step.span,
                step.fault,
            )
            for step in explain_pose(table, self._row)
        )


class Frame(ElementHandle):
    """A ``<frame>``, or the frame of anything else that is requested as a frame."""

    @property
    def attached_to(self) -> ElementHandle | None:
        """The frame that it is fixed to; None for bodies, and where the name finds nothing."""
        return self._target(int(self._table.attached_to[self._row]))
