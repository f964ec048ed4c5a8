"""The examples that the Help menu offers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from lxml import etree

import sdfviewer
from sdfviewer.diagnostics import Severity
from sdfviewer.formats.load import load_model
from tests.frames import frame_in

EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"
INDEX = json.loads((EXAMPLES / "index.json").read_text(encoding="utf-8"))
BROKEN = {
    "relative_to_cycle.sdf": "relative-to-cycle",
    "attached_to_cycle.sdf": "attached-to-cycle",
    "name_clash.sdf": "duplicate-name",
}


def test_the_index_names_every_example_once() -> None:
    assert sorted(entry["file"] for entry in INDEX) == sorted(path.name for path in EXAMPLES.glob("*.sdf"))


@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: entry["file"])
def test_an_example_says_what_it_is(entry: dict[str, str]) -> None:
    root = etree.parse(EXAMPLES / entry["file"]).getroot()
    comment = root[0]
    assert comment.tag is etree.Comment
    assert entry["description"].endswith(".")
    assert entry["title"].startswith("Broken:") == (entry["file"] in BROKEN)
    assert comment.text.strip().startswith("INVALID on purpose") == (entry["file"] in BROKEN)


@pytest.mark.parametrize("file", [entry["file"] for entry in INDEX])
def test_an_example_has_the_one_fault_it_shows_or_none(file: str) -> None:
    diagnostics = sdfviewer.check(EXAMPLES / file)
    assert all(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
    assert [diagnostic.rule.name for diagnostic in diagnostics] == ([BROKEN[file]] if file in BROKEN else [])


@pytest.mark.parametrize("joint", ["joint1", "joint2", "joint3"])
def test_the_parity_examples_are_the_same_robot(joint: str) -> None:
    poses = [
        frame_in(load_model(EXAMPLES / f"{name}.sdf"), f"{name}::{joint}").resolve_pose()
        for name in ("parity_relative_to", "parity_frames")
    ]
    np.testing.assert_allclose(poses[0], poses[1], atol=1e-12)


def test_the_arm_points_its_tool_straight_down() -> None:
    X_BaseFlange = frame_in(load_model(EXAMPLES / "arm.sdf"), "arm::flange").resolve_pose(relative_to="arm::base")
    np.testing.assert_allclose(X_BaseFlange[:3, 2], [0, 0, -1], atol=1e-12)


def test_the_contracts_of_an_example_hold_and_each_can_break(tmp_path: Path) -> None:
    name = "gripper_arm.contracts.toml"
    assert sdfviewer.check(EXAMPLES / "gripper_arm.sdf") == ()
    (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    text = (EXAMPLES / "gripper_arm.sdf").read_text(encoding="utf-8")
    assert "<pose>0 0 0.08 0 0 0</pose>" in text
    for old, new in (
        ("<pose>0 0 0.08 0 0 0</pose>", "<pose>0 0 0.09 0 0 0</pose>"),
        ("<upper>2.6179938779914944</upper>", "<upper>2.7</upper>"),
        ('name="wrist_roll"', 'name="roll"'),
        ("<mass>", "<mass>1"),
        ('<pose relative_to="upper_arm">0 0 0.3 0 0 0</pose>', '<pose relative_to="upper_arm">0 0 -0.4 0 0 0</pose>'),
    ):
        assert old in text
        (tmp_path / "gripper_arm.sdf").write_text(text.replace(old, new), encoding="utf-8")
        rules = {each.rule.name for each in sdfviewer.check(tmp_path / "gripper_arm.sdf")}
        assert "contract-broken" in rules, new
