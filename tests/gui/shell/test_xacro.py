"""xacro in the window: a file asks once before it is evaluated, and leads to the lines that write each frame."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QPushButton
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.files.opening import open_document
from sdfviewer.formats.xacro.decisions import Answer, Decisions
from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.labels import ElidedLines
from sdfviewer.gui.operations.form_dialog import FormDialog
from sdfviewer.gui.problems.problem_detail import ProblemDetail
from sdfviewer.gui.shell.actions.table import build_tree_menu
from sdfviewer.gui.shell.files.evaluating import (
    ArgumentsDialog,
    ExpansionDialog,
    _short,
    choose_arguments,
    show_expansion,
)
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.language.names import place_in_file, row_written_at
from sdfviewer.session.session import Session

pytest.importorskip("xacro")

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
ROBOT = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="name" default="arm"/>
  <xacro:include filename="link.xacro"/>
  <xacro:one name="base"/>
  <xacro:one name="$(arg name)"/>
  <joint name="j" type="fixed"><parent link="base"/><child link="$(arg name)"/></joint>
</robot>
"""
LINK = f"""<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="one" params="name"><link name="${{name}}">{INERTIAL}</link></xacro:macro>
</robot>
"""


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    (tmp_path / "link.xacro").write_text(LINK)
    file = tmp_path / "robot.urdf.xacro"
    file.write_text(ROBOT)
    return file


def opened(window: MainWindow, robot: Path, settings: Settings, qtbot: QtBot) -> OpenFile:
    """Return a file in a folder whose files may be evaluated, when it is."""
    Decisions("").decide([open_document(robot)], Answer.FOLDER)
    window.files.open([robot])
    file = window.files.current
    assert file is not None
    qtbot.waitUntil(lambda: not file.session.is_reading)
    return file


def type_over(file: OpenFile, old: str, new: str) -> None:
    """Edit the text of a file."""
    document = file.session.document
    start = document.text.index(old)
    file.session.apply(Edit("Type", document, (Replacement(start, start + len(old), new),)))


def answers(window: MainWindow) -> dict[str, QPushButton]:
    answers = (each for each in window.notices.findChildren(QPushButton) if each is not window.notices.more)
    return {button.text(): button for button in answers}


def test_a_file_asks_once_before_it_is_evaluated(
    window: MainWindow, robot: Path, settings: Settings, qtbot: QtBot
) -> None:
    window.files.open([robot])
    file = window.files.current
    assert file is not None
    assert file.session.model is None
    assert [each.rule.name for each in file.session.diagnostics] == ["xacro-not-evaluated"]
    answers(window)["Evaluate"].click()
    qtbot.waitUntil(lambda: file.session.model is not None)
    assert file.session.model is not None
    assert "r::arm" in file.session.model.names
    assert file.session.diagnostics == ()
    assert "Evaluate" not in answers(window)
    window.files.drop(file)
    qtbot.waitUntil(lambda: "Evaluate" not in answers(window))  # the answered notice is gone
    window.files.open([robot])
    assert "Evaluate" not in answers(window)
    again = window.files.current
    assert again is not None
    qtbot.waitUntil(lambda: not again.session.is_reading)
    assert again.session.model is not None
    again.session.select(["r::arm"])
    assert again.session.is_current


def test_arguments_are_asked_for_and_remembered(
    window: MainWindow, robot: Path, settings: Settings, qtbot: QtBot
) -> None:
    window.files.open([robot])
    file = window.files.current
    assert file is not None
    dialog = choose_arguments(file, settings, window)
    assert isinstance(dialog, ArgumentsDialog)
    assert dialog.fields["name"].placeholderText() == "default: arm"
    assert not dialog.fields["name"].text()
    dialog.fields["name"].setText("leg")
    dialog.accept()
    qtbot.waitUntil(lambda: file.session.model is not None)
    assert file.session.model is not None
    assert "r::leg" in file.session.model.names
    assert settings.xacro_arguments(robot) == {"name": "leg"}


def test_the_question_stays_where_the_arguments_are_not_set_after_all(window: MainWindow, robot: Path) -> None:
    window.files.open([robot])
    answers(window)["Set Arguments…"].click()
    dialog = window.findChild(ArgumentsDialog)
    assert dialog is not None
    dialog.reject()
    assert "Evaluate" in answers(window)


