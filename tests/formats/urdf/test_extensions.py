"""What `<gazebo>` elements put into a robot, and names, judged as in the SDFormat file that libsdformat makes of it."""

from __future__ import annotations

import numpy as np
import pytest

import sdfviewer
from sdfviewer.diagnostics import Severity
from sdfviewer.document.element import Element
from sdfviewer.formats.contents import contents_of, read_collision, read_plugins, read_visual
from sdfviewer.formats.load import load_model
from sdfviewer.formats.urdf.build import merged_parts
from sdfviewer.model.kinds import Kind
from tests.frames import frame_in

FIXED = '<joint name="{}" type="fixed"><parent>a</parent><child>{}</child></joint>'
MESH = '<geometry><mesh filename="m.dae" scale="1 1 1 1"/></geometry>'
NO_MESH = '<geometry><mesh filename=""/></geometry>'
INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
BOX = '<geometry><box size="1 1 1"/></geometry>'


def link(name: str, content: str = INERTIAL) -> str:
    return f'<link name="{name}">{content}</link>'


def joint(name: str, parent: str, child: str, kind: str = "continuous") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/></joint>'


def robot(*parts: str, name: str = "r") -> str:
    return f'<robot name="{name}">\n' + "\n".join(parts) + "\n</robot>"


def errors(text: str) -> list[tuple[str, int]]:
    return [(each.rule.name, each.span.line) for each in sdfviewer.check(text) if each.is_error and each.span]


def gazebo(content: str, reference: str = "") -> str:
    return f"<gazebo{f' reference={reference!r}' if reference else ''}>{content}</gazebo>"


TWO = (link("a"), joint("j", "a", "b"), link("b"))


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((link("a"), joint("b", "a", "b"), link("b")), [("duplicate-name", 3)]),
        ((link("a"), joint("b", "a", "b", "fixed"), link("b")), [("duplicate-name", 3)]),
        ((*TWO, gazebo(FIXED.format("j", "b"))), [("duplicate-name", 5)]),
        ((*TWO, gazebo('<model name="a"><link name="x"/></model>')), [("duplicate-name", 5)]),
        ((*TWO, gazebo('<plugin name="a" filename="x"/>')), []),
        ((*TWO, gazebo('<plugin name="a" filename="x"/>', "b")), []),
        ((link("a::b"),), [("separator-in-name", 2)]),
        ((*TWO, gazebo('<sensor name="x::y" type="imu"/>', "a")), [("separator-in-name", 5)]),
        ((*TWO, gazebo('<sensor name="x" type="imu"><api name="p::q"/></sensor>', "a")), [("separator-in-name", 5)]),
        ((*TWO, gazebo('<sensor name="x" type="imu"><update_rate>x</update_rate></sensor>', "a")), [("bad-value", 5)]),
        ((*TWO, gazebo('<sensor name="x" type="sniffer"/>', "b")), [("unknown-type", 5)]),
        ((*TWO, gazebo("<mu1>0.2</mu1><selfCollide>1</selfCollide>", "b")), []),
        ((link("", INERTIAL),), [("empty-name", 2)]),
        ((link("a"), joint("world", "a", "b"), link("b")), [("reserved-name", 3)]),
        ((link("a"), joint("__j__", "a", "b", "fixed"), link("b")), [("reserved-name", 3)]),
        ((*TWO, gazebo("<maxVel>fast</maxVel>", "b")), [("urdf-bad-value", 5)]),
        ((*TWO, gazebo('<mu1 value="0.5 or so"/>', "b")), []),
        ((link("world", ""), joint("j", "world", "b"), link("b"), gazebo('<sensor type="imu"/>', "world")), []),
        ((link("a", INERTIAL + f"<collision>{NO_MESH}</collision>"),), [("urdf-bad-value", 2)]),
        ((link("a"), joint("j", "a", "b", "floating"), link("b", "")), []),
        (('<material><color rgba="1 0 0 1"/></material>', link("a")), []),
        (("<material/>", "<material/>", link("a")), [("urdf-missing", 3)]),
    ],
)  # fmt: skip
def test_errors_are_at_their_lines(parts: tuple[str, ...], expected: list[tuple[str, int]]) -> None:
    assert errors(robot(*parts)) == expected


def test_a_colour_beyond_one_is_an_error_where_a_visual_takes_it() -> None:
    colour = gazebo("<visual><material><ambient>2 0 0 1</ambient></material></visual>", "a")
    assert errors(robot(link("a", INERTIAL + f"<visual>{BOX}</visual>"), colour)) == [("bad-value", 3)]
    assert errors(robot(link("a"), colour)) == []  # no visual there to take it


def test_the_name_of_a_robot_is_that_of_a_model() -> None:
    assert errors(robot(link("a"), name="a::b")) == [("separator-in-name", 1)]
    assert errors(robot(link("a"), name="")) == [("empty-name", 1)]


def test_what_is_left_out_holds_no_name() -> None:
    other = gazebo(FIXED.format("j", "c"))
    text = robot(link("a"), joint("j", "a", "b"), link("b", ""), joint("k", "a", "c"), link("c"), other)
    assert errors(text) == []
    model = load_model(text)
    assert model.joints_by_row[model.row("r::j")].type == "fixed"  # that of the extension


