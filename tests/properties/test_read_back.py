"""Whatever is written reads back equal, or says what differs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import pytest

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.export.read_back import read_sdformat_back, read_urdf_back
from sdfviewer.export.urdf import export_urdf
from sdfviewer.export.urdf_to_sdformat import export_sdformat
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.formats.registry import has_versions
from sdfviewer.model.model import Model
from sdfviewer.refactoring.composition.flatten import flatten
from sdfviewer.refactoring.composition.inlining import inline_includes
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.forms import to_element_relative_form, to_model_absolute_form
from sdfviewer.refactoring.unmoved import edit_unmoved
from sdfviewer.refactoring.versions.changing import change_version
from sdfviewer.versions import TARGETS, format_version
from tests.corpus import at_least, corpus_files, model_folders
from tests.refactoring.rewritten import is_certain

Rewrite: TypeAlias = Callable[[Document, Loader, Model], Edit]

REWRITES: dict[str, Rewrite] = {
    "standalone": lambda document, loader, _: inline_includes(document, loader),
    "flat": lambda document, loader, _: flatten(document, loader),
    "element-relative": lambda _document, _loader, model: to_element_relative_form(model),
    "model-absolute": lambda _document, _loader, model: to_model_absolute_form(model),
    **{
        format_version(version): partial(
            lambda document, loader, _, target: change_version(document, loader, target), target=version
        )
        for version in TARGETS
    },
}


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize("target", REWRITES)
def test_every_file_in_another_form_of_sdformat(target: str) -> None:
    count = 0
    found: list[str] = []
    for file in corpus_files(".sdf", ".world"):
        document = open_document(file)
        loader = Loader(Finder(model_folders(file)))
        model = loader.load(document)
        if (
            model is None
            or not has_versions(document)
            or not is_certain(model)
            or any(each.is_error for each in model.diagnostics)
        ):
            continue
        try:
            edit = REWRITES[target](document, loader, model)
        except RefactoringError:
            continue
        found += edit_unmoved(model, edit, loader).faults
        count += 1
    assert found == []
    assert count > at_least(150)


@pytest.mark.slow
@pytest.mark.corpus
def test_every_model_as_urdf() -> None:
    count = 0
    found: list[str] = []
    for file in corpus_files(".sdf", ".urdf"):
        model = Loader(Finder(model_folders(file))).load(open_document(file))
        if model is None or any(each.is_error for each in model.diagnostics):
            continue
        try:
            export = export_urdf(model)
        except SdfViewerError:  # no single model, none with a link
            continue
        found += read_urdf_back(model, export).faults
        count += 1
    assert found == []
    assert count > at_least(200)


@pytest.mark.slow
@pytest.mark.corpus
def test_every_urdf_as_sdformat() -> None:
    count = 0
    found: list[str] = []
    for file in corpus_files(".urdf"):
        loader = Loader(Finder(model_folders(file)))
        model = loader.load(open_document(file))
        if model is None or any(each.is_error for each in model.diagnostics):
            continue
        export = export_sdformat(model)
        after = loader.load(parse_document(export.text, file.with_suffix(".sdf")))
        assert after is not None
        found += read_sdformat_back(model, export, after).faults
        found += [f"{file}: {each.message}" for each in after.diagnostics if each.is_error]
        count += 1
    assert found == []
    assert count > at_least(15)
