"""``sdfviewer edit``: the refactorings of the window for scripts, and the options that operations declare."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sdfviewer.cli.explain import find_rule
from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_option, add_path_option, make_loader, read
from sdfviewer.cli.outputs import print_bytes, print_note
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document
from sdfviewer.document.line_difference import unified_diff
from sdfviewer.files import saving
from sdfviewer.files.paths import real_path
from sdfviewer.formats.load import Loader, why_not_loaded
from sdfviewer.formats.writing import CHILDREN_OF
from sdfviewer.formats.xacro.write_back import WriteBack
from sdfviewer.model.model import Model
from sdfviewer.operations.declaration import EditContext, EditOption, FileChange, Operation, Parameter
from sdfviewer.operations.parameters import SwitchType
from sdfviewer.operations.table import OPERATIONS
from sdfviewer.refactoring.adding import nearest_owner
from sdfviewer.refactoring.composition.moved_uris import FileCopy
from sdfviewer.refactoring.fix_check import fix_all
from sdfviewer.session.other_files import write_elsewhere

ADD = "add"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    # All of its options would fill a screen above each message about one of them.
    parser.usage = "%(prog)s [options] EDIT... FILE"
    add_path_option(parser)
    parser.set_defaults(steps=[])
    edits = parser.add_argument_group("edits, applied in the order given")
    edits.add_argument(
        "--fix",
        metavar="RULE",
        action=StepAction,
        help="apply the first quick fix of each problem of a rule (name or code)",
    )
    add_step_arguments(parser, edits)
    add_shared_options(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument("-o", "--output", metavar="OUT", type=Path, help="output file (default: standard output)")
    output.add_argument("--in-place", action="store_true", help="edit the file in place")
    output.add_argument("--diff", action="store_true", help="print the changes as a diff, write nothing")
    output.add_argument(
        "--dry-run", action="store_true", help="list the places of a xacro file where each edit can go, write nothing"
    )
    parser.add_argument(
        "--where",
        metavar="PLACE",
        action="append",
        default=[],
        help="where values of a xacro file are written that several places can give: a kind, a name, both, or "
        "FILE:LINE, such as property, wheel_radius or base.xacro:12, as --dry-run lists them (repeatable)",
    )
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    before = read(options.file)
    if options.in_place and before.path is None:
        raise SdfViewerError("standard input cannot be edited in place")
    if not options.steps:
        raise SdfViewerError("no edits given; see sdfviewer edit --help")
    if options.also and not (options.in_place or options.diff):
        raise SdfViewerError("--also changes several files: use --in-place or --diff")
    if options.also and not any(step.option == "rename" for step in options.steps):
        raise SdfViewerError("--also needs --rename: no other edit changes dependent files")
    after, others, faults, copies = before, dict[Path, FileChange](), list[str](), list[FileCopy]()
    for step in options.steps:
        loader = make_loader(options, {path: each.after for path, each in others.items()})
        if step.option == "fix":
            after = _fixed(loader, after, step.value)
        else:
            after = _performed(loader, after, step, options, others, faults, copies)
    if options.dry_run:
        return CLEAN
    changed = [FileChange(before, after), *others.values()]
    if others and before.text == after.text:
        del changed[0]
    faults += _write(changed, options)
    if copies and not options.diff:
        from sdfviewer.scene.copied_files import write_copies  # few edits copy files

        write_copies(copies, make_loader(options).finder)
    texts = {real_path(each.after.path): each.after for each in changed if each.after.path is not None}
    loader = make_loader(options, texts)
    models = [each.after for each in changed if not each.after.is_data]
    errors = [error for each in models for error in loader.load_with_diagnostics(each)[1] if error.is_error]
    for error in dict.fromkeys(errors):
        where = f"{error.span.path}:{error.span.line}: " if error.span else ""
        print_note(f"{where}error: {error.message} [{error.rule.name}]")
    if faults:
        what = "1 thing differs" if len(faults) == 1 else f"{len(faults)} things differ"
        print_note(f"sdfviewer: {what} from {options.file} by an error of sdfviewer; please report it with the file")
    return FINDINGS if errors or faults else CLEAN


def _model(loader: Loader, document: Document) -> Model:
    model, diagnostics = loader.load_with_diagnostics(document)
    if model is None:
        raise SdfViewerError(why_not_loaded(diagnostics))
    return model


def _performed(
    loader: Loader,
    document: Document,
    step: EditStep,
    options: argparse.Namespace,
    others: dict[Path, FileChange],
    faults: list[str],
    copies: list[FileCopy],
) -> Document:
    """Return the document after an operation; take note of what becomes of other files, of faults and of copies."""
    from sdfviewer.export.conversion import convert_copied
    from sdfviewer.library.edit_block import (  # most commands need no library
        read_mesh_bodies,
        read_mesh_triangles,
    )
    from sdfviewer.scene.mesh_body import mirrored_meshes

    opened = tuple(each.after for each in others.values())
    bodies = read_mesh_bodies(loader.finder)
    triangles = read_mesh_triangles(loader.finder)
    on = EditContext(
        _model(loader, document),
        loader,
        opened=opened,
        mesh_body=bodies,
        mesh_triangles=triangles,
        where=options.where,
        mirrored_mesh=mirrored_meshes(loader.finder),
        convert=convert_copied,
    )
    operation, arguments = (
        arguments_of(step, options) if step.option in BY_OPTION else arguments_of_adding(on, step, options)
    )
    if options.dry_run:
        _list_places(step, operation.places(on, arguments))
        if len(options.steps) == 1:
            return document
    done = operation.perform(on, arguments)
    copies += done.copies
    if (done.files or done.copies) and not (options.in_place or options.diff or options.dry_run):
        raise SdfViewerError(f"--{step.option} {step.value} changes several files: use --in-place or --diff")
    for file in done.files:
        assert file.after.path is not None
        path = real_path(file.after.path)
        first = others[path].before if path in others else file.before
        others[path] = FileChange(first, file.after)
    found = () if options.dry_run else operation.faults(on, arguments, done)
    faults += found
    for remark in () if options.dry_run else (*done.edit.losses, *done.edit.notes, *done.remarks, *found):
        print_note(remark)
    return document.edited(done.edit.replacements)


def _list_places(step: EditStep, places: Sequence[WriteBack]) -> None:
    """Print where the values that an edit changes can be written."""
    if not places:
        print(f"--{step.option} {step.value}: the file itself")
    for each in places:
        print(f"{each.what}:")
        for choice in each.choices:
            print(f"  {choice.describe(each.expanded)}")
        for reason in each.refusals:
            print(f"  not possible: {reason}")


def _fixed(loader: Loader, document: Document, wanted: str) -> Document:
    """Return the document with the first fix of each problem of a rule made, one after the other."""
    rule = find_rule(wanted).name
    fixed = fix_all(loader, document, {rule}, unsafe=True)
    for fix in fixed.applied:
        print_note(f"fixed: {fix.label}")
    if not fixed.applied:
        raise SdfViewerError(fixed.where_to_edit or f"no problem of rule '{rule}' has a quick fix")
    return fixed.document


def _write(changed: Sequence[FileChange], options: argparse.Namespace) -> tuple[str, ...]:
    """Write the changed documents; the requested one comes first. Return what differs in another folder by a fault."""
    changed = [FileChange(each.before, each.after.storable(print_note)) for each in changed]
    if options.diff:
        for each in changed:
            text = None if each.before is None else each.before.text
            print(unified_diff(each.after.name, text, each.after.text), end="")
    elif options.in_place:
        known = {each.after.path: None if each.before is None else each.before.fingerprint for each in changed}
        for path, fingerprint in known.items():  # none is written where one cannot be
            if path is not None:
                saving.require_unchanged(path, fingerprint)
        for each in changed:
            assert each.after.path is not None
            saving.save(each.after.path, each.after.to_bytes(), known[each.after.path], tell=print_note)
            if len(changed) > 1:
                print_note(f"written: {each.after.path}")
    else:
        after = changed[0].after
        if options.output:
            return write_elsewhere(after, options.output, make_loader(options), options.uris, print_note)[1]
        print_bytes(after.to_bytes())
    return ()


class StepAction(argparse.Action):
    """Collects the edits in the order in which they are written."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[str] | None,
        option_string: str | None = None,
    ) -> None:
        """Add an edit."""
        value = "" if self.nargs == 0 else str(values)
        namespace.steps = [*namespace.steps, EditStep((option_string or "").lstrip("-"), value)]


