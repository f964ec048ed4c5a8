"""Edits of what is in links and joints: properties, limits, shapes, inertials, sensors, lights, plugins."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
from numpy.typing import ArrayLike

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.extras import required_extras
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.library.edits.member_edits import MemberEdits
from sdfviewer.library.handle import Thing
from sdfviewer.library.pose import Pose
from sdfviewer.model.kinds import Kind
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.operations import adding, properties
from sdfviewer.operations.parameters import finite
from sdfviewer.refactoring import inertia as inertias
from sdfviewer.refactoring.editable import EditError
from sdfviewer.refactoring.new_elements import LIGHT_TYPES, SENSOR_TYPES
from sdfviewer.refactoring.properties.property_values import set_shape, specs_of


class ContentEdits(MemberEdits):
    """Edits of what is in links and joints."""

    # --- properties --------------------------------------------------------------------------------------------

    def set_property(self, thing: str | Thing, path: str, value: object) -> None:
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
        joint: str | Thing,
        lower: float | None = None,
        upper: float | None = None,
        *,
        effort: float | None = None,
        velocity: float | None = None,
    ) -> None:
        """Set limits of the first axis of a joint; those that are not given stay."""
        self._do(properties.set_limits, joint=joint, lower=lower, upper=upper, effort=effort, velocity=velocity)

    def set_geometry(self, part: str | Thing, geometry: str | Geometry) -> None:
        """Give a visual or collision another geometry: ``sdfviewer.Box((1, 1, 1))``, or a name for a usual size.

        Raises
        ------
        EditError
            If the file's version of SDFormat does not have the shape, or a size cannot be written.
        """
        row = self._row(part, Kind.VISUAL, Kind.COLLISION)
        if not isinstance(geometry, (str, Geometry)):
            raise InvalidValueError(
                f"a geometry is a name or a shape such as sdfviewer.Box((1, 1, 1)), not {geometry!r}"
            )
        kind = geometry if isinstance(geometry, str) else geometry.kind
        name = self._table.names[row]
        with self._named(f"Make {self._table.local_names[row]} a {kind}"):
            self._make(set_shape(self._table, row, kind))
            known = {spec.path for spec in specs_of(self._table, row)}
            for field in fields(geometry) if isinstance(geometry, Geometry) else ():
                path, value = f"geometry/{kind}/{field.name}", getattr(geometry, field.name)
                if path in known and value is not None:
                    self.set_property(name, path, value)

    # --- inertials ---------------------------------------------------------------------------------------------

    def set_inertial(
        self,
        link: str | Thing,
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
        row = self._row(link, Kind.LINK)
        name = self._table.names[row]
        if mass is None and center_of_mass is None and inertia is None:
            raise InvalidValueError("give a mass, a center_of_mass or an inertia")
        present = resolve_inertial(self._table, row)
        if present is not None and present.auto:
            raise EditError(
                f"the inertia of link '{name}' is automatic; set its property 'inertial@auto' to None first"
            )
        with self._named(f"Set inertial of {self._table.local_names[row]}"):
            if mass is not None:
                self.set_property(name, "inertial/mass", float(finite([mass], 1, "mass")[0]))
            if center_of_mass is not None:
                pose = np.zeros(6) if present is None else np.array([*present.X_LI[:3, 3], *Pose(present.X_LI).rpy])
                pose[:3] = finite(center_of_mass, 3, "center_of_mass")
                self.set_property(name, "inertial/pose", pose)
            if inertia is not None:
                R_LI = np.eye(3) if present is None else present.X_LI[:3, :3]
                moments = R_LI.T @ _inertia_matrix(inertia) @ R_LI
                for first, second in ("xx", "yy", "zz", "xy", "xz", "yz"):
                    value = float(moments["xyz".index(first), "xyz".index(second)])
                    self.set_property(name, f"inertial/inertia/i{first}{second}", value)

    def compute_inertials(
        self, *links: str | Thing, density: float = inertias.WATER, total_mass: float | None = None
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
        table = self._table
        rows = [self._row(link, Kind.LINK) for link in links]
        rows = rows or [row for row, kind in enumerate(table.kinds) if kind is Kind.LINK]
        with required_extras():
            from sdfviewer.scene.mesh_body import mesh_bodies  # noqa: PLC0415  # needs an extra

            read_mesh = mesh_bodies(self._loader.finder)
            if len(rows) == 1:
                body = inertias.computed_body(table, rows[0], density, total_mass, read_mesh)
                self._make(inertias.set_inertial(table, rows[0], body))
            else:
                self._make(inertias.set_inertials(table, rows, density, total_mass, read_mesh))

    # --- sensors, lights, plugins ------------------------------------------------------------------------------

    def add_sensor(
        self, parent: str | Thing, type: str, name: str | None = None, *, pose: ArrayLike | Pose | None = None
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
        parent: str | Thing,
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

    def add_plugin(self, parent: str | Thing, filename: str, name: str) -> None:
        """Add a plugin to a model, world, sensor or visual."""
        self._do(adding.add_plugin, parent=parent, filename=filename, name=name)


def _inertia_matrix(inertia: ArrayLike) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    if np.shape(inertia) == (6,):
        xx, yy, zz, xy, xz, yz = finite(inertia, 6, "inertia")
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if np.shape(inertia) != (3, 3):
        raise InvalidValueError(f"inertia must be a matrix (3, 3) or 6 numbers, not of shape {np.shape(inertia)}")
    matrix = finite(np.ravel(inertia), 9, "inertia").reshape(3, 3)
    if not np.allclose(matrix, matrix.T):
        raise InvalidValueError("an inertia matrix must be symmetric")
    return matrix
