"""One open file: its history, what it means, what is selected, where its joints are.

Knows all of that and tells it on as one kind of event; must not know Qt, nor who listens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document import saving
from sdfviewer.document.document import Document, as_meant, open_document, parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.document.finder import Finder
from sdfviewer.document.history import History
from sdfviewer.semantics.kinematics.forward import Kinematics
from sdfviewer.semantics.kinematics.readings import Comparison, Differences
from sdfviewer.semantics.load import Loader
from sdfviewer.semantics.model import Model
from sdfviewer.transforms import Array, pose_error


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

    Attributes
    ----------
    model
        What the text means. While the text cannot be read it stays that of the last text that could; where none could,
        it is what may have been meant.
    diagnostics
        All problems of the present text, and after them what `report` was told.
    positions
        Position of each joint that is not at zero, by scoped joint name, one number for each axis.
    selection
        Scoped names of the selected frames, the one selected last at the end.
    """

    def __init__(
        self, document: Document, finder: Finder | None = None, unsaved: Mapping[Path, Document] | None = None
    ) -> None:
        self._unsaved = {} if unsaved is None else unsaved
        self._unsaved_then: dict[Path, Document] = {}
        self._loader = Loader(finder or Finder(), self._unsaved)
        self._history = History(document)
        self._listeners: list[Callable[[Change], None]] = []
        self.model: Model | None = None
        self.diagnostics: tuple[Diagnostic, ...] = ()
        self._told: tuple[Diagnostic, ...] = ()
        self.positions: dict[str, tuple[float, ...]] = {}
        self.selection: tuple[str, ...] = ()
        self._read()

    @classmethod
    def open(
        cls, path: str | Path, finder: Finder | None = None, unsaved: Mapping[Path, Document] | None = None
    ) -> Session:
        """Return a session on a file.

        Raises
        ------
        UnreadableFileError
            If it cannot be read at all; faults in its text are diagnostics.
        """
        return cls(open_document(path), finder, unsaved)

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
    def is_current(self) -> bool:
        """Whether :attr:`model` is that of the present text, not of an earlier one that could be read."""
        return self.model is not None and self.model.document.text == self.document.text

    @cached_property
    def kinematics(self) -> Kinematics | None:
        """Forward kinematics of the model."""
        return None if self.model is None else Kinematics(self.model)

    @cached_property
    def X_RootF(self) -> Array:
        """Poses (n, 4, 4) of all rows at the present joint positions."""
        if not self.positions and self.model is not None:
            return self.model.X_RootF
        if self.kinematics is None:
            return np.empty((0, 4, 4))
        return self.kinematics.poses(self.kinematics.positions(self.positions))

    @cached_property
    def comparison(self) -> Comparison | None:
        """The model in its two readings."""
        return None if self.model is None else Comparison(self.model)

    @cached_property
    def element_relative_poses(self) -> Array:
        """Poses (n, 4, 4) of all rows in the element-relative reading at the present joint positions."""
        if self.comparison is None or self.kinematics is None:
            return np.empty((0, 4, 4))
        return self.comparison.poses(self.kinematics.positions(self.positions))[1]

    @property
    def differences(self) -> Differences:
        """How far the readings put each row apart at the present joint positions."""
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
            Of the present document. Selection and joint positions follow what it renames.
        origin
            Whoever edits.
        merge
            Fold it into the undo step before, as for a word typed with a pause.
        passed
            Name and text of the states on the way to what the edit makes, each an undo step of its own: the words of
            a burst of typing, which is read once.
        """
        document = self.document.edited(edit.replacements)
        if document.text == self.document.text:
            return
        self._history.push(edit.label, document, renamed=edit.renamed, passed=passed, merge=merge)
        self._read()
        self._tell_edit(edit.renamed, origin)

    def _tell_edit(self, renamed: tuple[tuple[str, str], ...], origin: object) -> None:
        """Say that the text is another one, in which some frames have other names."""
        names = dict(renamed)
        self.selection = tuple(names.get(name, name) for name in self.selection)
        self.positions = {names.get(name, name): values for name, values in self.positions.items()}
        self._tell(Change(document=True, renamed=renamed, origin=origin))

    def preview(self, edit: Edit) -> tuple[Model | None, tuple[Diagnostic, ...]]:
        """Return what the file would mean after an edit, and its problems then; nothing changes."""
        return self._loader.load_with_diagnostics(self.document.edited(edit.replacements))

    def load_beside(self, document: Document) -> tuple[Model | None, tuple[Diagnostic, ...]]:
        """Return what another document means, with the same model paths: another state of the file, or another file."""
        return Loader(self._loader.finder, self._unsaved).load_with_diagnostics(document)

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
        renamed = self._history.go_to(index, _read_again)
        self._read()
        self._tell_edit(renamed, origin)

    def _read(self) -> None:
        self._unsaved_then = dict(self._unsaved)
        model, self._told = self._loader.load_with_diagnostics(self.document)
        self.diagnostics = self._told
        if model is not None or self.document.root is not None:
            self.model = model
        elif self.model is None and (meant := as_meant(self.document)) is not None:
            self.model = self.load_beside(meant)[0]
        for name in ("kinematics", "comparison"):
            self.__dict__.pop(name, None)
        self._forget_poses()

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
            raise saving.SaveError("the text has no file yet; give it one")
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
            If it cannot be read any more.
        """
        if self.path is None:
            return
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
        sources = self.model.sources if self.model is not None else []
        return tuple(dict.fromkeys(source.path for source in sources if source is not None and source.path is not None))

    @property
    def includes_are_current(self) -> bool:
        """Whether the included files are still what was read from them, or from their unsaved text."""
        changed = {file for file, _ in self._unsaved.items() ^ self._unsaved_then.items()}
        if changed and not changed.isdisjoint(path.resolve() for path in self.included_files):
            return False
        sources = self.model.sources if self.model is not None else []
        return not any(
            source.fingerprint is not None and saving.has_changed(source.path, source.fingerprint)
            for source in {id(source): source for source in sources if source is not None}.values()
            if source.path is not None
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

    @property
    def selected_row(self) -> int | None:
        """The row of the frame selected last, None where there is none."""
        if self.model is None or not self.selection:
            return None
        return self.model.rows_by_name.get(self.selection[-1])

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
    return parse_document(text, document.path, encoding=document.encoding, on_disk=document.fingerprint)
