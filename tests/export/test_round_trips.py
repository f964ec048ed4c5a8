"""Chains of formats: a robot that passes through several of them keeps its poses."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from sdfviewer import transforms
from sdfviewer.cli import main
from sdfviewer.document.document import parse_document
from sdfviewer.export.mesh_files import meshes_in_place
from sdfviewer.export.mjcf import MjcfExport, export_mjcf
from sdfviewer.export.urdf import export_urdf
from sdfviewer.export.urdf_to_sdformat import export_sdformat
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.kinds import Kind
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model
from tests.corpus import at_least, some_or_all
from tests.frames import frame_in

EXAMPLES = ["arm", "double_pendulum", "parity_relative_to", "parity_legacy_numbers", "nested_gripper"]

XACRO = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="segments" default="4"/>
  <xacro:macro name="mass"><inertial><origin xyz="0 0 0.1"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></xacro:macro>
  <xacro:macro name="segment" params="number">
    <link name="s${number}"><xacro:mass/></link>
    <joint name="j${number}" type="${'revolute' if number % 2 else 'prismatic'}">
      <parent link="s${number - 1}"/><child link="s${number}"/>
      <origin xyz="0.1 0 ${0.4 / (number + 1)}" rpy="${pi / 7} ${number / 3} -0.2"/>
      <axis xyz="0 ${0.6} ${0.8}"/><limit lower="-2" upper="2" effort="1" velocity="1"/>
    </joint>
    <xacro:if value="${number + 1 &lt; int(xacro.arg('segments'))}"><xacro:segment number="${number + 1}"/></xacro:if>
  </xacro:macro>
  <link name="s0"><xacro:mass/></link>
  <xacro:segment number="1"/>
</robot>
"""


def loaded(text: str) -> Model:
    model = Loader().load(parse_document(text))
    assert model is not None
    return model


def links_of(model: Model) -> list[str]:
    return [name for name, kind in zip(model.names, model.kinds, strict=True) if kind is Kind.LINK]


def positions(model: Model, count: int = 100) -> tuple[list[str], np.ndarray]:
    kinematics = Kinematics(model)
    q = np.random.default_rng(11).uniform(-1, 1, (count, len(kinematics.dofs)))
    return [dof.name for dof in kinematics.dofs], kinematics.follow(q)


def poses(model: Model, names: list[str], q: np.ndarray, links: list[str]) -> np.ndarray:
    """Return poses (n, links, 4, 4) in the first link, at positions of the degrees of freedom of these names."""
    kinematics = Kinematics(model)
    columns = {dof.name: column for column, dof in enumerate(kinematics.dofs)}
    own = np.zeros((len(q), len(columns)))
    for column, name in enumerate(names):
        own[:, columns[name]] = q[:, column]
    X = kinematics.poses(own, [model.row(name) for name in links])
    return transforms.invert(X[:, :1]) @ X


def mujoco_poses(export: MjcfExport, names: list[str], q: np.ndarray, links: list[str]) -> np.ndarray:
    mujoco = pytest.importorskip("mujoco")
    compiled = mujoco.MjModel.from_xml_string(export.text)
    data = mujoco.MjData(compiled)
    X = np.empty((len(q), len(links), 4, 4))
    for number, row in enumerate(q):
        mujoco.mj_resetData(compiled, data)
        for name, value in zip(names, row, strict=True):
            data.joint(export.joints[name]).qpos[0] = value
        mujoco.mj_kinematics(compiled, data)
        for at, link in enumerate(links):
            body = data.body(export.bodies[link])
            X[number, at] = transforms.pose(body.xmat.reshape(3, 3), body.xpos)
    return transforms.invert(X[:, :1]) @ X


def test_xacro_to_urdf_to_sdformat_to_mjcf_keeps_every_pose(tmp_path: Path) -> None:
    pytest.importorskip("xacro")
    file = tmp_path / "robot.urdf.xacro"
    file.write_text(XACRO)
    program = load_model(file)
    links, (names, q) = links_of(program), positions(program)
    assert len(links) == 4
    assert len(names) == 3
    expected = poses(program, names, q, links)
    urdf, sdf = tmp_path / "robot.urdf", tmp_path / "robot.sdf"
    assert main(["convert", "--to", "urdf", "-o", str(urdf), str(file)]) == 0
    assert main(["convert", "--to", "1.12", "-o", str(sdf), str(urdf)]) == 0
    for written in (urdf, sdf):
        np.testing.assert_allclose(poses(load_model(written), names, q, links), expected, atol=1e-9)
    export = export_mjcf(load_model(sdf), Finder(), meshes_in_place(Finder(), ""))
    np.testing.assert_allclose(mujoco_poses(export, names, q, links), expected, atol=1e-9)


