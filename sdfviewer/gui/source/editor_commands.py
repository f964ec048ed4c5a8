"""The commands of the source view; the table of actions declares their names, keys and menus."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QToolTip

from sdfviewer.diagnostics import Diagnostic, Fix, SdfViewerError
from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.edits import edit_by
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.source.beside_text import Place
from sdfviewer.gui.source.insight import SourceContext
from sdfviewer.language import line_commands as lines
from sdfviewer.language.actions import describe_fix
from sdfviewer.language.line_commands import Passage, formatted
from sdfviewer.language.markup import partner_of, tag_at, widened
from sdfviewer.language.names import Name, references_to
from sdfviewer.language.renaming import material_at
from sdfviewer.model.kinds import Kind
from sdfviewer.number_text import counted
from sdfviewer.operations import frames
from sdfviewer.session.read_only import why_not_current

#: The context menu, by groups.
_MENU = (
    ("source.definition", "source.references", "source.rename", "source.fix"),
    ("source.comment", "source.widen", "source.fold"),
    ("source.find", "source.line"),
)
IN_PLUGIN = "in a plugin, not changed by Rename"
"""The message about a mention that may mean anything."""
_LINE = re.compile(r"(\d+)(?:\s*[:,]\s*(\d+))?$")


class SourceCommands:
    """The commands of a source view by the id of their action.

    Attributes
    ----------
    actions
        The actions of the window for the context menu.
    """

    def __init__(self, view: SourceContext) -> None:
        self._view = view
        self._editor = view.editor
        self.actions: Mapping[str, QAction] = {}
        # The earlier selections, for shrinking the selection again.
        self._narrower: list[tuple[int, int]] = []

    def _commands(self) -> dict[str, Callable[[], object]]:
        """Return what each command does. Kept, they would be a circle of references, and so never be given up."""
        edits: dict[str, tuple[str, Callable[[Passage], Passage]]] = {
            "source.comment": ("Comment", lines.toggle_comment),
            "source.duplicate": ("Duplicate lines", lines.duplicate),
            "source.move_up": ("Move lines", partial(lines.move, by=-1)),
            "source.move_down": ("Move lines", partial(lines.move, by=1)),
            "source.remove_lines": ("Delete lines", lines.remove),
            "source.indent": ("Indent", lambda passage: lines.indent(passage, self._editor.indentation)),
            "source.outdent": ("Outdent", lambda passage: lines.outdent(passage, self._editor.indentation)),
        }
        bar = self._view.find_bar
        return {
            **{id: partial(self._editor.rewrite, label, change) for id, (label, change) in edits.items()},
            "source.find": partial(bar.open, replacing=False),
            "source.replace": partial(bar.open, replacing=True),
            "source.next_match": partial(self._step, 1),
            "source.previous_match": partial(self._step, -1),
            "source.line": self.ask_for_line,
            "source.definition": lambda: self._view.go_to_definition(self._position),
            "source.references": self.list_references,
            "source.rename": self.ask_for_name,
            "source.complete": self._complete,
            "source.fix": lambda: self.offer_fixes(self._position),
            "source.format": self._format,
            "source.caret_above": lambda: self._editor.carets.add_line(-1),
            "source.caret_below": lambda: self._editor.carets.add_line(1),
            "source.next_occurrence": self._add_occurrence,
            "source.widen": self._widen,
            "source.narrow": self._narrow,
            "source.partner": self._go_to_partner,
            "source.fold": self._fold,
            "source.fold_all": lambda: self._editor.folding.fold_all(True),
            "source.unfold_all": lambda: self._editor.folding.fold_all(False),
            "source.zoom_in": lambda: self._editor.zoom(1),
            "source.zoom_out": lambda: self._editor.zoom(-1),
            "source.zoom_reset": lambda: self._editor.zoom(0),
        }

    def run(self, id: str) -> None:
        """Run the command of an action."""
        self._commands()[id]()

    @property
    def _position(self) -> int:
        return self._editor.textCursor().position()

    def _caret_place(self) -> QPoint:
        """Return the position at the caret where a popup belongs."""
        return self._editor.viewport().pos() + self._editor.cursorRect().bottomLeft()

    def _complete(self) -> None:
        """Offer completions because the user asks; say so where there are none."""
        if not self._editor.completer.offer():
            self._view.show_message("No completions here.")

    def _format(self) -> None:
        """Indent all lines as one step of the history."""
        self._view.flush()
        document = self._view.document

        def edit() -> Edit:
            edits = formatted(document)
            if not edits:
                raise SdfViewerError("The text is formatted already.")
            return Edit("Format the text", document, edits)

        self._view.context.edits.make_in_background(edit)

    def _add_occurrence(self) -> None:
        if not self._editor.carets.add_occurrence():
            self._view.show_message("There is no other occurrence of what is selected.")

    # --- going somewhere -----------------------------------------------------------------------------------------

    def _step(self, by: int) -> None:
        if self._view.places.isVisible():
            self._view.places.step(by)
        else:
            self._view.find_bar.go(by)

    def ask_for_line(self) -> None:
        """Ask for a line, or line and column, and go there."""
        last = self._editor.line_count()
        here = str(self._editor.place_of(self._position)[0])
        self._view.prompt.ask(f"Line, 1 to {last}", here, self._caret_place(), self._go_to_line)

    def _go_to_line(self, text: str) -> str:
        match = _LINE.match(text)
        if match is None:
            return "enter a line number such as 12, or 12:5 with a column"
        self._editor.go_to(self._editor.position_at(int(match[1]), int(match[2] or 1)))
        return ""

    def _go_to_partner(self) -> None:
        """Go to the tag that belongs to the one at the caret."""
        passage = self._editor.passage()
        tag = tag_at(passage.text, passage.caret)
        partner = partner_of(passage.text, tag) if tag is not None else None
        if partner is not None:
            self._editor.go_to(self._editor.places().position_of_shown(partner.name_start))

    def _widen(self) -> None:
        passage = self._editor.passage()
        wider = widened(passage.text, passage.start, passage.end)
        if not self._narrower or self._narrower[-1] != (passage.start, passage.end):
            self._narrower = [(passage.anchor, passage.caret)]
        self._narrower.append(wider)
        self._select(*wider)

    def _narrow(self) -> None:
        passage = self._editor.passage()
        if len(self._narrower) > 1 and self._narrower[-1] == (passage.start, passage.end):
            self._narrower.pop()
            self._select(*self._narrower[-1])

    def _select(self, start: int, end: int) -> None:
        self._editor.rewrite("", lambda passage: replace(passage, anchor=start, caret=end))

    def _fold(self) -> None:
        """Fold the innermost element around the caret that can be folded, or show it again."""
        document = self._view.document
        folding = self._editor.folding
        element = document.element_at(self._view.offset_of(self._position)) if document.root is not None else None
        for each in () if element is None else document.outwards(element):
            line = document.position(document.offset(each))[0] - 1
            if folding.can_fold(line):
                folding.toggle(line)
                return

    # --- names ---------------------------------------------------------------------------------------------------

    def list_references(self) -> None:
        """List every place that names what is named, or written, at the caret; then what plugins say of that name."""
        model = self._view.current_model()
        row = self._view.row_meant_at(self._position)
        if model is None or row is None:
            return
        view, document = self._view, model.document

        def places_of(ranges: Iterable[tuple[int, int]], remark: str = "") -> list[Place]:
            lines = [(start, end, document.position(start)[0]) for start, end in ranges]
            return [
                Place(view.position_of(start), view.position_of(end), line, document.line(line), remark)
                for start, end, line in lines
            ]

        from sdfviewer.refactoring.renaming import plugin_mentions  # noqa: PLC0415  # with its first use

        named, mentioned = places_of(references_to(model, row)), places_of(plugin_mentions(model, row), IN_PLUGIN)
        name, places = model.names[row], named + mentioned
        title = f"{name} is named in {counted(len(named), 'place')}" if named else f"Nothing refers to {name}"
        if mentioned:
            title += f"{', and' if named else ', but'} plugins mention it in {counted(len(mentioned), 'place')}"
        elif not named:
            title += "."
        view.places.show_places(title, places)
        self._editor.marks.matches(sorted(view.places.ranges))
        if places:
            title += "; F3 goes there" if len(places) == 1 else "; F3 goes to the next one"
        view.show_message(title)

    def ask_for_name(self) -> None:
        """Ask for another name of what is named at the caret, and rename it with every reference."""
        model = self._view.current_model()
        material = None if model is None else material_at(model, self._view.offset_of(self._position))
        if material is not None:
            question = f"New name of material {material.text}"
            self._view.prompt.ask(
                question, material.text, self._caret_place(), partial(self._rename_material, material)
            )
            return
        row = self._view.row_meant_at(self._position)
        if model is None or row is None:
            self._view.refuse("There is no frame name at the caret.")
            return
        # The root of a world is called "world" wherever it is referred to: its own name is in the field.
        named = "the world" if model.kinds[row] is Kind.WORLD else f"{model.kinds[row].value} {model.names[row]}"
        self._view.prompt.ask(
            f"New name of {named}", model.local_names[row], self._caret_place(), partial(self._rename, model.names[row])
        )

    def _rename(self, old: str, name: str) -> str:
        model = self._view.current_model()
        row = None if model is None else model.rows_by_name.get(old)
        if row is None:
            return f"{old} is no longer there."
        try:
            self._view.context.edits.rename(row, name)
        except SdfViewerError as error:
            return str(error)
        return ""

    def _rename_material(self, material: Name, name: str) -> str:
        model = self._view.current_model()
        if model is None:
            reason = why_not_current(self._view.context.session)
            return "" if reason is None else reason.sentence
        try:
            context, old = self._view.context, frames.MaterialName(material.text)
            context.edits.apply(edit_by(context.session, model, frames.rename, old=old, new=name), self)
        except SdfViewerError as error:
            return str(error)
        return ""

    # --- fixes ---------------------------------------------------------------------------------------------------

    def offer_fixes(self, position: int) -> QMenu | None:
        """Offer the quick fixes of the problems at a position, or else in its line."""
        self._view.flush()
        marks, block = self._editor.marks, self._editor.document().findBlock(position)
        context, path = self._view.context, self._view.document.name
        fixes: list[Fix] = []
        problems = marks.problems_at(position), marks.problems_in(block)
        for near in problems:
            fixes = fixes or [fix for each in near for fix in each.fixes if fix.path == path]
        late = [each.problem for near in problems for each in near if each.problem and each.problem.fixes_are_late]
        if late and not fixes:
            self._find_fixes(late, position)
            return None
        if not fixes:
            self._editor.marks.put_out(block)
            why = "No quick fix helps here: change it by hand." if any(problems) else "No problem here."
            self._view.show_message(why)
            QToolTip.showText(self._editor.mapToGlobal(self._caret_place()), why, self._editor)
            return None
        menu = QMenu(self._editor, toolTipsVisible=True)
        for fix in dict.fromkeys(fixes):
            edit = Edit(fix.label, self._view.document, fix.replacements)
            action = menu.addAction(icon("mdi6.auto-fix", "success"), fix.label)
            action.setToolTip(describe_fix(self._view.document.text, fix))
            action.triggered.connect(lambda _=False, edit=edit: context.edits.make(lambda: edit))
            action.hovered.connect(partial(context.previews.show, edit))
        menu.aboutToHide.connect(partial(context.previews.show, None))
        menu.setActiveAction(menu.actions()[0])
        menu.popup(self._editor.mapToGlobal(self._caret_place()))
        return menu

    def _find_fixes(self, problems: Sequence[Diagnostic], position: int) -> None:
        """Find in the background the fixes for which xacro has to be evaluated, and offer them then."""
        document = self._view.document
        self._view.show_message("Looking for quick fixes…")

        def offer(_counts: object) -> None:
            if self._view.document is document:
                self.offer_fixes(position)

        self._view.context.run_in_background(lambda: [len(each.fixes) for each in problems], offer)

    # --- menu ----------------------------------------------------------------------------------------------------

    def open_menu(self, at: QPoint) -> QMenu:
        """Open the context menu at a place of the screen."""
        editor = self._editor
        menu = QMenu(editor)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for group in _MENU:
            menu.addActions([self.actions[id] for id in group if id in self.actions])
            menu.addSeparator()
        chosen, is_writable = editor.textCursor().hasSelection(), not editor.isReadOnly()
        can_paste = is_writable and QGuiApplication.clipboard().mimeData().hasText()
        for text, keys, run, enabled in (
            ("Cut", QKeySequence.StandardKey.Cut, editor.cut, chosen and is_writable),
            ("Copy", QKeySequence.StandardKey.Copy, editor.copy, chosen),
            ("Paste", QKeySequence.StandardKey.Paste, editor.paste, can_paste),
        ):
            action = menu.addAction(text, run)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.setEnabled(enabled)
        menu.popup(at)
        return menu
