"""Common members of models and worlds: members by name and by kind, and mass."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from sdfviewer.formats.contents import read_plugins
from sdfviewer.formats.mass import link_bodies
from sdfviewer.library.base import ModelBase, Positions, ReadOnly, State, Walled
from sdfviewer.library.elements import (
    HANDLES,
    Collision,
    Joint,
    Light,
    Link,
    Sensor,
    Visual,
    known_inertial,
)
from sdfviewer.library.handle import ElementHandle, Frame
from sdfviewer.library.names import Handles
from sdfviewer.model.contents import Plugin
from sdfviewer.model.graph import Rows
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import UnresolvedPoseError
from sdfviewer.transforms import Array, invert

_Handle = TypeVar("_Handle", bound=ElementHandle)


@dataclass(frozen=True, slots=True, eq=False)
class LinkMasses:
    """Mass (k,), centre (k, 3) and inertia about it (k, 3, 3) of k links, each in its own frame."""

    rows: Rows
    m: Array
    p_LB: Array
    I_B: Array


class Members(Walled, ReadOnly):
    """The members of a model or world, those of models nested in it included."""

    @property
    def _owner(self) -> ModelBase:
        raise NotImplementedError

    @property
    def _top(self) -> int:
        """Row of the model or world whose members these are."""
        raise NotImplementedError

    @property
    def _state_now(self) -> State:
        return self._owner._state

    def _all(self, kind: Kind, handle: type[_Handle]) -> Handles[_Handle]:
        return Handles(handle(self._owner, row) for row in self._state_now.rows(kind, self._top))

    def _handle_of(self, row: int) -> ElementHandle:
        return handle_of(self._owner, row)

    def _one(self, name: str, kind: Kind, handle: type[_Handle]) -> _Handle:
        return handle(self._owner, self._state_now.index.row(name, (kind,), self._top or None))

    def _hint(self, name: str) -> str:
        return f"; use model['{name}']" if name in self else super()._hint(name)

    # --- members -----------------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> ElementHandle:
        return self._handle_of(self._state_now.index.row(name, None, self._top or None))

    def __contains__(self, name: object) -> bool:
        if isinstance(name, ElementHandle):
            return name._model is self._owner and name._row in self._state_now.table.inside(self._top)
        try:
            self[name]  # type: ignore[index]  # whatever it is, nothing else has that name
        except LookupError:
            return False
        return True

    if not TYPE_CHECKING:

        def __iter__(self) -> None:
            raise TypeError("a model is not a list: iterate over its links, joints, frames, models or things")

    @property
    def links(self) -> Handles[Link]:
        """All links in document order, those of nested models too."""
        return self._all(Kind.LINK, Link)

    @property
    def joints(self) -> Handles[Joint]:
        """All joints in document order, those of nested models too."""
        return self._all(Kind.JOINT, Joint)

    @property
    def frames(self) -> Handles[Frame]:
        """All ``<frame>`` elements in document order, those of nested models too."""
        return self._all(Kind.FRAME, Frame)

    @property
    def models(self) -> Handles[NestedModel]:
        """All nested models in document order, those nested in them too."""
        return self._all(Kind.MODEL, NestedModel)

    @property
    def visuals(self) -> Handles[Visual]:
        """All visuals in document order."""
        return self._all(Kind.VISUAL, Visual)

    @property
    def collisions(self) -> Handles[Collision]:
        """All collisions in document order."""
        return self._all(Kind.COLLISION, Collision)

    @property
    def sensors(self) -> Handles[Sensor]:
        """All sensors in document order."""
        return self._all(Kind.SENSOR, Sensor)

    @property
    def lights(self) -> Handles[Light]:
        """All lights in document order."""
        return self._all(Kind.LIGHT, Light)

    @property
    def plugins(self) -> tuple[Plugin, ...]:
        """The plugins of the model or world itself."""
        return read_plugins(self._state_now.table, self._top)

    @property
    def link_names(self) -> tuple[str, ...]:
        """The names of :attr:`links`."""
        return tuple(link.name for link in self.links)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The names of :attr:`joints`."""
        return tuple(joint.name for joint in self.joints)

    @property
    def frame_names(self) -> tuple[str, ...]:
        """The names of :attr:`frames`."""
        return tuple(frame.name for frame in self.frames)

    @property
    def model_names(self) -> tuple[str, ...]:
        """The names of :attr:`models`."""
        return tuple(model.name for model in self.models)

    def link(self, name: str) -> Link:
        """Return a link by its name; a short one where it is unambiguous.

        Raises
        ------
        UnknownNameError, AmbiguousNameError
            If no link, or more than one, is meant.
        """
        return self._one(name, Kind.LINK, Link)

    def joint(self, name: str) -> Joint:
        """Return a joint by its name; see :meth:`link`."""
        return self._one(name, Kind.JOINT, Joint)

    def model(self, name: str) -> NestedModel:
        """Return a nested model by its name; see :meth:`link`."""
        return self._one(name, Kind.MODEL, NestedModel)

    def visual(self, name: str) -> Visual:
        """Return a visual by its name, ``link::visual``; see :meth:`link`."""
        return self._one(name, Kind.VISUAL, Visual)

    def collision(self, name: str) -> Collision:
        """Return a collision by its name, ``link::collision``; see :meth:`link`."""
        return self._one(name, Kind.COLLISION, Collision)

    def sensor(self, name: str) -> Sensor:
        """Return a sensor by its name, ``link::sensor``; see :meth:`link`."""
        return self._one(name, Kind.SENSOR, Sensor)

    def light(self, name: str) -> Light:
        """Return a light by its name; see :meth:`link`."""
        return self._one(name, Kind.LIGHT, Light)

    def frame(self, name: str) -> Frame:
        """Return anything that has a pose by its name: a frame, link, joint, model, sensor ...; see :meth:`link`.

        ``__model__``, or ``world`` in a world, is the root frame.
        """
        state = self._state_now
        thing = self._handle_of(state.index.row(name, None, self._top or None))
        return thing if isinstance(thing, Frame) else Frame(self._owner, thing._row)

    # --- mass --------------------------------------------------------------------------------------------------

    def _masses(self) -> LinkMasses:
        state = self._state_now
        found = link_bodies(state.table, state.rows(Kind.LINK, self._top))
        for row in found.unknown:
            known_inertial(state.table, row)  # raises the error that names the link
        return LinkMasses(
            np.array(found.links, dtype=np.int64),
            np.array([body.mass for body in found.bodies]),
            np.array([body.p_FB for body in found.bodies]).reshape(-1, 3),
            np.array([body.I_B for body in found.bodies]).reshape(-1, 3, 3),
        )

    @property
    def mass(self) -> float:
        """Total mass of all links in kg.

        Raises
        ------
        UnknownInertiaError
            If the inertia of a link must be computed, and its shapes do not allow that.
        """
        return float(self._masses().m.sum())

    def center_of_mass(self, q: Positions = None, relative_to: str | ElementHandle | None = None) -> Array:
        """Return the centre of mass (..., 3) in metres at joint positions.

        Parameters
        ----------
        q
            Joint positions, see :meth:`Model.poses`.
        relative_to
            The frame in which it is given; by default the initial place of the top model, or the world.

        Raises
        ------
        UnresolvedPoseError
            If there is no mass, or a link's pose is undefined.
        """
        masses = self._masses()
        p_RootB, _, X_RootG = self._placed(masses, q, relative_to)
        p: Array = np.einsum("k,...ki->...i", masses.m, p_RootB) / masses.m.sum()
        X_GRoot = invert(X_RootG)
        p_G: Array = np.einsum("...ij,...j->...i", X_GRoot[..., :3, :3], p) + X_GRoot[..., :3, 3]
        return p_G

    def inertia(self, q: Positions = None, relative_to: str | ElementHandle | None = None) -> Array:
        """Return the inertia matrix (..., 3, 3) in kg m² about the centre of mass at joint positions.

        Parameters
        ----------
        q
            Joint positions, see :meth:`Model.poses`.
        relative_to
            The frame in whose axes it is given; by default the initial place of the top model, or the world.
        """
        masses = self._masses()
        p_RootB, R_RootL, X_RootG = self._placed(masses, q, relative_to)
        centre = np.einsum("k,...ki->...i", masses.m, p_RootB) / masses.m.sum()
        d = p_RootB - centre[..., np.newaxis, :]
        turned = R_RootL @ masses.I_B @ np.swapaxes(R_RootL, -1, -2)
        spread = np.einsum("...ki,...ki->...k", d, d)[..., np.newaxis, np.newaxis] * np.eye(3)
        spread = spread - d[..., :, np.newaxis] * d[..., np.newaxis, :]
        total = (turned + masses.m[:, np.newaxis, np.newaxis] * spread).sum(axis=-3)
        R_RootG = X_RootG[..., :3, :3]
        result: Array = np.swapaxes(R_RootG, -1, -2) @ total @ R_RootG
        return result

    def _placed(
        self, masses: LinkMasses, q: Positions, relative_to: str | ElementHandle | None
    ) -> tuple[Array, Array, Array]:
        """Return p_RootB (..., k, 3), R_RootL (..., k, 3, 3) and X_RootG (..., 4, 4)."""
        if not masses.m.sum():
            raise UnresolvedPoseError("there is no mass, so there is no centre of mass")
        other = 0 if relative_to is None else self._owner._row_of(relative_to)
        X = self._state_now.poses(q, [other, *masses.rows.tolist()])
        if relative_to is None:
            X[..., 0, :, :] = np.eye(4)  # where the root is, also when a joint moves the model's own frame
        if not np.isfinite(X).all():
            raise UnresolvedPoseError("the pose of a link that has mass is undefined; see the model's diagnostics")
        X_RootL = X[..., 1:, :, :]
        R_RootL = X_RootL[..., :3, :3]
        p_RootB = np.einsum("...kij,kj->...ki", R_RootL, masses.p_LB) + X_RootL[..., :3, 3]
        return p_RootB, R_RootL, X[..., 0, :, :]


