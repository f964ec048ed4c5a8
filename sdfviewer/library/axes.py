"""The axes of a joint, as records."""

from __future__ import annotations

from dataclasses import dataclass, field

from sdfviewer.document.element import Element
from sdfviewer.library.handle import Thing
from sdfviewer.model.contents import Dynamics, Limits
from sdfviewer.model.hints import Hinted
from sdfviewer.transforms import Array


@dataclass(frozen=True, slots=True)
class Mimic(Hinted):
    """The constraint that makes an axis follow another: multiplier · (leader - reference) + offset.

    ``axis`` is 0 or 1, the axis of the leading joint.
    """

    joint: str
    axis: int = 0
    multiplier: float = 1.0
    offset: float = 0.0
    reference: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class JointAxis(Hinted):
    """One axis of a joint.

    Attributes
    ----------
    xyz
        Unit vector (3,) in the joint frame; NaN where the frame that it is expressed in does not exist.
    limits, dynamics
        In radians or metres, newtons or newton metres.
    mimic
        None where the axis follows no other.
    expressed_in
        The frame whose axes ``xyz`` is written in: the joint itself by default; None where the name finds nothing.
    element
        The ``<axis>`` element.
    """

    xyz: Array
    limits: Limits
    dynamics: Dynamics
    mimic: Mimic | None
    expressed_in: Thing | None = None
    element: Element | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        xyz = ", ".join(f"{value:.6g}" for value in self.xyz + 0.0)
        return f"JointAxis(xyz=({xyz}), lower={self.limits.lower:.6g}, upper={self.limits.upper:.6g})"
