"""The objects of one OpenGL context."""

from __future__ import annotations

from sdfviewer.render.caps import CapPass
from sdfviewer.render.centres import CentrePass
from sdfviewer.render.copying import CopyPass
from sdfviewer.render.framebuffer import Framebuffer
from sdfviewer.render.gl import check_version
from sdfviewer.render.marks import JointPass, LinePass, TriadPass
from sdfviewer.render.mesh_store import MeshStore
from sdfviewer.render.overlays import CubePass, GridPass, ScreenPasses
from sdfviewer.render.program import FrameBlock
from sdfviewer.render.shadow import ShadowPass
from sdfviewer.render.shapes2d import ShapePass
from sdfviewer.render.surface_programs import SurfacePrograms
from sdfviewer.render.surfaces import Surfaces
from sdfviewer.render.texts import TextPass
from sdfviewer.render.textures import TextureStore


class Passes:
    """The passes of a picture and what they share; made, used and released with one context current."""

    def __init__(self, textures: TextureStore) -> None:
        self.driver = check_version()
        self.frame = FrameBlock()
        self.programs = SurfacePrograms()
        self.meshes = MeshStore()
        self.surfaces = Surfaces(self.meshes, textures)
        self.ghost = Surfaces(self.meshes, textures)
        self.shadow = ShadowPass()
        self.triads, self.ghost_triads = TriadPass(), TriadPass()
        self.joints = JointPass()
        self.lines, self.extra_lines = LinePass(), LinePass()
        self.centres = CentrePass()
        self.screen = ScreenPasses()
        self.grid = GridPass()
        self.text = TextPass()
        self.cube = CubePass()
        self.shapes = ShapePass()
        self.caps = CapPass()
        self.copies = CopyPass()
        # Drafts and pictures at rest alternate, in different sizes.
        self.canvas, self.kept, self.draft = Framebuffer(), Framebuffer(), Framebuffer()

    def release(self) -> None:
        """Delete everything."""
        parts = (self.frame, self.programs, self.surfaces, self.ghost, self.meshes, self.shadow, self.triads)
        more = (self.ghost_triads, self.joints, self.lines, self.extra_lines, self.screen, self.grid, self.text)
        rest = (self.centres, self.cube, self.shapes, self.caps, self.copies, self.canvas, self.kept, self.draft)
        for part in (*parts, *more, *rest):
            part.release()
