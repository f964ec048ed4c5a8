"""Build a scene from a model: geometry, inertia, sensors and lights."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from sdfviewer.document.document import Document
from sdfviewer.document.element import Element
from sdfviewer.files.finder import Finder
from sdfviewer.formats.contents import read_collision, read_inertial, read_light, read_sensor, read_visual
from sdfviewer.formats.registry import format_of
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.scene.frame_glyphs import (
    Edges,
    build_canonical_links,
    build_edges,
    build_labels,
    build_parent_sides,
    build_triads,
    choose_rows,
    find_parent_sides,
    label_parent_sides,
)
from sdfviewer.scene.geometry import LOADED_KINDS, Shape, primitive_mesh, shape_of
from sdfviewer.scene.inertia_marks import Inertia, inertia_of, inertia_surfaces, principal_inertias
from sdfviewer.scene.joint_glyphs import build_joint_glyphs
from sdfviewer.scene.loader import LoadedMesh, MeshLoader, MeshProblem
from sdfviewer.scene.materials import SceneSurface, surface_of
from sdfviewer.scene.mesh import MeshMaterial, TriangleMesh
from sdfviewer.scene.missing_meshes import sized_marks
from sdfviewer.scene.nodes import JointGlyphs, Labels, Layer, Lines, MeshInstance, ParentSides
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.sensor_glyphs import actor_lines, light_lines, sensor_lines

FRAME_KINDS = frozenset({"world", "model", "link", "joint", "frame"})

_COLLISION = MeshMaterial(diffuse=(0.94, 0.66, 0.20, 0.45), roughness=0.9)

MeshLookup = Callable[[Shape], LoadedMesh | None]
"""Gives the outcome for a shape of `geometry.LOADED_KINDS`, None while it is still on its way."""


@dataclass(frozen=True)
class SceneOptions:
    """What a scene holds.

    `frames` are the kinds that have triads; `frame_name` and `within` (scoped names of models) narrow them down.
    `parent_sides` shows Jp beside Jc.
    """

    visuals: bool = True
    collisions: bool = False
    inertia: bool = False
    centres_of_mass: bool = False
    sensors: bool = True
    lights: bool = True
    frames: frozenset[str] = FRAME_KINDS
    frame_name: str = ""
    within: frozenset[str] = frozenset()
    labels: bool = True
    joints: bool = True
    parent_sides: bool = False
    canonical_links: bool = False
    edges: Edges | None = None

    @staticmethod
    def of_layers(layers: Collection[str], edges: Edges | None = None) -> SceneOptions:
        """Return the options that show layers by their names, such as ``visuals``, ``com`` or ``jp``, and no others."""
        return SceneOptions(
            visuals="visuals" in layers,
            collisions="collisions" in layers,
            inertia="inertia" in layers,
            centres_of_mass="com" in layers,
            sensors="sensors" in layers,
            lights="lights" in layers,
            frames=FRAME_KINDS if "frames" in layers else frozenset(),
            labels="labels" in layers,
            joints="joints" in layers,
            parent_sides="jp" in layers,
            canonical_links="canonical" in layers,
            edges=edges,
        )


@dataclass
class _Read:
    """What was read from one visual, collision or link; kept while its element lives."""

    element: Element
    depends_on_file: bool
    shape: Shape | None = None
    surface: SceneSurface = field(default_factory=SceneSurface)
    inertia: Inertia | None = None
    has_auto_inertia: bool = False
    faded: tuple[TriangleMesh, TriangleMesh, MeshMaterial | None] | None = None
    """A mesh that came from the loader, and what the surface's transparency made of it."""


