"""Marks of constant width on screen: triads, joint glyphs, lines."""

from __future__ import annotations

import ctypes
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdfviewer.palette import STYLES, TOKENS, colour_table
from sdfviewer.render.gl import GL, glBindVertexArray, glDrawArraysInstanced, glDrawElementsInstanced
from sdfviewer.render.gl_objects import POSE, Buffer, Program, VertexArray
from sdfviewer.render.view import Look, View
from sdfviewer.scene.glyph_sizes import spread
from sdfviewer.scene.glyphs import glyph_directions
from sdfviewer.scene.nodes import JointGlyphs, Lines, Triads

_CORNER3 = np.dtype([("corner", np.float32, 3)])
_CORNER4 = np.dtype([("corner", np.float32, 4)])
_TRIAD = np.dtype([("glyph", np.uint8, 4)])
_STATE = np.dtype([("state", np.uint8, 4)])
_LINE = np.dtype(
    [
        *[("start", np.float32, 3), ("finish", np.float32, 3), ("icon", np.float32, 4)],
        *[("tone", np.uint8, 4), ("state", np.uint8, 4)],
    ]
)
_JOINT = np.dtype([("axis", np.float32, 4), ("zero", np.float32, 4), ("range", np.float32, 4)])

_MANY_TRIADS = 2000
"""With more triads than this in the picture their axes are needles: arrow heads would be smaller than their neighbours'
lines."""
_BESIDE = 150.0
"""How far outside the picture, in logical pixels, a frame of a crowd may stand and still have an axis in it."""
_POINT_ROOM, _CROWD_POINT_ROOM = 11.0, 22.0
"""How much room in logical pixels a point takes, and one of a crowd: a row of them would hide the shapes behind it."""
_MANY_JOINTS = 200
_MANY_LINES = 2000
"""More lines have no halo: software takes long for them, and in a web of lines halos hide more than they show."""
_HALO_OPACITY = 0.5
_ARC_SEGMENTS, _FEW_ARC_SEGMENTS = 42, 18
"""Into how many straight pieces an arc is divided, and into how many with more joints than `_MANY_JOINTS`."""

_AXIS_TOKENS = [TOKENS.index(f"axis_{axis}") for axis in "xyz"]
_GLYPHS = np.array([style.glyph for style in STYLES.values()] + [0] * (len(TOKENS) - len(STYLES)), np.uint8)


