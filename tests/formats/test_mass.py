"""Mass of links, subtrees, models and worlds, at any configuration."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from sdfviewer.cli import main
from sdfviewer.formats.load import load_model
from sdfviewer.formats.mass import link_bodies, links_of
from sdfviewer.model.kinematics.forward import Kinematics

TEXT = """<sdf version="1.9"><world name="w"><model name="m"><pose>0 0 1 0 0 0</pose>
  <link name="base"><inertial><mass>2</mass>
    <inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
  <link name="arm"><pose>1 0 0 0 0 0</pose>
    <inertial><pose>1 0 0 0 0 0</pose><mass>1</mass>
    <inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.2</izz></inertia></inertial></link>
  <link name="tip"><pose>3 0 0 0 0 0</pose><inertial><mass>1</mass>
    <inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial></link>
  <joint name="j" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis></joint>
  <joint name="k" type="fixed"><parent>arm</parent><child>tip</child></joint>
  <frame name="f" attached_to="tip"/>
</model></world></sdf>"""


def names(*rows: str) -> list[str]:
    model = load_model(TEXT)
    return [model.local_names[row] for row in links_of(model, [model.row(row) for row in rows])]


def test_what_rows_are_for() -> None:
    assert names("world") == names("m") == ["base", "arm", "tip"]
    assert names("m::arm") == ["arm"]
    assert names("m::j") == ["arm", "tip"]
    assert names("m::k", "m::base") == ["base", "tip"]
    assert names("m::f") == ["tip"]


def test_a_subtree_by_hand_at_zero_and_turned() -> None:
    model = load_model(TEXT)
    kinematics = Kinematics(model)
    bodies = link_bodies(model, links_of(model, [model.row("m::j")]))
    total, displaced = bodies.total(model.X_RootF)
    assert not displaced
    assert total.mass == 2
    np.testing.assert_allclose(total.p_FB, [2.5, 0, 1])
    np.testing.assert_allclose(total.I_B, np.diag([0.2, 0.3 + 0.5, 0.3 + 0.5]), atol=1e-12)
    X = kinematics.poses(kinematics.positions({"m::j": (math.pi / 2,)}))
    turned, _ = bodies.total(X)
    np.testing.assert_allclose(turned.p_FB, [1, 1.5, 1], atol=1e-12)
    np.testing.assert_allclose(turned.I_B, np.diag([0.8, 0.2, 0.8]), atol=1e-12)
    in_arm, _ = bodies.total(X, X[model.row("m::arm")])
    np.testing.assert_allclose(in_arm.p_FB, [1.5, 0, 0], atol=1e-12)


def test_the_command_line_answers_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "w.sdf"
    file.write_text(TEXT, encoding="utf-8")
    words = ["frames", "--mass", "--of", "m::j", "--joint", "m::j=1.5707963267948966", "--json", str(file)]
    assert main(words) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["total"]["mass"] == 2
    np.testing.assert_allclose(answer["total"]["center_of_mass"], [1, 1.5, 1], atol=1e-12)
    assert [link["name"] for link in answer["links"]] == ["m::arm", "m::tip"]
    assert main(["frames", "--mass", str(file)]) == 0
    assert "total    4 " in capsys.readouterr().out
    assert main(["frames", "--mass", "--of", "m::zzz", str(file)]) == 2
