"""Write the robot of an MJCF file in SDFormat, each element with the element of the MJCF that it comes from.

Every body is a link, every site a frame; a body without a joint is fixed to the one that it is in. Of several joints of
one body all but the last carry links of their own, which weigh as good as nothing. A position of MuJoCo is that of
SDFormat and the joint's ``ref``: SDFormat's zero is where the file has the body.

Source: https://mujoco.readthedocs.io/en/stable/computation/index.html and .../XMLreference.html
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdfviewer.diagnostics import Message
from sdfviewer.formats.mjcf.bodies import BodyReader, MjcfBody, Part, joint_axis
from sdfviewer.formats.mjcf.geoms import BodyInertia, Geom, GeomReader, inertia_of, infers_inertia
from sdfviewer.formats.mjcf.nodes import Node, Reporter
from sdfviewer.formats.mjcf.spec import LEAST, MjcfValues
from sdfviewer.formats.mjcf.things import (
    GeomLook,
    MjcfMimic,
    MjcfOutput,
    camera_lines,
    light_lines,
    look_of,
    loops_of,
    mimics_of,
)
from sdfviewer.model.names import FreeNames, is_reserved
from sdfviewer.model.shapes import kind_of
from sdfviewer.model.shapes.kind import ONES, Geometry
from sdfviewer.transforms import Array
from sdfviewer.validation import format_rules as rules
from sdfviewer.versions import NEWEST, format_version

#: The mass in kg and the moments of inertia in kg m² of a link that has none: SDFormat's must be above zero.
NO_MASS, NO_MOMENT = 1e-10, 1e-13
#: How far apart a joint and the site of its name may be, in metres.
_SAME_PLACE = 1e-12
#: Groups from this one on MuJoCo's viewer does not show at first.
_HIDDEN_GROUP = 3


class SdformatWriter:
    """Writes a file that was read.

    Parameters
    ----------
    reader
        The bodies.
    geoms
        Reads the geoms.
    report
        Takes what is wrong, and what cannot be written.
    """

    def __init__(self, reader: BodyReader, geoms: GeomReader, report: Reporter) -> None:
        self._bodies = reader.bodies
        self._specs = reader.specs
        self._report = report
        self._not_converted: dict[str, list[Node]] = {}
        self.output = MjcfOutput()
        self._names = FreeNames(["world"])
        #: Names by MuJoCo's numbers: links of bodies (empty for the world without anything), joints, frames of sites.
        self.links: list[str] = []
        self.joints: list[str] = []
        self.sites: list[str] = []
        self._geoms = [
            [geoms.read(part, infers=infers_inertia(body, number)) for part in body.geoms]
            for number, body in enumerate(self._bodies)
        ]
        self._inertias = [inertia_of(body, self._geoms[number]) for number, body in enumerate(self._bodies)]
        self._scale_total()

    def _scale_total(self) -> None:
        """Scale all masses to the total that the file names."""
        wanted = self._bodies[0].spec.settings.total_mass
        total = sum(each.mass for each in self._inertias[1:])
        if wanted > 0 and total > LEAST:
            by = wanted / total
            self._inertias = [BodyInertia(each.mass * by, each.X_BI, each.matrix * by) for each in self._inertias]

    # --- names ---------------------------------------------------------------------------------------------------

    def _new_name(self, name: str) -> str:
        """Return a name that SDFormat accepts and nothing else has."""
        name = name.replace("::", "_").strip() or "unnamed"
        return self._names.new(name.strip("_") or "unnamed" if is_reserved(name) else name)

    def _give_names(self) -> None:
        world = self._bodies[0]
        # Lights alone make no link, which would keep the robot from being the root of a URDF.
        has_things = world.geoms or world.sites or world.cameras or len(self._bodies) == 1
        for number, body in enumerate(self._bodies):
            needs_link = number > 0 or has_things
            self.links.append(self._new_name(body.name if number else "worldbody") if needs_link else "")
        for number, body in enumerate(self._bodies):
            self.joints += [self._new_name(part.name or f"{self.links[number]}_joint") for part in body.joints]
        for number, body in enumerate(self._bodies):
            self.sites += [self._new_name(part.name or f"{self.links[number]}_site") for part in body.sites]

    # --- the model -----------------------------------------------------------------------------------------------

    def write(self) -> None:
        """Write the model."""
        output, root = self.output, self._bodies[0].spec.root
        self._give_names()
        self._mimics = mimics_of(self._specs, self._bodies, self.joints, self._lose, self._report)
        output.open(root, "sdf", {"version": format_version(NEWEST)})
        model = root.attributes.get("model", "").replace("::", "_").strip()
        stem = "" if root.document.path is None else root.document.path.stem
        name = model or stem or "model"
        output.open(root, "model", {"name": f"{name}_" if is_reserved(name) else name})
        joint = site = 0
        for number, body in enumerate(self._bodies):
            if not self.links[number]:
                for light in body.lights:
                    self._lose(light.node, "a light of the world around a robot")
                continue
            joint = self._write_body(number, body, joint)
            site = self._write_sites(number, body, site)
        for loop in loops_of(self._specs, self._bodies, self.links, self.sites, self._lose, self._report):
            output.open(loop.node, "joint", {"name": self._new_name(loop.name), "type": loop.type})
            output.leaf(loop.node, "parent", loop.parent)
            output.leaf(loop.node, "child", loop.child)
            output.pose(loop.node, loop.X_FJ, loop.relative_to)
            output.close("joint")
        output.close("model")
        output.close("sdf")
        self._note_sections()
        self._check_keys()
        for what, nodes in self._not_converted.items():
            self._report(rules.mjcf_not_converted, nodes[0], None, what, len(nodes))

    def _lose(self, node: Node, what: str) -> None:
        """Note that something is not converted; each kind is reported once."""
        self._not_converted.setdefault(what, []).append(node)

    def _check_keys(self) -> None:
        """Report keyframes with another number of positions than the joints have."""
        sizes = {"free": 7, "ball": 4}
        number = sum(sizes.get(part.values.word("type"), 1) for body in self._bodies for part in body.joints)
        for key in (each for section in self._bodies[0].spec.sections("keyframe") for each in section.children):
            found = len(MjcfValues(key, key.attributes).all_numbers("qpos"))
            if found not in (0, number) and not self._has_soft_bodies():
                self._report.refuse(key, f"qpos has {found} numbers, and the joints have {number} positions", "@qpos")

    def _has_soft_bodies(self) -> bool:
        return any(each.rule is rules.mjcf_not_read for each in self._report.findings)

    def _note_sections(self) -> None:
        for tag in ("tendon", "actuator", "sensor", "contact", "deformable", "keyframe", "custom", "extension"):
            for section in (each for spec, _, _ in self._specs for each in spec.sections(tag)):
                for child in section.children[:1]:
                    self._lose(section, f"<{section.tag}>, here with <{child.tag}>,")

    # --- bodies --------------------------------------------------------------------------------------------------

    def _write_body(self, number: int, body: MjcfBody, joint: int) -> int:
        """Write the link of a body and the joints that carry it; return the number of the next joint."""
        node, output, link = body.node, self.output, self.links[number]
        above = None if body.parent <= 0 else self.links[body.parent]
        parent = above or "world"
        joints = [(part, self.joints[joint + at]) for at, part in enumerate(body.joints)]
        joint += len(joints)
        moving = [(part, name) for part, name in joints if part.values.word("type") != "free"]
        is_free = len(moving) < len(joints)
        X_PB = body.X_PB
        for part, name in moving[:-1]:
            between = self._new_name(f"{name}_link")
            output.open(part.node, "link", {"name": between})
            output.pose(part.node, X_PB, above)
            self._write_inertial(part.node, BodyInertia(0.0, np.eye(4), np.zeros((3, 3))))
            output.close("link")
            self._write_joint(part, name, parent, between)
            above = parent = between
            X_PB = np.eye(4)
        output.open(node, "link", {"name": link})
        output.pose(node, X_PB, above)
        held = MjcfValues(node, node.attributes).number("gravcomp", 0.0)
        if held == 1.0:
            output.leaf(node, "gravity", "false")
        self._write_inertial(body.inertial or node, self._inertias[number])
        names = FreeNames()
        for geom in self._geoms[number]:
            self._write_geom(geom, names)
        for part in body.cameras:
            camera_lines(output, part, names.new(_inner_name(part)), self._lose)
        for part in body.lights:
            light_lines(output, part, names.new(_inner_name(part)), self._lose)
        output.close("link")
        for part, name in moving[-1:]:
            self._write_joint(part, name, parent, link, body.sites)
        if not joints:
            output.open(node, "joint", {"name": self._new_name(f"{link}_fixed"), "type": "fixed"})
            output.leaf(node, "parent", parent)
            output.leaf(node, "child", link)
            output.close("joint")
        inertia = self._inertias[number]
        is_massless = inertia.mass < LEAST or np.trace(inertia.matrix) < LEAST
        is_known = all(geom.is_weighed for geom in self._geoms[number])
        if (moving or is_free) and is_massless and is_known and not self._has_mass_below(number):
            self._report.refuse(
                node, Message(f"the body '{link}' moves and has no mass", "add an <inertial> or a geom")
            )
        if is_free and _aligns(joints[0][0]) and not any(each.parent == number for each in self._bodies):
            self._lose(node, "a frame that moves to the centre of mass of its body (align, alignfree)")
        if body.is_mocap:
            self._lose(node, "a body that is moved from outside (mocap), which is fixed here,")
        if held not in (0.0, 1.0):
            self._lose(node, "compensation of a part of gravity (gravcomp)")
        return joint

    def _has_mass_below(self, number: int) -> bool:
        """Return whether a body without joints that is fixed to a body has mass: then that one moves it, too."""
        fixed = {number}
        for at in range(number + 1, len(self._bodies)):
            if self._bodies[at].parent in fixed and not self._bodies[at].joints:
                if self._inertias[at].mass >= LEAST or not all(geom.is_weighed for geom in self._geoms[at]):
                    return True
                fixed.add(at)
        return False

    def _write_inertial(self, node: Node, inertia: BodyInertia) -> None:
        output = self.output
        mass, matrix = inertia.mass, inertia.matrix
        if mass <= 0:
            mass = NO_MASS
        if np.trace(matrix) <= 0:
            matrix = np.eye(3) * NO_MOMENT
        output.open(node, "inertial")
        output.pose(node, inertia.X_BI)
        output.numbers(node, "mass", mass)
        output.open(node, "inertia")
        for name, at in (
            ("ixx", (0, 0)),
            ("iyy", (1, 1)),
            ("izz", (2, 2)),
            ("ixy", (0, 1)),
            ("ixz", (0, 2)),
            ("iyz", (1, 2)),
        ):
            output.numbers(node, name, float(matrix[at]))
        output.close("inertia")
        output.close("inertial")

    def _write_sites(self, number: int, body: MjcfBody, site: int) -> int:
        for part in body.sites:
            X_BS = GeomReader.placed(part)
            self.output.open(part.node, "frame", {"name": self.sites[site], "attached_to": self.links[number]})
            self.output.pose(part.node, X_BS)
            self.output.close("frame")
            site += 1
        return site

    # --- joints --------------------------------------------------------------------------------------------------

    def _write_joint(self, part: Part, name: str, parent: str, child: str, sites: Sequence[Part] = ()) -> None:
        node, values, output = part.node, part.values, self.output
        kind = {"slide": "prismatic", "ball": "ball"}.get(values.word("type"), "revolute")
        limits = self._limits(part, kind)
        if kind == "revolute" and limits is None:
            kind = "continuous"
        output.open(node, "joint", {"name": name, "type": kind})
        output.leaf(node, "parent", parent)
        output.leaf(node, "child", child)
        X_BJ = self._joint_frame(part, sites)
        output.pose(node, X_BJ)
        if kind != "ball":
            output.open(node, "axis")
            output.numbers(node, "xyz", *(X_BJ[:3, :3].T @ joint_axis(part)).tolist())
            self._write_axis(part, kind, limits, self._mimics.get(name))
            output.close("axis")
        elif limits is not None:
            self._lose(node, "the limit of a ball joint")
        output.close("joint")
        for attribute, what in (
            ("armature", "the inertia of a rotor (armature)"),
            ("springdamper", "a spring that is given by its time constant (springdamper)"),
        ):
            if any(values.all_numbers(attribute)):
                self._lose(node, what)

    @staticmethod
    def _joint_frame(part: Part, sites: Sequence[Part]) -> Array:
        """Return the pose (4, 4) of a joint in its body.

        A joint of MuJoCo has a place and an axis only. A site with its name in its place gives it the other axes: so
        this program writes them.
        """
        X_BJ = np.eye(4)
        X_BJ[:3, 3] = (part.X_BF @ [*part.values.numbers("pos", (0.0, 0.0, 0.0)), 1.0])[:3]
        for site in (each for each in sites if each.name and each.name == part.name):
            X_BS = GeomReader.placed(site)
            if np.abs(X_BS[:3, 3] - X_BJ[:3, 3]).max() <= _SAME_PLACE:
                return X_BS
        return X_BJ

    def _write_axis(self, part: Part, kind: str, limits: tuple[float, float] | None, mimic: MjcfMimic | None) -> None:
        node, values, output = part.node, part.values, self.output
        effort = max(map(abs, values.numbers("actuatorfrcrange", (0.0, 0.0))))
        if limits is not None or effort:
            output.open(node, "limit")
            if limits is not None:
                output.numbers(node, "lower", limits[0])
                output.numbers(node, "upper", limits[1])
            if effort:
                output.numbers(node, "effort", effort)
            output.close("limit")
        damping, friction = (values.all_numbers(name) for name in ("damping", "frictionloss"))
        stiffness = values.all_numbers("stiffness")
        if any(damping[1:]) or any(stiffness[1:]):
            self._lose(node, "damping or stiffness that is no constant")
        if any((*damping[:1], *friction[:1], *stiffness[:1])):
            angle = part.spec.settings.radians if kind != "prismatic" else float
            rest = angle(values.number("springref", 0.0)) - angle(values.number("ref", 0.0))
            output.open(node, "dynamics")
            output.numbers(node, "damping", *damping[:1] or (0.0,))
            output.numbers(node, "friction", *friction[:1] or (0.0,))
            if any(stiffness[:1]):
                output.numbers(node, "spring_stiffness", stiffness[0])
                output.numbers(node, "spring_reference", rest)
            output.close("dynamics")
        if mimic is not None:
            output.open(mimic.node, "mimic", {"joint": mimic.leader})
            output.numbers(mimic.node, "multiplier", mimic.multiplier)
            output.numbers(mimic.node, "offset", mimic.offset)
            output.numbers(mimic.node, "reference", 0.0)
            output.close("mimic")

    def _limits(self, part: Part, kind: str) -> tuple[float, float] | None:
        """Return the limits of a joint from its position in the file, None where it has none."""
        values, settings = part.values, part.spec.settings
        lower, upper = values.numbers("range", (0.0, 0.0))
        limited = values.word("limited", "auto")
        if limited == "auto" and not settings.autolimits and (lower or upper):
            self._report.refuse(part.node, "it has a range, so limited must be 'true' or 'false' here", "@range")
        if limited == "false" or (limited != "true" and not (settings.autolimits and (lower or upper))):
            return None
        if kind == "ball":
            if lower:
                self._report.refuse(part.node, "the range of a ball joint begins with 0", "@range")
            return lower, upper
        if lower >= upper:
            self._report.refuse(part.node, "the first number of range is not below the second one", "@range")
            return None
        angle = settings.radians if kind == "revolute" else float
        zero = angle(values.number("ref", 0.0))
        return angle(lower) - zero, angle(upper) - zero

    # --- geoms ---------------------------------------------------------------------------------------------------

    def _write_geom(self, geom: Geom, names: FreeNames) -> None:
        if geom.geometry is None:
            return
        values = geom.part.values
        collides = bool(values.number("contype", 1.0) or values.number("conaffinity", 1.0))
        is_shown = values.number("group", 0.0) < _HIDDEN_GROUP or not collides
        name = _inner_name(geom.part)
        if is_shown:
            self._write_part(geom, "visual", names.new(name), geom.geometry)
        if collides:
            self._write_part(geom, "collision", names.new(f"{name}_collision" if is_shown else name), geom.geometry)

    def _write_part(self, geom: Geom, tag: str, name: str, geometry: Geometry) -> None:
        node, output = geom.part.node, self.output
        kind = kind_of(geometry)
        assert kind is not None  # every shape of a geom is one of them
        output.open(node, tag, {"name": name})
        output.pose(node, geom.X_BG)
        output.open(node, "geometry")
        output.open(node, kind.tag)
        for size in kind.sizes:
            value = getattr(geometry, size.path, None)
            if isinstance(value, str) and value:
                output.leaf(node, size.path, value)
            elif isinstance(value, (float, int, tuple)) and not isinstance(value, bool) and value != ONES:
                output.numbers(node, size.path, *(value if isinstance(value, tuple) else (value,)))
        output.close(kind.tag)
        output.close("geometry")
        if tag == "visual":
            self._write_look(node, look_of(geom.part))
        elif "friction" in geom.part.values:
            sliding, turning, _ = geom.part.values.numbers("friction", (1.0, 0.005, 0.0001))
            for each in ("surface", "friction", "ode"):
                output.open(node, each)
            output.numbers(node, "mu", sliding)
            output.numbers(node, "mu2", sliding)
            output.close("ode")
            output.open(node, "torsional")
            output.numbers(node, "coefficient", turning)
            for each in ("torsional", "friction", "surface"):
                output.close(each)
        output.close(tag)

    def _write_look(self, node: Node, look: GeomLook) -> None:
        output = self.output
        output.open(node, "material")
        output.numbers(node, "ambient", *look.rgba)
        output.numbers(node, "diffuse", *look.rgba)
        if look.emission:
            output.numbers(node, "emissive", *(min(1.0, each * look.emission) for each in look.rgba[:3]), look.rgba[3])
        if look.texture:
            output.open(node, "pbr")
            output.open(node, "metal")
            output.leaf(node, "albedo_map", look.texture)
            output.close("metal")
            output.close("pbr")
        output.close("material")


def _aligns(free: Part) -> bool:
    """Return whether MuJoCo moves the frame of a body with this free joint to its centre of mass, if none is in it."""
    aligns = free.node.attributes.get("align", "auto")
    return free.spec.settings.alignfree if aligns == "auto" else aligns == "true"


def _inner_name(part: Part) -> str:
    """Return the name of a thing on a link."""
    return (part.name or part.values.word("mesh")).replace("::", "_").strip() or part.node.tag
