"""Files of the corpus, flattened and brought to another version, as Drake understands them: see test_drake."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.refactoring.composition.flatten import flatten
from sdfviewer.refactoring.versions.changing import change_version
from sdfviewer.versions import FRAME_SEMANTICS, TARGETS, Version

pytest.importorskip("pydrake.all", reason="pydrake is not installed")

from tests.peers.test_drake import TOLERANCE, NotComparable, compare, files, name_of, packages_of  # it needs Drake

FILES = [file for file in files() if file.suffix in (".sdf", ".world")]


def _compare(file: Path, text: str, folder: Path) -> None:
    """Compare what Drake makes of a text with what we make of it, where it makes anything of the file as it was."""
    try:
        compare(file)
    except (NotComparable, SdfViewerError) as why:
        pytest.skip(str(why))
    rewritten = folder / file.name
    rewritten.write_text(text, encoding="utf-8")
    count, worst = compare(rewritten, packages_of(file))
    assert count
    assert worst < TOLERANCE


@pytest.mark.corpus
@pytest.mark.parametrize(
    "file",
    [file for file in FILES if file.read_bytes().count(b"<model ") > 1 or b"<include" in file.read_bytes()],
    ids=name_of,
)
def test_flattened_files(file: Path, tmp_path: Path) -> None:
    document = open_document(file)
    try:
        edit = flatten(document, Loader(Finder(packages_of(file))))
    except SdfViewerError as why:
        pytest.skip(str(why))
    if not edit.replacements:
        pytest.skip("it is flat")
    _compare(file, document.edited(edit.replacements).text, tmp_path)


@pytest.mark.corpus
@pytest.mark.parametrize("target", [FRAME_SEMANTICS, TARGETS[-1]], ids=str)
@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_files_of_another_version(file: Path, target: Version, tmp_path: Path) -> None:
    document = open_document(file)
    try:
        edit = change_version(document, Loader(Finder(packages_of(file))), target)
    except SdfViewerError as why:
        pytest.skip(str(why))
    if not edit.replacements:
        pytest.skip("it has that version")
    _compare(file, document.edited(edit.replacements).text, tmp_path)
