"""The renderer: draws a `Scene` on whatever OpenGL 3.3 core context is current."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import chain
from time import thread_time

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdfviewer.palette import TOKENS, colour_table
from sdfviewer.render.captions import Notes
from sdfviewer.render.gl import GL
from sdfviewer.render.gl_objects import pack_poses
from sdfviewer.render.marks import bytes_of
from sdfviewer.render.painting import Painter, Subject, is_outlined
from sdfviewer.render.passes import Passes
from sdfviewer.render.texts import Targets
from sdfviewer.render.textures import TextureStore
from sdfviewer.render.view import STILL, Highlight, Look, Quality, View
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.glyph_sizes import mask_of
from sdfviewer.scene.glyphs import shown_lines
from sdfviewer.scene.nodes import Lines
from sdfviewer.scene.scene import Scene, names_rows, update_poses, with_section
from sdfviewer.scene.shapes2d import Shapes
from sdfviewer.scene.tools.section import CuttingPlane

_EMPTY = Scene(np.eye(4)[None], np.array([-1], np.int32))
_STRIPS = 32
"""Number of strips of one colour each that look like the gradient of the background."""

GHOST_OPACITY = 0.35
"""Of a ghost that is compared with what is in the same place."""
_GROUND_TINT = 130
"""How much of the dark theme the ground of a scene takes on, of 255: what is black is still visible on it."""
_SURFACES = {"scene", "meshes", "poses", "ghost", "tints"}
"""What changes the picture of the surfaces when it is uploaded."""


def _kind(subject: Subject, view: View) -> tuple[object, ...]:
    """Return what decides which programs a picture is drawn with, and so how long it takes, beside the scene."""
    look, shapes = subject.look, (subject.shapes, subject.marks)
    return (
        view.quality.samples,
        view.reduced is view,
        is_outlined(subject.highlight),
        Painter.casts_shadows(subject, view),
        subject.scene.section is not None,
        subject.ghost_opacity is not None,
        (look.wireframe, look.surface_opacity < 1, look.grid, look.frame_depth),
        tuple(bool(each) for each in shapes),
    )


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
        self._spread = self._highlight.spread(_EMPTY)
        self._X_ghost: NDArray[np.float64] | None = None
        self._ghost_scene: Scene | None = None
        self._ghost_opacity = GHOST_OPACITY
        self._tints: NDArray[np.uint8] | None = None
        self._lit: NDArray[np.uint8] | None = None
        self._extra_lines = Lines()
        self._paths = Lines()
        self._notes: Notes = ()
        self._surfaces_version = 0
        self._shapes = self._marks = Shapes()
        self._hovered_region: int | None = None
        self._textures = TextureStore()
        self._passes: Passes | None = None
        self._painter: Painter | None = None
        self._stale: set[str] = set()
        self._seconds: dict[tuple[object, ...], float] = {}
        self.busy = False
        """True while textures of the scene are still on their way: another paint will show more."""

    # -- what to draw -------------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The scene as it is drawn: at its latest poses."""
        return self._scene

    @property
    def ghost_poses(self) -> NDArray[np.float64] | None:
        """The poses (n, 4, 4) at which the ghost is drawn, None if there is none."""
        return self._X_ghost

    @property
    def ghost_opacity(self) -> float:
        """How opaque the ghost is drawn, from 0 to 1."""
        return self._ghost_opacity

    @property
    def tints(self) -> NDArray[np.uint8] | None:
        """The colours of the rows (n, 4) as `set_tints` got them, None where there are none."""
        return self._tints

    @property
    def highlight(self) -> Highlight:
        """The rows that are marked."""
        return self._highlight

    @property
    def pending(self) -> AbstractSet[str]:
        """What the next picture uploads again."""
        return self._stale

    @property
    def shows_otherwise(self) -> bool:
        """Whether the next picture shows other surfaces than the last one, or shows them otherwise."""
        return bool(self._stale & (_SURFACES | {"look"}))

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
            self._tints = self._lit = None
            self._X_ghost = self._X_ghost if self._ghost_scene is not None else None
            self._highlight = Highlight()
        self._scene = scene
        styles = scene.surface_arrays.styles
        replaced = [material for _, material in styles if material is not None]
        materials = [*replaced, *(part.material for mesh, own in styles if own is None for part in mesh.parts)]
        maps = dict.fromkeys((material.albedo_map, material.normal_map) for material in materials)
        self._textures.keep(source for pair in maps for source in pair if source is not None)
        self._stale |= {"scene"}

    def set_look(self, look: Look) -> None:
        """Change the switches of the view."""
        if (look.surface_opacity < 1) != (self._look.surface_opacity < 1):
            self._stale |= {"scene"}
        if (look.dark, look.declutter) != (self._look.dark, self._look.declutter):
            self._stale |= {"marks", "highlight", "lines"}
        if look != self._look:
            self._stale |= {"look"}
        self._look = look

    def set_poses(self, X_RootF: ArrayLike, values: ArrayLike | None = None) -> None:
        """Move everything: poses (n, 4, 4) of all rows, and the value of each joint glyph (`joints.values_of`)."""
        before, self._scene = self._scene, update_poses(self._scene, X_RootF, values)
        self._stale |= {"poses"} if self._scene.joints is before.joints else {"poses", "values"}

    def set_ghost(self, X_RootF: ArrayLike | None, opacity: float = GHOST_OPACITY, scene: Scene | None = None) -> None:
        """Show all surfaces and triads a second time at other poses (n, 4, 4), see-through; None takes them away.

        With a `scene` it is that one's surfaces and triads, at poses of its rows, that are shown so. If it has
        labels, it is of the same model: they are shown, too, and what is selected is marked.
        """
        ghost = None if X_RootF is None else np.asarray(X_RootF, np.float64)
        if scene is not self._ghost_scene:
            self._stale |= {"meshes", "marks", "ghost"}
        # While something is dragged, the ghost does not move: uploading it takes longer than everything that does.
        if ghost is not self._X_ghost:
            self._stale |= {"ghost"}
        self._X_ghost, self._ghost_opacity, self._ghost_scene = ghost, opacity, scene

    def set_tints(self, tints: ArrayLike | None) -> None:
        """Colour rows: red, green, blue and strength (n, 4) in 0..1 for the surfaces bound to each; None ends it."""
        self._tints = None if tints is None else bytes_of(np.clip(np.asarray(tints, np.float32), 0, 1))
        self._stale |= {"highlight", "tints"}

    def set_lit(self, tints: ArrayLike | None) -> None:
        """Light up rows: colours as of `set_tints`, which they cover; None ends it."""
        self._lit = None if tints is None else bytes_of(np.clip(np.asarray(tints, np.float32), 0, 1))
        self._stale |= {"highlight", "tints"}

    def set_highlight(
        self,
        selected: Iterable[int] = (),
        hovered: int | None = None,
        chain: Iterable[int] = (),
        errors: Iterable[int] = (),
        *,
        only_chain: bool = False,
        detailed: Iterable[int] = (),
        carriers: Iterable[int] = (),
    ) -> None:
        """Mark rows of the frame table; the surfaces of what they own (a link's visuals) are marked along.

        `chain` are the rows on the way from the root to the selection; `errors` are drawn in the error colour. With
        `only_chain` all other triads, joints and labels fade. `detailed` rows are drawn in full where there are many,
        and so are those of the chain and `carriers`, the joints above the selection, where they are apart.
        """
        highlight = Highlight(
            frozenset(selected),
            hovered,
            frozenset(chain),
            frozenset(errors),
            only_chain,
            frozenset(detailed),
            frozenset(carriers),
            self._highlight.named,
            self._highlight.foremost,
        )
        if highlight.errors != self._highlight.errors:
            self._stale |= {"marks"}
        if highlight != self._highlight:
            self._stale |= {"highlight"}
        self._highlight = highlight

    def set_named(self, rows: frozenset[int]) -> bool:
        """Name only some rows, as another view does, and what is selected or hovered; return whether others were named.

        It holds until a scene with other rows is set.
        """
        is_new = rows != self._highlight.named
        self._highlight = replace(self._highlight, named=rows)
        return is_new

    def set_foremost(self, rows: frozenset[int]) -> None:
        """Name some rows before all others while nothing is selected.

        It holds until a scene with other rows is set.
        """
        self._highlight = replace(self._highlight, foremost=rows)

    def set_measure(self, lines: Lines, notes: Notes = ()) -> None:
        """Draw some more lines and texts on top: what a tool measures."""
        self._extra_lines, self._notes = lines, notes
        self._stale |= {"lines"}

    def set_section(self, section: CuttingPlane | None) -> None:
        """Cut the scene open by another plane; None shows it whole."""
        self._scene = with_section(self._scene, section)

    def set_paths(self, lines: Lines) -> None:
        """Draw some more lines on top: the ways of frames."""
        self._paths = lines
        self._stale |= {"lines"}

    def set_shapes(self, shapes: Shapes, marks: Shapes | None = None) -> None:
        """Draw flat shapes over the next pictures: the handles of a tool, and below all names the marks on frames."""
        self._shapes, self._marks = shapes, Shapes() if marks is None else marks

    def set_hovered_region(self, region: int | None) -> None:
        """Light up a region of the view cube, as `view_cube.pick_view_cube` names it."""
        self._hovered_region = region

    # -- the context --------------------------------------------------------------------------------------------------

    def forget(self) -> None:
        """Forget all GPU objects: the context is gone, or about to be another one."""
        if self._passes is not None:
            self._textures.forget()
        self._passes = self._painter = None
        self._stale = {"scene"}
        self._seconds = {}

    def initialize(self) -> None:
        """Make the GPU objects in the current context, forgetting those of a former one; the first picture does it too.

        Raises
        ------
        RenderError
            If the context is older than OpenGL 3.3.
        """
        self.forget()
        self._passes = Passes(self._textures)
        self._painter = Painter(self._passes)

    def release(self) -> None:
        """Delete all GPU objects; the context must be current. The renderer may be initialised again."""
        if self._passes is not None:
            self._passes.release()
            self._textures.release()
            self._passes = self._painter = None
            self.set_scene(self._scene)

    # -- drawing ------------------------------------------------------------------------------------------------------

    def finish_loading(self) -> None:
        """Wait until every texture is decoded and uploaded, so that the next paint shows all; needs the context."""
        self._textures.wait()

    def paint(
        self,
        camera: Camera,
        width: int,
        height: int,
        framebuffer: int = 0,
        *,
        pixel_ratio: float = 1.0,
        quality: Quality = STILL,
        covered: tuple[tuple[float, float, float, float], ...] = (),
    ) -> None:
        """Draw into `framebuffer`, `width` by `height` device pixels; no text is placed in what is `covered`."""
        for _ in self.draw(View(camera, max(width, 1), max(height, 1), pixel_ratio, quality, covered)):
            pass
        self.present(framebuffer)

    def draw(self, view: View) -> Iterator[None]:
        """Draw a picture for `present`; yields between its parts, of which none takes software long.

        The context must be current for each, and no other picture may be drawn meanwhile. What is set meanwhile is seen
        in the next picture.
        """
        if self._passes is None or self._painter is None:
            self.initialize()
            yield
        assert self._painter is not None
        yield from self._textures.upload_ready()
        self.busy = not self._textures.is_complete
        begun, spent = thread_time(), 0.0
        self._painter.set_state()
        self.upload()
        subject = self._subject()  # what is on the GPU
        kind = _kind(subject, view)
        self._seconds.setdefault(kind, math.inf)
        draws_surfaces = view.quality.keeps_surfaces and not self._painter.keeps(subject, view)
        for _ in chain((None,), self._painter.draw(subject, view)):
            spent += thread_time() - begun
            yield
            begun = thread_time()
        if not draws_surfaces:
            self._seconds[kind] = spent + thread_time() - begun

    def present(self, framebuffer: int) -> None:
        """Copy the picture that `draw` has drawn to its end into a framebuffer of its size."""
        assert self._painter is not None
        self._painter.present(framebuffer)

    @property
    def targets(self) -> Targets:
        """The names in the picture that the mouse can point at."""
        return Targets() if self._painter is None else self._painter.targets

    def fill(self, framebuffer: int, width: int, height: int) -> bool:
        """Fill a framebuffer until there is a picture of its size: with the background, and the last picture on it.

        Return whether there is a last picture. No program is compiled for the background.
        """
        colours = colour_table(self._look.dark)
        bottom, top = (colours[TOKENS.index(f"background_{end}")] for end in ("bottom", "top"))
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
        GL.glEnable(GL.GL_SCISSOR_TEST)
        for strip in range(_STRIPS):
            low, high = (height * end // _STRIPS for end in (strip, strip + 1))
            GL.glScissor(0, low, width, high - low)
            GL.glClearColor(*(bottom + (top - bottom) * (strip + 0.5) / _STRIPS).tolist(), 1.0)
            GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        GL.glDisable(GL.GL_SCISSOR_TEST)
        return self._painter is not None and self._painter.present_former(framebuffer, width, height)

    def is_quick(self, view: View, seconds: float) -> bool:
        """Return whether software paints a picture in so many seconds of this thread, inf for any time.

        One at rest is quick only where its surfaces are kept, and none is if a scene is uploaded first or the look is
        another. The last one of its kind tells how long it takes. The first one is never quick: programs are compiled
        when something is first drawn with them.
        """
        subject, changes = self._subject(), {"scene", "meshes", "ghost", "look"}
        if view.quality.keeps_surfaces:
            changes = _SURFACES
            if self._painter is None or not self._painter.keeps(subject, view):
                return False
        return not self._stale & changes and self._seconds.get(_kind(subject, view), math.nan) <= seconds

    def _subject(self) -> Subject:
        return Subject(
            self._scene,
            self._look,
            self._highlight,
            None if self._X_ghost is None else self._ghost_opacity,
            self._shapes,
            self._marks,
            self._hovered_region,
            self._notes,
            self._surfaces_version + self._textures.uploads,
            self._ghost_scene,
        )

    @staticmethod
    def finish() -> None:
        """Wait until all that was painted is drawn."""
        GL.glFinish()

    def upload(self) -> None:
        """Bring what changed since the last picture to the GPU; `paint` begins with it."""
        stale, scene, passes = self._stale, self._scene, self._passes
        if not stale or passes is None:
            return
        if stale & _SURFACES:
            self._surfaces_version += 1
        ghost = scene if self._ghost_scene is None else self._ghost_scene
        if stale & {"scene", "meshes"}:
            passes.meshes.keep(mesh for each in (scene, ghost) for mesh, _ in each.surface_arrays.styles)
        if "scene" in stale:
            passes.surfaces.set_scene(scene, self._look.surface_opacity < 1)
            stale |= {"poses", "values", "marks", "highlight", "ghost", "lines"}
        packed = pack_poses(scene.X_RootF)
        if "values" in stale:
            passes.joints.set_glyphs(scene.joints)
        if "marks" in stale:
            errors = np.zeros(len(packed), bool)
            errors[list(self._highlight.errors)] = True
            passes.triads.set_triads(scene.triads, self._look.dark, errors)
            passes.ghost_triads.set_triads(ghost.triads, self._look.dark, np.zeros(len(ghost.X_RootF), bool))
        if "poses" in stale:
            passes.surfaces.set_poses(scene.X_RootF, packed)
            passes.triads.set_poses(packed)
            passes.joints.set_poses(packed)
            passes.shadow.forget()
        if "ghost" in stale:
            passes.ghost.set_scene(_EMPTY if self._X_ghost is None else ghost, blend_all=False)
            if self._X_ghost is not None:
                packed_ghost = pack_poses(self._X_ghost)
                passes.ghost.set_poses(self._X_ghost, packed_ghost)
                passes.ghost_triads.set_poses(packed_ghost)
        if stale & {"highlight", "marks", "ghost"}:
            self._spread = marks, faded = self._highlight.spread(scene)
            tints = np.zeros((len(packed), 4), np.uint8) if self._tints is None else self._tints
            if self._lit is not None:
                tints = np.where(self._lit[:, 3:] > 0, self._lit, tints)
            passes.surfaces.set_marks(marks, tints, self._ground_tint() if self._look.dark else None)
            shade = np.zeros((len(ghost.X_RootF), 4), np.uint8)
            shade[:] = (*bytes_of(colour_table(self._look.dark)[TOKENS.index("ghost")]), 150)
            unmarked = np.zeros((len(ghost.X_RootF), 2), np.uint8)
            passes.ghost.set_marks(unmarked, shade)
            own = self._highlight.own(scene)
            passes.triads.set_state(own, faded)
            is_marked = mask_of(self._highlight.selected if names_rows(self._ghost_scene) else (), len(unmarked))
            passes.ghost_triads.set_state(own if is_marked.any() else unmarked, ~is_marked)
            passes.joints.set_state(own, faded)
        if stale & {"poses", "lines", "highlight"}:
            self._upload_lines(passes, self._spread[0])
        self._stale = set()

    @staticmethod
    def _ground_tint() -> NDArray[np.uint8]:
        """Return what darkens the ground of a scene in the dark theme: the pale lines of the grid stand out on it."""
        return np.array([*bytes_of(colour_table(True)[TOKENS.index("background_bottom")])[:3], _GROUND_TINT], np.uint8)

    def _upload_lines(self, passes: Passes, marks: NDArray[np.uint8]) -> None:
        """Bring lines and centres of mass to the GPU; rows (n, 2) are marked as selected and hovered."""
        scene, own = self._scene, self._highlight.own(self._scene)
        shown = shown_lines(scene.lines, (marks[:, 0] | marks[:, 1]) > 0, declutter=self._look.declutter)
        passes.lines.set_lines(shown, scene.X_RootF, self._look.dark, own)
        extra = Lines.concatenate([self._extra_lines, self._paths])
        passes.extra_lines.set_lines(extra, scene.X_RootF, self._look.dark, marks)
        passes.centres.set_centres(scene.centres, scene.X_RootF, own)
