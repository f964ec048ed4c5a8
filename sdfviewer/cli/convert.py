"""``sdfviewer convert``: the same model, written otherwise."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeAlias

from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_path_option, make_finder, read
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document import saving
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.semantics import Loader, Model
from sdfviewer.semantics.difference import HARMLESS, compare_models
from sdfviewer.semantics.editing.composition.flatten import flatten
from sdfviewer.semantics.editing.composition.standalone import put_includes_in
from sdfviewer.semantics.editing.forms import to_element_relative_form, to_model_absolute_form
from sdfviewer.semantics.editing.versions.changing import TARGETS, change_version
from sdfviewer.semantics.values import format_version

_Rewrite: TypeAlias = Callable[[Document, Loader], Edit]
_VERSIONS: dict[str, _Rewrite] = {
    format_version(version): partial(change_version, target=version) for version in TARGETS
}
_WHOLE: dict[str, _Rewrite] = {**_VERSIONS, "flat": flatten, "standalone": put_includes_in}
_FORMS = {"element-relative": to_element_relative_form, "model-absolute": to_model_absolute_form}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument(
        "--to",
        required=True,
        choices=("urdf", *_WHOLE, *_FORMS),
        metavar="TARGET",
        help=(
            f"a version of SDFormat, {', '.join(_VERSIONS)}; urdf; standalone: all includes put in; flat: those, and "
            "nested models taken apart; element-relative: poses the URDF way; model-absolute: by the defaults"
        ),
    )
    parser.add_argument(
        "--merge-fixed", action="store_true", help="make links of a URDF that fixed joints join one, as Gazebo does"
    )
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, help="write here; standard output by default")
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    document = read(options.file)
    loader = Loader(make_finder(options))
    model, diagnostics = loader.load_with_diagnostics(document)
    if model is None:
        raise SdfViewerError(f"{options.file}: {diagnostics[0].message if diagnostics else 'nothing to convert'}")
    if options.to in _VERSIONS and document.root is not None and document.root.tag == "robot":
        document = _to_sdformat(model, options.merge_fixed)
        model = loader.load(document)
        assert model is not None
    if options.to == "urdf":
        after = _to_urdf(model)
    else:
        form = _FORMS.get(options.to)
        after = _rewritten(model, form(model) if form else _WHOLE[options.to](document, loader), loader)
    if options.output:
        saving.save(options.output, after.to_bytes())
    else:
        sys.stdout.buffer.write(after.to_bytes())
        sys.stdout.buffer.flush()
    return FINDINGS if any(diagnostic.is_error for diagnostic in diagnostics) else CLEAN


def _rewritten(model: Model, edit: Edit, loader: Loader) -> Document:
    """Return the text that an edit makes which moves nothing; what it could not carry over goes to standard error.

    Raises
    ------
    SdfViewerError
        If a frame would move, against all that is promised.
    """
    for note in edit.notes:
        print(note, file=sys.stderr)
    after = model.document.edited(edit.replacements)
    written = loader.load(after)
    found = compare_models(model, written, edit.renamed) if written is not None else []
    moved = [each.name for each in found if not set(each.changes) <= HARMLESS]
    if written is None or moved:
        raise SdfViewerError(f"this would change {', '.join(moved[:5]) or 'the whole file'}; nothing is written")
    return after


def _to_urdf(model: Model) -> Document:
    from sdfviewer.export.urdf import export_urdf

    urdf = export_urdf(model)
    for note in urdf.notes:
        span = model.document_of(note.row).span(model.elements[note.row])
        about = f"{model.kinds[note.row]} '{model.names[note.row]}':"
        print(f"{span.path}:{span.line}: {note.obstacle.value}: {about} {note.message}", file=sys.stderr)
    return parse_document(urdf.text)


def _to_sdformat(model: Model, merge_fixed: bool) -> Document:
    """Return a URDF in the newest version of SDFormat."""
    from sdfviewer.export.sdformat import export_sdformat

    sdf = export_sdformat(model, merge_fixed=merge_fixed)
    for message in sdf.notes:
        print(f"{model.document.name}: {message}", file=sys.stderr)
    return parse_document(sdf.text)
