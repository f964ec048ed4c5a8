"""The model tree: everything in the file that has a pose, with a filter and a badge where there are problems."""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSize,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.named import named
from sdfviewer.gui.theme import tokens
from sdfviewer.gui.tree_model import NOTE, ROW, FrameTreeModel, Index
from sdfviewer.semantics import Kind, Model
from sdfviewer.session import Change

BADGE_WIDTH = 24
EXPANDED_ROWS = 400
"""Larger models start folded below their first level."""


class ModelTree(QWidget):
    """The tree of one file with its filter."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self.filter = named(QLineEdit(placeholderText="Find a frame"), "Find a frame in the tree")
        self.filter.setClearButtonEnabled(True)
        self.filter.setToolTip("Type a part of a name or a kind (Ctrl+F)")
        self.source = FrameTreeModel(self)
        self.proxy = QSortFilterProxyModel(self)
        self.proxy.setSourceModel(self.source)
        self.proxy.setRecursiveFilteringEnabled(True)
        self.proxy.setAutoAcceptChildRows(True)
        self.proxy.setFilterRole(Qt.ItemDataRole.AccessibleTextRole)
        self.proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.view = named(QTreeView(), "Model tree")
        self.view.setModel(self.proxy)
        self.view.setHeaderHidden(True)
        self.view.setUniformRowHeights(True)
        self.view.setIndentation(16)
        self.view.setIconSize(QSize(16, 16))
        self.view.setMouseTracking(True)
        self.view.setItemDelegateForColumn(0, _NameDelegate(self.view))
        self.view.setItemDelegateForColumn(1, _BadgeDelegate(self.view))
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._set_columns(self.view.header())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        box = QVBoxLayout()
        box.setContentsMargins(4, 4, 4, 4)
        box.addWidget(self.filter)
        layout.addLayout(box)
        layout.addWidget(self.view)
        self.setFocusProxy(self.view)

        self.filter.textChanged.connect(self._apply_filter)
        self.filter.returnPressed.connect(self._pick_first)
        self.view.selectionModel().selectionChanged.connect(self._take_selection)
        self.view.doubleClicked.connect(lambda _index: bridge.focus_requested.emit(bridge.session.selection))
        self.view.collapsed.connect(lambda index: self._remember(index, False))
        self.view.expanded.connect(lambda index: self._remember(index, True))
        self.view.entered.connect(self._hover)
        self.view.viewport().installEventFilter(self)
        bridge.changed.connect(self._follow)
        self._opened: dict[str, bool] = {}
        self._show_model()

    @staticmethod
    def _set_columns(header: QHeaderView) -> None:
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(16)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(1, BADGE_WIDTH)

    # --- following the session -----------------------------------------------------------------------------------

    def _follow(self, change: Change) -> None:
        if change.document:
            self._show_model(dict(change.renamed))
        elif change.selection and change.origin is not self:
            self._show_selection()

    def _show_model(self, renamed: dict[str, str] | None = None) -> None:
        model, before = self.bridge.session.model, self.source.model
        if model is None:
            return
        names = renamed or {}
        self._opened = {names.get(name, name): opened for name, opened in self._opened.items()}
        # The row in sight at the top stays there, whatever comes or goes above it.
        top = QPersistentModelIndex(self.view.indexAt(QPoint(0, 0)))
        top_row = top.data(ROW)
        selector = self.view.selectionModel()
        # What goes takes its selection along: that is no click.
        selector.blockSignals(True)
        new = self.source.show_model(model)
        selector.blockSignals(False)
        self._open(model, [row for row in new if self.source.has_children(row)])
        if top.isValid() and top.data(ROW) != top_row:
            self.view.scrollTo(top, QAbstractItemView.ScrollHint.PositionAtTop)
        self._show_selection(scroll=before is None)

    def _open(self, model: Model, rows: list[int]) -> None:
        """Open new branches, but for links and joints, whose visuals and collisions are looked for less often."""
        large = len(model.names) > EXPANDED_ROWS
        self.view.setUpdatesEnabled(False)
        for row in rows:
            kind, name = model.kinds[row], model.names[row]
            nested = kind is Kind.MODEL and int(model.owners[row]) >= 0
            is_detail = kind in (Kind.LINK, Kind.JOINT) or (large and nested)
            if self._opened.setdefault(name, not is_detail) or self.filter.text():
                self.view.expand(self.proxy.mapFromSource(self.source.index_of(row)))
        self.view.setUpdatesEnabled(True)

    def _remember(self, index: QModelIndex, opened: bool) -> None:
        # A filter opens everything, for as long as it lasts.
        if not self.filter.text():
            self._opened[self._name(index)] = opened

    def _branches(self) -> list[QModelIndex]:
        """Return the indices of all rows that have children."""
        found, stack = [], [QModelIndex()]
        while stack:
            parent = stack.pop()
            for position in range(self.proxy.rowCount(parent)):
                index = self.proxy.index(position, 0, parent)
                if self.proxy.hasChildren(index):
                    found.append(index)
                    stack.append(index)
        return found

    def _name(self, index: Index) -> str:
        assert self.source.model is not None
        row: int = index.data(ROW)
        return self.source.model.names[row]

    def _show_selection(self, *, scroll: bool = True) -> None:
        model = self.source.model
        if model is None:
            return
        selection = QItemSelection()
        current = QModelIndex()
        for name in self.bridge.session.selection:
            row = model.rows_by_name.get(name)
            if row is None:
                continue
            current = self.proxy.mapFromSource(self.source.index_of(row))
            selection.select(current, current.siblingAtColumn(1))
        selector = self.view.selectionModel()
        selector.blockSignals(True)
        selector.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if current.isValid():
            selector.setCurrentIndex(current, QItemSelectionModel.SelectionFlag.NoUpdate)
            if scroll:
                self.view.scrollTo(current)
        selector.blockSignals(False)
        self.view.viewport().update()

    # --- what the user does ----------------------------------------------------------------------------------------

    def _take_selection(self) -> None:
        if self.source.model is None:
            return
        rows = [index.data(ROW) for index in self.view.selectionModel().selectedRows()]
        current = self.view.currentIndex().data(ROW)
        # The last one picked is the one whose properties are shown.
        rows.sort(key=lambda row: row == current)
        self.bridge.session.select((self.source.model.names[row] for row in rows), self)

    def _hover(self, index: QModelIndex) -> None:
        self.bridge.hover(self._name(index))

    def _apply_filter(self, text: str) -> None:
        self.proxy.setFilterFixedString(text.strip())
        if text.strip():
            self.view.expandAll()
        else:
            for index in self._branches():
                self.view.setExpanded(index, self._opened.get(self._name(index), True))
            self._show_selection()

    def _pick_first(self) -> None:
        """Select the first frame that matches the filter."""
        text = self.filter.text().strip().lower()
        model = self.source.model
        if model is None or not text:
            return
        for row, name in enumerate(model.local_names):
            if text in f"{model.kinds[row].value} {name}".lower():
                self.bridge.session.select((model.names[row],), None)
                self.view.setFocus()
                return

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.bridge.hover(None)
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self.source.colours = tokens(self.palette())
            self.view.viewport().update()
        super().changeEvent(event)


class _NameDelegate(QStyledItemDelegate):
    """The name, and behind it in grey what kind of joint or link it is; where there is no badge, in its room too."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if not _has_badge(index):
            option = QStyleOptionViewItem(option)
            option.rect = option.rect.adjusted(0, 0, BADGE_WIDTH, 0)
        note = index.data(NOTE)
        if not note:
            super().paint(painter, option, index)
            return
        self.initStyleOption(option, index)
        style = option.widget.style() if option.widget else QApplication.style()
        text_box = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, option.widget)
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        used = option.fontMetrics.horizontalAdvance(option.text) + 12
        painter.save()
        own = index.data(Qt.ItemDataRole.ForegroundRole)
        painter.setPen(own if own is not None else QColor(tokens(option.palette).muted))
        room = text_box.adjusted(used, 0, -4, 0)
        if room.width() >= option.fontMetrics.horizontalAdvance(note):
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, note)
        painter.restore()


class _BadgeDelegate(QStyledItemDelegate):
    """The badge; where there is none, the room is the name's."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if _has_badge(index):
            super().paint(painter, option, index)


def _has_badge(index: Index) -> bool:
    return index.sibling(index.row(), 1).data(Qt.ItemDataRole.DecorationRole) is not None
