"""The source view: an editor that follows the session, and whose typing is an edit like any other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QWidget

from sdfviewer.diagnostics import Diagnostic, Replacement, Severity, Span
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit, indentation_step
from sdfviewer.document.xml.read import prepare_for_faults
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.kit.theme import on_theme_change, tokens
from sdfviewer.gui.kit.widgets import column_of
from sdfviewer.gui.kit.xml_highlighter import Highlighter, kinds_of_vertices
from sdfviewer.gui.source.beside_text import CaretBar, LongLines, Places, Prompt, broken_lines
from sdfviewer.gui.source.editor import SourceEditor
from sdfviewer.gui.source.editor_commands import SourceCommands
from sdfviewer.gui.source.find_bar import FindBar
from sdfviewer.gui.source.insight import Insight, open_link
from sdfviewer.gui.source.text_marks import Underline
from sdfviewer.language.completion import Open, Outline
from sdfviewer.language.markup import partner_of, tag_at
from sdfviewer.language.names import name_at, place_in_file, row_written_at
from sdfviewer.language.outline import end_of_first_element
from sdfviewer.language.text_map import LONGEST_LINE, TextMap, difference, place_after, rebase
from sdfviewer.language.typing import Strokes, describe
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.session.session_change import SessionChange
from sdfviewer.validation.element_tree import read_all_versions

#: How long typing must pause until it becomes an edit, at least and at most, and until what follows is another step.
PAUSE, LONGEST_PAUSE, BURST = 350, 3000, 2000
#: How long the caret must rest until it selects.
REST = 120


def _map_of(document: Document) -> TextMap:
    """Return the way between a file and the editor, which shows long lines in pieces: it would take seconds for one."""
    return TextMap(document.text, LONGEST_LINE)


class SourceView(QWidget):
    """The file's text, editable, in step with every other view.

    Parameters
    ----------
    context
        The session's context.
    loaded
        Whether the text is there at once; otherwise it comes with `load`.
    """

    #: Something was typed that is not yet an edit.
    typed = Signal()

    def __init__(self, context: DocumentContext, parent: QWidget | None = None, *, loaded: bool = True) -> None:
        super().__init__(parent)
        on_theme_change(self._follow_theme)
        self.context = context
        self.editor = SourceEditor(self)
        self.find_bar = FindBar(self.editor, self)
        self.places = Places(self)
        self.caret_bar = CaretBar(self)
        self.prompt = Prompt(self.editor)
        self.commands = SourceCommands(self)
        layout = column_of(parent=self, margins=0, spacing=0)
        self.long_lines = LongLines(self)
        layout.addWidget(self.long_lines)
        layout.addWidget(self.editor, 1)
        for bar in (self.places, self.find_bar, self.caret_bar):
            layout.addWidget(bar)
        self.setFocusProxy(self.editor)

        # The document that the editor shows, and the map of its text.
        self._shown, self._map = self.document, _map_of(self.document)
        #: Whether a step through the history takes the caret along, which no selection moves then.
        self._goes_with_caret = False
        self._is_behind = self._is_unheld = False
        #: The rest of taking a text that is taken in parts.
        self._rest_of_text: Iterator[None] | None = None
        #: The names that are coloured by the kinds of their frames, and these.
        self._names: list[str] = []
        self._kinds: list[Kind] = []
        self.insight = Insight(self)
        self._strokes = Strokes(self._map.shown)
        self._following, self._has_typed = True, False
        self.pause = delayed(self, self.flush, PAUSE)
        self._burst = delayed(self, self._strokes.pause, BURST)
        self._rest = delayed(self, self._follow_caret, REST)

        self.highlighter = Highlighter(self.editor, tokens(self.palette()), self.editor.places)
        if loaded:
            for _ in self.load():
                pass

    def load(self) -> Iterator[None]:
        """Take the text into the editor part by part, which yields between two of them."""
        yield from self.editor.load(self._map.shown)
        yield
        # The editor must not write back a text that it cannot hold unchanged.
        self._is_unheld = self.editor.raw_text() != self._map.shown
        self._lock()
        self._following = False
        self._connect()
        if self._map.text is not self.document.text:  # it was edited elsewhere meanwhile
            self._is_behind = True
            self.catch_up()
        yield
        self._show_meaning()
        self._begin_at_problem()
        self._show_caret()

    def _lock(self) -> None:
        """Let nothing be typed into a text that the editor cannot hold, or whose long lines it shows in pieces."""
        self.editor.pieces = self._map if self._map.is_cut else None
        self.editor.set_locked(self._is_unheld or self._map.is_cut)
        self.long_lines.follow(self.document, self._map)

    def _connect(self) -> None:
        editor = self.editor
        self.long_lines.wanted.connect(self._break_lines)
        editor.folding.last_line = self._last_line
        editor.completer.find = self.insight.complete
        editor.keyboard.innermost = self.insight.innermost
        editor.describe = self.insight.describe
        editor.link_at = self.insight.link_at
        # Unlike the editor's textChanged this does not report colouring.
        editor.document().contentsChange.connect(self._note_typing)
        editor.cursorPositionChanged.connect(self._rest.start)
        editor.carets.changed.connect(self._rest.start)
        editor.selectionChanged.connect(self._rest.start)
        editor.flush_wanted.connect(self.flush)
        editor.undo_wanted.connect(self._undo)
        editor.redo_wanted.connect(self._redo)
        editor.definition_wanted.connect(self.go_to_definition)
        editor.command_wanted.connect(self.commands.run)
        editor.escaped.connect(self._close_bars)
        editor.menu_wanted.connect(self.commands.open_menu)
        editor.gutter.fixes_wanted.connect(self._offer_fixes_at)
        self.places.chosen.connect(self._show_listed)
        self.places.closed.connect(self._leave_places)
        self.caret_bar.element_wanted.connect(self._go_to_element)
        self.context.changed.connect(self._follow)
        for signal in (self.context.requests.place, self.context.requests.place_behind):
            signal.connect(self.show_place)

    def set_actions(self, actions: Mapping[str, QAction]) -> None:
        """Take the actions of the window: their keys in the source, its context menu, and what is switched there."""
        self.commands.actions = actions
        in_source = [
            action for action in actions.values() if action.shortcutContext() is Qt.ShortcutContext.WidgetShortcut
        ]
        self.editor.keyboard.commands = {action.shortcut().toString(): action.objectName() for action in in_source}
        for field in (self.find_bar.pattern, self.find_bar.replacement):
            field.addActions([actions["source.next_match"], actions["source.previous_match"]])
        blanks = actions["source.whitespace"]
        blanks.toggled.connect(self.editor.set_blanks_shown)
        self.editor.set_blanks_shown(blanks.isChecked())

    # --- places --------------------------------------------------------------------------------------------------

    @property
    def is_typing(self) -> bool:
        """Whether something is typed that is not yet an edit."""
        return self.pause.isActive()

    @property
    def document(self) -> Document:
        """The session's text."""
        return self.context.session.document

    def offset_of(self, position: int) -> int:
        """Return the offset in the file of a position in the editor, as long as nothing is being typed."""
        self.catch_up()
        return self._map.to_offset(position)

    def position_of(self, offset: int) -> int:
        """Return the position in the editor of an offset in the file, as long as nothing is being typed."""
        self.catch_up()
        return self._map.to_position(offset)

    def _break_lines(self) -> None:
        self.flush()
        document = self.document
        self.context.edits.make_in_background(lambda: broken_lines(document))

    def current_model(self) -> Model | None:
        """Return the model of the text in the editor, None if it cannot be read."""
        self.flush()
        return self.context.session.model if self.context.session.is_current else None

    def row_meant_at(self, position: int) -> int | None:
        """Return the row that the name at a position means, else that of the element around it."""
        model = self.current_model()
        if model is None:
            return None
        name = name_at(model, self.offset_of(position))
        return name.row if name is not None else row_written_at(model, self.offset_of(position))

    def show_message(self, text: str) -> None:
        """Say something in the status bar."""
        self.context.messages.show(text)

    def refuse(self, text: str) -> None:
        """Say why something was not done."""
        self.context.messages.refuse(text)

    # --- from the editor to the session --------------------------------------------------------------------------

    def _note_typing(self, at: int, _removed: int, _added: int) -> None:
        if not self._following:
            if not self._has_typed:  # what is half typed is no XML, or a name that no version knows
                self._has_typed = True
                self.context.run_in_background(prepare_for_faults, lambda _: None)
                self.context.run_in_background(read_all_versions, lambda _: None)
            at = self.editor.places().shown_of_position(at)
            joins = bool(self.editor.carets) and self.editor.carets.goes_on
            self._strokes.note(self.editor.raw_text(), self.editor.label, at, joins=joins)
            self.pause.start()
            self._rest.start()
            self.typed.emit()

    def text(self) -> str:
        """Return the text of the file with what has been typed and is not yet an edit."""
        self.catch_up()
        if self.pause.isActive() and not self.editor.isReadOnly():
            change = self._map.replacement(self.editor.raw_text())
            if change is not None:
                return self._map.text[: change.start] + change.text + self._map.text[change.end :]
        return self.document.text

    def flush(self) -> None:
        """Make what has been typed an edit now: each word a step of the history."""
        self.catch_up()
        self.pause.stop()
        if self._following or self.editor.isReadOnly():
            return
        shown = self.editor.raw_text()
        replacement = self._map.replacement(shown)
        merge, steps = self._strokes.continues, self._strokes.take()
        if replacement is None:
            return
        if not steps or steps[-1][1] != shown:
            steps = [(describe(self._map.shown, shown), shown)]
        *passed, (label, _) = steps
        session, began = self.context.session, time.perf_counter()
        edit = Edit(label, session.document, (replacement,))
        session.apply(edit, self, merge=merge, passed=self._map.written(passed), is_typed=True)
        # In a large world an edit takes a while, and must not interrupt typing at every word.
        took = round((time.perf_counter() - began) * 1000)
        self.pause.setInterval(min(max(PAUSE, 4 * took), LONGEST_PAUSE))
        self._shown, self._map = session.document, _map_of(session.document)
        if self._map.is_cut:  # a line has become long
            self._lock()
            self._is_behind = True
            self.context.later.do(self._catch_up_in_parts)
            return
        self._burst.start()
        # A name that has been typed is another frame, which the caret is in.
        self._rest.start()
        self._forget_places()
        self._show_meaning()

    def _undo(self) -> None:
        self._go_in_history(self.context.edits.undo)

    def _redo(self) -> None:
        self._go_in_history(self.context.edits.redo)

    def _go_in_history(self, go: Callable[[], None]) -> None:
        """Go through the history, and with the caret to what has changed."""
        self.flush()
        self.editor.carets.clear()
        before = self.editor.raw_text()
        caret = self.editor.places().shown_of_position(self.editor.textCursor().position())
        self._goes_with_caret = True
        try:
            go()
        finally:
            self._goes_with_caret = False
        self.catch_up()
        place = _caret_after(before, self.editor.raw_text(), caret)
        if place is not None:
            self.editor.select(self.editor.places().position_of_shown(place))

    def _follow_caret(self) -> None:
        """Select the frame that the caret is in, and show where the caret is."""
        if self._rest_of_text is not None:  # this is asked for again when all of it is there
            return
        self._show_caret()
        session = self.context.session
        model = session.model
        if not self.editor.hasFocus() or self.pause.isActive() or model is None or not session.is_current:
            return
        if not self.editor.textCursor().block().text().strip():  # on its way to another element
            return
        row = row_written_at(model, self.offset_of(self._beside_text()))
        if row is not None:
            session.select((model.names[row],), origin=self)
            self._choose()

    def _beside_text(self) -> int:
        """Return the position of the caret; in the indentation or at the end of a line that of the text beside it.

        So the caret is in the element that begins, or ends, in its line.
        """
        cursor = self.editor.textCursor()
        line, column = cursor.block().text(), cursor.positionInBlock()
        first = len(line) - len(line.lstrip())
        # Qt counts some characters twice, but no blank.
        last = cursor.block().length() - 2 - (len(line) - len(line.rstrip()))
        return cursor.position() + (min(max(column, first), last) - column if first <= last else 0)

    # --- from the session to the editor --------------------------------------------------------------------------

    def _follow(self, change: SessionChange) -> None:
        if change.document and change.origin is not self:
            self._is_behind = True
            self.context.later.do(self._catch_up_in_parts)
        elif change.problems and not self._is_behind:
            self._show_meaning()
            self._begin_at_problem()
        if change.selection and change.origin is not self and not self._goes_with_caret:
            if self._is_behind:
                self.context.later.do(self._reveal_selection)
            else:
                self._choose()
                self._reveal_selection()
        if change.saved:
            self._strokes.pause()
            self._show_caret()

    def catch_up(self) -> None:
        """Show the present text now if it has been edited elsewhere; else that takes passes of its own."""
        while self._is_behind:
            self._take_part()

    def _catch_up_in_parts(self) -> None:
        if self._is_behind:
            self._take_part()
        if self._is_behind:
            self.context.later.do(self._catch_up_in_parts)

    def _take_part(self) -> None:
        """Take a part of the present text; whoever asks for a place between two parts has the rest taken first."""
        self._is_behind = False
        steps, self._rest_of_text = self._rest_of_text or self._take_text(), None
        for _ in steps:
            self._rest_of_text = steps
            break
        self._is_behind = self._rest_of_text is not None or self._shown is not self.document

    def _take_text(self) -> Iterator[None]:
        """Show the session's text, changing as little as possible of the editor's.

        What has been typed and is not yet an edit is kept, unless the other edit was made at the same place. Yields
        where the rest may come in a later pass, which is where nothing can be typed before or after it: between the
        parts of a text whose long lines are or were shown in pieces.
        """
        before, self._shown, self._map = self._map, self.document, _map_of(self.document)
        self._strokes.reset(self._map.shown)
        made = difference(before.shown, self._map.shown)
        shown, typed = before.shown, None
        # Read a large text from the editor only if it may differ from what was put in.
        if self.pause.isActive() or self.editor.isReadOnly():
            shown = self.editor.raw_text()
            # Into a text that is shown in pieces now nothing can be typed.
            typed = None if self.editor.isReadOnly() or self._map.is_cut else difference(before.shown, shown)
        self.pause.stop()
        wanted = self._map.shown
        kept = rebase(typed, made) if typed is not None and made is not None else None
        if kept is not None:
            wanted = wanted[: kept.start] + kept.text + wanted[kept.end :]
            self.pause.start()
        change = made if shown is before.shown else difference(shown, wanted)
        if change is not None:
            self._following = True
            places = before if shown is before.shown else TextMap(shown)
            start, end = places.position_of_shown(change.start), places.position_of_shown(change.end)
            if typed is None and (before.is_cut or self._map.is_cut):
                self._following = False
                self.editor.set_locked(True)
                yield
                self._following, self.editor.pieces = True, None
                for _ in self.editor.replace_in_parts(start, end, change.text):
                    self._following = False
                    yield
                    self._following = True
            else:
                self._replace(start, end, shown[change.start : change.end], change.text)
            self._following = False
            if not self.editor.isReadOnly():  # else it cannot hold the text as it is
                self.editor.note_text(wanted)
            # Who works here wants to go on here. An edit of several places is seen where the selection is.
            if kept is None and not self.editor.hasFocus() and "\n" not in change.text:
                self.editor.go_to(start)
            self._forget_places()
        self._lock()
        self._show_meaning()
        self._rest.start()

    def _replace(self, start: int, end: int, old: str, new: str) -> None:
        """Replace what is between two positions; the caret stays in its line, where there are as many as before."""
        caret = self.editor.textCursor()
        place = None
        if start < caret.position() <= end and old.isascii() and new.isascii() and not caret.hasSelection():
            place = place_after(old, new, caret.position() - start)
        self.editor.replace(start, end, new)
        if place is not None:
            caret.setPosition(start + place)
            self.editor.setTextCursor(caret)

    def _show_meaning(self) -> None:
        """Show what the present text means: problems, kinds, what can be folded, the selection."""
        session, document = self.context.session, self.document
        underlines = []
        for diagnostic in session.diagnostics:
            ending = f" [{diagnostic.rule.name}]"
            text = f"{diagnostic.severity.value}: {diagnostic.message}{ending}"
            # Every edge of a cycle is underlined, each with its own message.
            places = [(diagnostic.span, text), *((each.span, each.message + ending) for each in diagnostic.related)]
            for span, said in places:
                if span is not None and span.path == document.name:
                    problem = diagnostic if span is diagnostic.span else None
                    underlines.append(self._underline(span, diagnostic.severity, said, problem))
        self.editor.marks.underline(underlines)
        if document.recovered.root is not None:
            self.insight.outline = Outline(document, self._map)
            self.editor.folding.check()
        if document.root is not None:
            self.editor.indentation = indentation_step(document)
        if session.model is not None:
            model = session.model
            # Most edits leave the names as they are, and of a world with them its thousands of kinds.
            if model.local_names is not self._names or model.kinds is not self._kinds:
                self._names, self._kinds = model.local_names, model.kinds
                self.highlighter.set_kinds(kinds_of_vertices(model))
        self._choose()
        self.find_bar.refresh()

    def _last_line(self, line: int) -> int | None:
        """Return the last line of the element that begins a line, None unless it is longer than two lines; from 0."""
        # While the user types, the editor holds another text than the file.
        if self.pause.isActive():
            return None
        # Unlike the file, the editor also starts a line after a lone CR and U+2029.
        block = self.editor.document().findBlockByNumber(line)
        end = end_of_first_element(self._shown.recovered, self._map.to_offset(block.position()), block.text())
        if end is None:
            return None
        last = self.editor.document().findBlock(self._map.to_position(end)).blockNumber()
        return last if last - line >= 2 else None

    def _underline(self, span: Span, severity: Severity, text: str, problem: Diagnostic | None) -> Underline:
        start, end = self.position_of(span.start), self.position_of(span.end)
        # An underline must be visible even if the problem is one point or at the very end.
        end = min(max(end, start + 1), self.editor.document().characterCount() - 1)
        return Underline(min(start, max(end - 1, 0)), end, severity, text, problem)

    def _chosen_span(self) -> tuple[int, int] | None:
        """Return the start tag of the frame selected last, in editor positions."""
        session = self.context.session
        model, row = session.model, session.selected_row
        if model is None or row is None or not session.is_located or self.pause.isActive():
            return None
        span = place_in_file(model, row)
        return None if span is None else (self.position_of(span.start), self.position_of(span.end))

    def _choose(self) -> None:
        self.editor.marks.choose(self._chosen_span())

    def _reveal_selection(self) -> None:
        span, session = self._chosen_span(), self.context.session
        if span is None or session.model is None:
            return
        here = row_written_at(session.model, self.offset_of(self._beside_text()))
        if here != session.selected_row:
            self.show_range(span[0])

    def _begin_at_problem(self) -> None:
        """Go to the first error of the file, which the problems explain, unless the caret is somewhere already."""
        session, name = self.context.session, self.document.name
        if session.selection or self.editor.hasFocus() or self.editor.textCursor().position() or self.pause.isActive():
            return
        spans = (each.span for each in session.diagnostics if each.is_error)
        first = next((span for span in spans if span is not None and span.path == name), None)
        if first is not None:
            self.show_range(self.position_of(first.start))

    def show_range(self, start: int, end: int | None = None) -> None:
        """Go to a place of the editor without taking it for the user's wish to select it."""
        self.editor.go_to(start, end)
        self._rest.stop()
        self._show_caret()

    def show_place(self, span: Span) -> None:
        """Show a place of the file, without the keyboard: keys go on to where the user is.

        Of a place in an included file only say where it is; open a file of contracts or settings where the system
        opens texts.
        """
        if span.path != self.document.name:
            is_opened = span.path.endswith(".toml") and QDesktopServices.openUrl(QUrl.fromLocalFile(span.path))
            where = "is opened in the editor of the system" if is_opened else "is in another file"
            self.show_message(f"{span.path}:{span.line}:{span.column} {where}")
            return
        # The span belongs to the text before the latest typing.
        before, place = self.document.text, Replacement(span.start, span.end, "")
        self.flush()
        typed = difference(before, self.document.text)
        if typed is not None:
            place = rebase(place, typed) or Replacement(typed.start, typed.start, "")
        start, end = self.position_of(place.start), self.position_of(place.end)
        self.show_range(start)
        self.editor.marks.point_at(start, end)

    def is_at(self, span: Span) -> bool:
        """Return whether a place of the file is the one that was shown last, and the caret still there."""
        ends = (self.position_of(span.start), self.position_of(span.end))
        return span.path == self.document.name and self.editor.marks.place == ends

    def _show_listed(self, start: int, end: int) -> None:
        """Show a place of the list, which an edit closes."""
        self.flush()
        if self.places.isVisible():
            self.show_range(end, start)

    # --- names and markup at a place -----------------------------------------------------------------------------

    def go_to_definition(self, position: int) -> None:
        """Go to what the name at a position of the editor means; what is included is in another file."""
        self.flush()
        model = self.context.session.model if self.context.session.is_located else None
        if model is None:
            return
        name = name_at(model, self.offset_of(position))
        if name is not None and name.row is not None:
            self.context.session.select((model.names[name.row],), origin=self)
            self._choose()
            self.context.requests.open_place(model.document_of(name.row).span(model.elements[name.row]), self.document)
        elif name is not None:
            self.refuse(f"there is no '{name.text}' here")
        elif not open_link(self.context, self.offset_of(position)):
            self.editor.select(position)

    # --- around the caret ----------------------------------------------------------------------------------------

    def _show_caret(self) -> None:
        """Show where the caret is, and the partner of the tag that it is in."""
        passage, cursor = self.editor.passage(), self.editor.textCursor()
        tag = tag_at(passage.text, passage.caret)
        around = self.insight.open_at(passage.text, passage.caret if tag is None else tag.start)
        if tag is not None and not tag.is_end:
            around.append(Open(tag.name, tag.name_attribute))
        line, column = self.editor.place_of(cursor.position())
        self.context.highlights.caret_line = line
        kind = self.insight.describe_file(self.editor.indentation, self._map)
        self.caret_bar.show_place(around, line, column, passage.end - passage.start, kind, len(self.editor.carets))
        partner = partner_of(passage.text, tag) if tag is not None else None
        pair = (tag, partner) if tag is not None and partner is not None else ()
        places = self.editor.places()
        ranges = [(each.name_start, each.name_start + len(each.name)) for each in pair]
        self.editor.marks.partners([(places.position_of_shown(a), places.position_of_shown(b)) for a, b in ranges])

    def _go_to_element(self, number: int) -> None:
        """Go to the start of one of the elements around the caret."""
        self.flush()
        cursor = self.editor.textCursor()
        offset = self.offset_of(cursor.position())
        path = self.document.recovered.path_to(offset, offset)
        if number < len(path):
            self.show_range(self.position_of(path[number][1]))
            self.editor.setFocus()

    def _offer_fixes_at(self, position: int) -> None:
        """Offer the fixes of a line, with the caret at its problem."""
        block = self.editor.document().findBlock(position)
        problems = [each.start for each in self.editor.marks.problems_in(block) if each.is_fixable]
        position = min(problems, default=position)
        self.editor.select(position)
        self.commands.offer_fixes(position)

    def _close_bars(self) -> None:
        self.places.shut()
        if self.find_bar.isVisible():
            self.find_bar.close_bar()

    def _forget_places(self) -> None:
        """Close the list of places, which are others now."""
        if self.places.isVisible():
            self.places.hide()
            self.editor.marks.matches([])

    def _leave_places(self) -> None:
        self.editor.marks.matches([])
        self.editor.setFocus()

    def _follow_theme(self) -> None:
        self.highlighter.set_colours(tokens(self.palette()))
        self._show_caret()


def _caret_after(before: str, now: str, caret: int) -> int | None:
    """Return where the caret is to be after a step through the history, None where the text is the same.

    Where equal letters are beside what has come or gone, the texts do not say which of them these were. The caret does,
    if it is where it was left.
    """
    change = difference(before, now)
    if change is None:
        return None
    more = len(now) - len(before)
    if more < 0 <= caret + more and before[: caret + more] + before[caret:] == now:
        return caret + more
    if more > 0 and now[:caret] + now[caret + more :] == before:
        return caret + more
    return change.start + len(change.text)
