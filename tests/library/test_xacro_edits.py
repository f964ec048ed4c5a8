"""Scripts edit a xacro file where its values come from."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdfviewer

pytest.importorskip("xacro")

HEAD = 'xmlns:xacro="http://ros.org/wiki/xacro"'
MAIN = f"""<sdf version="1.9" {HEAD}>
  <xacro:include filename="wheel.xacro"/>
  <xacro:property name="sizes" value="${{xacro.load_yaml('sizes.yaml')}}"/>
  <model name="m">
    <link name="base"><pose>0 0 ${{sizes.height}} 0 0 0</pose></link>
    <xacro:wheel side="left"/>
    <xacro:wheel side="right"/>
  </model>
</sdf>
"""
WHEEL = f"""<sdf {HEAD}>
  <xacro:property name="track" value="0.5"/>
  <xacro:property name="gap" value="0.01"/>
  <xacro:macro name="wheel" params="side">
    <link name="${{side}}_wheel"><pose>${{track}} ${{track/2 + gap}} 0 0 0 0</pose></link>
  </xacro:macro>
</sdf>
"""
SIZES = "height: 0.4  # metres\n"


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    (tmp_path / "wheel.xacro").write_text(WHEEL, encoding="utf-8")
    (tmp_path / "sizes.yaml").write_text(SIZES, encoding="utf-8")
    file = tmp_path / "robot.xacro"
    file.write_text(MAIN, encoding="utf-8")
    return file


def widen(edit: sdfviewer.DocumentEdit, where: str) -> None:
    edit.where = where
    edit.set_pose("left_wheel", (0.5, 0.3, 0, 0, 0, 0))


def test_where_a_value_goes_is_chosen(robot: Path) -> None:
    document = sdfviewer.open_document(robot)
    with (
        pytest.raises(sdfviewer.SdfViewerError, match=r"(?s)several places.*property track \(wheel.*property gap"),
        document.edit() as edit,
    ):
        edit.set_pose("left_wheel", (0.5, 0.3, 0, 0, 0, 0))
    with (
        pytest.raises(sdfviewer.SdfViewerError, match=r"link left_wheel: pose would be '0\.58 .*' instead of '0\.5 "),
        document.edit() as edit,
    ):
        widen(edit, "property track")
    with document.edit("Widen") as edit:
        widen(edit, "gap")
        assert any(note.startswith("Property gap (wheel.xacro:3): 0.01 → 0.05") for note in edit.notes)
        assert {each.name for each in edit.moved} == {"m::left_wheel", "m::right_wheel"}
    assert document.model["right_wheel"].pose.xyz[1] == pytest.approx(0.3)
    assert document.text == MAIN
    document.save()
    assert (robot.parent / "wheel.xacro").read_text(encoding="utf-8") == WHEEL.replace("0.01", "0.05")


def test_what_several_macro_calls_write_gets_something_new_for_all_or_under_a_condition(robot: Path) -> None:
    wheel = robot.parent / "wheel.xacro"
    document = sdfviewer.open_document(robot)

    def refer_to_base(edit: sdfviewer.DocumentEdit) -> None:
        edit.set_pose("left_wheel", (0.5, 0.26, 0, 0, 0, 0), relative_to="base")

    listed = r"(?s)several places.*condition side == 'left' \(wheel\.xacro:5\): adds attribute relative_to.*macro wheel"
    with pytest.raises(sdfviewer.SdfViewerError, match=listed), document.edit() as edit:
        refer_to_base(edit)
    with document.edit() as edit:
        edit.where = "macro wheel"
        refer_to_base(edit)
        assert edit.notes == (
            "Macro wheel (wheel.xacro:5): adds attribute relative_to for all calls.",
            "Changes along with it: link right_wheel: pose/relative_to.",
        )
        assert edit.other_texts == {wheel: WHEEL.replace("<pose>", '<pose relative_to="base">')}
    document.undo()
    with document.edit() as edit:
        edit.where = "condition"
        refer_to_base(edit)
        assert {each.name for each in edit.moved} == {"m::left_wheel"}
    document.save()
    assert "<xacro:unless value" in wheel.read_text(encoding="utf-8")
    document.undo()
    document.save()
    assert wheel.read_text(encoding="utf-8") == WHEEL
    assert document.text == MAIN


def test_a_yaml_value_changes_is_undone_and_saved(robot: Path) -> None:
    document = sdfviewer.open_document(robot)
    sizes = robot.parent / "sizes.yaml"
    with document.edit() as edit:
        edit.set_pose("base", (0, 0, 0.25, 0, 0, 0))
        assert edit.text == MAIN
        assert list(edit.other_texts) == [sizes]
        assert "+height: 0.25  # metres" in edit.diff
    assert document.model["base"].pose.xyz[2] == 0.25
    assert sizes.read_text(encoding="utf-8") == SIZES
    document.undo()
    assert document.model["base"].pose.xyz[2] == 0.4
    document.redo()
    document.save()
    assert sizes.read_text(encoding="utf-8") == "height: 0.25  # metres\n"
    assert robot.read_text(encoding="utf-8") == MAIN
    document.undo()
    document.save()
    assert sizes.read_text(encoding="utf-8") == SIZES


def test_elements_without_a_name_are_known_by_what_they_are_about(tmp_path: Path) -> None:
    """What is added to what a macro writes comes after all else: ``<gazebo>`` elements are in another order then."""
    text = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="arm" params="side">
    <link name="${side}_arm"/>
    <joint name="${side}_j" type="fixed"><origin xyz="0 0.1 0"/><parent link="base"/><child link="${side}_arm"/></joint>
    <gazebo reference="${side}_arm"><kp>1</kp></gazebo>
  </xacro:macro>
  <link name="base"/>
  <xacro:arm side="left"/>
  <link name="tool"/>
  <joint name="tool_j" type="fixed"><parent link="base"/><child link="tool"/></joint>
  <gazebo reference="tool"><kp>2</kp></gazebo>
</robot>
"""
    path = tmp_path / "r.urdf.xacro"
    path.write_text(text, encoding="utf-8")
    document = sdfviewer.open_document(path)
    with document.edit() as edit:
        edit.mirror("left_arm", names=("left", "right"))
    assert document.text.startswith(text.removesuffix("</robot>\n"))
    assert document.text.count('<gazebo reference="right_arm">') == 1
