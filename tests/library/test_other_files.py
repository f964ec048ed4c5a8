"""Edits that write other files: they are saved, undone and previewed with the document."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sdfviewer
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.refactoring.composition.inlining import split_off
from sdfviewer.refactoring.renaming import DependentFiles

PART = "<sdf version='1.9'><model name='hand'><link name='palm'/><frame name='tip' attached_to='palm'/></model></sdf>"
CELL = """<sdf version='1.9'>
  <!-- a comment that stays -->
  <model name='cell'>
    <include><uri>hand.sdf</uri><name>h</name></include>
    <frame name='grasp' attached_to='h::palm'><pose>0 0 0.1 0 0 0</pose></frame>
  </model>
</sdf>
"""


@pytest.fixture
def folder(tmp_path: Path, examples: Path) -> Path:
    (tmp_path / "hand.sdf").write_text(PART, encoding="utf-8")
    (tmp_path / "cell.sdf").write_text(CELL, encoding="utf-8")
    (tmp_path / "gripper.sdf").write_bytes((examples / "nested_gripper.sdf").read_bytes())
    return tmp_path


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}


def test_a_part_is_split_off_when_the_document_is_saved(folder: Path) -> None:
    before = texts(folder)
    model = Loader().load(open_document(folder / "gripper.sdf"))
    assert model is not None
    expected = split_off(model, model.row("gripper"), folder / "hand_2.sdf")[1]
    document = sdfviewer.open_document(folder / "gripper.sdf")
    palm = document.model.link("gripper::body")
    pose = palm.pose
    with document.edit() as edit:
        edit.split_off("gripper", "hand_2.sdf")
        assert edit.other_texts == {(folder / "hand_2.sdf").resolve(): expected}
        assert edit.moved == ()
    np.testing.assert_allclose(palm.pose, pose, atol=1e-12)
    assert texts(folder) == before
    assert document.unsaved_files == ((folder / "hand_2.sdf").resolve(),)
    document.save()
    assert not document.is_modified
    assert (folder / "hand_2.sdf").read_text(encoding="utf-8") == expected
    assert sdfviewer.check(folder / "gripper.sdf") == ()
    np.testing.assert_allclose(sdfviewer.load(folder / "gripper.sdf").link("gripper::body").pose, pose, atol=1e-12)
    document.undo()  # as in the window a file that was written stays
    document.save()
    assert (folder / "gripper.sdf").read_text(encoding="utf-8") == before["gripper.sdf"]
    assert (folder / "hand_2.sdf").exists()


def test_a_rename_goes_through_dependent_files_and_back(folder: Path) -> None:
    before = texts(folder)
    document = sdfviewer.open_document(folder / "hand.sdf")
    with document.edit() as edit:
        edit.rename("palm", "body", also=folder)
        edit.rename("body", "base", also=folder / "cell.sdf")
        assert "+    <frame name='grasp' attached_to='h::base'>" in edit.diff
    with document.edit() as edit:
        edit.add_frame("other")
    assert document.unsaved_files == ((folder / "cell.sdf").resolve(),)
    assert texts(folder) == before
    document.save()
    assert sdfviewer.check(folder / "cell.sdf") == ()
    assert (folder / "cell.sdf").read_text(encoding="utf-8") == CELL.replace("h::palm", "h::base")
    document.undo()
    document.undo()
    assert document.unsaved_files == ((folder / "cell.sdf").resolve(),)
    document.save()
    assert texts(folder) == before
    document.redo()
    document.save()
    assert sdfviewer.load(folder / "cell.sdf").frame("grasp").body is not None


def test_dependent_files_are_written_with_the_bytes_of_the_window(folder: Path) -> None:
    model = Loader().load(open_document(folder / "hand.sdf"))
    assert model is not None
    cell = open_document(folder / "cell.sdf")
    (dependent,) = DependentFiles(model, [cell], Loader().finder).edits_for(model.row("palm"), "body")
    document = sdfviewer.open_document(folder / "hand.sdf")
    with document.edit() as edit:
        edit.rename("palm", "body", also=[folder])
    document.save()
    assert (folder / "cell.sdf").read_bytes() == cell.edited(dependent.edit.replacements).to_bytes()


def test_nothing_is_written_where_one_file_has_changed(folder: Path) -> None:
    document = sdfviewer.open_document(folder / "hand.sdf")
    with document.edit() as edit:
        edit.rename("palm", "body", also=folder)
    (folder / "cell.sdf").write_text(CELL + "<!-- another program -->", encoding="utf-8")
    before = texts(folder)
    with pytest.raises(sdfviewer.ChangedOnDiskError, match=r"cell\.sdf"):
        document.save()
    assert texts(folder) == before
    document.save(overwrite=True)
    assert "h::body" in texts(folder)["cell.sdf"]


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_difference_of_several_files_is_a_patch_for_the_current_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    document = sdfviewer.open_document("hand.sdf")
    with document.edit() as edit:
        edit.rename("palm", "body", also=folder)
    (folder / "rename.patch").write_bytes(edit.diff.encode())
    subprocess.run(["git", "apply", "rename.patch"], check=True, capture_output=True)
    assert (folder / "cell.sdf").read_text(encoding="utf-8") == CELL.replace("h::palm", "h::body")
    assert (folder / "hand.sdf").read_text(encoding="utf-8") == document.text


@pytest.mark.skipif(sys.platform == "win32", reason="not every user makes links there")
@pytest.mark.parametrize("overwrite", [False, True])
def test_no_file_is_written_that_another_one_has_become_a_link_to(folder: Path, overwrite: bool) -> None:
    key = folder / "key"
    key.write_text("the user's", encoding="utf-8")
    document = sdfviewer.open_document(folder / "hand.sdf")
    with document.edit() as edit:
        edit.rename("palm", "body", also=folder)
    (folder / "cell.sdf").unlink()
    (folder / "cell.sdf").symlink_to(key)
    with pytest.raises(sdfviewer.ChangedOnDiskError, match=r"cell\.sdf"):
        document.save(overwrite=overwrite)
    document = sdfviewer.open_document(folder / "gripper.sdf")
    with document.edit() as edit:
        edit.split_off("gripper", "new.sdf")
    (folder / "new.sdf").symlink_to("made")  # leads to nothing
    with pytest.raises(sdfviewer.ChangedOnDiskError, match=r"new\.sdf"):
        document.save()
    assert key.read_text(encoding="utf-8") == "the user's"
    assert not (folder / "made").exists()


def test_a_preview_writes_nothing_and_forgets_other_files(folder: Path) -> None:
    before = texts(folder)
    document = sdfviewer.open_document(folder / "hand.sdf")
    with document.preview() as edit:
        edit.rename("palm", "body", also=folder)
        assert "h::body" in edit.diff
    assert document.unsaved_files == ()
    edits = document.edit()
    with pytest.raises(sdfviewer.UnknownNameError), edits:
        _rename_all(edits, ("palm", "nothing"), folder)
    assert (document.unsaved_files, document.is_modified, texts(folder)) == ((), False, before)


def _rename_all(edit: sdfviewer.DocumentEdit, names: tuple[str, ...], folder: Path) -> None:
    for name in names:
        edit.rename(name, "body", also=folder)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda e: e.split_off("gripper", "gripper.sdf"), "exists"),
        (lambda e: e.split_off("gripper", "nowhere/gripper.sdf"), "no folder"),
        (lambda e: e.split_off("column", "column.sdf"), "is a link, not a model"),
        (lambda e: e.rename("column", "mast", also="nowhere"), "does not exist"),
    ],
)
def test_what_cannot_be_written_is_refused(folder: Path, wrong, message: str) -> None:
    document = sdfviewer.open_document(folder / "gripper.sdf")
    with pytest.raises(sdfviewer.SdfViewerError, match=message), document.edit() as edit:
        wrong(edit)
    assert not document.is_modified


def test_a_text_without_a_file_has_no_other_files(folder: Path) -> None:
    document = sdfviewer.new("arm")
    with pytest.raises(sdfviewer.EditError, match="save the document first"), document.edit() as edit:
        edit.rename("base", "foot", also=folder)


def test_a_rename_that_a_dependent_file_cannot_follow_is_refused(folder: Path) -> None:
    broken = CELL.replace("<model name", "<model <name")
    (folder / "cell.sdf").write_text(broken, encoding="utf-8")
    document = sdfviewer.open_document(folder / "hand.sdf")
    with pytest.raises(sdfviewer.EditError, match="cannot be updated"), document.edit() as edit:
        edit.rename("palm", "body", also=folder)
    assert document.text == PART


def test_what_is_undone_is_copied_once_it_is_redone(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Found: saving forgot the copies of undone edits, too."""
    there = tmp_path_factory.mktemp("there")
    for name in ("one", "two"):
        (there / f"{name}.sdf").write_text(PART, encoding="utf-8")
    document = sdfviewer.open_document(folder / "cell.sdf")
    for name in ("one", "two"):
        with document.edit() as edit:
            edit.add_include(str(there / f"{name}.sdf"), name=name, uris="copied")
    document.undo()
    document.save()
    copies = folder / "models"
    assert [each.name for each in copies.iterdir()] == ["one.sdf"]
    document.redo()
    document.save()
    assert sorted(each.name for each in copies.iterdir()) == ["one.sdf", "two.sdf"]
