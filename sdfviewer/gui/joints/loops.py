"""The joints that close loops, with their gaps and a button to close them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QScrollArea, QWidget

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.commands import CLOSE_LOOPS, tooltip
from sdfviewer.gui.kit.fields import LENGTH, from_radians
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.gui.kit.widgets import column_of, named, row_of, set_style_property, styled
from sdfviewer.model.joints import Joint
from sdfviewer.model.kinematics.loops import close_loops, loop_residuals
from sdfviewer.number_text import format_shown

CLOSED_METRES, CLOSED_RADIANS = 1e-6, 1e-6
"""Metres and radians below which a loop is closed."""
SEEN_METRES, SEEN_RADIANS = 1e-3, 1e-3
"""Metres and radians from which on an open loop is an error: a drag leaves less, which cannot be seen."""
MOST_LINES, LINE_HEIGHT = 3, 22
"""How many loops are visible at once: the sliders need the room."""
LOWEST = 300
"""In a panel that is lower only the title says how the loops are."""


def is_seen(metres: float, radians: float) -> bool:
    """Return whether a loop is open so far that it can be seen."""
    return metres >= SEEN_METRES or radians >= SEEN_RADIANS


class _LoopName(ElidedLabel):
    """The name of a loop joint; a click selects it."""

    def __init__(self, context: DocumentContext, joint: Joint, short: str) -> None:
        super().__init__(short)
        self._context, self._name = context, joint.name
        self.setToolTip(f"{joint.name} closes a loop: its position follows from the other joints of the loop")
        self.setMinimumWidth(64)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._context.session.select((self._name,), None)

    def enterEvent(self, event: QEvent) -> None:
        self._context.highlights.hover(self._name)

    def leaveEvent(self, event: QEvent) -> None:
        self._context.highlights.hover(None)


class Loops(QWidget):
    """A line for each joint that closes a loop; hidden where there is none."""

    def __init__(self, context: DocumentContext, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._settings = context, settings
        self._joints: list[Joint] = []
        self._names: list[_LoopName] = []
        self.gaps: list[QLabel] = []
        self.residuals: list[tuple[float, float]] = []
        self._title = styled(ElidedLabel(elide=Qt.TextElideMode.ElideRight), "heading")
        page = QWidget()
        self._grid = QGridLayout(page)
        self._grid.setContentsMargins(8, 0, 8, 4)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        self.button = QPushButton(CLOSE_LOOPS.text)
        self.button.setToolTip(tooltip("Close all loops with the smallest joint motion", CLOSE_LOOPS.keys))
        self.button.clicked.connect(self.close_all)
        self._area = named(QScrollArea(widgetResizable=True), "Loops")
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(page)
        top = row_of((self._title, 1), self.button, margins=(8, 4, 8, 4))
        column_of(top, self._area, parent=self, margins=0, spacing=0)
        self.hide()
        self.rebuild()

    def rebuild(self) -> None:
        """List the loop joints of the model as it is now; :meth:`show_gaps` shows how far they are open."""
        kinematics = self._context.session.kinematics
        before = [joint.name for joint in self._joints]
        self._joints = [] if kinematics is None else kinematics.loop_joints
        if before == [joint.name for joint in self._joints]:
            return
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self._names, self.gaps = [], []
        self.setVisible(bool(self._joints))
        if kinematics is None or not self._joints:
            return
        prefix = f"{kinematics.model.names[0]}::"
        for number, joint in enumerate(self._joints):
            gap = QLabel(alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            name = _LoopName(self._context, joint, joint.name.removeprefix(prefix))
            self._grid.addWidget(name, number, 0)
            self._grid.addWidget(gap, number, 1)
            self._names.append(name)
            self.gaps.append(gap)
        self._area.setFixedHeight(min(len(self._joints), MOST_LINES) * LINE_HEIGHT)

    def list_in(self, height: int) -> None:
        """List each loop where a panel of this height has the room for it."""
        self._area.setVisible(height >= LOWEST)

    def show_gaps(self) -> None:
        """Show how far the loops are open at the present joint positions."""
        session = self._context.session
        if not self._joints or session.kinematics is None:
            return
        metres, radians = loop_residuals(session.kinematics, session.kinematics.positions(session.positions))
        self.residuals = list(zip(metres.tolist(), radians.tolist(), strict=True))
        unit = self._settings.angle_unit
        for gap, (distance, angle) in zip(self.gaps, self.residuals, strict=True):
            closed = distance < CLOSED_METRES and angle < CLOSED_RADIANS
            shown = f"{format_shown(distance, 3)} {LENGTH}   {format_shown(from_radians(angle, unit), 3)} {unit.value}"
            gap.setText("closed" if closed else f"open by {shown}")
            set_style_property(gap, "role", "error" if is_seen(distance, angle) else "muted")
        are_open = [is_seen(metres, radians) for metres, radians in self.residuals]
        open_loops, count = sum(are_open), len(self._joints)
        for name, gap, is_open in zip(self._names, self.gaps, are_open, strict=True):
            # Of many loops, list only the open ones.
            listed = is_open or not open_loops or count <= MOST_LINES
            name.setVisible(listed)
            gap.setVisible(listed)
        loops = f"{count} loop{'s' if count != 1 else ''}"
        self._title.set_full_text(f"{loops}, {open_loops} open" if open_loops else f"{loops}, closed")
        pairs = zip(self._names, self.gaps, strict=True)
        self._title.setToolTip("\n".join(f"{name.full_text}: {gap.text()}" for name, gap in pairs))
        self.button.setEnabled(any(m >= CLOSED_METRES or r >= CLOSED_RADIANS for m, r in self.residuals))

    def close_all(self) -> None:
        """Move the joints to where all loops are closed."""
        session = self._context.session
        if session.kinematics is None:
            return
        if not self._joints:
            self._context.messages.refuse("No joint of this file closes a loop.")
            return
        q = close_loops(session.kinematics, session.kinematics.positions(session.positions))
        session.move_joints(session.kinematics.joint_positions(q))
        left = [m for m, r in self.residuals if m >= CLOSED_METRES or r >= CLOSED_RADIANS]
        if left:
            self._context.messages.refuse("The loops cannot be closed within the limits of their joints.")
        else:
            self._context.messages.show("All loops are closed.")
