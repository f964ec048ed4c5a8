"""The item model of the tree, whose items persist across edits."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, groupby, islice
from operator import itemgetter, ne
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QIcon

from sdfviewer.computed import equal_at_end, first_difference
from sdfviewer.diagnostics import SEVERITY_RANK, Diagnostic, Severity
from sdfviewer.display_text import NO_NAME
from sdfviewer.document.element import Element
from sdfviewer.gui.kit.icons import icon, inside_icon, kind_icon, severity_icon
from sdfviewer.gui.kit.pyside import raises_nothing
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.tree.listing import TOP, TreeArrangement, TreeOrder, arrange
from sdfviewer.model.kinds import SHAPED, Kind
from sdfviewer.model.model import Model
from sdfviewer.model.scope import FailedInclude
from sdfviewer.number_text import counted
from sdfviewer.refactoring.inertia import MeshBody, no_mesh
from sdfviewer.refactoring.parts import partners, what_follows

Index = QModelIndex | QPersistentModelIndex

NOTE = Qt.ItemDataRole.UserRole + 1
"""The grey text after a name."""
ROW = Qt.ItemDataRole.UserRole + 2
"""Row of the frame table."""
IS_HIDDEN = Qt.ItemDataRole.UserRole + 3
"""Whether something is hidden in the 3D view; of the column `EYE`."""

BADGE, EYE = 1, 2
"""Columns: the problems of a frame, and whether it is visible."""

OUTSIDE = "Outside of its limits."
"""The message about a joint whose position its limits do not allow."""

#: The item around all others.
_NOBODY = 0
#: The item around those that are not in the tree.
_LEFT_OUT = -1


class FrameTreeModel(QAbstractItemModel):
    """Each row of the frame table under the thing that it is written in, or in another order.

    Rows of the table change their numbers when elements are added or removed; an item keeps its number as long as
    the thing lives, so that a view keeps what is expanded, selected and scrolled to. Includes that bring nothing are
    painted like what cannot be resolved.

    Parameters
    ----------
    mesh_body
        Returns the body of a mesh where it is known, see `refactoring.inertia`.
    """

    #: Rows are painted differently now: their problems, their colours, what is hidden. Names have `dataChanged`.
    marks_changed = Signal()

    def __init__(self, parent: QObject | None = None, mesh_body: MeshBody = no_mesh) -> None:
        super().__init__(parent)
        self.model: Model | None = None
        self.order = TreeOrder.WRITTEN
        self.kinds: frozenset[Kind] | None = None
        self._arrangement = TreeArrangement(np.zeros(0, np.int64))
        self._fresh = count(1)
        self._items = array("q")
        #: The row of each item from the first one on, -1 of those that are gone.
        self._rows, self._first = array("q"), 1
        self._children: dict[int, list[int]] = {_NOBODY: [], _LEFT_OUT: []}
        self._parents: dict[int, int] = {}
        self._positions: dict[int, int] = {}
        self._failed: Mapping[int, FailedInclude] = {}
        self._problems: dict[str, list[tuple[Severity, str]]] = {}
        #: The worst error or warning in all that is written in a frame, by its scoped name.
        self._inside: dict[str, Severity] = {}
        #: Whether a view hides what is in a row.
        self.is_folded: Callable[[Index], bool] = lambda _index: False
        self._canonical: set[int] = set()
        self._overridden: frozenset[int] = frozenset()
        #: Whether the rows are not those of the file in its order, so that the next model is placed as a whole, too.
        self._places_all = False
        #: What is said of the position of a joint, by its row.
        self.position_of: Callable[[int], str] = lambda _row: ""
        self._mesh_body = mesh_body
        self._answers: dict[int, Callable[[int], object]] = {
            Qt.ItemDataRole.DisplayRole: self._name,
            Qt.ItemDataRole.DecorationRole: self._icon,
            Qt.ItemDataRole.ForegroundRole: self._foreground,
            Qt.ItemDataRole.ToolTipRole: self._describe,
            Qt.ItemDataRole.AccessibleTextRole: self._spoken,
            NOTE: self._note,
            ROW: lambda row: row,
        }
        #: What is painted of the rows beside their kinds and names.
        self._marks: tuple[object, ...] = ()
        # What follows each shape that has been asked for, by its row.
        self._parts: dict[int, str] = {}
        self._unresolved: NDArray[np.bool_] = np.zeros(0, dtype=bool)
        self._hidden: NDArray[np.bool_] = np.zeros(0, dtype=bool)
        #: The rows of the joints that are outside of their limits now.
        self._outside: frozenset[int] = frozenset()

    # --- following the file ----------------------------------------------------------------------------------------

    def show_model(self, model: Model) -> Sequence[int]:
        """Show another model, and return the rows of it that are new to the views."""
        before, arrangement = self.model, arrange(model, self.order, self.kinds)
        is_as_before, self._arrangement = arrangement.is_as(self._arrangement), arrangement
        if before is not None and before.kinds == model.kinds and is_as_before:
            self._take(model)
            if before.local_names != model.local_names:
                for row in np.flatnonzero([*map(ne, before.local_names, model.local_names)]).tolist():
                    index = self.index_of(row)
                    if not index.isValid():
                        continue
                    # A name reaches into the columns behind it.
                    self.dataChanged.emit(index, index.siblingAtColumn(EYE))
            return ()
        kept = _kept_rows(before, model) if before is not None and arrangement.parents is model.owners else None
        if kept is None or self._places_all:
            self._place_all(model)
            return range(len(model))
        last = self._items
        stay = {row for row in kept.middle if row >= 0}
        self._remove({last[row] for row in range(kept.start, len(last) - kept.end) if row not in stay})
        items = last[: kept.start]
        items.extend(last[row] if row >= 0 else next(self._fresh) for row in kept.middle)
        items += last[len(last) - kept.end :]
        new = [row for row, old in enumerate(kept.middle, kept.start) if old < 0]
        self._place(model, items, new)
        self._insert(new)
        if not self._is_in_order(model):
            self._place_all(model)
            return range(len(model))
        return new

    def _is_in_order(self, model: Model) -> bool:
        """Return whether what is beside an include that brings nothing is where it is written: an edit may move it."""
        owners = {int(model.owners[row]) for row in model.failed_includes}
        siblings = (self._children[self._items[owner]] for owner in owners if owner >= 0)
        return all(list(map(self._order, items)) == sorted(map(self._order, items)) for items in siblings)

    def arrange(self, order: TreeOrder, kinds: frozenset[Kind] | None) -> None:
        """Show the rows in another order, or those of other kinds; None for those that the order shows."""
        if (order, kinds) == (self.order, self.kinds):
            return
        self.order, self.kinds = order, kinds
        if self.model is not None:
            self._arrangement = arrange(self.model, order, kinds)
            self._place_all(self.model)

    def _place_all(self, model: Model) -> None:
        """Place all rows, whatever was there before."""
        self.beginResetModel()
        self._places_all = self._arrangement.parents is not model.owners
        self._first += len(self._rows)  # the numbers of former items mean nothing
        self._fresh = count(self._first)
        self._children, self._parents, self._positions = {_NOBODY: [], _LEFT_OUT: []}, {}, {}
        self._place(model, array("q", islice(self._fresh, len(model))), range(len(model)))
        children, positions, ranks = self._children, self._positions, self._arrangement.ranks
        items: Iterable[int] = self._items
        if ranks is not None:
            items = np.frombuffer(self._items, np.int64)[np.argsort(ranks, kind="stable")].tolist()
        for item in items:
            siblings = children[self._parents[item]]
            positions[item] = len(siblings)
            siblings.append(item)
        self.endResetModel()

    def _place(self, model: Model, items: array[int], new: Sequence[int]) -> None:
        """Update the items of the rows and their marks; items of new rows are not in the tree yet."""
        self._items = items
        numbers = np.frombuffer(items, np.int64) - self._first
        rows = np.full(int(numbers.max()) + 1, -1)
        rows[numbers] = np.arange(len(items))
        self._rows = array("q", rows.tobytes())
        added = [items[row] for row in new]
        parents = self._arrangement.parents[np.array(new, np.intp)]
        outside = np.where(parents == TOP, _NOBODY, _LEFT_OUT)
        found = np.where(parents >= 0, np.frombuffer(items, np.int64)[np.maximum(parents, 0)], outside)
        self._parents.update(zip(added, found.tolist(), strict=True))
        self._children.update((item, []) for item in added)
        self._take(model)

    def _number(self, siblings: list[int], start: int = 0) -> None:
        self._positions.update(zip(siblings[start:], range(start, len(siblings)), strict=True))

    def _remove(self, gone: set[int]) -> None:
        """Take items out, with all in them."""
        for parent in {self._parents[item] for item in gone} - gone:
            siblings = self._children[parent]
            places = sorted(self._positions[item] for item in gone if self._parents[item] == parent)
            # From the end, so that earlier positions stay valid.
            for first, last in reversed(list(_runs(places))):
                self.beginRemoveRows(self._index(parent), first, last)
                del siblings[first : last + 1]
                self._number(siblings, first)
                self.endRemoveRows()
        for item in gone:
            del self._parents[item], self._positions[item]
            self._children.pop(item, None)

    def _insert(self, rows: list[int]) -> None:
        """Put the items of new rows where they belong, each with all in it."""
        new = {self._items[row] for row in rows}
        outermost = []
        for item in sorted((self._items[row] for row in rows), key=self._order):
            parent = self._parents[item]
            if parent in new:
                self._positions[item] = len(self._children[parent])
                self._children[parent].append(item)
            else:
                place = bisect_left(self._children[parent], self._order(item), key=self._order)
                outermost.append((parent, place, item))
        # From the end, so that earlier positions stay valid.
        for (parent, first), group in reversed([(key, [*run]) for key, run in groupby(outermost, itemgetter(0, 1))]):
            self.beginInsertRows(self._index(parent), first, first + len(group) - 1)
            self._children[parent][first:first] = [item for _, _, item in group]
            self._number(self._children[parent], first)
            self.endInsertRows()

    def forget_parts(self) -> None:
        """Find out again what is one part with each row, as the bodies of more meshes are known."""
        self._parts.clear()

    def _take(self, model: Model) -> None:
        """Update the marks of the rows, and report whether one has changed."""
        # What follows from a shape is written in its link. Only what has been asked for can be in sight.
        before = self.model
        is_other = before is not None and any(
            row >= len(model) or _link_around(before, row) is not _link_around(model, row) for row in self._parts
        )
        self.model, self._parts = model, {}
        self._unresolved, self._failed = ~model.is_resolved, model.failed_includes
        self._canonical = set(model.canonical_links.values())
        self._overridden = _overridden(model)
        types = [self.model.elements[joint.row].attributes.get("type", "") for joint in model.joints]
        missing = [(row, failed.uri, failed.problems) for row, failed in self._failed.items()]
        marks = (self._unresolved.tobytes(), self._canonical, self._overridden, types, missing)
        if is_other or marks != self._marks:
            self._marks = marks
            self.marks_changed.emit()

    # --- the tree --------------------------------------------------------------------------------------------------

    def with_children(self, rows: Iterable[int]) -> list[int]:
        """Return those of some rows of the frame table in which anything is written."""
        items, children = self._items, self._children
        return [row for row in rows if children[items[row]]]

    def row_of(self, index: Index) -> int:
        """Return the row of the frame table behind an index, -1 where it is that of none."""
        return self._row(index.internalId()) if index.isValid() else -1

    def _order(self, item: int) -> float:
        row, ranks = self._row(item), self._arrangement.ranks
        return row if ranks is None else float(ranks[row])

    def _row(self, item: int) -> int:
        number = item - self._first
        return self._rows[number] if 0 <= number < len(self._rows) else -1

    def index_of(self, row: int) -> QModelIndex:
        """Return the index of a row of the frame table, an invalid one where it is not in the tree."""
        return self._index(self._items[row])

    def _index(self, item: int) -> QModelIndex:
        if item == _NOBODY or self._parents[item] == _LEFT_OUT:
            return QModelIndex()
        return self.createIndex(self._positions[item], 0, item)

    def _siblings(self, parent: Index) -> list[int]:
        return self._children.get(parent.internalId(), [])  # an invalid index has the identity of no row

    @raises_nothing
    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        # A view that lays out thousands of rows asks for each: no further function is called.
        children = self._children.get(parent.internalId(), ())
        return self.createIndex(row, column, children[row]) if 0 <= row < len(children) else QModelIndex()

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        return self._index(self._parents.get(index.internalId(), _NOBODY)) if index.isValid() else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.column() > 0 else len(self._siblings(parent))

    @raises_nothing
    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        # Without this, a view that lays out thousands of rows asks for the numbers of rows and columns of each.
        return bool(self._children.get(parent.internalId())) and parent.column() <= 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return ("Frame", "Problems", "Visible")[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_of(index)
        if self.model is None or row < 0:
            return None
        if index.column() == BADGE:
            return self._badge(row, role)
        if index.column() == EYE:
            return self._eye(row, role)
        answer = self._answers.get(role)
        return None if answer is None else answer(row)

    def _icon(self, row: int) -> QIcon:
        assert self.model is not None
        return kind_icon(self.model.kinds[row].value, resolved=not self._is_grey(row))

    def _name(self, row: int) -> str:
        assert self.model is not None
        return self._failed[row].name or "include" if row in self._failed else self.model.label(row)

    def _is_grey(self, row: int) -> bool:
        return bool(self._unresolved[row]) or row in self._failed

    def _foreground(self, row: int) -> QColor | None:
        return QColor(tokens().disabled) if self._is_grey(row) else None

    def _spoken(self, row: int) -> str:
        assert self.model is not None
        if row in self._failed:
            return f"{self._include(row)}, not included"
        return f"{self.model.kinds[row].value} {self.model.local_names[row] or NO_NAME}"

    def _note(self, row: int) -> str:
        assert self.model is not None
        kind = self.model.kinds[row]
        if row in self._failed:
            return "not included"
        if not self.model.local_names[row]:
            return NO_NAME
        words = ["overridden"] * (row in self._overridden)
        if kind is Kind.JOINT:
            words = [self.model.elements[row].attributes.get("type", ""), self.position_of(row), *words]
        elif kind is Kind.LINK and row in self._canonical:
            words = ["canonical", *words]
        return " ".join(filter(None, words))

    def _include(self, row: int) -> str:
        """Return what a missing model is an include of, and in which file."""
        failed = self._failed[row]
        what = f"include of {failed.uri}" if failed.uri else "include"
        return what if failed.source is None else f"{what} in {failed.source.name}"

    def _describe(self, row: int) -> str:
        assert self.model is not None
        if row in self._failed:
            return "\n".join((self._include(row), *dict.fromkeys(message for _, message in self._said(row))))
        kind, has_name = self.model.kinds[row].value, bool(self.model.local_names[row])
        what = (self._note(row), kind, self.model.shown_name(row)) if has_name else (kind, NO_NAME)
        lines = [" ".join(filter(None, what))]
        if self._unresolved[row]:
            lines.append("Its pose cannot be resolved.")
        if row in self._outside:
            lines.append(OUTSIDE)
        lines += [message for _, message in self._said(row)]
        return "\n".join(lines)

    def _said(self, row: int) -> Sequence[tuple[Severity, str]]:
        """Return the problems of a row; those of an include in another file are not among the problems of frames."""
        assert self.model is not None
        said = self._problems.get(self.model.names[row], ())
        failed = self._failed.get(row)
        if failed is None or failed.source is None:
            return said
        return [*((Severity.ERROR, problem) for problem in failed.problems), *said]

    def show_problems(self, problems: Mapping[str, Sequence[Diagnostic]]) -> None:
        """Show which problems each frame has, by its scoped name."""
        said = {name: [(each.severity, each.message) for each in group] for name, group in problems.items()}
        inside = {} if self.model is None else _find_inside(self.model, said, self._arrangement.parents.tolist())
        if (said, inside) != (self._problems, self._inside):
            self._problems, self._inside = said, inside
            self.marks_changed.emit()

    def show_hidden(self, hidden: NDArray[np.bool_]) -> None:
        """Show which rows (n,) are hidden in the 3D view."""
        if not np.array_equal(hidden, self._hidden):
            self._hidden = hidden
            self.marks_changed.emit()

    def show_outside(self, rows: frozenset[int]) -> None:
        """Show which rows are joints that are outside of their limits."""
        if rows != self._outside:
            self._outside = rows
            self.marks_changed.emit()

    def _eye(self, row: int, role: int) -> object:
        is_hidden = row < len(self._hidden) and bool(self._hidden[row])
        if role == Qt.ItemDataRole.DecorationRole:
            name = "mdi6.eye-off-outline" if is_hidden else "mdi6.eye-outline"
            return icon(name, "text" if is_hidden else "muted")
        if role == Qt.ItemDataRole.ToolTipRole:
            return "Show in the 3D view" if is_hidden else "Hide in the 3D view"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return "hidden" if is_hidden else "visible"
        if role == IS_HIDDEN:
            return is_hidden
        return None

    def _badge(self, row: int, role: int) -> object:
        assert self.model is not None
        problems, inside = self._said(row), self._inside.get(self.model.names[row])
        is_outside = row in self._outside
        if not problems and inside is None and not self._unresolved[row] and not is_outside:
            return self._chain(row, role)
        worst = _worst(problems) if problems else None
        lines, spoken = [message for _, message in problems], counted(len(problems), "problem")
        if inside is not None and _is_worse(inside, worst) and self.is_folded(self.index_of(row)):
            sign = inside_icon(inside)
            spoken = f"contains {'errors' if inside is Severity.ERROR else 'warnings'}"
            lines.append(spoken.capitalize())
        elif is_outside and _is_worse(Severity.WARNING, worst):
            sign, spoken = severity_icon(Severity.WARNING), OUTSIDE.rstrip(".").lower()
        elif worst is not None:
            sign = severity_icon(worst)
        elif self._unresolved[row]:
            sign, spoken = icon("mdi6.help-circle-outline", "muted"), ""
            lines.append("Its pose cannot be resolved.")
        else:
            return None
        if is_outside:
            lines.insert(0, OUTSIDE)
        answers: dict[int, object] = {
            Qt.ItemDataRole.DecorationRole: sign,
            Qt.ItemDataRole.ToolTipRole: "\n".join(lines),
            Qt.ItemDataRole.AccessibleTextRole: spoken or None,
        }
        return answers.get(role)

    def _chain(self, row: int, role: int) -> object:
        """Return the sign of what is one part with a row; None for most rows."""
        assert self.model is not None
        if self.model.kinds[row] not in SHAPED:
            return None
        if row not in self._parts:  # each is asked several times in each picture
            self._parts[row] = what_follows(self.model, row, self._mesh_body) if partners(self.model, row) else ""
        follows = self._parts[row]
        if not follows:
            return None
        if role == Qt.ItemDataRole.DecorationRole:
            return icon("mdi6.link-variant", "muted")
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"Changes with {follows}."
        return "linked" if role == Qt.ItemDataRole.AccessibleTextRole else None


def _worst(problems: Sequence[tuple[Severity, str]]) -> Severity:
    # Of thousands of frames with problems most have one.
    return problems[0][0] if len(problems) == 1 else min((each for each, _ in problems), key=SEVERITY_RANK.__getitem__)


def _is_worse(severity: Severity, other: Severity | None) -> bool:
    return other is None or SEVERITY_RANK[severity] < SEVERITY_RANK[other]


def _find_inside(
    model: Model, problems: Mapping[str, Sequence[tuple[Severity, str]]], parents: Sequence[int]
) -> dict[str, Severity]:
    """Return the worst error or warning in all that is below each frame, by its scoped name."""
    rows, names, owners = model.rows_by_name, model.names, parents
    found: dict[Severity, list[int]] = {Severity.ERROR: [failed.owner for failed in model.scope.failed_includes]}
    for name, group in problems.items():
        if name in rows:
            found.setdefault(_worst(group), []).append(owners[rows[name]])
    inside: dict[str, Severity] = {}
    for severity in (Severity.ERROR, Severity.WARNING):
        for owner in found.get(severity, ()):
            row = owner
            # What is around a frame that is marked already is so, too, for something as bad or worse.
            while row >= 0 and names[row] not in inside:
                inside[names[row]] = severity
                row = owners[row]
    return inside


def _runs(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield first and last of each run of successive places."""
    for _, run in groupby(enumerate(places), lambda each: each[1] - each[0]):
        numbers = [place for _, place in run]
        yield numbers[0], numbers[-1]


