"""Edits of what a xacro file writes, made in the files that it is written in.

An edit is computed from the expansion, as from any other file. Each value that it changes goes back to where that
comes from, see :mod:`sdfviewer.formats.xacro.write_back`; new elements go into the element that the one around them is
written as. Then the files are evaluated again: an edit whose result differs from what was wanted is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.display_text import as_sentence
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.document.element import Element
from sdfviewer.files.paths import real_path
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.formats.written_rows import expansion_of
from sdfviewer.formats.xacro.expansion import XacroExpansion
from sdfviewer.formats.xacro.structure import structure_back
from sdfviewer.formats.xacro.write_back import (
    ChangedPart,
    PlaceKind,
    SourceChange,
    WriteBack,
    WriteChoice,
    along_in_words,
    changed_words,
    describe_value,
    merged,
    write_back,
)
from sdfviewer.model import graph
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError

#: Elements in that of a row whose values place the row: in URDF, and in SDFormat.
_PLACING = ("origin", "parent", "pose")


class PlacedRows:
    """Which rows of a model move where values of its expansion change: those that they place, and what hangs on them.

    Parameters
    ----------
    model
        The model of a xacro file.
    expanded
        What the file writes.
    """

    def __init__(self, model: Model, expanded: XacroExpansion) -> None:
        self._model, self._expanded = model, expanded
        self._rows = {id(element): row for row, element in enumerate(model.elements)}

    def row(self, value: tuple[Element, str]) -> int | None:
        """Return the row that a value places, None where it places none."""
        element, part = value
        is_new = part.startswith(ChangedPart.CHILD)
        tag, around = (part[1:], element) if is_new else (element.tag, self._expanded.parent(element))
        return None if around is None or tag not in _PLACING else self._rows.get(id(around))

    def moved(self, values: Iterable[tuple[Element, str]]) -> frozenset[int]:
        """Return the rows that move with values."""
        placed = [row for row in map(self.row, values) if row is not None]
        return frozenset(graph.dependents(self._model.relative_to, placed).tolist()) if placed else frozenset()


#: So many values that change along are named.
_MOST_NAMED = 8


@dataclass(frozen=True)
class WaysBack:
    """How an edit of an expansion can be written back.

    Attributes
    ----------
    edit
        The edit.
    model
        The model of the xacro file.
    expanded
        The expansion.
    values
        The ways of each value that changes.
        What is added and removed is one of them where there are several ways for it.
    structure
        What adds and removes elements and attributes, for which there is one way.
    meant
        The values that the edit changes, elements that it removes and elements to which it adds something.
    """

    edit: Edit
    model: Model
    expanded: XacroExpansion
    values: tuple[WriteBack, ...]
    structure: tuple[SourceChange, ...]
    meant: tuple[tuple[Element, str], ...]

    def merged(self, picked: Sequence[WriteChoice]) -> WriteChoice | None:
        """Return a way of each value as one; None where they need different texts at one place."""
        return merged([*picked, *(WriteChoice((change,)) for change in self.structure)])

    def chosen(self, where: Sequence[str] = ()) -> WriteChoice:
        """Return the ways that words name, see :meth:`.WriteBack.chosen`, as one.

        Raises
        ------
        WriteBackError
            If a value has none, or several and none of them is chosen.
        RefactoringError
            If they need different texts at one place.
        """
        choice = self.merged([each.chosen(where) for each in self.values])
        if choice is None:
            raise RefactoringError("the values would need different texts at one place; change one of them at a time")
        return choice

    @property
    def smallest(self) -> tuple[WriteChoice, ...]:
        """The way of each value that changes least: what is changed for another value anyway, else what moves least.

        Of those that move as much, ways that keep expressions come first, then those that change the fewest values.

        Raises
        ------
        WriteBackError
            If a value has none.
        """
        found: list[WriteChoice] = []
        known: set[SourceChange] = set()
        for each in self.values:
            choices = each.possible
            fitting = [choice for choice in choices if known.issuperset(choice.changes)]
            fitting = fitting or [choice for choice in choices if merged([*found, choice]) is not None]
            found.append(min(fitting or choices, key=self._size))
            known.update(found[-1].changes)
        return tuple(found)

    @property
    def for_all(self) -> WriteChoice | None:
        """The ways that change least, but in macros for all calls, as one; None where they exclude one another.

        Raises
        ------
        WriteBackError
            If a value has none.
        """
        in_macros = [
            next((each for each in value.possible if any(one.kind == PlaceKind.MACRO for one in each.changes)), least)
            for value, least in zip(self.values, self.smallest, strict=True)
        ]
        return self.merged(in_macros)

    def along(self, choice: WriteChoice) -> tuple[tuple[Element, str], ...]:
        """Return the values that change with a choice although the edit does not change them."""
        meant = {(id(element), part) for element, part in self.meant}
        return tuple(value for value in choice.values if (id(value[0]), value[1]) not in meant)

    @cached_property
    def _placed(self) -> PlacedRows:
        return PlacedRows(self.model, self.expanded)

    @cached_property
    def _moved(self) -> frozenset[int]:
        return self._placed.moved(self.meant)

    def moved_along(self, choice: WriteChoice) -> tuple[int, ...]:
        """Return the rows that move with a choice although the edit does not move them."""
        return tuple(sorted(self._placed.moved(self.along(choice)) - self._moved))

    def _size(self, choice: WriteChoice) -> tuple[int, bool, int, int, bool]:
        """Return how much a choice changes."""
        moved, along = len(self.moved_along(choice)), len(self.along(choice))
        return moved, choice.rewrites, along, len(choice.changes), not choice.is_exact

    @property
    def is_clear(self) -> bool:
        """Whether there is one way, which keeps all expressions and changes nothing along."""
        only = [each.possible for each in self.values]
        return all(len(choices) == 1 and not choices[0].rewrites and not self.along(choices[0]) for choices in only)

    def written(self, document: Document, choice: WriteChoice) -> Edit:
        """Return the edit that a choice makes of the xacro file itself; it may change other files too."""
        return replace(self.edit, document=document, replacements=choice.replacements_in(document))


def ways_back(model: Model, edit: Edit) -> WaysBack:
    """Return how an edit of the expansion of a model can be written back.

    Raises
    ------
    WriteBackError
        If a value is not written in a source file at all, or what is added or removed is made by an expression.
    """
    expanded, found = _compared(edit)
    values = tuple(write_back(expanded, element, part, value) for element, part, value in found.values)
    structure = structure_back(expanded, found.after, found.attributes, found.inserted, found.removed)
    ways = (*values, *([structure.shared] if structure.shared is not None else []))
    meant = (*((element, part) for element, part, _ in found.values), *structure.meant)
    return WaysBack(edit, model, expanded, ways, structure.changes, meant)


def write_edit_back(
    model: Model, loader: Loader, edit: Edit, where: Sequence[str] = (), choice: WriteChoice | None = None
) -> tuple[Edit, tuple[tuple[Document, Document], ...]]:
    """Return what an edit of the expansion of a model does to the files that it is written in.

    The edit of the file itself, which may be empty, comes first; its notes say where the changes are, and what changes
    along. Then come other files, before and after.

    Parameters
    ----------
    model
        The model of the xacro file.
    loader
        Reads the files again.
    edit
        The edit of the expansion.
    where
        Where values go that can go to several places, see :meth:`.SourceChange.matches`.
    choice
        All changes, where they were chosen already; see :meth:`WaysBack.merged`.

    Raises
    ------
    WriteBackError
        If a value can go to several places, or nowhere.
    RefactoringError
        If something cannot be written back, or the result is not what is wanted.
    """
    ways = ways_back(model, edit)
    expanded, document = ways.expanded, model.document
    choice = choice or ways.chosen(where)
    files = choice.other_files(document)
    written = ways.written(document, choice)
    result, errors = _evaluated(loader, document.edited(written.replacements), files)
    also = [each for change in choice.changes for each in change.also]
    if also:
        _require_errors_of(errors, _errors(loader, document), _errors(loader, expanded.edited(edit.replacements)))
    along = _check(expanded, expanded.edited([*edit.replacements, *also]), result)
    notes = [as_sentence(change.describe()) for change in choice.changes]
    if also:
        along += ways.along(choice)
    notes += map(as_sentence, along_in_words(expanded, along, _MOST_NAMED))
    return replace(written, notes=(*edit.notes, *notes)), files


def _evaluated(
    loader: Loader, document: Document, files: Sequence[tuple[Document, Document]]
) -> tuple[XacroExpansion, list[Diagnostic]]:
    """Return the expansion of files after an edit, and its errors."""
    instead = {**loader.instead, **{real_path(after.path): after for _, after in files if after.path is not None}}
    model, diagnostics = Loader(loader.finder, instead, loader.expander).load_with_diagnostics(document)
    expanded = None if model is None else expansion_of(model)
    if expanded is None:
        raise RefactoringError(f"the file could not be evaluated then: {why_not_loaded(diagnostics)}")
    return expanded, [each for each in diagnostics if each.is_error]


def _errors(loader: Loader, document: Document) -> list[Diagnostic]:
    return [each for each in loader.load_with_diagnostics(document)[1] if each.is_error]


def _require_errors_of(errors: Sequence[Diagnostic], before: Sequence[Diagnostic], meant: Sequence[Diagnostic]) -> None:
    """Refuse errors of a kind that neither the file has nor what was meant brings about by itself."""
    messages, rules = {each.message for each in before}, {each.rule for each in meant}
    for each in errors:
        if each.message not in messages and each.rule not in rules:
            raise RefactoringError(f"the file would have a new problem then: {each.message}")


# --- what an edit changes --------------------------------------------------------------------------------------------


@dataclass
class _Differences:
    """What an edit changes in an expansion."""

    after: Document
    values: list[tuple[Element, str, str]] = field(default_factory=list)
    attributes: list[tuple[Element, str, str | None]] = field(default_factory=list)
    inserted: list[tuple[Element, Element, Element | None]] = field(default_factory=list)
    removed: list[Element] = field(default_factory=list)


def _compared(edit: Edit) -> tuple[XacroExpansion, _Differences]:
    expanded = edit.document
    assert isinstance(expanded, XacroExpansion)
    after = expanded.edited(edit.replacements)
    if after.root is None or expanded.root is None:
        raise RefactoringError("the edit leaves no XML")
    found = _Differences(after)
    _compare(expanded.root, after.root, found)
    return expanded, found


def _compare(old: Element, new: Element, found: _Differences) -> None:
    """Note what differs between two elements; what an edit does not touch is the same object."""
    if old is new:
        return
    for name in dict.fromkeys((*old.attributes, *new.attributes)):
        before, after = old.attributes.get(name), new.attributes.get(name)
        if before is None or after is None:
            found.attributes.append((old, name, after))
        elif changed_words(before, after):
            found.values.append((old, f"@{name}", after))
    if changed_words(old.text, new.text):
        found.values.append((old, "text", new.text.strip()))
    kept = {id(child) for child in new.children}
    stays = {id(child) for child in old.children if id(child) in kept}
    old_runs, new_runs = _runs(old.children, stays), _runs(new.children, stays)
    for (olds, following), (news, _) in zip(old_runs, new_runs, strict=True):
        if [each.tag for each in olds] == [each.tag for each in news]:
            for one, other in zip(olds, news, strict=True):
                _compare(one, other, found)
            continue
        pairs, rest = _paired(olds, news)
        for one, other in pairs:
            _compare(one, other, found)
        found.removed += [each for each in olds if all(each is not one for one, _ in pairs)]
        found.inserted += [(old, each, following) for each in rest]


def _runs(children: Sequence[Element], stays: set[int]) -> list[tuple[list[Element], Element | None]]:
    """Return the children between those that stay, and which one follows."""
    runs: list[tuple[list[Element], Element | None]] = [([], None)]
    for child in children:
        if id(child) in stays:
            runs[-1] = runs[-1][0], child
            runs.append(([], None))
        else:
            runs[-1][0].append(child)
    return runs


def _paired(olds: Sequence[Element], news: Sequence[Element]) -> tuple[list[tuple[Element, Element]], list[Element]]:
    """Return which elements are the same by tag and name, and which are new."""
    waiting, pairs, rest = list(olds), list[tuple[Element, Element]](), list[Element]()
    for new in news:
        same = next((each for each in waiting if _key(each) == _key(new)), None)
        if same is None:
            rest.append(new)
        else:
            waiting.remove(same)
            pairs.append((same, new))
    return pairs, rest


def _key(element: Element) -> tuple[str, str]:
    """Return the tag of an element, and its name or what it is about: a ``<gazebo>`` has no name."""
    return element.tag, element.attributes.get("name") or element.attributes.get("reference", "")


# --- what came of it -------------------------------------------------------------------------------------------------


def _check(before: XacroExpansion, wanted: Document, result: XacroExpansion) -> list[tuple[Element, str]]:
    """Return the values that have changed although they were not meant to.

    Raises
    ------
    RefactoringError
        If a value that was meant to change is not what was wanted.
    """
    assert before.root is not None
    assert wanted.root is not None
    assert result.root is not None
    old_values, asked_values = [*_values(before.root)], [*_values(wanted.root)]
    by_name = [key for key, *_ in old_values] != [
        key for key, *_ in asked_values
    ]  # new ones may be elsewhere among them
    if by_name:
        old_values, asked_values = [*_values(before.root, by_name=True)], [*_values(wanted.root, by_name=True)]
    old = {key: (element, part, value) for key, element, part, value in old_values}
    asked = {key: value for key, _, _, value in asked_values}
    results = [*_values(result.root, by_name=by_name)]
    along: list[tuple[Element, str]] = []
    for key, element, part, value in results:
        if key in asked and not _differ(value, asked[key]):
            continue
        known = old.get(key)
        if known is not None and key in asked and not _differ(known[2], asked[key]):
            along.append(known[:2])
            continue
        what = describe_value(result, element, part)
        if key in asked:
            raise RefactoringError(f"{what} would be '{value}' instead of '{asked[key]}'")
        raise RefactoringError(f"{what} would be there too")
    if double := next(iter(_named_twice(result.root) - _named_twice(wanted.root)), None):
        raise RefactoringError("there would be more than one <{}> named '{}'".format(*double))
    missing = asked.keys() - {key for key, *_ in results}
    if missing:
        raise RefactoringError(f"{len(missing)} values would be missing, such as {'/'.join(map(str, min(missing)))}")
    return along


def _named_twice(root: Element) -> set[tuple[str, str]]:
    """Return the tags and names that several children of an element have."""
    names = Counter((each.tag, each.attributes["name"]) for each in root.children if "name" in each.attributes)
    return {key for key, count in names.items() if count > 1}


def _values(root: Element, *, by_name: bool = False) -> Iterator[tuple[tuple[str, ...], Element, str, str]]:
    """Yield the values below an element, each with the way to it: by names where that does not depend on the order."""
    waiting: list[tuple[Element, tuple[str, ...]]] = [(root, ())]
    while waiting:
        each, at = waiting.pop()
        for name, value in each.attributes.items():
            yield (*at, f"@{name}"), each, f"@{name}", value
        yield (*at, "text"), each, "text", each.text
        counts: dict[str, int] = {}
        for child in each.children:
            key = " ".join(_key(child)) if by_name else child.tag
            counts[key] = counts.get(key, 0) + 1
            waiting.append((child, (*at, f"{key}[{counts[key]}]")))


def _differ(a: str, b: str) -> bool:
    """Return whether two values differ by more than the rounding of some operations."""
    for one, other in zip_longest(a.split(), b.split()):
        if one is None or other is None:
            return True
        if one != other:
            try:
                if abs(float(one) - float(other)) > 1e-12 * max(abs(float(one)), 1.0):
                    return True
            except ValueError:
                return True
    return False
