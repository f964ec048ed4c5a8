"""Code actions: quick fixes of the problems in a range, and refactorings of a frame or of the whole file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from itertools import chain, islice
from typing import TypeAlias

import numpy as np

from sdfviewer.diagnostics import Diagnostic, Edge, Fix, Replacement, SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, Replacements
from sdfviewer.document.element import Element
from sdfviewer.formats.load import Loader
from sdfviewer.formats.registry import has_versions
from sdfviewer.formats.written_rows import expansion_of
from sdfviewer.language.names import row_written_at
from sdfviewer.language.text_map import difference
from sdfviewer.model import graph
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.targets import ReferenceTargets
from sdfviewer.operations.declaration import EditContext, Operation, Outcome
from sdfviewer.operations.table import OPERATIONS
from sdfviewer.refactoring.editable import why_read_only
from sdfviewer.refactoring.fix_offers import document_of_fix
from sdfviewer.refactoring.quick_fixes import pointers_of
from sdfviewer.versions import TARGETS, format_version

#: Operations that a link or joint is enough for, with the parameter that it is.
_ON_FRAMES = (
    ("compute_inertials", "links", Kind.LINK),
    ("mirror", "link", Kind.LINK),
    ("reverse_joint", "joint", Kind.JOINT),
)
#: Maximum number of frames that are offered to measure a pose from, or in place of one that is at fault.
_MOST_TARGETS = 12


class ActionKind(str, Enum):
    """What an action does; the value is its kind in the language server protocol."""

    QUICK_FIX = "quickfix"
    REWRITE = "refactor.rewrite"
    INLINE = "refactor.inline"


#: Edits of files that belong together.
Edits: TypeAlias = tuple[Edit, ...]


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
        Returns the edits of the document and of the other files that are written with it; raises `SdfViewerError` with
        a reason where they cannot be made.
    diagnostic
        The problem that it fixes.
    operation, arguments
        The operation that makes the edit, see :mod:`sdfviewer.operations`; empty where the edit is that of a fix.
    """

    title: str
    kind: ActionKind
    compute: Callable[[], Edits]
    diagnostic: Diagnostic | None = None
    operation: str = ""
    arguments: Mapping[str, object] = field(default_factory=dict)


def quick_fixes(document: Document, problems: Iterable[Diagnostic], model: Model | None = None) -> Iterator[CodeAction]:
    """Yield the fixes of some problems of a document, in it or in the files that xacro reads with it."""
    offered = set()
    for diagnostic in problems:
        for fix in diagnostic.fixes:
            key = (fix.label, fix.replacements)
            edits = edits_of_fix(document, model, fix)
            if edits and key not in offered:
                offered.add(key)
                made_by = (fix.operation, fix.arguments)
                yield CodeAction(fix.label, ActionKind.QUICK_FIX, partial(_same, edits), diagnostic, *made_by)


def edits_of_fix(document: Document, model: Model | None, fix: Fix) -> Edits:
    """Return the edits of a fix; none where it is for a file that is read by itself."""
    edited = document_of_fix(document, model, fix)
    return () if edited is None else (Edit(fix.label, edited, fix.replacements),)


def causes(diagnostics: Sequence[Diagnostic]) -> list[dict[str, object]]:
    """Return for each problem what it is about, as JSON has it: nothing of it changes where the text changes elsewhere.

    Of several that say the same, ``number`` counts those before.
    """
    found: list[dict[str, object]] = []
    counts: Counter[tuple[object, ...]] = Counter()
    for each in diagnostics:
        references = [{"frame": edge.frame, "attribute": edge.attribute, "axis": edge.axis} for edge in each.edges]
        key = (each.rule.name, each.message, each.marked)
        cause = {"rule": each.rule.name, "code": each.rule.code, "message": each.message}
        about = {"frames": [*each.marked], "references": references, "meant": [*each.meant], "number": counts[key]}
        found.append({**cause, **about})
        counts[key] += 1
    return found


