"""Each version is read as libsdformat reads it: poses, axes, limits, names."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from sdfviewer.refactoring.fix_offers import offer_fixes
from sdfviewer.versions import NEWEST, WRITTEN_VERSIONS
from tests.frames import frame_in


def load(inside: str, version: str) -> Model:
    model = Loader(offer_fixes=offer_fixes).load(parse_document(f'<sdf version="{version}">{inside}</sdf>'))
    assert model is not None
    return model


def errors(model: Model) -> list[str]:
    return [diagnostic.rule.name for diagnostic in model.diagnostics if diagnostic.is_error]


@pytest.mark.parametrize("version", WRITTEN_VERSIONS)
def test_every_version_has_a_simple_model(version: str) -> None:
    model = load('<model name="m"><link name="a"><pose>1 2 3 0 0 0</pose></link></model>', version)
    assert errors(model) == (["version-unsupported"] if version == "1.0" else [])  # libsdformat cannot convert it
    assert frame_in(model, "a").pose[:3, 3].tolist() == [1, 2, 3]


JOINT = """<model name="m">{nested}
  <link name="a"/><link name="b"><pose>0 0 0 0 0 1.5707963267948966</pose></link>
  <joint name="j" type="revolute"><parent>a</parent><child>b</child>
    <axis><xyz{expressed_in}>1 0 0</xyz>{extra}</axis></joint>
