"""Links are grouped in a nested model and come back: nothing moves, every reference follows, the bytes are the same."""

from __future__ import annotations

import re

import numpy as np
import pytest

from sdfviewer.document.edits import Edit
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.model import Model
from sdfviewer.operations.structure import no_group
from sdfviewer.refactoring.composition.flatten import dissolve
from sdfviewer.refactoring.composition.grouping import group
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.limb import carried_with
from sdfviewer.refactoring.unmoved import edit_unmoved
from tests.frames import frame_in

#: All links come before all joints, as many programs write them.
ROBOT = """<?xml version="1.0"?>
<sdf version="1.9">
  <model name="robot">
    <self_collide>true</self_collide>
    <link name="base"/>

    <!-- the arm -->
    <link name="upper">
      <pose>0 0 1 0 0 0</pose>

      <collision name="tube"><geometry><sphere><radius>1</radius></sphere></geometry></collision>
      <sensor name="bump" type="contact">
        <contact><collision>tube</collision></contact>
      </sensor>
    </link> <!-- of steel -->
    <link name="wheel"/>

    <link name="fore">
      <pose relative_to="upper">1 0 0 0 0 0.5</pose>
      <![CDATA[
  as it is
]]>
    </link>
    <joint name="shoulder" type="revolute">
      <parent>base</parent>
      <child>upper</child>
      <axis><xyz expressed_in="fore">0 0 1</xyz></axis>
    </joint>
    <joint name="axle" type="fixed"><parent>base</parent><child>wheel</child></joint>
    <joint name="elbow" type="revolute">
      <parent>upper</parent>
      <child>fore</child>
      <axis><xyz expressed_in="upper">0 1 0</xyz></axis>
    </joint>
    <frame name="tip" attached_to="fore"><pose>0.2 0 0 0 0 0</pose></frame>
    <frame name="seen" attached_to="base"><pose relative_to="tip"/></frame>
    <plugin name="drive" filename="gz-sim-joint-position-controller-system"><joint_name>elbow</joint_name></plugin>
    <plugin name="all" filename="other"><joint_name>elbow</joint_name><joint_name>axle</joint_name></plugin>
  </model>
</sdf>
"""


def read(text: str) -> Model:
    model = load_model(text)
    assert model is not None
    return model


def after(model: Model, edit: Edit) -> Model:
    """Return the model after an edit that must change nothing without a word."""
    assert edit_unmoved(model, edit, Loader()).faults == ()
    return read(model.document.edited(edit.replacements).text)


def grouped(model: Model, *links: str, name: str = "arm", alone: bool = False) -> Model:
    rows = carried_with(model, [model.row(link) for link in links], alone=alone)
    return after(model, group(model, rows, name))


def test_what_names_only_the_limb_goes_with_it_and_all_else_names_it_from_outside() -> None:
    before = read(ROBOT)
    model = grouped(before, "upper")
    text = model.document.text
    assert not model.diagnostics
    assert [name for name in model.names if name.startswith("robot::arm::")] == [
        *("robot::arm::upper", "robot::arm::upper::tube", "robot::arm::upper::bump", "robot::arm::fore"),
        *("robot::arm::elbow", "robot::arm::tip"),
    ]
    for line in (
        "<child>arm::upper</child>",
        '<xyz expressed_in="arm::fore">',
        '<pose relative_to="arm::tip"/>',
        "<parent>upper</parent>",
        '<xyz expressed_in="upper">',
        "<joint_name>arm::elbow</joint_name><joint_name>axle</joint_name>",
    ):
        assert line in text
    inside = text[text.index('<model name="arm">') : text.index("</model>")]
    assert '<plugin name="drive"' in inside
    assert "<joint_name>elbow</joint_name>" in inside
    assert "<self_collide>true</self_collide>" in inside  # which counted for these links before
    X, Y = frame_in(before, "robot::tip").pose, frame_in(model, "robot::arm::tip").pose
    np.testing.assert_allclose(X, Y, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    "text",
    [
        ROBOT,
        ROBOT.replace("\n", "\r\n"),
        ROBOT.replace("  ", "\t"),
        re.sub(r"\n\s*(?!<!\[|as|\])", "", ROBOT),
        re.sub(r' (relative_to|expressed_in)="\w+"|\n    <frame.*', "", ROBOT).replace('"1.9"', '"1.5"'),
        # A link that is measured from what stays outside gives its pose to the nested model.
        ROBOT.replace("<pose>0 0 1 0 0 0</pose>", '<pose relative_to="wheel">0 0  1.0 0 0 0</pose>'),
        ROBOT.replace("<pose>0 0 1 0 0 0</pose>\n", '<pose degrees="true" relative_to="base">0 0 1 0 0 9</pose>'),
    ],
    ids=["as it is", "CRLF", "tabs", "one line", "1.5", "pose", "pose in degrees"],
)
@pytest.mark.parametrize("link", ["upper", "fore", "wheel"])
def test_a_limb_in_a_nested_model_and_back_gives_the_bytes(text: str, link: str) -> None:
    before = read(text)
    model = grouped(before, link)
    assert f"robot::arm::{link}" in model.names
    back = after(model, dissolve(model, model.row("arm"), Loader()))
    assert back.document.text == text


