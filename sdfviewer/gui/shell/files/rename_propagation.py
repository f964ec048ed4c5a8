"""Says after a rename without a dialog what still uses the former name: plugins of the file, and dependent files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from sdfviewer.gui.kit.jobs import Background
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.number_text import counted, listed_lines
from sdfviewer.session.session_change import SessionChange

if TYPE_CHECKING:
    from sdfviewer.refactoring.renaming import Renaming


@dataclass(slots=True)
class _Offer:
    """A rename that other files have not followed, and the scoped name that the renamed has by now."""

    renaming: Renaming
    name: str

    @property
    def first_name(self) -> str:
        """The scoped name by which other files know it."""
        return self.renaming.model.names[self.renaming.row]


class RenamePropagation(QObject):
    """Searches the project after each rename for files that name what was renamed; says nothing where none does.

    What plugins say may mean anything, so it stays; the user is shown where they say the former name.
    """

    #: A search is done; so many files still use the former name.
    searched = Signal(int)

    def __init__(self, app: App) -> None:
        super().__init__()
        self._app = app
        self._backgrounds: dict[OpenFile, Background] = {}
        self._offers: dict[OpenFile, list[_Offer]] = {}
        self._in_plugins: dict[OpenFile, list[Renaming]] = {}

    def attach(self, file: OpenFile) -> None:
        """Look after the renames in a file from now on."""
        self._backgrounds[file] = Background()
        self._offers[file] = []
        self._in_plugins[file] = []
        file.context.edits.renamed.connect(partial(self._search_plugins, file))
        file.context.edits.renamed.connect(partial(self._search, file))
        file.context.changed.connect(partial(self._keep_up, file))

    def detach(self, file: OpenFile) -> None:
        """End that: the file is closed."""
        self._backgrounds.pop(file).stop()
        for offer in self._offers.pop(file):
            self._app.notices.withdraw(_topic(file, offer))
        for renaming in self._in_plugins.pop(file):
            self._app.notices.withdraw(_plugin_topic(file, renaming))

    def _search_plugins(self, file: OpenFile, renaming: Renaming) -> None:
        from sdfviewer.refactoring.renaming import plugin_lines  # noqa: PLC0415  # with its first use

        search = partial(plugin_lines, renaming.model, renaming.row)
        self._backgrounds[file].run(search, partial(self._show_plugins, file, renaming))

    def _show_plugins(self, file: OpenFile, renaming: Renaming, lines: list[int]) -> None:
        if not lines:
            return
        self._in_plugins[file].append(renaming)
        self._app.notices.ask(
            _plugin_topic(file, renaming),
            f"Plugins of {file.name} still mention '{renaming.old}', which is now called '{renaming.name}': "
            f"{listed_lines(lines)}.",
            {"Show": partial(self._show_line, file, lines[0])},
        )
        self._withdraw_undone(file)

    @staticmethod
    def _show_line(file: OpenFile, line: int) -> None:
        document = file.session.document
        if line <= document.text.count("\n") + 1:  # the text may be another one by now
            start = document.offset_of_line(line)
            file.context.requests.show_place(document.span_between(start, start + len(document.line(line))))

    def _search(self, file: OpenFile, renaming: Renaming) -> None:
        if file.session.path is None:
            return
        offer = _Offer(renaming, renaming.renamed)
        for earlier in self._offers[file]:
            if earlier.name == offer.name:  # other files still say what it was called before that
                whole = replace(earlier.renaming, name=renaming.name, renamed=offer.name)
                offer = _Offer(whole, offer.name)
        background = self._backgrounds[file]
        search = self._app.project_files.search(file.session, offer.renaming.model, lambda: background.is_stopped)

        def count() -> int:
            dependents = search().dependents.edits_for(offer.renaming.row, offer.renaming.name)
            return sum(bool(dependent.edit.replacements) for dependent in dependents)

        background.run(count, partial(self._offer, file, offer))

    def _offer(self, file: OpenFile, offer: _Offer, number: int) -> None:
        if number == 0:
            self.searched.emit(0)
            return
        self._offers[file] = [each for each in self._offers[file] if each.first_name != offer.first_name]
        self._offers[file].append(offer)
        files = f"{counted(number, 'other file')} still name{'s' if number == 1 else ''}"
        self._app.notices.ask(
            _topic(file, offer),
            f"{files} '{offer.renaming.old}' of {file.name}, which is now called '{offer.renaming.name}'.",
            {"Update References…": partial(self._open, file, offer)},
        )
        self._withdraw_undone(file)
        self.searched.emit(number)

    def _open(self, file: OpenFile, offer: _Offer) -> None:
        from sdfviewer.gui.operations.rename_dialog import UpdateReferencesDialog  # noqa: PLC0415  # when it is opened

        self._offers[file].remove(offer)
        dialog = UpdateReferencesDialog(file.context, offer.renaming, self._app.project_files, self._app.dialog_parent)
        self._app.open_dialog(dialog)

    def _keep_up(self, file: OpenFile, change: SessionChange) -> None:
        names = dict(change.renamed)
        for offer in self._offers[file]:
            offer.name = names.get(offer.name, offer.name)
        if change.document:
            self._withdraw_undone(file)

    def _withdraw_undone(self, file: OpenFile) -> None:
        """Withdraw the offers for things that have their former name again or no longer exist."""
        model = file.session.model
        for offer in tuple(self._offers[file]):
            if offer.name == offer.first_name or model is None or offer.name not in model.rows_by_name:
                self._offers[file].remove(offer)
                self._app.notices.withdraw(_topic(file, offer))
        for renaming in tuple(self._in_plugins[file]):
            if model is None or renaming.renamed not in model.rows_by_name:
                self._in_plugins[file].remove(renaming)
                self._app.notices.withdraw(_plugin_topic(file, renaming))


def _plugin_topic(file: OpenFile, renaming: Renaming) -> str:
    return f"plugins {id(file)} {renaming.renamed}"


def _topic(file: OpenFile, offer: _Offer) -> str:
    return f"renamed {id(file)} {offer.first_name}"
