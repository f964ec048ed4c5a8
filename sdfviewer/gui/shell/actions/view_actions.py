"""The View menu, last part: comparisons, units, theme and panels."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QCursor, QKeySequence
from PySide6.QtWidgets import QApplication

from sdfviewer.gui.context.settings import QUATERNIONS
from sdfviewer.gui.kit.fields import AngleUnit
from sdfviewer.gui.kit.theme import Choice
from sdfviewer.gui.shell.actions.declaration import Declarations, Switch, on_file, when_chosen
from sdfviewer.gui.shell.actions.edit_actions import view_switch
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.docks import DOCKS
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.workspaces import DEBUG, WORKSPACES, WorkspaceSpec

VIEW = Declarations("View")
_GHOST, _ANGLES, _THEME = "View/Show/Ghost", "View/Appearance/Angles", "View/Appearance/Theme"
_WORKSPACE = "View/Workspace"


# --- compare -------------------------------------------------------------------------------------------------------


def _compare(id: str) -> Switch:
    """Return a switch that shows a comparison, and the panel that says what differs and why."""
    show = view_switch(id)

    def act(app: App, on: bool) -> None:
        show(app, on)
        if not on or not app.dialog_parent.isVisible():
            return
        if id == "compare.ghost":
            # While Compare lists the differences of the conventions, the ghost shows the other convention.
            if app.docks.docks["compare"].isVisible():
                app.actions["compare.convention"].setChecked(True)
            return
        if id != "compare.side" and app.actions["compare.off"].isChecked():
            app.actions["compare.ghost"].setChecked(True)
        if id != "compare.zero" and app.files.current is not None:
            app.docks.show("compare")

    return act


for _id, _text, _keys, _icon, _tip in (
    ("off", "Off", "Ctrl+Alt+7", "mdi6.ghost-off-outline", "Show no ghost"),
    (
        "ghost",
        "Over the Model",
        "Ctrl+Alt+0",
        "mdi6.ghost-outline",
        "Overlay the zero positions or the URDF convention",
    ),
    (
        "side",
        "Side by Side",
        "Ctrl+Alt+9",
        "mdi6.view-split-vertical",
        "Show the SDFormat convention (model-absolute) beside the URDF convention (element-relative)",
    ),
):
    VIEW.switch(f"compare.{_id}", _text, _keys, _icon, menu=_GHOST, group="compare", on=_id == "off", tip=_tip)(
        view_switch("compare.off") if _id == "off" else _compare(f"compare.{_id}")
    )
for _id, _text, _keys, _tip in (
    ("zero", "Zero Positions", "Ctrl+Alt+Z", "Show the model with all joints at zero as the ghost"),
    ("convention", "URDF Convention", "Ctrl+Alt+X", "Show the poses of the URDF convention as the ghost"),
):
    VIEW.switch(
        f"compare.{_id}",
        _text,
        _keys,
        menu=_GHOST,
        group="ghost",
        on=_id == "zero",
        again=True,  # the ghost may be off
        section=_id == "zero",
        tip=_tip,
    )(_compare(f"compare.{_id}"))
VIEW.switch(
    "compare.colours",
    "Colour by Difference",
    "Ctrl+Alt+B",
    "mdi6.palette-outline",
    menu=_GHOST,
    on=True,
    tip="Colour frames by the difference between the two conventions",
)(view_switch("compare.colours"))


@VIEW.action("compare.urdf", "URDF Readiness…", "Ctrl+K, Ctrl+2", "mdi6.clipboard-check-outline", menu="Refactor")
@on_file
def show_urdf_readiness(app: App, file: OpenFile) -> None:
    """List what keeps the model from being copied into a URDF."""
    from sdfviewer.gui.problems.reports import UrdfReadiness

    app.show_dialog(UrdfReadiness(file.session, file.context.requests, app.dialog_parent))


# --- units and theme -----------------------------------------------------------------------------------------------


def _set_unit(unit: AngleUnit) -> Switch:
    return when_chosen(lambda app: setattr(app.settings, "angle_unit", unit))


for _unit, _id, _text, _keys, _short in (
    (AngleUnit.RADIANS, "radians", "Radians", "Ctrl+Alt+R", "rad"),
    (AngleUnit.DEGREES, "degrees", "Degrees", "Ctrl+Alt+D", "deg"),
):
    VIEW.switch(
        f"unit.{_id}",
        _text,
        _keys,
        menu=_ANGLES,
        group="unit",
        on=_id == "radians",
        needs_file=False,
        toolbar=True,
        short=_short,
        tip=f"Show angles in {_id}",
    )(_set_unit(_unit))


@VIEW.switch(QUATERNIONS, "Rotations as Quaternions", "Ctrl+Alt+Q", menu=_ANGLES, section=True, needs_file=False)
def use_quaternions(app: App, on: bool) -> None:
    """Show and type the rotations of poses as quaternions x, y, z, w."""
    app.settings.set_flag(QUATERNIONS, on)


def _set_theme(choice: Choice) -> Switch:
    return when_chosen(lambda app: setattr(app.settings, "theme", choice))


for _choice, _text, _keys, _icon, _tip in (
    (Choice.SYSTEM, "Follow System", "Ctrl+Alt+4", "mdi6.theme-light-dark", "Light or dark, as set on the desktop"),
    (Choice.LIGHT, "Light", "Ctrl+Alt+5", "mdi6.white-balance-sunny", "Light theme"),
    (Choice.DARK, "Dark", "Ctrl+Alt+6", "mdi6.weather-night", "Dark theme"),
):
    VIEW.switch(
        f"theme.{_choice.value}",
        _text,
        _keys,
        _icon,
        menu=_THEME,
        group="theme",
        on=_choice is Choice.SYSTEM,
        needs_file=False,
        tip=_tip,
    )(_set_theme(_choice))


# --- panels --------------------------------------------------------------------------------------------------------


def _toggle_panel(id: str, app: App, on: bool) -> None:
    if on == (not app.docks.docks[id].isHidden()):
        return
    if on:
        app.docks.reveal(id)
    elif app.docks.is_behind(id):  # who asks for a panel that is not in sight wants to see it
        app.docks.reveal(id)
        app.actions[f"panel.{id}"].setChecked(True)
    else:
        app.docks.docks[id].hide()


def _switch_workspace(workspace: WorkspaceSpec) -> Switch:
    def switch(app: App) -> None:
        before = app.workspaces.current
        then = (_begin_with_errors,) if workspace is DEBUG else ()
        jobs = (partial(_show_conventions, app, before), *(partial(job, app) for job in (_fit_again, *then)))
        app.workspaces.switch(workspace, *jobs)

    return when_chosen(switch)


def _show_conventions(app: App, before: WorkspaceSpec) -> None:
    """Show both conventions side by side in the workspace for comparing, no more in the one after it."""
    if app.workspaces.current.id == "compare":
        app.actions["compare.side"].setChecked(True)
    elif before.id == "compare" and app.actions["compare.side"].isChecked():
        app.actions["compare.off"].setChecked(True)


def _fit_again(app: App) -> None:
    """Fit the model into the view of the new workspace before, not in, the pass in which the window is painted."""
    if app.files.current is not None:
        app.files.current.view.fit_again(at_once=True)


def _begin_with_errors(app: App) -> None:
    """Show the first problem of a file with errors in all views, where nothing else is selected."""
    file = app.files.current
    if file is None or file.session.selection or app.docks.docks["problems"].isHidden():
        return
    if any(each.is_error for each in file.session.diagnostics):
        file.problems.step(1)


for _workspace in WORKSPACES:
    VIEW.switch(
        f"workspace.{_workspace.id}",
        _workspace.name,
        _workspace.shortcut,
        menu=_WORKSPACE,
        group="workspace",
        on=_workspace is WORKSPACES[0],
        section=_workspace is WORKSPACES[0],
        needs_file=False,
        toolbar=True,
        short=_workspace.name,
        tip=_workspace.description,
    )(_switch_workspace(_workspace))


for _dock in DOCKS:
    VIEW.switch(
        f"panel.{_dock.id}",
        _dock.name,
        _dock.shortcut,
        menu=f"{_WORKSPACE}/Panels",
        on=not _dock.on_demand,
        needs_file=False,
        tip=f"Show or hide {_dock.description}",
    )(partial(_toggle_panel, _dock.id))


@VIEW.switch("view.performance", "Performance", "Ctrl+G, W", "mdi6.speedometer", section=True, needs_file=False)
def show_performance(app: App, on: bool) -> None:
    """Show how long a frame and the last edit took, and what has held the window."""
    from sdfviewer.gui.shell.performance import PerformanceMeter

    meter = app.dialog_parent.findChild(PerformanceMeter)
    if meter is not None:
        meter.stop()
    views = app.docks.centre.centralWidget()
    if on and views is not None:
        PerformanceMeter(app.files, views)


@VIEW.action(
    "view.reset_layout",
    "Reset Layout",
    "Ctrl+Alt+Home",
    "mdi6.restore",
    menu=_WORKSPACE,
    section=True,
    needs_file=False,
)
def reset_layout(app: App) -> None:
    """Restore the default layout of this workspace."""
    app.workspaces.reset()


@VIEW.action("view.maximize", "Maximize Panel", "F11", "mdi6.arrow-expand-all", menu=_WORKSPACE, needs_file=False)
def maximize_panel(app: App) -> None:
    """Fill the window with the panel under the pointer, or restore all panels."""
    if app.workspaces.is_maximized:
        app.workspaces.restore_maximized()
        app.messages.clear_message()
        return
    pointed = QApplication.widgetAt(QCursor.pos())
    if pointed is None or pointed.window() is not app.dialog_parent:
        pointed = QApplication.focusWidget()
    app.workspaces.maximize(app.docks.panel_at(pointed))
    keys = app.actions["view.maximize"].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    app.messages.show_message(f"{keys or 'View → Workspace → Maximize Panel'} restores the other panels.")
