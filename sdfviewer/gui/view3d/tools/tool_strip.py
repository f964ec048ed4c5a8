"""The buttons of the tools in the upper left corner of the 3D view, and beside them the shapes to drag into it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionEvent, QDrag, QMouseEvent
from PySide6.QtWidgets import (
    QApplication,
    QFormLayout,
    QFrame,
    QGridLayout,
    QLabel,
    QMenu,
    QToolButton,
    QWidget,
    QWidgetAction,
)

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH, NumberField, from_radians, to_radians
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.widgets import named, set_menu, styled
from sdfviewer.model.shapes import PRIMITIVES

TOOLS = ("tool.select", "tool.move", "tool.rotate", "tool.resize", "tool.pose", "tool.measure")
AXES = ("axes.local", "axes.world", "axes.relative_to")
SNAP, ALONE, SHAPES = "tool.snap", "tool.alone", "show.shapes"
EDITING_TOOLS = ("tool.move", "tool.rotate", "tool.resize", SHAPES)
"""What is of no use where the file is edited as text."""
MARGIN = 8
"""Logical pixels between the strip and the edges of the view."""
HINT = 36
"""Logical pixels kept free below it, where the view names what is under the mouse."""


class _ToolButton(QToolButton):
    """A button of an action of the window, which can be refused in one view."""

    _refusal = ""

    def refuse(self, reason: str) -> None:
        """Show the button as off and disabled, with a reason; as its action again where there is none."""
        if reason != self._refusal:
            self._refusal = reason
            self.setDefaultAction(self.defaultAction())
            self._show_refusal()

    def actionEvent(self, event: QActionEvent) -> None:
        super().actionEvent(event)  # shows the action as it is now
        self._show_refusal()

    def _show_refusal(self) -> None:
        if self._refusal:
            self.setEnabled(False)
            self.setChecked(False)
            self.setToolTip(self._refusal)


class ToolStrip(QFrame):
    """The tools, the axes of the handles, the steps that they snap to: a column, or several where the view is low."""

    def __init__(self, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        styled(self, "tools").setObjectName("tool_strip")
        self._settings = settings
        self._view = parent
        self._cells: list[QWidget] = []
        self._rows = 0  # in which the cells are arranged
        self._editing: list[_ToolButton] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(3, 3, 3, 3)
        self._grid.setSpacing(2)
        self._axes = named(QToolButton(), "Axes of the handles", "The orientation of the handles")
        self._axes_actions: list[QAction] = []
        self._steps: tuple[NumberField, NumberField] | None = None
        parent.installEventFilter(self)
        self.hide()

    def set_actions(self, actions: Mapping[str, QAction]) -> None:
        """Show the window's actions as buttons."""
        for id in TOOLS:
            self._add(actions[id], edits=id in EDITING_TOOLS)
        menu = QMenu(self._axes)
        for id in AXES:
            menu.addAction(actions[id])
            self._axes_actions.append(actions[id])
            # The actions outlive this strip; Qt disconnects a method of it, not a lambda.
            actions[id].changed.connect(self._show_axes)
        self._show_axes()
        set_menu(self._axes, menu)
        self._axes.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._axes.setIconSize(QSize(18, 18))
        self._axes.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._cells.append(self._axes)
        self._add(actions[ALONE])
        self._add(actions[SHAPES], edits=True)
        self.display_button = self._add(actions["show.display"])
        snap = self._add(actions[SNAP])
        set_menu(snap, self._steps_menu(snap))
        snap.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.fit(self._view.height())
        self.show()

    def fit(self, height: int) -> None:
        """Arrange the buttons in as many columns as a view of some height needs."""
        tallest = max((cell.sizeHint().height() for cell in self._cells), default=1) + self._grid.spacing()
        most = max(1, (height - 2 * MARGIN - HINT) // tallest)
        columns = -(-len(self._cells) // most)
        rows = -(-len(self._cells) // max(columns, 1))  # as many in each column, so that no column holds one alone
        if rows != self._rows:
            self._rows = rows
            for number, cell in enumerate(self._cells):
                self._grid.addWidget(cell, number % rows, number // rows)
        self.adjustSize()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._view and self._cells:
            self.fit(self._view.height())
        return super().eventFilter(watched, event)

    def refuse_edits(self, reason: str) -> None:
        """Disable what edits, with the reason as its tooltip; enable it where there is none."""
        for button in self._editing:
            button.refuse(reason)

    def _add(self, action: QAction, *, edits: bool = False) -> QToolButton:
        button = named(_ToolButton(), action.text())
        if edits:
            self._editing.append(button)
        button.setIconSize(QSize(18, 18))
        button.setDefaultAction(action)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._cells.append(button)
        return button

    def _show_axes(self) -> None:
        """Show the axes that are chosen."""
        for action in self._axes_actions:
            if action.isChecked():
                self._axes.setIcon(action.icon())
                self._axes.setToolTip(action.toolTip())

    def _steps_menu(self, parent: QWidget) -> QMenu:
        """Return a menu with the two steps that handles snap to."""
        menu = QMenu(parent)
        page = QWidget()
        form = QFormLayout(page)
        form.setContentsMargins(12, 8, 12, 8)
        length, angle = NumberField("Move step"), NumberField("Rotation step")
        self._length_unit, self._angle_unit = QLabel(f"Move step [{LENGTH}]"), QLabel()
        form.addRow(self._length_unit, length)
        form.addRow(self._angle_unit, angle)
        length.committed.connect(self._set_length)
        angle.committed.connect(self._set_angle)
        self._steps = (length, angle)
        menu.aboutToShow.connect(self._show_steps)
        action = QWidgetAction(menu)
        action.setDefaultWidget(page)
        menu.addAction(action)
        return menu

    def _show_steps(self) -> None:
        assert self._steps is not None
        unit = self._settings.angle_unit
        self._angle_unit.setText(f"Rotation step [{unit.value}]")
        self._steps[0].set_value(self._settings.snap_length)
        self._steps[1].set_value(round(from_radians(self._settings.snap_angle, unit), 12))

    def _set_length(self, value: float) -> None:
        if value > 0:
            self._settings.snap_length = value

    def _set_angle(self, value: float) -> None:
        if value > 0:
            self._settings.snap_angle = to_radians(value, self._settings.angle_unit)


SHAPE_MIME = "application/x-sdfviewer-shape"
"""The type of what is dragged: the tag of a shape."""


class ShapePalette(QFrame):
    """A button for each shape: drag it onto the robot, or click it and then the place for it."""

    #: A shape was clicked: its tag.
    chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        styled(self, "tools").setObjectName("shape_palette")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(3, 3, 3, 3)
        self._grid.setSpacing(2)
        self.buttons: dict[str, _ShapeButton] = {}
        # Whether a button is hidden is no answer before the palette itself was shown.
        self._offered: Collection[str] = tuple(PRIMITIVES)
        for shape in PRIMITIVES:
            button = self.buttons[shape] = _ShapeButton(shape, self)
            button.setIcon(icon(PRIMITIVES[shape].icon))
            button.clicked.connect(lambda _=False, shape=shape: self.chosen.emit(shape))
        self.fit(parent.width())
        self.hide()

    def offer(self, shapes: Collection[str]) -> None:
        """Offer only some shapes: those that the file can hold."""
        self._offered = shapes
        for shape, button in self.buttons.items():
            button.setVisible(shape in shapes)

    def fit(self, room: int) -> None:
        """Arrange the shapes in as many rows as a width needs."""
        widest = max(button.sizeHint().width() for button in self.buttons.values()) + self._grid.spacing()
        columns = max(room // widest, 1)
        offered = [button for shape, button in self.buttons.items() if shape in self._offered]
        for number, button in enumerate(offered):
            self._grid.addWidget(button, number // columns, number % columns)
        self.adjustSize()


class _ShapeButton(QToolButton):
    """A shape that is dragged or clicked."""

    def __init__(self, shape: str, parent: QWidget) -> None:
        super().__init__(parent)
        tip = f"Drag onto a link, or beside it for a new link; or click, then click where the {shape} goes"
        named(self, shape.capitalize(), f"{shape.capitalize()}. {tip}")
        self.setIconSize(QSize(18, 18))
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._shape = shape
        self._pressed: QPoint | None = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position().toPoint() if event.button() == Qt.MouseButton.LeftButton else None
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        start = self._pressed
        if start is None or (event.position().toPoint() - start).manhattanLength() < QApplication.startDragDistance():
            super().mouseMoveEvent(event)
            return
        self._pressed = None
        self.setDown(False)
        drag = QDrag(self)
        data = QMimeData()
        data.setData(SHAPE_MIME, self._shape.encode())
        drag.setMimeData(data)
        drag.setPixmap(self.icon().pixmap(24, 24))
        drag.exec(Qt.DropAction.CopyAction)
