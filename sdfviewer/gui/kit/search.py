"""Search among many names: a slice of them at a time, its result list with marked letters, and both in a popup."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from sdfviewer.display_text import visible
from sdfviewer.gui.kit.jobs import Later
from sdfviewer.gui.kit.labels import draw_marked
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widgets import column_of, named
from sdfviewer.language.fuzzy import FuzzyQuery, Match

Entry = TypeVar("Entry")
SLICE = 2500
"""The number of names that are matched in a slice of some milliseconds."""


# Not frozen: a list of a large world has thousands of each, and frozen ones take three times as long to make.
@dataclass(slots=True)
class Candidate(Generic[Entry]):
    """Something that can be found.

    Attributes
    ----------
    entry
        What it is.
    text, aside
        Its name, and more words that count but are not shown; see :meth:`FuzzyQuery.match`.
    rank
        Candidates of a lower rank come first, however well others match.
    """

    entry: Entry
    text: str
    aside: str = ""
    rank: int = 0


@dataclass(slots=True)
class SearchHit(Generic[Entry]):
    """A candidate that matches."""

    candidate: Candidate[Entry]
    match: Match

    @property
    def entry(self) -> Entry:
        """What was found."""
        return self.candidate.entry


class IncrementalSearch(QObject):
    """Finds candidates by a few letters; a new query ends the search before.

    Up to `SLICE` candidates are searched at once, so that short lists answer at each key. A query that continues the
    last one looks only at what matched that one.
    """

    #: A query takes more than a slice.
    began = Signal()
    #: All `Hit`s of the present query, the best first.
    found = Signal(list)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._candidates: Sequence[Candidate[Any]] = ()
        self._query = FuzzyQuery("")
        self._pending: Sequence[Candidate[Any]] = ()
        self._next = 0
        self._hits: list[SearchHit[Any]] = []
        #: The last query that was answered, and what matched it, in the order of the candidates.
        self._answered: tuple[FuzzyQuery, list[SearchHit[Any]]] | None = None
        self._later = Later(self)

    @property
    def is_running(self) -> bool:
        """Whether there is more to search."""
        return self._later.has_jobs

    def set_candidates(self, candidates: Sequence[Candidate[Any]]) -> None:
        """Search among others from the next query on."""
        self._later.stop()
        self._candidates = candidates
        self._answered = None

    def search(self, text: str) -> None:
        """Find what matches a text; `found` is emitted when all is searched, at once for short lists."""
        self._later.stop()
        self._query = FuzzyQuery(text)
        self._next, self._hits = 0, []
        if self._answered is not None and self._query.narrows(self._answered[0]):
            self._pending = [hit.candidate for hit in self._answered[1]]
        else:
            self._pending = self._candidates
        self._search_slice()
        if self.is_running:
            self.began.emit()

    def stop(self) -> None:
        """Give the search up."""
        self._later.stop()

    def _search_slice(self) -> None:
        match = self._query.match
        for candidate in self._pending[self._next : self._next + SLICE]:
            matched = match(candidate.text, candidate.aside)
            if matched is not None:
                self._hits.append(SearchHit(candidate, matched))
        self._next += SLICE
        if self._next < len(self._pending):
            self._later.do(self._search_slice)
            return
        self._answered = (self._query, self._hits)
        self.found.emit(sorted(self._hits, key=lambda hit: (hit.candidate.rank, -hit.match.score)))


Index = QModelIndex | QPersistentModelIndex

HIT = Qt.ItemDataRole.UserRole + 1
ROW = Qt.ItemDataRole.UserRole + 2
"""The `Row` of an index."""
_GAP, _SIDE, _ICON = 6, 4, 16
#: How many rows behind the current one are in the list; more follow when it is scrolled to its end. Qt asks the model
#: for each row that it lays out, and paints none before all are.
_PAGE = 500


@dataclass(frozen=True)
class Row:
    """How an entry is shown.

    Attributes
    ----------
    text
        Its name; the end of the candidate's text, or that text with more before it. Its matched letters are marked.
    icon
        Before the name.
    note, keys
        In grey behind the name, and at the right side.
    tip
        Tooltip; the name where it is empty.
    dimmed
        Whether it is shown as one that cannot be taken now.
    """

    text: str
    icon: QIcon = field(default_factory=QIcon)
    note: str = ""
    keys: str = ""
    tip: str = ""
    dimmed: bool = False

    def __post_init__(self) -> None:
        for part in ("text", "note", "keys"):
            object.__setattr__(self, part, visible(getattr(self, part)))


class HitModel(QAbstractListModel):
    """The matches in the order in which they are listed, a page of them first."""

    def __init__(self, describe: Callable[[Any], Row], parent: QObject) -> None:
        super().__init__(parent)
        self.hits: Sequence[SearchHit[Any]] = ()
        self._listed = 0
        self._describe = describe

    def show(self, hits: Sequence[SearchHit[Any]], current: int) -> None:
        self.beginResetModel()
        self.hits, self._listed = hits, min(current + _PAGE, len(hits))
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._listed

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._listed < len(self.hits)

    def fetchMore(self, parent: Index) -> None:
        self.reach(self._listed)

    def reach(self, row: int) -> None:
        """Have a row in the list, and a page behind it."""
        if self._listed <= row < len(self.hits):
            listed = min(row + _PAGE, len(self.hits))
            self.beginInsertRows(QModelIndex(), self._listed, listed - 1)
            self._listed = listed
            self.endInsertRows()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        hit = self.hits[index.row()]
        if role == HIT:
            return hit
        if role not in (ROW, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        row = self._describe(hit.entry)
        if role == ROW:
            return row
        return row.text if role == Qt.ItemDataRole.DisplayRole else row.tip or row.text


class MatchList(QListView):
    """What was found, the best first; the first row is current.

    Parameters
    ----------
    name
        For screen readers.
    describe
        Returns how an entry is shown.
    nothing
        Said in place of the rows where there are none.
    """

    #: Another `Hit` is current, None if there is none; emitted once for each new list, too.
    current_changed = Signal(SearchHit)
    #: The `Hit` that the user clicked.
    taken = Signal(SearchHit)
    #: The `Hit` under the mouse.
    hovered = Signal(SearchHit)

    def __init__(self, name: str, describe: Callable[[Any], Row], nothing: str) -> None:
        super().__init__()
        named(self, name)
        self.nothing = nothing
        self._is_searching = False
        self.setUniformItemSizes(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self._hits = HitModel(describe, self)
        self.setModel(self._hits)
        self.setItemDelegate(_MatchDelegate(self))
        self._is_filling = False
        self.selectionModel().currentChanged.connect(self._report)
        self.clicked.connect(lambda index: self.taken.emit(index.data(HIT)))
        self.entered.connect(lambda index: self.hovered.emit(index.data(HIT)))

    @property
    def entries(self) -> list[Any]:
        """All entries shown, from above."""
        return [hit.entry for hit in self._hits.hits]

    @property
    def current(self) -> Any:
        """The current entry, None if there is none."""
        hit = self.currentIndex().data(HIT)
        return None if hit is None else hit.entry

    @property
    def placeholder(self) -> str:
        """The text in place of the rows where there are none."""
        return "Searching…" if self._is_searching else self.nothing

    def begin_search(self) -> None:
        """Say that a search goes on, until `show_hits`: an empty list would say that nothing is found."""
        self._is_searching = True
        self.viewport().update()

    def show_hits(self, hits: Sequence[SearchHit[Any]], current: int = 0) -> None:
        """Show other entries, one of them as the current one."""
        self._is_searching = False
        self._is_filling = True
        self._hits.show(hits, current)
        self.setCurrentIndex(self._hits.index(current, 0))
        self._is_filling = False
        self._report()

    def set_current(self, row: int) -> None:
        """Make another row current."""
        self._hits.reach(row)
        self.setCurrentIndex(self._hits.index(row, 0))

    def height_of_cut_row(self) -> int:
        """Return how many pixels of a cut row show below the last whole one, where the list scrolls."""
        row = self.sizeHintForRow(0)
        return self.viewport().height() % row if row > 0 and self.verticalScrollBar().maximum() > 0 else 0

    def rows_height(self) -> int:
        """Return how high all rows are together, or of the text where there are none."""
        row = max(_ICON, self.fontMetrics().height()) + _GAP
        return row * (len(self._hits.hits) or 2)

    def _report(self) -> None:
        if not self._is_filling:
            self.current_changed.emit(self.currentIndex().data(HIT))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._hits.hits:
            with QPainter(self.viewport()) as painter:
                painter.setPen(QColor(tokens(self.palette()).muted))
                box = self.viewport().rect().adjusted(8, 8, -8, -8)
                flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
                painter.drawText(box, int(flags), self.placeholder)


class _MatchDelegate(QStyledItemDelegate):
    """Icon, name with the matched letters marked, note in grey, keys on the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, max(_ICON, option.fontMetrics.height()) + _GAP)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW)
        hit: SearchHit[Any] = index.data(HIT)
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget)
        colours = tokens(option.palette)
        painter.save()
        box = option.rect.adjusted(_SIDE, 0, -_SIDE, 0)
        if not row.icon.isNull():
            mode = QIcon.Mode.Disabled if row.dimmed else QIcon.Mode.Normal
            place = QRect(box.left(), box.center().y() - _ICON // 2 + 1, _ICON, _ICON)
            row.icon.paint(painter, place, mode=mode)
        box.setLeft(box.left() + _ICON + _GAP)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if row.keys:
            painter.setPen(QColor(colours.faint(selected)))
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, row.keys)
            box.setRight(box.right() - option.fontMetrics.horizontalAdvance(row.keys) - 2 * _GAP)
        group = QPalette.ColorGroup.Disabled if row.dimmed else QPalette.ColorGroup.Normal
        role = QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.Text
        text = hit.candidate.text
        are_same_end = text.endswith(row.text) or row.text.endswith(text)
        offset = len(text) - len(row.text) if are_same_end else 0
        marked = [at - offset for at in hit.match.positions if at >= offset]
        mark = None if row.dimmed else QColor(option.palette.color(role) if selected else colours.accent)
        used = draw_marked(painter, box, row.text, marked, option.font, option.palette.color(group, role), mark)
        box.setLeft(box.left() + used + 2 * _GAP)
        if row.note and box.width() > 3 * _ICON:
            in_note = hit.match.positions if text.startswith(row.note) else ()
            marked = [at for at in in_note if at < len(row.note)]
            muted = QColor(colours.faint(selected))
            draw_marked(painter, box, row.note, marked, option.font, muted, mark)
        painter.restore()


LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
"""Keys that move through the list while the line has the focus."""


class SearchPopup(QFrame):
    """The line and the list; the arrow keys move through the list while one types, Enter takes the current entry.

    Parameters
    ----------
    placeholder, listed
        What the line asks for, and what the list holds, for screen readers as well.
    nothing
        What the list says where nothing matches.
    candidates
        What can be found.

    Attributes
    ----------
    search, results
        The line and the list.
    column
        Where more can be put below them.
    """

    def __init__(
        self, placeholder: str, listed: str, nothing: str, candidates: Sequence[Candidate[Any]], parent: QWidget
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.search = named(QLineEdit(placeholderText=placeholder), placeholder)
        self.results = MatchList(listed, self.describe, nothing)
        self.column = column_of(self.search, self.results, parent=self, margins=4, spacing=4)
        self._index = IncrementalSearch(self)
        self._index.set_candidates(candidates)
        self._index.began.connect(self.results.begin_search)
        self._index.found.connect(self._show_hits)
        self._takes_first = False
        self.search.textChanged.connect(self._index.search)
        self.search.installEventFilter(self)
        self.search.returnPressed.connect(self.take_current)
        self.results.taken.connect(lambda hit: self.take(hit.entry))
        self._index.search("")

    def changeEvent(self, event: QEvent) -> None:
        """Close where it becomes disabled with what it belongs to: it would hold mouse and keyboard and ignore both."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange and not self.isEnabled():
            self.close()

    @property
    def is_searching(self) -> bool:
        """Whether more may be found."""
        return self._index.is_running

    def describe(self, entry: Any) -> Row:
        """Return how an entry is shown."""
        raise NotImplementedError

    def can_take(self, entry: Any) -> bool:
        """Return whether an entry can be taken; the first that can is current."""
        return True

    def take(self, entry: Any) -> None:
        """Close and do what an entry is for, if that can be done."""
        raise NotImplementedError

    def first_row(self, hits: Sequence[SearchHit[Any]]) -> int:
        """Return the row that is current first."""
        return next((row for row, hit in enumerate(hits) if self.can_take(hit.entry)), 0)

    def _show_hits(self, hits: Sequence[SearchHit[Any]]) -> None:
        self.results.show_hits(hits, self.first_row(hits))
        if self._takes_first:
            self._takes_first = False
            self.take_current()

    def take_current(self) -> None:
        """Take the current entry, once the search has come to its end."""
        if self._index.is_running:
            self._takes_first = True
        elif self.results.current is not None:
            self.take(self.results.current)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move through the list while the line has the focus."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in LIST_KEYS:
            QApplication.sendEvent(self.results, event)
            return True
        return super().eventFilter(watched, event)
