"""Calls that people guess after other libraries: they work, or the error names the right one."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sdfviewer


@pytest.fixture
def arm(examples: Path) -> sdfviewer.Model:
    return sdfviewer.load(examples / "arm.sdf")


def test_a_model_is_read_from_anything_that_holds_one(examples: Path) -> None:
    path = examples / "arm.sdf"
    with path.open(encoding="utf-8") as text, path.open("rb") as data:
        sources = (
            path, str(path), path.read_text(encoding="utf-8"), path.read_bytes(), text, data,
            io.StringIO(path.read_text(encoding="utf-8")), io.BytesIO(path.read_bytes()),
        )  # fmt: skip
        for source in sources:
            assert sdfviewer.load(source).name == "arm"
        assert sdfviewer.load(text).path == path
    assert sdfviewer.check(path.read_bytes()) == ()
    assert sdfviewer.open_document(path.read_bytes()).path is None


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (3, "not from 3"),
        (None, "not from None"),
        (b"\xff\xfe\x00", "cannot read the bytes"),
        ("nowhere.sdf", "No such file"),
    ],
)
def test_what_holds_no_model_is_an_error(source, message: str) -> None:
    with pytest.raises(sdfviewer.UnreadableFileError, match=message):
        sdfviewer.load(source)


def test_a_model_is_not_a_file(arm: sdfviewer.Model) -> None:
    for ask in (sdfviewer.check, sdfviewer.open_document):
        with pytest.raises(sdfviewer.InvalidValueError, match="loaded already"):
            ask(arm)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"use sdfviewer\.load\(path\)"):
        sdfviewer.Model("arm.sdf")  # type: ignore[arg-type]


def test_lists_are_indexed_by_names(arm: sdfviewer.Model) -> None:
    assert arm.links["palm"] == arm.link("palm")
    assert arm.links["arm::palm"] == arm.links[arm.link_names.index("palm")]
    assert "palm" in arm.links
    assert "nothing" not in arm.links
    assert arm.links["base"].visuals["plate"].geometry.kind == "cylinder"
    assert arm.dofs["joint_1"].unit == "rad"
    assert arm.links[:2] == (arm.links[0], arm.links[1])
    with pytest.raises(sdfviewer.UnknownNameError, match="did you mean 'palm'"):
        _ = arm.links["plam"]
    with pytest.raises(TypeError, match="index it by a name"):
        arm.links()  # type: ignore[operator]


def test_a_name_in_two_scopes_is_ambiguous() -> None:
    model = sdfviewer.load(
        "<sdf version='1.9'><model name='m'><model name='a'><link name='l'/></model>"
        "<model name='b'><link name='l'/></model></model></sdf>"
    )
    with pytest.raises(sdfviewer.AmbiguousNameError, match="'a::l', 'b::l'"):
        _ = model.links["l"]
    assert model.links["b::l"].scoped_name == "m::b::l"
    assert model.model_names == ("a", "b")


def test_poses_have_components(arm: sdfviewer.Model) -> None:
    pose = arm.link("palm").pose
    np.testing.assert_array_equal(pose.xyz, pose[:3, 3])
    assert isinstance(arm.poses({"joint_2": [0, 0.1]})["palm"], sdfviewer.Pose)
    assert arm.frame("grasp").resolve_pose("base").rpy.shape == (3,)


@pytest.mark.parametrize(
    ("guess", "right"),
    [
        (lambda m: m.check, r"model\.diagnostics"),
        (lambda m: m.self_collisions, r"model\.colliding_links"),
        (lambda m: m.save("a.sdf"), r"sdfviewer\.open_document"),
        (lambda m: m.add_link("a"), r"edit\.add_link\(\.\.\.\)"),
        (lambda m: m.links[0].parent, "parent_joint"),
        (lambda m: m.links[0].add_visual, r"edit\.add_visual"),
        (lambda m: m.links[0].inertial.ixx, r"inertia\[0, 0\]"),
        (lambda m: m.joint("joint_1").limits.min, "use lower"),
        (lambda m: m.frame("grasp").parent, "attached_to"),
        (lambda m: m.visuals[0].mesh, "geometry"),
        (lambda m: m.visuals[0].geometry.mesh, "triangles"),
        (lambda m: m.links.keys(), "link_names"),
        (lambda m: m.dofs[0].limits, "lower and upper"),
        (lambda m: m.link_by_index(0), r"model\.links\[index\]"),
        (lambda m: m.semantic_pose(), r"resolve_pose"),
        (lambda m: m.mass_matrix(), r"model\.to_mujoco\(\)"),
        (lambda m: m.links[1].resolve_inertial(), "inertia_in_link"),
        (lambda m: m.joints[1].position_lower_limits(), r"limits\.lower"),
        (lambda m: m.joints[1].axis.resolve_xyz("base"), "joint.pose"),
        (lambda m: m.gravity, "world.gravity"),
    ],
)
def test_names_of_other_libraries_lead_to_the_right_one(arm: sdfviewer.Model, guess, right: str) -> None:
    with pytest.raises(AttributeError, match=right):
        guess(arm)


@pytest.mark.parametrize(
    ("guess", "same"),
    [
        (lambda m: m.root_link, lambda m: m.link("base")),
        (lambda m: m.base_link, lambda m: m.root_link),
        (lambda m: m.actuated_joints, lambda m: m.independent_joints),
        (lambda m: m.fk({"joint_2": 0.5})["palm"], lambda m: m.poses({"joint_2": 0.5})["palm"]),
        (lambda m: m.get_transform("palm", "base"), lambda m: m.resolve_pose("palm", "base")),
        (lambda m: m.home_configuration, lambda m: m.q0),
        (lambda m: m.links[0].line, lambda m: m.links[0].location.line),
        (lambda m: m.joint("joint_2").limit, lambda m: m.joint("joint_2").limits),
        (lambda m: m.joint_name_exists("joint_2"), lambda m: True),
        (lambda m: m.has_link("nothing"), lambda m: False),
        (lambda m: m.joint("joint_2").range, lambda m: (-1.4, 2.2)),
        (lambda m: m.link("base").visuals[0].geometry.cylinder.radius, lambda m: 0.16),
        (lambda m: m.nq, lambda m: len(m.dofs)),
    ],
)
def test_names_of_other_libraries_that_mean_the_same_work(arm: sdfviewer.Model, guess, same) -> None:
    np.testing.assert_array_equal(guess(arm), same(arm))


def test_names_of_other_libraries_save_a_document(examples: Path, tmp_path: Path) -> None:
    document: Any = sdfviewer.open_document(examples / "arm.sdf")
    document.save_as(tmp_path / "copy.sdf")
    assert (tmp_path / "copy.sdf").read_text(encoding="utf-8") == document.text
    assert document.dirty is False


@pytest.mark.parametrize(
    ("guess", "right"),
    [
        ("rename", r"with document\.edit\(\) as edit: edit\.rename"),
        ("links", r"document\.model\.links"),
    ],
)
def test_a_document_leads_to_its_model_and_its_edits(examples: Path, guess: str, right: str) -> None:
    with pytest.raises(AttributeError, match=right):
        getattr(sdfviewer.open_document(examples / "arm.sdf"), guess)


def test_a_document_is_no_block(examples: Path) -> None:
    document: Any = sdfviewer.open_document(examples / "arm.sdf")
    with pytest.raises(TypeError, match=r"with document\.edit\(\) as edit"), document:
        pass


def test_the_first_argument_of_a_picture_is_its_path(arm: sdfviewer.Model) -> None:
    with pytest.raises(sdfviewer.InvalidValueError, match="pass positions as q="):
        arm.screenshot({"joint_1": 1.0})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("guess", "right"),
    [
        (lambda m: m.models["gripper"].poses({}), r"the model of the file: model\.poses"),
        (lambda m: m.models["gripper"].dofs, r"the model of the file: model\.dofs"),
        (lambda m: m.poses().to_dict(), r"dict\(poses\)"),
        (lambda m: m.poses().to_numpy(), r"poses\.array"),
        (lambda m: m.to_urdf().text, "the text itself"),
        (lambda m: m.visuals[0].geometry.to_trimesh(), r"visual\.to_trimesh\(\)"),
        (lambda m: m.to_dot(), "sdfviewer graph FILE"),
        (lambda m: m.to_csv(), "sdfviewer frames --csv FILE"),
        (lambda m: m.to_gltf(), "save_bundle"),
        (lambda m: m.link("beam").pose.distance(m.link("column").pose), r"numpy\.linalg\.norm"),
    ],
)
def test_a_part_leads_to_what_has_the_answer(examples: Path, guess, right: str) -> None:
    with pytest.raises(AttributeError, match=right):
        guess(sdfviewer.load(examples / "nested_gripper.sdf"))


@pytest.mark.parametrize(
    ("guess", "right"), [("delete", r"edit\.remove"), ("set_name", r"edit\.rename"), ("set_poze", "set_pose")]
)
def test_an_edit_leads_to_the_right_one(examples: Path, guess: str, right: str) -> None:
    with sdfviewer.open_document(examples / "arm.sdf").edit() as edit, pytest.raises(AttributeError, match=right):
        getattr(edit, guess)


@pytest.mark.parametrize(
    ("guess", "right"),
    [("line", r"span\.line"), ("column", r"span\.column"), ("file", r"span\.path"), ("code", r"rule\.code")],
)
def test_a_diagnostic_leads_to_its_place_and_its_rule(examples: Path, guess: str, right: str) -> None:
    diagnostic = sdfviewer.check(examples / "relative_to_cycle.sdf")[0]
    with pytest.raises(AttributeError, match=f"'{guess}'; use {right}"):
        getattr(diagnostic, guess)
    assert str(copy.deepcopy(diagnostic)) == str(diagnostic)


def test_a_list_of_diagnostics_is_short_enough_to_read(examples: Path) -> None:
    diagnostics = sdfviewer.check(examples / "relative_to_cycle.sdf")
    assert repr(diagnostics) == f"(<Diagnostic {diagnostics[0]}>,)"
    assert repr(diagnostics[0].rule) == "<Rule relative-to-cycle>"


def test_an_assignment_leads_to_an_edit(arm: sdfviewer.Model) -> None:
    for thing, name, right in ((arm.link("palm"), "pose", "set_pose"), (arm, "name", "rename")):
        with pytest.raises(AttributeError, match=f"cannot be assigned to.*{right}"):
            setattr(thing, name, None)


@pytest.mark.parametrize("path", ["arm.urdf", "out/arm.sdf", Path("arm.urdf")])
def test_a_path_is_not_a_version(arm: sdfviewer.Model, path) -> None:
    for write in (arm.to_urdf, arm.to_sdformat):
        with pytest.raises(sdfviewer.InvalidValueError, match=r"\.save\("):
            write(path)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("loads", "load"), ("load_urdf", "load"), ("URDF", "load"), ("open", "open_document"), ("version", "__version__")],
)
def test_functions_of_other_libraries_lead_to_the_right_one(wrong: str, right: str) -> None:
    with pytest.raises(AttributeError, match=right):
        getattr(sdfviewer, wrong)


def test_a_nested_model_is_indexed_by_names(examples: Path) -> None:
    model = sdfviewer.load(examples / "nested_gripper.sdf")
    gripper = model.models["gripper"]
    assert gripper["body"] == model["gripper::body"] == model.link("gripper::body")
    assert "body" in gripper
    assert "column" not in gripper
    assert model.link("column") in model
    assert model.link("column") not in gripper
    assert model.element.tag == "model"


@pytest.mark.parametrize(
    ("guess", "right"),
    [
        (list, "iterate over its links"),
        (lambda m: m.links.base, r"index the list by the name: \['base'\]"),
        (lambda m: m.base, r"model\['base'\]"),
        (lambda m: m.poses().palm, r"poses\['palm'\]"),
        (lambda m: m.link("base").collisions[0].friction, r"surface\.mu"),
        (lambda m: m.link("base").enable_wind, r"get_property\('enable_wind'\)"),
        (lambda m: m.frame("grasp").link, "body"),
    ],
)
def test_what_is_missing_says_where_it_is(arm: sdfviewer.Model, guess, right: str) -> None:
    with pytest.raises((AttributeError, TypeError), match=right):
        guess(arm)


def test_the_world_of_a_model_file_is_its_own_frame(arm: sdfviewer.Model) -> None:
    with pytest.raises(sdfviewer.UnknownNameError, match="own frame is '__model__'"):
        arm.frame("palm").resolve_pose("world")


def test_properties_are_read_by_the_paths_that_edits_write(examples: Path) -> None:
    document = sdfviewer.open_document(examples / "arm.sdf")
    palm = document.model.link("palm")
    assert palm.get_property("inertial/mass") == "0.6"
    assert palm.get_property("self_collide") == "false"  # by default
    assert document.model.joint("joint_1").get_property("@type") == "revolute"
    with document.edit() as edit:
        edit.set_property("palm", "self_collide", True)
    assert palm.get_property("self_collide") == "true"
    with pytest.raises(sdfviewer.InvalidValueError, match="no property 'colour'"):
        palm.get_property("colour")


def test_an_axis_says_in_which_frame_it_is_written() -> None:
    model = sdfviewer.load(
        "<sdf version='1.9'><model name='m'><link name='a'/><link name='b'/><joint name='j' type='revolute'>"
        "<parent>a</parent><child>b</child><axis><xyz expressed_in='a'>0 0 1</xyz></axis></joint>"
        "<joint name='k' type='revolute'><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis></joint>"
        "</model></sdf>"
    )
    (first, second) = (model.joint(name).axis for name in "jk")
    assert first is not None
    assert second is not None
    assert first.expressed_in == model.link("a")
    assert second.expressed_in == model.joint("k")
    assert first.element is not None
    assert first.element.tag == "axis"


def test_a_model_folder_is_the_file_that_its_config_names(tmp_path: Path) -> None:
    folder = tmp_path / "box"
    folder.mkdir()
    with pytest.raises(sdfviewer.UnreadableFileError, match=r"is a folder; name a file in it"):
        sdfviewer.load(folder)
    (folder / "model.config").write_text("<model><name>Box</name><sdf version='1.9'>b.sdf</sdf></model>")
    text = "<sdf version='1.9'><model name='box'><link name='l'/></model></sdf>"
    (folder / "b.sdf").write_text(text)
    assert sdfviewer.load(folder).path == folder / "b.sdf"
    assert sdfviewer.open_document(str(folder)).text == text
    assert sdfviewer.check(folder) == ()


@pytest.mark.parametrize(
    ("text", "message"), [("", "the path is empty|neither"), ("name: a\nlinks: 3", "neither a path nor XML")]
)
def test_a_text_that_is_no_xml_is_not_a_path(text: str, message: str) -> None:
    with pytest.raises(sdfviewer.UnreadableFileError, match=message):
        sdfviewer.load(text)


def test_errors_are_pickled_with_their_message() -> None:
    for error in (sdfviewer.MissingExtraError("PIL", "render"), sdfviewer.ChangedOnDiskError(Path("a.sdf"))):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_document_is_neither_pickled_nor_copied(examples: Path) -> None:
    document = sdfviewer.open_document(examples / "arm.sdf")
    for make in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"use document\.model"):
            make(document)


def test_a_bundle_of_an_unknown_form_is_refused(arm: sdfviewer.Model, tmp_path: Path) -> None:
    with pytest.raises(sdfviewer.SdfViewerError, match="use sdformat, urdf, mjcf or a version"):
        arm.save_bundle(tmp_path / "out", "foo")
    assert not (tmp_path / "out").exists()


def test_handles_stand_for_names(arm: sdfviewer.Model, examples: Path) -> None:
    palm, joint = arm.link("palm"), arm.joint("joint_2")
    poses = arm.poses({joint: 0.5})
    np.testing.assert_array_equal(poses.array, arm.poses({"joint_2": 0.5}).array)
    np.testing.assert_array_equal(poses[palm], poses["palm"])
    np.testing.assert_array_equal(poses[arm], poses["__model__"])
    np.testing.assert_array_equal(palm.resolve_pose(q={joint: 0.5}), poses["palm"])
    assert palm in poses
    with pytest.raises(sdfviewer.UnknownNameError, match="<link palm> is not a joint"):
        arm.poses({palm: 0.5})
    other = sdfviewer.load(examples / "arm.sdf")
    for wrong in (lambda: poses[other.link("palm")], lambda: arm.poses({other.joint("joint_2"): 0.5})):
        with pytest.raises(sdfviewer.InvalidValueError, match="belongs to another model"):
            wrong()


@pytest.mark.parametrize(
    ("keyword", "hint"),
    [
        ("search_paths", "; use paths="),
        ("mappings", "; use arguments="),
        ("argumnets", "; did you mean 'arguments'?"),
        ("filename", "; give it first, without a name, or as source="),
    ],
)
@pytest.mark.parametrize("function", [sdfviewer.load, sdfviewer.check, sdfviewer.open_document])
def test_keywords_of_other_libraries_name_the_right_one(
    function: Callable[..., object], keyword: str, hint: str
) -> None:
    with pytest.raises(TypeError) as caught:
        function("<sdf/>", **{keyword: []})
    assert str(caught.value) == f"{function.__name__}() has no argument '{keyword}'{hint}"
