"""What the model tree lists: what a search finds, and the orders that it can have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolButton

from sdfviewer.gui.kit.commands import FIND_FRAME, tooltip
from sdfviewer.gui.kit.fields import LineEdit
from sdfviewer.gui.kit.icons import icon, kind_icon
from sdfviewer.gui.kit.search import LIST_KEYS, Candidate, IncrementalSearch, MatchList, Row, SearchHit
from sdfviewer.gui.kit.widgets import named, set_menu
from sdfviewer.model.graph import Rows
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.tree import body_of, span
from sdfviewer.model.model import Model

_KINDS = {kind.value: kind for kind in Kind}


class TreeSearch(QObject):
    """The search line of the tree and the list of what matches.

    Attributes
    ----------
    line, results
        Where the search is typed, and what it has found; `results` takes the tree's place while something is typed.
    """

    #: Whether there is something to search for.
    active_changed = Signal(bool)
    #: The scoped name of an entry that the user clicked.
    clicked = Signal(str)
    #: The scoped name of the entry that Enter took.
    accepted = Signal(str)
    #: The scoped name under the mouse.
    hovered = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.line = named(LineEdit(placeholderText="Find a frame"), "Find a frame in the tree")
        self.line.setClearButtonEnabled(True)
        self.line.setToolTip(
            tooltip("Type part of a name, scope or kind", FIND_FRAME.keys)
            + "\nA kind and a blank, such as 'link ', list only that kind"
        )
        self.results = MatchList("Frames that match", self._describe, "No match")
        self._index = IncrementalSearch(self)
        self._index.began.connect(self.results.begin_search)
        self._index.found.connect(self._show)
        self._accepts_first = False
        self._model: Model | None = None
        self._is_stale = False
        #: The only kind that is searched, None for all.
        self._kind: Kind | None = None
        self.line.installEventFilter(self)
        self.line.textChanged.connect(self._search)
        self.line.returnPressed.connect(self._accept)
        self.results.taken.connect(lambda hit: self.clicked.emit(self._name(hit.entry)))
        self.results.hovered.connect(lambda hit: self.hovered.emit(self._name(hit.entry)))

    @property
    def is_active(self) -> bool:
        """Whether there is something to search for."""
        return bool(self.line.text().strip())

    @property
    def is_running(self) -> bool:
        """Whether more may be found."""
        return self._index.is_running

    @property
    def names(self) -> list[str]:
        """The scoped names found, the best match first."""
        return [self._name(row) for row in self.results.entries]

    def show_model(self, model: Model) -> None:
        """Search in another model; what is found in it is shown at once where there is something to search for."""
        self._index.stop()
        self._model, self._is_stale = model, True
        self.line.setModified(False)  # what undo takes back first is the edit, not the search typed before it
        if self.is_active:
            self._search(self.line.text())

    def _name(self, row: int) -> str:
        assert self._model is not None
        return self._model.names[row]

    def _search(self, text: str) -> None:
        if self.is_active and self._model is not None:
            kind, rest = _split_kind(text)
            if self._is_stale or kind is not self._kind:
                self._index.set_candidates(_candidates(self._model, kind))
                self.results.show_hits(())  # its rows are those of the model before
                self._is_stale, self._kind = False, kind
            self._index.search(rest)
        else:
            self._index.stop()
        self.active_changed.emit(self.is_active)

    def _show(self, hits: list[SearchHit[int]]) -> None:
        self.results.show_hits(hits)
        if self._accepts_first:
            self._accept()

    def _accept(self) -> None:
        """Take the current entry, once the search has come to its end."""
        self._accepts_first = self._index.is_running
        if not self._accepts_first and self.is_active and self.results.current is not None:
            self.accepted.emit(self._name(self.results.current))

    def _describe(self, row: int) -> Row:
        model = self._model
        assert model is not None
        name, scoped, kind = model.local_names[row], model.names[row], model.kinds[row].value
        sign = kind_icon(kind)
        scope = scoped[: len(scoped) - len(name)] if scoped.endswith(name) else ""
        return Row(model.label(row), sign, scope, tip=f"{kind} {scoped}")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move through the list while the line has the focus, and Escape empty the line."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self.is_active:
            if event.key() in LIST_KEYS:
                QApplication.sendEvent(self.results, event)
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.line.clear()
                return True
        return super().eventFilter(watched, event)


def _split_kind(text: str) -> tuple[Kind | None, str]:
    """Return the kind that a search begins with, followed by a blank, and the rest; no kind where it has none."""
    word, blank, rest = text.lstrip().partition(" ")
    kind = _KINDS.get(word.lower()) if blank else None
    return (None, text) if kind is None else (kind, rest)


def _candidates(model: Model, only: Kind | None) -> list[Candidate[int]]:
    ranks = {kind: (kind.value, 0 if kind.is_vertex else 1) for kind in Kind}
    return [
        Candidate(row, name, *ranks[kind])
        for row, (name, kind) in enumerate(zip(model.names, model.kinds, strict=True))
        if only is None or kind is only
    ]


TOP, LEFT_OUT = -1, -2
"""Instead of the row that another is below: it is below none, or it is not in the tree."""


class TreeOrder(str, Enum):
    """What is below what."""

    WRITTEN = "As Written"
    KINEMATIC = "Kinematic"
    RELATIVE_TO = "relative_to"
    ATTACHED_TO = "attached_to"
    KIND = "By Kind and Name"


@dataclass(frozen=True, eq=False)
class TreeArrangement:
    """Below what each row of a frame table is.

    Attributes
    ----------
    parents
        Row (n,) of what each is below, `TOP` or `LEFT_OUT`.
    ranks
        Numbers (n,) by which the rows below one are sorted, None for the order of the rows.
    """

    parents: Rows
    ranks: NDArray[np.float64] | None = None

    def is_as(self, other: TreeArrangement) -> bool:
        """Return whether all rows are in the same places."""
        if (self.ranks is None) != (other.ranks is None) or not np.array_equal(self.parents, other.parents):
            return False
        return self.ranks is None or other.ranks is None or np.array_equal(self.ranks, other.ranks)


def arrange(model: Model, order: TreeOrder, kinds: Iterable[Kind] | None = None) -> TreeArrangement:
    """Return the rows of a model in an order; only those of some kinds, and what is around all others.

    Without `kinds` everything is listed as it is written; in the other orders, what can be named.
    """
    if order is TreeOrder.WRITTEN and kinds is None:
        return TreeArrangement(model.owners, _as_written(model))
    shown = frozenset(kinds) if kinds is not None else frozenset(kind for kind in Kind if kind.is_vertex)
    ranks = None
    if order is TreeOrder.WRITTEN:
        parents, ranks = model.owners.copy(), _as_written(model)
    elif order is TreeOrder.KINEMATIC:
        parents, ranks = _kinematic(model)
    elif order is TreeOrder.KIND:
        parents = np.full(len(model), TOP)
        numbers = {kind: number for number, kind in enumerate(Kind)}
        names = sorted(range(len(model)), key=lambda row: (numbers[model.kinds[row]], model.names[row].casefold()))
        ranks = np.empty(len(model))
        ranks[names] = np.arange(len(model))
    else:
        parents = _by_reference(model, model.relative_to if order is TreeOrder.RELATIVE_TO else model.attached_to)
    is_shown = np.array([kind in shown for kind in model.kinds])
    is_shown[0] = True
    return TreeArrangement(_only(parents, is_shown), ranks)


def _as_written(model: Model) -> NDArray[np.float64] | None:
    """Return the order in which things are written; None for that of the rows.

    Includes that bring nothing have the last rows of what they are in: a model would change its place as it is found.
    """
    if not model.failed_includes:
        return None
    ranks = np.arange(len(model), dtype=float)
    for owner in {int(model.owners[row]) for row in model.failed_includes if model.owners[row] >= 0}:
        places = {id(child): place for place, child in enumerate(model.elements[owner].children)}
        # What is merged has its elements in the other file: it stays behind what brings it.
        inside = [row for row in model.rows_in(owner) if id(model.elements[row]) in places]
        ranks[sorted(inside, key=lambda row: places[id(model.elements[row])])] = inside
    return ranks


def _kinematic(model: Model) -> tuple[Rows, NDArray[np.float64]]:
    """Return each link below the one that carries it, behind the joint between them; frames below their bodies."""
    parents, ranks = model.owners.copy(), np.arange(len(model), dtype=float)
    forest = span(model, list(model.joints))
    for joint in model.joints:
        body = body_of(model, joint.parent)
        if body >= 0:
            parents[joint.row] = body
    for carried, carrier in forest.carriers.items():
        if carried >= 0:
            ranks[carried] = carrier.joint.row + 0.5
            if carrier.body >= 0:
                parents[carried] = parents[carrier.joint.row] = carrier.body
    frames = np.flatnonzero(model.kinds_are(Kind.FRAME) & (model.bodies >= 0))
    parents[frames] = model.bodies[frames]
    return parents, ranks


def _by_reference(model: Model, references: Rows) -> Rows:
    """Return each row below the one that it names; what names nothing that is found is where it is written.

    Rows on a cycle, and all that lead there, are where they are written, too.
    """
    ends = references.copy()
    for _ in range(len(model).bit_length()):
        ends = np.where(ends >= 0, ends[np.maximum(ends, 0)], ends)
    is_vertex = np.array([kind.is_vertex for kind in model.kinds])
    return np.where(is_vertex & (ends == TOP), references, model.owners)


def _only(parents: Rows, shown: NDArray[np.bool_]) -> Rows:
    """Return the parents of the rows that are shown: of those around them the nearest that is shown."""
    found = parents.copy()
    while True:
        is_beyond = (found >= 0) & ~shown[np.maximum(found, 0)]
        if not is_beyond.any():
            break
        found = np.where(is_beyond, parents[np.maximum(found, 0)], found)
    return np.where(shown, found, LEFT_OUT)


# --- the button ---------------------------------------------------------------------------------------------------


_VERTICES = {"Models": Kind.MODEL, "Links": Kind.LINK, "Joints": Kind.JOINT, "Frames": Kind.FRAME}
#: The kinds that are listed or left out together, by their names.
GROUPS: Mapping[str, frozenset[Kind]] = {
    **{name: frozenset({kind}) for name, kind in _VERTICES.items()},
    "Shapes, Sensors and Lights": frozenset(kind for kind in Kind if not kind.is_vertex),
}
_TIPS = {
    TreeOrder.WRITTEN: "Each thing below the one that it is written in",
    TreeOrder.KINEMATIC: "Each link below the one that carries it, behind the joint between them",
    TreeOrder.RELATIVE_TO: "Each frame below the one that its pose is measured from",
    TreeOrder.ATTACHED_TO: "Each frame below the one that it moves with",
    TreeOrder.KIND: "All frames, sorted by kind and name",
}


def listed(order: TreeOrder, kinds: frozenset[Kind] | None) -> list[str]:
    """Return the names of the groups that are listed in an order; without kinds, those that the order lists."""
    if kinds is None:
        return list(GROUPS) if order is TreeOrder.WRITTEN else list(_VERTICES)
    return [name for name, group in GROUPS.items() if group <= kinds]


def describe(order: TreeOrder, kinds: frozenset[Kind] | None) -> str:
    """Return in words what is listed."""
    return order.value if kinds is None else f"{order.value}: {', '.join(listed(order, kinds)).lower() or 'nothing'}"


class OrderButton(QToolButton):
    """Shows in its menu what is listed, and chooses something else."""

    #: A `TreeOrder`, and the kinds that are listed, None for those of the order.
    chosen = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        named(self, "Order of the model tree", "Choose the order of the tree and what it lists")
        self.setAutoRaise(True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        group = QActionGroup(menu)
        self.orders: dict[TreeOrder, QAction] = {}
        for order in TreeOrder:
            action = self.orders[order] = menu.addAction(order.value)
            action.setToolTip(_TIPS[order])
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _=False, order=order: self.chosen.emit(order, None))
        menu.addSeparator()
        self.kinds: dict[str, QAction] = {}
        for name in GROUPS:
            action = self.kinds[name] = menu.addAction(name)
            action.setCheckable(True)
            action.triggered.connect(self._choose_kinds)
        set_menu(self, menu)
        self.setIcon(icon("mdi6.sort-variant"))
        self._order = TreeOrder.WRITTEN
        self.show_arrangement(self._order, None)

    def show_arrangement(self, order: TreeOrder, kinds: frozenset[Kind] | None) -> None:
        """Show what is listed."""
        self._order = order
        self.orders[order].setChecked(True)
        shown = listed(order, kinds)
        for name, action in self.kinds.items():
            action.setChecked(name in shown)

    def _choose_kinds(self) -> None:
        names = [name for name, action in self.kinds.items() if action.isChecked()]
        is_usual = names == listed(self._order, None)
        kinds = frozenset[Kind]().union(*(GROUPS[name] for name in names))
        self.chosen.emit(self._order, None if is_usual else kinds)
