"""The examples of "Composition" (legacy behavior, SDFormat 1.4 and 1.5), in the order of the document."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sdfviewer
from sdfviewer.formats.load import load_model
from sdfviewer.model.model import Model
from tests.frames import frame_in

SPHERE = """<?xml version="1.0" ?>
<sdf version="1.5">
  <model name="sphere">
    <link name="body">
      <visual name="v1">
        <geometry>
          <sphere>
            <radius>0.1</radius>
          </sphere>
        </geometry>
      </visual>
    </link>
  </model>
</sdf>
"""
CHILD = """<?xml version="1.0" ?>
<sdf version="1.5">
  <model name="ChildModel">
    <link name="L1">
      <pose>0 1 0 0 0 0</pose>
      <visual name="v1">
        <geometry>
          <sphere>
            <radius>0.1</radius>
          </sphere>
        </geometry>
      </visual>
    </link>
    <link name="L2"/>
    <joint name="J1" type="revolute">
      <parent>L1</parent>
      <child>L2</child>
    </joint>
  </model>
</sdf>
"""
CONFIG = """<?xml version="1.0" ?>
<model>
  <sdf version="1.5">model.sdf</sdf>
</model>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Model folders as the document lays them out."""
    for name, text in (("sphere", SPHERE), ("ChildModel", CHILD)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.config").write_text(CONFIG, encoding="utf-8")
        (tmp_path / name / "model.sdf").write_text(text, encoding="utf-8")
    return tmp_path


def load(folder: Path, xml: str, version: str = "1.5") -> Model:
    """Return the model of a file in a folder; nothing is wrong with it."""
    path = folder / "file.sdf"
    path.write_text(f'<sdf version="{version}">{xml}</sdf>', encoding="utf-8")
    model = load_model(path)
    assert [diagnostic.message for diagnostic in model.diagnostics if diagnostic.is_error] == []
    return model


def position(model: Model, name: str) -> list[float]:
    return frame_in(model, name).pose[:3, 3].tolist()


def test_models_directly_inside_models(folder: Path) -> None:
    model = load(
        folder,
        '<model name="Pm"><link name="body"/>'
        '<model name="sphere"><pose>0 0 0.5 0 0 0</pose><link name="body"/></model></model>',
    )
    assert model.names == ["Pm", "Pm::body", "Pm::sphere", "Pm::sphere::body"]
    assert position(model, "Pm::sphere::body") == [0, 0, 0.5]


def test_models_in_separate_files(folder: Path) -> None:
    model = load(
        folder,
        '<model name="Pm">'
        "<include><uri>sphere</uri><pose>0 0 0.5 0 0 0</pose></include>"
        "<include><uri>sphere</uri><name>sphere1</name><pose>0 0 1 0 0 0</pose></include>"
        "<include><uri>sphere</uri><name>sphere2</name><pose>1 0 1 0 0 0</pose></include></model>",
    )
    poses = {"sphere": [0, 0, 0.5], "sphere1": [0, 0, 1], "sphere2": [1, 0, 1]}
    assert {name: position(model, f"{name}::body") for name in poses} == poses


#: What libsdformat 9.2 made of a model that includes ChildModel.
FLATTENED = """<world name="w"><model name="ParentModel">
  <frame name="ChildModel::__model__" attached_to="ChildModel::L1">
    <pose relative_to="__model__">1 0 1 0 0 0</pose>
  </frame>
  <link name="ChildModel::L1">
    <pose relative_to="ChildModel::__model__">0 1 0 0 0 0</pose>
  </link>
  <link name="ChildModel::L2">
    <pose relative_to="ChildModel::__model__">0 0 0 0 0 0</pose>
  </link>
  <joint name="ChildModel::J1" type="revolute">
    <parent>ChildModel::L1</parent>
    <child>ChildModel::L2</child>
  </joint>
