"""The language server as an editor talks to it: once as a process, else as a thread, which starts at once."""

from __future__ import annotations

import ast
import random
from pathlib import Path
from urllib.parse import unquote

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsprotocol import types
from pygls.exceptions import JsonRpcException

import sdfviewer
from sdfviewer.document.document import parse_document
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.formats.xacro.decisions import Answer, Decisions
from sdfviewer.language.text_map import Unit
from sdfviewer.refactoring.templates import TEMPLATES
from tests.lsp.editor import Editor, edit

ARM = """<?xml version="1.0"?>
<sdf version="1.9">
  <model name="arm">
    <link name="base"/>
    <link name="tip"><pose relative_to="base">0 0 0.5 0 1.5707963267948966 0</pose></link>
    <joint name="j" type="revolute">
      <parent>base</parent>
      <child>tip</child>
      <axis><xyz>0 0 1</xyz><limit><lower>-1.5707963267948966</lower></limit></axis>
    </joint>
    <frame name="F" attached_to="tip"/>
  </model>
</sdf>
"""
WORLD = """<sdf version="1.9"><world name="w">
  <include><name>robot</name><uri>arm.sdf</uri></include>
  <frame name="G" attached_to="robot::tip"/>
</world></sdf>
"""


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    path = tmp_path / "arm.sdf"
    path.write_bytes(ARM.encode())
    return path


def test_a_broken_reference_is_seen_while_typing_and_fixed_by_a_code_action(arm: Path) -> None:
    async def scenario(editor: Editor) -> None:
        file = editor.open(arm)
        assert await editor.diagnostics(arm) == []
        at = ARM.index('relative_to="base"') + len('relative_to="base')
        editor.type(arm, at, at, "x")
        (problem,) = await editor.diagnostics(arm)
        assert (problem.code, problem.source, problem.severity) == (
            "relative-to-invalid",
            "sdfviewer",
            types.DiagnosticSeverity.Error,
        )
        where = types.Range(problem.range.start, problem.range.start)
        context = types.CodeActionContext([problem], [types.CodeActionKind.QuickFix])
        actions = await editor.client.text_document_code_action_async(types.CodeActionParams(file, where, context))
        fixes = [each for each in actions or () if isinstance(each, types.CodeAction) and each.edit is not None]
        texts = [editor.apply(each.edit)[file.uri] for each in fixes if each.edit is not None]
        assert ARM in texts

    edit(scenario, arm.parent, process=True)


def test_a_rename_reaches_the_files_that_include_this_one(arm: Path) -> None:
    world = arm.with_name("world.sdf")
    world.write_bytes(WORLD.encode())

    async def scenario(editor: Editor) -> None:
        file = editor.open(arm)
        position = editor.find(arm, "<child>ti|p")
        prepared = await editor.client.text_document_prepare_rename_async(types.PrepareRenameParams(file, position))
        assert isinstance(prepared, types.PrepareRenamePlaceholder)
        assert prepared.placeholder == "tip"
        params = types.RenameParams(new_name="hand", text_document=file, position=position)
        answer = await editor.client.text_document_rename_async(params)
        assert answer is not None
        texts = editor.apply(answer)
        assert texts[world.as_uri()] == WORLD.replace("robot::tip", "robot::hand")
        assert texts[file.uri] == ARM.replace('"tip"', '"hand"').replace(">tip<", ">hand<")
        assert answer.change_annotations

    edit(scenario, arm.parent)


def test_a_name_that_is_taken_is_refused_with_the_reason(arm: Path) -> None:
    async def scenario(editor: Editor) -> str:
        file = editor.open(arm)
        params = types.RenameParams(new_name="base", text_document=file, position=editor.find(arm, "<child>ti|p"))
        with pytest.raises(JsonRpcException) as raised:
            await editor.client.text_document_rename_async(params)
        return str(raised.value)

    assert "base" in edit(scenario, arm.parent)


def test_hints_show_the_resolved_pose_the_defaults_and_the_units(arm: Path) -> None:
    async def scenario(editor: Editor) -> list[str]:
        file = editor.open(arm)
        whole = types.Range(types.Position(0, 0), types.Position(100, 0))
        hints = await editor.client.text_document_inlay_hint_async(types.InlayHintParams(file, whole))
        return [str(hint.label) for hint in hints or ()]

    assert edit(scenario, arm.parent) == [" arm: 0 0 0.5  0° 90° 0°", " rad = -90°"]
    assert edit(scenario, arm.parent, options={"hints": {"unit": False}}) == [" arm: 0 0 0.5  0° 90° 0°"]


