"""A document by script shares recovery files with the window."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.files.recovery import recoveries, recovery_folder
from tests.patience import PATIENCE_SECONDS

EDIT = """
import os, sdfviewer
document = sdfviewer.open_document({path!r}, recovery={recovery})
with document.edit() as edit:
    edit.rename("palm", "hand")
{end}
"""


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep recovery files in a place of each test."""
    for variable in ("HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "state"))


@pytest.fixture
def arm(tmp_path: Path, examples: Path) -> Path:
    path = tmp_path / "arm.sdf"
    path.write_bytes((examples / "arm.sdf").read_bytes())
    return path


def run(path: Path, *, recovery: bool = True, end: str = "os._exit(3)") -> None:
    """Edit a file in a program of its own, which ends at once like a crash."""
    code = EDIT.format(path=str(path), recovery=recovery, end=end)
    subprocess.run([sys.executable, "-c", code], check=False, timeout=PATIENCE_SECONDS)


@pytest.mark.parametrize("end", ["os._exit(3)", "pass"])
def test_work_that_a_script_left_unsaved_is_recovered(arm: Path, end: str) -> None:
    before = arm.read_bytes()
    run(arm, end=end)
    assert arm.read_bytes() == before
    (kept,) = recoveries()  # the window offers these
    assert (kept.path, kept.is_abandoned) == (arm.resolve(), True)
    document = sdfviewer.open_document(arm)
    found = document.recoverable
    assert found is not None
    assert 'name="hand"' in found.text
    palm = document.model.link("palm")
    document.recover()
    assert document.text == found.text
    assert document.history == ("Recover unsaved work",)
    assert "hand" in document.model
    with pytest.raises(sdfviewer.GoneError, match="Recover unsaved work"):
        _ = palm.name
    document.undo()
    assert len(recoveries()) == 1  # until it is saved
    document.redo()
    document.save()
    assert recoveries() == []
    assert b'name="hand"' in arm.read_bytes()


def test_nothing_is_written_unless_asked_for(arm: Path) -> None:
    run(arm, recovery=False)
    assert not recovery_folder().exists()
    document = sdfviewer.open_document(arm)
    assert document.recoverable is None
    with pytest.raises(sdfviewer.SdfViewerError, match="no unsaved work"):
        document.recover()


def test_what_is_saved_undone_or_reloaded_is_forgotten(arm: Path) -> None:
    document = sdfviewer.open_document(arm, recovery=True)
    for settle in (document.undo, document.save, document.reload):
        with document.edit() as edit:
            edit.add_frame("tcp")
        (kept,) = recoveries()
        assert kept.text == document.text
        assert document.recoverable is None  # it is this program's own
        settle()
        assert recoveries() == []
        document.undo()
        document.save()


def test_new_documents_and_split_off_files_are_kept_too(tmp_path: Path, examples: Path) -> None:
    first = sdfviewer.new("arm", recovery=True)
    with first.edit() as edit:
        edit.add_frame("tcp")
    assert [each.path for each in recoveries()] == [None]
    first.save(tmp_path / "first.sdf")
    assert recoveries() == []
    path = tmp_path / "gripper.sdf"
    path.write_bytes((examples / "nested_gripper.sdf").read_bytes())
    document = sdfviewer.open_document(path, recovery=True)
    with document.edit() as edit:
        edit.split_off("gripper", "hand.sdf")
    (kept,) = recoveries()
    assert (kept.path, [each.path for each in kept.others]) == (path.resolve(), [(tmp_path / "hand.sdf").resolve()])
    document.save()
    assert recoveries() == []


SPLIT = """
import os, sdfviewer
document = sdfviewer.open_document({path!r}, recovery=True)
with document.edit() as edit:
    edit.split_off("gripper", "hand.sdf")
os._exit(3)
"""


def test_other_files_come_back_with_the_document(tmp_path: Path, examples: Path) -> None:
    path = tmp_path / "gripper.sdf"
    path.write_bytes((examples / "nested_gripper.sdf").read_bytes())
    links = [link.name for link in sdfviewer.load(path).links]
    subprocess.run([sys.executable, "-c", SPLIT.format(path=str(path))], check=False, timeout=PATIENCE_SECONDS)
    document = sdfviewer.open_document(path)
    found = document.recoverable
    assert found is not None
    (part,) = found.others
    document.recover()
    assert document.unsaved_files == (part.path,)
    assert [link.name for link in document.model.links] == links, "those of the part, too"
    document.undo()
    assert document.unsaved_files == ()
    document.redo()
    document.save()
    assert part.path.read_text(encoding="utf-8") == part.text


def test_a_recovery_file_that_cannot_be_written_is_a_warning(arm: Path) -> None:
    recovery_folder().parent.mkdir(parents=True)
    recovery_folder().write_text("not a folder", encoding="utf-8")
    document = sdfviewer.open_document(arm, recovery=True)
    with pytest.warns(UserWarning, match="cannot be recovered after a crash"), document.edit() as edit:
        edit.add_frame("tcp")
    assert "tcp" in document.model
