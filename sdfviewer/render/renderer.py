"""The renderer: draws a `Scene` on whatever OpenGL 3.3 core context is current."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdfviewer.render.buffers import pack_poses
from sdfviewer.render.captions import Captions
from sdfviewer.render.gl import GL
from sdfviewer.render.highlight import Highlight
from sdfviewer.render.look import Depth, Look
from sdfviewer.render.marks import bytes_of
from sdfviewer.render.passes import Passes
from sdfviewer.render.shadow import KEY_LIGHT
from sdfviewer.render.textures import TextureStore
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.frames import crowding
from sdfviewer.scene.grid import grid_for
from sdfviewer.scene.nodes import Lines
from sdfviewer.scene.palette import TOKENS, colour_table
from sdfviewer.scene.scene import Scene, update_poses
from sdfviewer.scene.shapes2d import Shapes

_MOST_CASTERS = 1500
"""Larger scenes have no shadows: one map over a whole world has no detail left, and takes long to draw."""

_MARGIN = 0.05
"""Metres around the scene that are kept between near and far."""

_EMPTY = Scene(np.eye(4)[None], np.array([-1], np.int32))


class Renderer:
    """Draws one scene; knows no window.

    Setters only note what is wanted and may be called at any time, with or without a current context. `initialize`,
    `paint` and `release` need the context to be current. Everything on the GPU can be rebuilt from the arrays of the
    scene: after the context was lost (a dock that floats), call `initialize` again and paint.

    Examples
    --------
    In a ``QOpenGLWidget`` (3.3 core, depth 24, samples 0: the renderer multisamples by itself)::

        def initializeGL(self):
            self.context().aboutToBeDestroyed.connect(self._release)   # makeCurrent(); renderer.release()
            self.renderer.initialize()

        def paintGL(self):
            ratio = self.devicePixelRatio()
            self.renderer.paint(self.camera, round(self.width() * ratio), round(self.height() * ratio),
                                self.defaultFramebufferObject(), pixel_ratio=ratio)
            if self.renderer.busy:      # textures are still being decoded: look again soon
                QTimer.singleShot(50, self.update)
    """

    def __init__(self) -> None:
        self._scene, self._look, self._highlight = _EMPTY, Look(), Highlight()
        self._X_ghost: NDArray[np.float64] | None = None
        self._ghost_opacity = 0.35
        self._tints: NDArray[np.uint8] | None = None
        self._extra_lines = Lines()
        self._shapes = Shapes()
        self._hovered_region: int | None = None
        self._textures = TextureStore()
        self._bounds_of: tuple[Scene, NDArray[np.float64], NDArray[np.float64]] | None = None
        self._passes: Passes | None = None
        self._stale: set[str] = set()
        self._captions = Captions()
        self.busy = False
        """True while textures of the scene are still on their way: another paint will show more."""

    # -- what to draw -------------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The scene as it is drawn: at its latest poses."""
        return self._scene

    @property
    def driver(self) -> str:
        """The name of the driver that draws, empty before `initialize`."""
        return self._passes.driver if self._passes else ""

    @property
    def failures(self) -> dict[str, str]:
        """Textures that cannot be shown, and why."""
        return {
            str(source) if not isinstance(source, bytes) else "embedded texture": reason
            for source, reason in self._textures.failures.items()
        }

    def set_scene(self, scene: Scene) -> None:
        """Show another scene; meshes and textures that both share stay on the GPU."""
        if len(scene.X_RootF) != len(self._scene.X_RootF):
            self._X_ghost = self._tints = None
            self._highlight = Highlight()
        self._scene = scene
        maps = [s.material.albedo_map if s.material else None for s in scene.surfaces]
        maps += [part.material.albedo_map for s in scene.surfaces if s.material is None for part in s.mesh.parts]
        self._textures.keep(source for source in maps if source is not None)
        self._stale |= {"scene"}

    def set_look(self, look: Look) -> None:
        """Change the switches of the view."""
        if (look.surface_opacity < 1) != (self._look.surface_opacity < 1):
            self._stale |= {"scene"}
        if look.dark != self._look.dark:
            self._stale |= {"marks", "highlight", "lines"}
        self._look = look

    def set_poses(self, X_RootF: ArrayLike, values: ArrayLike | None = None) -> None:
        """Move everything: poses (n, 4, 4) of all rows, and the value of each joint glyph (`joints.values_of`)."""
        self._scene = update_poses(self._scene, X_RootF, values)
        self._stale |= {"poses"} if values is None else {"poses", "values"}

    def set_ghost(self, X_RootF: ArrayLike | None, opacity: float = 0.35) -> None:
        """Show all surfaces and triads a second time at other poses (n, 4, 4), see-through; None takes them away."""
        self._X_ghost = None if X_RootF is None else np.asarray(X_RootF, np.float64)
        self._ghost_opacity = opacity
        self._stale |= {"ghost"}

    def set_tints(self, tints: ArrayLike | None) -> None:
        """Colour rows: red, green, blue and strength (n, 4) in 0..1 for the surfaces bound to each; None ends it."""
        self._tints = None if tints is None else bytes_of(np.clip(np.asarray(tints, np.float32), 0, 1))
        self._stale |= {"highlight"}

    def set_highlight(
        self,
        selected: Iterable[int] = (),
        hovered: int | None = None,
        chain: Iterable[int] = (),
        errors: Iterable[int] = (),
        *,
        only_chain: bool = False,
    ) -> None:
        """Mark rows of the frame table; the surfaces of what they own (a link's visuals) are marked along.

        `chain` are the rows on the way from the root to the selection; `errors` are drawn in the error colour. With
        `only_chain` all other triads, joints and labels fade.
        """
        highlight = Highlight(frozenset(selected), hovered, frozenset(chain), frozenset(errors), only_chain)
        if highlight.errors != self._highlight.errors:
            self._stale |= {"marks"}
        if highlight != self._highlight:
            self._stale |= {"highlight"}
        self._highlight = highlight

    def set_measure(self, lines: Lines) -> None:
        """Draw some more lines on top: what a tool measures."""
        self._extra_lines = lines
        self._stale |= {"lines"}

    def set_shapes(self, shapes: Shapes) -> None:
        """Draw flat shapes over the next pictures: the handles of a tool, as the camera sees them."""
        self._shapes = shapes

    def set_hovered_region(self, region: int | None) -> None:
        """Light up a region of the view cube, as `view_cube.pick_view_cube` names it."""
        self._hovered_region = region

    # -- the context --------------------------------------------------------------------------------------------------

    def initialize(self) -> None:
        """Take the current context: forget all GPU objects of a former one and check the version.

        Raises
        ------
        RenderError
            If the context is older than OpenGL 3.3.
        """
        if self._passes is not None:
            self._textures.forget()
        self._passes = Passes(self._textures)
        self._stale = {"scene"}

    def release(self) -> None:
        """Delete all GPU objects; the context must be current. The renderer may be initialised again."""
        if self._passes is not None:
            self._passes.release()
            self._textures.release()
            self._passes = None
            self.set_scene(self._scene)

    # -- drawing ------------------------------------------------------------------------------------------------------

    def finish_loading(self) -> None:
        """Wait until every texture is decoded, so that the next paint shows all of them."""
        self._textures.wait()

    def paint(
        self,
        camera: Camera,
        width: int,
        height: int,
        framebuffer: int = 0,
        *,
        pixel_ratio: float = 1.0,
        samples: int = 4,
    ) -> None:
        """Draw into `framebuffer`, `width` by `height` device pixels; samples 0 draws without antialiasing."""
        if self._passes is None:
            self.initialize()
        passes = self._passes
        assert passes is not None
        width, height = max(width, 1), max(height, 1)
        self._set_state()
        self.busy = not self._textures.upload_ready()
        self.upload()
        colours = colour_table(self._look.dark)
        eye_to_clip = self._update_frame(passes, camera, width, height, pixel_ratio)
        passes.surfaces.select(camera, width, height)
        outlined = bool(self._highlight.selected) or self._highlight.hovered is not None
        outlined = outlined and passes.screen.draw_mask(passes.surfaces, width, height)

        passes.canvas.bind(width, height, samples)
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT)
        if not self._look.transparent_background:
            passes.screen.draw_background(colours)
        if self._look.grid and self._shadows:
            passes.grid.draw_shadow(passes.shadow, soft=samples > 0)
        self._draw_surfaces(passes, camera, colours, samples)
        metre_marks, names = self._captions.place(
            self._scene,
            self._look,
            self._highlight,
            camera,
            (width, height),
            pixel_ratio,
            passes.text,
            colours,
            eye_to_clip,
        )
        passes.text.draw(metre_marks, pixel_ratio)
        if outlined:
            passes.screen.draw_outline(colours, pixel_ratio)
        self._draw_marks(passes, colours, self._crowding(camera, width, height, pixel_ratio))
        passes.text.draw(names, pixel_ratio)
        if self._look.view_cube:
            passes.cube.draw(camera, width, height, pixel_ratio, colours, self._hovered_region)
        passes.shapes.draw(self._shapes)
        passes.canvas.copy_to(framebuffer)
        GL.glBindVertexArray(0)
        GL.glUseProgram(0)

    @staticmethod
    def _set_state() -> None:
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

    def upload(self) -> None:
        """Bring what changed since the last picture to the GPU; `paint` begins with it."""
        stale, scene, passes = self._stale, self._scene, self._passes
        if not stale or passes is None:
            return
        if "scene" in stale:
            passes.meshes.keep(scene.surfaces)
            passes.surfaces.set_scene(scene, self._look.surface_opacity < 1)
            stale |= {"poses", "values", "marks", "highlight", "ghost", "lines"}
        packed = pack_poses(scene.X_RootF)
        if "values" in stale:
            passes.joints.set_glyphs(scene.joints)
        if "marks" in stale:
            errors = np.zeros(len(packed), bool)
            errors[list(self._highlight.errors)] = True
            passes.triads.set_triads(scene.triads, self._look.dark, errors)
            passes.ghost_triads.set_triads(scene.triads, self._look.dark, errors)
        if "poses" in stale:
            passes.surfaces.set_poses(scene.X_RootF, packed)
            passes.triads.set_poses(packed)
            passes.joints.set_poses(packed)
            passes.shadow.forget()
        if "ghost" in stale:
            ghost = scene if self._X_ghost is not None else _EMPTY
            passes.ghost.set_scene(ghost, blend_all=False)
            if self._X_ghost is not None:
                packed_ghost = pack_poses(self._X_ghost)
                passes.ghost.set_poses(self._X_ghost, packed_ghost)
                passes.ghost_triads.set_poses(packed_ghost)
        marks, faded = self._highlight.spread(scene)
        if stale & {"highlight", "marks", "ghost"}:
            tints = np.zeros((len(packed), 4), np.uint8) if self._tints is None else self._tints
            passes.surfaces.set_marks(marks, tints)
            shade = np.zeros((len(packed), 4), np.uint8)
            shade[:] = (*bytes_of(colour_table(self._look.dark)[TOKENS.index("ghost")]), 150)
            passes.ghost.set_marks(np.zeros_like(marks), shade)
            own = self._highlight.own(scene)
            passes.triads.set_state(own, faded)
            passes.ghost_triads.set_state(np.zeros_like(own), np.ones_like(faded))
            passes.joints.set_state(own, faded)
        if stale & {"poses", "lines", "highlight"}:
            passes.lines.set_lines(scene.lines, scene.X_RootF, self._look.dark, self._highlight.own(scene))
            passes.extra_lines.set_lines(self._extra_lines, scene.X_RootF, self._look.dark, marks)
        self._stale = set()

    @property
    def _shadows(self) -> bool:
        look = self._look
        plain = not look.wireframe and look.surface_opacity >= 1
        return look.shadows and plain and 0 < len(self._scene.surfaces) <= _MOST_CASTERS

    def _bounds(self, passes: Passes) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return boxes (2, 3) around the scene, and around what of it is not ground, once for each of its poses."""
        if self._bounds_of is None or self._bounds_of[0] is not self._scene:
            origins = self._scene.X_RootF[self._scene.triads.rows, :3, 3]
            origins = origins[np.isfinite(origins).all(axis=1)]
            boxes = []
            for ground in (True, False):
                points = np.concatenate([origins, passes.surfaces.box(ground=ground)])
                points = points if len(points) else np.zeros((1, 3))
                # Axes of triads reach out of the box of their origins.
                boxes.append(np.stack([points.min(axis=0) - _MARGIN, points.max(axis=0) + _MARGIN]))
            self._bounds_of = (self._scene, boxes[0], boxes[1])
        return self._bounds_of[1], self._bounds_of[2]

    def _update_frame(
        self, passes: Passes, camera: Camera, width: int, height: int, ratio: float
    ) -> NDArray[np.float64]:
        bounds, casters = self._bounds(passes)
        if self._look.grid:
            # The ground around the focus belongs to the picture, else its lines would be clipped.
            grid = grid_for(camera)
            middle, reach = np.array([*grid.centre, 0.0]), np.array([grid.extent, grid.extent, 0.0])
            bounds = np.stack([np.minimum(bounds[0], middle - reach), np.maximum(bounds[1], middle + reach)])
        near, far = camera.clip_range(bounds)
        rotation = np.eye(4)
        rotation[:3, :3] = camera.axes
        eye = np.append(camera.eye, float(camera.orthographic))
        depth_one = camera.distance if camera.orthographic else 1.0
        metres = 2 * np.tan(camera.fov / 2) * depth_one / height * ratio
        frame = {
            "eye_to_clip": camera.projection_matrix(width / height, near, far) @ rotation,
            "rotation_kw": rotation,
            "viewport": np.array([width, height, ratio, metres]),
            "eye": eye,
            "key_light": np.append(KEY_LIGHT, 0.75),
            "eye_to_shadow": passes.shadow.projection(casters, camera.eye),
        }
        passes.frame.update(**frame)
        if self._shadows:
            passes.shadow.draw(passes.surfaces)
        return frame["eye_to_clip"]

    def _draw_surfaces(self, passes: Passes, camera: Camera, colours: NDArray[np.float32], samples: int) -> None:
        look, programs = self._look, passes.programs
        passes.shadow.bind_texture(1)
        # Software drawing while things move goes without antialiasing, and then with plain shadows too.
        programs.choose((4 if samples else 1) if self._shadows else 0, look.surface_opacity)
        mode = GL.GL_LINE if look.wireframe else GL.GL_FILL
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, mode)
        GL.glDisable(GL.GL_BLEND)
        passes.surfaces.draw_opaque(programs)
        GL.glEnable(GL.GL_BLEND)
        if look.grid:
            GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_FILL)
            passes.grid.draw_lines(grid_for(camera), colours)
            GL.glPolygonMode(GL.GL_FRONT_AND_BACK, mode)
        passes.surfaces.draw_blended(programs, camera.eye, camera.axes[2])
        if self._X_ghost is not None:
            programs.choose(0, self._ghost_opacity)
            passes.ghost.draw_ghost(programs)
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_FILL)

    def _crowding(self, camera: Camera, width: int, height: int, ratio: float) -> float:
        rows = self._scene.triads.rows
        look = self._look
        if not look.shrink_crowds or not len(rows) or not (look.frames or look.joints):
            return 1.0
        pixels, depth = camera.project(self._scene.X_RootF[rows, :3, 3], width, height)
        return crowding(pixels[depth > 0], width, height, ratio)

    def _draw_marks(self, passes: Passes, colours: NDArray[np.float32], crowd: float) -> None:
        look = replace(
            self._look,
            frame_size=self._look.frame_size * crowd,
            frame_width=self._look.frame_width * max(crowd, 0.5),
            joint_size=self._look.joint_size * max(crowd, 0.3),
        )
        # Arrows may reach out of the box around the scene: beyond near and far they are kept, not cut.
        GL.glEnable(GL.GL_DEPTH_CLAMP)
        if look.frame_depth is Depth.X_RAY:
            GL.glDepthFunc(GL.GL_GREATER)
            GL.glDepthMask(False)
            self._draw_marks_once(passes, look, colours, 0.28)
            GL.glDepthMask(True)
            GL.glDepthFunc(GL.GL_LESS)
        elif look.frame_depth is Depth.ON_TOP:
            # Among themselves frames still hide each other by distance.
            GL.glClear(GL.GL_DEPTH_BUFFER_BIT)
        self._draw_marks_once(passes, look, colours, 1.0)
        GL.glDisable(GL.GL_DEPTH_TEST)
        passes.extra_lines.draw(look, 1.0)
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_DEPTH_CLAMP)

    def _draw_marks_once(self, passes: Passes, look: Look, colours: NDArray[np.float32], strength: float) -> None:
        GL.glDepthFunc(GL.GL_GREATER if strength < 1 else GL.GL_LEQUAL)
        if look.lines:
            passes.lines.draw(look, strength)
        if look.joints:
            GL.glDepthMask(False)
            passes.joints.draw(look, strength, colours)
            GL.glDepthMask(strength >= 1)
        if look.frames:
            if self._X_ghost is not None:
                passes.ghost_triads.draw(look, strength, colours)
            passes.triads.draw(look, strength, colours)
        GL.glDepthFunc(GL.GL_LESS)