@pytest.mark.parametrize("unit", list(Unit))
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_positions_are_right_in_every_unit_and_with_every_line_end(tmp_path: Path, unit: Unit, newline: str) -> None:
    text = ARM.replace('    <link name="base"/>', '    <!-- 𝔘 é --> <link name="base"/>').replace("\n", newline)
    path = tmp_path / "arm ü.sdf"
    path.write_bytes(text.encode())

    async def scenario(editor: Editor) -> types.Range:
        file = editor.open(path)
        params = types.DefinitionParams(file, editor.find(path, "<parent>ba|se"))
        answer = await editor.client.text_document_definition_async(params)
        assert isinstance(answer, (list, tuple))
        location = answer[0]
        assert isinstance(location, types.Location)
        expected = editor.find(path, '𝔘 é --> <link name="|base"')
        assert location.range.start == expected
        at = text.index("𝔘") + 1
        editor.type(path, at, at, "x")
        params = types.DefinitionParams(file, editor.find(path, "<parent>ba|se"))
        answer = await editor.client.text_document_definition_async(params)
        assert isinstance(answer, (list, tuple))
        assert isinstance(answer[0], types.Location)
        assert answer[0].range.start == editor.find(path, '𝔘x é --> <link name="|base"')
        return location.range

    edit(scenario, tmp_path, unit)


def test_completion_of_an_empty_file_offers_new_files(tmp_path: Path) -> None:
    path = tmp_path / "new.sdf"
    path.write_text("", encoding="utf-8")

    async def scenario(editor: Editor) -> None:
        file = editor.open(path)
        answer = await editor.client.text_document_completion_async(
            types.CompletionParams(file, editor.position(path, 0))
        )
        assert isinstance(answer, types.CompletionList)
        assert [item.label for item in answer.items] == [
            f"sdf {name}" for name, each in TEMPLATES.items() if not each.is_urdf
        ]
        assert isinstance(answer.items[0].text_edit, types.TextEdit)
        assert answer.items[0].text_edit.new_text == TEMPLATES["model"].text()
        editor.type(path, 0, 0, "\nsd")
        answer = await editor.client.text_document_completion_async(
            types.CompletionParams(file, editor.position(path, 3))
        )
        assert isinstance(answer, types.CompletionList)
        edit_of_model = answer.items[0].text_edit
        assert isinstance(edit_of_model, types.TextEdit)
        assert edit_of_model.new_text.startswith("<sdf")
        assert edit_of_model.range.start == types.Position(1, 0)
        editor.type(path, 0, 3, "<")
        answer = await editor.client.text_document_completion_async(
            types.CompletionParams(file, editor.position(path, 1))
        )
        assert isinstance(answer, types.CompletionList)
        assert isinstance(answer.items[0].text_edit, types.TextEdit)
        assert answer.items[0].text_edit.new_text.startswith('sdf version="${1:1.12}">')
        robot = path.with_suffix(".urdf")
        robot.write_text("", encoding="utf-8")
        file = editor.open(robot)
        answer = await editor.client.text_document_completion_async(
            types.CompletionParams(file, editor.position(robot, 0))
        )
        assert isinstance(answer, types.CompletionList)
        assert [item.label for item in answer.items] == ["urdf", "urdf base"]

    edit(scenario, tmp_path)


def test_completion_offers_the_legal_names_and_whole_elements(arm: Path) -> None:
    async def scenario(editor: Editor) -> tuple[list[str], str]:
        file = editor.open(arm)
        params = types.CompletionParams(file, editor.find(arm, 'attached_to="|tip'))
        names = await editor.client.text_document_completion_async(params)
        at = ARM.index('    <frame name="F"')
        editor.type(arm, at, at, "<")
        params = types.CompletionParams(file, editor.position(arm, at + 1))
        tags = await editor.client.text_document_completion_async(params)
        assert isinstance(names, types.CompletionList)
        assert isinstance(tags, types.CompletionList)
        frame = next(item for item in tags.items if item.label == "frame")
        assert isinstance(frame.text_edit, types.TextEdit)
        return [item.label for item in names.items], frame.text_edit.new_text

    names, snippet = edit(scenario, arm.parent)
    assert {"base", "tip", "j", "__model__"} <= set(names)
    assert "F" not in names
    assert snippet.startswith('frame name="$1"')
    assert snippet.endswith("</frame>")


def test_hover_shows_where_a_frame_is_and_why(arm: Path) -> None:
    async def scenario(editor: Editor) -> list[str]:
        file = editor.open(arm)
        texts = []
        for place in ('attached_to="ti|p"', "<ch|ild>", "0 1.57|07"):
            answer = await editor.client.text_document_hover_async(types.HoverParams(file, editor.find(arm, place)))
            assert answer is not None
            assert isinstance(answer.contents, types.MarkupContent)
            texts.append(answer.contents.value)
        return texts

    frame, element, number = edit(scenario, arm.parent)
    assert "**link** `arm::tip`" in frame
    assert "arm::tip relative_to arm::base" in frame
    assert element.startswith("<child>: required")
    assert number == "pitch: 90 degrees"


