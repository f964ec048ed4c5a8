"""The context menu of the model tree offers what can be done, and says why the rest cannot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.edits import Edit
from sdfviewer.formats import registry
from sdfviewer.formats.format import Capabilities
from sdfviewer.gui.shell.actions.table import build_tree_menu
from sdfviewer.gui.shell.command_palette import CommandPalette
from sdfviewer.gui.shell.files.open_file import OpenFile
from sdfviewer.gui.shell.refusals import version_action
from sdfviewer.gui.shell.window import MainWindow
from sdfviewer.versions import TARGETS

HAND = """<sdf version="1.9"><model name="hand"><link name="palm"/></model></sdf>"""
ROBOT = """<sdf version="1.9"><model name="robot"><link name="base"/>
<include><uri>hand.sdf</uri></include></model></sdf>"""
URDF = """<robot name="r"><link name="base"/><link name="arm"/>
<joint name="hinge" type="fixed"><parent link="base"/><child link="arm"/></joint></robot>"""


def opened(window: MainWindow, path: Path, text: str, name: str) -> OpenFile:
    """Return a file that is opened in the window, with one frame selected."""
    path.write_text(text, encoding="utf-8")
    window.files.open([path])
    assert window.current is not None
    window.current.session.select([name])
    assert window.current.session.selected_row is not None
    return window.current


def refused(window: MainWindow, file: OpenFile) -> dict[str, str]:
    """Return what the menu shows but does not offer, and why."""
    menu = build_tree_menu(file, window.actions_by_id)
    assert menu.toolTipsVisible()
    return {each.text(): each.toolTip() for each in menu.actions() if not each.isSeparator() and not each.isEnabled()}


@pytest.fixture
def robot(window: MainWindow, tmp_path: Path) -> OpenFile:
    (tmp_path / "hand.sdf").write_text(HAND, encoding="utf-8")
    return opened(window, tmp_path / "robot.sdf", ROBOT, "robot::base")


def test_what_is_written_in_the_file_can_be_edited(window: MainWindow, robot: OpenFile) -> None:
    assert refused(window, robot) == {
        "Change attached_to…": "A link has no attached_to: select another frame.",
    }


@pytest.mark.panels("properties")
def test_what_is_included_is_edited_in_its_own_file(window: MainWindow, robot: OpenFile) -> None:
    robot.session.select(["robot::hand::palm"])
    shown = refused(window, robot)
    assert {"Remove", "Duplicate", "Rename With Preview…"} <= shown.keys()
    assert "which this file includes" in shown["Remove"]
    assert shown.pop("Change attached_to…") == "A link has no attached_to: select another frame."
    assert "Change relative_to…" not in shown, "a card asks where it goes"
    assert set(shown.values()) == {robot.properties.read_only_reason}
    assert window.actions_by_id["edit.remove"].isEnabled(), "its shortcut says why"


def test_a_joint_of_a_urdf_can_be_edited(window: MainWindow, tmp_path: Path) -> None:
    file = opened(window, tmp_path / "r.urdf", URDF, "r::hinge")
    assert not {"Add", "Remove", "Duplicate", "Rename With Preview…"} & refused(window, file).keys()


def refused_in(window: MainWindow, menu: str) -> dict[str, str]:
    """Open a menu of the menu bar, and return what it and the menus in it do not offer, and why."""
    window.menus.menu(menu).aboutToShow.emit()
    ids = (
        "edit.add_link",
        "edit.remove",
        "edit.rename",
        "edit.pose",
        "edit.align",
        "refactor.flatten",
        "edit.copy_pose",
        "edit.attached_to",
        "file.revert",
        "file.save_all",
    )
    actions = {id: window.actions_by_id[id] for id in ids}
    found = {id: action.toolTip() for id, action in actions.items() if not action.isEnabled()}
    window.menus.menu(menu).aboutToHide.emit()
    assert all(action.isEnabled() for action in actions.values()), "a shortcut says why"
    return found


@pytest.mark.panels("properties")
def test_the_menu_bar_refuses_the_same_while_it_is_open(window: MainWindow, robot: OpenFile) -> None:
    tip = window.actions_by_id["edit.remove"].toolTip()
    robot.session.select([])
    nothing = refused_in(window, "Edit")
    assert nothing.pop("edit.align") == "Select at least 2 frames first."
    assert nothing.keys() == {"edit.remove", "edit.rename", "edit.pose", "edit.copy_pose", "edit.attached_to"}
    assert set(nothing.values()) == {"Select a frame first."}
    robot.session.select(["robot::base"])
    assert refused_in(window, "Edit") == {
        "edit.align": "Select at least 2 frames first.",
        "edit.attached_to": "A link has no attached_to: select another frame.",
    }
    robot.session.select(["robot::hand::palm"])
    found = refused_in(window, "Edit")
    assert found.pop("edit.align") == "Select at least 2 frames first."
    assert found.pop("edit.attached_to") == "A link has no attached_to: select another frame."
    assert found.keys() == {"edit.remove", "edit.rename"}
    assert set(found.values()) == {robot.properties.read_only_reason}
    assert window.actions_by_id["edit.remove"].toolTip() == tip


def test_the_menu_bar_refuses_in_a_urdf_what_only_sdformat_has(window: MainWindow, tmp_path: Path) -> None:
    opened(window, tmp_path / "r.urdf", URDF, "r::hinge")
    assert refused_in(window, "Edit").keys() == {"edit.align", "edit.attached_to"}
    found = refused_in(window, "Refactor")
    assert found.keys() == {"refactor.flatten"}
    assert "convert the file to SDFormat" in found["refactor.flatten"]


def test_the_file_menu_offers_to_save_and_revert_only_what_has_changed(window: MainWindow, robot: OpenFile) -> None:
    assert refused_in(window, "File").keys() == {"file.revert", "file.save_all"}
    at = robot.session.document.text.index("</sdf>")
    robot.session.apply(Edit("Change", robot.session.document, (Replacement(at, at, " "),)))
    assert not refused_in(window, "File")


def test_a_submenu_that_offers_nothing_is_disabled_while_its_menu_is_open(
    window: MainWindow, robot: OpenFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit, names = window.menus.menu("Edit"), ("Add", "Write Pose In", "Arrange")
    submenus = {name: window.menus.menu(f"Edit/{name}").menuAction() for name in names}
    edit.aboutToShow.emit()
    assert all(each.isEnabled() for each in submenus.values())
    edit.aboutToHide.emit()
    only_names = [replace(each, capabilities=Capabilities(renames=True)) for each in registry.BUILT_IN]
    monkeypatch.setattr(registry, "BUILT_IN", tuple(only_names))
    file = opened(window, tmp_path / "r.urdf", URDF, "r::hinge")
    file.session.select([])
    edit.aboutToShow.emit()
    assert not any(each.isEnabled() for each in submenus.values())
    assert "only names can be edited" in submenus["Add"].toolTip()
    edit.aboutToHide.emit()
    assert all(each.isEnabled() for each in submenus.values()), "the shortcuts of what is in them say why"


def test_the_palette_refuses_what_the_menus_refuse(qtbot: QtBot, window: MainWindow, robot: OpenFile) -> None:
    robot.session.select(["robot::base"])
    window.actions_by_id["go.palette"].trigger()
    palette = window.findChild(CommandPalette)
    assert palette is not None
    qtbot.waitUntil(lambda: not palette.is_searching)
    rows = {each.action: palette.describe(each) for each in palette.results.entries}
    shown = {
        id: rows[window.actions_by_id[id]] for id in ("file.save_all", "file.revert", "section.off", "file.save_as")
    }
    assert {id for id, row in shown.items() if row.dimmed} == {"file.save_all", "file.revert", "section.off"}
    assert robot.session.model is not None
    own = version_action(robot.session.model.version)
    palette.search.setText("conv")
    qtbot.waitUntil(lambda: not palette.is_searching)
    ids = [each.action.objectName() for each in palette.results.entries]
    versions = [id for id in ids if id.startswith("refactor.version_")]
    assert versions == list(map(version_action, reversed(TARGETS)))
    assert [id for id in versions if rows[window.actions_by_id[id]].dimmed] == [own]
    palette.close()
    window.actions_by_id["section.off"].trigger()
    assert window.status.message == "Nothing is cut: there is no section plane."


@pytest.mark.panels("tree", "source")
def test_an_include_that_brings_nothing_offers_what_may_find_its_model(window: MainWindow, tmp_path: Path) -> None:
    file = opened(window, tmp_path / "robot.sdf", ROBOT, "robot::base")
    file.session.select(("robot::hand",), None)
    assert file.session.model is not None
    index = file.tree.source.index_of(file.session.model.row("robot::hand"))
    file.tree.view.customContextMenuRequested.emit(file.tree.view.visualRect(index).center())
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.actions()[0].text() == "Locate…"
    assert menu.actions()[1] is window.actions_by_id["file.model_folders"]
    assert {"Rename", "Remove"} <= {action.text() for action in menu.actions() if action.isEnabled()}
    menu.close()
