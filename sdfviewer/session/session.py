"""A session: one open file with history, model, selection and joint positions.

Knows all of that and tells it on as one kind of event; must not know Qt, nor who listens.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from sdfviewer.collection import Pausing
from sdfviewer.diagnostics import Diagnostic, SdfViewerError
from sdfviewer.document.document import Document, as_meant, internal_error, parse_document, unread_document
from sdfviewer.document.edits import Edit
from sdfviewer.document.history import History
from sdfviewer.files import saving
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.formats.xacro.expansion import ExpandedDocument, Expander
from sdfviewer.model.kinematics.conventions import Comparison, Differences
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.refactoring.fix_offers import offer_fixes
from sdfviewer.scene.measuring import Measurement
from sdfviewer.scene.section import Section
from sdfviewer.session.visibility import Visibility
from sdfviewer.transforms import Array, pose_error

_log = logging.getLogger(__name__)


class StaleEditError(SdfViewerError):
    """An edit was computed from another text than the present one."""

    def __init__(self) -> None:
        super().__init__("the file has changed in the meantime; try again")


@dataclass(frozen=True, slots=True)
class Change:
    """What has changed, and who changed it: views read the flags and skip their own echo.

    Attributes
    ----------
    document
        The text, and with it model, kinematics and diagnostics.
    joints
        Joint positions.
    selection
        The selected frames.
    saved
        Path or dirty mark.
    problems
        Diagnostics, by what a view has found beside the text: a mesh that is not there.
    visibility
        What is hidden, see-through or cut away in the 3D view.
    measurements
        What is measured.
    renamed
        Old and new scoped names of frames that the edit renamed.
    origin
        Whoever asked for the change, None for the session itself.
    """

    document: bool = False
    joints: bool = False
    selection: bool = False
    saved: bool = False
    problems: bool = False
    visibility: bool = False
    measurements: bool = False
    renamed: tuple[tuple[str, str], ...] = ()
    origin: object = None


class Session:
    """An open file.

    Joint positions and the selection are kept by name: they outlive edits and reloads, and are not undone.

    Parameters
    ----------
    document
        The file.
    finder
        Where included files are looked for.
    unsaved
        Documents that are included instead of what lies on the disk, by the resolved path of their file. It may change;
        :meth:`refresh` reads them again.
    expander
        Evaluates xacro files.

    Attributes
    ----------
    model
        What the text means. While the text cannot be read it stays that of the last text that could; where none could,
        it is what may have been meant.
    diagnostics
        All problems of the present text, and after them what `report` added.
    positions
        Position of each joint that is not at zero, by scoped joint name, one number for each axis.
    selection
        Scoped names of the selected frames, the one selected last at the end.
    visibility
        What is hidden or see-through in the 3D view.
    """

    def __init__(
        self,
        document: Document,
        finder: Finder | None = None,
        unsaved: Mapping[Path, Document] | None = None,
        expander: Expander | None = None,
        *,
        pausing: Pausing = nullcontext,
    ) -> None:
        self._pausing = pausing
        self._unsaved = {} if unsaved is None else unsaved
        self._unsaved_then: dict[Path, Document] = {}
        self._loader = Loader(
            finder or Finder(), self._unsaved, expander or Expander(), offer_fixes=offer_fixes, pausing=pausing
        )
        self._history = History(document)
        self._listeners: list[Callable[[Change], None]] = []
        self.model: Model | None = None
        self.diagnostics: tuple[Diagnostic, ...] = ()
        self._told: tuple[Diagnostic, ...] = ()
        self.positions: dict[str, tuple[float, ...]] = {}
        self._last_poses: dict[str, Array] = {}
        self.selection: tuple[str, ...] = ()
        self.visibility = Visibility()
        self.measurements: tuple[Measurement, ...] = ()
        self.section: Section | None = None
        self._read()

    @classmethod
    def open(
        cls,
        path: str | Path,
        finder: Finder | None = None,
        unsaved: Mapping[Path, Document] | None = None,
        expander: Expander | None = None,
        *,
        pausing: Pausing = nullcontext,
    ) -> Session:
        """Return a session on a file.

        Raises
        ------
        UnreadableFileError
            If it cannot be read at all; faults in its text are diagnostics.
        """
        with pausing():
            return cls(open_document(path), finder, unsaved, expander, pausing=pausing)

    # --- state -------------------------------------------------------------------------------------------------

    @property
    def document(self) -> Document:
        """The present text."""
        return self._history.document

    @property
    def history(self) -> History:
        """All states of the text."""
        return self._history

    @property
    def path(self) -> Path | None:
        """The file, None where the text has none yet."""
        return self.document.path

    @property
    def dirty(self) -> bool:
        """Whether there is unsaved work."""
        return self._history.dirty

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to take back."""
        return self._history.undo_label is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is an edit to make again."""
        return self._history.redo_label is not None

    @property
    def finder(self) -> Finder:
        """Where included files are looked for."""
        return self._loader.finder

    @property
    def expander(self) -> Expander:
        """What evaluates xacro files."""
        return self._loader.expander

    @property
    def is_current(self) -> bool:
        """Whether :attr:`model` is that of the present text, not of an earlier one that could be read."""
        return self.model is not None and self.model.document.text == self.document.text

    @cached_property
    def kinematics(self) -> Kinematics | None:
        """Forward kinematics of the model."""
        return None if self.model is None else Kinematics(self.model)

    @cached_property
    def X_RootF(self) -> Array:
        """Poses (n, 4, 4) of all rows at the current joint positions."""
        if not self.positions and self.model is not None:
            return self.model.X_RootF
        if self.kinematics is None:
            return np.empty((0, 4, 4))
        return self.kinematics.poses(self.kinematics.positions(self.positions))

    @cached_property
    def comparison(self) -> Comparison | None:
        """The model in both conventions."""
        return None if self.model is None else Comparison(self.model)

    @cached_property
    def element_relative_poses(self) -> Array:
        """Poses (n, 4, 4) of all rows in the element-relative convention at the current joint positions."""
        if self.comparison is None or self.kinematics is None:
            return np.empty((0, 4, 4))
        return self.comparison.poses(self.kinematics.positions(self.positions))[1]

    @cached_property
    def X_last(self) -> Array:
        """Last known poses (n, 4, 4) of the rows that the text cannot place now, at the joint positions then.

        NaN for all other rows, and for those that never had a pose. While a reference is half typed, views show what
        hangs on it there.
        """
        n = 0 if self.model is None else len(self.model)
        X = np.full((n, 4, 4), np.nan)
        if self.model is not None:
            for name, X_RootF in self._last_poses.items():
                if name in self.model.rows_by_name:
                    X[self.model.rows_by_name[name]] = X_RootF
        return X

    @property
    def differences(self) -> Differences:
        """The distance of each row between the conventions at the current joint positions."""
        return Differences(*pose_error(self.X_RootF, self.element_relative_poses))

    # --- events ------------------------------------------------------------------------------------------------

    def subscribe(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Call ``listener`` at every change from now on; return the function that ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _tell(self, change: Change) -> None:
        for listener in tuple(self._listeners):
            listener(change)

    # --- text --------------------------------------------------------------------------------------------------

    def apply(
        self,
        edit: Edit,
        origin: object = None,
        *,
        merge: bool = False,
        passed: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Make an edit: one undo step.

        Parameters
        ----------
        edit
            Of the present text. Selection and joint positions follow what it renames.
        origin
            Whoever edits.
        merge
            Fold it into the undo step before, as for a word typed with a pause.
        passed
            Name and text of the states on the way to what the edit makes, each an undo step of its own: the words of
            a burst of typing, which is read once.

        Raises
        ------
        StaleEditError
            If the text is not that which the edit was computed from.
        """
        present = self.document
        if edit.document is not present and edit.document.text != present.text:
            raise StaleEditError
        text = present.spliced(edit.replacements)
        if text == present.text:
            return
        try:
            with self._pausing():
                document = present.edited(edit.replacements)
        except Exception as error:  # whatever fails in reading, what was typed must not be lost
            _log.exception("cannot read the text of %s", present.name)
            document = unread_document(text, present, error)
        self._history.push(edit.label, document, renamed=edit.renamed, passed=passed, merge=merge)
        self._read()
        self._tell_edit(edit.renamed, origin)

    def _tell_edit(self, renamed: tuple[tuple[str, str], ...], origin: object) -> None:
        """Say that the text is another one, in which some frames have other names."""
        names = dict(renamed)
        self.selection = tuple(names.get(name, name) for name in self.selection)
        self.positions = {names.get(name, name): values for name, values in self.positions.items()}
        self.visibility = self.visibility.renamed(names)
        self.measurements = tuple(each.renamed_frames(names) for each in self.measurements)
        self.section = None if self.section is None else self.section.renamed(names)
        self._tell(Change(document=True, renamed=renamed, origin=origin))

    def preview(self, edit: Edit) -> tuple[Model | None, tuple[Diagnostic, ...]]:
        """Return what the file would mean after an edit, and its problems then; nothing changes."""
        return self._loader.load_with_diagnostics(self.document.edited(edit.replacements))

    def load_beside(self, document: Document) -> tuple[Model | None, tuple[Diagnostic, ...]]:
        """Return what another document means, with the same model paths: another state of the file, or another file."""
        return self.make_loader().load_with_diagnostics(document)

    def make_loader(self) -> Loader:
        """Return a loader with the same model paths that shares no cache with the session: for another thread."""
        return Loader(
            self._loader.finder, self._unsaved, self._loader.expander, offer_fixes=offer_fixes, pausing=self._pausing
        )

    def undo(self, origin: object = None) -> None:
        """Take the last edit back; nothing happens where there is none."""
        if self.can_undo:
            self.go_to(self._history.index - 1, origin)

    def redo(self, origin: object = None) -> None:
        """Make the last edit taken back again; nothing happens where there is none."""
        if self.can_redo:
            self.go_to(self._history.index + 1, origin)

    def go_to(self, index: int, origin: object = None) -> None:
        """Go to any state of the history; selection and joint positions follow what is called otherwise there."""
        with self._pausing():
            renamed = self._history.go_to(index, _read_again)
        self._read()
        self._tell_edit(renamed, origin)

    def _read(self) -> None:
        """Find out what the text means. Nothing that fails here comes between a text and its file."""
        self._unsaved_then = dict(self._unsaved)
        before, X_before = self.model, self.X_RootF if self.model is not None else None
        try:
            model, self._told = self._loader.load_with_diagnostics(self.document)
            if model is not None or self.document.root is not None:
                self.model = model
            elif self.model is None and (meant := as_meant(self.document)) is not None:
                self.model = self.load_beside(meant)[0]
        except Exception as error:
            _log.exception("cannot analyze %s", self.document.name)
            self._told = (*self.document.diagnostics, internal_error(self.document, error))
            self._loader = self.make_loader()  # what the old one keeps may be half made
        self.diagnostics = self._told
        for name in ("kinematics", "comparison", "X_last"):
            self.__dict__.pop(name, None)
        self._forget_poses()
        if self.model is not before:
            self._keep_last_poses(before, X_before)

    def _keep_last_poses(self, before: Model | None, X_before: Array | None) -> None:
        """Keep the last poses of the rows that the text cannot place any more."""
        kept, self._last_poses = self._last_poses, {}
        if self.model is None or before is None or X_before is None:
            return
        for row in np.flatnonzero(np.isnan(self.model.X_RootF).any(axis=(1, 2))).tolist():
            name = self.model.names[row]
            old = before.rows_by_name.get(name)
            X = X_before[old] if old is not None and np.isfinite(X_before[old]).all() else kept.get(name)
            if X is not None:
                self._last_poses[name] = X

    def report(self, found: Sequence[Diagnostic], origin: object = None) -> None:
        """Add what loading meshes and textures has found to the problems of the present text, in place of the last."""
        diagnostics = (*self._told, *found)
        if diagnostics != self.diagnostics:
            self.diagnostics = diagnostics
            self._tell(Change(problems=True, origin=origin))

    # --- file --------------------------------------------------------------------------------------------------

    def save(self, path: Path | None = None, *, overwrite: bool = False) -> None:
        """Write the text to its file, or to another that becomes its file.

        Parameters
        ----------
        path
            Another file.
        overwrite
            Whether a file that has changed on disk meanwhile is overwritten.

        Raises
        ------
        ChangedOnDiskError
            If the file has changed on disk since it was read and ``overwrite`` is not set.
        SaveError
            If it cannot be written; the old content is still there.
        """
        target = path or self.path
        if target is None:
            raise saving.SaveError("the text has no file yet; choose one")
        document = self.document
        expected = None if overwrite or target != self.path else document.fingerprint
        on_disk = saving.save(target, document.to_bytes(), expected)
        has_moved = target != self.path
        self._history.mark_saved(document.moved_to(target, on_disk))
        if has_moved:  # problems say in which file they are, and includes are looked for beside it
            self._read()
        self._tell(Change(document=has_moved, saved=True))

    def reload(self) -> None:
        """Read the file again; the text before stays in the history, selection and joint positions stay.

        Raises
        ------
        UnreadableFileError
            If it can no longer be read.
        """
        if self.path is None:
            return
        with self._pausing():
            document = open_document(self.path)
        if document.text != self.document.text:
            self._history.push("Reload from disk", document)
        self._history.mark_saved(document)
        self._read()
        self._tell(Change(document=True, saved=True))

    def note_missing(self, is_missing: bool) -> None:
        """Take note that the file has gone from the disk, so that all of the text is unsaved work, or is back."""
        if is_missing != self._history.is_missing:
            self._history.is_missing = is_missing
            self._tell(Change(saved=True))

    def refresh(self) -> None:
        """Look at included files again, which may have changed or appeared since."""
        self._loader.finder.forget()
        self._read()
        self._tell(Change(document=True))

    @property
    def included_files(self) -> tuple[Path, ...]:
        """The files that the model includes, each once."""
        return tuple(dict.fromkeys(source.path for source in self._sources if source.path is not None))

    @property
    def _sources(self) -> list[Document]:
        """The documents that the model includes, each once; of a xacro file those that it reads."""
        found: dict[int, Document] = {}
        for source in self.model.sources if self.model is not None else ():
            if isinstance(source, ExpandedDocument):
                found.update((id(each), each) for each in source.sources if each is not self.document)
            elif source is not None:
                found[id(source)] = source
        return list(found.values())

    @property
    def includes_are_current(self) -> bool:
        """Whether the included files are still what was read from them, or from their unsaved text."""
        changed = {file for file, _ in self._unsaved.items() ^ self._unsaved_then.items()}
        if changed and not changed.isdisjoint(path.resolve() for path in self.included_files):
            return False
        return not any(
            source.fingerprint is not None and saving.has_changed(source.path, source.fingerprint)
            for source in self._sources
            if source.path is not None and source.path != self.path
        )

    def recover(self, text: str) -> None:
        """Take up unsaved work of an earlier run as an edit."""
        self._history.push("Recover unsaved work", _read_again(text, self.document))
        self._read()
        self._tell(Change(document=True))

    # --- selection and joints ----------------------------------------------------------------------------------

    def select(self, names: Iterable[str], origin: object = None) -> None:
        """Select frames by their scoped names."""
        selection = tuple(dict.fromkeys(names))
        if selection != self.selection:
            self.selection = selection
            self._tell(Change(selection=True, origin=origin))

    def set_visibility(self, visibility: Visibility, origin: object = None) -> None:
        """Hide or show things in the 3D view, or make them see-through."""
        if visibility != self.visibility:
            self.visibility = visibility
            self._tell(Change(visibility=True, origin=origin))

    def set_section(self, section: Section | None, origin: object = None) -> None:
        """Cut the model open in the 3D view; None shows it whole."""
        if section != self.section:
            self.section = section
            self._tell(Change(visibility=True, origin=origin))

    def set_measurements(self, measurements: Iterable[Measurement], origin: object = None) -> None:
        """Measure other things than before; they are kept until the file is closed."""
        self.measurements = tuple(measurements)
        self._tell(Change(measurements=True, origin=origin))

    def pose_of(self, name: str) -> Array | None:
        """Return X_RootF (4, 4) of a frame by its scoped name at the current joint positions, None if there is none."""
        row = None if self.model is None else self.model.rows_by_name.get(name)
        return None if row is None else self.X_RootF[row]

    @property
    def selected_row(self) -> int | None:
        """The row of the frame selected last, None where there is none."""
        if self.model is None or not self.selection:
            return None
        return self.model.rows_by_name.get(self.selection[-1])

    @property
    def selected_rows(self) -> list[int]:
        """The rows of all selected frames."""
        rows = {} if self.model is None else self.model.rows_by_name
        return [rows[name] for name in self.selection if name in rows]

    def _forget_poses(self) -> None:
        for name in ("X_RootF", "element_relative_poses"):
            self.__dict__.pop(name, None)

    def move_joint(self, name: str, values: Sequence[float], origin: object = None) -> None:
        """Put one joint to a position: radians or metres, one number for each axis."""
        self.move_joints({name: tuple(values)}, origin)

    def move_joints(self, positions: dict[str, tuple[float, ...]], origin: object = None) -> None:
        """Put joints to positions; those that are not named stay."""
        self.positions = {**self.positions, **positions}
        self._forget_poses()
        self._tell(Change(joints=True, origin=origin))

    def reset_joints(self, origin: object = None) -> None:
        """Put all joints to zero."""
        self.positions = {}
        self._forget_poses()
        self._tell(Change(joints=True, origin=origin))


def _read_again(text: str, document: Document) -> Document:
    """Return the document of another text of the same file."""
    try:
        return parse_document(text, document.path, encoding=document.encoding, on_disk=document.fingerprint)
    except Exception as error:
        _log.exception("cannot read the text of %s", document.name)
        return unread_document(text, document, error)
