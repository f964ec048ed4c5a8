"""Whether the window is at rest: it has done all that it was asked for, and shows it in full quality."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from PySide6.QtWidgets import QApplication

from sdfviewer.gui.kit.widgets import widgets_in
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.gui.view3d.canvas import Canvas


class Jobs:
    """Knows the jobs of all thread pools of this process that are not done."""

    def __init__(self) -> None:
        self._futures: weakref.WeakSet[Future[Any]] = weakref.WeakSet()
        submit = ThreadPoolExecutor.submit

        def note(pool: ThreadPoolExecutor, job: Callable[..., Any], /, *more: Any, **named: Any) -> Future[Any]:
            future = submit(pool, job, *more, **named)
            self._futures.add(future)
            return future

        ThreadPoolExecutor.submit = note  # type: ignore[assignment, method-assign]

    @property
    def are_done(self) -> bool:
        """Whether no job waits or runs."""
        return all(future.done() for future in list(self._futures))


def why_busy(window: MainWindow, jobs: Jobs) -> str:
    """Return what a window still does, empty where it is at rest."""
    if window.files.opening is not None:
        return "a file is being opened"
    if not jobs.are_done:
        return "a job runs in the background"
    file = window.current
    if file is not None and "source" in file.panels and file.source.is_typing:
        return "the text is being typed"
    if file is not None and "tree" in file.panels and file.tree.search.is_running:
        return "the tree is searched"
    for top in QApplication.topLevelWidgets():
        if top.isVisible():
            for widget in widgets_in(top):
                if isinstance(widget, Canvas) and widget.isVisible() and not widget.is_settled:
                    return "the 3D view is drawn"
    return ""