def test_a_group_with_the_canonical_link_keeps_it_and_comes_back() -> None:
    before = read(ROBOT)
    model = grouped(before, "base", alone=True)
    assert 'canonical_link="arm::base"' in model.document.text
    assert model.canonical_links[0] == model.row("arm::base")
    back = after(model, dissolve(model, model.row("arm"), Loader()))
    assert back.document.text == ROBOT


def test_several_links_that_are_measured_from_outside_keep_their_places_as_numbers() -> None:
    text = ROBOT.replace('relative_to="upper"', 'relative_to="wheel"').replace(
        "<pose>0 0 1 0 0 0</pose>", '<pose relative_to="base">0 0 1 0 0 0</pose>'
    )
    model = grouped(read(text), "upper")
    assert not model.diagnostics
    assert "relative_to" not in model.document.text[: model.document.text.index("</model>")]


def test_a_visual_that_is_measured_from_outside_stays_in_its_place() -> None:
    visual = '<visual name="seat"><pose relative_to="axle">0 1 0 0 0 0</pose><geometry><empty/></geometry></visual>'
    before = read(ROBOT.replace("      <collision", f"      {visual}\n      <collision"))
    model = grouped(before, "upper")
    X, Y = frame_in(before, "robot::upper::seat").pose, frame_in(model, "robot::arm::upper::seat").pose
    np.testing.assert_allclose(X, Y, rtol=0, atol=1e-9)
    assert not model.diagnostics


def test_names_that_are_taken_outside_begin_with_that_of_the_model() -> None:
    model = read(
        grouped(read(ROBOT), "upper")
        .document.text.replace('name="wheel"', 'name="fore"')
        .replace("<child>wheel</child>", "<child>fore</child>")
    )
    back = after(model, dissolve(model, model.row("arm"), Loader()))
    assert {"robot::fore", "robot::arm_fore", "robot::upper"} <= set(back.names)
    assert "<child>arm_fore</child>" in back.document.text


def test_a_model_that_something_rides_on_leaves_a_frame() -> None:
    text = grouped(read(ROBOT), "upper").document.text.replace(
        '<frame name="seen" attached_to="base">', '<frame name="seen" attached_to="arm">'
    )
    model = read(text)
    back = after(model, dissolve(model, model.row("arm"), Loader()))
    assert '<frame name="arm" attached_to="upper">' in back.document.text
    assert frame_in(back, "robot::seen").body == frame_in(back, "robot::upper")


def test_what_has_lost_its_neighbour_stays_where_the_model_was() -> None:
    text = grouped(read(ROBOT), "upper").document.text
    model = read(
        text.replace('    <link name="wheel"/>\n', "")
        .replace('    <joint name="axle" type="fixed"><parent>base</parent><child>wheel</child></joint>\n', "")
        .replace("<joint_name>axle</joint_name>", "")
    )
    back = after(model, dissolve(model, model.row("arm"), Loader())).document.text
    places = [back.index(f'name="{name}"') for name in ("base", "upper", "fore", "elbow", "shoulder", "seen", "drive")]
    assert places == sorted(places)
    assert "Ungroup puts back" not in back


