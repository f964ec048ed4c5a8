"""Whether xacro files are evaluated is decided in the editor, with quick fixes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")
pytest.importorskip("xacro", reason="the extra xacro is not installed")

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sdfviewer.files.opening import open_document
from sdfviewer.formats.xacro.decisions import Decisions
from tests.lsp.editor import Editor, edit

ROBOT = (
    '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n<xacro:include filename="part.xacro"/>\n</robot>\n'
)
PART = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/></robot>\n'
WORLD = (
    '<sdf version="1.9"><world name="w">\n<include><uri>robot.xacro</uri></include>\n'
    '<frame name="f" attached_to="r::a"/></world></sdf>\n'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"robot.xacro": ROBOT, "part.xacro": PART, "world.sdf": WORLD}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


async def rules(editor: Editor, path: Path) -> set[object]:
    return {each.code for each in await editor.diagnostics(path)}


async def answers(editor: Editor, file: types.TextDocumentIdentifier, line: int) -> dict[str, types.Command]:
    """Return the commands of the quick fixes at a line by their titles."""
    at = types.Range(types.Position(line, 0), types.Position(line, 20))
    params = types.CodeActionParams(file, at, types.CodeActionContext([]))
    actions = await editor.client.text_document_code_action_async(params)
    found = {}
    for each in actions or ():
        if isinstance(each, types.CodeAction) and each.command is not None:
            found[each.title] = each.command
        elif isinstance(each, types.Command):  # which the client library takes an action with a command for
            written = ast.literal_eval(each.command)
            found[each.title] = types.Command(written["title"], written["command"], arguments=written["arguments"])
    return found


@pytest.mark.parametrize(("name", "line"), [("world.sdf", 1), ("robot.xacro", 0)])
def test_a_quick_fix_lets_a_file_be_evaluated(folder: Path, name: str, line: int) -> None:
    async def scenario(editor: Editor) -> None:
        path = folder / name
        file = editor.open(path)
        assert "xacro-not-evaluated" in await rules(editor, path)
        offered = await answers(editor, file, line)
        assert set(offered) == {
            "Evaluate robot.xacro",
            f"Evaluate every xacro file in {folder.name}",
            "Never evaluate robot.xacro as it is now",
        }
        command = offered["Evaluate robot.xacro"]
        editor.published.clear()
        params = types.ExecuteCommandParams(command.command, command.arguments)
        assert await editor.client.workspace_execute_command_async(params) is True
        assert "xacro-not-evaluated" not in await rules(editor, path)
        assert not await answers(editor, file, line)

    edit(scenario, folder)
    decided = Decisions("")
    assert decided.may_evaluate(open_document(folder / "robot.xacro"))
    assert decided.may_evaluate(open_document(folder / "part.xacro")), "it was read, and belongs to the decision"


def test_only_a_file_that_is_refused_can_be_decided_about(folder: Path) -> None:
    async def scenario(editor: Editor) -> None:
        path = folder / "world.sdf"
        editor.open(path)
        await editor.diagnostics(path)
        elsewhere = [path.as_uri(), str(folder / "part.xacro"), "folder"]
        params = types.ExecuteCommandParams("sdfviewer.xacro", elsewhere)
        assert await editor.client.workspace_execute_command_async(params) is False
        for wrong in ([], [path.as_uri()], [path.as_uri(), str(folder / "robot.xacro"), "always"]):
            params = types.ExecuteCommandParams("sdfviewer.xacro", wrong)
            with pytest.raises(JsonRpcException):
                await editor.client.workspace_execute_command_async(params)

    edit(scenario, folder)
    assert not Decisions("").may_evaluate(open_document(folder / "part.xacro"))
    assert not Decisions("").may_evaluate(open_document(folder / "robot.xacro"))


def test_the_problems_of_a_workspace_are_found_without_evaluating_anything(folder: Path) -> None:
    async def scenario(editor: Editor) -> None:
        report = await editor.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams([]))
        found = {
            each.code
            for item in report.items
            if isinstance(item, types.WorkspaceFullDocumentDiagnosticReport) and item.uri.endswith("world.sdf")
            for each in item.items
        }
        assert "xacro-not-evaluated" in found

    edit(scenario, folder)


def test_what_a_xacro_file_reads_is_a_part_of_the_files_that_include_it(folder: Path) -> None:
    data, part, world = folder / "names.yaml", folder / "part.xacro", folder / "world.sdf"
    data.write_text("name: a", encoding="utf-8")
    inertial = '<mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    plain = PART.replace('"a"/>', f'"a"><inertial>{inertial}</inertial></link>')
    named = plain.replace('"a"', """"${xacro.load_yaml('names.yaml')['name']}\"""")
    part.write_text(named, encoding="utf-8")

    async def scenario(editor: Editor) -> None:
        known: dict[str, str] = {}

        async def found() -> list[object] | None:
            previous = [types.PreviousResultId(*each) for each in known.items()]
            report = await editor.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(previous))
            (item,) = report.items
            known[item.uri] = item.result_id or ""
            is_full = isinstance(item, types.WorkspaceFullDocumentDiagnosticReport)
            return [each.code for each in item.items] if is_full else None

        file = editor.open(world)
        command = (await answers(editor, file, 1))[f"Evaluate every xacro file in {folder.name}"]
        params = types.ExecuteCommandParams(command.command, command.arguments)
        assert await editor.client.workspace_execute_command_async(params) is True
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(file))
        assert await found() == []
        assert await found() is None
        data.write_text("name: bb", encoding="utf-8")
        assert await found() == ["attached-to-invalid"]
        part.write_text(plain, encoding="utf-8")
        assert await found() == []
        part.write_text(named, encoding="utf-8")
        data.write_text("nothing: 1", encoding="utf-8")
        assert "xacro-failed" in (await found() or ())
        data.write_text("name: a", encoding="utf-8")
        assert await found() == []
        await editor.until(lambda: bool(editor.watched))
        assert "yaml" in str(editor.watched[0].register_options)

    edit(scenario, folder)
