"""Find and replace in the source."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QToolButton, QWidget

from sdfviewer.gui.source.editor import SourceEditor
from sdfviewer.gui.source.text_map import TextMap


class FindBar(QWidget):
    """A bar below the editor; Enter goes to the next match, Shift+Enter to the one before, Esc closes it."""

    def __init__(self, editor: SourceEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self.matches: list[tuple[int, int]] = []
        self.pattern = QLineEdit(self)
        self.pattern.setPlaceholderText("Find")
        self.pattern.setAccessibleName("Find in the source")
        self.replacement = QLineEdit(self)
        self.replacement.setPlaceholderText("Replace by")
        self.replacement.setAccessibleName("Replace by")
        self.count = QLabel(self)
        self.count.setProperty("role", "muted")
        self.count.setMinimumWidth(72)
        self.case = QCheckBox("Case", self)
        self.case.setToolTip("Tell capital from small letters")
        self.expression = QCheckBox("Regex", self)
        self.expression.setToolTip("The pattern is a regular expression; \\1 in the replacement is its first group")
        previous, following = self._arrow(Qt.ArrowType.UpArrow, -1), self._arrow(Qt.ArrowType.DownArrow, 1)
        self._replace_one = QPushButton("Replace", self)
        self._replace_all = QPushButton("Replace All", self)

        layout = QGridLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.setSpacing(4)
        first, second = QHBoxLayout(), QHBoxLayout()
        for widget in (previous, following, self.case, self.expression, self.count):
            first.addWidget(widget)
        first.addStretch(1)
        second.addWidget(self._replace_one)
        second.addWidget(self._replace_all)
        second.addStretch(1)
        layout.addWidget(self.pattern, 0, 0)
        layout.addLayout(first, 0, 1)
        layout.addWidget(self.replacement, 1, 0)
        layout.addLayout(second, 1, 1)
        layout.setColumnStretch(0, 1)
        layout.setColumnStretch(1, 1)
        self._second = (self.replacement, self._replace_one, self._replace_all)

        self.pattern.textChanged.connect(self.refresh)
        self.case.toggled.connect(self.refresh)
        self.expression.toggled.connect(self.refresh)
        self._replace_one.clicked.connect(self.replace)
        self._replace_all.clicked.connect(self.replace_all)
        for field in (self.pattern, self.replacement):
            field.installEventFilter(self)
        self.hide()

    def _arrow(self, arrow: Qt.ArrowType, step: int) -> QToolButton:
        button = QToolButton(self)
        button.setArrowType(arrow)
        button.setToolTip("Next match (F3)" if step > 0 else "Previous match (Shift+F3)")
        button.setAccessibleName("Next match" if step > 0 else "Previous match")
        button.clicked.connect(lambda: self.go(step))
        return button

    def open(self, replacing: bool) -> None:
        """Show the bar with what is selected in the editor as pattern."""
        for widget in self._second:
            widget.setVisible(replacing)
        self.show()
        selected = self._editor.textCursor().selectedText()
        if selected and "\u2029" not in selected:
            self.pattern.setText(selected)
        self.pattern.setFocus()
        self.pattern.selectAll()
        self.refresh()

    def close_bar(self) -> None:
        """Hide the bar and its marks."""
        self.hide()
        self._editor.mark_matches([])
        self._editor.setFocus()

    def _compiled(self) -> re.Pattern[str] | None:
        pattern = self.pattern.text()
        if not pattern:
            return None
        flags = re.MULTILINE | (0 if self.case.isChecked() else re.IGNORECASE)
        try:
            return re.compile(pattern if self.expression.isChecked() else re.escape(pattern), flags)
        except re.error as error:
            self.count.setText(f"{error.msg}")
            return None

    def refresh(self) -> None:
        """Find all matches again."""
        if not self.isVisible():
            return
        self.count.setText("")
        pattern = self._compiled()
        text = self._editor.raw_text()
        places = TextMap(text)
        self.matches = []
        if pattern is not None:
            self.matches = [
                (places.to_position(match.start()), places.to_position(match.end()))
                for match in pattern.finditer(text)
                if match.end() > match.start()
            ]
            self.count.setText(f"{len(self.matches)} found" if self.matches else "none found")
        self._editor.mark_matches(self.matches)

    def walk(self, matches: list[tuple[int, int]]) -> None:
        """Mark places found otherwise; F3 goes from one to the next."""
        self.hide()
        self.matches = matches
        self._editor.mark_matches(matches)

    def go(self, step: int) -> None:
        """Go to the next match (1) or the one before (-1), round the ends."""
        if not self.matches:
            return
        cursor = self._editor.textCursor()
        if step > 0:
            at = next((i for i, (start, _) in enumerate(self.matches) if start >= cursor.selectionEnd()), 0)
        else:
            before = [i for i, (_, end) in enumerate(self.matches) if end <= cursor.selectionStart()]
            at = before[-1] if before else len(self.matches) - 1
        self._editor.go_to(*self.matches[at])
        self.count.setText(f"{at + 1} of {len(self.matches)}")

    def _replaced(self, pattern: re.Pattern[str], found: str) -> str:
        text = self.replacement.text()
        return pattern.sub(text, found, count=1) if self.expression.isChecked() else text

    def replace(self) -> None:
        """Replace the match that is selected, then go to the next one."""
        pattern = self._compiled()
        cursor = self._editor.textCursor()
        selected = (cursor.selectionStart(), cursor.selectionEnd())
        if pattern is not None and selected in self.matches:
            text = self._editor.raw_text()
            places = TextMap(text)
            start, end = (places.to_offset(position) for position in selected)
            try:
                self._editor.replace(*selected, self._replaced(pattern, text[start:end]))
            except re.error as error:
                self.count.setText(error.msg)
                return
            self.refresh()
        self.go(1)

    def replace_all(self) -> None:
        """Replace every match, as one edit."""
        pattern = self._compiled()
        if pattern is None or not self.matches:
            return
        text = self._editor.raw_text()
        replacement = self.replacement.text()
        try:
            new, count = pattern.subn(replacement if self.expression.isChecked() else lambda _: replacement, text)
        except re.error as error:
            self.count.setText(error.msg)
            return
        places = TextMap(text)
        change = places.replacement(new)
        if change is not None:
            self._editor.replace(places.to_position(change.start), places.to_position(change.end), change.text)
            self._editor.flush_wanted.emit()
        self.refresh()
        self.count.setText(f"{count} replaced")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter goes on, Esc closes."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if watched is self.replacement:
                    self.replace()
                else:
                    self.go(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
                return True
        key = event.key() if isinstance(event, QKeyEvent) else None
        if event.type() == QEvent.Type.ShortcutOverride and key == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().eventFilter(watched, event)
