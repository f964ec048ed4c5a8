"""The commands, files and settings that the pages show are accepted by the program."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sdfviewer
from sdfviewer.cli import COMMANDS, command_parser, main

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

REPOSITORY = Path(__file__).parents[2]
PAGES = sorted(
    [REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md"), *(REPOSITORY / "docs/concepts").glob("*.md")]
)
#: Commands that open a window or a connection, or need OpenGL or a repository: tests of their own run these.
ELSEWHERE = frozenset({"FILE...", "lsp", "mcp", "fetch", "screenshot", "diff", "merge", "page", "blame", "bisect"})
PLACEHOLDERS = {
    "FILE": "arm.sdf",
    "FILES": "arm.sdf",
    "FILE...": "arm.sdf",
    "FRAME": "arm::grasp",
    "RULE": "mimic-cycle",
    "F=T": "grasp=base",
}
ROBOT = """<sdf version="1.11"><model name="robot">
  <link name="torso"/>
  <link name="left_arm"><pose>0 0.5 0 0 0 0</pose></link>
  <joint name="left_shoulder" type="fixed"><parent>torso</parent><child>left_arm</child></joint>
  <frame name="a"/><frame name="b"><pose>1 0 0 0 0 0</pose></frame><frame name="c"><pose>0 0 2 0 0 0</pose></frame>
  <frame name="base"/><frame name="tool"><pose>0 0 3 0 0 0</pose></frame>
</model></sdf>
"""
URDF = """<robot name="robot"><material name="blue"><color rgba="0 0 1 1"/></material><link name="chassis"/>
  <joint name="elbow" type="revolute"><parent link="chassis"/><child link="arm"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
  <link name="arm"/>
  <joint name="wheel_joint" type="fixed"><parent link="arm"/><child link="wheel"/></joint><link name="wheel"/>
  <joint name="grasp" type="fixed"><parent link="arm"/><child link="gripper"/></joint><link name="gripper"/>
</robot>
"""
MJCF = "<mujoco><worldbody><body name='b' pos='0 0 1'><geom type='box' size='1 1 1'/></body></worldbody></mujoco>"
XACRO = """<robot name="robot" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="legs" default="4"/><link name="base_$(arg legs)"/>
  <xacro:property name="prefix" value="left_"/><link name="${prefix}wheel"/>
  <joint name="j" type="fixed">
    <origin xyz="0 0 1"/><parent link="base_$(arg legs)"/><child link="${prefix}wheel"/></joint>
</robot>
"""


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """Yield the code blocks of a language with the name of their page."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            yield page.name, block


def shown_commands() -> Iterator[list[str]]:
    """Yield the words of the commands in blocks, and of those in the table of wishes."""
    lines = [line for _, block in blocks("sh") for line in block.replace("\\\n", " ").splitlines()]
    lines += re.findall("`(sdfviewer [^`]*)`", (REPOSITORY / "docs/wishes.md").read_text(encoding="utf-8"))
    for line in lines:
        words = shlex.split(line, comments=True)
        if words[:1] == ["sdfviewer"] and words[1] in COMMANDS:
            yield words[1:]


def commands() -> Iterator[str]:
    for words in shown_commands():
        if words[0] not in ELSEWHERE:
            yield shlex.join(words)


def test_the_command_takes_these_words() -> None:
    for command in dict.fromkeys(map(shlex.join, shown_commands())):
        name, *words = shlex.split(command)
        _, unknown = command_parser(name).parse_known_args(words)
        assert not unknown, command


@pytest.fixture
def folder(tmp_path: Path, examples: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the files that the pages name."""
    shutil.copytree(examples, tmp_path / "resources" / "examples")
    shutil.copy(examples / "arm.sdf", tmp_path)
    (tmp_path / "models").mkdir()
    shutil.copy(examples / "name_clash.sdf", tmp_path / "models")
    (tmp_path / "robot.sdf").write_text(ROBOT, encoding="utf-8")
    (tmp_path / "robot.urdf").write_text(URDF, encoding="utf-8")
    (tmp_path / "robot.xml").write_text(MJCF, encoding="utf-8")
    (tmp_path / "arm.urdf").write_text('<robot name="arm"><link name="flange"/></robot>', encoding="utf-8")
    (tmp_path / "gripper.urdf").write_text('<robot name="hand"><link name="palm"/></robot>', encoding="utf-8")
    (tmp_path / "robot.urdf.xacro").write_text(XACRO, encoding="utf-8")
    (tmp_path / "states.csv").write_text("time,joint_2\n0,0\n1,0.5\n", encoding="utf-8")
    (tmp_path / "known.json").write_text("{}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", list(dict.fromkeys(commands())))
@pytest.mark.usefixtures("folder")
def test_the_command_runs(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(command)
    if "--baseline" in words:
        assert main(["check", "--write-baseline", "known.json", "models"]) in (0, 1)
    status = main([PLACEHOLDERS.get(word, word) for word in words])
    assert status in (0, 1), capsys.readouterr().err


@pytest.mark.parametrize(("page", "block"), list(blocks("xml")))
def test_the_xml_is_read(page: str, block: str) -> None:
    if block.startswith(("<model", "<world")):
        model = sdfviewer.load(f'<sdf version="1.11">{block}</sdf>')
        assert not [each for each in model.diagnostics if each.is_error], page
    else:
        text = f'<sdf version="1.11"><model name="m"><link name="l"/>{block}</model></sdf>'
        assert not [each for each in sdfviewer.check(text) if each.rule.name == "xml-syntax"], page


def test_settings_are_in_their_format() -> None:
    for _, block in blocks("toml"):
        assert tomllib.loads(block)
    for _, block in blocks("json"):
        assert json.loads(block)
