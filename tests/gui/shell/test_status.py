"""The status bar."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QStatusTipEvent
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.files.paths import short_name
from sdfviewer.gui.kit.labels import ElidedLabel
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.scene.tools.gizmo import Handle, Mode
from tests.gui.source.source_window import pointed_at
from tests.gui.stage import Stage


def test_the_facts_of_a_file_are_shown_as_links(window: MainWindow, examples: Path) -> None:
    window.files.open([examples / "arm.sdf"])
    label = next(each for each in window.status.findChildren(QLabel) if each.accessibleName() == "File")
    assert "SDFormat 1.11" in label.text()
    assert 'href="link"' in label.text()
    assert label.textFormat() == Qt.TextFormat.RichText


def test_what_is_only_worth_knowing_is_counted_where_nothing_is_wrong(window: MainWindow, tmp_path: Path) -> None:
    """The status bar said that there are no problems, and the properties of the robot that there are four infos."""
    path = tmp_path / "m.sdf"
    plugin = '<plugin name="p" filename="libgazebo_ros_p3d.so"/>'
    for link, said in (("<link name='l'/>", "1 info"), ("<link name='l'><pose>a</pose></link>", "1 error")):
        path.write_text(f'<sdf version="1.9"><model name="m">{link}{plugin}</model></sdf>', encoding="utf-8")
        window.files.open([path])
        assert window.files.current is not None
        window.files.current.session.reload()
        assert window.status.problems.text() == said


def test_a_long_message_is_shortened_and_takes_the_room_of_the_file(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    window.resize(1366, 768)
    qtbot.waitUntil(lambda: window.width() == 1366)
    message, facts = (
        next(each for each in window.status.findChildren(QLabel) if each.accessibleName() == name)
        for name in ("Message", "File")
    )
    assert window.status.strip.isVisible()
    assert facts.isVisible()
    text = ("The status bar has no room for this. " * 20).strip()
    window.status.refuse(text)
    qtbot.waitUntil(lambda: message.text().endswith("…"))
    assert window.width() == 1366
    assert message.toolTip() == window.status.message == text
    assert window.status.strip.isVisible()
    assert not facts.isVisible()
    window.status.show_message("Saved")
    assert facts.isVisible()
    qtbot.waitUntil(lambda: facts.width() >= facts.sizeHint().width())

    status = window.status  # the buttons stay where they are whatever the message
    before = status.strip.geometry(), status.problems.geometry()
    for words in (1, 8, 20, 40, 200):
        status.show_message("word " * words)
        QApplication.processEvents()
        assert (status.strip.geometry(), status.problems.geometry()) == before
    status.clear_message()
    QApplication.processEvents()
    assert (status.strip.geometry(), status.problems.geometry()) == before


def test_in_a_narrow_window_the_file_is_described_in_fewer_words(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    facts = next(each for each in window.status.findChildren(QLabel) if each.accessibleName() == "File")
    window.workspaces.reset()  # panels that a test shows may need more room
    said = []
    for width in (1600, 1100, 960):
        window.resize(width, 540)
        qtbot.waitUntil(lambda width=width: window.width() == width)  # type: ignore[misc]
        said.append(facts.text())
        assert facts.isVisible()
        assert "SDFormat 1.11" in facts.text()
        assert facts.sizeHint().width() <= facts.width()
    assert said[0].startswith("arm.sdf · ")
    assert said[-1] in said[0]


def test_in_a_narrow_window_a_message_takes_the_room_of_the_panels(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    for id in window.status.strip.buttons:
        window.docks.docks[id].hide()
    qtbot.waitUntil(lambda: all(button.isVisible() for button in window.status.strip.buttons.values()))
    window.resize(760, 540)
    qtbot.waitUntil(lambda: window.width() == 760)
    assert window.status.strip.isVisible()
    window.status.refuse("Select one frame, and then another one, and a third one, and so on until there is no more.")
    assert not window.status.strip.isVisible()
    window.status.show_message("Saved")
    assert window.status.strip.isVisible()


@pytest.mark.panels("source")
def test_the_source_of_what_is_included_is_shown_in_its_file(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner.sdf", tmp_path / "outer.sdf"
    inner.write_text('<sdf version="1.9">\n<model name="in">\n<link name="a"/></model></sdf>', encoding="utf-8")
    outer.write_text(
        '<sdf version="1.9"><world name="w"><include><uri>inner.sdf</uri></include></world></sdf>', encoding="utf-8"
    )
    window.files.open([outer])
    file = window.current
    assert file is not None
    file.session.select(("in::a",))
    window.actions_by_id["go.source"].trigger()
    assert pointed_at(file.source) == "<include>"
    assert file.session.selection == ("in::a",)
    assert window.status.message == f"in::a is defined in {short_name(inner)}. Press F4 again to open it."
    window.actions_by_id["go.source"].trigger()
    qtbot.waitUntil(lambda: window.current is not file)
    opened = window.current
    assert opened is not None
    assert opened.session.path == inner
    qtbot.waitUntil(lambda: pointed_at(opened.source) == '<link name="a"/>')
    assert opened.session.selection == ("in::a",), "it is still what the user looks at"


@pytest.mark.panels("source")
def test_the_definition_of_an_included_name_is_shown_in_its_file(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    inner, outer = tmp_path / "inner.sdf", tmp_path / "outer.sdf"
    inner.write_text('<sdf version="1.9">\n<model name="in">\n<link name="a"/></model></sdf>', encoding="utf-8")
    frame = '<frame name="f" attached_to="in::a"/>'
    text = f'<sdf version="1.9"><world name="w"><include><uri>inner.sdf</uri></include>{frame}</world></sdf>'
    outer.write_text(text, encoding="utf-8")
    window.files.open([outer])
    file = window.current
    assert file is not None
    window.docks.reveal("source")
    file.source.go_to_definition(file.source.position_of(text.index("::a") + len("::")))
    qtbot.waitUntil(lambda: window.current is not file)
    opened = window.current
    assert opened is not None
    assert opened.session.path == inner
    qtbot.waitUntil(lambda: pointed_at(opened.source) == '<link name="a"/>')
    assert opened.session.selection == ("in::a",)


@pytest.mark.panels("source")
def test_the_source_that_is_asked_for_is_high_enough_to_be_read(
    qtbot: QtBot, window: MainWindow, arm: OpenFile
) -> None:
    window.resize(1600, 1000)  # in a lower window it is beside the 3D view
    qtbot.waitUntil(lambda: window.height() == 1000)
    window.workspaces.reset()
    arm.session.select(("arm::base",))
    action, editor = window.actions_by_id["go.source"], arm.source.editor
    action.trigger()
    line = editor.blockBoundingRect(editor.firstVisibleBlock()).height()
    qtbot.waitUntil(lambda: editor.viewport().height() >= 11 * line)
    # A panel that is too low to read in gets room when it is asked for.
    window.resizeDocks([window.docks.docks["source"]], [90], Qt.Orientation.Vertical)
    qtbot.waitUntil(lambda: editor.viewport().height() < 6 * line)
    action.trigger()
    qtbot.waitUntil(lambda: editor.viewport().height() >= 8 * line)


def test_a_refusal_is_a_sentence_and_goes_with_what_it_was_about(window: MainWindow, arm: OpenFile) -> None:
    arm.context.messages.refuse("the root of a file cannot be duplicated")
    assert window.status.message == "The root of a file cannot be duplicated."
    window.actions_by_id["workspace.edit"].trigger()
    assert window.status.message == ""
    arm.session.select(("arm",))
    window.actions_by_id["edit.attached_to"].trigger()
    assert window.status.message == "A model has no attached_to: select another frame."


def test_a_message_goes_with_the_next_action(qtbot: QtBot, window: MainWindow, arm: OpenFile, examples: Path) -> None:
    end = len(arm.session.document.text)
    for action in (
        lambda: arm.session.select(("arm::base",)),
        lambda: arm.session.apply(Edit("Comment", arm.session.document, (Replacement(end, end, "\n"),))),
        lambda: window.files.open([examples / "shapes.sdf"]),
    ):
        arm.session.select(("arm",))
        window.actions_by_id["edit.attached_to"].trigger()
        assert window.status.message
        qtbot.waitUntil(lambda: not window.status._just_said.isActive())  # the next action is in another turn
        action()
        assert window.status.message == ""


@pytest.mark.panels("joints")
def test_a_message_ends_with_what_it_is_about(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    """ "Undid …" stayed while the next frame was dragged, and the key to one kind of symbols beside another kind."""
    if arm.view.canvas is None:
        pytest.skip("there is no OpenGL here")
    actions, stage = window.actions_by_id, Stage.of(qtbot, arm.view)
    actions["show.centres"].trigger()
    assert "centres of mass" in window.status.message
    actions["show.inertia"].trigger()
    assert "inertia" in window.status.message
    actions["show.inertia"].trigger()
    assert window.status.message == ""
    arm.session.select(("arm::inspection",))
    stage.choose(Mode.MOVE)
    window.status.show_message("Undid “Move inspection”")
    at = stage.drag(Handle(Mode.MOVE, (2,)), QPoint(0, -40))
    assert window.status.message == ""
    stage.release(at)
    assert window.status.message.startswith("Done: set z of inspection to ")
    next(iter(arm.joints.rows.values())).slider.setSliderDown(True)
    assert window.status.message == ""


@pytest.mark.panels("tree", "properties", "joints", "problems", "source")  # a folded one has a button here
def test_what_an_action_does_is_not_written_over_the_file(qtbot: QtBot, window: MainWindow, arm: OpenFile) -> None:
    """In a small window the tip of a workspace was cut by the name of the file."""
    window.resize(760, 540)
    status, tip = window.status, "Show large frame graphs with the problems and the source, " * 4
    (message,) = (label for label in status.findChildren(ElidedLabel) if label.accessibleName() == "Message")
    status.show_message("Saved.")
    QApplication.sendEvent(window, QStatusTipEvent(tip))
    assert message.text().startswith("Show")
    assert message.text().endswith("…")
    assert status.currentMessage() == "", "Qt writes nothing itself"
    assert status.message == "Saved."
    QApplication.sendEvent(window, QStatusTipEvent(""))
    assert message.text() == "Saved."
