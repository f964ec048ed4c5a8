from dataclasses import replace

import numpy as np
import pytest

from sdfviewer.formats.load import load_model
from sdfviewer.scene.glyphs import build_joint_glyphs, glyph_directions, values_of, with_values
from sdfviewer.scene.nodes import JointShape
from sdfviewer.transforms import axis_angle_to_matrix

MODEL = """<sdf version="1.12"><model name="m">
  <link name="a"/><link name="b"/><link name="c"/><link name="d"/><link name="e"/>
  <joint name="turn" type="revolute"><parent>a</parent><child>b</child>
    <axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>2</upper></limit></axis></joint>
  <joint name="slide" type="prismatic"><parent>b</parent><child>c</child>
    <axis><xyz>1 0 0</xyz><limit><lower>0</lower><upper>0.5</upper></limit></axis></joint>
  <joint name="cross" type="universal"><parent>c</parent><child>d</child>
    <axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>
  <joint name="glue" type="fixed"><parent>d</parent><child>e</child></joint>
</model></sdf>"""


@pytest.fixture(scope="module")
def glyphs():
    model = load_model(MODEL)
    return build_joint_glyphs(model, np.ones(len(model), bool))


def test_one_glyph_for_each_axis(glyphs) -> None:
    shapes = [JointShape(shape) for shape in glyphs.shapes]
    assert shapes == [JointShape.ARC, JointShape.RAIL, JointShape.ARC, JointShape.ARC]
    assert glyphs.dofs == ("m::turn", "m::slide", "m::cross", "m::cross[1]")
    np.testing.assert_allclose(glyphs.limits[:2], np.array([[-1, 2], [0, 0.5]]))
    assert glyphs.carriers.tolist() == [-1, -1, 3, -1]


def test_values_come_by_name(glyphs) -> None:
    values = values_of(glyphs, {"m::slide": 0.25, "m::cross[1]": 1.0})
    np.testing.assert_allclose(values, [0, 0.25, 0, 1.0])


def test_the_arc_stays_with_the_parent_while_the_child_turns(glyphs) -> None:
    _, zeros_before = glyph_directions(glyphs)
    axes, zeros = glyph_directions(with_values(glyphs, np.array([0.7, 0, 0, 0])))
    R_JpJc = axis_angle_to_matrix(axes[0], np.array(0.7))
    # The joint's frame has turned by q, so the zero direction is seen turned back by q from it.
    np.testing.assert_allclose(R_JpJc @ zeros[0], zeros_before[0], atol=1e-12)


def test_the_first_axis_of_a_universal_joint_turns_with_the_second(glyphs) -> None:
    q1, q2 = 0.4, 1.1
    axes, _ = glyph_directions(with_values(glyphs, np.array([0, 0, q1, q2])))
    R_JpJc = axis_angle_to_matrix(glyphs.axes[2], np.array(q1)) @ axis_angle_to_matrix(glyphs.axes[3], np.array(q2))
    np.testing.assert_allclose(R_JpJc @ axes[2], glyphs.axes[2], atol=1e-12)
    np.testing.assert_allclose(axes[3], glyphs.axes[3])


def test_no_joints_at_all(glyphs) -> None:
    model = load_model(MODEL)
    none = build_joint_glyphs(model, np.zeros(len(model), bool))
    axes, zeros = glyph_directions(replace(none))
    assert axes.shape == zeros.shape == (0, 3)