def bytes_of(colours: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return colours in 0..1 as bytes."""
    return (colours * 255 + 0.5).astype(np.uint8)


class _Instances:
    """One vertex array over a fixed shape and some buffers with one record an instance."""

    def __init__(self, shape: NDArray[np.float32], *records: np.dtype[np.void]) -> None:
        self.array = VertexArray()
        self._shape = Buffer()
        corner = _CORNER4 if shape.shape[1] == 4 else _CORNER3
        self._shape.upload(np.ascontiguousarray(shape, np.float32))
        self.array.attach(self._shape, corner)
        self.buffers = [Buffer() for _ in records]
        for buffer, dtype in zip(self.buffers, records, strict=True):
            buffer.upload(np.zeros(1, dtype))
            self.array.attach(buffer, dtype, per_instance=True)
        self.count = 0

    def release(self) -> None:
        self.array.release()
        for buffer in (self._shape, *self.buffers):
            buffer.release()


class TriadPass:
    """Frames as three arrows and a mark at the origin that tells the kind; in a crowd as three needles and a dot."""

    def __init__(self) -> None:
        quad = [(0, -1), (1, -1), (1, 1), (0, 1)]
        square = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        tips = ((0, -1), (1, 0), (0, 1))
        shafts = [(axis, along, side) for axis in range(3) for along, side in quad]
        heads = [(3 + axis, along, side) for axis in range(3) for along, side in tips]
        needles = [(axis, along, side) for axis in range(3) for along, side in tips]
        corners = [*shafts, *((6, x, y) for x, y in square), *heads, *needles, *((3, x, y) for x, y in square)]
        self._instances = _Instances(np.array(corners, np.float32), POSE, _TRIAD, _STATE)
        quads = [k * 4 + corner for k in range(4) for corner in (0, 1, 2, 0, 2, 3)]
        full = [*quads, *range(16, 25)]
        crowd = [*range(25, 34), *(34 + corner for corner in (0, 1, 2, 0, 2, 3))]
        self._runs = ((0, len(full)), (len(full), len(crowd)))
        self._indices = Buffer(GL.GL_ELEMENT_ARRAY_BUFFER)
        glBindVertexArray(0)
        self._indices.upload(np.array([*full, *crowd], np.uint32))
        self._instances.array.attach_indices(self._indices)
        self._program, self._crowd_program = Program("triad.vert", "triad.frag"), Program("needle.vert", "needle.frag")
        self._triads = Triads()
        self._seen = np.ones(0, bool)
        self._stale: set[int] = set()
        self._sizes: NDArray[np.float64] | None = None
        self._growth = np.ones(0)
        self._errors = np.zeros(0, bool)
        self._records: list[NDArray[Any]] = [np.zeros((0, 12), np.float32), np.zeros(0, _TRIAD), np.zeros(0, _STATE)]

    def _keep(self, which: int, records: NDArray[Any]) -> None:
        self._records[which] = records
        self._stale.add(which)
        # The frames are set in three steps; before the last one the columns do not match.
        if len({len(each) for each in self._records}) == 1:
            self._upload()

    def _upload(self) -> None:
        everything = bool(self._seen.all())
        for k in self._stale:
            self._instances.buffers[k].upload(self._records[k] if everything else self._records[k][self._seen])
        self._stale = set()
        self._instances.count = int(np.count_nonzero(self._seen))

    def set_triads(self, triads: Triads, dark: bool, errors: NDArray[np.bool_]) -> None:
        """Show other frames; those set in the mask `errors` (n,) are marked as such."""
        if triads is not self._triads:
            self._triads, self._seen = triads, np.ones(len(triads.rows), bool)
        self._errors = errors[triads.rows]
        tokens = np.where(self._errors, TOKENS.index("error"), triads.tokens)
        records = np.zeros(len(tokens), _TRIAD)
        records["glyph"][:, :3] = bytes_of(colour_table(dark))[tokens]
        records["glyph"][:, 3] = _GLYPHS[tokens]
        self._keep(1, records)

    def set_state(self, marks: NDArray[np.uint8], faded: NDArray[np.bool_]) -> None:
        """Mark rows (n, 2) as selected and hovered, and fade those set in the mask `faded` (n,)."""
        rows = self._triads.rows
        records = np.zeros(len(rows), _STATE)
        records["state"][:, :2] = marks[rows]
        records["state"][:, 2] = np.where(faded[rows], 255, 0)
        self._growth = np.where(marks[rows, 0] > 0, 1.4, 1.0)
        records["state"][:, 3] = self._size_bytes(len(rows))
        self._keep(2, records)

    def set_sizes(self, sizes: NDArray[np.float64] | None) -> None:
        """Draw the triads (k,) at parts of their full size, 0 as a point; None draws all in full."""
        self._sizes = sizes
        records = self._records[2]
        size_bytes = self._size_bytes(len(records))
        if not np.array_equal(records["state"][:, 3], size_bytes):
            records["state"][:, 3] = size_bytes
            self._keep(2, records)

    def _size_bytes(self, count: int) -> NDArray[np.uint8]:
        """Return sizes as bytes: a byte holds 0..1, so all are halved here and doubled again in `draw`."""
        sizes = np.ones(count) if self._sizes is None or len(self._sizes) != count else self._sizes
        growth = self._growth if len(self._growth) == count else np.ones(count)
        return np.asarray(np.clip(sizes * growth * 128 + 0.5, 0, 255), np.uint8)

    def set_poses(self, packed: NDArray[np.float32]) -> None:
        """Move all frames."""
        self._keep(0, packed[self._triads.rows])

    def select(
        self,
        points: NDArray[np.float64],
        pixels: NDArray[np.float64],
        depth: NDArray[np.float64],
        view: View,
        look: Look,
        sizes: NDArray[np.float64] | None,
    ) -> None:
        """Leave out points that are close together and, where there are very many frames, what is beside the picture.

        Given is where each is in space and in the picture, and its size as a part of the full one, 0 as a point.
        """
        inside = np.ones(len(depth), bool)
        crowd = len(depth) > _MANY_TRIADS
        if crowd:
            margin = np.full((len(depth), 1), _BESIDE * view.ratio)
            if look.frame_size_metres is not None:
                margin = 2 * look.frame_size_metres / view.camera.metres_per_pixel(points, view.height)[:, None]
            inside = ((pixels > -margin) & (pixels < np.array(view.size) + margin)).all(axis=1) & (depth > 0)
        if sizes is not None:
            dots = np.flatnonzero(inside & (sizes == 0) & ~self._errors)
            pixel = view.camera.metres_per_pixel(points[dots], view.height) * view.ratio
            inside[dots] = spread(points[dots], pixel, _CROWD_POINT_ROOM if crowd else _POINT_ROOM)
        if not np.array_equal(inside, self._seen):
            self._seen, self._stale = inside, {0, 1, 2}
            self._upload()

    def draw(self, look: Look, strength: float, colours: NDArray[np.float32]) -> None:
        """Draw all frames; `strength` scales their opacity, `colours` is the table of the theme."""
        if not self._instances.count:
            return
        crowd = self._instances.count > _MANY_TRIADS
        program = self._crowd_program if crowd else self._program
        program.use(
            size=2.0 * (look.frame_size_metres or look.frame_size),
            metres=look.frame_size_metres is not None,
            shaft_width=look.frame_width,
            axis_colours=colours[_AXIS_TOKENS],
            opacity=look.frame_opacity,
            strength=strength,
            selection=colours[TOKENS.index("selection")],
        )
        if not crowd:
            program.set("rim_colour", colours[TOKENS.index("plate")])
        glBindVertexArray(self._instances.array.handle)
        first, count = self._runs[crowd]
        offset = ctypes.c_void_p(first * 4)
        glDrawElementsInstanced(GL.GL_TRIANGLES, count, GL.GL_UNSIGNED_INT, offset, self._instances.count)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._instances.release()
        self._indices.release()
        self._program.release()
        self._crowd_program.release()


class JointPass:
    """Joint axes with their limits and values."""

    def __init__(self) -> None:
        fine = _joint_shape(_ARC_SEGMENTS)
        coarse = _joint_shape(_FEW_ARC_SEGMENTS)
        self._runs = ((0, len(fine)), (len(fine), len(coarse)))
        self._instances = _Instances(np.concatenate([fine, coarse]), POSE, _JOINT, _STATE)
        self._program = Program("joint.vert", "joint.frag")
        self._glyphs = JointGlyphs()
        self._states = np.zeros(0, _STATE)
        self._sizes: NDArray[np.float64] | None = None

    def set_glyphs(self, glyphs: JointGlyphs) -> None:
        """Show other joints, or the same at other values."""
        self._glyphs = glyphs
        axes, zeros = glyph_directions(glyphs)
        records = np.zeros(len(glyphs.rows), _JOINT)
        unlimited = ~np.isfinite(glyphs.limits[:, 0] * glyphs.limits[:, 1])
        if len(records):
            records["axis"][:, :3], records["axis"][:, 3] = axes, glyphs.shapes
            records["zero"][:, :3], records["zero"][:, 3] = zeros, glyphs.pitches
            records["range"][:, :2] = np.where(unlimited[:, None], 0.0, glyphs.limits)
            records["range"][:, 2] = glyphs.values
            records["range"][:, 3] = unlimited
        self._instances.buffers[1].upload(records)
        self._instances.count = len(records)

    def set_state(self, marks: NDArray[np.uint8], faded: NDArray[np.bool_]) -> None:
        """Mark rows (n, 2) as selected and hovered, and fade those set in the mask `faded` (n,)."""
        rows = self._glyphs.rows
        records = np.zeros(len(rows), _STATE)
        records["state"][:, :2] = marks[rows]
        records["state"][:, 2] = np.where(faded[rows], 255, 0)
        self._states = records
        self._upload_sizes()

    def set_sizes(self, sizes: NDArray[np.float64] | None) -> None:
        """Draw the glyphs (j,) at parts of their full size, 0 not at all; None draws all in full."""
        if (sizes is None) != (self._sizes is None) or not np.array_equal(sizes, self._sizes):  # type: ignore[arg-type]
            self._sizes = sizes
            self._upload_sizes()

    def _upload_sizes(self) -> None:
        count = len(self._states)
        sizes = np.ones(count) if self._sizes is None or len(self._sizes) != count else self._sizes
        # A byte holds 0..1: sizes are halved here and doubled again in `draw`.
        self._states["state"][:, 3] = np.clip(sizes * 128 + 0.5, 0, 255)
        self._instances.buffers[2].upload(self._states)

    def set_poses(self, packed: NDArray[np.float32]) -> None:
        """Move all joints."""
        self._instances.buffers[0].upload(packed[self._glyphs.rows])

    def draw(self, look: Look, strength: float, colours: NDArray[np.float32]) -> None:
        """Draw all joints; `colours` is the table of the theme."""
        if not self._instances.count:
            return
        many = self._instances.count > _MANY_JOINTS
        self._program.use(
            arc_segments=float((_ARC_SEGMENTS, _FEW_ARC_SEGMENTS)[many]),
            size=2.0 * (look.joint_size_metres or look.joint_size),
            metres=look.joint_size_metres is not None,
            line_width=look.line_width * 1.25,
            tone=colours[TOKENS.index("joint")],
            value_tone=colours[TOKENS.index("text")],
            selection=colours[TOKENS.index("selection")],
            outside_tone=colours[TOKENS.index("error")],
            halo=colours[TOKENS.index("plate")],
            halo_opacity=_HALO_OPACITY,
            opacity=look.frame_opacity,
            strength=strength,
        )
        glBindVertexArray(self._instances.array.handle)
        glDrawArraysInstanced(GL.GL_TRIANGLES, *self._runs[many], self._instances.count)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._instances.release()
        self._program.release()


def _joint_shape(arc_segments: int) -> NDArray[np.float32]:
    """Return the vertices (n, 4) of a joint glyph: the sector first, so that its outline is drawn over it."""
    quad = [(0, -1), (1, -1), (1, 1), (0, -1), (1, 1), (0, 1)]
    strokes = [(s, along, side, 0) for s, (along, side) in product(range(3 + arc_segments), quad)]
    sector = [(s, along, side, 1) for s in range(arc_segments) for along, side in ((0, 0), (0, 1), (1, 1))]
    return np.array(sector + strokes, np.float32)


class LinePass:
    """Straight lines: edges of the frame graphs, frusta, inertia, whatever a scene draws with them."""

    def __init__(self) -> None:
        quad = [(0, -1), (1, -1), (1, 1), (0, -1), (1, 1), (0, 1)]
        shape = [(0, along, side) for along, side in quad] + [
            (1, along, side) for along, side in ((0, -1), (1, 0), (0, 1))
        ]
        self._vertices = len(shape)
        self._instances = _Instances(np.array(shape, np.float32), _LINE)
        self._program = Program("line.vert", "line.frag")

    def set_lines(self, lines: Lines, X_RootF: NDArray[np.float64], dark: bool, marks: NDArray[np.uint8]) -> None:
        """Show lines between frames at the given poses; lines to frames that are not resolved are left out."""
        if not len(lines.rows) and not self._instances.count:
            return
        ends = lines.endpoints(X_RootF)
        known = np.isfinite(ends).all(axis=(1, 2))
        records = np.zeros(int(known.sum()), _LINE)
        records["start"], records["finish"] = ends[known, 0], ends[known, 1]
        # An icon is scaled about the origin of its frame.
        records["icon"][:, :3] = X_RootF[lines.rows[known, 0], :3, 3]
        records["icon"][:, 3] = lines.on_screen[known]
        records["tone"][:, :3] = bytes_of(colour_table(dark))[lines.tokens[known]]
        records["tone"][:, 3] = lines.strokes[known]
        owners = lines.owners[known]
        records["state"][:, :2] = np.where(owners[:, None] >= 0, marks[owners], 0)
        self._instances.buffers[0].upload(records)
        self._instances.count = len(records)

    def draw(self, look: Look, strength: float, colours: NDArray[np.float32], *, cut: bool = False) -> None:
        """Draw all lines; `colours` is the table of the theme; with `cut` none of frames that a section cuts away."""
        if not self._instances.count:
            return
        self._program.use(line_width=look.line_width, cut=cut, halo=colours[TOKENS.index("plate")])
        glBindVertexArray(self._instances.array.handle)
        if strength >= 1 and self._instances.count <= _MANY_LINES:
            # The halos come first and leave no depth: they must not hide the other lines of an icon.
            GL.glDepthMask(False)
            self._draw(_HALO_OPACITY, 1.0)
            GL.glDepthMask(True)
        self._draw(strength, 0.0)

    def _draw(self, strength: float, wider: float) -> None:
        self._program.set("strength", strength)
        self._program.set("wider", wider)
        glDrawArraysInstanced(GL.GL_TRIANGLES, 0, self._vertices, self._instances.count)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._instances.release()
        self._program.release()
