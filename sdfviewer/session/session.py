"""A session: one open file with history, model, selection and joint positions.

It reports every change as one kind of event. It knows neither Qt nor its listeners.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakMethod

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import Document, parse_document, unread_document
from sdfviewer.document.edits import Edit, Replacements
from sdfviewer.document.history import History
from sdfviewer.faults import log_fault
from sdfviewer.files import saving
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import current_folder, open_document
from sdfviewer.files.paths import is_same_file, real_path
from sdfviewer.files.recovery import KeptFile
from sdfviewer.files.uris import UriForm
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.load import Loader
from sdfviewer.formats.written_rows import IncludedDocument, expansion_of, in_included_file, with_holders
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.garbage_collection import paused_collection
from sdfviewer.language.text_map import difference
from sdfviewer.model.kinematics.conventions import Comparison, Differences
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import EditError
from sdfviewer.scene.tools.measuring import Measurement
from sdfviewer.scene.tools.section import Section
from sdfviewer.session.included_files import RereadDocument, existing, missing_files, reread
from sdfviewer.session.other_files import OtherEdits, OtherFiles, expect_copies
from sdfviewer.session.session_change import SessionChange
from sdfviewer.session.session_reader import OtherModel, RunInBackground, SessionPoses, SessionReader
from sdfviewer.session.visibility import Visibility
from sdfviewer.transforms import Array

if TYPE_CHECKING:
    from sdfviewer.files.uris import Keep

_Answer = TypeVar("_Answer")


class StaleEditError(EditError):
    """An edit was computed from another text than the present one."""

    def __init__(self) -> None:
        super().__init__("the file has changed in the meantime; try again")


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
    waits
        Whether xacro files are evaluated before the session is there; else :meth:`read_in_background` has to follow.

    Attributes
    ----------
    diagnostics
        All problems of the present text, and after them what `report` added.
    selection
        Scoped names of the selected frames, the one selected last at the end.
    visibility
        What is hidden or see-through in the 3D view.
    others
        The unsaved documents of other files that edits of this one have changed; they are undone and saved with it.
    """

    def __init__(
        self,
        document: Document,
        finder: Finder | None = None,
        unsaved: Mapping[Path, Document] | None = None,
        expander: Expander | None = None,
        *,
        waits: bool = True,
    ) -> None:
        self._history = History(document)
        self._elsewhere: Mapping[Path, Document] = {} if unsaved is None else unsaved
        self.others = OtherFiles(self._history)
        self._reader = SessionReader(
            finder or Finder(),
            _Both(self.others, self._elsewhere),
            expander or Expander(),
            waits=waits,
            arrived=self._weakly(self._take_reading),
        )
        self._listeners: list[Callable[[SessionChange], None]] = []
        self._poses = SessionPoses()
        self._edited: tuple[Model, Model] | None = None
        self._in_context: tuple[Model, tuple[int, ...], Model | None] | None = None
        self._reported_faults: tuple[Diagnostic, ...] = ()
        self._found: tuple[Diagnostic, ...] = ()
        self.diagnostics: tuple[Diagnostic, ...] = ()
        # What was there although a file was not found, such as a folder of its name: no reason to read again.
        self._seen: frozenset[Path] = frozenset()
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
        waits: bool = True,
    ) -> Session:
        """Return a session on a file.

        Raises
        ------
        UnreadableFileError
            If it cannot be read at all; faults in its text are diagnostics.
        """
        with paused_collection():
            return cls(open_document(path), finder, unsaved, expander, waits=waits)

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
    def folder(self) -> Path:
        """The folder of the file, before it has one the folder that the program runs in: dialogs start there."""
        return current_folder() if self.path is None else self.path.parent

    @property
    def dirty(self) -> bool:
        """Whether there is unsaved work."""
        return self._history.dirty or bool(self.others)

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
        return self._reader.finder

    @property
    def unsaved(self) -> Mapping[Path, Document]:
        """Documents that count instead of what lies on the disk, by the resolved path of their file."""
        return self._reader.unsaved

    @property
    def expander(self) -> Expander:
        """What evaluates xacro files."""
        return self._reader.expander

    @property
    def refused(self) -> tuple[Document, ...]:
        """The xacro files among what the text is made of that may not be evaluated."""
        return self._reader.refused

    def is_edited_elsewhere(self, path: Path) -> bool:
        """Return whether a file has unsaved changes of its own, so that edits of this one must not change it."""
        return real_path(path) in self._elsewhere

    @property
    def is_current(self) -> bool:
        """Whether :attr:`model` is that of the present text, not of an earlier one that could be read."""
        return self._reader.is_current(self.document)

    def problems_by_frame(self) -> dict[str, list[Diagnostic]]:
        """Return the problems that views mark at each frame, by its scoped name.

        While the text cannot be read, these are the problems of what is shown.
        """
        found: dict[str, list[Diagnostic]] = {}
        model = self.model
        for problem in () if model is None else self.diagnostics if self.is_current else model.diagnostics:
            for name in problem.marked:
                found.setdefault(name, []).append(problem)
        return found

    @property
    def is_located(self) -> bool:
        """Whether locations in :attr:`model` are those in the present text, even if that is not XML."""
        return self._reader.is_of(self.document)

    @property
    def is_reading(self) -> bool:
        """Whether the text is being read beside the caller's thread; :attr:`model` is the last one until then."""
        return self._reader.is_pending

    @property
    def model(self) -> Model | None:
        """What the text means.

        While the text is not XML it is what the elements mean that it has all the same, see :attr:`is_located`; where
        it has none, and while a xacro file cannot be evaluated, it stays that of the last text.
        """
        return self._poses.model

    @property
    def edited_model(self) -> Model | None:
        """The model that edits are computed in, and that says what can be edited; None where there is no model.

        Of a xacro file it is that of what the file writes, with the same rows: an edit of it is written back, see
        :mod:`sdfviewer.refactoring.xacro_edits`.

        Raises
        ------
        SdfViewerError
            If what the file writes cannot be read by itself.
        """
        model = self.model
        if model is None or expansion_of(model) is None:
            return model
        if self._edited is None or self._edited[0] is not model:
            self._edited = model, self._reader.make_loader().load_expansion(model)
        return self._edited[1]

    def edited_at(self, rows: Sequence[int]) -> Model | None:
        """Return the model that edits of some rows are computed in.

        Where one included file writes all of them, that is the model as if they were written here: an edit of it is one
        of an :class:`~sdfviewer.formats.written_rows.IncludedDocument`, see :func:`.in_context.ways_of`. Else it is
        :attr:`edited_model`.
        """
        model = self.model
        if model is None or not rows or model.sources[rows[0]] is None:
            return self.edited_model
        if self._in_context is None or self._in_context[0] is not model or self._in_context[1] != tuple(rows):
            self._in_context = model, tuple(rows), in_included_file(model, rows)
        return self._in_context[2] or self.edited_model

    def fits(self, edit: Edit) -> bool:
        """Return whether an edit is one of the present text, or of what the present text writes or includes."""
        model = self.model
        if isinstance(edit.document, IncludedDocument):
            return self.is_current and edit.document.including is model
        if isinstance(edit.document, ExpandedDocument):
            return model is not None and self.is_current and edit.document is expansion_of(model)
        return edit.fits(self.document)

    @property
    def positions(self) -> dict[str, tuple[float, ...]]:
        """Position of each joint that is not at zero, by scoped joint name, one number for each axis."""
        return self._poses.positions

    @positions.setter
    def positions(self, positions: Mapping[str, tuple[float, ...]]) -> None:
        self._poses.set_positions(positions)

    @property
    def kinematics(self) -> Kinematics | None:
        """Forward kinematics of the model; None where there is no model, or its kinematics fails."""
        return self._with_faults(self._poses.kinematics)

    @property
    def X_RootF(self) -> Array:
        """Poses (n, 4, 4) of all rows at the current joint positions."""
        return self._with_faults(self._poses.X_RootF)

    @property
    def comparison(self) -> Comparison | None:
        """The model in both conventions."""
        return self._with_faults(self._poses.comparison)

    @property
    def element_relative_poses(self) -> Array:
        """Poses (n, 4, 4) of all rows in the element-relative convention at the current joint positions."""
        return self._with_faults(self._poses.element_relative)

    @property
    def X_last(self) -> Array:
        """Last known poses (n, 4, 4) of the rows that the text cannot place now; see :attr:`SessionPoses.X_last`."""
        return self._poses.X_last

    @property
    def differences(self) -> Differences:
        """The distance of each row between the conventions at the current joint positions."""
        return self._with_faults(self._poses.differences)

    def _with_faults(self, answer: _Answer) -> _Answer:
        """Return an answer, and say among the problems what has failed in finding it."""
        if self._poses.faults is not self._reported_faults:
            self._reported_faults = self._poses.faults
            self._show_problems()
        return answer

    # --- events ------------------------------------------------------------------------------------------------

    def subscribe(self, listener: Callable[[SessionChange], None]) -> Callable[[], None]:
        """Call ``listener`` at every change from now on; return the function that ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _emit(self, change: SessionChange) -> None:
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
        select: Sequence[str] = (),
        edited: Document | None = None,
        others: OtherEdits | None = None,
        is_typed: bool = False,
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
        select
            What is selected then, by scoped names; none for what is selected now.
        edited
            The document with the edit, where that was read beside the caller's thread because so much of it is new: its
            model is loaded there, too.
        others
            What it does to other files: it is an undo step even where the text stays.
        is_typed
            Whether it was typed: a model that takes long to read is read in the background then, and typing goes on.

        Raises
        ------
        StaleEditError
            If the text is not that which the edit was computed from.
        EditError
            If another file that it changes has unsaved changes of its own.
        """
        touched = {} if others is None else others.touched
        if busy := next((path for path in touched if path in self._elsewhere), None):
            raise EditError(f"{busy.name} has unsaved changes of its own; save it, then try again")
        present = self.document
        if not edit.fits(present):
            raise StaleEditError
        try:
            with paused_collection():
                document = present.edited(edit.replacements) if edited is None else edited
        except Exception as error:  # whatever fails in reading, the typed text must not be lost
            log_fault(f"read the text of {present.name}", error)
            document = unread_document(present.spliced(edit.replacements), present, error)
        if document.text == present.text:
            if not touched:
                return
            document = present.moved_to(present.path, present.fingerprint)
        after = self._selection_after(edit.renamed, select)
        self._history.push(
            edit.label,
            document,
            renamed=edit.renamed,
            passed=passed,
            merge=merge,
            selected=(self.selection, after),
            is_large=edited is not None,
            others=None if others is None else self.others.after(others),
            replaced=_span_of(edit.replacements),
        )
        if others is not None and others.copies:
            expect_copies(self.finder, self.others.copies)
        self._read(is_large=edited is not None or (is_typed and self._reader.takes_long))
        self._report_edit(edit.renamed, origin, after)

    def _selection_after(self, renamed: tuple[tuple[str, str], ...], select: Sequence[str] = ()) -> tuple[str, ...]:
        """Return what is selected after an edit: ``select``, or where that is nothing what is selected now."""
        names = dict(renamed)
        return tuple(dict.fromkeys(select)) or tuple(names.get(name, name) for name in self.selection)

    def _report_edit(self, renamed: tuple[tuple[str, str], ...], origin: object, selection: tuple[str, ...]) -> None:
        """Report that the text has changed, and rename the frames in what is kept by name."""
        before = self._selection_after(renamed)
        self.selection = selection
        self._rename(dict(renamed))
        # One change, not two: every view that shows the selection shows it once.
        is_selected = self.selection != before
        self._emit(SessionChange(document=True, selection=is_selected, renamed=renamed, origin=origin))

    def _rename(self, names: dict[str, str]) -> None:
        """Call frames otherwise in what is kept by name, beside the selection."""
        self.positions = {names.get(name, name): values for name, values in self.positions.items()}
        self.visibility = self.visibility.renamed(names)
        self.measurements = tuple(each.renamed_frames(names) for each in self.measurements)
        self.section = None if self.section is None else self.section.renamed(names)

    def preview(self, edit: Edit) -> tuple[Model | None, tuple[Diagnostic, ...]]:
        """Return the model of the file after an edit, and its diagnostics; nothing changes.

        Where a xacro file would have to be evaluated for that, it is what the file means now.
        """
        return self._reader.preview(self.document.edited(edit.replacements))

    def load_other(self, document: Document, then: Callable[[OtherModel], object], *, is_found: bool = False) -> None:
        """Load another document with the same model paths, another state of the file for example, and hand it over.

        That happens at once, or beside the caller's thread where a xacro file must be evaluated. ``is_found`` says that
        its text was not typed here, so that a xacro file is evaluated only if its content is allowed.
        """
        self._reader.load_other(document, then, is_found=is_found)

    def make_loader(self, *, waits: bool = True, is_found: bool = False) -> Loader:
        """Return a loader with the same model paths and documents of its own: for another thread.

        See :meth:`load_other`; without ``waits`` it raises EvaluationPendingError where it would evaluate.
        """
        return self._reader.make_loader(waits=waits, is_found=is_found)

    def undo(self, origin: object = None, choose: Callable[[], Sequence[str]] | None = None) -> None:
        """Take the last edit back; nothing happens where there is none. See :meth:`go_to`."""
        if self.can_undo:
            self.go_to(self._history.index - 1, origin, choose)

    def redo(self, origin: object = None, choose: Callable[[], Sequence[str]] | None = None) -> None:
        """Make the last edit taken back again; nothing happens where there is none. See :meth:`go_to`."""
        if self.can_redo:
            self.go_to(self._history.index + 1, origin, choose)

    def go_to(self, index: int, origin: object = None, choose: Callable[[], Sequence[str]] | None = None) -> None:
        """Go to any state of the history; selection and joint positions follow what is called otherwise there.

        What was selected there is selected again. Where that was nothing, or is gone, ``choose`` is asked, once the
        text is read: it returns what to select, by scoped names; none for what is selected now.
        """
        with paused_collection():
            selected = self._history.selected_at(index)
            is_large = self._history.is_large_step_to(index)
            renamed = self._history.go_to(index, _reparse)
        # Where more than one edit is passed, what is selected is looked for in a model that has been read.
        self._read(is_large=is_large)
        rows = {} if self.model is None else self.model.rows_by_name
        select = [name for name in selected if name in rows] or (() if choose is None else choose())
        self._report_edit(renamed, origin, self._selection_after(renamed, select))

    def _read(self, *, is_large: bool = False) -> None:
        """Load the model of the text. No failure here keeps the text from being saved."""
        self._reader.read(self.document, is_large=is_large)
        self._show_reading()

    def _show_reading(self) -> None:
        if not self._reader.is_pending:
            self._poses.set_model(self._reader.model)
        self._found, self._reported_faults = (), self._poses.faults
        self.diagnostics = self._all_problems()

    @staticmethod
    def _weakly(method: Callable[[], None]) -> Callable[[], None]:
        """Return a function that calls a method as long as its object is there, and does not keep it there.

        A session in a circle of references, with all elements of its file, would stay until the collector looks for it.
        """
        weak = WeakMethod(method)

        def call() -> None:
            known = weak()
            if known is not None:
                known()

        return call

    def _take_reading(self) -> None:
        """Take what was read beside the caller's thread."""
        self._show_reading()
        if not self._reader.includes_are_current(self.document):  # a file was written or typed in meanwhile
            self._read()
        self._emit(SessionChange(document=True))

    def read_in_background(self, run: RunInBackground) -> None:
        """Read beside the caller's thread from now on where that can take long: where xacro files are evaluated.

        The session reports a change with the text at once, and another one when its model is there.
        """
        self._reader.read_in_background(run, self.document)

    def prepare_in_background(self, prepare: Callable[[Model], object]) -> None:
        """Call ``prepare`` with each model that is read beside the caller's thread, in that other thread."""
        self._reader.prepare = prepare

    def cancel_reading(self) -> None:
        """Stop reading beside the caller's thread; a problem says so until the expander tries again."""
        self._reader.cancel()

    def close(self) -> None:
        """Give up reading beside the caller's thread."""
        self._reader.abandon()

    def report(self, found: Sequence[Diagnostic], origin: object = None) -> None:
        """Add what loading meshes and textures has found to the problems of the present text, in place of the last."""
        self._found = tuple(found) if self.model is None else with_holders(self.model, tuple(found))
        self._show_problems(origin)

    def _show_problems(self, origin: object = None) -> None:
        diagnostics = self._all_problems()
        if diagnostics != self.diagnostics:
            self.diagnostics = diagnostics
            self._emit(SessionChange(problems=True, origin=origin))

    def _all_problems(self) -> tuple[Diagnostic, ...]:
        return (*self._reader.diagnostics, *self._reported_faults, *self._found)

    # --- file --------------------------------------------------------------------------------------------------

    def save(
        self,
        path: Path | None = None,
        *,
        overwrite: bool = False,
        uris: UriForm | Keep | None = None,
        tell: Callable[[str], object] = lambda _: None,
    ) -> None:
        """Write the text to its file, or to another that becomes its file.

        :attr:`others` are written first, one by one: each whole or not at all. Where the text goes to another folder,
        it is read there again and compared with what it meant.

        Parameters
        ----------
        path
            Another file.
        overwrite
            Whether a file that has changed on disk meanwhile is overwritten. Where its path leads to another file than
            when it was read, that file is written only if ``path`` is given, too.
        uris
            How a text that goes to another folder names its files, see :func:`.moved_text.moved_text`.
        tell
            Called with what the user should know: other names of the file have parted, or it became UTF-8 or names its
            files otherwise, which is an edit that can be undone; what differs in another folder. See
            :func:`.saving.save` and :meth:`.Document.storable`.

        Raises
        ------
        ChangedOnDiskError
            If the file has changed on disk since it was read and ``overwrite`` is not set, or its path leads elsewhere.
        SaveError
            If it cannot be written; the old content is still there.
        """
        target = path or self.path
        if target is None:
            raise saving.SaveError("the text has no file yet; choose one")
        notes: list[str] = []
        document = self.document.storable(notes.append)
        is_own = self.path is not None and is_same_file(target, self.path)
        expected = document.fingerprint if is_own and not (overwrite and path is not None) else None
        model = self.model if self.is_current else None
        moved = None
        if not is_own:
            from sdfviewer.refactoring.composition.moved_text import moved_text  # noqa: PLC0415  # few files move

            moved = moved_text(document, target, self.finder, uris)
        if moved is not None and moved.changes:
            document = moved.document
        if self.others or self.others.copies or (moved is not None and moved.copies):
            if not overwrite:
                self.others.require_unchanged()
                if self.path is not None and is_own and document.fingerprint is not None:
                    saving.require_unchanged(self.path, document.fingerprint)
            self.others.save(notes.append, document, self.finder, () if moved is None else moved.copies)
            self.refresh()
        on_disk = saving.save(target, document.to_bytes(), expected, overwrite=overwrite, tell=notes.append)
        has_moved = target != self.path
        is_other_text = document.text != self.document.text
        if is_other_text:
            label = "Save in another folder" if moved is not None and moved.changes else "Save as UTF-8"
            self._history.push(label, document, selected=(self.selection, self.selection))
        self._history.mark_saved(document.moved_to(target, on_disk))
        if has_moved or is_other_text:  # problems say in which file they are, and includes are looked for beside it
            self._read()
        self._emit(SessionChange(document=has_moved or is_other_text, saved=True))
        if notes:
            tell(" ".join(notes))
        if moved is not None:
            differences = moved.differences(model, self.model, self.finder)
            if differing := (*moved.notes, *differences.missing, *differences.faults):
                tell("\n".join(differing))

    def reload(self) -> None:
        """Read the file again; the text before stays in the history, selection and joint positions stay.

        Raises
        ------
        UnreadableFileError
            If it can no longer be read.
        """
        if self.path is None:
            return
        with paused_collection():
            reloaded = reread(self.document)
        self.take_reloaded(reloaded)

    def take_reloaded(self, reloaded: RereadDocument) -> None:
        """Take what :func:`reread` has read, which may have been beside the caller's thread."""
        document = reloaded.document
        renamed = self._history.renamed_to_saved
        if document.text != self.document.text or self.others:
            self._history.push("Reload from disk", document, renamed=renamed, others={})
        self._history.mark_saved(document)
        self.finder.forget()
        self._reader.read(document, is_large=reloaded.is_large_change)
        self._show_reading()
        # What was renamed here is called on disk as before, unless another program has renamed it too.
        rows = {} if self.model is None else self.model.rows_by_name
        renamed = tuple((here, there) for here, there in renamed if here not in rows and there in rows)
        self.selection = self._selection_after(renamed)
        self._rename(dict(renamed))
        self._emit(SessionChange(document=True, saved=True, renamed=renamed))

    def take_merged(self, edit: Edit, theirs: Document) -> None:
        """Make the edit that merges the present text with what another program has written: one undo step.

        Theirs counts as read then: saving overwrites it, and what is unsaved is what differs from it.

        Raises
        ------
        StaleEditError
            If the text is not that which was merged.
        """
        self.apply(edit)
        document, is_written_otherwise = self.document, theirs.encoding != self.document.encoding
        if is_written_otherwise:
            document = parse_document(document.text, document.path, encoding=theirs.encoding)
        self._history.mark_merged(document.moved_to(document.path, theirs.fingerprint), theirs.text)
        if is_written_otherwise:
            self._read()
        self._emit(SessionChange(document=is_written_otherwise, saved=True))

    def note_missing(self, is_missing: bool) -> None:
        """Record whether the file is missing on disk. While it is, the whole text is unsaved."""
        if is_missing != self._history.is_missing:
            self._history.is_missing = is_missing
            self._emit(SessionChange(saved=True))

    def refresh(self) -> None:
        """Look at included files again, which may have changed or appeared since."""
        self._seen = existing(self.missing_files)
        self.finder.forget()
        self._read()
        self._emit(SessionChange(document=True, files=True))

    @property
    def missing_files(self) -> tuple[Path, ...]:
        """Where files were not found: included models, meshes, textures, and what xacro files read."""
        return missing_files(self.diagnostics)

    @property
    def missing_files_appeared(self) -> bool:
        """Whether something is there now where a file was not found before."""
        return not existing(self.missing_files) <= self._seen

    @property
    def included_files(self) -> tuple[Path, ...]:
        """The files that the model includes, each once."""
        return self._reader.included_files(self.document)

    @property
    def includes_are_current(self) -> bool:
        """Whether included files are still what was read from them, or their unsaved text, or still missing."""
        return self._reader.includes_are_current(self.document) and not self.missing_files_appeared

    def recover(self, text: str, others: Sequence[KeptFile] = ()) -> None:
        """Take up unsaved work of an earlier run as an edit, with that on other files."""
        edits = OtherEdits()
        for each in others:
            before = open_document(each.path) if each.path.exists() else None
            after = parse_document(each.text, each.path) if before is None else _reparse(each.text, before)
            edits.write(before, after)
        self._history.push("Recover unsaved work", _reparse(text, self.document), others=self.others.after(edits))
        self._read()
        self._emit(SessionChange(document=True))

    # --- selection and joints ----------------------------------------------------------------------------------

    def select(self, names: Iterable[str], origin: object = None) -> None:
        """Select frames by their scoped names."""
        selection = tuple(dict.fromkeys(names))
        if selection != self.selection:
            self.selection = selection
            self._emit(SessionChange(selection=True, origin=origin))

    def set_visibility(self, visibility: Visibility, origin: object = None) -> None:
        """Hide or show things in the 3D view, or make them see-through."""
        if visibility != self.visibility:
            self.visibility = visibility
            self._emit(SessionChange(visibility=True, origin=origin))

    def set_section(self, section: Section | None, origin: object = None) -> None:
        """Cut the model open in the 3D view; None shows it whole."""
        if section != self.section:
            self.section = section
            self._emit(SessionChange(visibility=True, origin=origin))

    def set_measurements(self, measurements: Iterable[Measurement]) -> None:
        """Measure other things than before; they are kept until the file is closed."""
        self.measurements = tuple(measurements)
        self._emit(SessionChange(measurements=True))

    def pose_of(self, name: str) -> Array | None:
        """Return X_RootF (4, 4) of a frame by its scoped name at the current joint positions, None if there is none."""
        row = None if self.model is None else self.model.rows_by_name.get(name)
        return None if row is None else self.X_RootF[row]

    @property
    def selected_row(self) -> int | None:
        """The row of the frame selected last, None if there is none."""
        if self.model is None or not self.selection:
            return None
        return self.model.rows_by_name.get(self.selection[-1])

    @property
    def selected_rows(self) -> list[int]:
        """The rows of all selected frames."""
        rows = {} if self.model is None else self.model.rows_by_name
        return [rows[name] for name in self.selection if name in rows]

    def move_joints(self, positions: dict[str, tuple[float, ...]], origin: object = None) -> None:
        """Put joints to positions, in radians or metres, one number for each axis; those that are not named stay."""
        self.positions = {**self.positions, **positions}
        self._emit(SessionChange(joints=True, origin=origin))

    def reset_joints(self) -> None:
        """Put all joints to zero."""
        self.positions = {}
        self._emit(SessionChange(joints=True))


class _Both(Mapping[Path, Document]):
    """The documents of two mappings; those of the first count where both have one."""

    def __init__(self, first: Mapping[Path, Document], second: Mapping[Path, Document]) -> None:
        self._first, self._second = first, second

    def __getitem__(self, path: Path) -> Document:
        found = self._first.get(path)
        return self._second[path] if found is None else found

    def __iter__(self) -> Iterator[Path]:
        return iter({**self._first, **self._second})

    def __len__(self) -> int:
        return len({**self._first, **self._second})


def _span_of(replacements: Replacements) -> tuple[int, int] | None:
    """Return start and end of what replacements lie in, None for none."""
    if not replacements:
        return None
    return min(each.start for each in replacements), max(each.end for each in replacements)


def _reparse(text: str, document: Document) -> Document:
    """Return the document of another text of the same file, which shares with it what both have in common."""
    try:
        return document.edited(() if (change := difference(document.text, text)) is None else (change,))
    except Exception as error:
        log_fault(f"read the text of {document.name}", error)
        return unread_document(text, document, error)