def _details(option: str) -> Mapping[str, str]:
    """Return the options that may stand behind an edit, with their help."""
    if option in BY_OPTION:
        return {name: each.help for name, each in details_of(BY_OPTION[option]).items()}
    helps: dict[str, dict[str, list[str]]] = {}
    for word, operation in ADDING.items() if option == ADD else ():
        for name, each in details_of(operation).items():
            helps.setdefault(name, {}).setdefault(each.help, []).append(word)
    return {name: "; ".join(f"{', '.join(words)}: {text}" for text, words in of.items()) for name, of in helps.items()}


def _joined(helps: Mapping[str, str]) -> str:
    """Return what an option says of itself behind several edits, which are named where it says different things."""
    said: dict[str, list[str]] = {}
    for option, text in helps.items():
        said.setdefault(text, []).append(f"--{option}")
    if len(said) == 1:
        return next(iter(said))
    return "; ".join(f"{', '.join(options)}: {text}" for text, options in said.items())


class DetailAction(argparse.Action):
    """Adds to the last edit what an option behind it says."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[str] | None,
        option_string: str | None = None,
    ) -> None:
        """Add to the last edit, or stop where this does not belong to it."""
        name = (option_string or "").lstrip("-")
        if not namespace.steps or name not in _details(namespace.steps[-1].option):
            owners = " or ".join(f"--{edit}" for edit in (ADD, *BY_OPTION) if name in _details(edit))
            parser.error(f"--{name} must follow {owners}")
        namespace.steps[-1].details[name] = "" if self.nargs == 0 else str(values)


def add_step_arguments(parser: argparse.ArgumentParser, edits: argparse._ArgumentGroup) -> None:
    """Add the options of these edits, and those of the operations."""
    edits.add_argument("--add", metavar="TAG[:NAME]", action=StepAction, help="add an element, with the options below")
    for option, operation in BY_OPTION.items():
        command = operation.command
        if command is not None and f"--{option}" not in parser._option_string_actions:
            edits.add_argument(
                f"--{option}",
                action=StepAction,
                nargs=None if command.form else 0,
                metavar=command.form or None,
                help=help_of(operation),
            )
    owners: dict[str, list[str]] = {}
    for option in (ADD, *BY_OPTION):
        for name in _details(option):
            owners.setdefault(name, []).append(option)
    groups: dict[tuple[str, ...], argparse._ArgumentGroup] = {}
    for name, options in owners.items():
        key = tuple(options)
        if key not in groups:
            groups[key] = parser.add_argument_group(f"options after {' or '.join(f'--{each}' for each in options)}")
        is_switch = any(details_of(BY_OPTION[each])[name].is_switch for each in options if each in BY_OPTION)
        groups[key].add_argument(
            f"--{name}",
            action=DetailAction,
            dest=argparse.SUPPRESS,
            default=argparse.SUPPRESS,
            nargs=0 if is_switch else None,
            metavar=None if is_switch else name.upper().replace("-", "_"),
            help=_joined({each: _details(each)[name] for each in options}),
        )


@dataclass
class EditStep:
    """One edit: its option and value, and the options behind it that say more about it."""

    option: str
    value: str
    details: dict[str, str] = field(default_factory=dict)


#: The operations that have an option, by its name.
BY_OPTION: Mapping[str, Operation] = {
    each.command.option: each for each in OPERATIONS.values() if each.command is not None and not each.command.word
}
#: The operations of ``--add`` by the tag that its value begins with.
ADDING: Mapping[str, Operation] = {
    each.command.word: each for each in OPERATIONS.values() if each.command is not None and each.command.word
}
#: The parameters whose options stand for all edits of a command line.
SHARED: Mapping[str, Parameter] = {
    parameter.name: parameter
    for each in (*BY_OPTION.values(), *ADDING.values())
    for parameter in each.parameters
    if parameter.is_shared
}


def help_of(operation: Operation) -> str:
    """Return what an option of an operation says about it."""
    assert operation.command is not None
    summary = operation.summary.replace("``", "")
    return operation.command.help or f"{summary[0].lower()}{summary[1:]}"


@dataclass(frozen=True)
class OptionDetail:
    """An option behind an edit: a parameter, or a part of its value."""

    parameter: Parameter
    part: str = ""

    @property
    def help(self) -> str:
        """What it is."""
        return self.parameter.type.parts[self.part] if self.part else self.parameter.help

    @property
    def is_switch(self) -> bool:
        """Whether it has no value."""
        return isinstance(self.parameter.type, SwitchType)


def details_of(operation: Operation) -> dict[str, OptionDetail]:
    """Return the options behind the edit of an operation, by their names."""
    assert operation.command is not None
    found: dict[str, OptionDetail] = {}
    for each in operation.parameters:
        if each.name not in operation.command.values and not each.is_shared:
            found[each.option_name] = OptionDetail(each)
        found |= {part: OptionDetail(each, part) for part in each.type.parts}
    return found


def add_shared_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that stand for all edits."""
    for parameter in SHARED.values():
        add_option(parser, parameter)


