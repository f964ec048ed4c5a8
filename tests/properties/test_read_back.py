"""Whatever is written reads back equal, or says what differs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.corpus import at_least
from tests.writers.faulty import FAULTS, Fault, copy_program, first_difference, with_fault
from tests.writers.targets import WRITERS, faults, read_source, source_files

#: How many files of the corpus each writer writes at least.
_AT_LEAST = {"merge-fixed": 10, "split-off": 20, **{name: 200 for name in WRITERS if name.startswith("urdf")}}

_PARTS = 28
"""Each writer writes every 28th file, and all writers together each file; at night each all."""


@pytest.mark.corpus
@pytest.mark.parametrize("number", range(len(WRITERS)), ids=list(WRITERS))
def test_every_file_in_some_ways(number: int) -> None:
    writer = list(WRITERS)[number]
    assert _read_back(writer, source_files()[number % _PARTS :: _PARTS]) > at_least(_least(writer)) / (_PARTS + 2)


@pytest.mark.nightly
@pytest.mark.corpus
@pytest.mark.parametrize("writer", WRITERS)
def test_every_file_in_every_way(writer: str) -> None:
    assert _read_back(writer, source_files()) > at_least(_least(writer))


def test_a_fault_is_a_line_that_a_writer_has() -> None:
    for fault in FAULTS:
        compile(with_fault(fault), fault.file, "exec")


@pytest.fixture(scope="module")
def copy_of_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faulty")
    copy_program(folder)
    return folder


@pytest.mark.nightly
@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_every_fault_of_a_writer_is_found(fault: Fault, copy_of_program: Path) -> None:
    assert first_difference(fault, copy_of_program)


def _least(writer: str) -> int:
    return _AT_LEAST.get(writer, 150)


def _read_back(writer: str, files: Sequence[Path]) -> int:
    """Assert that a writer changes nothing in silence; return how many of some files it writes."""
    sources = [source for file in files if (source := read_source(file)) is not None]
    said = [each for source in sources if (each := faults(source, writer)) is not None]
    assert [sentence for each in said for sentence in each] == []
    return len(said)
