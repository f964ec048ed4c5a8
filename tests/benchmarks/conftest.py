"""Files to measure on: an example, a real robot, and worlds and chains as large as one likes; and what to reach."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest


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


def chain_of_links(count: int) -> str:
    """Return a model of links in a chain, each with a joint to the one before and a frame that the next leans on."""
    parts = ['<sdf version="1.9"><model name="chain">']
    for n in range(count):
        relative_to = f' relative_to="frame_{n - 1}"' if n else ""
        parts.append(f'<link name="link_{n}"><pose{relative_to}>0 0 0.1 0 0 0.01</pose></link>')
        if n:
            parts.append(
                f'<joint name="joint_{n}" type="revolute"><parent>link_{n - 1}</parent><child>link_{n}</child>'
                "<axis><xyz>0 0 1</xyz></axis></joint>"
            )
        parts.append(f'<frame name="frame_{n}" attached_to="link_{n}"><pose>0 0 0.1 0 0 0</pose></frame>')
    return "\n".join([*parts, "</model></sdf>\n"])


def world_of_models(count: int) -> str:
    """Return a world of models side by side, twelve elements each."""
    parts = ['<sdf version="1.9"><world name="flat">']
    for n in range(count):
        parts.append(
            f'<model name="model_{n}"><pose>{n % 50} {n // 50} 0.5 0 0 {n / 1000:.3f}</pose>'
            '<link name="link"><inertial><mass>1.5</mass></inertial>'
            '<visual name="visual"><geometry><box><size>0.5 0.5 0.5</size></box></geometry></visual>'
            '<collision name="collision"><geometry><plane/></geometry></collision></link></model>'
        )
    return "\n".join([*parts, "</world></sdf>\n"])


@pytest.fixture(params=["arm", "pr2", "chain of 1000 links", "chain of 3000 links", "world of 3000 models"])
def model_file(request: pytest.FixtureRequest, tmp_path: Path, examples: Path) -> Path:
    """Return the path of a file: an example, a real robot, two long chains, a wide world."""
    what, _, count = request.param.partition(" of ")
    if what == "pr2":
        corpus: Path = request.getfixturevalue("corpus")
        return corpus / "osrf+gazebo_models" / "pr2" / "model.sdf"
    if not count:
        return examples / f"{what}.sdf"
    file = tmp_path / f"{what}.sdf"
    make = chain_of_links if what == "chain" else world_of_models
    file.write_text(make(int(count.split()[0])), encoding="utf-8")
    return file
