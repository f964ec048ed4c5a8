"""The language server offers for each reference what may be named there, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")


from sdfviewer.document.document import parse_document
from sdfviewer.files.finder import Finder
from tests.corpus import model_folders
from tests.lsp.typing_editor import TypingEditor
from tests.properties.test_targets import asked, each_file, load


@pytest.mark.corpus
@each_file(16)
def test_the_server_offers_what_may_be_named(path: Path) -> None:
    _, model = load(path)
    if model is None:
        return
    editor = TypingEditor(path, Finder(model_folders(path)))
    document = parse_document(editor.text, path)
    shift = len(document.text) - len(model.document.text)
    if shift:
        return  # text/bom.sdf and the like: offsets differ
    for start, targets, where in asked(model):
        assert set(editor.completed(start)) == {each.name for each in targets if each.reason is None}, where