</model>"""
#: The x axis of the model as seen in the joint frame, which is turned by 90°.
MODEL_X, JOINT_X = [0, -1, 0], [1, 0, 0]


@pytest.mark.parametrize(
    ("version", "extra", "expressed_in", "expected"),
    [
        ("1.3", "", "", MODEL_X),
        ("1.4", "", "", MODEL_X),
        ("1.4", "<use_parent_model_frame>0</use_parent_model_frame>", "", JOINT_X),
        ("1.5", "", "", JOINT_X),
        ("1.5", "<use_parent_model_frame>true</use_parent_model_frame>", "", MODEL_X),
        ("1.6", "<use_parent_model_frame>1</use_parent_model_frame>", "", MODEL_X),
        ("1.6", "<use_parent_model_frame>false</use_parent_model_frame>", "", JOINT_X),
        ("1.7", "", "", JOINT_X),
        ("1.7", "", ' expressed_in="__model__"', MODEL_X),
        ("1.7", "", ' expressed_in="a"', MODEL_X),
        ("1.12", "", ' expressed_in="b"', JOINT_X),
    ],
)
def test_the_frame_of_an_axis(version: str, extra: str, expressed_in: str, expected: list[float]) -> None:
    model = load(JOINT.format(nested="", extra=extra, expressed_in=expressed_in), version)
    assert errors(model) == []
    np.testing.assert_allclose(model.joints[0].axes[0].xyz, expected, atol=1e-12)


@pytest.mark.parametrize(
    ("version", "flag"), [("1.4", ""), ("1.6", "<use_parent_model_frame>1</use_parent_model_frame>")]
)
def test_an_axis_in_the_model_frame_says_where_it_points(version: str, flag: str) -> None:
    text = JOINT.format(nested="", extra=flag, expressed_in="").replace("<xyz>1 0 0</xyz>", "")
    assert errors(load(text, version)) == ["bad-value"]
    assert errors(load(text.replace(flag, ""), "1.6")) == []


def test_axes_of_nested_models_are_in_the_joint_frame_even_in_old_files() -> None:
    inner = JOINT.format(nested="", extra="", expressed_in="").replace('name="m"', 'name="inner"')
    model = load(JOINT.format(nested=inner, extra="", expressed_in=""), "1.4")
    axes = {joint.name: joint.axes[0].xyz for joint in model.joints}
    np.testing.assert_allclose(axes["m::j"], MODEL_X, atol=1e-12)
    np.testing.assert_allclose(axes["m::inner::j"], JOINT_X, atol=1e-12)


@pytest.mark.parametrize(
    ("version", "attribute"), [("1.5", "frame"), ("1.6", "frame"), ("1.6", "relative_to"), ("1.7", "relative_to")]
)
def test_the_frame_of_a_pose(version: str, attribute: str) -> None:
    links = (
        f'<link name="a"><pose>1 0 0 0 0 0</pose></link><link name="b"><pose {attribute}="a">1 0 0 0 0 0</pose></link>'
    )
    model = load(f'<model name="m">{links}</model>', version)
    assert errors(model) == []
    assert frame_in(model, "b").pose[0, 3] == 2


def test_since_1_7_the_attribute_frame_means_nothing() -> None:
    model = load(
        '<model name="m"><link name="a"/><link name="b"><pose frame="a">1 0 0 0 0 0</pose></link></model>', "1.7"
    )
    assert frame_in(model, "b").relative_to.name == "m"  # type: ignore[union-attr]
    (problem,) = model.diagnostics
    assert problem.rule.name == "removed"
    assert problem.message == (
        "'frame' became 'relative_to' in SDFormat 1.7; it is ignored, so 'b' is measured from the model. "
        "Write relative_to"
    )
    assert [fix.label for fix in problem.fixes] == [
        "Write relative_to='a' instead",
        "Remove frame, which is ignored",
    ]


@pytest.mark.parametrize(
    "pose",
    [
        "<pose>0 0 0 0 0 1.5707963267948966</pose>",
        '<pose degrees="true">0 0 0 0 0 90</pose>',
        '<pose rotation_format="quat_xyzw">0 0 0 0 0 0.7071067811865476 0.7071067811865476</pose>',
        '<pose rotation_format="euler_rpy" degrees="1">0 0 0 0 0 90</pose>',
    ],
)
def test_rotation_formats(pose: str) -> None:
    model = load(f'<model name="m"><link name="a">{pose}</link></model>', "1.9")
    assert errors(model) == []
    np.testing.assert_allclose(frame_in(model, "a").pose[:3, :3], [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-12)


@pytest.mark.parametrize(
    ("version", "limit", "expected"),
    [
        ("1.6", "", (-math.inf, math.inf, math.inf, math.inf)),
        ("1.6", "<lower>-1e16</lower><upper>1e16</upper>", (-math.inf, math.inf, math.inf, math.inf)),
        ("1.6", "<effort>-1</effort><velocity>-1</velocity>", (-math.inf, math.inf, math.inf, math.inf)),
        ("1.10", "<lower>-1</lower><upper>2</upper><effort>3</effort><velocity>4</velocity>", (-1, 2, 3, 4)),
        ("1.10", "<lower>-inf</lower><upper>inf</upper>", (-math.inf, math.inf, math.inf, math.inf)),
    ],
)
def test_limits(version: str, limit: str, expected: tuple[float, ...]) -> None:
    model = load(JOINT.format(nested="", extra=f"<limit>{limit}</limit>", expressed_in=""), version)
    axis = model.joints[0].axes[0]
    assert (axis.lower, axis.upper, axis.effort, axis.velocity) == expected


@pytest.mark.parametrize(
    ("element", "pitch"),
    [
        ("<screw_thread_pitch>0.5</screw_thread_pitch>", 0.5 / (2 * math.pi)),
        ("<thread_pitch>-4</thread_pitch>", 1 / 4),
        ("<thread_pitch>4</thread_pitch>", -1 / 4),
        ("<screw_thread_pitch>0.5</screw_thread_pitch><thread_pitch>4</thread_pitch>", 0.5 / (2 * math.pi)),
    ],
)
def test_screw_pitch_both_ways(element: str, pitch: float) -> None:
    text = JOINT.format(nested="", extra="", expressed_in="").replace("revolute", "screw")
    model = load(text.replace("<axis>", f"{element}<axis>"), "1.10")
    assert model.joints[0].screw_pitch == pytest.approx(pitch)


def test_names_in_old_files_are_changed_where_they_clash() -> None:
    model = load(
        '<model name="m"><link name="a"/><link name="b"/><link name="b_joint"/>'
        '<joint name="b" type="fixed"><parent>a</parent><child>b</child></joint></model>',
        "1.6",
    )
    assert errors(model) == ["renamed-clash"]
    assert "m::b_joint0" in model.rows_by_name
    assert frame_in(model, "b").kind == "link"


def test_messages_speak_the_version_of_the_file() -> None:
    model = load('<model name="m"><link name="a"><foo/></link></model>', "1.4")
    assert "<foo> is not an element of <link> in SDFormat 1.4" in model.diagnostics[0].message


def test_a_version_that_does_not_exist_is_read_as_the_newest() -> None:
    model = load('<model name="m"><link name="a"/></model>', "1.1")
    assert errors(model) == ["version-unsupported"]
    assert model.version == NEWEST


def test_several_worlds_are_allowed_and_the_first_is_shown() -> None:
    model = load('<world name="one"/><world name="two"><frame name="f" attached_to="g"/></world>', "1.6")
    assert model.name == "one"
    assert errors(model) == ["attached-to-invalid"]


def test_blanks_around_names_do_not_count() -> None:
    model = load(
        '<model name=" m "><link name="a "/><link name=" b"><pose relative_to=" a "/></link>'
        '<joint name="j" type=" fixed "><parent> a </parent><child>b</child></joint></model>',
        "1.9",
    )
    assert errors(model) == []
    assert model.names == ["m", "m::a", "m::b", "m::j"]
