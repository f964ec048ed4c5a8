"""Answers about a location in the source view: open elements, completions, references, links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sdfviewer.diagnostics import Span
from sdfviewer.document.document import Document
from sdfviewer.formats.registry import model_suffixes
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.source.beside_text import Places, Prompt
from sdfviewer.gui.source.editor import SourceEditor
from sdfviewer.gui.source.find_bar import FindBar
from sdfviewer.language.annotations import describe_markup, describe_origins, describe_row
from sdfviewer.language.completion import Completions, Open, Outline, complete, open_elements
from sdfviewer.language.links import link_at, uris_at
from sdfviewer.language.markup import tag_at
from sdfviewer.language.names import Name, name_at, value_origins_at
from sdfviewer.language.text_map import TextMap
from sdfviewer.model.model import Model

if TYPE_CHECKING:
    from sdfviewer.formats.xacro.value_origins import ValueOrigin


class Insight:
    """Answers questions about places of an editor's text.

    Attributes
    ----------
    outline
        The last text that has elements, None before the first one.
    """

    def __init__(self, view: SourceContext) -> None:
        self._view = view
        self.outline: Outline | None = None

    def open_at(self, text: str, at: int) -> list[Open]:
        """Return the elements that are open at an offset of a text."""
        return open_elements(text[:at]) if self.outline is None else self.outline.open_at(text, at)

    def innermost(self, at: int) -> str | None:
        """Return the tag of the innermost element that is open at an offset of the editor's text."""
        opened = self.open_at(self._view.editor.raw_text(), at)
        return opened[-1].tag if opened else None

    def complete(self, text: str) -> Completions:
        """Return the completions after the text before the caret."""
        behind, session = self._view.editor.raw_text()[len(text) :], self._view.context.session
        named = uris_at(text, lambda at: self.open_at(text, at), session.path, session.finder)
        if named is not None:
            return Completions(named[0], tuple(each.uri for each in named[1]))
        return complete(text, session.model, lambda at: self.open_at(text, at), behind)

    def _name_at(self, position: int) -> Name | None:
        """Return the name at a position of the editor, even while the user types if possible."""
        session = self._view.context.session
        if session.model is None or not session.is_located or self._view.is_typing:
            return None
        return name_at(session.model, self._view.offset_of(position))

    def _origins_at(self, position: int) -> tuple[ValueOrigin, ...]:
        """Return what a value of a xacro file is computed with; none while the user types."""
        session = self._view.context.session
        if session.model is None or not session.is_current or self._view.is_typing:
            return ()
        return value_origins_at(session.model, self._view.offset_of(position))

    def link_at(self, position: int) -> tuple[int, int] | None:
        """Return start and end of a name at a position that leads somewhere."""
        name = self._name_at(position)
        if name is None or name.row is None:
            return None
        return self._view.position_of(name.start), self._view.position_of(name.end)

    def describe(self, position: int) -> str:
        """Return the text of a tooltip: the meaning of a name, or the specification of the markup."""
        session = self._view.context.session
        if origins := self._origins_at(position):
            return "\n".join(describe_origins(origins))
        name = self._name_at(position)
        if name is not None and session.model is not None:
            return describe_row(session.model, name.row, session.X_RootF) if name.row is not None else ""
        editor = self._view.editor
        text, at = editor.raw_text(), editor.places().shown_of_position(position)
        tag = tag_at(text, at)
        return "" if tag is None else describe_markup(text, at, self.open_at(text, tag.start), session.model)

    def describe_file(self, indentation: str, places: TextMap) -> str:
        """Return how the file indents, ends its lines and is encoded."""
        encoding = self._view.document.encoding
        blanks = "Tabs" if "\t" in indentation else f"Spaces: {len(indentation)}"
        name = encoding.name.upper() + (" with BOM" if encoding.bom and encoding.name == "utf-8" else "")
        locked = "  ·  read-only" if self._view.editor.isReadOnly() else ""
        return f"{blanks}  ·  {places.line_ends}  ·  {name}{locked}"


def open_link(context: DocumentContext, offset: int) -> bool:
    """Open the model that the URI at an offset names, or say why not; return whether there is a URI."""
    session = context.session
    link = link_at(session.document.recovered, session.finder, offset)
    if link is None:
        return False
    if link.file is None:
        context.messages.refuse(f"'{link.uri}' is not found")
    elif link.file.suffix.lower() not in model_suffixes():
        context.messages.refuse(f"{link.file.name} does not open here, since it is not a model")
    else:
        context.requests.other_file.emit(Span(str(link.file), 0, 0, 1, 1, 1, 1))
    return True


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
