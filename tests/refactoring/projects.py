"""A project of several files that include one another, for renames that must not stop at the end of a file."""

from __future__ import annotations

from pathlib import Path

from sdfviewer.document.document import Document
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document

#: A gripper, with everything in it that somebody outside may name.
GRIPPER = """<?xml version="1.0"?>
<sdf version="1.10">
  <model name="gripper" canonical_link="palm">
    <link name="palm"><visual name="hull"><geometry><sphere><radius>1</radius></sphere></geometry></visual></link>
    <link name="finger"><pose relative_to="palm">0 0.1 0 0 0 0.3</pose></link>
    <joint name="slide" type="prismatic">
      <parent>palm</parent>
      <child>finger</child>
      <axis><xyz expressed_in="palm">0 1 0</xyz></axis>
    </joint>
    <frame name="tip" attached_to="finger"><pose>0 0 0.2 0 0.5 0</pose></frame>
  </model>
</sdf>
"""
CONFIG = """<?xml version="1.0"?>
<model><name>Gripper</name><sdf version="1.4">old.sdf</sdf><sdf version="1.10">gripper.sdf</sdf></model>
"""
#: Includes the gripper twice, once under its own name, and names nearly everything in it.
ARM = """<sdf version="1.11">
  <model name="arm" canonical_link="base">
    <link name="base"/>
    <include>
      <uri>model://gripper</uri>
      <placement_frame>tip</placement_frame>
      <pose relative_to="base">1 0 0 0 0 0</pose>
    </include>
    <include>
      <uri>model://gripper</uri>
      <name>left</name>
      <pose relative_to="gripper::tip">0 0 1 0 0 0</pose>
    </include>
    <frame name="near" attached_to="left::finger"><pose relative_to="gripper::slide"/></frame>
    <joint name="mount" type="revolute">
      <parent>base</parent>
      <child>gripper::palm</child>
      <axis>
        <xyz expressed_in="left::tip">0 0 1</xyz>
        <mimic joint="left::slide" axis="axis">
          <multiplier>2</multiplier><offset>0</offset><reference>0</reference>
        </mimic>
      </axis>
    </joint>
    <joint name="hold" type="fixed"><parent>left::palm</parent><child>gripper::finger</child></joint>
  </model>
</sdf>
"""
#: The gripper's members are members of this model.
HAND = """<sdf version="1.10">
  <model name="hand" canonical_link="palm">
    <include merge="true">
      <uri>../gripper/gripper.sdf</uri>
      <placement_frame>palm</placement_frame>
      <pose>0 0 2 0 0 0</pose>
    </include>
    <link name="pad"><pose relative_to="tip">0 0 0.01 0 0 0</pose></link>
    <joint name="glue" type="fixed"><parent>finger</parent><child>pad</child></joint>
    <frame name="origin" attached_to="_merged__gripper__model__"/>
  </model>
</sdf>
"""
#: Two levels up, with a state, and a change of what is below.
WORLD = """<sdf version="1.10">
  <world name="shop">
    <include>
      <uri>model://arm/model.sdf</uri>
      <pose>0 0 1 0 0 0</pose>
      <placement_frame>gripper::tip</placement_frame>
    </include>
    <include>
      <uri>model://gripper</uri>
      <name>spare</name>
      <experimental:params xmlns:experimental="http://sdformat.org/schemas/experimental">
        <visual element_id="palm::hull"><transparency action="add">0.5</transparency></visual>
        <link element_id="finger"><enable_wind action="add">true</enable_wind></link>
        <link element_id="palm" action="modify">
          <visual name="hull"><geometry><sphere><radius>2</radius></sphere></geometry></visual>
        </link>
      </experimental:params>
    </include>
    <include><uri>model://hand</uri></include>
    <frame name="work" attached_to="arm::left::tip"/>
    <frame name="rest" attached_to="hand::finger"><pose relative_to="spare::finger">1 0 0 0 0 0</pose></frame>
    <state world_name="shop">
      <model name="arm"><model name="gripper"><link name="palm"><pose>0 0 0 0 0 0</pose></link></model></model>
      <model name="spare"><link name="finger"><pose>0 0 0 0 0 0</pose></link></model>
    </state>
  </world>
</sdf>
"""


def write_project(folder: Path) -> dict[str, Path]:
    """Write the project and return its files by name: one in UTF-16, one with CRLF, one with a BOM."""
    texts = {
        "gripper": ("models/gripper/gripper.sdf", GRIPPER, "utf-8"),
        "arm": ("models/arm/model.sdf", ARM.replace("\n", "\r\n"), "utf-8-sig"),
        "hand": ("models/hand/model.sdf", HAND, "utf-16"),
        "world": ("worlds/shop.world", WORLD.replace("\n", "\r\n"), "utf-8"),
    }
    files: dict[str, Path] = {}
    for name, (place, text, encoding) in texts.items():
        files[name] = folder / place
        files[name].parent.mkdir(parents=True, exist_ok=True)
        files[name].write_bytes(text.encode(encoding))
        if name not in ("gripper", "world"):
            config = CONFIG.replace("gripper.sdf", "model.sdf")
            files[name].with_name("model.config").write_text(config, encoding="utf-8")
    files["gripper"].with_name("model.config").write_text(CONFIG, encoding="utf-8")
    return files


def make_finder(folder: Path) -> Finder:
    """Return a finder of the project's models."""
    return Finder([folder / "models"], {}, folder)


def open_all(files: dict[str, Path]) -> dict[str, Document]:
    return {name: open_document(path) for name, path in files.items()}
