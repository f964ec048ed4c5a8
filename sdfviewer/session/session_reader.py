"""What reads the text of a session: its last answer with the files it comes from, the model, and poses on request.

An unforeseen exception in computing poses becomes a problem of the file. Views get the poses that are known without:
those at zero, or none at all. Another model or other positions are tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from sdfviewer.computed import computed_from, forget
from sdfviewer.contracts import ContractCheck
from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document import text_rules
from sdfviewer.document.document import Document, internal_error
from sdfviewer.faults import log_fault
from sdfviewer.files.configuration import settings_state
from sdfviewer.files.finder import Finder
from sdfviewer.files.paths import real_path
from sdfviewer.formats.load import Loader
from sdfviewer.formats.registry import format_of
from sdfviewer.formats.xacro.expansion import EvaluationPendingError, Expander
from sdfviewer.language.text_map import difference
from sdfviewer.model.kinematics.conventions import Comparison, Differences
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.refactoring.fix_offers import offer_fixes
from sdfviewer.session.included_files import have_changed_on_disk, included_files
from sdfviewer.transforms import Array
from sdfviewer.validation.format_rules import xacro_failed, xacro_not_evaluated

#: Rows of the frame table: where all of a model is read again, more take long. 650 links of a URDF take 80 ms.
_MOST_ROWS_AT_ONCE = 2_000

_Answer = TypeVar("_Answer")


class RunInBackground(Protocol):
    """Does a job beside the caller's thread, and hands what it returns to ``then`` in the caller's thread."""

    def __call__(self, job: Callable[[], _Answer], then: Callable[[_Answer], object]) -> None:
        """Do a job."""


@dataclass(frozen=True, slots=True)
class ReadText:
    """What a text means.

    Attributes
    ----------
    model
        Its model, None if there is none; of a text that is not XML that of the elements that it has all the same.
    diagnostics
        Its problems.
    is_readable
        Whether the text could be read; else the last model stays in sight.
    failed_sources
        Files that were read although there is no model that says so.
    refused
        The xacro files among what it is made of that may not be evaluated.
    """

    model: Model | None
    diagnostics: tuple[Diagnostic, ...]
    is_readable: bool = True
    failed_sources: tuple[Document, ...] = ()
    refused: tuple[Document, ...] = ()


def read_text(loader: Loader, document: Document) -> ReadText:
    """Return the model of a document; a failure in reading becomes a diagnostic.

    Parameters
    ----------
    loader
        Reads it.
    document
        The document.

    Raises
    ------
    EvaluationPendingError
        If a xacro file must be evaluated first and the loader's expander does not wait.
    """
    if document.is_data and document.root is None:
        return ReadText(None, (), is_readable=False)  # opened to see a value that a model reads: no error of a model
    model, diagnostics = loader.load_recovered(document)
    has_failed = model is None and any(
        each.rule in (xacro_failed, xacro_not_evaluated, text_rules.internal_error) for each in diagnostics
    )
    is_readable = document.root is not None and not has_failed
    expander = loader.expander
    return ReadText(model, diagnostics, is_readable, tuple(expander.failed_sources), tuple(expander.refused))


class BackgroundReading:
    """One reading beside the caller's thread, which can be given up.

    Parameters
    ----------
    loader
        Reads the text; it is not shared.
    document
        The text.
    run
        Does it.
    prepare
        Does more with the model in the other thread.
    then
        Takes the answer, unless it was given up.
    """

    def __init__(
        self,
        loader: Loader,
        document: Document,
        run: RunInBackground,
        prepare: Callable[[Model], object],
        then: Callable[[ReadText], object],
    ) -> None:
        self._expander = loader.expander
        self._is_wanted = True

        def job() -> ReadText | None:
            # During fast typing only the latest text is read.
            answer = read_text(loader, document) if self._is_wanted else None
            if answer is not None and answer.model is not None:
                prepare(answer.model)
            return answer

        run(job, lambda answer: then(answer) if answer is not None and self._is_wanted else None)

    def abandon(self) -> None:
        """End it without an answer."""
        self._is_wanted = False
        self._expander.abandon()

    def cancel(self) -> None:
        """End it soon; the answer says that it was cancelled."""
        self._expander.cancel()


def moved_diagnostics(diagnostics: tuple[Diagnostic, ...], before: Document, after: Document) -> list[Diagnostic]:
    """Return the problems of a text where they are in another one; those in what has changed are left out.

    They have no fixes, which were computed for the text before.
    """
    change = difference(before.text, after.text)
    start, end = (0, 0) if change is None else (change.start, change.end)
    shift = len(after.text) - len(before.text)
    found: list[Diagnostic] = []
    for each in diagnostics:
        span = each.span
        if span is not None and span.path == before.name:
            if span.start < end and span.end > start:
                continue
            by = shift if span.start >= end else 0
            span = after.span_between(span.start + by, span.end + by)
        found.append(replace(each, span=span, related=(), fixes=()))
    return found


class OtherModel(NamedTuple):
    """The model of another document, None where it has none, and the xacro files in it that may not be evaluated."""

    model: Model | None
    refused: tuple[Document, ...] = ()


class SessionReader:
    """Finds out what the text of a session means.

    Parameters
    ----------
    finder
        Where included files are looked for.
    unsaved
        Documents that are included instead of what lies on the disk, by the resolved path of their file. It may change.
    expander
        Evaluates xacro files.
    waits
        Whether xacro files are evaluated in :meth:`read`; else :meth:`read_in_background` has to follow.
    arrived
        Called when a text was read beside the caller's thread.

    Attributes
    ----------
    model
        What the text means; while it cannot be read, what the elements mean that it has all the same, or where it has
        none, what the last text meant.
    diagnostics
        The problems of the text that was given last.
    is_pending
        Whether that text is still being read; :attr:`model` is an earlier one until then.
    """

    def __init__(
        self,
        finder: Finder,
        unsaved: Mapping[Path, Document],
        expander: Expander,
        *,
        waits: bool,
        arrived: Callable[[], None],
    ) -> None:
        self.finder, self.expander = finder, expander
        self.model: Model | None = None
        self.diagnostics: tuple[Diagnostic, ...] = ()
        self.is_pending = False
        self.unsaved, self._unsaved_when_read = unsaved, dict(unsaved)
        self._arrived = arrived
        self._loader = self.make_loader(waits=waits)
        #: Clearances take long: where there is a background thread they are checked there.
        self._contracts = ContractCheck(finder)
        self._loader.extra_checks = [self._contracts]
        self._document: Document | None = None
        self._settings: tuple[object, ...] = ()
        self._is_readable = True
        self._failed_sources: tuple[Document, ...] = ()
        #: The xacro files among what the text is made of that may not be evaluated.
        self.refused: tuple[Document, ...] = ()
        self._run_in_background: RunInBackground | None = None
        #: Called in the other thread with a model that was read there.
        self.prepare: Callable[[Model], object] = lambda _model: None
        self._reading: BackgroundReading | None = None

    def make_loader(self, *, waits: bool = True, is_found: bool = False) -> Loader:
        """Return a loader with the same model paths and documents of its own: for another thread.

        Parameters
        ----------
        waits
            Whether it evaluates xacro files; else it raises EvaluationPendingError.
        is_found
            Whether it loads texts that were not typed here; see :meth:`.Permission.for_found_texts`.
        """
        expander = self.expander.fork(waits=waits)
        if is_found:
            expander.permission = expander.permission.for_found_texts()
        checks = [ContractCheck(self.finder)]
        return Loader(self.finder, self.unsaved, expander, extra_checks=checks, offer_fixes=offer_fixes)

    # --- the text of the session -------------------------------------------------------------------------------

    def read(self, document: Document, *, is_large: bool = False) -> None:
        """Load the model of a text, or start to where that takes long. It does not raise, whatever is in the text.

        Parameters
        ----------
        document
            The text.
        is_large
            Whether so much of it is new that it is read beside the caller's thread, where that is possible.
        """
        self.abandon()
        self._unsaved_when_read = dict(self.unsaved)
        if is_large and self._run_in_background is not None:
            self._start_reading(document)
            return
        try:
            answer = read_text(self._loader, document)
        except EvaluationPendingError:
            self._start_reading(document)
        else:
            self._accept(document, answer)
            self._start_sweeps(document)

    @property
    def takes_long(self) -> bool:
        """Whether the next text takes long to read, since all of a large model is read again for any change."""
        if self.model is None or len(self.model) <= _MOST_ROWS_AT_ONCE:
            return False
        known = format_of(self.model.document)
        return known is None or not known.capabilities.keeps_parts

    def read_in_background(self, run: RunInBackground, document: Document) -> None:
        """Read beside the caller's thread from now on where that can take long, beginning with ``document``."""
        self._run_in_background = run
        self._loader.expander.waits = self._contracts.sweeps = False
        if self.is_pending:
            self._start_reading(document)

    def cancel(self) -> None:
        """Stop reading beside the caller's thread; a problem says so until the expander tries again."""
        if self._reading is not None:
            self._reading.cancel()

    def abandon(self) -> None:
        """Give up reading beside the caller's thread, without an answer."""
        if self._reading is not None:
            self._reading.abandon()
            self._reading = None

    def is_current(self, document: Document) -> bool:
        """Return whether :attr:`model` is that of a text, not of an earlier one that could be read."""
        return self._is_readable and self.is_of(document)

    def is_of(self, document: Document) -> bool:
        """Return whether :attr:`model` has its locations in a text, which may be one that is not XML."""
        return not self.is_pending and self.model is not None and self.model.document.text == document.text

    def _start_reading(self, document: Document) -> None:
        """Read a text beside the caller's thread; until then the last model and its problems stay in sight."""
        self.is_pending = True
        if self._document is not None and self._document is not document:
            self.diagnostics = tuple(moved_diagnostics(self.diagnostics, self._document, document))
            self._document = document
        if self._run_in_background is None:
            return  # it begins as soon as there is a thread for it

        def take(answer: ReadText) -> None:
            self._reading = None
            self._accept(document, answer)
            self._arrived()

        self._reading = BackgroundReading(self.make_loader(), document, self._run_in_background, self.prepare, take)

    def _start_sweeps(self, document: Document) -> None:
        """Check the clearances of a text that has been read, in the background."""
        run = self._run_in_background
        if run is None or self.model is None or not self._contracts.has_sweeps(self.model):
            return
        loader = self.make_loader()

        def take(answer: ReadText) -> None:
            if self._document is document and not self.is_pending:
                self.diagnostics = answer.diagnostics
                self._arrived()

        run(lambda: read_text(loader, document), take)

    def _accept(self, document: Document, answer: ReadText) -> None:
        self.is_pending = False
        self._document = document
        self._settings = settings_state(document.path)
        self._is_readable, self._failed_sources = answer.is_readable, answer.failed_sources
        self.diagnostics, self.refused = answer.diagnostics, answer.refused
        if answer.is_readable or answer.model is not None:
            self.model = answer.model

    # --- other texts -------------------------------------------------------------------------------------------

    def preview(self, document: Document) -> tuple[Model | None, tuple[Diagnostic, ...]]:
        """Return the model of another text of the file, and its problems; nothing changes.

        Where a xacro file would have to be evaluated for that, it is what the file means now.
        """
        try:
            return self._loader.load_with_diagnostics(document)
        except EvaluationPendingError:
            return self.model, self.diagnostics

    def load_other(self, document: Document, then: Callable[[OtherModel], object], *, is_found: bool = False) -> None:
        """Load another document with the same model paths and hand it over: at once, or beside the caller's thread."""

        def load(loader: Loader) -> OtherModel:
            model = loader.load(document)
            return OtherModel(model, tuple(loader.expander.refused))

        try:
            answer = load(self.make_loader(waits=False, is_found=is_found))
        except EvaluationPendingError:
            loader = self.make_loader(is_found=is_found)
            if self._run_in_background is not None:
                self._run_in_background(lambda: load(loader), then)
                return
            answer = load(loader)
        then(answer)

    # --- included files ----------------------------------------------------------------------------------------

    def included_files(self, document: Document) -> tuple[Path, ...]:
        """The files that the model of a text includes, each once."""
        return included_files(self.model, document, self._failed_sources)

    def includes_are_current(self, document: Document) -> bool:
        """Return whether included files are still what was read from them, or from their unsaved text, and settings."""
        if self.is_pending:
            return True  # asked again when that is done
        if settings_state(document.path) != self._settings:
            return False
        changed = {file for file, _ in self.unsaved.items() ^ self._unsaved_when_read.items()}
        if changed and not changed.isdisjoint(real_path(path) for path in self.included_files(document)):
            return False
        return not have_changed_on_disk(self.model, document, self._failed_sources)


