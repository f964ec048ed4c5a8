"""Files brought to versions before 1.7, in which no frame is named: nothing moves, and a frame that goes is a loss."""

from __future__ import annotations

import numpy as np
import pytest

from sdfviewer.document.document import Document, parse_document
from sdfviewer.export.conversion import Conversion, ConversionOptions, convert
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.versions.changing import change_version
from sdfviewer.versions import FRAME_SEMANTICS, TARGETS, Version, format_version
from tests.frames import frame_in

OLD = [version for version in TARGETS if version < FRAME_SEMANTICS]

ROBOT = """<sdf version="1.12">
  <world name="w">
    <gravity>0 0 -3.7</gravity>
    <frame name="here">
      <pose degrees="true">1 2 3 10 20 30</pose>
    </frame>
    <model name="rig" placement_frame="foot" canonical_link="slide">
      <pose rotation_format="quat_xyzw" relative_to="here">0 0 0 0 0 0.6 0.8</pose>
      <link name="base">
        <pose degrees="true">0 0 0.5 0 100 90</pose>
        <visual name="v">
          <pose relative_to="foot">0 0 1 0 0 0</pose>
          <geometry><box><size>1 1 1</size></box></geometry>
        </visual>
      </link>
      <frame name="foot" attached_to="base">
        <pose>0 0 -0.5 0 0 0</pose>
      </frame>
      <link name="slide">
        <pose relative_to="turn"/>
      </link>
      <link name="same">
        <pose relative_to="__model__">0 0 7 0 0 0</pose>
      </link>
      <joint name="turn" type="universal">
        <pose relative_to="base">0 0 1 0.1 0 0</pose>
        <parent>foot</parent>
        <child>slide</child>
        <axis><xyz expressed_in="foot">1 0 0</xyz></axis>
        <axis2><xyz expressed_in="__model__">0 0 1</xyz></axis2>
      </joint>
      <joint name="weld" type="revolute">
        <parent>slide</parent>
        <child>same</child>
        <axis><xyz>0 1 0</xyz></axis>
      </joint>
    </model>
  </world>
</sdf>
"""


def lowered(text: str, target: Version) -> tuple[Conversion, Model]:
    """Return the conversion of a text, and what is written as a program of the older version reads it."""
    loader = Loader()
    model = loader.load(parse_document(text))
    assert model is not None
    conversion = convert(model, loader, format_version(target), ConversionOptions(allow_loss=True))
    assert conversion.faults == ()
    after = loader.load(parse_document(conversion.document.text))
    assert after is not None
    assert [str(each.message) for each in after.diagnostics if each.is_error] == []
    return conversion, after


@pytest.mark.parametrize("target", OLD)
def test_nothing_moves_and_nothing_is_named(target: Version) -> None:
    before = Loader().load(parse_document(ROBOT))
    assert before is not None
    conversion, after = lowered(ROBOT, target)
    text = conversion.document.text
    for word in ("relative_to", "expressed_in", "attached_to", "<frame", "canonical_link", "placement_frame", "frame="):
        assert word not in text
    for name in ("rig", "rig::base", "rig::base::v", "rig::slide", "rig::same", "rig::turn", "rig::weld"):
        np.testing.assert_allclose(frame_in(after, name).pose, frame_in(before, name).pose, atol=1e-12)
    for old, new in zip(before.joints, after.joints, strict=True):
        for one, other in zip(old.axes, new.axes, strict=True):
            np.testing.assert_allclose(other.xyz, one.xyz, atol=1e-12)
    assert after.local_names[after.canonical_links[after.rows_by_name["rig"]]] == "slide"
    assert "<pose>0 0 7 0 0 0</pose>" in text  # its numbers are about that frame anyway


@pytest.mark.parametrize("target", OLD)
def test_each_frame_that_goes_is_a_loss_with_its_line(target: Version) -> None:
    conversion, _ = lowered(ROBOT, target)
    assert conversion.losses == (
        "-:4: frame 'here' is new in SDFormat 1.7; left out",
        "-:16: frame 'rig::foot' is new in SDFormat 1.7; left out",
    )


