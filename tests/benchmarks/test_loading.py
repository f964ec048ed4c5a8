"""What a program that uses the library waits for: from a file's text to its frames.

libsdformat 17, in C++, takes for the same files: PR2 39 ms, chains of 1 000 and 3 000 links 0.9 s and 9.9 s, a world of
3 000 models 0.31 s.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import set_text
from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.model import Model
from tests.benchmarks.conftest import NAME
from tests.large import world_of_models


def test_parse(benchmark: BenchmarkFixture, model_file: Path) -> None:
    text = model_file.read_text(encoding="utf-8")
    benchmark(parse_document, text, model_file)


@pytest.mark.target(
    {NAME: 0.020, "chain of 1000 links": 0.090, "chain of 3000 links": 0.300, "world of 3000 models": 0.190}
)
def test_load_and_validate(benchmark: BenchmarkFixture, model_file: Path) -> None:
    model = benchmark(load_model, model_file)
    assert len(model.names) > 1


@pytest.mark.target(0.060)
def test_edit_one_pose_and_validate_again(benchmark: BenchmarkFixture) -> None:
    benchmark.extra_info["on"] = "world of 3000 models"
    loader = Loader()
    documents = [parse_document(world_of_models(3000))]
    loader.load(documents[0])
    numbers = iter(range(1_000_000))

    def edit(document: Document) -> Model | None:
        assert document.root is not None
        pose = document.root.children[0].children[1234].children[0]
        documents[-1] = document.edited(set_text(document, pose, f"{next(numbers)} 0 0 0 0 0"))
        return loader.load(documents[-1])

    assert benchmark.pedantic(edit, setup=lambda: ((documents[-1],), {}), rounds=20, warmup_rounds=1) is not None
