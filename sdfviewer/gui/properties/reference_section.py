"""The references of the selected frame that place it: `relative_to` and `attached_to`."""

from __future__ import annotations

from typing import Literal

from sdfviewer.formats.registry import writing_of
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.properties.reference_field import ReferenceField
from sdfviewer.gui.properties.section import PropertySection
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model

_TIPS = {
    "relative_to": "The frame that the pose is measured from",
    "attached_to": "The frame that this one moves with",
}


class ReferenceSection(PropertySection):
    """One reference with its field."""

    def __init__(
        self, context: DocumentContext, settings: Settings, attribute: Literal["relative_to", "attached_to"]
    ) -> None:
        super().__init__(context, settings)
        self.attribute = attribute
        self.field = ReferenceField(self, attribute, attribute)
        self.picker = self.field.picker
        self.add_row(attribute, self.field, _TIPS[attribute])
        self.field.committed.connect(lambda entry: self.make(lambda: self.field.edit(entry.text)))

    def applies(self, model: Model, row: int) -> bool:
        return row > 0 if self.attribute == "relative_to" else model.kinds[row] is Kind.FRAME

    def show_row(self, model: Model, row: int) -> None:
        if self.attribute == "relative_to":
            row = writing_of(model, row).rows_at(model, row)[0]  # as its numbers are
        self.row = row
        written = model.relative_to_written if self.attribute == "relative_to" else model.attached_to_written
        self.field.show_value(written[row], "", self.is_editable(row))