class SceneBuilder:
    """Builds scenes of a model and of its later edits at the cost of what has changed.

    Parameters
    ----------
    finder
        Resolves the URIs of textures.
    meshes
        Where meshes come from: `MeshLoader.load` to wait for each, or a lookup in what has been loaded so far.
    """

    def __init__(self, finder: Finder, meshes: MeshLookup) -> None:
        self._finder, self._meshes = finder, meshes
        self._read: dict[int, _Read] = {}
        self.problems: tuple[MeshProblem, ...] = ()
        """What the last scene could not show as written."""

    def shapes(self, model: Model, options: SceneOptions) -> list[Shape]:
        """Return the shapes whose meshes a scene needs from the loader, in document order, each once."""
        shapes = (self._entry(model, row).shape for row in self._surface_rows(model, options))
        return list(dict.fromkeys(shape for shape in shapes if shape is not None and shape.kind in LOADED_KINDS))

    def build(self, model: Model, options: SceneOptions | None = None) -> Scene:
        """Return the scene of a model at its initial poses."""
        options = options or SceneOptions()
        frame_rows = choose_rows(model, options.frames, options.frame_name, options.within)
        triads = build_triads(model, frame_rows)
        joint_rows = choose_rows(model, frozenset({"joint"}), options.frame_name, options.within)
        joint_rows &= np.isfinite(model.X_RootF).all(axis=(1, 2))
        lines = [self._drawings(model, options)]
        if options.edges is not None:
            lines.append(build_edges(model, triads, options.edges))
        if options.canonical_links:
            lines.append(build_canonical_links(model, triads))
        sides = find_parent_sides(model, joint_rows) if options.parent_sides else ParentSides()
        lines.append(build_parent_sides(sides))
        labels = Labels()
        if options.labels:
            labels = build_labels(model, triads, sides).joined(label_parent_sides(model, sides))
        problems: list[MeshProblem] = []
        surfaces = self._surfaces(model, options, problems)
        self.problems = tuple(dict.fromkeys(problems))
        alive = {id(element) for element in model.elements}
        self._read = {key: entry for key, entry in self._read.items() if key in alive}
        return Scene(
            model.X_RootF,
            model.owners.astype(np.int32),
            tuple(model.names),
            tuple(kind.value for kind in model.kinds),
            surfaces,
            triads,
            build_joint_glyphs(model, joint_rows) if options.joints else JointGlyphs(),
            Lines.concatenate(lines),
            labels,
            sides,
        )

    @staticmethod
    def _surface_rows(model: Model, options: SceneOptions) -> list[int]:
        wanted = {kind for kind, on in ((Kind.VISUAL, options.visuals), (Kind.COLLISION, options.collisions)) if on}
        return [row for row, kind in enumerate(model.kinds) if kind in wanted]

    def _entry(self, model: Model, row: int) -> _Read:
        """Return the contents of a row's element; cached while the element is part of the model."""
        element = model.elements[row]
        entry = self._read.get(id(element))
        if entry is not None and not entry.depends_on_file:
            return entry
        kind, document = model.kinds[row], model.document_of(row)
        if entry is not None:
            if kind is Kind.VISUAL:  # its material may be written elsewhere
                surface = surface_of(read_visual(model, row), document.path, self._finder)
                if surface != entry.surface:
                    entry.surface, entry.faded = surface, None
            return entry
        entry = self._read[id(element)] = _Read(element, not _is_self_contained(document))
        if kind is Kind.VISUAL:
            visual = read_visual(model, row)
            entry.shape = shape_of(visual.geometry)
            entry.surface = surface_of(visual, document.path, self._finder)
        else:
            entry.shape = shape_of(read_collision(model, row).geometry)
        return entry

    def _inertia(self, model: Model, row: int) -> Inertia | None:
        """Return the inertia of the link of a row, read once unless it is computed from elsewhere."""
        element = model.elements[row]
        if id(element) not in self._read:
            self._read_inertias(model, [row])
        entry = self._read[id(element)]
        return inertia_of(model, row) if entry.has_auto_inertia else entry.inertia

    def _read_inertias(self, model: Model, rows: Sequence[int]) -> None:
        """Read the inertias of the links of rows that are not read yet."""
        rows = [row for row in rows if id(model.elements[row]) not in self._read]
        entries, written = [], []
        for row in rows:
            element, inertial = model.elements[row], read_inertial(model, row)
            entry = self._read[id(element)] = _Read(element, False)
            entry.has_auto_inertia = inertial.auto
            if inertial.is_written and not inertial.auto:
                entries.append(entry)
                written.append(inertial)
        for entry, inertia in zip(entries, principal_inertias(written), strict=True):
            entry.inertia = inertia

    def _surfaces(self, model: Model, options: SceneOptions, problems: list[MeshProblem]) -> tuple[MeshInstance, ...]:
        surfaces: list[MeshInstance] = []
        for row in self._surface_rows(model, options):
            entry = self._entry(model, row)
            problems += entry.surface.problems
            if entry.shape is not None:
                surface = self._surface(row, entry, entry.shape, model.kinds[row] is Kind.COLLISION, problems)
                if surface is not None:
                    surfaces.append(surface)
        links = [row for row, kind in enumerate(model.kinds) if kind is Kind.LINK]
        frame = Scene(model.X_RootF, model.owners.astype(np.int32))
        surfaces = sized_marks(surfaces, frame, links, lambda row: self._inertia(model, row))
        if options.inertia or options.centres_of_mass:
            moving = [row for row in links if not model.static[row]]
            self._read_inertias(model, moving)
            for row in moving:
                inertia = self._inertia(model, row)
                if inertia is not None:
                    surfaces += inertia_surfaces(row, inertia, box=options.inertia, centre=options.centres_of_mass)
        return tuple(surfaces)

    def _surface(
        self, row: int, entry: _Read, shape: Shape, collision: bool, problems: list[MeshProblem]
    ) -> MeshInstance | None:
        if shape.kind in LOADED_KINDS:
            loaded = self._meshes(shape)
            if loaded is None:
                return None
            problems += loaded.problems
            if loaded.is_placeholder:
                return MeshInstance(row, loaded.mesh, layer=Layer.PLACEHOLDER)
            mesh = loaded.mesh
        else:
            mesh = primitive_mesh(shape)
        if collision:
            return MeshInstance(row, mesh, shape.scale, _COLLISION, Layer.COLLISION)
        if entry.faded is None or entry.faded[0] is not mesh:
            entry.faded = (mesh, *entry.surface.applied(mesh))
        return MeshInstance(row, entry.faded[1], shape.scale, entry.faded[2])

    @staticmethod
    def _drawings(model: Model, options: SceneOptions) -> Lines:
        parts = []
        for row, kind in enumerate(model.kinds):
            if kind is Kind.SENSOR and options.sensors:
                parts.append(sensor_lines(row, read_sensor(model, row)))
            elif kind is Kind.LIGHT and options.lights:
                parts.append(light_lines(row, read_light(model, row)))
            elif kind is Kind.ACTOR and options.sensors:
                parts.append(actor_lines(row))
        return Lines.concatenate(parts)


def _is_self_contained(document: Document) -> bool:
    known = format_of(document)
    return known is not None and known.capabilities.is_self_contained


def build_scene(model: Model, options: SceneOptions | None = None, finder: Finder | None = None) -> Scene:
    """Return the scene of a model at its initial poses, waiting for every mesh; see `SceneBuilder` for windows."""
    finder = finder or Finder()
    loader = MeshLoader(finder)
    return SceneBuilder(finder, loader.load).build(model, options)
