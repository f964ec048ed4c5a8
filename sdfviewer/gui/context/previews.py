"""What all views of one file show besides it: an edit that is previewed, another version that is compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.files.paths import real_path
from sdfviewer.formats.load import Loader
from sdfviewer.formats.written_rows import IncludedDocument
from sdfviewer.gui.kit.jobs import Background, Latest
from sdfviewer.model.comparison.frames import Change, FrameComparison, FrameDifference
from sdfviewer.model.graph import Rows
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.session.session import Session
from sdfviewer.transforms import Array


class OtherVersion:
    """The differences between another version and the file as it is, at the current joint positions.

    Parameters
    ----------
    session
        The open file.
    comparison
        The other version's model, and that of the session.

    Attributes
    ----------
    differences
        The frames that differ.
    X_before
        Poses (m, 4, 4) of all rows of the other version.
    """

    def __init__(self, session: Session, comparison: FrameComparison) -> None:
        self._compare(comparison, session.positions)

    def _compare(self, comparison: FrameComparison, positions: Mapping[str, Sequence[float]]) -> None:
        self.comparison = comparison
        q = comparison.configurations(positions) if positions else None
        self.differences: Sequence[FrameDifference] = comparison.differences(q)
        self.X_before: Array = comparison.poses(q)[0]

    @property
    def model(self) -> Model:
        """The model of the other version."""
        return self.comparison.a

    def _rows(self, *changes: Change) -> Rows:
        """Return the rows (k, 2) before and after of the frames to which something of that sort happened."""
        those = [each for each in self.differences if not set(changes).isdisjoint(each.changes)]
        return np.array([(each.row_before, each.row_after) for each in those], dtype=np.int64).reshape(-1, 2)

    @cached_property
    def appeared(self) -> Rows:
        """The rows (k,) of the file's frames that the other version does not have."""
        rows = self._rows(Change.APPEARED)[:, 1]
        return rows[self._is_vertex(self.comparison.b, rows)]

    @cached_property
    def vanished(self) -> Rows:
        """The rows (k,) of the other version's frames that the file does not have any more."""
        rows = self._rows(Change.VANISHED)[:, 0]
        return rows[self._is_vertex(self.model, rows)]

    @property
    def going(self) -> Rows:
        """The rows (k,) of the file's frames that are marked as gone although they are there."""
        return np.empty(0, dtype=np.int64)

    @cached_property
    def moved(self) -> Rows:
        """The rows (k, 2) of frames that moved: in the other version, and in the file."""
        rows = self._rows(Change.MOVED)
        return rows[self._is_vertex(self.model, rows[:, 0])]

    @staticmethod
    def _is_vertex(model: Model, rows: Rows) -> NDArray[np.bool_]:
        return np.array([model.kinds[row].is_vertex for row in rows.tolist()], dtype=bool)

    @cached_property
    def X_ghost(self) -> Array:
        """Poses (m, 4, 4) of the other version's rows that are elsewhere now, or nowhere; NaN for all others."""
        rows = self._rows(Change.MOVED, Change.VANISHED, Change.UNDEFINED)[:, 0]
        X: Array = np.full_like(self.X_before, np.nan)
        X[rows] = self.X_before[rows]
        return X

    def rows_before(self, names: Sequence[str]) -> list[int]:
        """Return the rows of the other version's ghosts for frames by their names now, or by those that vanished."""
        wanted = frozenset(names)
        rows = [each.row_before for each in self.differences if each.row_before >= 0 and each.name in wanted]
        return [row for row in rows if np.isfinite(self.X_ghost[row]).all()]


class AddedVersion(OtherVersion):
    """The additions of a previewed edit, drawn as ghosts; what it takes out is marked.

    Parameters
    ----------
    after, now
        The models after the edit and before it.
    positions
        Joint positions by scoped name.
    """

    def __init__(self, after: Model, now: Model, positions: Mapping[str, Sequence[float]]) -> None:
        self._compare(FrameComparison(after, now), positions)

    @cached_property
    def added(self) -> list[int]:
        """The rows of what the edit adds, in the model after it."""
        rows: list[int] = self._rows(Change.VANISHED)[:, 0].tolist()
        return rows

    @cached_property
    def appeared(self) -> Rows:
        """Nothing: what the edit takes out keeps its looks until it is made, and is marked as gone."""
        return np.empty(0, dtype=np.int64)

    @cached_property
    def going(self) -> Rows:
        """The rows (k,) of the file's frames that the edit takes out."""
        return super().appeared

    @cached_property
    def vanished(self) -> Rows:
        """Nothing: what is new is drawn, and not marked as gone."""
        return np.empty(0, dtype=np.int64)


