"""The history as a list of steps."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QMenu, QStyleOptionViewItem, QWidget

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.safe_text import PlainDelegate
from sdfviewer.gui.kit.theme import on_theme_change
from sdfviewer.gui.kit.widgets import column_of, named
from sdfviewer.session.session_change import SessionChange


class _StepDelegate(PlainDelegate):
    """A step is never wider than the list: it is shortened instead."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, super().sizeHint(option, index).height())


class _Steps(QListWidget):
    """Takes the key that leads to the first step, which the window has for the camera."""

    def event(self, event: QEvent) -> bool:
        key = event.key() if isinstance(event, QKeyEvent) else None
        if event.type() == QEvent.Type.ShortcutOverride and key == Qt.Key.Key_Home:
            event.accept()
            return True
        return super().event(event)


class HistoryPanel(QWidget):
    """All states of one file, the present one marked, the saved one with a disk."""

    #: The place of a state in the history that the present one should be compared with.
    comparison_wanted = Signal(int)

    def __init__(self, context: DocumentContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        on_theme_change(self.refresh)
        self.context = context
        self.list = named(
            _Steps(), "History", "Click a step to go back or forward to it; right-click to compare with it"
        )
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._open_menu)
        self.list.setIconSize(QSize(16, 16))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Steps begin with what is done to which frame, and end with the new value.
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setItemDelegate(_StepDelegate(self.list))
        column_of(self.list, parent=self, margins=0)
        self.setFocusProxy(self.list)
        self.list.itemClicked.connect(self._go)
        self.list.itemActivated.connect(self._go)
        context.changed.connect(self._follow)
        self._stale = True

    def _follow(self, change: SessionChange) -> None:
        if change.document or change.saved:
            self._stale = True
            if self.isVisible():
                self.refresh()

    def refresh(self) -> None:
        """Show the steps as they are now."""
        self._stale = False
        history = self.context.session.history
        scroll = self.list.verticalScrollBar().value()
        self.list.clear()
        bold = QFont(self.list.font())
        bold.setBold(True)
        for index, step in enumerate(history.steps):
            item = QListWidgetItem(step.label)
            item.setToolTip(step.label)
            saved = history.is_saved(index)
            if index == history.index:
                item.setFont(bold)
                item.setIcon(icon("mdi6.arrow-right-bold", "accent"))
                item.setToolTip(f"{step.label}\nThe current state")
            elif saved:
                item.setIcon(icon("mdi6.content-save-outline", "muted"))
            else:
                item.setIcon(icon("mdi6.circle-small", "muted"))
            if index > history.index:
                item.setForeground(self.palette().placeholderText())
                item.setToolTip(f"{step.label}\nUndone; click to redo")
            if saved:
                item.setText(f"{step.label}   ·   saved")
            self.list.addItem(item)
        self.list.verticalScrollBar().setValue(scroll)
        self.list.scrollToItem(self.list.item(history.index))
        self.list.setCurrentRow(history.index)

    def _go(self, item: QListWidgetItem) -> None:
        index = self.list.row(item)
        if index != self.context.session.history.index:
            self.context.session.go_to(index, None)

    def _open_menu(self, at: QPoint) -> None:
        """Offer to go to a state, and to compare it with the present one."""
        item = self.list.itemAt(at)
        if item is None or self.list.row(item) == self.context.session.history.index:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        index = self.list.row(item)
        menu.addAction("Compare With This State").triggered.connect(lambda: self.comparison_wanted.emit(index))
        menu.addAction("Go to This State").triggered.connect(lambda: self.context.session.go_to(index, None))
        menu.popup(self.list.viewport().mapToGlobal(at))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self.refresh()