</model></world>"""


def test_flattened_and_nested_are_the_same(folder: Path) -> None:
    include = "<include><uri>ChildModel</uri><pose>1 0 1 0 0 0</pose></include>"
    nested = load(folder, f'<world name="w"><model name="ParentModel">{include}</model></world>', "1.8")
    flattened = load(folder, FLATTENED, "1.7")
    prefix = "ParentModel::ChildModel"
    for name in (prefix, f"{prefix}::L1", f"{prefix}::L2", f"{prefix}::J1"):
        np.testing.assert_allclose(frame_in(flattened, name).pose, frame_in(nested, name).pose)
        assert frame_in(flattened, name).body.name == frame_in(nested, name).body.name  # type: ignore[union-attr]
    assert frame_in(flattened, prefix).kind == "model"


def test_names_with_two_colons_stay_in_a_model_file(folder: Path) -> None:
    """Only models in worlds are taken to be flattened."""
    inner = FLATTENED.removeprefix('<world name="w">').removesuffix("</world>")
    model = load(folder, inner, "1.7")
    assert frame_in(model, "ParentModel::ChildModel::L2").body.name == "ParentModel::ChildModel::L2"  # type: ignore[union-attr]
    assert frame_in(model, "ParentModel::ChildModel::__model__").kind == "frame"


def test_pose_and_nested_models(folder: Path) -> None:
    model = load(
        folder,
        '<model name="Pm"><include><uri>sphere</uri><pose>0 0 0.5 0 0 0</pose><name>sphere</name></include>'
        '<model name="M1"><pose>0 1 0 0 0 0</pose><link name="L1"><pose>1 0 0 0 0 0</pose></link></model></model>',
    )
    assert position(model, "sphere") == [0, 0, 0.5]
    assert position(model, "M1::L1") == [1, 1, 0]


def test_joints_and_nested_models(folder: Path) -> None:
    model = load(
        folder,
        '<model name="spheres"><link name="body"/>'
        "<include><uri>sphere</uri><pose>0 0 0.5 0 0 0</pose><name>sphere</name></include>"
        "<joint name='j1' type='fixed'><parent>body</parent><child>sphere::body</child></joint></model>",
    )
    assert frame_in(model, "j1").body.name == "spheres::sphere::body"  # type: ignore[union-attr]


def test_a_joint_between_two_nested_models(folder: Path) -> None:
    model = load(
        folder,
        '<model name="spheres">'
        "<include><uri>sphere</uri><pose>0 0 0.5 0 0 0</pose><name>sphere1</name></include>"
        "<include><uri>sphere</uri><pose>1 0 0.5 0 0 0</pose><name>sphere2</name></include>"
        "<joint name='j1' type='fixed'><parent>sphere1::body</parent><child>sphere2::body</child></joint></model>",
    )
    joint = model.joints[0]
    assert model.names[joint.parent] == "spheres::sphere1::body"
    assert model.names[joint.child] == "spheres::sphere2::body"


def test_include_in_a_world(folder: Path) -> None:
    model = load(
        folder,
        '<world name="W">'
        "<include><uri>sphere</uri><pose>0 0 0.5 0 0 0</pose></include>"
        "<include><uri>sphere</uri><name>sphere1</name><pose>0 0 1 0 0 0</pose></include>"
        "<include><uri>sphere</uri><name>sphere2</name><pose>1 0 1 0 0 0</pose></include></world>",
    )
    assert [name for name in model.names if "::" not in name] == ["world", "sphere", "sphere1", "sphere2"]
    assert position(model, "sphere2::body") == [1, 0, 1]


def test_a_plugin_of_an_include_is_added_to_the_model(folder: Path) -> None:
    path = folder / "top.sdf"
    plugin = '<plugin name="p" filename="f"/>'
    include = f"<include><uri>sphere</uri>{plugin}</include>"
    path.write_text(f'<sdf version="1.5"><model name="Pm"><link name="l"/>{include}</model></sdf>', encoding="utf-8")
    standalone = sdfviewer.load(sdfviewer.load(path).convert("standalone"))
    assert [each.name for each in standalone.model("sphere").plugins] == ["p"]