def test_an_argument_whose_values_are_listed_offers_them(
    window: MainWindow, robot: Path, settings: Settings, qtbot: QtBot
) -> None:
    robot.write_text(ROBOT.replace("<xacro:arg", "<!-- possible name values: arm, leg --><xacro:arg", 1))
    window.files.open([robot])
    file = window.files.current
    assert file is not None
    dialog = choose_arguments(file, settings, window)
    box = dialog.findChild(QComboBox)
    assert box is not None
    assert [box.itemText(index) for index in range(box.count())] == ["arm", "leg"]
    assert dialog.values == {}, "its default is not given"
    box.setCurrentIndex(1)
    assert dialog.values == {"name": "leg"}
    dialog.fields["name"].setText("tail")
    assert dialog.values == {"name": "tail"}, "others can be typed"
    dialog.fields["name"].clear()
    qtbot.mouseClick(dialog.fields["name"], Qt.MouseButton.LeftButton)
    listed = box.completer().popup()
    qtbot.waitUntil(listed.isVisible)
    assert listed.model().rowCount() == 2, "a click anywhere into the field opens the list, not only at its arrow"
    qtbot.keyClick(listed, Qt.Key.Key_Escape)
    assert dialog.isVisible(), "Escape closes the list alone"
    dialog.reject()


def test_what_an_evaluation_needs_is_asked_for(
    window: MainWindow, robot: Path, settings: Settings, qtbot: QtBot
) -> None:
    """A robot whose name is an argument, as that of the UR5e, left an empty view, and nothing to do about it."""
    robot.write_text(ROBOT.replace('name="r"', 'name="$(arg name)"'))
    window.files.open([robot])
    file = window.files.current
    assert file is not None
    answers(window)["Evaluate"].click()
    qtbot.waitUntil(lambda: "Set Arguments…" in answers(window) and "Evaluate" not in answers(window))
    (text,) = (each.full_text for each in window.notices.findChildren(ElidedLines) if "evaluated" in each.full_text)
    assert text == f"{robot.name} cannot be evaluated: the argument 'name' has no value."
    answers(window)["Set Arguments…"].click()
    dialog = window.findChild(ArgumentsDialog)
    assert dialog is not None
    name = dialog.fields["name"]
    assert name.text() == "arm", "its default, which does not hold where the name of the robot reads it"
    name.clear()
    assert not dialog.accept_button.isEnabled()
    assert dialog.fault.text() == "Type a value for name: the file reads it, and it has no default there."
    name.setText("leg")
    canvas = file.view.canvas
    before = None if canvas is None else canvas.camera
    dialog.accept()
    qtbot.waitUntil(lambda: file.session.model is not None)
    qtbot.waitUntil(lambda: "Set Arguments…" not in answers(window))
    if canvas is not None:
        qtbot.waitUntil(lambda: canvas.is_settled and canvas.camera != before)  # fitted to the robot


@pytest.mark.panels("problems")
def test_a_package_is_used_where_it_lies_after_one_click(
    window: MainWindow, robot: Path, settings: Settings, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "link.xacro").rename(tmp_path / "parts" / "link.xacro")
    robot.write_text(ROBOT.replace("link.xacro", "$(find parts)/link.xacro"))
    (tmp_path / "robots/lab").mkdir(parents=True)
    robot = robot.rename(tmp_path / "robots/lab" / robot.name)
    file = opened(window, robot, settings, qtbot)
    assert file.session.model is None
    (text,) = (each.full_text for each in window.notices.findChildren(ElidedLines) if "is not found" in each.full_text)
    where = os.path.join("..", "..", "..", tmp_path.name)
    assert text == f"{robot.name} has 1 error: the package parts is not found. Found in {where}."
    detail = file.problems.findChild(ProblemDetail)
    assert detail is not None
    detail.show_problems(file.session.diagnostics)
    offers = [each.text() for each in detail.widget().findChildren(QPushButton)]
    assert offers[:2] == [f"Use {where}", "Locate…"]
    answers(window)[f"Use {where}"].click()
    qtbot.waitUntil(lambda: file.session.model is not None)
    assert file.session.diagnostics == ()


