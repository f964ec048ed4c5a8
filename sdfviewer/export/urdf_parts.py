"""The contents of links in URDF: inertia, shapes and colours."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.element import Element
from sdfviewer.document.topics import LEFT_OUT, MOVED, Aspect, Topic
from sdfviewer.export.writing import AddMesh, Obstacle, element, possible_colour, possible_moment, unread_colour
from sdfviewer.formats.contents import read_collision, read_dynamics, read_limits, read_visual
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.formats.sdformat.contents import read_material
from sdfviewer.formats.urdf.contents import materials_of
from sdfviewer.formats.urdf.format import robot_of
from sdfviewer.formats.urdf.reading import read_inertial
from sdfviewer.formats.urdf.robot import takes_options
from sdfviewer.formats.urdf.values import WITH_QUATERNIONS, UrdfVersion, urdf_version_of
from sdfviewer.model.comparison.difference import topics_of
from sdfviewer.model.contents import Moments
from sdfviewer.model.joints import Axis, Joint
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.tree import GROUND, body_of, gearbox_line
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import URDF_SHAPES
from sdfviewer.model.shapes.kind import Geometry, Primitive
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.model.values import (
    IDENTITY,
    format_number,
    format_numbers,
    parse_numbers,
)
from sdfviewer.number_text import counted
from sdfviewer.refactoring.properties.property_values import shape_of
from sdfviewer.transforms import Array

#: What the colour of a URDF is called.
COLOURS = Topic(Aspect.APPEARANCE, r"material(\.(diffuse|ambient))?")


class Tell(Protocol):
    """Says that something of a row is not carried over, or is written otherwise."""

    def __call__(self, row: int, message: str, /, *topics: Topic, obstacle: Obstacle = ...) -> None:
        """Say it, and what of the row may differ therefore."""
        ...


def origin(X: Array | None, raw: tuple[float, ...] | None = None, *, quaternion: bool = False) -> list[str]:
    """Return the line of an ``<origin>`` at X (4, 4), or with numbers as they are written; none for the identity.

    With ``quaternion`` the rotation of X is written as ``quat_xyzw``, which URDF has since 1.1.
    """
    if quaternion and X is not None:
        w, x, y, z = transforms.matrix_to_quaternion(X[:3, :3]).tolist()
        return element("origin", {"xyz": format_numbers(X[:3, 3].tolist()), "quat_xyzw": format_numbers((x, y, z, w))})
    values = raw if raw is not None else tuple(transforms.written_numbers_of(np.eye(4) if X is None else X))
    words = [format_number(value) for value in values]
    if all(word in ("0", "-0") for word in words):
        return []
    return element("origin", {"xyz": " ".join(words[:3]), "rpy": " ".join(words[3:])})


def urdf_links(model: Model) -> set[int]:
    """Return the rows of the links that are written in URDF, which those in a ``<gazebo>`` of a robot are not."""
    robot = robot_of(model.document_of(0))
    of_robot = {id(child) for child in robot.children} if robot is not None else set()
    return {row for row, each in enumerate(model.elements) if model.kinds[row] is Kind.LINK and id(each) in of_robot}


def link_content(
    model: Model,
    row: int,
    version: UrdfVersion,
    tell: Tell,
    add_mesh: AddMesh | None,
    *,
    is_urdf: bool,
    prefixes: Mapping[Kind, str],
    parts: list[int],
) -> list[str]:
    """Return the lines inside a ``<link>``: inertial, visuals, collisions, in a version of URDF.

    With ``add_mesh`` meshes are those of a bundle, and so are shapes that URDF does not have; moments of inertia are
    such that every program reads them. ``is_urdf`` says that the link itself is written in URDF. ``prefixes``
    are what the names of parts begin with that take something from ``<gazebo>``. The row of each visual and collision
    is added to ``parts`` in the order in which they are written, -1 for a further shape of the one before.
    """
    possible = add_mesh is not None
    if is_urdf:
        lines = _urdf_inertial(model, row, version, tell, possible=possible)
    else:
        lines = _inertial(model, row, tell, possible=possible)
    for part in model.rows_in(row, *SHAPED):
        name = model.elements[part].attributes.get("name", "")
        prefix = prefixes.get(model.kinds[part], "")
        name = name if takes_options(name, prefix) else f"{prefix}_{name}"
        written = _part(model, row, part, name, version, tell, add_mesh)
        lines += [line for each in written for line in each]
        parts += [part if number == 0 else -1 for number in range(len(written))]
    return lines


def _pose_in(model: Model, link: int, row: int) -> Array:
    pose: Array = transforms.invert(model.X_RootF[link]) @ model.X_RootF[row]
    return pose


def _raw_in(model: Model, link: int, row: int) -> tuple[float, ...] | None:
    """Return the numbers of a pose as written where they are measured from the link already."""
    measured_from_link = model.relative_to[row] == link and row not in model.scope.exact_poses
    return model.scope.raw_poses[row] if measured_from_link else None


def _inertial(model: Model, row: int, tell: Tell, *, possible: bool) -> list[str]:
    """Return the lines of the inertia of a link of SDFormat, which weighs 1 kg where it says nothing."""
    inertial = resolve_inertial(model, row)
    if inertial is None:
        tell(row, "its inertia cannot be computed from its collisions; none is written", Topic(Aspect.MASS))
        return []
    moments = _moments(inertial.moments, row, tell, possible=possible and inertial.mass > 0)
    is_quaternion = inertial.raw is None
    return _inertial_lines(inertial.X_LI if is_quaternion else None, inertial.raw or IDENTITY, inertial.mass, moments)


def _urdf_inertial(model: Model, row: int, version: UrdfVersion, tell: Tell, *, possible: bool) -> list[str]:
    robot = robot_of(model.document_of(row))
    assert robot is not None
    written = read_inertial(model.elements[row], urdf_version_of(robot))
    if written is None or (written.mass == 0.0 and not any(written.moments)):
        return []  # which means the same, and is refused by some
    moments = _moments(written.moments, row, tell, possible=possible and written.mass > 0)
    X = written.origin.exact
    return _inertial_lines(X, written.origin.raw, written.mass, moments, version >= WITH_QUATERNIONS)


def _moments(moments: Moments, row: int, tell: Tell, *, possible: bool) -> dict[str, float]:
    """Return moments of inertia by name; if asked, those that no body can have are replaced: MuJoCo refuses them."""
    xx, yy, zz, xy, xz, yz = moments
    if possible:
        replaced = possible_moment(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
        if replaced is not None:
            moment, why = replaced
            tell(row, why, Topic(Aspect.MASS, "inertia"))
            xx = yy = zz = moment
            xy = xz = yz = 0.0
    return {"ixx": xx, "ixy": xy, "ixz": xz, "iyy": yy, "iyz": yz, "izz": zz}


def _inertial_lines(
    X: Array | None, raw: tuple[float, ...], mass: float, moments: dict[str, float], quaternion: bool = False
) -> list[str]:
    where = origin(X, quaternion=quaternion) if X is not None else origin(None, raw)
    # A moment of inertia may be smaller than what counts as noise in a pose.
    texts = {name: repr(value) for name, value in moments.items()}
    return element("inertial", None, [*where, *element("mass", {"value": repr(mass)}), *element("inertia", texts)])


def _part(
    model: Model, link: int, row: int, name: str, version: UrdfVersion, tell: Tell, add_mesh: AddMesh | None
) -> list[list[str]]:
    """Return the lines of each shape that represents a visual or collision: several for a capsule, none if lost."""
    is_visual = model.kinds[row] is Kind.VISUAL
    shape = (read_visual if is_visual else read_collision)(model, row).geometry
    kind = URDF_SHAPES.get(shape.kind)
    tag = shape_of(model, row)
    bundled: list[str] | None = None
    if add_mesh is not None and tag and not isinstance(kind, Primitive):
        written_mesh = add_mesh(shape)
        if isinstance(written_mesh, str):
            tell(row, f"{written_mesh}; it is left out", *LEFT_OUT)
            return []
        scale = {} if written_mesh.scale == (1.0, 1.0, 1.0) else {"scale": format_numbers(written_mesh.scale)}
        bundled = element("mesh", {"filename": written_mesh.file, **scale})
    elif kind is None or (isinstance(shape, Mesh) and not shape.uri):
        unknown = f"its geometry is {f'a {tag}' if tag else 'empty'}, which URDF does not have"
        tell(row, f"{unknown if kind is None else 'its mesh names no file'}; it is left out", *LEFT_OUT)
        return []
    if isinstance(shape, Mesh) and bundled is None and (shape.submesh or shape.center):
        what = f"'{shape.submesh}' alone" if shape.submesh else "its middle at the origin"
        why = f"its mesh is shown with {what}, which URDF does not support: the whole mesh is written as it is"
        tell(row, why, Topic(Aspect.SHAPE, r"geometry\.(submesh|center)"))
    X_LF = _pose_in(model, link, row)
    colour = _material(model, row, tell) if is_visual else []

    def part(suffix: str, where: list[str], lines: list[str]) -> list[str]:
        names = {"name": name + suffix} if name else {}
        return element(str(model.kinds[row]), names, [*where, *element("geometry", None, lines), *colour])

    is_quaternion = version >= WITH_QUATERNIONS and row in model.scope.exact_poses
    where = origin(X_LF, _raw_in(model, link, row), quaternion=is_quaternion)
    if bundled is not None:
        return [part("", where, bundled)]
    if isinstance(shape, Mesh):
        return [part("", where, _mesh(shape))]
    assert isinstance(kind, Primitive)
    values = {name: _value(shape, name) for name in kind.defaults}
    if kind.is_in_urdf(version):
        return [part("", where, element(kind.tag, values))]
    lines: list[list[str]] = []
    older = kind.in_older_urdf(values)
    counts = Counter(each.tag for each in older)
    described = " and ".join(f"a {name}" if count == 1 else counted(count, name) for name, count in counts.items())
    message = f"its {kind.tag} is written as {described}"
    tell(row, message, Topic(Aspect.SHAPE), *MOVED, obstacle=Obstacle.REWRITTEN)
    for each in older:
        X_LE = X_LF @ transforms.pose(np.eye(3), np.array([0.0, 0.0, each.z]))
        lines.append(part(each.suffix, where if each.z == 0.0 else origin(X_LE), element(each.tag, each.values)))
    return lines


def _value(shape: Geometry, name: str) -> str:
    """Return the numbers of a shape: as written where they count, in SDFormat as a child, in URDF as an attribute."""
    value = getattr(shape, name)
    numbers = value if isinstance(value, tuple) else (value,)
    written = "" if shape.element is None else shape.element.text_of(name) or shape.element.attributes.get(name, "")
    return " ".join(written.split()) if parse_numbers(written) == numbers else format_numbers(numbers)


def _mesh(shape: Mesh) -> list[str]:
    uri = shape.uri
    attributes = {"filename": "package://" + uri[8:] if uri.startswith("model://") else uri}
    if shape.scale != (1.0, 1.0, 1.0):
        attributes["scale"] = _value(shape, "scale")
    return element("mesh", attributes)


def _material(model: Model, row: int, tell: Tell) -> list[str]:
    written = model.elements[row].find("material")
    if written is None:
        return []
    if why := unread_colour(_defined(model, row, written)):
        tell(row, f"{why}; it is left out", *topics_of(Kind.VISUAL, ["material"]))
    name = written.attributes.get("name", "")
    if name or written.find("color") is not None:  # a URDF's own
        content = []
        defined = _defined(model, row, written)
        for child in defined.findall("color", "texture"):
            if child.tag == "texture":
                content += element(child.tag, child.attributes)
            elif not why:
                content += element(child.tag, {"rgba": _rgba(row, child.attributes.get("rgba", ""), tell)})
        return element("material", {"name": name}, content) if content or not why else []
    material = read_material(written)
    colour = material.diffuse or material.ambient
    if colour is None:
        return []
    if material.diffuse is None:
        why = "it has an ambient colour alone, which becomes the one colour of a URDF"
        tell(row, why, COLOURS, obstacle=Obstacle.REWRITTEN)
    # Names of materials are those of the whole robot.
    name = model.names[row].partition("::")[2].replace("::", "__")
    return element("material", {"name": name}, element("color", {"rgba": format_numbers(colour)}))


def _rgba(row: int, written: str, tell: Tell) -> str:
    """Return a colour of a URDF as it is written, with each number from 0 to 1, as urdfdom requires."""
    words, why = possible_colour(written)
    if why is None:
        return written
    tell(row, why, COLOURS)
    return words


def _defined(model: Model, row: int, material: Element) -> Element:
    """Return the material of a URDF that a name means: itself where it has a colour, else one of its name."""
    robot = robot_of(model.document_of(row))
    return material if robot is None else materials_of(robot).meant(material) or material


def copies(model: Model, row: int, elements: Sequence[Element]) -> list[str]:
    """Return the lines of elements as they are written."""
    document, lines = model.document_of(row), []
    for each in elements:
        first, last = document.offsets(each, "element")
        lines += dedented(document.text[first:last])
    return lines


def dedented(source: str) -> list[str]:
    """Return the lines of an element's source, those after the first with their common blanks removed."""
    first, *others = source.splitlines()
    blanks = min((len(line) - len(line.lstrip()) for line in others if line.strip()), default=0)
    return [first, *(line[blanks:] for line in others)]


