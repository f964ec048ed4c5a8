"""Handles of links, joints, frames and what is fixed on them.

A handle holds nothing but a place in its model. One of a document's model stays valid through edits by its name, also a
changed one, and raises an error after its element was removed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from sdfviewer.diagnostics import Diagnostic, SdfViewerError, Span
from sdfviewer.document.element import Element
from sdfviewer.formats import contents
from sdfviewer.formats.inertia import resolve_inertial
from sdfviewer.library.base import ModelBase
from sdfviewer.library.hints import Hinted
from sdfviewer.library.names import short_name
from sdfviewer.library.state import Positions
from sdfviewer.model import graph
from sdfviewer.model import model as core
from sdfviewer.model.contents import (
    Actor as ActorContents,
)
from sdfviewer.model.contents import (
    Collision as CollisionContents,
)
from sdfviewer.model.contents import (
    Dynamics,
    Inertial,
    Limits,
    Plugin,
    Surface,
)
from sdfviewer.model.contents import (
    Light as LightContents,
)
from sdfviewer.model.contents import (
    Sensor as SensorContents,
)
from sdfviewer.model.contents import (
    Visual as VisualContents,
)
from sdfviewer.model.explanation import explain_pose
from sdfviewer.model.geometry import FileGeometry, Geometry
from sdfviewer.model.kinds import JOINT_TYPES, Kind
from sdfviewer.model.materials import Material
from sdfviewer.transforms import Array, invert, matrix_to_pose

_Contents = TypeVar("_Contents")


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
    X_RF: Array
    X_RootF: Array
    span: Span
    problem: str = ""

    def __str__(self) -> str:
        xyz_rpy = " ".join(f"{value:.6g}" for value in np.round(matrix_to_pose(self.X_RF), 9) + 0.0)
        where = f"{self.span.path}:{self.span.line}"
        origin = "" if self.relative_to is None else f" in {self.relative_to}" + " (default)" * (not self.is_written)
        return f"{where}: {self.frame}: {xyz_rpy}{origin}" + (f"; {self.problem}" if self.problem else "")


class Thing(Hinted):
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
    def owner(self) -> Thing | None:
        """What it is written in; None for the top model and the world."""
        owner = int(self._table.owners[self._row])
        return None if owner < 0 else self._handle(owner)

    @property
    def element(self) -> Element:
        """The XML element that defines it; for an included model the ``<include>``."""
        return self._table.elements[self._row]

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
        return isinstance(other, Thing) and other._model is self._model and other._row == self._row

    def __hash__(self) -> int:
        # A handle of a document may come to mean another row, and be called otherwise.
        return hash(id(self._model)) if self._model._is_live else hash((id(self._model), self._row))

    # --- where it is -------------------------------------------------------------------------------------------

    @property
    def pose(self) -> Array:
        """X_RootF (4, 4) at the initial configuration, in the frame of the top model or the world; NaN if undefined."""
        X_RootF: Array = self._table.X_RootF[self._row].copy()
        return X_RootF

    @property
    def raw_pose(self) -> Array:
        """X_RF (4, 4) in the frame that :attr:`relative_to` names, as written."""
        X_RF: Array = self._table.raw_poses[self._row].copy()
        return X_RF

    @property
    def relative_to(self) -> Thing | None:
        """The frame that the pose is measured from; None for the root, and where the name finds nothing."""
        return self._target(int(self._table.relative_to[self._row]))

    @property
    def body(self) -> Thing | None:
        """The link, or world, that carries it; None where nothing does."""
        return self._target(int(self._table.bodies[self._row]))

    def _target(self, row: int) -> Thing | None:
        return self._handle(row) if row >= 0 else None

    def _handle(self, row: int) -> Thing:
        thing = self._model._thing(row)
        assert isinstance(thing, Thing)
        return thing

    def resolve_pose(self, relative_to: str | Thing | None = None, q: Positions = None) -> Array:
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
        return X_GF

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
                step.X_RF,
                step.X_RootF,
                step.span,
                step.fault,
            )
            for step in explain_pose(table, self._row)
        )


class Frame(Thing):
    """A ``<frame>``, or the frame of anything else that is asked for as a frame."""

    @property
    def attached_to(self) -> Thing | None:
        """The frame that it is fixed to; None for bodies, and where the name finds nothing."""
        return self._target(int(self._table.attached_to[self._row]))


class Link(Frame):
    """A link."""

    @property
    def _kinds(self) -> tuple[Kind, ...]:
        return (Kind.LINK,)

    @property
    def inertial(self) -> Inertial:
        """Mass, centre of mass and inertia; computed from the collisions where the file says so.

        Where the file writes none it is the format's default: 1 kg in SDFormat, nothing in URDF.

        Raises
        ------
        UnknownInertiaError
            If it is to be computed, and the shapes do not allow that.
        """
        found = resolve_inertial(self._table, self._row)
        if found is None:
            raise UnknownInertiaError(f"the inertia of link '{self.name}' cannot be computed from its collisions")
        return found

    @property
    def mass(self) -> float:
        """In kg."""
        return self.inertial.mass

    @property
    def visuals(self) -> tuple[Visual, ...]:
        """What is seen of it."""
        return tuple(Visual(self._model, row) for row in self._parts(Kind.VISUAL))

    @property
    def collisions(self) -> tuple[Collision, ...]:
        """What it touches others with."""
        return tuple(Collision(self._model, row) for row in self._parts(Kind.COLLISION))

    @property
    def sensors(self) -> tuple[Sensor, ...]:
        """The sensors on it."""
        return tuple(Sensor(self._model, row) for row in self._parts(Kind.SENSOR))

    @property
    def lights(self) -> tuple[Light, ...]:
        """The lights on it."""
        return tuple(Light(self._model, row) for row in self._parts(Kind.LIGHT))

    def _parts(self, kind: Kind) -> list[int]:
        table = self._table
        return [row for row in self._model._state.children.get(self._row, ()) if table.kinds[row] is kind]

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The ``<frame>`` elements that it carries."""
        table, link = self._table, self._row
        return tuple(
            Frame(self._model, row)
            for row, kind in enumerate(table.kinds)
            if kind is Kind.FRAME and int(table.bodies[row]) == link
        )

    @property
    def parent_joint(self) -> Joint | None:
        """The joint that carries it; None for a free link."""
        carrier = self._model._state.kinematics.forest.carriers.get(self._row)
        return None if carrier is None else Joint(self._model, carrier.joint.row)

    @property
    def child_joints(self) -> tuple[Joint, ...]:
        """The joints that it carries."""
        carriers = self._model._state.kinematics.forest.carriers.values()
        return tuple(Joint(self._model, each.joint.row) for each in carriers if each.body == self._row)

    @property
    def plugins(self) -> tuple[Plugin, ...]:
        """The plugins on it, of URDF those in its ``<gazebo>``."""
        return contents.read_plugins(self._table, self._row)