_Result = TypeVar("_Result")


class SessionPoses:
    """Poses at the joint positions, in both conventions, and the last poses of what has none now.

    Attributes
    ----------
    model
        The model; None if there is none.
    positions
        Position of each joint that is not at zero, by scoped joint name, one number for each axis.
    faults
        What has failed, for this model and these positions.
    """

    def __init__(self) -> None:
        self.faults: tuple[Diagnostic, ...] = ()
        self.model: Model | None = None
        self.positions: dict[str, tuple[float, ...]] = {}
        self._last_poses: dict[str, Array] = {}

    def set_model(self, model: Model | None) -> None:
        """Take another model, and keep the last pose of each row that it cannot place."""
        before, X_before = self.model, self.X_RootF
        self.model = model
        forget(self, "model")
        self.faults = ()
        if model is not before:
            self._attempt(lambda: self._keep_last_poses(before, X_before), None)

    def set_positions(self, positions: Mapping[str, tuple[float, ...]]) -> None:
        """Put the joints to positions, all others to zero."""
        self.positions = dict(positions)
        forget(self, "positions")
        if self.faults:
            forget(self, "model")
            self.faults = ()

    def _attempt(self, compute: Callable[[], _Result], otherwise: _Result) -> _Result:
        """Return what is computed; where that fails, note that and return something else."""
        try:
            return compute()
        except Exception as error:
            if self.model is not None:
                log_fault(f"place the parts of {self.model.document.name}", error)
                self.faults = (*self.faults, internal_error(self.model.document, error, "placed"))
            return otherwise

    def _keep_last_poses(self, before: Model | None, X_before: Array) -> None:
        earlier, self._last_poses = self._last_poses, {}
        if self.model is None or before is None:
            return
        for row in np.flatnonzero(~self.model.is_resolved).tolist():
            name = self.model.names[row]
            old = before.rows_by_name.get(name)
            X = X_before[old] if old is not None and np.isfinite(X_before[old]).all() else earlier.get(name)
            if X is not None:
                self._last_poses[name] = X

    @computed_from("model")
    def kinematics(self) -> Kinematics | None:
        """Forward kinematics of the model; None where there is no model, or it fails."""
        model = self.model
        return None if model is None else self._attempt(lambda: Kinematics(model), None)

    @computed_from("model", "kinematics", "positions")
    def X_RootF(self) -> Array:
        """Poses (n, 4, 4) of all rows."""
        model, kinematics = self.model, self.kinematics if self.positions else None
        if model is None:
            return np.empty((0, 4, 4))
        if kinematics is None:
            return model.X_RootF
        return self._attempt(lambda: kinematics.poses(kinematics.positions(self.positions)), model.X_RootF)

    @computed_from("model")
    def comparison(self) -> Comparison | None:
        """The model in both conventions; None where there is no model, or it fails."""
        model = self.model
        return None if model is None else self._attempt(lambda: Comparison(model), None)

    @computed_from("comparison", "kinematics", "positions", "X_RootF")
    def element_relative(self) -> Array:
        """Poses (n, 4, 4) of all rows in the element-relative convention; those in the other one where it fails."""
        comparison, kinematics = self.comparison, self.kinematics
        if comparison is None or kinematics is None:
            return self.X_RootF
        return self._attempt(lambda: comparison.poses(kinematics.positions(self.positions))[1], self.X_RootF)

    @computed_from("model", "X_RootF", "element_relative")
    def differences(self) -> Differences:
        """The distance of each row between the conventions."""
        are_frames = None if self.model is None else self.model.is_vertex
        return Differences.between(self.X_RootF, self.element_relative, are_frames)

    @computed_from("model", "_last_poses")
    def X_last(self) -> Array:
        """Last known poses (n, 4, 4) of the rows that the text cannot place now, at the joint positions then.

        NaN for all other rows, and for those that never had a pose. While a reference is half typed, views show what
        depends on it there.
        """
        n = 0 if self.model is None else len(self.model)
        if not self._last_poses:  # nearly always: no table is made of a large world
            return np.broadcast_to(np.nan, (n, 4, 4))
        X = np.full((n, 4, 4), np.nan)
        if self.model is not None:
            for name, X_RootF in self._last_poses.items():
                if name in self.model.rows_by_name:
                    X[self.model.rows_by_name[name]] = X_RootF
        return X
