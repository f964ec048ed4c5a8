"""Poses, masses, centres and inertias of MJCF files are those of MuJoCo, as recorded and where it is installed."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from sdfviewer.formats.load import load_model
from tests.formats.mjcf.peer import ANSWERS, FILES, ask_mujoco, expansion_of, largest_errors

RECORDED = json.loads(ANSWERS.read_text(encoding="utf-8"))
FILE_NAMES = sorted(path.name for path in FILES.glob("*.xml"))


def test_every_file_is_recorded() -> None:
    assert sorted(RECORDED) == FILE_NAMES
    assert all(answer["configurations"] for answer in RECORDED.values())


@pytest.mark.parametrize("name", FILE_NAMES)
def test_a_file_means_what_mujoco_has_recorded(name: str) -> None:
    poses, masses = largest_errors(FILES / name, RECORDED[name])
    assert poses < 1e-9
    assert masses < 1e-9


@pytest.mark.skipif(find_spec("mujoco") is None, reason="MuJoCo is not installed")
@pytest.mark.parametrize("name", FILE_NAMES)
def test_a_file_means_what_mujoco_says(name: str) -> None:
    poses, masses = largest_errors(FILES / name, ask_mujoco(FILES / name, 20))
    assert poses < 1e-9
    assert masses < 1e-9


def test_a_wrong_answer_is_noticed(tmp_path: Path) -> None:
    text = (FILES / "loops.xml").read_text(encoding="utf-8")
    other = tmp_path / "loops.xml"
    other.write_text(
        text.replace('pos="0 0 0.2"', 'pos="0 0 0.2000001"').replace("0.01", "0.0100001"), encoding="utf-8"
    )
    poses, masses = largest_errors(other, RECORDED["loops.xml"])
    assert poses > 1e-9
    assert masses > 1e-9


def test_names_are_by_mujocos_numbers() -> None:
    expansion = expansion_of(load_model(FILES / "frames.xml"))
    assert expansion.links[:3] == ("", "trunk", "flap")
    assert {"left_hip", "right_shin", "spike0-0", "spike1-2"} <= set(expansion.links)
    assert "point1-2" in expansion.sites
