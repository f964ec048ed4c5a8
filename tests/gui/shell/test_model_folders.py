"""Folders of models are kept in the settings, and open files look into them at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QLabel, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Diagnostic, Replacement, Severity
from sdfviewer.document.edits import Edit
from sdfviewer.gui.context.missing import Missing
from sdfviewer.gui.problems.problem_detail import ProblemDetail
from sdfviewer.gui.shell.actions.table import build_tree_menu
from sdfviewer.gui.shell.files.missing_models import DownloadDialog, ModelFoldersDialog
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.validation.file_rules import resource_missing, uri_not_found
from tests.fuel_server import BOX, fuel_server

WORLD = '<sdf version="1.9"><world name="w"><include><uri>model://table</uri></include></world></sdf>'


def world_beside_models(folder: Path) -> Path:
    """Write a world that names a model of ``../models``, and return its path."""
    (folder / "models" / "table").mkdir(parents=True)
    config = '<model><name>t</name><sdf version="1.9">model.sdf</sdf></model>'
    (folder / "models" / "table" / "model.config").write_text(config, encoding="utf-8")
    table = '<sdf version="1.9"><model name="table"><link name="top"/></model></sdf>'
    (folder / "models" / "table" / "model.sdf").write_text(table, encoding="utf-8")
    (folder / "worlds").mkdir()
    (folder / "worlds" / "w.sdf").write_text(WORLD, encoding="utf-8")
    return folder / "worlds" / "w.sdf"


def names(window: MainWindow) -> set[str]:
    assert window.current is not None
    assert window.current.session.model is not None
    return set(window.current.session.model.rows_by_name)


def button(window: MainWindow, text: str) -> QPushButton:
    buttons = window.notices.findChildren(QPushButton)
    (found,) = (each for each in buttons if each.text() == text and each.isVisible())
    return found


@pytest.mark.panels("properties")
def test_a_folder_beside_the_file_is_used_after_one_click_and_remembered_for_its_folder(
    window: MainWindow, tmp_path: Path
) -> None:
    path = world_beside_models(tmp_path)
    window.files.open([path])
    assert "table::top" not in names(window)
    folder = os.path.join("..", "models")
    (text,) = [each.text() for each in window.notices.findChildren(QLabel) if each.text()]
    assert text == f"w.sdf has 1 error: the model table is not found. Found in {folder}."
    assert window.current is not None
    robot = window.current.properties.robot
    assert "1 model not found" in robot.values["missing"].text()
    button(window, f"Use {folder}").click()
    assert "table::top" in names(window)
    assert not window.notices.topics
    assert window.settings.model_folders == []
    assert window.current is not None
    window.saving.close(window.current)
    other = path.with_name("other.sdf")
    other.write_text(WORLD, encoding="utf-8")
    window.files.open([other])
    assert "table::top" in names(window)
    window.actions_by_id["file.model_folders"].trigger()
    dialog = window.findChild(ModelFoldersDialog)
    assert dialog is not None
    assert dialog.used.item(0).text() == str(tmp_path / "models")
    dialog.used.item(0).setCheckState(Qt.CheckState.Unchecked)
    dialog.accept()
    assert "table::top" not in names(window)


@pytest.mark.panels("problems")
def test_a_problem_and_the_row_of_the_tree_offer_the_folder_too(window: MainWindow, tmp_path: Path) -> None:
    window.files.open([world_beside_models(tmp_path)])
    file = window.current
    assert file is not None
    folder = os.path.join("..", "models")
    model = file.session.model
    assert model is not None
    file.session.select([model.names[next(iter(model.failed_includes))]])
    menu = build_tree_menu(file, window.actions_by_id)
    assert menu.actions()[0].text() == f"Use {folder}"
    window.actions_by_id["panel.problems"].trigger()
    detail = file.problems.findChild(ProblemDetail)
    assert detail is not None
    detail.show_problems(file.session.diagnostics)
    (use,) = (each for each in detail.widget().findChildren(QPushButton) if each.text() == f"Use {folder}")
    use.click()
    assert "table::top" in names(window)


def test_a_located_folder_is_used(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = world_beside_models(tmp_path)
    (tmp_path / "models").rename(tmp_path / "elsewhere")
    window.files.open([path])
    (text,) = [each.text() for each in window.notices.findChildren(QLabel) if each.text()]
    assert text == "w.sdf has 1 error: the model table is not found."
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "elsewhere"))
    button(window, "Locate…").click()
    assert "table::top" in names(window)


MESH = "<visual name='v'><geometry><mesh><uri>model://{}/hand.obj</uri></mesh></geometry></visual>"


def notice(window: MainWindow) -> str:
    """Return what the notice says, which is in its tooltip where it has to be shortened."""
    labels = (each for each in window.notices.findChildren(QLabel) if each.isVisible())
    return "".join(each.toolTip() or each.text() for each in labels)


def test_what_is_missing_is_still_said_after_an_edit(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    """The notice vanished with the first edit, and came back with undo."""
    path = tmp_path / "arm.sdf"
    link = f"<link name='l'><pose>0 0 0 0 0 0</pose>{MESH.format('arm')}</link>"
    path.write_text(f'<sdf version="1.9"><model name="m">{link}</model></sdf>', encoding="utf-8")
    window.files.open([path])
    qtbot.waitUntil(lambda: notice(window) == "arm.sdf: the file hand.obj is not found.")
    file = window.current
    assert file is not None
    at = file.session.document.text.index("0 0 0 0 0 0")
    file.session.apply(Edit("Move", file.session.document, (Replacement(at, at + 1, "1"),)))
    qtbot.waitUntil(lambda: not file.view.canvas or file.view.canvas.is_settled)
    qtbot.waitUntil(lambda: notice(window) == "arm.sdf: the file hand.obj is not found.")


def test_a_mesh_that_is_nowhere_is_said_once(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    """What is dismissed does not come back with an edit; what a further mesh lacks does not either while one types."""
    path = tmp_path / "arm.sdf"
    link = f"<link name='l'>{MESH.format('arm')}</link>"
    path.write_text(f'<sdf version="1.9"><model name="m">{link}</model></sdf>', encoding="utf-8")
    window.files.open([path])
    qtbot.waitUntil(lambda: notice(window) == "arm.sdf: the file hand.obj is not found.")
    assert [each.text() for each in window.notices.findChildren(QPushButton) if each is not window.notices.more] == [
        "Locate…"
    ]
    (dismiss,) = (each for each in window.notices.findChildren(QToolButton) if each.accessibleName() == "Dismiss")
    dismiss.click()
    assert not window.notices.topics
    file = window.current
    assert file is not None
    at = file.session.document.text.index("</link>")
    other = Replacement(at, at, MESH.format("leg").replace("'v'", "'w'"))
    file.session.apply(Edit("Add", file.session.document, (other,)))
    qtbot.waitUntil(lambda: len({each.missing_uri for each in file.session.diagnostics if each.missing_uri}) == 2)
    assert not window.notices.topics


def test_the_numbers_of_a_notice_add_up() -> None:
    """``17 errors. 3 models not found. 10 models not downloaded``: which are the other four?"""
    problems = [
        Diagnostic(uri_not_found, Severity.ERROR, "", missing_uri=uri, is_remote=uri.startswith("https"))
        for uri in ("model://a", "model://a", "model://b", "https://x/c", "https://x/c")
    ]
    missing = Missing.of_problems(problems)
    assert missing.errors == len(problems)
    assert missing.sentences(None) == [
        "2 models (3 includes) are not found.",
        "1 model (2 includes) is not downloaded.",
    ]
    assert missing.named == "a and 2 more", "the dialog says what it is to find"
    files = [Diagnostic(uri_not_found, Severity.ERROR, "", missing_uri="https://x/c", is_remote=True)]
    files += [Diagnostic(resource_missing, Severity.WARNING, "", missing_uri=f"{name}.obj") for name in "ab"]
    assert Missing.of_problems(files).sentences(None) == [
        "1 model is not downloaded.",
        "2 files are not found.",
    ], "the errors come first"


def test_what_is_wrong_is_told_from_what_is_missing(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    """A cycle was ``1 error. 2 files are not found``: one looked for files."""
    path = tmp_path / "m.sdf"
    visual = "<visual name='v'><geometry><mesh><uri>a.obj</uri></mesh></geometry></visual>"
    frame = "<frame name='f'><pose relative_to='f'/></frame>"
    path.write_text(f"<sdf version='1.11'><model name='m'><link name='l'>{visual}</link>{frame}</model></sdf>", "utf-8")
    window.files.open([path])
    wanted = "m.sdf has 1 error: the pose of 'f' is relative to itself. Also, the file a.obj is not found."
    qtbot.waitUntil(lambda: notice(window) == wanted)


def test_what_a_folder_does_not_hold_is_offered_after_it_is_used(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One click for the folder, one for the models on a server: then the world is whole, and so are those beside it."""
    monkeypatch.setenv("GZ_FUEL_CACHE_PATH", str(tmp_path / "cache"))
    path = world_beside_models(tmp_path)
    with fuel_server() as server:
        server.offer()
        include = f"<include><uri>{server.base}{BOX}</uri></include></world>"
        path.write_text(WORLD.replace("</world>", include), encoding="utf-8")
        window.files.open([path])
        folder = os.path.join("..", "models")
        assert notice(window).endswith(f"the model table is not found. Found in {folder}. 1 model is not downloaded.")
        button(window, f"Use {folder}").click()
        assert "table::top" in names(window)
        assert notice(window) == "w.sdf has 1 error: 1 model is not downloaded."
        button(window, "Download…").click()
        qtbot.waitUntil(lambda: isinstance(window.app.dialog, DownloadDialog))
        dialog = window.app.dialog
        assert isinstance(dialog, DownloadDialog)
        qtbot.waitUntil(dialog.download.isEnabled)
        with qtbot.waitSignal(dialog.finished):
            dialog.download.click()
        assert window.current is not None
        assert not window.current.session.diagnostics
        assert not window.notices.topics


