"""Further properties of the selection, generated from the element tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.edits import edit_by
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.widgets import column_of
from sdfviewer.gui.properties.fields import ValueField
from sdfviewer.gui.properties.reference_field import ReferenceField
from sdfviewer.gui.properties.section import PropertySection
from sdfviewer.model.model import Model
from sdfviewer.operations import properties
from sdfviewer.refactoring.properties.catalogue import PropertyGroup
from sdfviewer.refactoring.properties.property_values import SHAPE, groups_of

if TYPE_CHECKING:
    from sdfviewer.gui.properties.group_form import GroupForm, PropertyEntry


class DetailsSection(PropertySection):
    """The properties that only things of one kind have."""

    for_several = True

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self.rows: list[int] = []
        # The fields of each kind, version and shape are created once and kept in their groups.
        self._forms: dict[tuple[PropertyGroup, ...], list[GroupForm]] = {}
        self._shown: list[GroupForm] = []
        self._missing: tuple[PropertyGroup, ...] = ()
        self._made: GroupForm | None = None
        self._column = column_of(margins=0, spacing=4)
        self.form.addRow(self._column)
        settings.changed.connect(self._refresh)

    @property
    def shown_rows(self) -> list[int]:
        return self.rows

    def applies(self, model: Model, row: int) -> bool:
        return bool(groups_of(model, [row]))

    def show_rows(self, model: Model, rows: list[int]) -> None:
        """Show what is common to rows of one kind."""
        self.row, self.rows = rows[-1], rows
        groups = groups_of(model, rows)
        forms = self._forms.setdefault(groups, [])
        if forms is not self._shown:
            for form in self._shown:
                form.hide()
            self._shown = forms
        for form in forms:
            form.show_rows(model, rows)
        # Create new fields one group at a time; all at once would take too long.
        self._missing = groups[len(forms) :]
        if self._missing:
            self.context.later.do(self._make_next)

    def _make_next(self) -> None:
        """Make the fields of the next form that is missing, and show them in a later pass: both take as long."""
        session = self.context.session
        if not self._missing or self.row < 0 or session.model is None or self.row >= len(session.model):
            return
        form = self._made
        if form is None or form.group is not self._missing[0]:
            if form is not None:
                form.deleteLater()
            from sdfviewer.gui.properties.group_form import GroupForm  # noqa: PLC0415  # not needed for the first picture

            form = self._made = GroupForm(self, self._missing[0])
            form.entered.connect(self._write)
            form.make_fields(session.model, self.rows)
            self.context.later.do(self._make_next)
            return
        self._made = None
        self._shown.append(form)
        self._missing = self._missing[1:]
        self._column.addWidget(form)
        form.show_rows(session.model, self.rows)
        if self._missing:
            self.context.later.do(self._make_next)

    def complete(self) -> None:
        """Make the forms that are still missing now."""
        while self._missing and self.row >= 0:
            self._make_next()

    def show_again(self) -> None:
        self._refresh()

    def _refresh(self) -> None:
        if self.row >= 0 and self.context.session.model is not None and self.row < len(self.model):
            self.show_rows(self.model, self.rows)

    def field(self, path: str) -> ValueField:
        """Return the field of a property that is shown."""
        self.complete()
        return next(form.fields[path] for form in self._shown if path in form.fields)

    def _write(self, entry: PropertyEntry) -> None:
        """Write a value into all rows shown; show at the field why where that is refused."""
        rows, spec, value, session = list(self.rows), entry.spec, entry.text, self.context.session
        together = self.context.parts.together
        try:
            if spec is SHAPE:
                shape = {"geometry": str(value), "together": together}
                edit = edit_by(session, self.edited_model, properties.set_geometry, part=rows, **shape)
            elif isinstance(entry.field, ReferenceField) and entry.field.has_operation and value and len(rows) == 1:
                edit = entry.field.edit(value)
            else:
                written = {"path": spec.path, "value": value, "together": together}
                edit = edit_by(session, self.edited_model, properties.set_property, thing=rows, **written)
        except SdfViewerError as error:
            entry.field.show_fault(str(error))
            return
        self.context.edits.make(lambda: edit, None)
