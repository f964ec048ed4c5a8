"""On every file of the corpus the server answers what the window's editor answers: both ask the same functions."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sdfviewer.contracts import ContractCheck
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.document.document import UnreadableFileError
from sdfviewer.files.configuration import find_configuration, reported
from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.language.completion import Outline, complete
from sdfviewer.language.text_map import TextMap, plain
from sdfviewer.model.kinds import Kind
from sdfviewer.refactoring.renaming import rename
from sdfviewer.session.session_reader import read_text
from tests.corpus import at_least
from tests.lsp.editor import Editor, edit

SUFFIXES = {".sdf", ".world", ".urdf"}
#: So many servers share the files, one of them by day.
SHARES = 12


async def compare(editor: Editor, path: Path) -> None:
    """Compare the answers about a file: problems, completion, rename and symbols."""
    document = open_document(path)
    if not document.text.isprintable() and "\ud800" <= max(document.text) <= "\udfff":
        return  # bytes that are no text reach no server
    client = editor.client
    file = editor.open(path, document.text)
    finder = Finder()
    loader = Loader(finder, extra_checks=[ContractCheck(finder)])
    read = read_text(loader, document)
    model = read.model
    shown = reported(document, read.diagnostics, find_configuration(path))
    assert [each.message for each in await editor.diagnostics(path)] == [each.message for each in shown], path
    text = document.text
    for piece in ("<", 'name="', "<pose>", 'relative_to="', "<uri>model"):
        at = text.rfind(piece)
        if at < 0 or piece == "<uri>model":
            continue
        at += len(piece)
        answer = await client.text_document_completion_async(types.CompletionParams(file, editor.position(path, at)))
        assert isinstance(answer, types.CompletionList)
        before = plain(text[:at])
        expected = complete(before, model, partial(Outline(document, TextMap(text)).open_at, before))
        assert tuple(item.label for item in answer.items) == expected.choices, (path, piece)
    if model is None or document.root is None:
        return  # a text that is not XML is only looked at
    rows = [row for row in range(len(model)) if model.kinds[row] in (Kind.LINK, Kind.FRAME) and not model.sources[row]]
    for row in rows[-1:]:
        start = document.attribute_offsets(model.elements[row], "name")
        if start is None:
            continue
        params = types.RenameParams(
            new_name="renamed_here", text_document=file, position=editor.position(path, start[1] - 1)
        )
        try:
            written = document.edited(rename(model, row, "renamed_here").replacements).text
        except SdfViewerError:
            with pytest.raises(JsonRpcException):
                await client.text_document_rename_async(params)
            continue
        try:
            renamed = await client.text_document_rename_async(params)
        except JsonRpcException as error:
            if "cannot be updated" in str(error):
                continue  # an including file would be wrong afterwards
            raise
        assert renamed is not None, path
        assert editor.apply(renamed)[file.uri] == written, path
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(file))


@pytest.mark.parametrize("share", [0, *(pytest.param(share, marks=pytest.mark.nightly) for share in range(1, SHARES))])
def test_answers_are_those_of_the_window(corpus: Path, share: int, tmp_path: Path) -> None:
    files = sorted(path for path in corpus.rglob("*") if path.suffix in SUFFIXES and path.stat().st_size < 500_000)

    async def scenario(editor: Editor) -> int:
        compared = 0
        for path in files[share::SHARES]:
            try:
                await compare(editor, path)
            except UnreadableFileError:
                continue
            compared += 1
        return compared

    # Another folder as the workspace: the corpus would be searched for dependent files each time.
    assert edit(scenario, tmp_path, seconds=600) > at_least(30)


def test_a_text_that_is_not_xml_is_completed_as_in_the_window(corpus: Path, tmp_path: Path) -> None:
    async def scenario(editor: Editor) -> None:
        await compare(editor, corpus / "text" / "crossed.sdf")

    edit(scenario, tmp_path)