def problem_of(diagnostics: Sequence[Diagnostic], cause: object) -> Diagnostic | None:
    """Return the problem that a cause of :func:`causes` is that of, None where it is no longer there."""
    return next((each for each, known in zip(diagnostics, causes(diagnostics), strict=True) if known == cause), None)


def other_frames(
    model: Model, loader: Loader, edges: Sequence[Edge], fixed: Collection[Replacements]
) -> Iterator[CodeAction]:
    """Yield what references that are at fault may name instead, beside what some fixes write."""
    yield from islice(_other_frames(EditContext(model, loader), edges, fixed), _MOST_TARGETS)


def _other_frames(on: EditContext, edges: Sequence[Edge], fixed: Collection[Replacements]) -> Iterator[CodeAction]:
    for pointer in pointers_of(on.model, edges):
        for target in pointer.targets(on.model):
            if target.reason is not None:
                continue
            name, arguments = pointer.operation(on.model, target.name)
            try:
                edits = _edits_of(OPERATIONS[name], on, arguments)
            except SdfViewerError:
                continue  # what holds the reference is not edited
            if edits and edits[0].replacements and edits[0].replacements not in fixed:
                title = f"Another frame: {pointer.label(on.model, target.name)}"
                same = partial(_same, edits)
                yield CodeAction(title, ActionKind.QUICK_FIX, same, operation=name, arguments=arguments)


def problems_between(
    document: Document, diagnostics: Sequence[Diagnostic], start: int, end: int
) -> Iterator[Diagnostic]:
    """Yield the problems of a document between two offsets."""
    for diagnostic in diagnostics:
        span = diagnostic.span
        if span is not None and span.path == document.name and span.start <= end and span.end >= start:
            yield diagnostic


def refactorings(model: Model, loader: Loader, start: int, *, everywhere: bool = True) -> Iterator[CodeAction]:
    """Yield the refactorings for a place: those of the frame there, and those of the whole file.

    Parameters
    ----------
    start
        The offset of the place.
    everywhere
        Whether they are requested by themselves. Else only those that fit the place: of a frame at its start tag or its
        pose, of the whole file at its root and at that of its model or world.
    """
    document, on = model.document, EditContext(model, loader)
    row = row_written_at(model, start)
    expanded = expansion_of(model)
    if row is not None and row and (model.sources[row] is None or expanded is not None):
        # What a xacro file writes says what can be edited, and the edit is made in the file.
        edited = model if expanded is None else loader.load_expansion(model)
        at_start, in_pose = _is_at_frame(model, row, start)
        if everywhere or at_start or in_pose:
            yield from _retargetings(on, edited, row, everywhere=everywhere)
        if everywhere or not in_pose:
            yield from _changes_of(on, edited, row)
    if not (everywhere or _is_at_root(model, start)):
        return
    for each in OPERATIONS.values():
        if each.editor is not None and each.refusal(model, ()) is None:
            kind = ActionKind(each.editor.value)
            yield CodeAction(each.label, kind, partial(_edits_of, each, on, {}), operation=each.name)
    if not has_versions(document):
        return
    for version in reversed(TARGETS):
        if version != model.version:
            written = format_version(version)
            change, arguments = OPERATIONS["change_version"], {"version": written}
            compute = partial(_edits_of, change, on, arguments)
            title = f"Convert to SDFormat {written}"
            yield CodeAction(title, ActionKind.REWRITE, compute, operation=change.name, arguments=arguments)


def _changes_of(on: EditContext, model: Model, row: int) -> Iterator[CodeAction]:
    """Yield what can be done to a link or joint without asking for more."""
    if why_read_only(model, row) is not None:
        return
    for name, parameter, kind in _ON_FRAMES:
        operation = OPERATIONS[name]
        if model.kinds[row] is kind and operation.refusal(model, (row,)) is None:
            own: object = model.names[row]
            arguments = {parameter: [own] if parameter.endswith("s") else own}
            title, edit = f"{operation.label} of {model.local_names[row]}", partial(_edits_of, operation, on, arguments)
            yield CodeAction(title, ActionKind.REWRITE, edit, operation=name, arguments=arguments)


