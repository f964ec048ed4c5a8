"""The shadow of the key light: one depth map over the whole scene, drawn again only when something moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sdfviewer.render.gl.framebuffer import TextureTarget
from sdfviewer.render.gl.gl import GL
from sdfviewer.render.gl.program import Program
from sdfviewer.render.surface_batches import Batch
from sdfviewer.render.surfaces import Surfaces
from sdfviewer.render.textures import SHADOW_MAP, bind_texture

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
