"""Surfaces: instanced meshes with materials, ghost, selection mask, and the shadow of the key light."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sdfviewer.render.caps import BufferedTriangles, CutSolids, box_reach
from sdfviewer.render.gl import GL, glBindVertexArray, glDrawElementsInstanced
from sdfviewer.render.gl_objects import (
    POSE,
    Buffer,
    Program,
    TextureTarget,
    VertexArray,
    delete_vertex_arrays,
    pack_poses,
)
from sdfviewer.render.surface_batches import COARSE, Batch, MeshStore, SurfacePrograms, make_batches, vertex_layout
from sdfviewer.render.textures import SHADOW_MAP, TextureStore, bind_texture
from sdfviewer.render.view import View
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.tools.section import CuttingPlane

_MATERIAL = np.dtype(
    [("scale", np.float32, 3), ("diffuse", np.uint8, 4), ("emissive", np.uint8, 4), ("specular", np.uint8, 4)]
)
_LOST = 1e17
"""Anything farther away than this many metres has no pose; see `pack_poses`."""
_PORTION = 12_000
"""Number of translucent triangles drawn in one pass of the event loop: software rendering takes 20 ms."""
_CASTERS = 100_000
"""Number of shadow-casting triangles drawn in one pass of the event loop: software rendering takes 25 ms."""
_SLICES = 16
"""Number of runs in which a crowd of blended surfaces is drawn, the farthest first, among what else is blended."""
_TINY = 0.4
"""Radius in pixels below which nothing would be seen."""

_BEHIND = 1.0, 4.0
"""How far a ghost is behind a surface in one plane with it: by the slope of the depth, and in its smallest steps."""

_MARK = np.dtype([("tint", np.uint8, 4), ("mark", np.uint8, 4)])


def _as_bytes(rgba: list[tuple[float, ...]]) -> NDArray[np.uint8]:
    return (np.clip(np.array(rgba, np.float32).reshape(-1, 4), 0, 1) * 255 + 0.5).astype(np.uint8)


Run = tuple[Batch, int, int]
"""A batch, and the first and the last + 1 of its instances that are drawn."""

_Drawn = TypeVar("_Drawn")


class Surfaces:
    """All surfaces of one scene at one set of poses."""

    def __init__(self, meshes: MeshStore, textures: TextureStore) -> None:
        self._meshes, self._textures = meshes, textures
        self._batches: list[Batch] = []
        self._crowds: list[Batch] = []
        self._buffers = (Buffer(), Buffer(), Buffer())
        self._records: tuple[NDArray[np.float32], NDArray[np.void], NDArray[np.void]] = self._no_records(0)
        self._slots = np.zeros(0, np.intp)
        self._surface_of_record = np.zeros(0, np.intp)
        self._marked = np.zeros(0, bool)
        self._centres, self._radii = np.zeros((0, 3)), np.zeros(0)
        self._scene: Scene | None = None
        self._selected_for: View | None = None

    @staticmethod
    def _no_records(k: int) -> tuple[NDArray[np.float32], NDArray[np.void], NDArray[np.void]]:
        return np.zeros((k, 12), np.float32), np.zeros(k, _MATERIAL), np.zeros(k, _MARK)

    def set_scene(self, scene: Scene, blend_all: bool) -> None:
        """Lay out the records of another scene; with `blend_all` every surface lets light through."""
        delete_vertex_arrays(b.vertex_array for b in self._batches if b.vertex_array is not None)
        self._scene, self._selected_for = scene, None
        arrays = scene.surface_arrays
        batches, materials = make_batches(arrays, blend_all)
        order = np.concatenate([np.zeros(0, np.intp), *(batch.surfaces for batch in batches)])
        self._surface_of_record = order
        self._radii = np.linalg.norm(arrays.boxes[:, 1] - arrays.boxes[:, 0], axis=1) / 2
        self._centres = np.zeros((len(self._radii), 3))
        self._records = self._no_records(len(order))
        records = self._records[1]
        if len(order):
            numbers = np.concatenate([batch.materials for batch in batches])
            records["scale"] = arrays.scales[order]
            records["diffuse"] = _as_bytes([(*m.diffuse[:3], m.opacity) for m in materials])[numbers]
            records["emissive"] = _as_bytes([(*m.emissive[:3], m.roughness) for m in materials])[numbers]
            records["specular"] = _as_bytes([(*m.specular[:3], m.metalness) for m in materials])[numbers]
        self._lay_out(batches)
        self._marked = np.zeros(len(self._batches), bool)

    def _lay_out(self, batches: list[Batch]) -> None:
        """Give each batch its run of slots in the buffers; its coarse meshes share it."""
        self._batches, self._crowds = [], []
        slots: list[NDArray[np.intp]] = []
        size = record = 0
        for batch in batches:
            batch.record = record
            own = self._record_range(batch)
            record += len(own)
            runs = [batch]
            if batch.is_crowd or batch.heavy:
                self._crowds.append(batch)
                batch.coarse = batch.with_coarse_meshes()
                runs += batch.coarse
            for run in runs:
                run.first = size
                run.instances = run.casters = len(own) if run is batch else 0
            size += len(own)
            slots.append(own)
            self._batches += runs
        self._slots = np.concatenate(slots) if slots else np.zeros(0, np.intp)
        # Vertex arrays need their buffers to exist.
        for buffer, rows in zip(self._buffers, self._records, strict=True):
            buffer.upload(rows[self._slots])
        for batch in self._batches:
            vertices, indices = self._meshes.buffers(batch.mesh)
            array = batch.vertex_array = VertexArray()
            array.attach(vertices, vertex_layout(batch.mesh))
            self._attach_instances(array, batch.first)
            array.attach_indices(indices)

    def _attach_instances(self, array: VertexArray, first: int) -> None:
        """Let a draw call begin with the instance in a slot."""
        for buffer, dtype in zip(self._buffers, (POSE, _MATERIAL, _MARK), strict=True):
            array.attach(buffer, dtype, first=first, per_instance=True)

    def set_poses(self, X_RootF: NDArray[np.float64], packed: NDArray[np.float32]) -> None:
        """Move all surfaces; `packed` are the same poses as `pack_poses` gives them."""
        if self._scene is None or not len(self._slots):
            return
        arrays = self._scene.surface_arrays
        poses = packed[arrays.rows]
        if len(arrays.offset):
            poses[arrays.offset] = pack_poses(X_RootF[arrays.rows[arrays.offset]] @ arrays.X_RowG)
        self._records = (poses[self._surface_of_record], *self._records[1:])
        self._upload(0)
        self._selected_for = None
        matrices = poses.reshape(-1, 3, 4)
        self._centres = np.einsum("kij,kj->ki", matrices[:, :, :3], arrays.centres) + matrices[:, :, 3]

    def boxes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return boxes (2, 3) around the spheres that hold all surfaces, and all but the ground; (0, 3) for none.

        They are a little wider than the surfaces, and a tenth of the work of looking at their corners.
        """
        shown = np.abs(self._centres).max(axis=1, initial=0.0) < _LOST
        everything = self._box(shown)
        if self._scene is None or not len(shown):
            return everything, everything
        standing = shown & ~self._scene.surface_arrays.ground
        has_ground = standing.any() and not np.array_equal(standing, shown)
        return everything, self._box(standing) if has_ground else everything

    def _box(self, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
        if not chosen.any():
            return np.zeros((0, 3))
        centres, radii = self._centres[chosen], self._radii[chosen, None]
        return np.stack([(centres - radii).min(axis=0), (centres + radii).max(axis=0)])

    def set_marks(
        self, marks: NDArray[np.uint8], tints: NDArray[np.uint8], ground: NDArray[np.uint8] | None = None
    ) -> None:
        """Mark rows: (n, 2) selected and hovered as 0 or 255; tint rows: (n, 4) colour and strength.

        The `ground` has a tint (4,) of its own where its row has none.
        """
        if self._scene is None or not len(self._slots):
            return
        arrays = self._scene.surface_arrays
        rows = arrays.rows[self._surface_of_record]
        records = self._records[2]
        records["tint"] = tints[rows]
        if ground is not None:
            records["tint"][arrays.ground[self._surface_of_record] & (tints[rows, 3] == 0)] = ground
        records["mark"][:, :2] = marks[rows]
        self._upload(2)
        before = np.concatenate([[0], np.cumsum(records["mark"].max(axis=1) > 0)])
        start = np.array([batch.record for batch in self._batches])
        length = np.array([len(batch.surfaces) for batch in self._batches])
        self._marked = before[start + length] > before[start]

    def _upload(self, *which: int) -> None:
        for k in which:
            self._buffers[k].upload(self._records[k][self._slots])

    def select(self, view: View) -> bool:
        """Sort the crowds for a picture: what is beside it is left out, what is small is drawn with less detail.

        What is blended is sorted from far to near.

        In a draft heavy meshes are drawn with less detail too. Returns whether what throws shadows has changed by that.
        """
        if not self._crowds or view == self._selected_for:
            return False
        cast = [batch.casters for batch in self._crowds if batch.heavy]
        self._selected_for = view
        camera, (width, height) = view.camera, view.size
        pixels, depth = camera.project(self._centres, width, height)
        radii = self._radii / camera.metres_per_pixel(self._centres, height)
        # Something that reaches behind the camera may fill the picture, wherever its centre is.
        inside = (np.abs(pixels - (width / 2, height / 2)) < np.array([width, height]) / 2 + radii[:, None]).all(axis=1)
        inside |= np.abs(depth) < self._radii
        inside &= (radii > _TINY) & (depth > -self._radii)
        for batch in self._crowds:
            surfaces = batch.surfaces
            own = self._record_range(batch)
            if batch.blended:
                farthest_first = np.argsort(-depth[surfaces], kind="stable")
                surfaces, own = surfaces[farthest_first], own[farthest_first]
            seen = inside[surfaces]
            level = np.zeros(len(surfaces), np.intp)
            for _run, least in zip(batch.coarse, COARSE, strict=False):
                level += radii[surfaces] < least
            if batch.coarse and view.draft and batch.heavy:
                level = np.maximum(level, 1)
            # Visible instances of each level come first, so that the rest can be left out.
            self._slots[batch.first : batch.first + len(own)] = own[np.argsort(2 * level + ~seen, kind="stable")]
            first = batch.first
            for k, run in enumerate((batch, *batch.coarse)):
                chosen = level == k
                run.instances, run.casters = int((chosen & seen).sum()), int(chosen.sum())
                if run.first != first:
                    assert run.vertex_array is not None
                    self._attach_instances(run.vertex_array, first)
                    run.first = first
                first += run.casters
        self._upload(0, 1, 2)
        return cast != [batch.casters for batch in self._crowds if batch.heavy]

    def _record_range(self, batch: Batch) -> NDArray[np.intp]:
        return np.arange(batch.record, batch.record + len(batch.surfaces))

    def draw_opaque(self, programs: SurfacePrograms, eye: NDArray[np.float64]) -> None:
        """Draw what hides what is behind it; of solid surfaces around which the eye can see, only the front faces."""
        opaque = [batch for batch in self._batches if not batch.blended]
        self._draw_parts(programs, *self._by_faces(opaque, [batch.solid for batch in opaque], eye))

    def _by_faces(
        self, batches: list[Batch], solid: list[bool], eye: NDArray[np.float64]
    ) -> tuple[list[Batch], list[Batch]]:
        """Return the batches of which both sides may be seen, and the solid ones around which the eye can see."""
        outside = np.linalg.norm(self._centres - eye, axis=1) > self._radii * 1.05
        fronts = [each and bool(outside[batch.surfaces].all()) for batch, each in zip(batches, solid, strict=True)]
        return (
            [batch for batch, front in zip(batches, fronts, strict=True) if not front],
            [batch for batch, front in zip(batches, fronts, strict=True) if front],
        )

    def _draw_parts(self, programs: SurfacePrograms, both_sides: list[Batch], fronts: list[Batch]) -> None:
        self._draw(programs, both_sides)
        GL.glCullFace(GL.GL_BACK)
        GL.glEnable(GL.GL_CULL_FACE)
        self._draw(programs, fronts)
        GL.glDisable(GL.GL_CULL_FACE)

    def cut_solids(self, plane: CuttingPlane) -> CutSolids:
        """Return the opaque solids that are in the picture and that a plane cuts."""
        arrays = self._scene.surface_arrays if self._scene is not None else None
        halves = np.zeros((0, 3)) if arrays is None else (arrays.boxes[:, 1] - arrays.boxes[:, 0]) / 2
        poses, materials, _marks = self._records
        near = np.abs(plane.keeps(self._centres)) < self._radii
        meshes: list[BufferedTriangles] = []
        records: list[NDArray[np.intp]] = []
        for batch in self._batches:
            # A coarse mesh may have holes.
            drawn = batch if batch.solid or batch.fine is None else batch.fine
            own = self._slots[batch.first : batch.first + batch.instances]
            own = own[near[self._surface_of_record[own]]]
            if drawn.solid and len(own):
                surfaces = self._surface_of_record[own]
                reach = box_reach(poses[own], halves[surfaces], np.asarray(plane.normal))
                own = own[np.abs(plane.keeps(self._centres[surfaces])) < reach]
                vertices, indices = self._meshes.buffers(drawn.mesh)
                layout = vertex_layout(drawn.mesh)
                meshes.append(BufferedTriangles(vertices, layout, indices, drawn.start, drawn.count))
                records.append(own)
        chosen = np.concatenate([np.zeros(0, np.intp), *records])
        surfaces = self._surface_of_record[chosen]
        return CutSolids(
            tuple(meshes),
            np.repeat(np.arange(len(meshes)), [len(each) for each in records]),
            poses[chosen],
            materials["scale"][chosen],
            (materials["diffuse"][chosen, :3] / 255).astype(np.float32),
            self._centres[surfaces],
            halves[surfaces],
        )

    def blended(self, eye: NDArray[np.float64], backward: NDArray[np.float64]) -> list[list[Run]]:
        """Return what lets light through, farthest first, in portions of which none takes software long."""
        batches = [batch for batch in self._batches if batch.blended and batch.instances]
        runs = self._runs(batches, eye, backward) if batches else ()
        return _in_portions(runs, lambda run: run[0].count * (run[2] - run[1]), _PORTION)

    def draw_blended(self, programs: SurfacePrograms, portion: list[Run]) -> None:
        """Draw a portion of what lets light through."""
        GL.glDepthMask(False)
        # A collision often has the same faces as the visual: offset it slightly towards the camera.
        GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glPolygonOffset(-1.0, -2.0)
        # Within one surface the far side comes first too.
        GL.glEnable(GL.GL_CULL_FACE)
        programs.start()
        for batch, begin, end in portion:
            assert batch.vertex_array is not None
            if begin:
                self._attach_instances(batch.vertex_array, batch.first + begin)
            for side in (GL.GL_FRONT, GL.GL_BACK):
                GL.glCullFace(side)
                programs.use(batch.skin, self._textures)
                self._draw_batch(batch, end - begin)
            if begin:
                self._attach_instances(batch.vertex_array, batch.first)
        GL.glDisable(GL.GL_CULL_FACE)
        GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glDepthMask(True)

    def _runs(self, blended: list[Batch], eye: NDArray[np.float64], backward: NDArray[np.float64]) -> list[Run]:
        """Return batches and their first and last instance + 1, farthest first.

        A surface of its own is one run. Crowds are cut at the same distances, so that several of them take turns.
        """
        nearness = (self._centres - eye) @ backward
        near = [nearness[self._surface_of_record[self._slots[b.first : b.first + b.instances]]] for b in blended]
        crowds = np.concatenate([np.zeros(0), *(each for each in near if len(each) > 1)])
        cuts = np.quantile(crowds, np.arange(1, _SLICES) / _SLICES) if len(crowds) else np.zeros(0)
        runs: list[tuple[float, Batch, int, int]] = []
        for batch, each in zip(blended, near, strict=True):
            ends = [0, *np.searchsorted(each, cuts), len(each)] if len(each) > 1 else [0, 1]
            runs += [(float(each[a]), batch, a, b) for a, b in pairwise(map(int, ends)) if b > a]
        return [(batch, begin, end) for _near, batch, begin, end in sorted(runs, key=lambda run: run[0])]

    def draw_ghost_depth(self, programs: SurfacePrograms, eye: NDArray[np.float64]) -> None:
        """Draw only how far the nearest surface of everything is.

        A surface that was moved within its own plane, as a floor is, lies behind the one that it would fight with.
        """
        GL.glColorMask(False, False, False, False)
        self._draw_behind(programs, eye)
        GL.glColorMask(True, True, True, True)

    def draw_ghost(self, programs: SurfacePrograms, eye: NDArray[np.float64]) -> None:
        """Draw what is no farther than `draw_ghost_depth` says: the nearest surface of everything."""
        GL.glDepthFunc(GL.GL_LEQUAL)
        self._draw_behind(programs, eye)
        GL.glDepthFunc(GL.GL_LESS)

    def _draw_behind(self, programs: SurfacePrograms, eye: NDArray[np.float64]) -> None:
        GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glPolygonOffset(*_BEHIND)
        self._draw_parts(programs, *self._by_faces(self._batches, [batch.closed for batch in self._batches], eye))
        GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)

    def marked_rectangle(self, view: View) -> tuple[int, int, int, int] | None:
        """Return left, bottom, width and height in pixels around the marked surfaces; None for the whole picture."""
        if not len(self._slots):
            return 0, 0, 0, 0
        is_marked = self._records[2]["mark"].max(axis=1) > 0
        marked = np.flatnonzero(np.bincount(self._surface_of_record[is_marked]))
        centres, radii = self._centres[marked], self._radii[marked]
        width, height = view.size
        pixels, depth = view.camera.project(centres, width, height)
        if not view.camera.orthographic and (depth <= radii * 1.05).any():
            return None
        # Towards the edge of the picture perspective enlarges a sphere slightly.
        reach = 1.3 * (radii / view.camera.metres_per_pixel(centres, height))[:, None]
        low, high = (pixels - reach).min(axis=0, initial=np.inf), (pixels + reach).max(axis=0, initial=-np.inf)
        margin = 4.0 * view.ratio + 2.0
        left, top = np.clip(low - margin, 0, (width, height))
        right, bottom = np.clip(high + margin, 0, (width, height))
        if not (right > left and bottom > top):
            return 0, 0, 0, 0
        return int(left), int(height - bottom), int(np.ceil(right - left)) + 1, int(np.ceil(bottom - top)) + 1

    def draw_marked(self) -> None:
        """Draw the batches that hold a marked surface, with whatever program is current."""
        for batch in (batch for batch, marked in zip(self._batches, self._marked, strict=True) if marked):
            self._draw_batch(batch, batch.instances)

    def draw_outlined(self, eye: NDArray[np.float64]) -> bool:
        """Draw as `draw_marked` does, but no ground that reaches around the eye.

        In sight is only its horizon, whose outline would be a line across all that is in front of it.
        """
        if self._scene is None or not self._marked.any():
            return False
        around = self._scene.surface_arrays.ground & (np.linalg.norm(self._centres - eye, axis=1) < self._radii)
        for batch in (batch for batch, marked in zip(self._batches, self._marked, strict=True) if marked):
            slots = self._slots[batch.first : batch.first + batch.instances]
            left_out = np.flatnonzero(around[self._surface_of_record[slots]])
            if not len(left_out):
                self._draw_batch(batch, batch.instances)
                continue
            assert batch.vertex_array is not None
            for before, after in pairwise([-1, *left_out.tolist(), len(slots)]):
                self._attach_instances(batch.vertex_array, batch.first + before + 1)
                self._draw_batch(batch, after - before - 1)
            self._attach_instances(batch.vertex_array, batch.first)
        return True

    def casters(self) -> list[list[Batch]]:
        """Return everything opaque that throws a shadow, in portions of which none takes software long."""
        batches = [batch for batch in self._batches if batch.mesh.casts_shadow and not batch.blended and batch.casters]
        return _in_portions(batches, lambda batch: batch.count * batch.casters, _CASTERS)

    def draw_casters(self, portion: list[Batch]) -> None:
        """Draw a portion of what throws shadows, with whatever program is current."""
        for batch in portion:
            self._draw_batch(batch, batch.casters)

    @staticmethod
    def _draw_batch(batch: Batch, instances: int) -> None:
        if not instances:
            return
        assert batch.vertex_array is not None
        glBindVertexArray(batch.vertex_array.handle)
        offset = ctypes.c_void_p(batch.start * 12)
        glDrawElementsInstanced(GL.GL_TRIANGLES, batch.count * 3, GL.GL_UNSIGNED_INT, offset, instances)

    def _draw(self, programs: SurfacePrograms, batches: list[Batch]) -> None:
        programs.start()
        for batch in batches:
            if batch.instances:
                programs.use(batch.skin, self._textures)
                self._draw_batch(batch, batch.instances)

    def release(self) -> None:
        """Delete all buffers of this scene; meshes and textures belong to their stores."""
        delete_vertex_arrays(b.vertex_array for b in self._batches if b.vertex_array is not None)
        self._batches = []
        for buffer in self._buffers:
            buffer.release()


