"""What a slider, a sweep and a planner wait for: all poses at one configuration, and at ten thousand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from sdfviewer.formats.load import load_model
from sdfviewer.model.kinematics.conventions import Comparison
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.kinematics.loops import close_loops
from sdfviewer.model.model import Model
from tests.benchmarks.conftest import NAME, ROBOT


@pytest.fixture
def robot() -> Model:
    return load_model(ROBOT)


def test_build_kinematics(benchmark: BenchmarkFixture, model_file: Path) -> None:
    model = load_model(model_file)
    assert len(benchmark(Kinematics, model).initial_poses) == len(model)


def test_all_poses_at_one_configuration(benchmark: BenchmarkFixture, model_file: Path) -> None:
    kinematics = Kinematics(load_model(model_file))
    X = benchmark(kinematics.poses, np.full_like(kinematics.q0, 0.1))
    assert len(X) == len(kinematics.model)


@pytest.mark.parametrize("rows", ["links", "all rows"])
def test_ten_thousand_configurations(benchmark: BenchmarkFixture, robot: Model, rows: str) -> None:
    kinematics = Kinematics(robot)
    links = [row for row, kind in enumerate(robot.kinds) if kind == "link"] if rows == "links" else None
    q = np.random.default_rng(0).uniform(-1, 1, (10_000, len(kinematics.dofs)))
    benchmark.extra_info["on"] = f"{NAME}, {rows}"
    X = benchmark.pedantic(kinematics.poses, (q, links), rounds=3)
    assert X.shape[0] == 10_000


def test_close_the_loops_after_a_slider_move(benchmark: BenchmarkFixture, robot: Model) -> None:
    kinematics = Kinematics(robot)
    torso = f"{NAME}::torso_lift_joint"
    q = kinematics.positions({torso: (0.01,)})
    benchmark.extra_info["on"] = f"{NAME}, {len(kinematics.loop_joints)} loops"
    benchmark(close_loops, kinematics, q, [torso])


def test_difference_of_both_conventions(benchmark: BenchmarkFixture, model_file: Path) -> None:
    comparison = Comparison(load_model(model_file))
    q = np.full_like(comparison.absolute.kinematics.q0, 0.1)
    comparison.differences(q)
    benchmark(comparison.differences, q)
