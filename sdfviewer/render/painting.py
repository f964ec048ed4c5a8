"""Paint one image: passes, order and state."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sdfviewer.palette import TOKENS, colour_table
from sdfviewer.render.captions import Captions, Notes
from sdfviewer.render.gl import GL
from sdfviewer.render.gl_objects import Framebuffer
from sdfviewer.render.overlays import OUTLINE_WIDTH, Grid, grid_for
from sdfviewer.render.passes import Passes
from sdfviewer.render.surfaces import KEY_LIGHT
from sdfviewer.render.texts import PlacedText, Targets
from sdfviewer.render.view import Depth, Highlight, Look, View
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyph_sizes import GlyphSizes, glyph_sizes, mask_of
from sdfviewer.scene.scene import Scene, names_rows
from sdfviewer.scene.shapes2d import Shapes
from sdfviewer.scene.tools.section import CuttingPlane

_MOST_CASTERS, _MOST_DRAFT_CASTERS = 1500, 150
"""Larger scenes have no shadows: one map over a whole world has no detail left, and takes long to draw and to read."""

_LIFT = 0.07
"""Ambient light added to black surfaces in the dark theme (white = 1)."""
_MARGIN = 0.05
"""Metres around the scene that are kept between near and far."""

Box = NDArray[np.float64]
_Rectangle = tuple[int, int, int, int]


@dataclass(frozen=True)
class Subject:
    """What a picture shows. Without a `ghost_opacity` there is no ghost."""

    scene: Scene
    look: Look
    highlight: Highlight
    ghost_opacity: float | None
    shapes: Shapes
    marks: Shapes
    """Flat shapes below the names."""
    hovered_region: int | None
    notes: Notes = ()
    surfaces_version: int = 0
    """Another number says that the surfaces look different than in the last picture."""
    ghost_scene: Scene | None = None
    """What the ghost shows, where that is not the scene itself."""


class Painter:
    """Paints pictures of whatever the passes hold; remembers what does not change from picture to picture."""

    def __init__(self, passes: Passes) -> None:
        self._passes = passes
        self._captions = Captions()
        self._bounds_of: tuple[Scene, Box, Box] | None = None
        self._sizes_of: tuple[tuple[object, ...], GlyphSizes | None] | None = None
        self._grid_of: tuple[Camera, Grid] | None = None
        self._cut_by: CuttingPlane | None = None
        self._kept_for: tuple[object, ...] = ()
        self._size_before: tuple[int, int] | None = None
        self._drawn: tuple[Subject, View, Framebuffer] | None = None
        self._colours = (False, colour_table(False))

    def draw(self, subject: Subject, view: View) -> Iterator[None]:
        """Draw a picture on a canvas, for `present`; everything must be uploaded.

        It is yielded between its parts, of which none takes software long. No other picture may be drawn meanwhile.
        """
        self.set_state()
        self._drawn = None
        passes, look, highlight = self._passes, subject.look, subject.highlight
        if self._colours[0] != look.dark:
            self._colours = (look.dark, colour_table(look.dark))
        colours = self._colours[1]
        if passes.surfaces.select(view):
            passes.shadow.forget()
        if subject.ghost_opacity is not None:
            passes.ghost.select(view)
        # Shaders count in pixels of the whole picture, whatever the size of the canvas is.
        eye_to_clip = self._update_frame(subject, view)
        casts_shadows = self.casts_shadows(subject, view)
        if casts_shadows:
            yield from self._draw_shadow(subject)
        reduced = view.reduced
        outlined = is_outlined(highlight)
        if outlined or casts_shadows:
            yield
            self.set_state()
        around = passes.surfaces.marked_rectangle(reduced) if outlined else None
        # The outline of a pixel is read from its neighbourhood, which must not hold what was marked before.
        with _cutting(subject.scene), _only_in(_grown(around, math.ceil(OUTLINE_WIDTH * reduced.ratio) + 1)):
            outlined = outlined and passes.screen.draw_mask(passes.surfaces, view.camera.eye, *reduced.size)
        if outlined:
            yield

        sizes = self._glyph_sizes(subject, view)
        if sizes is not None and sizes.dense:
            drawn = subject.scene.triads.rows[sizes.triads > 0].tolist()
            highlight = replace(highlight, drawn=highlight.along.intersection(drawn))
        texts = self._captions.place(
            subject.scene,
            look,
            highlight,
            view,
            passes.text,
            colours,
            eye_to_clip,
            dense=sizes is not None and sizes.dense,
            notes=subject.notes,
            ghost=subject.ghost_scene,
        )
        passes.text.set_texts(texts, view.ratio)
        yield
        canvas = passes.draft if view.draft and not view.quality.keeps_surfaces else passes.canvas
        # The first picture of a size is seldom like the next one: the window has just opened, or is being resized.
        keeps_surfaces = view.quality.keeps_surfaces and view.size == self._size_before
        self._size_before = view.size
        if keeps_surfaces:
            yield from self._bring_back(subject, view, colours, tuple(texts[0]), outlined=outlined)
        else:
            yield from self._draw_ground_and_surfaces(subject, view, colours, canvas)
        yield
        self._go_on(canvas, view)
        if outlined:
            yield from self._draw_outline(subject, view, canvas, colours, around)
        yield from self._draw_marks(subject, view, canvas, colours, 1.0 if sizes is None else sizes.width)
        yield
        if reduced is view:
            for draw in self._on_top(subject, view):
                self._go_on(canvas, view)
                draw()
                yield
        self._drawn = (subject, view, canvas)

    @property
    def targets(self) -> Targets:
        """The names in the picture that the mouse can point at."""
        return self._captions.targets

    def _draw_outline(
        self,
        subject: Subject,
        view: View,
        canvas: Framebuffer,
        colours: NDArray[np.float32],
        around: _Rectangle | None,
    ) -> Iterator[None]:
        """Draw a tint on what is marked and a line around it."""
        screen, surfaces = self._passes.screen, self._passes.surfaces
        with _only_in(around), _cutting(subject.scene):
            screen.draw_tint(surfaces, colours)
        yield
        self._go_on(canvas, view)
        # Finding edges takes a dozen texture reads a pixel, so skip pixels without edges.
        with _only_in(around):
            screen.draw_outline(colours, view.reduced.ratio)
        yield
        self._go_on(canvas, view)

    def present(self, framebuffer: int) -> None:
        """Copy the picture that was drawn last into a framebuffer of its size."""
        assert self._drawn is not None
        subject, view, canvas = self._drawn
        self.set_state()
        self._passes.copies.copy(canvas, framebuffer, *view.size)
        if view.reduced is not view:
            # Labels and handles stay sharp.
            for draw in self._on_top(subject, view):
                draw()
        GL.glBindVertexArray(0)
        GL.glUseProgram(0)

    def present_former(self, framebuffer: int, width: int, height: int) -> bool:
        """Copy the picture that was drawn last into the middle of a framebuffer of another size, if there is one."""
        if self._drawn is None:
            return False
        self.set_state()
        self._passes.copies.copy_to_middle(self._drawn[2], framebuffer, width, height)
        GL.glBindVertexArray(0)
        GL.glUseProgram(0)
        return True

    def _go_on(self, canvas: Framebuffer, view: View) -> None:
        """Draw on a canvas from now on: since the last step anything may have happened."""
        self.set_state()
        canvas.bind(*view.reduced.size, view.quality.samples)

    def _on_top(self, subject: Subject, view: View) -> tuple[Callable[[], None], ...]:
        """Return what draws what lies over the scene: marks on frames and names, the view cube, handles of tools."""

        def draw_names() -> None:
            self._passes.shapes.draw(subject.marks)
            self._passes.shapes.draw(self._captions.leaders)
            GL.glDisable(GL.GL_DEPTH_TEST)
            self._passes.text.draw(1)

        def draw_handles() -> None:
            GL.glDisable(GL.GL_DEPTH_TEST)
            if subject.look.view_cube:
                colours = self._colours[1]
                self._passes.cube.draw(view.camera, *view.size, view.ratio, colours, subject.hovered_region)
            self._passes.shapes.draw(subject.shapes)
            GL.glEnable(GL.GL_DEPTH_TEST)

        return draw_names, draw_handles

    def _bring_back(
        self,
        subject: Subject,
        view: View,
        colours: NDArray[np.float32],
        on_ground: tuple[PlacedText, ...],
        *,
        outlined: bool,
    ) -> Iterator[None]:
        """Fill the canvas with the surfaces as they were drawn last, or draw them if they look different now."""
        passes, look = self._passes, subject.look
        key = (*self._kept_key(subject, view), on_ground)
        if key != self._kept_for:
            self._kept_for = ()
            yield from self._draw_ground_and_surfaces(subject, view, colours, passes.kept)
            self._kept_for = key
            yield
        # Frames on top of everything need no depth of what is below them.
        passes.kept.copy_samples_to(passes.canvas, depth=outlined or look.frame_depth is not Depth.ON_TOP)

    @staticmethod
    def _kept_key(subject: Subject, view: View) -> tuple[object, ...]:
        view = replace(view, covered=())  # only names make way for what lies over the picture
        return subject.surfaces_version, view, subject.look, subject.ghost_opacity, subject.scene.section

    def keeps(self, subject: Subject, view: View) -> bool:
        """Whether the surfaces of a picture need not be drawn."""
        return self._kept_for[:-1] == self._kept_key(subject, view)

    def _draw_ground_and_surfaces(
        self, subject: Subject, view: View, colours: NDArray[np.float32], canvas: Framebuffer
    ) -> Iterator[None]:
        """Draw on a canvas what lies below frames and names."""
        passes, look = self._passes, subject.look
        self._go_on(canvas, view)
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT | GL.GL_STENCIL_BUFFER_BIT)
        if not look.transparent_background:
            passes.screen.draw_background(colours, banded=view.draft)
        if look.grid and self.casts_shadows(subject, view):
            yield
            self._go_on(canvas, view)
            passes.grid.draw_shadow(passes.shadow, soft=not view.draft)
        yield
        self._go_on(canvas, view)
        self._draw_opaque(subject, view)
        section = subject.scene.section
        if section is not None and not look.wireframe:
            yield
            self._go_on(canvas, view)
            GL.glDisable(GL.GL_BLEND)
            accent = colours[TOKENS.index("selection")]
            passes.caps.draw(passes.surfaces.cut_solids(section), section, view.camera.eye, accent)
        yield
        self._go_on(canvas, view)
        if look.grid:
            passes.grid.draw_lines(self._grid(view.camera), colours, view.reduced.ratio)
        for portion in passes.surfaces.blended(view.camera.eye, view.camera.axes[2]):
            yield
            self._go_on(canvas, view)
            self._choose_programs(subject, view)
            with _filled_as(look), _cutting(subject.scene):
                passes.surfaces.draw_blended(passes.programs, portion)
        if subject.ghost_opacity is not None:
            # Only the nearest surface of everything, see-through: first its depth, then its colour.
            for draw in (passes.ghost.draw_ghost_depth, passes.ghost.draw_ghost):
                yield
                self._go_on(canvas, view)
                passes.programs.choose(0, subject.ghost_opacity, draft=view.draft)
                with _filled_as(look):
                    draw(passes.programs, view.camera.eye)
        yield
        self._go_on(canvas, view)
        passes.text.draw(0)

    @staticmethod
    def set_state() -> None:
        """Set all state that painting relies on: whoever shares the context may have left anything."""
        for switch in (
            GL.GL_SCISSOR_TEST,
            GL.GL_STENCIL_TEST,
            GL.GL_CULL_FACE,
            GL.GL_FRAMEBUFFER_SRGB,
            GL.GL_DEPTH_CLAMP,
        ):
            GL.glDisable(switch)
        for switch in (GL.GL_DEPTH_TEST, GL.GL_BLEND, GL.GL_MULTISAMPLE):
            GL.glEnable(switch)
        GL.glDepthFunc(GL.GL_LESS)
        GL.glDepthMask(True)
        GL.glColorMask(True, True, True, True)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 4)
        GL.glBlendEquation(GL.GL_FUNC_ADD)
        # Alpha adds up so that a picture with a clear background can be laid over another.
        GL.glBlendFuncSeparate(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA)

    @staticmethod
    def casts_shadows(subject: Subject, view: View) -> bool:
        """Whether the surfaces of a picture cast shadows."""
        look = subject.look
        plain = not look.wireframe and look.surface_opacity >= 1
        most = _MOST_DRAFT_CASTERS if view.draft else _MOST_CASTERS
        return look.shadows and view.quality.shadows and plain and 0 < len(subject.scene.surfaces) <= most

    def _bounds(self, scene: Scene) -> tuple[Box, Box]:
        """Return boxes (2, 3) around the scene, and around what of it casts shadows, once for each of its poses."""
        if self._bounds_of is None or self._bounds_of[0] is not scene:
            origins = scene.X_RootF[scene.triads.rows, :3, 3]
            origins = origins[np.isfinite(origins).all(axis=1)]
            frames = np.stack([origins.min(axis=0), origins.max(axis=0)]) if len(origins) else origins
            everything, standing = self._passes.surfaces.boxes()
            boxes = []
            # Frames cast no shadows: one far away, as that of a world, would take the detail from the map.
            for box in (np.concatenate([frames, everything]), standing):
                points = box if len(box) else np.zeros((1, 3))
                # Axes of triads reach out of the box of their origins.
                boxes.append(np.stack([points.min(axis=0) - _MARGIN, points.max(axis=0) + _MARGIN]))
            self._bounds_of = (scene, boxes[0], boxes[1])
        return self._bounds_of[1], self._bounds_of[2]

    def _update_frame(self, subject: Subject, view: View) -> NDArray[np.float64]:
        """Tell all shaders about the camera and the light; returns the matrix from the eye to clip space."""
        passes, camera = self._passes, view.camera
        bounds, casters = self._bounds(subject.scene)
        if subject.look.grid:
            # Include the ground around the focus, otherwise its lines would be clipped.
            grid = self._grid(camera)
            middle, reach = np.array([*grid.centre, 0.0]), np.array([grid.extent, grid.extent, 0.0])
            bounds = np.stack([np.minimum(bounds[0], middle - reach), np.maximum(bounds[1], middle + reach)])
        near, far = camera.clip_range(bounds)
        rotation = np.eye(4)
        rotation[:3, :3] = camera.axes
        eye = np.append(camera.eye, float(camera.orthographic))
        depth_one = camera.distance if camera.orthographic else 1.0
        metres = 2 * np.tan(camera.fov / 2) * depth_one / view.height * view.ratio
        eye_to_clip = camera.projection_matrix(view.width / view.height, near, far) @ rotation
        passes.frame.update(
            eye_to_clip=eye_to_clip,
            rotation_kw=rotation,
            viewport=np.array([view.width, view.height, view.ratio, metres]),
            eye=eye,
            key_light=np.append(KEY_LIGHT, 0.75),
            eye_to_shadow=passes.shadow.projection(casters, camera.eye),
            section=_from_eye(subject.scene.section, camera.eye),
            lift=np.array([_LIFT if subject.look.dark else 0.0, 0.0, 0.0, 0.0]),
        )
        if self._cut_by != subject.scene.section:
            self._cut_by = subject.scene.section
            passes.shadow.forget()
        return eye_to_clip

    def _draw_shadow(self, subject: Subject) -> Iterator[None]:
        """Draw the shadow map where something has moved."""
        for number, draw in enumerate(self._passes.shadow.parts(self._passes.surfaces)):
            if number:
                yield
                self.set_state()
            with _cutting(subject.scene):
                draw()

    def _grid(self, camera: Camera) -> Grid:
        if self._grid_of is None or self._grid_of[0] != camera:
            self._grid_of = (camera, grid_for(camera))
        return self._grid_of[1]

    def _choose_programs(self, subject: Subject, view: View) -> None:
        """Choose the programs for the surfaces of the scene."""
        self._passes.shadow.bind()
        taps = (1 if view.draft else 4) if self.casts_shadows(subject, view) else 0
        self._passes.programs.choose(taps, subject.look.surface_opacity, draft=view.draft)

    def _draw_opaque(self, subject: Subject, view: View) -> None:
        self._choose_programs(subject, view)
        GL.glDisable(GL.GL_BLEND)
        with _filled_as(subject.look), _cutting(subject.scene):
            self._passes.surfaces.draw_opaque(self._passes.programs, view.camera.eye)
        GL.glEnable(GL.GL_BLEND)

    def _glyph_sizes(self, subject: Subject, view: View) -> GlyphSizes | None:
        """Size the triads and joint glyphs of a picture, and leave out those beside it where there are very many.

        None says that all have their full size.
        """
        scene, look, passes = subject.scene, subject.look, self._passes
        key = (scene, view.camera, view.size, look, subject.highlight, subject.ghost_scene)
        if self._sizes_of is not None and self._sizes_of[0] == key:
            return self._sizes_of[1]
        rows = scene.triads.rows
        sizes = None
        if len(rows) and (look.frames or look.joints):
            points = scene.X_RootF[rows, :3, 3]
            pixels, depth = view.camera.project(points, *view.size)
            # A size in metres is not changed.
            if look.declutter and look.frame_size_metres is None:
                highlight, count = subject.highlight, len(scene.X_RootF)
                along = mask_of(highlight.along, count)
                attended = mask_of(highlight.attended, count) & ~along
                sizes = glyph_sizes(scene, view.camera, pixels, depth, view.size, view.ratio, attended, along)
            passes.triads.select(points, pixels, depth, view, look, None if sizes is None else sizes.triads)
        passes.triads.set_sizes(None if sizes is None else sizes.triads)
        passes.joints.set_sizes(None if sizes is None else sizes.joints)
        passes.ghost_triads.set_sizes(_ghost_sizes(sizes, subject))
        self._sizes_of = (key, sizes)
        return sizes

    def _draw_marks(
        self, subject: Subject, view: View, canvas: Framebuffer, colours: NDArray[np.float32], width: float
    ) -> Iterator[None]:
        """Draw frames, joints, lines and centres of mass, each kind in a step of its own."""
        look, passes = replace(subject.look, frame_width=subject.look.frame_width * width), self._passes
        parts: list[tuple[float, bool, Callable[[], None]]] = []
        for strength in (0.28, 1.0) if look.frame_depth is Depth.X_RAY else (1.0,):
            if look.lines:
                parts.append((strength, True, partial(passes.lines.draw, look, strength, colours, cut=True)))
            if look.joints:
                parts.append((strength, False, partial(passes.joints.draw, look, strength, colours)))
            if look.frames and subject.ghost_opacity is not None:
                parts.append((strength, True, partial(passes.ghost_triads.draw, look, strength, colours)))
            if look.frames:
                parts.append((strength, True, partial(passes.triads.draw, look, strength, colours)))
        if look.frame_depth is Depth.ON_TOP:
            # Among themselves frames still hide each other by distance.
            GL.glClear(GL.GL_DEPTH_BUFFER_BIT)
        for strength, hides, draw in parts:
            # Arrows may reach out of the box around the scene: beyond near and far they are kept, not cut.
            GL.glEnable(GL.GL_DEPTH_CLAMP)
            GL.glDepthFunc(GL.GL_GREATER if strength < 1 else GL.GL_LEQUAL)
            GL.glDepthMask(hides and strength >= 1)
            draw()
            yield
            self._go_on(canvas, view)
        GL.glEnable(GL.GL_DEPTH_CLAMP)
        passes.centres.select(view)
        passes.centres.draw(colours)
        GL.glDisable(GL.GL_DEPTH_TEST)
        passes.extra_lines.draw(look, 1.0, colours)
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_DEPTH_CLAMP)


def is_outlined(highlight: Highlight) -> bool:
    """Whether anything in a picture may have an outline."""
    return bool(highlight.selected) or highlight.hovered is not None


def _ghost_sizes(sizes: GlyphSizes | None, subject: Subject) -> NDArray[np.float64] | None:
    """Return the sizes of a ghost's triads: as in the scene, or in a dense picture points of what is not selected."""
    other = subject.ghost_scene
    if sizes is None or other is None:
        return None if sizes is None else sizes.triads
    if not sizes.dense:
        return None
    selected = list(subject.highlight.selected) if names_rows(other) else []
    return np.isin(other.triads.rows, selected).astype(np.float64)


