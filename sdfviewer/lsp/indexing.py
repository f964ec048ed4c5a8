"""The workspace in the background: indexed in slices between requests, with progress, kept up to date."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from sdfviewer.files.paths import real_path
from sdfviewer.language.workspace import INDEXED, Progress, WorkspaceIndex

#: The length of a slice: a request that arrives meanwhile waits for this and one file at most.
_SLICE_SECONDS = 0.01
#: How often progress is reported.
_REPORT_SECONDS = 0.25
#: An index that is ready within this time shows no progress.
_QUIET_SECONDS = 0.3

_Answer = TypeVar("_Answer")


class Indexing:
    """Fills a workspace index on the server's worker thread.

    Parameters
    ----------
    server
        Shows progress.
    run
        Runs a job on the worker thread, behind the requests that wait for it.
    """

    def __init__(self, server: LanguageServer, run: Callable[[Callable[[], object]], Awaitable[object]]) -> None:
        self._server = server
        self._run = run
        self._task: asyncio.Task[None] | None = None
        self.index = WorkspaceIndex()

    def start(self, folders: Iterable[Path], index: WorkspaceIndex | None = None) -> None:
        """Index folders; what is being indexed is given up. What has not changed is not read again."""
        self.cancel()
        if index is not None:
            self.index = index
        self._task = asyncio.get_running_loop().create_task(self._fill(tuple(folders)))

    def cancel(self) -> None:
        """Stop indexing; what is indexed so far stays."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def update(self, paths: Iterable[Path]) -> None:
        """Index files again that have changed on the disk, appeared or gone."""
        changed = [path for path in paths if path.name.lower().endswith(INDEXED)]

        def run() -> None:
            for path in changed:
                self.index.update(real_path(path))

        if changed:
            await self._run(run)

    async def _fill(self, folders: tuple[Path, ...]) -> None:
        steps, started = self.index.scan(folders), time.monotonic()
        token: str | None = None
        reported = 0.0
        try:
            while True:
                progress = await self._run(lambda: _slice(steps))
                if not isinstance(progress, Progress):
                    break
                now = time.monotonic()
                if token is None and now - started > _QUIET_SECONDS and self._shows_progress:
                    token = await self._begin()
                if token is not None and now - reported > _REPORT_SECONDS:
                    reported = now
                    self._report(token, progress)
                if token is not None and self._server.work_done_progress.tokens[token].cancelled():
                    break
        finally:
            if token is not None:
                self._end(token)

    @property
    def _shows_progress(self) -> bool:
        return bool(get_capability(self._server.client_capabilities, "window.work_done_progress", False))

    async def _begin(self) -> str | None:
        token = str(uuid4())
        try:
            await asyncio.shield(self._server.work_done_progress.create_async(token))
        except JsonRpcException:
            return None  # the editor has changed its mind: the work is done without
        begin = types.WorkDoneProgressBegin("Indexing models", cancellable=True, percentage=0)
        self._server.work_done_progress.begin(token, begin)
        return token

    def _report(self, token: str, progress: Progress) -> None:
        percentage = 100 * progress.done // max(progress.total, 1)
        message = f"{progress.done} of {progress.total} files"
        report = types.WorkDoneProgressReport(message=message, percentage=percentage, cancellable=True)
        self._server.work_done_progress.report(token, report)

    def _end(self, token: str) -> None:
        text = f"{len(self.index)} files"
        if self.index.is_full:
            text += "; too many symbols, some are found in open files only"
        self._server.work_done_progress.end(token, types.WorkDoneProgressEnd(message=text))


def _slice(steps: Iterator[Progress]) -> Progress | None:
    """Do some of the work; return how far it is, None where it is done."""
    end = time.monotonic() + _SLICE_SECONDS
    progress = next(steps, None)
    while progress is not None and time.monotonic() < end:
        progress = next(steps, None)
    return progress