class _KeptRows(NamedTuple):
    """Which rows of a model are those of the one before.

    Attributes
    ----------
    start, end
        How many at the start and at the end are the same.
    middle
        Of each row between them, which row it was before, -1 where it is new.
    """

    start: int
    middle: list[int]
    end: int


def _kept_rows(before: Model, after: Model) -> _KeptRows | None:
    """Return which rows of a model are those of the one before.

    None where that is not known: names that are not unique, things in another order or in another thing.
    """
    # An edit changes few rows: those before and after it keep their place or move by a few rows.
    old_size, new_size = len(before), len(after)
    least = min(old_size, new_size)
    start = min(first_difference(before.names, after.names), first_difference(before.kinds, after.kinds))
    names = equal_at_end(before.names, after.names)
    end = min(names, equal_at_end(before.kinds, after.kinds), least - start)
    between = range(start, old_size - end)
    known = {(before.names[row], before.kinds[row]): row for row in between}
    middle = [known.get((after.names[row], after.kinds[row]), -1) for row in range(start, new_size - end)]
    old = np.array([row for row in middle if row >= 0], np.int64)
    if len(known) != len(between) or (np.diff(old) <= 0).any():
        return None
    # A row that stays must keep its parent.
    rows = np.concatenate([np.arange(start), np.array(middle, np.int64), np.arange(old_size - end, old_size), [-1]])
    stays = rows[:-1] >= 0
    owners = rows[after.owners]
    kept = np.array_equal(owners[stays], before.owners[rows[:-1][stays]])
    return _KeptRows(start, middle, end) if kept else None


def _link_around(model: Model, row: int) -> Element:
    """Return the element of the link of a shape."""
    return model.elements[int(model.owners[row])]


def _overridden(model: Model) -> frozenset[int]:
    """Return the rows that includes of the file change, without those of the includes."""
    if not model.document.contains("experimental:params"):
        return frozenset()
    from sdfviewer.refactoring.composition.overrides import overridden_rows  # noqa: PLC0415  # few files have any

    return frozenset(row for row in overridden_rows(model) if model.sources[row] is not None)
