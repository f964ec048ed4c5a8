"""A workspace of many files: indexed in the background, with progress, cancellable, kept up to date."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sdfviewer.cli import main
from tests.lsp.editor import Editor, edit

COUNT = 1000
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
    """So many files that it takes long enough for progress to be shown."""
    return write_workspace(tmp_path_factory.mktemp("workspace"), COUNT)


def write_workspace(folder: Path, count: int) -> Path:
    for number in range(count):
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
        assert (await symbols(editor, "tip_834"))[0] == "part_834::tip_834"
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


async def reports(editor: Editor, known: dict[str, str]) -> dict[str, list[str] | None]:
    """Return the rules of the problems of each file of the workspace, None where the editor has them already."""
    previous = [types.PreviousResultId(*each) for each in known.items()]
    report = await editor.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(previous))
    found: dict[str, list[str] | None] = {}
    for each in report.items:
        name = each.uri.rpartition("/")[2]
        is_full = isinstance(each, types.WorkspaceFullDocumentDiagnosticReport)
        found[name] = [str(problem.code) for problem in each.items] if is_full else None
        known.pop(each.uri, None)
        if each.result_id is not None:
            known[each.uri] = each.result_id
    return found


def small_workspace(folder: Path) -> Path:
    """Return a folder with a part, an assembly that includes it, a broken model, and files that are no models."""
    (folder / "part.sdf").write_text(part(1), encoding="utf-8")
    include = '<include><uri>part.sdf</uri></include><frame name="F" attached_to="part_1::tip_1"/>'
    assembly = f'<sdf version="1.9"><model name="assembly"><link name="l"/>{include}</model></sdf>'
    (folder / "assembly.sdf").write_text(assembly, encoding="utf-8")
    broken = '<sdf version="1.9"><model name="broken"><link name="l"/><frame name="F" attached_to="k"/></model></sdf>'
    (folder / "broken.sdf").write_text(broken, encoding="utf-8")
    (folder / "package.xml").write_text("<package/>", encoding="utf-8")
    return folder


def test_the_problems_of_all_files_are_reported_and_only_what_has_changed_again(tmp_path: Path) -> None:
    folder = small_workspace(tmp_path)

    async def scenario(editor: Editor) -> None:
        known: dict[str, str] = {}
        everything: dict[str, list[str]] = {"part.sdf": [], "assembly.sdf": [], "broken.sdf": ["attached-to-invalid"]}
        assert await reports(editor, known) == everything
        assert await reports(editor, known) == dict.fromkeys(everything)
        # An open file is included as it is typed; it has no problem itself.
        editor.open(folder / "part.sdf", part(1).replace("tip_1", "tip_2"))
        changed = {"part.sdf": None, "broken.sdf": None, "assembly.sdf": ["attached-to-invalid"]}
        assert await reports(editor, known) == changed
        (folder / "broken.sdf").unlink()
        (folder / "sdfviewer.toml").write_text('ignore = ["attached-to-invalid"]', encoding="utf-8")
        kinds = {"broken.sdf": types.FileChangeType.Deleted, "sdfviewer.toml": types.FileChangeType.Created}
        events = [types.FileEvent((folder / name).as_uri(), kind) for name, kind in kinds.items()]
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))
        assert await reports(editor, known) == {"part.sdf": None, "assembly.sdf": [], "broken.sdf": []}
        assert set(known) == {(folder / name).as_uri() for name in ("part.sdf", "assembly.sdf")}

    edit(scenario, folder)


def test_what_the_settings_exclude_is_not_checked(tmp_path: Path) -> None:
    folder = small_workspace(tmp_path)
    (folder / "sdfviewer.toml").write_text('exclude = ["broken.sdf"]', encoding="utf-8")

    async def scenario(editor: Editor) -> None:
        assert await reports(editor, {}) == {"part.sdf": [], "assembly.sdf": []}

    edit(scenario, folder)


def test_the_problems_of_a_large_workspace_arrive_piece_by_piece_and_can_be_cancelled(tmp_path: Path) -> None:
    workspace = write_workspace(tmp_path, 250)

    async def scenario(editor: Editor) -> None:
        params = types.WorkspaceDiagnosticParams([], partial_result_token="parts")
        cancelled = asyncio.ensure_future(editor.client.workspace_diagnostic_async(params))
        await editor.until(lambda: any("items" in each for each in editor.progress))
        cancelled.cancel()
        file = editor.open(file_of(workspace, 19))
        # Other answers do not wait for it.
        assert await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(file))
        params = types.WorkspaceDiagnosticParams([], partial_result_token="all parts")
        editor.progress.clear()
        report = await editor.client.workspace_diagnostic_async(params)
        assert not report.items
        found = [each for part in editor.progress for each in part.get("items", ())]
        assert len({each["uri"] for each in found}) == 250
        assert {each["kind"] for each in found} == {"full"}

    edit(scenario, workspace)


def test_files_that_are_not_open_are_not_checked_where_that_is_switched_off(tmp_path: Path) -> None:
    folder = small_workspace(tmp_path)

    async def scenario(editor: Editor) -> None:
        editor.open(folder / "broken.sdf")
        assert await reports(editor, {}) == {"broken.sdf": ["attached-to-invalid"]}

    edit(scenario, folder, options={"workspaceProblems": False})


def test_the_settings_file_is_looked_for_from_each_file_upward(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """In a workspace of two projects each file finds the models of its own, as on the command line."""
    for project, folder in (("one", "models"), ("two", "parts")):
        model = tmp_path / project / folder / "wheel"
        model.mkdir(parents=True)
        text = f'<sdf version="1.9"><model name="wheel"><link name="of_{project}"/></model></sdf>\n'
        (model / "model.sdf").write_text(text, encoding="utf-8")
        (model / "model.config").write_text('<model><sdf version="1.9">model.sdf</sdf></model>', encoding="utf-8")
        (tmp_path / project / "sdfviewer.toml").write_text(f'paths = ["{folder}"]', encoding="utf-8")
        world = (
            '<sdf version="1.9"><world name="w"><include><uri>model://wheel</uri></include>\n'
            f'<frame name="f" attached_to="wheel::of_{project}"/></world></sdf>\n'
        )
        (tmp_path / project / "world.sdf").write_text(world, encoding="utf-8")
    worlds = [tmp_path / project / "world.sdf" for project in ("one", "two")]

    async def scenario(editor: Editor) -> None:
        for world in worlds:
            file = editor.open(world)
            assert await editor.diagnostics(world) == []
            at = editor.find(world, "wheel::of|_")
            definition = await editor.client.text_document_definition_async(types.DefinitionParams(file, at))
            assert isinstance(definition, list)
            (place,) = definition
            assert isinstance(place, types.Location)
            assert place.uri.endswith(
                f"/{world.parent.name}/{'models' if world is worlds[0] else 'parts'}/wheel/model.sdf"
            )

    edit(scenario, tmp_path)
    assert main(["check", *map(str, worlds)]) == 0
    capsys.readouterr()
