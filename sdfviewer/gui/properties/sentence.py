"""*Why here?* as one sentence and its heading: what the selection is measured from, by how much, what it moves with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget

from sdfviewer.display_text import NO_NAME, with_capital
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import LENGTH, from_radians
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.labels import BreakingLabel
from sdfviewer.gui.kit.safe_text import Markup, joined, markup, set_rich_text
from sdfviewer.gui.kit.widgets import STRETCH, named, row_of, styled
from sdfviewer.gui.properties.why import WhyStep, WhyView
from sdfviewer.model import graph
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.number_text import format_shown

_DIGITS = 5
_LINK = '<a href="{row}">{name}</a>'
_PLACE = "place"


class WhySentence(BreakingLabel):
    """The sentence; the frames in it are links that select them, the line shows the place in the source."""

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__()
        self._context = context
        self._settings = settings
        self._step: WhyStep | None = None
        self.setAccessibleName("Why here, as a sentence")
        self.setContentsMargins(8, 0, 8, 4)
        self.linkActivated.connect(self._follow)
        self.linkHovered.connect(self._point_out)

    def show_row(self, model: Model, row: int, step: WhyStep, place: str) -> None:
        """Show where a row is as the step of its chain says that is written at a place, and what carries it."""
        self._step = step
        sentences = [self._where(model, step, row), *_with_what(model, row)]
        sentences.append(markup('<a href="{target}">{place}</a>.', target=_PLACE, place=with_capital(place)))
        set_rich_text(self, joined(" ", sentences))

    def _where(self, model: Model, step: WhyStep, row: int) -> Markup:
        target = int(model.relative_to[step.row])
        if step.fault:
            return markup("Its pose is undefined: {fault}.", fault=step.fault)
        if target == graph.ROOT:
            return markup("The root of this file. All poses are measured from it.")
        link = _linked(model, target)
        if target < 0:
            link = markup("{name}", name=step.edge)
        by_default = markup("" if step.written else " by default")
        if not np.isfinite(step.X_RootF).all():
            return markup("Measured from {frame}{default}, whose pose is undefined.", frame=link, default=by_default)
        position, angles = step.raw[:3], step.raw[3:]
        at = "At the origin of {frame}{default}"
        if any(position):
            at = "At ({position}) {length} in {frame}{default}"
        if any(angles):
            at += ", rotated by roll, pitch, yaw ({angles}) {unit}"
        unit = self._settings.angle_unit
        if step.row != row:
            at += ", where its joint {joint} is"
        return markup(
            at + ".",
            joint=_linked(model, step.row),
            position=_listed(position),
            length=LENGTH,
            frame=link,
            default=by_default,
            angles=_listed([from_radians(each, unit) for each in angles]),
            unit=unit.value,
        )

    def _follow(self, target: str) -> None:
        if target == _PLACE:
            if self._step is not None:
                self._context.requests.open_place(self._step.span, self._context.session.document)
            return
        model = self._context.session.model
        if model is not None:
            self._context.session.select((model.names[int(target)],), None)

    def _point_out(self, target: str) -> None:
        model = self._context.session.model
        self._context.highlights.hover(model.names[int(target)] if target.isdigit() and model is not None else None)


def _listed(numbers: Sequence[float]) -> str:
    return ", ".join(format_shown(each, _DIGITS) for each in numbers)


def _linked(model: Model, row: int) -> Markup:
    return markup(_LINK, row=row, name=model.local_names[row] or NO_NAME)


def _with_what(model: Model, row: int) -> list[Markup]:
    """Return what carries a row, where that is something else."""
    kind, body = model.kinds[row], int(model.bodies[row])
    if kind is Kind.WORLD or row in (body, 0):
        return []
    if body >= 0:
        return [markup("It moves with {body}.", body=_linked(model, body))]
    if (missing := model.failed_includes.get(row)) is not None:
        return [markup("Nothing of {uri} is included: this is where it would be.", uri=missing.uri)]
    way = "its child" if kind is Kind.JOINT else "attached_to"
    return [markup("It moves with nothing: {way} does not lead to a link.", way=way)]


# --- the heading --------------------------------------------------------------------------------------------------


STEP_MILLISECONDS = 900
"""How long each step is shown while the chain plays."""

_BUTTONS = {
    "back": ("mdi6.skip-previous", "Step back", "Step towards the root (Up in the list)"),
    "play": ("mdi6.play", "Walk", "Step from the root to this frame, in 3D and in the graphs"),
    "on": ("mdi6.skip-next", "Step on", "Step towards this frame (Down in the list)"),
}


class ChainBar(QWidget):
    """Steps through the chain; the 3D view and the graphs show how far."""

    def __init__(self, view: WhyView) -> None:
        super().__init__()
        self._view = view
        heading = styled(QLabel("Why here?"), "heading")
        heading.setToolTip("The frames from the root to this one; double-click a step to show it in the source")
        row = row_of(heading, STRETCH, parent=self, margins=(8, 0, 8, 0), spacing=2)
        self.buttons: dict[str, QToolButton] = {}
        for key, (sign, name, tip) in _BUTTONS.items():
            button = named(QToolButton(autoRaise=True), name, tip)
            button.setIcon(icon(sign))
            row.addWidget(button)
            self.buttons[key] = button
        self._clock = QTimer(self, interval=STEP_MILLISECONDS)
        self._clock.timeout.connect(self._go_on)
        self.buttons["back"].clicked.connect(lambda: self.step(-1))
        self.buttons["on"].clicked.connect(lambda: self.step(1))
        self.buttons["play"].clicked.connect(self._toggle)
        view.model().modelReset.connect(self.stop)
        view.model().modelReset.connect(self._allow)
        view.selectionModel().currentChanged.connect(self._allow)
        view.context.highlights.chain_steps_changed.connect(lambda names: None if names else self.stop())
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)
        self._allow()

    @property
    def is_playing(self) -> bool:
        """Whether the chain plays."""
        return self._clock.isActive()

    def step(self, by: int) -> None:
        """Go to the next or previous frame of the chain."""
        self.stop()
        count = len(self._view.steps)
        at = self._view.currentIndex().row()
        if count:
            at = (0 if by > 0 else count - 1) if at < 0 else min(max(at + by, 0), count - 1)
            self._view.step_to(at)

    def _allow(self) -> None:
        """Offer no step beyond the ends of the chain."""
        at, last = self._view.currentIndex().row(), len(self._view.steps) - 1
        allowed = {"back": last >= 0 and at != 0, "play": last >= 0, "on": last >= 0 and at < last}
        for key, button in self.buttons.items():
            if button.hasFocus() and not allowed[key]:
                self._view.setFocus()  # elsewhere it would end the steps
            button.setEnabled(allowed[key])

    def _follow_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Show no steps when another part of the window gets the focus."""
        if now is not None and now is not self._view and not self.isAncestorOf(now):
            self._view.context.highlights.show_chain(())

    def _toggle(self) -> None:
        if self._clock.isActive():
            self.stop()
        elif self._view.steps:
            self._view.step_to(0)
            self._clock.start()
            self.buttons["play"].setIcon(icon("mdi6.pause"))

    def _go_on(self) -> None:
        at = self._view.currentIndex().row() + 1
        if at < len(self._view.steps):
            self._view.step_to(at)
        else:
            self.stop()

    def stop(self) -> None:
        """Pause at the current step."""
        self._clock.stop()
        self.buttons["play"].setIcon(icon(_BUTTONS["play"][0]))
