"""Build a scene from a model: geometry, inertia, sensors and lights."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import is_

import numpy as np

from sdfviewer.computed import common_ends, first_difference
from sdfviewer.files.finder import Finder
from sdfviewer.model.kinds import SHAPED, VERTICES, Kind
from sdfviewer.model.model import Model
from sdfviewer.scene.geometry import Shape, primitive_mesh
from sdfviewer.scene.glyphs import (
    Edges,
    build_canonical_links,
    build_edges,
    build_joint_glyphs,
    build_labels,
    build_parent_sides,
    build_triads,
    choose_rows,
    find_parent_sides,
    label_parent_sides,
)
from sdfviewer.scene.loader import LoadedMesh, MeshLoader, MeshProblem
from sdfviewer.scene.marks import Centres, box_edges, tops_of
from sdfviewer.scene.mesh import MeshMaterial, TriangleMesh
from sdfviewer.scene.nodes import JointGlyphs, Labels, Layer, Lines, MeshInstance, ParentSides, Triads
from sdfviewer.scene.scene import Scene, drawn_poses, is_drawable, size_up
from sdfviewer.scene.scene_contents import ReadElement, SceneContents, with_stand_ins
from sdfviewer.validation.file_rules import mesh_in_millimetres

_COLLISION = MeshMaterial(diffuse=(0.94, 0.66, 0.20, 0.45), roughness=0.9)
_SURROUNDINGS = MeshMaterial(diffuse=(0.94, 0.66, 0.20, 0.10), roughness=0.9)
"""Of the collisions of the ground and of other large things around a robot, which they would hide or tint."""
_FAR_TOO_LARGE = "it is larger than 1e12 m"
_TOO_LARGE, _NOTABLE = 4.0, 0.3
"""A box of an inertia is drawn as its edges where it would hide the robot: so many times longer than its own link, and
longer than this part of all that is there.
"""

MeshLookup = Callable[[Shape], LoadedMesh | None]
"""Gives the outcome for a shape that is loaded, None while it is still on its way."""


@dataclass(frozen=True)
class SceneOptions:
    """What a scene holds.

    `frames` are the kinds that have triads; `frame_name` and `within` (scoped names of models) narrow them down.
    `parent_sides` shows Jp beside Jc. `also` are rows of visuals and collisions that are shown without their layer.
    """

    visuals: bool = True
    collisions: bool = False
    inertia: bool = False
    centres_of_mass: bool = False
    sensors: bool = True
    lights: bool = True
    frames: frozenset[str] = VERTICES
    frame_name: str = ""
    within: frozenset[str] = frozenset()
    labels: bool = True
    joints: bool = True
    parent_sides: bool = False
    canonical_links: bool = False
    edges: Edges | None = None
    also: frozenset[int] = frozenset()

    def with_one_of(self, model: Model, rows: Iterable[int]) -> SceneOptions:
        """Return options that show the visuals and collisions among some rows, too, where they would show none."""
        kinds = SHAPED
        shapes = [row for row in rows if model.kinds[row] in kinds]
        is_shown = any(model.kinds[row] in _surface_kinds(self) for row in shapes)
        return self if is_shown or not shapes else replace(self, also=frozenset(shapes))

    @property
    def reads_inertias(self) -> bool:
        """Whether something of inertias is shown."""
        return self.inertia or self.centres_of_mass

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
            frames=VERTICES if "frames" in layers else frozenset(),
            labels="labels" in layers,
            joints="joints" in layers,
            parent_sides="jp" in layers,
            canonical_links="canonical" in layers,
            edges=edges,
        )


class SceneBuilder:
    """Builds scenes of a model and of its later edits at the cost of what has changed.

    Parameters
    ----------
    finder
        Resolves the URIs of textures.
    meshes
        Where meshes come from: `MeshLoader.load` to wait for each, or a lookup in what has been loaded so far.
    contents
        What another builder has read, to share it: nothing by default.

    Attributes
    ----------
    contents
        What has been read from elements.
    problems
        What the last scene could not show as written.
    wanted
        Shapes that the last scene would draw in place of missing ones if their meshes were loaded.
    """

    def __init__(self, finder: Finder, meshes: MeshLookup, contents: SceneContents | None = None) -> None:
        self._meshes = meshes
        self.contents = contents or SceneContents(finder)
        self.problems: tuple[MeshProblem, ...] = ()
        self.wanted: tuple[Shape, ...] = ()
        self._stand_ins: dict[int, str] = {}
        self._last = Scene(np.empty((0, 4, 4)), np.empty(0, np.int32))
        #: Rows and entries of the last surfaces, and those of them that stay as long as nothing is written differently.
        self._kept: tuple[list[int], list[ReadElement], list[MeshInstance | None]] = ([], [], [])
        #: How many of the last surfaces, at the start and at the end, look as those before them did; None if unknown.
        self._same_looks: tuple[int, int] | None = None
        self._named: tuple[tuple[object, ...], Labels] = ((), Labels())

    def fork(self) -> SceneBuilder:
        """Return a builder that goes on from here, in another thread as soon as it has contents of its own."""
        other = SceneBuilder(self.contents.finder, self._meshes, self.contents)
        other.take(self)
        return other

    def take(self, other: SceneBuilder) -> None:
        """Go on from what another builder has built, in another thread for example."""
        self.contents.take(other.contents)
        self.problems, self._last, self._kept, self._named = other.problems, other._last, other._kept, other._named
        self.wanted, self._stand_ins = other.wanted, other._stand_ins
        self._same_looks = other._same_looks

    def shapes(self, model: Model, options: SceneOptions) -> list[Shape]:
        """Return the shapes whose meshes a scene needs from the loader, in document order, each once."""
        entries = self.contents.surfaces(model, _surface_rows(model, options))
        return list(dict.fromkeys(entry.shape for entry in entries if entry.is_loaded and entry.shape is not None))

    def build(self, model: Model, options: SceneOptions | None = None) -> Scene:
        """Return the scene of a model at its initial poses."""
        options = options or SceneOptions()
        frame_rows = choose_rows(model, options.frames, options.frame_name, options.within)
        triads = self._same_triads(build_triads(model, frame_rows))
        joint_rows = choose_rows(model, frozenset({"joint"}), options.frame_name, options.within)
        joint_rows &= model.is_resolved
        lines = [self.contents.lines(model, row) for row in _rows(model, _drawn_kinds(options))]
        if options.edges is not None:
            lines.append(build_edges(model, triads, options.edges))
        if options.canonical_links:
            lines.append(build_canonical_links(model, triads))
        sides = find_parent_sides(model, joint_rows) if options.parent_sides else ParentSides()
        lines.append(build_parent_sides(sides))
        labels = Labels()
        if options.labels:
            labels = self._labels(model, triads, sides)
        surfaces = self._surfaces(model, options)
        if options.inertia:
            boxes, edges = self._inertias(model, surfaces, triads)
            surfaces += boxes
            lines += edges
        self.contents.forget_others(model)
        scene = Scene(
            drawn_poses(model.X_RootF),
            model.owners.astype(np.int32),
            tuple(model.names),
            tuple(model.kinds),
            surfaces,
            triads,
            build_joint_glyphs(model, joint_rows) if options.joints else JointGlyphs(),
            Lines.concatenate(lines),
            labels,
            sides,
            centres=self._centres(model) if options.centres_of_mass else Centres(),
            absent=np.array(sorted(model.failed_includes), np.int32),
            stand_ins=self._stand_ins,
        )
        last, self._last = self._last, scene
        if len(last.surfaces) == len(surfaces) and all(map(is_, last.surfaces, surfaces)):
            scene.take_surface_arrays(last)  # an edit that only moves things leaves them as they are
        elif self._same_looks is not None:
            scene.take_looks(last, *self._same_looks)
        return scene

    def _same_triads(self, triads: Triads) -> Triads:
        """Return the triads of the last scene where they are the same."""
        last = self._last.triads
        is_same = np.array_equal(last.rows, triads.rows) and np.array_equal(last.tokens, triads.tokens)
        return last if is_same else triads

    def _labels(self, model: Model, triads: Triads, sides: ParentSides) -> Labels:
        """Return the names of frames, those of the last scene where they are the same."""
        named = (model.distinct_names, model.kinds, model.canonical_links, triads)
        before, labels = self._named
        if len(sides.joints):  # their labels are placed by poses
            return build_labels(model, triads, sides).joined(label_parent_sides(model, sides))
        if len(named) != len(before) or not all(map(is_, named, before)):
            labels = build_labels(model, triads, sides)
            self._named = named, labels
        return labels

    def _surfaces(self, model: Model, options: SceneOptions) -> tuple[MeshInstance, ...]:
        problems: list[tuple[int, MeshProblem]] = []
        has_marks = False
        rows = _surface_rows(model, options)
        entries = self.contents.surfaces(model, rows)
        last_rows, last_entries, last_kept = self._kept
        start, end = common_ends(last_entries, entries)
        tail = last_kept[len(last_kept) - end :]
        is_whole = len(self._last.surfaces) == len(last_kept) and None not in last_kept[:start] and None not in tail
        if rows[len(rows) - end :] != last_rows[len(last_rows) - end :]:  # an element has come or gone before them
            moved = zip(tail, rows[len(rows) - end :], strict=True)
            tail = [each if each is None or each.row == row else each.at(row) for each, row in moved]
        if rows[:start] != last_rows[:start]:
            start = first_difference(rows[:start], last_rows[:start])
        kept = [*last_kept[:start], *[None] * (len(rows) - start - end), *tail]
        self._kept = rows, entries, kept
        self._same_looks = (start, end) if is_whole else None
        found = kept.copy()
        for number in [number for number, surface in enumerate(kept) if surface is None]:
            row, entry = rows[number], entries[number]
            surface = entry.instance
            is_settled = not (entry.is_loaded or entry.surface.problems or entry.depends_on_file or entry.is_large)
            if surface is not None and is_settled and surface.row != row:
                surface = entry.instance = surface.at(row)
            elif surface is None or not is_settled:
                surface = self._surface(model, row, entry, problems)
                has_marks |= surface is not None and surface.layer is Layer.PLACEHOLDER
            found[number] = surface
            if is_settled and not entry.is_large:  # whether that is faint depends on more than what is written in it
                kept[number] = surface
        surfaces = [surface for surface in found if surface is not None]
        if len(surfaces) != len(found) or has_marks or options.inertia:
            self._same_looks = None
        self.wanted, self._stand_ins = (), {}
        if has_marks:
            frame = Scene(drawn_poses(model.X_RootF), model.owners.astype(np.int32))
            shows = options.collisions
            drawn = with_stand_ins(surfaces, frame, model, self.contents, self._meshes, shows_collisions=shows)
            surfaces, self.wanted, self._stand_ins = drawn.surfaces, drawn.wanted, drawn.words
        placed = _placed(model, problems, dict(zip(rows, entries, strict=True)) if problems else {})
        named = (replace(each, drawn=self._stand_ins.get(row, "")) if each.missing else each for row, each in placed)
        self.problems = tuple(dict.fromkeys(named))
        return tuple(surfaces)

    def _inertias(
        self, model: Model, surfaces: tuple[MeshInstance, ...], triads: Triads
    ) -> tuple[tuple[MeshInstance, ...], list[Lines]]:
        """Return the boxes of the inertias of links that can move, and the edges of those far too large."""
        moving = _moving_links(model)
        self.contents.read(model, moving, boxes=True)
        boxes = tuple(box for box in (self.contents.box(model, row) for row in moving) if box is not None)
        if not surfaces or not boxes:
            return boxes, []
        scene = Scene(drawn_poses(model.X_RootF), model.owners.astype(np.int32), surfaces=surfaces, triads=triads)
        outline, arrays = scene.outline(), scene.surface_arrays
        reach = np.zeros(len(model))
        np.maximum.at(reach, scene.owners[arrays.rows], (arrays.boxes[:, 1] - arrays.boxes[:, 0]).max(axis=1))
        least = _NOTABLE * float((outline.max(axis=0) - outline.min(axis=0)).max())
        is_huge = [max(box.scale) > max(least, _TOO_LARGE * reach[box.row]) for box in boxes]
        edges = [box_edges(box) for box, huge in zip(boxes, is_huge, strict=True) if huge]
        return tuple(box for box, huge in zip(boxes, is_huge, strict=True) if not huge), edges

    def _centres(self, model: Model) -> Centres:
        """Return the centres of mass of the links that can move."""
        moving = _moving_links(model)
        self.contents.read(model, moving)
        inertias = ((row, self.contents.inertia(model, row)) for row in moving)
        known = [(row, inertia) for row, inertia in inertias if inertia is not None]
        rows = np.array([row for row, _ in known], np.int32)
        return Centres(
            rows,
            np.array([inertia.X_LI[:3, 3] for _, inertia in known]).reshape(-1, 3),
            np.array([inertia.mass for _, inertia in known]),
            tops_of(model.owners.astype(np.int32), is_world=model.kinds[0] is Kind.WORLD)[rows],
        )

    def _surface(
        self, model: Model, row: int, entry: ReadElement, problems: list[tuple[int, MeshProblem]]
    ) -> MeshInstance | None:
        """Return the surface of a visual or collision, the same object as long as nothing about it changes."""
        problems += ((row, each) for each in entry.surface.problems)
        shape = entry.shape
        if shape is None:
            return None
        if entry.is_loaded:
            loaded = self._meshes(shape)
            if loaded is None:
                return None
            problems += ((row, each) for each in loaded.problems)
            if loaded.is_placeholder:
                return MeshInstance(row, loaded.mesh, layer=Layer.PLACEHOLDER)
            mesh = loaded.mesh
            problems += ((row, each) for each in _in_millimetres(model, row, shape, mesh))
        else:
            mesh = primitive_mesh(shape)
        if not is_drawable(mesh, shape.scale):
            file = model.document_of(row).path
            about = shape.uri or "a shape"
            problems.append((row, MeshProblem(shape.uri, None, _FAR_TOO_LARGE, shape.source, file, about=about)))
            return None
        collision = model.kinds[row] is Kind.COLLISION
        if collision:
            if entry.instance is None or entry.instance.mesh is not mesh:
                entry.is_large, entry.is_flat = size_up(mesh, shape.scale)
            is_around = entry.is_large and (entry.is_flat or bool(model.static[row]))
            material: MeshMaterial | None = _SURROUNDINGS if is_around else _COLLISION
        else:
            if entry.faded is None or entry.faded[0] is not mesh:
                entry.faded = (mesh, *entry.surface.applied(mesh))
            mesh, material = entry.faded[1:]
        known = entry.instance
        if known is None or known.mesh is not mesh or known.material is not material:
            layer = Layer.COLLISION if collision else Layer.VISUAL
            entry.instance = MeshInstance(row, mesh, shape.scale, material, layer)
        elif known.row != row:
            entry.instance = known.at(row)
        return entry.instance


def _placed(
    model: Model, problems: Iterable[tuple[int, MeshProblem]], entries: Mapping[int, ReadElement]
) -> Iterator[tuple[int, MeshProblem]]:
    """Yield problems at elements of this model: what a file holds may be known from a model that was read before."""
    moved: dict[int, MeshProblem] = {}
    for row, each in problems:
        shape = entries[row].shape if row in entries else None
        if shape is not None and each.element is not None and each.element not in model.document_of(row):
            moved.setdefault(id(each), replace(each, element=shape.source, file=shape.file))
        yield row, moved.get(id(each), each)


def _in_millimetres(model: Model, row: int, shape: Shape, mesh: TriangleMesh) -> Iterator[MeshProblem]:
    if shape.source is None or "filename" not in shape.source.attributes:
        return
    from sdfviewer.scene.assets import size_in_millimetres  # noqa: PLC0415  # for meshes of a URDF

    size = size_in_millimetres(shape.source, *mesh.bounds)
    if size is not None:
        message, file = mesh_in_millimetres.format(shape.uri, size), model.document_of(row).path
        yield MeshProblem(shape.uri, None, message, shape.source, file, millimetres=size)


def rows_to_read(model: Model, options: SceneOptions) -> list[int]:
    """Return the rows whose elements a scene reads."""
    kinds = [*_surface_kinds(options), *_drawn_kinds(options)]
    mask = model.kinds_are(*kinds)
    if options.reads_inertias:
        mask |= model.kinds_are(Kind.LINK) & ~model.static
    return np.flatnonzero(mask).tolist()


def _surface_kinds(options: SceneOptions) -> list[Kind]:
    return [kind for kind, on in ((Kind.VISUAL, options.visuals), (Kind.COLLISION, options.collisions)) if on]


def _surface_rows(model: Model, options: SceneOptions) -> list[int]:
    rows = _rows(model, _surface_kinds(options))
    return sorted(options.also.union(rows)) if options.also else rows


def _drawn_kinds(options: SceneOptions) -> list[Kind]:
    shown = ((Kind.SENSOR, options.sensors), (Kind.LIGHT, options.lights), (Kind.ACTOR, options.sensors))
    return [kind for kind, on in shown if on]


def _moving_links(model: Model) -> list[int]:
    rows: list[int] = np.flatnonzero(model.kinds_are(Kind.LINK) & ~model.static).tolist()
    return rows


def _rows(model: Model, kinds: Sequence[Kind]) -> list[int]:
    rows: list[int] = np.flatnonzero(model.kinds_are(*kinds)).tolist()
    return rows


def load_scene(model: Model, options: SceneOptions, finder: Finder) -> tuple[Scene, tuple[MeshProblem, ...]]:
    """Return the scene of a model at its initial poses, and what it cannot show as written.

    The meshes are loaded side by side.
    """
    loader = MeshLoader(finder)
    builder = SceneBuilder(finder, loader.load)
    loader.start(builder.shapes(model, options)).wait()
    return builder.build(model, options), builder.problems
