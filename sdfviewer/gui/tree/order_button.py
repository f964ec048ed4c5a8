"""The button beside the filter of the model tree: in which order it lists frames, and of which kinds."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton

from sdfviewer.gui.kit.icons import icon
from sdfviewer.gui.kit.theme import on_theme_change, tokens
from sdfviewer.gui.kit.widget_properties import named, set_menu
from sdfviewer.gui.tree.orders import TreeOrder
from sdfviewer.model.kinds import Kind

_VERTICES = {"Models": Kind.MODEL, "Links": Kind.LINK, "Joints": Kind.JOINT, "Frames": Kind.FRAME}
#: The kinds that are listed or left out together, by their names.
GROUPS: Mapping[str, frozenset[Kind]] = {
    **{name: frozenset({kind}) for name, kind in _VERTICES.items()},
    "Shapes, Sensors and Lights": frozenset(kind for kind in Kind if not kind.is_vertex),
}
_TIPS = {
    TreeOrder.WRITTEN: "Each thing below the one that it is written in",
    TreeOrder.KINEMATIC: "Each link below the one that carries it, behind the joint between them",
    TreeOrder.RELATIVE_TO: "Each frame below the one that its pose is measured from",
    TreeOrder.ATTACHED_TO: "Each frame below the one that it moves with",
    TreeOrder.KIND: "All frames, sorted by kind and name",
}


def listed(order: TreeOrder, kinds: frozenset[Kind] | None) -> list[str]:
    """Return the names of the groups that are listed in an order; without kinds, those that the order lists."""
    if kinds is None:
        return list(GROUPS) if order is TreeOrder.WRITTEN else list(_VERTICES)
    return [name for name, group in GROUPS.items() if group <= kinds]


def describe(order: TreeOrder, kinds: frozenset[Kind] | None) -> str:
    """Return in words what is listed."""
    return order.value if kinds is None else f"{order.value}: {', '.join(listed(order, kinds)).lower() or 'nothing'}"


class OrderButton(QToolButton):
    """Shows in its menu what is listed, and chooses something else."""

    #: A `TreeOrder`, and the kinds that are listed, None for those of the order.
    chosen = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        named(self, "Order of the model tree", "Choose the order of the tree and what it lists")
        self.setAutoRaise(True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        group = QActionGroup(menu)
        self.orders: dict[TreeOrder, QAction] = {}
        for order in TreeOrder:
            action = self.orders[order] = menu.addAction(order.value)
            action.setToolTip(_TIPS[order])
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _=False, order=order: self.chosen.emit(order, None))
        menu.addSeparator()
        self.kinds: dict[str, QAction] = {}
        for name in GROUPS:
            action = self.kinds[name] = menu.addAction(name)
            action.setCheckable(True)
            action.triggered.connect(self._choose_kinds)
        set_menu(self, menu)
        on_theme_change(self._paint)
        self._paint()
        self._order = TreeOrder.WRITTEN
        self.show_arrangement(self._order, None)

    def show_arrangement(self, order: TreeOrder, kinds: frozenset[Kind] | None) -> None:
        """Show what is listed."""
        self._order = order
        self.orders[order].setChecked(True)
        shown = listed(order, kinds)
        for name, action in self.kinds.items():
            action.setChecked(name in shown)

    def _choose_kinds(self) -> None:
        names = [name for name, action in self.kinds.items() if action.isChecked()]
        is_usual = names == listed(self._order, None)
        kinds = frozenset[Kind]().union(*(GROUPS[name] for name in names))
        self.chosen.emit(self._order, None if is_usual else kinds)

    def _paint(self) -> None:
        self.setIcon(icon("mdi6.sort-variant", tokens(self.palette()).text))
