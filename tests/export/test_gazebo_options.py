"""What the options in <gazebo> of a URDF become in SDFormat."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.cli import main
from sdfviewer.document.document import parse_document
from sdfviewer.document.element import Element
from sdfviewer.export.read_back import read_sdformat_back
from sdfviewer.export.urdf_to_sdformat import export_sdformat
from sdfviewer.formats.contents import read_collision, read_dynamics, read_visual
from sdfviewer.formats.load import load_model
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model

ROBOT = """<robot name="r">
  <link name="a">{0}<visual>{1}<material name="red"><color rgba="1 0 0 1"/></material></visual>
    <collision>{1}</collision></link>
  <link name="b">{0}<visual>{1}</visual></link>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/><dynamics damping="1"/></joint>
  {{}}
</robot>""".format(
    '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>',
    '<geometry><box size="1 1 1"/></geometry>',
)
LINK = """<gazebo reference="a"><material>Gazebo/Orange</material><mu1>0.3</mu1><mu1>0.5</mu1><mu2 value="0.4"/>
  <fdir1>0 1 0</fdir1><kp>1e6</kp><kd>2</kd><maxVel>0.1</maxVel><minDepth>0.001</minDepth><maxContacts>3</maxContacts>
  <laserRetro>7</laserRetro><selfCollide>true</selfCollide><turnGravityOff>1</turnGravityOff>
  <dampingFactor>.1</dampingFactor></gazebo>"""
JOINT = """<gazebo reference="j"><implicitSpringDamper>1</implicitSpringDamper><stopCfm>0.1</stopCfm>
  <stopErp>0.2</stopErp><provideFeedback>true</provideFeedback><springStiffness>3</springStiffness>
  <springReference>.5</springReference><fudgeFactor>.6</fudgeFactor></gazebo>"""


def converted(options: str) -> tuple[Element, tuple[str, ...]]:
    """Return the model of a robot with options as SDFormat, and the notes."""
    export = export_sdformat(load_model(ROBOT.format(options)))
    root = parse_document(export.text).root
    assert root is not None
    return root.children[0], tuple(note.message for note in export.notes)


def at(element: Element, path: str) -> str:
    *above, last = path.split("/")
    for tag in above:
        inner = element.find(tag)
        assert inner is not None, f"no {tag} in {path}"
        element = inner
    return element.text_of(last)


def test_options_of_links() -> None:
    model, notes = converted(LINK)
    assert not notes
    link = next(each for each in model.findall("link") if each.attributes["name"] == "a")
    expected = {
        "gravity": "false",
        "self_collide": "true",
        "velocity_decay/linear": ".1",
        "velocity_decay/angular": ".1",
        "visual/material/script/name": "Gazebo/Orange",
        "visual/material/script/uri": "file://media/materials/scripts/gazebo.material",
        "visual/material/diffuse": "1 0 0 1",
        "collision/laser_retro": "7",
        "collision/max_contacts": "3",
        "collision/surface/friction/ode/mu": "0.5",
        "collision/surface/friction/ode/mu2": "0.4",
        "collision/surface/friction/ode/fdir1": "0 1 0",
        "collision/surface/contact/ode/kp": "1e6",
        "collision/surface/contact/ode/kd": "2",
        "collision/surface/contact/ode/max_vel": "0.1",
        "collision/surface/contact/ode/min_depth": "0.001",
    }
    assert {path: at(link, path) for path in expected} == expected


def test_options_of_joints() -> None:
    model, notes = converted(JOINT)
    assert not notes
    joint = next(iter(model.findall("joint")))
    expected = {
        "axis/dynamics/damping": "1",
        "axis/dynamics/spring_stiffness": "3",
        "axis/dynamics/spring_reference": ".5",
        "physics/provide_feedback": "true",
        "physics/ode/implicit_spring_damper": "true",
        "physics/ode/fudge_factor": ".6",
        "physics/ode/limit/cfm": "0.1",
        "physics/ode/limit/erp": "0.2",
    }
    assert {path: at(joint, path) for path in expected} == expected


def test_what_is_written_for_visuals_and_collisions_is_copied() -> None:
    model, _ = converted(
        '<gazebo reference="a"><visual><material><ambient>0 1 0 1</ambient></material><transparency>.5</transparency>'
        "<pose>1 0 0 0 0 0</pose></visual><collision><max_contacts>4</max_contacts></collision></gazebo>"
    )
    link = next(iter(model.findall("link")))
    assert at(link, "visual/material/ambient") == "0 1 0 1"
    assert at(link, "visual/material/diffuse") == ""
    assert at(link, "visual/transparency") == ".5"
    assert at(link, "visual/pose") == ""
    assert at(link, "collision/max_contacts") == "4"


GREEN = "<visual><material><ambient>0 1 0 1</ambient></material></visual>"
SCRIPT = "<visual><material><script><uri>u</uri><name>n</name></script></material></visual>"
SHINY = "<visual><material><specular>1 1 1 1</specular></material></visual>"


@pytest.mark.parametrize(
    "options",
    [
        f"{GREEN}<material>Gazebo/Orange</material>",
        f"<material>Gazebo/Orange</material>{GREEN}",
        GREEN,
        SCRIPT,
        f"{SCRIPT}<material>Gazebo/Orange</material>",
        SHINY,
        f"{SHINY}<material>Gazebo/Orange</material>",
    ],
)
def test_materials_of_gazebo_lie_over_that_of_the_visual(options: str) -> None:
    robot = load_model(ROBOT.format(f'<gazebo reference="a">{options}</gazebo>'))
    export = export_sdformat(robot)
    after = load_model(export.text)
    assert read_sdformat_back(robot, export, after).faults == ()
    assert after.diagnostics == ()


@pytest.mark.parametrize(
    ("options", "note"),
    [
        ('<gazebo reference="b"><canonicalBody>b</canonicalBody></gazebo>', "<canonicalBody> of 'b'"),
        ('<gazebo reference="j"><mu1>1</mu1></gazebo>', "<mu1> of 'j'"),
        ('<gazebo reference="a"><stopCfm>1</stopCfm></gazebo>', "<stopCfm> of 'a'"),
        ('<gazebo reference="j"><preserveFixedJoint>true</preserveFixedJoint></gazebo>', ""),
    ],
)
def test_what_has_no_counterpart_is_noted(options: str, note: str) -> None:
    _, notes = converted(options)
    assert notes == ((f"{note} has no counterpart in SDFormat; it is left out",) if note else ())


def contents(model: Model) -> tuple[object, ...]:
    """Return what the options change: surface, contacts, material, dynamics."""
    row = {kind: row for row, kind in reversed(list(enumerate(model.kinds)))}
    collision = read_collision(model, row[Kind.COLLISION])
    surface, visual, joint = collision.surface, read_visual(model, row[Kind.VISUAL]), model.joints[0]
    dynamics = read_dynamics(model, joint.row, joint.axes[0])
    script = visual.material.script if visual.material is not None else None
    return (
        (surface.mu, surface.mu2, surface.fdir1, surface.stiffness, surface.damping),
        (collision.max_contacts, collision.laser_retro, script and script.name),
        (dynamics.damping, dynamics.spring_reference, dynamics.spring_stiffness),
    )


def test_the_contents_are_those_that_the_robot_had(tmp_path: Path) -> None:
    file = tmp_path / "r.urdf"
    file.write_text(ROBOT.format(LINK + JOINT))
    assert main(["convert", "--to", "1.12", "-o", str(tmp_path / "r.sdf"), str(file)]) == 0
    assert main(["check", "--strict", str(tmp_path / "r.sdf")]) == 0
    before, after = contents(load_model(file)), contents(load_model(tmp_path / "r.sdf"))
    assert before == after == ((0.5, 0.4, (0.0, 1.0, 0.0), 1e6, 2.0), (3, 7.0, "Gazebo/Orange"), (1.0, 0.5, 3.0))
