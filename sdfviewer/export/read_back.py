"""Read what was written for another program again and compare it with the model that it was made from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sdfviewer.document.document import parse_document
from sdfviewer.document.topics import FRAME, LEFT_OUT, MOVED, Aspect, Topic
from sdfviewer.export.urdf import UrdfExport
from sdfviewer.export.urdf_to_sdformat import SdfExport
from sdfviewer.export.writing import WrittenMesh
from sdfviewer.files.finder import Finder
from sdfviewer.formats.comparison import Announcement, Gap, ReadBack, RowContents, compare, read_back
from sdfviewer.formats.expansion import expansion_in
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.model.comparison.frames import SAME_POSE
from sdfviewer.model.contents import (
    CollisionContents,
    ContentsReader,
    Inertial,
    LightContents,
    Material,
    VisualContents,
)
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.model.solids import Body, combine
from sdfviewer.transforms import Array, invert, pose

if TYPE_CHECKING:
    from sdfviewer.export.mjcf import MjcfExport


def read_urdf_back(model: Model, export: UrdfExport, contents: RowContents | None = None) -> ReadBack:
    """Return what a URDF says otherwise than its model; `contents` reads both, where files are named otherwise."""
    path = model.document_of(0).path
    document = parse_document(export.text, path and path.with_suffix(".urdf"))
    after, diagnostics = Loader(Finder()).load_with_diagnostics(document)
    if after is None:
        why = why_not_loaded(diagnostics)
        refused = f"{model.document.name}:1: error of sdfviewer: the URDF cannot be read: {why}"
        return ReadBack(compare(model, model), (), (refused,))
    written = (
        [each for link in document.root.findall("link") for each in link.findall("visual", "collision")]
        if document.root is not None
        else []
    )
    rows = dict(zip([after.rows_by_element.get(id(each), -1) for each in written], export.parts, strict=True))
    root = after.names[0]
    renamed = [(name, f"{root}::{new}") for name, new in export.names.items()]
    parts = {row: other for other, row in rows.items() if row >= 0 <= other}
    comparison = compare(model, after, renamed, rows=parts, X_AB=export.X_ModelUrdf, contents=contents)
    added = {other for other, row in rows.items() if row < 0}
    announced = [Announcement(note.sentence(model), note.row, note.topics) for note in export.notes]
    return read_back(comparison, announced, added)


def read_sdformat_back(model: Model, export: SdfExport, after: Model) -> ReadBack:
    """Return what an SDFormat text says otherwise than its URDF.

    Parameters
    ----------
    model, export
        The robot, and what it was written as.
    after
        What that means.
    """
    known = set(after.names)
    renamed = [(name, name) for name in model.names[1:] if name in known]  # a link without mass becomes a frame
    announced = [
        Announcement(note.sentence(model), note.row, note.topics) for note in export.notes if note.row is not None
    ]
    contents = _Merged(model, export.merged) if export.merged else None
    comparison = compare(model, after, [*renamed, *export.renamed], contents=contents)
    return read_back(comparison, announced, merges=bool(export.merged))


class Bundled(RowContents):
    """Reads a model with its files as a bundle names them.

    Parameters
    ----------
    model
        The model that is bundled.
    written
        The mesh that is written for a geometry.
    names
        What the bundle calls the file of a URI, where it is the URI alone that changes.
    """

    def __init__(
        self, model: Model, written: Mapping[Geometry, WrittenMesh], names: Mapping[str, Collection[str]] | None = None
    ) -> None:
        self._model, self._written, self._names = model, written, names or {}

    def visual(self, model: Model, row: int) -> VisualContents:
        """Return the visual of a row."""
        part = super().visual(model, row)
        return replace(part, geometry=self._bundled(model, part.geometry))

    def collision(self, model: Model, row: int) -> CollisionContents:
        """Return the collision of a row."""
        part = super().collision(model, row)
        return replace(part, geometry=self._bundled(model, part.geometry))

    def same_file(self, a: str, b: str, folder_a: Path | None, folder_b: Path | None) -> bool:
        """Return whether a URI of the model and one of the bundle name one file."""
        return b in self._names.get(a, ()) or super().same_file(a, b, folder_a, folder_b)

    def _bundled(self, model: Model, geometry: Geometry) -> Geometry:
        written = self._written.get(geometry) if model is self._model else None
        return geometry if written is None else Mesh(uri=written.file, scale=written.scale, element=geometry.element)


class _Merged(RowContents):
    """Reads a robot with the mass of links that are merged in the link that they become a part of."""

    def __init__(self, model: Model, merged: Mapping[int, int]) -> None:
        self._model = model
        self._groups: dict[int, list[int]] = {}
        for row, target in merged.items():
            self._groups.setdefault(target, []).append(row)

    def inertial(self, model: Model, row: int) -> Inertial | None:
        """Return the inertial of a link with all that is merged into it."""
        own = super().inertial(model, row)
        group = self._groups.get(row) if model is self._model else None
        if group is None or own is None:
            return own
        X_LRoot = invert(model.X_RootF[row])
        bodies = (
            Body(each.mass, each.center_of_mass, each.inertia_in_link).moved(X_LRoot @ model.X_RootF[link])
            for link in (row, *group)
            if (each := super(_Merged, self).inertial(model, link)) is not None and each.mass > 0
        )
        total = combine(bodies)
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = total.I_B.tolist()
        return replace(own, mass=total.mass, X_LI=pose(np.eye(3), total.p_FB), moments=(xx, yy, zz, xy, xz, yz))


# --- MJCF ---------------------------------------------------------------------------------------------------------


_SURFACE = "MJCF has one coefficient of friction for its contact; left out: {}"
#: What MJCF has no place for; what is empty MJCF gives to everything.
GAPS = (
    Gap(Aspect.APPEARANCE, r"material(\.diffuse|\.ambient)?", ""),
    Gap(Aspect.APPEARANCE, r"material\.(?!diffuse$).*", "MJCF has one colour for its material; left out: {}"),
    Gap(Aspect.APPEARANCE, r"cast_shadows|laser_retro|visibility_flags", "MJCF has nothing for its {}"),
    Gap(Aspect.CONTACT, r"surface\.torsional_friction", ""),
    Gap(Aspect.CONTACT, r"surface\.(?!mu$).*|max_contacts|laser_retro", _SURFACE),
    Gap(Aspect.SETTING, r"surface/.*", _SURFACE),
    Gap(Aspect.SENSOR, r".*", "MJCF has the angle and the pixels of a camera only; left out: {}"),
    Gap(Aspect.LIGHT, r"intensity|inner_angle", "MJCF has nothing for its {}"),
    Gap(Aspect.PLUGIN, r".*", "MJCF has no plugins of Gazebo; left out: {}", is_loss=True),
    Gap(Aspect.PHYSICS, r".*", "MJCF has the gravity of a world only; its {} is left out"),
    Gap(Aspect.MODEL, r"static", "MJCF has no static models; its bodies are fixed to the world"),
    Gap(Aspect.SETTING, r"(?!gravity$).*", "MJCF has nothing for its {}; it is left out", is_loss=True),
)


def read_mjcf_back(model: Model, export: MjcfExport) -> ReadBack:
    """Return what an MJCF text says otherwise than its model: of frames, joints, masses and shapes."""
    path = model.document_of(0).path
    document = parse_document(export.text, path and path.with_suffix(".mjcf"))
    after, diagnostics = Loader(Finder()).load_with_diagnostics(document)
    errors = [each.message for each in diagnostics if each.is_error]
    refused = [f"{model.document.name}:1: error of sdfviewer: the MJCF is wrong: {why}" for why in errors]
    if after is None:
        return ReadBack(compare(model, model), (), tuple(refused))
    rows, contents = _rows_of_mjcf(export, after), _AsMjcf(model, after, export)
    comparison = compare(model, after, rows=rows, X_AB=export.X_RootWorld, contents=contents)
    announced = [Announcement(note.sentence(model), note.row, note.topics) for note in export.notes]
    announced += _read_otherwise(model, after, export, rows)
    return read_back(comparison, announced, refused=refused, gaps=GAPS)


def _read_otherwise(model: Model, after: Model, export: MjcfExport, rows: dict[int, int]) -> Iterator[Announcement]:
    """Yield what is read back otherwise though it says the same.

    The pose of the model is in those of its bodies. Lights of MJCF have a direction and no axes, and those of a world
    are on no link that is read. Loops and screws are constraints. A body without mass is read as a link that weighs as
    good as nothing.
    """
    yield Announcement("its bodies have its pose", 0, (Topic(Aspect.MODEL, "pose"),))
    written = set(export.rows.values())
    for row, kind in enumerate(model.kinds):
        if kind is Kind.LIGHT and row in rows:
            p_A, p_B = model.X_RootF[row, :, 3], export.X_RootWorld @ after.X_RootF[rows[row], :, 3]
            if np.abs(p_A - p_B).max() <= SAME_POSE:
                yield Announcement("its axes mean nothing", row, MOVED)
        elif kind is Kind.LIGHT and row in written and int(model.owners[row]) == 0:
            yield Announcement("it is on no link", row, LEFT_OUT)
        elif kind is Kind.JOINT and row in export.equivalent:
            yield Announcement("a constraint says the same", row, (Topic(FRAME), Topic(Aspect.JOINT)))
        elif kind is Kind.LINK and _is_massless(model, row):
            yield Announcement("it has no mass", row, (Topic(Aspect.MASS),))


class _AsMjcf(Bundled):
    """Reads a model as MJCF can say it: transparency is in the colour, a light shines in a direction of the root."""

    def __init__(self, model: Model, after: Model, export: MjcfExport) -> None:
        super().__init__(model, export.written)
        self._source = model
        self._roots: dict[int, Array] = {id(model): np.eye(3), id(after): export.X_RootWorld[:3, :3]}

    def visual(self, model: Model, row: int) -> VisualContents:
        """Return the visual of a row, with its transparency in its colour."""
        part = super().visual(model, row)
        if model is not self._source:
            return part
        material = None if part.material is None else _one_colour(part.material, part.transparency)
        return replace(part, material=material, transparency=0.0)

    def reader_of(self, model: Model, row: int) -> ContentsReader:
        """Return the reader of a row; of a light one that gives its direction in the root of the source."""
        reader = super().reader_of(model, row)
        return _LightReader(reader, self._roots[id(model)]) if model.kinds[row] is Kind.LIGHT else reader


def _one_colour(material: Material, transparency: float) -> Material:
    """Return a material with the transparency in its colour; that of a texture or script MJCF takes from its file."""
    colour = material.diffuse
    if colour is None or material.script is not None or material.pbr is not None or material.texture:
        return replace(material, diffuse=None, ambient=None, base=None)
    rgba = (*colour[:3], colour[3] * (1.0 - transparency))
    return replace(material, diffuse=rgba, ambient=rgba if material.ambient == colour else material.ambient)


class _LightReader:
    """Reads lights whose directions are unit vectors in one frame; a point light has none, and only a spot has a cone.

    Parameters
    ----------
    reader
        Reads the rest.
    R
        The axes (3, 3) of the root in that frame.
    """

    def __init__(self, reader: ContentsReader, R: Array) -> None:
        self._reader, self._R = reader, R

    def light(self, model: Model, row: int) -> LightContents:
        """Return the light of a row."""
        light = self._reader.light(model, row)
        if light.type != "spot":
            light = replace(light, inner_angle=0.0, outer_angle=0.0, falloff=0.0)
        if light.type == "point":
            return replace(light, direction=(0.0, 0.0, 0.0))
        direction = self._R @ model.X_RootF[row, :3, :3] @ np.array(light.direction)
        length = float(np.linalg.norm(direction))
        return replace(light, direction=tuple((direction / length).tolist()) if length else light.direction)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)


def _is_massless(model: Model, row: int) -> bool:
    inertial = resolve_inertial(model, row)
    return inertial is None or inertial.mass <= 0


def _rows_of_mjcf(export: MjcfExport, after: Model) -> dict[int, int]:
    """Return the row of the model of an MJCF text for each row that it was written from.

    A joint is a joint and a site there, of which the latter has its orientation: where both are, the joint counts.
    """
    found: dict[int, int] = {}
    expansion = expansion_in([after.document_of(0)])
    for other, element in enumerate(after.elements):
        written = None if expansion is None else expansion.source_of(element)
        if written is None or other == 0:
            continue
        tag = written[1].tag
        row = export.rows.get((tag, written[1].attributes.get("name", "")))
        if tag == "joint" and after.kinds[other] is not Kind.JOINT:
            continue  # the link between two joints of one body
        if row is not None and (row not in found or after.kinds[found[row]] is Kind.FRAME):
            found[row] = other
    return found
