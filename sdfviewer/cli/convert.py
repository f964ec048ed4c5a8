"""``sdfviewer convert``: convert a model to another format, version or form."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_path_option, load_model, make_loader, read
from sdfviewer.cli.outputs import print_bytes, print_note
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.export.urdf_places import at_urdf_places, urdf_places_in_refusals
from sdfviewer.extras import required_extras
from sdfviewer.files import saving
from sdfviewer.formats.load import Loader
from sdfviewer.formats.registry import has_versions
from sdfviewer.formats.urdf.origins import OLDEST, URDF_VERSIONS, UrdfVersion, parse_urdf_version
from sdfviewer.model.model import Model
from sdfviewer.operations.declaration import EditContext
from sdfviewer.operations.whole import FORMS
from sdfviewer.refactoring.composition.flatten import flatten
from sdfviewer.refactoring.unmoved import edit_unmoved
from sdfviewer.refactoring.versions.changing import change_version
from sdfviewer.versions import NEWEST, TARGETS, Version, format_version

if TYPE_CHECKING:
    from sdfviewer.export.writing import ExportNote

_VERSIONS: dict[str, Version] = {format_version(version): version for version in TARGETS}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument(
        "--to",
        type=_target,
        choices=("urdf", "mjcf", *_VERSIONS, *FORMS),
        metavar="TARGET",
        help=(
            f"a version of SDFormat, {', '.join(_VERSIONS)}; urdf; mjcf; standalone: includes inlined; flat: also "
            "nested models flattened; element-relative: poses in the URDF convention; model-absolute: poses in the "
            "SDFormat convention (default: what the suffix of OUT names, .urdf or .mjcf, or .sdf for a URDF)"
        ),
    )
    parser.add_argument(
        "--merge-fixed", action="store_true", help="merge links of a URDF that fixed joints connect, as Gazebo does"
    )
    parser.add_argument(
        "--urdf-version",
        choices=[".".join(map(str, version)) for version in URDF_VERSIONS],
        default=".".join(map(str, OLDEST)),
        help="the version of URDF to write: 1.0 is read everywhere, 1.1 has quaternions and capsules, 1.2 more limits",
    )
    parser.add_argument(
        "--keep-scopes",
        action="store_true",
        help="with --to flat: use names such as model::member, which SDFormat allows up to version 1.7",
    )
    parser.add_argument(
        "--allow-loss", action="store_true", help="exit with 0 even if something could not be converted"
    )
    parser.add_argument(
        "--bundle", metavar="DIR", type=Path, help="write a new folder with the model and all files it references"
    )
    parser.add_argument(
        "--uris",
        choices=("relative", "absolute", "package"),
        default="relative",
        help="URIs of the files in a bundle; package means model:// in SDFormat (default: %(default)s)",
    )
    parser.add_argument(
        "--meshes",
        choices=("keep", "obj", "stl", "glb"),
        default="keep",
        help="format of the meshes in a bundle (default: %(default)s)",
    )
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, help="output file (default: standard output)")
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")


def _target(text: str) -> str:
    """Return the name of a target, which may be written otherwise."""
    others = {"mujoco": "mjcf", "sdf": format_version(NEWEST), "sdformat": format_version(NEWEST)}
    return others.get(text.lower(), text.lower())


def _target_of_suffix(output: Path | None, document: Document) -> str:
    """Return the target that the suffix of the output file names.

    Raises
    ------
    SdfViewerError
        If it names none: an SDFormat file can become another one in many ways.
    """
    suffix = "" if output is None else output.suffix.lower()
    if suffix in (".urdf", ".mjcf"):
        return suffix[1:]
    if suffix in (".sdf", ".world") and not has_versions(document):
        return format_version(NEWEST)
    raise SdfViewerError("name what to convert to, for example --to urdf; `sdfviewer convert --help` lists all")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    _check_options(options)
    document = read(options.file)
    options.to = options.to or _target_of_suffix(options.output, document)
    loader = make_loader(options)
    model, diagnostics = load_model(loader, document, repaired=True)
    model = loader.load_expansion(model)
    document = model.document
    if options.bundle is not None:
        return _bundle(options, model, loader, has_errors=any(diagnostic.is_error for diagnostic in diagnostics))
    before = 0, 0
    robot: Model | None = None
    if options.to in _VERSIONS and not has_versions(document):
        robot = model
        model, *counts = _to_sdformat(model, loader, merge_fixed=options.merge_fixed)
        before = counts[0], counts[1]
        document = model.document
    faults = 0
    if options.to == "urdf":
        after, losses, faults = _to_urdf(model, parse_urdf_version(options.urdf_version) or OLDEST)
    elif options.to == "mjcf":
        after, losses = _to_mjcf(model, loader)
    else:
        if options.to == "flat":
            edit = flatten(document, loader, keep_scopes=options.keep_scopes)
        elif options.to in _VERSIONS:
            with urdf_places_in_refusals(model, robot):
                edit = change_version(document, loader, _VERSIONS[options.to], allow_loss=options.allow_loss)
        else:
            edit = FORMS[options.to].perform(EditContext(model, loader), {}).edit
        after, faults = _rewritten(model, edit, loader, robot)
        losses = len(edit.losses)
    if options.output:
        saving.save(options.output, after.to_bytes(), tell=print_note)
    else:
        print_bytes(after.to_bytes())
    losses, faults = losses + before[0], faults + before[1]
    return _exit_code(options, losses, faults, any(diagnostic.is_error for diagnostic in diagnostics))


def _check_options(options: argparse.Namespace) -> None:
    if options.bundle is not None and options.output is not None:
        raise SdfViewerError("--bundle writes a folder and --output writes a file: use only one of them")
    if options.bundle is None and (options.uris != "relative" or options.meshes != "keep"):
        raise SdfViewerError("--uris and --meshes go with --bundle DIR")


def _exit_code(options: argparse.Namespace, losses: int, faults: int, has_errors: bool) -> int:
    """Return the exit code of what has been written, and say why it is not zero.

    Parameters
    ----------
    losses, faults
        How much could not be carried over, and how much differs though nothing announced it.
    """
    is_loss = bool(losses) and not options.allow_loss
    if is_loss:
        things = "1 thing" if losses == 1 else f"{losses} things"
        print_note(f"sdfviewer: {things} could not be converted; use --allow-loss to accept this")
    if faults:
        things = "1 thing differs" if faults == 1 else f"{faults} things differ"
        print_note(f"sdfviewer: {things} from {options.file} by an error of sdfviewer; please report it with the file")
    if has_errors:
        print_note(f"sdfviewer: {options.file} has errors, which `sdfviewer check` lists")
    return FINDINGS if has_errors or is_loss or faults else CLEAN


def _bundle(options: argparse.Namespace, model: Model, loader: Loader, has_errors: bool) -> int:
    """Write a bundle; what is not carried over is listed before that."""
    from sdfviewer.export import bundle as bundles

    if options.to not in ("urdf", "mjcf", *_VERSIONS):
        raise SdfViewerError(f"--bundle goes with urdf, mjcf and versions of SDFormat, not with {options.to}")
    folder: Path = options.bundle
    version = parse_urdf_version(options.urdf_version) or OLDEST
    how = options.uris, options.meshes, version, options.merge_fixed
    bundle = bundles.make_bundle(model, loader, options.to, folder, *how, allow_loss=options.allow_loss)
    for note in bundle.notes:
        print_note(note)
    bundle.write(folder)
    return _exit_code(options, bundle.losses, bundle.faults, has_errors)


def _rewritten(model: Model, edit: Edit, loader: Loader, robot: Model | None) -> tuple[Document, int]:
    """Return the file after an edit that must not move a frame, and how much differs without being announced.

    Both losses and what is not announced are printed to standard error, with lines of the URDF where the file is one.
    """
    rewritten = edit_unmoved(model, edit, loader)
    for note in at_urdf_places((*edit.losses, *edit.notes, *rewritten.faults), model, robot):
        print_note(note)
    return rewritten.model.document, len(rewritten.faults)


def _to_urdf(model: Model, version: UrdfVersion) -> tuple[Document, int, int]:
    """Return a model as URDF, how much of it is lost, and how much differs without being announced."""
    from sdfviewer.export.read_back import read_urdf_back
    from sdfviewer.export.urdf import export_urdf

    urdf = export_urdf(model, version)
    losses, faults = _list_notes(model, urdf.notes), read_urdf_back(model, urdf).faults
    for fault in faults:
        print_note(fault)
    return parse_document(urdf.text), losses, len(faults)


def _to_mjcf(model: Model, loader: Loader) -> tuple[Document, int]:
    """Return a model as MJCF with its meshes where they are, and how much of it is lost."""
    with required_extras():
        from sdfviewer.export.mesh_files import meshes_in_place
        from sdfviewer.export.mjcf import export_mjcf

        mjcf = export_mjcf(model, loader.finder, meshes_in_place(loader.finder, "--bundle DIR converts it"))
    return parse_document(mjcf.text), _list_notes(model, mjcf.notes)


def _list_notes(model: Model, notes: Sequence[ExportNote]) -> int:
    """List what another format cannot hold, and return how much of it is lost."""
    for note in notes:
        print_note(note.sentence(model, with_obstacle=True))
    return sum(note.is_loss for note in notes)


def _to_sdformat(model: Model, loader: Loader, *, merge_fixed: bool) -> tuple[Model, int, int]:
    """Return a URDF in the newest version of SDFormat, how much is lost, and how much differs without a word."""
    from sdfviewer.export.read_back import read_sdformat_back
    from sdfviewer.export.urdf_to_sdformat import export_sdformat

    sdf = export_sdformat(model, merge_fixed=merge_fixed)
    after, _ = load_model(loader, parse_document(sdf.text))
    faults = () if merge_fixed else read_sdformat_back(model, sdf, after).faults
    for sentence in (*(note.sentence(model) for note in sdf.notes), *faults):
        print_note(sentence)
    return after, sum(note.is_loss for note in sdf.notes), len(faults)
