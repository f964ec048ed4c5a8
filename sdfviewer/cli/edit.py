"""``sdfviewer edit``: the refactorings of the window for scripts."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from sdfviewer.cli.edit_steps import StepAction, add_step_arguments, make_step
from sdfviewer.cli.explain import find_rule
from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_path_option, make_loader, read
from sdfviewer.cli.operation_options import (
    ADDING,
    BY_OPTION,
    EditStep,
    add_shared_options,
    perform_adding,
    perform_step,
)
from sdfviewer.cli.outputs.output import print_bytes, print_note
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.unified_diff import unified_diff
from sdfviewer.files import saving
from sdfviewer.files.paths import real_path
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from sdfviewer.operations.declaration import EditContext, FileChange
from sdfviewer.refactoring.fix_all import fix_all


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.set_defaults(steps=[])
    edits = parser.add_argument_group("edits, applied in the order given")
    edits.add_argument(
        "--fix",
        metavar="RULE",
        action=StepAction,
        help="apply the first quick fix of each problem of a rule (name or code)",
    )
    add_step_arguments(parser, edits)
    add_shared_options(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument("-o", "--output", metavar="OUT", type=Path, help="output file (default: standard output)")
    output.add_argument("--in-place", action="store_true", help="edit the file in place")
    output.add_argument("--diff", action="store_true", help="print the changes as a diff, write nothing")
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    before = read(options.file)
    if options.in_place and before.path is None:
        raise SdfViewerError("standard input cannot be edited in place")
    if not options.steps:
        raise SdfViewerError("no edits given; see sdfviewer edit --help")
    if options.also and not (options.in_place or options.diff):
        raise SdfViewerError("--also changes several files: use --in-place or --diff")
    if options.also and not any(step.option == "rename" for step in options.steps):
        raise SdfViewerError("--also needs --rename: no other edit changes dependent files")
    loader = make_loader(options)
    after, others = before, dict[Path, FileChange]()
    for step in options.steps:
        if step.option == "fix":
            after = _fixed(loader, after, step.value)
        elif step.option in BY_OPTION or (step.option == "add" and step.value.partition(":")[0] in ADDING):
            after = _performed(loader, after, step, options, others)
        else:
            after = after.edited(make_step(_model(loader, after), step).replacements)
    changed = [FileChange(before, after), *others.values()]
    _write(changed, options)
    texts = {real_path(each.after.path): each.after for each in changed if each.after.path is not None}
    loader = make_loader(options, texts)
    errors = [error for each in changed for error in loader.load_with_diagnostics(each.after)[1] if error.is_error]
    for error in dict.fromkeys(errors):
        where = f"{error.span.path}:{error.span.line}: " if error.span else ""
        print_note(f"{where}error: {error.message} [{error.rule.name}]")
    return FINDINGS if errors else CLEAN


def _model(loader: Loader, document: Document) -> Model:
    model, diagnostics = loader.load_with_diagnostics(document)
    if model is None:
        raise SdfViewerError(diagnostics[0].message if diagnostics else "the file contains no model or world")
    return model


def _performed(
    loader: Loader, document: Document, step: EditStep, options: argparse.Namespace, others: dict[Path, FileChange]
) -> Document:
    """Return the document after an operation, and take note of what becomes of other files."""
    opened = tuple(each.after for each in others.values())
    on = EditContext(_model(loader, document), loader, opened=opened)
    done = perform_step(on, step, options) if step.option in BY_OPTION else perform_adding(on, step)
    if done.files and not (options.in_place or options.diff):
        raise SdfViewerError(f"--{step.option} {step.value} changes several files: use --in-place or --diff")
    for file in done.files:
        assert file.after.path is not None
        path = real_path(file.after.path)
        first = others[path].before if path in others else file.before
        others[path] = FileChange(first, file.after)
    for remark in (*done.edit.losses, *done.edit.notes, *done.remarks):
        print_note(remark)
    return document.edited(done.edit.replacements)


def _fixed(loader: Loader, document: Document, wanted: str) -> Document:
    """Return the document with the first fix of each problem of a rule made, one after the other."""
    rule = find_rule(wanted).name
    fixed = fix_all(loader, document, {rule}, unsafe=True)
    for fix in fixed.applied:
        print_note(f"fixed: {fix.label}")
    if not fixed.applied:
        raise SdfViewerError(fixed.where_to_edit or f"no problem of rule '{rule}' has a quick fix")
    return fixed.document


def _write(changed: Sequence[FileChange], options: argparse.Namespace) -> None:
    """Write the changed documents; the requested one comes first."""
    changed = [FileChange(each.before, each.after.storable(print_note)) for each in changed]
    if options.diff:
        for each in changed:
            text = None if each.before is None else each.before.text
            print(unified_diff(each.after.name, text, each.after.text), end="")
    elif options.in_place:
        known = {each.after.path: None if each.before is None else each.before.fingerprint for each in changed}
        for path, fingerprint in known.items():  # none is written where one cannot be
            if path is not None and (path.exists() if fingerprint is None else saving.has_changed(path, fingerprint)):
                raise saving.ChangedOnDiskError(path)
        for each in changed:
            assert each.after.path is not None
            saving.save(each.after.path, each.after.to_bytes(), known[each.after.path], tell=print_note)
            if len(changed) > 1:
                print_note(f"written: {each.after.path}")
    else:
        after = changed[0].after
        if options.output:
            saving.save(options.output, after.to_bytes(), tell=print_note)
        else:
            print_bytes(after.to_bytes())
