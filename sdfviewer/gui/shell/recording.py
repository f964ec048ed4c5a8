"""Records a motion of the 3D view as images."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.export.animation import DEFAULT_FPS, animation_kind, numbered, write_animation
from sdfviewer.extras import required_extras
from sdfviewer.gui.joints.motion_plan import Plan
from sdfviewer.gui.kit.jobs import Background
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.notice import NoticeBar

_TOPIC = "recording"
_AHEAD = 4
"""Pictures that wait to be written at most."""
_NOTICE_EVERY = 10
_MOST_PICTURES = 100_000


class Recording(QObject):
    """Plays a motion once and writes what the 3D view shows.

    Attributes
    ----------
    count
        How many pictures there will be.
    taken
        How many were taken.

    Raises
    ------
    SdfViewerError
        If the file cannot be of that kind, or the motion is too long.
    """

    def __init__(self, file: OpenFile, plan: Plan, path: Path, notices: NoticeBar) -> None:
        animation_kind(path)
        seconds = plan.trajectory.end - plan.trajectory.start
        if seconds * DEFAULT_FPS > _MOST_PICTURES:
            raise SdfViewerError(f"The motion takes {seconds:.6g} s. It can have at most {_MOST_PICTURES:,} pictures.")
        super().__init__(file)
        self._file, self._plan, self._path, self._notices = file, plan, path, notices
        self._before = dict(file.session.positions)
        self._plan_before: Plan | None = None
        self.count = max(round(seconds * DEFAULT_FPS) + 1, 2)
        self.taken = 0
        self._size: tuple[int, int] | None = None
        self._stopped = False
        self._pictures: queue.Queue[NDArray[np.uint8] | None] = queue.Queue(_AHEAD)
        self._background = Background()
        self._tick = QTimer(self, interval=0)
        self._tick.timeout.connect(self._take)

    def start(self) -> None:
        """Begin."""
        self._hold_camera(True)
        self._background.run(self._write, self._finish, self._finish)
        joints = self._file.joints
        joints.sweep(False)
        self._plan_before = joints.motion.player.plan
        joints.motion.player.set_plan(self._plan)
        self._tick.start()

    def _hold_camera(self, on: bool) -> None:
        """Keep the camera that is on screen, also where the progress takes room or the robot leaves the picture."""
        canvas = self._file.view.canvas
        if canvas is not None:
            canvas.camera_control.keep_in_sight()  # a view that was hidden until now is fitted at its first picture
            canvas.camera_control.is_held = on

    def stop(self) -> None:
        """Write no more: what there is so far is kept."""
        self._stopped = True

    def _take(self) -> None:
        if self._pictures.full():
            return  # the writer is slower than the view
        canvas = self._file.view.canvas
        if self._stopped or self.taken == self.count or canvas is None:
            self._tick.stop()
            self._pictures.put(None)
            return
        trajectory = self._plan.trajectory
        part = self.taken / (self.count - 1)
        self._file.joints.motion.player.seek(trajectory.start + part * (trajectory.end - trajectory.start))
        # The view changes its size when the notice of the progress appears, and with the window.
        self._size = self._size or canvas.pixels
        self._pictures.put(canvas.picture(self._size)[:, :, :3])
        if self.taken % _NOTICE_EVERY == 0:
            text = f"Writing {self._path.name}: picture {self.taken + 1} of {self.count}"
            self._notices.ask(_TOPIC, text, {"Stop": self.stop}, about=self._file)
        self.taken += 1

    def _write(self) -> None:
        """Write the pictures in the thread."""
        try:
            with required_extras():
                write_animation(self._arriving(), self._path)
        except Exception:
            self._stopped = True
            # The window may have another one waiting.
            while self._pictures.get() is not None:
                pass
            raise

    def _arriving(self) -> Iterator[NDArray[np.uint8]]:
        while (picture := self._pictures.get()) is not None:
            yield picture

    def _finish(self, problem: SdfViewerError | None) -> None:
        self._notices.withdraw(_TOPIC)
        self._hold_camera(False)
        session, context = self._file.session, self._file.context
        zeros = {name: (0.0,) * len(values) for name, values in session.positions.items()}
        session.move_joints({**zeros, **self._before})
        self._file.joints.motion.player.set_plan(self._plan_before)
        self._background.stop()
        if problem is not None:
            context.messages.refuse(str(problem))
        else:
            is_one = self._path.suffix.lower() != ".png"
            name = self._path.name if is_one else numbered(self._path, 0).name + " …"
            written = self._path if is_one else self._path.parent
            context.messages.show_written(f"Wrote {self.taken} pictures to {name}", written)
        self.deleteLater()
