"""``sdfviewer convert``: convert a model to another format, version or form."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_option, add_path_option, load_model, make_loader, read
from sdfviewer.cli.outputs import print_bytes, print_note
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import json_text
from sdfviewer.document.document import Document
from sdfviewer.export.certificate import certificate
from sdfviewer.export.conversion import OPTIONS, ConversionOptions, Step, convert
from sdfviewer.export.verification import PROGRAMS, Verification, parse_programs, verify_steps
from sdfviewer.export.writing import MESH_FORMS
from sdfviewer.files import saving
from sdfviewer.files.uris import URI_FORMS
from sdfviewer.formats.load import Loader
from sdfviewer.formats.registry import has_versions
from sdfviewer.model.model import Model
from sdfviewer.operations.whole import FORMS
from sdfviewer.session.other_files import write_elsewhere
from sdfviewer.versions import NEWEST, TARGETS, Version, format_version

_VERSIONS: dict[str, Version] = {format_version(version): version for version in TARGETS}

#: What an option that an operation declares does besides.
_ALSO = {"allow_loss": "exit with 0 even if something could not be converted; "}


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
    for option in OPTIONS.values():
        add_option(parser, option.parameter, f"{_ALSO.get(option.parameter.name, '')}with --to {option.target}: ")
    parser.add_argument(
        "--bundle", metavar="DIR", type=Path, help="write a new folder with the model and all files it references"
    )
    parser.add_argument(
        "--uris",
        choices=tuple(URI_FORMS),
        help="how the files of a bundle, or of a file that -o writes in another folder, are named, or whether they are "
        "copied beside it, which a bundle always does; package means model:// in SDFormat (default: relative)",
    )
    parser.add_argument(
        "--meshes",
        choices=MESH_FORMS,
        default="keep",
        help="format of the meshes in a bundle (default: %(default)s)",
    )
    parser.add_argument(
        "--certificate",
        metavar="JSON",
        type=Path,
        help="write what is kept, changed and lost, with lines, to this file; see docs/pipelines.md",
    )
    parser.add_argument(
        "--verify",
        metavar="PROGRAMS",
        help=f"load the result in some of {', '.join(PROGRAMS)}, with commas between, and compare it",
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
    has_errors = any(diagnostic.is_error for diagnostic in diagnostics)
    if options.bundle is not None:
        return _bundle(options, loader.load_expansion(model), loader, has_errors=has_errors)
    conversion = convert(model, loader, options.to, _how(options))
    for sentence in conversion.sentences:
        print_note(sentence)
    content, faults = conversion.document.to_bytes(), conversion.faults
    if options.output:
        content, moved = write_elsewhere(conversion.document, options.output, loader, options.uris, print_note)
        faults = (*faults, *moved)
    else:
        print_bytes(content)
    verified = _verified(options, options.output, conversion.source, conversion.steps)
    code = _exit_code(options, len(conversion.losses), len(faults), has_errors, verified)
    _certify(options, conversion.source, content, options.output, conversion.steps, code, verified)
    return code


def _how(options: argparse.Namespace) -> ConversionOptions:
    return ConversionOptions(**{name: getattr(options, name) for name in OPTIONS})


def _check_options(options: argparse.Namespace) -> None:
    if options.bundle is not None and options.output is not None:
        raise SdfViewerError("--bundle writes a folder and --output writes a file: use only one of them")
    if options.verify and options.bundle is None and options.output is None:
        raise SdfViewerError("--verify loads a file: name it with -o OUT, or write a bundle with --bundle DIR")
    if options.verify:
        parse_programs(options.verify)
    if options.bundle is None and options.meshes != "keep":
        raise SdfViewerError("--meshes and its formats go with --bundle DIR")
    if options.bundle is None and options.output is None and options.uris is not None:
        raise SdfViewerError("--uris goes with --bundle DIR or -o OUT")


def _verified(
    options: argparse.Namespace, file: Path | None, source: Model, steps: Sequence[Step]
) -> list[Verification]:
    """Return what the programs that were asked for make of a file, and print it."""
    programs = parse_programs(options.verify) if options.verify else ()
    found = [] if file is None else [verify_steps(program, file, source, steps) for program in programs]
    for each in found:
        print_note(str(each))
    return found


def _certify(
    options: argparse.Namespace,
    source: Model,
    content: bytes,
    file: Path | None,
    steps: Sequence[Step],
    code: int,
    verified: Sequence[Verification],
) -> None:
    """Write the certificate that was asked for."""
    if options.certificate is not None:
        from sdfviewer import __version__

        record = certificate(source, options.to, content, file, steps, code, verified, program=__version__)
        saving.save(options.certificate, (json_text(record, indent=2) + "\n").encode(), tell=print_note)


def _exit_code(
    options: argparse.Namespace,
    losses: int,
    faults: int,
    has_errors: bool,
    verified: Sequence[Verification] = (),
) -> int:
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
    disagrees = not all(each.agrees for each in verified)
    return FINDINGS if has_errors or is_loss or faults or disagrees else CLEAN


def _bundle(options: argparse.Namespace, model: Model, loader: Loader, has_errors: bool) -> int:
    """Write a bundle; what is not carried over is listed before that."""
    from sdfviewer.export import bundle as bundles

    if options.to not in ("urdf", "mjcf", *_VERSIONS):
        raise SdfViewerError(f"--bundle goes with urdf, mjcf and versions of SDFormat, not with {options.to}")
    folder: Path = options.bundle
    bundle = bundles.make_bundle(
        model, loader, options.to, folder, options.uris or "relative", options.meshes, _how(options)
    )
    for note in bundle.notes:
        print_note(note)
    bundle.write(folder)
    written = folder / bundle.name
    verified = _verified(options, written, model, bundle.steps)
    code = _exit_code(options, bundle.losses, bundle.faults, has_errors, verified)
    _certify(options, model, written.read_bytes(), written, bundle.steps, code, verified)
    return code