def _is_at_start(document: Document, element: Element, offset: int) -> bool:
    start = document.offset(element)
    return start <= offset <= start + element.start_length


def _is_at_frame(model: Model, row: int, offset: int) -> tuple[bool, bool]:
    """Return whether an offset is at the start tag of a frame, and whether it is in its pose."""
    element = model.elements[row]
    if (expanded := expansion_of(model)) is not None:
        source = expanded.source_of(element)
        if source is None or source[0].name != model.document.name:
            return False, False
        element = source[1]
    pose = element.find("pose") or element.find("origin")
    places = [model.document.offset(pose)] if pose is not None else []
    in_pose = pose is not None and places[0] <= offset <= places[0] + pose.length
    return _is_at_start(model.document, element, offset), in_pose


def _is_at_root(model: Model, offset: int) -> bool:
    own = model.elements[0] if model.sources[0] is None else None  # else another file writes it
    tops = (model.document.root, own)
    return any(_is_at_start(model.document, each, offset) for each in tops if each is not None)


def _edits_of(operation: Operation, on: EditContext, arguments: Mapping[str, object]) -> Edits:
    """Return the edits of an operation: of the file, where it changes, and of others that are written with it."""
    return edits_of(operation.perform(on, arguments))


def edits_of(done: Outcome) -> Edits:
    """Return the edits of what an operation does: of the file, where it changes, and of others that are there already.

    Raises
    ------
    EditError
        If it writes new files.
    """
    if done.copies or any(each.before is None for each in done.files):
        return (done.only_edit,)
    edits = [done.edit] if done.edit.replacements or not done.files else []
    for each in done.files:
        assert each.before is not None
        change = difference(each.before.text, each.after.text)
        edits.append(Edit(done.edit.label, each.before, () if change is None else (change,)))
    return tuple(edits)


def _retargetings(on: EditContext, model: Model, row: int, *, everywhere: bool) -> Iterator[CodeAction]:
    """Yield the frames of the scope that the pose of a row can be measured from; the row itself does not move.

    Those that it has to do with come first. The others are offered only `everywhere`.
    """
    if not np.isfinite(model.X_RootF[row]).all():
        return  # what has no pose cannot keep it
    if why_read_only(model, row) is not None:
        return
    targets, current = ReferenceTargets(model, row, "relative_to"), int(model.relative_to[row])
    near = [each for each in _rows_near(model, row) if each != current and targets.refusal(each) is None]
    others = (each.row for each in targets if each.reason is None and each.row != current and each.row not in near)
    for target in islice(chain(near, others if everywhere else ()), _MOST_TARGETS):
        name = targets.name_of(target)
        title = f"Measure {model.local_names[row]} from {name} (keep its pose)"
        measure, arguments = OPERATIONS["set_relative_to"], {"frame": model.names[row], "target": name}
        edits = partial(_edits_of, measure, on, arguments)
        yield CodeAction(title, ActionKind.REWRITE, edits, operation=measure.name, arguments=arguments)


def _rows_near(model: Model, row: int) -> list[int]:
    """Return the frames behind the pose of a row, the one that it is attached to, and the ends of its joints."""
    behind = graph.chain(model.relative_to, row)[1:]
    joints = [each for each in model.joints if row in (each.row, each.parent, each.child)]
    around = (int(model.attached_to[row]), *(end for each in joints for end in (each.parent, each.child, each.row)))
    return [each for each in dict.fromkeys((*reversed(behind), *around)) if each >= 0 and each != row]


def perform(model: Model, loader: Loader, operation: str, arguments: Mapping[str, object]) -> Edits:
    """Return the edits of an operation that was offered.

    Raises
    ------
    SdfViewerError
        With the reason why it cannot be made.
    """
    known = OPERATIONS.get(operation)
    if known is None:
        raise SdfViewerError(f"there is no operation '{operation}'")
    return _edits_of(known, EditContext(model, loader), arguments)


def _same(edits: Edits) -> Edits:
    return edits


#: Maximum number of places that the description of a fix lists.
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
