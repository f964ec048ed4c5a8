"""A rename reaches what names things beside the frame graphs: states, grippers, contact sensors."""

from __future__ import annotations

import re

import pytest

from sdfviewer.document.element import Element
from sdfviewer.formats.load import load_model
from sdfviewer.refactoring.renaming.rename import plugin_lines, rename

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


def test_plugins_that_say_the_name_are_reported_and_left() -> None:
    model = load_model(TEXT)
    lines = TEXT.splitlines()
    for name, count in (("hand::bend", 1), ("hand::thumb", 1), ("hand", 1), ("hand::palm", 0)):
        found = plugin_lines(model, model.row(name))
        assert len(found) == count
        assert all(model.local_names[model.row(name)] in lines[line - 1] for line in found)
