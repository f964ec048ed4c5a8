"""Says what changes with a visual or collision, as both are one part, and lets one of them be edited alone."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel, QToolButton

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.theme import on_theme_change, tokens
from sdfviewer.gui.kit.widgets import named, row_of
from sdfviewer.gui.properties.section import PropertySection
from sdfviewer.model.model import Model
from sdfviewer.refactoring.parts import what_follows


class PartSection(PropertySection):
    """A chain with what is at its other end, and a button that separates the next edit from it.

    Attributes
    ----------
    separate
        Whether the next edit changes only the selected shape.
    """

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self._sign, self._text = QLabel(), QLabel(wordWrap=True)
        self._text.setProperty("role", "muted")
        self.separate = named(
            QToolButton(), "Separate", "Change only this shape with the next edit; after it they are one part no more"
        )
        self.separate.setText("Separate")
        self.separate.setCheckable(True)
        self.separate.toggled.connect(context.parts.separate)
        context.parts.changed.connect(self._show)
        self.form.addRow(row_of(self._sign, (self._text, 1), self.separate, margins=0, spacing=6))
        self._followers = ""
        on_theme_change(self._show)

    def applies(self, model: Model, row: int) -> bool:
        return self.is_editable(row) and bool(what_follows(model, row, self.context.parts.mesh_body))

    def show_row(self, model: Model, row: int) -> None:
        self.row, self._followers = row, what_follows(model, row, self.context.parts.mesh_body)
        self._show()

    def _show(self) -> None:
        together, colours = self.context.parts.together, tokens(self.palette())
        self.separate.setChecked(not together)
        name = "mdi6.link-variant" if together else "mdi6.link-variant-off"
        self._sign.setPixmap(icon(name, colours.muted).pixmap(QSize(16, 16), self.devicePixelRatio()))
        text = f"Changes with {self._followers}" if together else f"Changes without {self._followers}"
        self._text.setText(text)
