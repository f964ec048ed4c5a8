"""Where the selection comes from: the macro of a xacro file, what an include overrides, the commits that moved it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from sdfviewer.diagnostics import SdfViewerError, Span
from sdfviewer.display_text import as_sentence
from sdfviewer.document.element import Element
from sdfviewer.formats.written_rows import expansion_of
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.edits import edit_by
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.context.topics import WrittenValueRequest, written_text
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.gui.kit.labels import BreakingLabel, ElidedLabel, LinkLabel, WholeLines
from sdfviewer.gui.kit.safe_text import Markup, joined, markup, set_rich_text
from sdfviewer.gui.kit.widgets import FoldButton, column_of, named, row_of, styled
from sdfviewer.gui.properties.fields import FieldEntry, TextField
from sdfviewer.gui.properties.section import PropertySection
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted
from sdfviewer.operations.properties import set_override
from sdfviewer.session.session_change import SessionChange

if TYPE_CHECKING:
    from sdfviewer.blame import Blame
    from sdfviewer.formats.load import Loader
    from sdfviewer.formats.xacro.expansion import XacroExpansion
    from sdfviewer.refactoring.composition.overrides import Override


#: So many values of an element are listed.
_MOST_VALUES = 24
_FLAG = "fold.xacro"
_LINE = '{path} <b>{value}</b> {source}{uses} · <a href="edit:{number}">Change…</a>'
_PLACE = '{words} <a href="show:{number}">{place}</a>'


class XacroSection(PropertySection):
    """The values of the selected element, what gives each of them, and how many others that gives."""

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self.lines = named(LinkLabel(), "Values from xacro")
        self.lines.linkActivated.connect(self._follow)
        self.heading = FoldButton("", "Show or hide what gives each value", is_open=settings.flag(_FLAG, False))
        self.heading.toggled.connect(self._fold)
        self.form.addRow(self.heading)
        self._rows = WholeLines(self.lines)
        self.form.addRow(self._rows)
        self.values: list[tuple[Element, str, str]] = []
        self._places: list[Span] = []

    def applies(self, model: Model, row: int) -> bool:
        is_written_here = self.context.session.is_current and model.sources[row] is expansion_of(model) is not None
        return is_written_here and next(_values_of(model, row), None) is not None

    def show_row(self, model: Model, row: int) -> None:
        self.row = row
        expanded = expansion_of(model)
        assert expanded is not None
        self.values = [*islice(_values_of(model, row), _MOST_VALUES)]
        self.heading.setText(f"{counted(len(self.values), 'value')}, and where they come from")
        self.heading.setAccessibleName(self.heading.text())
        self.form.setRowVisible(self._rows, self.heading.isChecked())
        if not self.heading.isChecked():
            return
        self._places = []
        lines = [
            markup(
                _LINE,
                path=path,
                value=written_text(element, part),
                source=self._source(expanded, element, part),
                uses=_uses(expanded, element, part),
                number=number,
            )
            for number, (element, part, path) in enumerate(self.values)
        ]
        set_rich_text(self.lines, joined("<br>", lines))

    def _fold(self, on: bool) -> None:
        self.settings.set_flag(_FLAG, on)
        if self.row >= 0:
            self.show_row(self.model, self.row)

    def _follow(self, link: str) -> None:
        action, _, number = link.partition(":")
        if action == "edit":
            self.context.requests.written_value.emit(WrittenValueRequest(self.row, *self.values[int(number)]))
        else:
            self.context.requests.open_place(self._places[int(number)], self.model.document)

    def _source(self, expanded: XacroExpansion, element: Element, part: str) -> Markup:
        """Return what gives a value, with a link to each place: ``from property track, robot.xacro:3``."""
        written = expanded.written_value(element, part)
        if written is None:
            return markup("from an expression")
        if not written.origins:
            return self._placed("written in", written.document.span_between(written.start, written.end))
        from sdfviewer.formats.xacro.value_origins import ends_of  # noqa: PLC0415  # few files are xacro

        ends = [each for each in ends_of(written.origins) if each.name]
        sources = [
            self._placed(f"{each.kind} {each.name},", each.span) if each.span else markup(f"{each.kind} {each.name}")
            for each in ends[:2]
        ]
        if len(ends) > len(sources):
            sources.append(markup(f"{len(ends) - len(sources)} more"))
        return markup("from {sources}", sources=joined(" and ", sources))

    def _placed(self, words: str, span: Span) -> Markup:
        self._places.append(span)
        place = f"{Path(span.path).name}:{span.line}"
        return markup(_PLACE, words=words, number=len(self._places) - 1, place=place)


def _values_of(model: Model, row: int) -> Iterator[tuple[Element, str, str]]:
    """Yield the values of a row's element and of what is in it, without names and other rows: element, part, path."""
    rows = {id(each) for number, each in enumerate(model.elements) if number != row}
    waiting = [(model.elements[row], "")]
    while waiting:
        element, path = waiting.pop(0)
        for name in element.attributes:
            if not (element is model.elements[row] and name in ("name", "type")):
                yield element, f"@{name}", f"{path}{name}"
        if element.text.strip() and not element.children:
            yield element, "text", path.rstrip("/")
        first = {
            each.tag: each for each in reversed(element.children)
        }  # further ones of a tag have no path of their own
        waiting += [(each, f"{path}{tag}/") for tag, each in reversed(first.items()) if id(each) not in rows]


