"""Edits by script: one undo step, the bytes of the window, nothing half done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sdfviewer
from sdfviewer.session.session import StaleEditError


@pytest.fixture
def arm(examples: Path, tmp_path: Path) -> Path:
    path = tmp_path / "arm.sdf"
    path.write_bytes((examples / "arm.sdf").read_bytes())
    return path


def test_the_script_of_the_manual(arm: Path) -> None:
    document = sdfviewer.open_document(arm)
    with document.edit("Raise the grasp frame") as edit:
        edit.set_pose("grasp", xyz=(0, 0, 0.2))
        edit.set_relative_to("grasp", "base", keep="pose")
        edit.rename("palm", "hand")
        edit.add_frame("tcp", attached_to="hand", pose=(0, 0, 0.1, 0, 0, 0))
    assert document.history == ("Raise the grasp frame",)
    document.save()
    model = sdfviewer.load(arm)
    assert model.frame("tcp").body == model.link("hand")
    assert model.frame("grasp").relative_to == model.link("base")
    assert not document.is_modified


def test_frames_are_placed_by_other_frames(arm: Path) -> None:
    document = sdfviewer.open_document(arm)
    with document.edit() as edit:
        names = edit.mirror("forearm", ("forearm", "other_forearm"), axis="x")
        edit.align("grasp", "inspection", axes="z")
    model = document.model
    assert "other_forearm" in names
    np.testing.assert_allclose(
        model.frame("other_forearm").resolve_pose()[:3, 3], [-1, 1, 1] * model.frame("forearm").resolve_pose()[:3, 3]
    )
    assert model.frame("grasp").resolve_pose()[2, 3] == pytest.approx(model.frame("inspection").resolve_pose()[2, 3])
    with pytest.raises(sdfviewer.InvalidValueError, match="letters of 'xyz'"), document.edit() as edit:
        edit.align("grasp", "inspection", axes="w")


def test_an_exception_in_the_block_changes_nothing(arm: Path) -> None:
    document = sdfviewer.open_document(arm)
    before = document.text

    def fail() -> None:
        with document.edit() as edit:
            edit.rename("palm", "hand")
            edit.set_relative_to("hand", "nowhere")

    with pytest.raises(sdfviewer.SdfViewerError, match="nowhere"):
        fail()
    assert (document.text, document.history, document.is_modified) == (before, (), False)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda e: e.set_pose("grasp", xyz=(0, 0, float("nan"))), "finite"),
        (lambda e: e.set_pose("grasp", xyz=(0, 0)), "3 numbers"),
        (lambda e: e.set_pose("grasp"), "give a target"),
        (lambda e: e.rename("palm", "base"), "base"),
        (lambda e: e.rename("palm", ""), "name"),
        (lambda e: e.remove("palm"), "would refer to removed elements"),
        (lambda e: e.set_relative_to("base", "grasp"), "it would close a c"),
        (lambda e: e.set_relative_to("grasp", "bse"), "did you mean"),
        (lambda e: e.set_relative_to("grasp", "base", keep="place"), "'pose' or 'numbers'"),
        (lambda e: e.add_joint("j", "revolute", "base", "base"), "it is already the"),
        (lambda e: e.add_joint("j", "hinge", "base", "palm"), "not a joint type"),
        (lambda e: e.set_property("joint_1", "axis/limit/lowr", 1), "did you mean"),
        (lambda e: e.set_property("joint_1", "axis/limit/lower", "low"), "low"),
        (lambda e: e.change_version("3.0"), r"use 1\.4"),
        (lambda e: e.fix("relative-to-cycle"), "no problem"),
        (lambda e: e.set_pose(sdfviewer.new().model.link("base"), xyz=(0, 0, 0)), "another model"),
    ],
)
def test_what_would_be_wrong_is_refused_with_the_reason(
    arm: Path, wrong: Callable[[sdfviewer.DocumentEdit], object], message: str
) -> None:
    document = sdfviewer.open_document(arm)
    before = document.text

    def make() -> None:
        with document.edit() as edit:
            wrong(edit)

    with pytest.raises(sdfviewer.SdfViewerError, match=message):
        make()
    assert document.text == before


def test_handles_follow_their_names_or_say_that_they_are_gone(arm: Path) -> None:
    document = sdfviewer.open_document(arm)
    palm, grasp = document.model.link("palm"), document.model.frame("grasp")
    with document.edit() as edit:
        edit.rename(palm, "hand")
        edit.set_pose(grasp, xyz=(0, 0, 1))
        edit.set_relative_to(grasp, palm)
    assert (palm.name, grasp.relative_to) == ("hand", palm)
    document.undo()
    assert palm.name == "palm"
    document.redo()
    with document.edit("Remove the frame") as edit:
        edit.remove(grasp)
    with pytest.raises(sdfviewer.GoneError, match="grasp' is gone since the edit 'Remove the frame'"):
        _ = grasp.pose
    assert document.undo() == "Remove the frame"
    assert grasp.name == "grasp"


def test_a_preview_says_what_moves_and_changes_nothing(arm: Path) -> None:
    document = sdfviewer.open_document(arm)
    with document.preview() as edit:
        edit.set_pose("grasp", xyz=(0, 0, 0.2))
    assert [frame.name for frame in edit.moved] == ["arm::grasp"]
    assert "+      <pose>0 0 0.2 0 0 0</pose>" in edit.diff
    assert not document.is_modified


def test_an_edit_of_a_text_that_has_moved_on_is_refused(arm: Path) -> None:
    document = sdfviewer.open_document(arm)

    def late() -> None:
        with document.edit() as edit:
            edit.rename("palm", "hand")
            with document.edit() as other:
                other.rename("base", "foot")

    with pytest.raises(StaleEditError):
        late()
    assert document.model.link("foot").name == "foot"


def test_moving_keeps_what_is_measured_from_it_or_not(arm: Path) -> None:
    document = sdfviewer.open_document(arm)
    goal = np.eye(4)
    goal[:3, 3] = (0.1, 0.2, 0.3)
    with document.edit() as edit:
        edit.move("grasp", goal, relative_to="base")
    np.testing.assert_allclose(document.model.resolve_pose("grasp", "base"), goal, atol=1e-9)
    tool = document.model.frame("grasp").pose
    with document.edit() as edit:
        edit.move("flange", np.eye(4), alone=True)
    np.testing.assert_allclose(document.model.frame("flange").pose, np.eye(4), atol=1e-9)
    np.testing.assert_allclose(document.model.frame("grasp").pose, tool, atol=1e-9)


def test_a_model_is_built_from_nothing(tmp_path: Path) -> None:
    document = sdfviewer.new("model", name="arm")
    with document.edit("Build") as edit:
        edit.add_link("upper", pose=(0, 0, 0.5, 0, 0, 0))
        edit.add_joint("shoulder", "revolute", "base", "upper")
        edit.set_limits("shoulder", -1.5, 1.5, effort=10)
        edit.set_property("shoulder", "axis/xyz", (0, 1, 0))
        edit.add_visual("upper", "shape", geometry="cylinder")
        edit.add_frame("tip", attached_to="upper", relative_to="base", pose=sdfviewer.Pose(xyz=(0, 0, 1)))
        edit.add_model("gripper")
        edit.add_joint("mount", "fixed", "tip", "gripper::link")
    model = document.model
    assert model.is_valid, model.diagnostics
    assert isinstance(model.visual("upper::shape").geometry, sdfviewer.Cylinder)
    assert model.joint("mount").child == model.link("gripper::link")
    np.testing.assert_allclose(model.frame("tip").pose[:3, 3], [0, 0, 1])
    np.testing.assert_allclose(model.poses({"shoulder": np.pi / 2})["tip"][:3, 3], [0.5, 0, 0.5], atol=1e-12)
    document.save(tmp_path / "arm.sdf")
    assert sdfviewer.load(tmp_path / "arm.sdf").mass == model.mass
    with pytest.raises(sdfviewer.InvalidValueError, match="use model, arm, arm_gripper, rover, quadrotor, world"):
        sdfviewer.new("robot")


def test_saving_refuses_a_file_that_has_changed(arm: Path) -> None:
    document = sdfviewer.open_document(arm)
    with document.edit() as edit:
        edit.rename("palm", "hand")
    arm.write_text(arm.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    with pytest.raises(sdfviewer.ChangedOnDiskError):
        document.save()
    document.save(overwrite=True)
    assert "hand" in sdfviewer.load(arm)


def test_quick_fixes_are_edits(examples: Path) -> None:
    document = sdfviewer.open_document(examples / "relative_to_cycle.sdf")
    assert not document.model.is_valid
    with document.edit() as edit:
        edit.fix("relative-to-cycle")
    assert document.model.is_valid


def test_a_pose_is_measured_from_another_frame_as_it_is_set(examples: Path) -> None:
    document = sdfviewer.open_document(examples / "arm.sdf")
    with document.edit() as edit:
        edit.set_pose("grasp", xyz=(0, 0, 0.5), rpy=(0, 0, 0), relative_to="base")
        edit.add_link("camera", pose=(0, 0, 1, 0, 0, 0), relative_to="palm")
        edit.duplicate("grasp", "grasp_2")
    model = document.model
    assert model.frame("grasp").relative_to == model.link("base")
    np.testing.assert_allclose(model.resolve_pose("grasp", "base").xyz, (0, 0, 0.5), atol=1e-12)
    np.testing.assert_allclose(model.resolve_pose("camera", "palm").xyz, (0, 0, 1), atol=1e-12)
    assert model.frame("grasp_2").pose.tolist() == model.frame("grasp").pose.tolist()
    assert document.history == ("3 edits",)


def test_an_include_is_placed_as_it_is_added(tmp_path: Path) -> None:
    (tmp_path / "part.sdf").write_text("<sdf version='1.9'><model name='part'><link name='l'/></model></sdf>")
    (tmp_path / "top.sdf").write_text("<sdf version='1.9'><model name='m'><link name='a'/></model></sdf>")
    document = sdfviewer.open_document(tmp_path / "top.sdf")
    with document.edit() as edit:
        edit.add_include("part.sdf", "p", pose=sdfviewer.Pose(xyz=(1, 2, 3)), relative_to="a")
    assert document.model.model("p").pose.xyz.tolist() == [1, 2, 3]
    assert document.model.model("p").relative_to == document.model.link("a")


def test_every_refusal_of_an_edit_is_an_edit_error(examples: Path) -> None:
    document = sdfviewer.open_document(examples / "arm.sdf")
    before = document.text
    for wrong in (
        lambda edit: edit.rename("palm", "base"),
        lambda edit: edit.add_link("palm"),
        lambda edit: edit.remove("palm"),
        lambda edit: edit.set_relative_to("base", "base"),
    ):
        with pytest.raises(sdfviewer.EditError), document.edit() as edit:
            wrong(edit)
    with document.edit() as first:
        first.rename("palm", "hand")
        second = document.edit()
    with pytest.raises(sdfviewer.EditError, match="has changed in the meantime"), second as edit:
        edit.add_frame("tcp")
    document.undo()
    assert document.text == before


def test_shapes_and_limits_that_cannot_be_meant_are_refused(examples: Path) -> None:
    document = sdfviewer.open_document(examples / "arm.sdf")
    with document.preview() as edit:
        with pytest.raises(sdfviewer.InvalidValueError, match=r"geometry=Box\(size=\(1, 1, 1\)\)"):
            edit.add_visual("palm", sdfviewer.Box((1, 1, 1)))  # type: ignore[arg-type]
        with pytest.raises(sdfviewer.InvalidValueError, match=r"lower limit 3 is above the upper limit 2\.9"):
            edit.set_limits("joint_1", lower=3)
        with pytest.raises(sdfviewer.InvalidValueError, match=r"translation alone is sdfviewer.Pose\(xyz=\.\.\.\)"):
            edit.move("grasp", (0, 0, 1))
        assert edit.diff == ""


def test_the_model_of_a_document_is_a_handle_of_it(examples: Path) -> None:
    document = sdfviewer.open_document(examples / "arm.sdf")
    with document.edit() as edit:
        edit.set_property(document.model, "static", True)
        edit.add_frame("origin", attached_to=document.model)
        edit.add_link("box", parent=document.model)
    assert document.model.is_static
    assert document.model.link("box").owner is not None
    assert document.model.frame("origin").attached_to == document.model.things[0]
    with pytest.raises(sdfviewer.InvalidValueError, match="another model"), document.edit() as edit:
        edit.set_property(sdfviewer.load(examples / "arm.sdf"), "static", True)


def test_a_link_is_added_with_a_mass(examples: Path) -> None:
    document = sdfviewer.open_document(examples / "arm.sdf")
    with document.edit() as edit:
        edit.add_link("box", geometry=sdfviewer.Box((0.1, 0.2, 0.3)), mass=6.0)
        edit.add_link("point", mass=0.5)
        edit.add_link("plane", geometry="plane", mass=2.0)
        edit.add_joint("turn", "revolute", "palm", "point", axis=(1, 0, 0))
    model = document.model
    assert [model.link(name).mass for name in ("box", "point", "plane")] == [6.0, 0.5, 2.0]
    np.testing.assert_allclose(model.link("box").inertial.moments[:3], [0.065, 0.05, 0.025])
    ball = model.link("point").inertial
    radius = (0.75 * 0.5 / 1000 / np.pi) ** (1 / 3)
    np.testing.assert_allclose(ball.moments[:3], [0.4 * 0.5 * radius**2] * 3, rtol=1e-3)
    assert len(model.link("point").visuals) == 0
    axis = model.joint("turn").axis
    assert axis is not None
    np.testing.assert_array_equal(axis.xyz, [1, 0, 0])
    with pytest.raises(sdfviewer.EditError, match="must be positive"), document.edit() as edit:
        edit.add_link("nothing", mass=0.0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"mass": -1.0}, "no link has a mass of -1 kg"),
        ({"mass": float("nan")}, "finite"),
        ({"inertia": np.diag([1.0, 1.0, 5.0])}, "none may be larger than the sum"),
        ({"inertia": -np.eye(3)}, "not positive"),
        ({"inertia": [[1, 2, 3], [0, 1, 0], [0, 0, 1]]}, "symmetric"),
    ],
)
def test_an_inertial_that_no_body_has_is_refused_at_once(examples: Path, given: dict[str, Any], message: str) -> None:
    document = sdfviewer.open_document(examples / "arm.sdf")
    with document.preview() as edit:
        with pytest.raises(sdfviewer.SdfViewerError, match=message):
            edit.set_inertial("palm", **given)
        assert edit.diff == ""


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("fixed", "joint 'j' is fixed, so it has no axis and no limits; give it the type 'revolute'"),
        ("floating", "joint 'j' is floating, so it has no axis"),
        ("continuous", "joint 'j' is continuous and turns without end; give it the type 'revolute' first"),
    ],
)
def test_a_joint_without_limits_says_which_type_has_them(written: str, why: str) -> None:
    links, ends = "<link name='a'/><link name='b'/>", "<parent link='a'/><child link='b'/>"
    text = f"<robot name='r'>{links}<joint name='j' type='{written}'>{ends}</joint></robot>"
    document = sdfviewer.open_document(text)
    with pytest.raises(sdfviewer.SdfViewerError, match=why), document.edit() as edit:
        edit.set_limits("j", -1, 1)
    assert document.text == text
