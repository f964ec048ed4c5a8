"""The references of the selection: `relative_to` and `attached_to`."""

from __future__ import annotations

from PySide6.QtGui import QIcon

from sdfviewer.display_text import as_sentence
from sdfviewer.document.edits import Edit
from sdfviewer.formats.registry import writing_of
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.performing import edit_by
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields.frame_picker import FrameChoice, FramePicker
from sdfviewer.gui.properties.keep_choice import WhatStays
from sdfviewer.gui.properties.section import PropertySection
from sdfviewer.model.graph import Rows
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.targets import Attribute, ReferenceTarget, ReferenceTargets
from sdfviewer.operations import frames
from sdfviewer.operations.declaration import Operation
from sdfviewer.refactoring.retargeting import Keep


def choice_of(model: Model, target: ReferenceTarget) -> FrameChoice:
    """Return a frame that a reference names as pickers show it; the default holds where it has no name."""
    kind = model.kinds[target.row] if target.row >= 0 else Kind.WORLD
    name = target.name
    label = f"default: {model.local_names[target.row]}" if name is None else model.reference_label(name, target.row)
    return FrameChoice(name, label, kind.value, target.reason)


def build_choices(
    model: Model, row: int, attribute: Attribute, default: FrameChoice | None = None
) -> list[FrameChoice]:
    """Return the choices of a reference: the default, then the names of its scope, each with the reason against it."""
    targets = ReferenceTargets(model, row, attribute)
    own = targets.named(None)
    if default is None and own.row >= 0:
        default = choice_of(model, own)
    return [*([] if default is None else [default]), *(choice_of(model, each) for each in targets)]


class ReferenceSection(PropertySection):
    """One reference with its picker."""

    attribute: Attribute
    operation: Operation
    tip = ""

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self.picker = FramePicker(self.attribute)
        self.add_row(self.attribute, self.picker, self.tip)
        self.picker.opening.connect(self._offer)
        stays = WhatStays(self.picker, context, settings, self.compute)
        self.picker.picked.connect(lambda choice: self.make(lambda: self.compute(choice.name, stays.keep)))

    def parents(self, model: Model) -> Rows:
        """Return the graph that the reference belongs to."""
        raise NotImplementedError

    def written(self, model: Model, row: int) -> str | None:
        """Return the written reference, None for the default."""
        raise NotImplementedError

    def compute(self, target: str | None, keep: Keep) -> Edit:
        """Return the edit that writes another target, as the file would spell it."""
        session = self.context.session
        return edit_by(session, self.model, self.operation, frame=self.row, target=target, keep=keep)

    def show_row(self, model: Model, row: int) -> None:
        self.row = row
        written = self.written(model, row)
        target = int(self.parents(model)[row])
        self.picker.setEnabled(self.is_editable(row))
        if target >= 0:
            label = f"default: {model.local_names[target]}"
            if written is not None:
                label = model.reference_label(written, target)
            origin = f'{self.attribute}="{written}"' if written is not None else f"{self.attribute} is not set"
            self.picker.show_choice(label, model.kinds[target].value, f"{origin}: {model.shown_name(target)}")
        elif written is not None:
            reason = ReferenceTargets(model, row, self.attribute).named(written).reason or ""
            self.picker.show_choice(written, None, as_sentence(reason), faulty=True)
        else:
            # The default does not resolve either: the child of a joint is missing or not found.
            self.picker.setIcon(QIcon())  # not the one of the selection before
            tip = f"{self.attribute} is not set, and its default is not found."
            self.picker.show_choice("default: not found", None, tip)

    def _offer(self) -> None:
        self.picker.set_choices(build_choices(self.model, self.row, self.attribute))


class RelativeToSection(ReferenceSection):
    """`relative_to` of the pose."""

    attribute = "relative_to"
    operation = frames.set_relative_to
    tip = "The frame that the pose is measured from"

    def applies(self, model: Model, row: int) -> bool:
        return row > 0

    def show_row(self, model: Model, row: int) -> None:
        super().show_row(model, writing_of(model, row).rows_at(model, row)[0])  # as its numbers are

    def parents(self, model: Model) -> Rows:
        return model.relative_to

    def written(self, model: Model, row: int) -> str | None:
        return model.relative_to_written[row]


class AttachedToSection(ReferenceSection):
    """`attached_to` of an explicit frame."""

    attribute = "attached_to"
    operation = frames.set_attached_to
    tip = "The frame that this one moves with"

    def applies(self, model: Model, row: int) -> bool:
        return model.kinds[row] is Kind.FRAME

    def parents(self, model: Model) -> Rows:
        return model.attached_to

    def written(self, model: Model, row: int) -> str | None:
        return model.attached_to_written[row]
