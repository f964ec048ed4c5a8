"""Where the values of the selection come from in a xacro file, each with a way to change it there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from sdfviewer.document.element import Element
from sdfviewer.formats.written_rows import expansion_of
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.context.requests import WrittenValueRequest, written_text
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.text.labels import LinkLabel
from sdfviewer.gui.kit.text.rich_text import joined, markup, set_rich_text
from sdfviewer.gui.kit.widget_properties import FoldButton, named
from sdfviewer.gui.properties.section import PropertySection
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted

if TYPE_CHECKING:
    from sdfviewer.formats.xacro.expansion import XacroExpansion

#: So many values of an element are listed.
_MOST_VALUES = 24
_FLAG = "fold.xacro"
_LINE = '{path} <b>{value}</b> <a href="show:{number}">{source}</a>{uses} · <a href="edit:{number}">Change…</a>'


class XacroSection(PropertySection):
    """The values of the selected element, what gives each of them, and how many others that gives."""

    def __init__(self, context: DocumentContext, settings: Settings) -> None:
        super().__init__(context, settings)
        self.lines = named(LinkLabel(), "Values from xacro")
        self.lines.linkActivated.connect(self._follow)
        self.heading = FoldButton("", "Show or hide what gives each value", is_open=settings.flag(_FLAG, False))
        self.heading.toggled.connect(self._fold)
        self.form.addRow(self.heading)
        self.form.addRow(self.lines)
        self.values: list[tuple[Element, str, str]] = []

    def applies(self, model: Model, row: int) -> bool:
        return self.context.session.is_current and model.sources[row] is expansion_of(model) is not None

    def show_row(self, model: Model, row: int) -> None:
        self.row = row
        expanded = expansion_of(model)
        assert expanded is not None
        self.values = [*islice(_values_of(model, row), _MOST_VALUES)]
        self.heading.setText(f"{counted(len(self.values), 'value')}, and where they come from")
        self.heading.setAccessibleName(self.heading.text())
        self.form.setRowVisible(self.lines, self.heading.isChecked())
        if not self.heading.isChecked():
            return
        lines = [
            markup(
                _LINE,
                path=path,
                value=written_text(element, part),
                source=_source(expanded, element, part),
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
        element, part, path = self.values[int(number)]
        expanded = expansion_of(self.model)
        assert expanded is not None
        if action == "edit":
            self.context.requests.written_value.emit(WrittenValueRequest(self.row, element, part, path))
            return
        written = expanded.written_value(element, part)
        if written is not None:
            origin = next(iter(written.origins), None)
            span = None if origin is None else origin.span
            span = span or written.document.span_between(written.start, written.end)
            self.context.requests.open_place(span, self.model.document)


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


def _source(expanded: XacroExpansion, element: Element, part: str) -> str:
    """Return what gives a value, and where that is written: ``from property track, robot.xacro:3``."""
    written = expanded.written_value(element, part)
    if written is None:
        return "from an expression"
    if not written.origins:
        span = written.document.span_between(written.start, written.end)
        return f"written in {Path(span.path).name}:{span.line}"
    from sdfviewer.formats.xacro.value_origins import ends_of  # noqa: PLC0415  # few files are xacro

    ends = [each for each in ends_of(written.origins) if each.name]
    words = [
        f"{each.kind} {each.name}" + (f", {Path(each.span.path).name}:{each.span.line}" if each.span else "")
        for each in ends[:2]
    ]
    return "from " + " and ".join(words) + (f" and {len(ends) - 2} more" if len(ends) > 2 else "")


def _uses(expanded: XacroExpansion, element: Element, part: str) -> str:
    written = expanded.written_value(element, part)
    if written is None or len(written.origins) != 1:
        return ""
    count = len(expanded.changing_with(written.origins[0])[0])
    return f"; {counted(count, 'value')} use it" if count > 1 else ""
