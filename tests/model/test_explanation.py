"""The chain of frames behind a pose says where it breaks."""

from __future__ import annotations

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.explanation import explain_pose

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
