"""Overlays: background, grid with the metre marks along its axes, outline of the selection, view cube."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdfviewer.palette import TOKENS
from sdfviewer.render.gl import GL, glBindVertexArray
from sdfviewer.render.gl_objects import CORNER, Buffer, Program, TextureTarget, VertexArray, square
from sdfviewer.render.surfaces import ShadowPass, Surfaces
from sdfviewer.render.texts import face_pictures
from sdfviewer.render.textures import one_channel_texture
from sdfviewer.render.view import Look, View
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyphs import glyph_directions
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.view_cube import FACES, cube_mesh, cube_projection, cube_rectangle


@dataclass(frozen=True)
class Grid:
    """A square of lines at z = 0 around `centre`, metres; every tenth line is a major one."""

    spacing: float
    centre: tuple[float, float]
    extent: float
    fade_minor: float
    """How strongly minor lines show, 1 when they are wide apart, 0 when the next spacing takes over."""

    def marks(self, limit: int = 12) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """Return the texts (k,) and points (k, 3) of the metre marks along the x and y axes."""
        step = self.spacing * 10
        texts: list[str] = []
        points: list[tuple[float, float, float]] = []
        for axis in range(2):
            first = math.ceil((self.centre[axis] - self.extent * 0.6) / step)
            last = math.floor((self.centre[axis] + self.extent * 0.6) / step)
            stride = max(1, (last - first) // limit)
            for k in range(first, last + 1):
                if k % stride == 0 and k != 0:
                    texts.append(format_length(k * step))
                    points.append((k * step, 0.0, 0.0) if axis == 0 else (0.0, k * step, 0.0))
        return tuple(texts), np.array(points).reshape(-1, 3)


def format_length(metres: float) -> str:
    """Return a length with the unit that keeps it short: ``250 mm``, ``-1.5 m``, ``2 km``."""
    size = abs(metres)
    for unit, factor in (("km", 1e-3), ("m", 1.0), ("cm", 1e2), ("mm", 1e3)):
        if size * factor >= 0.9995 or unit == "mm":
            return f"{round(metres * factor, 6):g} {unit}"
    raise AssertionError("unreachable: millimetres take what is left")


def grid_for(camera: Camera) -> Grid:
    """Return the grid that suits a camera: about a dozen minor lines to the distance of the focus."""
    scale = max(camera.distance, 1e-3) / 8
    decade = math.floor(math.log10(scale))
    spacing = 10.0**decade
    fade = 1.0 - (math.log10(scale) - decade)
    major = spacing * 10
    centre = (round(camera.focus[0] / major) * major, round(camera.focus[1] / major) * major)
    return Grid(spacing, centre, max(camera.distance * 6, major * 2), fade)


_ACROSS, _DOWN = 7, 3
"""At how many points of a mark it is asked whether something is in front of it."""
_ALONG, _HALF_ARROW = 7, 3.0
"""At how many points of an arrow it is asked whether it crosses a mark, and half its width in logical pixels."""
_MOST_ARROWS = 300
"""Maximum number of frames and joints looked at in each image."""


def metre_marks(scene: Scene, camera: Camera, height: int, ratio: float) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """Return the texts (k,) and points (k, 3) of the marks in a picture of a height in device pixels."""
    grid = grid_for(camera)
    texts, points = grid.marks()
    # Leave out marks where the lines are close together, and those that the ground of the scene would cut in half.
    wide = grid.spacing * 10 > 70 * ratio * camera.metres_per_pixel(points, height)
    wide &= ~_below_ground(scene, camera, points, 2 * grid.spacing)
    return tuple(text for text, keep in zip(texts, wide.tolist(), strict=True) if keep), points[wide]


def _below_ground(scene: Scene, camera: Camera, points: NDArray[np.float64], highest: float) -> NDArray[np.bool_]:
    """Return which points (k, 3) at z = 0 are below a ground of the scene's own that is up to so many metres higher."""
    arrays = scene.surface_arrays
    which = np.flatnonzero(arrays.ground)
    if not len(which):
        return np.zeros(len(points), bool)
    X = arrays.poses(scene.X_RootF)[which]
    middle = np.einsum("kij,kj->ki", X[:, :3, :3], arrays.centres[which]) + X[:, :3, 3]
    reach = np.einsum("kij,kj->ki", np.abs(X[:, :3, :3]), (arrays.boxes[which, 1] - arrays.boxes[which, 0]) / 2)
    low, high = middle - reach, middle + reach
    inside = ((points[:, None, :2] >= low[:, :2]) & (points[:, None, :2] <= high[:, :2])).all(axis=2)
    is_higher = (high[:, 2] > 1e-6) & (high[:, 2] <= highest) & (camera.eye[2] > high[:, 2])
    return np.asarray((inside & is_higher).any(axis=1))


