"""The search results of the tree, shown instead of the tree."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from sdfviewer.gui.kit.commands import FIND_FRAME, tooltip
from sdfviewer.gui.kit.fields import LineEdit
from sdfviewer.gui.kit.icons import kind_icon
from sdfviewer.gui.kit.search import LIST_KEYS, Candidate, IncrementalSearch, MatchList, Row, SearchHit
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widgets import named
from sdfviewer.model.kinds import Kind
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
        sign = kind_icon(kind, tokens(self.results.palette()))
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
