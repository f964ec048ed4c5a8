"""Read what was written for another program again and compare it with the model that it was made from."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from sdfviewer.document.document import parse_document
from sdfviewer.export.urdf import UrdfExport
from sdfviewer.export.urdf_to_sdformat import SdfExport
from sdfviewer.export.writing import WrittenMesh
from sdfviewer.files.finder import Finder
from sdfviewer.formats.comparison import RowContents, compare
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.formats.read_back import Announcement, ReadBack, read_back
from sdfviewer.model.contents import CollisionContents, Inertial, VisualContents
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.kind import Geometry
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.model.solids import Body, combine
from sdfviewer.transforms import invert, pose


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
