"""Edits of what an included file writes, made where the user wants them: there, in the include, or as a frame of here.

An edit is computed in the model of the including file, as if what the include brings were written in it, see
:func:`~sdfviewer.formats.written_rows.in_included_file`. What it says of the included text can then be written in three
places, and each is a :class:`Way`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from sdfviewer import transforms
from sdfviewer.diagnostics import SdfViewerError, new_problems
from sdfviewer.document.document import Document
from sdfviewer.document.edits import (
    Edit,
    Replacements,
    element_source,
    insert_child,
    remove_element,
    replace_element,
    set_attribute,
)
from sdfviewer.document.element import Element
from sdfviewer.formats.load import Loader
from sdfviewer.formats.sdformat.params import included_model
from sdfviewer.formats.written_rows import IncludedDocument
from sdfviewer.model.comparison.frames import compare_models, farthest_first
from sdfviewer.model.model import Model
from sdfviewer.model.values import format_numbers
from sdfviewer.number_text import counted
from sdfviewer.refactoring.adding import free_name, insert_member
from sdfviewer.refactoring.composition.overriding import changed_elements, find_named, override, own_changes
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.pose_notation import Notation, numbers_of
from sdfviewer.refactoring.unmoved import with_files
from sdfviewer.transforms import Array

#: Decimals of metres and radians of a new frame.
_DECIMALS = 12
#: So many frames that move are named.
_MOST_NAMED = 3


class WrittenIn(Enum):
    """Where an edit of what an included file writes is made."""

    FILE = "in the included file"
    INCLUDE = "in the include"
    FRAME = "in a frame of this file"


@dataclass(frozen=True)
class Way:
    """One of the ways to make an edit of what an included file writes.

    Attributes
    ----------
    place
        Where it is made.
    edit
        What it does to the file itself; without replacements where only the included file changes.
    files
        What becomes of the included file, before and after.
    why
        Why it cannot be made so, empty where it can.
    """

    place: WrittenIn
    edit: Edit
    files: tuple[tuple[Document, Document], ...] = ()
    why: str = ""


def ways_of(edit: Edit, loader: Loader) -> tuple[Way, ...]:
    """Return the ways to make an edit of an :class:`~sdfviewer.formats.written_rows.IncludedDocument`, one a place.

    Parameters
    ----------
    loader
        Reads what the edit would do.
    """
    return (
        _made(WrittenIn.INCLUDE, edit, lambda: _in_include(edit)),
        _made(WrittenIn.FILE, edit, lambda: _in_file(edit)),
        _made(WrittenIn.FRAME, edit, lambda: _as_frame(edit, loader)),
    )


def _made(place: WrittenIn, edit: Edit, make: Callable[[], Way]) -> Way:
    try:
        return make()
    except SdfViewerError as error:
        return Way(place, Edit(edit.label, seen_in(edit).including.document, ()), why=str(error))


def seen_in(edit: Edit) -> IncludedDocument:
    """Return the included text that an edit is one of."""
    assert isinstance(edit.document, IncludedDocument)
    return edit.document


def as_seen(edit: Edit) -> Way:
    """Return the way to make an edit that shows here what it does: in the file, an include may hide that.

    Raises
    ------
    RefactoringError
        If it can be made neither in the include nor in the file.
    """
    try:
        return _in_include(edit)
    except SdfViewerError:
        return _in_file(edit)


def _in_include(edit: Edit) -> Way:
    return Way(WrittenIn.INCLUDE, override(edit))


# --- in the included file ------------------------------------------------------------------------------------------


def _in_file(edit: Edit) -> Way:
    seen = seen_in(edit)
    original, replacements = seen.original, edit.replacements
    if original.path is None:
        raise RefactoringError("what is included has no file")
    if original.text != seen.text:
        replacements = _carried_over(seen, seen.edited(edit.replacements), original)
    here = Edit(f"{edit.label} in {original.path.name}", seen.including.document, ())
    return Way(WrittenIn.FILE, here, ((original, original.edited(replacements)),))


def _carried_over(seen: Document, after: Document, original: Document) -> Replacements:
    """Return the edit of a file that does there what was done to its text as an include changes it.

    Raises
    ------
    RefactoringError
        If only the include writes what is edited.
    """
    edits: Replacements = ()
    model = included_model(original)
    for changed in changed_elements(seen, after, {}):
        old, new = changed.before, changed.after
        target = find_named(model, changed.path, changed.tag)
        around = find_named(model, changed.path[:-1])
        if new is None:
            edits += () if target is None else remove_element(original, target)
        elif old is None and around is not None:
            edits += insert_child(original, around, element_source(after, new))
        elif target is None or old is None:
            raise RefactoringError(f"only the include writes '{'::'.join(changed.path)}'; change it there")
        else:
            edits += _carried_into(original, target, old, new, after)
    return edits


def _carried_into(original: Document, target: Element, old: Element, new: Element, after: Document) -> Replacements:
    edits: Replacements = ()
    for name in dict.fromkeys((*old.attributes, *new.attributes)):
        if old.attributes.get(name) != new.attributes.get(name):
            edits += set_attribute(original, target, name, new.attributes.get(name))
    for before, child in own_changes(old, new):
        tag = (before or child or new).tag
        number = 0 if before is None else old.findall(tag).index(before)
        there = next(iter(target.findall(tag)[number:]), None)
        if child is None:
            edits += () if there is None else remove_element(original, there)
        elif there is None:
            edits += insert_child(original, target, element_source(after, child))
        else:
            edits += replace_element(original, there, element_source(after, child))
    return edits


# --- as a frame of this file -----------------------------------------------------------------------------------------


def _as_frame(edit: Edit, loader: Loader) -> Way:
    """Return the way that leaves what is included, and adds a frame where the edit would have put it."""
    seen = seen_in(edit)
    model, row = seen.including, _edited_row(edit)
    way = as_seen(edit)
    after = with_files(loader, [each for _, each in way.files]).load(model.document.edited(way.edit.replacements))
    if row is None or after is None or after.kinds != model.kinds:
        raise RefactoringError("a frame can only stand in for what is placed")
    if not np.isfinite(after.X_RootF[row]).all():
        raise RefactoringError("it would have no pose")
    base = row
    while not model.kinds[base].is_vertex:
        base = int(model.owners[base])
    include = model.include_of(row)
    owner = -1 if include is None else int(model.owners[include])
    if owner < 0:
        raise RefactoringError("the file has no model or world of its own that could hold a frame")
    measured, was_measured = (int(each.relative_to[row]) for each in (after, model))
    carried, was_carried = (int(each.attached_to[row]) for each in (after, model))
    if (measured, carried) == (was_measured, was_carried) and not any(
        change.row_after == row for change in compare_models(model, after)
    ):
        raise RefactoringError("nothing moves that a frame could stand in for")
    attached = base if carried == was_carried else carried
    reference = attached if measured == was_measured else measured
    names = [model.name_in(owner, each) for each in (attached, reference)]
    if names[0] is None or names[1] is None:
        raise RefactoringError("the file cannot name what the frame would be measured from")
    X_RF: Array = transforms.invert(model.X_RootF[reference]) @ after.X_RootF[row]
    numbers = [round(each, _DECIMALS) + 0.0 for each in numbers_of(X_RF, Notation.RADIANS)]
    fields = {"attached_to": names[0], "pose": format_numbers(numbers)}
    if reference != attached:
        fields["relative_to"] = names[1]
    name = free_name(model, owner, f"{model.local_names[row] or model.kinds[row].value}_here")
    return Way(WrittenIn.FRAME, insert_member(model, owner, "frame", name, **fields))


def _edited_row(edit: Edit) -> int | None:
    """Return the row that the first change of an edit is in."""
    seen = seen_in(edit)
    rows = {id(seen.including.elements[row]): row for row in seen.rows}
    for change in edit.replacements[:1]:
        around = (rows.get(id(element)) for element, *_ in reversed(seen.path_to(change.start, change.end)))
        return next((row for row in around if row is not None), None)
    return None


# --- what it does ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FileEffect:
    """What an edit does to one of the files that see it.

    Attributes
    ----------
    document
        The file.
    moved
        Scoped names of the frames that move by themselves, or come, the farthest first.
    along
        How many move with them.
    faults
        What would be wrong in it that is not wrong now.
    """

    document: Document
    moved: tuple[str, ...]
    along: int
    faults: tuple[str, ...]

    def __str__(self) -> str:
        """Return it in words."""
        if not self.moved:
            return "nothing moves" if not self.faults else self.faults[0]
        more = len(self.moved) - _MOST_NAMED
        names = ", ".join(self.moved[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        along = f", and {counted(self.along, 'frame')} with {'it' if len(self.moved) == 1 else 'them'}"
        return f"moves {names}{along if self.along else ''}"


def effect_of(way: Way, loader: Loader) -> FileEffect:
    """Return what a way to make an edit does to the file itself."""
    document = way.edit.document
    after = with_files(loader, [each for _, each in way.files])
    return _effect(loader, document, after, document.edited(way.edit.replacements))[1]


def users_of(
    change: tuple[Document, Document], others: Iterable[Document], loader: Loader, stopped: Callable[[], bool]
) -> list[FileEffect]:
    """Return what a change of a file does to those of others that include it, at once or through others.

    Parameters
    ----------
    change
        The file before and after.
    others
        What may include it.
    stopped
        Whether to give up: then users may be missing.
    """
    before, after = (with_files(loader, [each]) for each in change)
    path, users = change[0].path, list[FileEffect]()
    for other in others:
        if stopped():
            break
        model, effect = _effect(before, other, after, other)
        if model is not None and any(each.path == path for each in model.included_documents):
            users.append(effect)
    return users


def _effect(before: Loader, document: Document, after: Loader, changed: Document) -> tuple[Model | None, FileEffect]:
    """Return what a file means before, and what differs after."""
    old, problems = before.load_with_diagnostics(document)
    new, found = after.load_with_diagnostics(changed)
    frames = () if old is None or new is None else compare_models(old, new)
    moved = [each for each in frames if not each.is_harmless]
    own = farthest_first(moved)
    faults = tuple(each.message for each in new_problems(found, problems))
    return old, FileEffect(document, tuple(each.name for each in own), len(moved) - len(own), faults)
