"""The model tree: everything in the file that has a pose, with a filter and a badge where there are problems."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QLabel,
    QStackedLayout,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from sdfviewer.display_text import visible
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH, from_radians
from sdfviewer.gui.kit.labels import ELISIONS, Elision, LinkLabel, text_box
from sdfviewer.gui.kit.safe_text import PlainDelegate, markup, set_rich_text
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widgets import ask_again, column_of, named, row_of
from sdfviewer.gui.tree.listing import OrderButton, TreeOrder, TreeSearch, describe
from sdfviewer.gui.tree.tree_model import BADGE, EYE, IS_HIDDEN, NOTE, ROW, FrameTreeModel, Index
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.number_text import format_shown
from sdfviewer.session.read_only import describe_absence
from sdfviewer.session.session import Session
from sdfviewer.session.session_change import SessionChange
from sdfviewer.transforms import Array

BADGE_WIDTH = 24
INDENTATION, DEEP_INDENTATION = 16, 8
"""Pixels from a row to those below it: as written few are below each other, of a kinematic chain dozens."""
EXPANDED_ROWS = 400
"""Larger models start folded below their first level."""


class ModelTree(QWidget):
    """The tree of one file with its filter."""

    def __init__(self, context: DocumentContext, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._joints = JointNotes(settings)
        self.search = TreeSearch(self)
        self.filter = self.search.line
        self.source = FrameTreeModel(self, context.parts.mesh_body)
        self.view = named(_TreeView(), "Model tree")
        self.view.setModel(self.source)
        self.source.position_of = self._joints.position_of
        context.parts.weighed.connect(self.source.forget_parts)
        settings.changed.connect(self.view.viewport().update)
        self.source.is_folded = lambda index: not self.view.isExpanded(index)
        self._set_up_view()
        layout = column_of(parent=self, margins=0, spacing=0)
        self.order_button = OrderButton()
        self.order_button.chosen.connect(self.arrange)
        self._arrangement = LinkLabel()
        self._arrangement.setProperty("role", "muted")
        self._arrangement.linkActivated.connect(lambda _link: self.arrange(TreeOrder.WRITTEN, None))
        self._arrangement.hide()
        layout.addLayout(
            column_of(row_of((self.filter, 1), self.order_button, spacing=4), self._arrangement, margins=4)
        )
        self._pages = QStackedLayout()
        layout.addLayout(self._pages)  # first: a page without a parent would be shown as a window for a moment
        self._pages.addWidget(self.view)
        self._pages.addWidget(self.search.results)
        self._absence = QLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignTop)
        self._absence.setProperty("role", "muted")
        self._absence.setContentsMargins(8, 4, 8, 4)
        self._pages.addWidget(self._absence)
        self.setFocusProxy(self.view)

        self.search.active_changed.connect(self._show_page)
        self.search.clicked.connect(lambda name: context.session.select((name,), None))
        self.search.hovered.connect(context.highlights.hover)
        self.search.accepted.connect(self._go_to)
        self.search.results.viewport().installEventFilter(self)
        self.view.selectionModel().selectionChanged.connect(self._take_selection)
        self.view.doubleClicked.connect(lambda _index: context.requests.focus.emit(context.session.selection))
        self.view.collapsed.connect(lambda index: self._remember(index, False))
        self.view.expanded.connect(lambda index: self._remember(index, True))
        self.view.entered.connect(self._hover)
        self.view.viewport().installEventFilter(self)
        self.source.marks_changed.connect(self.view.viewport().update)
        context.changed.connect(self._follow)
        self._opened_in: dict[TreeOrder, dict[str, bool]] = {order: {} for order in TreeOrder}
        self._top: QPersistentModelIndex | None = None
        self._reveals_selection = False
        self._show_model()
        self._show_problems()
        self._show_outside()
        self._show_eyes()

    def _set_up_view(self) -> None:
        self.view.setHeaderHidden(True)
        self.view.setUniformRowHeights(True)
        self.view.setIndentation(INDENTATION)
        self.view.setIconSize(QSize(16, 16))
        self.view.setMouseTracking(True)
        for column, delegate in ((0, _NameDelegate), (BADGE, _BadgeDelegate), (EYE, _EyeDelegate)):
            self.view.setItemDelegateForColumn(column, delegate(self.view))
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._set_columns(self.view.header())

    @staticmethod
    def _set_columns(header: QHeaderView) -> None:
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(16)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(BADGE, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(BADGE, BADGE_WIDTH)
        header.setSectionResizeMode(EYE, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(EYE, BADGE_WIDTH)

    def _show_page(self, searches: bool) -> None:
        """Show what is found while one searches, else the tree, or why there is none."""
        self._absence.setText(describe_absence(self.context.session))
        self._pages.setCurrentIndex(1 if searches else 2 if self.source.model is None else 0)

    @property
    def _opened(self) -> dict[str, bool]:
        """Which branches are open in the present order, by scoped name."""
        return self._opened_in[self.source.order]

    def arrange(self, order: TreeOrder, kinds: frozenset[Kind] | None) -> None:
        """List the frames in another order, or those of some kinds; None for all that the order lists."""
        selector = self.view.selectionModel()
        selector.blockSignals(True)
        self.source.arrange(order, kinds)
        selector.blockSignals(False)
        self.view.setIndentation(INDENTATION if order is TreeOrder.WRITTEN else DEEP_INDENTATION)
        self.order_button.show_arrangement(order, kinds)
        text = markup("{what} · <a href='all'>As written</a>", what=describe(order, kinds))
        set_rich_text(self._arrangement, text)
        self._arrangement.setVisible((order, kinds) != (TreeOrder.WRITTEN, None))
        model = self.source.model
        if model is not None:
            self._open(model, self.source.with_children(range(len(model))))
            self._show_problems()
            self._show_selection()

    def show_next_order(self) -> None:
        """List all frames in the next order."""
        orders = list(TreeOrder)
        self.arrange(orders[(orders.index(self.source.order) + 1) % len(orders)], None)

    # --- following the session -----------------------------------------------------------------------------------

    def _follow(self, change: SessionChange) -> None:
        is_elsewhere = change.selection and change.origin is not self
        if change.document:
            self._show_model(dict(change.renamed))
            self._reveals_selection |= is_elsewhere
        elif is_elsewhere:
            self._show_selection()
        if change.visibility or change.document:
            self._show_eyes()
        if change.joints or change.document:
            self._show_outside()
        if change.problems or change.document:
            self.context.later.do(self._show_problems)  # thousands of problems take a pass of their own

    def _show_problems(self) -> None:
        self.source.show_problems(self.context.session.problems_by_frame())

    def _show_outside(self) -> None:
        self.source.show_outside(self._joints.follow(self.context.session))
        if self._joints.have_changed:
            self.view.viewport().update()

    def _show_eyes(self) -> None:
        model = self.source.model
        if model is not None:
            self.source.show_hidden(self.context.session.visibility.hidden_rows(model))

    def _show_model(self, renamed: dict[str, str] | None = None) -> None:
        model, before = self.context.session.model, self.source.model
        if model is None:
            self._show_page(self.search.is_active)
            return
        for opened in self._opened_in.values() if renamed else ():
            opened.update({new: opened.pop(old) for old, new in (renamed or {}).items() if old in opened})
        # Keep the top visible row in place when rows above it are added or removed.
        top = self._top or QPersistentModelIndex(self.view.indexAt(QPoint(0, 0)))
        top_row = top.data(ROW)
        selector = self.view.selectionModel()
        # Removed items lose their selection, which is not a click.
        selector.blockSignals(True)
        new = self.source.show_model(model)
        selector.blockSignals(False)
        self.search.show_model(model)
        self._open(model, self.source.with_children(new))
        if before is None:
            self._show_page(self.search.is_active)
        self._show_selection(scroll=before is None)
        if before is not None and (new or len(model) != len(before)):
            # To scroll, Qt lays out all rows. They are painted after that.
            if top.isValid() and top.data(ROW) != top_row:
                self._top = top
            self.view.setUpdatesEnabled(False)
        self.context.later.do(self._scroll)

    def _open(self, model: Model, rows: list[int]) -> None:
        """Expand new branches, except links and joints, whose visuals and collisions are needed less often."""
        if not rows:
            return
        large, is_written = len(model.names) > EXPANDED_ROWS, self.source.order is TreeOrder.WRITTEN
        self.view.setUpdatesEnabled(False)
        for row in rows:
            kind, name = model.kinds[row], model.names[row]
            nested = kind is Kind.MODEL and int(model.owners[row]) >= 0
            is_detail = (kind in (Kind.LINK, Kind.JOINT) and is_written) or (large and nested)
            if self._opened.setdefault(name, not is_detail):
                self.view.expand(self.source.index_of(row))
        self.view.setUpdatesEnabled(True)

    def _remember(self, index: QModelIndex, opened: bool) -> None:
        self._opened[self._name(index)] = opened
        if self.view.updatesEnabled():  # else rows are laid out later, and not before
            self.context.later.do(self._look_under_mouse)  # keys open and close rows, too

    def _name(self, index: Index) -> str:
        assert self.source.model is not None
        return self.source.model.names[self.source.row_of(index)]

    def _show_selection(self, *, scroll: bool = True) -> None:
        model = self.source.model
        if model is None:
            return
        selection = QItemSelection()
        current = QModelIndex()
        for name in self.context.session.selection:
            row = model.rows_by_name.get(name)
            if row is None:
                continue
            current = self.source.index_of(row)
            if not current.isValid():  # not of the kinds that are listed
                continue
            selection.select(current, current.siblingAtColumn(EYE))
        selector = self.view.selectionModel()
        selector.blockSignals(True)
        is_current = not current.isValid() or selector.currentIndex() == current
        is_shown = is_current and _ranges(selector.selection()) == _ranges(selection)
        selector.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if current.isValid():
            selector.setCurrentIndex(current, QItemSelectionModel.SelectionFlag.NoUpdate)
            if scroll:
                self.view.scrollTo(current)
        selector.blockSignals(False)
        if not is_shown:  # an edit that leaves the selection repaints nothing
            self.view.viewport().update()

    def _scroll(self) -> None:
        """Lay out and scroll after an edit: rows in sight stay where they are, and what it has selected is shown."""
        if self.view.isVisible():
            self.view.executeDelayedItemsLayout()
        if self._top is not None and self._top.isValid():
            self.view.scrollTo(self._top, QAbstractItemView.ScrollHint.PositionAtTop)
        current = self.view.currentIndex()
        if self._reveals_selection and current.isValid() and self.view.selectionModel().isSelected(current):
            self.view.scrollTo(current)
        self._top, self._reveals_selection = None, False
        self.view.setUpdatesEnabled(True)
        self._look_under_mouse()

    def _look_under_mouse(self) -> None:
        ask_again(self.view)

    # --- what the user does ----------------------------------------------------------------------------------------

    def _take_selection(self) -> None:
        if self.source.model is None:
            return
        indices = self.view.selectionModel().selectedRows()
        rows = [index.data(ROW) for index in indices if self.source.row_of(index) >= 0]
        current = self.view.currentIndex().data(ROW)
        # The properties are those of the element picked last.
        rows.sort(key=lambda row: row == current)
        self.context.session.select((self.source.model.names[row] for row in rows), self)

    def _hover(self, index: QModelIndex) -> None:
        if not self.view.isVisible():  # Qt enters what scrolls to the mouse, also behind another panel
            return
        # An entry that a reload removed may still be under the pointer.
        self.context.highlights.hover(self._name(index) if self.source.row_of(index) >= 0 else None)

    def _go_to(self, name: str) -> None:
        """Select what the search has found, and show it in the tree."""
        self.filter.clear()
        self.context.session.select((name,), None)
        self.view.scrollTo(self.view.currentIndex())  # it may have been selected before, out of sight
        self.view.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave or (
            event.type() == QEvent.Type.MouseMove
            and watched is self.view.viewport()
            and isinstance(event, QMouseEvent)
            and not self.view.indexAt(event.position().toPoint()).isValid()
        ):
            self.context.highlights.hover(None)
        if watched is self.view.viewport() and isinstance(event, QMouseEvent) and self._click_eye(event):
            return True
        return super().eventFilter(watched, event)

    def _click_eye(self, event: QMouseEvent) -> bool:
        """Hide or show what an eye belongs to, which selects nothing; return whether the mouse was on an eye."""
        presses = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
        index = self.view.indexAt(event.position().toPoint())
        session = self.context.session
        if index.column() != EYE or event.button() != Qt.MouseButton.LeftButton or session.model is None:
            return False
        if self.source.row_of(index) < 0:
            return False
        if event.type() in presses:
            session.set_visibility(session.visibility.toggle(session.model, self._name(index)), self)
            self._show_eyes()
        return event.type() in presses


def _ranges(selection: QItemSelection) -> list[QItemSelectionRange]:
    return list(cast("list[QItemSelectionRange]", selection))  # the stubs do not say that it is a sequence


class _TreeView(QTreeView):
    """Keeps the order of its rows when the style changes; all of them are equally high.

    While it is not updated its rows are laid out only when the place of one is requested: by itself Qt does that in the
    turn in which an edit is painted, and asks the model for thousands of rows.
    """

    _handled = QEvent.Type.None_

    def event(self, event: QEvent) -> bool:
        outer, self._handled = self._handled, event.type()
        try:
            return super().event(event)
        finally:
            self._handled = outer

    def doItemsLayout(self) -> None:
        if self._handled == QEvent.Type.Timer and not self.updatesEnabled():
            self.scheduleDelayedItemsLayout()  # still due, and requested in each pass until then
        elif self._handled != QEvent.Type.StyleChange:  # which leaves rows where they were
            super().doItemsLayout()


#: Pixels beside the text of a cell.
_MARGINS = 8


class _NameDelegate(PlainDelegate):
    """The name, and behind it in grey what kind of joint or link it is; where there is no badge, in its room too."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Shorten a name that is too long where it still differs from those around it."""
        super().initStyleOption(option, index)
        room = text_box(option).width() - _MARGINS
        metrics = option.fontMetrics
        if 0 < room < metrics.horizontalAdvance(option.text):
            # Links and their joints often take turns.
            near = [index.sibling(index.row() + by, 0).data() or "" for by in (-2, -1, 1, 2)]
            others = [visible(name) for name in near]
            option.textElideMode = next(
                (mode for mode in ELISIONS if _is_distinct(option.text, others, mode, metrics, room)), ELISIONS[0]
            )

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if not _has_badge(index):
            option = QStyleOptionViewItem(option)
            # An eye takes up room only where it is visible.
            free = 1 if _has_eye(option, index.sibling(index.row(), EYE)) else 2
            option.rect = option.rect.adjusted(0, 0, free * BADGE_WIDTH, 0)
        note = visible(index.data(NOTE) or "")
        if not note:
            super().paint(painter, option, index)
            return
        self.initStyleOption(option, index)
        style = option.widget.style() if option.widget else QApplication.style()
        box = text_box(option)
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        used = option.fontMetrics.horizontalAdvance(option.text) + 12
        painter.save()
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        own = None if is_selected else index.data(Qt.ItemDataRole.ForegroundRole)
        painter.setPen(own if own is not None else QColor(tokens(option.palette).faint(is_selected)))
        room = box.adjusted(used, 0, -4, 0)
        if room.width() >= option.fontMetrics.horizontalAdvance(note):
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, note)
        painter.restore()


