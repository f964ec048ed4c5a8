"""Export a model to MJCF, the format of MuJoCo.

A body is at its link and a joint at its own position in it, so every link has the same pose at every joint position.
Joints that close a loop, followers and screws become equality constraints.

Source: https://mujoco.readthedocs.io/en/stable/XMLreference.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sdfviewer import transforms
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.export.inertia import LEAST_MOMENT, replacement_moment
from sdfviewer.export.notes import ExportNote, Obstacle
from sdfviewer.export.written_mesh import AddMesh
from sdfviewer.export.xml_lines import element
from sdfviewer.files.finder import Finder
from sdfviewer.formats.contents import read_collision, read_dynamics, read_light, read_limits, read_sensor, read_visual
from sdfviewer.formats.inertia import resolve_inertial
from sdfviewer.formats.urdf.format import robot_of
from sdfviewer.model.geometry import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Geometry,
    Plane,
    Sphere,
)
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.tree import GROUND, Carrier, body_of
from sdfviewer.model.model import Joint, Model
from sdfviewer.scene.materials import surface_of
from sdfviewer.transforms import Array

#: The mass in kg of a link that has none: MuJoCo cannot move what has no mass.
_LEAST_MASS = 1e-4
#: MuJoCo's constraints are soft; these are as stiff as its usual time step of 2 ms allows.
_STIFF = {"solref": "0.004 1", "solimp": "0.9999 0.9999 0.001"}
#: How many axes a joint that closes a loop has, by its type.
_AXES_OF_LOOPS = {"revolute": 1, "continuous": 1, "prismatic": 1, "screw": 1, "universal": 2, "revolute2": 2}
#: Geoms of the group 2 are visuals, of the group 3 collisions, as in the models of MuJoCo Menagerie.
_VISUAL, _COLLISION = "2", "3"
#: X_CD: MuJoCo's cameras look along -z with +y up, SDFormat's along +x with +z up.
_R_CAMERA = np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


@dataclass(frozen=True, slots=True)
class MjcfExport:
    """An MJCF text, the notes about it, and its names of bodies and joints by scoped name.

    Of a joint with several degrees of freedom each has a joint of its own, named as :class:`Kinematics` names it.
    """

    text: str
    notes: tuple[ExportNote, ...]
    bodies: dict[str, str]
    joints: dict[str, str]


def export_mjcf(model: Model, finder: Finder, add_mesh: AddMesh) -> MjcfExport:
    """Return a model or world as MJCF.

    Parameters
    ----------
    model
        What to write.
    finder
        Finds material scripts and textures by URI.
    add_mesh
        Collects mesh files.

    Raises
    ------
    SdfViewerError
        If it has no link, or the pose of one is undefined.
    """
    return _Exporter(model, finder, add_mesh).export()


class _Exporter:
    def __init__(self, model: Model, finder: Finder, add_mesh: AddMesh) -> None:
        self._model = model
        self._finder = finder
        self._add_mesh = add_mesh
        self._links = [row for row, kind in enumerate(model.kinds) if kind is Kind.LINK]
        if not self._links:
            raise SdfViewerError(f"'{model.names[0]}' has no link, and MJCF needs a body")
        for row in self._links:
            if not np.isfinite(model.X_RootF[row]).all():
                raise SdfViewerError(f"the pose of '{model.names[row]}' is undefined; see `sdfviewer check`")
        self._kinematics = Kinematics(model)
        self._carried: dict[int, list[int]] = {}
        for body, carrier in self._kinematics.forest.carriers.items():
            self._carried.setdefault(carrier.body, []).append(body)
        self._parts: dict[int, list[int]] = {}
        for row, owner in enumerate(model.owners.tolist()):
            self._parts.setdefault(owner, []).append(row)
        # Frames and joints become sites of the link that their frame moves with.
        self._sites: dict[int, list[int]] = {}
        for row, kind in enumerate(model.kinds):
            if kind in (Kind.FRAME, Kind.JOINT):
                self._sites.setdefault(int(model.bodies[row]), []).append(row)
        self._notes: list[ExportNote] = []
        self._massless: set[int] = set()
        self._meshes: dict[tuple[str, tuple[float, float, float]], str] = {}
        self._materials: dict[tuple[float, ...], str] = {}
        self._taken: dict[str, set[str]] = {}
        self._bodies: dict[int, str] = {row: self._name("body", model.names[row]) for row in self._links}
        self._joints: dict[str, str] = {dof.name: self._name("joint", dof.name) for dof in self._kinematics.dofs}
        self._equalities: list[list[str]] = []
        self._loops: dict[int, list[Joint]] = {}
        for joint in self._kinematics.loop_joints:
            self._loops.setdefault(body_of(model, joint.parent), []).append(joint)

    def export(self) -> MjcfExport:
        model = self._model
        carriers = self._kinematics.forest.carriers
        grounded = self._carried.get(GROUND, [])
        roots = [row for row in self._links if row not in carriers]
        world = self._on_ground()
        for row in (*grounded, *roots):
            world += self._body(row, np.eye(4), carriers.get(row))
        for column, dof in enumerate(self._kinematics.dofs):
            if dof.leader is not None:
                self._follow(column)
        for row in self._loops.keys() - {GROUND, *self._links}:
            for joint in self._loops[row]:
                self._lose(joint.row, "it closes a loop with something that is not a body; it is left out")
        meshes = [
            line
            for (file, scale), name in self._meshes.items()
            for line in element("mesh", {"name": name, "file": file, "inertia": "shell", **_scale(scale)})
        ]
        colours = [
            line
            for rgba, name in self._materials.items()
            for line in element("material", {"name": name, "rgba": _words(rgba)})
        ]
        content = element("compiler", {"angle": "radian", "autolimits": "true", "balanceinertia": "true"})
        content += element("asset", None, [*colours, *meshes]) if colours or meshes else []
        content += element("worldbody", None, world)
        if self._equalities:
            content[:0] = element("default", None, element("equality", _STIFF))
            content += element("equality", None, [line for lines in self._equalities for line in lines])
        text = "\n".join(['<?xml version="1.0"?>', *element("mujoco", {"model": model.name or "model"}, content), ""])
        bodies = {model.names[row]: name for row, name in self._bodies.items()}
        return MjcfExport(text, tuple(self._notes), bodies, dict(self._joints))

    # --- names and notes ---------------------------------------------------------------------------------------

    def _name(self, kind: str, scoped: str) -> str:
        """Return a name of its own for a thing of a kind: without that of the root, ``::`` as ``/``."""
        inner = scoped.removeprefix(f"{self._model.names[0]}::") if not self._model.is_world else scoped
        name = inner.replace("::", "/") or kind
        taken = self._taken.setdefault(kind, {"world"})
        while name in taken:
            name += "_"
        taken.add(name)
        return name

    def _lose(self, row: int, message: str) -> None:
        self._notes.append(ExportNote(Obstacle.LOST, row, message))

    # --- bodies ------------------------------------------------------------------------------------------------

    def _on_ground(self) -> list[str]:
        """Return the elements of the world itself: lights, and links of static models are bodies without joints."""
        lines: list[str] = []
        for row in self._parts.get(0, ()):
            if self._model.kinds[row] is Kind.LIGHT and np.isfinite(self._model.X_RootF[row]).all():
                lines += self._light(row, self._model.X_RootF[row])
        for joint in self._loops.get(GROUND, ()):
            lines += self._close_loop(joint, np.eye(4))
        return lines

    def _body(self, row: int, X_RootP: Array, carrier: Carrier | None) -> list[str]:
        """Return the lines of the body of a link with all that it carries, in the frame of a parent P."""
        model = self._model
        X_RootL = model.X_RootF[row]
        lines: list[str] = []
        if carrier is not None:
            lines += self._joint_lines(row, carrier)
        elif not model.static[row]:
            lines += element("freejoint", {"name": self._name("joint", f"{model.names[row]}_free")})
        lines += self._inertial(row)
        X_LRoot = transforms.invert(X_RootL)
        for part in self._parts.get(row, ()):
            lines += self._part(part, X_LRoot @ model.X_RootF[part])
        for frame in self._sites.get(row, ()):
            X_LF = X_LRoot @ model.X_RootF[frame]
            if np.isfinite(X_LF).all():
                name = self._name("site", model.names[frame])
                lines += element("site", {"name": name, **_pose(X_LF), "group": "4", "size": "0.005"})
        for below in self._carried.get(row, ()):
            lines += self._body(below, X_RootL, self._kinematics.forest.carriers[below])
        for loop in self._loops.get(row, ()):
            lines += self._close_loop(loop, X_RootL)
        X_PL = transforms.invert(X_RootP) @ X_RootL
        return element("body", {"name": self._bodies[row], **_pose(X_PL)}, lines)

    def _inertial(self, row: int) -> list[str]:
        inertial = resolve_inertial(self._model, row)
        is_written = inertial is not None and inertial.mass > 0 and (inertial.is_written or self._has_default_mass(row))
        if inertial is None or not is_written:
            if self._is_fixed(row):
                self._massless.add(row)
                return []
            self._lose(row, f"it has no mass, which MuJoCo cannot move: its mass becomes {_LEAST_MASS} kg")
            return _least_inertial()
        xx, yy, zz, xy, xz, yz = (
            float(inertial.inertia_in_link[at]) for at in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        )
        if (moment := replacement_moment(inertial.inertia_in_link)) is not None:
            self._lose(row, f"its moments of inertia are impossible: {moment:.3g} is written for all three")
            centre = _words(inertial.center_of_mass.tolist())
            moments = _words((moment,) * 3)
            return element("inertial", {"pos": centre, "mass": repr(inertial.mass), "diaginertia": moments})
        principal = np.linalg.eigvalsh(inertial.inertia_in_link)
        if principal[0] + principal[1] < principal[2]:
            message = "one moment of inertia exceeds the sum of the others: MuJoCo uses their mean for all three"
            self._notes.append(ExportNote(Obstacle.REWRITTEN, row, message))
        centre = _words(inertial.center_of_mass.tolist())
        moments = _words((xx, yy, zz, xy, xz, yz))
        return element("inertial", {"pos": centre, "mass": repr(inertial.mass), "fullinertia": moments})

    def _is_fixed(self, row: int) -> bool:
        """Return whether a link has no joint of its own in MuJoCo."""
        carrier = self._kinematics.forest.carriers.get(row)
        return bool(self._model.static[row]) if carrier is None else not self._dofs_of(carrier.joint)

    def _has_default_mass(self, row: int) -> bool:
        """Return whether a link that writes no mass has one: SDFormat takes 1 kg, URDF none."""
        return robot_of(self._model.document_of(row)) is None

    # --- joints ------------------------------------------------------------------------------------------------

    def _joint_lines(self, row: int, carrier: Carrier) -> list[str]:
        """Return the joints of a body: one for each degree of freedom, the outermost first."""
        model, joint = self._model, carrier.joint
        if carrier.body == GROUND and not self._dofs_of(joint):
            return []
        X_LJ = transforms.invert(model.X_RootF[row]) @ model.X_RootF[joint.row]
        pos = _words(X_LJ[:3, 3].tolist())
        dofs = self._dofs_of(joint)
        if joint.type == "ball" and dofs:
            name = self._joints[self._kinematics.dofs[dofs[0]].name]
            return element("joint", {"name": name, "type": "ball", "pos": pos})
        lines: list[str] = []
        for column in reversed(dofs) if carrier.backwards else dofs:
            dof = self._kinematics.dofs[column]
            lines += self._axis_lines(joint, dof.axis, X_LJ, self._joints[dof.name], backwards=carrier.backwards)
        if not dofs and joint.type not in ("fixed", "gearbox"):
            self._lose(joint.row, f"the {joint.type} joint has no axis; its link is fixed")
        return lines

    def _axis_lines(self, joint: Joint, number: int, X_LJ: Array, name: str, *, backwards: bool = False) -> list[str]:
        """Return the joints of one axis of a joint: a screw is a turn and a travel that follows it."""
        pos = _words(X_LJ[:3, 3].tolist())
        axis = _words((X_LJ[:3, :3] @ joint.axes[number].xyz * (-1.0 if backwards else 1.0)).tolist())
        kind = "slide" if joint.type == "prismatic" else "hinge"
        limits = self._limits(joint, number)
        lines = element("joint", {"name": name, "type": kind, "pos": pos, "axis": axis, **limits})
        if joint.type == "screw" and joint.screw_pitch:
            travel = self._name("joint", f"{name}_travel")
            lines += element("joint", {"name": travel, "type": "slide", "pos": pos, "axis": axis})
            self._couple(travel, name, 0.0, joint.screw_pitch)
        return lines

    def _couple(self, follower: str, leader: str, offset: float, gain: float) -> None:
        """Hold one joint at ``offset + gain`` times another.

        MuJoCo estimates the inertia that resists without the gain, so the joint that moves more is the first: a fast
        rotor before a slow output would make the coupling soft.
        """
        if 0 < abs(gain) < 1:
            follower, leader, offset, gain = leader, follower, -offset / gain, 1 / gain
        line = {"joint1": follower, "joint2": leader, "polycoef": _words((offset, gain, 0, 0, 0))}
        self._equalities.append(element("joint", line))

    def _dofs_of(self, joint: Joint) -> list[int]:
        return [column for column, dof in enumerate(self._kinematics.dofs) if dof.joint.row == joint.row]

    def _moves(self, body: int) -> bool:
        """Return whether a link moves in the world."""
        carriers = self._kinematics.forest.carriers
        while body in carriers:
            if self._dofs_of(carriers[body].joint):
                return True
            body = carriers[body].body
        return body != GROUND and not self._model.static[body]

    def _limits(self, joint: Joint, number: int) -> dict[str, str]:
        if joint.type == "ball" or number >= len(joint.axes):
            return {}
        axis = joint.axes[number]
        limits, dynamics = read_limits(self._model, joint.row, axis), read_dynamics(self._model, joint.row, axis)
        words: dict[str, str] = {}
        if joint.type != "continuous" and math.isfinite(axis.lower) and math.isfinite(axis.upper):
            words["range"] = _words((axis.lower, axis.upper))
        elif joint.type != "continuous" and (math.isfinite(axis.lower) or math.isfinite(axis.upper)):
            self._lose(joint.row, "MJCF limits a joint at both ends or not at all; its only limit is left out")
        if limits.effort > 0 and math.isfinite(limits.effort):
            words["actuatorfrcrange"] = _words((-limits.effort, limits.effort))
        if dynamics.damping > 0:
            words["damping"] = repr(dynamics.damping)
        if dynamics.friction > 0:
            words["frictionloss"] = repr(dynamics.friction)
        if dynamics.spring_stiffness:
            words |= {"stiffness": repr(dynamics.spring_stiffness), "springref": repr(dynamics.spring_reference)}
        return words

    def _follow(self, column: int) -> None:
        """Couple a follower with its leader, as a mimic or a gearbox does."""
        followers, dofs = self._kinematics.followers, self._kinematics.dofs
        leader = dofs[int(followers.sources[column])]
        names = self._joints[dofs[column].name], self._joints[leader.name]
        self._couple(*names, float(followers.offsets[column]), float(followers.gains[column]))

    def _close_loop(self, joint: Joint, X_RootP: Array) -> list[str]:
        """Hold the two ends of a joint that closes a loop together, and return the lines of a body that this needs.

        Equality constraints hold bodies in one point, in two, or altogether. For other types a body of its own hangs on
        the parent by this joint, and the child is welded to it.
        """
        model = self._model
        child = body_of(model, joint.child)
        if child not in self._bodies:
            self._lose(joint.row, "it closes a loop with something that is not a body; it is left out")
            return []
        parent = self._bodies.get(body_of(model, joint.parent), "world")
        names = {"body1": self._bodies[child], "body2": parent}
        X_CJ = transforms.invert(model.X_RootF[child]) @ model.X_RootF[joint.row]
        name = self._name("equality", model.names[joint.row])
        axes = [axis.xyz for axis in joint.axes[: _AXES_OF_LOOPS.get(joint.type, 0)]]
        if joint.type == "fixed":
            self._equalities.append(element("weld", {"name": name, **names}))
        elif joint.type == "ball":
            self._equalities.append(element("connect", {"name": name, **names, "anchor": _words(X_CJ[:3, 3].tolist())}))
        elif not axes or not all(np.isfinite(u).all() and u.any() for u in axes):
            why = "it has no axis" if joint.type in _AXES_OF_LOOPS else f"MJCF has no {joint.type} joint for loops"
            self._lose(joint.row, f"it closes a loop, and {why}; it is left out")
        elif joint.type in ("revolute", "continuous"):
            # Two points hold an axis.
            for label, anchor in ((name, X_CJ[:3, 3]), (f"{name}_axis", X_CJ[:3, 3] + 0.1 * (X_CJ[:3, :3] @ axes[0]))):
                self._equalities.append(element("connect", {"name": label, **names, "anchor": _words(anchor.tolist())}))
        else:
            between = self._name("body", model.names[joint.row])
            lines: list[str] = []
            for number in range(len(axes)):
                label = model.names[joint.row] + (f"[{number}]" if number else "")
                lines += self._axis_lines(joint, number, X_CJ, self._name("joint", label))
            self._equalities.append(element("weld", {"name": name, **names, "body2": between}))
            X_PC = transforms.invert(X_RootP) @ model.X_RootF[child]
            return element("body", {"name": between, **_pose(X_PC)}, lines + _least_inertial())
        return []

    # --- what is on a link -------------------------------------------------------------------------------------

    def _part(self, row: int, X_LF: Array) -> list[str]:
        kind = self._model.kinds[row]
        if not np.isfinite(X_LF).all():
            return []
        if kind is Kind.VISUAL:
            return self._visual(row, X_LF)
        if kind is Kind.COLLISION:
            collision = read_collision(self._model, row)
            friction = {"friction": _words((collision.surface.mu, 0.005, 0.0001))}
            no_mass = {"mass": "0"} if int(self._model.owners[row]) in self._massless else {}
            return self._geom(row, collision.geometry, X_LF, {"group": _COLLISION, **friction, **no_mass})
        if kind is Kind.LIGHT:
            return self._light(row, X_LF)
        if kind is Kind.SENSOR:
            return self._sensor(row, X_LF)
        return []

    def _visual(self, row: int, X_LF: Array) -> list[str]:
        model = self._model
        visual = read_visual(model, row)
        surface = surface_of(visual, model.document_of(row).path, self._finder)
        material: dict[str, str] = {}
        if surface.material is not None:
            r, g, b, a = surface.material.diffuse
            rgba = (round(r, 6), round(g, 6), round(b, 6), round(a * (1.0 - surface.transparency), 6))
            material["material"] = self._materials.setdefault(rgba, f"material_{len(self._materials)}")
        no_contact = {"contype": "0", "conaffinity": "0", "group": _VISUAL, "mass": "0"}
        return self._geom(row, visual.geometry, X_LF, {**no_contact, **material})

    def _geom(self, row: int, geometry: Geometry, X_LF: Array, more: dict[str, str]) -> list[str]:
        name = {"name": self._name("geom", self._model.names[row])}
        shape = _primitive(geometry)
        if isinstance(geometry, Plane) and self._moves(int(self._model.bodies[row])):
            self._lose(row, "MuJoCo has planes only on bodies that do not move; it is left out")
            return []
        if shape is None:
            written = self._add_mesh(geometry)
            if isinstance(written, str):
                self._lose(row, f"{written}; it is left out")
                return []
            key = (written.file, written.scale)
            mesh = self._meshes.get(key) or self._name("mesh", written.file.rpartition("/")[2].rpartition(".")[0])
            self._meshes[key] = mesh
            shape = {"type": "mesh", "mesh": mesh}
        if isinstance(geometry, Plane):
            X_LF = X_LF @ transforms.pose(_turned_to(geometry.normal), np.zeros(3))
        return element("geom", {**name, **shape, **_pose(X_LF), **more})

    def _light(self, row: int, X_LF: Array) -> list[str]:
        light = read_light(self._model, row)
        direction = X_LF[:3, :3] @ np.array(light.direction)
        words = {
            "name": self._name("light", self._model.names[row]),
            "pos": _words(X_LF[:3, 3].tolist()),
            "dir": _words(direction.tolist()),
            "diffuse": _words(light.diffuse[:3]),
            "specular": _words(light.specular[:3]),
            "castshadow": "true" if light.cast_shadows else "false",
        }
        if light.type == "directional":
            words["type"] = "directional"
        elif light.type == "spot":
            words |= {"type": "spot", "cutoff": repr(min(math.degrees(light.outer_angle) / 2, 90.0))}
        else:
            words["type"] = "point"
        return element("light", words)

    def _sensor(self, row: int, X_LF: Array) -> list[str]:
        sensor = read_sensor(self._model, row)
        if not sensor.cameras:
            self._lose(row, f"the sensor of type {sensor.type or 'none'} is left out")
            return []
        camera = sensor.cameras[0]
        X_LD = X_LF @ transforms.pose(_R_CAMERA, np.zeros(3))
        height = camera.height / max(camera.width, 1)
        fovy = math.degrees(2 * math.atan(math.tan(min(camera.horizontal_fov, 3.1) / 2) * height))
        name = self._name("camera", self._model.names[row])
        return element("camera", {"name": name, **_pose(X_LD), "fovy": repr(round(fovy, 6))})


def _least_inertial() -> list[str]:
    """Return the inertial of a body that has no mass."""
    moments = _words((LEAST_MOMENT,) * 3)
    return element("inertial", {"pos": "0 0 0", "mass": repr(_LEAST_MASS), "diaginertia": moments})


def _primitive(geometry: Geometry) -> dict[str, str] | None:
    """Return type and size of a shape that MuJoCo has, None where it must be a mesh."""
    size: Sequence[float] | None = None
    if isinstance(geometry, Box):
        size = [abs(edge) / 2 for edge in geometry.size]
    elif isinstance(geometry, Sphere):
        size = [abs(geometry.radius)]
    elif isinstance(geometry, Cylinder | Capsule):
        size = [abs(geometry.radius), abs(geometry.length) / 2]
    elif isinstance(geometry, Ellipsoid):
        size = [abs(radius) for radius in geometry.radii]
    elif isinstance(geometry, Plane):
        size = [geometry.size[0] / 2, geometry.size[1] / 2, 0.1]
    return None if size is None else {"type": geometry.kind, "size": _words(size)}


def _turned_to(normal: Sequence[float]) -> Array:
    """Return a rotation (3, 3) that turns +z to a direction."""
    n = np.array(normal, np.float64)
    n /= max(float(np.linalg.norm(n)), 1e-12)
    axis = np.cross([0.0, 0.0, 1.0], n)
    sine, cosine = float(np.linalg.norm(axis)), float(n[2])
    if sine < 1e-12:
        return np.eye(3) if cosine > 0 else np.diag([1.0, -1.0, -1.0])
    turned: Array = transforms.axis_angle_to_matrix(axis / sine, math.atan2(sine, cosine))
    return turned


def _words(values: Sequence[float]) -> str:
    return " ".join(repr(float(value) + 0.0) for value in values)


def _scale(scale: tuple[float, float, float]) -> dict[str, str]:
    return {} if scale == (1.0, 1.0, 1.0) else {"scale": _words(scale)}


def _pose(X: Array) -> dict[str, str]:
    """Return ``pos`` and ``quat`` of a pose (4, 4), nothing for the identity."""
    words: dict[str, str] = {}
    if X[:3, 3].any():
        words["pos"] = _words(X[:3, 3].tolist())
    if not np.array_equal(X[:3, :3], np.eye(3)):
        words["quat"] = _words(transforms.matrix_to_quaternion(X[:3, :3]).tolist())
    return words
