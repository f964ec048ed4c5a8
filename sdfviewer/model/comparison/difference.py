"""One property that differs between two models, besides the frames."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from sdfviewer.document.element import Element


class Aspect(str, Enum):
    """What of a model is compared besides its frames; each is computed when somebody asks for it."""

    MODEL = "model"
    JOINT = "joint"
    MASS = "mass"
    SHAPE = "shape"
    APPEARANCE = "appearance"
    CONTACT = "contact"
    SENSOR = "sensor"
    LIGHT = "light"
    ACTOR = "actor"
    PLUGIN = "plugin"
    PHYSICS = "physics"


class PropertyChange(str, Enum):
    """What became of a property: it has another value, is no longer there, or was not there before."""

    CHANGED = "changed"
    LOST = "lost"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class PropertyDifference:
    """A property of one row that differs between two models A and B.

    Attributes
    ----------
    aspect
        What kind of property it is.
    change
        Whether its value is another one, lost or added.
    kind
        What the row is: ``link``, ``joint``.
    before, after
        Scoped names of the row in A and in B.
    quantity
        Which property, for example ``mass`` or ``limits.upper``.
    value_before, value_after
        Its values in words: metres, radians, kilograms; None where it is not there.
    row_before, row_after
        The row in A and in B.
    element_before, element_after
        Where the value is written, None where that is not known: the row's own element says it then.
    """

    aspect: Aspect
    change: PropertyChange
    kind: str
    before: str
    after: str
    quantity: str
    value_before: str | None
    value_after: str | None
    row_before: int
    row_after: int
    element_before: Element | None = field(default=None, repr=False)
    element_after: Element | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """How the row is called now."""
        return self.after

    @property
    def changes(self) -> tuple[PropertyChange, ...]:
        """All that happened to the property, as of a frame."""
        return (self.change,)

    def __str__(self) -> str:
        values = f"{self.value_before or '-'} → {self.value_after or '-'}"
        return f"{self.change.value}: {self.kind} {self.name}: {self.quantity}  {values}"
