"""Decorators that declare an action beside the function it runs.

A module of this folder declares the actions of one menu::

    FILE = Declarations("File")

    @FILE.action("file.reload", "Reload", "Ctrl+R", "mdi6.refresh")
    @on_file
    def reload(app: App, file: OpenFile) -> None:
        \"\"\"Read the file again from disk.\"\"\"

The first line of the docstring is what tooltips and the status bar say.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypedDict

from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.refusals import SELECT_FIRST, ActionSpec
from sdfviewer.operations.declaration import Operation
from sdfviewer.session.read_only import why_not_current

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: What an action runs; a switch is handed whether it is on.
Run = Callable[[App], object]
Switch = Callable[[App, bool], object]

EDITS = "edits_structure"
"""Attribute of a function that is refused where only text can be edited; what wraps it has it too."""


class Options(TypedDict, total=False):
    """Options of actions and switches; see :class:`ActionSpec`."""

    menu: str
    tip: str
    section: bool
    needs_file: bool
    toolbar: bool


class ActionOptions(Options, total=False):
    """Options of an action."""

    in_source: bool
    more_shortcuts: tuple[str, ...]
    operation: Operation


class SwitchOptions(Options, total=False):
    """Options of a switch."""

    group: str
    on: bool
    again: bool
    short: str


class Declarations:
    """The actions of one module, in the order of their menus.

    Attributes
    ----------
    menu
        The menu of those that name no other.
    specs
        The actions.
    """

    def __init__(self, menu: str) -> None:
        self.menu = menu
        self.specs: list[ActionSpec] = []

    def action(
        self, id: str, text: str, shortcut: str = "", icon: str = "", **options: Unpack[ActionOptions]
    ) -> Callable[[Run], Run]:
        """Return a decorator that declares a function as an action."""

        def declare(run: Run) -> Run:
            self._add(run, lambda app, _on: run(app), options, id=id, text=text, shortcut=shortcut, icon=icon)
            return run

        return declare

    def operation(self, operation: Operation) -> Callable[[Run], Run]:
        """Return a decorator that declares a function as the action of an operation."""
        menu = operation.menu
        assert menu is not None
        return self.action(
            menu.id,
            menu.text,
            menu.keys,
            menu.icon,
            menu=menu.path,
            section=menu.section,
            tip=menu.tip or operation.summary,
            operation=operation,
        )

    def switch(
        self, id: str, text: str, shortcut: str = "", icon: str = "", **options: Unpack[SwitchOptions]
    ) -> Callable[[Switch], Switch]:
        """Return a decorator that declares a function as a switch; it is handed whether the switch is on."""

        def declare(run: Switch) -> Switch:
            self._add(run, run, options, id=id, text=text, shortcut=shortcut, icon=icon, checkable=True)
            return run

        return declare

    def _add(
        self, declared: Callable[..., object], run: Switch, options: ActionOptions | SwitchOptions, **fields: Any
    ) -> None:
        defaults = {"menu": self.menu, "tip": tip_of(declared), "edits": getattr(declared, EDITS, False)}
        self.specs.append(ActionSpec(run=run, **{**defaults, **fields, **options}))


def tip_of(run: Callable[..., object]) -> str:
    """Return the first line of a docstring, without its full stop."""
    lines = (run.__doc__ or "").strip().splitlines()
    return lines[0].rstrip(".") if lines else ""


# --- what actions need ---------------------------------------------------------------------------------------------


def on_file(run: Callable[[App, OpenFile], object]) -> Run:
    """Return an action that runs on the current file, where one is open."""

    @wraps(run)
    def act(app: App) -> None:
        if app.files.current is not None:
            run(app, app.files.current)

    return act


def on_model(run: Callable[[App, OpenFile], object]) -> Run:
    """Return an action that needs text that can be read."""

    @on_file
    @wraps(run)
    def act(app: App, file: OpenFile) -> None:
        reason = why_not_current(file.session)
        if reason is None:
            run(app, file)
        else:
            app.messages.refuse(reason.sentence)

    return act


def on_frame(run: Callable[[App, OpenFile, int], object]) -> Run:
    """Return an action that needs a selected frame: it is handed the row of the one selected last."""

    @on_file
    @wraps(run)
    def act(app: App, file: OpenFile) -> None:
        row, reason = file.session.selected_row, why_not_current(file.session)
        if row is None:
            app.messages.refuse(SELECT_FIRST)
        elif reason is not None:
            app.messages.refuse(reason.sentence)
        else:
            run(app, file, row)

    return act


def when_chosen(run: Run) -> Switch:
    """Return a switch of a group that runs when it is chosen, and not when another one is."""

    @wraps(run)
    def act(app: App, on: bool) -> None:
        if on:
            run(app)

    return act