#: What a joint of a type has beside its axes, as text that is the same in every version of SDFormat.
_EXTRAS = ("gearbox_ratio", "thread_pitch", "screw_thread_pitch")


def gazebo_joint(model: Model, joint: Joint, names: Mapping[int, str]) -> list[str] | None:
    """Return a joint inside ``<gazebo>``, with its pose in its child link; None where an end is no link of the URDF.

    Parameters
    ----------
    model, joint
        The joint in SDFormat.
    names
        The URDF's names of links and joints by row.
    """
    parent, child = body_of(model, joint.parent), body_of(model, joint.child)
    if child not in names or (parent != GROUND and parent not in names):
        return None
    X_CJ = transforms.invert(model.X_RootF[child]) @ model.X_RootF[joint.row]
    if not np.isfinite(X_CJ).all():
        return None
    numbers = " ".join(format_number(value) for value in transforms.written_numbers_of(X_CJ))
    # A link that is merged into another one is a frame there, so the frame is named.
    lines = element("pose", {"relative_to": names[child]}, numbers)
    lines += element("parent", None, "world" if parent == GROUND else names[parent])
    lines += element("child", None, names[child])
    for tag, axis in zip(("axis", "axis2"), joint.axes, strict=False):
        lines += element(tag, None, _axis(model, joint, axis))
    written = model.elements[joint.row]
    for tag in _EXTRAS:
        if text := written.text_of(tag):
            lines += element(tag, None, text)
    if reference := written.text_of("gearbox_reference_body"):
        scope = int(model.scopes[joint.row])
        row = model.find(scope, reference)
        lines += element("gearbox_reference_body", None, reference if row is None else names.get(row, reference))
    lines += copies(model, joint.row, written.findall("physics", "sensor"))
    return element("gazebo", None, element("joint", {"name": names[joint.row], "type": joint.type}, lines))