def test_an_axis_in_the_model_frame_keeps_its_numbers() -> None:
    def second_axis(target: Version) -> str:
        text = lowered(ROBOT, target)[0].document.text
        return "".join(text[text.index("<axis2>") : text.index("</axis2>")].split())

    assert second_axis((1, 6)) == "<axis2><xyz>001</xyz><use_parent_model_frame>true</use_parent_model_frame>"
    assert second_axis((1, 4)) == "<axis2><xyz>001</xyz>"


def test_gravity_belongs_to_the_physics_until_1_5() -> None:
    physics = '<physics type="ode"><gravity>0 0 -3.7</gravity></physics>'
    assert physics not in lowered(ROBOT, (1, 6))[0].document.text
    conversion, _ = lowered(ROBOT, (1, 5))
    assert physics in conversion.document.text
    assert conversion.notes == ("-:3: until SDFormat 1.5 <gravity> belongs to <physics>, of which one is written",)
    engines = '<physics name="a" type="ode"/><physics name="b" type="bullet"/>'
    text = lowered(ROBOT.replace("<frame name", f"{engines}<frame name", 1), (1, 5))[0].document.text
    assert text.count("<gravity>0 0 -3.7</gravity>") == 2


def test_a_world_of_nothing_but_gravity_gets_a_physics() -> None:
    conversion, _ = lowered('<sdf version="1.6"><world name="w"><gravity>0 0 -3.7</gravity></world></sdf>', (1, 5))
    assert (
        '<world name="w"><physics type="ode"><gravity>0 0 -3.7</gravity></physics></world>' in conversion.document.text
    )


def test_what_was_ignored_does_not_begin_to_count() -> None:
    links = '<link name="a"/><link name="b"><pose>0 0 0 0 1 0</pose></link>'
    axis = "<axis><xyz>0 0 1</xyz><use_parent_model_frame>true</use_parent_model_frame></axis>"
    joint = f'<joint name="j" type="revolute"><parent>a</parent><child>b</child>{axis}</joint>'
    conversion, after = lowered(f'<sdf version="1.9"><model name="m">{links}{joint}</model></sdf>', (1, 6))
    assert "use_parent_model_frame" not in conversion.document.text
    np.testing.assert_allclose(after.joints[0].axes[0].xyz, [0, 0, 1], atol=1e-12)
    pose = '<link name="c"><pose frame="b">1 0 0 0 0 0</pose></link>'
    conversion, _ = lowered(f'<sdf version="1.9"><model name="m">{links}{pose}</model></sdf>', (1, 6))
    assert "frame=" not in conversion.document.text
    assert conversion.notes == ("-:1: 'frame' of <pose> was ignored, and SDFormat 1.6 would read it; left out",)


def test_a_light_of_a_link_is_a_loss_before_1_6() -> None:
    text = '<sdf version="1.9"><model name="m"><link name="a"><light name="l" type="point"/></link></model></sdf>'
    assert lowered(text, (1, 6))[0].losses == ()
    assert lowered(text, (1, 5))[0].losses == ("-:1: <light> of <link> is new in SDFormat 1.6; left out",)


def _refusal(text: str, target: Version) -> str:
    document: Document = parse_document(text)
    with pytest.raises(RefactoringError) as refused:
        change_version(document, Loader(), target)
    return str(refused.value)


def test_what_an_older_version_cannot_hold_is_refused_with_its_line() -> None:
    nested = (
        '<sdf version="1.9"><model name="m" canonical_link="n::l"><link name="a"/>\n'
        '<model name="n"><link name="l"/></model></model></sdf>'
    )
    assert _refusal(nested, (1, 4)).startswith("-:1: the canonical link of 'm' is 'n::l', and in SDFormat 1.4 it is")
    plain = nested.replace(' canonical_link="n::l"', "")
    depends = "is new in SDFormat 1.5, and motion depends on it; choose a version that has it"
    assert _refusal(plain, (1, 4)) == f"-:2: <model> of <model> {depends}"
    lowered(plain, (1, 5))


def test_a_file_of_1_6_that_names_frames_loses_them_too() -> None:
    text = (
        '<sdf version="1.6"><model name="m"><link name="a"><pose>0 0 1 0 0 0</pose></link>'
        '<link name="b"><pose frame="a">0 0 1 0 0 0</pose></link></model></sdf>'
    )
    conversion, _ = lowered(text, (1, 5))
    assert '<link name="b"><pose>0 0 2 0 0 0</pose></link>' in conversion.document.text
