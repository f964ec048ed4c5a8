"""What an edit adds and removes in what macros write goes into the macro, under a condition, or takes the call away.

What the package xacro itself makes of the files then is compared with what was wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias
from xml.etree import ElementTree

import pytest

import sdfviewer
from tests.formats.xacro.reference import expand_as_xacro

pytest.importorskip("xacro")

#: Legs of two wheels each: a macro that calls another one, and names that numbers are part of.
ROBOT = """<?xml version="1.0"?>
<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'>
  <xacro:macro name='wheel' params='prefix number'>
    <link name='${prefix}wheel_${number}'/>
    <joint name='${prefix}axle_${number}' type='continuous'>
      <parent link='${prefix}leg'/><child link='${prefix}wheel_${number}'/><axis xyz='0 0 1'/>
    </joint>
    <gazebo reference='${prefix}wheel_${number}'><kp>1</kp></gazebo>
  </xacro:macro>
  <xacro:macro name='leg' params='side'>
    <link name='${side}_leg'/>
    <joint name='${side}_hip' type='fixed'>
      <xacro:if value='true'><origin xyz='0 0.1 0'/></xacro:if>
      <parent link='base'/><child link='${side}_leg'/>
    </joint>
    <xacro:wheel prefix='${side}_' number='1'/>
    <xacro:wheel prefix='${side}_' number='2'/>
  </xacro:macro>
  <link name='base'/> <!-- the trunk -->
  <xacro:leg side='left'/>
  <xacro:leg side='right'/>
</robot>
"""
Do: TypeAlias = Callable[[sdfviewer.DocumentEdit], object]
#: What is asked of the expansion: an XPath, and what of it says which elements are found.
Found: TypeAlias = list[str]


def names(root: ElementTree.Element, path: str) -> Found:
    """Return the names of the elements that have something inside, or of those that are found."""
    return sorted(each.get("name", each.get("reference", "")) for each in root.findall(path))


def add_shape(edit: sdfviewer.DocumentEdit) -> None:
    edit.add_visual("left_wheel_1", geometry="sphere")


def rotate_joint(edit: sdfviewer.DocumentEdit) -> None:
    edit.set_pose("left_hip", (0, 0.1, 0, 0, 0, 0.5))


def place_joint(edit: sdfviewer.DocumentEdit) -> None:
    edit.set_pose("right_axle_2", (0, 0, 0.25, 0, 0, 0))


def remove_leg(edit: sdfviewer.DocumentEdit) -> None:
    edit.remove("left_leg", with_dependents=True)


def remove_wheel(edit: sdfviewer.DocumentEdit) -> None:
    edit.remove("left_wheel_2", with_dependents=True)


def damp(edit: sdfviewer.DocumentEdit) -> None:
    edit.set_property("left_axle_1", "axis/dynamics/damping", "0.5")


WHEELS = [f"{side}_wheel_{number}" for side in ("left", "right") for number in (1, 2)]
AXLES = [each.replace("wheel", "axle") for each in WHEELS]


@pytest.mark.parametrize(
    ("do", "path", "before", "meant", "for_all"),
    [
        (add_shape, ".//link[visual]", [], ["left_wheel_1"], WHEELS),
        (rotate_joint, ".//joint/origin[@rpy]/..", [], ["left_hip"], ["left_hip", "right_hip"]),
        (place_joint, ".//joint[@type='continuous']/origin/..", [], ["right_axle_2"], AXLES),
        (damp, ".//joint/dynamics/..", [], ["left_axle_1"], AXLES),
        (remove_wheel, ".//joint[axis]", AXLES, [each for each in AXLES if each != "left_axle_2"], []),
    ],
)
def test_a_macro_is_changed_for_all_calls_or_where_it_was_meant(
    tmp_path: Path, do: Do, path: str, before: Found, meant: Found, for_all: Found
) -> None:
    file = tmp_path / "r.urdf.xacro"
    file.write_text(ROBOT, encoding="utf-8", newline="")
    document = sdfviewer.open_document(file)

    def expanded() -> ElementTree.Element:
        text = expand_as_xacro(file, {}, lambda _: None)
        assert not text.startswith("error"), text
        return ElementTree.fromstring(text)

    assert names(expanded(), path) == before
    for where, wanted in (("condition", meant), ("macro", for_all)):
        with document.edit() as edit:
            edit.where = where
            do(edit)
        document.save()
        assert names(expanded(), path) == wanted
        document.undo()
        document.save()
        assert file.read_bytes() == ROBOT.encode()


def test_a_condition_compares_what_is_different_in_each_name(tmp_path: Path) -> None:
    file = tmp_path / "r.urdf.xacro"
    file.write_text(ROBOT, encoding="utf-8", newline="")
    document = sdfviewer.open_document(file)
    with document.edit() as edit:
        edit.where = "condition"
        add_shape(edit)
    assert "<xacro:if value='${prefix == &apos;left_&apos; and str(number) == &apos;1&apos;}'>" in document.text
    document.undo()
    with document.edit() as edit:
        edit.where = "condition"
        rotate_joint(edit)
    assert document.text.count("<origin ") == 2
    assert "<xacro:unless value='${side == &apos;left&apos;}'>" in document.text


def remove_by_the_call(edit: sdfviewer.DocumentEdit, do: Do) -> None:
    edit.where = "call"
    do(edit)


def remove_for_all(edit: sdfviewer.DocumentEdit, do: Do) -> None:
    edit.where = "macro"
    do(edit)


def test_a_call_that_writes_only_what_is_removed_goes_itself(tmp_path: Path) -> None:
    file = tmp_path / "r.urdf.xacro"
    file.write_text(ROBOT, encoding="utf-8", newline="")
    document = sdfviewer.open_document(file)
    with document.edit() as edit:
        remove_by_the_call(edit, remove_leg)
    assert document.text == ROBOT.replace("  <xacro:leg side='left'/>\n", "")


def test_a_call_in_a_macro_that_is_called_twice_stays(tmp_path: Path) -> None:
    file = tmp_path / "r.urdf.xacro"
    file.write_text(ROBOT, encoding="utf-8", newline="")
    document = sdfviewer.open_document(file)
    with pytest.raises(sdfviewer.SdfViewerError, match="several places"), document.edit() as edit:
        remove_by_the_call(edit, remove_wheel)
    assert document.text == ROBOT


def test_what_would_leave_a_problem_elsewhere_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "r.urdf.xacro"
    tool = "<link name='tool'/><joint name='t' type='fixed'><parent link='right_wheel_1'/><child link='tool'/></joint>"
    text = ROBOT.replace("</robot>", f"{tool}\n</robot>")
    file.write_text(text, encoding="utf-8", newline="")
    document = sdfviewer.open_document(file)
    new = "new problem then: parent 'right_wheel_1' of joint 't'"
    with pytest.raises(sdfviewer.SdfViewerError, match=new), document.edit() as edit:
        remove_for_all(edit, remove_wheel)
    assert document.text == text
