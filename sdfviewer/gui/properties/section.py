"""The base class of the sections of the properties panel, and the one of a part that is visual and collision."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFormLayout, QLabel, QSizePolicy, QToolButton, QWidget

from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.gui.kit.theme import on_theme_change
from sdfviewer.gui.kit.widgets import named, row_of, styled
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import is_editable
from sdfviewer.refactoring.parts import what_follows
from sdfviewer.refactoring.pose_moving import Move

LABEL_WIDTH = 88


def make_form(widget: QWidget) -> QFormLayout:
    """Give a widget a form as all of the panel are, and return it."""
    form = QFormLayout(widget)
    form.setContentsMargins(0, 0, 0, 0)
    form.setHorizontalSpacing(8)
    form.setVerticalSpacing(4)
    # In a narrow panel a field gets the whole width, below its label.
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return form


def make_caption(text: str, tip: str = "", width: int = LABEL_WIDTH) -> QLabel:
    """Return the label of a field."""
    caption = styled(ElidedLabel(text), "muted")
    caption.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
    caption.setFixedWidth(width)
    caption.setToolTip(tip)
    return caption


class PropertySection(QWidget):
    """A few rows of the form that belong together; a new concern of the panel is a new section.

    The panel calls `show_row` for each selection for which `applies` is true.

    Attributes
    ----------
    for_several
        Whether the section can show several rows at once, by `show_rows`.
    """

    for_several = False

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__()
        self.context = context
        self.settings = settings
        self.row = -1
        self.form = make_form(self)
        self.form.setContentsMargins(8, 0, 8, 0)
        context.written_back.given_up.connect(self.show_again)

    def applies(self, model: Model, row: int) -> bool:
        """Return whether this section has something to say about a row."""
        return True

    def show_row(self, model: Model, row: int) -> None:
        """Show a row of the frame table. A section overrides this, or `show_rows` where it is made for several."""
        self.show_rows(model, [row])

    def show_rows(self, model: Model, rows: list[int]) -> None:
        """Show one row, or several where the section is made for that."""
        self.show_row(model, rows[-1])

    def show_move(self, move: Move | None) -> None:
        """Show how what is selected is being moved by hand; None ends that without anything written."""

    def add_row(self, label: str, field: QWidget, tip: str = "") -> QLabel:
        """Add a labelled field and return the label."""
        caption = make_caption(label, tip)
        caption.setBuddy(field)
        self.form.addRow(caption, field)
        return caption

    @property
    def shown_rows(self) -> list[int]:
        """The rows whose values are shown and written; several where the section is made for that."""
        return [self.row]

    @property
    def model(self) -> Model:
        """The model of the session; there is one whenever a section is shown."""
        model = self.context.session.model
        assert model is not None
        return model

    @property
    def edited_model(self) -> Model:
        """The model that edits of what is shown are computed in, see :meth:`.Session.edited_at`."""
        session = self.context.session
        model = session.edited_at(self.shown_rows)
        assert model is not None
        # Of a xacro file it is the one that is shown: what edits it finds the other one.
        return self.model if model is session.edited_model else model

    def is_editable(self, row: int) -> bool:
        """Return whether poses and properties of a row can be edited; where it is included, the user is asked where."""
        session = self.context.session
        if not session.is_current or row < 0:
            return False
        included = self.model.sources[row] is not None
        return is_editable(self.model, row) or (included and is_editable(session.edited_at([row]) or self.model, row))

    def make(self, compute: Callable[[], Edit]) -> bool:
        """Compute an edit and make it as one undo step; where it is refused, say why and show what is written again."""
        is_made = self.context.edits.make(compute, self)
        if not is_made:
            self.show_again()
        return is_made

    def show_again(self) -> None:
        """Show what is written in place of what was typed."""
        model = self.context.session.model
        if model is not None and 0 <= self.row < len(model):
            self.show_row(model, self.row)


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
        together = self.context.parts.together
        self.separate.setChecked(not together)
        name = "mdi6.link-variant" if together else "mdi6.link-variant-off"
        self._sign.setPixmap(icon(name, "muted").pixmap(QSize(16, 16), self.devicePixelRatio()))
        text = f"Changes with {self._followers}" if together else f"Changes without {self._followers}"
        self._text.setText(text)
