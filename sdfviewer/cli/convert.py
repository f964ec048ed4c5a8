"""``sdfviewer convert``: the same model, written otherwise."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_path_option, make_finder, read
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document import saving
from sdfviewer.document.document import Document, parse_document
from sdfviewer.semantics import Loader, Model
from sdfviewer.semantics.editing.flatten import flatten
from sdfviewer.semantics.editing.forms import to_element_relative_form, to_model_absolute_form
from sdfviewer.semantics.editing.standalone import put_includes_in
from sdfviewer.semantics.editing.upgrade import raise_version
from sdfviewer.semantics.values import NEWEST, format_version

_NEWEST = format_version(NEWEST)
_WHOLE = {"flat": flatten, "standalone": put_includes_in}
_FORMS = {"element-relative": to_element_relative_form, "model-absolute": to_model_absolute_form}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument(
        "--to",
        required=True,
        choices=(_NEWEST, "urdf", *_WHOLE, *_FORMS),
        help=f"SDFormat {_NEWEST}; URDF; one file with all includes put in; poses the URDF way, or by the defaults",
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
    if options.to in _WHOLE:
        rewriting = _WHOLE[options.to](document, loader)
        after = document.edited(rewriting.edit.replacements)
        for note in rewriting.notes:
            print(note, file=sys.stderr)
    else:
        after = _converted(model, options.to, options.merge_fixed)
    if options.output:
        saving.save(options.output, after.to_bytes())
    else:
        sys.stdout.buffer.write(after.to_bytes())
        sys.stdout.buffer.flush()
    return FINDINGS if any(diagnostic.is_error for diagnostic in diagnostics) else CLEAN


def _converted(model: Model, target: str, merge_fixed: bool) -> Document:
    """Return the converted text; what cannot be carried over goes to standard error."""
    root = model.document.root
    is_urdf = root is not None and root.tag == "robot"
    if target == "urdf":
        from sdfviewer.export.urdf import export_urdf

        urdf = export_urdf(model)
        for note in urdf.notes:
            span = model.document_of(note.row).span(model.elements[note.row])
            print(
                f"{span.path}:{span.line}: {note.obstacle.value}: {_about(model, note.row)} {note.message}",
                file=sys.stderr,
            )
        return parse_document(urdf.text)
    if target == _NEWEST and is_urdf:
        from sdfviewer.export.sdformat import export_sdformat

        sdf = export_sdformat(model, merge_fixed=merge_fixed)
        for message in sdf.notes:
            print(f"{model.document.name}: {message}", file=sys.stderr)
        return parse_document(sdf.text)
    edit = raise_version(model) if target == _NEWEST else _FORMS[target](model)
    return model.document.edited(edit.replacements)


def _about(model: Model, row: int) -> str:
    return f"{model.kinds[row]} '{model.names[row]}':"
