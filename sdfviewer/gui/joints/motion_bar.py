"""The bar above the timeline: what is played, and the buttons that play, add, trace and test it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker, QSize
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QToolButton, QWidget

from sdfviewer.display_text import visible
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.menu_button import set_menu
from sdfviewer.gui.kit.text.elided import ElidedBox
from sdfviewer.gui.kit.theme import on_theme_change, tokens
from sdfviewer.gui.kit.widget_properties import named


class MotionBar(QWidget):
    """The choice of a motion, and its buttons.

    Attributes
    ----------
    source
        Keyframes, or the sweep of a degree of freedom.
    play, add
        The buttons that play the motion and add a keyframe.
    trace, collide
        The checkable buttons that draw the path of a frame and list collisions.
    menu
        The menu of the last button.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2)
        self.source = named(ElidedBox(), "Motion", "Keyframes on a timeline, or the sweep of a joint")
        self.source.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.source.setMinimumContentsLength(8)
        # Otherwise the list of a robot with many joints would cover the screen.
        self.source.setStyleSheet("QComboBox { combobox-popup: 0; }")
        self.source.setMaxVisibleItems(16)
        self._row.addWidget(self.source, 1)
        self._icons: list[tuple[QToolButton, str]] = []
        self._is_playing = False
        self.play = self._button("mdi6.play", "Play", "Play the motion")
        self.add = self._button("mdi6.plus-circle-outline", "Add Keyframe", "Add the current joint positions")
        self.trace = self._button("mdi6.vector-curve", "Trace", "")
        tip = "List and highlight the links that collide, except links that a joint connects"
        self.collide = self._button("mdi6.car-brake-alert", "Collisions", tip)
        for button in (self.trace, self.collide):
            button.setCheckable(True)
        more = self._button("mdi6.dots-horizontal", "More", "Joint states as CSV, images, and more")
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(more)
        set_menu(more, self.menu)
        on_theme_change(self._paint)
        self._paint()

    def _button(self, sign: str, name: str, tip: str) -> QToolButton:
        button = named(QToolButton(), name, tip)
        button.setIconSize(QSize(16, 16))
        self._row.addWidget(button)
        self._icons.append((button, sign))
        return button

    def _paint(self) -> None:
        colours = tokens(self.palette())
        for button, sign in self._icons:
            shown = "mdi6.pause" if button is self.play and self._is_playing else sign
            button.setIcon(icon(shown, colours.text, colours.disabled))

    def show_playing(self, is_playing: bool) -> None:
        """Show whether the motion is playing."""
        self._is_playing = is_playing
        self._paint()

    @property
    def swept(self) -> str | None:
        """Name of the degree of freedom that is swept, None where keyframes are played."""
        name = self.source.currentData()
        return str(name) if name else None

    def choose(self, swept: str | None) -> None:
        """Choose the sweep of a degree of freedom, or the keyframes."""
        self.source.setCurrentIndex(max(self.source.findData(swept), 0) if swept else 0)

    def show_sources(self, dofs: Iterable[str], top: str = "") -> None:
        """Offer the keyframes and the sweeps of degrees of freedom; the choice stays where it is still there.

        The name of the `top` model, with which all may begin, is left out.
        """
        chosen = self.swept
        with QSignalBlocker(self.source):
            self.source.clear()
            self.source.addItem("Keyframes", "")
            for name in dofs:
                self.source.addItem(f"{visible(name.removeprefix(f'{top}::'))} (sweep)", name)
            self.choose(chosen)