def test_a_hover_fetches_no_picture_that_a_name_asks_for(tmp_path: Path) -> None:
    """Editors show Markdown, and load the pictures in it."""
    path = tmp_path / "m.sdf"
    name = "a` ![x](https://e/x.png) `b"
    path.write_text(f'<sdf version="1.9"><model name="m">\n<link name="{name}"/></model></sdf>', encoding="utf-8")

    async def scenario(editor: Editor) -> str:
        file = editor.open(path)
        at = editor.find(path, '<link name="a|`')
        answer = await editor.client.text_document_hover_async(types.HoverParams(file, at))
        assert answer is not None
        assert isinstance(answer.contents, types.MarkupContent)
        return answer.contents.value

    hover = edit(scenario, tmp_path)
    assert f"``m::{name}``" in hover
    assert f"`m::{name}`" not in hover.replace(f"``m::{name}``", "")


def test_the_other_answers_are_about_the_right_places(arm: Path) -> None:
    async def scenario(editor: Editor) -> None:
        client, file = editor.client, editor.open(arm)
        symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(file))
        assert symbols
        assert [child.name for child in symbols[0].children or ()] == ["base", "tip", "j", "F"]  # type: ignore[union-attr]
        position = editor.find(arm, "<child>ti|p")
        marks = await client.text_document_document_highlight_async(types.DocumentHighlightParams(file, position))
        assert len(marks or ()) == 3
        params = types.SignatureHelpParams(file, editor.find(arm, '"base">0 0 0.5| 0'))
        signature = await client.text_document_signature_help_async(params)
        assert signature is not None
        assert signature.active_parameter == 2
        linked = await client.text_document_linked_editing_range_async(
            types.LinkedEditingRangeParams(file, editor.find(arm, "<ch|ild>"))
        )
        assert linked is not None
        assert len(linked.ranges) == 2
        tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(file))
        assert tokens is not None
        assert len(tokens.data) == 5 * 9
        assert all(type(number) is int for number in tokens.data)  # JSON true is no number to an editor
        item = (
            await client.text_document_prepare_call_hierarchy_async(types.CallHierarchyPrepareParams(file, position))
            or []
        )[0]
        attached = await client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(item))
        assert [each.from_.name for each in attached or ()] == ["j", "F"]
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(file))
        assert "moves with arm::tip" in [each.command.title for each in lenses or () if each.command]
        found = await client.workspace_symbol_async(types.WorkspaceSymbolParams("ti"))
        assert "tip" in [each.name for each in found or ()]

    edit(scenario, arm.parent)


@pytest.mark.parametrize("keeps_data", [True, False])
def test_every_frame_that_may_be_named_is_offered_in_place_of_one_that_is_missing(arm: Path, keeps_data: bool) -> None:
    wrong = ARM.replace('attached_to="tip"', 'attached_to="nothing_like_it"')

    async def scenario(editor: Editor) -> dict[str, tuple[str, bool | None]]:
        file = editor.open(arm, wrong)
        (problem,) = await editor.diagnostics(arm)
        assert problem.data["references"] == [{"frame": "arm::F", "attribute": "attached_to", "axis": ""}]
        assert (problem.data["rule"], problem.data["frames"]) == ("attached-to-invalid", ["arm::F"])
        sent = [problem] if keeps_data else []
        context = types.CodeActionContext(sent, [types.CodeActionKind.QuickFix])
        offered = await editor.client.text_document_code_action_async(
            types.CodeActionParams(file, problem.range, context)
        )
        found = {}
        for each in offered or ():
            assert isinstance(each, types.CodeAction)
            if each.edit is not None:
                assert each.data["operation"] == "set_attached_to", "its data say what it does"
                assert each.data["arguments"]["frame"] == "arm::F"
                found[each.title] = editor.apply(each.edit)[file.uri], each.is_preferred
        return found

    found = edit(scenario, arm.parent)
    text, is_preferred = found["Another frame: attach 'F' to 'base'"]
    assert text == ARM.replace('attached_to="tip"', 'attached_to="base"')
    assert not is_preferred
    assert "Another frame: attach 'F' to 'tip'" in found
    assert "Another frame: attach 'F' to 'F'" not in found
    assert len({text for text, _ in found.values()}) == len(found), "nothing twice"
    assert [title for title, (_, is_first) in found.items() if is_first] == [next(iter(found))]


