"""The files that tests of "every file" run over: the corpus.

It is put together from what the repository holds: the collection, which stands for real files, the examples, the files
of each rule, and some of the generated models. ``SDFVIEWER_CORPUS=FOLDER`` names other files instead, such as checkouts
of public repositories; ``packaging/agreement.sh`` sets it.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest

from tests.agreement.recorded import ANSWERS, COLLECTION, GENERATED, model_paths, open_recorded

_TESTS = Path(__file__).parent
_OTHER = os.environ.get("SDFVIEWER_CORPUS", "")
#: Of the generated models every so many-th is one of the corpus.
_EVERY = 8
#: For a test that does the same with every file: by day with every sixth, in `nightly` and for other files with each.
some_or_all = pytest.mark.parametrize(
    "every", [1 if _OTHER else 6, pytest.param(1, marks=pytest.mark.nightly, id="all")]
)


@cache
def corpus_folder() -> Path:
    """Return the folder that holds the corpus: a copy in a temporary folder, or the folder named instead."""
    if _OTHER:
        folder = Path(_OTHER).resolve()
        assert folder.is_dir(), f"SDFVIEWER_CORPUS is {folder}, which is no folder"
        return folder
    place = Path(tempfile.mkdtemp(prefix="sdfviewer-corpus-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    folder = place / "corpus"
    shutil.copytree(COLLECTION, folder)
    shutil.copytree(_TESTS.parent / "resources" / "examples", folder / "examples")
    # What is too large to be read would be written out.
    left_out = shutil.ignore_patterns("*.py", "__pycache__", "too-large")
    shutil.copytree(_TESTS / "rules", folder / "rules", ignore=left_out)
    generated = folder / "generated"
    generated.mkdir()
    with (folder / ANSWERS).open("a", encoding="utf-8", newline="\n") as answers:
        for answer in open_recorded(GENERATED, generated, _EVERY).answers:
            print(json.dumps({**answer, "file": f"generated/{answer['file']}"}), file=answers)
    return folder


def corpus_files(*suffixes: str) -> list[Path]:
    """Return the files of the corpus whose names end in one of some suffixes, in any case."""
    return [path for path in _all_files() if path.suffix.lower() in suffixes]


@cache  # to look through its folders takes as long as to read some of its files
def _all_files() -> list[Path]:
    return sorted(path for path in corpus_folder().rglob("*") if path.is_file())


def model_folders(file: Path) -> list[Path]:
    """Return the folders in which the models are looked up that a file of the corpus includes."""
    return model_paths(corpus_folder(), file.relative_to(corpus_folder()).parts[0])


def at_least(count: int) -> int:
    """Return how many files a test must have found something in: any number where other files are named instead."""
    return 0 if _OTHER else count
