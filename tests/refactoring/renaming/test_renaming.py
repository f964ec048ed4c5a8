"""A rename reaches what names things beside the frame graphs: states, grippers, contact sensors."""

from __future__ import annotations

import re

import pytest

from sdfviewer.document.element import Element
from sdfviewer.formats.load import load_model
from sdfviewer.refactoring.adding import duplicate, insert_member
from sdfviewer.refactoring.removal import remove
from sdfviewer.refactoring.renaming import plugin_lines, rename

TEXT = """<sdf version="1.9">
  <world name="shop">
    <model name="hand">
      <link name="palm">
        <collision name="hull"><geometry><sphere><radius>1</radius></sphere></geometry></collision>
        <sensor name="skin" type="contact"><contact><collision>hull</collision></contact></sensor>
      </link>
      <link name="thumb"/>
      <joint name="bend" type="revolute"><parent>palm</parent><child>thumb</child><axis><xyz>0 0 1</xyz></axis></joint>
      <gripper name="grip"><gripper_link>thumb</gripper_link><palm_link>palm</palm_link></gripper>
      <model name="ring"><link name="stone"/></model>
    </model>
    <light name="lamp" type="point"/>
    <plugin name="p" filename="f">
      <joint_name> bend </joint_name>
      <link>hand::thumb</link>
    </plugin>
    <state world_name="shop">
      <model name="hand">
        <joint name="bend"><angle axis="0">0.1</angle></joint>
        <link name="thumb"><pose>0 0 0 0 0 0</pose></link>
        <model name="ring"><link name="stone"><pose>0 0 0 0 0 0</pose></link></model>
      </model>
      <light name="lamp"><pose>0 0 1 0 0 0</pose></light>
    </state>
  </world>
</sdf>
"""


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("hand", 2),
        ("hand::palm", 3),
        ("hand::palm::hull", 2),
        ("hand::thumb", 4),
        ("hand::bend", 2),
        ("hand::ring", 2),
        ("hand::ring::stone", 2),
        ("lamp", 2),
        ("world", 2),
    ],
)
def test_everything_that_names_it_changes(name: str, places: int) -> None:
    model = load_model(TEXT)
    row = model.row(name)
    edit = rename(model, row, "new")
    old = "shop" if name == "world" else model.local_names[row]
    after = model.document.edited(edit.replacements)
    plugin = TEXT[TEXT.index("<plugin") : TEXT.index("</plugin>")]
    assert after.text == re.sub(rf"\b{old}\b", "new", TEXT).replace(re.sub(rf"\b{old}\b", "new", plugin), plugin)
    assert after.text.count("new") == places
    assert edit.renamed[:1] == (() if name == "world" else ((name, name[: -len(old)] + "new"),))
    assert rename(model, row, old).replacements == ()


def test_only_plugins_are_searched_for_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []
    descendants = Element.descendants
    monkeypatch.setattr(Element, "descendants", lambda self: (searched.append(self.tag), descendants(self))[1])
    model = load_model(TEXT.replace("<plugin", "<!-- <plugin/> --><plugin", 1))
    searched.clear()
    assert plugin_lines(model, model.row("hand::bend"))
    assert set(searched) == {"plugin"}


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("a::link", "Rename a::link to new"),
        ("a::link::visual", "Rename a::link::visual to new"),
        ("a::link::only", "Rename only to new"),
        ("a", "Rename a to new"),
        ("world", "Rename w to new"),
    ],
)
def test_a_step_says_which_of_several_things_of_one_name_is_renamed(name: str, label: str) -> None:
    link = '<link name="link"><visual name="visual"><geometry><empty/></geometry></visual>{}</link>'
    more = '<visual name="only"><geometry><empty/></geometry></visual>'
    model = load_model(
        f'<sdf version="1.9"><world name="w"><model name="a">{link.format(more)}</model>'
        f'<model name="b">{link.format("")}</model></world></sdf>'
    )
    row = model.row(name)
    assert rename(model, row, "new").label == label
    if row:
        assert remove(model, [row]).label == label.removesuffix(" to new").replace("Rename", "Remove")
        assert duplicate(model, row).label == label.removesuffix(" to new").replace("Rename", "Duplicate")


def test_a_step_says_to_what_something_is_added() -> None:
    link = '<link name="link"/>'
    model = load_model(
        f'<sdf version="1.9"><world name="w"><model name="a">{link}</model><model name="b">{link}</model></world></sdf>'
    )
    assert insert_member(model, model.row("b::link"), "visual", "lid").label == "Add visual lid to b::link"
    assert insert_member(model, model.row("b"), "frame", "tip").label == "Add frame tip to b"
    assert insert_member(model, 0, "light", "sun").label == "Add light sun"


def test_plugins_that_say_the_name_are_reported_and_left() -> None:
    model = load_model(TEXT)
    lines = TEXT.splitlines()
    for name, count in (("hand::bend", 1), ("hand::thumb", 1), ("hand", 1), ("hand::palm", 0)):
        found = plugin_lines(model, model.row(name))
        assert len(found) == count
        assert all(model.local_names[model.row(name)] in lines[line - 1] for line in found)
