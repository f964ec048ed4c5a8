"""The source view: an editor that follows the session, and whose typing is an edit like any other."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from sdfviewer.diagnostics import Severity, Span
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, indentation_step
from sdfviewer.gui.bridge import Bridge
from sdfviewer.gui.source.completion import complete
from sdfviewer.gui.source.editor import SourceEditor, Underline
from sdfviewer.gui.source.find_bar import FindBar
from sdfviewer.gui.source.folding import last_line
from sdfviewer.gui.source.highlighter import Highlighter
from sdfviewer.gui.source.text_map import TextMap, difference, rebase
from sdfviewer.gui.theme import tokens
from sdfviewer.semantics.kinds import Kind
from sdfviewer.semantics.model import Model
from sdfviewer.semantics.references import Reference, find_references
from sdfviewer.session import Change

#: How long typing must pause until it becomes an edit, and until the next typing is another undo step.
PAUSE, BURST = 350, 2000
#: How long the caret must rest until it selects.
REST = 120


class SourceView(QWidget):
    """The file's text, editable, in step with every other view.

    Parameters
    ----------
    bridge
        The session's bridge.
    """

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.editor = SourceEditor(self)
        self.find_bar = FindBar(self.editor, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.editor, 1)
        layout.addWidget(self.find_bar)
        self.setFocusProxy(self.editor)

        self._map = TextMap(bridge.session.document.text)
        self._following = True
        self._typed_last = False
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self.flush)
        self._burst = QTimer(self, singleShot=True, interval=BURST)
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._select_at_caret)

        self.editor.setPlainText(self._map.shown)
        # A text that the editor cannot hold as it is must not be written back by it.
        self.editor.setReadOnly(self.editor.raw_text() != self._map.shown)
        self.highlighter = Highlighter(self.editor, tokens(self.palette()))
        self._following = False
        self.editor.folding.last_line = self._last_line
        self.editor.completions = lambda text: complete(text, self._bridge.session.model)
        # Unlike the editor's textChanged this does not report colouring.
        self.editor.document().contentsChange.connect(self._start_pause)
        self.editor.cursorPositionChanged.connect(self._rest.start)
        self.editor.flush_wanted.connect(self.flush)
        self.editor.undo_wanted.connect(self._undo)
        self.editor.redo_wanted.connect(self._redo)
        self.editor.definition_wanted.connect(self.go_to_definition)
        self.editor.references_wanted.connect(self.show_references)
        self.editor.find_wanted.connect(self.find_bar.open)
        self.editor.next_wanted.connect(self.find_bar.go)
        bridge.changed.connect(self._follow)
        bridge.place_requested.connect(self.show_place)
        self._show_meaning()

    # --- from the editor to the session ------------------------------------------------------------------------

    def _start_pause(self, _at: int, _removed: int, _added: int) -> None:
        if not self._following:
            self._pause.start()

    def flush(self) -> None:
        """Make what has been typed an edit now."""
        self._pause.stop()
        if self._following or self.editor.isReadOnly():
            return
        shown = self.editor.raw_text()
        replacement = self._map.replacement(shown)
        if replacement is None:
            return
        merge = self._typed_last and self._burst.isActive()
        session = self._bridge.session
        session.apply(Edit("Edit the text", (replacement,)), origin=self, merge=merge)
        self._map = TextMap(session.document.text)
        self._typed_last = True
        self._burst.start()
        self._show_meaning()

    def _undo(self) -> None:
        self.flush()
        self._bridge.session.undo()

    def _redo(self) -> None:
        self.flush()
        self._bridge.session.redo()

    def _select_at_caret(self) -> None:
        """Select the frame that the caret is in."""
        session = self._bridge.session
        model = session.model
        if not self.editor.hasFocus() or self._pause.isActive() or model is None or not session.is_current:
            return
        row = self._row_at(model.document, self._map.to_offset(self.editor.textCursor().position()))
        if row is not None:
            session.select((model.names[row],), origin=self)
            self._choose()

    def _row_at(self, document: Document, offset: int) -> int | None:
        """Return the row of the innermost element with a pose around an offset."""
        model = self._bridge.session.model
        element = document.element_at(offset)
        while model is not None and element is not None:
            row = model.rows_by_element.get(id(element))
            if row is not None:
                return row
            element = document.parent(element)
        return None

    # --- from the session to the editor ------------------------------------------------------------------------

    def _follow(self, change: Change) -> None:
        if change.document and change.origin is not self:
            self._typed_last = False
            self._take_text()
        elif change.problems:
            self._show_meaning()
        if change.selection and change.origin is not self:
            self._choose()
            self._reveal_selection()
        if change.saved:
            self._typed_last = False

    def _take_text(self) -> None:
        """Take over the session's text, changing as little as possible of the editor's.

        What has been typed and is not yet an edit is kept, unless the other edit was made at the same place.
        """
        before, self._map = self._map, TextMap(self._bridge.session.document.text)
        made = difference(before.shown, self._map.shown)
        shown, typed = before.shown, None
        # A large text is read out of the editor only where it may be another than the one that was put in.
        if self._pause.isActive() or self.editor.isReadOnly():
            shown = self.editor.raw_text()
            typed = difference(before.shown, shown)
        self._pause.stop()
        wanted = self._map.shown
        kept = rebase(typed, made) if typed is not None and made is not None else None
        if kept is not None:
            wanted = wanted[: kept.start] + kept.text + wanted[kept.end :]
            self._pause.start()
        change = made if shown is before.shown else difference(shown, wanted)
        if change is not None:
            self._following = True
            places = before if shown is before.shown else TextMap(shown)
            start, end = places.position_of_shown(change.start), places.position_of_shown(change.end)
            self.editor.replace(start, end, change.text)
            self._following = False
        self._show_meaning()

    def _show_meaning(self) -> None:
        """Show what the present text means: problems, kinds, what can be folded, the selection."""
        session = self._bridge.session
        document = session.document
        underlines = []
        for diagnostic in session.diagnostics:
            ending = f" [{diagnostic.rule.name}]"
            text = f"{diagnostic.severity.value}: {diagnostic.message}{ending}"
            # Every edge of a cycle is underlined, each with what is to be said of it.
            places = [(diagnostic.span, text), *((each.span, each.message + ending) for each in diagnostic.related)]
            for span, said in places:
                if span is not None and span.path == document.name:
                    underlines.append(self._underline(span, diagnostic.severity, said))
        self.editor.underline(underlines)
        if document.root is not None:
            self.editor.folding.check()
            self.editor.indentation = indentation_step(document)
        if session.model is not None:
            model = session.model
            pairs = zip(model.local_names, model.kinds, strict=True)
            self.highlighter.set_kinds({name: kind for name, kind in pairs if kind.is_vertex})
        self._choose()
        self.find_bar.refresh()

    def _last_line(self, line: int) -> int | None:
        # While something is typed the lines of the file are not those of the editor.
        document = self._bridge.session.document
        return None if self._pause.isActive() else last_line(document, line)

    def _underline(self, span: Span, severity: Severity, text: str) -> Underline:
        start, end = self._map.to_position(span.start), self._map.to_position(span.end)
        # Something must be seen even where a problem is at one point, or at the very end.
        end = min(max(end, start + 1), self.editor.document().characterCount() - 1)
        return Underline(min(start, max(end - 1, 0)), end, severity, text)

    def _chosen_span(self) -> tuple[int, int] | None:
        """Return the start tag of the frame selected last, in editor positions."""
        session = self._bridge.session
        model, row = session.model, session.selected_row
        if model is None or row is None or not session.is_current or model.sources[row] is not None:
            return None
        start, end = model.document.offsets(model.elements[row])
        return self._map.to_position(start), self._map.to_position(end)

    def _choose(self) -> None:
        self.editor.choose(self._chosen_span())

    def _reveal_selection(self) -> None:
        span, session = self._chosen_span(), self._bridge.session
        if span is None or session.model is None:
            return
        here = self._row_at(session.model.document, self._map.to_offset(self.editor.textCursor().position()))
        if here != session.selected_row:
            self._show(span[0])

    def _show(self, start: int, end: int | None = None) -> None:
        """Go to a place without taking it for the user's wish to select it."""
        self.editor.go_to(start, end)
        self._rest.stop()

    def show_place(self, span: Span) -> None:
        """Show a place of the file; of an included one only say where it is."""
        if span.path != self._bridge.session.document.name:
            self._bridge.said.emit(f"{span.path}:{span.line}:{span.column} is in a file that this one includes")
            return
        self.flush()
        self._show(self._map.to_position(span.start), self._map.to_position(span.end))
        self.editor.setFocus()

    def _meant_at(self, offset: int) -> tuple[int | None, str]:
        """Return the row that a name at an offset of the file means, and the name; no name where there is none."""
        model = self._bridge.session.model
        assert model is not None
        for reference in find_references(model):
            start, end = model.document.offsets(reference.element, reference.part)
            if start <= offset <= end:
                return _target(model, reference), reference.name
        return None, ""

    def go_to_definition(self, position: int) -> None:
        """Go to what the name at a position of the editor means, and select it."""
        self.flush()
        session = self._bridge.session
        model = session.model
        if model is None or not session.is_current:
            return
        row, name = self._meant_at(self._map.to_offset(position))
        if row is not None:
            session.select((model.names[row],), origin=self)
            self.show_place(model.document_of(row).span(model.elements[row]))
            self._choose()
        elif name:
            self._bridge.refused.emit(f"there is no '{name}' here")
        else:
            cursor = QTextCursor(self.editor.document())
            cursor.setPosition(position)
            self.editor.setTextCursor(cursor)

    def show_references(self, position: int) -> None:
        """Mark every place that names what is named, or written, at a position of the editor."""
        self.flush()
        session = self._bridge.session
        model = session.model
        if model is None or not session.is_current:
            return
        offset = self._map.to_offset(position)
        row, _ = self._meant_at(offset)
        if row is None:
            row = self._row_at(model.document, offset)
        if row is None:
            return
        places = []
        for reference in find_references(model):
            if row in reference.steps(model) or row == _target(model, reference):
                start, end = model.document.offsets(reference.element, reference.part)
                places.append((self._map.to_position(start), self._map.to_position(end)))
        self.find_bar.walk(sorted(places))
        count = f"{len(places)} place{'s' if len(places) != 1 else ''}"
        self._bridge.said.emit(f"{model.names[row]} is named in {count}; F3 goes to the next one")

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "highlighter"):
            self.highlighter.set_colours(tokens(self.palette()))


def _target(model: Model, reference: Reference) -> int | None:
    """Return the row that a reference means, None where it finds nothing."""
    if reference.name == "__model__" or (reference.name == "world" and model.kinds[reference.scope] is Kind.WORLD):
        return reference.scope
    steps = reference.steps(model)
    return steps[-1] if len(steps) == len(reference.name.split("::")) else None
