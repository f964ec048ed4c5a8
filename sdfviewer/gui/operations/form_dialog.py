"""The base class of the form dialogs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QMainWindow,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.display_text import as_sentence
from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.focus import tab_stops
from sdfviewer.gui.kit.frame_picker import FrameChoice, FramePicker
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.kit.widgets import column_of, line_of, set_style_property, styled
from sdfviewer.model.model import Model
from sdfviewer.session.other_files import OtherEdits, expect_copies
from sdfviewer.session.read_only import why_not_current
from sdfviewer.session.session_change import SessionChange

PREVIEW_MILLISECONDS = 150
"""How long after the last change of a form the views show what it would do."""


def in_line(*fields: QWidget, even: bool = False) -> QWidget:
    """Return fields beside each other; the first takes the keyboard, and the room unless all are `even`."""
    line = line_of(*((field, int(even or number == 0)) for number, field in enumerate(fields)))
    line.setFocusProxy(fields[0])
    return line


def with_unit(field: QWidget, unit: QLabel | str) -> QWidget:
    """Return a field with its unit behind it; the units of a form are aligned."""
    label = QLabel(unit) if isinstance(unit, str) else unit
    label.setProperty("role", "muted")
    label.setFixedWidth(_UNIT_WIDTH)
    return in_line(field, label)


_UNIT_WIDTH = 72
_MARGIN, _BELOW_TOOLBAR = 16, 96
_TITLE_BAR = 40
"""Logical pixels kept free for the title bar of a dialog."""
_LOWEST_FORM = 80
"""Logical pixels that the rows of a form take on the lowest screen."""


_ROLES = (QFormLayout.ItemRole.LabelRole, QFormLayout.ItemRole.FieldRole, QFormLayout.ItemRole.SpanningRole)


class FormArea(QScrollArea):
    """The rows of a form: as high as they are, and at most `limit` logical pixels, else they scroll."""

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        self.setObjectName("form_area")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._limit = 1 << 20
        page = QWidget()
        self.form = QFormLayout(page)
        self.form.setContentsMargins(0, 0, 0, 0)
        self.setWidget(page)
        page.installEventFilter(self)

    def set_limit(self, height: int) -> None:
        """Scroll where the rows are higher."""
        if height != self._limit:
            self._limit = height
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        size = self.form.sizeHint()
        if self.form.hasHeightForWidth():
            # Text that wraps is as high as the width that there is makes it.
            width = self.viewport().width() if self.isVisible() else size.width()
            size.setHeight(max(size.height(), self.form.totalHeightForWidth(width)))
        return self._limited(size)

    def minimumSizeHint(self) -> QSize:
        return self._limited(self.form.minimumSize())

    def _limited(self, size: QSize) -> QSize:
        if size.height() <= self._limit:
            return size
        return QSize(size.width() + self.verticalScrollBar().sizeHint().width(), self._whole_rows())

    def _whole_rows(self) -> int:
        """Return the height of as many rows as there is room for: none is cut through its letters."""
        height, spacing = 0, self.form.verticalSpacing()
        for row in range(self.form.rowCount()):
            if not self.form.isRowVisible(row):
                continue
            items = (self.form.itemAt(row, role) for role in _ROLES)
            rest = height + spacing * bool(height) + max(each.sizeHint().height() for each in items if each is not None)
            if rest > self._limit:
                break
            height = rest
        return height or self._limit

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and watched is self.widget():
            self.updateGeometry()
        return super().eventFilter(watched, event)


class FormDialog(QDialog):
    """A form that is checked at every change: its button is enabled when the check finds nothing.

    A dialog sets `check`, which raises an `SdfViewerError` while the form cannot be accepted.

    Attributes
    ----------
    checked
        What the check has returned, None where it found a fault.
    error
        The fault that it found, None where there is none.
    """

    def __init__(self, title: str, verb: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.check: Callable[[], object] = lambda: None
        self.checked: object = None
        self.error: SdfViewerError | None = None
        self.column = column_of(parent=self, margins=16, spacing=8)
        self._area = FormArea()
        self.form = self._area.form
        self.form.setHorizontalSpacing(12)
        self.form.setVerticalSpacing(8)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.column.addWidget(self._area)
        self.fault = QLabel(wordWrap=True)
        self.fault.setTextFormat(Qt.TextFormat.PlainText)  # it may name a <tag>
        self.fault.setProperty("role", "error")
        self.fault.setMinimumHeight(20)
        self.column.addWidget(self.fault)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.accept_button = styled(self.buttons.addButton(verb, QDialogButtonBox.ButtonRole.AcceptRole), "primary")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.column.addWidget(self.buttons)
        # A button stays the default one only if it is already in the dialog.
        self.accept_button.setDefault(True)
        # Even where the focused field handles Enter.
        self.accept_button.setShortcut(QKeySequence("Ctrl+Return"))

    def add_row(self, label: str, field: QWidget, tip: str = "") -> None:
        """Add a labelled field."""
        caption = styled(QLabel(label), "muted")
        caption.setToolTip(tip)
        caption.setBuddy(field)
        field.setToolTip(field.toolTip() or tip)
        self.form.addRow(caption, field)

    def add_note(self, text: str) -> None:
        """Add a line in grey that explains the field above it."""
        note = styled(QLabel(text, wordWrap=True), "muted")
        self.form.addRow("", note)

    def set_row_visible(self, field: QWidget, on: bool) -> None:
        """Show or hide a row; the dialog becomes as high as its rows need."""
        self.form.setRowVisible(field, on)
        if self.isVisible():
            self.fit()

    def fit(self) -> None:
        """Become as large as the form needs; on a screen that is too low for it, the rows scroll."""
        self.limit_rows()
        self.column.activate()  # else the rows still keep it as high as they were before
        self.resize(self.sizeHint().boundedTo(self._room()))

    def limit_rows(self) -> None:
        """Let the rows scroll where the dialog would be higher than the screen."""
        beside_rows = self.sizeHint().height() - self._area.sizeHint().height()
        self._area.set_limit(max(self._room().height() - beside_rows, _LOWEST_FORM))

    def _room(self) -> QSize:
        """The largest size of a dialog on its screen."""
        return self.screen().availableSize() - QSize(0, _TITLE_BAR)

    def showEvent(self, event: QShowEvent) -> None:
        if not event.spontaneous():
            self.limit_rows()
            self.resize(self.size().boundedTo(self._room()))
            if self.focusWidget() is None:  # else Cancel has the keyboard while the check is not done
                next(tab_stops(self._area), self).setFocus(Qt.FocusReason.TabFocusReason)
        super().showEvent(event)

    def validate(self) -> bool:
        """Show what the check finds; return whether the form can be accepted."""
        try:
            self.checked = self.check()
        except SdfViewerError as error:
            self.checked, self.error = None, error
            # At first it is what there is to do.
            set_style_property(self.fault, "role", "error" if self.isVisible() else "muted")
            self.fault.setText(as_sentence(str(error)))
            self.accept_button.setEnabled(False)
            return False
        self.error = None
        self.fault.setText("")
        self.accept_button.setEnabled(True)
        return True


class ModelDialog(FormDialog):
    """A form about frames of an open file; it follows the file while it is open.

    What it computes belongs to the present text: where that changes while the form is open, `take_model` finds the
    frames again, and the form is checked again. Where they are gone it closes.

    Attributes
    ----------
    model
        What the present text means.
    """

    def __init__(self, title: str, verb: str, context: DocumentContext, parent: QWidget | None = None) -> None:
        super().__init__(title, verb, parent)
        model = context.session.edited_model
        assert model is not None
        self.model = model
        self._context = context
        self._follows = True
        #: What becomes of other files, which is saved with this one.
        self.others: OtherEdits | None = None
        context.changed.connect(self._follow)
        self.finished.connect(self._stop_following)

    def take_model(self, model: Model) -> bool:
        """Find the frames of the form in another model of the same file; return whether they are still there.

        Parameters
        ----------
        model
            The model; :attr:`model` is still the one before.
        """
        raise NotImplementedError

    def row_in(self, model: Model, row: int) -> int | None:
        """Return the row in another model of what has a row in the present one, None where it is gone."""
        found = model.rows_by_name.get(self.model.names[row])
        return found if found is not None and model.kinds[found] is self.model.kinds[row] else None

    def offer_frames(self, picker: FramePicker) -> None:
        """Let a picker offer all frames of the model."""
        kinds = self.model.kinds
        picker.set_choices(
            [
                FrameChoice(name, name, kinds[row].value)
                for row, name in enumerate(self.model.names)
                if kinds[row].is_vertex
            ]
        )

    def show_frame(self, picker: FramePicker, row: int | None) -> None:
        """Let a picker show the frame of a row, None where none is chosen yet."""
        if row is None:
            picker.show_choice("choose…", None)
        else:
            picker.show_choice(self.model.names[row], self.model.kinds[row].value)

    def apply(self, edit: Edit) -> bool:
        """Make the edit of the form, and what becomes of other files; return whether it was made."""
        self._stop_following()
        return self._context.edits.apply(edit, others=self.others)

    def _stop_following(self) -> None:
        self._follows = False

    def _follow(self, change: SessionChange) -> None:
        if not change.document or not self._follows:
            return
        session = self._context.session
        model, reason = session.edited_model, why_not_current(session)
        if model is None or reason is not None:
            self.fault.setText("" if reason is None else reason.sentence)
            self.accept_button.setEnabled(False)
        elif self.take_model(model):
            self.model = model
            self.validate()
        else:
            self._context.messages.refuse(
                f"{self.windowTitle()}: the file has changed, and the element no longer exists."
            )
            self.reject()


def _is_left_wider(window: QWidget) -> bool:
    """Return whether there is more room at the left of the middle of a window than at its right."""
    middle = window.centralWidget() if isinstance(window, QMainWindow) else None
    return middle is not None and middle.x() > window.width() - middle.geometry().right()


class EditDialog(ModelDialog):
    """A form about frames that makes one edit: while it is open, the views show what the edit would do.

    The window can be used beside it, so it opens over the panels at the side of the 3D view where they are wider: what
    the edit does is seen there.
    """

    def __init__(self, title: str, verb: str, context: DocumentContext, parent: QWidget | None = None) -> None:
        super().__init__(title, verb, context, parent)
        self._soon = delayed(self, self._preview, PREVIEW_MILLISECONDS)
        self.finished.connect(lambda _result: self._end_preview())

    def compute(self) -> Edit:
        """Return the edit.

        Raises
        ------
        RefactoringError
            While the form cannot be accepted.
        """
        raise NotImplementedError

    def validate(self) -> bool:
        """Show what the check finds, and soon what the edit would do; return whether the form can be accepted."""
        self._soon.start()
        return super().validate()

    def is_about(self, context: DocumentContext | None) -> bool:
        """Return whether the form is about a file."""
        return context is self._context

    def showEvent(self, event: QShowEvent) -> None:
        parent = self.parentWidget()
        if parent is not None and not event.spontaneous():
            self.fit()
            window, screen = parent.window().geometry(), self.screen().availableGeometry()
            x = max(window.right() - self.width() - _MARGIN, window.left())
            if _is_left_wider(parent.window()):
                x = window.left() + _MARGIN
            lowest = screen.bottom() - self.height() - _TITLE_BAR
            self.move(x, max(min(window.top() + _BELOW_TOOLBAR, lowest), screen.top()))
        super().showEvent(event)

    def reject(self) -> None:
        """Close the dialog; while the user picks a pose, only cancel picking."""
        if not self._context.requests.cancel_pick():
            super().reject()

    @property
    def _edit(self) -> Edit | None:
        """The edit as it was computed at the last change, None where the form says why there is none."""
        return self.checked if isinstance(self.checked, Edit) else None

    def _preview(self) -> None:
        if self.others is not None and self.others.copies:  # the preview shows what would be copied
            session = self._context.session
            expect_copies(session.finder, {**session.others.copies, **self.others.copies})
        self._context.previews.show(self._edit)

    def _end_preview(self) -> None:
        self._soon.stop()
        self._context.requests.pick_pose(None)
        self._context.previews.show(None)

    def accept(self) -> None:
        """Make the edit and close, where the form can be accepted."""
        if self.validate() and self._edit is not None and self.apply(self._edit):
            super().accept()