class NestedModel(Members, Frame):
    """A model inside of another one, or of a world."""

    @property
    def _kinds(self) -> tuple[Kind, ...]:
        return (Kind.MODEL,)

    @property
    def _owner(self) -> ModelBase:
        return self._model

    @property
    def _top(self) -> int:
        return self._row

    @property
    def canonical_link(self) -> Link | None:
        """The link that carries the model frame; None for a static model."""
        row = self._table.canonical_links.get(self._row)
        return None if row is None else Link(self._model, row)

    @property
    def placement_frame(self) -> ElementHandle | None:
        """The frame that its pose places, None where that is the model's own."""
        row = self._table.scope.placement_frames.get(self._row)
        return None if row is None else handle_of(self._model, row)

    @property
    def source(self) -> Path | None:
        """The file that it comes from; None where it is written in the model's own file."""
        rows = self._state_now.table.inside(self._row)[1:]
        source = next((self._table.sources[row] for row in rows), None)
        return None if source is None or source is self._table.sources[self._row] else source.path


def handle_of(model: ModelBase, row: int) -> ElementHandle:
    """Return the handle of a row."""
    kind = model._state.table.kinds[row]
    if kind is Kind.MODEL and row:
        return cast(ElementHandle, NestedModel(model, row))
    return HANDLES.get(kind, Frame)(model, row)
