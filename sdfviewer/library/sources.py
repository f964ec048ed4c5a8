"""Where scripts read from: a path, a text, bytes, a file object or a model folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import Source, read_source
from sdfviewer.formats.load import named_in
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.formats.xacro.permission import NamedFiles
from sdfviewer.library.model import Model


def require_unread(source: object) -> None:
    """Refuse a model where a file is meant.

    Raises
    ------
    InvalidValueError
        With the attribute to use.
    """
    if isinstance(source, Model):
        raise InvalidValueError(f"{source!r} is loaded already; use its diagnostics, or open its path to edit it")


def read_document(source: Source, finder: Finder) -> Document:
    """Return the document of a source; that of a model folder is the file that its ``model.config`` names.

    Raises
    ------
    UnreadableFileError
        If there is no such file, or it cannot be read.
    """
    if isinstance(source, (str, PathLike)) and "<" not in str(source) and (folder := Path(source)).is_dir():
        found = finder.model_file(folder)
        if found.path is None:
            why = found.problem or "name a file in it, or a model folder with a model.config"
            raise UnreadableFileError(f"{source!s} is a folder; {why}" if str(source) else "the path is empty")
        source = found.path
    return read_source(source)


def make_expander(
    source: Source, document: Document, arguments: Mapping[str, str] | None, evaluate_all: bool
) -> Expander:
    """Return what evaluates xacro files: all, or only the one that a source names itself."""
    is_named = not (isinstance(source, (str, PathLike)) and "<" not in str(source) and Path(source).is_dir())
    named = None if evaluate_all else named_in(document) if is_named else ()
    return Expander(dict(arguments or {}), permission=NamedFiles(named, "load it by itself, or pass xacro=True"))


def make_finder(paths: Iterable[str | Path]) -> Finder:
    """Return a finder of included files that searches some folders first."""
    if isinstance(paths, (str, Path)):
        paths = [paths]
    return Finder([Path(path) for path in paths])
