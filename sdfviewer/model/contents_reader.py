"""The interface of whatever reads what the rows of a model hold."""

from __future__ import annotations

from typing import Protocol

from sdfviewer.model.contents import (
    ActorContents,
    CollisionContents,
    Dynamics,
    Inertial,
    LightContents,
    Limits,
    Plugin,
    SensorContents,
    VisualContents,
)
from sdfviewer.model.joints import Axis
from sdfviewer.model.model import Model


class ContentsReader(Protocol):
    """Reads what the rows of a model hold, of files of one format."""

    def visual(self, model: Model, row: int) -> VisualContents:
        """Return the visual of a row."""
        ...

    def collision(self, model: Model, row: int) -> CollisionContents:
        """Return the collision of a row."""
        ...

    def inertial(self, model: Model, row: int) -> Inertial:
        """Return the inertial of the link of a row; the format's default where none is written."""
        ...

    def sensor(self, model: Model, row: int) -> SensorContents:
        """Return the sensor of a row."""
        ...

    def light(self, model: Model, row: int) -> LightContents:
        """Return the light of a row."""
        ...

    def actor(self, model: Model, row: int) -> ActorContents:
        """Return the actor of a row."""
        ...

    def limits(self, model: Model, row: int, axis: Axis) -> Limits:
        """Return the limits of an axis of the joint in a row."""
        ...

    def dynamics(self, model: Model, row: int, axis: Axis) -> Dynamics:
        """Return the dynamics of an axis of the joint in a row."""
        ...

    def plugins(self, model: Model, row: int) -> tuple[Plugin, ...]:
        """Return the plugins of the thing in a row."""
        ...