def _in_portions(drawn: Iterable[_Drawn], triangles_of: Callable[[_Drawn], int], most: int) -> list[list[_Drawn]]:
    """Return what is drawn in portions of so many triangles at most, or of one thing that has more."""
    portions: list[list[_Drawn]] = []
    room = 0
    for each in drawn:
        triangles = triangles_of(each)
        if not portions or triangles > room:
            portions.append([])
            room = most
        portions[-1].append(each)
        room -= triangles
    return portions


_TEXELS = 2048
_REACH = 1.35
"""Radius of the map against that of the scene: the ground around it takes its shadow."""

KEY_LIGHT = np.array([0.52, -0.30, 0.80]) / np.linalg.norm([0.52, -0.30, 0.80])
"""Direction to the key light in the world: from above, in front and a little from a robot's right."""


class ShadowPass:
    """The depth of the scene as the key light sees it."""

    def __init__(self) -> None:
        self._target = TextureTarget(depth=True)
        # A sampler needs a texture of its type even if the shader does not read it.
        self._target.bind(1, 1)
        self._program = Program("shadow.vert", "shadow.frag")
        self._fresh = self._is_begun = False
        self.ground = (0.0, 0.0, 1.0)
        """Centre x, y and half side of a square on the ground that holds the shadow, metres."""
        right = np.cross([0.0, 0.0, 1.0], KEY_LIGHT)
        right /= np.linalg.norm(right)
        self._axes = np.stack([right, np.cross(KEY_LIGHT, right), KEY_LIGHT])

    def forget(self) -> None:
        """Draw the map again at the next occasion."""
        self._fresh = self._is_begun = False

    def projection(self, bounds: NDArray[np.float64], eye: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the matrix (4, 4) that takes points relative to the eye into the light's clip space."""
        centre = bounds.mean(axis=0)
        radius = max(float(np.linalg.norm(bounds[1] - bounds[0])) / 2, 1e-6) * _REACH
        # Seen from the light the map is a square; on the ground it is longer for a lower light.
        foot = centre - KEY_LIGHT * (centre[2] / KEY_LIGHT[2])
        self.ground = (float(foot[0]), float(foot[1]), radius)
        P = np.eye(4)
        P[:3, :3] = np.diag([1.0, 1.0, -1.0]) @ self._axes / radius
        P[:3, 3] = P[:3, :3] @ (eye - centre)
        return P

    def parts(self, surfaces: Surfaces) -> Iterator[Callable[[], None]]:
        """Yield what draws the map if something moved, part by part; anything may happen between two of them.

        Needs the frame block to hold the light's projection.
        """
        if self._fresh:
            return
        self._is_begun = True
        for number, portion in enumerate(surfaces.casters() or [[]]):
            yield partial(self._draw, surfaces, portion, clears=number == 0)
        self._fresh = self._is_begun  # unless something has moved meanwhile

    def _draw(self, surfaces: Surfaces, portion: list[Batch], *, clears: bool) -> None:
        self._target.bind(_TEXELS, _TEXELS)
        if clears:
            GL.glClear(GL.GL_DEPTH_BUFFER_BIT)
        self._program.use()
        GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glPolygonOffset(1.5, 2.0)
        surfaces.draw_casters(portion)
        GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)

    def bind(self) -> None:
        """Let shaders read the map."""
        bind_texture(SHADOW_MAP, self._target.texture)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._target.release()
        self._program.release()