def _uses(expanded: XacroExpansion, element: Element, part: str) -> str:
    written = expanded.written_value(element, part)
    if written is None or len(written.origins) != 1:
        return ""
    count = len(expanded.changing_with(written.origins[0])[0])
    return f"; {counted(count, 'value')} use it" if count > 1 else ""


_LOST = "not in the included model"
_SAID = {"add": "added here", "remove": "removed here", "replace": "replaced here"}


class OverridesSection(PropertySection):
    """A line for each change of ``<experimental:params>``: its element, its action, before and after, and a way back.

    Attributes
    ----------
    fields, buttons
        The values that can be typed, and what takes each change out, by the names of the changes.
    """

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self.fields: dict[str, TextField] = {}
        self.buttons: dict[str, QToolButton] = {}
        self._known: tuple[Model, dict[int, list[Override]]] | None = None
        self._lines = QWidget()
        self._column = column_of(parent=self._lines, margins=0, spacing=4)
        self.form.addRow(self._lines)

    def overrides(self, model: Model, row: int) -> list[Override]:
        """Return what is changed in a row, of an include in all that it brings."""
        if not model.document.contains("experimental:params"):
            return []
        from sdfviewer.refactoring.composition.overrides import overridden_rows, overrides_of  # noqa: PLC0415  # rare

        if model.elements[row].tag == "include" and model.sources[row] is None:
            return overrides_of(model, row)
        if self._known is None or self._known[0] is not model:
            self._known = model, dict(overridden_rows(model))
        return self._known[1].get(row, [])

    def applies(self, model: Model, row: int) -> bool:
        return bool(self.overrides(model, row))

    def show_row(self, model: Model, row: int) -> None:
        self.row = row
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.setParent(None)
                widget.deleteLater()
        self.fields, self.buttons = {}, {}
        heading = styled(
            QLabel("Overridden in the include" if model.sources[row] is not None else "Overrides of this include"),
            "muted",
        )
        self._column.addWidget(heading)
        for each in self.overrides(model, row):
            self._column.addWidget(self._line(each, with_element=each.row != row or model.sources[row] is None))

    def _line(self, override: Override, *, with_element: bool) -> QWidget:
        """Return the line of one change, below it what it was."""
        line, name = QWidget(), override.name
        caption = ElidedLabel(name if with_element else override.path or override.element)
        caption.setToolTip(f"<{override.written.tag}> {override.action} {name}")
        button = named(QToolButton(), f"Take out {name}", "Let the included file count again")
        button.setIcon(icon("mdi6.close", "muted"))
        button.setAutoRaise(True)
        button.clicked.connect(lambda: self._set(override, FieldEntry(None)))
        self.buttons[name] = button
        column = column_of(row_of((caption, 1), button, margins=0, spacing=4), parent=line, margins=0, spacing=0)
        if override.is_value:
            field = TextField(name)
            field.show_value(override.after, override.before or "", self.context.session.is_current)
            field.committed.connect(partial(self._set, override))
            column.addWidget(field)
            self.fields[name] = field
        before = f"was {override.before}" if override.before is not None else _SAID.get(override.action, "")
        is_lost = override.row == override.include and bool(override.element)
        said = styled(
            ElidedLabel(_LOST if is_lost else before or "not written in the included file"),
            "error" if is_lost else "muted",
        )
        column.addWidget(said)
        return line

    def _set(self, override: Override, entry: FieldEntry) -> None:
        session, model = self.context.session, self.model
        written = {"include": override.include, "path": override.name, "value": entry.text}
        self.make(lambda: edit_by(session, model, set_override, **written))


