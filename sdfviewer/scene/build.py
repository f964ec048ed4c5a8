"""From a model to a scene: reads the geometry, inertia, sensors and lights that the rows' elements hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from sdfviewer.document.element import Element
from sdfviewer.document.finder import Finder
from sdfviewer.scene.frames import (
    Edges,
    build_canonical_links,
    build_edges,
    build_labels,
    build_parent_sides,
    build_triads,
    choose_rows,
)
from sdfviewer.scene.geometry import LOADED_KINDS, Shape, mesh_of, read_geometry
from sdfviewer.scene.inertia import Inertia, inertia_surfaces, read_inertia, read_urdf_inertia
from sdfviewer.scene.joints import build_joint_glyphs
from sdfviewer.scene.loader import LoadedMesh, MeshLoader, MeshProblem
from sdfviewer.scene.materials import Surface, read_surface
from sdfviewer.scene.mesh import Material, TriangleMesh
from sdfviewer.scene.nodes import JointGlyphs, Labels, Layer, Lines, MeshInstance
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.sensors import actor_lines, light_lines, sensor_lines
from sdfviewer.scene.urdf_materials import read_urdf_surface, robot_of
from sdfviewer.semantics import Kind, Model

FRAME_KINDS = frozenset({"world", "model", "link", "joint", "frame"})

_COLLISION = Material(diffuse=(0.94, 0.66, 0.20, 0.45), roughness=0.9)

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


@dataclass
class _Read:
    """What was read from one visual, collision or link; kept while its element lives."""

    element: Element
    is_urdf: bool
    shape: Shape | None = None
    surface: Surface = field(default_factory=Surface)
    inertia: Inertia | None = None
    faded: tuple[TriangleMesh, TriangleMesh, Material | None] | None = None
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
        if options.parent_sides:
            lines.append(build_parent_sides(model, joint_rows))
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
            build_labels(model, triads) if options.labels else Labels(),
        )

    @staticmethod
    def _surface_rows(model: Model, options: SceneOptions) -> list[int]:
        wanted = {kind for kind, on in ((Kind.VISUAL, options.visuals), (Kind.COLLISION, options.collisions)) if on}
        return [row for row, kind in enumerate(model.kinds) if kind in wanted]

    def _entry(self, model: Model, row: int) -> _Read:
        """Return what a row's element says; read once for as long as the element is part of the model."""
        element = model.elements[row]
        entry = self._read.get(id(element))
        if entry is not None and not entry.is_urdf:
            return entry
        kind, document = model.kinds[row], model.document_of(row)
        file, robot = document.path, robot_of(document)
        if entry is not None:
            if robot is not None and kind is Kind.VISUAL:  # its material may be written elsewhere
                surface = self._urdf_surface(model, row, robot)
                if surface != entry.surface:
                    entry.surface, entry.faded = surface, None
            return entry
        entry = self._read[id(element)] = _Read(element, robot is not None)
        if kind is Kind.LINK:
            entry.inertia = read_inertia(element, model.version) if robot is None else read_urdf_inertia(element)
        else:
            geometry = element.find("geometry")
            entry.shape = read_geometry(geometry, file) if geometry is not None else None
            if kind is Kind.VISUAL and robot is not None:
                entry.surface = self._urdf_surface(model, row, robot)
            elif kind is Kind.VISUAL:
                entry.surface = read_surface(element, file, self._finder)
        return entry

    def _urdf_surface(self, model: Model, row: int, robot: Element) -> Surface:
        link = model.local_names[int(model.owners[row])]
        return read_urdf_surface(model.elements[row], link, robot, model.document_of(row).path, self._finder)

    def _surfaces(self, model: Model, options: SceneOptions, problems: list[MeshProblem]) -> tuple[MeshInstance, ...]:
        surfaces: list[MeshInstance] = []
        for row in self._surface_rows(model, options):
            entry = self._entry(model, row)
            problems += entry.surface.problems
            if entry.shape is not None:
                surface = self._surface(row, entry, entry.shape, model.kinds[row] is Kind.COLLISION, problems)
                if surface is not None:
                    surfaces.append(surface)
        if options.inertia or options.centres_of_mass:
            for row, kind in enumerate(model.kinds):
                inertia = self._entry(model, row).inertia if kind is Kind.LINK and not model.static[row] else None
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
            mesh = mesh_of(shape, _NO_LOADER)
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
                parts.append(sensor_lines(row, model.elements[row]))
            elif kind is Kind.LIGHT and options.lights:
                parts.append(light_lines(row, model.elements[row]))
            elif kind is Kind.ACTOR and options.sensors:
                parts.append(actor_lines(row))
        return Lines.concatenate(parts)


class _NoLoader:
    def mesh(self, shape: Shape) -> TriangleMesh:
        raise AssertionError(f"a {shape.kind} is not made here")


_NO_LOADER = _NoLoader()


def build_scene(model: Model, options: SceneOptions | None = None, finder: Finder | None = None) -> Scene:
    """Return the scene of a model at its initial poses, waiting for every mesh; see `SceneBuilder` for windows."""
    finder = finder or Finder()
    loader = MeshLoader(finder)
    return SceneBuilder(finder, loader.load).build(model, options)
