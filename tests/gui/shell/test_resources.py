"""Resources: every file that a model names is listed, what is missing first."""

from __future__ import annotations

import os
from pathlib import Path

from pytestqt.qtbot import QtBot

from sdfviewer.gui.problems.reports import ResourcesDialog
from sdfviewer.gui.shell.window import MainWindow


def resources_of(window: MainWindow, path: Path) -> ResourcesDialog:
    """Open a file and the list of what it names."""
    window.files.open([path])
    window.actions_by_id["file.resources"].trigger()
    dialog = window.app.dialog
    assert isinstance(dialog, ResourcesDialog)
    return dialog


def test_what_is_missing_comes_first_with_the_places_looked_at(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "hand.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    visual = '<visual name="{0}"><geometry><mesh><uri>{0}</uri></mesh></geometry></visual>'
    file = tmp_path / "m.sdf"
    visuals = visual.format("hand.obj") + visual.format("hnd.obj")
    file.write_text(f'<sdf version="1.9"><model name="m"><link name="a">{visuals}</link></model></sdf>')
    dialog = resources_of(window, file)
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 2)
    missing, found = dialog.list.topLevelItem(0), dialog.list.topLevelItem(1)
    assert missing is not None
    assert found is not None
    assert missing.text(5) == "not found; did you mean hand.obj?"
    assert missing.childCount() > 0
    assert (found.text(4), found.text(5)) == ("1", str(tmp_path / "hand.obj"))
    assert dialog.summary.text() == "2 files named, 1 with a problem; 1 triangles in meshes."
    dialog.reject()


def test_what_other_programs_do_not_find_says_so(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "hand.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    file = tmp_path / "r.urdf"
    mesh = '<visual><geometry><mesh filename="package://arm/hand.obj"/></geometry></visual>'
    file.write_text(f'<robot name="r"><link name="a">{mesh}</link></robot>')
    dialog = resources_of(window, file)
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 1)
    found = dialog.list.topLevelItem(0)
    assert found is not None
    why = f"the package is called 'arm', and the folder {tmp_path} is not"
    assert found.text(5) == f"{tmp_path / 'hand.obj'}; other programs do not find it: {why}"
    assert not found.icon(0).isNull()
    assert dialog.summary.text() == "1 files named, no problem, 1 not found by other programs; 1 triangles in meshes."
    dialog.reject()


def test_the_folder_that_holds_a_missing_mesh_is_used_after_one_click(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "models" / "arm").mkdir(parents=True)
    (tmp_path / "models" / "arm" / "hand.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    (tmp_path / "worlds").mkdir()
    file = tmp_path / "worlds" / "m.sdf"
    mesh = "<visual name='v'><geometry><mesh><uri>model://arm/hand.obj</uri></mesh></geometry></visual>"
    file.write_text(f'<sdf version="1.9"><model name="m"><link name="a">{mesh}</link></model></sdf>')
    dialog = resources_of(window, file)
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 1)
    folder = os.path.join("..", "models")
    assert [each.text() for each in dialog.answers] == [f"Use {folder}", "Locate…"]
    item = dialog.list.topLevelItem(0)
    assert item is not None
    assert item.text(5) == f"not found; it is in {tmp_path / 'models'}"
    dialog.answers[0].click()
    qtbot.waitUntil(lambda: "no problem" in dialog.summary.text())
    assert dialog.answers == []
    dialog.reject()
