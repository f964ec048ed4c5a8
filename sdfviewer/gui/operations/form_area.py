"""The rows of a form, which scroll only where the screen is too low for them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFormLayout, QScrollArea, QSizePolicy, QWidget

_ROLES = (QFormLayout.ItemRole.LabelRole, QFormLayout.ItemRole.FieldRole, QFormLayout.ItemRole.SpanningRole)


class FormArea(QScrollArea):
    """As high as its rows, and at most `limit` logical pixels."""

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        self.setObjectName("form_area")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._limit = 1 << 20
        page = QWidget()
        self.form = QFormLayout(page)
        self.form.setContentsMargins(0, 0, 0, 0)
        self.setWidget(page)
        page.installEventFilter(self)

    def set_limit(self, height: int) -> None:
        """Scroll where the rows are higher."""
        if height != self._limit:
            self._limit = height
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        size = self.form.sizeHint()
        if self.form.hasHeightForWidth():
            # Text that wraps is as high as the width that there is makes it.
            width = self.viewport().width() if self.isVisible() else size.width()
            size.setHeight(max(size.height(), self.form.totalHeightForWidth(width)))
        return self._limited(size)

    def minimumSizeHint(self) -> QSize:
        return self._limited(self.form.minimumSize())

    def _limited(self, size: QSize) -> QSize:
        if size.height() <= self._limit:
            return size
        return QSize(size.width() + self.verticalScrollBar().sizeHint().width(), self._whole_rows())

    def _whole_rows(self) -> int:
        """Return the height of as many rows as there is room for: none is cut through its letters."""
        height, spacing = 0, self.form.verticalSpacing()
        for row in range(self.form.rowCount()):
            if not self.form.isRowVisible(row):
                continue
            items = (self.form.itemAt(row, role) for role in _ROLES)
            rest = height + spacing * bool(height) + max(each.sizeHint().height() for each in items if each is not None)
            if rest > self._limit:
                break
            height = rest
        return height or self._limit

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and watched is self.widget():
            self.updateGeometry()
        return super().eventFilter(watched, event)
