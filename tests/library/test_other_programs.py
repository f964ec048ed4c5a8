"""Models as objects of trimesh, Pinocchio, MuJoCo and Drake, where these are installed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sdfviewer

PROGRAMS = {"trimesh": "to_trimesh", "pinocchio": "to_pinocchio", "mujoco": "to_mujoco", "pydrake": "to_drake"}
EXTRAS = {"pydrake": "drake"}
pytestmark = pytest.mark.filterwarnings("ignore:.*gets less than the file has", "ignore::DeprecationWarning")


@pytest.fixture
def arm(examples: Path) -> sdfviewer.Model:
    return sdfviewer.load(examples / "arm.sdf")


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_that_is_not_installed_names_its_extra(
    arm: sdfviewer.Model, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, program, None)
    extra = EXTRAS.get(program, program)
    with pytest.raises(ImportError, match=rf"pip install .*\[{extra}\]") as caught:
        getattr(arm, PROGRAMS[program])()
    assert isinstance(caught.value, sdfviewer.MissingExtraError)


def test_a_scene_of_trimesh_has_each_link_where_it_is(arm: sdfviewer.Model) -> None:
    pytest.importorskip("trimesh")
    q = {"joint_2": 0.5}
    scene = arm.to_trimesh(q)
    poses = arm.poses(q)
    for link in arm.links:
        np.testing.assert_allclose(scene.graph.get(link.name)[0], poses[link], atol=1e-12)
    np.testing.assert_allclose(scene.bounds, arm.bounding_box(q), atol=1e-6)
    assert len(scene.geometry) == len(arm.visuals)
    assert len(arm.to_trimesh(collisions=True).geometry) == len(arm.collisions)
    plate = arm.link("base").visuals["plate"]
    mesh = plate.to_trimesh()
    assert mesh.volume == pytest.approx(plate.triangles().volume)
    assert mesh.visual.face_colors[0].tolist() == [41, 43, 51, 255]


def test_pinocchio_holds_the_same_against_gravity(arm: sdfviewer.Model) -> None:
    pin = pytest.importorskip("pinocchio")
    model: Any = arm.to_pinocchio()
    data = model.createData()
    q = arm.random_q(seed=4)
    names = [model.names[number] for number in range(1, model.njoints)]
    full = np.array([q[arm.dof_names.index(name)] for name in names])
    torques = dict(zip(names, pin.computeGeneralizedGravity(model, data, full), strict=True))
    for dof in arm.dofs:  # Pinocchio takes followers for joints of their own
        if dof.leader is not None:
            torques[dof.leader] += torques.pop(dof.name)
    mine = dict(zip(arm.dof_names, arm.gravity_torques(q), strict=True))
    for name, torque in torques.items():
        assert mine[name] == pytest.approx(torque, abs=1e-9)
    assert arm.to_pinocchio(root_joint=pin.JointModelFreeFlyer()).nq == model.nq + 7


def test_mujoco_has_the_links_where_they_are(arm: sdfviewer.Model) -> None:
    mujoco = pytest.importorskip("mujoco")
    model: Any = arm.to_mujoco()
    data = mujoco.MjData(model)
    q = arm.random_q(seed=5)
    for name, value in zip(arm.dof_names, q, strict=True):
        data.qpos[model.jnt_qposadr[model.joint(name).id]] = value
    mujoco.mj_kinematics(model, data)
    poses = arm.poses(q)
    for link in arm.links:
        np.testing.assert_allclose(data.body(link.name).xpos, poses[link].xyz, atol=1e-9)


def test_drake_has_the_links_where_they_are(arm: sdfviewer.Model) -> None:
    pytest.importorskip("pydrake")
    plant: Any = arm.to_drake()
    context = plant.CreateDefaultContext()
    q = arm.random_q(seed=6)
    for name, value in zip(arm.dof_names, q, strict=True):
        joint = plant.GetJointByName(name)
        plant.SetPositions(
            context, [*plant.GetPositions(context)[: joint.position_start()], value,
                      *plant.GetPositions(context)[joint.position_start() + 1 :]]
        )  # fmt: skip
    poses = arm.poses(q)
    for link in arm.links:
        X = plant.EvalBodyPoseInWorld(context, plant.GetBodyByName(link.name)).GetAsMatrix4()
        np.testing.assert_allclose(X, poses[link], atol=1e-9)


@pytest.mark.parametrize("program", ["mujoco", "pydrake"])
def test_missing_meshes_are_left_out_where_that_is_asked_for(program: str) -> None:
    pytest.importorskip(program)
    visual = "<visual name='v'><geometry><mesh><uri>none.obj</uri></mesh></geometry></visual>"
    model = sdfviewer.load(f"<sdf version='1.11'><model name='m'><link name='l'>{visual}</link></model></sdf>")
    hand_over = getattr(model, PROGRAMS[program])
    with pytest.raises(sdfviewer.SdfViewerError, match="skip_missing=True"):
        hand_over()
    with pytest.warns(UserWarning, match=r"none\.obj is not found"):
        assert hand_over(skip_missing=True) is not None


def test_a_model_is_exported_by_its_suffix(arm: sdfviewer.Model, tmp_path: Path) -> None:
    assert any("camera_optical" in each or "mimic" in each or ":" in each for each in arm.export(tmp_path / "a.urdf"))
    assert sdfviewer.load(tmp_path / "a.urdf").format == "urdf"
    assert arm.export(tmp_path / "a.sdf") == ()
    assert sdfviewer.load(tmp_path / "a.sdf").mass == pytest.approx(arm.mass)
    arm.export(tmp_path / "a.xml")
    assert "<mujoco" in (tmp_path / "a.xml").read_text(encoding="utf-8")
    arm.export(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    with pytest.raises(sdfviewer.InvalidValueError, match=r"no format for 'a\.step': use one of \.sdf"):
        arm.export(tmp_path / "a.step")


# --- without the packages that read meshes -------------------------------------------------------------------------

COLLADA = b"<COLLADA/>"


@pytest.fixture
def meshes(tmp_path: Path) -> sdfviewer.Model:
    (tmp_path / "a.dae").write_bytes(COLLADA)
    parts = "".join(
        f"<link name='l{number}'><collision name='c'><geometry><mesh><uri>a.dae</uri></mesh></geometry></collision>"
        "<visual name='v'><geometry><mesh><uri>a.dae</uri></mesh></geometry></visual></link>"
        for number in range(16)
    )
    (tmp_path / "m.sdf").write_text(f"<sdf version='1.9'><model name='m'>{parts}</model></sdf>", encoding="utf-8")
    return sdfviewer.load(tmp_path / "m.sdf")


@pytest.mark.parametrize(
    "call",
    [
        lambda m, folder: m.to_html(),
        lambda m, folder: m.screenshot(),
        lambda m, folder: m.visuals[0].triangles(),
        lambda m, folder: m.read_resources(),
        lambda m, folder: m.colliding_links(),
        lambda m, folder: m.bounding_box(),
        lambda m, folder: m.save_bundle(folder / "b"),
        lambda m, folder: m.save_bundle(folder / "b", "urdf", meshes="obj"),
        lambda m, folder: m.save_bundle(folder / "b", "mjcf"),
    ],
)
def test_without_the_packages_for_meshes_there_is_one_sentence(
    meshes: sdfviewer.Model,
    call: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "lxml", None)
    with pytest.raises(sdfviewer.MissingExtraError, match=r"pip install .*\[render\]"):
        call(meshes, tmp_path)
    assert not (tmp_path / "b").exists()
    assert "".join(capfd.readouterr()) == ""


def test_a_bundle_without_its_meshes_is_refused(tmp_path: Path) -> None:
    text = "<sdf version='1.9'><model name='m'><link name='l'>{}</link></model></sdf>"
    visual = "<visual name='{0}'><geometry><mesh><uri>{0}.stl</uri></mesh></geometry></visual>"
    model = sdfviewer.load(text.format(visual.format("a") + visual.format("b")))
    for target in ("sdformat", "urdf", "mjcf"):
        with pytest.raises(sdfviewer.SdfViewerError, match=r"lack a mesh: a\.stl is not found \(and 1 more\)"):
            model.save_bundle(tmp_path / target, target)
        assert not (tmp_path / target).exists()
    assert "a.stl is not found" in model.save_bundle(tmp_path / "out", skip_missing=True)[0]
