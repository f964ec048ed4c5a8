"""Handles of links and joints, and of what is fixed on them: visuals, collisions, sensors, lights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.element import Element
from sdfviewer.formats import contents
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.library.drawing import Triangles, read_triangles, to_trimesh
from sdfviewer.library.handle import ElementHandle, Frame
from sdfviewer.library.names import Handles, short_name
from sdfviewer.library.pose import Pose, as_pose
from sdfviewer.model import graph, joints
from sdfviewer.model import model as core
from sdfviewer.model.contents import (
    ActorContents,
    CollisionContents,
    Dynamics,
    Inertial,
    LightContents,
    Limits,
    Material,
    Plugin,
    SensorContents,
    Surface,
    VisualContents,
)
from sdfviewer.model.kinds import JOINT_TYPES, Kind
from sdfviewer.model.near_names import Hinted
from sdfviewer.model.scope import Mimic
from sdfviewer.model.shapes.kind import FileGeometry, Geometry
from sdfviewer.transforms import Array, invert


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
    expressed_in: ElementHandle | None = None
    element: Element | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        xyz = ", ".join(f"{value:.6g}" for value in self.xyz + 0.0)
        return f"JointAxis(xyz=({xyz}), lower={self.limits.lower:.6g}, upper={self.limits.upper:.6g})"


_Contents = TypeVar("_Contents")
_WithGeometry = TypeVar("_WithGeometry", VisualContents, CollisionContents)


class UnknownInertiaError(SdfViewerError):
    """A link's inertia is to be computed from shapes of which it is not known."""


