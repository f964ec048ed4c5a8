"""A workspace of many files: indexed in the background, with progress, cancellable, kept up to date."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import Editor, edit

COUNT = 2000
FOLDER = "models"


def part(number: int) -> str:
    """Return a model; every tenth includes an earlier one."""
    below = number // 10 - 1
    include = ""
    if number % 10 == 0 and number:
        include = (
            f"    <include><name>sub</name><uri>model://part_{below}</uri></include>\n"
            f'    <frame name="grip" attached_to="sub::tip_{below}"/>\n'
        )
    links = "".join(f'    <link name="link_{each}"/>\n' for each in range(4))
    return (
        f'<sdf version="1.9">\n  <model name="part_{number}">\n{links}'
        f'    <frame name="tip_{number}" attached_to="link_3"/>\n{include}  </model>\n</sdf>\n'
    )


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workspace")
    for number in range(COUNT):
        model = folder / FOLDER / f"part_{number}"
        model.mkdir(parents=True)
        config = '<model><name>part</name><sdf version="1.9">model.sdf</sdf></model>'
        (model / "model.config").write_text(config, encoding="utf-8")
        (model / "model.sdf").write_text(part(number), encoding="utf-8")
    (folder / "sdfviewer.toml").write_text(f'paths = ["{FOLDER}"]', encoding="utf-8")
    return folder


def file_of(workspace: Path, number: int) -> Path:
    return workspace / FOLDER / f"part_{number}" / "model.sdf"


def is_indexed(editor: Editor) -> bool:
    return bool(editor.progress) and editor.progress[-1]["kind"] == "end"


async def symbols(editor: Editor, query: str) -> list[str]:
    found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query))
    return [f"{each.container_name}::{each.name}" for each in found or () if isinstance(each, types.SymbolInformation)]


def test_files_that_are_not_open_are_searched_referred_to_and_renamed(workspace: Path) -> None:
    opened = file_of(workspace, 19)

    async def scenario(editor: Editor) -> None:
        file = editor.open(opened)
        # Answers come while the workspace is indexed.
        position = editor.find(opened, 'name="tip|_19"')
        hover = await editor.client.text_document_hover_async(types.HoverParams(file, position))
        assert hover is not None
        assert not is_indexed(editor)
        await editor.until(lambda: is_indexed(editor))
        assert [each["kind"] for each in editor.progress][:2] == ["begin", "report"]
        assert editor.progress[0]["cancellable"] is True
        assert editor.progress[-1]["message"] == f"{COUNT} files"
        assert (await symbols(editor, "tip_1234"))[0] == "part_1234::tip_1234"
        references = await editor.client.text_document_references_async(
            types.ReferenceParams(types.ReferenceContext(include_declaration=True), file, position)
        )
        assert {each.uri for each in references or ()} == {file.uri, file_of(workspace, 200).as_uri()}
        answer = await editor.client.text_document_rename_async(
            types.RenameParams(new_name="hand", text_document=file, position=position)
        )
        assert answer is not None
        texts = editor.apply(answer)
        assert texts == {
            file.uri: part(19).replace("tip_19", "hand"),
            file_of(workspace, 200).as_uri(): part(200).replace("sub::tip_19", "sub::hand"),
        }

    edit(scenario, workspace)


def test_the_index_follows_the_disk(workspace: Path) -> None:
    changed, gone, new = file_of(workspace, 7), file_of(workspace, 8), workspace / "new.sdf"

    async def scenario(editor: Editor) -> None:
        await editor.until(lambda: is_indexed(editor) and bool(editor.watched))
        (registration,) = editor.watched
        assert registration.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        texts = changed.read_text(encoding="utf-8"), gone.read_text(encoding="utf-8")
        changed.write_text(texts[0].replace("tip_7", "beak"), encoding="utf-8")
        gone.unlink()
        new.write_text(part(9999), encoding="utf-8")
        events = [
            types.FileEvent(changed.as_uri(), types.FileChangeType.Changed),
            types.FileEvent(gone.as_uri(), types.FileChangeType.Deleted),
            types.FileEvent(new.as_uri(), types.FileChangeType.Created),
        ]
        try:
            editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))
            assert await symbols(editor, "beak") == ["part_7::beak"]
            assert "part_8::tip_8" not in await symbols(editor, "tip_8")
            assert (await symbols(editor, "tip_9999"))[0] == "part_9999::tip_9999"
        finally:
            changed.write_text(texts[0], encoding="utf-8")
            gone.write_text(texts[1], encoding="utf-8")
            new.unlink()

    edit(scenario, workspace)


def test_indexing_and_long_requests_can_be_cancelled(workspace: Path) -> None:
    opened = file_of(workspace, 19)

    async def scenario(editor: Editor) -> None:
        await editor.until(lambda: bool(editor.progress))
        editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(editor.token))
        await editor.until(lambda: is_indexed(editor))
        assert int(editor.progress[-1]["message"].split()[0]) < COUNT
        file = editor.open(opened)
        position = editor.find(opened, 'name="tip|_19"')
        params = types.RenameParams(new_name="hand", text_document=file, position=position)
        request = editor.client.protocol.send_request(types.TEXT_DOCUMENT_RENAME, params, msg_id="rename")
        editor.client.cancel_request(types.CancelParams("rename"))
        with pytest.raises(JsonRpcException, match="cancel"):
            await asyncio.wrap_future(request)
        # What was cancelled holds nothing up.
        hover = await editor.client.text_document_hover_async(types.HoverParams(file, position))
        assert hover is not None

    edit(scenario, workspace)
