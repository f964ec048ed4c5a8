"""What is drawn in place of meshes that are not found: collisions of their link, the box of its inertia, or a mark."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted, format_shown
from sdfviewer.scene.geometry import EDGE, Shape, primitive_mesh
from sdfviewer.scene.loader import LoadedMesh
from sdfviewer.scene.mesh import MeshMaterial, TriangleMesh
from sdfviewer.scene.nodes import Floats, Layer, MeshInstance
from sdfviewer.scene.scene import Scene, is_drawable
from sdfviewer.scene.scene_contents import SceneContents
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
