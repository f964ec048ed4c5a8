"""The shapes that can be dragged into the 3D view, in a row beside the tools."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QMimeData, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QToolButton, QWidget

from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.theme import on_theme_change, tokens
from sdfviewer.gui.kit.widgets import named
from sdfviewer.model.shapes import PRIMITIVES

SHAPE_MIME = "application/x-sdfviewer-shape"
"""The type of what is dragged: the tag of a shape."""


class ShapePalette(QFrame):
    """A button for each shape: drag it onto the robot, or click it and then the place for it."""

    #: A shape was clicked: its tag.
    chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("shape_palette")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(3, 3, 3, 3)
        self._grid.setSpacing(2)
        self.buttons: dict[str, _ShapeButton] = {}
        # Whether a button is hidden is no answer before the palette itself was shown.
        self._offered: Collection[str] = tuple(PRIMITIVES)
        for shape in PRIMITIVES:
            button = self.buttons[shape] = _ShapeButton(shape, self)
            button.clicked.connect(lambda _=False, shape=shape: self.chosen.emit(shape))
        self.fit(parent.width())
        on_theme_change(self._paint)
        self._paint()
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

    def _paint(self) -> None:
        colours = tokens(self.palette())
        for shape, button in self.buttons.items():
            button.setIcon(icon(PRIMITIVES[shape].icon, colours.text))
        sheet = (
            f"#shape_palette {{ background: {colours.panel}; border: 1px solid {colours.border_strong};"
            "border-radius: 6px; }"
        )
        # A style sheet also changes the palette; setting it again would recurse.
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)


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
