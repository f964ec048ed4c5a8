"""The interface of the source view for its parts."""

from __future__ import annotations

from typing import Protocol

from sdfviewer.document.document import Document
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.source.editor import SourceEditor
from sdfviewer.gui.source.find_bar import FindBar
from sdfviewer.gui.source.location_list import Places
from sdfviewer.gui.source.prompt import Prompt
from sdfviewer.model.model import Model


class SourceContext(Protocol):
    """A source view: its editor, its bars, and where offsets of the file are in the editor."""

    context: DocumentContext
    editor: SourceEditor
    find_bar: FindBar
    places: Places
    prompt: Prompt

    @property
    def is_typing(self) -> bool:
        """Whether something is typed that is not yet an edit."""

    @property
    def document(self) -> Document:
        """The session's text."""

    def flush(self) -> None:
        """Make what has been typed an edit now."""

    def offset_of(self, position: int) -> int:
        """Return the offset in the file of a position in the editor, as long as nothing is being typed."""

    def position_of(self, offset: int) -> int:
        """Return the position in the editor of an offset in the file, as long as nothing is being typed."""

    def current_model(self) -> Model | None:
        """Return the model of the text in the editor, None where that cannot be read."""

    def row_meant_at(self, position: int) -> int | None:
        """Return the row that the name at a position means, else that of the element around it."""

    def go_to_definition(self, position: int) -> None:
        """Go to what is named at a position."""

    def show_message(self, text: str) -> None:
        """Show a message in the status bar."""

    def refuse(self, text: str) -> None:
        """Show why something was not done."""
