"""How an operation is declared: its parameters, where it is offered, and the function that makes the edit.

An example, which is all that it takes::

    @operation(
        "Round poses",
        Parameter("decimals", Whole(0, 15), "decimals that stay", default=6),
        menu=MenuEntry("refactor.round_poses", "Refactor", "Round Poses…"),
        command=EditOption("round-poses", "DECIMALS", ("decimals",)),
    )
    def round_poses(on: EditContext, decimals: int) -> Edit:
        \"\"\"Round the numbers of all poses.\"\"\"
        return ...

The menu entry with its form and its refusal, the option of ``sdfviewer edit``, the page of the manual, the entry in the
list of a code editor and the test on all files come from the declaration. The method of the library is written out, so
that editors know its types; a test compares it with the declaration.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sdfviewer.diagnostics import InvalidValueError
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.files.opening import open_document
from sdfviewer.files.paths import real_path
from sdfviewer.formats.expansion import ExpandedDocument
from sdfviewer.formats.written_rows import expansion_of
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import did_you_mean
from sdfviewer.model.shapes.mesh import MirroredMesh, no_mirrored_mesh
from sdfviewer.refactoring.editable import EditError
from sdfviewer.refactoring.inertia import MeshBody, MeshTriangles, no_mesh, no_triangles

if TYPE_CHECKING:
    from sdfviewer.formats.load import Loader
    from sdfviewer.formats.xacro.write_back import WriteBack
    from sdfviewer.model.targets import ReferenceTargets
    from sdfviewer.refactoring.composition.copying import Convert
    from sdfviewer.refactoring.composition.moved_uris import FileCopy


# --- what it is applied to -----------------------------------------------------------------------------------------


def find_row(model: Model, thing: object, kinds: Sequence[Kind]) -> int:
    """Return the row of a scoped name, or a row as it is: names need not be unique in a file with problems.

    Raises
    ------
    SdfViewerError
        If nothing has that name, or it is of another kind.
    """
    if not isinstance(thing, (str, int)) or isinstance(thing, bool):
        raise InvalidValueError(f"name a frame, not {thing!r}")
    row = model.row(thing) if isinstance(thing, str) else thing
    if kinds and model.kinds[row] not in kinds:
        raise InvalidValueError(f"'{model.names[row]}' is a {model.kinds[row]}, not a {' or '.join(map(str, kinds))}")
    return row


def as_written(_targets: ReferenceTargets, value: object) -> str:
    """Return what names a frame, in the words of the file."""
    return str(value)


def never_cancelled() -> bool:
    """Return False: somebody waits for the edit."""
    return False


@dataclass(frozen=True)
class EditContext:
    """What an operation is applied to.

    Attributes
    ----------
    model
        What the file means.
    loader
        Reads what the operation writes, and the files that the model includes.
    find
        Returns the row of what an argument names; by default by its scoped name, or as a row.
    refer
        Returns how a reference calls what an argument names; by default the argument is what is written.
    opened
        Other files as they are at the moment, where the disk holds something else.
    mesh_body
        Returns the body of a mesh; whoever reads mesh files gives it.
    mesh_triangles
        Returns the triangles of a mesh; whoever reads mesh files gives it.
    where
        Where values of a xacro file are written that several places can give, see
        :meth:`~sdfviewer.formats.xacro.write_back.SourceChange.matches`.
    mirrored_mesh
        Returns the URI of the file that is the mirror image of a mesh; whoever reads mesh files gives it.
    is_cancelled
        Is asked now and then whether the edit is no longer needed; what takes long ends early then.
    convert
        Converts what is pasted from another format; whoever exports gives it.
    """

    model: Model
    loader: Loader
    find: Callable[[Model, object, Sequence[Kind]], int] = find_row
    refer: Callable[[ReferenceTargets, object], str] = as_written
    opened: Sequence[Document] = ()
    mesh_body: MeshBody = no_mesh
    mesh_triangles: MeshTriangles = no_triangles
    where: Sequence[str] = ()
    mirrored_mesh: MirroredMesh = no_mirrored_mesh
    is_cancelled: Callable[[], bool] = never_cancelled
    convert: Convert | None = None

    @property
    def document(self) -> Document:
        """The text."""
        return self.model.document

    @property
    def source(self) -> Document:
        """The text of the file itself, where that is a xacro file not what it writes."""
        return self.document.sources[0] if isinstance(self.document, ExpandedDocument) else self.document

    def present(self, path: Path) -> Document | None:
        """Return a file as it is at the moment, with edits that are not saved; None where there is none."""
        real = real_path(path)
        for each in (*self.loader.instead.values(), *self.opened):
            if each.path is not None and real_path(each.path) == real:
                return each
        return open_document(path) if path.exists() else None


@dataclass(frozen=True)
class FileChange:
    """What an operation does to another file: its text before, None where there is no such file, and after."""

    before: Document | None
    after: Document


@dataclass(frozen=True)
class Outcome:
    """What an operation does.

    Attributes
    ----------
    edit
        The edit of the file.
    files
        What becomes of other files.
    remarks
        What else should be known, in sentences.
    copies
        Files that are copied beside those that are written, once they are.
    """

    edit: Edit
    files: tuple[FileChange, ...] = ()
    remarks: tuple[str, ...] = ()
    copies: tuple[FileCopy, ...] = ()

    @property
    def only_edit(self) -> Edit:
        """The edit of the file, for whoever edits one file.

        Raises
        ------
        EditError
            If other files change too.
        """
        if self.files:
            names = ", ".join(dict.fromkeys(each.after.name for each in self.files))
            raise EditError(f"this is written in {names}: edit it there")
        if self.copies:
            raise EditError("this copies files, which is not possible here")
        return self.edit


# --- parameters ----------------------------------------------------------------------------------------------------


class ParameterType(ABC):
    """The type of a parameter; the types are in :mod:`sdfviewer.operations.parameters`."""

    @property
    @abstractmethod
    def expects(self) -> str:
        """In words which values pass."""

    @property
    def schema(self) -> Mapping[str, object]:
        """Which values pass as JSON, in the words of JSON Schema; a text is read as if somebody had typed it."""
        return {"type": "string"}

    @property
    def parts(self) -> Mapping[str, str]:
        """What belongs to a value and is typed on its own: what it is, by its name."""
        return {}

    def assemble(self, text: str, parts: Mapping[str, str]) -> object:
        """Return the value that somebody types, with some of its :attr:`parts`.

        Raises
        ------
        ValueError
            If it is none, or has no such part; the message says which would be one.
        """
        return self.read(text)

    def read(self, text: str) -> object:
        """Return the value that somebody types.

        Raises
        ------
        ValueError
            If it is none; the message says which would be one.
        """
        return text

    def decode(self, value: object) -> object:
        """Return the value that JSON gives.

        Raises
        ------
        ValueError
            If it is none; the message says which would be one.
        """
        return self.read(value) if isinstance(value, str) else value

    @property
    def is_late(self) -> bool:
        """Whether a value is checked after those of all other parameters."""
        return False

    @abstractmethod
    def take(self, on: EditContext, name: str, value: object, before: Mapping[str, Any]) -> object:
        """Return a checked value as the function of the operation gets it.

        Parameters
        ----------
        name
            The parameter, for messages.
        before
            The checked values of the parameters before this one.

        Raises
        ------
        SdfViewerError
            If the value cannot be used.
        """


#: Returns the value that a form starts with for the selected rows.
Suggestion = Callable[[Model, Sequence[int]], object]


class _Required(Enum):
    REQUIRED = "required"


REQUIRED = _Required.REQUIRED


@dataclass(frozen=True)
class Parameter:
    """A parameter of an operation.

    Attributes
    ----------
    name
        As in the library.
    type
        Which values it takes.
    help
        What it is, as the end of a sentence: no capital, no full stop.
    default
        The value where none is given; None where nothing is written then.
    option
        Its name on the command line, where that is not `name` with hyphens.
    label
        Its caption in a form, where that is not `name` in words.
    is_shared
        Whether the option applies to all edits of a command line, not only for the one before it.
    suggest
        Returns what a form starts with for a selection, where that is not the default.
    """

    name: str
    type: ParameterType
    help: str
    default: Any = REQUIRED
    option: str = ""
    label: str = ""
    is_shared: bool = False
    suggest: Suggestion | None = None

    @property
    def is_required(self) -> bool:
        """Whether there is no default."""
        return self.default is REQUIRED

    @property
    def option_name(self) -> str:
        """Its name on the command line, without hyphens before it."""
        return self.option or self.name.replace("_", "-")

    @property
    def caption(self) -> str:
        """Its caption in a form."""
        return self.label or self.name.replace("_", " ")


# --- faces ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MenuEntry:
    """The menu entry of an operation.

    Attributes
    ----------
    id
        Identifies it in settings: what users have given keys to.
    path
        Its menu, ``Edit/Arrange``.
    text
        In title case, with an ellipsis where something is asked or shown first.
    keys
        Key sequence.
    icon
        Name in the icon font.
    tip
        What it does; by default the first line of the help.
    section
        Whether a section begins with it.
    words
        What else people call it who look for it in the command palette.
    """

    id: str
    path: str
    text: str
    keys: str = ""
    icon: str = ""
    tip: str = ""
    section: bool = False
    words: str = ""


@dataclass(frozen=True)
class EditOption:
    """The option of ``sdfviewer edit``.

    Attributes
    ----------
    option
        Its name, without hyphens before it.
    form
        How its value is written: a capital word for each parameter, and what is between them; empty for a switch.
    values
        The parameters in it. All others have an option of their own.
    help
        What it does; by default the first line of the help.
    word
        What its value begins with, where several operations share the option.
    """

    option: str
    form: str = ""
    values: tuple[str, ...] = ()
    help: str = ""
    word: str = ""


class EditorKind(str, Enum):
    """In which group of refactorings a code editor lists an operation; the value is that of the protocol."""

    REWRITE = "refactor.rewrite"
    INLINE = "refactor.inline"


# --- operations ----------------------------------------------------------------------------------------------------

Make = Callable[..., "Edit | Outcome"]
#: Returns why an operation cannot be applied to a selection, None where it can.
Refusal = Callable[[Model, Sequence[int]], "str | None"]
#: Returns what an operation has changed without a word, with some checked values.
ReadsBack = Callable[[EditContext, Mapping[str, Any], Outcome], "tuple[str, ...]"]


def never_refused(_model: Model, _rows: Sequence[int]) -> str | None:
    """Return None: what is wrong shows when the edit is made."""
    return None


@dataclass(frozen=True, eq=False)
class Operation:
    """Something that can be done to a model.

    Attributes
    ----------
    name
        That of the method of the library.
    label
        What it does, in the imperative.
    parameters
        What it asks for, in the order of the method.
    make
        Returns the edit; it gets the context and the checked values.
    help
        What it does, in sentences; the first line is the summary.
    refusal
        Returns why it cannot be applied to a selection.
    moves_nothing
        Whether it promises that no frame moves.
    reads_back
        Returns what it has changed without a word: errors of this program. None for what is not read back.
    note
        What the preview says above the changes, in a sentence; by default the help.
    verb
        What the button of its form says.
    menu, command
        Where it is offered.
    editor
        In which group code editors list it, None where they do not.
    is_slow
        Whether it reads meshes, or computes for long: the window performs it in the background.
    """

    name: str
    label: str
    parameters: tuple[Parameter, ...]
    make: Make
    help: str
    refusal: Refusal = never_refused
    moves_nothing: bool = False
    reads_back: ReadsBack | None = None
    note: str = ""
    verb: str = "Apply"
    menu: MenuEntry | None = None
    command: EditOption | None = None
    editor: EditorKind | None = None
    is_slow: bool = False
    by_name: Mapping[str, Parameter] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {each.name: each for each in self.parameters})

    @property
    def summary(self) -> str:
        """The first line of the help, without its full stop."""
        return self.help.splitlines()[0].rstrip(".")

    def checked(self, on: EditContext, arguments: Mapping[str, object]) -> dict[str, Any]:
        """Return the values of all parameters, checked.

        Raises
        ------
        SdfViewerError
            If one is missing, unknown, or cannot be used.
        """
        unknown = next((name for name in arguments if name not in self.by_name), None)
        if unknown is not None:
            hint = did_you_mean(unknown, self.by_name)
            raise InvalidValueError(f"{self.name} has no parameter '{unknown}'{hint}")
        values: dict[str, Any] = {}
        for parameter in sorted(self.parameters, key=lambda each: each.type.is_late):
            value = arguments.get(parameter.name, parameter.default)
            if value is REQUIRED:
                raise InvalidValueError(f"{self.name} needs {parameter.name}: {parameter.type.expects}")
            name = parameter.name
            values[name] = None if value is None else parameter.type.take(on, name, value, values)
        return values

    def perform(self, on: EditContext, arguments: Mapping[str, object]) -> Outcome:
        """Return what the operation does with some arguments; nothing is changed yet.

        Parameters
        ----------
        arguments
            Values by the names of parameters; what is not given has its default.

        Raises
        ------
        SdfViewerError
            If it cannot be done; the message says why.
        """
        if expansion_of(on.model) is None:
            return self._done(on, arguments)
        from sdfviewer.refactoring.xacro_edits import write_edit_back  # few files are xacro

        done = self._done_to_expansion(on, arguments)
        if done.edit.document is on.document:
            return done  # it edits the source itself
        edit, files = write_edit_back(on.model, on.loader, done.edit, on.where)
        return Outcome(edit, (*done.files, *(FileChange(*each) for each in files)), done.remarks, done.copies)

    def faults(self, on: EditContext, arguments: Mapping[str, object], done: Outcome) -> tuple[str, ...]:
        """Return what the operation has changed without a word, with file and line: errors of this program.

        What it has written is read again and compared, which takes as long as to load the file twice.

        Parameters
        ----------
        arguments, done
            What it was performed with, and what it has done.
        """
        if self.reads_back is None or expansion_of(on.model) is not None:
            return ()
        return self.reads_back(on, self.checked(on, arguments), done)

    def places(self, on: EditContext, arguments: Mapping[str, object]) -> tuple[WriteBack, ...]:
        """Return how each value that the operation changes in a xacro file can be written; none for other files.

        Raises
        ------
        SdfViewerError
            If it cannot be done; the message says why.
        """
        if expansion_of(on.model) is None:
            return ()
        from sdfviewer.refactoring.xacro_edits import ways_back  # few files are xacro

        edit = self._done_to_expansion(on, arguments).edit
        return () if edit.document is on.document else ways_back(on.model, edit).values

    def _done(self, on: EditContext, arguments: Mapping[str, object]) -> Outcome:
        done = self.make(on, **self.checked(on, arguments))
        return done if isinstance(done, Outcome) else Outcome(done)

    def _done_to_expansion(self, on: EditContext, arguments: Mapping[str, object]) -> Outcome:
        """Return what the operation does with what a xacro file writes, as if that were a file."""
        return self._done(replace(on, model=on.loader.load_expansion(on.model)), arguments)


def operation(
    label: str,
    *parameters: Parameter,
    refusal: Refusal = never_refused,
    moves_nothing: bool = False,
    reads_back: ReadsBack | None = None,
    note: str = "",
    verb: str = "Apply",
    menu: MenuEntry | None = None,
    command: EditOption | None = None,
    editor: EditorKind | None = None,
    is_slow: bool = False,
) -> Callable[[Make], Operation]:
    """Declare an operation by decorating the function that makes the edit; its docstring is the help."""

    def declare(make: Make) -> Operation:
        name, text = make.__name__, inspect.getdoc(make) or label
        promises = refusal, moves_nothing, reads_back
        return Operation(name, label, parameters, make, text, *promises, note, verb, menu, command, editor, is_slow)

    return declare
