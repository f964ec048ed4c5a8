"""The menu of what the 3D view shows beyond on and off: which frames, how large, how see-through."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QGridLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QSlider,
    QWidget,
    QWidgetAction,
)

from sdfviewer.display_text import visible
from sdfviewer.gui.kit.widgets import named, row_of
from sdfviewer.gui.view3d.display import Display
from sdfviewer.model.model import Model

_KINDS = ("world", "model", "link", "joint", "frame")
_ALL_MODELS = "All models"


class DisplayMenu(QMenu):
    """Controls for a `Display`."""

    #: The `Display` as it is now.
    changed = Signal(Display)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Display Options", parent)
        self.display = Display()
        self.kinds = {kind: QCheckBox(f"{kind.capitalize()}s") for kind in _KINDS}
        kinds = QGridLayout()
        for number, box in enumerate(self.kinds.values()):
            box.toggled.connect(self._take)
            kinds.addWidget(box, number // 3, number % 3)
        self.name = named(QLineEdit(placeholderText="part of a name", clearButtonEnabled=True), "Frames by name")
        self.name.textChanged.connect(self._take)
        self.model = named(QComboBox(), "Frames by model")
        self.model.currentIndexChanged.connect(self._take)
        self.length = named(QDoubleSpinBox(), "Length of axes")
        self.length.valueChanged.connect(self._take)
        self.unit = named(QComboBox(), "Unit of the length of axes", "On screen, or in the world")
        self.unit.addItems(["px", "m"])
        self.unit.currentIndexChanged.connect(self._change_unit)
        length = row_of((self.length, 1), self.unit)
        self.frame_opacity = _slider("Opacity of frames")
        self.surface_opacity = _slider("Opacity of transparent surfaces")
        for slider in (self.frame_opacity, self.surface_opacity):
            slider.valueChanged.connect(self._take)
        self.reset = QPushButton("Show All Frames")
        self.reset.clicked.connect(self._show_all)
        page = QWidget()
        form = QFormLayout(page)
        form.setContentsMargins(12, 12, 12, 12)
        form.setSpacing(8)
        form.addRow("Frames of", kinds)
        form.addRow("Named", self.name)
        form.addRow("In", self.model)
        form.addRow("Axes", length)
        form.addRow("Opacity", self.frame_opacity)
        form.addRow("Transparent", self.surface_opacity)
        form.addRow("", self.reset)
        action = QWidgetAction(self)
        action.setDefaultWidget(page)
        self.addAction(action)
        self._show()

    def show_models(self, model: Model | None) -> None:
        """Offer the models of a file to narrow the frames down to."""
        names = [] if model is None else [n for n, k in zip(model.names, model.kinds, strict=True) if k == "model"]
        if [self.model.itemData(k) for k in range(1, self.model.count())] == names and self.model.count():
            return
        chosen = self.model.currentData()
        with QSignalBlocker(self.model):
            self.model.clear()
            self.model.addItem(_ALL_MODELS)
            for name in names:
                self.model.addItem(visible(name), name)
            self.model.setCurrentIndex(max(self.model.findData(chosen), 0) if chosen else 0)
        self._take()

    def _show(self) -> None:
        """Set the controls to the display."""
        display = self.display
        controls: list[QWidget] = [*self.kinds.values(), self.name, self.model, self.length, self.unit]
        blockers = [QSignalBlocker(each) for each in (*controls, self.frame_opacity, self.surface_opacity)]
        for kind, box in self.kinds.items():
            box.setChecked(kind in display.kinds)
        self.name.setText(display.name)
        self.model.setCurrentIndex(max(self.model.findData(next(iter(display.within))), 0) if display.within else 0)
        self.unit.setCurrentIndex(int(display.in_metres))
        low, high, step, digits = (0.005, 50.0, 0.05, 3) if display.in_metres else (4.0, 200.0, 4.0, 0)
        self.length.setDecimals(digits)
        self.length.setRange(low, high)
        self.length.setSingleStep(step)
        self.length.setValue(display.metres if display.in_metres else display.pixels)
        self.frame_opacity.setValue(round(display.frame_opacity * 100))
        self.surface_opacity.setValue(round(display.surface_opacity * 100))
        self.reset.setEnabled(display.hides_frames)
        del blockers

    def _take(self) -> None:
        """Read the controls."""
        metres = self.display.in_metres
        display = replace(
            self.display,
            kinds=frozenset(kind for kind, box in self.kinds.items() if box.isChecked()),
            name=self.name.text().strip(),
            within=frozenset({self.model.currentData()} if self.model.currentIndex() > 0 else ()),
            metres=self.length.value() if metres else self.display.metres,
            pixels=self.display.pixels if metres else self.length.value(),
            frame_opacity=self.frame_opacity.value() / 100,
            surface_opacity=self.surface_opacity.value() / 100,
        )
        self.reset.setEnabled(display.hides_frames)
        if display != self.display:
            self.display = display
            self.changed.emit(display)

    def _change_unit(self, index: int) -> None:
        self.display = replace(self.display, in_metres=index == 1)
        self._show()
        self.changed.emit(self.display)

    def _show_all(self) -> None:
        every = Display()
        self.display = replace(self.display, kinds=every.kinds, name="", within=every.within)
        self._show()
        self.changed.emit(self.display)


def _slider(name: str) -> QSlider:
    slider = named(QSlider(Qt.Orientation.Horizontal), name)
    slider.setRange(5, 100)
    return slider
