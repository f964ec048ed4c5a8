"""A document for scripts, with the history and saving of the window."""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, SupportsIndex

from sdfviewer.diagnostics import Diagnostic, InvalidValueError, SdfViewerError
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Edit as TextEdit
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import Source
from sdfviewer.files.paths import real_path
from sdfviewer.files.recovery import Recovery, discard_recovery, recoveries
from sdfviewer.files.uris import Keep, UriForm
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.formats.sdformat.members import why_invalid_name
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.library.base import ReadOnly, Walled, edit_for, walled
from sdfviewer.library.editing import DocumentEdit
from sdfviewer.library.model import Model
from sdfviewer.library.names import AnyHandle, RowFinder
from sdfviewer.library.opening import make_expander, make_finder, read_document, require_unread, with_named_keywords
from sdfviewer.library.world import model_of
from sdfviewer.model.names import did_you_mean
from sdfviewer.refactoring.fix_offers import offer_fixes
from sdfviewer.refactoring.templates import TEMPLATES
from sdfviewer.session.other_files import OtherEdits
from sdfviewer.session.session import Session
from sdfviewer.session.unsaved_work import UnsavedText, write_unsaved
from sdfviewer.versions import FRAME_SEMANTICS, NEWEST, VERSIONS, format_version, parse_version


class RecoveryFiles:
    """Keeps the unsaved work of a document where the window looks for it too.

    Unlike those of the window, the files stay when the program ends as it should: a script cannot be asked whether to
    save.

    Parameters
    ----------
    writes
        Whether unsaved work is written; else it is only read.
    """

    def __init__(self, writes: bool) -> None:
        self._writes = writes
        self._nameless = secrets.token_hex(8)
        self._kept: Path | None = None
        self._recovered: list[Path] = []

    def keep(self, document: Document | None, others: Mapping[Path, Document]) -> None:
        """Write an unsaved document down with the other files that it writes; None where all is saved."""
        if not self._writes:
            return
        try:
            former, self._kept = self._kept, None
            if document is not None:
                base = document.fingerprint
                text = UnsavedText(document.path, document.text, document.encoding, base, dict(others))
                self._kept = write_unsaved(text, self._nameless)
            if former is not None and former != self._kept:
                discard_recovery(former)
        except SdfViewerError as error:  # the edit itself is made
            warnings.warn(f"unsaved work cannot be recovered after a crash: {error}", stacklevel=4)

    @staticmethod
    def find(document: Document) -> Recovery | None:
        """Return the newest unsaved work that a run which has ended left behind for a file."""
        path = None if document.path is None else real_path(document.path)
        for each in recoveries():
            is_same = each.path == path or (each.path is not None and path is not None and real_path(each.path) == path)
            if is_same and each.is_abandoned and (each.others or each.text != document.text):
                return each
        return None

    def take(self, recovery: Recovery) -> None:
        """Take note that unsaved work of an earlier run is part of the document now."""
        self._recovered.append(recovery.source)

    def forget_recovered(self) -> None:
        """Remove the recovery files of what was taken up: the document is saved."""
        while self._recovered:
            discard_recovery(self._recovered.pop())


