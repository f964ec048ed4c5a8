"""The View menu, second part: the camera and the mouse."""

from __future__ import annotations

from sdfviewer.gui.kit.commands import FIT_ALL, FOCUS
from sdfviewer.gui.shell.actions.declaration import Declarations, Run, Switch, on_file, when_chosen
from sdfviewer.gui.shell.actions.tool_actions import view_switch
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.files.open_file import OpenFile

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
