"""An arm with a gripper, built from an empty file in the real forms with keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QScreen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

import sdfviewer
from sdfviewer.gui.kit.frame_picker import FramePicker
from sdfviewer.gui.operations.add import AddDialog
from sdfviewer.gui.operations.form_dialog import FormArea, FormDialog
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.refactoring.templates import TEMPLATES


class Keyboard:
    """Works the forms of a window with keys alone."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self._qtbot, self._window = qtbot, window
        self._form: AddDialog | None = None

    @property
    def file(self) -> OpenFile:
        file = self._window.current
        assert file is not None
        return file

    def begin(self, template: str) -> None:
        """Open a new file."""
        self._window.actions_by_id[f"file.new_{template}"].trigger()
        self._qtbot.waitUntil(lambda: self._window.files.opening is None)

    def open(self, tag: str, *selected: str) -> None:
        """Open a form; the selection stays where there is none to select."""
        if selected:
            self.file.session.select(selected)
        self._window.actions_by_id[f"edit.add_{tag}"].trigger()
        form = self._window.app.dialog
        assert isinstance(form, AddDialog)
        self._form = form

    @property
    def focused(self) -> QWidget:
        assert self._form is not None
        field = self._form.focusWidget()
        assert field is not None
        return field

    def type(self, *texts: str) -> None:
        """Type into the fields one after the other, with Tab between them; an empty text leaves a field as it is."""
        for number, text in enumerate(texts):
            self._activate()
            if number:
                self.key(Qt.Key.Key_Tab)
            if isinstance(self.focused, FramePicker) and text:
                self._pick(self.focused, text)
            elif text == "↓":
                self.key(Qt.Key.Key_Down)
            elif text:
                # As Tab does in a window that is active.
                if isinstance(self.focused, QLineEdit) or (
                    isinstance(self.focused, QComboBox) and self.focused.isEditable()
                ):
                    QTest.keyClick(self.focused, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
                QTest.keyClicks(self.focused, text)

    def _activate(self) -> None:
        """Give the form the keyboard, as a window manager does: else letters are shortcuts of the window behind it."""
        form = self._form
        assert form is not None
        if QApplication.activeWindow() is not form:  # a form says that it is active where the window behind it is
            form.activateWindow()
            self._qtbot.waitUntil(lambda: QApplication.activeWindow() is form)

    def _pick(self, picker: FramePicker, text: str) -> None:
        QTest.keyClick(picker, Qt.Key.Key_Return)
        assert picker.popup is not None
        QTest.keyClicks(picker.popup.search, text)
        QTest.keyClick(picker.popup.search, Qt.Key.Key_Return)
        # The keyboard goes on by itself; Tab, which follows, is for a field that stays.
        QTest.keyClick(self.focused, Qt.Key.Key_Backtab)

    def key(self, key: Qt.Key) -> None:
        QTest.keyClick(self.focused, key)

    def accept(self) -> None:
        form = self._form
        assert form is not None
        assert form.accept_button.isEnabled(), form.fault.text()
        self.key(Qt.Key.Key_Return)
        assert not form.isVisible()

    def add_link(self, *texts: str, on: tuple[str, ...] = ()) -> None:
        self.open("link", *on)
        self.type(*texts)
        self.accept()


@pytest.fixture
def keyboard(qtbot: QtBot, window: MainWindow) -> Iterator[Keyboard]:
    # Letters typed into a list belong together however long a busy machine takes between them.
    usual = QApplication.keyboardInputInterval()
    QApplication.setKeyboardInputInterval(60_000)
    yield Keyboard(qtbot, window)
    QApplication.setKeyboardInputInterval(usual)


@pytest.mark.panels("properties")
def test_an_arm_with_a_gripper_is_built_from_an_empty_file(
    qtbot: QtBot,
    window: MainWindow,
    keyboard: Keyboard,
    tmp_path: Path,
    examples: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keyboard.begin("model")
    file = keyboard.file
    file.session.select(("model",))
    window.actions_by_id["edit.rename"].trigger()
    field = file.properties.name.field
    field.selectAll()
    QTest.keyClicks(field, "gripper_arm")
    QTest.keyClick(field, Qt.Key.Key_Return)

    keyboard.open("visual", "gripper_arm::base")
    keyboard.type("", "cyl", "80mm", "0.1", " ", "0 0 0.05")
    keyboard.accept()
    keyboard.open("inertial")
    keyboard.type("2700")
    keyboard.accept()

    # name, joint, parent, joint name, axis, lower, upper, effort, velocity, pose, pick, relative_to, shape, sizes
    keyboard.add_link(
        *("shoulder", "", "", "shoulder_pan", "", "-170deg", "170deg", "60", "2", "", "", ""),
        *("cyl", "0.05", "0.12"),
        on=("gripper_arm::base",),
    )
    keyboard.add_link(
        *("upper_arm", "", "", "shoulder_lift", "↓", "-120deg", "120deg", "60", "2", "", "", "", "box"),
        "0.06 0.06 0.3",
    )
    keyboard.add_link(
        *("forearm", "", "", "elbow", "↓", "-150deg", "150deg", "30", "2", "", "", "", "", "0.05 0.05 0.25")
    )
    keyboard.add_link(
        *("wrist", "", "", "wrist_pitch", "↓", "-110deg", "110deg", "15", "3", "", "", "", "cyl", "25mm", "60mm")
    )
    keyboard.add_link(
        *("palm", "", "", "wrist_roll", "", "-pi", "pi", "10", "3", "", "", "", "", "0.1 0.04 0.03"),
    )
    finger = ("0", "30mm", "20", "0.1")
    keyboard.add_link(
        *("left_finger", "pris", "", "left_slide", "1 0 0", *finger, "0.01 0 0.03", "", "", "", "0.01 0.02 0.06")
    )
    keyboard.add_link(
        *("right_finger", "pris", "", "right_slide", "-1 0 0", *finger, "-0.01 0 0.03", "", "", "", "0.01 0.02 0.06"),
        on=("gripper_arm::palm",),
    )

    keyboard.open("sensor", "gripper_arm::palm")
    keyboard.type("camera", "", "0 40mm 0.01 0 -90deg 0")
    keyboard.accept()
    keyboard.open("frame", "gripper_arm::palm")
    keyboard.type("tool", "", "0 0 80mm")
    keyboard.accept()
    keyboard.open("joint", "gripper_arm")
    keyboard.type("mount", "fixed", "world", "base", "")
    keyboard.accept()

    def save_here(_parent: object, _title: str, start: str, _filter: str) -> tuple[str, str]:
        return str(tmp_path / Path(start).name), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", save_here)
    window.actions_by_id["file.save"].trigger()
    saved = tmp_path / "gripper_arm.sdf"
    assert not sdfviewer.check(saved)
    expected = re.sub(r"  <!--.*?-->\n", "", (examples / "gripper_arm.sdf").read_text("utf-8"), flags=re.DOTALL)
    assert saved.read_text("utf-8") == expected

    for _ in file.session.history.steps:
        file.context.edits.undo()
    assert file.session.document.text == TEMPLATES["model"].text()


@pytest.mark.panels("joints")
def test_a_new_link_begins_where_the_selected_one_ends(window: MainWindow, keyboard: Keyboard) -> None:
    keyboard.begin("arm")
    keyboard.open("link", "arm::upper_arm")
    keyboard.type("extension")
    keyboard.accept()
    model = keyboard.file.session.model
    assert model is not None
    X = model.X_RootF[model.row("arm::upper_arm")]
    np.testing.assert_allclose(model.X_RootF[model.row("arm::extension")][:3, 3], X[:3, 3] + 0.3 * X[:3, 2], atol=1e-9)
    (joint,) = [each for each in model.joints if each.name == "arm::extension_joint"]
    assert model.names[joint.row] == "arm::extension_joint"


def test_a_link_alone_has_no_joint(window: MainWindow, keyboard: Keyboard) -> None:
    keyboard.begin("model")
    keyboard.file.session.select(())
    before = keyboard.file.session.document.text
    keyboard.open("link")
    keyboard.type("plate", "", "", "", "", "none")
    keyboard.accept()
    after = keyboard.file.session.document.text
    assert after == before.replace('<link name="base"/>\n', '<link name="base"/>\n    <link name="plate"/>\n')


def test_a_form_says_what_is_wrong_with_a_size(window: MainWindow, keyboard: Keyboard) -> None:
    keyboard.begin("model")
    keyboard.open("link")
    form = window.app.dialog
    assert isinstance(form, AddDialog)
    assert form.shape is not None
    form.shape.lines["size"].setText("1 2")
    assert form.fault.text() == "Size needs 3 numbers."
    form.shape.lines["size"].setText("1 2 -3")
    assert form.fault.text() == "Size must be positive."
    assert not form.accept_button.isEnabled()
    form.reject()


def test_a_form_offers_to_convert_a_file_that_is_too_old_for_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "old.sdf"
    path.write_text('<sdf version="1.5"><model name="m"><link name="a"/></model></sdf>', encoding="utf-8")
    window.files.open([path])
    file = window.current
    assert file is not None
    file.session.select(("m::a",))
    window.actions_by_id["edit.add_frame"].trigger()
    form = window.app.dialog
    assert isinstance(form, AddDialog)
    assert not form.accept_button.isEnabled()
    assert form.convert_button.text().replace("&", "") == "Convert the File to SDFormat 1.7"
    form.convert_button.click()
    qtbot.waitUntil(form.accept_button.isEnabled)
    assert form.convert_button.isHidden()
    assert "relative_to" in form.pickers
    form.accept()
    assert '<frame name="frame" attached_to="a"/>' in file.session.document.text
    window.actions_by_id["edit.undo"].trigger()
    window.actions_by_id["edit.undo"].trigger()
    assert file.session.document.text == path.read_text(encoding="utf-8")


def test_a_form_that_is_higher_than_the_screen_scrolls(
    qtbot: QtBot, window: MainWindow, arm: OpenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QScreen, "availableSize", lambda _screen: QSize(960, 420))
    arm.session.select(("arm::forearm",))
    window.actions_by_id["edit.add_link"].trigger()
    dialog = window.findChild(FormDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.height() <= 420
    assert dialog.rect().contains(dialog.buttons.geometry())
    area = dialog.findChild(FormArea)
    assert area is not None
    assert area.height() < area.form.sizeHint().height()
    monkeypatch.undo()
    dialog.fit()
    qtbot.waitUntil(lambda: area.height() >= area.form.sizeHint().height())
    dialog.reject()


def test_a_new_model_says_how_to_begin(qtbot: QtBot, keyboard: Keyboard, window: MainWindow) -> None:
    keyboard.begin("model")
    if keyboard.file.view.canvas is None:
        pytest.skip("there is no OpenGL here")
    note = keyboard.file.view.empty_note
    qtbot.waitUntil(note.isVisible)
    assert note.full_text == "This model has no shapes yet. Add a Link (Ctrl+K, L)"
    QTest.mouseClick(note, Qt.MouseButton.LeftButton)
    form = window.app.dialog
    assert isinstance(form, AddDialog)
    qtbot.waitUntil(lambda: not note.isVisible())  # what is added is previewed
    form.reject()
    qtbot.waitUntil(note.isVisible)
    QTest.mouseClick(note, Qt.MouseButton.LeftButton)
    form = window.app.dialog
    assert isinstance(form, AddDialog)
    form.accept()
    assert not note.isVisible()
    keyboard.file.session.undo()
    assert note.isVisible()
    keyboard.begin("arm")
    assert not keyboard.file.view.empty_note.isVisible()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "This world has no shapes yet. Include a Model (Ctrl+K, I)"),
        ("<include><uri>gone</uri></include>", ""),
        ('<light name="sun" type="point"/>', ""),
    ],
)
def test_an_empty_world_begins_with_a_model(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, content: str, says: str
) -> None:
    path = tmp_path / "empty.sdf"
    path.write_text(f'<sdf version="1.9"><world name="w">{content}</world></sdf>', encoding="utf-8")
    window.files.open([path])
    file = window.current
    assert file is not None
    if file.view.canvas is None:
        pytest.skip("there is no OpenGL here")
    assert file.view.empty_note.full_text == says
    qtbot.waitUntil(lambda: file.view.empty_note.isVisible() is bool(says))
