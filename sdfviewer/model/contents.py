"""Typed contents of links, joints and worlds in any format, in metres, radians and kilograms.

Each format reads them once, when requested (:mod:`sdfviewer.formats.contents`); the 3D view, the panels, export,
checks and the public library use them. Each keeps the element in which it is written, for whatever it leaves out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

import numpy as np

from sdfviewer.document.element import Element
from sdfviewer.model.joints import Axis
from sdfviewer.model.model import Model
from sdfviewer.model.near_names import Hinted
from sdfviewer.model.shapes.kind import Empty, Geometry, Vector
from sdfviewer.transforms import Array

#: Red, green, blue and alpha, each from 0 to 1.
Rgba: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class MaterialScript:
    """A material by its name in an OGRE script, or one of those that Gazebo knows.

    Attributes
    ----------
    name
        The name.
    uris
        Scripts and folders of scripts in which it is looked for.
    element
        Where the name is written.
    """

    name: str
    uris: tuple[str, ...] = ()
    element: Element | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Pbr:
    """Physically based rendering: textures by their URI, empty where none is written, and factors from 0 to 1.

    Attributes
    ----------
    workflow
        ``metal`` or ``specular``.
    normal_map_type
        ``tangent`` or ``object``: the space of the normal map.
    """

    workflow: str = "metal"
    albedo_map: str = ""
    normal_map: str = ""
    normal_map_type: str = "tangent"
    roughness: float = 0.5
    roughness_map: str = ""
    metalness: float = 0.5
    metalness_map: str = ""
    glossiness: float = 0.0
    glossiness_map: str = ""
    specular_map: str = ""
    emissive_map: str = ""
    light_map: str = ""
    ambient_occlusion_map: str = ""
    environment_map: str = ""
    element: Element | None = field(default=None, compare=False, repr=False)

    @property
    def maps(self) -> dict[str, str]:
        """The textures that are written, by the name of the element."""
        names = [name for name in self.__dataclass_fields__ if name.endswith("_map")]
        return {name: uri for name in names if (uri := getattr(self, name))}


@dataclass(frozen=True, slots=True)
class Material(Hinted):
    """The surface of a visual.

    Attributes
    ----------
    name
        Of a URDF's material.
    diffuse, ambient, specular, emissive
        Colours; None where none is written.
    shininess
        Exponent of the highlight, None where none is written.
    script
        The material by name.
    pbr
        Textures and factors.
    texture
        URI of the texture of a URDF's material.
    normal_map, normal_map_type
        Of ``<shader>``.
    double_sided, lighting
        Whether both sides are drawn, and whether light counts.
    base
        What holds where the script is not found.
    """

    name: str = ""
    diffuse: Rgba | None = None
    ambient: Rgba | None = None
    specular: Rgba | None = None
    emissive: Rgba | None = None
    shininess: float | None = None
    script: MaterialScript | None = None
    pbr: Pbr | None = None
    texture: str = ""
    normal_map: str = ""
    normal_map_type: str = ""
    double_sided: bool = False
    lighting: bool = True
    base: Material | None = None
    element: Element | None = field(default=None, compare=False, repr=False)

    def over(self, base: Material | None) -> Material:
        """Return this material with another one's colours, script and texture where it writes none."""
        if base is None:
            return self
        if self.script is not None:
            return replace(self, base=base)
        return replace(
            self,
            name=self.name or base.name,
            diffuse=self.diffuse or base.diffuse,
            ambient=self.ambient or base.ambient,
            specular=self.specular or base.specular,
            emissive=self.emissive or base.emissive,
            script=base.script,
            texture=base.texture,
            base=base.base,
        )


#: ixx, iyy, izz, ixy, ixz, iyz in kg m².
Moments: TypeAlias = tuple[float, float, float, float, float, float]
MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
"""What they are called in files."""

