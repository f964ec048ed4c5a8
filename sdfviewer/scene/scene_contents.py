"""What a scene shows of elements: shapes, materials, inertias, drawings; and what it shows for missing meshes.

Elements are read once and kept while they live. In place of a mesh that is not found are collisions of its link, the
box of its inertia, or a mark.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

import numpy as np

from sdfviewer.computed import common_ends
from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.files.finder import Finder
from sdfviewer.formats.contents import read_collision, read_inertial, read_light, read_sensor, read_visual
from sdfviewer.formats.registry import format_of
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted, format_shown
from sdfviewer.scene.geometry import EDGE, Shape, primitive_mesh, shape_of
from sdfviewer.scene.glyphs import actor_lines, light_lines, sensor_lines
from sdfviewer.scene.loader import LoadedMesh
from sdfviewer.scene.marks import Inertia, inertia_box, inertia_of, principal_inertias
from sdfviewer.scene.materials import SceneSurface, surface_of
from sdfviewer.scene.mesh import MeshMaterial, TriangleMesh
from sdfviewer.scene.nodes import Floats, Layer, Lines, MeshInstance
from sdfviewer.scene.scene import Scene, is_drawable
from sdfviewer.transforms import invert

HATCHED = MeshMaterial(diffuse=(0.66, 0.52, 0.43, 1.0), roughness=0.9, double_sided=True, hatched=True)
"""A muted version of the colour of errors, as that of the mark; what is behind it can be seen between its stripes."""

_SMALLEST = 1e-3
"""Metres."""
_NEIGHBOURS = 4
"""So many of the nearest surfaces tell how large a thing is among them."""
_PART = 0.15
"""Largest mark as a part of the extent of all that is there."""
_DIGITS = 3


@dataclass(frozen=True)
class StandIns:
    """The surfaces of a scene with what is drawn in place of missing meshes.

    Attributes
    ----------
    surfaces
        All surfaces.
    words
        What is drawn at the row of a visual or collision whose mesh is missing, and for its link.
    wanted
        The meshes of collisions that would be drawn if they were loaded.
    """

    surfaces: list[MeshInstance]
    words: dict[int, str]
    wanted: tuple[Shape, ...]


def with_stand_ins(
    surfaces: list[MeshInstance],
    scene: Scene,
    model: Model,
    contents: SceneContents,
    meshes: Callable[[Shape], LoadedMesh | None],
    *,
    shows_collisions: bool,
) -> StandIns:
    """Replace the marks of missing meshes by what is known of their links, at its real size.

    These are the collisions of the link, unless they are shown anyway, else the box of its inertia, once for all meshes
    that a link lacks. Where neither is known, or that box is larger than all that is there, the mark stays, at a size
    that is a guess.

    Parameters
    ----------
    surfaces
        All surfaces; those of `Layer.PLACEHOLDER` are the marks.
    scene
        The poses and owners of all rows.
    """
    found = _Finding(surfaces, scene, model, contents, meshes, shows_collisions)
    drawn = [each for surface in surfaces for each in found.drawn_for(surface)]
    return StandIns(drawn, found.words, tuple(dict.fromkeys(found.wanted)))


class _Finding:
    """Finds what is drawn for one mark after the other."""

    def __init__(
        self,
        surfaces: Sequence[MeshInstance],
        scene: Scene,
        model: Model,
        contents: SceneContents,
        meshes: Callable[[Shape], LoadedMesh | None],
        shows_collisions: bool,
    ) -> None:
        self._scene, self._model, self._contents, self._meshes = scene, model, contents, meshes
        self.words: dict[int, str] = {}
        self.wanted: list[Shape] = []
        self._words_of_links: dict[int, str] = {}
        self._collisions: dict[int, list[int]] = defaultdict(list)
        self._shows_collisions = shows_collisions
        for row in np.flatnonzero(model.kinds_are(Kind.COLLISION)).tolist():
            self._collisions[int(scene.owners[row])].append(row)
        there = [each for each in surfaces if each.layer in (Layer.VISUAL, Layer.COLLISION)]
        self._drawn: dict[int, list[MeshInstance]] = defaultdict(list)
        for each in there:
            self._drawn[int(scene.owners[each.row])].append(each)
        arrays = replace(scene, surfaces=tuple(there)).surface_arrays
        standing = ~arrays.ground
        self._extents = (arrays.boxes[:, 1] - arrays.boxes[:, 0]).max(axis=1, initial=0.0)[standing]
        self._middles = arrays.poses(scene.X_RootF)[standing][:, :3, 3]
        self._origins = scene.X_RootF[model.kinds_are(Kind.LINK)][:, :3, 3]
        #: The extent of all that is there.
        self._reach = max(_spread(self._middles) + float(self._extents.max(initial=0.0)), _spread(self._origins))

    def drawn_for(self, surface: MeshInstance) -> list[MeshInstance]:
        """Return what is drawn for a surface: itself, unless it is a mark."""
        if surface.layer is not Layer.PLACEHOLDER:
            return [surface]
        row, link = surface.row, int(self._scene.owners[surface.row])
        if self._model.kinds[row] is Kind.VISUAL and link >= 0 and self._model.kinds[link] is Kind.LINK:
            if link in self._words_of_links:  # is drawn already
                self.words[row] = self._words_of_links[link]
                return []
            drawn, words = self._of_link(row, link)
            if words:
                self.words[row] = self.words[link] = self._words_of_links[link] = words
                return drawn
        edge = self._guessed_edge(row, link)
        self.words[row] = f"mesh not found, drawn as a crate of {format_shown(edge, _DIGITS)} m, a guess"
        self.words.setdefault(link, self.words[row])
        return [replace(surface, scale=(edge / EDGE,) * 3)]

    def _of_link(self, row: int, link: int) -> tuple[list[MeshInstance], str]:
        """Return what is known of a link, at the row of one of its visuals, and in words; no words where nothing is."""
        X_RowRoot = invert(self._scene.X_RootF[row])
        collisions = self._collisions.get(link, ())
        if collisions and self._shows_collisions:
            return [], "mesh not found, see its collisions"
        drawn = []
        for collision in collisions:
            shape = self._contents.surface(self._model, collision).shape
            loaded = self._meshes(shape) if shape is not None and shape.is_loaded else None
            if shape is None or (loaded is not None and loaded.is_placeholder):
                continue
            if shape.is_loaded and loaded is None:
                self.wanted.append(shape)
                continue
            mesh = primitive_mesh(shape) if loaded is None else loaded.mesh
            X_RowG = X_RowRoot @ self._scene.X_RootF[collision]
            is_there = self._is_drawn(link, mesh, shape.scale, self._scene.X_RootF[collision])
            if not is_there and is_drawable(mesh, shape.scale) and np.isfinite(X_RowG).all():
                drawn.append(MeshInstance(row, mesh, shape.scale, HATCHED, Layer.PLACEHOLDER, X_RowG))
        if drawn:
            its = "its collision" if len(drawn) == 1 else f"its {counted(len(drawn), 'collision')}"
            return drawn, f"mesh not found, drawn as {its}"
        inertia, box = self._contents.inertia(self._model, link), self._contents.box(self._model, link)
        if inertia is None or box is None or box.X_RowG is None or not inertia.possible:
            return [], ""
        X_RowG = X_RowRoot @ self._scene.X_RootF[link] @ box.X_RowG
        if (self._reach > _SMALLEST and max(box.scale) > self._reach) or not np.isfinite(X_RowG).all():
            return [], ""
        size = " × ".join(format_shown(edge, _DIGITS) for edge in box.scale)
        drawn = [MeshInstance(row, box.mesh, box.scale, HATCHED, Layer.PLACEHOLDER, X_RowG)]
        return drawn, f"mesh not found, drawn as the box of its inertia, {size} m"

    def _is_drawn(self, link: int, mesh: TriangleMesh, scale: tuple[float, float, float], X_RootG: Floats) -> bool:
        """Return whether a visual of a link shows a mesh at a pose already, as a leg whose foot is missing."""
        drawn = (each for each in self._drawn.get(link, ()) if each.mesh is mesh and each.scale == scale)
        X_RootF = self._scene.X_RootF
        return any(each.X_RowG is None and np.allclose(X_RootF[each.row], X_RootG, atol=1e-6) for each in drawn)

    def _guessed_edge(self, row: int, link: int) -> float:
        """Return the edge in metres of the mark at a row, which suits its link and what is near."""
        X_RootF = self._scene.X_RootF
        if len(self._extents):
            nearest = np.argsort(_distances(self._middles, X_RootF[row, :3, 3]), kind="stable")[:_NEIGHBOURS]
            edge = float(np.median(self._extents[nearest]))
        else:
            away = _distances(self._origins, X_RootF[max(link, 0), :3, 3])
            away = away[(away > _SMALLEST) & np.isfinite(away)]
            edge = float(away.min()) / 2 if len(away) else EDGE
        limit = _PART * self._reach
        return float(np.clip(edge, _SMALLEST, limit if limit > _SMALLEST else EDGE))


def _distances(points: Floats, p: Floats) -> Floats:
    return np.asarray(np.linalg.norm(points - p, axis=1))


def _spread(points: Floats) -> float:
    """Return the largest edge of the box around points (k, 3)."""
    known = points[np.isfinite(points).all(axis=1)]
    return float((known.max(axis=0) - known.min(axis=0)).max()) if len(known) else 0.0


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
