"""Pairs of links that MoveIt does not test are written into the SRDF of the robot."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.cli import main

ROBOT = """<robot name="r">
  <link name="base"/><link name="arm"/><link name="hand"/>
  <joint name="shoulder" type="fixed"><parent link="base"/><child link="arm"/></joint>
  <joint name="wrist" type="fixed"><parent link="arm"/><child link="hand"/></joint>
</robot>
"""
SRDF = """<robot name="r">
  <group name="all"><link name="arm"/></group>
  <disable_collisions link1="hand" link2="base" reason="Never"/> <!-- measured -->
</robot>
"""
ADDED = '  <disable_collisions link1="base" link2="arm" reason="Adjacent"/>'


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    path = tmp_path / "r.urdf"
    path.write_text(ROBOT, encoding="utf-8")
    return path


def disabled(path: Path) -> list[str]:
    """Return the lines that disable pairs."""
    return [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if "disable_collisions" in line]


def test_pairs_are_added_to_the_srdf_beside_the_robot(robot: Path) -> None:
    srdf = robot.with_suffix(".srdf")
    srdf.write_text(SRDF, encoding="utf-8")
    document = sdfviewer.open_document(robot)
    with document.edit() as edit:
        edit.disable_collisions(["base", "arm", "hand"], reason="Adjacent")
    assert document.unsaved_files == (srdf,)
    document.save()
    assert robot.read_text(encoding="utf-8") == ROBOT
    assert disabled(srdf) == [
        '<disable_collisions link1="hand" link2="base" reason="Never"/> <!-- measured -->',
        '<disable_collisions link1="base" link2="arm" reason="Adjacent"/>',
        '<disable_collisions link1="arm" link2="hand" reason="Adjacent"/>',
    ]
    document.undo()
    document.save()
    assert srdf.read_text(encoding="utf-8") == SRDF


def test_without_one_a_new_file_is_written(robot: Path) -> None:
    assert main(["edit", str(robot), "--in-place", "--disable-collisions", "base,hand=Never"]) == 0
    srdf = robot.with_suffix(".srdf")
    assert disabled(srdf) == ['<disable_collisions link1="base" link2="hand" reason="Never"/>']
    assert not any(each.is_error for each in sdfviewer.check(srdf))


def test_an_srdf_itself_is_edited(robot: Path) -> None:
    srdf = robot.with_suffix(".srdf")
    srdf.write_text(SRDF, encoding="utf-8")
    assert main(["edit", str(srdf), "--in-place", "--disable-collisions", "base,arm=Adjacent"]) == 0
    lines = SRDF.splitlines()
    assert srdf.read_text(encoding="utf-8").splitlines() == [*lines[:-1], ADDED, lines[-1]]


def test_what_is_not_clear_is_refused(robot: Path) -> None:
    for name in ("a.srdf", "b.srdf"):
        (robot.parent / name).write_text(SRDF, encoding="utf-8")
    document = sdfviewer.open_document(robot)
    with pytest.raises(sdfviewer.SdfViewerError, match="several SRDF files"), document.edit() as edit:
        edit.disable_collisions(["base", "arm"])
    with pytest.raises(sdfviewer.SdfViewerError, match="two links"), document.edit() as edit:
        edit.disable_collisions(["base"])
