"""Elements are added, duplicated and removed as a person would write it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.model import Model
from sdfviewer.refactoring import adding
from sdfviewer.refactoring.adding import (
    TooOldError,
    duplicate,
    explain_no_owner,
    insert_member,
    name_of_included,
    nearest_owner,
    require_free_name,
    suggest_fields,
)
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.new_elements import SENSOR_TYPES
from sdfviewer.refactoring.removal import references_to, remove
from sdfviewer.validation.content_rules import LIGHT_TYPES
from tests.frames import frame_in

TEXT = """<sdf version="1.9">
  <world name="w">
    <model name="m">
      <link name="a">
        <visual name="v">
          <geometry><sphere><radius>1</radius></sphere></geometry>
        </visual>
      </link> <!-- the only one -->
      <frame name="f" attached_to="a"/>
      <joint name="j" type="fixed"><parent>world</parent><child>f</child></joint>
    </model>
    <frame name="g" attached_to="m"/>
    <frame name="h"><pose relative_to="m::f"/></frame>
  </world>
</sdf>
"""


@pytest.fixture
def model() -> Model:
    return load_model(TEXT)


def edited(model: Model, edit: object) -> Model:
    result = Loader().load(model.document.edited(edit.replacements))  # type: ignore[attr-defined]
    assert result is not None
    assert not result.diagnostics
    return result


@pytest.mark.parametrize(
    ("owner", "tag", "expected"),
    [
        ("m", "link", '\n      <link name="link"/>\n    </model>'),
        ("world", "frame", '\n    <frame name="frame"/>\n  </world>'),
        ("m::a", "visual", '\n        <visual name="visual">\n          <geometry>\n            <box>'),
    ],
)
def test_new_elements_are_indented_and_named(model: Model, owner: str, tag: str, expected: str) -> None:
    edit = insert_member(model, model.row(owner), tag)
    after = edited(model, edit)
    assert expected in after.document.text
    assert frame_in(after, edit.added[0]).kind.value == tag


STYLE = """<sdf version='1.11'>
\t<model name='m'>
\t\t<link name='a'>
\t\t\t<pose>0 0 1 0 0 0</pose>
\t\t\t<collision name='c'><geometry><sphere><radius>1</radius></sphere></geometry></collision>
\t\t</link>
\t\t<link name='b'/>
\t\t<joint name='j' type='fixed'><parent>a</parent><child>b</child></joint>
\t</model>
</sdf>
"""

NEW = {
    "frame": (
        "m",
        {"attached_to": "a", "pose": "0 0 0.1 0 0 0"},
        "\t\t<frame name='frame' attached_to='a'>\n\t\t\t<pose>0 0 0.1 0 0 0</pose>\n\t\t</frame>",
    ),
    "link": (
        "m",
        {"relative_to": "a", "pose": "1 0 0 0 0 0"},
        "\t\t<link name='link'>\n\t\t\t<pose relative_to='a'>1 0 0 0 0 0</pose>\n\t\t</link>",
    ),
    "joint": (
        "m",
        {"parent": "a", "child": "b", "type": "prismatic", "axis": "1 0 0"},
        "\t\t<joint name='joint' type='prismatic'>\n\t\t\t<parent>a</parent>\n\t\t\t<child>b</child>\n"
        "\t\t\t<axis>\n\t\t\t\t<xyz>1 0 0</xyz>\n\t\t\t</axis>\n\t\t</joint>",
    ),
    "visual": (
        "m::a",
        {"shape": "cylinder"},
        "\t\t\t<visual name='visual'>\n\t\t\t\t<geometry>\n\t\t\t\t\t<cylinder>\n\t\t\t\t\t\t<radius>0.05</radius>",
    ),
    "collision": ("m::a", {"uri": "a&b.stl"}, "<mesh>\n\t\t\t\t\t\t<uri>a&amp;b.stl</uri>\n\t\t\t\t\t</mesh>"),
    "inertial": (
        "m::a",
        {"mass": "2", "moments": "2 2 2 0 0 0.5"},
        "</pose>\n\t\t\t<inertial>\n\t\t\t\t<mass>2</mass>\n\t\t\t\t<inertia>\n\t\t\t\t\t<ixx>2</ixx>",
    ),
    "sensor": ("m::a", {"type": "camera"}, "\t\t\t<sensor name='sensor' type='camera'>\n\t\t\t\t<update_rate>30"),
    "light": ("m::a", {"type": "spot"}, "<spot>\n\t\t\t\t\t<inner_angle>0.5</inner_angle>"),
    "plugin": ("m", {"filename": "libx.so"}, "\t\t<plugin filename='libx.so' name='plugin'/>"),
    "model": ("m", {}, "\t\t<model name='model'>\n\t\t\t<link name='link'/>\n\t\t</model>"),
}


@pytest.mark.parametrize("tag", list(NEW))
def test_every_new_element_is_valid_and_in_the_style_of_the_file(tag: str) -> None:
    model = load_model(STYLE)
    owner, fields, expected = NEW[tag]
    after = edited(model, insert_member(model, model.row(owner), tag, None, **fields))
    assert expected in after.document.text
    assert "\t\t\t<pose>0 0 1 0 0 0</pose>" in after.document.text


@pytest.mark.parametrize("kind", [kind for kinds in SENSOR_TYPES.values() for kind in kinds])
def test_every_type_of_sensor_is_valid(kind: str) -> None:
    model = load_model(STYLE)
    owner = "m::j" if kind == "force_torque" else "m::a"
    edited(model, insert_member(model, model.row(owner), "sensor", None, type=kind))


@pytest.mark.parametrize("kind", LIGHT_TYPES)
@pytest.mark.parametrize("shape", ["box", "sphere", "capsule", "cone", "ellipsoid", "plane"])
def test_every_light_and_shape_is_valid(kind: str, shape: str) -> None:
    model = load_model(STYLE)
    after = edited(model, insert_member(model, model.row("m::a"), "light", None, type=kind))
    edited(after, insert_member(after, after.row("m::a"), "collision", None, shape=shape))


@pytest.mark.parametrize(
    ("owner", "tag", "fields", "message"),
    [
        ("m", "joint", {"parent": "a", "child": "b", "type": "bolt"}, "not a joint type"),
        ("m", "link", {"pose": "1 2 3"}, "needs 6 numbers"),
        ("m", "plugin", {}, "library"),
        ("m::b", "sensor", {"type": "contact"}, "needs a collision"),
        ("m::a", "visual", {"shape": "donut"}, "no shape"),
        ("m::a", "light", {"type": "moon"}, "not a light type"),
    ],
)
def test_fields_that_cannot_be_are_refused(owner: str, tag: str, fields: dict[str, str], message: str) -> None:
    model = load_model(STYLE)
    with pytest.raises(RefactoringError, match=message):
        insert_member(model, model.row(owner), tag, None, **fields)


def test_an_old_version_has_no_frames() -> None:
    model = load_model('<sdf version="1.6"><model name="m"><link name="a"/></model></sdf>')
    with pytest.raises(TooOldError, match=r"a <frame> in a <model> needs SDFormat 1\.7 or newer") as caught:
        insert_member(model, 0, "frame")
    assert caught.value.needed == (1, 7)


def test_the_selection_suggests_what_a_new_element_connects() -> None:
    model = load_model(STYLE)
    a, b = model.row("m::a"), model.row("m::b")
    assert suggest_fields(model, 0, "joint", [a, b]) == {"parent": "a", "child": "b"}
    assert suggest_fields(model, 0, "joint", [b]) == {"parent": "b"}
    assert suggest_fields(model, 0, "frame", [a, b]) == {"attached_to": "b"}
    assert suggest_fields(model, 0, "frame", [0]) == {}
    assert suggest_fields(model, a, "visual", [a]) == {}


WORLD = """<sdf version="1.9"><world name="w">
<model name="ground"><static>true</static><link name="plane"/></model>
%s
<include><uri>robot.sdf</uri><name>robot</name></include>
</world></sdf>
"""
ROBOT = '<sdf version="1.9"><model name="robot"><link name="base"/><link name="arm"/></model></sdf>'


def world_with(tmp_path: Path, models: str) -> Model:
    (tmp_path / "robot.sdf").write_text(ROBOT, encoding="utf-8")
    (tmp_path / "world.sdf").write_text(WORLD % models, encoding="utf-8")
    return load_model(tmp_path / "world.sdf")


def test_the_ground_gets_a_link_only_where_it_is_selected(tmp_path: Path) -> None:
    model = world_with(tmp_path, '<model name="crate"><link name="box"/></model>')
    crate, ground = model.row("crate"), model.row("ground")
    assert nearest_owner(model, None, "link") == nearest_owner(model, 0, "link") == crate
    assert nearest_owner(model, model.row("ground::plane"), "link") == ground
    empty = world_with(tmp_path, "")
    assert nearest_owner(empty, None, "link") is None
    assert "static" in explain_no_owner(empty, None, "link")


def test_what_is_included_gets_no_link_and_neither_does_another_model(tmp_path: Path) -> None:
    model = world_with(tmp_path, '<model name="crate"><link name="box"/></model>')
    for name in ("robot", "robot::arm"):
        row = model.row(name)
        assert nearest_owner(model, row, "link") is None
        assert explain_no_owner(model, row, "link").startswith("'robot' is included from another file.")
    assert nearest_owner(model, model.row("robot::arm"), "model") == 0
    assert nearest_owner(model, None, "include") == 0


def test_a_static_model_alone_gets_more_links() -> None:
    model = load_model('<sdf version="1.9"><model name="t"><static>1</static><link name="l"/></model></sdf>')
    assert nearest_owner(model, None, "link") == 0
    assert nearest_owner(model, None, "visual") == 1


@pytest.mark.parametrize(
    ("selected", "tag", "owner"),
    [
        ("second", "visual", "second::arm"),
        ("second::arm", "visual", "second::arm"),
        ("second::arm::shape", "visual", "second::arm"),
        ("second::turn", "visual", "second::tip"),
        ("second::turn", "link", "second"),
        ("second::grip", "collision", "second::tip"),
        ("second::arm", "link", "second"),
        ("second", "joint", "second"),
        ("second", "sensor", "second::arm"),
        ("third", "visual", "first::base"),
        (None, "visual", "first::base"),
    ],
)
def test_a_new_element_belongs_to_what_is_selected_or_in_it(selected: str | None, tag: str, owner: str) -> None:
    shape = '<visual name="shape"><geometry><sphere><radius>1</radius></sphere></geometry></visual>'
    models = (
        f'<model name="{name}"><link name="{link}">{shape}</link><link name="tip"/>'
        f'<joint name="turn" type="fixed"><parent>{link}</parent><child>tip</child></joint>'
        f'<frame name="grip" attached_to="tip"/></model>'
        for name, link in (("first", "base"), ("second", "arm"))
    )
    empty = '<model name="third"><static>true</static></model>'
    model = load_model(f'<sdf version="1.9"><world name="w">{"".join(models)}{empty}</world></sdf>')
    found = nearest_owner(model, None if selected is None else model.row(selected), tag)
    assert found is not None
    assert model.names[found] == owner


def test_a_joint_is_added_where_it_can_name_both_ends() -> None:
    nested = '<model name="gripper"><link name="palm"/><link name="finger"/></model>'
    model = load_model(f'<sdf version="1.9"><model name="arm"><link name="hand"/>{nested}</model></sdf>')
    hand, palm, finger = (model.row(name) for name in ("arm::hand", "arm::gripper::palm", "arm::gripper::finger"))
    assert nearest_owner(model, palm, "joint", [hand, palm]) == model.row("arm")
    assert nearest_owner(model, palm, "joint", [finger, palm]) == model.row("arm::gripper")
    edit = insert_member(
        model, model.row("arm"), "joint", **suggest_fields(model, model.row("arm"), "joint", [hand, palm])
    )
    assert "<child>gripper::palm</child>" in edit.document.edited(edit.replacements).text


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("model://gripper", "gripper"),
        ("gripper.sdf", "gripper"),
        ("parts/gripper/model.sdf", "gripper"),
        ("package://arm/models/gripper/model-1_4.sdf", "gripper"),
        ("model.sdf", "model"),
        ("../model.sdf", "model"),
        ("models/f/", "f_1"),
    ],
)
def test_an_included_model_is_called_after_its_file(uri: str, name: str) -> None:
    model = load_model('<sdf version="1.9"><model name="m"><link name="f"/></model></sdf>')
    assert name_of_included(model, 0, uri) == name


def test_a_plugin_is_called_as_its_class_in_gazebo(model: Model) -> None:
    name = "gz::sim::systems::DiffDrive"
    edit = insert_member(model, model.row("m"), "plugin", name, filename="gz-sim-diff-drive-system")
    assert f'name="{name}"' in edit.document.edited(edit.replacements).text
    with pytest.raises(RefactoringError, match="enter a name"):
        require_free_name(model, model.row("m"), "", among_rows=False)


def test_a_joint_is_added_between_two_links(model: Model) -> None:
    with pytest.raises(RefactoringError, match="parent and a child"):
        insert_member(model, model.row("m"), "joint")
    after = edited(model, insert_member(model, model.row("m"), "link", "b"))
    after = edited(after, insert_member(after, after.row("m"), "joint", "k", parent="a", child="b"))
    assert after.joints_by_row[after.row("m::k")].type == "revolute"


@pytest.mark.parametrize(("owner", "tag", "name"), [("m", "visual", "x"), ("m", "link", "f"), ("m", "link", "world")])
def test_what_cannot_are_there_is_refused(model: Model, owner: str, tag: str, name: str) -> None:
    with pytest.raises(RefactoringError):
        insert_member(model, model.row(owner), tag, name)


@pytest.mark.parametrize("name", ["m", "m::a", "m::a::v", "m::f", "g"])
def test_a_duplicate_is_behind_its_original_and_is_equal(model: Model, name: str) -> None:
    row = model.row(name)
    edit = duplicate(model, row)
    (copy,) = edit.added
    after = edited(model, edit)
    np.testing.assert_array_equal(frame_in(after, copy).pose, model.X_RootF[row])
    assert frame_in(after, copy).kind is model.kinds[row]
    assert copy.endswith("_copy")
    assert "<!-- the only one -->" in after.document.text


def test_what_refers_to_an_element_is_listed(model: Model) -> None:
    assert [reference.name for reference in references_to(model, [model.row("m")])] == ["m", "m::f"]
    assert [reference.name for reference in references_to(model, [model.row("m::a")])] == ["a"]
    assert references_to(model, [model.row("g")]) == []


def test_removing_takes_the_line(model: Model) -> None:
    after = edited(model, remove(model, [model.row("g")]))
    assert after.document.text == TEXT.replace('    <frame name="g" attached_to="m"/>\n', "")
    with pytest.raises(RefactoringError):
        remove(model, [0])


def test_the_owner_around_the_selection_is_found_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_model(TEXT)
    monkeypatch.setattr(adding, "owners_for", None)
    for tag, row, owner in (("link", "m::a::v", "m"), ("visual", "m::a::v", "m::a"), ("visual", "m::j", "m::a")):
        found = nearest_owner(model, model.row(row), tag)
        assert found is not None
        assert model.names[found] == owner