@contextmanager
def _cutting(scene: Scene) -> Iterator[None]:
    """Cut surfaces at the section of a scene while the block runs."""
    if scene.section is None:
        yield
        return
    GL.glEnable(GL.GL_CLIP_DISTANCE0)
    try:
        yield
    finally:
        GL.glDisable(GL.GL_CLIP_DISTANCE0)


def _grown(rectangle: _Rectangle | None, by: int) -> _Rectangle | None:
    """Return a rectangle that reaches farther on all sides; None and what is empty stay what they are."""
    if rectangle is None or not (rectangle[2] and rectangle[3]):
        return rectangle
    left, bottom, width, height = rectangle
    return left - by, bottom - by, width + 2 * by, height + 2 * by


@contextmanager
def _filled_as(look: Look) -> Iterator[None]:
    """Draw triangles as wires while the block runs, where the look says so."""
    GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_LINE if look.wireframe else GL.GL_FILL)
    try:
        yield
    finally:
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_FILL)


@contextmanager
def _only_in(rectangle: _Rectangle | None) -> Iterator[None]:
    """Draw only in a rectangle, left, bottom, width, height, while the block runs; None leaves the whole picture."""
    if rectangle is None:
        yield
        return
    GL.glEnable(GL.GL_SCISSOR_TEST)
    GL.glScissor(*rectangle)
    try:
        yield
    finally:
        GL.glDisable(GL.GL_SCISSOR_TEST)


def _from_eye(section: CuttingPlane | None, eye: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the normal of a section, and how far it is from the eye along it; one that cuts nothing for None."""
    if section is None:
        return np.array([0.0, 0.0, 0.0, 1.0])
    return np.array([*section.normal, float(section.keeps(eye))])
