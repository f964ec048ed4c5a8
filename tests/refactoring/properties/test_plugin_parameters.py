"""A parameter of a plugin is read with what it means, and written so that no other byte changes."""

from __future__ import annotations

import pytest

from sdfviewer.formats.load import load_model
from sdfviewer.model.model import Model
from sdfviewer.model.plugin_catalogue import known_plugins
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.properties.plugin_parameters import (
    find_plugin,
    plugins_of,
    set_plugin_parameter,
    values_of,
)
from sdfviewer.refactoring.renaming import rename

TEXT = """<sdf version='1.11'><model name='m'>
  <link name='base'/><link name='left'/><link name='right'/>
  <joint name='l' type='revolute'><parent>base</parent><child>left</child><axis><xyz>0 1 0</xyz></axis></joint>
  <joint name='r' type='revolute'><parent>base</parent><child>right</child><axis><xyz>0 1 0</xyz></axis></joint>
  <plugin filename='gz-sim-diff-drive-system' name='gz::sim::systems::DiffDrive'>
    <!-- wheels --><left_joint> l </left_joint>
    <right_joint>r</right_joint>
    <wheel_separtion>1</wheel_separtion>
  </plugin>
  <plugin filename='gz-sim-wheel-slip-system' name='gz::sim::systems::WheelSlip'><wheel link_name='left'/></plugin>
  <plugin filename='libmine.so' name='mine'><a b='1'><c>x</c><c>y</c></a></plugin>
</model></sdf>
"""


def changed(path: str, value: str | None, plugin: str = "DiffDrive", text: str = TEXT) -> str:
    model = load_model(text)
    edit = set_plugin_parameter(model, 0, find_plugin(model, 0, plugin), path, value)
    return model.document.edited(edit.replacements).text


def shown(model: Model, plugin: str) -> dict[str, str | None]:
    return {each.path: each.text for each in values_of(find_plugin(model, 0, plugin))}


def test_known_parameters_come_first_and_unknown_ones_keep_their_text() -> None:
    model = load_model(TEXT)
    values = shown(model, "DiffDrive")
    assert list(values)[:4] == ["left_joint", "left_joint[2]", "right_joint", "right_joint[2]"]
    assert values["left_joint"] == "l"
    assert values["wheel_radius"] is None
    assert list(values)[-1] == "wheel_separtion"
    assert shown(model, "WheelSlip")["wheel/@link_name"] == "left"
    assert shown(model, "mine") == {"a/@b": "1", "a/c[1]": "x", "a/c[2]": "y"}


@pytest.mark.parametrize(
    ("path", "value", "plugin", "before", "after"),
    [
        ("left_joint", "r", "DiffDrive", "<left_joint> l <", "<left_joint> r <"),
        ("right_joint", "l", "1", ">r</right", ">l</right"),
        ("wheel_separtion", "2", "DiffDrive", ">1</wheel_sep", ">2</wheel_sep"),
        (
            "left_joint[2]", "r", "DiffDrive",
            "</left_joint>\n", "</left_joint>\n    <left_joint>r</left_joint>\n",
        ),
        (
            "wheel_radius", "0.3", "DiffDrive",
            "</wheel_separtion>\n", "</wheel_separtion>\n    <wheel_radius>0.3</wheel_radius>\n",
        ),
        ("wheel/@link_name", "right", "WheelSlip", "link_name='left'", "link_name='right'"),
        ("a/c[2]", "z < 1", "mine", ">y<", ">z &lt; 1<"),
        ("a/@b", None, "mine", "<a b='1'>", "<a>"),
        ("wheel_separtion", None, "DiffDrive", "\n    <wheel_separtion>1</wheel_separtion>", ""),
    ],
)  # fmt: skip
def test_one_value_is_one_edit(path: str, value: str | None, plugin: str, before: str, after: str) -> None:
    assert TEXT.count(before) == 1
    assert changed(path, value, plugin) == TEXT.replace(before, after)


