"""Number fields: expressions, dragging, copy and paste."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFocusEvent, QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from sdfviewer.gui.context.settings import Settings
from sdfviewer.gui.kit.fields import PIXELS_A_STEP, AngleUnit, NumberField, NumberLabel, fitting_text
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.model.kinds import Kind
from tests.frames import frame_in

NONE, SHIFT, CONTROL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)


@pytest.fixture
def field(qtbot: QtBot) -> NumberField:
    field = NumberField("x", step=0.01, unit="m")
    qtbot.addWidget(field)
    field.resize(100, 24)
    with qtbot.waitExposed(field):
        field.show()
    field.set_value(0.2)
    field.clearFocus()
    return field


def enter(field: NumberField) -> None:
    """Give a field the focus as a click does, also where no window manager activates its window."""
    QApplication.sendEvent(field, QFocusEvent(QFocusEvent.Type.FocusIn, Qt.FocusReason.MouseFocusReason))


def drag(field: NumberField, by: int, modifiers: Qt.KeyboardModifier = NONE, *, release: bool = True) -> None:
    """Press in a field that is not being edited and move the mouse."""
    field.clearFocus()
    enter(field)
    start, left = QPointF(20, 10), Qt.MouseButton.LeftButton

    def send(kind: QMouseEvent.Type, x: float, button: Qt.MouseButton, buttons: Qt.MouseButton) -> None:
        at = QPointF(x, start.y())
        QApplication.sendEvent(field, QMouseEvent(kind, at, field.mapToGlobal(at), button, buttons, modifiers))

    send(QMouseEvent.Type.MouseButtonPress, start.x(), left, left)
    for step in range(1, 5):
        send(QMouseEvent.Type.MouseMove, start.x() + by * step / 4, Qt.MouseButton.NoButton, left)
    if release:
        send(QMouseEvent.Type.MouseButtonRelease, start.x() + by, left, Qt.MouseButton.NoButton)


@pytest.mark.parametrize(
    ("typed", "value"), [("0.3+0.05", 0.35), ("12mm", 0.012), ("3in", 0.0762), ("+=0.1", 0.3), ("*=2", 0.4)]
)
def test_an_expression_is_committed_as_its_number(qtbot: QtBot, field: NumberField, typed: str, value: float) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, typed)
    assert field.fault == ""
    with qtbot.waitSignal(field.committed) as committed:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert committed.args == [value]


def test_a_unit_of_another_kind_is_refused_with_the_reason(field: NumberField) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "45deg")
    assert field.fault == "This is an angle; this field expects a length."


@pytest.mark.parametrize(("modifiers", "factor"), [(NONE, 1), (SHIFT, 0.1), (CONTROL, 10)])
def test_dragging_changes_the_number_and_commits_once(
    field: NumberField, modifiers: Qt.KeyboardModifier, factor: float
) -> None:
    seen: list[float] = []
    committed: list[float] = []
    field.scrubbed.connect(seen.append)
    field.committed.connect(committed.append)
    drag(field, 10 * PIXELS_A_STEP, modifiers)
    assert committed == [pytest.approx(0.2 + 0.1 * factor, abs=1e-12)]
    assert seen[-1] == committed[0]
    assert len(seen) > 1
    assert not field.hasFocus(), "it can be dragged again at once"


def test_escape_takes_a_drag_back(field: NumberField) -> None:
    committed: list[float] = []
    seen: list[float] = []
    field.committed.connect(committed.append)
    field.scrubbed.connect(seen.append)
    drag(field, 40, release=False)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.value == 0.2
    assert seen[-1] == 0.2
    assert not committed


def test_a_click_is_there_to_type(field: NumberField) -> None:
    committed: list[float] = []
    field.committed.connect(committed.append)
    enter(field)
    QTest.mouseClick(field, Qt.MouseButton.LeftButton, pos=QPoint(20, 10))
    assert field.selectedText() == field.text()
    assert not committed


def test_a_double_click_selects_the_whole_number(field: NumberField) -> None:
    """It selected the digits on one side of the point: 0.01 typed over 0.03 made 0.01.03."""
    enter(field)
    end = QPoint(field.width() - 12, 10)
    QTest.mouseClick(field, Qt.MouseButton.LeftButton, pos=end)
    QTest.mouseDClick(field, Qt.MouseButton.LeftButton, pos=end)
    assert field.selectedText() == field.text() == "0.2"
    QTest.keyClicks(field, "0.01")
    assert field.text() == "0.01"


def test_what_is_no_number_is_refused_with_the_reason(qtbot: QtBot, field: NumberField) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "0.01.03")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.value == 0.2
    qtbot.waitUntil(lambda: QToolTip.text() == "“0.01.03” is not a number.")


def test_a_field_that_cannot_be_edited_is_not_dragged(field: NumberField) -> None:
    field.setReadOnly(True)
    drag(field, 40)
    assert field.value == 0.2


def test_the_whole_number_is_copied_where_nothing_is_selected(field: NumberField) -> None:
    field.set_value(0.12345678901234)
    field.setFocus()
    field.deselect()
    QTest.keyClick(field, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "0.12345678901234"


# --- in the window ---------------------------------------------------------------------------------------------------


@pytest.mark.panels("properties")
def test_dragging_a_pose_previews_and_is_one_undo_step(qtbot: QtBot, open_example: Callable[[str], object]) -> None:
    arm = open_example("arm")
    session, properties = arm.session, arm.properties  # type: ignore[attr-defined]
    session.select(["arm::grasp"])
    before, steps = session.document.text, len(session.history.steps)
    field = properties.pose.fields[0]
    with qtbot.waitSignal(arm.context.previews.edit_changed):  # type: ignore[attr-defined]
        drag(field, 40, release=False)
    assert session.document.text == before
    drag(field, 40)
    assert session.document.text != before
    assert len(session.history.steps) == steps + 1
    session.undo()
    assert session.document.text == before


@pytest.mark.panels("properties", "source")
def test_a_pose_goes_to_a_spreadsheet_and_comes_back(open_example: Callable[[str], object]) -> None:
    arm = open_example("arm")
    session, properties = arm.session, arm.properties  # type: ignore[attr-defined]
    session.select(["arm::grasp"])
    X = session.X_RootF.copy()
    properties.pose.editor.copy()
    text = QGuiApplication.clipboard().text()
    assert len(text.split("\t")) == 6
    QGuiApplication.clipboard().setText("1\t2\t3\n0\t0\t0")
    properties.pose.paste()
    QGuiApplication.clipboard().setText(text)
    properties.pose.paste()
    assert abs(session.X_RootF - X).max() < 1e-9


@pytest.mark.panels("properties", "joints")
def test_expressions_in_all_kinds_of_fields(
    window: MainWindow, open_example: Callable[[str], object], settings: Settings
) -> None:
    arm = open_example("arm")
    session, properties = arm.session, arm.properties  # type: ignore[attr-defined]
    settings.angle_unit = AngleUnit.DEGREES

    def enter(path: str, text: str) -> None:
        edit = properties.details.field(path).edit
        edit.setFocus()
        edit.selectAll()
        QTest.keyClicks(edit, text)
        QTest.keyClick(edit, Qt.Key.Key_Return)

    joint = next(each for each in session.model.joints if each.type == "revolute")
    session.select([joint.name])
    enter("axis/limit/upper", "pi/2")
    assert "<upper>1.5707963267948966</upper>" in session.document.text
    enter("axis/limit/lower", "-45deg")
    assert "<lower>-0.7853981633974483</lower>" in session.document.text
    visual = next(
        name
        for name, kind, element in zip(session.model.names, session.model.kinds, session.model.elements, strict=True)
        if kind is Kind.VISUAL and element.find("geometry").children[0].tag in ("box", "cylinder")
    )
    session.select([visual])
    shape = session.model.elements[session.model.row(visual)].find("geometry").children[0].tag
    field = {"box": "geometry/box/size", "cylinder": "geometry/cylinder/length"}[shape]
    enter(field, {"box": "10mm 1in 0.1+0.2", "cylinder": "1in"}[shape])
    wanted = {"box": "<size>0.01 0.0254 0.3</size>", "cylinder": "<length>0.0254</length>"}[shape]
    assert wanted in session.document.text
    session.select(["arm::grasp", "arm::inspection"])
    before = [frame_in(session.model, name).raw_pose[0, 3] for name in ("arm::grasp", "arm::inspection")]
    line = properties.several.fields[0].edit
    line.setFocus()
    QTest.keyClicks(line, "+=5mm")
    QTest.keyClick(line, Qt.Key.Key_Return)
    after = [frame_in(session.model, name).raw_pose[0, 3] for name in ("arm::grasp", "arm::inspection")]
    assert after == pytest.approx([each + 0.005 for each in before], abs=1e-12)


def test_a_number_that_is_too_long_shows_its_beginning(qtbot: QtBot) -> None:
    field = NumberField("x", unit="deg")
    qtbot.addWidget(field)
    field.resize(56, 24)
    with qtbot.waitExposed(field):
        field.show()
    field.set_value(0.7853981633974483)
    enter(field)
    assert field.cursorPosition() == 0
    QTest.keyClick(field, Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(field, "1/3")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.value == pytest.approx(1 / 3)
    assert field.cursorPosition() == 0


def test_a_number_label_drops_digits_before_it_is_cut(qtbot: QtBot) -> None:
    label = NumberLabel()
    qtbot.addWidget(label)
    label.resize(200, 20)
    label.show_number(-0.143648)
    assert label.text() == "-0.143648"
    label.resize(label.fontMetrics().horizontalAdvance("-0.143648") - 1, 20)
    label.show_number(-0.143648)
    assert label.text() == "-0.14365"
    assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-0.1756, "-0.1756"),
        (-0.175613, "-0.1756"),
        (0.0793456, "0.0793"),
        (123.456789, "123.46"),
        (-0.5, "-0.5"),
        (1.5707963, "1.5708"),
        (1.23456e-7, "1.2e-07"),
    ],
)
def test_a_number_drops_digits_until_it_fits(qtbot: QtBot, value: float, text: str) -> None:
    field = NumberField("length")
    qtbot.addWidget(field)
    metrics = field.fontMetrics()
    room = metrics.horizontalAdvance("-0.0000")
    assert fitting_text(value, room, metrics) == text
    assert metrics.horizontalAdvance(text) <= room


def test_a_field_of_a_pose_shows_four_decimals_in_a_narrow_panel(qtbot: QtBot) -> None:
    field = NumberField("x")
    qtbot.addWidget(field)
    field.resize(56, 24)
    field.set_value(-0.1756)
    with qtbot.waitExposed(field):
        field.show()
    assert field.text() == "-0.1756"


def test_a_number_that_is_edited_in_little_room_ends_in_a_sign_and_not_in_half_a_digit(qtbot: QtBot) -> None:
    field = NumberField("x")
    qtbot.addWidget(field)
    field.setText("0.12345678901234567")
    field.setCursorPosition(0)
    cut = field.cut_from(64)
    assert cut is not None
    assert 0 < cut < len(field.text())
    field.setText("0.5")
    field.setCursorPosition(0)
    assert field.cut_from(64) is None


def test_a_number_that_changes_by_itself_is_short_until_it_is_edited(qtbot: QtBot, field: NumberField) -> None:
    """While a motion played, the field with the focus showed all digits, cut off by an ellipsis."""
    field.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    for value in (0.123456789012345, 0.215123456789012):
        field.follow(value)
        assert field.text() == fitting_text(value, 91, field.fontMetrics())
    assert field.selectedText() == field.text()
    QTest.keyClick(field, Qt.Key.Key_End)
    QTest.keyClicks(field, "3")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.value == 0.2151234567890123, "no digit is lost"
    field.follow(0.215123456789012)
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    assert field.text() == "0.215123456789012"
