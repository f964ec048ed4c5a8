"""Files to measure on: examples, real models, and chains as long as one likes."""

from __future__ import annotations

from pathlib import Path

import pytest


def chain_of_links(count: int) -> str:
    """Return a model whose links hang on each other, each written relative to the joint before it."""
    parts = ['<sdf version="1.11"><model name="chain"><link name="link_0"/>']
    for n in range(1, count):
        parts.append(
            f'<joint name="joint_{n}" type="revolute"><pose relative_to="link_{n - 1}">0 0 0.1 0 0.01 0</pose>'
            f"<parent>link_{n - 1}</parent><child>link_{n}</child><axis><xyz>0 1 0</xyz></axis></joint>"
            f'<link name="link_{n}"><pose relative_to="joint_{n}"/></link>'
        )
    return "".join(parts) + "</model></sdf>\n"


@pytest.fixture(params=["arm", "world_frames", "pr2", "chain of 1000 links", "chain of 3000 links"])
def model_file(request: pytest.FixtureRequest, tmp_path: Path, examples: Path) -> Path:
    """Return the path of a model: two examples, a real robot, and two long chains."""
    what: str = request.param
    if what == "pr2":
        corpus: Path = request.getfixturevalue("corpus")
        return corpus / "osrf+gazebo_models" / "pr2" / "model.sdf"
    if what.startswith("chain"):
        file = tmp_path / "chain.sdf"
        file.write_text(chain_of_links(int(what.split()[2])), encoding="utf-8")
        return file
    return examples / f"{what}.sdf"