def test_a_model_in_an_extension_can_be_joined() -> None:
    model = load_model(
        robot(
            link("a"),
            gazebo(
                '<model name="tool"><pose>0 0 1 0 0 0</pose><link name="tip"><pose>1 0 0 0 0 0</pose></link></model>'
                '<joint name="mount" type="fixed"><parent>a</parent><child>tool::tip</child></joint>'
            ),
        )
    )
    np.testing.assert_allclose(frame_in(model, "r::tool::tip").pose[:3, 3], [1, 0, 1])
    mount = model.joints_by_row[model.row("r::mount")]
    assert model.names[mount.child] == "r::tool::tip"
    assert [each.rule.name for each in model.diagnostics if each.is_error] == []
    assert merged_parts(model) == []


def test_a_kept_fixed_joint_has_the_axis_that_libsdformat_writes() -> None:
    kept = joint("j", "a", "b", "fixed") + gazebo("<preserveFixedJoint>true</preserveFixedJoint>", "j")
    model = load_model(robot(link("a"), kept, link("b")))
    assert [axis.xyz.tolist() for axis in model.joints[0].axes] == [[0, 0, 1]]


def test_a_joint_fixed_to_the_world_has_an_axis_where_an_extension_is_about_it() -> None:
    fixed = link("world", ""), joint("j", "world", "b", "fixed"), link("b")
    assert load_model(robot(*fixed)).joints[0].axes == ()
    about = gazebo("<provideFeedback>true</provideFeedback>", "j")
    assert [axis.xyz.tolist() for axis in load_model(robot(*fixed, about)).joints[0].axes] == [[0, 0, 1]]


def test_an_option_may_be_written_as_an_attribute() -> None:
    kept = joint("j", "a", "b", "fixed") + gazebo('<preserveFixedJoint value="true"/>', "j")
    assert merged_parts(load_model(robot(link("a"), kept, link("b", INERTIAL + f"<visual>{BOX}</visual>")))) == []


def test_links_of_any_names_can_be_merged() -> None:
    text = robot(link("a::b"), joint("j", "a::b", "c", "fixed"), link("c", INERTIAL + f"<visual>{BOX}</visual>"))
    assert [part.name for part in merged_parts(load_model(text))] == ["r::a::b::a::b_fixed_joint_lump__c_visual"]


def test_moments_of_zero_are_those_of_a_point_wherever_it_is() -> None:
    inertia = '<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/>'
    point = f'<inertial><origin xyz="0.3 0.059 0.042"/><mass value="6.35"/>{inertia}</inertial>'
    assert errors(robot(link("a", point))) == []


@pytest.mark.parametrize(
    "broken",
    [
        f"<visual>{MESH}</visual><visual>{BOX}</visual>",
        f"<visual>{BOX}<material/></visual>",
        "<visual><geometry/></visual>",
        '<visual><geometry><capsule radius="1" length="1"/></geometry></visual>',
    ],
)
def test_lumps_are_numbered_without_what_urdfdom_leaves_out(broken: str) -> None:
    def merged(content: str) -> list[str]:
        one, two = link("b", INERTIAL + content), link("c", INERTIAL + f'<visual name="w">{BOX}</visual>')
        joints = joint("j", "a", "b", "fixed"), joint("k", "a", "c", "fixed")
        return [part.name for part in merged_parts(load_model(robot(link("a"), *joints, one, two)))]

    assert merged(broken) == merged("") == ["r::a::a_fixed_joint_lump__w_visual"]


def test_expressions_in_a_file_without_xacro_are_a_warning() -> None:
    found = sdfviewer.check(robot(link("${name}")))
    assert [(each.rule.name, each.severity) for each in found] == [("urdf-is-xacro", Severity.WARNING)]


def test_extensions_are_looked_for_once_for_all_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """A robot of thousands of links has as many elements to look through."""
    looked_for: list[Element] = []
    findall = Element.findall

    def counted(element: Element, *tags: str) -> list[Element]:
        if "gazebo" in tags:
            looked_for.append(element)
        return findall(element, *tags)

    monkeypatch.setattr(Element, "findall", counted)
    shapes = f"<visual>{BOX}</visual><collision>{BOX}</collision>{INERTIAL}"
    links = [link(f"l{number}", shapes) for number in range(9)]
    joints = [joint(f"j{number}", f"l{number}", f"l{number + 1}") for number in range(8)]
    model = load_model(robot(*links, *joints, gazebo("<mu1>0.2</mu1>", "l3")))
    assert any(
        read_collision(model, row).surface.mu == 0.2 for row in np.flatnonzero(model.kinds_are(Kind.COLLISION)).tolist()
    )
    for row in range(len(model)):
        if model.kinds[row] is Kind.VISUAL:
            read_visual(model, row)
        if model.kinds[row] is Kind.COLLISION:
            read_collision(model, row)
        read_plugins(model, row)
        contents_of(model, row).settings(model, row)
    assert len(looked_for) == 1