def _axis(model: Model, joint: Joint, axis: Axis) -> list[str]:
    lines = element("xyz", None, " ".join(format_number(value) for value in axis.xyz.tolist()))
    limits, dynamics = read_limits(model, joint.row, axis), read_dynamics(model, joint.row, axis)
    values = {"lower": axis.lower, "upper": axis.upper, "effort": limits.effort, "velocity": limits.velocity}
    known = [line for tag, value in values.items() if math.isfinite(value) for line in _number(tag, value)]
    lines += element("limit", None, known) if known else []
    values = {
        "damping": dynamics.damping,
        "friction": dynamics.friction,
        "spring_reference": dynamics.spring_reference,
        "spring_stiffness": dynamics.spring_stiffness,
    }
    known = [line for tag, value in values.items() if value for line in _number(tag, value)]
    return lines + (element("dynamics", None, known) if known else [])


def _number(tag: str, value: float) -> list[str]:
    return element(tag, None, format_number(value))


def geared_joint(kinematics: Kinematics, model: Model, gearbox: Joint) -> int | None:
    """Return the row of the joint that follows another one because of a gearbox, None where the gearbox moves none."""
    line = gearbox_line(model, kinematics.forest, gearbox)
    if line is None:
        return None
    row, number = line[0]
    followed = (dof for dof in kinematics.dofs if (dof.joint.row, dof.axis) == (row, number))
    return row if any(dof.leader is not None for dof in followed) else None
