"""Files to measure on: an example, a robot of a hundred links, large worlds and long chains; and what to reach."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.large import chain_of_links, world_of_models

#: The robot that is measured on, in the folder that is called as it is: another one is named by ``SDFVIEWER_ROBOT``.
ROBOT = Path(os.environ.get("SDFVIEWER_ROBOT", Path(__file__).parents[1] / "collection/porter/models/porter/model.sdf"))
NAME = ROBOT.parent.name


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "target(seconds): what the median should stay below; a mapping where it depends on the parameter"
    )


@pytest.fixture(autouse=True)
def _target(request: pytest.FixtureRequest) -> None:
    """Hand the target of a benchmark on to the table."""
    marker = request.node.get_closest_marker("target")
    if marker is None or "benchmark" not in request.fixturenames:
        return
    seconds = marker.args[0]
    if isinstance(seconds, Mapping):
        seconds = seconds.get(request.node.callspec.id)
    if seconds is not None:
        request.getfixturevalue("benchmark").extra_info["target"] = seconds


@pytest.fixture(params=["arm", NAME, "chain of 1000 links", "chain of 3000 links", "world of 3000 models"])
def model_file(request: pytest.FixtureRequest, tmp_path: Path, examples: Path) -> Path:
    """Return the path of a file: an example, a robot of a hundred links, two long chains, a wide world."""
    what, _, count = request.param.partition(" of ")
    if what == NAME:
        return ROBOT
    if not count:
        return examples / f"{what}.sdf"
    file = tmp_path / f"{what}.sdf"
    make = chain_of_links if what == "chain" else world_of_models
    file.write_text(make(int(count.split()[0])), encoding="utf-8")
    return file
