"""Parse and validate: deep chains, flat worlds, a real robot, and one edit in a large world.

Recorded figures of libsdformat 17 for the same shapes: chain of 1 000 links with frames 0.9-1.4 s, of 3 000 9.9 s, flat
world of 3 000 links 0.31-0.38 s, PR2 39 ms.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from sdfviewer.document.document import Document, open_document, parse_document
from sdfviewer.document.edits import set_text
from sdfviewer.semantics import Loader, Model

PR2 = Path(__file__).parents[3] / "shared" / "corpus" / "osrf+gazebo_models" / "pr2" / "model.sdf"


def chain(count: int) -> str:
    """Return a model of links in a chain, each with a joint to the one before and a frame that the next leans on."""
    parts = ['<sdf version="1.9"><model name="chain">']
    for number in range(count):
        relative_to = f' relative_to="frame{number - 1}"' if number else ""
        parts.append(f'<link name="link{number}"><pose{relative_to}>0 0 0.1 0 0 0.01</pose></link>')
        if number:
            parts.append(
                f'<joint name="joint{number}" type="revolute">'
                f"<parent>link{number - 1}</parent><child>link{number}</child><axis><xyz>0 0 1</xyz></axis></joint>"
            )
        parts.append(f'<frame name="frame{number}" attached_to="link{number}"><pose>0 0 0.1 0 0 0</pose></frame>')
    return "\n".join([*parts, "</model></sdf>"])


def flat_world(count: int) -> str:
    """Return a world of models, twelve elements each."""
    parts = ['<sdf version="1.9"><world name="flat">']
    for number in range(count):
        parts.append(
            f'<model name="model{number}"><pose>{number % 50} {number // 50} 0.5 0 0 {number / 1000:.3f}</pose>'
            '<link name="link"><inertial><mass>1.5</mass></inertial>'
            '<visual name="visual"><geometry><box><size>0.5 0.5 0.5</size></box></geometry></visual>'
            '<collision name="collision"><geometry><plane/></geometry></collision></link></model>'
        )
    return "\n".join([*parts, "</world></sdf>"])


def load(text: str) -> Model:
    model = Loader().load(parse_document(text))
    assert model is not None
    assert not any(diagnostic.is_error for diagnostic in model.diagnostics)
    return model


@pytest.mark.parametrize("count", [1000, 3000])
def test_chain(benchmark: BenchmarkFixture, count: int) -> None:
    assert len(benchmark(load, chain(count))) == 3 * count


def test_flat_world(benchmark: BenchmarkFixture) -> None:
    assert len(benchmark(load, flat_world(3000))) == 4 * 3000 + 1


def test_edit_of_one_pose_in_a_flat_world(benchmark: BenchmarkFixture) -> None:
    loader = Loader()
    documents = [parse_document(flat_world(3000))]
    loader.load(documents[0])
    numbers = iter(range(1_000_000))

    def edit() -> tuple[tuple[Document], dict[str, object]]:
        return (documents[-1],), {}

    def edit_and_load(document: Document) -> Model | None:
        assert document.root is not None
        pose = document.root.children[0].children[1234].children[0]
        documents[-1] = document.edited(set_text(document, pose, f"{next(numbers)} 0 0 0 0 0"))
        return loader.load(documents[-1])

    assert benchmark.pedantic(edit_and_load, setup=edit, rounds=20) is not None


@pytest.mark.skipif(not PR2.is_file(), reason="the corpus of real files is not here")
def test_pr2(benchmark: BenchmarkFixture) -> None:
    assert benchmark(lambda: Loader().load(open_document(PR2))) is not None


@pytest.fixture(autouse=True)
def _warm() -> None:
    load(chain(2))
