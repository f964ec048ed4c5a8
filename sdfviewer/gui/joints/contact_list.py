"""The list of colliding links."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from sdfviewer.gui.joints.collision_watch import Contacts
from sdfviewer.gui.kit.widget_properties import named
from sdfviewer.scene.collision.contacts import LinkContact

_HEIGHT = 80
_LEAST_HEIGHT = 24
"""Pixels of height of one pair, on a small screen."""


class ContactList(QListWidget):
    """Pairs of links, those that collide now in bold; hidden where there are none."""

    #: A pair was selected: its `LinkContact`.
    chosen = Signal(LinkContact)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "Links that collide", "")
        self.setMaximumHeight(_HEIGHT)
        self.setMinimumHeight(_LEAST_HEIGHT)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrap(True)  # rather than cut the names of a pair
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.itemSelectionChanged.connect(self._choose)
        self.hide()

    def show_contacts(self, contacts: Contacts, prefix: str, place: Callable[[LinkContact], str]) -> None:
        """List contacts.

        Parameters
        ----------
        contacts
            The pairs, in their order.
        prefix
            What is left out of their names.
        place
            Returns where a pair begins to collide, in words; empty where that is not known.
        """
        with QSignalBlocker(self):
            self.clear()
            for contact in contacts:
                text = " – ".join(name.removeprefix(prefix) for name in (contact.first, contact.second))
                where = place(contact)
                # What always collides begins nowhere.
                item = QListWidgetItem(f"{text}, {where}" if contact.always else f"{where}  {text}" if where else text)
                item.setData(Qt.ItemDataRole.UserRole, contact)
                item.setToolTip(f"{contact.first}\n{contact.second}")
                self.addItem(item)
        self.setVisible(bool(contacts))

    def mark(self, now: Contacts) -> None:
        """Print the pairs that collide now in bold."""
        rows = {contact.rows for contact in now}
        for number in range(self.count()):
            item = self.item(number)
            font = item.font()
            font.setBold(item.data(Qt.ItemDataRole.UserRole).rows in rows)
            item.setFont(font)

    def _choose(self) -> None:
        for item in self.selectedItems()[:1]:
            self.chosen.emit(item.data(Qt.ItemDataRole.UserRole))
