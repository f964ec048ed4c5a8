"""Whatever is written reads back equal, or says what differs."""

from __future__ import annotations

import pytest

from tests.corpus import at_least
from tests.writers.targets import WRITERS, faults, read_source, source_files

#: How many files of the corpus each writer writes at least.
_AT_LEAST = {"merge-fixed": 10, "split-off": 20, **{name: 200 for name in WRITERS if name.startswith("urdf")}}


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize("writer", WRITERS)
def test_every_file_in_every_way(writer: str) -> None:
    sources = [source for file in source_files() if (source := read_source(file)) is not None]
    said = [each for source in sources if (each := faults(source, writer)) is not None]
    assert [sentence for each in said for sentence in each] == []
    assert len(said) > at_least(_AT_LEAST.get(writer, 150))
