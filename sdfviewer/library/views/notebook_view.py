"""A view of a model in a notebook, whose joint positions and selection can be read and set."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.library.handle import ElementHandle
from sdfviewer.library.model import Model
from sdfviewer.library.names import AnyHandle
from sdfviewer.library.state import Positions
from sdfviewer.library.views.notebook_frame import page_frame
from sdfviewer.resources import resource


class NotebookView(anywidget.AnyWidget):
    """The web page of a model as a widget: what the user does in it is read here, what is set here is shown there.

    ``observe(function, "positions")`` and ``observe(function, "selected_row")`` call a function at each change, as with
    all widgets of notebooks.

    Parameters
    ----------
    model
        The model. Later edits of its document are not shown: show it once more.
    q
        Joint positions to begin with, as :meth:`Model.poses` takes them.
    height
        Pixels.
    """

    _esm = resource("page", "widget.js")
    page = traitlets.Unicode().tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int().tag(sync=True)
    positions = traitlets.List(traitlets.Float()).tag(sync=True)
    selected_row = traitlets.Int(-1).tag(sync=True)

    def __init__(self, model: Model, q: Positions, height: int) -> None:
        self._model = model
        positions = self._values(q)
        super().__init__(page=model.to_html(), title=repr(model)[1:-1], height=height, positions=positions)

    @property
    def q(self) -> dict[str, float]:
        """Joint positions by the names of :attr:`Model.dofs`, radians or metres."""
        return dict(zip(self._model.dof_names, self.positions, strict=True))

    @q.setter
    def q(self, q: Positions) -> None:
        self.positions = self._values(q)

    @property
    def selected(self) -> ElementHandle | None:
        """What is selected, None where nothing is; a frame or its name can be set."""
        return None if self.selected_row < 0 else self._model._thing(self.selected_row)

    @selected.setter
    def selected(self, frame: str | AnyHandle | None) -> None:
        self.selected_row = -1 if frame is None else self._model._state.index.row(frame)

    def _repr_mimebundle_(self, **kwargs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Return the widget, and the page for what shows no widgets, such as a notebook that was saved."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            bundle[0]["text/html"] = page_frame(self.title, lambda: self.page)
        return bundle

    def _values(self, q: Positions) -> list[float]:
        values = self._model._state.positions(q)
        if values.ndim != 1:
            raise InvalidValueError("a view can show one configuration, not a batch")
        return [float(value) for value in values]