class EditableDocument(Walled, ReadOnly):
    """A file with its history.

    Not for several threads at once, other than the models of :func:`sdfviewer.load`.
    """

    def __init__(
        self, document: Document, finder: Finder, expander: Expander | None = None, *, recovery: bool = False
    ) -> None:
        self._recovery = RecoveryFiles(recovery)
        self._model: Model | None = None
        self._session = Session(document, finder, expander=expander)
        self._others = self._session.others

    # --- state -------------------------------------------------------------------------------------------------

    @property
    def model(self) -> Model:
        """What the text means; it follows every edit, and so do handles that are looked up in it.

        Raises
        ------
        SdfViewerError
            If the text means nothing at all.
        """
        table = self._session.model
        if table is None:
            raise SdfViewerError(why_not_loaded(self._session.diagnostics))
        if self._model is None:
            self._model = model_of(table, self._session.finder, expander=self._session.expander)
            self._model._is_live = True
        return self._model

    @property
    def text(self) -> str:
        """The present text."""
        return self._session.document.text

    @property
    def path(self) -> Path | None:
        """The file; None for a text that has none yet."""
        return self._session.path

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the present text; each problem has its quick fixes."""
        return self._session.diagnostics

    @property
    def is_modified(self) -> bool:
        """Whether there is unsaved work."""
        return self._session.dirty

    @property
    def unsaved_files(self) -> tuple[Path, ...]:
        """The other files that :meth:`save` will write: split off parts, and dependent files that follow a rename."""
        return tuple(self._others)

    @property
    def history(self) -> tuple[str, ...]:
        """The names of the undo steps up to now, the oldest first."""
        steps = self._session.history.steps
        return tuple(step.label for step in steps[1 : self._session.history.index + 1])

    if not TYPE_CHECKING:

        def __enter__(self) -> NoReturn:  # says what to do instead
            raise TypeError("a document has nothing to close; edit it in a block: with document.edit() as edit:")

        def __exit__(self, *_: object) -> None:
            pass  # without it Python does not get as far as the message

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError("a document cannot be pickled or copied: use document.model, or open its text again")

    def __repr__(self) -> str:
        name = self.path.name if self.path is not None else "text without a file"
        modified = ", modified" if self.is_modified else ""
        meaning = repr(self.model)[1:-1] if self._session.model is not None else "no model or world"
        return f"<document {name}: {meaning}{modified}>"

    def _repr_html_(self) -> str:
        return self.model._repr_html_()

    def _hint(self, name: str) -> str:
        if not self._right(name) and (edit := edit_for(name)):
            return f"; use: with document.edit() as edit: {edit}"
        return f"; use document.model.{name}" if hasattr(Model, name) else super()._hint(name)

    # --- edits -------------------------------------------------------------------------------------------------

    def edit(self, label: str | None = None) -> DocumentEdit:
        """Return a context in which edits are made that become one undo step.

        A xacro file is edited where its values come from: literals, properties, arguments, parameters of macro calls
        and values of YAML files. Where a value can go to several places, the error lists them; set ``edit.where`` to
        one of them, such as ``"property wheel_radius"``, and try again.

        Parameters
        ----------
        label
            Name of the undo step.

        Examples
        --------
        >>> with document.edit("Raise the grasp frame") as edit:  # doctest: +SKIP
        ...     edit.set_pose("grasp", xyz=(0, 0, 0.2))
        """
        return self._begin(label, self._apply)

    def preview(self, label: str | None = None) -> DocumentEdit:
        """Return a context like :meth:`edit` whose edits are not made: ask for its ``diff`` and what is ``moved``."""
        return self._begin(label, None)

    def copied(self, *things: str | AnyHandle, below: bool = False) -> str:
        """Return elements as text for :meth:`DocumentEdit.paste`, with the places of what they name outside.

        A link takes along the joint that carries it, the frames on it and the plugins that name nothing else.

        Parameters
        ----------
        things
            Names or handles of what is copied, all of it in one model, world or link.
        below
            Whether links take along everything that joints carry below them.

        Raises
        ------
        SdfViewerError
            If there is no such thing, or it is written in another file.
        """
        from sdfviewer.refactoring.composition.copying import copy_elements  # noqa: PLC0415  # seldom needed

        own = self._session.model
        if own is None:
            raise SdfViewerError(why_not_loaded(self._session.diagnostics))
        table = self._session.make_loader().load_expansion(own)
        rows = [table.rows_by_name[own.names[RowFinder(own).row(each)]] for each in things]
        return copy_elements(table, rows, below=below).document

    def _begin(self, label: str | None, apply: Callable[[TextEdit, OtherEdits], None] | None) -> DocumentEdit:
        session, others = self._session, OtherEdits(dict(self._others), copies=dict(self._others.copies))
        loader = Loader(
            session.finder.fresh(), others.documents, session.expander.fork(waits=True), offer_fixes=offer_fixes
        )
        return DocumentEdit(self.model, session.document, loader, label, apply, others)

    def undo(self) -> str | None:
        """Undo the last edit and return its name, None if there is none."""
        label = self._session.history.undo_label
        if label is not None:
            index = self._session.history.index
            self._go_to(index - 1, f"Undo {label}")
        return label

    def redo(self) -> str | None:
        """Redo the last undone edit and return its name, None if there is none."""
        label = self._session.history.redo_label
        if label is not None:
            self._go_to(self._session.history.index + 1, label)
        return label

    def _go_to(self, index: int, label: str) -> None:
        renamed: list[tuple[str, str]] = []
        stop = self._session.subscribe(lambda change: renamed.extend(change.renamed))
        try:
            self._session.go_to(index)
        finally:
            stop()
        self._advance(dict(renamed), label)

    def _apply(self, edit: TextEdit, others: OtherEdits) -> None:
        """Make an edit that was computed from a state of the text, and that of other files.

        Raises
        ------
        StaleEditError
            If the text has changed meanwhile.
        """
        self._session.apply(edit, others=others)
        self._advance(dict(edit.renamed), edit.label)

    # --- unsaved work ------------------------------------------------------------------------------------------

    @property
    def recoverable(self) -> Recovery | None:
        """Unsaved work on this file from a script or window that has ended; None if there is none."""
        return RecoveryFiles.find(self._session.document)

    def recover(self) -> None:
        """Apply :attr:`recoverable` work as one undo step.

        Raises
        ------
        SdfViewerError
            If there is none.
        """
        found = self.recoverable
        if found is None:
            raise SdfViewerError("there is no unsaved work to recover")
        self._recovery.take(found)
        self._session.recover(found.text, found.others)
        self._advance({}, "Recover unsaved work")

    def _keep_unsaved_work(self) -> None:
        self._recovery.keep(self._session.document if self._session.dirty else None, self._others)

    # --- changes -----------------------------------------------------------------------------------------------

    def _advance(self, renamed: dict[str, str], label: str) -> None:
        self._keep_unsaved_work()
        table = self._session.model
        if self._model is not None and table is not None and table is not self._model._state.table:
            self._model._advance(table, renamed, label)

    # --- file --------------------------------------------------------------------------------------------------

    def save(
        self,
        path: str | Path | None = None,
        *,
        overwrite: bool = False,
        uris: UriForm | Keep | None = None,
    ) -> None:
        """Write the text to its file, or to another one that becomes its file.

        A warning says where other names of the file (hard links) keep the old content, its owner has changed, or the
        text had to become UTF-8.

        Files that a part was split off to, and dependent files that follow a rename, are written first, one by one.
        Each file is written whole or not at all. Where one cannot be written, those before it have their new content.

        Parameters
        ----------
        path
            Another file.
        overwrite
            Whether a file that has changed on disk meanwhile is overwritten. Where its path has become a link to
            another file, that is written only if `path` is given.
        uris
            How a text that goes to another folder names its files: by relative paths, ``model://``, ``package://`` or
            whole paths; copied beside it; or as it does now. By default what would lead elsewhere becomes a relative
            path. What is not found from there, or differs when it is read there, is a warning.

        Raises
        ------
        ChangedOnDiskError
            If the file has changed on disk since it was read, and `overwrite` is not set.
        SaveError
            If it cannot be written; the old content is still there.
        """
        named = None if path is None else Path(path)
        self._session.save(named, overwrite=overwrite, uris=uris, tell=partial(warnings.warn, stacklevel=3))
        self._recovery.forget_recovered()
        self._advance({}, "Save")

    def duplicate_package(self, folder: str | Path) -> Path:
        """Copy the package that the file is in under a new name, and return the copy of the file.

        The package is the nearest folder with a ``model.config`` or ``package.xml``. All that names it by ``model://``,
        ``package://`` or ``$(find …)`` names the new one, also its manifest. The copy is read back and compared;
        warnings say what is left out or differs.

        Parameters
        ----------
        folder
            The new folder, which gives the name; it does not exist yet.

        Raises
        ------
        SdfViewerError
            If the file is in no package, or the folder exists or cannot be written.
        """
        from sdfviewer.export.package import duplicate_package  # noqa: PLC0415  # seldom needed

        copied = duplicate_package(self._session.document, self._session.make_loader(), Path(folder))
        for each in (*copied.notes, *copied.faults):
            warnings.warn(each, stacklevel=3)
        return copied.file

    def reload(self) -> None:
        """Read the file again; the text before stays in the history."""
        self._session.reload()
        self._advance({}, "Reload")


@with_named_keywords
@walled
def open_document(
    source: Source,
    *,
    paths: Iterable[str | Path] = (),
    arguments: Mapping[str, str] | None = None,
    xacro: bool = False,
    recovery: bool = False,
) -> EditableDocument:
    """Return a file for editing.

    Parameters
    ----------
    source, paths, arguments, xacro
        See :func:`sdfviewer.load`.
    recovery
        Whether unsaved edits are kept in a recovery file, as in the window: if the program ends before they are saved,
        :meth:`EditableDocument.recover` and the window offer them.

    Raises
    ------
    UnreadableFileError
        If the file cannot be read at all. What is wrong with its text is in the document's ``diagnostics``.
    """
    require_unread(source)
    finder = make_finder(paths)
    document = read_document(source, finder)
    return EditableDocument(document, finder, make_expander(source, document, arguments, xacro), recovery=recovery)


@walled
def new(
    template: str = "model",
    *,
    name: str | None = None,
    version: str = format_version(NEWEST),
    recovery: bool = False,
) -> EditableDocument:
    """Return a new document, which has no file yet.

    Parameters
    ----------
    template
        ``model``, ``arm``, ``arm_gripper``, ``rover``, ``quadrotor`` or ``world``; in URDF ``urdf`` or ``urdf_base``.
    name
        Of the model or world.
    version
        Of SDFormat, 1.7 or newer: 1.9 for Gazebo Fortress, 1.11 for Harmonic, 1.12 for Jetty.
    recovery
        See :func:`open_document`.

    Raises
    ------
    InvalidValueError
        If there is no such template or version, or the name cannot be used.
    """
    known_template = TEMPLATES.get(template)
    if known_template is None:
        known = ", ".join(TEMPLATES)
        raise InvalidValueError(f"there is no template '{template}': use {known}{did_you_mean(template, TEMPLATES)}")
    name = name or known_template.name
    wanted = parse_version(version)
    if wanted is None or wanted not in VERSIONS or wanted < FRAME_SEMANTICS:
        known = ", ".join(format_version(each) for each in VERSIONS if each >= FRAME_SEMANTICS)
        raise InvalidValueError(f"a new file cannot be of SDFormat {version}: use {known}")
    if why_invalid_name(name) or set(name) & set("<>&\"'"):
        raise InvalidValueError(f"'{name}' cannot be the name of a {template}")
    return EditableDocument(parse_document(known_template.text(name, wanted)), make_finder(()), recovery=recovery)