def test_the_expansion_can_be_read(window: MainWindow, robot: Path, settings: Settings, qtbot: QtBot) -> None:
    file = opened(window, robot, settings, qtbot)
    dialog = show_expansion(file, window)
    assert isinstance(dialog, ExpansionDialog)
    assert '<link name="arm">' in dialog.text.toPlainText()
    assert dialog.text.isReadOnly()
    dialog.close()


def test_a_change_of_an_included_file_is_seen(
    window: MainWindow, robot: Path, settings: Settings, tmp_path: Path, qtbot: QtBot
) -> None:
    file = opened(window, robot, settings, qtbot)
    assert file.session.included_files == (tmp_path / "link.xacro",)
    (tmp_path / "link.xacro").write_text(LINK.replace('name="${name}"', 'name="${name}"><visual/', 1))
    qtbot.waitUntil(lambda: any(each.rule.name.startswith("urdf") for each in file.session.diagnostics))


def test_selecting_a_frame_goes_to_the_line_that_writes_it(
    window: MainWindow, robot: Path, settings: Settings, qtbot: QtBot
) -> None:
    file = opened(window, robot, settings, qtbot)
    session = file.session
    assert session.model is not None
    span = place_in_file(session.model, session.model.row("r::arm"))
    assert span is not None
    assert span.line == 5  # the call of the macro: the link itself is in another file
    assert row_written_at(session.model, span.start + 1) == session.model.row("r::arm")


def test_a_form_adds_to_a_xacro_file(window: MainWindow, robot: Path, settings: Settings, qtbot: QtBot) -> None:
    file = opened(window, robot, settings, qtbot)
    file.session.select(["r::arm"])
    window.actions_by_id["edit.add_link"].trigger()
    form = next(each for each in window.findChildren(FormDialog) if each.isVisible())
    form.accept_button.click()
    qtbot.waitUntil(lambda: '<link name="link"' in file.session.document.text and file.session.is_current)
    assert file.session.model is not None
    assert "r::link" in file.session.model.names
    assert file.session.selection == ("r::link",)


def test_what_cannot_be_done_before_a_xacro_file_is_evaluated_asks_for_that(window: MainWindow, robot: Path) -> None:
    window.files.open([robot])
    window.actions_by_id["edit.add_link"].trigger()
    assert window.status.message == "The xacro file is not evaluated; allow it to see the robot that it writes."


#: An expression with few steps of which each takes long.
ENDLESS = "${[a.find(b) for a in [900000 * 'a'] for b in [400000 * 'a' + 'b'] for i in range(20000)] and 1}"


def test_an_evaluation_that_takes_long_can_be_cancelled(window: MainWindow, robot: Path, qtbot: QtBot) -> None:
    robot.write_text(ROBOT.replace('default="arm"', f'default="{ENDLESS}"'))
    window.files.open([robot])
    file = window.files.current
    assert file is not None
    answers(window)["Evaluate"].click()
    qtbot.waitUntil(lambda: "Cancel" in answers(window))
    answers(window)["Cancel"].click()
    qtbot.waitUntil(lambda: [each.rule.name for each in file.session.diagnostics] == ["xacro-failed"])
    assert "was cancelled" in file.session.diagnostics[0].message


def test_typing_never_waits_for_an_evaluation(
    window: MainWindow, robot: Path, settings: Settings, qtbot: QtBot
) -> None:
    file = opened(window, robot, settings, qtbot)
    model = file.session.model
    type_over(file, 'default="arm"', f'default="{ENDLESS}"')
    assert file.session.is_reading
    assert file.session.model is model  # the last good state stays in sight
    assert not file.session.is_current
    assert window.saving.save(file)
    assert ENDLESS in robot.read_text()
    type_over(file, ENDLESS, "wing")  # which gives up the one before
    qtbot.waitUntil(lambda: not file.session.is_reading)
    assert file.session.model is not None
    assert "r::wing" in file.session.model.names
    file.session.undo()
    file.session.undo()  # whose expansion is known
    assert not file.session.is_reading
    assert file.session.model is not None
    assert "r::arm" in file.session.model.names


def test_a_file_is_closed_while_it_is_evaluated(
    window: MainWindow, robot: Path, settings: Settings, qtbot: QtBot
) -> None:
    robot.write_text(ROBOT.replace('default="arm"', f'default="{ENDLESS}"'))
    Decisions("").decide([open_document(robot)], Answer.FOLDER)
    window.files.open([robot])
    file = window.files.current
    assert file is not None
    qtbot.waitUntil(lambda: "Cancel" in answers(window))
    window.files.drop(file)
    qtbot.waitUntil(lambda: "Cancel" not in answers(window))


