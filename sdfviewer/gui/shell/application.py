"""The application: its theme and settings, the window on some files, and pictures of it."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from PySide6.QtCore import (
    QCoreApplication,
    QElapsedTimer,
    QEvent,
    QEventLoop,
    QPoint,
    QRect,
    QSettings,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap, QSurfaceFormat
from PySide6.QtWidgets import QApplication, QDialog

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.garbage_collection import limit_arenas
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.file_dialog import widen_file_dialogs
from sdfviewer.gui.kit.focus import mark_focus
from sdfviewer.gui.kit.jobs import MOST, GarbageCollector
from sdfviewer.gui.kit.safe_text import PlainText, made_plain
from sdfviewer.gui.kit.theme import Choice, apply_theme, tokens
from sdfviewer.gui.shell.crash import keep_recent_log, report_exceptions
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.performance import Watchdog
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.canvas import Canvas
from sdfviewer.gui.view3d.opengl import current_context, probe, surface_format
from sdfviewer.gui.view3d.software import WarmUp
from sdfviewer.model.names import did_you_mean
from sdfviewer.programs import end_programs
from sdfviewer.render.offscreen import OffscreenError
from sdfviewer.resources import resource

#: One of these says on Linux where windows go.
_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")

#: What the 3D view can show, and the switch of each.
SWITCHES = {
    **{name: f"show.{name}" for name in ("visuals", "collisions", "inertia", "sensors", "lights", "frames", "joints")},
    **{name: f"show.{name}" for name in ("labels", "grid", "shadows", "canonical", "wireframe")},
    "com": "show.centres",
    "jp": "show.parent_sides",
    "relative_to": "edges.relative_to",
    "attached_to": "edges.attached_to",
}

TOUR_MILLISECONDS = 1200
"""How long after the window, and then how often, it is looked whether the tour may be offered at the first start."""
RECOVERY_MILLISECONDS = 200
"""How long after the window, and then how often, it is looked whether unsaved work may be offered."""
LISTEN_MILLISECONDS, MOST_TRIES = 500, 20
"""How long after the window, and then how often and how many times, it is looked whether it may listen to editors."""
SETTLE_MILLISECONDS, LOOK_MILLISECONDS = 250, 50
"""How long a window must be at rest before its picture is taken, and how often it is looked whether it is."""
MOST_SETTLE_MILLISECONDS = 60_000
"""After this time its picture is taken as it is."""


def make_application() -> QApplication:
    """Return the application, made and set up at the first call.

    Raises
    ------
    SdfViewerError
        If there is no display: Qt would end the process.
    """
    known = QApplication.instance()
    if isinstance(known, QApplication):
        return known
    if sys.platform == "linux" and not any(os.environ.get(name) for name in _DISPLAYS):
        raise SdfViewerError(
            "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set. `sdfviewer screenshot` works without one"
        )
    if sys.platform == "win32":
        # Qt would take AltGr for Ctrl+Alt, and many keyboards need it for brackets and the at sign.
        os.environ.setdefault("QT_QPA_PLATFORM", "windows:altgr")
    # A floating dock gets another window; only shared contexts keep the scene then.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    QSurfaceFormat.setDefaultFormat(surface_format())
    application = QApplication(sys.argv[:1])
    application.setApplicationName("sdfviewer")
    application.setOrganizationName("sdfviewer")
    application.setDesktopFileName("sdfviewer")
    application.setWindowIcon(QIcon(str(resource("icons", "sdfviewer.svg"))))
    application.focusChanged.connect(mark_focus)
    widen_file_dialogs(application)
    PlainText(application)
    gc.set_threshold(*MOST)
    limit_arenas()
    return application


@contextmanager
def hidden_context() -> Iterator[None]:
    """Make an OpenGL context of the window system current while the block runs, for pictures without a window.

    Raises
    ------
    OffscreenError
        If its OpenGL is not enough.
    """
    make_application()
    if problem := probe().problem:
        raise OffscreenError(problem)
    with current_context():
        yield


def user_settings() -> Settings:
    """Return the settings of the user."""
    return Settings(QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "sdfviewer", "sdfviewer"))


def main(paths: Sequence[str | Path], *, model_paths: Sequence[str | Path] = ()) -> int:
    """Open the window on some files and return the exit code when it is closed; see :func:`render_window`."""
    application = make_application()
    GarbageCollector(application)
    settings = user_settings()
    apply_theme(application, settings.theme)
    window = made_plain(lambda: MainWindow(settings))
    keep_recent_log()
    report_exceptions(window.keep_unsaved_work, window)
    watchdog = Watchdog()
    application.aboutToQuit.connect(watchdog.stop)
    window.files.model_paths = tuple(Path(path) for path in model_paths)
    window.files.open_soon(Path(path) for path in paths)
    window.show()
    if not settings.flag("tour.seen", False):
        QTimer.singleShot(TOUR_MILLISECONDS, partial(offer_tour, window))
    QTimer.singleShot(LISTEN_MILLISECONDS, partial(_listen, application, window))
    warm_up = WarmUp(partial(_is_at_rest, window), window)
    application.aboutToQuit.connect(warm_up.stop)
    application.aboutToQuit.connect(end_programs)
    # After the first picture, so that it does not wait for the question.
    QTimer.singleShot(RECOVERY_MILLISECONDS, partial(_offer_recovery, window))
    return application.exec()


def _listen(application: QApplication, window: MainWindow, tries: int = MOST_TRIES) -> None:
    """Listen for code editors and other windows, once the first picture is there or takes too long."""
    canvas = None if window.current is None else window.current.view.canvas
    has_none = canvas is not None and canvas.isVisible() and not canvas.has_picture
    if tries and (has_none or window.files.opening is not None):
        QTimer.singleShot(LISTEN_MILLISECONDS, partial(_listen, application, window, tries - 1))
        return
    from sdfviewer.gui.shell.live_server import LiveServer  # noqa: PLC0415  # no picture waits for the network of Qt

    live = LiveServer(window.files, parent=window)
    live.raise_requested.connect(window.activateWindow)
    live.raise_requested.connect(window.raise_)
    live.also_open.connect(partial(_show_also_open, window))
    live.listen()
    application.aboutToQuit.connect(live.close)


def _is_at_rest(window: MainWindow) -> bool:
    """Return whether a 3D view shows all that it will."""
    canvas = None if window.current is None else window.current.view.canvas
    return canvas is not None and canvas.isVisible() and canvas.has_picture and canvas.is_settled


def _offer_recovery(window: MainWindow) -> None:
    """Offer unsaved work of an earlier session, once no file is being opened any more."""
    if window.files.opening is not None:
        QTimer.singleShot(RECOVERY_MILLISECONDS, partial(_offer_recovery, window))
    else:
        window.recovery.offer()


def offer_tour(window: MainWindow) -> None:
    """Offer the tour at the first start, once no file is being opened any more: it is about what is shown then."""
    if window.files.opening is not None:
        QTimer.singleShot(TOUR_MILLISECONDS, partial(offer_tour, window))
    elif window.isVisible():
        window.settings.set_flag("tour.seen", True)
        start = window.actions_by_id["help.tour"].trigger
        window.notices.ask("tour", "New here? Five steps show the window.", {"Take the Tour": start}, is_offer=True)


def _show_also_open(window: MainWindow, path: Path) -> None:
    text = f"{path.name} is open in another window too. Save in one of them only: the other offers to reload it."
    window.notices.ask(f"also_open:{path}", text, {})


def render_window(
    paths: Sequence[str | Path],
    size: tuple[int, int],
    out: str | Path,
    *,
    theme: Choice | str = Choice.DARK,
    select: Sequence[str] = (),
    positions: dict[str, tuple[float, ...]] | None = None,
    model_paths: Sequence[str | Path] = (),
    actions: Sequence[str] = (),
    layers: frozenset[str] | None = None,
    view: str | None = None,
    orthographic: bool = False,
    focus: str | None = None,
) -> None:
    """Write a picture of the whole window.

    Parameters
    ----------
    paths
        Files to open; the last one is shown.
    size
        Width and height in logical pixels.
    out
        The PNG file.
    theme
        Light, dark, or the system's.
    select
        Scoped names of the frames to select.
    positions
        Joint positions by scoped name, radians and metres.
    model_paths
        Folders to look for included models in, before those of the environment.
    actions
        Ids of actions to run first, such as ``compare.side``; the dialogs that they open are in the picture.
    layers
        What the 3D view shows, named by the keys of :data:`SWITCHES`; None for what it shows by default.
    view, orthographic, focus
        Where the camera is, whether it draws without perspective, and the scoped name of the frame that it looks at.

    Raises
    ------
    SdfViewerError
        If there is no such action, frame or joint, or the picture cannot be written.
    """
    application = make_application()
    apply_theme(application, Choice(theme))
    with tempfile.TemporaryDirectory() as folder:
        # The picture should not show the user's own layout and recent files.
        store = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        window = MainWindow(Settings(store))
        window.setWindowState(Qt.WindowState.WindowNoState)
        window.resize(QSize(*size))
        window.workspaces.reset()
        window.files.model_paths = tuple(Path(path) for path in model_paths)
        try:
            _require_actions(window, actions)
            window.files.open(Path(path) for path in paths)
            current: OpenFile | None = window.current
            if current is not None:
                _require_frames(current, (*select, *(positions or {}), *([focus] if focus else [])))
            window.show()
            if current is not None:
                current.session.move_joints(positions or {})
                current.session.select(select)
            if layers is not None:
                for layer, id in SWITCHES.items():
                    window.actions_by_id[id].setChecked(layer in layers)
            window.actions_by_id["camera.orthographic"].setChecked(orthographic)
            _settle(window)
            if current is not None and current.view.canvas is not None and (view or focus):
                if view:
                    current.view.canvas.camera_control.look_from(view)
                    _settle(window)
                if focus:
                    current.view.canvas.camera_control.focus_on((focus,))
                _settle(window)
            for id in actions:
                window.actions_by_id[id].trigger()
                _settle(window)
            _forget_mouse(window)
            picture = _grab(window)
        finally:
            for file in tuple(window.files.opened):
                window.files.drop(file)
            window.close()
            store.sync()
    if not picture.save(str(out)):
        raise SdfViewerError(f"cannot write {out}")


def _require_actions(window: MainWindow, ids: Sequence[str]) -> None:
    for id in ids:
        if id not in window.actions_by_id:
            raise SdfViewerError(f"there is no action '{id}'{did_you_mean(id, window.actions_by_id)}")


def _require_frames(file: OpenFile, names: Sequence[str]) -> None:
    model = file.session.model
    for name in names:
        if model is None:
            raise SdfViewerError(f"there is no '{name}': the file contains no model or world that can be read")
        model.row(name)  # raises UnknownFrameError


def _settle(window: MainWindow) -> None:
    """Let the window do what it has put off, until the meshes and textures in sight are there in full quality."""
    clock, looks = QElapsedTimer(), 0
    clock.start()
    while looks * LOOK_MILLISECONDS < SETTLE_MILLISECONDS and clock.elapsed() < MOST_SETTLE_MILLISECONDS:
        loop = QEventLoop()
        QTimer.singleShot(LOOK_MILLISECONDS, loop.quit)
        loop.exec()
        is_at_rest = all(canvas.is_settled for canvas in window.findChildren(Canvas) if canvas.isVisible())
        looks = looks + 1 if is_at_rest else 0


def _forget_mouse(window: MainWindow) -> None:
    """Let no frame be highlighted because the mouse happens to be where the window has opened."""
    for canvas in window.findChildren(Canvas):
        QCoreApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    _settle(window)


def _grab(window: MainWindow) -> QPixmap:
    """Return a picture of the window with the dialogs over it."""
    picture = window.grab()
    with QPainter(picture) as painter:
        painter.setPen(QColor(tokens().border))
        for dialog in window.findChildren(QDialog):
            if dialog.isVisible():
                at = dialog.mapToGlobal(QPoint()) - window.mapToGlobal(QPoint())
                painter.drawPixmap(at, dialog.grab())
                painter.drawRect(QRect(at, dialog.size()))  # what a window manager would draw around it
    return picture
