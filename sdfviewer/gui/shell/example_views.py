"""Examples that the manual opens: a file that ships with the program, joint positions, and actions to run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

from PySide6.QtCore import QTimer, QUrl, QUrlQuery

from sdfviewer.gui.shell.app import App
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.resources import resource

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
    path = resource("examples") / view.file

    def arrange_when_open() -> None:
        file = app.files.find(path)
        if file is not None or app.files.opening is None:
            app.files.opening_changed.disconnect(arrange_when_open)
        if file is not None:
            _arrange(app, file, view)

    app.files.opening_changed.connect(arrange_when_open)
    app.files.open_soon([path])


def _arrange(app: App, file: OpenFile, view: ExampleView) -> None:
    app.files.show(file)
    file.session.move_joints(dict(view.positions))
    QTimer.singleShot(_SETTLE_MILLISECONDS, file, partial(_run_actions, app, view.actions))


def _run_actions(app: App, ids: tuple[str, ...]) -> None:
    for id in ids:
        action = app.actions[id]
        if not (action.isCheckable() and action.isChecked()):
            action.trigger()