class UnknownInertiaError(SdfViewerError):
    """A link's inertia is to be computed from shapes of which it is not known."""


@dataclass(frozen=True, slots=True)
class Mimic:
    """The constraint that makes an axis follow another: multiplier · (leader - reference) + offset.

    ``axis`` is 0 or 1, the axis of the leading joint.
    """

    joint: str
    axis: int = 0
    multiplier: float = 1.0
    offset: float = 0.0
    reference: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class JointAxis:
    """One axis of a joint.

    Attributes
    ----------
    xyz
        Unit vector (3,) in the joint frame; NaN where the frame that it is expressed in does not exist.
    limits, dynamics
        In radians or metres, newtons or newton metres.
    mimic
        None where the axis follows no other.
    """

    xyz: Array
    limits: Limits
    dynamics: Dynamics
    mimic: Mimic | None

    def __repr__(self) -> str:
        xyz = ", ".join(f"{value:.6g}" for value in self.xyz + 0.0)
        return f"JointAxis(xyz=({xyz}), lower={self.limits.lower:.6g}, upper={self.limits.upper:.6g})"


class Joint(Frame):
    """A joint. Its own frame is fixed to the child."""

    @property
    def _kinds(self) -> tuple[Kind, ...]:
        return (Kind.JOINT,)

    @property
    def _joint(self) -> core.Joint:
        return self._table.joints_by_row[self._row]

    @property
    def type(self) -> str:
        """``revolute``, ``prismatic``, ``fixed`` ..."""
        return self._joint.type

    @property
    def parent(self) -> Thing | None:
        """The frame named as parent; None for the world outside of a model file, and where the name finds nothing."""
        return self._target(self._joint.parent)

    @property
    def child(self) -> Thing | None:
        """The frame named as child; None where the name finds nothing."""
        return self._target(self._joint.child)

    @property
    def parent_name(self) -> str:
        """Name of the parent, ``world`` for the world; empty where the name finds nothing."""
        return "world" if self._joint.parent == graph.ROOT else self._name_of(self.parent)

    @property
    def child_name(self) -> str:
        """Name of the child; empty where the name finds nothing."""
        return self._name_of(self.child)

    @staticmethod
    def _name_of(thing: Thing | None) -> str:
        return "" if thing is None else thing.name

    @property
    def parent_link(self) -> Link | None:
        """The link that the parent is fixed to; None for the world."""
        return self._link(self.parent)

    @property
    def child_link(self) -> Link | None:
        """The link that the child is fixed to."""
        return self._link(self.child)

    def _link(self, end: Thing | None) -> Link | None:
        body = None if end is None else end.body
        return body if isinstance(body, Link) else None

    @property
    def axes(self) -> tuple[JointAxis, ...]:
        """The axes, in the order of their positions."""
        table, row = self._table, self._row
        return tuple(
            JointAxis(
                axis.xyz.copy(),
                contents.read_limits(table, row, axis),
                contents.read_dynamics(table, row, axis),
                None
                if axis.mimic is None
                else Mimic(
                    axis.mimic.joint, axis.mimic.axis, axis.mimic.multiplier, axis.mimic.offset, axis.mimic.reference
                ),
            )
            for axis in self._joint.axes
        )

    @property
    def axis(self) -> JointAxis | None:
        """The first axis; None for a joint without any."""
        axes = self.axes
        return axes[0] if axes else None

    @property
    def limits(self) -> Limits | None:
        """The limits of the first axis; None for a joint without any."""
        axis = self.axis
        return None if axis is None else axis.limits

    @property
    def mimic(self) -> Mimic | None:
        """The mimic constraint of the first axis; None where there is none."""
        axis = self.axis
        return None if axis is None else axis.mimic

    @property
    def dynamics(self) -> Dynamics | None:
        """The dynamics of the first axis; None for a joint without any."""
        axis = self.axis
        return None if axis is None else axis.dynamics

    @property
    def screw_pitch(self) -> float:
        """Metres of travel for one radian, of a screw joint."""
        return self._joint.screw_pitch

    @property
    def dof_count(self) -> int:
        """How many degrees of freedom joints of its type have."""
        return JOINT_TYPES.get(self.type, 0)

    @property
    def is_fixed(self) -> bool:
        """Whether it has no degree of freedom."""
        return self.dof_count == 0

    @property
    def closes_loop(self) -> bool:
        """Whether it closes a loop, and so has no position of its own."""
        return any(joint.row == self._row for joint in self._model._state.kinematics.loop_joints)

    @property
    def sensors(self) -> tuple[Sensor, ...]:
        """The sensors on it."""
        table = self._table
        rows = self._model._state.children.get(self._row, ())
        return tuple(Sensor(self._model, row) for row in rows if table.kinds[row] is Kind.SENSOR)

    @property
    def plugins(self) -> tuple[Plugin, ...]:
        """The plugins of its ``<gazebo>`` in a URDF."""
        return contents.read_plugins(self._table, self._row)


