"""The quick fixes of what ROS and simulations trip over in a URDF: exact, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import Document, parse_document
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.formats.xacro.decisions import NamedFiles
from sdfviewer.formats.xacro.expansion import Expander
from sdfviewer.language.actions import perform
from sdfviewer.refactoring.fix_offers import offer_fixes

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def robot(*members: str) -> Document:
    links = (f'<link name="{name}">{INERTIAL}</link>' for name in "ab")
    return parse_document('<robot name="r">\n  ' + "\n  ".join((*links, *members)) + "\n</robot>\n")


def joint(content: str, name: str = "j", joint_type: str = "revolute") -> str:
    return f'<joint name="{name}" type="{joint_type}"><parent link="a"/><child link="b"/>{content}</joint>'


def found(document: Document, rule: str) -> Diagnostic:
    problems = Loader(offer_fixes=offer_fixes).load_with_diagnostics(document)[1]
    [problem] = [each for each in problems if each.rule.name == rule]
    return problem


def fixed(document: Document, rule: str) -> dict[str, str]:
    return {fix.label: document.edited(fix.replacements).text for fix in found(document, rule).fixes}


@pytest.mark.parametrize(
    ("limit", "types"),
    [
        ('<limit effort="1" velocity="1"/>', ["continuous", "fixed"]),
        ('<limit lower="0" upper="0" effort="1" velocity="1"/>', ["fixed"]),
        ('<limit lower="1" upper="1" effort="1" velocity="1"/>', []),
    ],
)
def test_a_joint_that_cannot_move_becomes_what_it_is_or_what_was_meant(limit: str, types: list[str]) -> None:
    document = robot(joint(limit))
    texts = list(fixed(document, "urdf-cannot-move").values())
    assert texts == [document.text.replace('"revolute"', f'"{each}"') for each in types]


def test_a_joint_with_two_equal_limits_is_named_with_them() -> None:
    problem = found(robot(joint('<limit lower="1" upper="1" effort="1" velocity="1"/>')), "urdf-cannot-move")
    assert problem.message == "the revolute joint 'j' cannot move: its lower and its upper limit are both 1"
    assert problem.frames == ("r::j",)


def test_an_axis_gets_its_unit_vector() -> None:
    document = robot(joint('<axis xyz="0 3 4"/>', joint_type="continuous"))
    [text] = fixed(document, "urdf-axis-not-unit").values()
    assert text == document.text.replace('"0 3 4"', '"0 0.6 0.8"')


def test_a_name_with_a_slash_is_renamed_where_it_is_named_too() -> None:
    document = robot(
        joint("", "arm/j", "continuous"), '<gazebo reference="arm/j"><selfCollide>1</selfCollide></gazebo>'
    )
    [text] = fixed(document, "urdf-name-for-ros").values()
    assert text == document.text.replace("arm/j", "arm_j")


def test_a_link_without_inertia_gets_that_of_its_shape_and_keeps_its_mass() -> None:
    zero = '<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>'
    shape = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
    document = parse_document(
        f'<robot name="r">\n  <link name="a">\n    <inertial>\n      <mass value="6"/>\n      {zero}\n'
        f"    </inertial>\n    {shape}\n  </link>\n</robot>\n"
    )
    [text] = fixed(document, "urdf-no-inertia").values()
    assert '<mass value="6"/>' in text
    assert 'ixx="1"' in text
    assert 'izz="1"' in text


def test_a_second_root_is_fixed_on_the_first() -> None:
    document = robot()
    [text] = fixed(document, "urdf-not-a-tree").values()
    new = '  <joint name="b_joint" type="fixed">\n    <parent link="a"/>\n    <child link="b"/>\n  </joint>\n</robot>\n'
    assert text == document.text.replace("</robot>\n", new)


CYCLE = """<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">
  <link name="base"/><link name="a"/><link name="b"/>
  <joint name="ja" type="fixed"><origin xyz="1 0 0"/><parent link="b"/><child link="a"/></joint>
  <joint name="jb" type="fixed"><origin xyz="0 1 0"/><parent link="a"/><child link="b"/></joint>
</robot>
"""
#: What each fix of the cycle makes of its text.
OFF_CYCLE = {
    "Make 'base' the parent of 'ja'": CYCLE.replace('<parent link="b"/>', '<parent link="base"/>'),
    "Make 'base' the parent of 'jb'": CYCLE.replace('<parent link="a"/>', '<parent link="base"/>'),
}


def test_each_joint_of_a_cycle_of_a_urdf_can_be_led_off_it() -> None:
    """There was no quick fix, as there is for the cycles of an SDF."""
    document = parse_document(CYCLE)
    texts = fixed(document, "relative-to-cycle")
    assert texts == OFF_CYCLE
    loader = Loader(offer_fixes=offer_fixes)
    model = loader.load(document)
    assert model is not None
    for fix in found(document, "relative-to-cycle").fixes:
        made = perform(model, loader, fix.operation, fix.arguments)[0].replacements
        assert document.edited(made).text == texts[fix.label]


def test_a_cycle_is_led_off_in_the_xacro_file_that_writes_it(tmp_path: Path) -> None:
    pytest.importorskip("xacro")
    path = tmp_path / "r.urdf.xacro"
    path.write_text(CYCLE, encoding="utf-8", newline="\n")
    document = open_document(path)
    loader = Loader(offer_fixes=offer_fixes, expander=Expander(permission=NamedFiles(None, "")))
    [problem] = [each for each in loader.load_with_diagnostics(document)[1] if each.rule.name == "relative-to-cycle"]
    assert {fix.label: document.edited(fix.replacements).text for fix in problem.fixes} == OFF_CYCLE


def test_limits_of_a_urdf_are_swapped() -> None:
    document = robot(joint('<limit lower="1" upper="-1" effort="1" velocity="1"/>'))
    [text] = fixed(document, "limits-reversed").values()
    assert text == document.text.replace('lower="1" upper="-1"', 'lower="-1" upper="1"')


def test_a_loop_as_it_is_proposed_for_urdf_is_named_with_its_links() -> None:
    ends = '<parent link="a"/><child link="c"/>'
    problem = found(robot(joint("", joint_type="continuous"), f'<constraint name="k">{ends}</constraint>'), "urdf-loop")
    assert problem.message.startswith("constraint 'k' closes a loop between 'a' and 'c'; no version of URDF has that")
    assert "there is no link 'c'" in problem.message