def _is_distinct(text: str, others: Iterable[str], mode: Elision, metrics: QFontMetrics, room: int) -> bool:
    """Return whether a text that is shortened to some pixels looks unlike others that are shortened in the same way."""
    shown = metrics.elidedText(text, mode, room)
    return all(metrics.elidedText(other, mode, room) != shown for other in others)


class _BadgeDelegate(QStyledItemDelegate):
    """The badge; without one, the name gets the room."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        view = self.parent()
        if _has_badge(index):
            super().paint(painter, option, index)
        elif option.state & QStyle.StateFlag.State_MouseOver and isinstance(view, QTreeView):
            # The view has just filled the cell under the pointer, and with it the end of the name.
            name = index.sibling(index.row(), 0)
            name_option = QStyleOptionViewItem(option)
            name_option.rect = view.visualRect(name)
            painter.save()
            painter.setClipRect(option.rect)
            view.itemDelegateForColumn(0).paint(painter, name_option, name)
            painter.restore()


class _EyeDelegate(QStyledItemDelegate):
    """An eye where something is hidden, and under the mouse."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if _has_eye(option, index):
            super().paint(painter, option, index)


def _has_eye(option: QStyleOptionViewItem, index: Index) -> bool:
    return bool(index.data(IS_HIDDEN)) or bool(option.state & QStyle.StateFlag.State_MouseOver)


