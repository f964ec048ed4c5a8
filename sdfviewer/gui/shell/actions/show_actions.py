"""The View menu, first part: what the 3D view shows, hides and cuts open, the camera and the mouse."""

# ruff: noqa: E501
from __future__ import annotations

from sdfviewer.gui.kit.commands import FIT_ALL, FOCUS, HIDE, ISOLATE, REMOVE_SECTION, SHOW_ALL
from sdfviewer.gui.shell.actions.declaration import Declarations, Run, Switch, on_file, when_chosen
from sdfviewer.gui.shell.actions.edit_actions import view_switch
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.refusals import NO_SECTION, SELECT_FIRST
from sdfviewer.scene.tools.section import Section, through_middle

SHOW = Declarations("View/Show")
_VISIBLE, _SECTION = "View/Show/Visibility", "View/Show/Section"
_EDGES, _BEHIND = "View/Show/Edges in 3D", "View/Show/Frames Behind Surfaces"


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
    message: str = "",
    menu: str = SHOW.menu,
) -> None:
    show = view_switch(id)

    def act(app: App, on: bool) -> None:
        show(app, on)
        if message and on:
            app.messages.show_message(message)
        else:  # the message of another switch would explain symbols that are not those shown last
            app.messages.clear_message()

    SHOW.switch(id, text, keys, icon, menu=menu, on=on, toolbar=toolbar, section=section, tip=tip)(act)


def _one_of(menu: str, id: str, text: str, keys: str, tip: str, *, on: bool = False) -> None:
    SHOW.switch(id, text, keys, menu=menu, group=id.partition(".")[0], on=on, tip=tip)(view_switch(id))


# fmt: off
_shown("show.frames", "Frames", "Ctrl+Alt+F", "mdi6.axis-arrow", "Show the triads of all frames", on=True, toolbar=True)
_shown("show.joints", "Joint Axes", "Ctrl+Alt+J", "mdi6.rotate-3d-variant", "Show joint axes and their limits", on=True, toolbar=True)
_shown("show.labels", "Labels", "Ctrl+Alt+L", "mdi6.tag-text-outline", "Show the names of frames", on=True, toolbar=True)
_shown("show.inertia", "Inertia", "Ctrl+Alt+I", "mdi6.weight", "Show the inertia of each link as a box", toolbar=True, message="Each box has the mass and the inertia of its link; no real body can have those of an orange one.")
_shown("show.centres", "Centres of Mass", "Ctrl+G, M", "mdi6.circle-slice-8", "Show the centre of mass of each link and of the model", message="Yellow symbols are the centres of mass of links, a white one is that of a model.")
_shown("show.collisions", "Collisions", "Ctrl+Alt+C", "mdi6.shield-outline", "Show collision geometry", toolbar=True)
_shown("show.visuals", "Visuals", "Ctrl+Alt+V", "mdi6.eye-outline", "Show visual geometry", on=True)
_shown("show.grid", "Grid", "Ctrl+Alt+G", "mdi6.grid", "Show the ground grid, in metres", on=True)
_shown("show.shadows", "Shadows", "Ctrl+G, D", "mdi6.box-shadow", "Show shadows", on=True)
_shown("show.sensors", "Sensors", "Ctrl+G, S", "mdi6.cctv", "Show camera frustums, lidar fans and actors", on=True)
_shown("show.lights", "Lights", "Ctrl+G, L", "mdi6.lightbulb-outline", "Show lights and their directions", on=True)
_shown("show.parent_sides", "Parent Sides of Joints", "Ctrl+G, P", "", "Show Jp, the joint frame fixed to the parent, beside Jc")
_shown("show.everything", "All Glyphs in Full", "A", "mdi6.arrow-expand-all", "Show every frame, joint, frustum and label in full detail")