def partly_hidden(
    scene: Scene,
    camera: Camera,
    points: NDArray[np.float64],
    corners: NDArray[np.float64],
    sizes: NDArray[np.float64],
    size: tuple[int, int],
) -> NDArray[np.bool_]:
    """Return which marks (k,) the boxes around surfaces cover in part: ``-750 m`` would be read as ``50 m``.

    Parameters
    ----------
    points : (k, 3)
        Where the marks are in space, metres.
    corners, sizes : (k, 2)
        Their upper left corners, widths and heights in device pixels.
    size
        Width and height of the picture in device pixels.
    """
    cut = np.zeros(len(points), bool)
    arrays = scene.surface_arrays
    standing = np.flatnonzero(~arrays.ground)
    with np.errstate(invalid="ignore"):
        in_sight = np.flatnonzero(((corners + sizes > 0) & (corners < size)).all(axis=1))
    if not len(standing) or not len(in_sight):
        return cut
    X = arrays.poses(scene.X_RootF)[standing]
    halves = (arrays.boxes[standing, 1] - arrays.boxes[standing, 0]) / 2
    middles = np.einsum("kij,kj->ki", X[:, :3, :3], arrays.centres[standing]) + X[:, :3, 3]
    radii = np.linalg.norm(halves, axis=1)
    pixels, depth = camera.project(middles, *size)
    with np.errstate(invalid="ignore"):
        # What reaches behind the camera is around it: a building hides no part of a mark alone.
        is_ahead = depth > radii
        reach = 1.3 * radii / camera.metres_per_pixel(middles, size[1])
    mark_depth = camera.depth(points)
    shares = np.stack(np.meshgrid(np.linspace(0, 1, _ACROSS), np.linspace(0, 1, _DOWN)), axis=-1).reshape(-1, 2)
    for k in in_sight.tolist():
        half = sizes[k] / 2
        with np.errstate(invalid="ignore"):
            may_cover = is_ahead & (depth - radii < mark_depth[k])
            may_cover &= (np.abs(pixels - corners[k] - half) < half + reach[:, None]).all(axis=1)
        near = np.flatnonzero(may_cover)
        if not len(near):
            continue
        x, y = (corners[k] + shares * sizes[k]).T
        covered = _are_covered(
            camera.ray(x, y, *size), X[near], middles[near], halves[near], camera, float(mark_depth[k])
        )
        cut[k] = covered.any() and not covered.all()
    return cut


