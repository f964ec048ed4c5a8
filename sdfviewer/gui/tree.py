"""The model tree: everything in the file that has a pose, with a filter and a badge where there are problems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QColor, QIcon, QPainter
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

from sdfviewer.diagnostics import Severity
from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.icons import icon, kind_icon, severity_icon
from sdfviewer.gui.named import named
from sdfviewer.gui.theme import Tokens, tokens
from sdfviewer.semantics import Kind, Model
from sdfviewer.session import Change

Index = QModelIndex | QPersistentModelIndex

NOTE = Qt.ItemDataRole.UserRole + 1
"""What is written in grey behind a name."""
ROW = Qt.ItemDataRole.UserRole + 2
"""Row of the frame table."""
EXPANDED_ROWS = 400
"""Larger models start folded below their first level."""

_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


class FrameTreeModel(QAbstractItemModel):
    """The frame table as a tree: each row under the thing that it is written in."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.model: Model | None = None
        self.colours: Tokens = tokens()
        self._children: dict[int, list[int]] = {}
        self._position: list[int] = []
        self._problems: dict[str, list[tuple[Severity, str]]] = {}
        self._canonical: set[int] = set()
        self._answers: dict[int, Callable[[int], object]] = {
            Qt.ItemDataRole.DisplayRole: self._name,
            Qt.ItemDataRole.DecorationRole: self._icon,
            Qt.ItemDataRole.ForegroundRole: self._foreground,
            Qt.ItemDataRole.ToolTipRole: self._describe,
            Qt.ItemDataRole.AccessibleTextRole: self._spoken,
            NOTE: self._note,
            ROW: lambda row: row,
        }
        self._unresolved: NDArray[np.bool_] = np.zeros(0, dtype=bool)

    def show_model(self, model: Model) -> bool:
        """Show another model; return whether its rows are others, so that a view has to build its branches anew."""
        before = self.model
        if (
            before is not None
            and before.names == model.names
            and before.kinds == model.kinds
            and np.array_equal(before.owners, model.owners)
        ):
            self.model = model
            self._take_facts(model)
            return False
        self.beginResetModel()
        self.model = model
        self._children = {-1: []}
        self._position = [0] * len(model.names)
        for row, owner in enumerate(np.asarray(model.owners).tolist()):
            siblings = self._children.setdefault(owner, [])
            self._position[row] = len(siblings)
            siblings.append(row)
        self._take_facts(model)
        self.endResetModel()
        return True

    def _take_facts(self, model: Model) -> None:
        """Take up what is said about the rows."""
        self._unresolved = np.asarray(np.isnan(model.X_RootF).any(axis=(1, 2)))
        self._canonical = set(model.canonical_links.values())
        self._problems = {}
        for diagnostic in model.diagnostics:
            for name in diagnostic.frames:
                self._problems.setdefault(name, []).append((diagnostic.severity, diagnostic.message))

    @property
    def branches(self) -> list[int]:
        """The rows that have others in them, in order."""
        return [row for row in self._children if row >= 0]

    def row_of(self, index: Index) -> int:
        """Return the row of the frame table behind an index, -1 for the invalid one."""
        return int(index.internalId()) if index.isValid() else -1

    def index_of(self, row: int) -> QModelIndex:
        """Return the index of a row of the frame table."""
        return self.createIndex(self._position[row], 0, row)

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        children = self._children.get(self.row_of(parent), [])
        return self.createIndex(row, column, children[row]) if 0 <= row < len(children) else QModelIndex()

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        row = self.row_of(index)
        if self.model is None or row < 0:
            return QModelIndex()
        owner = int(self.model.owners[row])
        return self.index_of(owner) if owner >= 0 else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.column() > 0 else len(self._children.get(self.row_of(parent), []))

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 2

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return ("Frame", "Problems")[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_of(index)
        if self.model is None or row < 0:
            return None
        if index.column() == 1:
            return self._badge(row, role)
        answer = self._answers.get(role)
        return None if answer is None else answer(row)

    def _icon(self, row: int) -> QIcon:
        assert self.model is not None
        static, resolved = bool(self.model.static[row]), not self._unresolved[row]
        return kind_icon(self.model.kinds[row].value, self.colours, static=static, resolved=resolved)

    def _name(self, row: int) -> str:
        assert self.model is not None
        return self.model.local_names[row]

    def _foreground(self, row: int) -> QColor | None:
        return QColor(self.colours.disabled) if self._unresolved[row] else None

    def _spoken(self, row: int) -> str:
        assert self.model is not None
        return f"{self.model.kinds[row].value} {self.model.local_names[row]}"

    def _note(self, row: int) -> str:
        assert self.model is not None
        kind = self.model.kinds[row]
        if kind is Kind.JOINT:
            return self.model.elements[row].attributes.get("type", "")
        if kind is Kind.LINK and row in self._canonical:
            return "canonical"
        return ""

    def _describe(self, row: int) -> str:
        assert self.model is not None
        lines = [f"{self.model.kinds[row].value} {self.model.names[row]}"]
        if self._unresolved[row]:
            lines.append("Its pose cannot be resolved.")
        lines += [message for _, message in self._problems.get(self.model.names[row], [])]
        return "\n".join(lines)

    def _badge(self, row: int, role: int) -> object:
        assert self.model is not None
        problems = self._problems.get(self.model.names[row])
        if problems:
            worst = min((severity for severity, _ in problems), key=_RANK.__getitem__)
            if role == Qt.ItemDataRole.DecorationRole:
                return severity_icon(worst, self.colours)
            if role == Qt.ItemDataRole.ToolTipRole:
                return "\n".join(message for _, message in problems)
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return f"{len(problems)} problems"
        elif self._unresolved[row]:
            if role == Qt.ItemDataRole.DecorationRole:
                return icon("mdi6.help-circle-outline", self.colours.disabled)
            if role == Qt.ItemDataRole.ToolTipRole:
                return "Its pose cannot be resolved."
        return None


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
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.view.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(16)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(1, 24)
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
        self.view.collapsed.connect(lambda index: self._remember_fold(index, True))
        self.view.expanded.connect(lambda index: self._remember_fold(index, False))
        self.view.entered.connect(self._hover)
        self.view.viewport().installEventFilter(self)
        bridge.changed.connect(self._follow)
        self._folded: set[str] = set()
        self._show_model()

    # --- following the session -----------------------------------------------------------------------------------

    def _follow(self, change: Change) -> None:
        if change.document:
            self._show_model(dict(change.renamed))
        elif change.selection and change.origin is not self:
            self._show_selection()

    def _show_model(self, renamed: dict[str, str] | None = None) -> None:
        first = self.source.model is None
        names = renamed or {}
        self._folded = {names.get(name, name) for name in self._folded}
        model = self.bridge.session.model
        if model is None:
            return
        if not self.source.show_model(model):
            self.view.viewport().update()
            return
        if first:
            self._fold_details(model)
        if self.filter.text():
            self.view.expandAll()
        else:
            self._unfold(model)
        self._show_selection()

    def _unfold(self, model: Model) -> None:
        """Open the branches that are not folded; after a reset all are closed."""
        self.view.setUpdatesEnabled(False)
        for row in self.source.branches:
            if model.names[row] not in self._folded:
                self.view.setExpanded(self.proxy.mapFromSource(self.source.index_of(row)), True)
        self.view.setUpdatesEnabled(True)

    def _remember_fold(self, index: QModelIndex, folded: bool) -> None:
        # A filter opens everything, for as long as it lasts.
        if not self.filter.text():
            change = self._folded.add if folded else self._folded.discard
            change(self._name(index))

    def _fold_details(self, model: Model) -> None:
        """Start with links and joints folded: visuals and collisions are looked for less often."""
        large = len(model.names) > EXPANDED_ROWS
        for row, kind in enumerate(model.kinds):
            if kind in (Kind.LINK, Kind.JOINT) or (large and kind is Kind.MODEL and int(model.owners[row]) >= 0):
                self._folded.add(model.names[row])

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

    def _show_selection(self) -> None:
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
                self.view.setExpanded(index, self._name(index) not in self._folded)
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
    """The name, and behind it in grey what kind of joint or link it is."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
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
