"""The registry of formats: built-in ones and those of other packages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from sdfviewer.document.document import Document
from sdfviewer.faults import FOREIGN_ERRORS, describe_error
from sdfviewer.formats.format import Format
from sdfviewer.formats.mjcf.format import MJCF
from sdfviewer.formats.sdformat.format import SDFORMAT
from sdfviewer.formats.srdf import SRDF
from sdfviewer.formats.urdf.format import URDF
from sdfviewer.formats.xacro.expansion import Expander, holds_xacro
from sdfviewer.formats.xacro.format import XACRO
from sdfviewer.model.model import Model

if TYPE_CHECKING:  # loading a file does not need them
    from sdfviewer.formats.writing import PropertyPlace, Writing

#: Other packages register a :class:`~sdfviewer.formats.format.Format` under this entry-point group.
GROUP = "sdfviewer.formats"

#: The formats of this package; the first one that recognises a document reads it.
BUILT_IN: tuple[Format, ...] = (XACRO, SDFORMAT, SRDF, URDF, MJCF)
#: The formats of documents that were recognised: a document never changes, and an edit asks forty times.
_RECOGNISED: WeakKeyDictionary[Document, Format] = WeakKeyDictionary()


@cache
def registered_formats() -> tuple[Format, ...]:
    """Return the formats that other packages register; the last one registered is asked first."""
    return _registered()[0]


@cache
def broken_plugins() -> tuple[str, ...]:
    """Return the registered formats that cannot be loaded, each with the reason."""
    return _registered()[1]


@cache
def _registered() -> tuple[tuple[Format, ...], tuple[str, ...]]:
    from importlib.metadata import entry_points  # noqa: PLC0415  # takes tens of milliseconds

    formats: list[Format] = []
    broken: list[str] = []
    for point in reversed(list(entry_points(group=GROUP))):
        try:
            found = point.load()
            if not isinstance(found, Format):
                raise TypeError(f"{point.value} is not a Format")
            formats.append(found)
        except FOREIGN_ERRORS as error:
            broken.append(f"{point.name} ({describe_error(error)})")
    return tuple(formats), tuple(broken)


def all_formats() -> tuple[Format, ...]:
    """Return every known format."""
    return (*BUILT_IN, *registered_formats())


def model_suffixes() -> tuple[str, ...]:
    """Return what the names of model files end with, of all formats."""
    return tuple(dict.fromkeys(suffix for known in all_formats() for suffix in known.suffixes))


def format_of(document: Document) -> Format | None:
    """Return the format of a document, None where no format recognises it or its text cannot be read.

    Other packages are asked about files that no format of this package recognises.
    """
    if document.root is None:
        return None
    if (found := _RECOGNISED.get(document)) is not None:
        return found
    for known in BUILT_IN:
        if known.recognise(document):
            _RECOGNISED[document] = known
            return known
    return next((other for other in registered_formats() if _recognises(other, document)), None)


def reader_of(document: Document, expander: Expander) -> Format | None:
    """Return the format that reads a document: xacro also where a URDF holds some and may be evaluated."""
    known = format_of(document)
    if known is not URDF or not holds_xacro(document):
        return known
    if expander.permission.may_evaluate_content(document):
        return XACRO
    expander.refused.append(document)
    return known


def _recognises(other: Format, document: Document) -> bool:
    try:
        return other.recognise(document)
    except FOREIGN_ERRORS:
        import logging  # noqa: PLC0415  # needed only where a plugin fails

        logging.getLogger(__name__).exception("the format plugin %s failed", other)
        return False


def can_edit_structure(document: Document) -> bool:
    """Return whether frames, poses and names of a document can be edited, rather than only its text."""
    known = None if document.is_recovered else format_of(document)
    return known is not None and known.capabilities.edits_structure


def has_versions(document: Document) -> bool:
    """Return whether a document can be written in another version of SDFormat as it is."""
    known = format_of(document)
    return known is not None and known.capabilities.has_versions


def describe_format(model: Model) -> str:
    """Return the format of a model's file with its version, as people write it."""
    known = format_of(model.document)
    return "unknown format" if known is None else known.describe(model)


def writing_of(model: Model, row: int) -> Writing:
    """Return how a row is written, by the format of its file."""
    known = format_of(model.document_of(row))
    return (None if known is None else known.writing(model, row)) or _sdformat_writing()


@cache
def _sdformat_writing() -> Writing:
    from sdfviewer.formats.writing import SDFORMAT_WRITING  # noqa: PLC0415  # not needed for loading

    return SDFORMAT_WRITING


def places_of(model: Model, row: int) -> Mapping[str, PropertyPlace] | None:
    """Return where the format of a row writes its properties; None where it writes them as SDFormat does."""
    return writing_of(model, row).places(model, row)
