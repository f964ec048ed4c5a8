"""``sdfviewer edit``: the editor's refactorings, for scripts."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_path_option, make_finder, read
from sdfviewer.diagnostics import Fix, SdfViewerError
from sdfviewer.document import saving
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.document.including import find_including
from sdfviewer.semantics import Loader, Model
from sdfviewer.semantics.editing.renaming.includers import Includers
from sdfviewer.semantics.editing.renaming.rename import plugin_lines, rename
from sdfviewer.semantics.editing.retargeting import Keep, set_attached_to, set_relative_to

_RETARGET: dict[str, Callable[[Model, int, str | None, Keep], Edit]] = {
    "set-relative-to": set_relative_to,
    "set-attached-to": set_attached_to,
}


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
    edits.add_argument("--rename", metavar="OLD=NEW", action=_Step, help="rename, with every reference; see --also")
    edits.add_argument("--fix", metavar="RULE", action=_Step, help="make the first fix of each problem of this rule")
    parser.add_argument(
        "--keep",
        choices=("pose", "numbers"),
        default="pose",
        help="what stays when a frame is measured from another: its pose in the world (default), or its numbers",
    )
    parser.add_argument(
        "--also",
        metavar="PATH",
        action="append",
        default=[],
        type=Path,
        help="rename along in this file, or in all files of this folder, that include the one edited (repeatable)",
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
    if options.also and not (options.in_place or options.diff):
        raise SdfViewerError("--also changes several files: write them --in-place, or see the --diff")
    if options.also and not any(option == "rename" for option, _ in options.steps):
        raise SdfViewerError("--also goes with --rename: nothing else changes other files")
    loader = Loader(make_finder(options))
    after = before
    followers = {document: document for document in _including(options.also, before, loader)}
    for option, value in options.steps:
        if option == "fix":
            after = _fixed(loader, after, value)
        elif option == "rename":
            after = _renamed(loader, after, value, followers)
        else:
            after = _edited(loader, after, option, value, options.keep)
    changed = {before: after, **{old: new for old, new in followers.items() if old.text != new.text}}
    _write(changed, options)
    loader = Loader(make_finder(options), {new.path.resolve(): new for new in changed.values() if new.path is not None})
    errors = [error for new in changed.values() for error in loader.load_with_diagnostics(new)[1] if error.is_error]
    for error in dict.fromkeys(errors):
        where = f"{error.span.path}:{error.span.line}: " if error.span else ""
        print(f"{where}error: {error.message} [{error.rule.name}]", file=sys.stderr)
    return FINDINGS if errors else CLEAN


def _including(places: Sequence[Path], document: Document, loader: Loader) -> tuple[Document, ...]:
    """Return the documents in some places that include another."""
    if not places or document.path is None:
        return ()
    for place in places:
        if not place.exists():
            raise SdfViewerError(f"there is no {place}")
    search = find_including(document.path, places, loader.finder)
    if not search.is_complete:
        raise SdfViewerError("too many files to look at; say --also with a smaller folder")
    return search.documents


def _model(loader: Loader, document: Document) -> Model:
    model, diagnostics = loader.load_with_diagnostics(document)
    if model is None:
        raise SdfViewerError(diagnostics[0].message if diagnostics else "the file holds no model or world")
    return model


def _edited(loader: Loader, document: Document, option: str, value: str, keep: Keep) -> Document:
    frame, target = _split(option, value, "FRAME=TARGET")
    model = _model(loader, document)
    edit = _RETARGET[option](model, model.row(frame), target or None, keep)
    return document.edited(edit.replacements)


def _renamed(loader: Loader, document: Document, value: str, followers: dict[Document, Document]) -> Document:
    """Return a document with something renamed, and let those that include it follow."""
    old, name = _split("rename", value, "OLD=NEW")
    model = _model(loader, document)
    row = model.row(old)
    edit = rename(model, row, name)
    for line in plugin_lines(model, row):
        print(f"{document.name}:{line}: a plugin says '{model.local_names[row]}'; it is left as it is", file=sys.stderr)
    first = {now: before for before, now in followers.items()}
    for follower in Includers(model, first, loader.finder).follow(row, name) if first else ():
        if follower.faults:
            raise SdfViewerError(f"{follower.document.name} cannot follow: {follower.faults[0]}")
        followers[first[follower.document]] = follower.document.edited(follower.edit.replacements)
    return document.edited(edit.replacements)


def _split(option: str, value: str, form: str) -> tuple[str, str]:
    frame, separator, target = value.rpartition("=")
    if not separator or not frame:
        raise SdfViewerError(f"--{option} {value}: write {form}")
    return frame, target


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


def _write(changed: Mapping[Document, Document], options: argparse.Namespace) -> None:
    """Write what has changed: documents by what they were, the one that was asked for first."""
    if options.diff:
        for before, after in changed.items():
            lines = (before.text.splitlines(keepends=True), after.text.splitlines(keepends=True))
            sys.stdout.writelines(difflib.unified_diff(*lines, f"a/{before.name}", f"b/{before.name}"))
    elif options.in_place:
        paths = {before.path: before.fingerprint for before in changed if before.path is not None}
        for path, known in paths.items():  # none is written where one cannot be
            if known is not None and saving.has_changed(path, known):
                raise saving.ChangedOnDiskError(path)
        for path, after in zip(paths, changed.values(), strict=True):
            saving.save(path, after.to_bytes(), paths[path])
            if len(paths) > 1:
                print(f"written: {path}", file=sys.stderr)
    else:
        (after,) = changed.values()
        if options.output:
            saving.save(options.output, after.to_bytes())
        else:
            sys.stdout.buffer.write(after.to_bytes())
            sys.stdout.buffer.flush()
