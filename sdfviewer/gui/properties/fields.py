"""Fields for single values, checked while you type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QIcon,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QColorDialog,
    QComboBox,
    QFileDialog,
    QLabel,
    QSizePolicy,
    QStyle,
    QStyleOptionFrame,
    QToolButton,
    QWidget,
)

from sdfviewer.display_text import as_sentence, visible
from sdfviewer.gui.kit.fields import BY_KEYBOARD, LineEdit
from sdfviewer.gui.kit.file_dialog import mesh_filter
from sdfviewer.gui.kit.widgets import column_of, named, row_of, set_style_property, styled

MIXED = "—"
"""Shown where several selected elements differ."""
UNIT_WIDTH = 44


@dataclass(frozen=True)
class FieldEntry:
    """What the user entered in a field: the text to write, or None to write nothing."""

    text: str | None


class ValueField(QWidget):
    """The base of all fields: a value that is written or not, and the fault of what was entered.

    The value is the text of the file, None where nothing is written, `MIXED` where several things differ.
    """

    #: The user entered another value: a `FieldEntry`.
    committed = Signal(FieldEntry)

    def __init__(self, name: str, unit: str = "") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._fault: QLabel | None = None  # few fields ever have one
        self.line = row_of(margins=0, spacing=4)
        self.unit_label = QLabel(unit, self)  # without a parent it would be shown as a window for a moment
        self.unit_label.setProperty("role", "muted")
        self.unit_label.setMinimumWidth(UNIT_WIDTH if unit else 0)
        self.unit_label.setVisible(bool(unit))
        self.line.addWidget(self.unit_label)
        self._column = column_of(self.line, parent=self, margins=0, spacing=0)

    def put(self, widget: QWidget) -> None:
        """Put the widget that holds the value before the unit."""
        widget.setAccessibleName(self.accessibleName())
        self.line.insertWidget(self.line.count() - 1, widget, 1)
        self.setFocusProxy(widget)

    def set_unit(self, unit: str) -> None:
        """Show another unit."""
        self.unit_label.setText(unit)
        self.unit_label.setVisible(bool(unit))

    @property
    def fault(self) -> str:
        """The reason that is shown against what was entered, empty if there is none."""
        return "" if self._fault is None else self._fault.text()

    def show_fault(self, reason: str) -> None:
        """Show, or with an empty text take away, why the value cannot be written."""
        if self._fault is None and reason:
            self._fault = styled(QLabel(wordWrap=True), "error")
            self._column.addWidget(self._fault)
        if self._fault is not None:
            self._fault.setText(as_sentence(reason))
            self._fault.setVisible(bool(reason))
        set_style_property(self.focusProxy() or self, "invalid", bool(reason))

    def show_value(self, value: str | None, default: str, editable: bool) -> None:
        """Show what is written, or greyed what counts where nothing is."""
        raise NotImplementedError


class TextField(ValueField):
    """A line of text that is checked at every key."""

    def __init__(self, name: str, unit: str = "", check: Callable[[str], str | None] | None = None) -> None:
        super().__init__(name, unit)
        self._check = check
        self._value: str | None = None
        self.edit = RevertingLine(self._revert)
        self.put(self.edit)
        self.edit.textEdited.connect(self._look_at)
        self.edit.editingFinished.connect(self._commit)

    def show_value(self, value: str | None, default: str, editable: bool) -> None:
        self._value = value
        self.edit.setPlaceholderText(MIXED if value == MIXED else default)
        self.edit.setReadOnly(not editable)
        self.edit.setToolTip("The selected elements have different values" if value == MIXED else value or "")
        self._revert()

    def _revert(self) -> None:
        self.edit.setText("" if self._value in (None, MIXED) else self._value)
        self.edit.setModified(False)
        self.edit.setCursorPosition(0)
        self.show_fault("")

    def _look_at(self, text: str) -> None:
        # An empty field removes the value, which is always well-formed.
        self.show_fault((self._check(text.strip()) if self._check and text.strip() else None) or "")

    def _commit(self) -> None:
        if not self.edit.isModified():
            return
        text = self.edit.text().strip()
        if text == (self._value or "") or (not text and self._value == MIXED):
            self._revert()
        elif not text:
            self.edit.setModified(False)
            self.committed.emit(FieldEntry(None))
        elif not self.fault:
            self.edit.setModified(False)
            self.committed.emit(FieldEntry(text))


_TEXT_MARGIN = 2
"""Pixels that Qt keeps free at either end of the text of a line."""


def shortened_values(text: str, room: int, metrics: QFontMetrics) -> str:
    """Return as many whole words of a text as there is room for in pixels: half a number would be another one."""
    if metrics.horizontalAdvance(text) <= room:
        return text
    words = text.split()
    for count in range(len(words) - 1, 0, -1):
        shown = f"{' '.join(words[:count])} …"
        if metrics.horizontalAdvance(shown) <= room:
            return shown
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)


class RevertingLine(LineEdit):
    """A field that Escape resets, even after its input was refused."""

    def __init__(self, revert: Callable[[], None]) -> None:
        super().__init__()
        self._revert = revert
        self.setMinimumWidth(40)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text, with an ellipsis where it is cut and the user is not typing in it."""
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        contents = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        shown = shortened_values(self.text(), contents.width() - 2 * _TEXT_MARGIN, self.fontMetrics())
        if self.hasFocus() or shown == self.text():
            super().paintEvent(event)
            return
        with QPainter(self) as painter:
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
            painter.setPen(self.palette().color(QPalette.ColorRole.Text))
            box = contents.adjusted(_TEXT_MARGIN, 0, -_TEXT_MARGIN, 0)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and (self.isModified() or self.property("invalid")):
            self._revert()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in BY_KEYBOARD:
            self.selectAll()


