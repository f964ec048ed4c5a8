"""Conversion of a model to other formats and forms, with a list of losses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sdfviewer.diagnostics import InvalidValueError, SdfViewerError
from sdfviewer.document.document import parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.extras import required_extras
from sdfviewer.files import saving
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.formats.registry import has_versions
from sdfviewer.model.hints import Hinted
from sdfviewer.model.model import Model as FrameTable
from sdfviewer.model.names import did_you_mean
from sdfviewer.versions import NEWEST, TARGETS, format_version, parse_version

if TYPE_CHECKING:
    from sdfviewer.export.writing import ExportNote


class ConvertedText(Hinted, str):
    """The text of a file in another form.

    Attributes
    ----------
    losses
        What could not be carried over, in sentences that begin with file and line.
    notes
        What is written otherwise, in sentences of the same form.
    """

    __slots__ = ("losses", "notes")

    losses: tuple[str, ...]
    notes: tuple[str, ...]

    def __new__(cls, text: str, losses: tuple[str, ...] = (), notes: tuple[str, ...] = ()) -> ConvertedText:
        """Return a text with the notes about it."""
        made = super().__new__(cls, text)
        made.losses, made.notes = losses, notes
        return made

    def save(self, path: str | Path) -> None:
        """Write the text to a file, which is replaced as a whole or not at all.

        Raises
        ------
        SaveError
            If it cannot be written.
        """
        saving.save(Path(path), self.encode("utf-8", "surrogateescape"))  # bytes that are not UTF-8 stay


def to_urdf(table: FrameTable, version: str) -> ConvertedText:
    """Return a model as URDF of a version."""
    from sdfviewer.export.read_back import read_urdf_back  # noqa: PLC0415
    from sdfviewer.export.urdf import export_urdf  # noqa: PLC0415  # as all of this module
    from sdfviewer.formats.urdf.origins import URDF_VERSIONS, parse_urdf_version  # noqa: PLC0415

    _refuse_path(version, "to_urdf")
    parsed = parse_urdf_version(version)
    if parsed is None:
        known = ", ".join(".".join(map(str, each)) for each in URDF_VERSIONS)
        raise SdfViewerError(f"there is no URDF {version}: use {known}")
    exported = export_urdf(table, parsed)
    lost, otherwise = _sorted_notes(table, exported.notes)
    return ConvertedText(exported.text, (*lost, *read_urdf_back(table, exported).faults), otherwise)


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


def _sorted_notes(table: FrameTable, notes: Sequence[ExportNote]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return in sentences what is lost, and what is only written otherwise."""
    lost = tuple(note.sentence(table) for note in notes if note.is_loss)
    return lost, tuple(note.sentence(table) for note in notes if not note.is_loss)


def to_sdformat(table: FrameTable, loader: Loader, version: str | None, merge_fixed: bool) -> ConvertedText:
    """Return a file in a version of SDFormat."""
    from sdfviewer.export.read_back import read_sdformat_back  # noqa: PLC0415
    from sdfviewer.export.urdf_places import urdf_places_in_refusals  # noqa: PLC0415
    from sdfviewer.export.urdf_to_sdformat import export_sdformat  # noqa: PLC0415
    from sdfviewer.refactoring.versions.changing import change_version  # noqa: PLC0415

    _refuse_path(version, "to_sdformat")
    target = NEWEST if version is None else parse_version(version)
    if target not in TARGETS:
        known = ", ".join(map(format_version, TARGETS))
        raise SdfViewerError(f"a file cannot be written in SDFormat {version}: use {known}")
    losses: tuple[str, ...] = ()
    table = loader.load_expansion(table)
    urdf: FrameTable | None = None
    if not has_versions(table.document):
        exported = export_sdformat(table, merge_fixed=merge_fixed)
        losses = tuple(note.sentence(table) for note in exported.notes)
        urdf, table = table, _load(exported.text, loader, table)
        losses += () if merge_fixed else read_sdformat_back(urdf, exported, table).faults
    with urdf_places_in_refusals(table, urdf):
        edit = change_version(table.document, loader, target)
    return _rewritten(table, edit, loader, losses, urdf)


def to_mjcf(table: FrameTable, finder: Finder) -> ConvertedText:
    """Return a model in MuJoCo's format, which names mesh files where they are."""
    from sdfviewer.export.mesh_files import meshes_in_place  # noqa: PLC0415

    name_file = meshes_in_place(finder, "save_bundle(folder, 'mjcf') writes a file that it reads")
    with required_extras():
        from sdfviewer.export.mjcf import export_mjcf  # noqa: PLC0415

        exported = export_mjcf(table, finder, name_file)
    return ConvertedText(exported.text, *_sorted_notes(table, exported.notes))


def save_bundle(
    table: FrameTable, loader: Loader, folder: Path, target: str, uris: str, meshes: str
) -> tuple[str, ...]:
    """Write a folder with a model and its files; return what could not be carried over."""
    with required_extras():
        from sdfviewer.export.bundle import URI_FORMS, make_bundle  # noqa: PLC0415
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
    with required_extras():
        bundle = make_bundle(table, loader, form, folder, uri_form, mesh_form)
        bundle.write(folder)
    return tuple(bundle.notes)


def convert(table: FrameTable, loader: Loader, target: str) -> ConvertedText:
    """Return a file in another form; see :meth:`Model.convert`."""
    from sdfviewer.operations.declaration import EditContext  # noqa: PLC0415  # as all of this module
    from sdfviewer.operations.whole import FORMS  # noqa: PLC0415

    table = loader.load_expansion(table)
    if target == "urdf":
        return to_urdf(table, "1.0")
    if target == "mjcf":
        return to_mjcf(table, loader.finder)
    if target in FORMS:
        return _rewritten(table, FORMS[target].perform(EditContext(table, loader), {}).edit, loader)
    if parse_version(target) is not None:
        return to_sdformat(table, loader, target, merge_fixed=False)
    raise SdfViewerError(
        f"there is no form '{target}': use urdf, mjcf, {', '.join(FORMS)} or a version of SDFormat"
        + did_you_mean(target, ("urdf", "mjcf", *FORMS))
    )


def _load(text: str, loader: Loader, beside: FrameTable) -> FrameTable:
    """Return the model of an SDFormat text in the folder of another file, which may be xacro."""
    path = beside.document.path
    document = parse_document(text, path and path.with_suffix(".sdf"))
    table, diagnostics = loader.load_with_diagnostics(document)
    if table is None:
        raise SdfViewerError(why_not_loaded(diagnostics))
    return table


def _rewritten(
    table: FrameTable, edit: Edit, loader: Loader, losses: tuple[str, ...] = (), urdf: FrameTable | None = None
) -> ConvertedText:
    """Return the text after an edit that must move no frame; what is said names lines of the URDF it was made from."""
    from sdfviewer.export.urdf_places import at_urdf_places  # noqa: PLC0415
    from sdfviewer.refactoring.unmoved import edit_unmoved  # noqa: PLC0415  # as all of this module

    after = edit_unmoved(table, edit, loader)
    lost = at_urdf_places((*edit.losses, *after.faults), table, urdf)
    return ConvertedText(after.model.document.text, (*losses, *lost), at_urdf_places(edit.notes, table, urdf))
