"""Syntax highlighting of the XML text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import QPlainTextEdit

from sdfviewer.gui.widgets.theme import Tokens
from sdfviewer.model.references import REFERENCES
from sdfviewer.palette import STYLES

#: What a line begins in: outside of all, in a comment, a CDATA section, an instruction, a tag, or a quoted value.
_OUTSIDE, _COMMENT, _CDATA, _INSTRUCTION, _TAG, _DOUBLE, _SINGLE = range(7)
_ENDS = {_COMMENT: "-->", _CDATA: "]]>", _INSTRUCTION: "?>", _DOUBLE: '"', _SINGLE: "'"}
_OPENINGS = (("<!--", _COMMENT), ("<![CDATA[", _CDATA), ("<?", _INSTRUCTION))
_TAG_NAME = re.compile(r"</?\s*([^\s/>]*)")
_ATTRIBUTE = re.compile(r"[^\s=/<>\"']+")
_WORD = re.compile(r"[^\s<>]+")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$|[-+]?(inf|nan)$")
#: Longer texts are coloured where they are looked at.
MOST_LINES = 400


class Highlighter(QSyntaxHighlighter):
    """Colours tags, attributes, values, numbers and comments; names of frames by their kind.

    Of a long text only the lines in sight are coloured, when they come into sight.

    Parameters
    ----------
    editor
        Whose text is coloured.
    colours
        The theme.
    """

    def __init__(self, editor: QPlainTextEdit, colours: Tokens) -> None:
        super().__init__(editor.document())
        self._editor = editor
        self._kinds: Mapping[str, str] = {}
        self._colours = colours
        self._formats: dict[tuple[str, bool, bool], QTextCharFormat] = {}
        # The lines in sight, folded ones in between included.
        self._first = self._last = 0
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._colour_sight)
        editor.verticalScrollBar().valueChanged.connect(self._soon.start)
        editor.verticalScrollBar().rangeChanged.connect(self._soon.start)

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
            self._soon.start()
        else:
            self.rehighlight()

    def _colour_sight(self) -> None:
        if not self._is_long:
            return
        self._first = self._editor.firstVisibleBlock().blockNumber()
        bottom = QPoint(0, self._editor.viewport().height())
        self._last = self._editor.cursorForPosition(bottom).blockNumber()
        block = self.document().findBlockByNumber(self._first)
        while block.isValid() and block.blockNumber() <= self._last:
            if block.isVisible():
                self.rehighlightBlock(block)
            block = block.next()

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

    def _is_out_of_sight(self, text: str) -> bool:
        """Return whether a line need not be coloured now, and leaves nothing open for the next one."""
        if not self._is_long or "<!" in text or text.count("<") != text.count(">"):
            return False
        return not self._first <= self.currentBlock().blockNumber() <= self._last

    def highlightBlock(self, text: str) -> None:
        """Colour one line."""
        state = max(self.previousBlockState(), _OUTSIDE)
        if state == _OUTSIDE and self._is_out_of_sight(text):
            self.setCurrentBlockState(_OUTSIDE)
            return
        at, tag, attribute = 0, "", ""
        while at < len(text):
            if state in _ENDS:
                at, state = self._until_end(text, at, state)
            elif state == _TAG:
                at, state, tag, attribute = self._inside_tag(text, at, tag, attribute)
            else:
                at, state, tag = self._outside(text, at, tag)
        self.setCurrentBlockState(state)

    def _until_end(self, text: str, at: int, state: int) -> tuple[int, int]:
        end = text.find(_ENDS[state], at)
        is_quoted = state in (_DOUBLE, _SINGLE)
        broken = text.find("<", at) if is_quoted else -1
        if broken >= 0 and (end < 0 or broken < end):
            # No value holds a '<': its quote is missing, and the rest of the file is no value.
            self.setFormat(at, broken - at, self._format(self._colours.success))
            return broken, _OUTSIDE
        stop = len(text) if end < 0 else end + len(_ENDS[state])
        colours = self._colours
        colour = {_COMMENT: colours.muted, _INSTRUCTION: colours.muted}.get(state, colours.success)
        self.setFormat(at, stop - at, self._format(colour, italic=state == _COMMENT))
        after = _TAG if is_quoted else _OUTSIDE
        return stop, state if end < 0 else after

    def _outside(self, text: str, at: int, tag: str) -> tuple[int, int, str]:
        start = text.find("<", at)
        stop = len(text) if start < 0 else start
        for word in _WORD.finditer(text, at, stop):
            known = self._kinds.get(word[0].rpartition("::")[2]) if tag in ("parent", "child") else None
            if known:
                self.setFormat(word.start(), len(word[0]), self._kind(known))
            elif _NUMBER.match(word[0]):
                self.setFormat(word.start(), len(word[0]), self._format(self._colours.text))
        if start < 0:
            return len(text), _OUTSIDE, tag
        for opening, state in _OPENINGS:
            if text.startswith(opening, start):
                self.setFormat(start, len(opening), self._format(self._colours.muted))
                return start + len(opening), state, tag
        match = _TAG_NAME.match(text, start)
        assert match is not None
        name = match[1]
        self.setFormat(start, match.end() - start, self._format(self._colours.disabled))
        style = self._kind(name, bold=True) if name in STYLES else self._format(self._colours.link)
        self.setFormat(match.start(1), len(name), style)
        return max(match.end(), start + 1), _TAG, name

    def _inside_tag(self, text: str, at: int, tag: str, attribute: str) -> tuple[int, int, str, str]:
        character = text[at]
        if character == "<":  # the tag before has no end
            return at, _OUTSIDE, tag, ""
        if character == ">":
            self.setFormat(at, 1, self._format(self._colours.disabled))
            return at + 1, _OUTSIDE, tag, ""
        if character in "\"'":
            end = text.find(character, at + 1)
            broken = text.find("<", at + 1, end if end >= 0 else len(text))
            if broken >= 0:
                self.setFormat(at, broken - at, self._format(self._colours.success))
                return broken, _OUTSIDE, tag, ""
            stop = len(text) if end < 0 else end + 1
            self.setFormat(at, stop - at, self._value(text[at + 1 : stop].rstrip(character), tag, attribute))
            return stop, _TAG if end >= 0 else (_DOUBLE if character == '"' else _SINGLE), tag, ""
        if match := _ATTRIBUTE.match(text, at):
            self.setFormat(at, len(match[0]), self._format(self._colours.muted))
            return match.end(), _TAG, tag, match[0]
        if character in "/=":
            self.setFormat(at, 1, self._format(self._colours.disabled))
        return at + 1, _TAG, tag, attribute

    def _value(self, value: str, tag: str, attribute: str) -> QTextCharFormat:
        if attribute == "name" and tag in STYLES:
            return self._kind(tag, bold=True)
        if attribute in REFERENCES:
            name = value.rpartition("::")[2]
            kind = {"__model__": "model", "world": "world"}.get(name, self._kinds.get(name, ""))
            if kind:
                return self._kind(kind)
        return self._format(self._colours.success)
