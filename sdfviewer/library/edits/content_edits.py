"""Edits of what is in links and joints: properties, limits, shapes, inertials, sensors, lights, plugins."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from sdfviewer.library.edits.member_edits import MemberEdits
from sdfviewer.library.names import AnyHandle
from sdfviewer.library.pose import Pose
from sdfviewer.model.kinds import Kind
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.operations import adding, properties
from sdfviewer.refactoring.editable import EditError
from sdfviewer.refactoring.inertia import WATER
from sdfviewer.refactoring.new_elements import LIGHT_TYPES, SENSOR_TYPES


class ContentEdits(MemberEdits):
    """Edits of what is in links and joints."""

    # --- properties --------------------------------------------------------------------------------------------

    def set_property(self, thing: str | AnyHandle | Sequence[str | AnyHandle], path: str, value: object) -> None:
        """Write a property of the property panel.

        Parameters
        ----------
        thing
            What has it.
        path
            Tags from the thing's element downwards, ``axis/limit/lower``; ``@type`` for an attribute.
        value
            A text, number, truth value or sequence of numbers; None takes it out, so that the default holds.

        Raises
        ------
        EditError
            If there is no such property, or it cannot have that value.
        """
        self._do(properties.set_property, thing=thing, path=path, value=value)

    def set_limits(
        self,
        joint: str | AnyHandle,
        lower: float | None = None,
        upper: float | None = None,
        *,
        effort: float | None = None,
        velocity: float | None = None,
    ) -> None:
        """Set limits of the first axis of a joint; those that are not given stay."""
        self._do(properties.set_limits, joint=joint, lower=lower, upper=upper, effort=effort, velocity=velocity)

    def set_geometry(self, part: str | AnyHandle, geometry: str | Geometry) -> None:
        """Give a visual or collision another geometry: ``sdfviewer.Box((1, 1, 1))``, or a name for a usual size.

        Raises
        ------
        EditError
            If the file's version of SDFormat does not have the shape, or a size cannot be written.
        """
        self._do(properties.set_geometry, part=part, geometry=geometry)

    # --- inertials ---------------------------------------------------------------------------------------------

    def set_inertial(
        self,
        link: str | AnyHandle,
        *,
        mass: float | None = None,
        center_of_mass: ArrayLike | None = None,
        inertia: ArrayLike | None = None,
    ) -> None:
        """Write mass, centre of mass and inertia of a link; what is not given stays.

        Parameters
        ----------
        link
            The link.
        mass
            In kg.
        center_of_mass
            p_LB (3,) in the link, in metres.
        inertia
            The matrix (3, 3) about the centre of mass in the axes of the link, or ``ixx iyy izz ixy ixz iyz`` (6,), in
            kg m².

        Raises
        ------
        InvalidValueError
            If a shape is wrong, a number is not finite, or the matrix is not symmetric.
        """
        self._do(properties.set_inertial, link=link, mass=mass, center_of_mass=center_of_mass, inertia=inertia)

    def compute_inertials(
        self, *links: str | AnyHandle, density: float = WATER, total_mass: float | None = None
    ) -> None:
        """Compute the inertials of links, all by default, from their collisions, or their visuals where there is none.

        Parameters
        ----------
        links
            The links; those without a shape that has a volume are left alone.
        density
            In kg/m³.
        total_mass
            The mass of all of them together in kg, in place of the density.

        Raises
        ------
        EditError
            If none of them has a shape with a volume, or a number is not positive.
        MissingExtraError
            If the packages that read meshes are not installed.
        """
        self._do(properties.compute_inertials, links=links, density=density, total_mass=total_mass)

    def add_inertial(self, link: str | AnyHandle, *, density: float = WATER, mass: float | None = None) -> None:
        """Add mass and inertia to a link that has none, computed from its shapes with a density or for a mass."""
        self._do(adding.add_inertial, link=link, density=density, mass=mass)

    # --- sensors, lights, plugins ------------------------------------------------------------------------------

    def add_sensor(
        self, parent: str | AnyHandle, type: str, name: str | None = None, *, pose: ArrayLike | Pose | None = None
    ) -> None:
        """Add a sensor to a link or joint, ``camera``, ``gpu_lidar``, ``imu``, ``force_torque`` ..."""
        row = self._row(parent, Kind.LINK, Kind.JOINT)
        known = SENSOR_TYPES[self._table.kinds[row]]
        if type not in known:
            what = self._table.kinds[row]
            raise EditError(f"a {what} has no sensor '{type}': use {', '.join(known)}")
        self._do(adding.add_sensor, parent=self._table.names[row], type=type, name=name, pose=pose)

    def add_light(
        self,
        parent: str | AnyHandle,
        type: str = "point",
        name: str | None = None,
        *,
        pose: ArrayLike | Pose | None = None,
    ) -> None:
        """Add a light, ``point``, ``spot`` or ``directional``, to a link or a world."""
        if type not in LIGHT_TYPES:
            raise EditError(f"there is no light '{type}': use {', '.join(LIGHT_TYPES)}")
        row = self._row(parent, Kind.LINK, Kind.WORLD)
        self._do(adding.add_light, parent=self._table.names[row], type=type, name=name, pose=pose)

    def add_plugin(self, parent: str | AnyHandle, filename: str, name: str) -> None:
        """Add a plugin to a model, world, sensor or visual."""
        self._do(adding.add_plugin, parent=parent, filename=filename, name=name)