class _Part(Thing, Generic[_Contents]):
    """Something on a link, joint or world, with typed contents."""

    _read: Callable[[core.Model, int], _Contents]

    @property
    def contents(self) -> _Contents:
        """Everything that is written, as one record."""
        return type(self)._read(self._table, self._row)

    @property
    def pose_in_owner(self) -> Array:
        """X_LF (4, 4): its pose in the link, or whatever else it is on."""
        owner = int(self._table.owners[self._row])
        X_LF: Array = invert(self._table.X_RootF[max(owner, 0)]) @ self._table.X_RootF[self._row]
        return X_LF

    @property
    def link(self) -> Link | None:
        """The link that it is on."""
        return self.owner if isinstance(self.owner, Link) else None


def _with_path(model: ModelBase, geometry: Geometry) -> Geometry:
    """Return a geometry with the file that its URI leads to."""
    if isinstance(geometry, FileGeometry) and geometry.uri:
        return replace(geometry, path=model._state.finder.find(geometry.uri, geometry.file, nearby=True).path)
    return geometry


class Visual(_Part[VisualContents]):
    """What is seen of a link."""

    _read = staticmethod(contents.read_visual)

    @property
    def geometry(self) -> Geometry:
        """The shape; that of a mesh, heightmap or image knows the ``path`` of its file, None where it is not found."""
        return _with_path(self._model, self.contents.geometry)

    @property
    def material(self) -> Material | None:
        """The surface; None where none is written."""
        return self.contents.material

    @property
    def transparency(self) -> float:
        """From 0 to 1."""
        return self.contents.transparency


class Collision(_Part[CollisionContents]):
    """What a link touches others with."""

    _read = staticmethod(contents.read_collision)

    @property
    def geometry(self) -> Geometry:
        """The shape; that of a mesh, heightmap or image knows the ``path`` of its file, None where it is not found."""
        return _with_path(self._model, self.contents.geometry)

    @property
    def surface(self) -> Surface:
        """Friction, bounce and contact."""
        return self.contents.surface


class Sensor(_Part[SensorContents]):
    """A sensor on a link or a joint."""

    _read = staticmethod(contents.read_sensor)

    @property
    def type(self) -> str:
        """``camera``, ``gpu_lidar``, ``imu`` ..."""
        return self.contents.type

    @property
    def update_rate(self) -> float:
        """In Hz; 0 for every step."""
        return self.contents.update_rate

    @property
    def topic(self) -> str:
        """Where it publishes; empty where none is written."""
        return self.contents.topic

    @property
    def plugins(self) -> tuple[Plugin, ...]:
        """The plugins in it."""
        return contents.read_plugins(self._table, self._row)


class Light(_Part[LightContents]):
    """A light, on a link or in a world."""

    _read = staticmethod(contents.read_light)

    @property
    def type(self) -> str:
        """``point``, ``directional`` or ``spot``."""
        return self.contents.type


class Actor(_Part[ActorContents]):
    """An actor of a world."""

    _read = staticmethod(contents.read_actor)


#: The handle of each kind of row; all others are frames.
HANDLES: dict[Kind, type[Thing]] = {
    Kind.LINK: Link,
    Kind.JOINT: Joint,
    Kind.FRAME: Frame,
    Kind.VISUAL: Visual,
    Kind.COLLISION: Collision,
    Kind.SENSOR: Sensor,
    Kind.LIGHT: Light,
    Kind.ACTOR: Actor,
}
