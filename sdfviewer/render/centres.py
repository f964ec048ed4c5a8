"""Symbols of centres of mass: discs with dark and bright quarters over everything, as on drawings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sdfviewer.palette import TOKENS
from sdfviewer.render.buffers import Buffer, VertexArray, square
from sdfviewer.render.gl import GL, glBindVertexArray, glDrawArraysInstanced
from sdfviewer.render.program import Program
from sdfviewer.render.view import View
from sdfviewer.scene.centres import Centres
from sdfviewer.scene.glyph_sizes import spread

_CORNER = np.dtype([("corner", np.float32, 2)])
_SYMBOL = np.dtype([("icon", np.float32, 4), ("state", np.uint8, 4)])
_LEAST, _MOST, _WHOLE = 5.5, 9.0, 11.0
"""Radii in logical pixels: of a link at least and at most, and of a whole model."""
_MANY = ((1000, (1.5, 4.0, 6.0)), (100, (4.0, 9.0, 11.0)))
_ROOM = 22.0
"""How much room in logical pixels a symbol takes where there are more than the greater of these numbers."""
"""The same radii with more symbols than a number: thousands would hide what they are in. Those of links that are
selected or hovered stay at least as large as `_LEAST`."""


class CentrePass:
    """All centres of mass with one draw call."""

    def __init__(self) -> None:
        self._array, self._shape, self._symbols = VertexArray(), Buffer(), Buffer()
        self._shape.upload(square(-1.0))
        self._array.attach(self._shape, _CORNER)
        self._symbols.upload(np.zeros(1, _SYMBOL))
        self._array.attach(self._symbols, _SYMBOL, per_instance=True)
        self._program = Program("centre.vert", "centre.frag")
        self._count = 0
        self._records = np.zeros(0, _SYMBOL)
        self._points = np.zeros((0, 3))
        self._may_go = np.zeros(0, bool)
        self._shown = np.zeros(0, bool)

    def set_centres(self, centres: Centres, X_RootF: NDArray[np.float64], marks: NDArray[np.uint8]) -> None:
        """Show the centres of links and of whole models at poses (n, 4, 4); `marks` (n, 2): selected, hovered."""
        parts, places, totals = [], [], centres.totals(X_RootF)
        for each, radii in ((centres, centres.radii), (totals, np.full(len(totals.rows), -1.0))):
            records = np.zeros(len(each.rows), _SYMBOL)
            points = each.points(X_RootF)
            records["icon"][:, :3], records["icon"][:, 3] = points, radii
            records["state"][:, :2] = marks[each.rows]
            known = np.isfinite(points).all(axis=1)
            parts.append(records[known])
            places.append(points[known])
        self._records, self._points = np.concatenate(parts), np.concatenate(places)
        is_link = np.arange(len(self._records)) < len(parts[0])
        self._may_go = is_link & ~self._records["state"][:, :2].any(axis=1)
        self._show(np.ones(len(self._records), bool))

    def select(self, view: View) -> None:
        """Leave out symbols of links that would hide, in a row of thousands, what they are in."""
        shown = np.ones(len(self._records), bool)
        if len(shown) > _MANY[0][0]:
            many = np.flatnonzero(self._may_go)
            pixel = view.camera.metres_per_pixel(self._points[many], view.height) * view.ratio
            shown[many] = spread(self._points[many], pixel, _ROOM)
        if not np.array_equal(shown, self._shown):
            self._show(shown)

    def _show(self, shown: NDArray[np.bool_]) -> None:
        self._shown = shown
        self._symbols.upload(self._records[shown])
        self._count = int(np.count_nonzero(shown))

    def draw(self, colours: NDArray[np.float32]) -> None:
        """Draw all symbols over what is there: the nearer ones over the others, those of whole models over all."""
        if not self._count:
            return
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT)
        selection, hover, model = (colours[TOKENS.index(name)] for name in ("selection", "hover", "model"))
        radii = next((radii for count, radii in _MANY if len(self._records) > count), (_LEAST, _MOST, _WHOLE))
        least, most, whole = radii
        self._program.use(
            selection=selection, hover=hover, model=model, least=least, most=most, whole=whole, full=_LEAST
        )
        glBindVertexArray(self._array.handle)
        glDrawArraysInstanced(GL.GL_TRIANGLES, 0, 6, self._count)

    def release(self) -> None:
        """Delete all GPU objects."""
        self._array.release()
        self._shape.release()
        self._symbols.release()
        self._program.release()
