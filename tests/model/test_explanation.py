"""The chain of frames behind a pose says where it breaks."""

from __future__ import annotations

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.explanation import explain_axes, explain_pose

SDF = """<sdf version="1.11"><model name="m"><link name="a"/>
<joint name="j" type="fixed"><parent>a</parent><child>forearm</child></joint>
<joint name="k" type="fixed"><parent>a</parent></joint>
<frame name="f" attached_to="nowhere"/>
<frame name="g"><pose relative_to="nobody"/></frame>
<frame name="h" attached_to="j"/>
</model></sdf>"""
URDF = """<robot name="m"><link name="a"/><link name="b"/><link name="c"/>
<joint name="j" type="fixed"><parent link="upper"/><child link="b"/></joint>
<joint name="k" type="fixed"><child link="c"/></joint>
<joint name="l" type="fixed"><parent link="upper"/><child link="forearm"/></joint>
</robot>"""


@pytest.mark.parametrize(
    ("text", "frame", "fault"),
    [
        (SDF, "j", "its child 'forearm' does not exist in this scope"),
        (SDF, "k", "it has no child"),
        (SDF, "f", "its attached_to 'nowhere' does not exist in this scope"),
        (SDF, "g", "'nobody' does not exist in this scope"),
        (SDF, "h", "its child 'forearm' does not exist in this scope"),  # of the joint that it is attached to
        (URDF, "j", "its parent 'upper' does not exist in this scope"),
        (URDF, "k", "it has no parent"),
        (URDF, "l", "its parent 'upper' does not exist in this scope"),
    ],
)
def test_a_chain_that_breaks_names_what_is_missing(text: str, frame: str, fault: str) -> None:
    model = Loader().load(parse_document(text))
    assert explain_pose(model, model.row(f"m::{frame}"))[0].fault == fault


def test_an_axis_is_explained_in_the_joint_frame_and_in_the_one_it_is_written_in() -> None:
    text = """<sdf version="1.9"><model name="m"><link name="a"/>
    <link name="b"><pose degrees="true">0 0 0 90 0 0</pose></link>
    <joint name="j" type="universal"><parent>a</parent><child>b</child>
    <axis><xyz expressed_in="__model__">0 0 2</xyz></axis><axis2><xyz expressed_in="no">1 0 0</xyz></axis2></joint>
    <joint name="k" type="revolute"><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz></axis></joint>
    </model></sdf>"""
    model = Loader().load(parse_document(text))
    assert explain_axes(model, model.row("m::j")) == ["axis 0 1 0 in the joint frame, 0 0 1 in m", "axis2 not known"]
    assert explain_axes(model, model.row("m::k")) == ["axis 0 0 1 in the joint frame"]
    assert explain_axes(model, model.row("m::a")) == []
