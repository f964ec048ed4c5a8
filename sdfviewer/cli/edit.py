"""``sdfviewer edit``: the editor's refactorings, for scripts."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_path_option, make_finder, read
from sdfviewer.diagnostics import Fix, SdfViewerError
from sdfviewer.document import saving
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.semantics import Loader, Model
from sdfviewer.semantics.editing.refactor import Keep, set_attached_to, set_relative_to
from sdfviewer.semantics.editing.renaming import rename


class _Step(argparse.Action):
    """Collects the edits in the order in which they are written."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[str] | None,
        option_string: str | None = None,
    ) -> None:
        namespace.steps.append(((option_string or "").lstrip("-"), str(values)))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.set_defaults(steps=[])
    edits = parser.add_argument_group("edits, made in the order written")
    edits.add_argument(
        "--set-relative-to", metavar="FRAME=TARGET", action=_Step, help="measure a pose from TARGET (empty: default)"
    )
    edits.add_argument(
        "--set-attached-to", metavar="FRAME=TARGET", action=_Step, help="attach a frame to TARGET (empty: default)"
    )
    edits.add_argument("--rename", metavar="OLD=NEW", action=_Step, help="rename, with every reference")
    edits.add_argument("--fix", metavar="RULE", action=_Step, help="make the first fix of each problem of this rule")
    parser.add_argument(
        "--keep",
        choices=("pose", "numbers"),
        default="pose",
        help="what stays when a frame is measured from another: its pose in the world (default), or its numbers",
    )
    output = parser.add_mutually_exclusive_group()
    output.add_argument("-o", "--output", metavar="OUT", type=Path, help="write here; standard output by default")
    output.add_argument("--in-place", action="store_true", help="write the file itself")
    output.add_argument("--diff", action="store_true", help="print what would change")
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    before = read(options.file)
    if options.in_place and before.path is None:
        raise SdfViewerError("standard input cannot be written in place")
    if not options.steps:
        raise SdfViewerError("nothing to edit; see sdfviewer edit --help")
    loader = Loader(make_finder(options))
    after = before
    for option, value in options.steps:
        after = _fixed(loader, after, value) if option == "fix" else _edited(loader, after, option, value, options.keep)
    _write(before, after, options)
    _, diagnostics = loader.load_with_diagnostics(after)
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.is_error]
    for diagnostic in errors:
        where = f"{diagnostic.span.path}:{diagnostic.span.line}: " if diagnostic.span else ""
        print(f"{where}error: {diagnostic.message} [{diagnostic.rule.name}]", file=sys.stderr)
    return FINDINGS if errors else CLEAN


def _model(loader: Loader, document: Document) -> Model:
    model, diagnostics = loader.load_with_diagnostics(document)
    if model is None:
        raise SdfViewerError(diagnostics[0].message if diagnostics else "the file holds no model or world")
    return model


def _edited(loader: Loader, document: Document, option: str, value: str, keep: Keep) -> Document:
    frame, separator, target = value.rpartition("=")
    if not separator or not frame:
        raise SdfViewerError(f"--{option} {value}: write FRAME=TARGET")
    model = _model(loader, document)
    row = model.row(frame)
    edits: dict[str, Callable[[], Edit]] = {
        "set-relative-to": lambda: set_relative_to(model, row, target or None, keep),
        "set-attached-to": lambda: set_attached_to(model, row, target or None, keep),
        "rename": lambda: rename(model, row, target)[0],
    }
    return document.edited(edits[option]().replacements)


def _fixed(loader: Loader, document: Document, rule: str) -> Document:
    """Return the document with the first fix of each problem of a rule made, one after the other."""
    made = 0
    while (fix := _next_fix(loader, document, rule)) is not None:
        fixed = document.edited(fix.replacements)
        if fixed.text == document.text or made > len(document.text):
            raise SdfViewerError(f"the fix '{fix.label}' changes nothing")
        print(f"fixed: {fix.label}", file=sys.stderr)
        document = fixed
        made += 1
    if not made:
        raise SdfViewerError(f"no problem of rule '{rule}' can be fixed here")
    return document


def _next_fix(loader: Loader, document: Document, rule: str) -> Fix | None:
    for diagnostic in loader.load_with_diagnostics(document)[1]:
        if diagnostic.rule.name == rule:
            for fix in diagnostic.fixes:
                if fix.path == document.name:
                    return fix
    return None


def _write(before: Document, after: Document, options: argparse.Namespace) -> None:
    if options.diff:
        lines = difflib.unified_diff(
            before.text.splitlines(keepends=True),
            after.text.splitlines(keepends=True),
            f"a/{before.name}",
            f"b/{before.name}",
        )
        sys.stdout.writelines(lines)
    elif options.in_place and before.path is not None:
        saving.save(before.path, after.to_bytes(), before.fingerprint)
    elif options.output:
        saving.save(options.output, after.to_bytes())
    else:
        sys.stdout.buffer.write(after.to_bytes())
        sys.stdout.buffer.flush()
