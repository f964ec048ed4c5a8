"""New parts in one step: a link with its shapes, inertia and joint, a visual with its collision; and their shapes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit, in_steps, insert_child
from sdfviewer.formats.contents import read_shape
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes import PRIMITIVES, kind_of, read_geometry
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.model.shapes.sphere import Sphere
from sdfviewer.model.solids import Body, solid_body
from sdfviewer.model.values import format_number, parse_numbers
from sdfviewer.number_expression import parse_number
from sdfviewer.refactoring.adding import (
    MODEL_FRAME,
    adding_label,
    carrying_link,
    free_name,
    in_words_of_file,
    insert_member,
    is_robot,
    name_of_new,
    require_free_name,
    require_place,
    require_targets,
)
from sdfviewer.refactoring.editable import RefactoringError, require_editable
from sdfviewer.refactoring.inertia import WATER, inertial_fields, require_positive
from sdfviewer.refactoring.new_elements import element_lines
from sdfviewer.transforms import invert, pose_to_matrix
from sdfviewer.versions import FRAME_SEMANTICS

_USUAL = 0.1
"""Metres across a shape of the usual size."""
_DIGITS = 6


@dataclass(frozen=True)
class NewShape:
    """A primitive shape as it is to be written.

    Attributes
    ----------
    shape
        Its tag, one of :data:`~sdfviewer.model.shapes.PRIMITIVES`.
    sizes
        The texts of its children by tag, in the order in which they are written.
    """

    shape: str
    sizes: Mapping[str, str]

    @staticmethod
    def usual(shape: str, size: float = _USUAL) -> NewShape:
        """Return a shape of some metres across."""
        sizes, units = {each.path: each.new for each in PRIMITIVES[shape].sizes}, _units(shape)
        factor = 1.0 if size == _USUAL else size / _USUAL
        for tag, text in sizes.items():
            if units[tag]:
                numbers = (round(float(word) * factor, _DIGITS) for word in text.split())
                sizes[tag] = " ".join(map(format_number, numbers))
        return NewShape(shape, sizes)

    @staticmethod
    def of(geometry: str | Geometry | NewShape | NewMesh) -> NewShape | NewMesh:
        """Return what is to be written for a shape that is given by a name, by a record or as it is typed.

        Raises
        ------
        RefactoringError
            If it is neither a primitive shape nor a mesh, or a size is not positive.
        """
        if isinstance(geometry, (NewShape, NewMesh)):
            return geometry
        tag = geometry if isinstance(geometry, str) else geometry.kind
        if isinstance(geometry, Mesh):
            return NewMesh("mesh", geometry.uri, geometry.scale[0])
        if tag not in PRIMITIVES:
            raise RefactoringError(f"a link cannot have the shape '{tag}' from the start: use {', '.join(PRIMITIVES)}")
        shape = NewShape.usual(tag)
        if isinstance(geometry, str):
            return shape
        sizes = {path: np.ravel(getattr(geometry, path)).tolist() for path in shape.sizes}
        return shape.with_typed({path: " ".join(map(format_number, each)) for path, each in sizes.items()})

    def with_typed(self, typed: Mapping[str, str]) -> NewShape:
        """Return the shape with sizes that somebody typed, with their expressions and units evaluated.

        Raises
        ------
        RefactoringError
            If a size is not made of as many positive numbers as it needs.
        """
        sizes, units = dict(self.sizes), _units(self.shape)
        for tag, text in typed.items():
            if tag not in sizes:
                continue
            words, count = text.replace(",", " ").split(), len(sizes[tag].split())
            if len(words) != count:
                raise RefactoringError(f"{tag} needs {count} number{'s' if count > 1 else ''}")
            try:
                numbers = [parse_number(word, units[tag]) for word in words]
            except ValueError as error:
                raise RefactoringError(f"{tag}: {str(error).removesuffix('.')}") from None
            if units[tag] and min(numbers) <= 0:
                raise RefactoringError(f"{tag} must be positive")
            sizes[tag] = " ".join(map(format_number, numbers))
        return NewShape(self.shape, sizes)

    @property
    def name(self) -> str:
        """What a visual with this shape is called."""
        return self.shape

    @property
    def fields(self) -> dict[str, str]:
        """What :func:`~sdfviewer.refactoring.adding.insert_member` needs for a visual or collision."""
        return {"shape": self.shape, "dimensions": self.content}

    @property
    def content(self) -> str:
        """The lines in the element of the shape."""
        return "\n".join(f"<{tag}>{text}</{tag}>" for tag, text in self.sizes.items())

    @property
    def geometry(self) -> Geometry:
        """The shape as the model has it."""
        text = f"<visual><geometry><{self.shape}>{self.content}</{self.shape}></geometry></visual>"
        root = parse_document(text).root
        assert root is not None
        return read_geometry(root)

    @property
    def height_above_bottom(self) -> float:
        """How far its origin is above its lowest point, in metres: what it rests on is there."""
        return PRIMITIVES[self.shape].half_height(self.geometry)


def _units(shape: str) -> Mapping[str, str]:
    """Return the units of sizes by their tags; a direction has none."""
    return {size.path: size.unit for size in PRIMITIVES[shape].sizes}


@dataclass(frozen=True)
class NewMesh:
    """A mesh file as it is to be written.

    Attributes
    ----------
    name
        What a visual with it is called.
    uri
        The file.
    scale
        Metres of one of its units.
    """

    name: str
    uri: str
    scale: float = 1.0

    @property
    def fields(self) -> dict[str, str]:
        """What :func:`~sdfviewer.refactoring.adding.insert_member` needs for a visual or collision."""
        scale = "" if self.scale == 1.0 else " ".join([format_number(self.scale)] * 3)
        return {"shape": "mesh", "uri": self.uri, "scale": scale}


#: Types of joints about which a link turns without end.
ENDLESS = ("continuous", "ball")


@dataclass(frozen=True)
class NewSolid:
    """The shape and the mass of a link that is added.

    Attributes
    ----------
    shape
        Its visual and its collision; None where it has a mass only.
    pose
        Six numbers: where they are in the link; empty at its origin.
    density
        In kg/m³, for the inertial.
    mass
        In kg, in place of what the density gives. The inertia is that of a ball where the shape has no volume.
    color
        Of its visual: red, green, blue and opacity between 0 and 1; empty for the usual one.
    """

    shape: NewShape | NewMesh | None
    pose: str = ""
    density: float = WATER
    mass: float | None = None
    color: str = ""


@dataclass(frozen=True)
class NewJoint:
    """The joint that carries a link that is added.

    Attributes
    ----------
    name, type, parent
        As they are written.
    fields
        ``axis``, ``lower``, ``upper``, ``effort`` and ``velocity``, as :func:`insert_member` takes them.
    """

    name: str
    type: str
    parent: str
    fields: dict[str, str]


def insert_link(
    model: Model,
    owner: int,
    name: str,
    *,
    pose: str = "",
    relative_to: str = "",
    solid: NewSolid | None = None,
    joint: NewJoint | None = None,
) -> Edit:
    """Return the edit that adds a link with what belongs to it.

    Parameters
    ----------
    pose, relative_to
        Of the joint where there is one, in its parent by default: the link is at the joint then.
    solid
        Its visual, its collision and the inertial computed from them.
    joint
        What carries it.

    Raises
    ------
    RefactoringError
        If it cannot be added there, or a name or a field cannot be used.
    """
    notes: tuple[str, ...] = ()
    if joint is None and is_robot(model, owner) and any(kind is Kind.LINK for kind in model.kinds):
        joint = NewJoint(free_name(model, owner, f"{name}_joint"), "fixed", carrying_link(model, None), {})
        notes = (f"A URDF is one tree of links: the fixed joint '{joint.name}' connects '{name}' to '{joint.parent}'",)
    elif joint is None and is_robot(model, owner):
        pose = relative_to = ""  # the first link is where the robot begins
    if joint is None and solid is None:
        return insert_member(model, owner, "link", name, pose=pose, relative_to=relative_to)
    require_editable(model, owner)
    require_place(model, owner, "link")
    require_free_name(model, owner, name)
    content = "" if solid is None else "\n".join(_solid_lines(model, owner, solid))
    if joint is None:
        link = {"name": name, "pose": pose, "relative_to": relative_to, "content": content}
        lines = element_lines(model, owner, "link", in_words_of_file(model, owner, "link", link))
    else:
        require_free_name(model, owner, joint.name)
        if joint.name == name:
            raise RefactoringError("the link and its joint need different names")
        require_targets(model, owner, {"parent": joint.parent, "relative_to": relative_to})
        carrier = {"name": joint.name, "type": joint.type, "parent": joint.parent, "child": name, **joint.fields}
        # The world has no name that a pose in a model may refer to.
        base = relative_to or (MODEL_FRAME if joint.parent == "world" else joint.parent)
        placed = {"pose": pose, "relative_to": base}
        link = {"name": name, "content": content}
        if is_robot(model, owner):
            carrier = in_words_of_file(model, owner, "joint", {**carrier, "pose": pose, "relative_to": relative_to})
        elif model.version >= FRAME_SEMANTICS:
            carrier, link = {**carrier, **placed}, {**link, "relative_to": joint.name}
        else:  # where a joint is at its child, and a link in its model
            link = in_words_of_file(model, owner, "link", {**link, **placed})
        lines = element_lines(model, owner, "joint", carrier) + element_lines(model, owner, "link", link)
    edits = insert_child(model.document, model.elements[owner], in_steps(model.document, lines))
    prefix = model.member_prefix(owner)
    return Edit(adding_label(model, owner, "link", name), model.document, edits, added=(prefix + name,), notes=notes)


def usual_pose(shape: NewShape | NewMesh | None, axis: Sequence[float] | None) -> list[float]:
    """Return where a new shape is in its link: it rests on the origin; a wheel or ball turns about its middle.

    Parameters
    ----------
    axis
        About which the link turns without end, None where it does not: z of the shape goes along it.

    Returns
    -------
    x y z roll pitch yaw in metres and radians.
    """
    if axis is None:
        height = shape.height_above_bottom if isinstance(shape, NewShape) else 0.0
        return [0.0, 0.0, height, 0.0, 0.0, 0.0]
    x, y, z = np.asarray(axis, dtype=float) / (np.linalg.norm(axis) or 1.0)
    if z < 0:  # either end of it
        x, y, z = -x, -y, -z
    return [0.0, 0.0, 0.0, -math.asin(y) + 0.0, math.atan2(x, z) + 0.0, 0.0]


def name_of_collision(model: Model, link: int, visual: str) -> str:
    """Return a free name for the collision that belongs to a visual."""
    other = visual.replace("visual", "collision") if "visual" in visual else f"{visual}_collision"
    return free_name(model, link, other)


def put_pair(model: Model, link: int, name: str, fields: Mapping[str, str]) -> Edit:
    """Return the edit that adds a visual and a collision that have the same fields, as `insert_member` takes them.

    Raises
    ------
    RefactoringError
        If the link is written elsewhere, or the name is taken.
    """
    require_editable(model, link)
    require_place(model, link, "collision")
    require_free_name(model, link, name)
    lines: list[str] = []
    for kind, own in zip(SHAPED, (name, name_of_collision(model, link, name)), strict=True):
        lines += element_lines(model, link, kind.value, {**fields, "name": own})
    edits = insert_child(model.document, model.elements[link], in_steps(model.document, lines))
    added = (name_of_new(model, link, Kind.VISUAL.value, name),)
    return Edit(f"Add {name} to {model.distinct_name(link)}", model.document, edits, added=added)


def link_content(model: Model, owner: int, solid: NewSolid) -> str:
    """Return the link of a new model in a row, as :func:`insert_member` takes its content."""
    link = {"name": "link", "content": "\n".join(_solid_lines(model, owner, solid))}
    return "\n".join(element_lines(model, owner, "link", link))


def top_of(model: Model, link: int) -> float:
    """Return how high the upright shapes of a link are above its origin in metres: where the next link may begin."""
    tops = [0.0]
    X_LinkRoot = invert(model.X_RootF[link])
    for row in model.rows_in(link, *SHAPED):
        X_LS = X_LinkRoot @ model.X_RootF[row]
        geometry = read_shape(model, row)
        if np.isfinite(X_LS).all() and X_LS[2, 2] > 1 - 1e-9 and np.hypot(X_LS[0, 3], X_LS[1, 3]) < 1e-9:
            shape = kind_of(geometry)
            tops.append(float(X_LS[2, 3]) + (0.0 if shape is None else shape.half_height(geometry)))
    return round(max(tops), 9)


def _solid_lines(model: Model, owner: int, solid: NewSolid) -> list[str]:
    """Return the inertial, the visual and the collision of a link."""
    require_positive(solid.density, solid.mass)
    lines: list[str] = []
    shape, body = solid.shape, _body_of(solid)
    if body is not None:  # a plane has no volume, and that of a mesh is for whoever reads its file
        numbers = parse_numbers(solid.pose) if solid.pose else None
        moved = body.moved(pose_to_matrix(numbers or (0.0,) * 6))
        lines += element_lines(model, owner, "inertial", inertial_fields(moved))
    if shape is None:
        return lines
    for kind in SHAPED:
        name = "" if is_robot(model, owner) else kind.value  # as most people write it
        fields = {"name": name, "pose": solid.pose, **shape.fields}
        if kind is Kind.VISUAL:
            fields["color"] = solid.color
        lines += element_lines(model, owner, kind.value, fields)
    return lines


def _body_of(solid: NewSolid) -> Body | None:
    """Return what has the inertia of a new link, None for a shape without a volume and without a mass."""
    geometry = solid.shape.geometry if isinstance(solid.shape, NewShape) else None
    if solid.mass is None:
        return None if geometry is None else solid_body(geometry, solid.density)
    if geometry is None or not geometry.volume:
        geometry = Sphere(math.cbrt(0.75 * solid.mass / solid.density / math.pi))
    return solid_body(geometry, solid.mass / (geometry.volume or 1.0))
