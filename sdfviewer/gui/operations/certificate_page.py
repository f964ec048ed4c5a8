"""What an edit or an export keeps, changes, loses and adds, each at its line; what cannot be converted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from sdfviewer.diagnostics import PlacedSentence, SdfViewerError, Span
from sdfviewer.display_text import visible, with_capital
from sdfviewer.export.certificate import CertificateLine, certificate_lines, kept
from sdfviewer.export.conversion import Conversion
from sdfviewer.formats.comparison import Verdict
from sdfviewer.gui.context.document_context import DocumentContext
from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.widgets import column_of, named
from sdfviewer.language.names import row_at
from sdfviewer.model.model import Model
from sdfviewer.number_text import counted
from sdfviewer.refactoring.editable import reasons_of

_LINE = Qt.ItemDataRole.UserRole
#: The size of a dialog with the page, which leaves room beside it on a screen of 1366 × 768.
PAGE_SIZE = (760, 520)
#: Sections of more lines are closed at first, so that none hides the others.
_MOST_OPEN = 40
_TITLES = {
    None: "errors of sdfviewer: please report them with the file",
    Verdict.LOST: "lost",
    Verdict.CHANGED: "changed or written otherwise",
    Verdict.ADDED: "added by the format",
}


class CertificatePage(QTreeWidget):
    """What a conversion says, in a section for each verdict; what is found to differ is below the line that says it.

    Parameters
    ----------
    lines, kept
        What is said, and how many things of each kind are as they were.
    file
        The open file, whose name is left out.
    """

    #: The `CertificateLine` that was clicked.
    picked = Signal(object)

    def __init__(
        self, lines: Sequence[CertificateLine], kept: Mapping[str, int], file: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        named(self, "What the conversion keeps, changes and loses")
        self.setHeaderLabels(["What", "In this file", "In what is written"])
        self.setWordWrap(True)
        self.setIconSize(QSize(16, 16))
        self.setItemDelegate(_Wrapped(self))
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for verdict, title in _TITLES.items():
            listed = [line for line in lines if line.verdict is verdict]
            if listed:
                self._add_section(f"{len(listed)} {title}", verdict, listed, file)
        section = self._add_section(f"{sum(kept.values())} kept", _KEPT, [], file)
        for kind, count in kept.items():
            item = QTreeWidgetItem(section, [counted(count, kind.replace("_", " "))])
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self.itemSelectionChanged.connect(self._pick)

    def _add_section(self, title: str, verdict: object, lines: Sequence[CertificateLine], file: str) -> QTreeWidgetItem:
        signs = {
            None: ("mdi6.close-octagon", "error"),
            Verdict.LOST: ("mdi6.alert-outline", "warning"),
            Verdict.CHANGED: ("mdi6.information-outline", "info"),
            Verdict.ADDED: ("mdi6.plus-circle-outline", "info"),
            _KEPT: ("mdi6.check-circle-outline", "success"),
        }
        section = QTreeWidgetItem(self, [title])
        section.setFlags(Qt.ItemFlag.ItemIsEnabled)
        section.setIcon(0, icon(*signs[verdict]))
        section.setFirstColumnSpanned(True)
        for line in lines:
            item = QTreeWidgetItem(section, [without_path(line.sentence, file)])
            item.setData(0, _LINE, line)
            item.setToolTip(0, line.sentence)
            item.setFirstColumnSpanned(True)
            for quantity, before, after in line.values:
                found = QTreeWidgetItem(item, [quantity, before or "nothing", after or "nothing"])
                found.setData(0, _LINE, line)
            item.setExpanded(True)
        section.setExpanded(verdict in (None, Verdict.LOST) or 0 < len(lines) <= _MOST_OPEN)
        return section

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()  # sentences have other heights

    def _pick(self) -> None:
        for item in self.selectedItems():
            self.picked.emit(item.data(0, _LINE))

    def lead(self, context: DocumentContext, model: Model) -> None:
        """Let a click on a line select its element in a file, and show its place in the source."""

        def show(line: CertificateLine) -> None:
            place = line.sentence if isinstance(line.sentence, PlacedSentence) else None
            document = context.session.document
            names = [name for name in line.names if name in model.rows_by_name]
            if place is not None and place.path == document.name and place.line <= document.text.count("\n") + 1:
                text = document.line(place.line)
                start = document.offset_of_line(place.line) + len(text) - len(text.lstrip())
                context.requests.show_place(document.span_between(start, start + len(text.strip())))
                row = None if names or model.document is not document else row_at(model, start)
                names = names if row is None else [model.names[row]]
            elif place is not None and place.path != document.name:
                context.requests.other_file.emit(Span(place.path, 0, 0, place.line, 1, place.line, 1))
            if names:
                context.session.select(names, None)
                context.requests.reveal.emit(tuple(names))

        self.picked.connect(show)


#: The section of what is kept, which is no verdict.
_KEPT = object()


class CertificateDialog(QDialog):
    """Shows what a conversion has kept, changed and lost, with lines that lead into the source if it is open."""

    def __init__(
        self, title: str, conversion: Conversion, context: DocumentContext | None, parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*PAGE_SIZE)
        lines, as_before = certificate_lines(conversion.steps), kept(conversion.source, conversion.steps)
        self.page = CertificatePage(lines, as_before, conversion.source.document.name)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column_of((self.page, 1), buttons, parent=self, margins=16, spacing=12)
        if context is not None:
            self.page.lead(context, conversion.source)
            context.destroyed.connect(self.reject)  # the file was closed


class _Wrapped(QStyledItemDelegate):
    """Gives sentences that span all columns the lines that they need."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        size = super().sizeHint(option, index)
        tree = self.parent()
        assert isinstance(tree, CertificatePage)
        if not index.parent().isValid() or not tree.isFirstColumnSpanned(index.row(), index.parent()):
            return size
        room = tree.viewport().width() - 2 * tree.indentation() - tree.iconSize().width()
        text = option.fontMetrics.boundingRect(
            0, 0, max(room, 100), 10_000, Qt.TextFlag.TextWordWrap, str(index.data(Qt.ItemDataRole.DisplayRole))
        )
        return QSize(size.width(), max(text.height() + 6, size.height()))


