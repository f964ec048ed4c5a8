"""Code actions: quick fixes of the problems in a range, and refactorings of a frame or of the whole file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial

import numpy as np

from sdfviewer.diagnostics import Diagnostic, Fix, Replacement, SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.formats.load import Loader
from sdfviewer.formats.registry import has_versions
from sdfviewer.language.names import row_at
from sdfviewer.model.model import Model
from sdfviewer.model.targets import ReferenceTargets
from sdfviewer.operations.declaration import EditContext, Operation
from sdfviewer.operations.table import OPERATIONS
from sdfviewer.refactoring.editable import why_read_only
from sdfviewer.versions import TARGETS, format_version

#: At most so many frames are offered to measure a pose from.
_MOST_TARGETS = 12


class ActionKind(str, Enum):
    """What an action does; the value is its kind in the language server protocol."""

    QUICK_FIX = "quickfix"
    REWRITE = "refactor.rewrite"
    INLINE = "refactor.inline"


@dataclass(frozen=True, slots=True)
class CodeAction:
    """An action that is offered.

    Attributes
    ----------
    title
        Its text in the menu.
    kind
        What it does.
    compute
        Returns the edit of the document; raises `SdfViewerError` with a reason where it cannot be made.
    diagnostic
        The problem that it fixes.
    id
        Identifies it within the document, so that the edit can be asked for later.
    """

    title: str
    kind: ActionKind
    compute: Callable[[], Edit]
    diagnostic: Diagnostic | None = None
    id: str = ""


def quick_fixes(document: Document, diagnostics: Sequence[Diagnostic], start: int, end: int) -> Iterator[CodeAction]:
    """Yield the fixes of the problems between two offsets."""
    offered = set()
    for number, diagnostic in enumerate(diagnostics):
        span = diagnostic.span
        if span is None or span.path != document.name or span.start > end or span.end < start:
            continue
        for index, fix in enumerate(diagnostic.fixes):
            key = (fix.label, fix.replacements)
            if fix.path == document.name and key not in offered:
                offered.add(key)
                edit = Edit(fix.label, document, fix.replacements)
                id = f"fix:{number}:{index}"
                yield CodeAction(fix.label, ActionKind.QUICK_FIX, partial(_same, edit), diagnostic, id)


def refactorings(model: Model, loader: Loader, start: int, end: int) -> Iterator[CodeAction]:
    """Yield the refactorings for a range: those of the frame at its start, and those of the whole file."""
    document, on = model.document, EditContext(model, loader)
    row = row_at(model, start)
    if row is not None and row and model.sources[row] is None:
        yield from _retargetings(on, row)
    if not has_versions(document):
        return
    for each in OPERATIONS.values():
        if each.editor is not None and each.refusal(model, ()) is None:
            kind = ActionKind(each.editor.value)
            yield CodeAction(each.label, kind, partial(_edit_of, each, on, {}), id=each.name)
    for version in reversed(TARGETS):
        if version != model.version:
            written = format_version(version)
            compute = partial(_edit_of, OPERATIONS["change_version"], on, {"version": written})
            yield CodeAction(f"Convert to SDFormat {written}", ActionKind.REWRITE, compute, id=f"version:{written}")


def _edit_of(operation: Operation, on: EditContext, arguments: Mapping[str, object]) -> Edit:
    """Return the edit of an operation on one file."""
    return operation.perform(on, arguments).edit


def _retargetings(on: EditContext, row: int) -> Iterator[CodeAction]:
    """Yield the frames of the scope that the pose of a row can be measured from; the row itself does not move."""
    model, count = on.model, 0
    if not np.isfinite(model.X_RootF[row]).all():
        return  # what has no pose cannot keep it
    if why_read_only(model, row) is not None:
        return
    for target in ReferenceTargets(model, row, "relative_to"):
        if target.reason is not None or target.row == int(model.relative_to[row]):
            continue
        name = target.name
        title = f"Measure {model.local_names[row]} from {name} (keep its pose)"
        edit = partial(_edit_of, OPERATIONS["set_relative_to"], on, {"frame": model.names[row], "target": name})
        yield CodeAction(title, ActionKind.REWRITE, edit, id=f"from:{row}:{name}")
        count += 1
        if count == _MOST_TARGETS:
            return


def apply(action: CodeAction, document: Document) -> Edit:
    """Return the edit of an action.

    Raises
    ------
    SdfViewerError
        With the reason why it cannot be made, or that it would change nothing.
    """
    edit = action.compute()
    if document.edited(edit.replacements).text == document.text:
        raise SdfViewerError(f"“{action.title}” changes nothing in this file")
    return edit


def _same(edit: Edit) -> Edit:
    return edit


#: So many places of a fix are described.
_MOST_PLACES = 4


def describe_fix(text: str, fix: Fix) -> str:
    """Return the lines before and after a fix."""
    places: list[tuple[int, int, list[Replacement]]] = []
    for change in sorted(fix.replacements, key=lambda each: each.start):
        start = text.rfind("\n", 0, change.start) + 1
        end = text.find("\n", change.end)
        end = len(text) if end < 0 else end
        if places and start <= places[-1][1]:  # in lines that change already
            first, last, changes = places[-1]
            places[-1] = first, max(last, end), [*changes, change]
        else:
            places.append((start, end, [change]))
    lines = [fix.label]
    for start, end, changes in places[:_MOST_PLACES]:
        after, at = "", start
        for change in changes:
            after += text[at : change.start] + change.text
            at = change.end
        lines += [f"− {line.strip()}" for line in text[start:end].splitlines()]
        lines += [f"+ {line.strip()}" for line in (after + text[at:end]).splitlines()]
    if len(places) > _MOST_PLACES:
        lines.append(f"and {len(places) - _MOST_PLACES} more")
    return "\n".join(lines)
