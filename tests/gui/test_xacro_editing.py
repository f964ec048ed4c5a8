"""A xacro file in the window: its panels, handles and graphs change the files where the values come from."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Span
from sdfviewer.files.opening import open_document
from sdfviewer.files.recovery import recoveries
from sdfviewer.formats.xacro.decisions import Answer, Decisions
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.gui.context.previews import AddedVersion
from sdfviewer.gui.graphs.graph_editing import Retargeting
from sdfviewer.gui.kit.labels import ElidedLines
from sdfviewer.gui.operations.place_cards import PlaceCard
from sdfviewer.gui.properties.fields import TextField
from sdfviewer.gui.properties.pose_editor import PoseField
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow

pytest.importorskip("xacro")

ROBOT = """<?xml version="1.0"?>
<!DOCTYPE robot>
<robot name='r' xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:include filename="parts.xacro"/>
  <xacro:arg name="height" default="0.5"/>
  <xacro:property name="sizes" value="${xacro.load_yaml('sizes.yaml')}"/>
  <!-- the base -->
  <link name="base"/>
  <xacro:wheel side="left" reflect="1"/>
  <xacro:wheel side="right" reflect="-1"/>
  <link name="mast"/>
  <joint name="mount" type="revolute">
    <origin xyz="0 0 $(arg height)"/>
    <parent link="base"/><child link="mast"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="${sizes['reach']}" effort="5" velocity="2"/>
  </joint>
  <link name="tip"/>
  <joint name="end" type="fixed"><origin xyz="0 0 0.25"/><parent link="mast"/><child link="tip"/></joint>
</robot>
"""
PARTS = """<robot xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:property name="track" value="0.4"/>
  <xacro:macro name="wheel" params="side reflect">
    <link name="${side}_wheel"/>
    <joint name="${side}_axle" type="continuous">
      <origin xyz="0.1 ${reflect*track/2} 0" rpy="0 0 0"/>
      <parent link="base"/><child link="${side}_wheel"/><axis xyz="0 0 1"/>
    </joint>
  </xacro:macro>