BEFORE = '    <frame name="first"/>\n    <!-- typed since -->\n'


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('relative_to="base"', 'relative_to="bose"'),  # its fix is an operation with arguments
        ('<link name="tip">', '<link naem="tip">'),  # its fix repairs the text
        ("<child>tip</child>", "<child>tipp</child>"),
    ],
)
def test_what_a_diagnostic_was_sent_with_fixes_it_after_the_text_has_changed_elsewhere(
    arm: Path, right: str, wrong: str
) -> None:
    """The data of the diagnostic, and those of an action that was offered for it, name the element, not its place."""
    assert right in ARM
    after = ARM.replace('    <link name="base"', BEFORE + '    <link name="base"', 1)

    async def scenario(editor: Editor) -> None:
        file = editor.open(arm, ARM.replace(right, wrong))
        whole, context = types.Range(types.Position(0, 0), types.Position(99, 0)), types.CodeActionContext([])
        await editor.diagnostics(arm)
        offered = await editor.client.text_document_code_action_async(types.CodeActionParams(file, whole, context))
        actions = [each for each in offered or () if isinstance(each, types.CodeAction)]
        before = next(each for each in actions if each.edit and editor.apply(each.edit)[file.uri] == ARM)
        (problem,) = before.diagnostics or ()
        at = editor.texts[file.uri].index('    <link name="base"')
        editor.type(arm, at, at, BEFORE)
        assert editor.texts[file.uri] == after.replace(right, wrong)
        await editor.diagnostics(arm)
        # As an editor asks that has not moved its diagnostics along, with all that it keeps of them: their data.
        stale = types.Diagnostic(problem.range, problem.message, data=problem.data)
        context = types.CodeActionContext([stale], [types.CodeActionKind.QuickFix])
        offered = await editor.client.text_document_code_action_async(
            types.CodeActionParams(file, problem.range, context)
        )
        actions = [each for each in offered or () if isinstance(each, types.CodeAction) and each.edit is not None]
        assert after in [editor.apply(each.edit)[file.uri] for each in actions if each.edit is not None]
        # And as one applies what was offered before.
        resolved = await editor.client.code_action_resolve_async(types.CodeAction(before.title, data=before.data))
        assert resolved.edit is not None
        assert editor.apply(resolved.edit)[file.uri] == after

    edit(scenario, arm.parent)


def test_a_fix_of_a_problem_that_is_gone_says_so(arm: Path) -> None:
    async def scenario(editor: Editor) -> str:
        file = editor.open(arm, ARM.replace('<link name="tip"', '<link naem="tip"'))
        problem, *_ = await editor.diagnostics(arm)
        context = types.CodeActionContext([problem], [types.CodeActionKind.QuickFix])
        offered = await editor.client.text_document_code_action_async(
            types.CodeActionParams(file, problem.range, context)
        )
        action = next(each for each in offered or () if isinstance(each, types.CodeAction) and "cause" in each.data)
        at = editor.texts[file.uri].index("naem")
        editor.type(arm, at, at + 4, "name")
        with pytest.raises(JsonRpcException) as raised:
            await editor.client.code_action_resolve_async(types.CodeAction(action.title, data=action.data))
        return str(raised.value)

    assert "this problem is no longer there" in edit(scenario, arm.parent)


def test_a_refactoring_is_computed_when_it_is_chosen(arm: Path) -> None:
    async def scenario(editor: Editor) -> str:
        file = editor.open(arm)
        position = editor.find(arm, '<link name="ti|p"')
        where = types.Range(position, position)
        context = types.CodeActionContext([], [types.CodeActionKind.Refactor])
        offered = await editor.client.text_document_code_action_async(types.CodeActionParams(file, where, context))
        actions = [each for each in offered or () if isinstance(each, types.CodeAction)]
        action = next(each for each in actions if each.title.startswith("Measure tip from __model__"))
        assert action.edit is None
        resolved = await editor.client.code_action_resolve_async(action)
        assert resolved.edit is not None
        return editor.apply(resolved.edit)[file.uri]

    text = edit(scenario, arm.parent)
    before, after = (Loader().load(parse_document(each)) for each in (ARM, text))
    assert before is not None
    assert after is not None
    assert text != ARM
    assert abs(before.X_RootF - after.X_RootF).max() < 1e-12


