"""The View menu: what the 3D view shows, the camera, comparisons, units, theme and panels."""

# ruff: noqa: E501
from __future__ import annotations

from functools import partial

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication

from sdfviewer.gui.context.settings import QUATERNIONS
from sdfviewer.gui.shell.actions.declaration import SELECT_FIRST, Declarations, Run, Switch, on_file, when_chosen
from sdfviewer.gui.shell.actions.tool_actions import view_switch
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.docks import DOCKS
from sdfviewer.gui.shell.layouts import WORKSPACES, WorkspaceSpec
from sdfviewer.gui.shell.open_file import OpenFile
from sdfviewer.gui.widgets.theme import Choice
from sdfviewer.gui.widgets.units import AngleUnit
from sdfviewer.scene.section import Section, through_middle

VIEW = Declarations("View")
_SHOW, _CAMERA, _COMPARE, _ANGLES = "View/Show", "View/Camera", "View/Compare", "View/Angles"
_VISIBLE, _SECTION = "View/Visibility", "View/Section"


# --- what is shown -------------------------------------------------------------------------------------------------


def _shown(
    id: str,
    text: str,
    keys: str,
    icon: str,
    tip: str,
    *,
    on: bool = False,
    toolbar: bool = False,
    section: bool = False,
) -> None:
    VIEW.switch(id, text, keys, icon, menu=_SHOW, on=on, toolbar=toolbar, section=section, tip=tip)(view_switch(id))


def _one_of(menu: str, id: str, text: str, keys: str, tip: str, *, on: bool = False) -> None:
    VIEW.switch(id, text, keys, menu=menu, group=id.partition(".")[0], on=on, tip=tip)(view_switch(id))


# fmt: off
_shown("show.frames", "Frames", "Ctrl+Alt+F", "mdi6.axis-arrow", "Show the triads of all frames", on=True, toolbar=True)
_shown("show.joints", "Joint Axes", "Ctrl+Alt+J", "mdi6.rotate-3d-variant", "Show joint axes and their limits", on=True, toolbar=True)
_shown("show.labels", "Labels", "Ctrl+Alt+L", "mdi6.tag-text-outline", "Show the names of frames", on=True, toolbar=True)
_shown("show.inertia", "Inertia", "Ctrl+Alt+I", "mdi6.weight", "Show the inertia of each link as a box", toolbar=True)
_shown("show.centres", "Centers of Mass", "Ctrl+G, M", "mdi6.circle-slice-8", "Show the center of mass of each link")
_shown("show.collisions", "Collisions", "Ctrl+Alt+C", "mdi6.shield-outline", "Show collision geometry", toolbar=True)
_shown("show.visuals", "Visuals", "Ctrl+Alt+V", "mdi6.eye-outline", "Show visual geometry", on=True)
_shown("show.grid", "Grid", "Ctrl+Alt+G", "mdi6.grid", "Show the ground grid, in metres", on=True)
_shown("show.shadows", "Shadows", "Ctrl+G, D", "mdi6.box-shadow", "Show shadows", on=True)
_shown("show.sensors", "Sensors", "Ctrl+G, S", "mdi6.cctv", "Show camera frustums, lidar fans and actors", on=True, section=True)
_shown("show.lights", "Lights", "Ctrl+G, L", "mdi6.lightbulb-outline", "Show lights and their directions", on=True)
_shown("show.parent_sides", "Parent Sides of Joints", "Ctrl+G, P", "", "Show Jp, the joint frame fixed to the parent, beside Jc", section=True)
_shown("show.canonical", "Canonical Links", "Ctrl+G, C", "", "Show a line from each model to its canonical link")
_shown("show.everything", "All Glyphs in Full", "A", "mdi6.arrow-expand-all", "Show every frame, joint, frustum and label in full detail")
_shown("show.only_chain", "Only Selection and Its Chain", "Ctrl+G, O", "", "Fade all frames except the selected ones and those that their poses depend on")

