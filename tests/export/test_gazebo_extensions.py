"""What SDFormat says of links and joints and URDF cannot: it is in <gazebo>, and comes back from there."""

from __future__ import annotations

import pytest

import sdfviewer
from sdfviewer.document.document import parse_document
from sdfviewer.document.element import Element
from sdfviewer.export.urdf import UrdfExport, export_urdf
from sdfviewer.export.urdf_to_sdformat import export_sdformat
from sdfviewer.formats.contents import read_collision
from sdfviewer.formats.load import load_model
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from tests.export.test_gazebo_options import JOINT, LINK, ROBOT, contents

NO_LIMIT = "1e+16"  # which a URDF has to write
BOX = "<geometry><box><size>1 1 1</size></box></geometry>"


def exported(link: str = "", joint: str = "", *, model: str = "", kind: str = "revolute") -> UrdfExport:
    axis = "" if "<axis>" in joint or kind == "fixed" else "<axis><xyz>0 0 1</xyz></axis>"
    return export_urdf(
        load_model(
            f'<sdf version="1.12"><model name="m">{model}<link name="a">{link}</link><link name="b"/>'
            f'<joint name="j" type="{kind}"><parent>a</parent><child>b</child>{axis}{joint}</joint></model></sdf>'
        )
    )


def extension(export: UrdfExport, reference: str | None) -> str:
    """Return what the <gazebo> of a link or joint holds, without blanks between elements."""
    root = parse_document(export.text).root
    assert root is not None
    texts = [
        "".join(map(_written, each.children))
        for each in root.findall("gazebo")
        if each.attributes.get("reference") == reference
    ]
    assert [each.rule.name for each in sdfviewer.check(export.text) if each.is_error] == []
    return "".join(texts)


def _written(element: Element) -> str:
    attributes = "".join(f" {name}={value!r}" for name, value in element.attributes.items())
    content = element.text.strip() + "".join(map(_written, element.children))
    return f"<{element.tag}{attributes}>{content}</{element.tag}>"


def collision(name: str, content: str) -> str:
    return f'<collision name="{name}">{BOX}{content}</collision>'


def visual(name: str, content: str) -> str:
    return f'<visual name="{name}">{BOX}{content}</visual>'


def surface(friction: str = "", contact: str = "", more: str = "") -> str:
    ode = f"<friction><ode>{friction}</ode></friction><contact><ode>{contact}</ode></contact>"
    return f"<surface>{ode}{more}</surface>"


BOUNCE = surface("<mu>0.5</mu>", more="<bounce><restitution_coefficient>1</restitution_coefficient></bounce>")
PBR = "<material><diffuse>1 0 0 1</diffuse><pbr><metal><metalness>1</metalness></metal></pbr></material>"


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("<gravity>false</gravity>", "<turnGravityOff>true</turnGravityOff>"),
        ("<gravity>true</gravity>", "<turnGravityOff>false</turnGravityOff>"),
        ("<self_collide>1</self_collide>", "<selfCollide>true</selfCollide>"),
        ("<kinematic>true</kinematic><enable_wind>1</enable_wind>",) * 2,
        (
            "<velocity_decay><linear>.1</linear><angular>.1</angular></velocity_decay>",
            "<dampingFactor>.1</dampingFactor>",
        ),
        ("<velocity_decay><linear>.1</linear></velocity_decay>",) * 2,
        (collision("c", ""), ""),
        (collision("c", surface()), ""),
        (
            collision("c", surface("<mu>0.5</mu><mu2>0.4</mu2><fdir1>0 1 0</fdir1>")),
            "<mu1>0.5</mu1><mu2>0.4</mu2><fdir1>0 1 0</fdir1>",
        ),
        (
            collision("c", surface("", "<kp>1</kp><kd>2</kd><max_vel>3</max_vel><min_depth>4</min_depth>")),
            "<kp>1</kp><kd>2</kd><maxVel>3</maxVel><minDepth>4</minDepth>",
        ),
        (
            collision("c", "<laser_retro>7</laser_retro><max_contacts>3</max_contacts>"),
            "<laserRetro>7</laserRetro><maxContacts>3</maxContacts>",
        ),
        (collision("c", BOUNCE), f"<collision>{BOUNCE.replace('<contact><ode></ode></contact>', '{}')}</collision>"),
        (collision("c", surface("<mu>1</mu>")) + collision("d", surface("<mu>1</mu>")), "<mu1>1</mu1>"),
        (visual("v", "<material><diffuse>1 0 0 1</diffuse></material>"), ""),
        (visual("v", PBR), f"<visual>{PBR}</visual>"),
        (
            visual("v", "<transparency>.5</transparency><cast_shadows>0</cast_shadows>"),
            "<visual><transparency>.5</transparency><cast_shadows>0</cast_shadows></visual>",
        ),
        (
            visual(
                "v",
                "<material><script><uri>file://media/materials/scripts/gazebo.material</uri><name>Gazebo/Red</name>"
                "</script></material>",
            ),
            "<material>Gazebo/Red</material>",
        ),
    ],
)
def test_links(link: str, expected: str) -> None:
    export = exported(link)
    assert extension(export, "a") == expected.replace("{}", "<contact><ode></ode></contact>")
    assert not [note for note in export.notes if note.is_loss]