_STILL = 1e-9
"""Distance in metres, and part of a rotation matrix, below which a frame does not move."""


@dataclass(frozen=True, eq=False)
class EditPreview:
    """An edit that has not been made.

    Attributes
    ----------
    edit
        The edit.
    model
        What the text would mean then, None where it could not be read.
    X_ghost
        Poses (n, 4, 4) of the rows that would move or get a pose, NaN for all others; None where nothing moves, or
        where rows come or go.
    added
        What it would add and remove, None where that is nothing.
    """

    edit: Edit
    model: Model | None
    X_ghost: Array | None
    added: AddedVersion | None = None


class Previews(QObject):
    """The previewed edit of one file, and the version that it is compared with.

    Parameters
    ----------
    session
        The open file.
    background
        The thread in which the effect of an edit is computed: the session may change meanwhile.

    Attributes
    ----------
    edit
        The edit that is previewed, or None.
    version
        The version of the file that it is compared with, or None.
    """

    #: The `EditPreview` that the views should show beside the file as it is, or None.
    edit_changed = Signal(EditPreview)
    #: The `OtherVersion` that the 3D view should show behind the file, or None.
    version_changed = Signal(OtherVersion)

    def __init__(self, session: Session, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        # Loaders are not shared between threads.
        self._loader = session.make_loader()
        self.edit: EditPreview | None = None
        self.version: OtherVersion | None = None
        self._requested: tuple[Edit, tuple[str, ...]] | None = None
        self._latest = Latest(background)

    def show(self, edit: Edit | None, files: Sequence[tuple[Document, Document]] = ()) -> None:
        """Show in all views what an edit would do, without making it; None shows only the file as it is.

        ``files`` are the other files that it changes, before and after.

        The effect is computed in the background: `edit_changed` follows. A new call replaces the one before.
        """
        if edit is not None and not self._session.fits(edit):
            edit = None  # it would be made in a text that is no longer there, as while the text cannot be read
        requested = None if edit is None else (edit, tuple(after.text for _, after in files))
        if self._requested == requested:
            return
        self._requested = requested
        if edit is None:
            self._latest.cancel()
            self._show(None)
        else:  # when the user scrolls through a list fast, only the last entry is previewed
            self._latest.run(self.prepare(edit, files), self._show)

    def compare_with(self, version: OtherVersion | None) -> None:
        """Show in 3D how the file differs from another version of it; None shows only the file."""
        self.version = version
        self.version_changed.emit(version)

    def stop(self) -> None:
        """Show no preview that is still computed."""
        self._requested = None
        self._latest.cancel()

    def _show(self, preview: EditPreview | None) -> None:
        if preview is self.edit:
            return
        self.edit = preview
        self.edit_changed.emit(preview)
        # The preview is drawn as another version of the file, unless a comparison is open.
        if isinstance(self.version, AddedVersion | None):
            added = preview.added if preview else None
            if added is not self.version:
                self.compare_with(added)

    def prepare(self, edit: Edit, files: Sequence[tuple[Document, Document]] = ()) -> Callable[[], EditPreview]:
        """Return the job that works out what an edit of the present text would do, at the current joint positions."""
        session, loader = self._session, self._loader
        document, replacements = edit.document, edit.replacements
        before, positions = session.model, dict(session.positions)
        if isinstance(document, IncludedDocument):
            from sdfviewer.refactoring.composition.in_context import as_seen  # noqa: PLC0415  # many files include none

            way = as_seen(edit)
            document, replacements, files = way.edit.document, way.edit.replacements, way.files
        if files:
            instead = {real_path(after.path): after for _, after in files if after.path is not None}
            loader = Loader(session.finder, {**loader.instead, **instead}, session.expander.fork(waits=True))
        X_before = session.X_RootF

        def preview() -> EditPreview:
            after = loader.load(document.edited(replacements))
            if before is None or after is None:
                return EditPreview(edit, after, None)
            if len(after) != len(before):
                return EditPreview(edit, after, None, AddedVersion(after, before, positions))
            X_after = after.X_RootF
            if positions:
                kinematics = Kinematics(after)
                X_after = kinematics.poses(kinematics.positions(positions))
            same = np.isclose(X_before, X_after, rtol=0.0, atol=_STILL, equal_nan=True)
            X_ghost = np.where(same.all(axis=(1, 2), keepdims=True), np.nan, X_after)
            return EditPreview(edit, after, X_ghost if np.isfinite(X_ghost).any() else None)

        return preview
