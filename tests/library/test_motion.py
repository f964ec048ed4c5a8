"""Sweeps and collisions from scripts: the answers of the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sdfviewer

pytest.importorskip("PIL", reason="collisions read meshes, which needs the extra [render]")

BOXES = """<sdf version='1.9'><model name='m'>
<link name='a'><collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision></link>
<link name='b'><collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision></link>
<link name='c'><pose>3 0 0 0 0 0</pose>
<collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision></link>
<joint name='hinge' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name='slide' type='prismatic'><parent>b</parent><child>c</child><axis><xyz>1 0 0</xyz>
<limit><lower>-3</lower><upper>1</upper></limit></axis></joint></model></sdf>"""


@pytest.fixture
def model() -> sdfviewer.Model:
    return sdfviewer.load(BOXES)


def test_links_that_collide_without_neighbours(model: sdfviewer.Model) -> None:
    assert model.colliding_links() == ()
    assert model.colliding_links({"slide": -2.5}) == (("a", "c"),)
    pairs = model.colliding_links({"slide": -2.5}, neighbours=True)
    assert [(pair.first, pair.second) for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_a_sweep_says_where_links_collide(model: sdfviewer.Model) -> None:
    sweep = model.sweep("slide", "c")
    assert (sweep.joint, sweep.unit, sweep.frame) == ("slide", "m", "c")
    (contact,) = sweep.colliding_links()
    assert (contact.first, contact.second, contact.from_start) == ("a", "c", True)
    assert contact.intervals[0] == pytest.approx((-3, -2), abs=1e-4)
    np.testing.assert_allclose(sweep.path[[0, -1]], [[0, 0, 0], [4, 0, 0]])
    assert [(each.name, each.is_upper, each.position) for each in sweep.limits_reached] == [
        ("slide", False, -3),
        ("slide", True, 1),
    ]
    assert sweep.loops_open_at is None


def test_a_sweep_is_a_batch_of_configurations(examples: Path) -> None:
    arm = sdfviewer.load(examples / "arm.sdf")
    sweep = arm.sweep(arm.joint("joint_2"), "palm", start=0, end=1, samples=5, q={"joint_3": 0.2})
    np.testing.assert_allclose(sweep.positions, [0, 0.25, 0.5, 0.75, 1])
    np.testing.assert_allclose(sweep.poses["palm"], arm.poses(sweep.q)["palm"])
    np.testing.assert_allclose(sweep.frame_poses.xyz, sweep.path)
    assert "from 0 to 1 rad" in repr(sweep)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda m: m.sweep("slid"), "did you mean 'slide'"),
        (lambda m: m.sweep("slide", "d"), "no frame 'd'"),
        (lambda m: m.sweep("slide", start=float("nan")), "finite"),
        (lambda m: m.sweep("slide", samples=1), "from 2"),
        (lambda m: m.sweep("slide").path, "name the frame"),
        (lambda m: m.colliding_links(np.zeros((3, 2))), "one configuration"),
        (lambda m: m.colliding_links({"slide": float("inf")}), "finite"),
    ],
)
def test_what_cannot_be_asked_is_refused(model: sdfviewer.Model, wrong, message: str) -> None:
    with pytest.raises(sdfviewer.SdfViewerError, match=message):
        wrong(model)


def test_a_follower_is_swept_by_its_leader() -> None:
    text = BOXES.replace("1.9", "1.11").replace(
        "<xyz>1 0 0</xyz>", "<xyz>1 0 0</xyz><mimic joint='hinge'><multiplier>1</multiplier></mimic>"
    )
    with pytest.raises(sdfviewer.InvalidValueError, match="'slide' mimics 'hinge'"):
        sdfviewer.load(text).sweep("slide")


def test_a_missing_mesh_is_an_error_unless_it_is_skipped() -> None:
    text = BOXES.replace("<box><size>1 1 1</size></box>", "<mesh><uri>model://none/a.dae</uri></mesh>", 1)
    model = sdfviewer.load(text)
    with pytest.raises(sdfviewer.SdfViewerError, match="pass skip_missing=True"):
        model.colliding_links({"slide": -2.5})
    assert model.colliding_links({"slide": -2.5}, skip_missing=True) == ()


def test_shapes_have_triangles(tmp_path: Path) -> None:
    model = sdfviewer.load(BOXES)
    triangles = model.collision("a::c").triangles()
    assert (triangles.volume, triangles.area) == pytest.approx((1, 6))
    np.testing.assert_allclose(triangles.bounds, [[-0.5] * 3, [0.5] * 3])
    assert triangles.faces.shape == (12, 3)
    assert model.collision("a::c").geometry.volume == 1
    text = BOXES.replace("<box><size>1 1 1</size></box>", "<mesh><uri>none.stl</uri></mesh>", 1)
    with pytest.raises(sdfviewer.SdfViewerError, match=r"none\.stl"):
        sdfviewer.load(text).collision("a::c").triangles()


def test_the_jacobian_in_a_moving_frame_is_the_derivative_of_the_relative_pose(examples: Path) -> None:
    arm = sdfviewer.load(examples / "arm.sdf")
    q = np.linspace(0.1, 0.5, len(arm.independent_dofs))
    J = arm.jacobian("palm", q, relative_to="forearm")
    X = arm.resolve_pose("palm", "forearm", q)
    step = 1e-6
    for number, dof in enumerate(arm.independent_dofs):
        column = arm.dof_names.index(dof.name)
        dq = np.zeros(len(arm.independent_dofs))
        dq[number] = step
        dX = (arm.resolve_pose("palm", "forearm", q + dq) - arm.resolve_pose("palm", "forearm", q - dq)) / (2 * step)
        spin = dX[:3, :3] @ X.rotation.T  # the cross product matrix of the angular velocity
        expected = [spin[2, 1], spin[0, 2], spin[1, 0], *dX[:3, 3]]
        np.testing.assert_allclose(J[:, column], expected, atol=1e-8)
    assert np.abs(J[:, :3]).max() < 1e-12  # joints before the forearm move both alike
    batch = arm.jacobian("palm", np.stack([q, 0 * q]), relative_to="forearm")
    np.testing.assert_allclose(batch[0], J)
