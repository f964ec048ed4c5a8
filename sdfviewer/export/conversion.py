"""One conversion of a model to another format, version or form: what is written, and what that says otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any

from sdfviewer.diagnostics import InvalidValueError, PlacedSentence, SdfViewerError, Span
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.document.element import Element
from sdfviewer.export.read_back import read_mjcf_back, read_sdformat_back, read_urdf_back
from sdfviewer.export.urdf import UrdfExport, export_urdf
from sdfviewer.export.urdf_to_sdformat import export_sdformat
from sdfviewer.export.writing import AddMesh, ExportNote
from sdfviewer.extras import required_extras
from sdfviewer.files.finder import Finder
from sdfviewer.formats.comparison import ReadBack, RowContents, compare
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.formats.mjcf.format import lost_in_reading
from sdfviewer.formats.registry import has_versions
from sdfviewer.formats.srdf import is_semantic
from sdfviewer.formats.urdf.values import OLDEST, URDF_VERSIONS, parse_urdf_version
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import did_you_mean
from sdfviewer.operations.declaration import EditContext, Operation, Parameter
from sdfviewer.operations.parameters import ChoiceType, SwitchType
from sdfviewer.operations.whole import FORMS, change_version, flatten
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.unmoved import edit_unmoved
from sdfviewer.versions import TARGETS, format_version, parse_version


@dataclass(frozen=True, slots=True)
class ConversionOption:
    """An option of conversions: the command line, the window and the library offer it as it is declared.

    Attributes
    ----------
    parameter
        Its name, type, default and help.
    target
        What it is for: a target of :func:`convert`, or ``a version`` of SDFormat.
    of_urdf
        Whether it is for files that are no SDFormat.
    """

    parameter: Parameter
    target: str
    of_urdf: bool = False

    def is_for(self, target: str, document: Document) -> bool:
        """Return whether it counts where a document is converted to a target."""
        kind = "a version" if parse_version(target) is not None else target
        return kind == self.target and not (self.of_urdf and has_versions(document))


def _option(parameter: Parameter, target: str, *, of_urdf: bool = False) -> Any:
    """Return the declaration of an option as a field of `ConversionOptions`, whose name is that of the parameter."""
    return field(default=parameter.default, metadata={"option": ConversionOption(parameter, target, of_urdf)})


@dataclass(frozen=True, slots=True)
class ConversionOptions:
    """How something is converted. Each field that declares an option is offered by all who convert.

    Attributes
    ----------
    bundling
        Words that say how meshes that MuJoCo does not read are written all the same.
    """

    urdf_version: str = _option(
        Parameter(
            "urdf_version",
            ChoiceType(tuple(".".join(map(str, version)) for version in URDF_VERSIONS)),
            "the version to write: 1.0 is read everywhere, 1.1 has quaternions and capsules, 1.2 more limits",
            default=".".join(map(str, OLDEST)),
            label="URDF version",
        ),
        "urdf",
    )
    merge_fixed: bool = _option(
        Parameter(
            "merge_fixed",
            SwitchType(),
            "merge links of a URDF that fixed joints connect, as Gazebo does",
            default=False,
            label="merge links that fixed joints connect",
        ),
        "a version",
        of_urdf=True,
    )
    keep_scopes: bool = _option(flatten.by_name["keep_scopes"], "flat")
    allow_loss: bool = _option(change_version.by_name["allow_loss"], "a version")
    bundling: str = "--bundle DIR converts it"


OPTIONS: Mapping[str, ConversionOption] = {
    each.name: each.metadata["option"] for each in fields(ConversionOptions) if "option" in each.metadata
}
"""The options that are offered, by name."""


def options_of(model: Model, loader: Loader, given: Mapping[str, object], bundling: str) -> ConversionOptions:
    """Return the options that a script gives by name.

    Raises
    ------
    InvalidValueError
        If there is no such option, or it has no such value.
    """
    on, values = EditContext(model, loader), dict[str, Any]()
    for name, value in given.items():
        if name not in OPTIONS:
            raise InvalidValueError(
                f"there is no option '{name}': use {', '.join(OPTIONS)}{did_you_mean(name, OPTIONS)}"
            )
        parameter = OPTIONS[name].parameter
        values[name] = value if value == parameter.default else parameter.type.take(on, name, value, {})
    return ConversionOptions(**values, bundling=bundling)


def convert_copied(model: Model, loader: Loader, like: Model) -> tuple[Document, tuple[str, ...]]:
    """Return what is copied in the format of the file that it is pasted into, and what is lost by that."""
    target = format_version(like.version) if has_versions(like.document) else "urdf"
    converted = convert(model, loader, target)
    return converted.document, (*converted.losses, *converted.faults)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a conversion: what it says about its source, and what that became.

    Attributes
    ----------
    sentences
        What it says, each with what became of it in one word where the format says so.
    losses, notes
        What could not be carried over, and what is written otherwise, in sentences with file and line.
    read_back
        What differs.
    robot
        The URDF that the source of the step was made from, None where it was not.
    names
        What is written by scoped name of the source, where that is not what was compared.
    """

    sentences: tuple[str, ...]
    losses: tuple[str, ...]
    notes: tuple[str, ...]
    read_back: ReadBack
    robot: Model | None = None
    names: Mapping[str, str] | None = None

    @property
    def faults(self) -> tuple[str, ...]:
        """What nothing has announced: errors of this program."""
        return self.at_source(self.read_back.faults)

    def at_source(self, sentences: Sequence[str]) -> tuple[str, ...]:
        """Return sentences about the source of the step with the lines of the file that was converted."""
        return at_urdf_places(sentences, self.read_back.comparison.a, self.robot)

    def place_in_source(self, span: Span) -> str:
        """Return ``file:line`` in the file that was converted of a place in the source of the step."""
        path, line = urdf_place(span.path, span.line, self.read_back.comparison.a, self.robot)
        return f"{path}:{line}"


