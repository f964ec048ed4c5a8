"""Syntax highlighting of the XML text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtGui import QColor, QFont, QTextBlock, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QPlainTextEdit

from sdfviewer.gui.kit.jobs import delayed
from sdfviewer.gui.kit.theme import Tokens
from sdfviewer.language.text_map import TextMap, plain
from sdfviewer.model.model import Model
from sdfviewer.model.references import attribute_of
from sdfviewer.palette import STYLES

#: What a line begins in: outside of all, in a comment, a CDATA section, an instruction, a tag, or a quoted value.
_OUTSIDE, _COMMENT, _CDATA, _INSTRUCTION, _TAG, _DOUBLE, _SINGLE = range(7)
_ENDS = {_COMMENT: "-->", _CDATA: "]]>", _INSTRUCTION: "?>", _DOUBLE: '"', _SINGLE: "'"}
_OPENINGS = (("<!--", _COMMENT), ("<![CDATA[", _CDATA), ("<?", _INSTRUCTION))
_TAG_NAME = re.compile(r"</?\s*([^\s/>]*)")
_ATTRIBUTE = re.compile(r"[^\s=/<>\"']+")
_QUOTE = re.compile("[\"']")
_WORD = re.compile(r"[^\s<>]+")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$|[-+]?(inf|nan)$")
#: Longer texts are coloured where they are looked at.
MOST_LINES = 400


def state_after(text: str) -> int:
    """Return the state at the end of a text: outside, or in a comment, a tag, a quoted value..."""
    unended = [
        (start, state)
        for opening, state in _OPENINGS
        if (start := text.rfind(opening)) >= 0 and text.find(_ENDS[state], start + len(opening)) < 0
    ]
    if unended:
        return min(unended)[1]
    tag = text.rfind("<")
    if tag < 0 or text.find(">", tag) >= 0:
        return _OUTSIDE
    while (quote := _QUOTE.search(text, tag)) is not None:
        tag = text.find(quote[0], quote.end()) + 1
        if not tag:
            return _DOUBLE if quote[0] == '"' else _SINGLE
    return _TAG


def kinds_of_vertices(model: Model | None) -> dict[str, str]:
    """Return the kinds of links, joints and frames by the last part of their names."""
    if model is None:
        return {}
    rows = model.is_vertex.nonzero()[0].tolist()
    return dict(zip(map(model.local_names.__getitem__, rows), map(model.kinds.__getitem__, rows), strict=True))


class Highlighter(QObject):
    """Colours tags, attributes, values, numbers and comments; names of frames by their kind.

    In a long text only visible lines are coloured, when they become visible. No other line is read: the text
    before the first visible line determines its state. (Qt's own highlighter visits every line.)

    Parameters
    ----------
    editor
        Whose text is coloured.
    colours
        The theme.
    places
        Returns the text with its positions, where the editor knows them: to read a long text out of it takes 10 ms.
    """

    def __init__(self, editor: QPlainTextEdit, colours: Tokens, places: Callable[[], TextMap] | None = None) -> None:
        super().__init__(editor)
        self._editor = editor
        self._kinds: Mapping[str, str] = {}
        self._colours = colours
        self._formats: dict[tuple[str, bool, bool], QTextCharFormat] = {}
        self._ranges: list[QTextLayout.FormatRange] = []
        # The visible lines, with the folded ones between them.
        self._first, self._last = 0, -1
        self._text: tuple[int, TextMap] | None = None
        self._places = places or self._read_places
        self._soon = delayed(self, self._take_turn)
        self._is_painted = False
        #: Whether the editor has another size, or comes into sight, and is not painted since.
        self._is_new = True
        editor.viewport().installEventFilter(self)
        editor.document().contentsChange.connect(self._follow_change)
        # Not connected to `start` directly, which would take the value of the scroll bar as milliseconds.
        editor.verticalScrollBar().valueChanged.connect(lambda _value: self._colour_soon())
        editor.verticalScrollBar().rangeChanged.connect(lambda _least, _most: self._colour_soon())
        self._again()

    def set_colours(self, colours: Tokens) -> None:
        """Take the colours of another theme."""
        self._colours = colours
        self._formats.clear()
        self._again()

    def set_kinds(self, kinds: Mapping[str, str]) -> None:
        """Take the kinds of frames by the last part of their names."""
        if kinds != self._kinds:
            self._kinds = kinds
            self._again()

    @property
    def _is_long(self) -> bool:
        return self._editor.blockCount() > MOST_LINES

    def _again(self) -> None:
        if self._is_long:
            self._colour_soon()
        else:
            self._colour(self._editor.document().firstBlock(), self._editor.blockCount())

    def _follow_change(self, at: int, _removed: int, added: int) -> None:
        """Colour the visible lines that have changed."""
        document = self._editor.document()
        first, last = document.findBlock(at), document.findBlock(at + added)
        if self._is_long and not self._first <= first.blockNumber() <= self._last:
            self._colour_soon()
            return
        self._colour(first, last.blockNumber() if last.isValid() else document.blockCount())

    def _colour_soon(self) -> None:
        self._is_painted = False
        self._soon.start()

    def _take_turn(self) -> None:
        """Colour the visible lines in the pass after the one in which the window is painted, or neither is short."""
        if self._is_painted:
            self._colour_sight()
        else:
            self._is_painted = True
            self._soon.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Colour what becomes visible with the editor before it is painted: no edit is made in that pass."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Resize):
            self._is_new = True
        elif event.type() == QEvent.Type.Paint and self._is_new:
            self._is_new = False
            if self._soon.isActive():
                self._soon.stop()
                self._colour_sight()
        return super().eventFilter(watched, event)

    def _colour_sight(self) -> None:
        top = self._editor.firstVisibleBlock()
        bottom = self._editor.cursorForPosition(QPoint(0, self._editor.viewport().height()))
        self._first, self._last = top.blockNumber(), bottom.blockNumber()
        if self._is_long:
            if (before := top.previous()).isValid():
                before.setUserState(state_after(self._text_before(top)))
            self._colour(top, self._last)

    def _colour(self, block: QTextBlock, last: int) -> None:
        """Colour the lines from a block to the last one, and those after it that begin in another state now."""
        document, has_changed = self._editor.document(), False
        end = self._last if self._is_long else document.blockCount()
        while block.isValid() and block.blockNumber() <= (end if has_changed else min(last, end)):
            state = max(block.previous().userState(), _OUTSIDE)
            has_changed = block.userState() != (state := self._colour_line(block, state))
            block.setUserState(state)
            # The layout does not count folded lines.
            following = document.findBlockByLineNumber(block.firstLineNumber() + max(block.lineCount(), 1))
            if following.isValid() and following.blockNumber() != block.blockNumber() + 1:
                following.previous().setUserState(state_after(self._text_before(following)))
            block = following

    def _text_before(self, block: QTextBlock) -> str:
        """Return the text before a line."""
        places = self._places()
        return places.shown[: places.shown_of_position(block.position())]

    def _read_places(self) -> TextMap:
        """Return the text with its positions; the editor is asked for it once for each change."""
        revision = self._editor.document().revision()
        if self._text is None or self._text[0] != revision:
            self._text = (revision, TextMap(plain(self._editor.document().toRawText())))
        return self._text[1]

    def _text_of(self, block: QTextBlock) -> str:
        """Return the colored ranges of a line."""
        return block.text()

    def _colour_line(self, block: QTextBlock, state: int) -> int:
        """Colour a line that begins in a state, and return what it ends in."""
        self._ranges = []
        state = self._read_line(self._text_of(block), state)
        self._colour_over(block)
        layout = block.layout()
        if composed := len(layout.preeditAreaText()):  # what an input method shows is no part of the text yet
            for each in self._ranges:
                each.start += composed if each.start >= layout.preeditAreaPosition() else 0
        if self._ranges or layout.formats():
            layout.setFormats(self._ranges)
            self._editor.document().markContentsDirty(block.position(), block.length())
        return state

    def _colour_over(self, block: QTextBlock) -> None:
        """Colour what has a colour of its own; nothing has here."""

    def _set_format(self, start: int, length: int, style: QTextCharFormat) -> None:
        part = QTextLayout.FormatRange()
        part.start, part.length, part.format = start, length, style
        self._ranges.append(part)

    def _format(self, colour: str, bold: bool = False, italic: bool = False) -> QTextCharFormat:
        made = self._formats.get((colour, bold, italic))
        if made is None:
            made = QTextCharFormat()
            made.setForeground(QColor(colour))
            made.setFontItalic(italic)
            if bold:
                made.setFontWeight(QFont.Weight.DemiBold)
            self._formats[colour, bold, italic] = made
        return made

    def _kind(self, kind: str, bold: bool = False) -> QTextCharFormat:
        return self._format(self._colours.kind(kind), bold)

    def _read_line(self, text: str, state: int) -> int:
        """Note the formats of a line that begins in a state, and return what it ends in."""
        at, tag, attribute = 0, "", ""
        while at < len(text):
            if state in _ENDS:
                at, state = self._until_end(text, at, state)
            elif state == _TAG:
                at, state, tag, attribute = self._inside_tag(text, at, tag, attribute)
            else:
                at, state, tag = self._outside(text, at, tag)
        return state

    def _until_end(self, text: str, at: int, state: int) -> tuple[int, int]:
        end = text.find(_ENDS[state], at)
        is_quoted = state in (_DOUBLE, _SINGLE)
        broken = text.find("<", at) if is_quoted else -1
        if broken >= 0 and (end < 0 or broken < end):
            # A value cannot contain '<': its closing quote is missing.
            self._set_format(at, broken - at, self._format(self._colours.success))
            return broken, _OUTSIDE
        stop = len(text) if end < 0 else end + len(_ENDS[state])
        colours = self._colours
        colour = {_COMMENT: colours.muted, _INSTRUCTION: colours.muted}.get(state, colours.success)
        self._set_format(at, stop - at, self._format(colour, italic=state == _COMMENT))
        after = _TAG if is_quoted else _OUTSIDE
        return stop, state if end < 0 else after

    def _outside(self, text: str, at: int, tag: str) -> tuple[int, int, str]:
        start = text.find("<", at)
        stop = len(text) if start < 0 else start
        for word in _WORD.finditer(text, at, stop):
            known = self._kinds.get(word[0].rpartition("::")[2]) if tag in ("parent", "child") else None
            if known:
                self._set_format(word.start(), len(word[0]), self._kind(known))
            elif _NUMBER.match(word[0]):
                self._set_format(word.start(), len(word[0]), self._format(self._colours.text))
        if start < 0:
            return len(text), _OUTSIDE, tag
        for opening, state in _OPENINGS:
            if text.startswith(opening, start):
                self._set_format(start, len(opening), self._format(self._colours.muted))
                return start + len(opening), state, tag
        match = _TAG_NAME.match(text, start)
        assert match is not None
        name = match[1]
        self._set_format(start, match.end() - start, self._format(self._colours.muted))
        style = self._kind(name, bold=True) if name in STYLES else self._format(self._colours.link)
        self._set_format(match.start(1), len(name), style)
        return max(match.end(), start + 1), _TAG, name

    def _inside_tag(self, text: str, at: int, tag: str, attribute: str) -> tuple[int, int, str, str]:
        character = text[at]
        if character == "<":  # the tag before has no end
            return at, _OUTSIDE, tag, ""
        if character == ">":
            self._set_format(at, 1, self._format(self._colours.muted))
            return at + 1, _OUTSIDE, tag, ""
        if character in "\"'":
            end = text.find(character, at + 1)
            broken = text.find("<", at + 1, end if end >= 0 else len(text))
            if broken >= 0:
                self._set_format(at, broken - at, self._format(self._colours.success))
                return broken, _OUTSIDE, tag, ""
            stop = len(text) if end < 0 else end + 1
            self._set_format(at, stop - at, self._value(text[at + 1 : stop].rstrip(character), tag, attribute))
            return stop, _TAG if end >= 0 else (_DOUBLE if character == '"' else _SINGLE), tag, ""
        if match := _ATTRIBUTE.match(text, at):
            self._set_format(at, len(match[0]), self._format(self._colours.muted))
            return match.end(), _TAG, tag, match[0]
        if character in "/=":
            self._set_format(at, 1, self._format(self._colours.muted))
        return at + 1, _TAG, tag, attribute

    def _value(self, value: str, tag: str, attribute: str) -> QTextCharFormat:
        if attribute == "name" and tag in STYLES:
            return self._kind(tag, bold=True)
        if attribute_of(tag, f"@{attribute}") is not None:
            name = value.rpartition("::")[2]
            kind = {"__model__": "model", "world": "world"}.get(name, self._kinds.get(name, ""))
            if kind:
                return self._kind(kind)
        return self._format(self._colours.success)
