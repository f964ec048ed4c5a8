"""What a scene shows of elements: shapes, materials, inertias, drawings; read once, kept while an element lives."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field

from sdfviewer.computed import common_ends
from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.files.finder import Finder
from sdfviewer.formats.contents import read_collision, read_inertial, read_light, read_sensor, read_visual
from sdfviewer.formats.registry import format_of
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.scene.geometry import Shape, shape_of
from sdfviewer.scene.marks.inertia_marks import Inertia, inertia_box, inertia_of, principal_inertias
from sdfviewer.scene.marks.sensor_glyphs import actor_lines, light_lines, sensor_lines
from sdfviewer.scene.materials.materials import SceneSurface, surface_of
from sdfviewer.scene.mesh import MeshMaterial, TriangleMesh
from sdfviewer.scene.nodes import Lines, MeshInstance

_SPARE = 256
"""So many elements that are gone may be kept until they are looked for."""


@dataclass
class ReadElement:
    """What was read from a visual, collision, link, sensor, light or actor, and what was made of it.

    Attributes
    ----------
    element
        It is kept, so that its identity stays its own.
    depends_on_file
        Whether parts of it may be written elsewhere in the file.
    shape, is_loaded
        Of a visual or collision, and whether its mesh comes from a loader.
    surface
        Of a visual.
    inertia, has_auto_inertia
        Of a link, and whether it is computed from other elements.
    faded
        A mesh that came from the loader, and what the surface's transparency made of it.
    instance, box, lines
        What is drawn of it at the row where it was last.
    has_box
        Whether the box of its inertia was made.
    is_large, is_flat
        Whether it is a collision as large as the ground, and whether it is flat.
    """

    element: Element
    depends_on_file: bool = False
    shape: Shape | None = None
    is_loaded: bool = False
    surface: SceneSurface = field(default_factory=SceneSurface)
    inertia: Inertia | None = None
    has_auto_inertia: bool = False
    faded: tuple[TriangleMesh, TriangleMesh, MeshMaterial | None] | None = None
    instance: MeshInstance | None = None
    box: MeshInstance | None = None
    has_box: bool = False
    is_large: bool = False
    is_flat: bool = False
    lines: tuple[int, Lines] | None = None


class SceneContents:
    """Reads elements for scenes of a model and of its later edits.

    Parameters
    ----------
    finder
        Resolves the URIs of textures.
    """

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self._read: dict[int, ReadElement] = {}
        self._last: tuple[list[Element], list[ReadElement]] = ([], [])

    def fork(self, model: Model, rows: Sequence[int]) -> SceneContents:
        """Return what is known of some rows, to be read on in another thread."""
        other, known = SceneContents(self.finder), self._read
        found = ((key, known.get(key)) for key in map(id, map(model.elements.__getitem__, rows)))
        other._read = {key: copy(entry) for key, entry in found if entry is not None}
        return other

    def read(self, model: Model, rows: Sequence[int], *, boxes: bool = False) -> None:
        """Read the elements of rows, as far as that was not done, and with `boxes` make those of inertias."""
        self._read_inertias(model, [row for row in rows if model.kinds[row] is Kind.LINK])
        for row in rows:
            kind = model.kinds[row]
            if kind is Kind.VISUAL or kind is Kind.COLLISION:
                self.surface(model, row)
            elif kind is not Kind.LINK:
                self.lines(model, row)
            elif boxes:
                self.box(model, row)

    def take(self, other: SceneContents) -> None:
        """Take over what has been read elsewhere, in another thread for example."""
        if other is not self:
            self._read |= other._read
            self._last = other._last

    def forget_others(self, model: Model) -> None:
        """Forget elements that are no longer part of a model, when there may be many."""
        if len(self._read) > 2 * len(model) + _SPARE:  # two models may share what is read
            alive = set(map(id, model.elements))
            self._read = {key: entry for key, entry in self._read.items() if key in alive}

    def surfaces(self, model: Model, rows: Sequence[int]) -> list[ReadElement]:
        """Return what is written in the visuals and collisions of rows."""
        # A world has thousands, and after an edit nearly all are as they were.
        all_elements = model.elements
        elements = [all_elements[row] for row in rows]
        start, end = common_ends(self._last[0], elements)
        entries = self._last[1]
        new = [self.surface(model, row) for row in rows[start : len(rows) - end]]
        entries = [*entries[:start], *new, *entries[len(entries) - end :]]
        if not any(entry.depends_on_file for entry in new):
            self._last = elements, entries
        return entries

    def surface(self, model: Model, row: int) -> ReadElement:
        """Return what is written in the visual or collision of a row."""
        element = model.elements[row]
        entry = self._read.get(id(element))
        if entry is not None and not entry.depends_on_file:
            return entry
        kind, document = model.kinds[row], model.document_of(row)
        if entry is not None:
            if kind is Kind.VISUAL:  # its material may be written elsewhere
                surface = surface_of(read_visual(model, row), document.path, self.finder)
                if surface != entry.surface:
                    entry.surface, entry.faded, entry.instance = surface, None, None
            return entry
        entry = self._read[id(element)] = ReadElement(element, not _is_self_contained(document))
        if kind is Kind.VISUAL:
            visual = read_visual(model, row)
            entry.shape = shape_of(visual.geometry)
            entry.surface = surface_of(visual, document.path, self.finder)
        else:
            entry.shape = shape_of(read_collision(model, row).geometry)
        entry.is_loaded = entry.shape is not None and entry.shape.is_loaded
        return entry

    def lines(self, model: Model, row: int) -> Lines:
        """Return the drawing of the sensor, light or actor of a row."""
        element, kind = model.elements[row], model.kinds[row]
        entry = self._read.get(id(element))
        if entry is None:
            entry = self._read[id(element)] = ReadElement(element, not _is_self_contained(model.document_of(row)))
        if entry.lines is None or entry.lines[0] != row or entry.depends_on_file:
            if kind is Kind.SENSOR:
                lines = sensor_lines(row, read_sensor(model, row))
            else:
                lines = light_lines(row, read_light(model, row)) if kind is Kind.LIGHT else actor_lines(row)
            entry.lines = row, lines
        return entry.lines[1]

    def link(self, model: Model, row: int) -> ReadElement:
        """Return what is written in the link of a row."""
        if id(model.elements[row]) not in self._read:
            self._read_inertias(model, [row])
        return self._read[id(model.elements[row])]

    def inertia(self, model: Model, row: int) -> Inertia | None:
        """Return the inertia of the link of a row."""
        entry = self.link(model, row)
        return inertia_of(model, row) if entry.has_auto_inertia else entry.inertia

    def box(self, model: Model, row: int) -> MeshInstance | None:
        """Return the box of the inertia of the link of a row."""
        entry = self.link(model, row)
        if entry.has_auto_inertia or not entry.has_box or (entry.box is not None and entry.box.row != row):
            inertia = self.inertia(model, row)
            entry.box, entry.has_box = None if inertia is None else inertia_box(row, inertia), True
        return entry.box

    def _read_inertias(self, model: Model, rows: Sequence[int]) -> None:
        """Read the inertias of the links of rows that are not read yet."""
        rows = [row for row in rows if id(model.elements[row]) not in self._read]
        entries, written = [], []
        for row in rows:
            element, inertial = model.elements[row], read_inertial(model, row)
            entry = self._read[id(element)] = ReadElement(element)
            entry.has_auto_inertia = inertial.auto
            if inertial.is_written and not inertial.auto:
                entries.append(entry)
                written.append(inertial)
        if entries:
            for entry, inertia in zip(entries, principal_inertias(written), strict=True):
                entry.inertia = inertia


def _is_self_contained(document: Document) -> bool:
    known = format_of(document)
    return known is not None and known.capabilities.is_self_contained
