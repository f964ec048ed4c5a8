"""The tools of the 3D view, in the Edit menu."""

from __future__ import annotations

from sdfviewer.gui.kit.commands import MEASURE_FROM
from sdfviewer.gui.shell.actions.declaration import Declarations, Switch, on_file
from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.refusals import SELECT_FIRST

#: Topics of the switches that belong to the 3D views.
VIEW_TOPICS = ("show", "compare", "camera", "tool", "axes", "edges", "depth")
TOOLS = Declarations("Edit/Tool")


def show_switches(app: App, file: OpenFile) -> None:
    """Show the switches of the 3D views in one of them."""
    switches = {id: each.isChecked() for id, each in app.actions.items() if each.isCheckable()}
    file.view.set_switches({id: on for id, on in switches.items() if id.partition(".")[0] in VIEW_TOPICS})


def view_switch(id: str) -> Switch:
    """Return a switch that is remembered and shown in all 3D views."""

    def show(app: App, on: bool) -> None:
        app.settings.set_flag(id, on)
        for file in app.files.opened:
            show_switches(app, file)

    return show


for _id, _text, _keys, _icon, _tip in (
    ("select", "Select", "Q", "mdi6.cursor-default-outline", "Click to select; drag to move the camera"),
    (
        "move",
        "Move",
        "T",
        "mdi6.cursor-move",
        "Move the selected frame with handles; X, Y, Z lock an axis, Ctrl snaps, type a number for an exact value",
    ),
    (
        "rotate",
        "Rotate",
        "R",
        "mdi6.rotate-orbit",
        "Rotate the selected frame with handles; X, Y, Z lock an axis, Ctrl snaps, type a number for an exact value",
    ),
    (
        "resize",
        "Resize",
        "S",
        "mdi6.resize",
        "Pull faces, edges and ends of the selected shape; type a size, Ctrl snaps, Shift pulls both sides",
    ),
    (
        "pose",
        "Pose",
        "P",
        "mdi6.hand-back-right-outline",
        "Drag a link to move its joint; Shift moves all joints below it; hold Alt to do this in any tool",
    ),
    (
        "measure",
        "Measure",
        "M",
        "mdi6.ruler",
        "Measure between frames, axes, vertices, edges and faces: click A, then B",
    ),
):
    TOOLS.switch(f"tool.{_id}", _text, _keys, _icon, group="tool", on=_id == "select", tip=_tip)(
        view_switch(f"tool.{_id}")
    )


@TOOLS.action("tool.measure_from", MEASURE_FROM.text, "Shift+M", MEASURE_FROM.icon)
@on_file
def measure_from(app: App, file: OpenFile) -> None:
    """Measure from the selected frame: click what to measure to in the 3D view."""
    if file.session.selection:
        file.context.requests.measure.emit(file.session.selection[-1])
    else:
        app.messages.refuse(SELECT_FIRST)


TOOLS.switch(
    "tool.snap", "Snap", "Shift+S", "mdi6.magnet", section=True, tip="Move and rotate in steps; hold Ctrl to toggle"
)(view_switch("tool.snap"))
TOOLS.switch(
    "tool.alone",
    "Only the Frame Itself",
    "Shift+O",
    "mdi6.link-variant-off",
    tip="Keep other frames in place by recalculating their raw poses; O while dragging",
)(view_switch("tool.alone"))
TOOLS.switch(
    "tool.keep_orientation",
    "Keep Orientation",
    "Shift+P",
    "mdi6.compass-outline",
    tip="Keep the orientation of a link that Pose drags with all joints below it (Shift)",
)(view_switch("tool.keep_orientation"))
for _id, _text, _keys, _icon, _tip in (
    ("local", "Axes of the Frame", "Ctrl+Shift+1", "mdi6.axis-arrow", "Handles along the axes of the frame itself"),
    ("world", "Axes of the World", "Ctrl+Shift+2", "mdi6.earth", "Handles along the axes of the root frame"),
    (
        "relative_to",
        "Axes of relative_to",
        "Ctrl+Shift+3",
        "mdi6.link-variant",
        "Handles along the axes of the frame in which the pose is given",
    ),
):
    TOOLS.switch(f"axes.{_id}", _text, _keys, _icon, group="axes", on=_id == "local", section=_id == "local", tip=_tip)(
        view_switch(f"axes.{_id}")
    )