def arguments_of(step: EditStep, options: argparse.Namespace) -> tuple[Operation, dict[str, object]]:
    """Return the operation of one edit of the command line, and its arguments.

    Raises
    ------
    SdfViewerError
        With the reason, where it cannot be made.
    """
    operation = BY_OPTION[step.option]
    arguments = _shared(operation, options)
    assert operation.command is not None
    values = _split(operation.command, step.value)
    arguments |= {name: _read(operation.by_name[name], step.option, text) for name, text in values.items()}
    arguments |= _detail_values(operation, step, values)
    for option, detail in details_of(operation).items():
        if detail.parameter.is_required and not detail.part and detail.parameter.name not in arguments:
            raise SdfViewerError(f"--{step.option} {step.value} needs --{option}: {detail.help}")
    return operation, arguments


def _shared(operation: Operation, options: argparse.Namespace) -> dict[str, object]:
    """Return the values of the options that stand for all edits."""
    return {each.name: getattr(options, each.option_name) for each in operation.parameters if each.is_shared}


def arguments_of_adding(
    on: EditContext, step: EditStep, options: argparse.Namespace
) -> tuple[Operation, dict[str, object]]:
    """Return the operation of an ``--add``, and its arguments.

    Raises
    ------
    SdfViewerError
        With the reason, where it cannot be made.
    """
    tag, _, name = step.value.partition(":")
    if tag not in ADDING:
        known = dict.fromkeys(each for tags in CHILDREN_OF.values() for each in tags)
        raise SdfViewerError(f"--add {step.value}: there is no <{tag}> to add, but {', '.join(known)}")
    operation = ADDING[tag]
    owner = next(each for each in operation.parameters if each.option_name == "in")
    # What is missing is named by the edit, in the words of the element.
    arguments: dict[str, object] = {each.name: None for each in operation.parameters if each.is_required}
    arguments |= _shared(operation, options)
    if "name" in operation.by_name:
        arguments["name"] = name or None
    arguments |= _detail_values(operation, step, {})
    if arguments.get(owner.name) is None:
        row = nearest_owner(on.loader.load_expansion(on.model), None, tag)
        if row is None:
            raise SdfViewerError(
                f"--add {step.value}: nothing in this file can contain a <{tag}>; choose its parent with --in"
            )
        arguments[owner.name] = on.model.names[row]
    return operation, arguments