def test_refactorings_are_offered_where_they_fit_and_all_of_them_on_request(arm: Path) -> None:
    async def scenario(editor: Editor) -> dict[str, set[str]]:
        file, found = editor.open(arm), {}
        for caret in ("<sdf ver|sion", '<link name="ti|p"', "<pose rel|ative_to", "<chi|ld>tip", "|<limit>"):
            position = editor.find(arm, caret)
            where = types.Range(position, position)
            for only in (None, [types.CodeActionKind.Refactor]):
                context = types.CodeActionContext([], only)
                offered = await editor.client.text_document_code_action_async(
                    types.CodeActionParams(file, where, context)
                )
                found[f"{caret} {'all' if only else ''}".strip()] = {each.title for each in offered or ()}
        return found

    found = edit(scenario, arm.parent)
    whole, pose = "Convert to SDFormat 1.10", "Measure tip from __model__ (keep its pose)"
    assert whole in found["<sdf ver|sion"]
    assert whole not in found['<link name="ti|p"']
    assert pose in found['<link name="ti|p"']
    assert pose in found["<pose rel|ative_to"]
    for place in ("<chi|ld>tip", "|<limit>"):
        assert not any(title.startswith(("Convert", "Measure")) for title in found[place]), place
    assert {whole, pose} <= found['<link name="ti|p" all']
    assert whole in found["|<limit> all"]


def test_text_that_is_half_typed_or_no_xml_at_all_gets_an_answer(arm: Path) -> None:
    async def scenario(editor: Editor) -> None:
        file = editor.open(arm)
        position = editor.find(arm, "<child>ti|p")
        for text in ("<sdf", "", "\ud800".encode("utf-8", "replace").decode(), ARM[:200], "<a></b>"):
            editor.type(arm, 0, len(editor.texts[file.uri]), text)
            await editor.diagnostics(arm)
            whole = types.Range(types.Position(0, 0), types.Position(10**6, 0))
            client = editor.client
            await client.text_document_hover_async(types.HoverParams(file, position))
            await client.text_document_inlay_hint_async(types.InlayHintParams(file, whole))
            await client.text_document_completion_async(types.CompletionParams(file, position))
            await client.text_document_folding_range_async(types.FoldingRangeParams(file))
            await client.text_document_selection_range_async(types.SelectionRangeParams(file, [position]))
            options = types.FormattingOptions(2, insert_spaces=True)
            await client.text_document_formatting_async(types.DocumentFormattingParams(file, options))

    edit(scenario, arm.parent)


def test_unsaved_text_of_an_included_file_counts(arm: Path) -> None:
    world = arm.with_name("world.sdf")
    world.write_bytes(WORLD.encode())

    async def scenario(editor: Editor) -> list[str]:
        editor.open(world)
        assert await editor.diagnostics(world) == []
        editor.open(arm, ARM.replace('"tip"', '"hand"').replace(">tip<", ">hand<"))
        editor.published.clear()
        return [str(each.code) for each in await editor.diagnostics(world)]

    assert edit(scenario, arm.parent) == ["attached-to-invalid"]


def test_formatting_changes_indentation_only(arm: Path) -> None:
    text = ARM.replace("      <parent>", "<parent>").replace("    </joint>", "            </joint>")

    async def scenario(editor: Editor) -> str:
        file = editor.open(arm, text)
        options = types.FormattingOptions(2, insert_spaces=True)
        edits = await editor.client.text_document_formatting_async(types.DocumentFormattingParams(file, options))
        change = types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(file.uri, 1), list(edits or ()))
        return editor.apply(types.WorkspaceEdit(document_changes=[change]))[file.uri]

    assert edit(scenario, arm.parent) == ARM


def test_ignored_rules_are_not_reported(arm: Path) -> None:
    broken = ARM.replace('attached_to="tip"', 'attached_to="tap"')

    async def scenario(editor: Editor) -> list[list[str]]:
        editor.open(arm, broken)
        found = [await editor.diagnostics(arm)]
        comment = "<!-- sdfviewer: ignore attached-to-invalid -->"
        at = broken.index("    <frame")
        editor.type(arm, at, at, f"    {comment}\n")
        found.append(await editor.diagnostics(arm))
        return [[str(each.code) for each in each_time] for each_time in found]

    assert edit(scenario, arm.parent) == [["attached-to-invalid"], []]
    arm.with_name("sdfviewer.toml").write_text('ignore = ["E401"]', encoding="utf-8")
    assert edit(scenario, arm.parent) == [[], []]


def test_many_edits_in_several_files_mean_what_a_fresh_load_means(arm: Path) -> None:
    world = arm.with_name("world.sdf")
    world.write_bytes(WORLD.encode())
    pieces = ["tip", '"', "<link name='c'/>", "\n", "</model>", "𝔘", " ", "0.5", "<", "base", "<!--", "-->"]
    numbers = random.Random(7)

    async def scenario(editor: Editor) -> None:
        for path in (arm, world):
            editor.open(path)
        for step in range(40):
            path = numbers.choice((arm, world))
            text = editor.texts[path.as_uri()]
            if step % 10 == 9:  # what was broken is whole again
                editor.type(path, 0, len(text), ARM if path == arm else WORLD)
            else:
                start = numbers.randrange(len(text))
                editor.type(path, start, min(start + numbers.randrange(4), len(text)), numbers.choice(pieces))
            for each in (arm, world):
                documents = {
                    other.resolve(): parse_document(editor.texts[other.as_uri()], other) for other in (arm, world)
                }
                expected = Loader(instead=documents).load_with_diagnostics(documents[each.resolve()])[1]
                messages = [problem.message for problem in expected]

                def arrived(each: Path = each, messages: list[str] = messages) -> bool:
                    last = editor.published.get(each.as_uri())
                    return last is not None and [problem.message for problem in last.diagnostics] == messages

                await editor.until(arrived)

    edit(scenario, arm.parent)


