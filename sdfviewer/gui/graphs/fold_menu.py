"""Menus of the graphs, with *Fold All* and *Unfold All*."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QMenu, QWidget

_NOTHING = {
    True: "Nothing is left to fold: no nested model is open, and no frames differ only in a number",
    False: "Nothing is folded",
}


class FoldMenu(QMenu):
    """A menu whose entries are disabled where they would do nothing; their tooltips say why.

    Parameters
    ----------
    parent
        Where it belongs.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setToolTipsVisible(True)

    def add_folding(self, fold_all: Callable[[bool], None], can_fold_all: Callable[[bool], bool]) -> None:
        """Add *Fold All* and *Unfold All*.

        Parameters
        ----------
        fold_all
            Folds everything, or with False unfolds it.
        can_fold_all
            Returns whether that would change anything; asked when the menu opens.
        """
        actions = {
            folded: self.addAction(text, partial(fold_all, folded))
            for folded, text in ((True, "Fold All"), (False, "Unfold All"))
        }

        def allow() -> None:
            for folded, action in actions.items():
                can = can_fold_all(folded)
                action.setEnabled(can)
                action.setToolTip("" if can else _NOTHING[folded])

        self.aboutToShow.connect(allow)

    def event(self, event: QEvent) -> bool:
        """Show no tooltip that only repeats the text of an entry."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            action = self.actionAt(event.pos())
            if action is None or action.toolTip() == action.text().partition("\t")[0]:
                return True
        return super().event(event)
