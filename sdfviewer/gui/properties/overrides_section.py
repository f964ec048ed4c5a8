"""What includes of the file change in the selection, each with what it was, to be changed and taken out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.performing import edit_by
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.gui.kit.theme import tokens
from sdfviewer.gui.kit.widgets import column_of, named, row_of
from sdfviewer.gui.properties.fields import FieldEntry, TextField
from sdfviewer.gui.properties.section import PropertySection
from sdfviewer.model.model import Model
from sdfviewer.operations.properties import set_override

if TYPE_CHECKING:
    from sdfviewer.refactoring.composition.overrides import Override

_LOST = "not in the included model"
_SAID = {"add": "added here", "remove": "removed here", "replace": "replaced here"}


class OverridesSection(PropertySection):
    """A line for each change of ``<experimental:params>``: its element, its action, before and after, and a way back.

    Attributes
    ----------
    fields, buttons
        The values that can be typed, and what takes each change out, by the names of the changes.
    """

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self.fields: dict[str, TextField] = {}
        self.buttons: dict[str, QToolButton] = {}
        self._known: tuple[Model, dict[int, list[Override]]] | None = None
        self._lines = QWidget()
        self._column = column_of(parent=self._lines, margins=0, spacing=4)
        self.form.addRow(self._lines)

    def overrides(self, model: Model, row: int) -> list[Override]:
        """Return what is changed in a row, of an include in all that it brings."""
        if not model.document.contains("experimental:params"):
            return []
        from sdfviewer.refactoring.composition.overrides import overridden_rows, overrides_of  # noqa: PLC0415  # rare

        if model.elements[row].tag == "include" and model.sources[row] is None:
            return overrides_of(model, row)
        if self._known is None or self._known[0] is not model:
            self._known = model, dict(overridden_rows(model))
        return self._known[1].get(row, [])

    def applies(self, model: Model, row: int) -> bool:
        return bool(self.overrides(model, row))

    def show_row(self, model: Model, row: int) -> None:
        self.row = row
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.setParent(None)
                widget.deleteLater()
        self.fields, self.buttons = {}, {}
        heading = QLabel("Overridden in the include" if model.sources[row] is not None else "Overrides of this include")
        heading.setProperty("role", "muted")
        self._column.addWidget(heading)
        for each in self.overrides(model, row):
            self._column.addWidget(self._line(each, with_element=each.row != row or model.sources[row] is None))

    def _line(self, override: Override, *, with_element: bool) -> QWidget:
        """Return the line of one change, below it what it was."""
        line, name = QWidget(), override.name
        caption = ElidedLabel(name if with_element else override.path or override.element)
        caption.setToolTip(f"<{override.written.tag}> {override.action} {name}")
        button = named(QToolButton(), f"Take out {name}", "Let the included file count again")
        button.setIcon(icon("mdi6.close", tokens(self.palette()).muted))
        button.setAutoRaise(True)
        button.clicked.connect(lambda: self._set(override, FieldEntry(None)))
        self.buttons[name] = button
        column = column_of(row_of((caption, 1), button, margins=0, spacing=4), parent=line, margins=0, spacing=0)
        if override.is_value:
            field = TextField(name)
            field.show_value(override.after, override.before or "", self.context.session.is_current)
            field.committed.connect(partial(self._set, override))
            column.addWidget(field)
            self.fields[name] = field
        before = f"was {override.before}" if override.before is not None else _SAID.get(override.action, "")
        is_lost = override.row == override.include and bool(override.element)
        said = ElidedLabel(_LOST if is_lost else before or "not written in the included file")
        said.setProperty("role", "error" if is_lost else "muted")
        column.addWidget(said)
        return line

    def _set(self, override: Override, entry: FieldEntry) -> None:
        session, model = self.context.session, self.model
        written = {"include": override.include, "path": override.name, "value": entry.text}
        self.make(lambda: edit_by(session, model, set_override, **written))
