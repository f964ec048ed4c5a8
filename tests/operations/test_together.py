"""What is one part, by equal geometry and pose, changes together where that is wanted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sdfviewer import Box, Cylinder, EditableDocument, open_document

URDF = """\
<robot name="cart">
  <link name="base">
    <inertial>
      <origin xyz="0 0 0.05"/>
      <mass value="2"/>
      <inertia ixx="0.00333" ixy="0" ixz="0" iyy="0.00333" iyz="0" izz="0.00333"/>
    </inertial>
    <visual>
      <origin xyz="0 0 0.05"/>
      <geometry><box size="0.1 0.1 0.1"/></geometry>
    </visual>
    <collision>
      <origin xyz="0 0 0.05"/>
      <geometry><box size="0.1 0.1 0.1"/></geometry>
    </collision>
  </link>
</robot>
"""
SDF = """\
<sdf version="1.11">
  <model name="cart">
    <link name="base">
      <inertial>
        <pose>0 0 0.05 0 0 0</pose>
        <mass>2</mass>
        <inertia>
          <ixx>0.00333</ixx>
          <iyy>0.00333</iyy>
          <izz>0.00333</izz>
        </inertia>
      </inertial>
      <visual name="visual">
        <pose>0 0 0.05 0 0 0</pose>
        <geometry>
          <box>
            <size>0.1 0.1 0.1</size>
          </box>
        </geometry>
      </visual>
      <collision name="collision">
        <pose degrees="true">0 0 0.05 0 0 0</pose>
        <geometry>
          <box>
            <size>0.1 0.1 0.10</size>
          </box>
        </geometry>
      </collision>
    </link>
  </model>
</sdf>
"""


@pytest.fixture(params=["sdf", "urdf"])
def cart(request: pytest.FixtureRequest, tmp_path: Path) -> EditableDocument:
    path = tmp_path / f"cart.{request.param}"
    path.write_text(SDF if request.param == "sdf" else URDF, encoding="utf-8")
    return open_document(path)


def names(document: EditableDocument) -> tuple[str, str]:
    base = document.model.link("base")
    return base.visuals[0].scoped_name, base.collisions[0].scoped_name


def test_a_size_changes_the_other_and_the_inertial_in_one_step(cart: EditableDocument) -> None:
    visual, _ = names(cart)
    before = cart.text
    with cart.edit() as edit:
        edit.set_property(visual, "geometry/box/size", (0.2, 0.1, 0.1), together=True)
    base = cart.model.link("base")
    assert base.visuals[0].geometry == base.collisions[0].geometry == Box((0.2, 0.1, 0.1))
    assert base.inertial.mass == pytest.approx(4)  # the density stays: 2000 kg/m³
    assert base.inertial.moments == pytest.approx((4 * 0.02 / 12, 4 * 0.05 / 12, 4 * 0.05 / 12, 0, 0, 0), rel=1e-6)
    cart.undo()
    assert cart.text == before


def test_another_shape_and_another_pose_change_the_others(cart: EditableDocument) -> None:
    _, collision = names(cart)
    with cart.edit() as edit:
        edit.set_geometry(collision, Cylinder(0.1, 0.4), together=True)
        edit.set_pose(collision, xyz=(0, 0, 0.2), rpy=(0, 0, 0.5), together=True)
    base = cart.model.link("base")
    assert base.visuals[0].geometry == base.collisions[0].geometry == Cylinder(0.1, 0.4)
    assert np.allclose(base.visuals[0].pose.matrix, base.collisions[0].pose.matrix)
    assert base.inertial.mass == pytest.approx(2000 * Cylinder(0.1, 0.4).volume, rel=1e-6)
    assert base.inertial.center_of_mass == pytest.approx((0, 0, 0.2))


def test_scripts_change_only_what_they_name(cart: EditableDocument) -> None:
    visual, _ = names(cart)
    before = cart.model.link("base").inertial.mass
    with cart.edit() as edit:
        edit.set_property(visual, "geometry/box/size", (0.2, 0.1, 0.1))
    base = cart.model.link("base")
    assert base.collisions[0].geometry == Box((0.1, 0.1, 0.1))
    assert base.inertial.mass == before
    with cart.edit() as edit:  # now they differ, so they are no part any more
        edit.set_property(visual, "geometry/box/size", (0.3, 0.1, 0.1), together=True)
    assert cart.model.link("base").collisions[0].geometry == Box((0.1, 0.1, 0.1))


def test_an_inertial_of_something_else_stays(tmp_path: Path) -> None:
    path = tmp_path / "cart.sdf"
    path.write_text(SDF.replace("0.00333", "0.5"), encoding="utf-8")
    document = open_document(path)
    with document.edit() as edit:
        edit.set_property("cart::base::visual", "geometry/box/size", (0.2, 0.1, 0.1), together=True)
    base = document.model.link("base")
    assert base.collisions[0].geometry == Box((0.2, 0.1, 0.1))
    assert base.inertial.mass == 2