@dataclass(frozen=True, slots=True)
class Conversion:
    """What was converted, what is written, and what that says otherwise.

    Attributes
    ----------
    source, target
        The model, and what it was converted to: ``urdf``, ``mjcf``, a version or a form.
    document
        What is written.
    steps
        In the order in which they were made.
    """

    source: Model
    target: str
    document: Document
    steps: tuple[Step, ...] = field(repr=False)

    @property
    def losses(self) -> tuple[str, ...]:
        """What could not be carried over, in sentences with file and line."""
        return tuple(each for step in self.steps for each in step.losses)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is written otherwise, in sentences with file and line."""
        return tuple(each for step in self.steps for each in step.notes)

    @property
    def faults(self) -> tuple[str, ...]:
        """What differs and nothing has announced, in sentences with file and line: errors of this program."""
        return tuple(each for step in self.steps for each in step.faults)

    @property
    def names(self) -> dict[str, str]:
        """What links and joints are called in what is written, without the model, by scoped name of the source."""
        return written_names(self.source, self.steps)

    @property
    def sentences(self) -> tuple[str, ...]:
        """All that is to be said, in its order."""
        return tuple(each for step in self.steps for each in (*step.sentences, *step.faults))


def written_names(source: Model, steps: Sequence[Step]) -> dict[str, str]:
    """Return what links and joints are called after some steps, without the model, by scoped name of the source."""
    if not steps:
        return {}
    if (named := steps[-1].names) is not None:
        return dict(named)
    rows = {row: row for row, kind in enumerate(source.kinds) if kind in (Kind.LINK, Kind.JOINT)}
    for step in steps:
        to_b = step.read_back.comparison.to_b
        rows = {row: to_b[at] for row, at in rows.items() if at in to_b}
    written = steps[-1].read_back.comparison.b
    prefix = "" if written.is_world else f"{written.names[0]}::"
    return {source.names[row]: written.names[at].removeprefix(prefix) for row, at in rows.items()}


def convert(model: Model, loader: Loader, target: str, options: ConversionOptions | None = None) -> Conversion:
    """Return a model in another form, read back.

    Parameters
    ----------
    model, loader
        The model, and what has loaded it.
    target
        ``urdf``, ``mjcf``, a version of SDFormat, or a form: ``flat``, ``standalone``, ``element-relative``,
        ``model-absolute``.

    Raises
    ------
    SdfViewerError
        If there is no such target, the model cannot be written that way, or a frame would move.
    """
    lost = lost_in_reading(model)
    model = loader.load_expansion(model)
    made = _convert(model, loader, target, options or ConversionOptions())
    if not lost:
        return made
    reading = Step(lost, lost, (), ReadBack(compare(model, model), ()))
    return replace(made, steps=(reading, *made.steps))


def require_target(version: str) -> None:
    """Refuse what is no version of SDFormat that files are written in.

    Raises
    ------
    SdfViewerError
        If it is none.
    """
    if parse_version(version) not in TARGETS:
        known = ", ".join(map(format_version, TARGETS))
        raise SdfViewerError(f"a file cannot be written in SDFormat {version}: use {known}")


def _convert(model: Model, loader: Loader, target: str, options: ConversionOptions) -> Conversion:
    if target == "urdf":
        return to_urdf(model, options)
    if target == "mjcf":
        return to_mjcf(model, loader, options)
    steps: tuple[Step, ...] = ()
    robot: Model | None = None
    table = model
    version = parse_version(target)
    if version is not None and not has_versions(model.document):
        robot = model
        step, table = from_urdf(model, loader, options)
        steps = (step,)
    on = EditContext(table, loader)
    if version is not None:
        require_target(target)
        with urdf_places_in_refusals(table, robot):
            edit = change_version.perform(on, {**arguments_of(change_version, options), "version": target}).edit
    elif target in FORMS:
        edit = FORMS[target].perform(on, arguments_of(FORMS[target], options)).edit
    else:
        raise SdfViewerError(
            f"there is no form '{target}': use urdf, mjcf, {', '.join(FORMS)} or a version of SDFormat"
            + did_you_mean(target, ("urdf", "mjcf", *FORMS))
        )
    step, after = rewritten(table, edit, loader, robot)
    return Conversion(model, target, after.document, (*steps, step))


def arguments_of(operation: Operation, options: ConversionOptions) -> dict[str, object]:
    """Return the arguments of the operation that rewrites a file: the options that it declares."""
    return {name: getattr(options, name) for name in operation.by_name if name in OPTIONS}


def to_urdf(model: Model, options: ConversionOptions) -> Conversion:
    """Return a model as URDF, read back."""
    export, step = urdf_step(model, options)
    return Conversion(model, "urdf", parse_document(export.text), (step,))


def urdf_step(
    model: Model, options: ConversionOptions, add_mesh: AddMesh | None = None, contents: RowContents | None = None
) -> tuple[UrdfExport, Step]:
    """Return a model as URDF, and that read back: of a bundle with what writes its meshes, and what reads both."""
    export = export_urdf(model, parse_urdf_version(options.urdf_version) or OLDEST, add_mesh)
    return export, noted(model, export.notes, read_urdf_back(model, export, contents))


def to_mjcf(model: Model, loader: Loader, options: ConversionOptions) -> Conversion:
    """Return a model as MJCF, which names mesh files where they are.

    Raises
    ------
    MissingExtraError
        If the packages that read meshes are not installed.
    """
    with required_extras():
        text, step = mjcf_step(model, loader.finder, options)
    return Conversion(model, "mjcf", parse_document(text), (step,))


def mjcf_step(
    model: Model, finder: Finder, options: ConversionOptions, add_mesh: AddMesh | None = None
) -> tuple[str, Step]:
    """Return a model as MJCF, and that read back: of a bundle with what writes its meshes."""
    from sdfviewer.export.mesh_files import meshes_in_place  # noqa: PLC0415  # it needs an extra
    from sdfviewer.export.mjcf import export_mjcf  # noqa: PLC0415  # it needs an extra

    export = export_mjcf(model, finder, add_mesh or meshes_in_place(finder, options.bundling))
    step = noted(model, export.notes, read_mjcf_back(model, export))
    return export.text, replace(step, names={**export.bodies, **export.joints})


def noted(model: Model, notes: Sequence[ExportNote], read_back: ReadBack) -> Step:
    """Return the step of a conversion that has written notes."""
    return Step(
        (*(note.sentence(model, with_obstacle=True) for note in notes), *read_back.losses, *read_back.notes),
        (*(note.sentence(model) for note in notes if note.is_loss), *read_back.losses),
        (*(note.sentence(model) for note in notes if not note.is_loss), *read_back.notes),
        read_back,
    )


def from_urdf(model: Model, loader: Loader, options: ConversionOptions) -> tuple[Step, Model]:
    """Return the step that makes SDFormat of the newest version of a URDF, and what it means.

    Raises
    ------
    SdfViewerError
        If the file is an SRDF, which holds no robot.
    """
    if is_semantic(model.document):
        robot = model.document_of(0).name if len(model) < 2 else model.document_of(1).name
        raise SdfViewerError(f"an SRDF describes a robot that another file holds: convert {robot}")
    export = export_sdformat(model, merge_fixed=options.merge_fixed)
    path = model.document.path
    # Beside the file, so that relative names stay valid; a name ending in .xacro would be evaluated.
    after, diagnostics = loader.load_with_diagnostics(parse_document(export.text, path and path.with_suffix(".sdf")))
    if after is None:
        raise SdfViewerError(why_not_loaded(diagnostics))
    losses, notes = (
        [each.sentence(model) for each in export.notes if each.is_loss == is_loss] for is_loss in (True, False)
    )
    sentences = tuple(each.sentence(model) for each in export.notes)
    return Step(sentences, tuple(losses), tuple(notes), read_sdformat_back(model, export, after)), after


def rewritten(model: Model, edit: Edit, loader: Loader, robot: Model | None = None) -> tuple[Step, Model]:
    """Return the step that an edit of the whole file is, which must move no frame, and what the file means after it.

    Parameters
    ----------
    robot
        The URDF that the text was made from: what is said has its lines.

    Raises
    ------
    SdfViewerError
        If a frame would move.
    """
    after = edit_unmoved(model, edit, loader)
    losses, notes = (at_urdf_places(each, model, robot) for each in (edit.losses, edit.notes))
    return Step((*losses, *notes), losses, notes, after.read_back, robot), after.model


@contextmanager
def urdf_places_in_refusals(written: Model, robot: Model | None) -> Iterator[None]:
    """Raise what a conversion refuses with file and line of the URDF that the text was made from, if it was.

    Raises
    ------
    RefactoringError
        In place of one that names lines of the SDFormat text.
    """
    try:
        yield
    except RefactoringError as error:
        raise RefactoringError(*at_urdf_places(error.sentences, written, robot)) from error


def at_urdf_places(sentences: Iterable[str], written: Model, robot: Model | None) -> tuple[str, ...]:
    """Return sentences about an SDFormat text with file and line of the URDF that it was made from.

    Parameters
    ----------
    sentences
        Those about a line of the SDFormat text are changed.
    written, robot
        What the SDFormat text means, and the robot; None where it was not made from one.
    """
    return tuple(
        PlacedSentence(*urdf_place(each.path, each.line, written, robot), each.words)
        if isinstance(each, PlacedSentence)
        else each
        for each in sentences
    )


def urdf_place(path: str, line: int, written: Model, robot: Model | None) -> tuple[str, int]:
    """Return file and line of a URDF where a line of the SDFormat text comes from; the same where that is no such."""
    if robot is None or path != written.document.name:
        return path, line
    span = robot.document.span(_source(line, written, robot))  # of a macro, in the file that holds it
    return span.path, span.line


def _source(line: int, written: Model, robot: Model) -> Element:
    """Return the element of the robot that a line of the SDFormat text was made from: of its kind, or its owner."""
    document = written.document
    spans = {row: document.span(each, "element") for row, each in enumerate(written.elements)}
    row = max((row for row, span in spans.items() if span.line <= line <= span.end_line), default=0)
    try:
        owner = robot.elements[robot.names.index(written.names[row])]
    except ValueError:
        return robot.elements[0]
    parts = (each for each in written.elements[row].descendants() if document.span(each).line == line)
    tags = [each.tag for each in parts]
    return next((each for each in owner.descendants() if each.tag in tags), owner)