def crossed(
    scene: Scene,
    look: Look,
    view: View,
    corners: NDArray[np.float64],
    sizes: NDArray[np.float64],
    with_axes: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return which marks (k,) the axes of frames and joints cross; none where there are too many to look at.

    Parameters
    ----------
    corners, sizes : (k, 2)
        Their upper left corners, widths and heights in device pixels.
    with_axes : (n,)
        Which rows are drawn with their axes, not as points.
    """
    triads, joints = (np.flatnonzero(with_axes[each.rows]) for each in (scene.triads, scene.joints))
    if len(triads) + len(joints) > _MOST_ARROWS:
        return np.zeros(len(corners), bool)
    arrows = []
    if look.frames:
        X = scene.X_RootF[scene.triads.rows[triads]]
        starts, axes = np.repeat(X[:, :3, 3], 3, axis=0), np.swapaxes(X[:, :3, :3], 1, 2).reshape(-1, 3)
        arrows.append(_along(starts, axes, look.frame_size, look.frame_size_metres, view))
    if look.joints:
        X = scene.X_RootF[scene.joints.rows[joints]]
        axes = np.einsum("kij,kj->ki", X[:, :3, :3], glyph_directions(scene.joints)[0][joints])
        arrows.append(_along(X[:, :3, 3], axes, look.joint_size, look.joint_size_metres, view))
    if not arrows:
        return np.zeros(len(corners), bool)
    pixels, depth = view.camera.project(np.concatenate(arrows), *view.size)
    gap = _HALF_ARROW * view.ratio
    with np.errstate(invalid="ignore"):
        pixels = pixels[depth > 0]
        inside = (pixels > corners[:, None] - gap) & (pixels < (corners + sizes)[:, None] + gap)
        crosses: NDArray[np.bool_] = np.asarray(inside.all(axis=2))
    return np.asarray(crosses.any(axis=1))


def _along(
    starts: NDArray[np.float64], axes: NDArray[np.float64], pixels: float, metres: float | None, view: View
) -> NDArray[np.float64]:
    """Return points (n, 3) on arrows from some points (k, 3), as long as so many logical pixels, or metres if given."""
    per_pixel = view.ratio * view.camera.metres_per_pixel(starts, view.height)
    lengths = pixels * per_pixel if metres is None else np.full(len(starts), metres)
    ways = np.linspace(0.0, 1.0, _ALONG)[:, None] * (axes * lengths[:, None])[:, None]
    return np.asarray((starts[:, None] + ways).reshape(-1, 3))


def _are_covered(
    rays: tuple[NDArray[np.float64], NDArray[np.float64]],
    X: NDArray[np.float64],
    middles: NDArray[np.float64],
    halves: NDArray[np.float64],
    camera: Camera,
    depth: float,
) -> NDArray[np.bool_]:
    """Return which rays (r,) enter any of some boxes (b,) before they are so many metres in front of the camera."""
    directions = rays[1]
    origins = np.broadcast_to(rays[0], directions.shape)
    R = X[:, :3, :3]
    starts = np.einsum("kji,rkj->rki", R, origins[:, None] - middles)
    along = np.einsum("kji,rj->rki", R, directions)
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = (-halves - starts) / along, (halves - starts) / along
        # Where a ray runs along a side of a box, 0 / 0 decides nothing.
        enter = np.fmax.reduce(np.minimum(first, second), axis=2)
        leave = np.fmin.reduce(np.maximum(first, second), axis=2)
        nearest = np.where((enter <= leave) & np.isfinite(enter), enter, np.inf).min(axis=1)
        is_before = camera.depth(origins + nearest[:, None] * directions) < depth
    return np.asarray(np.isfinite(nearest) & is_before)


_CUBE = np.dtype(
    [("position", np.float32, 3), ("normal", np.float32, 3), ("uv", np.float32, 3), ("region", np.float32)]
)
_FACE_TEXELS = 128

Colours = NDArray[np.float32]

#: Of the line around what is marked, in logical pixels.
OUTLINE_WIDTH = 2.0


class ScreenPasses:
    """What covers the whole picture: the background below the scene, tint and outline of the selection over it."""

    def __init__(self) -> None:
        self._array = VertexArray()
        self._background = Program("background.vert", "background.frag", BANDED=0)
        self._banded_background = Program("background.vert", "background.frag", BANDED=1)
        self._outline = Program("screen.vert", "outline.frag")
        self._mask_program = Program("mask.vert", "mask.frag")
        self._tint = Program("mask.vert", "tint.frag")
        self._mask = TextureTarget(depth=False)

    def draw_background(self, colours: Colours, *, banded: bool) -> None:
        """Fill the picture with the theme's gradient; `banded` is cheaper in software."""
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_BLEND)
        (self._banded_background if banded else self._background).use(
            top=colours[TOKENS.index("background_top")], bottom=colours[TOKENS.index("background_bottom")]
        )
        glBindVertexArray(self._array.handle)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glEnable(GL.GL_BLEND)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def draw_mask(self, surfaces: Surfaces, eye: NDArray[np.float64], width: int, height: int) -> bool:
        """Draw what is marked into the mask, whatever lies in front of it; False if nothing is."""
        self._mask.bind(width, height)
        GL.glClearColor(0, 0, 0, 0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        GL.glDisable(GL.GL_DEPTH_TEST)
        self._mask_program.use()
        # The larger value stays: a hovered part of a selected body is both.
        GL.glBlendEquation(GL.GL_MAX)
        anything = surfaces.draw_outlined(eye)
        GL.glBlendEquation(GL.GL_FUNC_ADD)
        GL.glEnable(GL.GL_DEPTH_TEST)
        return anything

    def draw_tint(self, surfaces: Surfaces, colours: Colours) -> None:
        """Tint what is marked where nothing hides it; the current canvas holds the depth of the surfaces."""
        self._tint.use(selection=colours[TOKENS.index("selection")], hover=colours[TOKENS.index("hover")])
        # The same surfaces are drawn again by another program, and each pixel is tinted once however many lie there.
        GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glPolygonOffset(-1.0, -1.0)
        GL.glDepthMask(False)
        GL.glClearStencil(0)
        GL.glClear(GL.GL_STENCIL_BUFFER_BIT)
        GL.glEnable(GL.GL_STENCIL_TEST)
        GL.glStencilFunc(GL.GL_EQUAL, 0, 0xFF)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_INCR)
        surfaces.draw_marked()
        GL.glDisable(GL.GL_STENCIL_TEST)
        GL.glDepthMask(True)
        GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)

    def draw_outline(self, colours: Colours, ratio: float) -> None:
        """Draw a line around what the mask holds."""
        GL.glDisable(GL.GL_DEPTH_TEST)
        self._outline.use(
            selection=colours[TOKENS.index("selection")],
            hover=colours[TOKENS.index("hover")],
            rim=colours[TOKENS.index("plate")],
            width=OUTLINE_WIDTH * ratio,
        )
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._mask.texture)
        glBindVertexArray(self._array.handle)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._array.release()
        for program in (self._background, self._banded_background, self._outline, self._mask_program, self._tint):
            program.release()
        self._mask.release()