def _has_badge(index: Index) -> bool:
    return index.sibling(index.row(), BADGE).data(Qt.ItemDataRole.DecorationRole) is not None


_DIGITS = 4


class JointNotes:
    """The positions of the joints of a session, as they were when `follow` was called last.

    Attributes
    ----------
    have_changed
        Whether they were others at the call before.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._kinematics: Kinematics | None = None
        self._places: dict[int, list[int]] = {}
        self._q: Array = np.zeros(0)
        self.have_changed = False

    def follow(self, session: Session) -> frozenset[int]:
        """Take note of the positions, and return the rows of the joints that are outside of their limits."""
        kinematics = session.kinematics
        if kinematics is not self._kinematics:
            self._kinematics, self._places = kinematics, {}
            for place, dof in enumerate(() if kinematics is None else kinematics.dofs):
                self._places.setdefault(dof.joint.row, []).append(place)
        if kinematics is None:
            return frozenset()
        before, self._q = self._q, kinematics.positions(session.positions)
        self.have_changed = not np.array_equal(before, self._q)
        return frozenset(kinematics.dofs[place].joint.row for place in kinematics.outside_limits(self._q))

    def position_of(self, row: int) -> str:
        """Return the position of the joint of a row, empty where it has not moved."""
        places = self._places.get(row, [])
        if self._kinematics is None or not any(self._q[place] for place in places):
            return ""
        unit, is_angle = self._settings.angle_unit, self._kinematics.dofs[places[0]].unit == "rad"
        values = [float(self._q[place]) for place in places]
        shown = [format_shown(from_radians(each, unit) if is_angle else each, _DIGITS) for each in values]
        return f"{', '.join(shown)} {unit.value if is_angle else LENGTH}"
