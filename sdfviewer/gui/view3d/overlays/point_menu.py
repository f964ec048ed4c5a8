"""The menu of a right click in the 3D view: what is under the pointer, and the whole picture."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from PySide6.QtWidgets import QMenu, QWidget

from sdfviewer.display_text import visible
from sdfviewer.gui.kit.commands import (
    FIT_ALL,
    FOCUS,
    HIDE,
    ISOLATE,
    SELECT_NONE,
    SHOW_ALL,
    SHOW_IN_SOURCE,
    add_command,
)
from sdfviewer.gui.kit.icons import kind_icon
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.view3d.canvas import Canvas
from sdfviewer.gui.view3d.pointing import names_of_hits
from sdfviewer.language.names import place_in_file
from sdfviewer.model.model import Model
from sdfviewer.scene.tools.picking import Hit

_MOST = 12
"""How many things the menu offers at most."""


class PointMenu(QMenu):
    """Acts on what a left click would select; all else under the pointer has a menu in this one.

    Parameters
    ----------
    canvas
        The view that was clicked, or the first of two.
    hits
        What is under the pointer; first what a left click would select.
    """

    def __init__(self, canvas: Canvas, hits: Sequence[Hit], parent: QWidget) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._session = session = canvas.document_context.session
        colours, model = tokens(parent.palette()), session.model
        names = names_of_hits(model, hits)[:_MOST]
        if model is not None and names:
            titles = _titles(names)
            kinds = [kind_icon(model.kinds[model.rows_by_name[name]].value, colours) for name in names]
            self._offer(self, names[0], f"Select {titles[0]}", model)
            self.actions()[0].setIcon(kinds[0])
            self.setDefaultAction(self.actions()[0])
            self.addSeparator()
            for name, title, kind in list(zip(names, titles, kinds, strict=True))[1:]:
                self._offer(self.addMenu(kind, title), name, "Select", model)
            self.addSeparator()
        add_command(self, FIT_ALL, canvas.camera_control.fit)
        if session.visibility.hidden:
            add_command(self, SHOW_ALL, lambda: session.set_visibility(session.visibility.show_all()))
        add_command(self, SELECT_NONE, lambda: session.select((), None))

    def _offer(self, menu: QMenu, name: str, select: str, model: Model) -> None:
        """Add what can be done with one thing."""
        session, canvas = self._session, self._canvas
        menu.addAction(select).triggered.connect(lambda: session.select((name,), None))
        add_command(menu, FOCUS, lambda: canvas.camera_control.focus_on((name,)), "Focus")
        add_command(menu, HIDE, lambda: session.set_visibility(session.visibility.hide((name,))))
        add_command(menu, ISOLATE, lambda: session.set_visibility(session.visibility.isolate(model, (name,))))
        add_command(menu, SHOW_IN_SOURCE, lambda: self._show_in_source(name))

    def _show_in_source(self, name: str) -> None:
        model = self._session.model
        if model is not None and name in model.rows_by_name:
            row = model.rows_by_name[name]
            self._session.select((name,), None)
            place = place_in_file(model, row)
            self._canvas.document_context.requests.show_place(place or model.document_of(row).span(model.elements[row]))


def _titles(names: Sequence[str]) -> list[str]:
    """Return scoped names for a menu, without the scope that they have in common."""
    paths = [name.split("::") for name in names]
    scopes = zip(*(path[:-1] for path in paths), strict=False)
    common = sum(1 for _ in takewhile(lambda parts: len(set(parts)) == 1, scopes))
    return [visible("::".join(path[common:])).replace("&", "&&") for path in paths]