def test_editors_that_can_do_less_get_what_they_can_use(arm: Path) -> None:
    world = arm.with_name("world.sdf")
    world.write_bytes(WORLD.encode())

    async def scenario(editor: Editor) -> None:
        applied: list[types.WorkspaceEdit] = []

        @editor.client.feature(types.WORKSPACE_APPLY_EDIT)
        def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            applied.append(params.edit)
            return types.ApplyWorkspaceEditResult(applied=True)

        file = editor.open(arm)
        position = editor.find(arm, "<child>ti|p")
        answer = await editor.client.text_document_rename_async(
            types.RenameParams(new_name="hand", text_document=file, position=position)
        )
        assert answer is not None
        assert answer.document_changes is None
        assert set(answer.changes or ()) == {file.uri, world.as_uri()}
        at = ARM.index('    <frame name="F"')
        editor.type(arm, at, at, "<")
        tags = await editor.client.text_document_completion_async(
            types.CompletionParams(file, editor.position(arm, at + 1))
        )
        assert isinstance(tags, types.CompletionList)
        frame = next(item for item in tags.items if item.label == "frame")
        assert isinstance(frame.text_edit, types.TextEdit)
        assert "$" not in frame.text_edit.new_text
        editor.type(arm, at, at + 1, "")
        where = types.Range(position, position)
        context = types.CodeActionContext([], [types.CodeActionKind.Refactor])
        offered = await editor.client.text_document_code_action_async(types.CodeActionParams(file, where, context))
        command = next(each for each in offered or () if each.title.startswith("Convert to element-relative"))
        assert isinstance(command, types.Command)
        done = await editor.client.workspace_execute_command_async(
            types.ExecuteCommandParams(command.command, command.arguments)
        )
        assert done is True
        assert list(applied[0].changes or ()) == [file.uri]

    edit(scenario, arm.parent, able=types.ClientCapabilities())


def test_only_what_has_changed_of_the_tokens_is_sent(arm: Path) -> None:
    async def scenario(editor: Editor) -> None:
        file = editor.open(arm)
        full = await editor.client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(file))
        assert full is not None
        at = ARM.index('"F"') + 2
        editor.type(arm, at, at, "G")
        delta = await editor.client.text_document_semantic_tokens_full_delta_async(
            types.SemanticTokensDeltaParams(file, full.result_id or "")
        )
        assert isinstance(delta, types.SemanticTokensDelta)
        # Of five numbers each: the length of FG is another, and tip in the same line comes one character later.
        name, reference = 5 * 7, 5 * 8
        before = list(full.data)
        after = [*before[: name + 2], 2, *before[name + 3 : reference + 1], before[reference + 1] + 1]
        after += before[reference + 2 :]
        changed = slice(name + 2, reference + 2)
        (change,) = delta.edits
        assert (change.start, change.delete_count, list(change.data or ())) == (changed.start, 5, after[changed])
        again = await editor.client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(file))
        assert again is not None
        assert after == list(again.data)
        same = await editor.client.text_document_semantic_tokens_full_delta_async(
            types.SemanticTokensDeltaParams(file, again.result_id or "")
        )
        assert isinstance(same, types.SemanticTokensDelta)
        assert not same.edits

    edit(scenario, arm.parent)