#: Commits that moved the frame which are listed.
_MOST_MOVES = 5


class BlameSection(BreakingLabel):
    """A link, and once it is followed what the history says; it is read in the background."""

    #: The answer, or why there is none, is shown.
    answered = Signal()

    def __init__(self, context: DocumentContext) -> None:
        super().__init__()
        self.context = context
        self.setContentsMargins(8, 0, 8, 4)
        self.setAccessibleName("Who moved this?")
        self._background: Background | None = None
        #: The number of the question whose answer is shown; earlier ones are no longer needed.
        self._question = 0
        self._is_offered = False
        self.linkActivated.connect(self.ask)
        context.changed.connect(self._follow)
        self._offer()

    def _follow(self, change: SessionChange) -> None:
        if change.document or change.selection:
            self._offer()

    def _offer(self) -> None:
        self.setVisible(self.context.session.path is not None)
        if self._is_offered:
            return
        self._is_offered = True
        self._question += 1
        self.setToolTip("Show which commits of the git history moved this frame, and how far")
        set_rich_text(self, markup('<a href="ask">Who moved this?</a>'))

    def ask(self) -> None:
        """Read the history of the file on disk, and show who moved the selected frame."""
        session = self.context.session
        model, row, path = session.model, session.selected_row, session.path
        if model is None or row is None or path is None:
            return
        self._is_offered = False
        self._question += 1
        question, frame, expander = self._question, model.names[row], session.expander
        folders = session.finder.model_folders
        set_rich_text(self, markup("Reading the git history…"))

        def job() -> Blame:
            from sdfviewer.blame import ModelHistory, blame_frame  # noqa: PLC0415  # few ask
            from sdfviewer.files.finder import Finder  # noqa: PLC0415
            from sdfviewer.formats.load import Loader  # noqa: PLC0415
            from sdfviewer.formats.xacro.decisions import NamedFiles  # noqa: PLC0415

            def make_loader(file: Path, paths: Iterable[Path]) -> Loader:
                fork = expander.fork()
                # Whoever asks for the history of a file that may be evaluated names its versions.
                fork.permission = NamedFiles([file], "add it to the files that may be evaluated")
                return Loader(Finder(paths, replaces_fuel=True), expander=fork)

            with ModelHistory(path, make_loader, folders, lambda: question != self._question) as history:
                return blame_frame(history, frame)

        def show(blame: Blame) -> None:
            if question == self._question:
                set_rich_text(self, joined("", _parts(blame)))
                self.answered.emit()

        def refuse(error: SdfViewerError) -> None:
            if question == self._question:
                set_rich_text(self, markup("{why}", why=as_sentence(str(error))))
                self.answered.emit()

        self._background = self._background or Background(self)
        self._background.run(job, show, refuse)


def _parts(blame: Blame) -> Iterator[Markup]:
    """Yield a paragraph for each step, then one for each commit that moved the frame."""
    from sdfviewer.blame.walk import describe_commit, describe_move  # noqa: PLC0415

    yield markup("<p style='margin:0 0 4px 0'><b>Last changes of the steps</b></p>")
    for step in blame.steps:
        what, commit = describe_move(step.last), describe_commit(step.last.commit)
        yield markup(
            "<p style='margin:0 0 4px 0'>{name}: {what}<br>{commit}</p>", name=step.frame, what=what, commit=commit
        )
    yield markup("<p style='margin:4px 0 4px 0'><b>Moved in {base}</b></p>", base=blame.base)
    for move in blame.way[:_MOST_MOVES]:
        what, commit = describe_move(move), describe_commit(move.commit)
        yield markup("<p style='margin:0 0 4px 0'>{what}<br>{commit}</p>", what=what, commit=commit)
    if len(blame.way) > _MOST_MOVES:
        yield markup("<p style='margin:0'>and {more} earlier commits</p>", more=len(blame.way) - _MOST_MOVES)
    if blame.unread:
        yield markup("<p style='margin:0'>{unread}</p>", unread=as_sentence(blame.unread))
