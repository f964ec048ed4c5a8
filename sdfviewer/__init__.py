"""sdfviewer: read, check, view and edit SDFormat robot models and their frame graphs.

The library in three functions::

    import sdfviewer

    model = sdfviewer.load("arm.sdf")
    model.frame("arm::gripper").resolve_pose(relative_to="arm::base")   # 4x4 NumPy array
    for problem in sdfviewer.check("arm.sdf"):
        print(problem.span.line, problem.message)
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sdfviewer.diagnostics import Diagnostic
    from sdfviewer.document.document import Document
    from sdfviewer.semantics.model import Model

__all__ = ["check", "load", "open_document"]


def open_document(path: str | Path) -> Document:
    """Return a file as it is written: text, elements, places.

    Raises
    ------
    UnreadableFileError
        If it cannot be read at all. Faults in its text are in the document's ``diagnostics``.
    """
    from sdfviewer.document import document  # noqa: PLC0415  # importing the package must stay free of cost

    return document.open_document(path)


def load(path_or_text: str | Path, *, paths: Iterable[str | Path] = ()) -> Model:
    """Return what a file, or a text that starts with ``<``, means.

    Parameters
    ----------
    path_or_text
        A path, or the XML itself.
    paths
        Folders to look for included models in, before those of the environment.

    Raises
    ------
    SdfViewerError
        If it cannot be read, or holds no model or world. All other faults are in the model's ``diagnostics``.
    """
    from sdfviewer.diagnostics import SdfViewerError  # noqa: PLC0415

    model, diagnostics = _load(path_or_text, paths)
    if model is None:
        raise SdfViewerError(diagnostics[0].message if diagnostics else "the file holds no model or world")
    return model


def check(path_or_text: str | Path, *, paths: Iterable[str | Path] = ()) -> tuple[Diagnostic, ...]:
    """Return everything that is wrong with a file, or with a text that starts with ``<``; see :func:`load`."""
    return _load(path_or_text, paths)[1]


def _load(path_or_text: str | Path, paths: Iterable[str | Path]) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    from sdfviewer.document.document import open_document, parse_document  # noqa: PLC0415
    from sdfviewer.document.finder import Finder  # noqa: PLC0415
    from sdfviewer.semantics.load import Loader  # noqa: PLC0415

    if isinstance(path_or_text, str) and path_or_text.lstrip("\ufeff \t\r\n").startswith("<"):
        document = parse_document(path_or_text)
    else:
        document = open_document(path_or_text)
    return Loader(Finder([Path(path) for path in paths])).load_with_diagnostics(document)
