"""Every action of the table in every state of the window: it does something or says why not, and never fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QInputDialog, QMenu, QMessageBox, QWhatsThis

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.gui.shell.actions.table import ACTIONS
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from tests.gui.kept_window import ALL_PANELS

SMALL_SCREEN = 505
"""The height of a screen of 1920x1080 at scale 2, without the panels of the desktop."""

SELECTIONS: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "the root": ("nested_gripper",),
    "a nested model": ("nested_gripper::gripper",),
    "a link": ("nested_gripper::beam",),
    "a joint": ("nested_gripper::lift",),
    "a frame": ("nested_gripper::tool_tip",),
    "several": ("nested_gripper::lift", "nested_gripper::beam"),
}


@pytest.fixture
def nobody_answers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Cancel whatever asks."""
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_more, **_named: ("", ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_more, **_named: ([], ""))
    monkeypatch.setattr(QInputDialog, "getText", lambda *_more, **_named: ("", False))
    monkeypatch.setattr(QMessageBox, "question", lambda *_more, **_named: QMessageBox.StandardButton.Cancel)

    timer = QTimer(interval=1)
    timer.timeout.connect(close_what_asks)
    timer.start()
    yield
    timer.stop()


def close_what_asks() -> None:
    """Close all dialogs and lists in sight, and end the mode of What's This, which takes the next key for itself."""
    if QWhatsThis.inWhatsThisMode():  # to leave it tells every widget
        QWhatsThis.leaveWhatsThisMode()
    for widget in QApplication.topLevelWidgets():
        if widget.isVisible() and widget.windowType() == Qt.WindowType.Popup:
            widget.close()
        elif widget.isVisible() and isinstance(widget, QDialog):
            widget.reject()


def trigger_all(window: MainWindow, prepare: Callable[[int], object], *, of_file: bool = False) -> None:
    """Trigger all actions but those that close, or only those that need a file; each gets its number prepared."""
    for number, spec in enumerate(ACTIONS):
        if spec.id in ("file.quit", "file.close", "joints.sweep") or (of_file and not spec.needs_file):
            continue
        prepare(number)
        action = window.actions_by_id[spec.id]
        action.trigger()
        close_what_asks()
        if spec.checkable and not spec.group:
            action.trigger()
    QApplication.processEvents()


@pytest.mark.panels(*ALL_PANELS)
@pytest.mark.usefixtures("nobody_answers")
@pytest.mark.parametrize(
    "selections",
    [
        pytest.param([*SELECTIONS.values()], id="another selection for each"),
        *(pytest.param([names], id=id, marks=pytest.mark.nightly) for id, names in SELECTIONS.items()),
    ],
)
def test_every_action_can_be_triggered(
    selections: list[tuple[str, ...]], window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    """Each run triggers each action with one of the selections, the nightly run with all."""
    workspace = open_example("nested_gripper")

    def prepare(number: int) -> None:
        while workspace.session.can_undo:
            workspace.session.undo()
        workspace.session.select(selections[number % len(selections)])

    # What needs no file does not ask for what is selected of it.
    trigger_all(window, prepare, of_file=() not in selections)


@pytest.mark.panels(*ALL_PANELS)
@pytest.mark.usefixtures("nobody_answers")
def test_every_action_can_be_triggered_while_the_text_is_broken(
    window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    workspace = open_example("nested_gripper")

    def prepare(_number: int) -> None:
        if workspace.session.document.root is not None:
            text = workspace.session.document.text
            workspace.session.apply(
                Edit("Break it", workspace.session.document, (Replacement(len(text) // 2, len(text) // 2 + 1, "<<"),))
            )
        workspace.session.select(("nested_gripper::tool_tip",))

    trigger_all(window, prepare, of_file=True)


def test_an_action_that_cannot_be_done_says_so(window: MainWindow, arm: OpenFile) -> None:
    for id, selected, said in (
        ("edit.relative_to", ("arm",), "has no relative_to"),
        ("edit.attached_to", ("arm::base",), "has no attached_to"),
        ("edit.pose", (), "Select a frame first"),
    ):
        arm.session.select(selected)
        window.actions_by_id[id].trigger()
        assert said in window.status.message


def test_an_edit_of_an_included_frame_says_where_it_is_defined(window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "hand"
    folder.mkdir()
    (folder / "model.sdf").write_text(
        '<sdf version="1.9"><model name="hand"><link name="thumb"/></model></sdf>', "utf-8"
    )
    world = tmp_path / "w.sdf"
    text = '<sdf version="1.9"><world name="w"><include><uri>hand/model.sdf</uri></include></world></sdf>'
    world.write_text(text, encoding="utf-8")
    window.files.open([world])
    file = window.current
    assert file is not None
    file.session.select(("hand::thumb",))
    for id in ("edit.rename", "edit.attached_to"):
        window.status.clear_message()
        window.actions_by_id[id].trigger()
        assert window.status.message == (
            "'hand::thumb' is defined in hand/model.sdf, which this file includes; edit it there."
        ), id
        assert window.status.message == file.properties.read_only_reason
        assert file.session.document.text == text


def test_no_icon_takes_the_place_of_a_check_mark_in_a_menu(
    window: MainWindow, open_example: Callable[[str], OpenFile]
) -> None:
    open_example("arm")
    switches = {
        (menu.title(), action.text()): action
        for menu in window.findChildren(QMenu)
        for action in menu.actions()
        if action.isCheckable()
    }
    titles = {title.replace("&", "") for title, _ in switches}
    assert {"Show", "Theme", "Workspace"} <= titles
    assert [
        key for key, action in switches.items() if not action.icon().isNull() and action.isIconVisibleInMenu()
    ] == []


def test_no_menu_is_higher_than_a_small_screen(window: MainWindow) -> None:
    heights = {path: menu.sizeHint().height() for path, menu in window.menus.menus.items()}
    assert {path: height for path, height in heights.items() if height > SMALL_SCREEN} == {}
