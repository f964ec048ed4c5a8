"""Show a model to the person who runs a script or a notebook."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.extras import require, required_extras
from sdfviewer.library.base import Positions
from sdfviewer.library.document import EditableDocument
from sdfviewer.library.model import FRAME_HEIGHT, Model
from sdfviewer.library.opening import load
from sdfviewer.programs import own_process

if TYPE_CHECKING:
    from sdfviewer.library.notebook_view import NotebookView


def show(
    model: Model | EditableDocument | str | Path, *, q: Positions = None, height: int = FRAME_HEIGHT
) -> NotebookView | None:
    """Show a model: in a notebook as a widget, from a script in the window.

    Parameters
    ----------
    model
        A model, a document, or the path or text of a file.
    q
        Joint positions that a notebook shows first, as :meth:`Model.poses` takes them. The window begins with those of
        the file.
    height
        Pixels of the widget.

    Returns
    -------
    NotebookView or None
        The widget, which a cell shows where it is its last value: ``view.q`` and ``view.selected`` are read and set.
        None where the window was opened; the script goes on.

    Raises
    ------
    MissingExtraError
        If the packages of the notebook or of the window are not installed.
    SdfViewerError
        If the model has no file, or unsaved edits, and no notebook shows it.
    """
    is_modified = isinstance(model, EditableDocument) and model.is_modified
    if isinstance(model, EditableDocument):
        model = model.model
    elif not isinstance(model, Model):
        model = load(model)
    if _is_in_notebook():
        with required_extras():
            from sdfviewer.library.notebook_view import NotebookView  # noqa: PLC0415  # needs an extra

            return NotebookView(model, q, height)
    require("gui")
    path = model.path
    if path is None or is_modified:
        what = "has no file" if path is None else "has unsaved edits"
        raise SdfViewerError(f"the window opens files, and this model {what}: save it first, or use to_html(path)")
    start = own_process(str(path.absolute()))
    subprocess.Popen(start.command, env=start.environment, cwd=start.folder)
    return None


def _is_in_notebook() -> bool:
    """Return whether this process runs the cells of a notebook, as those of Jupyter, VS Code and Colab."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return hasattr(shell, "kernel")