_one_of("View/Edges in 3D", "edges.off", "None", "Ctrl+G, 0", "Show no edges between frames", on=True)
_one_of("View/Edges in 3D", "edges.relative_to", "relative_to", "Ctrl+G, R", "Show an arrow from each frame to the one in which its pose is given")
_one_of("View/Edges in 3D", "edges.attached_to", "attached_to", "Ctrl+G, A", "Show an arrow from each frame to the one with which it moves")
_one_of("View/Frames Behind Surfaces", "depth.top", "In Front", "Ctrl+G, 1", "Show frames in front of everything", on=True)
_one_of("View/Frames Behind Surfaces", "depth.xray", "X-Ray", "Ctrl+G, 2", "Show frames behind surfaces faintly")
_one_of("View/Frames Behind Surfaces", "depth.tested", "Hidden", "Ctrl+G, 3", "Hide frames behind surfaces")
# fmt: on


@VIEW.action("show.display", "Sizes and Filters…", "Ctrl+G, V", "mdi6.tune-variant", menu=_SHOW)
@on_file
def open_display_menu(_app: App, file: OpenFile) -> None:
    """Choose which frames are shown, their size, and the transparency of surfaces."""
    file.view.open_display_menu()


_shown(
    "show.transparent",
    "Transparent",
    "Ctrl+Alt+T",
    "mdi6.circle-opacity",
    "Make all surfaces transparent",
    section=True,
    toolbar=True,
)
_shown("show.wireframe", "Wireframe", "Ctrl+Alt+W", "mdi6.vector-square", "Show surfaces as wireframes", toolbar=True)


# --- what is hidden ------------------------------------------------------------------------------------------------


@VIEW.action("visible.hide", "Hide", "H", "mdi6.eye-off-outline", menu=_VISIBLE)
@on_file
def hide(app: App, file: OpenFile) -> None:
    """Hide the selection in the 3D view, with all that is written in it."""
    if not file.session.selection:
        app.messages.refuse(SELECT_FIRST)
    else:
        file.session.set_visibility(file.session.visibility.hide(file.session.selection))


@VIEW.action("visible.isolate", "Isolate", "Shift+H", "mdi6.eye-circle-outline", menu=_VISIBLE)
@on_file
def isolate(app: App, file: OpenFile) -> None:
    """Show only the selection in the 3D view."""
    session = file.session
    if not session.selection:
        app.messages.refuse(SELECT_FIRST)
    elif session.model is not None:
        session.set_visibility(session.visibility.isolate(session.model, session.selection))


@VIEW.action("visible.all", "Show All", "Ctrl+Shift+H", "mdi6.eye-outline", menu=_VISIBLE)
@on_file
def show_all(_app: App, file: OpenFile) -> None:
    """Show everything in the 3D view that was hidden."""
    file.session.set_visibility(file.session.visibility.show_all())


def _set_opacity(opacity: float) -> Run:
    @on_file
    def act(app: App, file: OpenFile) -> None:
        if not file.session.selection:
            app.messages.refuse(SELECT_FIRST)
        else:
            file.session.set_visibility(file.session.visibility.with_opacity(file.session.selection, opacity))

    return act


for _percent, _keys in ((100, "Ctrl+G, 9"), (60, "Ctrl+G, 6"), (30, "Ctrl+G, 8"), (10, "Ctrl+G, 7")):
    VIEW.action(
        f"visible.opacity_{_percent}",
        "Opaque" if _percent == 100 else f"{_percent} % Opacity",
        _keys,
        menu=_VISIBLE,
        section=_percent == 100,
        tip=f"Draw the selection with {_percent} % of its opacity",
    )(_set_opacity(_percent / 100))


# --- section planes ------------------------------------------------------------------------------------------------


def _cut(file: OpenFile, frame: str, normal: tuple[float, float, float]) -> None:
    """Cut a file's model in half across a direction of a frame."""
    canvas, X_RootF = file.view.canvas, file.session.pose_of(frame)
    if canvas is not None and X_RootF is not None:
        file.session.set_section(through_middle(frame, normal, X_RootF, canvas.feed.scene.outline()))


def _cut_across(axis: int) -> Run:
    @on_file
    def act(_app: App, file: OpenFile) -> None:
        if file.session.model is not None:
            normal = (float(axis == 0), float(axis == 1), float(axis == 2))
            _cut(file, file.session.model.names[0], normal)

    return act


for _axis, _name in enumerate("xyz"):
    VIEW.action(
        f"section.{_name}",
        f"Across {_name}",
        f"Shift+{_name.upper()}",
        menu=_SECTION,
        tip=f"Cut the model open across the {_name} axis; drag the handle to move the plane",
    )(_cut_across(_axis))