def known_inertial(table: core.Model, row: int) -> Inertial:
    """Return the mass, centre of mass and inertia of a link, computed from its collisions where the file says so.

    Raises
    ------
    UnknownInertiaError
        If it is to be computed, and the shapes do not allow that.
    """
    found = resolve_inertial(table, row)
    if found is None:
        raise UnknownInertiaError(
            f"the inertia of link '{short_name(table, row)}' cannot be computed from its collisions"
        )
    return found


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
        return known_inertial(self._table, self._row)

    @property
    def mass(self) -> float:
        """In kg."""
        return self.inertial.mass

    @property
    def visuals(self) -> Handles[Visual]:
        """What is seen of it."""
        return Handles(Visual(self._model, row) for row in self._parts(Kind.VISUAL))

    @property
    def collisions(self) -> Handles[Collision]:
        """What it touches others with."""
        return Handles(Collision(self._model, row) for row in self._parts(Kind.COLLISION))

    @property
    def sensors(self) -> Handles[Sensor]:
        """The sensors on it."""
        return Handles(Sensor(self._model, row) for row in self._parts(Kind.SENSOR))

    @property
    def lights(self) -> Handles[Light]:
        """The lights on it."""
        return Handles(Light(self._model, row) for row in self._parts(Kind.LIGHT))

    def _parts(self, kind: Kind) -> list[int]:
        table = self._table
        return [row for row in self._model._state.children.get(self._row, ()) if table.kinds[row] is kind]

    @property
    def frames(self) -> Handles[Frame]:
        """The ``<frame>`` elements that it carries."""
        table, link = self._table, self._row
        return Handles(
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
    def child_joints(self) -> Handles[Joint]:
        """The joints that it carries."""
        carriers = self._model._state.kinematics.forest.carriers.values()
        return Handles(Joint(self._model, each.joint.row) for each in carriers if each.body == self._row)

    @property
    def plugins(self) -> tuple[Plugin, ...]:
        """The plugins on it, of URDF those in its ``<gazebo>``."""
        return contents.read_plugins(self._table, self._row)


class Joint(Frame):
    """A joint. Its own frame is fixed to the child."""

    @property
    def _kinds(self) -> tuple[Kind, ...]:
        return (Kind.JOINT,)

    @property
    def _joint(self) -> joints.Joint:
        return self._table.joints_by_row[self._row]

    @property
    def type(self) -> str:
        """``revolute``, ``prismatic``, ``fixed`` ..."""
        return self._joint.type

    @property
    def parent(self) -> ElementHandle | None:
        """The frame named as parent; None for the world outside of a model file, and where the name finds nothing."""
        return self._target(self._joint.parent)

    @property
    def child(self) -> ElementHandle | None:
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
    def _name_of(thing: ElementHandle | None) -> str:
        return "" if thing is None else thing.name

    @property
    def parent_link(self) -> Link | None:
        """The link that the parent is fixed to; None for the world."""
        return self._link(self.parent)

    @property
    def child_link(self) -> Link | None:
        """The link that the child is fixed to."""
        return self._link(self.child)

    def _link(self, end: ElementHandle | None) -> Link | None:
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
                axis.mimic,
                self._target(axis.expressed_in),
                axis.element,
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
        """The mimic constraint of the first axis; None if there is none."""
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
    def sensors(self) -> Handles[Sensor]:
        """The sensors on it."""
        table = self._table
        rows = self._model._state.children.get(self._row, ())
        return Handles(Sensor(self._model, row) for row in rows if table.kinds[row] is Kind.SENSOR)

    @property
    def plugins(self) -> tuple[Plugin, ...]:
        """The plugins of its ``<gazebo>`` in a URDF."""
        return contents.read_plugins(self._table, self._row)


class _Part(ElementHandle, Generic[_Contents]):
    """Something on a link, joint or world, with typed contents."""

    _read: Callable[[core.Model, int], _Contents]

    @property
    def contents(self) -> _Contents:
        """Everything that is written, as one record."""
        return type(self)._read(self._table, self._row)

    @property
    def pose_in_owner(self) -> Pose:
        """X_LF (4, 4): its pose in the link, or whatever else it is on."""
        owner = int(self._table.owners[self._row])
        X_LF: Array = invert(self._table.X_RootF[max(owner, 0)]) @ self._table.X_RootF[self._row]
        return as_pose(X_LF)

    @property
    def link(self) -> Link | None:
        """The link that it is on."""
        return self.owner if isinstance(self.owner, Link) else None


class _Shaped(_Part[_WithGeometry]):
    """A part that has a shape."""

    @property
    def geometry(self) -> Geometry:
        """The shape; that of a mesh, heightmap or image knows the ``path`` of its file, None where it is not found."""
        geometry = self.contents.geometry
        if isinstance(geometry, FileGeometry) and geometry.uri:
            found = self._model._state.finder.find(geometry.uri, geometry.file, nearby=True)
            return replace(geometry, path=found.path)
        return geometry

    def triangles(self) -> Triangles:
        """Return what the shape is made of, in the frame of this element; round shapes as they are drawn.

        Raises
        ------
        SdfViewerError
            If there is no shape, or its file is missing or cannot be read.
        MissingExtraError
            If the packages that read meshes are not installed.
        """
        return read_triangles(self.geometry, self._model._state.finder)

    def to_trimesh(self) -> Any:
        """Return :meth:`triangles` as a ``trimesh.Trimesh``, in the colour of the material where there is one.

        Raises
        ------
        MissingExtraError
            If trimesh is not installed: the extra ``trimesh`` brings it.
        """
        material = getattr(self.contents, "material", None)
        return to_trimesh(self.triangles(), None if material is None else material.diffuse)


class Visual(_Shaped[VisualContents]):
    """What is seen of a link."""

    _read = staticmethod(contents.read_visual)

    @property
    def material(self) -> Material | None:
        """The surface; None where none is written."""
        return self.contents.material

    @property
    def transparency(self) -> float:
        """From 0 to 1."""
        return self.contents.transparency


class Collision(_Shaped[CollisionContents]):
    """What a link touches others with."""

    _read = staticmethod(contents.read_collision)

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
HANDLES: dict[Kind, type[ElementHandle]] = {
    Kind.LINK: Link,
    Kind.JOINT: Joint,
    Kind.FRAME: Frame,
    Kind.VISUAL: Visual,
    Kind.COLLISION: Collision,
    Kind.SENSOR: Sensor,
    Kind.LIGHT: Light,
    Kind.ACTOR: Actor,
}
