"""What reads files for scripts: load, check, compare, from a path, a text, bytes, a file object or a model folder."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from os import PathLike
from pathlib import Path
from typing import ParamSpec, TypeVar

from sdfviewer.contracts import ContractCheck
from sdfviewer.diagnostics import Diagnostic, InvalidValueError
from sdfviewer.document.document import Document, UnreadableFileError
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import Source, read_source
from sdfviewer.formats.interface import ModelParser
from sdfviewer.formats.load import Loader, load_document, named_in
from sdfviewer.formats.xacro.decisions import NamedFiles
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.garbage_collection import paused_collection
from sdfviewer.library.base import walled
from sdfviewer.library.model import Model
from sdfviewer.library.world import model_of
from sdfviewer.model.comparison.difference import PropertyDifference
from sdfviewer.model.comparison.frames import FrameDifference
from sdfviewer.model.near_names import did_you_mean
from sdfviewer.refactoring.fix_offers import offer_fixes


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


_P = ParamSpec("_P")
_R = TypeVar("_R")

#: What other libraries call these arguments, in small letters without underscores.
_ELSEWHERE = {
    **dict.fromkeys(
        (
            "searchpaths", "searchpath", "path", "modelpaths", "modelpath", "packagepaths", "packagedirs", "packages",
            "meshdir", "meshdirs", "includepaths", "resourcepaths", "dirs", "folders",
        ),
        "paths",
    ),
    **dict.fromkeys(("args", "mappings", "xacroargs", "params", "parameters", "substitutionargs"), "arguments"),
    **dict.fromkeys(("customparsers", "modelparsers", "parser", "plugins"), "parsers"),
    **dict.fromkeys(("file", "filename", "filepath", "fname", "filelike", "xml", "text", "string", "uri"), "source"),
}  # fmt: skip


def with_named_keywords(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return a function whose error for an unknown keyword argument names the right one."""
    known = list(inspect.signature(function).parameters)

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        for name in kwargs:
            if name not in known:
                raise TypeError(f"{function.__name__}() has no argument '{name}'{_hint(name, known)}")
        return function(*args, **kwargs)

    return call


def _hint(name: str, known: list[str]) -> str:
    right = _ELSEWHERE.get(name.replace("_", "").lower())
    if right == known[0]:  # the one that is given by its place
        return f"; give it first, without a name, or as {right}="
    return f"; use {right}=" if right in known else did_you_mean(name, known)


@with_named_keywords
@walled
@paused_collection()
def load(
    source: Source,
    *,
    paths: Iterable[str | Path] = (),
    arguments: Mapping[str, str] | None = None,
    parsers: Iterable[ModelParser] = (),
    xacro: bool = False,
) -> Model:
    """Return the model or world of a file.

    Parameters
    ----------
    source
        A path, the text itself where it starts with ``<``, bytes, or a file object: SDFormat of any version, URDF, or
        xacro. A model folder is the file that its ``model.config`` names.
    paths
        Folders to look for included models and meshes in: first for ``model://`` and ``package://``, before those of
        the environment for a path, which is looked for beside the including file first.
    arguments
        Values of the arguments of a xacro file, which is evaluated by the package ``xacro``.
    parsers
        Read included files that are not SDFormat; asked before those of installed packages, the last one first.
    xacro
        Whether xacro files are evaluated that other files include, or that a ``model.config`` names. One that is named
        here always is.

    Returns
    -------
    Model
        A :class:`World` for a file that holds one. What is wrong with the file is in its ``diagnostics``; whatever
        can be resolved is there. A text that is not quite XML is repaired while reading.

    Raises
    ------
    UnreadableFileError
        If the file cannot be read at all.
    SdfViewerError
        If it holds no model or world.
    """
    finder, asked = make_finder(paths), tuple(parsers)
    document = read_document(source, finder)
    expander = make_expander(source, document, arguments, xacro)
    loader = Loader(
        finder, expander=expander, parsers=asked, extra_checks=[ContractCheck(finder)], offer_fixes=offer_fixes
    )
    return model_of(load_document(document, loader), finder, asked, expander)


@with_named_keywords
@walled
@paused_collection()
def check(
    source: Source,
    *,
    paths: Iterable[str | Path] = (),
    arguments: Mapping[str, str] | None = None,
    parsers: Iterable[ModelParser] = (),
    xacro: bool = False,
) -> tuple[Diagnostic, ...]:
    """Return everything that is wrong with a file, in the order of the file; see :func:`load` for the parameters.

    Raises
    ------
    UnreadableFileError
        If the file cannot be read at all.
    """
    require_unread(source)
    finder = make_finder(paths)
    document = read_document(source, finder)
    expander = make_expander(source, document, arguments, xacro)
    loader = Loader(
        finder, expander=expander, parsers=tuple(parsers), extra_checks=[ContractCheck(finder)], offer_fixes=offer_fixes
    )
    return loader.load_with_diagnostics(document)[1]


@with_named_keywords
@walled
def diff(
    before: Source | Model, after: Source | Model, *, paths: Iterable[str | Path] = ()
) -> list[FrameDifference | PropertyDifference]:
    """Return what differs between two files or models: frames, joints, masses, shapes, appearance; see `Model.diff`."""
    a, b = (each if isinstance(each, Model) else load(each, paths=paths) for each in (before, after))
    return a.diff(b)
