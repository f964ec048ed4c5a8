"""The Help menu: manual, tour, shortcuts and preferences, and the examples that the manual opens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

from PySide6.QtCore import QRect, QTimer, QUrl, QUrlQuery
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMessageBox, QWhatsThis, QWidget

from sdfviewer.gui.shell.actions.declaration import Declarations
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.crash import describe_system, report_problem
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.workspaces import WORKSPACES
from sdfviewer.model.kinds import Kind
from sdfviewer.resources import resource

HELP = Declarations("Help")

_AROUND = 5
"""Pixels around the buttons that the tour lights."""


@HELP.action("help.manual", "Manual", "F1", "mdi6.book-open-page-variant-outline", needs_file=False)
def open_manual(app: App) -> None:
    """Read and search the manual."""
    from sdfviewer.gui.help.manual import Manual

    manual = Manual(app.dialog_parent)
    manual.example_requested.connect(lambda url: show_example(app, read_example_link(url)))
    app.show_dialog(manual)


@HELP.action("help.whats_this", "What Is This?", "Shift+F1", "mdi6.help-circle-outline", needs_file=False)
def explain(_app: App) -> None:
    """Explain the panel that the user clicks next."""
    QWhatsThis.enterWhatsThisMode()


@HELP.action("help.shortcuts", "Keyboard Shortcuts…", "Ctrl+K, Ctrl+B", "mdi6.keyboard-outline", needs_file=False)
def open_shortcuts(app: App) -> None:
    """Show and change the keys of all commands."""
    from sdfviewer.gui.help.shortcuts import ShortcutSheet
    from sdfviewer.gui.shell.command_palette import synonyms_of

    commands = list(app.menus.actions())
    defaults = {id: QKeySequence(keys).toString() for id, keys in app.menus.default_shortcuts().items()}
    app.open_dialog(ShortcutSheet(commands, defaults, synonyms_of, app.settings, app.dialog_parent))


@HELP.action("help.tour", "Tour", "Ctrl+K, F1", "mdi6.map-marker-path", needs_file=False)
def start_tour(app: App) -> None:
    """Take a tour of the window in five steps."""
    from sdfviewer.gui.help.tour import Tour, TourStep

    def centre() -> QWidget:
        # Asked for each time: the file may be read only after the tour has begun.
        return app.files.current.view if app.files.current is not None else app.welcome

    def panel(id: str) -> QWidget | None:
        return app.docks.docks[id] if app.docks.docks[id].isVisible() else None

    steps = (
        TourStep(
            "See your robot",
            "The left button orbits, the middle one pans, the wheel zooms. Click a frame to select it, in any panel; "
            "F looks at it.",
            centre,
        ),
        TourStep(
            "Find any frame",
            "Type a few letters above the model tree. Each row shows the kind of the frame, its visibility and its "
            "problems.",
            lambda: panel("tree"),
        ),
        TourStep(
            "Why is it there?",
            "The properties show the pose of the selected frame, what it is relative to, and the chain behind it. "
            "You can edit the fields unless a line at the top says otherwise; Ctrl+Z undoes an edit.",
            lambda: panel("properties"),
            prepare=partial(_select_a_link, app),
        ),
        TourStep(
            "Move it",
            "Each joint that can move has a slider here. You can also drag a link in the 3D view with Alt, and save "
            "poses with a name.",
            lambda: panel("joints"),
        ),
        TourStep(
            "Choose a workspace",
            "Inspect, Edit, Debug and Compare arrange the panels for a job. F11 fills the window with the panel under "
            "the pointer, Ctrl+Shift+P finds every command, F1 opens the manual.",
            lambda: app.toolbar,
            area=partial(_workspace_buttons, app),
        ),
    )
    tour = Tour(steps, app.dialog_parent)
    app.files.current_changed.connect(tour.follow)
    tour.ended.connect(lambda: app.messages.show_message("Help › Tour starts the tour again."))
    app.settings.set_flag("tour.seen", True)


def _select_a_link(app: App) -> Callable[[], None]:
    """Select the first link where nothing is selected; return what takes that back unless the user selects other."""
    file = app.files.current
    model = None if file is None else file.session.model
    if file is None or model is None or file.session.selection:
        return lambda: None
    session, links = file.session, model.kinds_are(Kind.LINK).nonzero()[0].tolist()
    chosen = tuple(model.names[row] for row in links[:1])
    session.select(chosen)

    def take_back() -> None:
        if session.selection == chosen and file in app.files.opened:
            session.select(())

    return take_back


def _workspace_buttons(app: App) -> QRect:
    """Return where the buttons of the workspaces are in the toolbar: all of it where it has no room for them."""
    bar = app.toolbar
    buttons = [bar.widgetForAction(app.actions[f"workspace.{each.id}"]) for each in WORKSPACES]
    if not all(each.isVisible() for each in buttons):
        return bar.rect()
    first, *others = (each.geometry() for each in buttons)
    for each in others:
        first = first.united(each)
    return first.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND) & bar.rect()


@HELP.action("help.report", "Report a Problem…", "Ctrl+K, Ctrl+I", "mdi6.bug-outline", section=True, needs_file=False)
def report(app: App) -> None:
    """Show the version, the system and what was logged, to be copied into a report."""
    report_problem(app.dialog_parent)


@HELP.action("help.about", "About sdfviewer", "Ctrl+K, Ctrl+V", "mdi6.information-outline", needs_file=False)
def about(app: App) -> None:
    """Show the version, graphics and system of this program."""
    box = QMessageBox(app.dialog_parent)
    box.setWindowTitle("About sdfviewer")
    box.setText("sdfviewer shows where every frame of a robot model is, why it is there, and what moves with it.")
    box.setInformativeText(describe_system())
    app.open_dialog(box)


@HELP.action(
    "edit.preferences", "Preferences…", "Ctrl+,", "mdi6.cog-outline", menu="Edit", section=True, needs_file=False
)
def open_preferences(app: App) -> None:
    """Change theme, units, mouse, folders and keys."""
    from sdfviewer.gui.help.preferences import Preferences

    app.open_dialog(
        Preferences(app.settings, app.files.choose_model_folders, lambda: open_shortcuts(app), app.dialog_parent)
    )


#: The view is laid out and fitted before the camera turns.
_SETTLE_MILLISECONDS = 150


@dataclass(frozen=True)
class ExampleView:
    """An example and how it is shown.

    Attributes
    ----------
    file
        Its name in the folder of examples.
    positions
        Joint positions by scoped name, radians and metres.
    actions
        Ids of actions to run in this order; switches are switched on.
    """

    file: str
    positions: Mapping[str, tuple[float, ...]]
    actions: tuple[str, ...]


def read_example_link(url: QUrl) -> ExampleView:
    """Return the view that a link describes: ``sdfviewer:arm.sdf?joint=arm::joint_1=0.5&action=camera.right``."""
    query = QUrlQuery(url)
    positions = {}
    for each in query.allQueryItemValues("joint"):
        name, _, values = each.rpartition("=")
        positions[name] = tuple(float(value) for value in values.split(","))
    return ExampleView(PurePosixPath(url.path()).name, positions, tuple(query.allQueryItemValues("action")))


def show_example(app: App, view: ExampleView) -> None:
    """Open an example, or show it if it is open, and arrange it once it has been read."""
    app.files.open_then(resource("examples") / view.file, lambda file: _arrange(app, file, view))


def _arrange(app: App, file: OpenFile, view: ExampleView) -> None:
    app.files.show(file)
    file.session.move_joints(dict(view.positions))
    QTimer.singleShot(_SETTLE_MILLISECONDS, file, partial(_run_actions, app, view.actions))


def _run_actions(app: App, ids: tuple[str, ...]) -> None:
    for id in ids:
        action = app.actions[id]
        if not (action.isCheckable() and action.isChecked()):
            action.trigger()