def test_the_names_in_a_urdf_lead_to_its_links(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    text = (
        '<robot name="arm">\n  <link name="base"/>\n  <link name="tip"/>\n'
        '  <joint name="j" type="fixed"><parent link="base"/><child link="tip"/></joint>\n</robot>\n'
    )
    path.write_text(text, encoding="utf-8")

    async def scenario(editor: Editor) -> None:
        file = editor.open(path)
        position = editor.find(path, '<parent link="ba|se"')
        place = await editor.client.text_document_definition_async(types.DefinitionParams(file, position))
        assert isinstance(place, (list, tuple))
        assert isinstance(place[0], types.Location)
        assert place[0].range.start == editor.find(path, '<link name="|base"')
        hover = await editor.client.text_document_hover_async(types.HoverParams(file, position))
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        assert "**link** `arm::base`" in hover.contents.value
        references = await editor.client.text_document_references_async(
            types.ReferenceParams(types.ReferenceContext(include_declaration=True), file, position)
        )
        assert len(references or ()) == 2

    edit(scenario, tmp_path)


URDF = """<robot name="arm">
  <material name="blue"><color rgba="0 0 1 1"/></material>
  <link name="base"><visual><geometry><box size="1 1 1"/></geometry><material name="blue"/></visual></link>
  <link name="tip"/>
  <joint name="j" type="fixed"><parent link="base"/><child link="tip"/></joint>
  <gazebo reference="base"><static>true</static></gazebo>
</robot>
"""


def test_links_and_materials_of_a_urdf_are_renamed_as_in_the_library(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_bytes(URDF.encode())

    async def scenario(editor: Editor) -> None:
        file = editor.open(path)
        for marked, new in (('reference="ba|se"', "chassis"), ('/geometry><material name="bl|ue"', "sky")):
            position = editor.find(path, marked)
            prepared = await editor.client.text_document_prepare_rename_async(types.PrepareRenameParams(file, position))
            assert isinstance(prepared, types.PrepareRenamePlaceholder)
            params = types.RenameParams(new_name=new, text_document=file, position=position)
            answer = await editor.client.text_document_rename_async(params)
            assert answer is not None
            document = sdfviewer.open_document(URDF)
            with document.edit("Rename") as edit:
                edit.rename(prepared.placeholder, new)
            assert editor.apply(answer)[file.uri] == document.text
            assert document.text.count(f'"{new}"') == URDF.count(f'"{prepared.placeholder}"')

    edit(scenario, tmp_path)


def test_a_value_in_a_xacro_file_shows_and_leads_to_what_it_is_computed_with(tmp_path: Path) -> None:
    pytest.importorskip("xacro", reason="the extra xacro is not installed")
    path, sizes = tmp_path / "arm.urdf.xacro", tmp_path / "sizes.yaml"
    sizes.write_text("wheel:\n  radius: 0.2\n", encoding="utf-8")
    path.write_text(
        """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="sizes" value="${xacro.load_yaml('sizes.yaml')}"/>
  <xacro:property name="big" value="${2 * sizes.wheel.radius}"/>
  <xacro:macro name="wheel" params="side r:=0.1">
    <link name="${side}"><visual><geometry><sphere radius="${r}"/></geometry></visual></link>
    <joint name="${side}_j" type="fixed"><parent link="base"/><child link="${side}"/></joint>
  </xacro:macro>
  <link name="base"/>
  <xacro:wheel side="left"/>
  <xacro:wheel side="right" r="${big}"/>
</robot>
""",
        encoding="utf-8",
    )
    Decisions("").decide([open_document(path)], Answer.FOLDER)

    async def scenario(editor: Editor) -> None:
        file = editor.open(path)
        await editor.diagnostics(path)
        position = editor.find(path, 'radius="${|r}')
        hover = await editor.client.text_document_hover_async(types.HoverParams(file, position))
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        assert hover.contents.value.splitlines() == [
            "- `from default r = 0.1, arm.urdf.xacro:4`",
            "- `from parameter r = ${big}, arm.urdf.xacro:10`",
            "  - `from YAML file, sizes.yaml:1`",
            "  - `from YAML key wheel.radius = 0.2, sizes.yaml:2`",
        ]
        found = await editor.client.text_document_definition_async(types.DefinitionParams(file, position))
        assert isinstance(found, list)
        lines = [each.range.start.line for each in found if isinstance(each, types.Location)]
        assert lines == [3, 9]
        given = editor.find(path, 'r="${|big}"')
        found = await editor.client.text_document_definition_async(types.DefinitionParams(file, given))
        assert isinstance(found, list)
        assert [each.range.start.line for each in found if isinstance(each, types.Location)] == [2]

    edit(scenario, tmp_path)


ROBOT = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:include filename="parts.xacro"/>
  <link name="base"/>
  <xacro:wheel side="left"/>
  <xacro:wheel side="right"/>
  <link name="tip"/>
  <joint name="j" type="fixed"><parent link="left_wheel"/><child link="tip"/></joint>
</robot>
"""
PARTS = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="track" value="0.4"/>
  <xacro:macro name="wheel" params="side">
    <link name="${side}_wheel"/>
    <joint name="${side}_axle" type="fixed">
      <origin xyz="0 ${track/2} 0"/><parent link="base"/><child link="${side}_wheel"/>
    </joint>
  </xacro:macro>
</robot>
"""


@pytest.fixture
def xacro_robot(tmp_path: Path) -> Path:
    pytest.importorskip("xacro", reason="the extra xacro is not installed")
    path = tmp_path / "arm.urdf.xacro"
    path.write_bytes(ROBOT.encode())
    (tmp_path / "parts.xacro").write_bytes(PARTS.encode())
    Decisions("").decide([open_document(path)], Answer.FOLDER)
    return path


def test_names_of_a_xacro_file_are_renamed_where_they_are_put_together(xacro_robot: Path) -> None:
    async def scenario(editor: Editor) -> None:
        file = editor.open(xacro_robot)
        for marked, old, new, changes in (
            ('link name="ba|se"', "base", "chassis", {"arm.urdf.xacro": ROBOT.replace('"base"', '"chassis"')}),
            ('parent link="left|_wheel"', "left_wheel", "left_tyre", {}),
        ):
            position = editor.find(xacro_robot, marked)
            prepared = await editor.client.text_document_prepare_rename_async(types.PrepareRenameParams(file, position))
            assert isinstance(prepared, types.PrepareRenamePlaceholder)
            assert prepared.placeholder == old
            params = types.RenameParams(new_name=new, text_document=file, position=position)
            answer = await editor.client.text_document_rename_async(params)
            assert answer is not None
            assert answer.document_changes is not None
            changed = [Path(unquote(each.text_document.uri)).name for each in answer.document_changes]  # type: ignore[union-attr]
            assert changed == ["arm.urdf.xacro", "parts.xacro"]
            if changes:
                assert editor.apply(answer)[file.uri] == changes["arm.urdf.xacro"]

    edit(scenario, xacro_robot.parent)


def test_a_name_that_macro_calls_write_is_not_renamed_there(xacro_robot: Path) -> None:
    text = ROBOT.replace('  <xacro:include filename="parts.xacro"/>\n', "").replace(
        '  <link name="base"/>\n', "".join(PARTS.splitlines(keepends=True)[1:-1]) + '  <link name="base"/>\n'
    )
    xacro_robot.write_bytes(text.encode())

    async def scenario(editor: Editor) -> str:
        file = editor.open(xacro_robot)
        params = types.PrepareRenameParams(file, editor.find(xacro_robot, 'link name="${|side}_wheel"'))
        with pytest.raises(JsonRpcException) as raised:
            await editor.client.text_document_prepare_rename_async(params)
        return str(raised.value)

    assert "macro calls write several names here: left_wheel, right_wheel" in edit(scenario, xacro_robot.parent)


def test_an_action_on_a_value_of_a_xacro_file_leads_to_what_gives_it(xacro_robot: Path) -> None:
    more = '<origin xyz="${track} 0 0"/><parent link="left_wheel"/>'
    xacro_robot.write_bytes(ROBOT.replace('<parent link="left_wheel"/>', more).encode())

    async def scenario(editor: Editor) -> None:
        file = editor.open(xacro_robot)
        await editor.diagnostics(xacro_robot)
        at = editor.find(xacro_robot, 'xyz="${tr|ack}')
        params = types.CodeActionParams(file, types.Range(at, at), types.CodeActionContext([]))
        offered = await editor.client.text_document_code_action_async(params)
        (action,) = [each for each in offered or () if each.title.startswith("Change ")]
        assert action.title == f"Change property track in {xacro_robot.parent.name}/parts.xacro, line 2"
        # The client library takes an action with a command for a command.
        sent = ast.literal_eval(str(action.command)) if isinstance(action, types.Command) else {}
        run = types.ExecuteCommandParams(sent["command"], sent["arguments"])
        assert await editor.client.workspace_execute_command_async(run) is True
        (shown,) = editor.shown
        assert Path(unquote(shown.uri)).name == "parts.xacro"
        assert shown.selection is not None
        line = PARTS.splitlines()[shown.selection.start.line]
        assert line[shown.selection.start.character : shown.selection.end.character] == "0.4"

    edit(scenario, xacro_robot.parent)


def test_what_a_xacro_file_writes_is_measured_from_another_frame_there(xacro_robot: Path) -> None:
    async def scenario(editor: Editor) -> None:
        file = editor.open(xacro_robot)
        position = editor.find(xacro_robot, '<joint| name="j" type="fixed">')
        context = types.CodeActionContext([], only=[types.CodeActionKind.RefactorRewrite])
        params = types.CodeActionParams(file, types.Range(position, position), context)
        answers = await editor.client.text_document_code_action_async(params)
        actions = {each.title: each for each in answers or () if isinstance(each, types.CodeAction)}
        action = actions["Measure j from base (keep its pose)"]
        resolved = await editor.client.code_action_resolve_async(action)
        assert resolved.edit is not None
        parent = '<parent link="base"/><origin xyz="0 0.2 0" rpy="0 0 0"/>'
        assert editor.apply(resolved.edit)[file.uri] == ROBOT.replace('<parent link="left_wheel"/>', parent)

    edit(scenario, xacro_robot.parent)
