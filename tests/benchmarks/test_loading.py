"""What a program that uses the library waits for: from a file's text to its frames."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

import sdfviewer
from sdfviewer.document.document import parse_document
from sdfviewer.semantics.kinematics import Kinematics


def test_parse(benchmark: BenchmarkFixture, model_file: Path) -> None:
    text = model_file.read_text(encoding="utf-8")
    benchmark(parse_document, text, model_file)


def test_load_and_validate(benchmark: BenchmarkFixture, model_file: Path) -> None:
    model = benchmark(sdfviewer.load, model_file)
    assert len(model.names) > 1


def test_all_poses_at_one_joint_position(benchmark: BenchmarkFixture, model_file: Path) -> None:
    kinematics = Kinematics(sdfviewer.load(model_file))
    positions = np.full_like(kinematics.q0, 0.1)
    benchmark(kinematics.poses, positions)
