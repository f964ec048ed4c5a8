"""The preview of an edit: changed lines and moved frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QSizePolicy, QSplitter, QWidget
from shiboken6 import isValid

from sdfviewer.document.line_difference import TextDifference, edit_difference
from sdfviewer.formats.xacro.expansion import EvaluationPendingError
from sdfviewer.gui.compare.frame_tables import ChangedFrameTable, summarise
from sdfviewer.gui.compare.text_comparison import TextComparison
from sdfviewer.gui.context.document_context import SHORT_TEXT, DocumentContext
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.widgets import column_of, resize_on_screen, styled
from sdfviewer.gui.operations.certificate_page import LossList
from sdfviewer.model.comparison.frames import FrameDifference, compare_models
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted
from sdfviewer.operations.declaration import Outcome
from sdfviewer.refactoring.unmoved import with_files
from sdfviewer.session.other_files import OtherEdits
from sdfviewer.session.session import Session


@dataclass(frozen=True)
class EditEffect:
    """What an edit does.

    Attributes
    ----------
    done
        The edit, and what becomes of other files.
    lines
        The lines that change.
    before, after
        The model of the text as it is, and with the edit; None where it cannot be read.
    frames
        The frames that differ.
    new_errors
        How many errors there are more.
    faults
        What the edit has changed without a word, in sentences with file and line: errors of this program.
    """

    done: Outcome
    lines: TextDifference
    before: Model | None
    after: Model | None
    frames: Sequence[FrameDifference]
    new_errors: int
    faults: tuple[str, ...] = ()


def prepare_effect(session: Session) -> Callable[[Outcome], EditEffect]:
    """Return what works out the effect of an edit of the present text, in any thread."""
    before, problems_before = session.model, session.diagnostics
    loader = session.make_loader()
    loader.expander.waits = False

    def effect(done: Outcome) -> EditEffect:
        edit = done.edit
        lines = edit_difference(edit.document, edit.replacements)
        _ = lines.changed_pairs  # found here, so that the window need not
        try:
            reading = with_files(loader, [each.after for each in done.files])
            after, problems = reading.load_with_diagnostics(edit.document.edited(edit.replacements))
        except EvaluationPendingError:
            after, problems = before, problems_before
        frames = compare_models(before, after, edit.renamed) if before is not None and after is not None else ()
        new = sum(each.is_error for each in problems) - sum(each.is_error for each in problems_before)
        return EditEffect(done, lines, before, after, frames, new)

    return effect


class PreviewDialog(QDialog):
    """Shows what an edit does and makes it as one undo step.

    Parameters
    ----------
    effect
        What an edit of the present text does.
    note
        What the edit is for, in a sentence.
    moves_nothing
        Whether the edit promises that no frame moves: a frame that does is shown as a fault.
    """

    def __init__(
        self,
        context: DocumentContext,
        settings: Settings,
        effect: EditEffect,
        note: str = "",
        *,
        moves_nothing: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        edit = effect.done.edit
        self.setWindowTitle(edit.label)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._context = context
        self._done = effect.done
        self._document = context.session.document
        self._is_applied = False
        resize_on_screen(self, 1120, 680)
        self.difference = TextComparison(settings)
        self.frames = ChangedFrameTable(settings)
        self.column = column_of(parent=self, margins=16, spacing=8)
        if note:
            self.column.addWidget(QLabel(note, wordWrap=True))
        self.column.addLayout(self._fill(effect, moves_nothing))
        self.losses = LossList((*effect.faults, *edit.losses, *edit.notes), self._document.name)
        self.losses.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.losses.setVisible(self.losses.count() > 0)
        self.column.addWidget(self.losses)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(self.difference)
        splitter.addWidget(self.frames)
        splitter.setSizes([400, 180])
        splitter.setChildrenCollapsible(False)
        self.column.addWidget(splitter, 1)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.apply_button = styled(self.buttons.addButton("Apply", QDialogButtonBox.ButtonRole.AcceptRole), "primary")
        self.buttons.accepted.connect(self._apply)
        self.buttons.rejected.connect(self.reject)
        self.column.addWidget(self.buttons)
        self.apply_button.setDefault(True)
        self.apply_button.setFocus()
        context.changed.connect(self._follow)
        context.destroyed.connect(self.reject)  # the file was closed

    def _fill(self, effect: EditEffect, moves_nothing: bool) -> QHBoxLayout:
        """Fill in what the edit does, and return it in a line of facts."""
        model, found = effect.before, effect.frames
        self.difference.set_model(model)
        if len(self._document.text) <= SHORT_TEXT:
            self.difference.show_difference(effect.lines)
        else:
            self._context.later.do(partial(self._show_lines, effect.lines))
        self.differences = found
        self.frames.show_differences(found, "" if model is None or model.is_world else model.names[0])
        self.frames.setVisible(bool(found))
        facts = QHBoxLayout()
        facts.setSpacing(16)
        if effect.after is None:
            facts.addLayout(_fact("The text would become unreadable", "error"))
        else:
            harmless = all(each.is_harmless for each in found)
            if moves_nothing and harmless:
                facts.addLayout(_fact(summarise(()), "success"))
            if found or not moves_nothing:
                facts.addLayout(_fact(summarise(found), "info" if harmless or not moves_nothing else "error"))
        if effect.faults:
            text = (
                f"{counted(len(effect.faults), 'difference')} by an error of sdfviewer: please report it with the file"
            )
            facts.addLayout(_fact(text, "error"))
        facts.addLayout(_fact(_counted(len(effect.lines.blocks)), "info"))
        new = effect.new_errors
        if new:
            text = f"{abs(new)} error{'s' if abs(new) > 1 else ''} {'more' if new > 0 else 'fewer'}"
            facts.addLayout(_fact(text, "error" if new > 0 else "success"))
        facts.addStretch(1)
        return facts

    def _show_lines(self, lines: TextDifference) -> None:
        if isValid(self.difference):
            self.difference.show_difference(lines)

    def _follow(self) -> None:
        # After another edit these offsets belong to an earlier text.
        if not self._is_applied and self._context.session.document is not self._document:
            self.reject()

    def _apply(self) -> None:
        if self._is_applied:  # the second click of a double click, before the dialog is gone
            return
        self._is_applied = True
        self._context.edits.apply(self._done.edit, self, others=OtherEdits.of(self._done))
        self.accept()


def _counted(places: int) -> str:
    return f"The text changes in {'one place' if places == 1 else f'{places} places'}"


def _fact(text: str, severity: str) -> QHBoxLayout:
    """Return a statement with a sign before it."""
    signs = {
        "success": "mdi6.check-circle-outline",
        "info": "mdi6.information-outline",
        "error": "mdi6.close-octagon",
    }
    row = QHBoxLayout()
    row.setSpacing(4)
    sign = QLabel(pixmap=icon(signs[severity], severity).pixmap(16, 16))
    row.addWidget(sign)
    label = QLabel(text)
    label.setObjectName("fact")
    row.addWidget(label)
    return row
