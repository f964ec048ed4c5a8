"""Whoever offers a frame for a reference offers and refuses the same ones, wherever a file of the corpus has one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.language.completion import Outline, complete
from sdfviewer.language.text_map import TextMap
from sdfviewer.model.model import Model
from sdfviewer.model.references import Reference, find_references
from sdfviewer.model.targets import ReferenceTarget, ReferenceTargets
from sdfviewer.operations.declaration import EditContext
from sdfviewer.operations.frames import set_attached_to, set_relative_to
from sdfviewer.operations.parameters import TargetType
from sdfviewer.operations.structure import set_child, set_parent
from sdfviewer.refactoring.editable import EditError, is_editable
from tests.corpus import corpus_files, model_folders

#: So many references of a file are asked about, spread over it, and so many targets of each are tried.
_REFERENCES, _TRIED = 12, 6
_OPERATIONS = {"relative_to": set_relative_to, "attached_to": set_attached_to}
FILES = corpus_files(".sdf", ".world", ".urdf")


def each_file(every: int) -> pytest.MarkDecorator:
    """Return what gives a test each file: by day some, spread over all, and those with names written in other ways."""
    by_day = {*FILES[::every], *(path for path in FILES if "flattened" in path.name)}
    marks = [() if path in by_day else pytest.mark.nightly for path in FILES]
    files = [pytest.param(path, id=path.name, marks=some) for path, some in zip(FILES, marks, strict=True)]
    return pytest.mark.parametrize("path", files)


def references(model: Model) -> Iterator[Reference]:
    """Yield some of the references of a file, spread over it, of each kind at least one."""
    found = [each for each in find_references(model) if each.attribute is not None]
    first = {each.attribute: each for each in reversed(found)}
    chosen = {id(each): each for each in (*first.values(), *found[:: max(len(found) // _REFERENCES, 1)])}
    for each in chosen.values():
        if model.rows_by_name[model.names[each.row]] == each.row:  # else it is one of two of one name
            yield each


def asked(model: Model) -> Iterator[tuple[int, list[ReferenceTarget], str]]:
    """Yield where the name of each of those references begins, what it may name, and how a message calls it."""
    document = model.document
    for reference in references(model):
        assert reference.attribute is not None
        start, _ = document.offsets(reference.element, reference.part)
        if reference.part != "text":
            start = (document.value_offsets(reference.element, reference.part[1:]) or (0, 0))[0]
        where = f"{document.name}, {reference.attribute} of {model.names[reference.row]}"
        yield start, list(ReferenceTargets(model, reference.row, reference.attribute)), where


def load(path: Path) -> tuple[Loader, Model | None]:
    """Return the model of a file of the corpus, and what has loaded it."""
    loader = Loader(Finder(model_folders(path)))
    return loader, loader.load(open_document(path))


@pytest.mark.corpus
@each_file(12)
def test_all_offer_and_refuse_what_may_be_named(path: Path) -> None:
    """Completion, operations, forms and the library: each file is read once for all of them."""
    loader, model = load(path)
    if model is None:
        return
    completion_offers_what_may_be_named(model)
    operations_refuse_what_may_not_be_named_with_the_same_reason(EditContext(model, loader))
    forms_offer_what_may_be_named(model)
    the_library_takes_and_refuses_what_may_be_named(model, path)


def completion_offers_what_may_be_named(model: Model) -> None:
    text = model.document.text
    outline = Outline(model.document, TextMap(text))
    for start, targets, where in asked(model):
        before = text[:start]
        offered = complete(before, model, partial(outline.open_at, before)).choices
        assert set(offered) == {target.name for target in targets if target.reason is None}, where


def operations_refuse_what_may_not_be_named_with_the_same_reason(on: EditContext) -> None:
    model = on.model
    for reference in references(model):
        operation = _OPERATIONS.get(reference.attribute or "")
        if operation is None or not is_editable(model, reference.row):
            continue
        assert reference.attribute is not None
        targets = list(ReferenceTargets(model, reference.row, reference.attribute))
        for target in targets[:: max(len(targets) // _TRIED, 1)]:
            arguments = {"frame": model.names[reference.row], "target": target.name, "keep": "numbers"}
            if target.reason is None:
                operation.perform(on, arguments)
            else:
                with pytest.raises(EditError) as refused:
                    operation.perform(on, arguments)
                assert target.reason in str(refused.value), model.names[reference.row]


#: The operations and methods of the library that write a reference, with what they call the thing and its target.
_WRITERS = {
    "relative_to": (set_relative_to, "frame", "target"),
    "attached_to": (set_attached_to, "frame", "target"),
    "parent": (set_parent, "joint", "parent"),
    "child": (set_child, "joint", "child"),
}


def forms_offer_what_may_be_named(model: Model) -> None:
    """A form asks the type of its parameter, which the declaration gives."""
    for reference in references(model):
        operation, holder, target = _WRITERS.get(reference.attribute or "", (None, "", ""))
        if operation is None or reference.attribute is None:
            continue
        kind = operation.by_name[target].type
        assert isinstance(kind, TargetType)
        offered = {each.name: each.reason for each in kind.targets(model, {holder: reference.row})}
        expected = ReferenceTargets(model, reference.row, reference.attribute)
        assert offered == {each.name: each.reason for each in expected}, model.names[reference.row]


def the_library_takes_and_refuses_what_may_be_named(model: Model, path: Path) -> None:
    document = sdfviewer.open_document(path, paths=model_folders(path))
    for reference in references(model):
        operation, holder, _ = _WRITERS.get(reference.attribute or "", (None, "", ""))
        if operation is None or reference.attribute is None or not is_editable(model, reference.row):
            continue
        targets = list(ReferenceTargets(model, reference.row, reference.attribute))
        for target in targets[:: max(len(targets) // 2, 1)]:
            if target.reason is None:
                with document.preview() as edit:
                    getattr(edit, operation.name)(model.names[reference.row], target.name, keep="numbers")
            else:
                with pytest.raises(sdfviewer.EditError) as refused, document.preview() as edit:
                    getattr(edit, operation.name)(model.names[reference.row], target.name, keep="numbers")
                assert target.reason in str(refused.value), f"{holder} {model.names[reference.row]}"
