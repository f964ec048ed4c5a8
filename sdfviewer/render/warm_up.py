"""Pictures that are not shown: later ones find compiled what they are drawn with."""

from __future__ import annotations

import io
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

import numpy as np
from PIL import Image

from sdfviewer.model.shapes.box import Box
from sdfviewer.palette import TOKENS
from sdfviewer.render.gl import GL
from sdfviewer.render.gl_objects import Framebuffer
from sdfviewer.render.renderer import Renderer
from sdfviewer.render.view import DRAFTS, STILL_IN_SOFTWARE, Depth, Look, View
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.geometry import own_mesh
from sdfviewer.scene.marks import Centres
from sdfviewer.scene.mesh import MeshMaterial
from sdfviewer.scene.nodes import JointGlyphs, JointShape, Labels, Lines, MeshInstance, Stroke, Triads
from sdfviewer.scene.scene import Scene
from sdfviewer.scene.shapes2d import disc
from sdfviewer.scene.tools.section import CuttingPlane
from sdfviewer.transforms import pose_to_matrix

_SIZE = (330, 250)
"""Room for names. No powers of two, as few windows are: software compiles other programs for textures of such sizes."""
_CROWD = 2100
"""Number of frames that are drawn as needles."""
_SHADOWLESS = Look(shadows=False)
_LOOKS = (
    Look(),
    _SHADOWLESS,
    Look(wireframe=True),
    Look(surface_opacity=0.5),
    Look(frame_depth=Depth.X_RAY, shadows=False),
    Look(frame_depth=Depth.TESTED, shadows=False),
    Look(labels=False, declutter=False, shadows=False),
)


def warm_up() -> Generator[None, None, None]:
    """Draw a small scene in all ways in which a window shows a scene; yields between the parts of its pictures.

    Software compiles a program for each shader and state when something is first drawn with them, for up to 150 ms, and
    keeps it on the disk. Whoever needs it later, in whatever context, reads it in 5 ms. So this is for a thread beside
    that of a window, with a context of its own, which must be current in each step.

    Two renderers draw each picture: Mesa keeps what it draws with a shader that it has just compiled apart from what it
    draws with the same shader read from the disk, as the renderer of a window does.
    """
    renderers, window = (Renderer(), Renderer()), Framebuffer()
    for renderer in renderers:
        renderer.initialize()
    window.bind(*_SIZE, 0)
    framebuffer = int(GL.glGetIntegerv(GL.GL_FRAMEBUFFER_BINDING))
    try:
        for prepared in zip(*map(_pictures, renderers), strict=True):
            for renderer, prepare in zip(renderers, prepared, strict=True):
                prepare()
                renderer.finish_loading()
                for quality in (DRAFTS[0], STILL_IN_SOFTWARE, DRAFTS[-1]):
                    yield from renderer.draw(View(Camera(distance=8.0), *_SIZE, 1.0, quality))
                    renderer.present(framebuffer)
                    renderer.finish()
                    yield
    finally:
        window.release()
        for renderer in renderers:
            renderer.release()


def _pictures(renderer: Renderer) -> Iterator[Callable[[], object]]:
    """Yield what sets a renderer to each picture, the one that is most likely needed soon first."""
    scene = _scene()
    X_ghost = scene.X_RootF + pose_to_matrix((0.3, 0.0, 0.0, 0.0, 0.0, 0.0)) - np.eye(4)
    handles = disc((30.0, 30.0), 6.0, (1.0, 0.5, 0.0, 0.8))

    def begin() -> None:
        renderer.set_scene(scene)
        renderer.set_look(_SHADOWLESS)
        renderer.set_shapes(handles, handles)
        renderer.set_highlight(selected=[1], hovered=2)

    yield begin
    for section in (CuttingPlane((1.0, 0.0, 0.0), 0.0), None):
        renderer.set_section(section)
        yield lambda: renderer.set_look(_SHADOWLESS)
        yield lambda: renderer.set_look(Look())
    for look in _LOOKS:
        yield lambda look=look: renderer.set_look(look)  # type: ignore[misc]
    for look in (Look(), _SHADOWLESS):
        renderer.set_look(look)
        yield lambda: renderer.set_ghost(X_ghost)
    renderer.set_ghost(None)
    yield lambda: renderer.set_scene(_crowd())


def _scene() -> Scene:
    """Return a scene with all that a window draws, and surfaces of each kind: opaque and see-through."""
    box = replace(own_mesh(Box()), solid=True)
    picture = io.BytesIO()
    Image.new("RGBA", (4, 4), (200, 100, 50, 255)).save(picture, "PNG")
    plain, textured = MeshMaterial(), MeshMaterial(albedo_map=picture.getvalue())
    kinds = [(box, plain), (replace(box, normals=None), plain), (box, textured)]
    kinds += [(mesh, replace(material, transparency=0.5)) for mesh, material in kinds]
    rows = np.arange(1, len(kinds) + 1, dtype=np.int32)
    poses = np.zeros((len(kinds) + 1, 6))
    poses[1:, 1] = 0.8 * (rows - rows.mean())
    tokens = np.full(len(rows), TOKENS.index("link"), np.int32)
    one = rows[:1]
    return Scene(
        pose_to_matrix(poses),
        np.where(np.arange(len(poses)) > 0, 0, -1).astype(np.int32),
        surfaces=tuple(
            MeshInstance(row, mesh, material=material)
            for row, (mesh, material) in zip(rows.tolist(), kinds, strict=True)
        ),
        triads=Triads(rows, tokens),
        joints=JointGlyphs(
            one,
            np.array([JointShape.ARC.value], np.int32),
            np.array([[0.0, 0.0, 1.0]]),
            np.array([[-1.0, 1.0]]),
            np.zeros(1),
            np.array([-1], np.int32),
            ("joint",),
            np.zeros(1),
        ),
        lines=Lines.in_frame(1, np.array([[[0.0, 0.0, 0.0], [1.0, 0.0, 1.0]]]), "measure", Stroke.DASHED_ARROW),
        labels=Labels(rows, tuple(f"link {row}" for row in rows), tokens, np.ones(len(rows)), np.zeros((len(rows), 3))),
        centres=Centres(one, np.zeros((1, 3)), np.ones(1), np.array([-1], np.int32)),
    )


def _crowd() -> Scene:
    """Return a scene with very many frames in one place."""
    rows = np.zeros(_CROWD, np.int32)
    triads = Triads(rows, np.full(_CROWD, TOKENS.index("frame"), np.int32))
    return Scene(np.eye(4)[None], np.array([-1], np.int32), triads=triads)
