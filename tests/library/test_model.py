"""Models: names, handles, motion, mass, and kindness to the host."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import sdfviewer
from sdfviewer.export.conversion import OPTIONS
from sdfviewer.formats.load import load_model

NESTED = """<sdf version='1.9'><model name='top'>
<link name='base'><inertial><pose>0 0 1 0 0 0</pose><mass>2</mass></inertial>
<visual name='v'><geometry><mesh><uri>model://none/a.dae</uri></mesh></geometry></visual></link>
<model name='left'><pose>1 0 0 0 0 0</pose><link name='hand'/><link name='thumb'/></model>
<model name='right'><pose>-1 0 0 0 0 0</pose><link name='hand'/><frame name='tip' attached_to='hand'/></model>
<joint name='swing' type='revolute'><pose relative_to='base'>0 0 0 0 0 0</pose><parent>base</parent>
<child>left::hand</child><axis><xyz>0 0 2</xyz><limit><lower>-1</lower><upper>2</upper></limit>
<dynamics><damping>3</damping></dynamics></axis></joint>
<joint name='weld' type='fixed'><parent>world</parent><child>base</child></joint>
<plugin name='p' filename='f.so'><speed>1</speed></plugin></model></sdf>"""


@pytest.fixture
def model() -> sdfviewer.Model:
    return sdfviewer.load(NESTED)


def test_members_are_those_of_nested_models_too(model: sdfviewer.Model) -> None:
    assert model.link_names == ("base", "left::hand", "left::thumb", "right::hand")
    assert [nested.name for nested in model.models] == ["left", "right"]
    assert model.model("left").link_names == ("left::hand", "left::thumb")
    assert model.model("left").link("hand") == model.link("left::hand")
    assert model.frame_names == ("right::tip",)
    assert (model.plugins[0].name, "<speed>" in model.plugins[0].xml) == ("p", True)


@pytest.mark.parametrize("name", ["top::left::thumb", "left::thumb", "thumb"])
def test_a_thing_is_found_by_its_long_and_short_names(model: sdfviewer.Model, name: str) -> None:
    assert model.link(name).scoped_name == "top::left::thumb"
    assert model[name].local_name == "thumb"
    assert name in model


def test_an_ambiguous_name_lists_the_choices(model: sdfviewer.Model) -> None:
    with pytest.raises(sdfviewer.AmbiguousNameError, match="'left::hand', 'right::hand'"):
        model.link("hand")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda m: m.link("thmb"), "did you mean 'thumb'"),
        (lambda m: m.joint("base"), "'base' is a link, not a joint"),
        (lambda m: m.link(3), "not by 3"),
        (lambda m: m.poses({"weld": 1}), "'weld' is fixed: it does not move"),
        (lambda m: m.poses({"swng": 1}), "no joint 'swng'; did you mean 'swing'"),
    ],
)
def test_a_wrong_name_is_an_error_that_helps(model: sdfviewer.Model, ask, message: str) -> None:
    with pytest.raises(sdfviewer.UnknownNameError, match=message):
        ask(model)


@pytest.mark.parametrize(
    "q", [[1, 2], {"swing": [1, 2, 3.5, float("nan")]}, {"swing": "fast"}, {"swing": float("inf")}, 1.0]
)
def test_wrong_positions_are_refused(model: sdfviewer.Model, q) -> None:
    with pytest.raises(sdfviewer.InvalidValueError):
        model.poses(q)


def test_a_joint_and_its_axis(model: sdfviewer.Model) -> None:
    joint = model.joint("swing")
    assert (joint.type, joint.parent_name, joint.child_name) == ("revolute", "base", "left::hand")
    assert joint.axis is not None
    np.testing.assert_array_equal(joint.axis.xyz, [0, 0, 1])
    assert (joint.limits.lower, joint.limits.upper, joint.dynamics.damping) == (-1, 2, 3)
    assert joint.mimic is None
    assert model.joint("weld").parent is None
    assert model.joint("weld").parent_name == "world"
    assert model.joint("weld").axis is None


def test_poses_by_name_in_batches_and_in_other_frames(model: sdfviewer.Model) -> None:
    angles = np.array([0.0, np.pi / 2])
    poses = model.poses({"swing": angles})
    np.testing.assert_allclose(poses["left::hand"][:, :3, 3], [[1, 0, 0], [0, 1, 0]], atol=1e-15)
    np.testing.assert_array_equal(model.poses(angles[:, np.newaxis]).array, poses.array)
    turned = model.poses({"swing": np.pi / 2}, relative_to="left::hand")
    np.testing.assert_allclose(turned["base"][:3, 3], [-1, 0, 0], atol=1e-15)
    np.testing.assert_array_equal(
        model.link("thumb").resolve_pose("base", {"swing": 0.3}), model.resolve_pose("thumb", "base", {"swing": 0.3})
    )


def test_the_jacobian_is_the_derivative_of_the_poses(examples: Path) -> None:
    arm = sdfviewer.load(examples / "arm.sdf")
    generator = np.random.default_rng(7)
    q, h = generator.normal(size=(2, len(arm.independent_dofs))), 1e-6
    followers = [column for column, dof in enumerate(arm.dofs) if dof.leader is not None]
    for frame in ("grasp", "left_finger", "base"):
        J = arm.jacobian(frame, q)
        assert not J[..., followers].any()
        for number, dof in enumerate(arm.independent_dofs):
            column = arm.dof_names.index(dof.name)
            step = np.zeros(len(arm.independent_dofs))
            step[number] = h
            after, before = arm.poses(q + step)[frame], arm.poses(q - step)[frame]
            speed = (after - before) / (2 * h)
            spin = speed[:, :3, :3] @ np.swapaxes(arm.poses(q)[frame][:, :3, :3], 1, 2)
            np.testing.assert_allclose(J[:, 3:, column], speed[:, :3, 3], atol=1e-7)
            np.testing.assert_allclose(J[:, :3, column], spin[:, (2, 0, 1), (1, 2, 0)], atol=1e-7)


def test_mass_centre_and_inertia(model: sdfviewer.Model) -> None:
    assert model.mass == 5
    assert model.model("left").mass == 2
    np.testing.assert_allclose(model.center_of_mass(), [0.2, 0, 0.4])  # 2 kg at (0 0 1), and 1, 1 and -1 along x
    np.testing.assert_allclose(model.center_of_mass({"swing": [0, np.pi / 2]})[1], [0, 0.2, 0.4], atol=1e-15)
    np.testing.assert_allclose(model.center_of_mass(relative_to="right::hand"), [1.2, 0, 0.4])
    about_x = 4 + 2 * 0.6**2 + 3 * 0.4**2
    assert model.inertia()[0, 0] == pytest.approx(about_x)
    np.testing.assert_allclose(model.inertia({"swing": 0.3}), model.inertia({"swing": 0.3}).T, atol=1e-12)


def test_a_joint_may_move_the_model_frame_but_not_the_root() -> None:
    model = sdfviewer.load(
        """<sdf version='1.9'><model name='m'><link name='l'><inertial><pose>1 0 0 0 0 0</pose></inertial></link>
        <joint name='j' type='revolute'><parent>world</parent><child>l</child><axis><xyz>0 0 1</xyz></axis></joint>
        </model></sdf>"""
    )
    np.testing.assert_allclose(model.center_of_mass({"j": np.pi / 2}), [0, 1, 0], atol=1e-15)
    np.testing.assert_allclose(model.center_of_mass({"j": np.pi / 2}, relative_to="__model__"), [1, 0, 0], atol=1e-15)
    np.testing.assert_allclose(model.link("l").resolve_pose(q={"j": np.pi / 2})[:2, 0], [0, 1], atol=1e-15)


def test_a_centre_of_mass_needs_mass() -> None:
    with pytest.raises(sdfviewer.UnresolvedPoseError, match="no mass"):
        sdfviewer.load("<robot name='r'><link name='l'/></robot>").center_of_mass()


def test_graphs_hold_the_names(model: sdfviewer.Model) -> None:
    kinematic = model.graph("kinematic")
    assert set(kinematic.edges) == {("world", "base"), ("base", "left::hand")}
    assert kinematic.edges["base", "left::hand"]["joint"] == "swing"
    relative_to = model.graph("relative_to")
    assert relative_to.edges["swing", "base"]["written"]
    assert not relative_to.edges["base", "top"]["written"]
    with pytest.raises(sdfviewer.InvalidValueError, match="attached_to"):
        model.graph("relativ_to")  # type: ignore[arg-type]


def test_files_that_are_not_there(model: sdfviewer.Model) -> None:
    (mesh,) = model.meshes
    assert (mesh.uri, mesh.is_found, mesh.users) == ("model://none/a.dae", False, ("base::v",))
    assert mesh.tried
    assert mesh.location.line == 3
    assert [each.kind for each in model.resources] == ["mesh", "plugin"]


@pytest.mark.parametrize("uri", ["../a.stl", "package://robot/a.stl"])
def test_a_mesh_knows_its_file(tmp_path: Path, uri: str) -> None:
    (tmp_path / "a.stl").write_bytes(b"")
    path = tmp_path / "sdf" / "m.sdf"
    path.parent.mkdir()
    path.write_text(NESTED.replace("model://none/a.dae", uri), encoding="utf-8")
    geometry = sdfviewer.load(path).visual("base::v").geometry
    assert isinstance(geometry, sdfviewer.Mesh)
    assert geometry.path is not None
    assert geometry.path.resolve() == (tmp_path / "a.stl").resolve()


def test_a_link_has_its_own_parts_by_kind() -> None:
    parts = {"visuals": "visual", "collisions": "collision", "sensors": "sensor", "lights": "light"}
    written = "".join(f"<{tag} name='a_{tag}'/>" for tag in parts.values())
    model = sdfviewer.load(
        f"<sdf version='1.9'><model name='m'><link name='l'>{written}</link><link name='other'>"
        f"{written}</link></model></sdf>"
    )
    for name, tag in parts.items():
        assert [each.name for each in getattr(model.link("l"), name)] == [f"l::a_{tag}"]


def test_a_world(examples: Path) -> None:
    world = sdfviewer.load(examples / "world_frames.sdf")
    assert isinstance(world, sdfviewer.World)
    assert world.is_world
    assert world.gravity.shape == (3,)
    assert world.physics.max_step_size > 0
    assert isinstance(world.scene, sdfviewer.SceneSettings)
    assert world.models[0].links


def test_models_are_pickled_and_copied(model: sdfviewer.Model) -> None:
    for other in (pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model)):
        assert repr(other) == repr(model)
        np.testing.assert_array_equal(other.poses({"swing": 0.1}).array, model.poses({"swing": 0.1}).array)
        assert other.link("base").visuals[0].geometry == model.link("base").visuals[0].geometry
        assert other.meshes == model.meshes


def test_problems_are_pickled_with_their_fixes(examples: Path) -> None:
    model = sdfviewer.load(examples / "relative_to_cycle.sdf")
    other = pickle.loads(pickle.dumps(model))
    assert [each.message for each in other.diagnostics] == [each.message for each in model.diagnostics]
    assert other.diagnostics[0].rule is model.diagnostics[0].rule
    assert list(other.diagnostics[0].fixes) == list(model.diagnostics[0].fixes)


def test_several_threads_read_one_model(examples: Path) -> None:
    model = sdfviewer.load(examples / "arm.sdf")

    def read(number: int) -> tuple[float, float]:
        return model.mass, float(model.poses({"joint_1": number / 10})["grasp"][0, 3])

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(read, [1, 2, 3] * 16))
    assert len(set(found)) == 3


@pytest.mark.parametrize(
    ("guess", "right"),
    [
        ("evalBodyPoseInWorld", "model.poses"),
        ("nbody", "len\\(model.links\\)"),
        ("position_lower_limits", "model.lower_limits"),
        ("linkz", "link"),
    ],
)
def test_names_of_other_libraries_lead_to_the_right_one(model: sdfviewer.Model, guess: str, right: str) -> None:
    with pytest.raises(AttributeError, match=right):
        getattr(model, guess)


def test_conversions_say_what_is_lost(model: sdfviewer.Model) -> None:
    urdf = model.to_urdf()
    assert sdfviewer.load(urdf).format == "urdf"
    assert sdfviewer.load(model.to_sdformat("1.12")).version == "1.12"
    assert "::" not in str(sdfviewer.load(model.convert("flat")).link_names)
    with pytest.raises(sdfviewer.SdfViewerError, match="did you mean 'flat'"):
        model.convert("flatt")
    with pytest.raises(sdfviewer.SdfViewerError, match=r"use 1\.4"):
        model.to_sdformat("2.0")


def test_conversions_take_every_option_by_its_name(model: sdfviewer.Model, tmp_path: Path) -> None:
    usual = {name: option.parameter.default for name, option in OPTIONS.items()}
    assert model.convert("urdf", **usual) == model.convert("urdf") == model.to_urdf()
    assert 'version="1.2"' in model.convert("urdf", urdf_version="1.2")
    model.save_bundle(tmp_path / "b", "urdf", urdf_version="1.2", skip_missing=True)
    assert 'version="1.2"' in next((tmp_path / "b").glob("*.urdf")).read_text(encoding="utf-8")
    with pytest.raises(sdfviewer.InvalidValueError, match="did you mean 'merge_fixed'"):
        model.convert("1.9", merge_fixd=True)
    with pytest.raises(sdfviewer.InvalidValueError, match=r"must be '1\.0'"):
        model.save_bundle(tmp_path / "c", "urdf", urdf_version="2.0", skip_missing=True)


def test_mujoco_and_bundles(examples: Path, tmp_path: Path) -> None:
    arm = sdfviewer.load(examples / "arm.sdf")
    assert arm.to_mjcf().startswith('<?xml version="1.0"?>\n<mujoco model="arm">')
    for target, name in (("sdformat", "arm.sdf"), ("1.11", "arm.sdf"), ("urdf", "arm.urdf"), ("mjcf", "arm.xml")):
        arm.save_bundle(tmp_path / target, target)
        assert (tmp_path / target / name).is_file()
    assert sdfviewer.load(tmp_path / "sdformat" / "arm.sdf").mass == pytest.approx(arm.mass)
    with pytest.raises(sdfviewer.SdfViewerError, match="not empty"):
        arm.save_bundle(tmp_path / "urdf", "urdf")
    with pytest.raises(sdfviewer.SdfViewerError, match="must be one of: relative"):
        arm.save_bundle(tmp_path / "other", uris="near")


def test_a_bundle_returns_what_is_lost_on_the_way(tmp_path: Path) -> None:
    link = '<link name="a"><inertial auto="true"/></link>'
    file = tmp_path / "new.sdf"
    file.write_text(f'<sdf version="1.12">\n<model name="m" namespace="n">{link}</model></sdf>', encoding="utf-8")
    notes = sdfviewer.load(file).save_bundle(tmp_path / "bundle", "1.8")
    assert f"{file}:2: 'namespace' of <model> is new in SDFormat 1.11; left out" in notes
    robot = tmp_path / "r.urdf"
    robot.write_text('<robot name="r"><link name="a"/></robot>', encoding="utf-8")
    notes = sdfviewer.load(robot).save_bundle(tmp_path / "robot")
    converted = sdfviewer.load(robot).to_sdformat()
    assert notes == (*converted.losses, *converted.notes)
    assert "link 'a' has no mass" in "".join(notes)


def test_the_model_is_what_the_window_shows(examples: Path) -> None:
    for path in sorted(examples.glob("*.sdf")):
        model, table = sdfviewer.load(path), load_model(path)
        np.testing.assert_array_equal(model.poses().array, table.X_RootF)
        assert [thing.scoped_name for thing in model.things] == table.names
