"""A view of a model in a notebook, whose joint positions and selection can be read and set."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import anywidget
import traitlets
from IPython.display import display

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.library.base import Positions
from sdfviewer.library.handle import ElementHandle
from sdfviewer.library.model import Model, page_frame
from sdfviewer.library.names import AnyHandle
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
    key = traitlets.Unicode().tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int().tag(sync=True)
    positions = traitlets.List(traitlets.Float()).tag(sync=True)
    selected_row = traitlets.Int(-1).tag(sync=True)

    def __init__(self, model: Model, q: Positions, height: int) -> None:
        self._model = model
        positions = self._values(q)
        title = repr(model)[1:-1]
        super().__init__(page=model.to_html(), key=uuid4().hex, title=title, height=height, positions=positions)

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

    def _ipython_display_(self) -> None:
        """Show the page, then the widget, whose script joins the page.

        What shows no widgets shows the page all the same. Where both were one output, what knows widgets but has no
        network would show nothing, such as a notebook that was saved as HTML.
        """
        frame = page_frame(self.title, lambda: self.page, self.height, self.key)
        show: Callable[..., object] = display
        show({"text/html": frame, "text/plain": self.title}, raw=True)
        bundle = self._repr_mimebundle_()
        if bundle is not None:
            show(bundle[0], raw=True)

    def _values(self, q: Positions) -> list[float]:
        values = self._model._state.positions(q)
        if values.ndim != 1:
            raise InvalidValueError("a view can show one configuration, not a batch")
        return [float(value) for value in values]