class ChoiceField(ValueField):
    """A list of words, the default first where the value need not be written."""

    def __init__(self, name: str, values: Sequence[str], required: bool = False) -> None:
        super().__init__(name)
        self._values = tuple(values)
        self._required = required
        self.box = _Box()
        self.put(self.box)
        self.box.activated.connect(lambda _index: self.committed.emit(FieldEntry(self.box.currentData())))

    def show_value(self, value: str | None, default: str, editable: bool) -> None:
        self.show_fault("")
        with QSignalBlocker(self.box):
            self.box.clear()
            if not self._required:
                self.box.addItem(f"default: {default}" if default else "not set", None)
                grey = self.palette().placeholderText()
                self.box.setItemData(0, grey, Qt.ItemDataRole.ForegroundRole)
            for word in self._values:
                self.box.addItem(word, word)
            known = self._known(value)
            if value not in (None, MIXED) and known is None:
                self.box.addItem(visible(str(value)), value)
                known = value
            self.box.setPlaceholderText(MIXED if value == MIXED else "not set")
            index = -1 if value == MIXED else self.box.findData(known)
            self.box.setCurrentIndex(index)
            set_style_property(self.box, "unwritten", value is None)
        self.box.setEnabled(editable)

    def _known(self, value: str | None) -> str | None:
        """Return the word that a written value means: ``1`` is true."""
        if self._values == ("true", "false") and value is not None:
            value = {"1": "true", "0": "false"}.get(value, value.lower())
        return value if value in self._values else None


class _Box(QComboBox):
    """A box that the wheel scrolls past and that its words do not widen."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class ColourField(TextField):
    """Red, green, blue and opacity as text, with a swatch that opens the colour dialog."""

    def __init__(self, name: str, check: Callable[[str], str | None] | None = None) -> None:
        super().__init__(name, "", check)
        self.swatch = named(QToolButton(), f"Choose {name}", "Choose a colour")
        self.swatch.clicked.connect(self._choose)
        self.line.insertWidget(0, self.swatch)

    def show_value(self, value: str | None, default: str, editable: bool) -> None:
        super().show_value(value, default, editable)
        self.swatch.setEnabled(editable)
        self.swatch.setIcon(_swatch(_colour(value if value not in (None, MIXED) else default)))

    def _choose(self) -> None:
        start = _colour(self._value if self._value not in (None, MIXED) else "") or QColor(Qt.GlobalColor.gray)
        options = QColorDialog.ColorDialogOption.ShowAlphaChannel
        colour = QColorDialog.getColor(start, self, self.accessibleName(), options)
        if colour.isValid():
            self.committed.emit(FieldEntry(" ".join(f"{part:.3g}" for part in _parts(colour))))


class FileField(TextField):
    """The URI of a mesh, with a button that chooses its file.

    Parameters
    ----------
    folder
        Returns where the dialog begins.
    name_file
        Returns the URI of a file that was chosen; the one before is given, whose scheme it keeps where it can.
    """

    def __init__(
        self,
        name: str,
        folder: Callable[[], Path],
        name_file: Callable[[Path, str], str],
        check: Callable[[str], str | None] | None = None,
    ) -> None:
        super().__init__(name, "", check)
        self._folder, self._name_file = folder, name_file
        self.browse = named(QToolButton(), f"Browse for {name}", "Choose the file")
        self.browse.setText("…")
        self.browse.clicked.connect(self._choose)
        self.line.addWidget(self.browse)

    def show_value(self, value: str | None, default: str, editable: bool) -> None:
        super().show_value(value, default, editable)
        self.browse.setEnabled(editable)

    def _choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, self.accessibleName(), str(self._folder()), mesh_filter())
        if path:
            before = self._value if self._value not in (None, MIXED) else ""
            self.committed.emit(FieldEntry(self._name_file(Path(path), before or "")))


def _colour(text: str | None) -> QColor | None:
    try:
        numbers = [min(max(float(word), 0.0), 1.0) for word in (text or "").split()]
    except ValueError:
        return None
    return QColor.fromRgbF(*numbers[:4]) if len(numbers) in (3, 4) else None


def _parts(colour: QColor) -> tuple[float, float, float, float]:
    return colour.redF(), colour.greenF(), colour.blueF(), colour.alphaF()


def _swatch(colour: QColor | None) -> QIcon:
    """Return a field of a colour, crossed out where there is none: empty it would look like a box to tick."""
    picture = QPixmap(16, 16)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        if colour is not None:
            painter.setBrush(QColor(colour.red(), colour.green(), colour.blue()))
        painter.setPen(QColor(Qt.GlobalColor.gray))
        painter.drawRoundedRect(1, 1, 13, 13, 3, 3)
        if colour is None:
            painter.drawLine(3, 12, 12, 3)
    return QIcon(picture)