_one_of(_EDGES, "edges.off", "None", "Ctrl+G, 0", "Show no edges between frames", on=True)
_one_of(_EDGES, "edges.relative_to", "relative_to", "Ctrl+G, R", "Show an arrow from each frame to the one in which its pose is given")
_one_of(_EDGES, "edges.attached_to", "attached_to", "Ctrl+G, A", "Show an arrow from each frame to the one with which it moves")
_shown("show.canonical", "Canonical Links", "Ctrl+G, C", "", "Show a line from each model to its canonical link", menu=_EDGES, section=True)
_one_of(_BEHIND, "depth.top", "In Front", "Ctrl+G, 1", "Show frames in front of everything", on=True)
_one_of(_BEHIND, "depth.xray", "X-Ray", "Ctrl+G, 2", "Show frames behind surfaces faintly")
_one_of(_BEHIND, "depth.tested", "Hidden", "Ctrl+G, 3", "Hide frames behind surfaces")
# fmt: on


@SHOW.action("show.display", "Sizes and Filters…", "Ctrl+G, V", "mdi6.tune-variant")
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
    toolbar=True,
)
_shown("show.wireframe", "Wireframe", "Ctrl+Alt+W", "mdi6.vector-square", "Show surfaces as wireframes", toolbar=True)


# --- what is hidden ------------------------------------------------------------------------------------------------


@SHOW.action("visible.hide", HIDE.text, "H", HIDE.icon, menu=_VISIBLE)
@on_file
def hide(app: App, file: OpenFile) -> None:
    """Hide the selection in the 3D view, with all that is written in it."""
    if not file.session.selection:
        app.messages.refuse(SELECT_FIRST)
    else:
        file.session.set_visibility(file.session.visibility.hide(file.session.selection))


@SHOW.action("visible.isolate", ISOLATE.text, "Shift+H", ISOLATE.icon, menu=_VISIBLE)
@on_file
def isolate(app: App, file: OpenFile) -> None:
    """Show only the selection in the 3D view."""
    session = file.session
    if not session.selection:
        app.messages.refuse(SELECT_FIRST)
    elif session.model is not None:
        session.set_visibility(session.visibility.isolate(session.model, session.selection))


@SHOW.action("visible.all", SHOW_ALL.text, SHOW_ALL.keys, SHOW_ALL.icon, menu=_VISIBLE)
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


for _percent, _keys in ((100, "Ctrl+G, 9"), (60, "Ctrl+G, 8"), (30, "Ctrl+G, 7"), (10, "Ctrl+G, 6")):
    SHOW.action(
        f"visible.opacity_{_percent}",
        "Opaque" if _percent == 100 else f"{_percent} % Opacity",
        _keys,
        menu=_VISIBLE,
        section=_percent == 100,
        tip=f"Draw the selection with {_percent} % of its opacity",
    )(_set_opacity(_percent / 100))


# fmt: off
_shown("show.only_chain", "Only Selection and Its Chain", "Ctrl+G, O", "", "Fade all frames except the selected ones and those that their poses depend on", menu=_VISIBLE, section=True)
# fmt: on


# --- section planes ------------------------------------------------------------------------------------------------


def _cut(file: OpenFile, frame: str, normal: tuple[float, float, float]) -> None:
    """Cut a file's model in half across a direction of a frame."""
    canvas, X_RootF = file.view.canvas, file.session.pose_of(frame)
    if canvas is not None and X_RootF is not None:
        file.session.set_section(through_middle(frame, normal, X_RootF, canvas.feed.scene.outline()))


def _cut_across(axis: int) -> Run:
    """Return the switch of the section across an axis of the root; the section is dragged and flipped in between."""
    normal = (float(axis == 0), float(axis == 1), float(axis == 2))

    @on_file
    def act(app: App, file: OpenFile) -> None:
        model, section = file.session.model, file.session.section
        if model is None:
            return
        if section is not None and section.frame == model.names[0] and abs(section.normal[axis]) == 1.0:
            remove_section(app)
            return
        _cut(file, model.names[0], normal)
        name = "XYZ"[axis]
        app.messages.show_message(
            f"Cut across {name.lower()}. Drag the handle to move the plane; Shift+N flips it, Shift+{name} removes it."
        )

    return act


for _axis, _name in enumerate("xyz"):
    SHOW.action(
        f"section.{_name}",
        f"Across {_name}",
        f"Shift+{_name.upper()}",
        menu=_SECTION,
        tip=f"Cut the model open across the {_name} axis, or show it whole again; drag the handle to move the plane",
    )(_cut_across(_axis))