@pytest.mark.parametrize(("name", "why"), [("upper", None), ("shoulder", "select links of a model")])
def test_only_links_of_a_model_are_offered_to_be_grouped(name: str, why: str | None) -> None:
    model = read(ROBOT)
    assert no_group(model, [model.row(f"robot::{name}")]) == why


@pytest.mark.parametrize(
    ("old", "new", "link", "name", "message"),
    [
        ("1.9", "1.4", "upper", "arm", "has no models in models"),
        ("1.9", "1.9", "upper", "wheel", "is taken"),
        ("1.9", "1.6", "base", "arm", "the canonical link can be named since SDFormat 1.7"),
        ("1.9", "1.9", "tip", "arm", "select a link"),
    ],
)
def test_what_cannot_be_grouped_is_refused(old: str, new: str, link: str, name: str, message: str) -> None:
    model = read(ROBOT.replace(old, new))
    with pytest.raises(RefactoringError, match=message):
        group(model, [model.row(link)], name)


STATE = """<sdf version="{version}">
  <world name="w">
{robot}
    <state world_name="w">
      <model{s} name="robot">
        <pose>0 0 1 0 0 0</pose>
        <link{s} name="base"><pose>0 0 1 0 0 0</pose></link{s}>
        <link{s} name="upper">
          <pose>0 0 2 0 0 0</pose>
        </link{s}>
        <link{s} name="wheel"/>
        <link{s} name="fore"/>
        <joint{s} name="shoulder"/>
        <joint{s} name="elbow"/>
      </model{s}>
    </state>
  </world>
</sdf>
"""


@pytest.mark.parametrize(("version", "suffix"), [("1.9", ""), ("1.12", "_state")])
@pytest.mark.parametrize("link", ["upper", "fore", "wheel"])
def test_states_follow_what_they_are_about(version: str, suffix: str, link: str) -> None:
    robot = "\n".join(ROBOT.splitlines()[2:-1])
    text = STATE.format(version=version, robot=robot, s=suffix)
    before = read(text)
    rows = carried_with(before, [before.row(f"robot::{link}")])
    model = after(before, group(before, rows, "arm"))
    assert len(model.diagnostics) == len(before.diagnostics)
    state = model.document.text[model.document.text.index("<state") :]
    assert f'<model{suffix} name="arm">' in state
    assert "::" not in state
    back = after(model, dissolve(model, model.row("robot::arm"), Loader()))
    assert back.document.text == text


def test_plugins_of_one_name_come_back_in_their_order() -> None:
    plugin = '<plugin name="drive" filename="gz-sim-joint-position-controller-system"><joint_name>'
    more = "".join(f"    {plugin}{name}</joint_name></plugin>\n" for name in ("shoulder", "elbow", "axle", "elbow"))
    text = ROBOT.replace("  </model>", f"{more}  </model>")
    model = grouped(read(text), "upper")
    back = after(model, dissolve(model, model.row("arm"), Loader()))
    assert back.document.text == text


def test_drake_places_the_links_of_a_group_where_they_were() -> None:
    plant = pytest.importorskip(
        "pydrake.multibody.plant", reason="Drake reads the grouped model, where it is installed"
    )
    parsing = pytest.importorskip("pydrake.multibody.parsing")
    text = re.sub(r"<!\[CDATA\[.*?\]\]>|<plugin.*</plugin>\n", "", ROBOT, flags=re.DOTALL)
    poses: list[dict[str, np.ndarray]] = []
    for each in (text, grouped(read(text), "upper").document.text):
        robot = plant.MultibodyPlant(0.0)
        parsing.Parser(robot).AddModelsFromString(each, "sdf")
        robot.Finalize()
        context = robot.CreateDefaultContext()
        poses.append({})
        for instance in ("robot", "robot::arm"):
            if robot.HasModelInstanceNamed(instance):
                for index in robot.GetBodyIndices(robot.GetModelInstanceByName(instance)):
                    body = robot.get_body(index)
                    poses[-1][body.name()] = robot.EvalBodyPoseInWorld(context, body).GetAsMatrix4()
    assert poses[0].keys() == poses[1].keys()
    for name, X in poses[0].items():
        np.testing.assert_allclose(X, poses[1][name], rtol=0, atol=1e-9)
