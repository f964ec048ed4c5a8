"""MJCF and bundles out: MuJoCo compiles them as they are, and every body has the same pose at every joint position."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sdfviewer
from sdfviewer import transforms
from sdfviewer.export.bundle import bundle_mjcf, bundle_sdformat, bundle_urdf, make_bundle
from sdfviewer.export.mjcf import MjcfExport, export_mjcf
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from tests.corpus import at_least

mujoco = pytest.importorskip("mujoco")

EXAMPLES = ["arm", "double_pendulum", "parity_relative_to", "parity_legacy_numbers", "nested_gripper"]
AXIS = "<axis><xyz>0.6 0 0.8</xyz></axis>"


def no_mesh(geometry: object) -> str:
    return "meshes are not at hand here"


def assert_same_poses(model: Model, export: MjcfExport, compiled: object) -> None:
    """Assert that the links stand where they do in MuJoCo, at 100 random positions, seen from the first of them."""
    kinematics = Kinematics(model)
    q = kinematics.follow(np.random.default_rng(3).uniform(-1, 1, (100, len(kinematics.dofs))))
    links = [row for row, kind in enumerate(model.kinds) if kind is Kind.LINK]
    X_RootL = kinematics.poses(q, links)
    data = mujoco.MjData(compiled)
    ids = [mujoco.mj_name2id(compiled, mujoco.mjtObj.mjOBJ_BODY, export.bodies[model.names[row]]) for row in links]
    for position, expected in zip(q, X_RootL, strict=True):
        _set_positions(compiled, data, kinematics, export, position)
        mujoco.mj_kinematics(compiled, data)
        X = np.tile(np.eye(4), (len(ids), 1, 1))
        X[:, :3, 3], X[:, :3, :3] = data.xpos[ids], data.xmat[ids].reshape(-1, 3, 3)
        np.testing.assert_allclose(
            transforms.invert(X[0]) @ X, transforms.invert(expected[0]) @ expected, atol=1e-9, rtol=0
        )


def _set_positions(compiled: object, data: object, kinematics: Kinematics, export: MjcfExport, q: np.ndarray) -> None:
    model = kinematics.model
    for column, dof in enumerate(kinematics.dofs):
        if dof.joint.type == "ball" and dof.axis:
            continue
        number = mujoco.mj_name2id(compiled, mujoco.mjtObj.mjOBJ_JOINT, export.joints[dof.name])
        assert number >= 0, dof.name
        at = compiled.jnt_qposadr[number]  # type: ignore[attr-defined]
        if dof.joint.type == "ball":
            # The body that hangs on the other by the joint may be the joint's parent, which turns the other way.
            carriers = kinematics.forest.carriers
            carried = next(body for body, carrier in carriers.items() if carrier.joint.row == dof.joint.row)
            R_LJ = (transforms.invert(model.X_RootF[carried]) @ model.X_RootF[dof.joint.row])[:3, :3]
            R_J = transforms.rpy_to_matrix(q[column : column + 3])
            R = R_LJ @ (R_J.T if carriers[carried].backwards else R_J) @ R_LJ.T
            data.qpos[at : at + 4] = transforms.matrix_to_quaternion(R)  # type: ignore[attr-defined]
            continue
        data.qpos[at] = q[column]  # type: ignore[attr-defined]
        if dof.joint.type == "screw":
            data.qpos[at + 1] = q[column] * dof.joint.screw_pitch  # type: ignore[attr-defined]


def compiled_mjcf(model: Model) -> tuple[MjcfExport, object]:
    export = export_mjcf(model, Finder(), no_mesh)
    return export, mujoco.MjModel.from_xml_string(export.text)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_keep_their_poses(name: str, examples: Path) -> None:
    model = load_model(examples / f"{name}.sdf")
    export, compiled = compiled_mjcf(model)
    assert_same_poses(model, export, compiled)


@pytest.mark.parametrize(
    ("joint_type", "axes"),
    [
        ("revolute", AXIS),
        ("continuous", AXIS),
        ("prismatic", AXIS),
        ("fixed", ""),
        ("ball", ""),
        ("screw", AXIS + "<screw_thread_pitch>0.1</screw_thread_pitch>"),
        ("universal", AXIS + "<axis2><xyz>0 1 0</xyz></axis2>"),
        ("revolute2", AXIS + "<axis2><xyz>0 1 0</xyz></axis2>"),
    ],
)
@pytest.mark.parametrize("parent", ["a", "world"])
def test_joints_of_every_type(joint_type: str, axes: str, parent: str) -> None:
    model = load_model(
        '<sdf version="1.12"><model name="m"><link name="a"/><link name="b"><pose>1 2 3 0.1 0.2 0.3</pose></link>'
        f'<joint name="j" type="{joint_type}"><pose>0.1 0.2 0.3 0.4 0.5 0.6</pose><parent>{parent}</parent>'
        f"<child>b</child>{axes}</joint></model></sdf>"
    )
    export, compiled = compiled_mjcf(model)
    if parent == "a":
        assert_same_poses(model, export, compiled)
    counts = {"fixed": 0, "ball": 1, "screw": 2, "universal": 2, "revolute2": 2}
    # One more for the link that nothing holds.
    assert compiled.njnt == counts.get(joint_type, 1) + 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(("joint_type", "axis"), [("revolute", AXIS), ("prismatic", AXIS), ("ball", "")])
def test_joints_that_hang_their_parent_on_their_child_keep_their_poses(joint_type: str, axis: str) -> None:
    model = load_model(
        '<sdf version="1.12"><model name="m"><link name="c"/><link name="a"><pose>1 0 0 0 0 0.5</pose></link>'
        '<link name="b"><pose>0 1 0 0.5 0 0</pose></link>'
        + "".join(
            f'<joint name="j{name}" type="{joint_type}"><pose>0.1 0.2 0 0.3 0 0</pose><parent>{name}</parent>'
            f"<child>c</child>{axis}</joint>"
            for name in "ab"
        )
        + "</model></sdf>"
    )
    export, compiled = compiled_mjcf(model)
    assert_same_poses(model, export, compiled)


def test_followers_and_loops_become_equalities() -> None:
    joint = '<joint name="{0}" type="revolute"><parent>{1}</parent><child>{2}</child>{3}</joint>'
    mimic = '<axis><xyz>0 0 1</xyz><mimic joint="j"><multiplier>2</multiplier><offset>0.5</offset></mimic></axis>'
    model = load_model(
        '<sdf version="1.12"><model name="m"><link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>'
        '<link name="c"><pose>2 0 0 0 0 0</pose></link>'
        + joint.format("j", "a", "b", AXIS)
        + joint.format("k", "b", "c", mimic)
        + joint.format("loop", "a", "c", AXIS)
        + "</model></sdf>"
    )
    export, compiled = compiled_mjcf(model)
    assert compiled.neq == 3  # type: ignore[attr-defined]  # one follower, two points of the axis
    assert '<joint joint1="k" joint2="j" polycoef="0.5 2.0 0.0 0.0 0.0"/>' in export.text
    assert_same_poses(model, export, compiled)


def test_shapes_sites_cameras_and_lights() -> None:
    shapes = {
        "box": "<size>1 2 3</size>",
        "sphere": "<radius>1</radius>",
        "cylinder": "<radius>1</radius><length>2</length>",
        "capsule": "<radius>1</radius><length>2</length>",
        "ellipsoid": "<radii>1 2 3</radii>",
        "plane": "<normal>0 1 0</normal><size>2 2</size>",
    }
    parts = "".join(
        f'<visual name="v{tag}"><geometry><{tag}>{text}</{tag}></geometry></visual>'
        f'<collision name="c{tag}"><geometry><{tag}>{text}</{tag}></geometry></collision>'
        for tag, text in shapes.items()
    )
    model = load_model(
        f'<sdf version="1.12"><model name="m"><static>true</static><link name="a">{parts}'
        '<light name="l" type="spot"/><sensor name="s" type="camera"><camera/></sensor></link>'
        '<frame name="f" attached_to="a"><pose>1 2 3 0 0 0</pose></frame></model></sdf>'
    )
    _, compiled = compiled_mjcf(model)
    assert (compiled.ngeom, compiled.nsite, compiled.ncam, compiled.nlight) == (12, 1, 1, 1)  # type: ignore[attr-defined]
    data = mujoco.MjData(compiled)
    mujoco.mj_kinematics(compiled, data)
    mujoco.mj_camlight(compiled, data)
    np.testing.assert_allclose(data.cam_xmat[0].reshape(3, 3)[:, 2], [-1, 0, 0], atol=1e-12)  # it looks along +x


@pytest.mark.parametrize(
    "file",
    [
        "strider_description/xacro/strider.urdf.xacro",
        "reach_description/urdf/reach.urdf",
    ],
)
@pytest.mark.parametrize("target", ["mjcf", "urdf"])
def test_a_bundle_of_a_whole_robot_loads_with_its_meshes(
    file: str, target: str, collection: Path, tmp_path: Path
) -> None:
    model = load_model(collection / file)
    write = bundle_mjcf if target == "mjcf" else bundle_urdf
    bundle = write(model, Finder(), tmp_path / "here", "relative", "obj")
    bundle.write(tmp_path / "here")
    moved = (tmp_path / "here").rename(tmp_path / "elsewhere")  # to another folder: names are relative
    compiled = mujoco.MjModel.from_xml_path(str(moved / bundle.name))
    assert compiled.nmesh > 0
    assert compiled.nbody - 1 >= sum(kind is Kind.LINK for kind in model.kinds) - 2


def test_a_bundle_of_sdformat_keeps_its_frames(collection: Path, tmp_path: Path) -> None:
    model = load_model(collection / "meshes/all.sdf")
    bundle = bundle_sdformat(model, Loader(), tmp_path / "b", "relative", "keep")
    bundle.write(tmp_path / "b")
    after = load_model(tmp_path / "b" / bundle.name)
    np.testing.assert_allclose(after.X_RootF, model.X_RootF)
    assert not [
        each for each in sdfviewer.load(tmp_path / "b" / bundle.name).resources if not each.is_found and each.problem
    ]


@pytest.mark.parametrize(
    ("joint_type", "more", "positions"),
    [
        ("prismatic", AXIS, 1),
        ("screw", AXIS + "<screw_thread_pitch>0.1</screw_thread_pitch>", 2),
        ("universal", AXIS + "<axis2><xyz>0 1 0</xyz></axis2>", 2),
    ],
)
def test_a_loop_of_another_type_is_a_body_that_is_welded(joint_type: str, more: str, positions: int) -> None:
    joint = '<joint name="{0}" type="{1}"><parent>{2}</parent><child>{3}</child>{4}</joint>'
    model = load_model(
        '<sdf version="1.12"><model name="m"><link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>'
        '<link name="c"><pose>2 0.5 0 0 0.3 0</pose></link>'
        + joint.format("j", "revolute", "a", "b", AXIS)
        + joint.format("k", "revolute", "b", "c", AXIS)
        + joint.format("loop", joint_type, "a", "c", more)
        + "</model></sdf>"
    )
    export, compiled = compiled_mjcf(model)
    assert not [note.message for note in export.notes]
    assert compiled.nbody == 5  # type: ignore[attr-defined]  # the world, three links and one that closes the loop
    assert compiled.njnt == 3 + positions  # type: ignore[attr-defined]
    data = mujoco.MjData(compiled)
    mujoco.mj_forward(compiled, data)
    np.testing.assert_allclose(data.efc_pos, 0.0, atol=1e-12)
    assert_same_poses(model, export, compiled)


@pytest.mark.parametrize("held", [True, False])
def test_a_plane_on_a_body_that_moves_is_left_out_with_a_note(held: bool) -> None:
    joint = '<joint name="j" type="fixed"><parent>world</parent><child>a</child></joint>' if held else ""
    model = load_model(
        '<sdf version="1.12"><model name="m"><link name="a"/><link name="b"><collision name="c"><geometry><plane/>'
        '</geometry></collision></link><joint name="k" type="fixed"><parent>a</parent><child>b</child></joint>'
        f"{joint}</model></sdf>"
    )
    export, compiled = compiled_mjcf(model)
    assert compiled.ngeom == held  # type: ignore[attr-defined]
    assert [note.message for note in export.notes] == (
        [] if held else ["MuJoCo has planes only on bodies that do not move; it is left out"]
    )


def test_moments_that_mujoco_changes_are_noted() -> None:
    moments = "<ixx>{}</ixx><iyy>1</iyy><izz>1</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz>"
    text = (
        '<sdf version="1.12"><model name="m"><link name="a"><inertial><mass>1</mass>'
        "<inertia>{}</inertia></inertial></link></model></sdf>"
    )
    for largest, is_changed in ((1.9, False), (2.0, False), (2.5, True)):
        export, compiled = compiled_mjcf(load_model(text.format(moments.format(largest))))
        assert bool(export.notes) is is_changed
        assert np.allclose(sorted(compiled.body_inertia[1]), [1.0, 1.0, largest]) is not is_changed  # type: ignore[attr-defined]


@pytest.mark.parametrize("target", ["mjcf", "urdf"])
@pytest.mark.parametrize(("moments", "expected"), [("0 0 0.003", 0.001), ("0 0 0", 1e-7), ("-1 -1 -1", 1e-7)])
def test_moments_that_no_body_has_are_replaced(target: str, moments: str, expected: float, tmp_path: Path) -> None:
    ixx, iyy, izz = moments.split()
    link = (
        '<link name="{0}"><inertial><mass value="1"/><inertia ixx="{1}" iyy="{2}" izz="{3}" ixy="0" ixz="0" iyz="0"/>'
        "</inertial></link>"
    )
    model = load_model(
        f'<robot name="r">{link.format("a", 1, 1, 1)}{link.format("b", ixx, iyy, izz)}<link name="c"/>'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'
        '<joint name="k" type="continuous"><parent link="b"/><child link="c"/></joint></robot>'
    )
    bundle = (bundle_mjcf if target == "mjcf" else bundle_urdf)(model, Finder(), tmp_path / "b", "relative", "obj")
    assert any("are impossible" in note and "'r::b'" in note for note in bundle.notes)
    bundle.write(tmp_path / "b")
    compiled = mujoco.MjModel.from_xml_path(str(tmp_path / "b" / bundle.name))
    np.testing.assert_allclose(compiled.body("b").inertia, expected)
    assert compiled.body("c").mass > 0  # MuJoCo moves nothing without mass


@pytest.mark.parametrize(("file", "metres", "gain"), [("model.sdf", 1e-4, 0.0625), ("simple.sdf", 1e-4, 1.0)])
def test_loops_and_gears_of_a_whole_robot_hold(
    file: str, metres: float, gain: float, collection: Path, tmp_path: Path
) -> None:
    model = load_model(collection / "walker/models/walker" / file)
    bundle = bundle_mjcf(model, Finder(), tmp_path / "b", "relative", "obj")
    bundle.write(tmp_path / "b")
    compiled = mujoco.MjModel.from_xml_path(str(tmp_path / "b" / bundle.name))
    data = mujoco.MjData(compiled)
    equality = mujoco.mjtConstraint.mjCNSTR_EQUALITY
    mujoco.mj_forward(compiled, data)
    np.testing.assert_allclose(data.efc_pos[data.efc_type == equality], 0.0, atol=1e-12)
    mujoco.mj_step(compiled, data, nstep=200)
    rows = data.efc_type == equality
    off, couples = np.abs(data.efc_pos[rows]), compiled.eq_type[data.efc_id[rows]] == mujoco.mjtEq.mjEQ_JOINT
    assert off[~couples].max() < metres
    assert off[couples].max(initial=0.0) * gain < 0.001  # radians of the slower joint


def test_a_link_without_mass_on_a_fixed_joint_stays_without() -> None:
    inertial = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    box = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
    joint = '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/></joint>'
    model = load_model(
        f'<robot name="r"><link name="a">{inertial}</link><link name="b">{box}</link><link name="c">{inertial}</link>'
        + joint.format("j", "fixed", "a", "b")
        + joint.format("k", "continuous", "b", "c")
        + "</robot>"
    )
    export, compiled = compiled_mjcf(model)
    assert not export.notes
    assert list(compiled.body_mass) == [0.0, 2.0, 0.0, 2.0]  # type: ignore[attr-defined]


@pytest.mark.parametrize("target", ["mjcf", "urdf"])
@pytest.mark.parametrize("part", ["visual", "collision"])
@pytest.mark.parametrize("shape", ["<mesh><uri>flat.obj</uri></mesh>", "<plane/>"])
def test_flat_meshes_compile(shape: str, part: str, target: str, tmp_path: Path) -> None:
    (tmp_path / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n")
    file = tmp_path / "m.sdf"
    file.write_text(
        '<sdf version="1.9"><model name="m"><static>true</static><link name="a">'
        f'<{part} name="p"><geometry>{shape}</geometry></{part}></link></model></sdf>'
    )
    bundle = (bundle_mjcf if target == "mjcf" else bundle_urdf)(
        load_model(file), Finder(), tmp_path / "b", "relative", "obj"
    )
    bundle.write(tmp_path / "b")
    assert mujoco.MjModel.from_xml_path(str(tmp_path / "b" / bundle.name)).ngeom == 1


def test_every_part_of_a_mesh_is_read(tmp_path: Path) -> None:
    (tmp_path / "two.mtl").write_text("newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n")
    (tmp_path / "two.obj").write_text(
        "mtllib two.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\no left\nusemtl red\nf 1 3 2\nf 1 2 4\n"
        "o right\nusemtl blue\nf 1 4 3\nf 2 3 4\n"
    )
    file = tmp_path / "m.sdf"
    file.write_text(
        '<sdf version="1.9"><model name="m"><link name="a"><visual name="v"><geometry><mesh><uri>two.obj</uri></mesh>'
        "</geometry></visual></link></model></sdf>"
    )
    for write in (bundle_mjcf, bundle_urdf):
        folder = tmp_path / write.__name__
        bundle = write(load_model(file), Finder(), folder, "relative", "obj")
        bundle.write(folder)
        assert mujoco.MjModel.from_xml_path(str(folder / bundle.name)).mesh_facenum == [4]


@pytest.mark.corpus
def test_every_model_with_all_its_meshes_keeps_its_poses() -> None:
    from tests.peers.interoperability import candidates

    models = [model for _file, model, _finder in candidates()]
    assert len(models) >= at_least(10)
    for model in models:
        export, compiled = compiled_mjcf(model)
        assert_same_poses(model, export, compiled)


def test_a_link_with_a_collision_and_no_inertial_weighs_the_same_in_every_format(tmp_path: Path) -> None:
    link = '<link name="{}">{}<collision><geometry><box size="1 1 1"/></geometry></collision></link>'
    inertia = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    joint = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
    file = tmp_path / "r.urdf"
    links = link.format("a", inertia) + link.format("b", "")
    file.write_text(f'<robot name="r">{links}{joint}</robot>', encoding="utf-8")
    for target in ("urdf", "mjcf"):
        bundle = make_bundle(load_model(file), Loader(), target, tmp_path / target, "relative", "keep")
        bundle.write(tmp_path / target)
        (written,) = [*(tmp_path / target).glob("r.urdf"), *(tmp_path / target).glob("r.xml")]
        model = mujoco.MjModel.from_xml_path(str(written))
        assert model.body_mass.sum() == pytest.approx(2.0, abs=1e-5)