@pytest.mark.parametrize(
    ("joint", "kind", "expected"),
    [
        (
            "<axis><xyz>0 0 1</xyz><dynamics><spring_stiffness>3</spring_stiffness><spring_reference>.5"
            "</spring_reference></dynamics></axis>",
            "revolute",
            "<springReference>.5</springReference><springStiffness>3</springStiffness>",
        ),
        (
            "<physics><ode><limit><cfm>.1</cfm><erp>.2</erp></limit><fudge_factor>.6</fudge_factor>"
            "<implicit_spring_damper>1</implicit_spring_damper></ode></physics>",
            "revolute",
            "<stopCfm>.1</stopCfm><stopErp>.2</stopErp><fudgeFactor>.6</fudgeFactor>"
            "<implicitSpringDamper>1</implicitSpringDamper>",
        ),
        (
            "<physics><provide_feedback>true</provide_feedback></physics>",
            "revolute",
            "<provideFeedback>true</provideFeedback>",
        ),
        ('<sensor name="s" type="force_torque"/>', "revolute", "<sensor name='s' type='force_torque'></sensor>"),
        (
            '<sensor name="s" type="force_torque"/>',
            "fixed",
            "<preserveFixedJoint>true</preserveFixedJoint><sensor name='s' type='force_torque'></sensor>",
        ),
    ],
)  # fmt: skip
def test_joints(joint: str, kind: str, expected: str) -> None:
    export = exported(joint=joint, kind=kind)
    assert extension(export, "j") == expected
    assert not [note for note in export.notes if note.is_loss]


def test_what_a_model_says_of_itself() -> None:
    said = "<self_collide>true</self_collide><enable_wind>1</enable_wind>"
    assert extension(exported(model=said + "<static>true</static>"), None) == f"<static>true</static>{said}"
    inner = f'<model name="n">{said}<plugin name="p" filename="f"/><link name="c"/></model>'
    losses = [note.message for note in exported(model=inner).notes if note.is_loss]
    assert [message.split(";")[0] for message in losses if "only for the whole" in message] == [
        "a URDF has <self_collide> only for the whole robot",
        "a URDF has <enable_wind> only for the whole robot",
        "a URDF has <plugin> only for the whole robot",
    ]


@pytest.mark.parametrize(
    ("link", "joint", "message"),
    [
        (
            collision("c", surface("<mu>1</mu>")) + collision("d", surface("<mu>2</mu>")),
            "",
            "a URDF has one <surface> for all collisions of a link, and these differ in theirs; it is left out",
        ),
        (
            visual("v", "<transparency>.5</transparency>") + visual("w", ""),
            "",
            "a URDF has one <transparency> for all visuals of a link, and these differ in theirs; it is left out",
        ),
        (
            visual("v", "<material><diffuse>1 0 0 1</diffuse><specular>1 1 1 1</specular></material>")
            + visual("w", "<material><diffuse>0 0 1 1</diffuse></material>"),
            "",
            "URDF has one colour for it; the other colours of its material are left out",
        ),
        (
            "",
            "<physics><ode><max_force>3</max_force></ode></physics>",
            "URDF has nothing for its <physics>/ode/max_force; it is left out",
        ),
    ],
)
def test_what_is_lost_is_noted_at_its_line(link: str, joint: str, message: str) -> None:
    export = exported(link, joint)
    assert {note.message for note in export.notes if note.is_loss} == {message}
    assert extension(export, "a") == ""


def test_parts_get_names_that_libsdformat_gives_what_gazebo_says() -> None:
    """It takes a part whose name does not begin with that of its link for one of a link that was merged into it."""
    friction = collision("c", surface("<mu>0.5</mu>")) + collision("a2", surface("<mu>0.5</mu>")) + visual("v", "")
    model = load_model(exported(friction).text)
    rows = [row for row, kind in enumerate(model.kinds) if kind in (Kind.COLLISION, Kind.VISUAL)]
    assert [model.elements[row].attributes["name"] for row in rows] == ["a_c", "a2", "v"]
    assert [read_collision(model, row).surface.mu for row in rows[:2]] == [0.5, 0.5]
    other = load_model(exported(friction).text.replace('"a_c"', '"c"'))
    assert [read_collision(other, row).surface.mu for row in rows[:2]] == [1.0, 0.5]
    assert export_sdformat(other).text.count("<mu>") == 1


def said_by(model: Model, kind: Kind) -> list[dict[str, str]]:
    """Return what the elements of a kind say outside of their visuals and collisions, by path."""
    paths: list[dict[str, str]] = []
    for row in (row for row, each in enumerate(model.kinds) if each is kind):
        paths.append({})
        stack = [("", child) for child in model.elements[row].children if child.tag not in ("visual", "collision")]
        while stack:
            path, element = stack.pop()
            path = f"{path}/{element.tag}"
            paths[-1] |= {path: element.text.strip()} if element.text.strip() else {}
            stack += [(path, child) for child in element.children if child.text.strip() != NO_LIMIT]
    return paths


def test_the_options_of_a_robot_survive_sdformat() -> None:
    robot = load_model(ROBOT.format(LINK + JOINT))
    sdformat = load_model(export_sdformat(robot).text)
    export = export_urdf(sdformat)
    assert not [note for note in export.notes if note.is_loss]
    after = load_model(export.text)
    assert contents(after) == contents(sdformat) == contents(robot)
    again = load_model(export_sdformat(after).text)
    for kind in (Kind.LINK, Kind.JOINT):  # the names of parts get what libsdformat adds to them
        assert said_by(again, kind) == said_by(sdformat, kind)


def test_a_bundle_has_no_names_of_files_that_it_does_not_hold() -> None:
    script = "<material><script><uri>mine.material</uri><name>Mine</name></script></material>"
    text = f'<sdf version="1.12"><model name="m"><link name="a">{visual("v", script)}</link></model></sdf>'
    assert "mine.material" in export_urdf(load_model(text)).text
    export = export_urdf(load_model(text), add_mesh=lambda _: "no mesh is needed")
    assert "mine.material" not in export.text
    assert [note.message for note in export.notes] == [
        "URDF has one colour for it; the scripts and textures of its material are left out"
    ]