@VIEW.action("section.frame", "Along Selected Frame", "Shift+T", "mdi6.axis-arrow", menu=_SECTION)
@on_file
def cut_along_frame(app: App, file: OpenFile) -> None:
    """Cut the model open in the x-y plane of the selected frame; the plane moves with the frame."""
    if not file.session.selection:
        app.messages.refuse(SELECT_FIRST)
    else:
        file.session.set_section(Section(file.session.selection[-1], (0.0, 0.0, 1.0)))


@VIEW.action("section.face", "Along a Face…", "Shift+G", "mdi6.vector-square", menu=_SECTION)
@on_file
def cut_along_face(app: App, file: OpenFile) -> None:
    """Click the face along which the model is cut open."""
    if file.view.canvas is not None:
        file.view.canvas.tools.section.picks_face = True
        app.messages.say("Click a flat face.")


@VIEW.action("section.flip", "Flip", "Shift+N", "mdi6.swap-horizontal", menu=_SECTION, section=True)
@on_file
def flip_section(_app: App, file: OpenFile) -> None:
    """Cut away the other side of the section plane."""
    if file.session.section is not None:
        file.session.set_section(file.session.section.flipped())


@VIEW.action("section.off", "Remove Section Plane", "Shift+Q", "mdi6.cube-outline", menu=_SECTION)
@on_file
def remove_section(_app: App, file: OpenFile) -> None:
    """Show the model whole."""
    file.session.set_section(None)


# --- camera --------------------------------------------------------------------------------------------------------


@VIEW.action("camera.focus", "Focus on Selection", "F", "mdi6.image-filter-center-focus", menu=_CAMERA, toolbar=True)
@on_file
def focus(_app: App, file: OpenFile) -> None:
    """Center the selection in the view."""
    file.bridge.focus_requested.emit(file.session.selection)


@VIEW.action("camera.fit", "Fit All", "Home", "mdi6.fit-to-page-outline", menu=_CAMERA, toolbar=True)
@on_file
def fit(_app: App, file: OpenFile) -> None:
    """Fit everything into the view."""
    file.bridge.focus_requested.emit(())


def _look_from(side: str) -> Run:
    @on_file
    def look(_app: App, file: OpenFile) -> None:
        if file.view.canvas is not None:
            file.view.canvas.look_from(side)

    return look


for _side, _text, _keys, _icon, _tip in (
    ("front", "Front", "Ctrl+1", "", "Look at the front, along −x"),
    ("back", "Back", "Ctrl+2", "", "Look at the back, along +x"),
    ("left", "Left", "Ctrl+3", "", "Look at the left side, along −y"),
    ("right", "Right", "Ctrl+4", "", "Look at the right side, along +y"),
    ("top", "Top", "Ctrl+5", "", "Look down, along −z"),
    ("bottom", "Bottom", "Ctrl+6", "", "Look up, along +z"),
    ("iso", "Isometric", "Ctrl+7", "mdi6.cube-scan", "Look from the upper corner"),
):
    VIEW.action(f"camera.{_side}", _text, _keys, _icon, menu=_CAMERA, section=_side == "front", tip=_tip)(
        _look_from(_side)
    )
VIEW.switch(
    "camera.orthographic",
    "Orthographic",
    "Ctrl+8",
    "mdi6.cube-outline",
    menu=_CAMERA,
    section=True,
    tip="Show the view without perspective",
)(view_switch("camera.orthographic"))
VIEW.switch(
    "camera.follow",
    "Follow Selection",
    "Ctrl+G, F",
    "mdi6.crosshairs-gps",
    menu=_CAMERA,
    tip="Move the camera with the selected frame",
)(view_switch("camera.follow"))


def _set_navigation(name: str) -> Switch:
    return when_chosen(lambda app: setattr(app.settings, "navigation", name))


for _name, _text, _keys, _tip in (
    ("gazebo", "Gazebo", "Ctrl+Alt+1", "Left pans, middle orbits, right zooms"),
    ("rviz", "RViz", "Ctrl+Alt+2", "Left orbits, middle pans, right zooms"),
    ("web", "Web", "Ctrl+Alt+3", "Left orbits, right pans, the wheel zooms"),
):
    VIEW.switch(
        f"navigation.{_name}",
        _text,
        _keys,
        menu="View/Mouse Navigation",
        group="navigation",
        on=_name == "rviz",
        needs_file=False,
        tip=_tip,
    )(_set_navigation(_name))


