"""The form of an operation comes from its declaration, and so does its menu entry."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QSpinBox
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.gui.operations.operation_form import OperationForm
from sdfviewer.gui.shell.actions.table import ACTIONS
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.refusals import why_refused
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.operations.table import OPERATIONS

TEXT = """<sdf version="1.11"><model name="m">
  <link name="a"><pose>0.1234567 0 0 0 0 0</pose></link>
  <link name="b"><pose relative_to="a">1.0004 0 0 0 0 0</pose></link>
</model></sdf>
"""


@pytest.fixture
def file(window: MainWindow, tmp_path: Path) -> OpenFile:
    path = tmp_path / "m.sdf"
    path.write_text(TEXT, encoding="utf-8")
    window.files.open([path])
    assert window.current is not None
    return window.current


def open_form(window: MainWindow) -> OperationForm:
    """Return the form that the menu entry opens."""
    forms = window.app.dialog_parent.findChildren(OperationForm)
    window.actions_by_id["refactor.round_poses"].trigger()
    (form,) = (each for each in window.app.dialog_parent.findChildren(OperationForm) if each not in forms)
    return form


@pytest.mark.parametrize("name", [name for name, each in OPERATIONS.items() if each.menu is not None])
def test_an_operation_with_a_menu_entry_is_in_the_menus(name: str) -> None:
    operation = OPERATIONS[name]
    assert operation.menu is not None
    (spec,) = (each for each in ACTIONS if each.operation is operation and each.id == operation.menu.id)
    assert (spec.menu, spec.text, spec.icon) == (operation.menu.path, operation.menu.text, operation.menu.icon)
    assert spec.tip


def test_a_form_asks_says_how_far_it_moves_something_and_makes_one_undo_step(
    qtbot: QtBot, window: MainWindow, file: OpenFile
) -> None:
    with qtbot.waitSignal(file.context.previews.edit_changed):
        form = open_form(window)
    assert form.windowTitle() == "Round Poses"
    decimals = form.fields["decimals"]
    assert isinstance(decimals, QSpinBox)
    assert decimals.value() == OPERATIONS["round_poses"].by_name["decimals"].default
    decimals.setValue(3)
    assert form.summary.text() == "2 frames move, by at most 0.857 mm and 0°; 'm::b' is moved farthest."
    form.accept_button.click()
    text = file.session.document.text
    assert "<pose>0.123 0 0 0 0 0</pose>" in text
    assert '<pose relative_to="a">1 0 0 0 0 0</pose>' in text
    assert file.session.history.steps[-1].label == "Round poses to 3 decimals"
    file.context.edits.undo()
    assert file.session.document.text == TEXT


def test_a_form_is_about_what_is_selected(qtbot: QtBot, window: MainWindow, file: OpenFile) -> None:
    file.session.select(["m::b"])
    form = open_form(window)
    assert form.arguments() == {"frames": ("m::b",), "decimals": 6}
    decimals = form.fields["decimals"]
    assert isinstance(decimals, QSpinBox)
    decimals.setValue(2)
    form.accept_button.click()
    assert "0.1234567" in file.session.document.text
    assert '<pose relative_to="a">1 0 0 0 0 0</pose>' in file.session.document.text


def test_a_form_says_where_nothing_changes(window: MainWindow, file: OpenFile) -> None:
    form = open_form(window)
    decimals = form.fields["decimals"]
    assert isinstance(decimals, QSpinBox)
    decimals.setValue(7)
    assert form.summary.text() == "Nothing changes."
    assert not form.accept_button.isEnabled()
    decimals.setValue(6)
    assert form.summary.text() != "Nothing changes."
    assert form.accept_button.isEnabled()


@pytest.mark.parametrize(
    ("id", "selected", "reason"),
    [
        ("edit.align", ["m::a"], "Select at least 2 frames first."),
        ("edit.mirror", [], "Select a frame first."),
        ("edit.move_to", ["m"], "Only a link, a <frame> or a nested model can move to another model."),
        ("edit.move_to", ["m::a"], None),
        ("refactor.group", ["m"], "Select links of a model."),
        ("refactor.group", ["m::a"], None),
        ("refactor.ungroup", ["m::a"], "Select a nested model, or something in it."),
        ("refactor.split_off", ["m::a"], "Select a nested model, or something in it."),
        ("refactor.standalone", [], "This file includes no other file."),
        ("refactor.round_poses", [], None),
        ("edit.attached_to", ["m::a"], "A link has no attached_to: select another frame."),
    ],
)
def test_a_menu_says_why_an_operation_is_not_possible(
    file: OpenFile, id: str, selected: list[str], reason: str | None
) -> None:
    file.session.select(selected)
    (spec,) = (each for each in ACTIONS if each.id == id)
    assert why_refused(spec, file, [file]) == reason


def test_a_form_shows_what_another_file_gets_which_is_saved_and_undone_with_this_one(
    window: MainWindow, file: OpenFile
) -> None:
    """*Keep This True* edits no byte of the model."""
    file.session.select(["m::b"])
    forms = window.app.dialog_parent.findChildren(OperationForm)
    window.actions_by_id["refactor.keep_true"].trigger()
    (form,) = (each for each in window.app.dialog_parent.findChildren(OperationForm) if each not in forms)
    shown = form.summary.text()
    assert shown.startswith("sdfviewer.toml, saved with this file:\n    [[contract]]\n")
    assert 'frame = "m::b"' in shown
    assert "pose = [1.1238567, 0, 0, 0, 0, 0]" in shown
    assert form.accept_button.isEnabled()
    form.accept_button.click()
    assert file.session.document.text == TEXT
    assert file.session.dirty
    assert file.session.path is not None
    settings = file.session.path.with_name("sdfviewer.toml")
    file.context.edits.undo()
    assert not file.session.dirty
    file.context.edits.redo()
    assert not settings.exists()
    file.session.save()
    assert 'frame = "m::b"' in settings.read_text(encoding="utf-8")


def test_a_broken_contract_is_a_problem_of_the_window(qtbot: QtBot, window: MainWindow, file: OpenFile) -> None:
    """A clearance is checked in the background: it may take a second."""
    assert file.session.path is not None
    sphere = "<collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>"
    contract = '[[contract]]\nfile = "m.sdf"\n'
    settings = file.session.path.with_name("sdfviewer.toml")
    settings.write_text(
        f'{contract}frame = "m::b"\npose = [1.1238567, 0, 0, 0, 0, 0]\n'
        f'{contract}clearance = {{ between = ["m::a", "m::b"], min = 0.85 }}\n',
        encoding="utf-8",
    )

    def broken() -> list[str]:
        return [each.message for each in file.session.diagnostics if each.rule.name == "contract-broken"]

    moved = TEXT.replace("</link>", f"{sphere}</link>").replace("1.0004", "1.03")
    file.context.edits.apply(Edit("Move", file.session.document, (Replacement(0, len(TEXT), moved),)))
    assert len(broken()) == 1
    qtbot.waitUntil(lambda: len(broken()) == 2)
    clearance, pose = broken()
    assert "are 830 mm apart, less than 850 mm" in clearance
    assert "'m::b' is 29.6 mm away" in pose
    # The settings are read again where they change on disk.
    assert file.session.includes_are_current
    settings.write_text(f'{contract}frame = "m::b"\n', encoding="utf-8")
    window.disk.look_at_disk()
    assert broken() == []


def test_what_reads_meshes_is_computed_beside_the_window(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    shutil.copy(Path(__file__).parents[2] / "collection" / "meshes" / "binary.stl", tmp_path)
    mesh = "<visual name='v'><geometry><mesh><uri>binary.stl</uri></mesh></geometry></visual>"
    path = tmp_path / "m.sdf"
    path.write_text(TEXT.replace("</link>", f"{mesh}</link>", 1), encoding="utf-8")
    window.files.open([path])
    file = window.current
    assert file is not None
    before = file.session.document.text
    file.session.select(["m::a::v"])
    window.actions_by_id["refactor.fit_collisions"].trigger()
    (form,) = window.app.dialog_parent.findChildren(OperationForm)
    assert form.progress.isVisible()
    assert not form.accept_button.isEnabled()
    form.accept()  # by Enter: nothing is ready yet
    assert file.session.document.text == before
    qtbot.waitUntil(form.accept_button.isEnabled)
    assert not form.progress.isVisible()
    assert form.summary.text().startswith("'v': box of")
    shape = form.fields["shape"]
    assert isinstance(shape, QComboBox)
    shape.setCurrentText("hull")
    assert not form.accept_button.isEnabled()
    qtbot.waitUntil(form.accept_button.isEnabled)
    assert form.summary.text().startswith("'v': convex hull")
    form.accept_button.click()
    assert "a_v_hull.obj" in file.session.document.text
    file.context.edits.undo()
    assert file.session.document.text == before
    assert not file.session.dirty
    assert {each.name for each in tmp_path.iterdir()} == {"binary.stl", "m.sdf"}


def test_enter_accepts_a_form_without_fields(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    box = "<geometry><box><size>1 1 1</size></box></geometry>"
    path = tmp_path / "box.sdf"
    text = f'<sdf version="1.11"><model name="m"><link name="a"><visual name="v">{box}</visual></link></model></sdf>'
    path.write_text(text, encoding="utf-8")
    window.files.open([path])
    assert window.current is not None
    window.actions_by_id["refactor.align_collisions"].trigger()
    (form,) = (each for each in window.app.dialog_parent.findChildren(OperationForm) if each.isVisible())
    qtbot.waitUntil(form.accept_button.isEnabled)
    form.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is form)
    focused = form.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_Return)
    assert "<collision" in window.current.session.document.text


def test_the_numbers_of_a_form_have_their_units_behind_them(window: MainWindow, file: OpenFile) -> None:
    file.session.select(["m::b"])
    form = OperationForm(OPERATIONS["repeat"], file.context, [file.session.selected_row or 0], window)
    units = {name: form.fields[name].findChildren(QLabel)[0].text() for name in ("angle", "distance")}
    assert units == {"angle": "rad", "distance": "m"}
    form.reject()  # nothing is previewed any more