def test_what_is_around_a_parameter_is_written_with_it() -> None:
    text = TEXT.replace("gz-sim-diff-drive-system", "gz-sim-wind-effects-system")
    after = changed("horizontal/magnitude/time_for_rise", "3", text=text)
    assert shown(load_model(after), "DiffDrive")["horizontal/magnitude/time_for_rise"] == "3"
    assert after.replace(text[: text.index("  </plugin>")], "").count("<horizontal>\n      <magnitude>\n") == 1
    slip = changed("wheel[2]/@link_name", "right", "WheelSlip")
    assert "<wheel link_name='left'/>" in slip
    assert "<wheel link_name='right'/>" in slip


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("wheel_radius", "wide", "wheel_radius is 'wide', but must be a number"),
        ("left_joint", "ll", "there is no joint 'll'; did you mean 'l'?"),
        ("wheel_raduis", "1", "DiffDrive has no parameter 'wheel_raduis'; did you mean 'wheel_radius' or"),
        ("left_joint[4]", "l", "there are 1 <left_joint>; the next one is number 2"),
        ("a b", "1", "'a b' is no part of a path"),
    ],
)
def test_what_the_plugin_would_not_take_is_refused(path: str, value: str, message: str) -> None:
    with pytest.raises(RefactoringError) as refused:
        changed(path, value)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("named", "message"),
    [("", "has 3 such plugins"), ("DifDrive", "did you mean 'DiffDrive'?"), ("9", "has no plugin '9'")],
)
def test_a_plugin_that_is_not_there_is_refused(named: str, message: str) -> None:
    with pytest.raises(RefactoringError) as refused:
        find_plugin(load_model(TEXT), 0, named)
    assert message in str(refused.value)


def test_plugins_of_a_urdf_are_edited_in_their_extension() -> None:
    text = (
        '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/>'
        '<child link="b"/></joint><gazebo><plugin filename="libgazebo_ros_ft_sensor.so" name="p">'
        "<joint_name>j</joint_name></plugin></gazebo></robot>"
    )
    model = load_model(text)
    assert len(plugins_of(model, 0)) == 1
    after = changed("joint_name", None, "p", text)
    assert after == text.replace("<joint_name>j</joint_name>", "")


#: A text for each kind of parameter.
_TEXTS = {
    "number": "0.5",
    "integer": "2",
    "boolean": "true",
    "vector": "1 2 3",
    "pose": "1 2 3 0 0 0",
    "color": "1 0 0",
}


@pytest.mark.parametrize("library", [name for name, plugin in known_plugins().items() if plugin.named])
def test_what_names_something_is_written_by_the_form_and_followed_by_a_rename(library: str) -> None:
    known = known_plugins()[library]
    plugin = f"<plugin filename='{known.filename}' name='p'/>"
    text = TEXT[: TEXT.index("  <plugin")] + f"  {plugin}\n</model></sdf>\n"
    named = [each for each in known.parameters.values() if each.kind in ("joint", "link")]
    other = next((each for each in known.parameters.values() if each.kind in _TEXTS), None)
    for parameter in [*named, *([other] if other else [])]:
        value = {"joint": "l", "link": "base"}.get(parameter.kind) or _TEXTS[parameter.kind]
        model = load_model(text)
        edit = set_plugin_parameter(model, 0, find_plugin(model, 0, "p"), parameter.path, value)
        assert len(edit.replacements) == 1
        text = model.document.edited(edit.replacements).text
    model = load_model(text)
    assert [each.rule.name for each in model.diagnostics if "parameter" in each.rule.name] == []
    for before, after in (("l", "wheel_joint"), ("base", "body")):
        row = model.find(0, before)
        assert row is not None
        model = load_model(model.document.edited(rename(model, row, after).replacements).text)
    values = shown(model, "p")
    expected = {each.path: {"joint": "wheel_joint", "link": "body"}[each.kind] for each in named}
    assert {path: values[path] for path in expected} == expected


def test_a_name_that_the_check_accepts_is_written_without_a_fault() -> None:
    """Joints of nested models are found by their own names, which `check` knows."""
    inner = (
        "<model name='arm'><link name='x'/><link name='y'/><joint name='j' type='fixed'>"
        "<parent>x</parent><child>y</child></joint></model>"
    )
    text = TEXT.replace("  <plugin filename='gz-sim-diff", f"  {inner}<plugin filename='gz-sim-diff")
    assert "<left_joint> j </left_joint>" in changed("left_joint", "j", text=text)
    assert not [
        each for each in load_model(text.replace(" l <", " j <")).diagnostics if each.rule.name == "name-not-found"
    ]
    with pytest.raises(RefactoringError, match="there is no joint 'x'"):
        changed("left_joint", "x", text=text)
