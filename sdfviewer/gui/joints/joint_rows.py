"""The rows of the joints panel: name, value, and a slider between its limits, for one degree of freedom."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Protocol

from PySide6.QtCore import QEvent, QRect, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QSlider, QStyle, QStyleOptionSlider, QToolButton, QWidget

from sdfviewer.diagnostics import Severity
from sdfviewer.display_text import short_name
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH, NumberField, angle_step, from_radians, to_radians
from sdfviewer.gui.kit.icons import SEVERITIES, icon
from sdfviewer.gui.kit.labels import ElidedLabel, draw_marked
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widgets import column_of, named, row_of, set_style_property, styled
from sdfviewer.model.kinematics.forward import swept_range
from sdfviewer.number_text import format_shown
from sdfviewer.session.session import Session

_GROOVE, _HANDLE = QStyle.SubControl.SC_SliderGroove, QStyle.SubControl.SC_SliderHandle
_SLIDER = QStyle.ComplexControl.CC_Slider
TICK = 3
"""Pixels of the tick above and below the groove."""


class OriginSlider(QSlider):
    """A horizontal slider whose groove is filled between its origin and its handle.

    It looks like other sliders: the style draws an empty groove, the part of a full one that is filled, and the handle.

    Attributes
    ----------
    origin
        The value from which the groove is filled.
    is_marked
        Whether a tick marks the origin.
    """

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.origin, self.is_marked = self.minimum(), False

    def set_origin(self, origin: int, marked: bool) -> None:
        """Fill the groove from another value, marked by a tick or not."""
        if (origin, marked) != (self.origin, self.is_marked):
            self.origin, self.is_marked = origin, marked
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the groove, its filled part, the tick and the handle."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        if self.isSliderDown():
            option.activeSubControls = _HANDLE
            option.state |= QStyle.StateFlag.State_Sunken
        groove = self._rect(option, _GROOVE)
        filled, is_mirrored = self._filled(option, groove), option.upsideDown
        painter = QPainter(self)
        # The style fills a pixel of an empty groove, at its left end or, upside down, its right end. Neither is drawn.
        left, right = QRect(groove), QRect(groove)
        left.setRight(groove.center().x())
        right.setLeft(left.right() + 1)
        for half, option.upsideDown in ((left, True), (right, False)):
            self._draw(painter, half, option, self.minimum())
        # The style fills up to the handle, from the left or from the right.
        option.upsideDown = (self.origin > self.sliderPosition()) != is_mirrored
        self._draw(painter, filled, option, self.maximum())
        option.upsideDown = is_mirrored
        if self.is_marked:
            tick = QRect(self._middle(option, self.origin), groove.center().y() - TICK - 1, 1, 2 * TICK + 3)
            painter.fillRect(tick, QColor(tokens(self.palette()).muted))
        self._draw(painter, self.rect(), option, self.sliderPosition(), _HANDLE)

    def _filled(self, option: QStyleOptionSlider, groove: QRect) -> QRect:
        """Return the part of the groove between the origin and the middle of the handle."""
        ends = [self._middle(option, self.origin), self._middle(option, option.sliderPosition)]
        if not self.is_marked and self.origin in (self.minimum(), self.maximum()):
            # The groove goes on beyond the middle of the handle.
            is_left = (self.origin == self.minimum()) != option.upsideDown
            ends[0] = groove.left() if is_left else groove.right() + 1
        return QRect(min(ends), groove.top(), max(ends) - min(ends), groove.height())

    def _middle(self, option: QStyleOptionSlider, value: int) -> int:
        """Return where the middle of the handle is at a value."""
        position, option.sliderPosition = option.sliderPosition, value
        middle = self._rect(option, _HANDLE).center().x()
        option.sliderPosition = position
        return middle

    def _rect(self, option: QStyleOptionSlider, control: QStyle.SubControl) -> QRect:
        return self.style().subControlRect(_SLIDER, option, control, self)

    def _draw(
        self,
        painter: QPainter,
        part: QRect,
        option: QStyleOptionSlider,
        position: int,
        controls: QStyle.SubControl = _GROOVE,
    ) -> None:
        """Draw between the sides of a part what a slider with its handle at a position has there."""
        option.subControls, option.sliderPosition = controls, position
        painter.save()
        painter.setClipRect(part.left(), 0, part.width(), self.height())
        self.style().drawComplexControl(_SLIDER, option, painter, self)
        painter.restore()


STEPS = 2000
"""Positions of a slider from one end to the other."""
LOCK_SIZE, LOCK_WIDTH = 12, 18
SHORTEST_SLIDER, FIELD_WIDTH, UNIT_WIDTH, SPACING = 54, 76, 22, 6
_LIMIT_WIDTH = 44
"""Pixels of the limits at both ends of a slider, so that sliders are below each other."""
_LIMIT_DIGITS = 4
_AXIS_NAMES = {"ball": ("roll", "pitch", "yaw"), "universal": ("axis", "axis2"), "revolute2": ("axis", "axis2")}
LIFTED_ANGLE, LIFTED_LENGTH = 2 * math.pi, 2.0
"""The range of a slider to both sides without valid limits."""


@dataclass(frozen=True)
class ListedDof:
    """One degree of freedom as the panel shows it; radians or metres.

    `joint` is the scoped name of its joint, `axis` which of the joint's degrees of freedom it is; `scope` is the nested
    model that it is in, empty for the file's own; `follows` names the leader of a mimic joint.
    """

    joint: str
    axis: int
    name: str
    scope: str
    label: str
    angular: bool
    lower: float
    upper: float
    follows: str = ""

    def bounds(self, lifted: bool) -> tuple[float, float]:
        """Return where the slider ends."""
        reach = LIFTED_ANGLE if self.angular else LIFTED_LENGTH
        if lifted:
            return -reach, reach
        return swept_range("rad" if self.angular else "m", self.lower, self.upper)


def listed_dofs(session: Session) -> tuple[ListedDof, ...]:
    """Return all degrees of freedom of a file, in the order of the positions q."""
    kinematics = session.kinematics
    if kinematics is None:
        return ()
    found: list[ListedDof] = []
    axes: Counter[str] = Counter()
    names = kinematics.model.names
    for dof in kinematics.dofs:
        joint = dof.joint
        axis = axes[joint.name]
        axes[joint.name] += 1
        # The name of the top model in every label would be redundant.
        scope, _, label = joint.name.removeprefix(f"{names[0]}::").rpartition("::")
        if joint.type in _AXIS_NAMES:
            label += f" · {_AXIS_NAMES[joint.type][axis]}"
        limits = (dof.lower, dof.upper)
        found.append(ListedDof(joint.name, axis, dof.name, scope, label, dof.unit == "rad", *limits, dof.leader or ""))
    return tuple(found)


class JointMover(Protocol):
    """The target of the joint rows: moves the joints that they show.

    Attributes
    ----------
    context
        What the views of the file share.
    settings
        The unit of angles.
    limits_lifted
        Whether joints may go beyond their limits.
    """

    context: DocumentContext
    settings: Settings
    limits_lifted: bool

    def put(self, dof: ListedDof, position: float) -> None:
        """Put one degree of freedom somewhere."""

    def sweep_joint(self, dof: ListedDof) -> None:
        """Sweep one degree of freedom in the motion strip."""


class _NameLabel(ElidedLabel):
    """The name of a joint; a click selects it."""

    def __init__(self, panel: JointMover, dof: ListedDof) -> None:
        super().__init__(dof.label)
        self._panel = panel
        self._shortening = Shortening.WORDS
        self._marks: tuple[int, ...] = ()
        self._dof = dof
        self.setToolTip(dof.name + (f"\nmimics {dof.follows}" if dof.follows else ""))

    def set_shortening(self, how: Shortening) -> None:
        """Leave something else out of the name where it is too long."""
        if how is not self._shortening:
            self._shortening = how
            self._elide()

    def set_marks(self, letters: tuple[int, ...]) -> None:
        """Mark letters of the name, by their places in it: those that a search has matched."""
        if letters != self._marks:
            self._marks = letters
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._marks:
            super().paintEvent(event)
            return
        painter, palette = QPainter(self), self.palette()
        colour, mark = palette.color(self.foregroundRole()), QColor(tokens(palette).accent)
        draw_marked(painter, self.rect(), self.full_text, self._marks, self.font(), colour, mark, self.text())
        painter.end()

    def shortened(self) -> str:
        """Return the name, shortened to the room."""
        return shortened(self.full_text, self._shortening, self.fontMetrics(), max(24, self.width()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._panel.context.session.select((self._dof.joint,), self._panel)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_menu(menu)
        self._panel.context.highlights.hover(
            None
        )  # where the menu closes elsewhere, Qt does not report that the mouse has left
        menu.popup(event.globalPos())

    def fill_menu(self, menu: QMenu) -> None:
        """Offer what can be done with the joint."""
        dof, panel = self._dof, self._panel
        hold = menu.addAction("Hold While Dragging")
        hold.setToolTip("Leave this joint where it is while a link is dragged in the 3D view")
        hold.setCheckable(True)
        hold.setChecked(dof.joint in panel.context.motion.held_joints)
        hold.toggled.connect(lambda on: panel.context.motion.hold_joint(dof.joint, on))
        if dof.follows:
            return
        menu.addAction("Sweep").triggered.connect(lambda: panel.sweep_joint(dof))
        menu.addSeparator()
        ends = (("Lower Limit", dof.lower), ("Zero", 0.0), ("Upper Limit", dof.upper))
        for text, position in ends:
            if math.isfinite(position):
                move = menu.addAction(f"Move to {text}")
                move.triggered.connect(lambda _=False, position=position: panel.put(dof, position))

    def enterEvent(self, event: QEvent) -> None:
        self._panel.context.highlights.hover(self._dof.joint)

    def leaveEvent(self, event: QEvent) -> None:
        self._panel.context.highlights.hover(None)


def name_room(width: int) -> int:
    """Return the pixels of a name in a row of a width: its value is beside it, the slider below."""
    return width - FIELD_WIDTH - UNIT_WIDTH - 2 * SPACING


class JointRow(QWidget):
    """One degree of freedom: its name and value, and below them a slider as wide as the panel between its limits."""

    def __init__(self, panel: JointMover, dof: ListedDof) -> None:
        super().__init__()
        self.dof = dof
        self._panel = panel
        self._is_held = False
        #: Whether the joint is outside of its limits.
        self.is_outside = False
        self.label = _NameLabel(panel, dof)
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.slider = named(OriginSlider(), f"Position of {dof.name}")
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(STEPS // 20)
        self.slider.setMinimumWidth(SHORTEST_SLIDER)
        self.field = NumberField(f"Position of {dof.name}")
        self.field.setFixedWidth(FIELD_WIDTH)
        self.unit = styled(QLabel(), "muted")
        self.unit.setFixedWidth(UNIT_WIDTH)
        self._line = row_of((self.label, 1), self.field, self.unit, margins=0, spacing=SPACING)
        self.limits = (QLabel(), QLabel())
        for limit, side in zip(self.limits, (Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignLeft), strict=True):
            limit.setProperty("role", "muted")
            limit.setMinimumWidth(_LIMIT_WIDTH)
            limit.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        ends = row_of(self.limits[0], (self.slider, 1), self.limits[1], margins=0, spacing=SPACING)
        column_of(self._line, ends, parent=self, margins=0, spacing=0)
        for widget in (self.slider, self.field):
            widget.setEnabled(not dof.follows)
        self.slider.setProperty("joint", dof.joint)
        self.slider.valueChanged.connect(self._slide)
        self.slider.sliderPressed.connect(panel.context.motion.drag_began)
        self.field.committed.connect(self._type)
        self.field.scrubbed.connect(self._type)

    @cached_property
    def lock(self) -> QToolButton:
        """The button of a held joint; few joints ever are held."""
        lock = named(QToolButton(self), "Held", "Held while a link is dragged; click to let it move")
        lock.setIconSize(QSize(LOCK_SIZE, LOCK_SIZE))
        lock.setFixedWidth(LOCK_WIDTH)
        lock.setAutoRaise(True)
        lock.clicked.connect(lambda: self._panel.context.motion.hold_joint(self.dof.joint, False))
        lock.hide()
        self._line.insertWidget(0, lock)
        return lock

    @cached_property
    def warning(self) -> QLabel:
        """The sign of a joint outside of its limits; few joints ever are."""
        sign = QLabel(self)
        sign.setAccessibleName("Outside of its limits")
        self._line.insertWidget(self._line.indexOf(self.field), sign)
        return sign

    def show_outside(self, outside: bool) -> None:
        """Show whether the joint is outside of its limits."""
        if outside == self.is_outside:
            return
        self.is_outside = outside
        if outside:
            low, high = (format_shown(self._shown(end)) for end in (self.dof.lower, self.dof.upper))
            self.warning.setToolTip(f"Outside of its limits, {low} … {high} {self.unit.text()}")
            self.warning.setPixmap(icon(SEVERITIES[Severity.WARNING], "warning").pixmap(14, 14))
        self.warning.setVisible(outside)
        for limit in self.limits:
            set_style_property(limit, "role", "warning" if outside else "muted")

    def show_held(self) -> None:
        """Show whether the joint is held while a link is dragged."""
        held = self.dof.joint in self._panel.context.motion.held_joints
        if not held and not self._is_held:
            return
        self._is_held = held
        self.lock.setIcon(icon("mdi6.lock", "accent"))
        self.lock.setVisible(held)

    def show_unit(self) -> None:
        """Show the unit of the settings."""
        unit = self._panel.settings.angle_unit
        self.unit.setText(unit.value if self.dof.angular else LENGTH)
        self.field.step = angle_step(unit) if self.dof.angular else 0.01
        self.field.unit = unit.value if self.dof.angular else LENGTH
        low, high = (self._shown(end) for end in self.dof.bounds(False))
        # An arrow key moves the slider by the step of the number field.
        low_end, high_end = self.dof.bounds(self._panel.limits_lifted)
        step = math.radians(1.0) if self.dof.angular else 0.01
        steps = step / (high_end - low_end) * STEPS if high_end > low_end else STEPS
        self.slider.setSingleStep(round(min(max(steps, 1), STEPS)))
        self.slider.set_origin(self._steps_at(min(max(0.0, low_end), high_end)), marked=low_end <= 0.0 <= high_end)
        self.slider.setToolTip(f"{self.dof.name}: {format_shown(low)} … {format_shown(high)} {self.unit.text()}")
        ends = (low_end, high_end) if self._panel.limits_lifted else (self.dof.lower, self.dof.upper)
        for limit, end in zip(self.limits, ends, strict=True):
            limit.setText(format_shown(self._shown(end), _LIMIT_DIGITS))

    def mark(self, selected: bool) -> None:
        """Show whether the joint is selected."""
        font = self.label.font()
        if font.bold() != selected:
            font.setBold(selected)
            self.label.setFont(font)
            self.label.set_full_text(self.dof.label)

    def show_position(self, position: float) -> None:
        """Show a position."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._steps_at(position))
        self.field.follow(self._shown(position))

    def _steps_at(self, position: float) -> int:
        """Return where the slider is at a position."""
        low, high = self.dof.bounds(self._panel.limits_lifted)
        return round((position - low) / (high - low) * STEPS) if high > low else 0

    def _shown(self, position: float) -> float:
        return from_radians(position, self._panel.settings.angle_unit) if self.dof.angular else position

    def _slide(self, value: int) -> None:
        low, high = self.dof.bounds(self._panel.limits_lifted)
        self._panel.put(self.dof, low + (high - low) * value / STEPS)

    def _type(self, value: float) -> None:
        position = to_radians(value, self._panel.settings.angle_unit) if self.dof.angular else value
        wanted = position
        if not self._panel.limits_lifted:
            position = min(max(position, self.dof.lower), self.dof.upper)
        self._panel.put(self.dof, position)
        # The typed value may exceed a limit at which the joint already is.
        self.show_position(position)
        self.field.set_value(self._shown(position))  # it is being edited
        if position != wanted and self.field.hasFocus():
            limit = format_shown(self._shown(position))
            self.field.explain(f"The limit is {limit} {self.unit.text()}. Joints → Ignore Limits goes beyond.")