</robot>
"""
SIZES = "# of the mast\nreach: 1.5\n"


@pytest.fixture
def file(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> OpenFile:
    path = tmp_path / "r.urdf.xacro"
    for name, text in ((path.name, ROBOT), ("parts.xacro", PARTS), ("sizes.yaml", SIZES)):
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    Decisions("").decide([open_document(path)], Answer.FOLDER)
    window.files.open([path])
    found = window.files.current
    assert found is not None
    qtbot.waitUntil(lambda: not found.session.is_reading and found.session.model is not None)
    assert found.session.is_current
    return found


def typed(field: PoseField, text: str) -> None:
    """Type a number into a field of a pose."""
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def is_read(file: OpenFile, holds: Callable[[], bool]) -> Callable[[], bool]:
    return lambda: holds() and file.session.is_current


def card_of(window: MainWindow, qtbot: QtBot) -> PlaceCard:
    """Return the card that asks, when it has the keyboard."""
    card = next(each for each in window.findChildren(PlaceCard) if each.isVisible())
    card.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is card)
    return card


@pytest.mark.panels("properties")
def test_a_literal_is_changed_at_its_place(window: MainWindow, file: OpenFile, qtbot: QtBot) -> None:
    session = file.session
    session.select(["r::end"])
    assert not file.properties.note.isVisible()
    typed(file.properties.pose.fields[2], "0.75")
    qtbot.waitUntil(is_read(file, lambda: session.document.text == ROBOT.replace("0 0 0.25", "0 0 0.75")))
    assert session.selection == ("r::end",)
    assert not window.findChildren(PlaceCard)
    file.context.edits.undo()
    assert session.document.text == ROBOT


@pytest.mark.panels("properties")
def test_a_field_asks_where_its_value_goes_and_shows_what_moves_along(
    window: MainWindow, file: OpenFile, qtbot: QtBot
) -> None:
    session, folder = file.session, file.session.path.parent if file.session.path else Path()
    session.select(["r::left_axle"])
    typed(file.properties.pose.fields[1], "0.3")
    card = card_of(window, qtbot)
    (group,) = card.choices
    words = [each.text().split(" (")[0] for each in group]
    assert words == ["parameter reflect", "property track", "expression"]
    assert QApplication.focusWidget() is group[0]
    QTest.keyClick(group[0], Qt.Key.Key_Down)
    assert group[1].isChecked()
    assert "joint right_axle: origin/xyz" in card.along.text()
    model, previews = session.model, file.context.previews
    assert model is not None
    row = model.row("r::right_axle")

    def ghost() -> float:
        """Return y of the other axle as it is shown before it is done."""
        shown = None if previews.edit is None else previews.edit.X_ghost
        return float("nan") if shown is None else float(shown[row, 1, 3])

    qtbot.waitUntil(lambda: ghost() == pytest.approx(-0.3))
    QTest.keyClick(group[1], Qt.Key.Key_Return)
    qtbot.waitUntil(is_read(file, lambda: session.dirty))
    assert session.document.text == ROBOT
    assert [each.text for each in session.others.values()] == [PARTS.replace('"0.4"', '"0.6"')]
    assert session.pose_of("r::right_axle")[1, 3] == pytest.approx(-0.3)  # type: ignore[index]
    file.context.edits.undo()
    qtbot.waitUntil(is_read(file, lambda: not session.dirty))
    file.context.edits.redo()
    qtbot.waitUntil(is_read(file, lambda: session.dirty))
    assert window.saving.save(file)
    assert not session.dirty
    assert (folder / "parts.xacro").read_bytes() == PARTS.replace('"0.4"', '"0.6"').encode()
    assert (folder / "r.urdf.xacro").read_bytes() == ROBOT.encode()


@pytest.mark.panels("properties")
def test_escape_gives_a_choice_up(window: MainWindow, file: OpenFile, qtbot: QtBot) -> None:
    file.session.select(["r::left_axle"])
    typed(file.properties.pose.fields[1], "0.3")
    QTest.keyClick(card_of(window, qtbot), Qt.Key.Key_Escape)
    assert file.properties.pose.fields[1].value == pytest.approx(0.2), "what is written is shown again"
    assert not file.session.dirty


@pytest.mark.panels("properties")
def test_a_limit_from_a_yaml_file_is_changed_there(window: MainWindow, file: OpenFile, qtbot: QtBot) -> None:
    session = file.session
    session.select(["r::mount"])
    field = file.properties.details.field("axis/limit/upper")
    assert isinstance(field, TextField)
    field.edit.setFocus()
    field.edit.selectAll()
    QTest.keyClicks(field.edit, "2")
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    card = card_of(window, qtbot)
    assert card.choices[0][0].text().startswith("YAML key reach (sizes.yaml:2)"), card.choices[0][0].text()
    card.accept_button.click()
    qtbot.waitUntil(is_read(file, lambda: session.dirty))
    assert [each.text for each in session.others.values()] == [SIZES.replace("1.5", "2")]


def test_the_default_of_an_argument_is_changed_by_a_handle_in_3d(
    window: MainWindow, file: OpenFile, qtbot: QtBot
) -> None:
    session, canvas = file.session, file.view.canvas
    if canvas is None:
        pytest.skip("there is no OpenGL here")
    session.select(["r::mast"])
    window.actions_by_id["tool.move"].trigger()
    gizmo = canvas.tools.gizmo
    assert gizmo.drag_state.begin()
    move = gizmo.drag_state.move
    assert move is not None
    up = np.eye(4)
    up[2, 3] = 0.25
    gizmo.drag_state.show(up)
    assert file.context.edits.make(lambda: move.edit("Move"), canvas)
    gizmo.drag_state.end()
    card = card_of(window, qtbot)
    assert card.choices[0][0].text().startswith("argument height")
    assert card.choices[0][0].isChecked()
    card.accept_button.click()
    qtbot.waitUntil(is_read(file, lambda: session.document.text == ROBOT.replace('"0.5"', '"0.75"')))
    assert session.pose_of("r::mast")[2, 3] == pytest.approx(0.75)  # type: ignore[index]


@pytest.mark.panels("graphs")
def test_a_drag_in_the_kinematic_graph_is_written_into_the_joint(
    window: MainWindow, file: OpenFile, qtbot: QtBot
) -> None:
    session = file.session
    model = session.model
    assert model is not None
    dragged = Retargeting(model, GraphKind.KINEMATIC, model.row("r::tip"))
    assert dragged.allows(model.row("r::base"))
    assert file.context.edits.make(lambda: dragged.edit(session, model.row("r::base"), "numbers")[0])
    wanted = ROBOT.replace('<parent link="mast"/><child link="tip"/>', '<parent link="base"/><child link="tip"/>')
    qtbot.waitUntil(is_read(file, lambda: session.document.text == wanted))


def test_a_name_from_a_parameter_is_changed_at_the_call(window: MainWindow, file: OpenFile, qtbot: QtBot) -> None:
    session = file.session
    session.select(["r::left_wheel"])
    model = session.model
    assert model is not None
    file.context.edits.rename(model.row("r::left_wheel"), "port_wheel")
    card = card_of(window, qtbot)
    assert any("left_axle" in text for text in [card.along.text()])
    card.accept_button.click()
    qtbot.waitUntil(is_read(file, lambda: session.document.text == ROBOT.replace('"left"', '"port"')))
    assert session.model is not None
    assert {"r::port_wheel", "r::port_axle"} <= set(session.model.names)


def test_what_a_macro_writes_is_removed_by_its_call_or_for_all_as_the_user_chooses(
    window: MainWindow, file: OpenFile, qtbot: QtBot
) -> None:
    session, previews = file.session, file.context.previews
    model = session.model
    assert model is not None
    session.select(["r::left_axle"])
    window.actions_by_id["edit.remove"].trigger()
    card = card_of(window, qtbot)
    (group,) = card.choices
    assert [each.text() for each in group] == [
        "condition side == 'left' (parts.xacro:5): removes <joint>",
        "macro wheel (parts.xacro:5): removes <joint> for all calls",
    ]
    assert group[0].isChecked()
    assert card.along.text() == "Nothing else changes."

    def left() -> set[str]:
        """Return the names of the axles that are left as the choice is shown."""
        shown = previews.edit
        after = None if shown is None else shown.model
        return set() if after is None else {each for each in after.names if each.endswith("_axle")}

    qtbot.waitUntil(lambda: left() == {"r::right_axle"})
    QTest.keyClick(group[0], Qt.Key.Key_Down)
    assert card.along.text() == "Is removed along with it: joint right_axle"
    qtbot.waitUntil(lambda: previews.edit is not None and previews.edit.model is not None and not left())
    assert isinstance(previews.version, AddedVersion)
    assert [model.names[row] for row in previews.version.going.tolist()] == ["r::left_axle", "r::right_axle"]
    QTest.keyClick(group[1], Qt.Key.Key_Return)
    start, end = PARTS.index("    <joint"), PARTS.index("  </xacro:macro>")
    qtbot.waitUntil(is_read(file, lambda: session.dirty))
    assert [each.text for each in session.others.values()] == [PARTS[:start] + PARTS[end:]]
    file.context.edits.undo()
    qtbot.waitUntil(is_read(file, lambda: not session.dirty))
    assert session.document.text == ROBOT


def test_what_cannot_be_written_back_says_why_and_shows_the_line(
    window: MainWindow, file: OpenFile, qtbot: QtBot
) -> None:
    session = file.session
    model = session.model
    assert model is not None
    places: list[Span] = []
    file.context.requests.other_file.connect(places.append)
    file.context.edits.rename(model.row("r::left_wheel"), "tyre")
    assert "2 of <link> would get one name; change what tells them apart" in window.status.message
    assert [(Path(each.path).name, each.line) for each in places] == [("parts.xacro", 4)]
    assert session.document.text == ROBOT


@pytest.mark.panels("problems", "source")
def test_a_fix_is_found_in_the_background_and_made_in_the_file_that_writes_what_is_wrong(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path, wrong = (
        tmp_path / "wrong.urdf.xacro",
        PARTS.replace('child link="${side}_wheel"', 'child link="${side}_weel"'),
    )
    for name, text in ((path.name, ROBOT), ("parts.xacro", wrong), ("sizes.yaml", SIZES)):
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    Decisions("").decide([open_document(path)], Answer.FOLDER)
    window.files.open([path])
    file = window.files.current
    assert file is not None
    session, panel = file.session, file.problems
    qtbot.waitUntil(lambda: session.is_current and session.model is not None)
    window.docks.show_beside("problems", "source")
    qtbot.waitUntil(lambda: bool(panel.table.groups))
    row = next(row for row, group in enumerate(panel.table.groups) if group[0].rule.name == "urdf-link-unknown")
    assert not panel.table.groups[row][0].fixes_at_hand, "the window does not wait for xacro"
    panel.view.selectRow(row)
    qtbot.waitUntil(lambda: bool(panel.detail.buttons))
    button = panel.detail.buttons[0]
    assert "Replace 'left_weel' with 'left_wheel'" in button.fix.label
    assert button.toolTip().split("\n")[1:] == [
        '− <parent link="base"/><child link="${side}_weel"/><axis xyz="0 0 1"/>',
        '+ <parent link="base"/><child link="${side}_wheel"/><axis xyz="0 0 1"/>',
    ]
    button.click()
    qtbot.waitUntil(is_read(file, lambda: session.dirty))
    assert [each.text for each in session.others.values()] == [PARTS]
    assert not any(each.rule.name == "urdf-link-unknown" for each in session.diagnostics)
    file.context.edits.undo()
    qtbot.waitUntil(is_read(file, lambda: not session.dirty))


#: Edits a limit that a YAML file gives, in a window of its own, says when that is kept, and waits.
EDIT_AND_WAIT = """
import sys
from pathlib import Path
from PySide6.QtCore import QSettings, QTimer
import sdfviewer.gui.context.written_back as written_back
from sdfviewer.files.recovery import recoveries
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.shell.application import make_application
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.operations.properties import set_property
from sdfviewer.gui.context.edits import edit_by

