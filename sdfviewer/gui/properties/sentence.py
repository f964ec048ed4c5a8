"""*Why here?* as one sentence: what the selection is measured from, by how much, and what it moves with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdfviewer.display_text import NO_NAME, with_capital
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields.units import LENGTH, from_radians
from sdfviewer.gui.kit.text.labels import BreakingLabel
from sdfviewer.gui.kit.text.rich_text import Markup, joined, markup, set_rich_text
from sdfviewer.gui.properties.why import WhyStep
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