@SHOW.action("section.frame", "Along Selected Frame", "Shift+T", "mdi6.axis-arrow", menu=_SECTION)
@on_file
def cut_along_frame(app: App, file: OpenFile) -> None:
    """Cut the model open in the x-y plane of the selected frame; the plane moves with the frame."""
    if not file.session.selection:
        app.messages.refuse(SELECT_FIRST)
    else:
        file.session.set_section(Section(file.session.selection[-1], (0.0, 0.0, 1.0)))


@SHOW.action("section.face", "Along a Face…", "Shift+G", "mdi6.vector-square", menu=_SECTION)
@on_file
def cut_along_face(app: App, file: OpenFile) -> None:
    """Click the face along which the model is cut open."""
    if file.view.canvas is not None:
        file.view.canvas.tools.section.pick_face()
        app.messages.show_message("Click the face to cut along. Esc: cancel.")


@SHOW.action("section.flip", "Flip", "Shift+N", "mdi6.swap-horizontal", menu=_SECTION, section=True)
@on_file
def flip_section(app: App, file: OpenFile) -> None:
    """Cut away the other side of the section plane."""
    if file.session.section is None:
        app.messages.refuse(NO_SECTION)
    else:
        file.session.set_section(file.session.section.flipped())


@SHOW.action("section.off", REMOVE_SECTION.text, REMOVE_SECTION.keys, REMOVE_SECTION.icon, menu=_SECTION)
@on_file
def remove_section(app: App, file: OpenFile) -> None:
    """Show the model whole."""
    if file.session.section is None:
        app.messages.refuse(NO_SECTION)
    else:
        file.session.set_section(None)
        app.messages.show_message("Removed the section plane.")


CAMERA = Declarations("View/Camera")


# --- camera --------------------------------------------------------------------------------------------------------


@CAMERA.action("camera.focus", FOCUS.text, "F", FOCUS.icon, toolbar=True)
@on_file
def focus(_app: App, file: OpenFile) -> None:
    """Centre the selection in the view, or fit the model into it where nothing is selected."""
    if not file.session.selection and file.view.canvas is not None:
        file.view.canvas.camera_control.fit()
    else:
        file.context.requests.focus.emit(file.session.selection)


@CAMERA.action("camera.fit", FIT_ALL.text, "Home", FIT_ALL.icon, toolbar=True)
@on_file
def fit(_app: App, file: OpenFile) -> None:
    """Fit everything into the view."""
    file.context.requests.focus.emit(())


def _look_from(side: str) -> Run:
    @on_file
    def look(_app: App, file: OpenFile) -> None:
        if file.view.canvas is not None:
            file.view.canvas.camera_control.look_from(side)

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
    CAMERA.action(f"camera.{_side}", _text, _keys, _icon, section=_side == "front", tip=_tip)(_look_from(_side))
CAMERA.switch(
    "camera.orthographic",
    "Orthographic",
    "Ctrl+8",
    "mdi6.cube-outline",
    section=True,
    tip="Show the view without perspective",
)(view_switch("camera.orthographic"))
CAMERA.switch(
    "camera.follow",
    "Follow Selection",
    "Ctrl+G, F",
    "mdi6.crosshairs-gps",
    tip="Move the camera with the selected frame",
)(view_switch("camera.follow"))


def _set_navigation(name: str) -> Switch:
    return when_chosen(lambda app: setattr(app.settings, "navigation", name))


for _name, _text, _keys, _tip in (
    ("gazebo", "Gazebo", "Ctrl+Alt+1", "Left pans, middle orbits, right zooms"),
    ("rviz", "RViz", "Ctrl+Alt+2", "Left orbits, middle pans, right zooms"),
    ("web", "Web", "Ctrl+Alt+3", "Left orbits, right pans, the wheel zooms"),
):
    CAMERA.switch(
        f"navigation.{_name}",
        _text,
        _keys,
        menu="View/Camera/Mouse Navigation",
        group="navigation",
        on=_name == "rviz",
        needs_file=False,
        tip=_tip,
    )(_set_navigation(_name))
