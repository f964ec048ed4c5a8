"""What libsdformat says of small robots, each for a kind of its own."""

from __future__ import annotations

import pytest

from sdfviewer.formats.load import load_model

MASS = '<mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
INERTIAL = f"<inertial>{MASS}</inertial>"
UNREADABLE = f'<inertial><origin xyz="0,0,0"/>{MASS}</inertial>'
MIMIC = '<mimic joint="j"/>'
BOX = '<geometry><box size="1 1 1"/></geometry>'
LIMIT = '<limit effort="1" velocity="1"/>'


def link(name: str, content: str = INERTIAL) -> str:
    return f'<link name="{name}">{content}</link>'


def joint(name: str, parent: str, child: str, kind: str = "revolute", more: str = "") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{LIMIT}{more}</joint>'


REFUSED = {
    "a custom element has the name of a joint": (
        link("a") + link("b") + joint("j", "a", "b") + '<gazebo><joint:slider name="j"/></gazebo>',
        {"shared-name"},
    ),
    "a collision has :: in its name": (
        link("a", f'{INERTIAL}<collision name="a::b">{BOX}</collision>'),
        {"separator-in-name"},
    ),
    "a visual has :: in its name": (
        link("a", f'{INERTIAL}<visual name="a::b">{BOX}</visual>'),
        {"separator-in-name"},
    ),
    "a mimic leader has a link without mass": (
        link("a") + link("b", "") + link("c") + joint("j", "a", "b") + joint("k", "a", "c", more=MIMIC),
        {"mimic-invalid"},
    ),
    "a mimic leader is merged": (
        link("a") + link("b") + link("c") + joint("j", "a", "b", "fixed") + joint("k", "a", "c", more=MIMIC),
        {"mimic-invalid"},
    ),
    "the inertial of a root has an unreadable origin": (link("a", UNREADABLE), {"model-without-link"}),
    "a link is fixed to one whose inertial has an unreadable origin": (
        link("a") + link("b", UNREADABLE) + link("tool", "") + joint("j", "a", "b") + joint("k", "b", "tool", "fixed"),
        {"urdf-fixed-to-massless"},
    ),
    "a joint in an extension names a link without mass": (
        link("a")
        + link("b", "")
        + link("c")
        + joint("j", "a", "b")
        + joint("k", "a", "c")
        + '<gazebo><joint name="loop" type="ball"><parent>b</parent><child>c</child></joint></gazebo>',
        {"joint-parent-invalid"},
    ),
    "the only link is the world": (link("world", ""), {"model-without-link"}),
    "a friction direction has two numbers": (
        link("a", f"{INERTIAL}<collision>{BOX}</collision>") + '<gazebo reference="a"><fdir1>1 2</fdir1></gazebo>',
        {"bad-value"},
    ),
    "a friction is negative": (
        link("a", f"{INERTIAL}<collision>{BOX}</collision>") + '<gazebo reference="a"><mu1>-1</mu1></gazebo>',
        {"bad-value"},
    ),
    "a fixed joint is called as its parent, which has no mass": (
        link("a")
        + link("tool", "")
        + link("dummy", "")
        + joint("j", "a", "tool")
        + joint("tool", "tool", "dummy", "fixed"),
        {"attached-to-cycle"},
    ),
}

ACCEPTED = {
    "a call of a macro is left over": link("a", f"{INERTIAL}<xacro:grey/>"),
    "a call of a macro is left over beside links": f'{link("a")}<xacro:foo x="1"/>',
    "a material at the top has an empty name": f'<material name=""><color rgba="1 0 0 1"/></material>{link("a")}',
    "a friction is negative, of a link that collides with nothing": (
        link("a") + '<gazebo reference="a"><mu1>-1</mu1></gazebo>'
    ),
    "a leader and its follower are left out together": (
        link("a") + link("b", "") + link("c", "") + joint("j", "a", "b") + joint("k", "a", "c", more=MIMIC)
    ),
    "two point masses are one body": (
        link("base")
        + link(
            "a",
            '<inertial><origin xyz="0 -0.16 -0.02"/><mass value="0.241"/>'
            '<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>',
        )
        + link(
            "b",
            '<inertial><mass value="0.15"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>',
        )
        + joint("j0", "base", "a")
        + joint("j", "a", "b", "fixed", '<origin xyz="0 -.25 -.022"/>')
    ),
}


def errors(content: str) -> set[str]:
    model = load_model(f'<robot name="r">{content}</robot>')
    return {each.rule.name for each in model.diagnostics if each.is_error}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_libsdformat_refuses_is_an_error(kind: str) -> None:
    content, rules = REFUSED[kind]
    assert errors(content) == rules


@pytest.mark.parametrize("kind", ACCEPTED)
def test_what_libsdformat_accepts_is_none(kind: str) -> None:
    assert errors(ACCEPTED[kind]) == set()


def test_blanks_around_names_are_left_out() -> None:
    model = load_model(f'<robot name="r">{link("a")}{link("b ")}{joint(" j", "a", "b ")}</robot>')
    assert list(model.names) == ["r", "r::a", "r::b", "r::j"]
    assert errors(f"{link('a')}{link('b ')}{joint(' j', 'a', 'b ')}") == set()


def test_what_comes_after_an_unreadable_origin_of_an_inertial_does_not_count() -> None:
    model = load_model(f'<robot name="r">{link("a")}{link("b", UNREADABLE)}{joint("j", "a", "b")}</robot>')
    warnings = [each.rule.name for each in model.diagnostics]
    assert sorted(warnings) == ["urdf-bad-value", "urdf-cannot-move", "urdf-massless"]
