"""Diagnostics that the editor asks for: of a file, and of all files of the workspace."""

from __future__ import annotations

import hashlib
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams

from sdfviewer.contracts import ContractCheck
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import internal_error
from sdfviewer.faults import log_fault
from sdfviewer.files.configuration import is_excluded
from sdfviewer.files.opening import POSSIBLE_SUFFIXES, is_model, open_document
from sdfviewer.files.paths import real_path, stamp_of
from sdfviewer.files.search import MOST_BYTES, MOST_FILES, source_files
from sdfviewer.formats.load import Loader
from sdfviewer.garbage_collection import paused_collection
from sdfviewer.language.text_map import Positions
from sdfviewer.lsp.files import Snapshot, included_files
from sdfviewer.lsp.protocol import Ranges, uri_of
from sdfviewer.lsp.server import SdfServer, diagnostics_of, reported_of

#: Reports are sent at this interval, when other requests that read many files get their turn.
_SLICE_SECONDS = 0.1

FullReport: TypeAlias = types.WorkspaceFullDocumentDiagnosticReport
Report: TypeAlias = FullReport | types.WorkspaceUnchangedDocumentDiagnosticReport


def register(server: SdfServer) -> None:
    """Answer the requests of this module."""
    check = WorkspaceCheck(server)
    server.disk_changed.append(check.update)

    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier="sdfviewer"),
    )
    async def pull_diagnostics(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        found = await server.compute(params.text_document.uri, diagnostics_of)
        number = _number_of(found)
        if number == params.previous_result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(number)
        return types.RelatedFullDocumentDiagnosticReport(found, result_id=number)

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def pull_all(params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        token, items = params.partial_result_token, []
        previous = {each.uri: each.value for each in params.previous_result_ids}
        async for reports in check.reports(previous):
            if token is None:
                items += reports
            else:
                part = types.WorkspaceDiagnosticReportPartialResult(reports)
                server.progress(types.ProgressParams(token, part))
        return types.WorkspaceDiagnosticReport(items)


def _number_of(found: Sequence[types.Diagnostic]) -> str:
    """Return the number of diagnostics: equal ones have an equal one, whatever else has changed."""
    return hashlib.sha1(repr(found).encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


class _Known(NamedTuple):
    """What was reported of a file, and the state of the files that it depends on."""

    number: str
    states: Mapping[Path, object]


class WorkspaceCheck:
    """Checks all files of the workspace. Of a file that has not changed only the number of its report is kept.

    Parameters
    ----------
    server
        Has the folders and the open files.
    """

    def __init__(self, server: SdfServer) -> None:
        self._server = server
        self._known: dict[Path, _Known] = {}
        self._seen: set[Path] = set()
        self._finder = server.finder

    def update(self, paths: Sequence[Path]) -> None:
        """Take note of files that have changed on the disk: one that is new may be what another one misses."""
        if any(real_path(path) not in self._seen for path in paths):
            self._known = {}

    async def reports(self, previous: Mapping[str, str]) -> AsyncIterator[list[Report]]:
        """Yield the reports of all files, in lists.

        Parameters
        ----------
        previous
            The numbers of the reports that the editor has, by address. An empty report is made for each file that is
            gone.
        """
        server, left = self._server, dict(previous)
        opened: list[Report] = []
        for uri, file in tuple(server.open_files.items()):
            version = file.snapshot.version
            try:
                found = await server.compute(uri, diagnostics_of)
            except (JsonRpcContentModified, JsonRpcInvalidParams):
                left.pop(uri, None)
                continue  # it is requested again when it is left alone
            opened.append(_report(uri, version, found, left.pop(uri, None)))
        yield opened
        if server.settings.index and server.settings.workspace_problems:
            steps = self._closed(previous)
            while reports := await server.run(lambda: self._slice(steps), server.long_worker):
                for each in reports:
                    left.pop(each.uri, None)
                yield reports
        yield [FullReport(uri, []) for uri in left]

    def _slice(self, steps: Iterator[Report | None]) -> list[Report]:
        """Do some of the work; return reports, none where it is done."""
        reports: list[Report] = []
        end = time.monotonic() + _SLICE_SECONDS
        with paused_collection():
            for report in steps:
                if report is not None:
                    reports.append(report)
                if (reports and time.monotonic() > end) or self._server.is_stopped():
                    break
        return reports

    def _closed(self, previous: Mapping[str, str]) -> Iterator[Report | None]:
        """Yield the reports of the files that are not open, None for one that cannot be read."""
        server = self._server
        if self._finder is not server.finder:
            self._finder, self._known = server.finder, {}
        known, self._seen = self._known, set()
        expander = server.expander.fork()
        loaders: dict[int, Loader] = {}
        for paths in source_files(server.folders, POSSIBLE_SUFFIXES):
            for path in filter(is_model, paths):
                if len(self._seen) >= MOST_FILES:
                    return
                self._seen.add(path)
                if path in server.unsaved or is_excluded(path):
                    continue
                uri = uri_of(path)
                finder = server.finder_for(path)
                if id(finder) not in loaders:
                    fresh = finder.fresh()
                    checks = [ContractCheck(fresh)]
                    loaders[id(finder)] = Loader(fresh, server.unsaved, expander, extra_checks=checks)
                loader = loaders[id(finder)]
                before = known.get(path)
                if before is None or any(self._state(each) != state for each, state in before.states.items()):
                    yield self._check(loader, path, uri, previous.get(uri))
                elif before.number == previous.get(uri):
                    yield types.WorkspaceUnchangedDocumentDiagnosticReport(uri, before.number)
                else:
                    yield self._check(loader, path, uri, None)

    def _check(self, loader: Loader, path: Path, uri: str, previous: str | None) -> Report | None:
        server, state = self._server, self._state(path)
        try:
            if path.stat().st_size > MOST_BYTES:
                return None
            document = open_document(path)
        except (OSError, SdfViewerError):
            return None
        model, diagnostics = loader.load_with_diagnostics(document)
        snapshot = Snapshot(uri, 0, document, Positions(document.text, server.unit))
        ranges = Ranges(server.unit, snapshot, server.rule_pages)
        try:
            found = ranges.diagnostics(reported_of(document, diagnostics))
        except SdfViewerError:
            raise
        except Exception as error:  # the other files get their reports
            log_fault(f"check {document.name}", error)
            found = ranges.diagnostics([internal_error(document, error, "checked")])
        report = _report(uri, None, found, previous)
        included = frozenset() if model is None else included_files(model, loader.expander.failed_sources)
        states = {path: state, **{each: self._state(each) for each in included}}
        self._known[path] = _Known(report.result_id or "", states)
        return report

    def _state(self, path: Path) -> object:
        """Return what changes with the content of a file: a hash of its open text, or its time and size on the disk."""
        document = self._server.unsaved.get(path)
        return stamp_of(path) if document is None else hash(document.text)


def _report(uri: str, version: int | None, found: Sequence[types.Diagnostic], previous: str | None) -> Report:
    number = _number_of(found)
    if number == previous:
        return types.WorkspaceUnchangedDocumentDiagnosticReport(uri, number, version=version)
    return FullReport(uri, found, version=version, result_id=number)
