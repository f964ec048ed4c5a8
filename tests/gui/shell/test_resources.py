"""Resources: every file that a model names is listed, what is missing first."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import load_model
from sdfviewer.gui.problems.reports import ResourcesDialog


def test_what_is_missing_comes_first_with_the_places_looked_at(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "hand.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    visual = '<visual name="{0}"><geometry><mesh><uri>{0}</uri></mesh></geometry></visual>'
    file = tmp_path / "m.sdf"
    visuals = visual.format("hand.obj") + visual.format("hnd.obj")
    file.write_text(f'<sdf version="1.9"><model name="m"><link name="a">{visuals}</link></model></sdf>')
    dialog = ResourcesDialog(load_model(file), Finder())
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 2)
    missing, found = dialog.list.topLevelItem(0), dialog.list.topLevelItem(1)
    assert missing is not None
    assert found is not None
    assert missing.text(5) == "not found; did you mean hand.obj?"
    assert missing.childCount() > 0
    assert (found.text(4), found.text(5)) == ("1", str(tmp_path / "hand.obj"))
    assert dialog.summary.text() == "2 files named, 1 with a problem; 1 triangles in meshes."
    dialog.reject()


def test_what_other_programs_do_not_find_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "hand.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    file = tmp_path / "r.urdf"
    mesh = '<visual><geometry><mesh filename="package://arm/hand.obj"/></geometry></visual>'
    file.write_text(f'<robot name="r"><link name="a">{mesh}</link></robot>')
    dialog = ResourcesDialog(load_model(file), Finder())
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 1)
    found = dialog.list.topLevelItem(0)
    assert found is not None
    why = f"the package is called 'arm', and the folder {tmp_path} is not"
    assert found.text(5) == f"{tmp_path / 'hand.obj'}; other programs do not find it: {why}"
    assert not found.icon(0).isNull()
    assert dialog.summary.text() == "1 files named, no problem, 1 not found by other programs; 1 triangles in meshes."
    dialog.reject()
