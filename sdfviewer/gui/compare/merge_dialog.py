"""The dialog that merges unsaved work with what another program has written to the file meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QPushButton,
    QSplitter,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from sdfviewer.display_text import as_sentence, cut
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.document.line_difference import text_difference
from sdfviewer.document.merging import Merge, Side
from sdfviewer.formats.xacro.expansion import EvaluationPendingError
from sdfviewer.gui.compare.frame_tables import ChangedFrameTable, summarise
from sdfviewer.gui.compare.text_comparison import TextComparison
from sdfviewer.gui.context.document_context import DocumentContext, is_short
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.jobs import Background, Latest
from sdfviewer.gui.kit.widgets import STRETCH, column_of, named, resize_on_screen, row_of, styled
from sdfviewer.number_text import counted
from sdfviewer.refactoring.unmoved import MergedModel, merged_model

_LINE, _MINE, _THEIRS, _TAKEN = range(4)
_MOST_CHARACTERS, _MOST_PROBLEMS = 80, 3
_TAKE = {Side.MINE: "Take &Mine", Side.THEIRS: "Take &Theirs", Side.BOTH: "Take &Both"}
LABEL = "Merge with the version on disk"
"""Name of the merge in the history."""


class MergeDialog(QDialog):
    """What either side has changed, what moves by merging it, and the conflicts to decide one by one.

    Parameters
    ----------
    context, settings
        Of the open file.
    merge, theirs
        The merge of the present text with that on disk, and the document of that.
    accept
        Makes the edit once it is confirmed.

    Attributes
    ----------
    chosen
        The side of each conflict, None where it is not decided.
    result_model
        What the merged text means, None while it is being read.
    """

    def __init__(
        self,
        context: DocumentContext,
        settings: Settings,
        merge: Merge,
        theirs: Document,
        accept: Callable[[Edit], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._context, self._merge, self._theirs, self._make = context, merge, theirs, accept
        self._mine = context.session.document
        self.chosen: list[Side | None] = [None] * len(merge.conflicts)
        self.result_model: MergedModel | None = None
        self.setWindowTitle(f"Merge – {self._mine.path.name if self._mine.path is not None else 'this file'}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        resize_on_screen(self, 940, 560)
        self._reading = Latest(Background())
        self._counts = QLabel(wordWrap=True)
        self.summary = named(QLabel(wordWrap=True), "What the merge moves")
        self.fault = styled(named(QLabel(wordWrap=True), "Problems of the merged text"), "error")
        self.pages = QTabWidget(documentMode=True)
        self.conflicts = named(QTreeWidget(), "Conflicts")
        self.conflict_text = TextComparison(settings)
        self.take = {side: QPushButton(label) for side, label in _TAKE.items()}
        self.frames, self.text = ChangedFrameTable(settings), TextComparison(settings)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.merge_button = self.buttons.addButton("Merge", QDialogButtonBox.ButtonRole.AcceptRole)
        self.merge_button.setAutoDefault(False)  # Enter decides a conflict
        self._lay_out()
        self.finished.connect(lambda _result: self._forget())
        self._update()

    def _lay_out(self) -> None:
        count = self._merge.count
        both = count(Side.BOTH)
        parts = [
            f"{counted(count(Side.MINE) + both, 'change')} of yours",
            f"{counted(count(Side.THEIRS) + both, 'change')} on disk",
            f"{counted(len(self.chosen), 'conflict')}",
        ]
        how = "" if self._merge.by_elements else " One of the texts is not well-formed XML: lines were merged."
        self._counts.setText(f"{', '.join(parts)}.{how}")
        if self.chosen:
            self.pages.addTab(self._conflict_page(), f"Conflicts ({len(self.chosen)})")
        self.pages.addTab(self.frames, "Frames")
        self.pages.addTab(self.text, "Text")
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        column_of(
            *(self._counts, self.summary, self.fault, (self.pages, 1), self.buttons), parent=self, margins=12, spacing=8
        )

    def _conflict_page(self) -> QWidget:
        table = self.conflicts
        table.setRootIsDecorated(False)
        table.setUniformRowHeights(True)
        table.setAlternatingRowColors(True)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setHeaderLabels(["Line", "Mine", "On disk", "Taken"])
        table.header().setStretchLastSection(False)
        for column in (_MINE, _THEIRS):
            table.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        places = [at for part, _, at in self._merge.places_in_mine() if part.side is Side.CONFLICT]
        for part, at in zip(self._merge.conflicts, places, strict=True):
            written = [
                cut(" ".join(each.split()), _MOST_CHARACTERS) or "(removed)" for each in (part.mine, part.theirs)
            ]
            item = QTreeWidgetItem([str(self._mine.position(at)[0]), *written, ""])
            for column, text in ((_MINE, part.mine), (_THEIRS, part.theirs)):
                item.setToolTip(column, cut(text.strip(), 2000))
            table.addTopLevelItem(item)
        table.resizeColumnToContents(_LINE)
        table.currentItemChanged.connect(lambda _now, _before: self._show_conflict())
        table.itemSelectionChanged.connect(self._show_choices)
        table.itemActivated.connect(lambda _item, _column: self._take_other())
        for side, button in self.take.items():
            button.setAutoDefault(False)
            button.clicked.connect(partial(self.decide, side))
        tips = {
            Side.MINE: "Keep your text of the selected conflicts",
            Side.THEIRS: "Take the text on disk of the selected conflicts",
            Side.BOTH: "Take your text and, behind it, that on disk, where both were added",
        }
        for side, tip in tips.items():
            self.take[side].setToolTip(tip)
        split = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        above, page = QWidget(), QWidget()
        column_of((table, 1), row_of(*self.take.values(), STRETCH), parent=above, margins=0, spacing=4)
        split.addWidget(above)
        split.addWidget(self.conflict_text)
        split.setSizes([200, 240])
        column_of((split, 1), parent=page, margins=0)
        self._go_to(0)
        return page

    # --- conflicts -------------------------------------------------------------------------------------------------

    @property
    def _current(self) -> int:
        return self.conflicts.currentIndex().row()

    def _go_to(self, number: int) -> None:
        self.conflicts.setCurrentIndex(self.conflicts.model().index(number, _LINE))

    def _selected(self) -> list[int]:
        return [self.conflicts.indexOfTopLevelItem(item) for item in self.conflicts.selectedItems()]

    def _show_conflict(self) -> None:
        """Show what either side has of the current conflict, with the lines around it."""
        number = self._current
        if number >= 0:
            texts = []
            for side in (Side.MINE, Side.THEIRS):
                chosen = [*self.chosen]
                chosen[number] = side
                texts.append(self._merge.text(chosen))
            self.conflict_text.show_difference(text_difference(texts[0], texts[1]))

    def _show_choices(self) -> None:
        selected, conflicts = self._selected(), self._merge.conflicts
        for side, button in self.take.items():
            button.setEnabled(
                bool(selected) and (side is not Side.BOTH or all(conflicts[each].can_take_both for each in selected))
            )

    def decide(self, side: Side) -> None:
        """Decide the selected conflicts, and go on to the next one that is open."""
        for number in self._selected():
            self.chosen[number] = side
            item = self.conflicts.topLevelItem(number)
            assert item is not None
            item.setText(_TAKEN, "on disk" if side is Side.THEIRS else side.value)
        following = next((number for number, each in enumerate(self.chosen) if each is None), None)
        if following is not None:
            self._go_to(following)
        self._update()

    def _take_other(self) -> None:
        """Take what is not taken of the current conflict, as a double click or Enter does."""
        number = self._current
        self.decide(Side.THEIRS if self.chosen[number] is not Side.THEIRS else Side.MINE)

    # --- the merged text ---------------------------------------------------------------------------------------------

    def _edit(self) -> Edit:
        return Edit(LABEL, self._mine, self._merge.replacements(self.chosen))

    def _update(self) -> None:
        """Show what the merged text is with the present choices: mine where a conflict is open."""
        left = self.chosen.count(None)
        self.merge_button.setEnabled(not left)
        self.merge_button.setToolTip(
            f"{counted(left, 'conflict')} to decide first"
            if left
            else "Make the merged text of yours, as one undo step"
        )
        loader, chosen = self._context.session.make_loader(waits=False), tuple(self.chosen)

        def read() -> MergedModel | None:
            try:
                return merged_model(self._merge, self._mine, self._theirs, loader, chosen)
            except EvaluationPendingError:
                return None

        self._reading.run(read, self._show_model, at_once=is_short(self._context))
        self.text.show_difference(text_difference(self._mine.text, self._merge.text(chosen)))
        self.text.set_model(self._context.session.model)
        self._context.previews.show(self._edit())

    def _show_model(self, found: MergedModel | None) -> None:
        is_first, self.result_model = self.result_model is None, found
        comparison = None if found is None else found.comparison
        differences = [] if comparison is None else comparison.differences()
        root = "" if comparison is None or comparison.b.is_world else comparison.b.names[0]
        self.frames.show_differences(differences, root)
        self.pages.setTabText(self.pages.indexOf(self.frames), f"Frames ({len(differences)})")
        if is_first and not differences and not self.chosen:
            self.pages.setCurrentWidget(self.text)  # an empty list is no beginning
        if comparison is None:
            self.summary.setText(
                "What the merge moves is not known: one of the texts has no model that can be read now."
            )
        else:
            self.summary.setText(f"By the merge, in your text: {summarise(differences)}.")
        faults = [] if found is None else [each.message for each in found.problems]
        if found is not None and not found.is_whole:
            faults.insert(0, "The merged text is not well-formed XML.")
        more = f" And {len(faults) - _MOST_PROBLEMS} more." if len(faults) > _MOST_PROBLEMS else ""
        self.fault.setText(f"New in the merged text: {' '.join(map(as_sentence, faults[:_MOST_PROBLEMS]))}{more}")
        self.fault.setVisible(bool(faults))

    def _accept(self) -> None:
        self.accept()
        self._make(self._edit())

    def _forget(self) -> None:
        self._reading.stop()
        self._context.previews.show(None)
