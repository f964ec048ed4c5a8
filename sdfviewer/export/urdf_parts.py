"""What hangs on a link, written in URDF: inertia, shapes, colours, and SDFormat's own things in ``<gazebo>``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.element import Element
from sdfviewer.export.xml_lines import element
from sdfviewer.semantics import Kind, Model
from sdfviewer.semantics.urdf.reading import SHAPES, read_inertial
from sdfviewer.semantics.values import format_number, parse_bool, parse_numbers, read_number, read_pose
from sdfviewer.transforms import Array

#: Says that something of a row is not carried over.
Tell = Callable[[int, str], None]

_MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_IN_GAZEBO = (Kind.SENSOR, Kind.LIGHT, Kind.PROJECTOR)


def origin(X: Array | None, raw: tuple[float, ...] | None = None) -> list[str]:
    """Return the line of an ``<origin>`` at X (4, 4), or with numbers as they are written; none for the identity."""
    values = raw if raw is not None else tuple(transforms.matrix_to_pose(np.eye(4) if X is None else X).tolist())
    words = [format_number(value) for value in values]
    if all(word in ("0", "-0") for word in words):
        return []
    return element("origin", {"xyz": " ".join(words[:3]), "rpy": " ".join(words[3:])})


def link_content(model: Model, row: int, tell: Tell) -> list[str]:
    """Return the lines inside a ``<link>``: inertial, visuals, collisions."""
    is_urdf = model.elements[row].find("inertial") is not None and _is_urdf(model, row)
    lines = _urdf_inertial(model.elements[row]) if is_urdf else _inertial(model, row, tell)
    for part in _parts(model, row, (Kind.VISUAL, Kind.COLLISION)):
        lines += _part(model, row, part, tell)
    return lines


def _is_urdf(model: Model, row: int) -> bool:
    root = model.document_of(row).root
    return root is not None and root.tag == "robot"


def _parts(model: Model, link: int, kinds: tuple[Kind, ...]) -> list[int]:
    return [row for row in np.flatnonzero(model.owners == link).tolist() if model.kinds[row] in kinds]


def _pose_in(model: Model, link: int, row: int) -> Array:
    pose: Array = transforms.invert(model.X_RootF[link]) @ model.X_RootF[row]
    return pose


def _raw_in(model: Model, link: int, row: int) -> tuple[float, ...] | None:
    """Return the numbers of a pose as written where they are measured from the link already."""
    measured_from_link = model.relative_to[row] == link and row not in model.scope.exact_poses
    return model.scope.raw_poses[row] if measured_from_link else None


def _inertial(model: Model, row: int, tell: Tell) -> list[str]:
    written = model.elements[row].find("inertial")
    if written is None:
        return []
    if parse_bool(written.attributes.get("auto", "")):
        tell(row, "its inertia is computed from its collisions, which URDF cannot say; none is written")
        return []
    inertia = written.find("inertia")
    moments = {name: read_number(inertia, name, 1.0 if name[1] == name[2] else 0.0) for name in _MOMENTS}
    pose = read_pose(written, model.version)
    return _inertial_lines(pose.exact, pose.raw, read_number(written, "mass", 1.0), moments)


def _urdf_inertial(link: Element) -> list[str]:
    written = read_inertial(link)
    if written is None:
        return []
    ixx, iyy, izz, ixy, ixz, iyz = written.moments
    moments = {"ixx": ixx, "ixy": ixy, "ixz": ixz, "iyy": iyy, "iyz": iyz, "izz": izz}
    return _inertial_lines(None, written.origin, written.mass, moments)


def _inertial_lines(X: Array | None, raw: tuple[float, ...], mass: float, moments: dict[str, float]) -> list[str]:
    where = origin(X) if X is not None else origin(None, raw)
    # A moment of inertia may be smaller than what counts as noise in a pose.
    texts = {name: repr(value) for name, value in moments.items()}
    return element("inertial", None, [*where, *element("mass", {"value": repr(mass)}), *element("inertia", texts)])


def _part(model: Model, link: int, row: int, tell: Tell) -> list[str]:
    written = model.elements[row]
    geometry = written.find("geometry")
    shape = geometry.children[0] if geometry is not None and geometry.children else None
    if shape is None or shape.tag not in SHAPES:
        what = "is empty" if shape is None else f"is a {shape.tag}"
        tell(row, f"its geometry {what}, which URDF does not have; it is left out")
        return []
    X_LF = _pose_in(model, link, row)
    colour = _material(model, row) if model.kinds[row] is Kind.VISUAL else []
    name = written.attributes.get("name", "")

    def part(suffix: str, where: list[str], lines: list[str]) -> list[str]:
        names = {"name": name + suffix} if name else {}
        return element(str(model.kinds[row]), names, [*where, *element("geometry", None, lines), *colour])

    where = origin(X_LF, _raw_in(model, link, row))
    if shape.tag != "capsule":
        return part("", where, _shape(shape))
    # Few programs read a capsule: it is a cylinder with a sphere at either end.
    values = {key: _value(shape, key) for key in ("radius", "length")}
    half = (parse_numbers(values["length"]) or (1.0,))[0] / 2
    lines = part("", where, element("cylinder", values))
    for suffix, z in (("_top", half), ("_bottom", -half)):
        X_FE = transforms.pose(np.eye(3), np.array([0.0, 0.0, z]))
        lines += part(suffix, origin(X_LF @ X_FE), element("sphere", {"radius": values["radius"]}))
    return lines


def _value(shape: Element, name: str) -> str:
    """Return the numbers of a shape, which SDFormat writes as children and URDF as attributes."""
    defaults = {"size": "1 1 1", "radius": "1", "length": "1"}
    return " ".join((shape.text_of(name) or shape.attributes.get(name, defaults[name])).split())


def _shape(shape: Element) -> list[str]:
    """Return the line of a shape that URDF has."""
    if shape.tag != "mesh":
        return element(shape.tag, {name: _value(shape, name) for name in SHAPES[shape.tag]})
    uri = shape.text_of("uri") or shape.attributes.get("filename", "")
    attributes = {"filename": "package://" + uri[8:] if uri.startswith("model://") else uri}
    scale = shape.text_of("scale") or shape.attributes.get("scale", "")
    if scale and parse_numbers(scale) != (1.0, 1.0, 1.0):
        attributes["scale"] = " ".join(scale.split())
    return element("mesh", attributes)


def _material(model: Model, row: int) -> list[str]:
    written = model.elements[row].find("material")
    if written is None:
        return []
    name = written.attributes.get("name", "")
    if name or written.find("color") is not None:  # a URDF's own
        content = []
        for child in written.findall("color", "texture"):
            content += element(child.tag, child.attributes)
        return element("material", {"name": name}, content)
    diffuse = parse_numbers(written.text_of("diffuse") or written.text_of("ambient"))
    if not diffuse or len(diffuse) not in (3, 4):
        return []
    rgba = " ".join(format_number(value) for value in (*diffuse, 1.0)[:4])
    # Names of materials are those of the whole robot.
    name = model.names[row].partition("::")[2].replace("::", "__")
    return element("material", {"name": name}, element("color", {"rgba": rgba}))


def gazebo_content(model: Model, row: int, tell: Tell) -> list[str]:
    """Return the lines of the sensors, lights and projectors on a link, as they are written, for a ``<gazebo>``."""
    lines: list[str] = []
    for part in _parts(model, row, _IN_GAZEBO):
        if model.relative_to_written[part] is not None:
            tell(part, "its pose names a frame, which URDF cannot say; it is left out")
            continue
        document = model.document_of(part)
        first, last = document.offsets(model.elements[part], "element")
        lines += dedented(document.text[first:last])
    return lines


def dedented(source: str) -> list[str]:
    """Return the lines of an element's source, those after the first with their common blanks removed."""
    first, *others = source.splitlines()
    blanks = min((len(line) - len(line.lstrip()) for line in others if line.strip()), default=0)
    return [first, *(line[blanks:] for line in others)]