_WHITE: Rgba = (1.0, 1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class VisualContents(Hinted):
    """What is seen of a link.

    Attributes
    ----------
    material
        None where none is written: a mesh then keeps its own.
    transparency
        From 0 to 1, on top of that of the material.
    """

    name: str = ""
    geometry: Geometry = field(default_factory=Empty)
    material: Material | None = None
    transparency: float = 0.0
    cast_shadows: bool = True
    laser_retro: float = 0.0
    visibility_flags: int = 0xFFFFFFFF
    element: Element | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Surface(Hinted):
    """How a collision touches others.

    Attributes
    ----------
    mu, mu2, fdir1, slip1, slip2
        Coulomb friction along ``fdir1`` and across it, and slip in s/kg; of ODE's parameters, else Bullet's.
    torsional_friction
        Coefficient of friction against turning; None where none is written.
    restitution, bounce_threshold
        Coefficient of restitution, and the velocity in m/s below which nothing bounces.
    stiffness, damping
        ``kp`` and ``kd`` of the contact in N/m and N s/m.
    collide_bitmask
        Two collisions touch where they have a bit in common.
    """

    mu: float = 1.0
    mu2: float = 1.0
    fdir1: Vector = (0.0, 0.0, 0.0)
    slip1: float = 0.0
    slip2: float = 0.0
    torsional_friction: float | None = None
    restitution: float = 0.0
    bounce_threshold: float = 100000.0
    stiffness: float = 1e12
    damping: float = 1.0
    collide_bitmask: int = 0xFFFF
    element: Element | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CollisionContents(Hinted):
    """What a link touches others with.

    Attributes
    ----------
    density
        In kg/m³, for inertia that is computed; None where none is written.
    """

    name: str = ""
    geometry: Geometry = field(default_factory=Empty)
    surface: Surface = field(default_factory=Surface)
    density: float | None = None
    max_contacts: int = 10
    laser_retro: float = 0.0
    element: Element | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Inertial(Hinted):
    """The inertia of a link L, about its centre of mass, in the axes of a frame I at the centre of mass.

    Attributes
    ----------
    mass
        In kg.
    X_LI
        Pose (4, 4) of I in the link; its translation is the centre of mass. Not to be modified.
    moments
        ixx, iyy, izz, ixy, ixz, iyz in the axes of I, in kg m².
    auto
        Whether mass and moments are to be computed from the collisions; then what is written here does not count.
    density
        In kg/m³, for collisions that name none; None where none is written.
    is_written
        Whether it is in the file, rather than the default of a link that writes none.
    raw
        ``x y z roll pitch yaw`` of I as written, None where its rotation is written as a quaternion.
    """

    mass: float
    X_LI: Array
    moments: Moments
    auto: bool = False
    density: float | None = None
    is_written: bool = True
    raw: tuple[float, ...] | None = None
    element: Element | None = field(default=None, repr=False)

    @property
    def inertia(self) -> Array:
        """The inertia matrix I_BI (3, 3) about the centre of mass in the axes of I, in kg m²."""
        xx, yy, zz, xy, xz, yz = self.moments
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    @property
    def center_of_mass(self) -> Array:
        """p_LI (3,): the centre of mass in the link."""
        return self.X_LI[:3, 3].copy()

    @property
    def inertia_in_link(self) -> Array:
        """The inertia matrix (3, 3) about the centre of mass in the axes of the link, in kg m²."""
        R_LI = self.X_LI[:3, :3]
        turned: Array = R_LI @ self.inertia @ R_LI.T
        return turned


@dataclass(frozen=True, slots=True)
class Limits(Hinted):
    """Limits of one axis of a joint: radians or metres, newtons or newton metres; infinite if there is none.

    ``acceleration``, ``deceleration`` and ``jerk`` are those of URDF 1.2.
    """

    lower: float = -math.inf
    upper: float = math.inf
    effort: float = math.inf
    velocity: float = math.inf
    acceleration: float = math.inf
    deceleration: float = math.inf
    jerk: float = math.inf

    @property
    def range(self) -> tuple[float, float]:
        """The lower and the upper limit of the position."""
        return self.lower, self.upper


@dataclass(frozen=True, slots=True)
class Dynamics(Hinted):
    """Damping, friction and spring of one axis of a joint, in SI units."""

    damping: float = 0.0
    friction: float = 0.0
    spring_reference: float = 0.0
    spring_stiffness: float = 0.0
    element: Element | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Camera(Hinted):
    """The lens and picture of a camera: angle of view in radians, pixels, and the nearest and farthest metre."""

    horizontal_fov: float = 1.047
    width: int = 320
    height: int = 240
    near: float = 0.1
    far: float = 100.0
    element: Element | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Scan(Hinted):
    """The rays of a lidar in one direction: how many, and the first and last angle in radians."""

    samples: int = 1
    min_angle: float = 0.0
    max_angle: float = 0.0


@dataclass(frozen=True, slots=True)
class Lidar(Hinted):
    """A lidar: its rays, and the nearest and farthest metre that it measures."""

    horizontal: Scan = field(default_factory=Scan)
    vertical: Scan = field(default_factory=Scan)
    near: float = 0.0
    far: float = math.inf
    element: Element | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SensorContents(Hinted):
    """A sensor; ``update_rate`` in Hz, 0 for every step. ``cameras`` has several for a multicamera."""

    name: str = ""
    type: str = ""
    update_rate: float = 0.0
    topic: str = ""
    frame_id: str = ""
    always_on: bool = False
    visualize: bool = False
    cameras: tuple[Camera, ...] = ()
    lidar: Lidar | None = None
    element: Element | None = field(default=None, compare=False, repr=False)

    @property
    def camera(self) -> Camera | None:
        """The first camera, None if there is none."""
        return self.cameras[0] if self.cameras else None


@dataclass(frozen=True, slots=True)
class LightContents(Hinted):
    """A light: ``point``, ``directional`` or ``spot``.

    Attributes
    ----------
    direction
        Where it shines, in its own frame; not normalised.
    range
        How far it reaches in metres.
    attenuation
        Constant, linear and quadratic.
    inner_angle, outer_angle, falloff
        Of a spot; angles in radians.
    """

    name: str = ""
    type: str = "point"
    diffuse: Rgba = _WHITE
    specular: Rgba = (0.1, 0.1, 0.1, 1.0)
    intensity: float = 1.0
    direction: Vector = (0.0, 0.0, -1.0)
    range: float = 10.0
    attenuation: Vector = (1.0, 1.0, 0.0)
    inner_angle: float = 0.6
    outer_angle: float = 0.6
    falloff: float = 1.0
    cast_shadows: bool = False
    is_on: bool = True
    element: Element | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Plugin(Hinted):
    """A plugin: the name, the library's file name, and its XML as it is written."""

    name: str
    filename: str
    xml: str = field(repr=False)
    element: Element | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Waypoint:
    """A point of an actor's trajectory: seconds, and ``x y z roll pitch yaw`` in metres and radians."""

    time: float
    pose: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Animation:
    """An animation of an actor by its file."""

    name: str
    filename: str
    scale: float = 1.0
    interpolate_x: bool = False


@dataclass(frozen=True, slots=True)
class ActorContents(Hinted):
    """An actor: its skin, animations and trajectories."""

    name: str = ""
    skin: str = ""
    skin_scale: float = 1.0
    animations: tuple[Animation, ...] = ()
    trajectories: tuple[tuple[Waypoint, ...], ...] = ()
    loop: bool = True
    delay_start: float = 0.0
    auto_start: bool = True
    element: Element | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Physics(Hinted):
    """How a world is simulated; seconds and Hz."""

    name: str = "default_physics"
    type: str = "ode"
    is_default: bool = False
    max_step_size: float = 0.001
    real_time_factor: float = 1.0
    real_time_update_rate: float = 1000.0
    max_contacts: int = 20
    element: Element | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SceneSettings(Hinted):
    """How a world looks: colours, and what is drawn."""

    ambient: Rgba = (0.4, 0.4, 0.4, 1.0)
    background: Rgba = (0.7, 0.7, 0.7, 1.0)
    shadows: bool = True
    grid: bool = True
    origin_visual: bool = True
    has_sky: bool = False
    fog: str = "none"
    element: Element | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Environment(Hinted):
    """What acts on everything in a world: m/s², tesla and m/s in the world frame."""

    gravity: Vector = (0.0, 0.0, -9.8)
    magnetic_field: Vector = (5.5645e-6, 22.8758e-6, -42.3884e-6)
    wind: Vector = (0.0, 0.0, 0.0)


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

    def settings(self, model: Model, row: int) -> Mapping[str, str]:
        """Return what is written of the thing in a row and no record holds, by its path in SDFormat."""
        ...
