"""The entry points of scripts: load, open, check, compare, create."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import parse_document
from sdfviewer.files.opening import Source
from sdfviewer.formats.interface import ModelParser
from sdfviewer.formats.load import Loader, load_document
from sdfviewer.formats.sdformat.members import is_valid_member_name
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.library.document import EditableDocument, make_finder, open_file, read_document
from sdfviewer.library.model import Model
from sdfviewer.library.pose import InvalidValueError
from sdfviewer.library.world import model_of
from sdfviewer.model.difference import FrameDifference
from sdfviewer.model.names import did_you_mean
from sdfviewer.refactoring.fix_offers import offer_fixes
from sdfviewer.refactoring.templates import TEMPLATES


def load(
    source: Source,
    *,
    paths: Iterable[str | Path] = (),
    arguments: Mapping[str, str] | None = None,
    parsers: Iterable[ModelParser] = (),
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
    loader = Loader(finder, expander=Expander(dict(arguments or {})), parsers=asked, offer_fixes=offer_fixes)
    return model_of(load_document(read_document(source, finder), loader), finder, asked)


def _refuse_model(source: object) -> None:
    """Refuse a model where a file is meant.

    Raises
    ------
    InvalidValueError
        With the attribute to use.
    """
    if isinstance(source, Model):
        raise InvalidValueError(f"{source!r} is loaded already; use its diagnostics, or open its path to edit it")


def open_document(
    source: Source,
    *,
    paths: Iterable[str | Path] = (),
    arguments: Mapping[str, str] | None = None,
    recovery: bool = False,
) -> EditableDocument:
    """Return a file for editing.

    Parameters
    ----------
    source, paths, arguments
        See :func:`load`.
    recovery
        Whether unsaved edits are kept in a recovery file, as in the window: if the program ends before they are saved,
        :meth:`EditableDocument.recover` and the window offer them.

    Raises
    ------
    UnreadableFileError
        If the file cannot be read at all. What is wrong with its text is in the document's ``diagnostics``.
    """
    _refuse_model(source)
    return open_file(source, paths, Expander(dict(arguments or {})), recovery=recovery)


def check(
    source: Source,
    *,
    paths: Iterable[str | Path] = (),
    arguments: Mapping[str, str] | None = None,
    parsers: Iterable[ModelParser] = (),
) -> tuple[Diagnostic, ...]:
    """Return everything that is wrong with a file, in the order of the file; see :func:`load` for the parameters.

    Raises
    ------
    UnreadableFileError
        If the file cannot be read at all.
    """
    _refuse_model(source)
    expander = Expander(dict(arguments or {}))
    finder = make_finder(paths)
    loader = Loader(finder, expander=expander, parsers=tuple(parsers), offer_fixes=offer_fixes)
    return loader.load_as_meant(read_document(source, finder))[1]


def diff(before: Source | Model, after: Source | Model, *, paths: Iterable[str | Path] = ()) -> list[FrameDifference]:
    """Return which frames moved, appeared, disappeared or changed their body between two files or models."""
    a, b = (each if isinstance(each, Model) else load(each, paths=paths) for each in (before, after))
    return a.diff(b)


def new(template: str = "model", *, name: str | None = None, recovery: bool = False) -> EditableDocument:
    """Return a new document, which has no file yet.

    Parameters
    ----------
    template
        ``model``, ``arm``, ``rover`` or ``world``.
    name
        Of the model or world.
    recovery
        See :func:`open_document`.

    Raises
    ------
    InvalidValueError
        If there is no such template, or the name cannot be used.
    """
    known_template = TEMPLATES.get(template)
    if known_template is None:
        known = ", ".join(TEMPLATES)
        raise InvalidValueError(f"there is no template '{template}': use {known}{did_you_mean(template, TEMPLATES)}")
    name = name or known_template.name
    if not is_valid_member_name(name) or set(name) & set("<>&\"'"):
        raise InvalidValueError(f"'{name}' cannot be the name of a {template}")
    return EditableDocument(parse_document(known_template.text(name)), make_finder(()), recovery=recovery)
