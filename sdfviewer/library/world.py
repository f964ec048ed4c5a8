"""Worlds: models with actors, physics, a scene and an environment."""

from __future__ import annotations

import numpy as np

from sdfviewer.files.finder import Finder
from sdfviewer.formats.contents import read_environment, read_physics, read_scene
from sdfviewer.formats.interface import ModelParser
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.library.elements import Actor
from sdfviewer.library.model import Model
from sdfviewer.library.names import Handles
from sdfviewer.model.contents import Environment, Physics, SceneSettings
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model as FrameTable
from sdfviewer.transforms import Array


class World(Model):
    """The world of a file."""

    @property
    def actors(self) -> Handles[Actor]:
        """The actors in document order."""
        return self._all(Kind.ACTOR, Actor)

    def actor(self, name: str) -> Actor:
        """Return an actor by its name; see :meth:`link`."""
        return self._one(name, Kind.ACTOR, Actor)

    @property
    def physics(self) -> Physics:
        """How it is simulated: the profile that is the default, else the first one."""
        profiles = self.physics_profiles
        return next((each for each in profiles if each.is_default), profiles[0] if profiles else Physics())

    @property
    def physics_profiles(self) -> tuple[Physics, ...]:
        """All profiles of physics that are written."""
        return read_physics(self._state.table)

    @property
    def scene(self) -> SceneSettings:
        """How it looks."""
        return read_scene(self._state.table)

    @property
    def environment(self) -> Environment:
        """Gravity, magnetic field and wind."""
        return read_environment(self._state.table)

    @property
    def gravity(self) -> Array:
        """The acceleration (3,) by gravity in the world frame in m/s²."""
        return np.array(self.environment.gravity)


def model_of(
    table: FrameTable, finder: Finder, parsers: tuple[ModelParser, ...] = (), expander: Expander | None = None
) -> Model:
    """Return the public model or world of a frame table."""
    return (World if table.is_world else Model)(table, finder, parsers, expander)