#: How far the grid is in front of a floor in one plane with it: by the slope of the depth, and in its smallest steps.
OFFSET = -2.0, -8.0


class GridPass:
    """The ground grid, and the shadow of the scene on it."""

    def __init__(self) -> None:
        self._array, self._shape = VertexArray(), Buffer()
        self._shape.upload(square(-1.0))
        self._array.attach(self._shape, CORNER)
        self._program = Program("grid.vert", "grid.frag")
        self._shadow_program = Program("grid.vert", "ground_shadow.frag", SHADOW_TAPS=1)
        self._soft_shadow_program = Program("grid.vert", "ground_shadow.frag", SHADOW_TAPS=4)

    def draw_shadow(self, shadow: ShadowPass, soft: bool) -> None:
        """Draw the scene's shadow on the ground, before the scene: a ground plane of the scene's own has its own.

        Only the square around the scene that the shadow map covers is looked at.
        """
        shadow.bind()
        x, y, reach = shadow.ground
        program = self._soft_shadow_program if soft else self._shadow_program
        program.use(shadow_map=1, centre=np.array([x, y], np.float32), extent=reach)
        self._draw()

    def draw_lines(self, grid: Grid, colours: Colours, ratio: float) -> None:
        """Draw the lines over the opaque surfaces; what lies below the ground shines through.

        They are as wide as a logical pixel, which are `ratio` pixels of the canvas.
        """
        self._program.use(
            centre=np.array(grid.centre, np.float32),
            spacing=grid.spacing,
            extent=grid.extent,
            fade_minor=grid.fade_minor,
            width=ratio,
            minor_tone=colours[TOKENS.index("grid")],
            major_tone=colours[TOKENS.index("grid_major")],
            axis_tones=np.array([(0.86, 0.33, 0.35), (0.36, 0.66, 0.30)], np.float32),
        )
        # A ground plane at z = 0 would fight with the grid for each pixel, and the depth of a large one is inexact.
        GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glPolygonOffset(*OFFSET)
        self._draw()
        GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)

    def _draw(self) -> None:
        GL.glDepthMask(False)
        glBindVertexArray(self._array.handle)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 6)
        GL.glDepthMask(True)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._array.release()
        self._shape.release()
        self._program.release()
        self._shadow_program.release()
        self._soft_shadow_program.release()


class CubePass:
    """The view cube in the upper right corner."""

    def __init__(self) -> None:
        mesh = cube_mesh()
        records = np.zeros(len(mesh.positions), _CUBE)
        records["position"], records["normal"], records["uv"] = mesh.positions, mesh.normals, mesh.uvs
        records["region"] = mesh.regions
        self._array, self._vertices = VertexArray(), Buffer()
        self._vertices.upload(records)
        self._array.attach(self._vertices, _CUBE)
        self._count = len(records)
        self._program = Program("cube.vert", "cube.frag")
        self._texture = one_channel_texture(face_pictures(FACES, _FACE_TEXELS), mipmaps=True)

    def draw(
        self, camera: Camera, width: int, height: int, ratio: float, colours: Colours, hovered: int | None
    ) -> None:
        """Draw the cube as the camera sees the world; leaves the viewport changed."""
        left, top, side = cube_rectangle(width, ratio)
        GL.glViewport(round(left), round(height - top - side), round(side), round(side))
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT)
        self._program.use(
            cube_to_clip=cube_projection(camera).astype(np.float32),
            cube_to_camera=camera.axes.astype(np.float32),
            hovered=float(-1 if hovered is None else hovered),
            face=colours[TOKENS.index("cube_face")],
            edge=colours[TOKENS.index("cube_edge")],
            text=colours[TOKENS.index("cube_text")],
            highlight=colours[TOKENS.index("selection")],
        )
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._texture)
        glBindVertexArray(self._array.handle)
        GL.glEnable(GL.GL_CULL_FACE)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, self._count)
        GL.glDisable(GL.GL_CULL_FACE)
        GL.glViewport(0, 0, width, height)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._array.release()
        self._vertices.release()
        self._program.release()
        GL.glDeleteTextures(1, [self._texture])
