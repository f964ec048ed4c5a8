"""A pose typed and pasted in each notation; what counts is the text of the file."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from sdfviewer.gui.kit.fields import ROOM_AROUND
from sdfviewer.gui.properties.pose_editor import PoseField
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.refactoring.pose_notation import FORMS, Notation, matrix_of, parse_pose
from sdfviewer.transforms import pose_to_matrix
from tests.gui.properties.properties_desk import PropertiesDesk

pytestmark = pytest.mark.panels("properties", "source")

TEXT = """<sdf version="1.9">
  <model name="m">
    <link name="base"/>
    <frame name="rad"><pose>0.1 0   0 0.1 0.2 1.5</pose></frame>
    <frame name="deg"><pose degrees="true">0 0 1  0 0 90</pose></frame>
    <frame name="quat"><pose rotation_format="quat_xyzw">1 2 3  0 0 0 1</pose></frame>
  </model>
</sdf>
"""


#: What can be pasted, and what is written for it.
PASTED = [
    ("1 2 3 0 0 1.5", "<pose>1 2   3 0 0 1.5</pose>"),
    ("(1, 2, 3, 0, 0, 1.5)", "<pose>1 2   3 0 0 1.5</pose>"),
    ("[1, 2, 3, 0.0, 0.0, 0.0, 2.0]", "<pose>1 2   3 0 0 0</pose>"),
    ('<pose degrees="true">1 2 3 0 0 180</pose>', "<pose>1 2   3 0 0 3.141592653589793</pose>"),
    ('<origin rpy="0 0 1.5" xyz="1 2 3"/>', "<pose>1 2   3 0 0 1.5</pose>"),
    ("np.array([[1,0,0,1],[0,1,0,2],[0,0,1,3],[0,0,0,1]], dtype=float64)", "<pose>1 2   3 0 0 0</pose>"),
    ("array([[ 1., 0., 0., 1.],\n [0., 1., 0., 2.],\n [0., 0., 1., 3.]])", "<pose>1 2   3 0 0 0</pose>"),
    (
        "position:\n  x: 1\n  y: 2\n  z: 3\norientation:\n  x: 0\n  y: 0\n  z: 0\n  w: 1",
        "<pose>1 2   3 0 0 0</pose>",
    ),
]


class Desk(PropertiesDesk):
    """A session and its properties panel, shown."""

    def __init__(self, qtbot: QtBot, folder: Path, text: str = TEXT) -> None:
        super().__init__(qtbot, folder, text)
        self.editor = self.panel.pose.editor

    def select(self, name: str, notation: Notation) -> None:
        self.context.session.select([f"m::{name}"])
        self.editor.choose(notation)

    def pose(self, name: str) -> str:
        return self.context.session.document.text.split(f'"{name}">')[1].split("</frame>")[0]

    def type(self, place: int, text: str, end: Qt.Key = Qt.Key.Key_Return) -> PoseField:
        field = self.editor.fields[place]
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        if end is not Qt.Key.Key_unknown:
            QTest.keyClick(field, end)
        return field

    def paste(self, text: str, place: int = 0) -> None:
        QGuiApplication.clipboard().setText(text)
        field = self.editor.fields[place]
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    def shown(self) -> list[float]:
        return [field.value for field in self.editor.fields]


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Desk:
    return Desk(qtbot, tmp_path)


def test_each_notation_is_shown_whatever_is_written(desk: Desk) -> None:
    desk.select("deg", Notation.RADIANS)
    assert desk.shown() == [0, 0, 1, 0, 0, pytest.approx(math.pi / 2)]
    assert desk.editor.note == "The file has the rotation in degrees"
    desk.editor.choose(Notation.DEGREES)
    assert (desk.shown(), desk.editor.note) == ([0, 0, 1, 0, 0, 90], "")
    desk.editor.choose(Notation.QUATERNION)
    assert desk.shown()[3:] == pytest.approx([0, 0, 0.5**0.5, 0.5**0.5])
    assert desk.context.session.document.text == TEXT


@pytest.mark.parametrize(
    ("name", "notation", "place", "typed", "written"),
    [
        ("deg", Notation.RADIANS, 5, "pi", '<pose degrees="true">0 0 1  0 0 180</pose>'),
        ("rad", Notation.DEGREES, 3, "90", "<pose>0.1 0   0 1.5707963267948966 0.2 1.5</pose>"),
        ("quat", Notation.DEGREES, 3, "180", '<pose rotation_format="quat_xyzw">1 2 3  1 0 0 0</pose>'),
        ("quat", Notation.QUATERNION, 0, "7", '<pose rotation_format="quat_xyzw">7 2 3  0 0 0 1</pose>'),
        ("rad", Notation.QUATERNION, 2, "7", "<pose>0.1 0   7 0.1 0.2 1.5</pose>"),
    ],
)
def test_what_is_typed_is_written_as_the_file_writes_it(
    desk: Desk, name: str, notation: Notation, place: int, typed: str, written: str
) -> None:
    desk.select(name, notation)
    desk.type(place, typed)
    assert desk.pose(name) == written


def test_angles_stay_as_they_are_typed(desk: Desk) -> None:
    desk.select("rad", Notation.DEGREES)
    for place, angle in ((3, "30"), (4, "100"), (5, "-190")):
        desk.type(place, angle, Qt.Key.Key_Tab)
    assert desk.shown()[3:] == [30, 100, -190]


def test_a_quaternion_is_typed_number_by_number_and_normalised_at_the_end(desk: Desk) -> None:
    desk.select("quat", Notation.QUATERNION)
    desk.type(5, "3", Qt.Key.Key_Tab)
    assert desk.editor.fields[6].hasFocus()
    assert desk.pose("quat").endswith("0 0 0 1</pose>")  # half of a quaternion is not written
    assert desk.editor.fields[5].value == 3
    field = desk.type(6, "4", Qt.Key.Key_unknown)
    assert desk.editor.note == "Its length is 5; at length one it is 0  0  0.6  0.8."
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert desk.pose("quat") == '<pose rotation_format="quat_xyzw">1 2 3  0 0 0.6 0.8</pose>'
    assert desk.editor.note == ""
    desk.context.session.undo()
    assert desk.context.session.document.text == TEXT


def test_a_quaternion_is_taken_when_the_keyboard_leaves_it(desk: Desk) -> None:
    desk.select("quat", Notation.QUATERNION)
    desk.type(5, "1", Qt.Key.Key_Tab)
    desk.editor.fields[0].setFocus()
    assert desk.pose("quat") == (
        '<pose rotation_format="quat_xyzw">1 2 3  0 0 0.7071067811865475 0.7071067811865475</pose>'
    )


def test_a_quaternion_without_length_is_refused_at_the_field(desk: Desk) -> None:
    desk.select("quat", Notation.QUATERNION)
    field = desk.type(6, "0")
    assert desk.context.session.document.text == TEXT
    assert desk.editor.note == "A quaternion of length zero is not a rotation."
    assert field.text() == "0"
    QTest.keyClicks(field, "0")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert desk.shown()[3:] == [0, 0, 0, 1]
    assert desk.editor.note == ""


def test_what_is_no_number_stays_with_the_reason_below_it(desk: Desk) -> None:
    desk.select("rad", Notation.RADIANS)
    field = desk.type(0, "1,2,3")
    assert (field.text(), desk.editor.note) == ("1,2,3", "x: “1,2,3” is not a number.")
    assert desk.context.session.document.text == TEXT
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert (field.value, desk.editor.note) == (0.1, "")


def test_a_pose_pasted_into_one_field_fills_all(desk: Desk) -> None:
    desk.select("rad", Notation.RADIANS)
    for text, expected in PASTED:
        desk.paste(text)
        assert desk.pose("rad") == expected, text
        desk.context.session.undo()
        assert desk.context.session.document.text == TEXT, text


def test_a_pose_that_names_its_frame_is_measured_from_there(desk: Desk) -> None:
    desk.select("rad", Notation.RADIANS)
    desk.paste('<pose relative_to="deg" degrees="true">1 2 3 0 0 90</pose>')
    assert desk.pose("rad").startswith('<pose relative_to="deg">1 2   3 0 0 1.57')
    desk.context.session.undo()
    assert desk.context.session.document.text == TEXT
    said: list[str] = []
    desk.context.messages.refused.connect(said.append)
    desk.paste('<pose relative_to="nothing">1 2 3 0 0 0</pose>')
    assert desk.context.session.document.text == TEXT
    assert "nothing" in said[-1]


def test_cells_of_a_spreadsheet_with_units_fill_all(desk: Desk) -> None:
    """Of pi/2 the 2 was taken, and a comma between the digits made two numbers of one."""
    desk.select("rad", Notation.RADIANS)
    for text in (
        "0.1\t0.2\t0.3\t0\t0\t90deg",
        "0,1\t0,2\t0,3\t0\t0\tpi/2\r\n",
        "100mm 20cm 0.3 0 0 90deg",
        "[0.1, 0.2, 0.3, 0, 0, pi/2]",
    ):
        desk.paste(text)
        assert desk.pose("rad").split() == ["<pose>0.1", "0.2", "0.3", "0", "0", "1.5707963267948966</pose>"], text
        desk.context.session.undo()


def test_three_numbers_fill_the_line_that_they_are_pasted_into(desk: Desk) -> None:
    desk.select("deg", Notation.DEGREES)
    desk.paste("10 20 30", 4)
    assert desk.pose("deg") == '<pose degrees="true">0 0 1  10 20 30</pose>'
    desk.paste("1 2 3", 1)
    assert desk.pose("deg") == '<pose degrees="true">1 2 3  10 20 30</pose>'
    desk.paste("4")  # a single number goes where the cursor is
    assert "4" in desk.editor.fields[0].text()


def test_the_menu_of_a_field_pastes_as_the_keyboard_does(desk: Desk) -> None:
    desk.select("rad", Notation.RADIANS)
    QGuiApplication.clipboard().setText("1 2 3 0 0 0")
    field = desk.editor.fields[0]
    menu = field.make_menu()
    paste = menu.findChild(QAction, "edit-paste")
    assert paste is not None
    paste.trigger()
    assert desk.pose("rad") == "<pose>1 2   3 0 0 0</pose>"


def test_what_is_no_pose_is_refused_with_the_reason(desk: Desk) -> None:
    desk.select("rad", Notation.RADIANS)
    for text, reason in (
        ("1 2 3 4", "4 numbers found"),
        ("hello", "No numbers found"),
        ("0 0 0 0 0 0 0", "length zero"),
        ("1 0 0 0  0 2 0 0  0 0 1 0  0 0 0 1", "not a rotation"),
        ("1 0 0 0  0 1 0 0  0 0 1 0  1 2 3 1", "last row"),
    ):
        desk.paste(text)
        assert reason in desk.editor.note
        assert desk.context.session.document.text == TEXT, text


@pytest.mark.parametrize("form", list(FORMS))
def test_all_that_is_copied_can_be_pasted(form: str) -> None:
    X = pose_to_matrix([1, -2, 3, 0.3, 1.2, -2.5])
    found = parse_pose(FORMS[form](X), Notation.RADIANS)
    assert matrix_of(found.numbers, found.notation) == pytest.approx(X, abs=1e-12)


def test_numbers_that_are_not_written_are_shown_for_a_while(desk: Desk) -> None:
    desk.select("rad", Notation.RADIANS)
    desk.editor.show_unwritten(pose_to_matrix([4, 5, 6, 0.1, 0.2, 1.6]))
    assert desk.shown() == pytest.approx([4, 5, 6, 0.1, 0.2, 1.6])
    desk.editor.show_unwritten(None)
    assert desk.shown() == [0.1, 0, 0, 0.1, 0.2, 1.5]
    assert desk.context.session.document.text == TEXT


def test_the_file_is_written_in_another_notation_on_request(desk: Desk) -> None:
    desk.select("deg", Notation.DEGREES)
    desk.editor.fill_menu()
    entries = [action for action in desk.editor.menu.actions() if "Quaternion" in action.text()]
    entries[1].trigger()
    assert desk.pose("deg") == (
        '<pose rotation_format="quat_xyzw">0 0 1  0 0 0.7071067811865475 0.7071067811865475</pose>'
    )
    assert desk.editor.note == "The file has the rotation as a quaternion"
    assert desk.editor.notation is Notation.DEGREES


def test_old_files_say_why_they_have_radians_only(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(
        qtbot,
        tmp_path,
        '<sdf version="1.7"><model name="m"><link name="f"><pose>1 0 0 0 0 0</pose></link></model></sdf>',
    )
    desk.select("f", Notation.DEGREES)
    desk.editor.fill_menu()
    written = [action for action in desk.editor.menu.actions() if action.isCheckable()][3:]
    assert [action.isEnabled() for action in written] == [True, False, False]
    assert "SDFormat 1.7" in written[1].toolTip()
    desk.context.close()  # or it makes fields in the panel, which goes with this test


def test_a_number_shows_as_many_digits_as_there_is_room_for(desk: Desk) -> None:
    desk.select("deg", Notation.QUATERNION)
    for field in desk.editor.fields:
        assert field.fontMetrics().horizontalAdvance(field.text()) < field.width() - 8


def test_actions_paste_a_pose_and_change_the_notation(
    window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    arm = open_example("arm")
    arm.session.select(["arm::grasp"])
    QGuiApplication.clipboard().setText("0 0 0.5 0 0 0 1")
    window.actions_by_id["edit.paste_pose"].trigger()
    model = arm.session.model
    assert model is not None
    assert model.raw_poses[model.row("arm::grasp")] == pytest.approx(pose_to_matrix([0, 0, 0.5, 0, 0, 0]))
    arm.session.select(["arm::grasp", "arm::flange"])
    before = arm.session.X_RootF
    window.actions_by_id["edit.write_quaternion"].trigger()
    assert arm.session.document.text.count('rotation_format="quat_xyzw"') == 2
    assert arm.session.X_RootF == pytest.approx(before, abs=1e-12)
    window.actions_by_id["unit.quaternions"].trigger()
    assert arm.properties.pose.editor.notation is Notation.QUATERNION
    arm.properties.pose.editor.choose(Notation.DEGREES)
    assert window.actions_by_id["unit.degrees"].isChecked()
    assert not window.actions_by_id["unit.quaternions"].isChecked()


def test_no_number_is_cut_in_a_narrow_panel(qtbot: QtBot, desk: Desk) -> None:
    area = desk.panel.findChild(QScrollArea)
    assert area is not None
    inside = area.viewport()

    def cut() -> list[str]:
        return [
            field.accessibleName()
            for field in desk.editor.fields
            if field.mapTo(inside, field.rect().topRight()).x() >= inside.width() - 7  # the margin of the section
            or field.fontMetrics().horizontalAdvance(field.text()) > field.width() - ROOM_AROUND
        ]

    for width, notation in product((360, 245, 230), Notation):
        desk.select("rad", notation)
        desk.panel.resize(width, 200)  # so low that there is a scroll bar
        qtbot.waitUntil(lambda: desk.editor.width() <= inside.width())
        QApplication.processEvents()
        assert cut() == [], (width, notation)


def test_a_number_shows_all_its_digits_while_it_has_the_focus(desk: Desk) -> None:
    desk.panel.resize(332, 900)
    desk.select("rad", Notation.RADIANS)
    for field in desk.editor.fields:
        field.setFocus()
        field.set_value(-0.1234567890123457)
        assert field.text() == "-0.1234567890123457"
        assert field.cut_from(field.width() - ROOM_AROUND // 2) is None
