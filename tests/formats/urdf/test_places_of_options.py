"""Options in ``<gazebo>`` that are about something else than what it is about, or misspelt: a warning with its fix."""

from __future__ import annotations

import pytest

import sdfviewer

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
ROBOT = f"""<robot name="r">
<link name="a">{INERTIAL}</link><link name="b">{INERTIAL}</link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<gazebo {{}}>{{}}</gazebo>
</robot>"""


def problems(reference: str, option: str) -> list[sdfviewer.Diagnostic]:
    attribute = f'reference="{reference}"' if reference else ""
    return list(sdfviewer.check(ROBOT.format(attribute, option)))


@pytest.mark.parametrize(
    ("reference", "option", "place"),
    [
        ("j", "<mu1>1</mu1>", '<gazebo reference="b">'),
        ("j", "<selfCollide>true</selfCollide>", '<gazebo reference="b">'),
        ("b", "<springStiffness>1</springStiffness>", '<gazebo reference="j">'),
        ("a", "<provideFeedback>true</provideFeedback>", '<gazebo reference="the name of a joint">'),
        ("", "<mu1>1</mu1>", '<gazebo reference="the name of a link">'),
        ("", "<stopCfm>1</stopCfm>", '<gazebo reference="the name of a joint">'),
        ("a", "<static>true</static>", "a <gazebo> without a reference"),
    ],
)
def test_an_option_in_another_place_says_where_it_belongs(reference: str, option: str, place: str) -> None:
    (problem,) = problems(reference, option)
    assert problem.rule.name == "urdf-option-without-effect"
    assert problem.message.endswith(f"has no effect: it belongs in {place}")
    if "the name" not in place and "without" not in place:
        assert [fix.label for fix in problem.fixes] == [f"Move it into {place}"]


@pytest.mark.parametrize(
    ("reference", "option"),
    [
        ("a", "<mu1>1</mu1><kp>1</kp><turnGravityOff>true</turnGravityOff><material>Gazebo/Red</material>"),
        ("j", "<springStiffness>1</springStiffness><provideFeedback>true</provideFeedback>"),
        ("", "<static>true</static>"),
        ("a", "<gravity>false</gravity><self_collide>true</self_collide>"),  # of SDFormat: copied into the link
        ("a", "<my_option>1</my_option>"),
    ],
)
def test_an_option_in_its_place_is_no_problem(reference: str, option: str) -> None:
    assert problems(reference, option) == []


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("selfcollide", "selfCollide"),
        ("provideFedback", "provideFeedback"),
        ("mu_1", "mu1"),
        ("max_vel", "maxVel"),
        ("kP", "kp"),
    ],
)
def test_a_misspelt_option_is_named_with_its_fix(written: str, meant: str) -> None:
    (problem,) = problems("j" if meant == "provideFeedback" else "a", f"<{written}>1</{written}>")
    assert problem.rule.name == "urdf-misspelt"
    assert [fix.label for fix in problem.fixes] == [f"Replace <{written}> with <{meant}>"]


@pytest.mark.parametrize(
    ("shape", "written", "meant"),
    [
        ('<sphere r="1"/>', "r", "radius"),
        ('<cylinder radius="1" h="2"/>', "h", "length"),
        ('<cylinder rad="1" length="2"/>', "rad", "radius"),
        ('<box dim="1 1 1"/>', "dim", "size"),
        ('<mesh uri="a.stl"/>', "uri", "filename"),
    ],
)
def test_an_attribute_in_place_of_the_one_that_is_missing_has_its_fix(shape: str, written: str, meant: str) -> None:
    found = sdfviewer.check(
        f'<robot name="r"><link name="c"><visual><geometry>{shape}</geometry></visual></link></robot>'
    )
    (problem,) = (each for each in found if each.rule.name == "urdf-misspelt")
    assert [fix.label for fix in problem.fixes] == [f"Replace the attribute '{written}' with '{meant}'"]


@pytest.mark.parametrize(
    "shape", ['<sphere radius="1" r="1"/>', '<box size="1 1 1" dim="2"/>', '<mesh filename="a.stl" id="1"/>']
)
def test_an_attribute_beside_all_that_urdf_needs_is_left_alone(shape: str) -> None:
    found = sdfviewer.check(
        f'<robot name="r"><link name="c"><visual><geometry>{shape}</geometry></visual></link></robot>'
    )
    assert [each for each in found if each.rule.name == "urdf-misspelt"] == []


def test_a_pose_of_a_link_is_written_as_the_origin_of_its_joint() -> None:
    text = ROBOT.format('reference="a"', "").replace('<link name="b">', '<link name="b"><pose>0 0 1 0.5 0 0</pose>')
    (problem,) = sdfviewer.check(text)
    assert problem.message == "<pose> in <link> is ignored; in URDF the <origin> of joint 'j' places the link"
    origin, removal = problem.fixes
    assert origin.moves == ("r::b", "r::j")
    assert '<origin xyz="0 0 1" rpy="0.5 0 0"/>' in [each.text.strip() for each in origin.replacements]
    assert removal.label == "Remove it"
    assert removal.moves == ()


def test_a_pose_of_a_link_whose_joint_has_an_origin_is_only_removed() -> None:
    text = ROBOT.format('reference="a"', "").replace('<link name="b">', '<link name="b"><pose>0 0 1 0.5 0 0</pose>')
    (problem,) = sdfviewer.check(text.replace("<axis", '<origin xyz="1 0 0"/><axis'))
    assert [fix.label for fix in problem.fixes] == ["Remove it"]
    (root,) = sdfviewer.check(
        ROBOT.format('reference="a"', "").replace('name="a">', 'name="a"><pose>0 0 1 0 0 0</pose>', 1)
    )
    assert [fix.label for fix in root.fixes] == ["Remove it"]


def test_a_pose_of_sdformat_is_written_as_the_origin_of_urdf() -> None:
    text = ROBOT.format('reference="a"', "").replace(
        '<axis xyz="0 0 1"/>', '<axis xyz="0 0 1"/><pose>0 0 1 0.5 0 0</pose>'
    )
    (problem,) = sdfviewer.check(text)
    (fix,) = problem.fixes
    (change,) = fix.replacements
    assert change.text == '<origin xyz="0 0 1" rpy="0.5 0 0"/>'
    assert fix.moves == ("r::b", "r::j")
    (relative,) = sdfviewer.check(text.replace("<pose>", '<pose degrees="true">'))
    assert relative.fixes == ()


def test_a_fix_names_the_collision_that_it_moves() -> None:
    shape = '<collision name="x"><pose>0 0 1 0 0 0</pose><geometry><sphere radius="1"/></geometry></collision>'
    found = sdfviewer.check(f'<robot name="r"><link name="c">{shape}</link></robot>')
    (fix,) = next(each.fixes for each in found if each.rule.name == "urdf-misspelt")
    (collision,) = fix.moves  # by the name that Gazebo gives it
    assert collision.startswith("r::c::")
    assert fix.label.endswith(f"this moves '{collision}'")
