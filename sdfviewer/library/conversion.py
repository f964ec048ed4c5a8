"""Conversion of a model to other formats and forms, with a list of losses."""

from __future__ import annotations

import warnings
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sdfviewer.diagnostics import InvalidValueError, SdfViewerError
from sdfviewer.extras import required_extras
from sdfviewer.files import saving
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader
from sdfviewer.library.resources import find_meshes
from sdfviewer.model.model import Model as FrameTable
from sdfviewer.model.near_names import Hinted
from sdfviewer.versions import NEWEST, format_version, parse_version

if TYPE_CHECKING:
    from sdfviewer.document.document import Document
    from sdfviewer.export.conversion import Conversion
    from sdfviewer.files.uris import Keep, UriForm


_BUNDLING = "save_bundle(folder, 'mjcf') writes a file that it reads"


class ConvertedText(Hinted, str):
    """The text of a file in another form.

    Attributes
    ----------
    losses
        What could not be carried over, in sentences that begin with file and line.
    notes
        What is written otherwise, in sentences of the same form.
    """

    __slots__ = ("_document", "_finder", "losses", "notes")

    losses: tuple[str, ...]
    notes: tuple[str, ...]
    _document: Document | None
    _finder: Finder | None

    def __new__(
        cls,
        text: str,
        losses: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
        document: Document | None = None,
        finder: Finder | None = None,
    ) -> ConvertedText:
        """Return a text with the notes about it, the document that it is of, and what finds its files."""
        made = super().__new__(cls, text)
        made.losses, made.notes, made._document, made._finder = losses, notes, document, finder
        return made

    def save(self, path: str | Path, *, uris: UriForm | Keep | None = None) -> None:
        """Write the text to a file, which is replaced as a whole or not at all.

        Parameters
        ----------
        path
            The file.
        uris
            How the text names its files in another folder than that of the model, see :meth:`EditableDocument.save`.

        Raises
        ------
        SaveError
            If it cannot be written.
        """
        if self._document is None or self._document.path is None:
            saving.save(Path(path), self.encode("utf-8", "surrogateescape"))  # bytes that are not UTF-8 stay
            return
        from sdfviewer.session.other_files import write_elsewhere  # noqa: PLC0415  # as all of this module

        loader = Loader(self._finder or Finder())
        write_elsewhere(self._document, Path(path), loader, uris, partial(warnings.warn, stacklevel=4))


def to_urdf(table: FrameTable, version: str, finder: Finder | None = None) -> ConvertedText:
    """Return a model as URDF of a version."""
    from sdfviewer.export import conversion  # noqa: PLC0415  # as all of this module
    from sdfviewer.formats.urdf.values import URDF_VERSIONS, parse_urdf_version  # noqa: PLC0415

    _refuse_path(version, "to_urdf")
    parsed = parse_urdf_version(version)
    if parsed is None:
        known = ", ".join(".".join(map(str, each)) for each in URDF_VERSIONS)
        raise SdfViewerError(f"there is no URDF {version}: use {known}")
    return _text(conversion.to_urdf(table, conversion.ConversionOptions(version)), finder)


def _text(converted: Conversion, finder: Finder | None = None) -> ConvertedText:
    lost = (*converted.losses, *converted.faults)
    return ConvertedText(converted.document.text, lost, converted.notes, converted.document, finder)


def _refuse_path(version: object, method: str) -> None:
    """Refuse a path where a version is meant.

    Raises
    ------
    InvalidValueError
        With the call that writes a file.
    """
    if version is not None and (not isinstance(version, str) or Path(version).suffix[1:].isalpha()):
        raise InvalidValueError(
            f"{version!r} is not a version; use model.{method}().save({str(version)!r}) to write a file"
        )


def to_sdformat(table: FrameTable, loader: Loader, version: str | None, merge_fixed: bool) -> ConvertedText:
    """Return a file in a version of SDFormat."""
    from sdfviewer.export import conversion  # noqa: PLC0415

    _refuse_path(version, "to_sdformat")
    target = format_version(NEWEST) if version is None else version
    conversion.require_target(target)
    how = conversion.ConversionOptions(merge_fixed=merge_fixed)
    return _text(conversion.convert(table, loader, target, how), loader.finder)


def to_mjcf(table: FrameTable, loader: Loader) -> ConvertedText:
    """Return a model in MuJoCo's format, which names mesh files where they are."""
    from sdfviewer.export import conversion  # noqa: PLC0415

    how = conversion.ConversionOptions(bundling=_BUNDLING)
    return _text(conversion.to_mjcf(table, loader, how), loader.finder)


def save_bundle(
    table: FrameTable,
    loader: Loader,
    folder: Path,
    target: str,
    uris: str,
    meshes: str,
    skip_missing: bool,
    **given: object,
) -> tuple[str, ...]:
    """Write a folder with a model and its files; return what could not be carried over."""
    from sdfviewer.export.conversion import options_of  # noqa: PLC0415
    from sdfviewer.files.uris import URI_FORMS  # noqa: PLC0415

    with required_extras():
        from sdfviewer.export.bundle import make_bundle  # noqa: PLC0415
        from sdfviewer.export.mesh_files import MESH_FORMS  # noqa: PLC0415

    uri_form = next((each for each in URI_FORMS if each == uris), None)
    mesh_form = next((each for each in MESH_FORMS if each == meshes), None)
    if uri_form is None:
        raise SdfViewerError(f"'{uris}' must be one of: {', '.join(URI_FORMS)}")
    if mesh_form is None:
        raise SdfViewerError(f"'{meshes}' must be one of: {', '.join(MESH_FORMS)}")
    if target not in ("sdformat", "urdf", "mjcf") and parse_version(target) is None:
        raise SdfViewerError(f"there is no form '{target}': use sdformat, urdf, mjcf or a version of SDFormat")
    form = format_version(NEWEST) if target == "sdformat" else target
    missing = () if skip_missing else [each for each in find_meshes(table, loader.finder) if not each.is_found]
    if missing:
        more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        raise SdfViewerError(
            f"the bundle would lack a mesh: {missing[0].uri} is not found{more}; "
            "load the model with paths=[folder], or pass skip_missing=True to leave out what is missing"
        )
    how = options_of(table, loader, given, _BUNDLING)
    with required_extras():
        bundle = make_bundle(table, loader, form, folder, uri_form, mesh_form, how)
        bundle.write(folder)
    return tuple(bundle.notes)


def convert(table: FrameTable, loader: Loader, target: str, **given: object) -> ConvertedText:
    """Return a file in another form; see :meth:`Model.convert`."""
    from sdfviewer.export import conversion  # noqa: PLC0415

    how = conversion.options_of(table, loader, given, _BUNDLING)
    return _text(conversion.convert(table, loader, target, how), loader.finder)
