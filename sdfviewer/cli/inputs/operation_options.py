"""The options of ``sdfviewer edit`` that come from the declarations of operations."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.formats.writing import CHILDREN_OF
from sdfviewer.operations.declaration import EditContext, EditOption, Operation, Parameter
from sdfviewer.operations.parameters import ChoiceType, PlacesType, SwitchType
from sdfviewer.operations.table import OPERATIONS
from sdfviewer.refactoring.adding import nearest_owner


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


def add_option(parser: argparse.ArgumentParser, parameter: Parameter, before: str = "") -> None:
    """Add the option of a parameter, with some words before its help."""
    by_default = "" if parameter.default is None else " (default: %(default)s)"
    name, text = f"--{parameter.option_name}", before + parameter.help
    if isinstance(parameter.type, SwitchType):
        parser.add_argument(name, action="store_true", help=text)
    elif isinstance(parameter.type, PlacesType):
        parser.add_argument(name, metavar="PATH", action="append", default=[], type=Path, help=text)
    elif isinstance(parameter.type, ChoiceType):
        parser.add_argument(name, choices=parameter.type.words, default=parameter.default, help=text + by_default)
    else:

        def read(typed: str) -> object:
            try:
                return parameter.type.read(typed)
            except ValueError as error:
                raise argparse.ArgumentTypeError(str(error)) from None

        parser.add_argument(name, type=read, default=parameter.default, help=text + by_default)


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
    arguments |= _details(operation, step, values)
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
    arguments |= _details(operation, step, {})
    if arguments.get(owner.name) is None:
        row = nearest_owner(on.loader.load_expansion(on.model), None, tag)
        if row is None:
            raise SdfViewerError(
                f"--add {step.value}: nothing in this file can contain a <{tag}>; choose its parent with --in"
            )
        arguments[owner.name] = on.model.names[row]
    return operation, arguments


def _details(operation: Operation, step: EditStep, given: Mapping[str, str]) -> dict[str, object]:
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
