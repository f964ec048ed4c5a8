"""What a hand on the mouse waits for, before anything is drawn: every step has to fit into a frame of the screen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from sdfviewer.document.document import parse_document
from sdfviewer.model.kinds import Kind
from sdfviewer.refactoring.pose_moving import Move, MoveSet
from sdfviewer.scene.camera import Camera
from sdfviewer.scene.tools.posing import PoseGrip, moving_joints
from sdfviewer.session.session import Session
from sdfviewer.transforms import pose_to_matrix
from tests.benchmarks.conftest import NAME, ROBOT
from tests.large import world_of_models

FRAME = 0.016
M = pose_to_matrix([0.1, 0.2, 0.3, 0.1, 0.2, 0.3])


@pytest.fixture
def robot() -> Session:
    return Session.open(ROBOT)


@pytest.mark.target(FRAME)
def test_drag_a_posed_link_by_a_handle(benchmark: BenchmarkFixture, robot: Session) -> None:
    benchmark.extra_info["on"] = NAME
    assert robot.kinematics is not None
    q = np.full(len(robot.kinematics.dofs), 0.2)
    model = robot.kinematics.model
    move = Move(robot.kinematics, q, MoveSet(model, [model.row("l_elbow_flex_link")]))
    benchmark(move.by, M)


@pytest.mark.target(FRAME)
def test_drag_a_model_by_a_handle(benchmark: BenchmarkFixture) -> None:
    benchmark.extra_info["on"] = "world of 3000 models"
    session = Session(parse_document(world_of_models(3000)))
    assert session.kinematics is not None
    model = session.kinematics.model
    move = Move(session.kinematics, session.kinematics.q0, MoveSet(model, [model.row("model_1234")]))
    benchmark(move.by, M)


@pytest.mark.target(FRAME)
def test_drag_all_models_by_a_handle(benchmark: BenchmarkFixture) -> None:
    benchmark.extra_info["on"] = "world of 3000 models"
    session = Session(parse_document(world_of_models(3000)))
    assert session.kinematics is not None
    model = session.kinematics.model
    models = np.flatnonzero(model.kinds_are(Kind.MODEL)).tolist()
    move = Move(session.kinematics, session.kinematics.q0, MoveSet(model, models))

    def step() -> None:
        move.by(M)
        move.raw_poses(models)

    benchmark(step)


@pytest.mark.target(FRAME)
@pytest.mark.parametrize("joints", ["one joint", "whole chain"])
def test_drag_a_link_on_its_joints(benchmark: BenchmarkFixture, examples: Path, joints: str) -> None:
    session = Session.open(examples / "arm.sdf")
    kinematics = session.kinematics
    assert kinematics is not None
    row = kinematics.model.row("palm")
    point = session.X_RootF[row, :3, 3]
    above = moving_joints(kinematics, row)
    chosen = above[:1] if joints == "one joint" else above
    camera = Camera(distance=3.0).looking_at(point)
    grip = PoseGrip(kinematics, kinematics.q0, row, point, chosen)
    places = iter(np.random.default_rng(0).uniform(-4, 4, (100_000, 2)))

    def step() -> None:
        dx, dy = next(places)
        grip.drag(camera, 400 + dx, 300 + dy, 800, 600, in_depth=joints == "whole chain")

    benchmark(step)


@pytest.mark.target(FRAME)
def test_compare_the_two_conventions(benchmark: BenchmarkFixture, robot: Session) -> None:
    benchmark.extra_info["on"] = NAME
    assert robot.kinematics is not None
    name = robot.kinematics.dofs[0].joint.name
    turns = iter(np.linspace(0, 1, 100_000))

    def step() -> None:
        robot.move_joints({name: (next(turns),)})
        assert len(robot.differences.metres)

    benchmark(step)