def test_a_world_stays_in_sight_while_a_robot_in_it_is_evaluated(
    window: MainWindow, robot: Path, settings: Settings, tmp_path: Path, qtbot: QtBot
) -> None:
    world = tmp_path / "w.sdf"
    include = "<include><uri>robot.urdf.xacro</uri></include>"
    world.write_text(f'<sdf version="1.9"><world name="w">{include}</world></sdf>')
    Decisions("").decide([open_document(robot)], Answer.FOLDER)
    window.files.open([world])
    file = window.files.current
    assert file is not None
    qtbot.waitUntil(lambda: file.session.model is not None)
    assert file.session.model is not None
    assert "r::arm" in file.session.model.names
    robot.write_text(ROBOT.replace('default="arm"', 'default="leg"'))
    qtbot.waitUntil(lambda: file.session.model is not None and "r::leg" in file.session.model.names)


def test_arguments_from_the_menu_answer_the_question_too(
    window: MainWindow, robot: Path, settings: Settings, qtbot: QtBot
) -> None:
    window.files.open([robot])
    file = window.files.current
    assert file is not None
    assert "Evaluate" in answers(window)
    dialog = choose_arguments(file, settings, window)
    qtbot.waitUntil(dialog.fields["name"].hasFocus)
    dialog.fields["name"].setText("leg")
    dialog.accept()
    qtbot.waitUntil(lambda: file.session.model is not None and "r::leg" in file.session.model.names)
    qtbot.waitUntil(lambda: "Evaluate" not in answers(window))
    assert settings.xacro_arguments(robot) == {"name": "leg"}


WORLD = '<sdf version="1.9"><world name="w"><include><uri>robot.urdf.xacro</uri></include></world></sdf>'


def question(window: MainWindow) -> str:
    """Return the question about xacro of the file that is shown, empty where there is none."""
    shown = [each for each in window.notices.findChildren(ElidedLines) if not each.parentWidget().isHidden()]
    return next((each.full_text for each in shown if "Evaluate " in each.full_text), "")


