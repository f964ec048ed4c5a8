"""MJCF without MuJoCo; tests/peers/test_mujoco.py compiles it."""

from __future__ import annotations

import re

import pytest

from sdfviewer.export.mjcf import export_mjcf
from sdfviewer.files.finder import Finder
from sdfviewer.formats.load import load_model


@pytest.mark.parametrize("child", ["b", "tool"])
def test_a_joint_is_a_site_of_the_link_that_it_moves(child: str) -> None:
    model = load_model(
        '<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/><frame name="tool" attached_to="b"/>'
        f'<joint name="j" type="revolute"><pose relative_to="b">0 0 1 0 0 0</pose><parent>a</parent>'
        f"<child>{child}</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"
    )
    text = export_mjcf(model, Finder(), lambda geometry: "there are no meshes").text
    body = text[text.index('<body name="b"') :]
    assert set(re.findall('<site name="([^"]*)"', body)) == {"tool", "j"}
    assert re.search('<site name="j" pos="0.0 0.0 1.0"', body)