@pytest.mark.parametrize("name", EXAMPLES)
def test_sdformat_to_urdf_to_sdformat_keeps_every_pose(name: str, examples: Path) -> None:
    model = load_model(examples / f"{name}.sdf")
    export = export_urdf(model)
    after = loaded(export_sdformat(loaded(export.text)).text)
    links, (names, q) = links_of(model), positions(model)
    root = after.names[0]
    there = {before: f"{root}::{export.names[before]}" for before in (*links, *names)}
    expected = poses(model, names, q, links)
    found = poses(after, [there[each] for each in names], q, [there[each] for each in links])
    np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize("target", ["urdf", "1.12"])
def test_a_bundle_in_another_folder_has_the_same_frames(target: str, tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "meshes").mkdir(parents=True)
    (source / "meshes" / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    file = source / "r.sdf"
    file.write_text(
        """<sdf version="1.9"><model name="r"><link name="a"/><link name="b"><pose>0 0 1 0.1 0.2 0.3</pose>
        <visual name="v"><geometry><mesh><uri>meshes/part.obj</uri></mesh></geometry></visual></link>
        <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
        <frame name="tip" attached_to="b"><pose>0 0 0.5 0 0 0</pose></frame></model></sdf>"""
    )
    before = load_model(file)
    assert main(["convert", "--to", target, "--bundle", str(tmp_path / "bundle"), str(file)]) == 0
    there = tmp_path / "another" / "machine"
    there.parent.mkdir()
    shutil.move(tmp_path / "bundle", there)
    shutil.rmtree(source)
    (written,) = (each for each in there.iterdir() if each.suffix in (".sdf", ".urdf"))
    assert main(["check", "--resources", str(written)]) == 0
    after = load_model(written)
    for name in ("a", "b", "j", "tip"):
        np.testing.assert_allclose(after.X_RootF[after.row(name)], before.X_RootF[before.row(name)], atol=1e-9)


LINK = """<link name="{0}"><inertial><mass value="2"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><box size="1 2 3"/></geometry></visual>
  <collision><origin xyz="0 0 1"/><geometry><sphere radius="0.5"/></geometry></collision></link>
"""
JOINT = """<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/><origin xyz="1 0 0.5" rpy="0.1 0.2 0.3"/>
  <axis xyz="0 0.6 0.8"/><limit lower="-1" upper="2" effort="3" velocity="4"/></joint>
"""


@pytest.mark.parametrize("extension", ["", '<pose relative_to="c">1 0 0 0 0 0</pose>', "<pose>0 1 0 0 0 0.5</pose>"])
def test_urdf_to_sdformat_to_urdf_keeps_everything(extension: str) -> None:
    """Links, joints and the joint that an extension adds to a link which libsdformat merges into another one."""
    text = "".join(map(LINK.format, "abcd")) + JOINT.format("j", "revolute", "a", "b")
    text += JOINT.format("k", "fixed", "b", "c") + JOINT.format("l", "prismatic", "c", "d")
    loop = f'<joint name="loop" type="ball">{extension}<parent>a</parent><child>c</child></joint>'
    robot = load_model(f'<robot name="r">{text}<gazebo>{loop}</gazebo></robot>')
    sdformat = loaded(export_sdformat(robot).text)
    after = loaded(export_urdf(sdformat).text)
    for name in ("r::a", "r::b", "r::c", "r::d", "r::j", "r::l", "r::loop"):
        for other in (sdformat, after):
            expected = frame_in(robot, name).pose
            np.testing.assert_allclose(frame_in(other, name).pose, expected, atol=1e-9, err_msg=name)
    for before in robot.joints:
        (now,) = (each for each in after.joints if after.names[each.row] == robot.names[before.row])
        assert now.type == before.type
        for one, other_axis in zip(before.axes, now.axes, strict=before.type != "fixed"):
            np.testing.assert_allclose(other_axis.xyz, one.xyz, atol=1e-12)
            assert (other_axis.lower, other_axis.upper) == (one.lower, one.upper)
    for kind in (Kind.VISUAL, Kind.COLLISION):
        assert after.kinds.count(kind) == robot.kinds.count(kind) == 4


@some_or_all
def test_real_urdfs_keep_every_pose_through_sdformat(corpus: Path, every: int) -> None:
    count = 0
    for file in sorted(corpus.rglob("*.urdf"))[::every]:
        robot = load_model(file)
        if any(each.is_error for each in robot.diagnostics):
            continue
        sdformat = loaded(export_sdformat(robot).text)
        after = loaded(export_urdf(sdformat).text)
        count += 1
        for row, kind in enumerate(robot.kinds):
            name = robot.names[row]
            if kind is Kind.LINK or (kind is Kind.JOINT and name in after.names):
                np.testing.assert_allclose(
                    frame_in(after, name).pose, frame_in(robot, name).pose, atol=1e-9, err_msg=f"{file} {name}"
                )
    assert count > at_least(15) / every
