"""Compute inertials from shapes, with a density or a total mass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sdfviewer import transforms
from sdfviewer.document.edits import Edit, Replacements, replace_element
from sdfviewer.formats.contents import read_collision, read_inertial, read_visual
from sdfviewer.model.contents import MOMENTS, Moments
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.solids import Body, combine, solid_body
from sdfviewer.refactoring.adding import insert_member
from sdfviewer.refactoring.editable import RefactoringError, is_editable, require_editable
from sdfviewer.refactoring.new_elements import element_xml
from sdfviewer.refactoring.properties.property_values import written_property
from sdfviewer.transforms import Array
from sdfviewer.validation.kinematics_rules import impossibility

WATER = 1000.0
"""kg/m³."""
#: The body of a geometry that is not a simple shape, for a density; None where it is not known.
MeshBody = Callable[[Model, int, Geometry, float], Body | None]
#: The triangles (m, 3, 3) of a geometry that a file holds, in its frame and in metres; None where it is not found.
MeshTriangles = Callable[[Geometry], "Array | None"]
_DIGITS = 7


def no_mesh(_model: Model, _row: int, _geometry: Geometry, _density: float) -> Body | None:
    """Return None: no mesh file is read."""
    return None


def no_triangles(_geometry: Geometry) -> Array | None:
    """Return None: no mesh file is read."""
    return None


@dataclass(frozen=True)
class LinkShapes:
    """The shapes of a link that have a volume, and those that have none.

    Attributes
    ----------
    parts
        The solids, for a density of 1 kg/m³, in the frame of the link, each with the density that is written for it.
    unknown
        Rows of shapes whose volume is not known: planes, open meshes, files that are not found.
    kind
        Whether they are collisions or, in a link without any, visuals.
    """

    parts: tuple[tuple[Body, float | None], ...]
    unknown: tuple[int, ...]
    kind: Kind

    @property
    def volume(self) -> float:
        """In m³."""
        return sum(part.mass for part, _ in self.parts)

    def body(self, density: float = WATER, mass: float | None = None) -> Body:
        """Return all solids as one body: with a density in kg/m³ for those that have none of their own, or a mass."""
        whole = combine(_scaled(part, density if own is None else own) for part, own in self.parts)
        return whole if mass is None or whole.mass <= 0 else _scaled(whole, mass / whole.mass)


def _scaled(body: Body, factor: float) -> Body:
    return Body(body.mass * factor, body.p_FB, body.I_B * factor)


def link_shapes(model: Model, link: int, mesh_body: MeshBody = no_mesh) -> LinkShapes:
    """Return the collisions of a link as one solid, or its visuals where it has no collision.

    Parameters
    ----------
    mesh_body
        Returns the body of a mesh; whoever reads mesh files gives it.
    """
    rows = model.rows_in(link)
    kind = Kind.COLLISION if any(model.kinds[row] is Kind.COLLISION for row in rows) else Kind.VISUAL
    X_LinkRoot = transforms.invert(model.X_RootF[link])
    parts: list[tuple[Body, float | None]] = []
    unknown = []
    for row in rows:
        if model.kinds[row] is not kind:
            continue
        own: float | None = None
        if kind is Kind.COLLISION:
            collision = read_collision(model, row)
            geometry = collision.geometry
            own = collision.density if collision.density is not None and collision.density > 0 else None
        else:
            geometry = read_visual(model, row).geometry
        body = solid_body(geometry, 1.0) or mesh_body(model, row, geometry, 1.0)
        X_LS = X_LinkRoot @ model.X_RootF[row]
        if body is None or not np.isfinite(X_LS).all():
            unknown.append(row)
        else:
            parts.append((body.moved(X_LS), own))
    return LinkShapes(tuple(parts), tuple(unknown), kind)


def computed_body(
    model: Model, link: int, density: float = WATER, mass: float | None = None, mesh_body: MeshBody = no_mesh
) -> Body:
    """Return the body of a link computed from its shapes.

    Parameters
    ----------
    density
        In kg/m³, for shapes without a ``<density>`` of their own.
    mass
        Mass in kg of the whole: the densities keep their ratios.

    Raises
    ------
    RefactoringError
        If no shape of the link has a volume, or a number is not positive.
    """
    shapes = link_shapes(model, link, mesh_body)
    if shapes.volume <= 0:
        raise RefactoringError(f"'{model.names[link]}' has no shape with a volume")
    require_positive(density, mass)
    return _finite(model, link, shapes.body(density, mass))


def require_positive(density: float, mass: float | None) -> None:
    """Raise a RefactoringError for a density or a mass that is not positive."""
    if not all(np.isfinite(number) and number > 0 for number in (density, 1.0 if mass is None else mass)):
        raise RefactoringError("density and mass must be positive")


def _finite(model: Model, link: int, body: Body) -> Body:
    """Return a body that can be written; one of shapes that are far too small or too large cannot.

    Raises
    ------
    RefactoringError
        With the reason.
    """
    if not (0 < body.mass < np.inf and np.isfinite(body.I_B).all() and np.isfinite(body.p_FB).all()):
        raise RefactoringError(f"the shapes of '{model.names[link]}' are too small or too large to compute an inertia")
    return body


def mean_density(model: Model, link: int) -> float | None:
    """Return the mass of a link over the volume of its shapes in kg/m³, None where one of them is not known."""
    inertial, shapes = read_inertial(model, link), link_shapes(model, link)
    if not inertial.is_written or inertial.auto or shapes.unknown or shapes.volume <= 0 or not inertial.mass > 0:
        return None
    return float(f"{inertial.mass / shapes.volume:.4g}")


def suggested_density(model: Model, links: Sequence[int]) -> float:
    """Return the density that is written for the automatic inertia of a link, else that of water."""
    inertial = read_inertial(model, links[0]) if len(links) == 1 else None
    return inertial.density if inertial is not None and inertial.auto and inertial.density else WATER


def set_inertial(model: Model, link: int, body: Body) -> Edit:
    """Return the edit that writes the inertial of a link, in place of the one that it may have."""
    return Edit(f"Compute inertia of {model.distinct_name(link)}", model.document, _written(model, link, body))


def set_inertials(
    model: Model,
    links: Sequence[int],
    density: float = WATER,
    total_mass: float | None = None,
    mesh_body: MeshBody = no_mesh,
) -> Edit:
    """Return the edit that computes the inertials of several links, of one density or of one total mass.

    Collisions with a ``<density>`` of their own keep it.

    Raises
    ------
    RefactoringError
        If none of them has a shape with a volume, or a number is not positive.
    """
    shapes = {link: link_shapes(model, link, mesh_body) for link in links}
    solid = {link: each for link, each in shapes.items() if each.volume > 0}
    if not solid:
        raise RefactoringError("none of these links has a shape with a volume")
    require_positive(density, total_mass)
    computed = {link: each.body(density) for link, each in solid.items()}
    whole = sum(body.mass for body in computed.values())
    factor = 1.0 if total_mass is None or whole <= 0 else total_mass / whole
    edits: Replacements = ()
    for link, body in computed.items():
        edits += _written(model, link, _finite(model, link, _scaled(body, factor)))
    what = model.distinct_name(next(iter(solid))) if len(solid) == 1 else f"{len(solid)} links"
    return Edit(f"Compute inertia of {what}", model.document, edits)


def scale_of_shapes(model: Model, link: int, mesh_body: MeshBody = no_mesh) -> float | None:
    """Return by how much a link is heavier than its shapes of water, where its inertial is that of its shapes.

    None where it is not: where none is written, it is automatic, a volume is not known, or the numbers are others than
    those of a body of one density, by more than people round them.
    """
    inertial = read_inertial(model, link)
    if not inertial.is_written or inertial.auto or not 0 < inertial.mass < np.inf or not is_editable(model, link):
        return None
    shapes = link_shapes(model, link, mesh_body)
    if shapes.unknown or shapes.volume <= 0:
        return None
    water = shapes.body()
    body = _scaled(water, inertial.mass / water.mass)
    size = float(np.trace(body.I_B))
    if not 0 < size < np.inf:
        return None
    is_there = np.linalg.norm(inertial.center_of_mass - body.p_FB) <= _ROUNDED * np.sqrt(size / body.mass)
    is_alike = float(np.abs(inertial.inertia_in_link - body.I_B).max()) <= _ROUNDED * size
    return inertial.mass / water.mass if is_there and is_alike else None


_ROUNDED = 0.01
"""The part of an inertia, and of the radius of gyration, by which numbers in files differ from those of the shapes."""


def scaled_body(model: Model, link: int, scale: float, mesh_body: MeshBody = no_mesh) -> Body:
    """Return the body of the shapes of a link, so many times as heavy as of water, see :func:`scale_of_shapes`.

    Raises
    ------
    RefactoringError
        If no shape has a volume, or it cannot be written.
    """
    body = computed_body(model, link, mesh_body=mesh_body)
    return _finite(model, link, _scaled(body, scale))


def inertial_texts(model: Model, link: int, body: Body) -> dict[str, str]:
    """Return what of a written inertial a body changes, by the paths of properties; its axes stay as written."""
    inertial = read_inertial(model, link)
    R_LI = inertial.X_LI[:3, :3]
    before, after = inertial.inertia, R_LI.T @ body.I_B @ R_LI
    texts = {"inertial/mass": _short(body.mass)} if _differs(inertial.mass, body.mass, body.mass) else {}
    if any(map(_differs, inertial.center_of_mass, body.p_FB, [1.0] * 3)):
        centre = [0.0 if abs(each) < 1e-9 else each for each in body.p_FB.tolist()]
        words = (written_property(model, link, "inertial/pose") or "").split()[3:] or ["0", "0", "0"]
        texts["inertial/pose"] = " ".join([*map(_short, centre), *words])
    for name in MOMENTS:
        at = "xyz".index(name[1]), "xyz".index(name[2])
        if _differs(before[at], after[at], float(np.trace(after))):
            texts[f"inertial/inertia/{name}"] = _short(after[at])
    return texts


def _differs(before: float, after: float, size: float) -> bool:
    return abs(after - before) > 1e-7 * size


def inertial_fields(body: Body) -> dict[str, str]:
    """Return mass, moments and pose as they are written, for :func:`insert_member`."""
    largest = float(np.abs(body.I_B).max())
    matrix = np.where(np.abs(body.I_B) < 1e-9 * largest, 0.0, body.I_B)
    moments = [matrix[0, 0], matrix[1, 1], matrix[2, 2], matrix[0, 1], matrix[0, 2], matrix[1, 2]]
    centre: Array = np.where(np.abs(body.p_FB) < 1e-9, 0.0, body.p_FB)
    return {
        "mass": _short(body.mass),
        "moments": " ".join(map(_short, moments)),
        "pose": " ".join(map(_short, [*centre, 0.0, 0.0, 0.0])),
    }


def _short(value: float) -> str:
    return f"{float(value):.{_DIGITS}g}"


def _written(model: Model, link: int, body: Body) -> Replacements:
    require_editable(model, link)
    if model.kinds[link] is not Kind.LINK:
        raise RefactoringError(f"'{model.names[link]}' is not a link")
    fields = inertial_fields(body)
    old = model.elements[link].find("inertial")
    if old is None:
        return insert_member(model, link, "inertial", None, **fields).replacements
    return replace_element(model.document, old, element_xml(model, link, "inertial", fields))


# --- plausibility --------------------------------------------------------------------------------------------------

#: kg/m³: foam, and platinum. Links are hollow, so that the least is far below that of their material.
_LEAST_DENSITY, _MOST_DENSITY = 5.0, 22000.0
#: Moments may differ so much from those of the solid shapes: hollow parts, shapes that are larger than the part.
_TOLERANCE = 30.0


@dataclass(frozen=True)
class InertiaProblem:
    """Why an inertial is implausible, and the edit that computes it from the shapes of its link.

    Attributes
    ----------
    message
        A sentence.
    fix
        None where the shapes have no volume.
    """

    message: str
    fix: Edit | None


def explain_inertia(model: Model, link: int, *, with_fix: bool = True) -> InertiaProblem | None:
    """Return why the written inertial of a link is implausible, on demand without a fix; None where it is not."""
    inertial = read_inertial(model, link)
    if not inertial.is_written or inertial.auto:
        return None
    shapes = link_shapes(model, link)
    mass, volume = inertial.mass, shapes.volume
    message = _why_implausible(mass, inertial.moments, inertial.inertia_in_link, shapes)
    if not message:
        return None
    fix = None
    if with_fix and volume > 0 and is_editable(model, link):
        keeps = mass if np.isfinite(mass) and mass > 0 else WATER * volume
        try:
            fix = set_inertial(model, link, computed_body(model, link, mass=keeps))
        except RefactoringError:
            fix = None  # far too small or too large
    return InertiaProblem(message, fix)


def _why_implausible(mass: float, moments: Moments, inertia: Array, shapes: LinkShapes) -> str:
    why = impossibility(mass, moments)
    if why:
        return f"This inertia is impossible: {why}."
    volume = shapes.volume
    if volume <= 0 or shapes.unknown or mass <= 0:
        return ""
    density = mass / volume
    if not _LEAST_DENSITY <= density <= _MOST_DENSITY:
        than = "denser than any metal" if density > _MOST_DENSITY else "lighter than foam"
        return (
            f"{mass:.3g} kg in shapes of {1000 * volume:.3g} litres is {density:.3g} kg/m³, {than}; "
            "the mass may be in grams, or the shapes in another unit."
        )
    return _why_other_moments(float(np.trace(inertia)), float(np.trace(shapes.body(mass=mass).I_B)))


def _why_other_moments(written: float, solid: float) -> str:
    """Return why moments of inertia are not those of the solid shapes, given the traces of both, empty if they are."""
    if not 0 < solid < np.inf or not np.isfinite(written):
        return ""  # shapes too small or too large to compare with
    if written <= 0:
        return "The moments of inertia are 0, as of a point; those of its solid shapes with this mass are not."
    if written > _TOLERANCE * solid:
        ratio = written / solid
        hint = "the moments may be in kg mm² or g m²" if ratio > 300 else "the moments may belong to another mass"
        return f"The moments of inertia are {ratio:.3g} times those of its solid shapes with this mass; {hint}."
    if solid > _TOLERANCE * written:
        ratio = solid / written
        return f"The moments of inertia are {ratio:.3g} times smaller than those of its solid shapes with this mass."
    return ""
