"""Each operation is the same in the library, on the command line, in menus and on the page, and keeps its promises."""

from __future__ import annotations

import argparse
import inspect
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

import sdfviewer
from sdfviewer.cli.edit import add_arguments
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.comparison.frames import FrameComparison
from sdfviewer.operations.declaration import EditContext, Operation, Outcome
from sdfviewer.operations.frames import NamedType
from sdfviewer.operations.parameters import ChoiceType, FramesType, FrameType
from sdfviewer.operations.table import OPERATIONS, find_operation, operations_page
from sdfviewer.session.session import Session
from tests.corpus import at_least, corpus_files, model_folders
from tests.operations.arguments import NoArgumentError, arguments_for
from tests.refactoring.rewritten import is_certain

each_operation = pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)

MOST_BYTES = 12_000
#: So many files of the corpus are tried with each operation.
_FILES = 60
#: By day until it has been applied to so many, others for each operation; to fewer where one fits shapes.
_BY_DAY = 6
_SLOW = {"decompose_collisions": 2, "fit_collisions": 2}
#: What operations are about that few files have.
_RARE = {"set_override": b"<experimental:params"}


def _method(operation: Operation) -> inspect.Signature:
    return inspect.signature(getattr(sdfviewer.DocumentEdit, operation.name))


# --- faces ---------------------------------------------------------------------------------------------------------


@each_operation
def test_the_library_and_the_command_have_the_parameters_of_the_declaration(operation: Operation) -> None:
    parameters = [each for each in _method(operation).parameters.values() if each.name != "self"]
    assert [each.name for each in parameters] == [each.name for each in operation.parameters]
    for written, declared in zip(parameters, operation.parameters, strict=True):
        default = () if written.kind is inspect.Parameter.VAR_POSITIONAL else written.default
        assert default in ((), inspect.Parameter.empty) if declared.is_required else default == declared.default
    hints = get_type_hints(getattr(sdfviewer.DocumentEdit, operation.name))
    for declared in operation.parameters:
        if isinstance(declared.type, ChoiceType):
            hint = hints[declared.name]
            literal = (
                hint
                if get_origin(hint) is Literal
                else next(each for each in get_args(hint) if get_origin(each) is Literal)
            )
            assert get_args(literal) == declared.type.words, declared.name
    text = inspect.getdoc(getattr(sdfviewer.DocumentEdit, operation.name)) or ""
    _, found, section = text.partition("Parameters\n----------\n")
    if found:
        lines = re.findall(r"^\w[\w, ]*$", section.partition("\n\n")[0], re.MULTILINE)
        named = [name for line in lines for name in line.split(", ")]
        assert named == [each.name for each in operation.parameters]
    if operation.command is not None:
        assert f"--{operation.command.option}" in _help_of_edit()
        for parameter in operation.parameters:
            if parameter.name not in operation.command.values:
                assert f"--{parameter.option_name}" in _help_of_edit()


@cache
def _help_of_edit() -> str:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.format_help()


def test_the_page_has_a_section_for_each_operation() -> None:
    headings = re.findall(r"^## (.+)$", operations_page(), re.MULTILINE)
    assert headings == [each.label for each in OPERATIONS.values()]
    assert len(set(headings)) == len(headings)


def test_an_operation_is_found_by_its_name() -> None:
    assert find_operation("rename") is OPERATIONS["rename"]
    with pytest.raises(sdfviewer.InvalidValueError, match="did you mean 'rename'"):
        find_operation("renam")


def test_an_argument_that_is_missing_or_unknown_is_refused(examples: Path) -> None:
    on = _context(examples / "arm.sdf")
    for name, operation in OPERATIONS.items():
        with pytest.raises(sdfviewer.InvalidValueError, match=f"{name} has no parameter 'colour'"):
            operation.perform(on, {"colour": "red"})
        needed = next((each for each in operation.parameters if each.is_required), None)
        if needed is not None:
            with pytest.raises(sdfviewer.InvalidValueError, match=f"{name} needs {needed.name}"):
                operation.perform(on, {})


# --- what they do --------------------------------------------------------------------------------------------------


@cache
def _context(path: Path) -> EditContext:
    loader = Loader(Finder(model_folders(path)) if "corpus" in path.parts else Finder())
    model = loader.load(open_document(path))
    assert model is not None
    return EditContext(model, loader)


def _small_files() -> list[Path]:
    return [path for path in corpus_files(".sdf", ".urdf", ".world") if path.stat().st_size < MOST_BYTES]


def _performed(random: Random, on: EditContext, operation: Operation) -> tuple[dict[str, Any], Outcome] | None:
    """Return arguments drawn by chance with what they lead to; None where each of several is refused."""
    for _ in range(5):
        try:
            arguments = arguments_for(random, on, operation)
            return arguments, operation.perform(on, arguments)
        except (NoArgumentError, SdfViewerError):
            continue
    return None


def _selected(on: EditContext, operation: Operation, arguments: dict[str, Any]) -> list[int]:
    """Return the rows of the first argument that names elements, as if they were selected, a whole after its parts."""
    for parameter in operation.parameters:
        if isinstance(parameter.type, FrameType | FramesType | NamedType) and (value := arguments.get(parameter.name)):
            names = [value] if isinstance(value, str) else value
            return sorted(map(on.model.row, names), reverse=True)
    return []


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("operation", "number"),
    [
        *(pytest.param(each, _SLOW.get(name, _BY_DAY), id=name) for name, each in OPERATIONS.items()),
        *(
            pytest.param(each, _FILES, id=f"{name} often", marks=pytest.mark.nightly)
            for name, each in OPERATIONS.items()
        ),
    ],
)
def test_an_operation_on_any_file_can_be_read_and_undone(operation: Operation, number: int) -> None:
    random = Random(operation.name)
    files = _small_files()
    assert len(files) >= at_least(_FILES)
    applied = 0
    chosen = random.sample(files, min(_FILES, len(files)))
    if (what := _RARE.get(operation.name)) is not None:  # a sample may have none of it
        chosen += [path for path in files if path not in chosen and what in path.read_bytes()]
    for path in chosen:
        if applied == number:
            break
        try:
            on = _context(path)
        except (AssertionError, SdfViewerError):
            continue
        found = _performed(random, on, operation)
        if found is None:
            continue
        arguments, done = found
        applied += 1
        if done.edit.replacements:
            assert operation.refusal(on.model, _selected(on, operation, arguments)) is None, (path, arguments)
        original = path.read_bytes()
        session = Session(on.document)
        session.apply(done.edit)
        assert session.document.root is not None, (path, arguments)
        after = parse_document(session.document.text, on.document.path)
        assert after.root is not None, (path, arguments)
        meant = on.loader.load(after)
        if operation.moves_nothing and not done.files and is_certain(on.model) and meant is not None:
            frames = FrameComparison(on.model, meant, done.edit.renamed)
            gone = {each.name for each in done.edit.about if each.is_of_whole}
            moved = [
                each
                for each in frames.moved()
                if not (each.before is None and each.after in done.edit.added)
                and not (each.after is None and (done.edit.losses or each.before in gone))
            ]
            assert moved == [], (path, arguments)
        session.go_to(0)
        assert session.document.to_bytes() == original
    assert applied >= at_least(1), "the operation was refused everywhere"
