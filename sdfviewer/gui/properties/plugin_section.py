"""The plugins of the selection: a form for each, with the parameters that are known and those that are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCompleter, QLabel, QToolButton, QWidget

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.edits import edit_by
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.safe_text import markup, rich_tip
from sdfviewer.gui.kit.widgets import FoldButton, column_of, named, styled
from sdfviewer.gui.properties.fields import ChoiceField, ColourField, FieldEntry, TextField, ValueField
from sdfviewer.gui.properties.reference_field import ReferenceField
from sdfviewer.gui.properties.section import PropertySection, make_caption, make_form
from sdfviewer.model.model import Model
from sdfviewer.model.plugin_catalogue import RELEASES, KnownPlugin, known_plugin, topics_in
from sdfviewer.operations import properties
from sdfviewer.operations.properties import TypedValue
from sdfviewer.refactoring.properties.plugin_parameters import (
    PluginValue,
    evaluated,
    plugins_of,
    title_of,
    value_fault,
    values_of,
)

if TYPE_CHECKING:
    from sdfviewer.document.element import Element

_TIP = "<p>{help}</p><p><code>{path}</code>{more}</p>"


class PluginForm(QWidget):
    """The fields of one plugin under a heading that folds them.

    Attributes
    ----------
    heading, more
        Buttons that show the fields, and those of parameters that are not written.
    fields
        By the paths of the parameters; they are made when the form is opened.
    """

    def __init__(self, section: PluginSection, number: int, is_open: bool) -> None:
        super().__init__(section)
        self._section, self._number = section, number
        self._values: list[PluginValue] = []
        self.fields: dict[str, ValueField] = {}
        self.heading = FoldButton("Plugin", "Show or hide the parameters of this plugin", is_open=is_open)
        self.heading.toggled.connect(lambda _on: self.show_plugin())
        self._about = styled(QLabel(wordWrap=True), "muted")
        self.body = QWidget()
        self._form = make_form(self.body)
        self.more = named(QToolButton(), "More", "Also show the parameters that are not written")
        self.more.setCheckable(True)
        self.more.setProperty("role", "fold")
        self.more.toggled.connect(lambda _on: self.show_plugin())
        column_of(self.heading, self._about, self.body, self.more, parent=self, margins=0, spacing=4)

    def show_plugin(self) -> None:
        """Show what is written now; fields are made where others are needed."""
        section = self._section
        plugin = section.plugins[self._number]
        is_open = self.heading.isChecked()
        known = known_plugin(plugin.attributes.get("filename", ""))
        # A world has its physics, and a plugin of that name.
        self.heading.setText(f"{title_of(plugin)} plugin")
        self.heading.setAccessibleName(f"Plugin {title_of(plugin)}")
        self.heading.setToolTip(plugin.attributes.get("filename", ""))
        self._about.setText(_about(known))
        for widget in (self._about, self.body):
            widget.setVisible(is_open)
        values = values_of(plugin) if is_open else []
        unwritten = [each for each in values if not _is_shown(each)]
        self.more.setVisible(bool(unwritten))
        count = len(unwritten)
        self.more.setText("Show Less" if self.more.isChecked() else f"Show {count} More")
        if not is_open:
            return
        shown = values if self.more.isChecked() else [each for each in values if _is_shown(each)]
        if [each.path for each in shown] != list(self.fields):
            self._make(plugin, shown)
        for each in shown:
            default = "" if each.parameter is None else each.parameter.default or ""
            self.fields[each.path].show_value(each.text, default, section.is_editable(section.row))

    def _make(self, plugin: Element, values: list[PluginValue]) -> None:
        """Make the fields of some parameters, and remove those of others."""
        focus = QApplication.focusWidget()
        held = next((path for path, field in self.fields.items() if focus and field.isAncestorOf(focus)), "")
        while self._form.rowCount():
            row = self._form.takeRow(0)
            for item in (row.labelItem, row.fieldItem):
                if (widget := item.widget()) is not None:
                    widget.hide()
                    widget.deleteLater()  # it may be what has just been edited
        self.fields = {}
        for each in values:
            field = self._field(plugin, each)
            field.committed.connect(lambda entry, value=each, field=field: self._commit(value, field, entry))
            label = make_caption(each.label, _tip(each))
            label.setBuddy(field)
            self._form.addRow(label, field)
            self.fields[each.path] = field
        if held in self.fields:
            self.fields[held].setFocus()

    def _field(self, plugin: Element, value: PluginValue) -> ValueField:
        parameter, label = value.parameter, value.label
        if parameter is None:
            return TextField(label)
        if parameter.kind in ("joint", "link") or (parameter.kind == "model" and self._section.model.is_world):
            return ReferenceField(self._section, parameter.kind, label)
        if parameter.kind == "boolean":
            return ChoiceField(label, ("true", "false"))
        if parameter.kind == "choice" and not parameter.is_open:
            return ChoiceField(label, parameter.values)

        def check(text: str) -> str | None:
            return value_fault(self._section.model, self._section.row, parameter, evaluated(parameter, text))

        if parameter.kind == "color":
            return ColourField(label, check)
        field = TextField(label, parameter.unit, check)
        offered = topics_in(self._section.model.document.text) if parameter.kind == "topic" else parameter.values
        if offered:
            completer = QCompleter(list(offered), field.edit, filterMode=Qt.MatchFlag.MatchContains)
            field.edit.setCompleter(completer)
        return field

    def _commit(self, value: PluginValue, field: ValueField, entry: FieldEntry) -> None:
        """Write a value as one edit; show at the field why where that is refused."""
        section = self._section
        text = None if entry.text is None else TypedValue(entry.text)
        written = {"path": value.path, "value": text, "plugin": str(self._number + 1)}
        session, operation = section.context.session, properties.set_plugin_parameter
        try:
            edit = edit_by(session, section.edited_model, operation, thing=section.row, **written)
        except SdfViewerError as error:
            field.show_fault(str(error))
            return
        section.make(lambda: edit)


class PluginSection(PropertySection):
    """The plugins of one thing; with several each is folded until it is opened.

    Attributes
    ----------
    plugins
        What is shown, in the order of the file.
    forms
        One for each.
    """

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self.plugins: list[Element] = []
        self.forms: list[PluginForm] = []
        self._column = column_of(margins=0, spacing=4)
        self.form.addRow(self._column)

    def applies(self, model: Model, row: int) -> bool:
        return bool(plugins_of(model, row))

    def show_row(self, model: Model, row: int) -> None:
        found = plugins_of(model, row)
        is_same = row == self.row and len(found) == len(self.plugins)
        self.row, self.plugins = row, found
        if not is_same:
            for form in self.forms:
                self._column.removeWidget(form)
                form.deleteLater()
            self.forms = []
            for number in range(len(found)):
                form = PluginForm(self, number, is_open=len(found) == 1)
                self._column.addWidget(form)
                self.forms.append(form)
        for form in self.forms:
            form.show_plugin()


def _is_shown(value: PluginValue) -> bool:
    """Return whether a parameter is shown at once: what is written, and what has to be."""
    is_needed = value.parameter is not None and value.parameter.is_required and not value.is_numbered
    return value.text is not None or (is_needed and "/" not in value.path)


def _about(known: KnownPlugin | None) -> str:
    if known is None:
        return "This plugin is not in the catalogue; its parameters are shown as text."
    since = f" Since gz-sim {known.since} ({RELEASES[known.since]})." if known.since else ""
    return f"{known.help}{since}"


def _tip(value: PluginValue) -> str:
    parameter = value.parameter
    if parameter is None:
        return rich_tip(markup(_TIP, help="The catalogue does not know this.", path=value.path, more=""))
    more = f" · default {parameter.default}" if parameter.default else ""
    more += f" · since gz-sim {parameter.since}" if parameter.since else ""
    return rich_tip(markup(_TIP, help=parameter.help, path=value.path, more=more))
