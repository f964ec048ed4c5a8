"""The bar above the timeline, what is played and the buttons that play, add, trace and test it, and its menus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QMenu, QToolButton, QWidget

from sdfviewer.display_text import visible
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.labels import ElidedBox
from sdfviewer.gui.kit.theme import on_theme_change, tokens
from sdfviewer.gui.kit.widgets import named, row_of, set_menu
from sdfviewer.model.kinematics.motion import Easing, Keyframe, Timeline


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

    def __init__(self) -> None:
        super().__init__()
        self._row = row_of(parent=self, margins=0, spacing=2)
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


def fill_keyframe_menu(
    menu: QMenu,
    timeline: Timeline,
    number: int,
    positions: Mapping[str, tuple[float, ...]],
    change: Callable[[Timeline], None],
) -> None:
    """Add the commands of a keyframe to a menu.

    Parameters
    ----------
    menu
        The menu.
    timeline, number
        The keyframes, and which of them it is.
    positions
        The joint positions now, to which it can be updated.
    change
        What takes the keyframes that a command makes.
    """
    keyframe = timeline.keyframes[number]
    easings = menu.addMenu("Easing to the Next Keyframe")

    def ease(easing: Easing, _checked: bool = False) -> None:
        change(timeline.eased(number, easing))

    for easing in Easing:
        action = easings.addAction(easing.value.capitalize())
        action.setCheckable(True)
        action.setChecked(keyframe.easing is easing)
        action.triggered.connect(partial(ease, easing))
    present = Keyframe(keyframe.time, dict(positions), keyframe.name, keyframe.easing)
    update = menu.addAction("Update to Current Positions")
    update.triggered.connect(lambda: change(timeline.with_keyframe(present)))
    menu.addAction("Remove Keyframe").triggered.connect(lambda: change(timeline.without(number)))
    menu.addSeparator()


def fill_motion_menu(
    menu: QMenu,
    *,
    repeats: bool,
    set_repeats: Callable[[bool], None],
    add_saved_poses: Callable[[], None] | None,
    remove_all: Callable[[], None] | None,
    actions: Iterable[QAction],
) -> None:
    """Fill the menu of the whole motion; a command that is None is disabled."""
    menu.clear()
    repeat = menu.addAction("Repeat")
    repeat.setCheckable(True)
    repeat.setChecked(repeats)
    repeat.toggled.connect(set_repeats)
    menu.addSeparator()
    for text, command in (("Add Saved Poses", add_saved_poses), ("Remove All Keyframes", remove_all)):
        action = menu.addAction(text)
        action.setEnabled(command is not None)
        if command is not None:
            action.triggered.connect(partial(_call, command))
    menu.addSeparator()
    menu.addActions(list(actions))


def _call(command: Callable[[], None], _checked: bool = False) -> None:
    command()
