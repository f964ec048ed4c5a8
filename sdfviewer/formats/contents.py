"""Typed contents of a model's rows, read by the format of their file.

Nothing is kept here: whoever asks often keeps the answer for as long as the element lives.
"""

from __future__ import annotations

from sdfviewer.formats.registry import format_of
from sdfviewer.formats.sdformat import contents as sdformat
from sdfviewer.model.contents import (
    ActorContents,
    CollisionContents,
    ContentsReader,
    Dynamics,
    Environment,
    Inertial,
    LightContents,
    Limits,
    Physics,
    Plugin,
    SceneSettings,
    SensorContents,
    VisualContents,
)
from sdfviewer.model.joints import Axis
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import Geometry

_SDFORMAT = sdformat.SdformatContents()


def contents_of(model: Model, row: int) -> ContentsReader:
    """Return the reader for what is written in a row: that of its file's format.

    What represents a model that another program has read is written in the including file.
    """
    known = format_of(model.document_of(row))
    return _SDFORMAT if known is None else known.contents()


def read_visual(model: Model, row: int) -> VisualContents:
    """Return the visual of a row."""
    return contents_of(model, row).visual(model, row)


def read_collision(model: Model, row: int) -> CollisionContents:
    """Return the collision of a row."""
    return contents_of(model, row).collision(model, row)


def read_shape(model: Model, row: int) -> Geometry:
    """Return the geometry of a row that is a visual or a collision."""
    return (read_collision if model.kinds[row] is Kind.COLLISION else read_visual)(model, row).geometry


def read_inertial(model: Model, row: int) -> Inertial:
    """Return the inertial of the link of a row; the format's default where none is written."""
    return contents_of(model, row).inertial(model, row)


def read_sensor(model: Model, row: int) -> SensorContents:
    """Return the sensor of a row."""
    return contents_of(model, row).sensor(model, row)


def read_light(model: Model, row: int) -> LightContents:
    """Return the light of a row."""
    return contents_of(model, row).light(model, row)


def read_actor(model: Model, row: int) -> ActorContents:
    """Return the actor of a row."""
    return contents_of(model, row).actor(model, row)


def read_plugins(model: Model, row: int) -> tuple[Plugin, ...]:
    """Return the plugins of the thing in a row."""
    return contents_of(model, row).plugins(model, row)


def read_limits(model: Model, row: int, axis: Axis) -> Limits:
    """Return the limits of an axis of the joint in a row."""
    return contents_of(model, row).limits(model, row, axis)


def read_dynamics(model: Model, row: int, axis: Axis) -> Dynamics:
    """Return the dynamics of an axis of the joint in a row."""
    return contents_of(model, row).dynamics(model, row, axis)


def read_physics(model: Model) -> tuple[Physics, ...]:
    """Return the physics of a world in the order of the file; a model file has none."""
    if model.kinds[0] is not Kind.WORLD:
        return ()
    return tuple(map(sdformat.read_physics, model.elements[0].findall("physics")))


def read_scene(model: Model) -> SceneSettings:
    """Return how a world looks; the defaults for a model file."""
    is_world = model.kinds[0] is Kind.WORLD
    return sdformat.read_scene(model.elements[0].find("scene") if is_world else None)


def read_environment(model: Model) -> Environment:
    """Return gravity, magnetic field and wind; the defaults for a model file."""
    return sdformat.read_environment(model.elements[0]) if model.kinds[0] is Kind.WORLD else Environment()
