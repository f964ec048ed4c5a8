"""The Help menu: manual, shortcuts, tour, report; and the preferences."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMessageBox, QWhatsThis, QWidget

from sdfviewer.gui.shell.actions.declaration import Declarations
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.crash import describe_system, report_problem
from sdfviewer.gui.shell.example_views import read_example_link, show_example

HELP = Declarations("Help")


@HELP.action("help.manual", "Manual", "F1", "mdi6.book-open-page-variant-outline", needs_file=False)
def open_manual(app: App) -> None:
    """Read and search the manual."""
    from sdfviewer.gui.dialogs.help.manual import Manual

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
    from sdfviewer.gui.dialogs.help.shortcuts import ShortcutSheet

    commands = list(app.menus.actions())
    defaults = {id: QKeySequence(keys).toString() for id, keys in app.menus.default_shortcuts().items()}
    app.open_dialog(ShortcutSheet(commands, defaults, app.settings, app.dialog_parent))


@HELP.action("help.tour", "Tour", "Ctrl+K, F1", "mdi6.map-marker-path", needs_file=False)
def start_tour(app: App) -> None:
    """Take a tour of the window in five steps."""
    from sdfviewer.gui.dialogs.help.tour import Tour, TourStep

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
            "You can change what this file defines, and Ctrl+Z undoes it.",
            lambda: panel("properties"),
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
        ),
    )
    tour = Tour(steps, app.dialog_parent)
    app.files.current_changed.connect(tour.follow)
    tour.ended.connect(lambda: app.messages.show_message("Help › Tour starts the tour again."))
    app.settings.set_flag("tour.seen", True)


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
    box.open()


@HELP.action(
    "edit.preferences", "Preferences…", "Ctrl+,", "mdi6.cog-outline", menu="Edit", section=True, needs_file=False
)
def open_preferences(app: App) -> None:
    """Change theme, units, mouse, folders and keys."""
    from sdfviewer.gui.dialogs.help.preferences import Preferences

    app.open_dialog(
        Preferences(app.settings, app.files.choose_model_folders, lambda: open_shortcuts(app), app.dialog_parent)
    )
