"""Frames moved between models stay where they are; what is removed leaves no reference that was taken care of."""

from __future__ import annotations

import numpy as np
import pytest

from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.model import Model
from sdfviewer.refactoring.composition.grouping import transfer, transfer_targets
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.limb import carried_with
from sdfviewer.refactoring.removal import references_to, remove, replacement_targets
from sdfviewer.refactoring.unmoved import edit_unmoved
from tests.frames import frame_in

ARM = """<sdf version="1.9">
  <model name="arm">
    <link name="base"/>
    <frame name="tool" attached_to="hand::palm">
      <pose>0 0.1 0 0.5 0 0</pose>
    </frame>
    <frame name="grip" attached_to="tool"/>
    <model name="hand">
      <pose relative_to="base">0 0 1 0 0 0.3</pose>
      <link name="palm"/>
      <frame name="tip" attached_to="palm"/>
    </model>
    <model name="other"><link name="part"/></model>
  </model>
</sdf>
"""


@pytest.fixture
def arm() -> Model:
    return load_model(ARM)


def after(model: Model, replacements: tuple) -> Model:
    result = Loader().load(model.document.edited(replacements))
    assert result is not None
    return result


def test_a_frame_goes_into_another_model_and_stays_where_it_is(arm: Model) -> None:
    edit = transfer(arm, [arm.row("arm::tool")], arm.row("arm::hand"))
    model = after(arm, edit.replacements)
    assert not model.diagnostics
    assert edit.renamed == (("arm::tool", "arm::hand::tool"),)
    for old, new in (("tool", "hand::tool"), ("grip", "grip")):
        X, Y = frame_in(arm, f"arm::{old}").pose, frame_in(model, f"arm::{new}").pose
        np.testing.assert_allclose(X, Y, atol=1e-12)
        assert frame_in(model, f"arm::{new}").body == frame_in(model, "arm::hand::palm")
    assert '<frame name="grip" attached_to="hand::tool"/>' in model.document.text


def test_what_is_written_in_a_frame_moves_with_it() -> None:
    pose = '<pose degrees="true">0 0.1 0   30 0 0</pose>'
    text = ARM.replace("<pose>0 0.1 0 0.5 0 0</pose>", f"<!-- the drill -->\n      {pose}")
    arm = load_model(text)
    model = after(arm, transfer(arm, [arm.row("arm::tool")], arm.row("arm::hand")).replacements)
    assert (
        '      <frame name="tool" attached_to="palm">\n        <!-- the drill -->\n'
        '        <pose degrees="true" relative_to="palm">0 0.1 0   30 0 0</pose>\n      </frame>\n'
    ) in model.document.text


def test_a_frame_that_could_not_name_its_carrier_stays(arm: Model) -> None:
    with pytest.raises(RefactoringError, match="moves with 'arm::hand::palm'"):
        transfer(arm, [arm.row("arm::tool")], arm.row("arm::other"))


def test_a_frame_comes_out_of_a_nested_model(arm: Model) -> None:
    edit = transfer(arm, [arm.row("arm::hand::tip")], 0)
    model = after(arm, edit.replacements)
    assert not model.diagnostics
    np.testing.assert_allclose(frame_in(model, "arm::tip").pose, frame_in(arm, "arm::hand::tip").pose, atol=1e-12)
    assert dict(transfer_targets(arm, arm.row("arm::tool")))[0] == "It is already there."


def test_references_can_be_retargeted_when_something_goes(arm: Model) -> None:
    row = arm.row("arm::tool")
    (reference,) = references_to(arm, [row])
    names = [target.name for target in replacement_targets(arm, reference, set(arm.inside(row)))]
    assert "tool" not in names
    assert "grip" not in names
    assert "hand::palm" in names
    model = after(arm, remove(arm, [row], {reference: "hand::palm"}).replacements)
    assert not model.diagnostics
    assert '<frame name="grip" attached_to="hand::palm"/>' in model.document.text
    assert after(arm, remove(arm, [row], {}).replacements).diagnostics


def test_several_are_removed_as_one_step(arm: Model) -> None:
    rows = [arm.row("arm::hand::tip"), arm.row("arm::hand"), arm.row("arm::other")]
    text = arm.document.edited(remove(arm, rows, {}).replacements).text
    assert 'hand"' not in text
    assert "other" not in text


LIMB = """<sdf version="1.9">
  <model name="robot">
    <link name="base"/>
    <joint name="shoulder" type="revolute">
      <parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis>
    </joint>
    <link name="arm">
      <pose relative_to="base">0 0 1 0 0 0.5</pose>
      <sensor name="imu" type="imu"/>
    </link>
    <link name="fore"><pose relative_to="elbow"/></link>
    <joint name="elbow" type="revolute">
      <pose relative_to="arm">1 0 0 0 0 0</pose>
      <parent>arm</parent><child>fore</child><axis><xyz expressed_in="arm">0 1 0</xyz></axis>
    </joint>
    <plugin name="drive" filename="gz-sim-joint-position-controller-system"><joint_name>elbow</joint_name></plugin>
    <model name="part"><pose>0 2 0 0 0 1</pose><link name="body"/></model>
    <model name="other"><link name="frame"/></model>
  </model>
</sdf>
"""


def test_a_limb_moves_into_a_nested_model_and_back_with_all_that_belongs_to_it() -> None:
    robot = load_model(LIMB)
    edit = transfer(robot, carried_with(robot, [robot.row("arm")]), robot.row("part"))
    assert edit_unmoved(robot, edit, Loader()).faults == ()
    model = after(robot, edit.replacements)
    assert not model.diagnostics
    inside = {name.removeprefix("robot::part::") for name in model.names if name.startswith("robot::part::")}
    assert inside == {"body", "arm", "arm::imu", "fore", "elbow"}
    text = model.document.text
    assert "<child>part::arm</child>" in text
    assert "<joint_name>elbow</joint_name>" in text[text.index('<model name="part">') : text.index("</model>")]
    back = transfer(model, carried_with(model, [model.row("part::arm")]), 0)
    assert edit_unmoved(model, back, Loader()).faults == ()
    again = after(model, back.replacements)
    assert {"robot::arm", "robot::fore", "robot::elbow"} <= set(again.names)
    assert not again.diagnostics


def test_a_joint_that_could_not_name_its_link_any_more_goes_along() -> None:
    robot = load_model(LIMB)
    nested = after(robot, transfer(robot, [robot.row("arm"), robot.row("fore")], robot.row("other")).replacements)
    with pytest.raises(RefactoringError, match="'robot::other::elbow' could no longer refer"):
        transfer(nested, [nested.row("other::fore")], nested.row("part"))
    edit = transfer(nested, [nested.row("other::fore")], 0)
    assert edit_unmoved(nested, edit, Loader()).faults == ()
    text = after(nested, edit.replacements).document.text
    assert "<parent>other::arm</parent><child>fore</child>" in text
