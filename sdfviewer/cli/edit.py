"""``sdfviewer edit``: the refactorings of the window for scripts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sdfviewer.cli.edit_steps import StepAction, add_step_arguments, make_step, split_value
from sdfviewer.cli.explain import find_rule
from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_path_option, make_loader, read
from sdfviewer.cli.output import print_bytes, print_note
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.document.unified_diff import unified_diff
from sdfviewer.files import saving
from sdfviewer.files.dependents import find_including
from sdfviewer.files.paths import real_path
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from sdfviewer.refactoring.fix_all import fix_all
from sdfviewer.refactoring.renaming.dependent_files import DependentFiles
from sdfviewer.refactoring.renaming.rename import plugin_lines, rename, rename_material
from sdfviewer.refactoring.retargeting import Keep, set_attached_to, set_relative_to

_RETARGET: dict[str, Callable[[Model, int, str | None, Keep], Edit]] = {
    "set-relative-to": set_relative_to,
    "set-attached-to": set_attached_to,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.set_defaults(steps=[])
    edits = parser.add_argument_group("edits, applied in the order given")
    edits.add_argument(
        "--set-relative-to",
        metavar="FRAME=TARGET",
        action=StepAction,
        help="set relative_to to TARGET, empty for the default",
    )
    edits.add_argument(
        "--set-attached-to",
        metavar="FRAME=TARGET",
        action=StepAction,
        help="set attached_to to TARGET, empty for the default",
    )
    edits.add_argument(
        "--rename",
        metavar="OLD=NEW",
        action=StepAction,
        help="rename a frame, or with material:OLD=NEW a material of a URDF, and update every reference; see --also",
    )
    edits.add_argument(
        "--fix",
        metavar="RULE",
        action=StepAction,
        help="apply the first quick fix of each problem of a rule (name or code)",
    )
    add_step_arguments(parser, edits)
    parser.add_argument(
        "--keep",
        choices=("pose", "numbers"),
        default="pose",
        help="what to keep when relative_to changes: the pose in the world (default), or the numbers",
    )
    parser.add_argument(
        "--also",
        metavar="PATH",
        action="append",
        default=[],
        type=Path,
        help="also update this dependent file, or all dependent files in this folder (repeatable)",
    )
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
    after = before
    dependents = {document: document for document in _including(options.also, before, loader)}
    for step in options.steps:
        if step.option == "fix":
            after = _fixed(loader, after, step.value)
        elif step.option == "rename":
            after = _renamed(loader, after, step.value, dependents)
        elif step.option in _RETARGET:
            after = _edited(loader, after, step.option, step.value, options.keep)
        else:
            after = after.edited(make_step(_model(loader, after), step).replacements)
    changed = {before: after, **{old: new for old, new in dependents.items() if old.text != new.text}}
    _write(changed, options)
    loader = make_loader(options, {real_path(new.path): new for new in changed.values() if new.path is not None})
    errors = [error for new in changed.values() for error in loader.load_with_diagnostics(new)[1] if error.is_error]
    for error in dict.fromkeys(errors):
        where = f"{error.span.path}:{error.span.line}: " if error.span else ""
        print_note(f"{where}error: {error.message} [{error.rule.name}]")
    return FINDINGS if errors else CLEAN


def _including(places: Sequence[Path], document: Document, loader: Loader) -> tuple[Document, ...]:
    """Return the documents in some places that include another."""
    if not places or document.path is None:
        return ()
    for place in places:
        if not place.exists():
            raise SdfViewerError(f"{place} does not exist")
    search = find_including(document.path, places, loader.finder)
    if not search.is_complete:
        raise SdfViewerError("too many files to search; use --also with a smaller folder")
    return search.documents


def _model(loader: Loader, document: Document) -> Model:
    model, diagnostics = loader.load_with_diagnostics(document)
    if model is None:
        raise SdfViewerError(diagnostics[0].message if diagnostics else "the file contains no model or world")
    return model


def _edited(loader: Loader, document: Document, option: str, value: str, keep: Keep) -> Document:
    frame, target = split_value(option, value, "FRAME=TARGET")
    model = _model(loader, document)
    edit = _RETARGET[option](model, model.row(frame), target or None, keep)
    return document.edited(edit.replacements)


def _renamed(loader: Loader, document: Document, value: str, dependents: dict[Document, Document]) -> Document:
    """Return a document with something renamed, and let those that include it follow."""
    old, name = split_value("rename", value, "OLD=NEW")
    model = _model(loader, document)
    kind, _, material = old.partition(":")
    if kind == "material" and material and not material.startswith(":"):  # which would be a frame in a model
        return document.edited(rename_material(model, material, name).replacements)
    row = model.row(old)
    edit = rename(model, row, name)
    for line in plugin_lines(model, row):
        print_note(f"{document.name}:{line}: a plugin mentions '{model.local_names[row]}'; it was not changed")
    first = {now: before for before, now in dependents.items()}
    for dependent in (
        DependentFiles(model, first, loader.finder, expander=loader.expander).edits_for(row, name) if first else ()
    ):
        if dependent.faults:
            raise SdfViewerError(f"{dependent.document.name} cannot be updated: {dependent.faults[0]}")
        dependents[first[dependent.document]] = dependent.document.edited(dependent.edit.replacements)
    return document.edited(edit.replacements)


def _fixed(loader: Loader, document: Document, wanted: str) -> Document:
    """Return the document with the first fix of each problem of a rule made, one after the other."""
    rule = find_rule(wanted).name
    fixed = fix_all(loader, document, {rule}, unsafe=True)
    for fix in fixed.applied:
        print_note(f"fixed: {fix.label}")
    if not fixed.applied:
        raise SdfViewerError(fixed.where_to_edit or f"no problem of rule '{rule}' has a quick fix")
    return fixed.document


def _write(changed: Mapping[Document, Document], options: argparse.Namespace) -> None:
    """Write the changed documents, each by its original; the requested one comes first."""
    changed = {before: after.storable(print_note) for before, after in changed.items()}
    if options.diff:
        for before, after in changed.items():
            print(unified_diff(before.name, before.text, after.text), end="")
    elif options.in_place:
        paths = {before.path: before.fingerprint for before in changed if before.path is not None}
        for path, known in paths.items():  # none is written where one cannot be
            if known is not None and saving.has_changed(path, known):
                raise saving.ChangedOnDiskError(path)
        for path, after in zip(paths, changed.values(), strict=True):
            saving.save(path, after.to_bytes(), paths[path], tell=print_note)
            if len(paths) > 1:
                print_note(f"written: {path}")
    else:
        (after,) = changed.values()
        if options.output:
            saving.save(options.output, after.to_bytes(), tell=print_note)
        else:
            print_bytes(after.to_bytes())