# --- compare -------------------------------------------------------------------------------------------------------


def _compare(id: str) -> Switch:
    """Return a switch that shows a comparison, and the panel that says what differs and why."""
    show = view_switch(id)

    def act(app: App, on: bool) -> None:
        show(app, on)
        if not on or not app.dialog_parent.isVisible():
            return
        if id == "compare.ghost":
            # Beside the list of what the two conventions place differently, the ghost is the other convention.
            if app.docks.docks["compare"].isVisible():
                app.actions["compare.reading"].setChecked(True)
            return
        if id != "compare.side" and app.actions["compare.off"].isChecked():
            app.actions["compare.ghost"].setChecked(True)
        if id != "compare.zero" and app.files.current is not None:
            app.docks.show("compare")

    return act


for _id, _text, _keys, _icon, _tip in (
    ("off", "Off", "Ctrl+Alt+7", "mdi6.ghost-off-outline", "Show no ghost"),
    ("ghost", "Ghost", "Ctrl+Alt+0", "mdi6.ghost-outline", "Overlay the zero positions or the URDF convention"),
    (
        "side",
        "Side by Side",
        "Ctrl+Alt+9",
        "mdi6.view-split-vertical",
        "Show the SDFormat convention (model-absolute) beside the URDF convention (element-relative)",
    ),
):
    VIEW.switch(
        f"compare.{_id}",
        _text,
        _keys,
        _icon,
        menu=_COMPARE,
        group="compare",
        on=_id == "off",
        toolbar=True,
        tip=_tip,
    )(view_switch("compare.off") if _id == "off" else _compare(f"compare.{_id}"))
for _id, _text, _keys, _tip in (
    ("zero", "Ghost Shows Zero Positions", "Ctrl+Alt+Z", "Show the model with all joints at zero as the ghost"),
    (
        "reading",
        "Ghost Shows URDF Convention",
        "Ctrl+Alt+X",
        "Show the poses of the URDF convention as the ghost",
    ),
):
    VIEW.switch(
        f"compare.{_id}",
        _text,
        _keys,
        menu=_COMPARE,
        group="ghost",
        on=_id == "zero",
        section=_id == "zero",
        tip=_tip,
    )(_compare(f"compare.{_id}"))
VIEW.switch(
    "compare.colours",
    "Color by Difference",
    "Ctrl+Alt+B",
    "mdi6.palette-outline",
    menu=_COMPARE,
    on=True,
    tip="Color frames by the difference between the two conventions",
)(view_switch("compare.colours"))


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
        menu="View/Theme",
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
    else:
        app.docks.docks[id].hide()


def _switch_workspace(workspace: WorkspaceSpec) -> Switch:
    def switch(app: App) -> None:
        before = app.workspaces.current
        app.workspaces.switch(workspace)
        if workspace.id == "compare":
            app.actions["compare.side"].setChecked(True)
        elif before.id == "compare" and app.actions["compare.side"].isChecked():
            app.actions["compare.off"].setChecked(True)

    return when_chosen(switch)


for _workspace in WORKSPACES:
    VIEW.switch(
        f"workspace.{_workspace.id}",
        _workspace.name,
        _workspace.shortcut,
        menu="View/Workspace",
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
        menu="View/Panels",
        on=not _dock.on_demand,
        needs_file=False,
        tip=f"Show or hide {_dock.description}",
    )(partial(_toggle_panel, _dock.id))


@VIEW.action("view.reset_layout", "Reset Layout", "Ctrl+Alt+Home", "mdi6.restore", section=True, needs_file=False)
def reset_layout(app: App) -> None:
    """Restore the default layout of this workspace."""
    app.workspaces.reset()


@VIEW.action("view.maximize", "Maximize Panel", "F11", "mdi6.arrow-expand-all", needs_file=False)
def maximize_panel(app: App) -> None:
    """Fill the window with the panel under the pointer, or restore all panels."""
    if app.workspaces.is_maximized:
        app.workspaces.restore_maximized()
        return
    pointed = QApplication.widgetAt(QCursor.pos())
    if pointed is None or pointed.window() is not app.dialog_parent:
        pointed = QApplication.focusWidget()
    app.workspaces.maximize(app.docks.panel_at(pointed))
