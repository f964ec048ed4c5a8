"""The properties of a URDF are those that it has, with the values that it writes."""

from __future__ import annotations

from sdfviewer.formats.load import load_model
from sdfviewer.refactoring.properties.property_values import default_of, specs_of, written_property

URDF = """<robot name="r">
  <link name="base">
    <inertial>
      <origin xyz="0 0 0.5"/>
      <mass value="5.5"/>
      <inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <visual><geometry><box size="1 2 3"/></geometry><material name="red"><color rgba="1 0 0 1"/></material></visual>
    <collision><geometry><mesh filename="a.stl"/></geometry></collision>
  </link>
  <link name="arm"/>
  <joint name="hinge" type="revolute">
    <parent link="base"/>
    <child link="arm"/>
    <limit lower="-1" upper="1" effort="5" velocity="2"/>
  </joint>
  <gazebo reference="arm"><sensor name="eye" type="camera"><update_rate>30</update_rate></sensor></gazebo>
</robot>
"""


def written(name: str) -> dict[str, str | None]:
    model = load_model(URDF)
    row = model.row(name)
    return {spec.path: written_property(model, row, spec.path) for spec in specs_of(model, row)}


def test_a_link_has_the_inertia_that_is_written_and_no_property_of_sdformat_alone() -> None:
    values = written("r::base")
    assert values["inertial/mass"] == "5.5"
    assert values["inertial/pose"] == "0 0 0.5 0 0 0"
    assert values["inertial/inertia/izz"] == "2.5"
    assert not {"inertial@auto", "inertial/density", "gravity", "kinematic"} & set(values)


def test_nothing_counts_as_written_where_a_link_has_no_inertia() -> None:
    model = load_model(URDF)
    row = model.row("r::arm")
    assert written_property(model, row, "inertial/mass") is None
    assert default_of(model, row, "inertial/mass") == ""


def test_a_joint_has_its_ends_its_limits_and_the_default_axis_of_urdf() -> None:
    values = written("r::hinge")
    assert (values["parent"], values["child"], values["axis/limit/upper"]) == ("base", "arm", "1")
    model = load_model(URDF)
    assert default_of(model, model.row("r::hinge"), "axis/xyz") == "1 0 0"


def test_a_shape_has_the_sizes_of_urdf() -> None:
    model = load_model(URDF)
    visual, collision = (
        next(name for name, kind in zip(model.names, model.kinds, strict=True) if kind.value == word)
        for word in ("visual", "collision")
    )
    assert written(visual)["geometry/box/size"] == "1 2 3"
    assert written(visual)["material/diffuse"] == "1 0 0 1"
    assert written(collision) == {"geometry/mesh/uri": "a.stl", "geometry/mesh/scale": None}


def test_what_a_gazebo_extension_holds_is_sdformat() -> None:
    model = load_model(URDF)
    name = next(name for name in model.names if name.endswith("eye"))
    assert written(name)["update_rate"] == "30"
