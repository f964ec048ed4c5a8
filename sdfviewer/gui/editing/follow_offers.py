"""Offers to rename in other files what was renamed in one without asking: in the properties, say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog

from sdfviewer.gui.background import Background
from sdfviewer.gui.editing.other_files import OtherFiles
from sdfviewer.gui.editing.rename import FollowDialog
from sdfviewer.gui.status import counted
from sdfviewer.gui.workspace import Workspace
from sdfviewer.semantics.editing.renaming.rename import Renaming
from sdfviewer.session import Change

if TYPE_CHECKING:
    from sdfviewer.gui.window import MainWindow


@dataclass(slots=True)
class _Offer:
    """A rename that other files have not followed, and the scoped name that the renamed has by now."""

    renaming: Renaming
    name: str

    @property
    def first_name(self) -> str:
        """The scoped name by which other files know it."""
        return self.renaming.model.names[self.renaming.row]


class FollowOffers:
    """Looks after each rename whether other files name what was renamed; says nothing where none does.

    Parameters
    ----------
    open_dialog
        Opens a dialog.
    """

    def __init__(self, window: MainWindow, others: OtherFiles, open_dialog: Callable[[QDialog], None]) -> None:
        self._window = window
        self._others = others
        self._open_dialog = open_dialog
        self._backgrounds: dict[Workspace, Background] = {}
        self._offers: dict[Workspace, list[_Offer]] = {}

    def attach(self, workspace: Workspace) -> None:
        """Look after the renames in a file from now on."""
        self._backgrounds[workspace] = Background()
        self._offers[workspace] = []
        workspace.bridge.renamed.connect(partial(self._look, workspace))
        workspace.bridge.changed.connect(partial(self._keep_up, workspace))

    def detach(self, workspace: Workspace) -> None:
        """End that: the file is closed."""
        self._backgrounds.pop(workspace).stop()
        for offer in self._offers.pop(workspace):
            self._window.notices.withdraw(_topic(workspace, offer))

    def _look(self, workspace: Workspace, renaming: Renaming) -> None:
        if workspace.session.path is None:
            return
        offer = _Offer(renaming, renaming.renamed)
        for earlier in self._offers[workspace]:
            if earlier.name == offer.name:  # other files still say what it was called before that
                offer = _Offer(
                    Renaming(earlier.renaming.model, earlier.renaming.row, renaming.name, offer.name), offer.name
                )
        background = self._backgrounds[workspace]
        search = self._others.search(workspace.session, offer.renaming.model, lambda: background.is_stopped)

        def count() -> int:
            followers = search().includers.follow(offer.renaming.row, offer.renaming.name)
            return sum(bool(follower.edit.replacements) for follower in followers)

        background.run(count, partial(self._offer, workspace, offer))

    def _offer(self, workspace: Workspace, offer: _Offer, number: int) -> None:
        if number == 0:
            return
        self._offers[workspace] = [each for each in self._offers[workspace] if each.first_name != offer.first_name]
        self._offers[workspace].append(offer)
        files = f"{counted(number, 'other file')} still name{'s' if number == 1 else ''}"
        self._window.notices.ask(
            _topic(workspace, offer),
            f"{files} '{offer.renaming.old}' of {workspace.name}, which is called '{offer.renaming.name}' now.",
            {"Rename There Too…": partial(self._open, workspace, offer)},
        )
        self._withdraw_undone(workspace)

    def _open(self, workspace: Workspace, offer: _Offer) -> None:
        self._offers[workspace].remove(offer)
        self._open_dialog(FollowDialog(workspace.bridge, offer.renaming, self._others, self._window))

    def _keep_up(self, workspace: Workspace, change: Change) -> None:
        names = dict(change.renamed)
        for offer in self._offers[workspace]:
            offer.name = names.get(offer.name, offer.name)
        if change.document:
            self._withdraw_undone(workspace)

    def _withdraw_undone(self, workspace: Workspace) -> None:
        """Take back the offers for what has got its former name back, or has gone."""
        model = workspace.session.model
        for offer in tuple(self._offers[workspace]):
            if offer.name == offer.first_name or model is None or offer.name not in model.rows_by_name:
                self._offers[workspace].remove(offer)
                self._window.notices.withdraw(_topic(workspace, offer))


def _topic(workspace: Workspace, offer: _Offer) -> str:
    return f"renamed {id(workspace)} {offer.first_name}"
