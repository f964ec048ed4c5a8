"""Repeat a limb around an axis and along it."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

import sdfviewer
from sdfviewer import EditableDocument

Opened: TypeAlias = Callable[[str], EditableDocument]
_ROTOR = """<sdf version="1.12">
  <model name="quad">
    <link name="base"/>
    <joint name="rotor_0_joint" type="continuous">
      <pose relative_to="base">0.2 0.1 0.05 0 0 0</pose>
      <parent>base</parent>
      <child>rotor_0</child>
      <axis>
        <xyz expressed_in="__model__">0 1 0</xyz>
      </axis>
    </joint>
    <link name="rotor_0">
      <pose relative_to="rotor_0_joint"/>
      <visual name="blade">
        <pose>0.05 0 0 0 0 0</pose>
        <geometry><box/></geometry>
      </visual>
      <sensor name="imu" type="imu"/>
    </link>
    <frame name="tip" attached_to="rotor_0">
      <pose>0.1 0 0 0 0 0</pose>
    </frame>
  </model>
</sdf>
"""
_LEGS = """<robot name="spider">
  <link name="base"/>
  <joint name="leg_joint" type="revolute">
    <origin xyz="0.1 0 0" rpy="0 0 0"/>
    <parent link="base"/>
    <child link="leg"/>
    <axis xyz="0 1 0"/>
    <limit effort="1" velocity="1"/>
  </joint>
  <link name="leg"/>
  <gazebo reference="leg">
    <sensor name="foot" type="contact"/>
  </gazebo>
</robot>
"""


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    def opened(text: str) -> EditableDocument:
        path = tmp_path / ("m.sdf" if text.startswith("<sdf") else "m.urdf")
        path.write_text(text, encoding="utf-8")
        return sdfviewer.open_document(path)

    return opened


def test_copies_share_a_full_circle_and_keep_what_is_in_them(opened: Opened) -> None:
    document = opened(_ROTOR)
    with document.edit() as edit:
        names = edit.repeat("rotor_0")
    assert names[:3] == ["rotor_1_joint", "rotor_1", "tip_1"]
    model = document.model
    for number in range(4):
        a = math.pi / 2 * number
        turned = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
        joint = model.joint(f"rotor_{number}_joint")
        assert np.allclose(joint.pose[:3, 3], turned @ (0.2, 0.1, 0.05))
        assert np.allclose(model.link(f"rotor_{number}").pose[:3, :3], turned)
        assert joint.child is not None
        assert joint.child.name == f"rotor_{number}"
        assert joint.axis is not None
        assert np.allclose(joint.pose[:3, :3] @ joint.axis.xyz, turned @ (0, 1, 0))
    copy = document.text[document.text.index('<link name="rotor_3">') :]
    assert copy.count("<pose>0.05 0 0 0 0 0</pose>") == 1
    assert '<pose relative_to="rotor_3_joint"/>' in copy


def test_copies_in_a_row_stay_parallel(opened: Opened) -> None:
    document = opened(_ROTOR)
    with document.edit() as edit:
        edit.repeat("rotor_0", 3, axis="x", distance=0.5)
    X = document.model.link("rotor_2").pose
    assert np.allclose(X[:3, 3], (1.2, 0.1, 0.05))
    assert np.allclose(X[:3, :3], np.eye(3))


def test_a_name_without_a_number_gets_one_and_so_does_what_gazebo_reads_about_it(
    opened: Opened,
) -> None:
    document = opened(_LEGS)
    with document.edit() as edit:
        assert edit.repeat("leg", 2) == ["leg_2_joint", "leg_2"]
    assert document.text.count('<gazebo reference="leg_2">') == 1
    assert '<sensor name="foot_2"' in document.text
    assert np.allclose(document.model.link("leg_2").pose[:3, 3], (-0.1, 0, 0))


def test_what_carries_the_model_is_not_repeated(opened: Opened) -> None:
    document = opened(_ROTOR)
    with pytest.raises(sdfviewer.EditError, match="carries the model"), document.edit() as edit:
        edit.repeat("base")


def test_what_has_the_number_of_the_limb_gets_that_of_the_copy(opened: Opened) -> None:
    document = opened(_ROTOR.replace(">base<", ">arm_0<").replace('"base"', '"arm_0"'))
    with document.edit() as edit:
        edit.add_link("body")
        edit.add_joint("arm_0_joint", "fixed", "body", "arm_0")
        edit.set_property(document.model, "@canonical_link", "body")
        names = edit.repeat("arm_0", 2)
    assert names == ["arm_1", "rotor_1_joint", "rotor_1", "tip_1", "arm_1_joint"]