def test_a_link_offers_what_finds_the_mesh_of_its_visual(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "models" / "arm").mkdir(parents=True)
    (tmp_path / "models" / "arm" / "hand.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    path = tmp_path / "worlds" / "arm.sdf"
    path.parent.mkdir()
    links = f"<link name='l'>{MESH.format('arm')}</link><link name='whole'/>"
    path.write_text(f'<sdf version="1.9"><model name="m">{links}</model></sdf>', encoding="utf-8")
    window.files.open([path])
    file = window.current
    assert file is not None
    qtbot.waitUntil(lambda: any(each.missing_uri for each in file.session.diagnostics))
    file.session.select(("m::whole",), None)
    assert not build_tree_menu(file, window.actions_by_id).actions()[0].text().startswith("Use")
    file.session.select(("m::l",), None)
    use = build_tree_menu(file, window.actions_by_id).actions()[0]
    assert use.text() == f"Use {os.path.join('..', 'models')}"
    use.trigger()
    qtbot.waitUntil(lambda: not file.session.diagnostics)


def test_a_missing_model_is_found_once_its_folder_is_listed(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "models with spaces"
    (folder / "table").mkdir(parents=True)
    (folder / "table" / "model.config").write_text(
        '<model><name>t</name><sdf version="1.9">model.sdf</sdf></model>', encoding="utf-8"
    )
    (folder / "table" / "model.sdf").write_text(
        '<sdf version="1.9"><model name="table"><link name="top"/></model></sdf>', encoding="utf-8"
    )
    file = tmp_path / "world.sdf"
    file.write_text(
        '<sdf version="1.9"><world name="w"><include><uri>model://table</uri></include></world></sdf>', encoding="utf-8"
    )
    window.files.open([file])
    workspace = window.current
    assert workspace is not None
    assert "uri-not-found" in [problem.rule.name for problem in workspace.session.diagnostics]
    window.actions_by_id["file.model_folders"].trigger()
    dialog = window.findChild(ModelFoldersDialog)
    assert dialog is not None
    dialog.add(tmp_path)
    dialog.add(folder)
    dialog.add(folder)
    qtbot.mouseClick(dialog.up_button, Qt.MouseButton.LeftButton)
    assert dialog.folders == [folder, tmp_path]
    dialog.list.setCurrentRow(1)
    qtbot.mouseClick(dialog.remove_button, Qt.MouseButton.LeftButton)
    ok = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
    assert window.settings.model_folders == [folder]
    assert not workspace.session.diagnostics
    assert workspace.session.model is not None
    assert "table::top" in workspace.session.model.rows_by_name
