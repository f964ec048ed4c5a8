"""Single properties: read, checked, written, cleared, each edit touching nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from sdfviewer.document.edits import Edit
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.model import Model
from sdfviewer.model.targets import ReferenceTargets
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.properties.catalogue import PropertySpec, property_groups
from sdfviewer.refactoring.properties.property_values import (
    default_of,
    read_property,
    set_joint_end,
    set_property,
    set_shape,
    shape_of,
    specs_of,
    value_fault,
)
from sdfviewer.versions import Version

ARM = """<sdf version="1.9">
  <model name="arm">
    <link name="base">
      <visual name="look"><geometry><box><size>1 1 1</size></box></geometry></visual>
    </link>
    <link name="upper"><pose>0 0 1 0 0 0</pose>
      <inertial>
        <mass>2</mass>
      </inertial>
    </link>
    <link name="tip"><pose>0 0 2 0 0 0</pose></link>
    <frame name="tool" attached_to="upper"/>
    <joint name="shoulder" type="revolute">
      <pose>0 0 -0.5 0 0 0</pose>
      <parent>base</parent>
      <child>upper</child>
      <axis>
        <xyz expressed_in="tool">0 0 1</xyz>
        <limit>
          <lower>-1</lower>
        </limit>
      </axis>
    </joint>
  </model>
</sdf>
"""


@pytest.fixture
def arm() -> Model:
    return load_model(ARM)


def after(model: Model, edit: Edit) -> Model:
    result = Loader().load(model.document.edited(edit.replacements))
    assert result is not None
    return result


def spec(model: Model, row: int, path: str) -> PropertySpec:
    return next(each for each in specs_of(model, row) if each.path == path)


def test_a_value_is_written_in_place(arm: Model) -> None:
    row = arm.row("arm::shoulder")
    assert read_property(arm.elements[row], "axis/limit/lower") == "-1"
    edit = set_property(arm, [row], spec(arm, row, "axis/limit/lower"), "-0.5")
    assert arm.document.edited(edit.replacements).text == ARM.replace("<lower>-1<", "<lower>-0.5<")


def test_missing_elements_are_made_with_the_indentation_of_the_file(arm: Model) -> None:
    row = arm.row("arm::shoulder")
    edit = set_property(arm, [row], spec(arm, row, "axis/dynamics/damping"), "0.1")
    text = arm.document.edited(edit.replacements).text
    assert (
        "        </limit>\n        <dynamics>\n          <damping>0.1</damping>\n        </dynamics>\n      </axis>"
        in text
    )


def test_clearing_removes_emptied_elements(arm: Model) -> None:
    row = arm.row("arm::upper")
    edit = set_property(arm, [row], spec(arm, row, "inertial/mass"), None)
    text = arm.document.edited(edit.replacements).text
    assert "inertial" not in text
    assert text == ARM.replace("      <inertial>\n        <mass>2</mass>\n      </inertial>\n", "")


def test_clearing_an_attribute_leaves_its_element(arm: Model) -> None:
    row = arm.row("arm::shoulder")
    edit = set_property(arm, [row], spec(arm, row, "axis/xyz@expressed_in"), None)
    assert "<xyz>0 0 1</xyz>" in arm.document.edited(edit.replacements).text


def test_a_mimic_comes_and_goes_with_the_joint_it_follows(arm: Model) -> None:
    wrist = """
    <joint name="wrist" type="revolute"><parent>upper</parent><child>tip</child><axis><xyz>0 0 1</xyz></axis></joint>
  </model>"""
    model = load_model(ARM.replace('version="1.9"', 'version="1.11"').replace("\n  </model>", wrist))
    row = model.row("arm::shoulder")
    joint = spec(model, row, "axis/mimic@joint")
    with pytest.raises(RefactoringError, match="this joint itself"):
        set_property(model, [row], joint, "shoulder")
    model = after(model, set_property(model, [row], joint, "wrist"))
    assert '<mimic joint="wrist"/>' in model.document.text
    model = after(model, set_property(model, [row], spec(model, row, "axis/mimic/multiplier"), "2"))
    assert "<multiplier>2</multiplier>" in model.document.text
    assert "mimic" not in after(model, set_property(model, [row], joint, None)).document.text


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("axis/limit/lower", "0.1m", "only '0.1'"),
        ("axis/limit/lower", "many", "not a number"),
        ("axis/limit/lower", "", "empty"),
        ("axis/xyz", "0 0", "3 numbers"),
        ("axis/xyz", "0 0 0", "direction"),
        ("@type", "revolut", "did you mean 'revolute'"),
    ],
)
def test_a_bad_value_is_refused_with_its_reason(arm: Model, path: str, value: str, reason: str) -> None:
    row = arm.row("arm::shoulder")
    assert reason in (value_fault(arm, row, spec(arm, row, path), value) or "")
    with pytest.raises(RefactoringError, match=reason):
        set_property(arm, [row], spec(arm, row, path), value)


def test_what_must_be_given_cannot_be_cleared(arm: Model) -> None:
    row = arm.row("arm::shoulder")
    for path in ("@type", "parent"):
        with pytest.raises(RefactoringError, match="is required"):
            set_property(arm, [row], spec(arm, row, path), None)


def test_defaults_come_from_the_tables(arm: Model) -> None:
    row = arm.row("arm::shoulder")
    assert default_of(arm, row, "axis/limit/lower") == "-1e16"
    assert default_of(arm, row, "parent") == ""
    assert default_of(arm, arm.row("arm::upper"), "inertial/mass") == "1.0"


def test_fields_follow_version_and_joint_type(arm: Model) -> None:
    row = arm.row("arm::shoulder")
    paths = {each.path for each in specs_of(arm, row)}
    assert "axis/limit/lower" in paths
    assert not {"axis2/xyz", "axis/mimic@joint", "axis/use_parent_model_frame", "screw_thread_pitch"} & paths
    old = load_model(ARM.replace('version="1.9"', 'version="1.6"'))
    assert "axis/use_parent_model_frame" in {each.path for each in specs_of(old, old.row("arm::shoulder"))}


@pytest.mark.parametrize(
    "key", ["world", "model", "include", "link", "joint", "frame", "visual", "collision", "sensor"]
)
def test_every_kind_has_its_groups_in_every_version(key: str) -> None:
    versions: list[Version] = [(1, 0), (1, 4), (1, 6), (1, 7), (1, 9), (1, 12)]
    for version in versions:
        groups = property_groups(key, version)
        paths = [each.path for group in groups for each in group.specs]
        assert len(paths) == len(set(paths)), version
    ours = [each for group in groups if group.title != "Other" for each in group.specs]
    assert [each.path for each in ours if not each.help.endswith(".")] == []


def test_several_rows_are_written_as_one_step(arm: Model) -> None:
    rows = [arm.row("arm::base"), arm.row("arm::upper"), arm.row("arm::tip")]
    model = after(arm, set_property(arm, rows, spec(arm, rows[0], "inertial/mass"), "3"))
    assert [read_property(model.elements[row], "inertial/mass") for row in rows] == ["3"] * 3


def test_another_child_keeps_the_joint_in_place(arm: Model) -> None:
    row = arm.row("arm::shoulder")
    model = after(arm, set_joint_end(arm, row, "child", "tip"))
    np.testing.assert_allclose(model.X_RootF, arm.X_RootF, atol=1e-12)
    assert "<pose>0 0 -1.5 0 0 0</pose>" in model.document.text
    moved = after(arm, set_joint_end(arm, row, "child", "tip", keep="numbers"))
    assert not np.allclose(moved.X_RootF[row], arm.X_RootF[row])


def test_targets_carry_the_reason_against_them(arm: Model) -> None:
    row = arm.row("arm::shoulder")
    reasons = {target.name: target.reason for target in ReferenceTargets(arm, row, "parent")}
    assert reasons["world"] is None
    assert reasons["tip"] is None
    assert "same body" in (reasons["tool"] or "")
    assert "moves with this joint" in (reasons["shoulder"] or "")
    assert [target.name for target in ReferenceTargets(arm, 0, "canonical_link")] == ["base", "upper", "tip"]


def test_a_shape_replaces_the_one_before(arm: Model) -> None:
    row = arm.row("arm::base::look")
    model = after(arm, set_shape(arm, row, "cylinder"))
    assert shape_of(model, row) == "cylinder"
    assert read_property(model.elements[row], "geometry/cylinder/radius") == "0.05"
    assert not model.diagnostics
    with pytest.raises(RefactoringError, match="no shape"):
        set_shape(arm, row, "cone")  # since 1.12


LIMITED = """<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/>
  <joint name="j" type="{}"><parent>a</parent><child>b</child>
    <axis><xyz>0 0 1</xyz><limit><lower>-2.09</lower><upper>2.09</upper></limit></axis>
  </joint>