def _detail_values(operation: Operation, step: EditStep, given: Mapping[str, str]) -> dict[str, object]:
    """Return the values of the options behind an edit by the names of their parameters; `given` is typed before."""
    known, values = details_of(operation), dict[str, object]()
    parts: dict[str, dict[str, str]] = {}
    for option, text in step.details.items():
        if option not in known:
            raise SdfViewerError(f"--{option} {text}: --{step.option} {step.value} has no such option")
        parameter = known[option].parameter
        if known[option].part:
            parts.setdefault(parameter.name, {})[option] = text
        elif parameter.type.parts:
            parts.setdefault(parameter.name, {})
        else:
            values[parameter.name] = True if known[option].is_switch else _read(parameter, option, text)
    for name, typed in parts.items():
        parameter = operation.by_name[name]
        text = given.get(name, step.details.get(parameter.option_name, ""))
        try:
            values[name] = parameter.type.assemble(text, typed)
        except ValueError as error:
            raise SdfViewerError(f"--{step.option} {step.value}: {error}") from None
    return values


def split_value(option: str, value: str, form: str) -> tuple[str, str]:
    """Return the parts of an option's value before and after its last ``=``."""
    frame, separator, target = value.rpartition("=")
    if not separator or not frame:
        raise SdfViewerError(f"--{option} {value}: write {form}")
    return frame, target


def _split(command: EditOption, value: str) -> dict[str, str]:
    """Return the texts of the parameters in the value of an option.

    The last of two is behind the last ``=``: names hold no such sign more often than values do.
    """
    if len(command.values) < 2:  # there is nothing to split
        return dict.fromkeys(command.values, value)
    first, *between, last = command.values
    head, tail = split_value(command.option, value, command.form)
    if not between:
        return {first: head, last: tail}
    name, separator, path = head.partition("/")
    if not separator:
        raise SdfViewerError(f"--{command.option} {value}: expected {command.form}; {command.help}")
    return {first: name, between[0]: path, last: tail}


def _read(parameter: Parameter, option: str, text: str) -> object:
    """Return the value of a parameter that is typed behind an option."""
    try:
        return parameter.type.read(text)
    except ValueError as error:
        raise SdfViewerError(f"--{option} {text}: {error}") from None
