"""What is above the motion strip: its buttons and menus, and a ruler of time with keyframes and collisions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QComboBox, QMenu, QSizePolicy, QToolButton, QWidget

from sdfviewer.display_text import visible
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.labels import ElidedBox
from sdfviewer.gui.kit.safe_text import show_tip
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widgets import named, row_of, set_menu
from sdfviewer.model.kinematics.motion import Easing, Keyframe, Timeline
from sdfviewer.number_text import format_shown
from sdfviewer.palette import CONTACT


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

    def _button(self, sign: str, name: str, tip: str) -> QToolButton:
        button = named(QToolButton(), name, tip)
        button.setIconSize(QSize(16, 16))
        button.setIcon(icon(sign))
        self._row.addWidget(button)
        return button

    def show_playing(self, is_playing: bool) -> None:
        """Show whether the motion is playing."""
        self.play.setIcon(icon("mdi6.pause" if is_playing else "mdi6.play"))

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


HEIGHT, SIDE, DIAMOND, TICK_WIDTH = 46, 12, 6, 56
_STEPS = (1.0, 2.0, 5.0)
_KEY_STEP = 0.1
_OWN_KEYS = {Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Delete, Qt.Key.Key_Backspace}


class MotionRuler(QWidget):
    """Shows the time of a motion; dragging changes it.

    Attributes
    ----------
    keyframes
        Times of the keyframes, none for a sweep.
    selected
        Which keyframe is selected, -1 where none is.
    """

    #: The user asks for another time of the motion.
    sought = Signal(float)
    #: A keyframe was dragged: its number and its new time.
    keyframe_moved = Signal(int, float)
    #: The selected keyframe should be removed.
    removal_wanted = Signal()
    #: A menu for a keyframe, -1 for none, at a point of the screen.
    menu_wanted = Signal(int, QPoint)

    def __init__(self) -> None:
        super().__init__()
        named(self, "Motion", "Drag to move along the motion; the arrow keys go in steps")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.keyframes: tuple[float, ...] = ()
        self._names: tuple[str, ...] = ()
        self._bands: tuple[tuple[float, float], ...] = ()
        self._time, self._start, self._end = 0.0, 0.0, 1.0
        self._labels: tuple[float, float, str] = (0.0, 1.0, "s")
        self.selected = -1
        self._dragged = -1
        self._dragged_to: float | None = None

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def show_range(self, start: float, end: float, labels: tuple[float, float, str]) -> None:
        """Show times from start to end; labelled with other numbers at either end, and their unit."""
        self._start, self._end, self._labels = start, max(end, start + 1e-6), labels
        self.update()

    def show_keyframes(self, times: Sequence[float], names: Sequence[str]) -> None:
        """Show keyframes."""
        self.keyframes, self._names = tuple(times), tuple(names)
        if self.selected >= len(times):
            self.select(-1)
        self.update()

    def show_bands(self, bands: Sequence[tuple[float, float]]) -> None:
        """Mark the times at which links collide."""
        self._bands = tuple(bands)
        self.update()

    def show_time(self, time: float) -> None:
        """Mark where the motion is."""
        self._time = time
        self.update()

    def select(self, number: int) -> None:
        """Select a keyframe, -1 for none."""
        if number != self.selected:
            self.selected = number
            self.update()

    # --- places ------------------------------------------------------------------------------------------------

    def x_at(self, time: float) -> float:
        return SIDE + (time - self._start) / (self._end - self._start) * (self.width() - 2 * SIDE)

    def time_at(self, x: float) -> float:
        """Return the time at a pixel of the ruler, within its range."""
        part = (x - SIDE) / max(self.width() - 2 * SIDE, 1)
        return self._start + min(max(part, 0.0), 1.0) * (self._end - self._start)

    def keyframe_at(self, at: QPointF) -> int:
        """Return the number of the keyframe at a point, -1 if there is none."""
        near = [(abs(self.x_at(time) - at.x()), number) for number, time in enumerate(self.keyframes)]
        distance, number = min(near, default=(math.inf, -1))
        return number if distance <= DIAMOND + 2 else -1

    # --- painting ----------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = tokens(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = self.height() - 12.0
        track = QRectF(SIDE, line - 3, self.width() - 2 * SIDE, 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.border))
        painter.drawRoundedRect(track, 3, 3)
        painter.setBrush(QColor(CONTACT))
        for begin, end in self._bands:
            left = self.x_at(begin)
            painter.drawRect(QRectF(left, line - 3, max(self.x_at(end) - left, 2.0), 6))
        self._paint_ticks(painter, line)
        # If there are too many to tell apart, draw only the selected one.
        is_crowded = len(self.keyframes) * DIAMOND > self.width()
        for number, time in enumerate(self.keyframes):
            if is_crowded and number != self.selected:
                continue
            at = self._dragged_to if number == self._dragged and self._dragged_to is not None else time
            self._paint_diamond(painter, QPointF(self.x_at(at), line), number == self.selected)
        x = self.x_at(self._time)
        painter.setPen(QPen(QColor(colours.accent), 2))
        painter.drawLine(QPointF(x, 16), QPointF(x, line + 8))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.accent))
        painter.drawPolygon(QPolygonF([QPointF(x - 5, 14), QPointF(x + 5, 14), QPointF(x, 21)]))
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)

    def _paint_ticks(self, painter: QPainter, line: float) -> None:
        colours = tokens(self.palette())
        low, high, unit = self._labels
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 0.85)
        painter.setFont(font)
        painter.setPen(QColor(colours.muted))
        count = max(int((self.width() - 2 * SIDE) / TICK_WIDTH), 1)
        step = _round_step(abs(high - low) / count)
        first = math.ceil(min(low, high) / step - 1e-9)
        last = math.floor(max(low, high) / step + 1e-9)
        for number in range(first, last + 1):
            value = number * step
            part = (value - low) / (high - low) if high != low else 0.0
            x = SIDE + part * (self.width() - 2 * SIDE)
            painter.drawLine(QPointF(x, line - 7), QPointF(x, line - 4))
            text = format_shown(round(value, 9), 4) + (f" {unit}" if number == last else "")
            width = painter.fontMetrics().horizontalAdvance(text)
            left = min(max(x - width / 2, 1.0), self.width() - width - 1.0)
            painter.drawText(QPointF(left, 12), text)

    def _paint_diamond(self, painter: QPainter, at: QPointF, selected: bool) -> None:
        colours = tokens(self.palette())
        corners = [(0, -DIAMOND), (DIAMOND, 0), (0, DIAMOND), (-DIAMOND, 0)]
        painter.setPen(QPen(QColor(colours.text), 1.5))
        painter.setBrush(QColor(colours.accent if selected else colours.raised))
        painter.drawPolygon(QPolygonF([at + QPointF(x, y) for x, y in corners]))

    # --- mouse and keyboard --------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        number = self.keyframe_at(at)
        self.select(number)
        if event.button() == Qt.MouseButton.RightButton:
            self.menu_wanted.emit(number, event.globalPosition().toPoint())
        elif event.button() == Qt.MouseButton.LeftButton:
            self._dragged = number
            self.sought.emit(self.keyframes[number] if number >= 0 else self.time_at(at.x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if not event.buttons() & Qt.MouseButton.LeftButton:
            number = self.keyframe_at(at)
            if number >= 0 and self._names[number]:
                show_tip(event.globalPosition().toPoint(), self._names[number], self)
            return
        if self._dragged >= 0:
            self._dragged_to = self.time_at(at.x())
            self.update()
        else:
            self.sought.emit(self.time_at(at.x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        number, time = self._dragged, self._dragged_to
        self._dragged, self._dragged_to = -1, None
        if number >= 0 and time is not None:
            self.keyframe_moved.emit(number, time)

    def event(self, event: QEvent) -> bool:
        """Keep the keys of the ruler from the window's shortcuts: Delete would remove the selected link."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.modifiers() == Qt.KeyboardModifier.NoModifier and event.key() in _OWN_KEYS:
                event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        step = _KEY_STEP * (self._end - self._start) / 4
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.sought.emit(self._time + (step if key == Qt.Key.Key_Right else -step))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.sought.emit(self._start if key == Qt.Key.Key_Home else self._end)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.selected >= 0:
            self.removal_wanted.emit()
        elif key == Qt.Key.Key_Menu:
            self.menu_wanted.emit(self.selected, self.mapToGlobal(self.rect().center()))
        else:
            super().keyPressEvent(event)


def _round_step(least: float) -> float:
    """Return the smallest of 1, 2 or 5 times a power of ten that is not less than a number."""
    if not (math.isfinite(least) and least > 0):
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next((step * power for step in _STEPS if step * power >= least * (1 - 1e-9)), 10.0 * power)
