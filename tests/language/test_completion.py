"""What is offered at a place."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sdfviewer.document.document import parse_document
from sdfviewer.language.completion import Completions, Ending, Outline, complete, open_elements
from sdfviewer.language.text_map import TextMap
from sdfviewer.model.model import Model
from sdfviewer.session.session import Session
from sdfviewer.versions import WRITTEN_VERSIONS

TEXT = """<sdf version="1.11">
  <model name="arm">
    <link name="base"><pose relative_to="@">0 0 0 0 0 0</pose></link>
    <link name="tip"/>
    <joint name="J" type="fixed"><parent>base</parent><child>tip</child></joint>
    <model name="hand"><link name="palm"/><frame name="grip"/></model>
    <frame name="F" attached_to="tip"/>
  </model>
</sdf>"""


def at(marked: str) -> Completions:
    """Complete at the first '|' of a text; the model is that of TEXT."""
    model = Session(parse_document(TEXT.replace("@", ""))).model
    return finish(marked[: marked.index("|")], model)


def finish(text: str, model: Model | None) -> Completions:
    return complete(text, model, lambda at: open_elements(text[:at]))


HEAD = '<sdf version="1.11"><model name="arm">'


def test_elements_are_those_of_the_table() -> None:
    found = at(HEAD + "<lin|")
    assert found.typed == "lin"
    assert {"link", "joint", "frame", "model", "include"} <= set(found.choices)
    assert "visual" not in found.choices
    assert "visual" in at(HEAD + '<link name="L"><|').choices
    assert at("<|").choices == ("sdf", "robot", "mujoco")


def test_a_closing_tag_closes_what_is_open() -> None:
    assert at(HEAD + '<link name="L"></|') == Completions("", ("link",), {"link": Ending(">")})


def test_attributes_written_already_are_not_offered() -> None:
    found = at(HEAD + '<frame name="F" a|')
    assert found.typed == "a"
    assert found.choices == ("attached_to",)
    assert found.endings["attached_to"] == Ending('=""', ((2, 2), (3, 3)))


def test_frame_names_are_those_legal_at_the_place() -> None:
    names = at(HEAD + '<link name="base"><pose relative_to="|').choices
    assert set(names) == {"__model__", "tip", "J", "hand", "hand::palm", "hand::grip", "F"}
    inner = at(HEAD + '<model name="hand"><frame name="grip"><pose relative_to="|').choices
    assert set(inner) == {"__model__", "palm"}


def test_behind_a_scope_only_its_names_are_offered() -> None:
    assert at(HEAD + '<link name="base"><pose relative_to="hand::|').choices == ("hand::palm", "hand::grip")
    assert at(HEAD + '<joint name="J" type="fixed"><child>hand::p|').choices == ("hand::palm", "hand::grip")
    assert "hand::palm" in at(HEAD + '<link name="base"><pose relative_to="hend::|').choices


def test_a_new_element_sees_the_names_of_its_model() -> None:
    assert {"base", "tip", "hand::palm"} <= set(at(HEAD + '<frame name="new" attached_to="b|').choices)
    assert at(HEAD + '<frame name="new" attached_to="b|').typed == "b"


def test_parent_and_child_take_names_and_the_world() -> None:
    parent = at(HEAD + '<joint name="J" type="fixed"><parent>|').choices
    assert parent[0] == "world"
    assert "base" in parent
    assert "world" not in at(HEAD + '<joint name="J" type="fixed"><parent>base</parent><child>|').choices


def test_types_and_switches() -> None:
    assert "revolute" in at(HEAD + '<joint name="K" type="|').choices
    assert at(HEAD + '<link name="L"><pose degrees="|').choices == ("true", "false")
    assert at(HEAD + "<static>|").choices == ("true", "false")
    assert at('<sdf version="|').choices[0] == WRITTEN_VERSIONS[-1]


def test_only_links_can_be_canonical() -> None:
    assert set(at('<sdf version="1.11"><model name="arm" canonical_link="|').choices) == {"base", "tip", "hand::palm"}


@pytest.mark.parametrize("text", ["|", "<!-- <|", "<?xml |", "</|", "<a b='|", "<a><b></c><|", "x > y <<< | >"])
def test_nothing_breaks_on_unfinished_text(text: str) -> None:
    assert isinstance(at(text), Completions)
    assert isinstance(finish(text[: text.index("|")], None), Completions)


def test_open_elements_forgive_what_is_not_closed() -> None:
    text = '<sdf><model name="a"><link name="b"/><!-- <x> --><joint name=\'c\'></model><world name="w">'
    assert [(element.tag, element.name) for element in open_elements(text)] == [("sdf", None), ("world", "w")]


def test_an_end_tag_whose_element_is_not_open_ends_nothing() -> None:
    text = '<sdf><model name="a"><link name="b"><visual name="v"></link></visual>'
    assert [(element.tag, element.name) for element in open_elements(text)] == [("sdf", None), ("model", "a")]


@pytest.mark.parametrize(
    ("place", "tag", "text", "selected"),
    [
        ("<|", "link", ' name=""></link>', ["", ""]),
        ('<link name="L"><|', "inertial", "></inertial>", [""]),
        ('<link name="L"><inertial><|', "mass", ">1.0</mass>", ["1.0"]),
        ('<joint name="J" type="fixed"><|', "parent", "></parent>", [""]),
        ("<|", "joint", ' name="" type=""></joint>', ["", "", ""]),
    ],
)
def test_an_element_comes_with_what_it_must_have(place: str, tag: str, text: str, selected: list[str]) -> None:
    ending = at(HEAD + place).endings[tag]
    assert ending.text == text
    assert [ending.text[start:end] for start, end in ending.stops] == selected


def test_what_the_specification_has_given_up_is_not_offered() -> None:
    assert "kinematic" in at(HEAD + '<link name="L"><|').choices
    assert "joint_state" not in at(HEAD + "<|").choices


def test_nothing_is_offered_in_a_comment() -> None:
    assert at(HEAD + "<!-- <link na|").choices == ()
    assert at(HEAD + "<!-- a --><lin|").typed == "lin"


PIECES = st.sampled_from(
    ["<a>", "</a>", "<a/>", '<b name="x">', "</b>", "<!-- <a> -->", "text", "\r\n", "é🤖", "<", ">", '"', "</"]
)


@given(st.lists(PIECES, max_size=12), st.integers(0, 400), st.integers(0, 30), st.lists(PIECES, max_size=3))
def test_the_outline_finds_what_reading_from_the_beginning_finds(
    inside: list[str], start: int, removed: int, typed: list[str]
) -> None:
    known = parse_document("<r>\r\n<b name='y'><c>é</c>" + "".join(inside) + "</b><d/></r>")
    assume(known.root is not None)
    places = TextMap(known.text)
    text = places.shown
    start = min(start, len(text))
    after = text[:start] + TextMap("".join(typed)).shown + text[start + removed :]
    outline = Outline(known, places)
    for at_offset in range(len(after) + 1):
        assert outline.open_at(after, at_offset) == open_elements(after[:at_offset]), after[:at_offset]


def test_the_joints_that_a_mimic_joint_can_follow_are_offered() -> None:
    links = "".join(f"<link name='{name}'/>" for name in "abcd")
    joint = "<joint name='{}' type='{}'><parent>{}</parent><child>{}</child>{}</joint>"
    turns = "<axis><xyz>0 0 1</xyz></axis>"
    follows = "<axis><xyz>0 0 1</xyz><mimic joint='@'/></axis>"
    inside = joint.format("p", "revolute", "a", "b", turns) + joint.format("f", "fixed", "b", "c", "")
    text = f"{HEAD}{links}{inside}{joint.format('q', 'revolute', 'c', 'd', follows)}</model></sdf>"
    before, _, after = text.partition("@")
    model = Session(parse_document(before + "p" + after)).model
    assert finish(before, model).choices == ("p",)


@pytest.mark.parametrize(("end", "choices"), [("parent", ("base", "free")), ("child", ("tip", "free"))])
def test_the_links_of_a_urdf_are_offered_at_its_joints(end: str, choices: tuple[str, ...]) -> None:
    links = '<link name="base"/><link name="tip"/><link name="free"/>'
    head = f'<robot name="r">{links}<joint name="J" type="fixed">'
    document = parse_document(f'{head}<parent link="base"/><child link="tip"/></joint></robot>')
    assert tuple(finish(f'{head}<{end} link="', Session(document).model).choices) == choices


ROBOT = '<robot name="r"><link name="base"/>'


@pytest.mark.parametrize(
    ("place", "choices"),
    [
        ("<", ("link", "joint", "material", "transmission", "gazebo")),
        ('<link name="a"><', ("inertial", "visual", "collision")),
        ('<link name="a"><visual><geometry><', ("mesh", "box", "cylinder", "sphere")),
        ('<joint name="j" ', ("type",)),
        ('<joint name="j" type="', ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")),
        ('<joint name="j" type="revolute"><limit lower="0" ', ("upper", "effort", "velocity")),
        ('<gazebo reference="base"><', ()),
    ],
)
def test_a_urdf_is_completed_as_urdf(place: str, choices: tuple[str, ...]) -> None:
    model = Session(parse_document(f"{ROBOT}</robot>")).model
    assert finish(ROBOT + place, model).choices == choices


@pytest.mark.parametrize(
    ("version", "place", "choices"),
    [
        ("1.1", "<visual><geometry><", ("mesh", "box", "cylinder", "sphere", "capsule")),
        ("1.1", '<visual><origin xyz="0 0 0" ', ("rpy", "quat_xyzw")),
        ("1.2", "<visual><geometry><capsule ", ("radius", "length")),
        ("1.1", '</link><joint><limit lower="0" ', ("upper", "effort", "velocity")),
        (
            "1.2",
            '</link><joint><limit lower="0" ',
            ("upper", "effort", "velocity", "acceleration", "deceleration", "jerk"),
        ),
    ],
)
def test_newer_urdf_is_completed_with_what_it_brought(version: str, place: str, choices: tuple[str, ...]) -> None:
    robot = f'<robot name="r" version="{version}"><link name="base">'
    model = Session(parse_document(f"{robot}</link></robot>")).model
    assert finish(robot + place, model).choices == choices


def test_an_empty_file_may_become_any_format() -> None:
    assert finish("<", None).choices == ("sdf", "robot", "mujoco")
    assert finish("<", None).endings["robot"].text == ' name=""></robot>'


def test_mjcf_is_completed_from_its_own_table() -> None:
    start = "<mujoco><worldbody><body>"
    assert {"geom", "joint", "site", "body", "inertial"} <= set(finish(f"{start}<", None).choices)
    assert finish(f'{start}<joint type="', None).choices == ("free", "ball", "slide", "hinge")
    assert finish(f'{start}<body mocap="', None).choices == ("true", "false")