MOST_COMPARED = 300
"""So many shortened names are compared with each other: each takes 0.2 ms."""


class Shortening(Enum):
    """What is left out of a name: the ends of its words, or its middle, end or beginning."""

    WORDS = "words"
    MIDDLE = "middle"
    RIGHT = "right"
    LEFT = "left"


_MODES = {
    Shortening.MIDDLE: Qt.TextElideMode.ElideMiddle,
    Shortening.RIGHT: Qt.TextElideMode.ElideRight,
    Shortening.LEFT: Qt.TextElideMode.ElideLeft,
}


def shortened(name: str, how: Shortening, metrics: QFontMetrics, room: int) -> str:
    """Return as much of a name as there is room for in pixels."""
    if how is Shortening.WORDS:
        short = short_name(name, "joint", room, metrics.horizontalAdvance, least=1)
        if short is not None:
            return short
    return metrics.elidedText(name, _MODES.get(how, Qt.TextElideMode.ElideMiddle), room)


def shortenings(names: Iterable[str], metrics: QFontMetrics, room: int) -> dict[str, Shortening]:
    """Return how to shorten each name that is wider than some pixels, so that no two look the same if possible.

    Most names differ in a word: ``l_grip…l_fing…`` and ``l_grip…r_fing…``. Where they differ only at the end of a
    long word, the ends of the words are what must stay.
    """
    ways = {name: Shortening.WORDS for name in names if metrics.horizontalAdvance(name) > room}
    if len(ways) > MOST_COMPARED:
        return ways
    texts = {name: shortened(name, Shortening.WORDS, metrics, room) for name in ways}
    for way in _MODES:
        shown = Counter(texts.values())
        others = {name: shortened(name, way, metrics, room) for name, text in texts.items() if shown[text] > 1}
        shown.update(others.values())
        for name, other in others.items():
            if shown[other] == 1:
                ways[name], texts[name] = way, other
    return ways
