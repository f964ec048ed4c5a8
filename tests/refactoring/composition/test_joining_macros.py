"""A robot that is a macro of xacro is joined by an include and a call; nothing else of the file changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sdfviewer
from sdfviewer.cli import main

pytest.importorskip("xacro", reason="the extra xacro is not installed")

XMLNS = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
ARM = f"""<?xml version="1.0"?>
<robot name='arm' {XMLNS}>
  <!-- kept -->
  <xacro:property name="l" value="1"/>
  <link name="base">{MASS}</link>
  <link name="flange">{MASS}</link>
  <joint name="j" type="continuous"><origin xyz="0 0 ${{l}}"/><parent link="base"/><child link="flange"/></joint>
</robot>
"""


def macro(params: str, content: str, name: str = "hand") -> str:
    return f'<robot {XMLNS}><xacro:macro name="{name}" params="{params}">{content}</xacro:macro></robot>'


MOUNTED = (
    f'<link name="${{prefix}}palm">{MASS}</link>'
    '<joint name="${prefix}mount" type="fixed"><parent link="${parent}"/>'
    '<child link="${prefix}palm"/><xacro:insert_block name="origin"/></joint>'
)
ALONE = f'<link name="${{prefix}}palm">{MASS}</link>'


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    path = tmp_path / "arm.urdf.xacro"
    path.write_text(ARM)
    return path


def join(arm: Path, other: str, *more: str) -> int:
    (arm.parent / "hand.xacro").write_text(other)
    arguments = ["--join", "hand.xacro", "--to", "arm::flange", "--pose", "0 0 0.1 0 0 0", *more]
    return main(["edit", *arguments, "--in-place", str(arm)])


@pytest.mark.parametrize("other", [macro("prefix parent *origin width:=1", MOUNTED), macro("prefix", ALONE)])
def test_the_macro_is_included_called_and_fixed_on_the_link(arm: Path, other: str) -> None:
    assert join(arm, other, "--prefix", "left_") == 0
    text = arm.read_text()
    start = ARM.removesuffix("</robot>\n")
    assert text.startswith(start)
    added = text.removeprefix(start).replace("'", '"')
    assert added.startswith('  <xacro:include filename="hand.xacro"/>\n  <xacro:hand prefix="left_"')
    model = sdfviewer.load(arm)
    np.testing.assert_allclose(model.link("left_palm").pose[:3, 3], [0, 0, 1.1], atol=1e-12)
    assert not [problem for problem in model.diagnostics if problem.is_error]


def test_a_second_call_includes_the_file_once(arm: Path) -> None:
    other = macro("prefix parent *origin", MOUNTED)
    assert join(arm, other, "--prefix", "left_") == 0
    assert join(arm, other, "--prefix", "right_") == 0
    assert arm.read_text().count("xacro:include") == 1
    assert {"left_palm", "right_palm"} <= {link.name for link in sdfviewer.load(arm).links}


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (macro("prefix parent *origin serial", MOUNTED), "also needs serial"),
        (macro("prefix", ALONE + ALONE.replace("palm", "thumb")), "writes 2 root links"),
        (macro("prefix parent *origin", MOUNTED.replace("palm", "base")), "give another prefix"),
    ],
)
def test_what_cannot_be_called_is_refused(
    arm: Path, other: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert join(arm, other) == 2
    assert message in capsys.readouterr().err
    assert arm.read_text() == ARM
