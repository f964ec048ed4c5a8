"""A rename reaches every file that includes the one it is made in: no name dangles, no frame moves."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import Document
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.renaming import DependentEdit, DependentFiles, rename
from tests.refactoring.projects import make_finder, open_all, write_project


def load(finder: Finder, document: Document, instead: dict[Path, Document] | None = None) -> Model:
    model = Loader(finder, instead or {}).load(document)
    assert model is not None
    return model


def renamed_project(
    folder: Path, documents: dict[str, Document], file: str, old: str, new: str
) -> tuple[dict[str, Document], dict[str, DependentEdit]]:
    """Return all documents after a rename that is followed everywhere, and the edits by file."""
    finder = make_finder(folder)
    model = load(finder, documents[file], standing_in(documents))
    row = model.row(old)
    edits = {
        next(name for name, each in documents.items() if each is dependent.document): dependent
        for dependent in DependentFiles(model, documents.values(), finder).edits_for(row, new)
    }
    after = {name: each.document.edited(each.edit.replacements) for name, each in edits.items()}
    after[file] = documents[file].edited(rename(model, row, new).replacements)
    return {**documents, **after}, edits


def replaced(document: Document, old: str, new: str) -> Document:
    start = document.text.index(old)
    return document.edited([Replacement(start, start + len(old), new)])


def models_of(folder: Path, documents: dict[str, Document]) -> dict[str, Model]:
    return {name: load(make_finder(folder), each, standing_in(documents)) for name, each in documents.items()}


def standing_in(documents: dict[str, Document]) -> dict[Path, Document]:
    return {each.path.resolve(): each for each in documents.values() if each.path is not None}


def assert_same_meaning(before: Model, after: Model) -> None:
    assert before.kinds == after.kinds
    np.testing.assert_array_equal(before.relative_to, after.relative_to)
    np.testing.assert_array_equal(before.attached_to, after.attached_to)
    np.testing.assert_array_equal(before.X_RootF, after.X_RootF)
    ends = [[(joint.parent, joint.child) for joint in model.joints] for model in (before, after)]
    assert ends[0] == ends[1]
    rules = [sorted(each.rule.name for each in model.diagnostics) for model in (before, after)]
    assert rules[0] == rules[1]


def all_rows() -> Iterator[tuple[str, str]]:
    for name in ("gripper", "palm", "palm::hull", "finger", "slide", "tip"):
        yield "gripper", name if name == "gripper" else f"gripper::{name}"
    for name in ("arm", "arm::base", "arm::gripper", "arm::left", "arm::mount", "arm::near"):
        yield "arm", name
    for name in ("hand", "hand::pad", "hand::origin"):
        yield "hand", name


NEW_NAMES = ("brand_new", "y & z", "naïve <é>")


@pytest.mark.parametrize(
    ("file", "old", "name"),
    [  # by day each row gets one of the names
        pytest.param(*row, name, marks=[pytest.mark.nightly] * (name != NEW_NAMES[number % 3]))
        for number, row in enumerate(all_rows())
        for name in NEW_NAMES
    ],
)
def test_a_rename_leaves_no_dangling_name_in_any_file(tmp_path: Path, file: str, old: str, name: str) -> None:
    documents = open_all(write_project(tmp_path))
    before = models_of(tmp_path, documents)
    assert not any(model.diagnostics for model in before.values())
    edited, edits = renamed_project(tmp_path, documents, file, old, name)
    after = models_of(tmp_path, edited)
    for each, model in before.items():
        assert_same_meaning(model, after[each])
        names = dict(edits[each].edit.renamed) if each in edits else {}
        if each != file and each in edits:
            assert [names.get(old_name, old_name) for old_name in model.names] == after[each].names
    assert not any(dependent.faults for dependent in edits.values())


NAMES = ("palm", "tip", "pad", "left", "gripper", "x", "y & z", 'q"<é', "a b")


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_any_renames_one_after_the_other_change_no_meaning(tmp_path: Path, data: st.DataObject) -> None:
    documents = open_all(write_project(tmp_path))
    before = models_of(tmp_path, documents)
    for _ in range(data.draw(st.integers(1, 5))):
        file = data.draw(st.sampled_from(["gripper", "arm", "hand", "world"]))
        model = models_of(tmp_path, documents)[file]
        rows = [row for row in range(len(model)) if model.sources[row] is None]
        old, new = model.names[data.draw(st.sampled_from(rows))], data.draw(st.sampled_from(NAMES))
        try:
            edited, edits = renamed_project(tmp_path, documents, file, old, new)
        except RefactoringError:
            continue
        if not any(dependent.faults for dependent in edits.values()):
            documents = edited
    for name, model in models_of(tmp_path, documents).items():
        assert_same_meaning(before[name], model)


def test_every_place_that_names_it_follows(tmp_path: Path) -> None:
    documents = open_all(write_project(tmp_path))
    edited, edits = renamed_project(tmp_path, documents, "gripper", "gripper::tip", "tcp")
    assert {name: len(each.edit.replacements) for name, each in edits.items()} == {"arm": 3, "hand": 1, "world": 2}
    assert edited["arm"].text == documents["arm"].text.replace(">tip<", ">tcp<").replace("::tip", "::tcp")
    assert edited["world"].text == documents["world"].text.replace("::tip", "::tcp")
    assert edited["arm"].to_bytes() == edited["arm"].text.encode("utf-8-sig")
    assert edited["hand"].to_bytes().startswith(documents["hand"].to_bytes()[:2])
    edited, _ = renamed_project(tmp_path, documents, "gripper", "gripper::palm::hull", "shell")
    assert 'element_id="palm::shell"' in edited["world"].text
    edited, _ = renamed_project(tmp_path, documents, "gripper", "gripper::finger", "jaw")
    assert '<model name="spare"><link name="jaw">' in edited["world"].text
    assert 'element_id="jaw"' in edited["world"].text


def test_a_model_that_gives_its_name_to_its_includes_is_renamed_there(tmp_path: Path) -> None:
    documents = open_all(write_project(tmp_path))
    edited, edits = renamed_project(tmp_path, documents, "gripper", "gripper", "claw")
    assert "_merged__claw__model__" in edited["hand"].text
    assert "claw::tip" in edited["arm"].text
    assert "left::tip" in edited["arm"].text
    assert ("arm::gripper::tip", "arm::claw::tip") in edits["arm"].edit.renamed
    assert '<model name="arm"><model name="claw">' in edited["world"].text


def test_unsaved_text_counts_and_not_what_lies_on_the_disk(tmp_path: Path) -> None:
    files = write_project(tmp_path)
    documents = open_all(files)
    documents["world"] = replaced(documents["world"], "arm::left::tip", "arm::left::slide")
    files["world"].write_text("<sdf/>", encoding="utf-8")
    edited, edits = renamed_project(tmp_path, documents, "gripper", "gripper::slide", "travel")
    assert "arm::left::travel" in edited["world"].text
    assert not edits["world"].faults


def test_a_clash_where_the_names_are_merged_is_reported(tmp_path: Path) -> None:
    documents = open_all(write_project(tmp_path))
    _, edits = renamed_project(tmp_path, documents, "gripper", "gripper::tip", "pad")
    assert not edits["arm"].faults
    assert "world" in edits
    assert not edits["world"].faults  # what is wrong in the hand is said there
    assert "'pad'" in edits["hand"].faults[0]
    _, edits = renamed_project(tmp_path, documents, "gripper", "gripper", "left")
    assert any("'left'" in fault for fault in edits["arm"].faults)


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    documents = open_all(write_project(tmp_path))
    broken = replaced(documents["arm"], "</sdf>", "<")
    _, edits = renamed_project(tmp_path, {**documents, "arm": broken}, "gripper", "gripper::tip", "tcp")
    assert edits["arm"].faults
    assert not edits["arm"].edit.replacements


@pytest.mark.parametrize(
    "broken",
    [
        "sdfviewer.formats.load.check_graphs",
        "sdfviewer.refactoring.renaming._rename_in_params",
        "sdfviewer.refactoring.renaming._faults",
    ],
)
def test_a_file_at_which_the_program_fails_is_reported_and_the_others_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    documents = open_all(write_project(tmp_path))
    real = getattr(import_module(broken.rpartition(".")[0]), broken.rpartition(".")[2])
    arm = documents["arm"].path

    def work(*things: object, **words: object) -> object:
        for thing in things:
            if getattr(thing, "path", None) == arm or getattr(getattr(thing, "document", None), "path", None) == arm:
                raise ZeroDivisionError("injected")
        return real(*things, **words)

    monkeypatch.setattr(broken, work)
    _, edits = renamed_project(tmp_path, documents, "gripper", "gripper::tip", "tcp")
    assert not edits["arm"].edit.replacements
    assert "because of an internal error (ZeroDivisionError: injected" in edits["arm"].faults[0]
    others = [each for name, each in edits.items() if name != "arm"]
    assert any(each.edit.replacements and not each.faults for each in others)


def test_the_frame_of_a_merged_model_is_called_as_that_model_is(tmp_path: Path) -> None:
    model = load(make_finder(tmp_path), open_all(write_project(tmp_path))["hand"])
    with pytest.raises(RefactoringError, match="rename that model"):
        rename(model, model.row("hand::_merged__gripper__model__"), "base")


def test_files_that_do_not_refer_to_it_are_left_alone(tmp_path: Path) -> None:
    documents = open_all(write_project(tmp_path))
    _, edits = renamed_project(tmp_path, documents, "arm", "arm::near", "far")
    assert not edits
    finder = make_finder(tmp_path)
    model = load(finder, documents["hand"])
    assert DependentFiles(model, documents.values(), finder).documents == (documents["world"],)


@pytest.mark.parametrize(
    ("file", "names"),
    [("dolly/model.sdf", 6), ("lidar/model.sdf", 2)],
)
def test_files_that_change_what_they_include_follow(collection: Path, file: str, names: int) -> None:
    folder = collection / "dolly"
    finder = Finder([folder / "models"], {}, folder)
    others = [each for path in sorted(folder.rglob("*.sdf")) if "<include" in (each := open_document(path)).text]
    model = load(finder, open_document(folder / "models" / file))
    dependents = DependentFiles(model, others, finder)
    followed = 0
    for row in range(len(model)):
        if model.sources[row] is None:
            edits = dependents.edits_for(row, "brand_new")
            assert not any(dependent.faults for dependent in edits), model.names[row]
            followed += bool(edits)
    assert followed == names