def test_a_world_asks_before_a_robot_in_it_is_evaluated(
    window: MainWindow, robot: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    world = tmp_path / "w.sdf"
    world.write_text(WORLD)
    window.files.open([world])
    file = window.files.current
    assert file is not None
    assert [each.rule.name for each in file.session.diagnostics] == ["xacro-not-evaluated"]
    assert "w.sdf includes robot.urdf.xacro, a xacro program" in question(window)
    answers(window)["Evaluate"].click()
    qtbot.waitUntil(lambda: file.session.model is not None and "r::arm" in file.session.model.names)
    assert not question(window)
    window.files.open([robot])  # the same decision
    other = window.files.current
    assert other is not None
    qtbot.waitUntil(lambda: other.session.model is not None)
    assert not question(window)


def _has_frame(session: Session, name: str) -> bool:
    return session.model is not None and name in session.model.names


def test_an_answer_counts_in_all_open_files(window: MainWindow, robot: Path, tmp_path: Path, qtbot: QtBot) -> None:
    world = tmp_path / "w.sdf"
    world.write_text(WORLD)
    window.files.open([world, robot])
    first, second = window.files.opened
    answers(window)["Evaluate"].click()
    for session in (first.session, second.session):
        qtbot.waitUntil(partial(_has_frame, session, "r::arm"))
    qtbot.waitUntil(lambda: "Evaluate" not in answers(window))  # the answered notices are gone


def test_what_another_program_changes_is_asked_about_and_what_is_typed_is_not(
    window: MainWindow, robot: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window.files.open([robot])
    file = window.files.current
    assert file is not None
    answers(window)["Evaluate"].click()
    qtbot.waitUntil(lambda: file.session.model is not None)
    type_over(file, 'default="arm"', 'default="typed"')
    qtbot.waitUntil(lambda: file.session.model is not None and "r::typed" in file.session.model.names)
    assert window.saving.save(file)
    window.files.drop(file)
    window.files.open([robot])
    file = window.files.current
    assert file is not None
    qtbot.waitUntil(lambda: file.session.model is not None and "r::typed" in file.session.model.names)
    assert not question(window)
    (tmp_path / "link.xacro").write_text(LINK.replace("${name}", "${name}_changed", 1))
    qtbot.waitUntil(lambda: bool(question(window)))
    assert file.session.model is not None
    assert "r::typed" in file.session.model.names, "the last good state stays in sight"
    answers(window)["Evaluate"].click()
    qtbot.waitUntil(lambda: not file.session.is_reading and not file.session.refused)


def test_never_asks_no_more_until_arguments_are_given(
    window: MainWindow, robot: Path, settings: Settings, qtbot: QtBot
) -> None:
    window.files.open([robot])
    file = window.files.current
    assert file is not None
    answers(window)["Never"].click()
    assert not question(window)
    window.files.drop(file)
    window.files.open([robot])
    file = window.files.current
    assert file is not None
    assert not question(window)
    assert file.session.model is None
    choose_arguments(file, settings, window).accept()
    qtbot.waitUntil(lambda: file.session.model is not None)


def test_a_folder_is_answered_once_for_all_its_files(
    window: MainWindow, robot: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window.files.open([robot])
    answers(window)[f"Evaluate All in {_short(tmp_path.name)}"].click()
    file = window.files.current
    assert file is not None
    qtbot.waitUntil(lambda: file.session.model is not None)
    (tmp_path / "link.xacro").write_text(LINK.replace("<visual", "<visual"))
    another = tmp_path / "another.urdf.xacro"
    another.write_text(ROBOT.replace('default="arm"', 'default="other"'))
    window.files.open([another])
    other = window.files.current
    assert other is not None
    qtbot.waitUntil(lambda: other.session.model is not None and "r::other" in other.session.model.names)
    assert not question(window)


def test_a_version_in_git_is_evaluated_only_when_its_content_is_allowed(
    window: MainWindow, robot: Path, qtbot: QtBot, commit: Callable[[Path], None]
) -> None:
    robot.write_text(ROBOT.replace('default="arm"', 'default="old"'))
    commit(robot)
    robot.write_text(ROBOT)
    window.files.open([robot])
    file = window.files.current
    assert file is not None
    answers(window)["Evaluate"].click()
    qtbot.waitUntil(lambda: file.session.model is not None)
    window.actions_by_id["versions.head"].trigger()
    qtbot.waitUntil(lambda: window.comparisons.dialog is not None)
    dialog = window.comparisons.dialog
    assert dialog is not None
    qtbot.waitUntil(dialog.evaluate.isVisible)
    assert not dialog.differences
    assert "has not been evaluated" in dialog.no_frames.text()
    dialog.evaluate.click()
    qtbot.waitUntil(lambda: bool(dialog.differences))
    assert [(each.before, each.after) for each in dialog.differences] == [("r::old", "r::arm")]
    assert not dialog.evaluate.isVisible()
    dialog.reject()


def open_urdf_with_xacro(window: MainWindow, tmp_path: Path) -> OpenFile:
    path = tmp_path / "bot.urdf"
    path.write_text(
        '<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:arg name="side" default="left"/>'
        f'<link name="$(arg side)">{INERTIAL}</link></robot>'
    )
    window.files.open([path])
    file = window.files.current
    assert file is not None
    assert file.session.model is not None
    assert "r::$(arg side)" in file.session.model.names
    assert [each.rule.name for each in file.session.diagnostics] == ["urdf-is-xacro"]
    return file


@pytest.mark.panels("problems")
@pytest.mark.parametrize("place", ["notice", "problem", "tree"])
def test_a_urdf_that_holds_xacro_is_evaluated_on_request(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, place: str
) -> None:
    file = open_urdf_with_xacro(window, tmp_path)
    if place == "notice":
        answers(window)["Evaluate as xacro"].click()
    elif place == "problem":
        answers(window)["Never"].click()
        detail = file.problems.detail
        detail.show_problems(file.session.diagnostics)
        next(each for each in detail.findChildren(QPushButton) if each.text() == "Evaluate as xacro").click()
    else:
        file.session.select(["r"])
        menu = build_tree_menu(file, window.actions_by_id)
        next(each for each in menu.actions() if each.text() == "Evaluate as xacro").trigger()
    qtbot.waitUntil(lambda: file.session.model is not None and "r::left" in file.session.model.names)
    assert file.session.diagnostics == ()
