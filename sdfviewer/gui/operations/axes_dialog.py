"""The base class of the edit dialogs that ask for a frame whose axes count."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.fields.frame_picker import FrameChoice, FramePicker
from sdfviewer.gui.operations.form_dialog import EditDialog


class AxesDialog(EditDialog):
    """An edit that is described in the axes of a frame.

    Attributes
    ----------
    frame
        The row of that frame.
    frame_picker
        Shows it, and picks another one.
    """

    def __init__(
        self, title: str, verb: str, context: DocumentContext, frame: int, picker_name: str, parent: QWidget | None
    ) -> None:
        super().__init__(title, verb, context, parent)
        self.frame = frame
        self.frame_picker = FramePicker(picker_name)
        self.frame_picker.opening.connect(lambda: self.offer_frames(self.frame_picker))
        self.frame_picker.picked.connect(self._pick)
        self.show_frame(self.frame_picker, frame)

    def _pick(self, choice: FrameChoice) -> None:
        if choice.name is not None:
            self.frame = self.model.row(choice.name)
            self.show_frame(self.frame_picker, self.frame)
            self.validate()