application = make_application()
window = MainWindow(Settings(QSettings(sys.argv[2], QSettings.Format.IniFormat)))
window.files.open([Path(sys.argv[1])])
window.show()
file = window.current
def edit():
    session = file.session
    if not session.is_current:
        return
    waiting.stop()
    ask = file.context.written_back.places_wanted
    ask.connect(lambda request: request.take(request.ways.merged(request.ways.smallest)))
    model = session.edited_model
    arguments = {"thing": [model.row("r::mount")], "path": "axis/limit/upper", "value": "2"}
    file.context.edits.make(lambda: edit_by(session, model, set_property, **arguments))
    looking.start()
def look():
    if any(each.others for each in recoveries()):
        print("kept", flush=True)
        looking.stop()
waiting, looking = QTimer(interval=20), QTimer(interval=20)
waiting.timeout.connect(edit)
looking.timeout.connect(look)
waiting.start()
application.exec()
"""


@pytest.mark.panels("properties")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_unsaved_changes_of_other_files_survive_a_kill(window: MainWindow, file: OpenFile, tmp_path: Path) -> None:
    path = file.session.path
    assert path is not None
    window.files.drop(file)
    command = [sys.executable, "-c", EDIT_AND_WAIT, str(path), str(tmp_path / "other.ini")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "kept\n"
        os.kill(process.pid, signal.SIGKILL)
    assert (tmp_path / "sizes.yaml").read_text(encoding="utf-8") == SIZES
    window.recovery.offer()
    said = " ".join(each.full_text for each in window.notices.findChildren(ElidedLines))
    assert f"Unsaved changes to {path.name} and sizes.yaml from" in said
    found = window.recovery.restore(next(iter(recoveries())))
    assert found is not None
    assert [each.text for each in found.session.others.values()] == [SIZES.replace("1.5", "2")]
    assert window.saving.save(found)
    assert (tmp_path / "sizes.yaml").read_bytes() == SIZES.replace("1.5", "2").encode()
    assert path.read_bytes() == ROBOT.encode()
    assert recoveries() == []
