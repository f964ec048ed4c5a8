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

from sdfviewer.gui.shell.action_spec import ActionSpec
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.open_file import OpenFile

#: What an action runs; a switch is handed whether it is on.
Run = Callable[[App], object]
Switch = Callable[[App, bool], object]

SELECT_FIRST = "Select a frame first."
FIX_FIRST = "Fix the XML errors first."


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
        self,
        id: str,
        text: str,
        shortcut: str = "",
        icon: str = "",
        *,
        menu: str = "",
        section: bool = False,
        needs_file: bool = True,
        toolbar: bool = False,
        in_source: bool = False,
        more_shortcuts: tuple[str, ...] = (),
        tip: str = "",
    ) -> Callable[[Run], Run]:
        """Return a decorator that declares a function as an action."""

        def declare(run: Run) -> Run:
            spec = ActionSpec(
                id,
                menu or self.menu,
                text,
                shortcut,
                icon,
                tip or tip_of(run),
                lambda app, _on: run(app),
                section=section,
                needs_file=needs_file,
                toolbar=toolbar,
                in_source=in_source,
                more_shortcuts=more_shortcuts,
            )
            self.specs.append(spec)
            return run

        return declare

    def switch(
        self,
        id: str,
        text: str,
        shortcut: str = "",
        icon: str = "",
        *,
        menu: str = "",
        group: str = "",
        on: bool = False,
        section: bool = False,
        needs_file: bool = True,
        toolbar: bool = False,
        short: str = "",
        tip: str = "",
    ) -> Callable[[Switch], Switch]:
        """Return a decorator that declares a function as a switch; it is handed whether the switch is on."""

        def declare(run: Switch) -> Switch:
            spec = ActionSpec(
                id,
                menu or self.menu,
                text,
                shortcut,
                icon,
                tip or tip_of(run),
                run,
                checkable=True,
                group=group,
                on=on,
                section=section,
                needs_file=needs_file,
                toolbar=toolbar,
                short=short,
            )
            self.specs.append(spec)
            return run

        return declare


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
        if file.session.is_current:
            run(app, file)
        else:
            app.messages.refuse(FIX_FIRST)

    return act


def on_frame(run: Callable[[App, OpenFile, int], object]) -> Run:
    """Return an action that needs a selected frame: it is handed the row of the one selected last."""

    @on_file
    @wraps(run)
    def act(app: App, file: OpenFile) -> None:
        row = file.session.selected_row
        if row is None:
            app.messages.refuse(SELECT_FIRST)
        elif not file.session.is_current:
            app.messages.refuse(FIX_FIRST)
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