</model></sdf>"""


@pytest.mark.parametrize(
    ("before", "after", "stays", "says"),
    [
        ("revolute", "prismatic", False, "its numbers were radians, and a prismatic joint has metres"),
        ("prismatic", "continuous", False, "its numbers were metres, and a continuous joint has radians"),
        ("revolute", "continuous", True, ""),
        ("revolute", "revolute", True, ""),
    ],
)
def test_limits_of_a_joint_are_not_read_in_another_unit(before: str, after: str, stays: bool, says: str) -> None:
    model = load_model(LIMITED.format(before))
    row = model.row("m::j")
    spec = next(each for each in specs_of(model, row) if each.path == "@type")
    edit = set_property(model, [row], spec, after)
    assert ("<limit>" in edit.document.edited(edit.replacements).text) is stays
    assert says in "".join(edit.notes)
    assert bool(edit.notes) is not stays


def test_urdf_keeps_limits_that_it_requires_and_says_what_they_mean_now() -> None:
    text = """<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="revolute"><parent link="a"/>
      <child link="b"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint></robot>"""
    model = load_model(text)
    row = model.row("r::j")
    spec = next(each for each in specs_of(model, row) if each.path == "@type")
    edit = set_property(model, [row], spec, "prismatic")
    assert 'upper="2"' in edit.document.edited(edit.replacements).text
    assert "are read as metres now" in "".join(edit.notes)