MOST_ROWS = 5
"""The number of visible sentences; the list scrolls to further ones."""
_SIZE = (560, 240)


class LossList(QListWidget):
    """Sentences, those at a place without the name of their file where that is open."""

    def __init__(self, sentences: Sequence[str], file: str) -> None:
        super().__init__()
        named(self, "Losses")
        self.setWordWrap(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.setIconSize(QSize(16, 16))
        sign = icon("mdi6.alert-outline", "warning")
        for sentence in sentences:
            item = QListWidgetItem(sign, without_path(sentence, file))
            item.setToolTip(sentence)
            self.addItem(item)

    def sizeHint(self) -> QSize:  # Qt's name
        rows = sum(self.sizeHintForRow(row) for row in range(min(self.count(), MOST_ROWS)))
        return QSize(super().sizeHint().width(), rows + 2 * self.frameWidth() + 4)


def without_path(sentence: str, file: str) -> str:
    """Return a sentence with ``Line 12`` before it, or ``other.sdf, line 12`` where its file is another one."""
    if not isinstance(sentence, PlacedSentence):
        return visible(with_capital(sentence))
    written_in = Path(sentence.path)
    where = "Line" if written_in.absolute() == Path(file).absolute() else f"{written_in.name}, line"
    return visible(f"{where} {sentence.line}: {sentence.words}")


class RefusalDialog(QDialog):
    """Lists the reasons why a file cannot be converted, each with its line."""

    def __init__(self, action: str, error: SdfViewerError, file: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(action.rstrip("…"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*_SIZE)
        column = column_of(QLabel("This file cannot be converted."), parent=self, margins=16, spacing=12)
        self.reasons = LossList(reasons_of(error), file)
        column.addWidget(self.reasons)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
