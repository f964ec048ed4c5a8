"""Typed contents: the same record from SDFormat and from URDF, in metres, radians and kilograms."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.formats import contents
from sdfviewer.formats.load import Loader
from sdfviewer.formats.mass import resolve_inertial
from sdfviewer.model.contents import VisualContents
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.shapes.box import Box
from sdfviewer.model.shapes.capsule import Capsule
from sdfviewer.model.shapes.cone import Cone
from sdfviewer.model.shapes.cylinder import Cylinder
from sdfviewer.model.shapes.ellipsoid import Ellipsoid
from sdfviewer.model.shapes.kind import Empty
from sdfviewer.model.shapes.mesh import Mesh
from sdfviewer.model.shapes.plane import Plane
from sdfviewer.model.shapes.polyline import Polyline
from sdfviewer.model.shapes.sphere import Sphere


def load(text: str) -> Model:
    model = Loader().load(parse_document(text))
    assert model is not None
    return model


def in_link(content: str, version: str = "1.12") -> Model:
    return load(f"<sdf version='{version}'><model name='m'><link name='l'>{content}</link></model></sdf>")


def visual_of(geometry: str) -> VisualContents:
    model = in_link(f"<visual name='v'><geometry>{geometry}</geometry></visual>")
    return contents.read_visual(model, model.row("l::v"))


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("<box><size>1 2 3</size></box>", Box((1, 2, 3))),
        ("<sphere><radius>2</radius></sphere>", Sphere(2)),
        ("<cylinder><radius>2</radius><length>3</length></cylinder>", Cylinder(2, 3)),
        ("<capsule/>", Capsule(0.5, 1)),
        ("<ellipsoid><radii>1 2 3</radii></ellipsoid>", Ellipsoid((1, 2, 3))),
        ("<cone><radius>2</radius></cone>", Cone(2, 1)),
        ("<plane><normal>1 0 0</normal><size>2 3</size></plane>", Plane((1, 0, 0), (2, 3))),
        (
            "<polyline><point>0 0</point><point>1 0</point><point>0 1</point></polyline>",
            Polyline((((0, 0), (1, 0), (0, 1)),)),
        ),
        (
            "<mesh><uri>a.dae</uri><scale>1 -1 2</scale><submesh><name>arm</name><center>1</center></submesh></mesh>",
            Mesh(uri="a.dae", scale=(1, -1, 2), submesh="arm", center=True),
        ),
        ("<empty/>", Empty()),
        ("<unheard_of/>", Empty()),
    ],
)
def test_shapes(text: str, shape: object) -> None:
    assert visual_of(text).geometry == shape


def test_a_record_names_its_element_and_can_be_pickled() -> None:
    visual = visual_of("<box><size>1 2 3</size></box>")
    assert visual.geometry.element is not None
    assert visual.geometry.element.tag == "box"
    assert pickle.loads(pickle.dumps(visual)) == visual


def test_a_material() -> None:
    model = in_link(
        """<visual name='v'><geometry/><transparency>0.25</transparency><material><diffuse>1 0 0</diffuse>
        <script><uri>file://a</uri><name>Gazebo/Red</name></script>
        <pbr><metal><albedo_map>a.png</albedo_map><roughness>0.1</roughness></metal></pbr></material></visual>"""
    )
    visual = contents.read_visual(model, model.row("l::v"))
    material = visual.material
    assert material is not None
    assert (visual.transparency, material.diffuse, material.ambient) == (0.25, (1, 0, 0, 1), None)
    assert material.script is not None
    assert (material.script.name, material.script.uris) == ("Gazebo/Red", ("file://a",))
    assert material.pbr is not None
    assert (material.pbr.roughness, material.pbr.metalness, material.pbr.maps) == (0.1, 0.5, {"albedo_map": "a.png"})


def test_the_surface_and_density_of_a_collision() -> None:
    model = in_link(
        """<collision name='c'><geometry/><density>700</density><surface><friction><ode><mu>0.5</mu></ode></friction>
        <contact><collide_bitmask>0x0f</collide_bitmask><ode><kp>100</kp></ode></contact></surface></collision>"""
    )
    collision = contents.read_collision(model, model.row("l::c"))
    assert collision.density == 700
    surface = collision.surface
    assert (surface.mu, surface.mu2, surface.stiffness, surface.collide_bitmask) == (0.5, 1, 100, 15)


def test_a_surface_that_says_nothing_is_that_of_a_collision_without_one() -> None:
    model = in_link("<collision name='c'><geometry/></collision><collision name='d'><geometry/><surface/></collision>")
    plain, empty = (contents.read_collision(model, model.row(name)).surface for name in ("l::c", "l::d"))
    assert plain == empty


def test_an_inertial_that_is_written_and_one_that_is_not() -> None:
    model = in_link("<inertial><pose>1 2 3 0 0 0</pose><mass>2</mass><inertia><ixx>3</ixx></inertia></inertial>")
    inertial = contents.read_inertial(model, model.row("l"))
    assert (inertial.mass, inertial.is_written) == (2, True)
    np.testing.assert_array_equal(inertial.center_of_mass, [1, 2, 3])
    np.testing.assert_array_equal(inertial.inertia, np.diag([3, 1, 1]))
    model = in_link("")
    assert contents.read_inertial(model, model.row("l")).mass == 1
    assert not contents.read_inertial(model, model.row("l")).is_written
    urdf = load("<robot name='r'><link name='l'/></robot>")
    assert contents.read_inertial(urdf, urdf.row("l")).mass == 0


def test_inertia_in_the_axes_of_the_link() -> None:
    model = in_link(
        "<inertial><pose degrees='true'>0 0 0 0 0 90</pose>"
        "<inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz></inertia></inertial>"
    )
    inertial = contents.read_inertial(model, model.row("l"))
    np.testing.assert_allclose(inertial.inertia_in_link, np.diag([2, 1, 2.5]), atol=1e-15)


def test_automatic_inertia_is_computed_from_the_collisions() -> None:
    model = in_link(
        """<inertial auto='true'><density>2</density></inertial>
        <collision name='a'><pose>1 0 0 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry></collision>
        <collision name='b'><pose>-1 0 0 0 0 0</pose><density>6</density>
        <geometry><box><size>1 1 1</size></box></geometry></collision>"""
    )
    inertial = resolve_inertial(model, model.row("l"))
    assert inertial is not None
    assert inertial.mass == pytest.approx(8)
    np.testing.assert_allclose(inertial.center_of_mass, [-0.5, 0, 0])
    assert inertial.inertia[0, 0] == pytest.approx(8 / 6)
    assert inertial.inertia[1, 1] == pytest.approx(8 / 6 + 2 * 1.5**2 + 6 * 0.5**2)


def test_automatic_inertia_of_a_mesh_is_not_known() -> None:
    model = in_link(
        "<inertial auto='true'/><collision name='a'><geometry><mesh><uri>a.stl</uri></mesh></geometry></collision>"
    )
    assert resolve_inertial(model, model.row("l")) is None


def test_a_camera_and_a_lidar() -> None:
    model = in_link(
        """<sensor name='c' type='camera'><update_rate>30</update_rate><topic>image</topic><camera>
        <horizontal_fov>1.5</horizontal_fov><image><width>640</width></image><clip><far>10</far></clip></camera></sensor>
        <sensor name='r' type='gpu_lidar'><lidar><scan><horizontal><samples>10</samples><min_angle>-1</min_angle>
        <max_angle>1</max_angle></horizontal></scan><range><min>0.1</min><max>30</max></range></lidar></sensor>"""
    )
    camera, lidar = (contents.read_sensor(model, model.row(f"l::{name}")) for name in "cr")
    assert camera.camera is not None
    assert (camera.topic, camera.update_rate, camera.lidar) == ("image", 30, None)
    assert (camera.camera.horizontal_fov, camera.camera.width, camera.camera.height, camera.camera.far) == (
        1.5,
        640,
        240,
        10,
    )
    assert lidar.lidar is not None
    assert (lidar.lidar.horizontal.samples, lidar.lidar.horizontal.min_angle, lidar.lidar.far) == (10, -1, 30)


def test_a_world() -> None:
    model = load(
        """<sdf version='1.9'><world name='w'><gravity>0 0 -1.6</gravity><physics name='p' type='dart'>
        <max_step_size>0.01</max_step_size></physics><scene><shadows>false</shadows><sky/></scene>
        <light name='sun' type='directional'><direction>1 0 -1</direction><diffuse>1 1 0 1</diffuse></light>
        <actor name='a'><skin><filename>a.dae</filename></skin><script><trajectory id='0' type='walk'>
        <waypoint><time>1</time><pose>1 0 0 0 0 0</pose></waypoint></trajectory></script></actor>
        <plugin name='n' filename='f.so'><x>1</x></plugin></world></sdf>"""
    )
    assert contents.read_environment(model).gravity == (0, 0, -1.6)
    nothing_said = load("<sdf version='1.9'><world name='w'/></sdf>")
    assert contents.read_environment(nothing_said).gravity == (0, 0, -9.8)
    (physics,) = contents.read_physics(model)
    assert (physics.name, physics.type, physics.max_step_size) == ("p", "dart", 0.01)
    scene = contents.read_scene(model)
    assert (scene.shadows, scene.has_sky, scene.grid) == (False, True, True)
    light = contents.read_light(model, model.row("sun"))
    assert (light.type, light.direction, light.diffuse) == ("directional", (1, 0, -1), (1, 1, 0, 1))
    actor = contents.read_actor(model, model.row("a"))
    assert (actor.skin, actor.trajectories[0][0].time) == ("a.dae", 1)
    (plugin,) = contents.read_plugins(model, 0)
    assert (plugin.name, plugin.filename) == ("n", "f.so")
    assert plugin.xml == "<plugin name='n' filename='f.so'><x>1</x></plugin>"


URDF = """<robot name="r" version="1.2"><link name="a"><visual name="v"><geometry><box size="1 2 3"/></geometry>
<material name="blue"/></visual></link><link name="b"/><material name="blue"><color rgba="0 0 1 1"/></material>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="5" velocity="2" jerk="7"/><dynamics damping="3" friction="4"/></joint>
<gazebo reference="b"><sensor name="s" type="imu"/><plugin name="p" filename="f"/></gazebo>
<gazebo><frame name="f"/></gazebo></robot>"""


def test_urdf_gives_the_same_records() -> None:
    model = load(URDF)
    visual = contents.read_visual(model, model.kinds.index(Kind.VISUAL))
    assert visual.geometry == Box((1, 2, 3))
    assert visual.material is not None
    assert visual.material.diffuse == (0, 0, 1, 1)
    joint = next(joint for joint in model.joints if joint.name == "r::j")
    limits = contents.read_limits(model, joint.row, joint.axes[0])
    assert (limits.lower, limits.effort, limits.jerk, limits.acceleration) == (-1, 5, 7, math.inf)
    dynamics = contents.read_dynamics(model, joint.row, joint.axes[0])
    assert (dynamics.damping, dynamics.friction) == (3, 4)
    assert contents.read_sensor(model, model.row("b::s")).type == "imu"
    assert [plugin.name for plugin in contents.read_plugins(model, model.row("b"))] == ["p"]
