"""How files are named is chosen in the window, with which programs find them said beside each choice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog, QFileDialog, QLabel

from sdfviewer.files.uris import URI_FORMS
from sdfviewer.gui.kit.labels import ElidedLines
from sdfviewer.gui.operations.add import AddDialog
from sdfviewer.gui.operations.preview_dialog import PreviewDialog
from sdfviewer.gui.operations.uri_choice import OF_INCLUDES, OF_MOVED_TEXT, UriDialog
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow

TEXT = """<sdf version="1.9"><model name="m"><link name="a"/>
<include><uri>leg.sdf</uri></include><model name="hand"><link name="b"/></model></model></sdf>
"""
LEG = '<sdf version="1.9"><model name="leg"><link name="foot"/></model></sdf>'


@pytest.fixture
def robot(window: MainWindow, tmp_path: Path) -> OpenFile:
    """Return an open file that names another one beside it."""
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    (tmp_path / "here/leg.sdf").write_text(LEG)
    (tmp_path / "here/m.sdf").write_text(TEXT)
    window.files.open([tmp_path / "here/m.sdf"])
    assert window.current is not None
    return window.current


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, str], list[UriDialog]]:
    """Return what answers the question for a file, and that for the form of URIs; it returns the dialogs that asked."""

    def answer(path: Path, form: str) -> list[UriDialog]:
        asked: list[UriDialog] = []

        def accept(dialog: UriDialog) -> QDialog.DialogCode:
            asked.append(dialog)
            dialog.buttons_by_form[form].click()
            dialog.deleteLater()
            return QDialog.DialogCode.Accepted

        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(path), ""))
        monkeypatch.setattr(UriDialog, "exec", accept)
        return asked

    return answer


@pytest.mark.parametrize(
    ("form", "uri"), [("automatic", "../here/leg.sdf"), ("copied", "leg.sdf"), ("keep", "leg.sdf")]
)
def test_save_as_in_another_folder_asks_how_files_are_named(
    window: MainWindow,
    robot: OpenFile,
    tmp_path: Path,
    choose: Callable[[Path, str], list[UriDialog]],
    form: str,
    uri: str,
) -> None:
    asked = choose(tmp_path / "there/m.sdf", form)
    window.actions_by_id["file.save_as"].trigger()
    assert list(asked[0].buttons_by_form) == list(OF_MOVED_TEXT)
    assert f"<uri>{uri}</uri>" in (tmp_path / "there/m.sdf").read_text()
    assert (tmp_path / "there/leg.sdf").exists() is (form == "copied")
    notices = window.notices.findChildren(ElidedLines)
    assert any("is not found from" in each.full_text for each in notices) is (form == "keep")
    assert not robot.session.dirty


def test_save_as_in_the_same_folder_asks_nothing(
    window: MainWindow, robot: OpenFile, tmp_path: Path, choose: Callable[[Path, str], list[UriDialog]]
) -> None:
    asked = choose(tmp_path / "here/other.sdf", "keep")
    assert window.saving.save_as(robot)
    assert asked == []


def test_split_off_asks_how_the_part_is_included(
    window: MainWindow, robot: OpenFile, tmp_path: Path, choose: Callable[[Path, str], list[UriDialog]]
) -> None:
    part = tmp_path / "there/hand.sdf"
    asked = choose(part, "absolute")
    robot.session.select(["m::hand"])
    window.actions_by_id["refactor.split_off"].trigger()
    said = [label.text() for label in asked[0].findChildren(QLabel)]
    assert all(form.of_model in said for form in URI_FORMS.values())
    assert list(asked[0].buttons_by_form) == list(OF_INCLUDES)
    dialog = window.app.dialog
    assert isinstance(dialog, PreviewDialog)
    dialog.apply_button.click()
    assert f"<uri>{part.as_posix()}</uri>" in robot.session.document.text


def test_the_form_of_an_include_says_which_programs_find_it(robot: OpenFile, tmp_path: Path) -> None:
    (tmp_path / "there/arm.sdf").write_text(LEG)
    dialog = AddDialog(robot.context, "include", 0)
    assert dialog.uris is not None
    dialog.uri.setText("../there/arm.sdf")
    assert "Drake does not find" in dialog.uris.found_by.text()
    dialog.uris.setCurrentIndex(dialog.uris.findData("copied"))
    assert dialog.uris.found_by.text() == URI_FORMS["copied"].of_model
    dialog.accept()
    assert "<uri>models/arm.sdf</uri>" in robot.session.document.text
    assert robot.session.diagnostics == (), "what is copied later is found where it is now"
    copy = tmp_path / "here/models/arm.sdf"
    robot.session.undo()
    robot.session.save()
    assert not copy.exists()
    robot.session.redo()
    assert not copy.exists()
    robot.session.save()
    assert copy.read_text() == LEG
    assert robot.session.diagnostics == ()


@pytest.mark.parametrize("tag", ["visual", "collision"])
def test_the_form_of_a_mesh_says_which_programs_find_it(robot: OpenFile, tmp_path: Path, tag: str) -> None:
    (tmp_path / "there/part.stl").write_text("solid\nendsolid\n")
    dialog = AddDialog(robot.context, tag, robot.session.model.row("a"))
    assert dialog.uris is not None
    assert dialog.shape is not None
    assert not dialog.form.isRowVisible(dialog.uris)
    dialog.shape.box.setCurrentText("mesh")
    assert dialog.form.isRowVisible(dialog.uris)
    dialog.uri.setText("../there/part.stl")
    dialog.uris.setCurrentIndex(dialog.uris.findData("copied"))
    assert dialog.uris.found_by.text() == URI_FORMS["copied"].of_file
    dialog.accept()
    assert "<uri>meshes/part.stl</uri>" in robot.session.document.text
    robot.session.save()
    assert (tmp_path / "here/meshes/part.stl").exists()
