"""The frames of a model by name, as tests ask for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.element import Element
from sdfviewer.model.graph import Rows
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.transforms import Array


@dataclass(frozen=True, slots=True)
class RowFrame:
    """One row of a model's table."""

    model: Model
    row: int

    @property
    def name(self) -> str:
        """The scoped name."""
        return self.model.names[self.row]

    @property
    def kind(self) -> Kind:
        """What it is."""
        return self.model.kinds[self.row]

    @property
    def element(self) -> Element:
        """The element that defines it; for an included model the ``<include>``."""
        return self.model.elements[self.row]

    @property
    def raw_pose(self) -> Array:
        """X_RF (4, 4): the frame in the frame that :attr:`relative_to` points to."""
        return np.asarray(self.model.raw_poses[self.row])

    @property
    def pose(self) -> Array:
        """X_RootF (4, 4) in the root frame; NaN where undefined."""
        return np.asarray(self.model.X_RootF[self.row])

    @property
    def relative_to(self) -> RowFrame | None:
        """The frame that the pose is measured from; None for the root, and where the name finds nothing."""
        return self._target(self.model.relative_to)

    @property
    def attached_to(self) -> RowFrame | None:
        """The frame that this one is fixed to; None for bodies, and where the name finds nothing."""
        return self._target(self.model.attached_to)

    @property
    def body(self) -> RowFrame | None:
        """The link, or world, where following ``attached_to`` ends; None where it ends nowhere."""
        return self._target(self.model.bodies)

    def _target(self, rows: Rows) -> RowFrame | None:
        target = int(rows[self.row])
        return RowFrame(self.model, target) if target >= 0 else None

    def resolve_pose(self, relative_to: str | None = None) -> Array:
        """Return X_GF (4, 4) of this frame F in another frame G, the root by default, at the initial configuration."""
        reference = 0 if relative_to is None else self.model.row(relative_to)
        return np.asarray(transforms.invert(self.model.X_RootF[reference]) @ self.pose)


def frame_in(model: Model | None, name: str) -> RowFrame:
    """Return a frame of a model by its scoped name."""
    assert model is not None
    return RowFrame(model, model.row(name))
