"""Each name of a path is one of its own, instances that an include brings have names, and files are one text."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsprotocol import types

from tests.lsp.editor import Editor, edit

ARM = """<sdf version="1.9">
  <model name="arm">
    <link name="base"/>
    <model name="tool">
      <link name="palm"/>
      <frame name="grip" attached_to="palm"/>
    </model>
    <frame name="tip" attached_to="tool::grip"/>
  </model>
</sdf>
"""
WORLD = """<sdf version="1.9">
  <world name="w">
    <include><name>a1</name><uri>arm.sdf</uri></include>
    <include><name>a2</name><uri>missing.sdf</uri></include>
    <frame name="F" attached_to="a1::tool::grip"/>
    <frame name="G" attached_to="a1::base"><pose relative_to="a1"/></frame>
    <frame name="H" attached_to="a2::base"/>
  </world>
</sdf>
"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    (tmp_path / "arm.sdf").write_bytes(ARM.encode())
    path = tmp_path / "world.sdf"
    path.write_bytes(WORLD.encode())
    return path


def texts_at(editor: Editor, folder: Path, locations: list[types.Location]) -> set[tuple[str, int, str]]:
    """Return places as file, line and text."""
    found = set()
    for each in locations:
        name = each.uri.rpartition("/")[2]
        line = (folder / name).read_text().splitlines()[each.range.start.line]
        found.add((name, each.range.start.line, line[each.range.start.character : each.range.end.character]))
    return found


#: Where the caret is in ``a1::tool::grip``, where that name is given, and where it is used.
NAMES = {
    "a|1::tool::grip": (("world.sdf", 2, "a1"), {("world.sdf", 4, "a1"), ("world.sdf", 5, "a1")}),
    "a1::to|ol::grip": (("arm.sdf", 3, "tool"), {("arm.sdf", 7, "tool"), ("world.sdf", 4, "tool")}),
    "a1::tool::gr|ip": (("arm.sdf", 5, "grip"), {("arm.sdf", 7, "grip"), ("world.sdf", 4, "grip")}),
}


def test_a_path_has_a_name_for_each_of_its_parts(world: Path) -> None:
    async def scenario(editor: Editor) -> None:
        file = editor.open(world)
        for caret, (given, used) in NAMES.items():
            at = editor.find(world, caret)
            definition = await editor.client.text_document_definition_async(types.DefinitionParams(file, at))
            assert isinstance(definition, list)
            places = [each for each in definition if isinstance(each, types.Location)]
            assert texts_at(editor, world.parent, places) == {given}
            context = types.ReferenceContext(include_declaration=False)
            params = types.ReferenceParams(context, file, at)
            references = await editor.client.text_document_references_async(params)
            assert used <= texts_at(editor, world.parent, list(references or ())), caret
            hover = await editor.client.text_document_hover_async(types.HoverParams(file, at))
            assert hover is not None
            assert hover.range is not None
            assert hover.range.end.character - hover.range.start.character == len(given[2])
            prepared = await editor.client.text_document_prepare_rename_async(types.PrepareRenameParams(file, at))
            assert isinstance(prepared, types.PrepareRenamePlaceholder)
            assert prepared.placeholder == given[2]

    edit(scenario, world.parent)


def test_references_are_the_same_from_each_use_and_from_the_definition(world: Path) -> None:
    async def scenario(editor: Editor) -> None:
        arm = world.with_name("arm.sdf")
        asked = [
            (arm, 'name="gr|ip"'),
            (arm, '"tool::gr|ip"'),
            (world, "a1::tool::gr|ip"),
        ]
        files = {path: editor.open(path) for path in (world, arm)}
        found = []
        for path, caret in asked:
            params = types.ReferenceParams(types.ReferenceContext(True), files[path], editor.find(path, caret))
            references = await editor.client.text_document_references_async(params)
            found.append(texts_at(editor, world.parent, list(references or ())))
        assert found[0] == found[1] == found[2]
        assert found[0] == {("arm.sdf", 5, "grip"), ("arm.sdf", 7, "grip"), ("world.sdf", 4, "grip")}

    edit(scenario, world.parent)


@pytest.mark.parametrize(
    ("caret", "arm", "after"),
    [
        ("a|1::tool::grip", ARM, WORLD.replace("a1", "left")),
        ("<name>a|1</name>", ARM, WORLD.replace("a1", "left")),
        ("a|2::base", ARM, WORLD.replace("a2", "left")),
        ("a1::to|ol", ARM.replace("tool", "left"), WORLD.replace("tool", "left")),
        ("tool::gr|ip", ARM.replace("grip", "left"), WORLD.replace("grip", "left")),
    ],
)
def test_each_name_of_a_path_is_renamed_in_all_files(world: Path, caret: str, arm: str, after: str) -> None:
    async def scenario(editor: Editor) -> None:
        file = editor.open(world)
        params = types.RenameParams(new_name="left", text_document=file, position=editor.find(world, caret))
        answer = await editor.client.text_document_rename_async(params)
        assert answer is not None
        texts = {world.as_uri(): WORLD, world.with_name("arm.sdf").as_uri(): ARM} | editor.apply(answer)
        assert texts[world.as_uri()] == after
        assert texts[world.with_name("arm.sdf").as_uri()] == arm

    edit(scenario, world.parent)


def test_a_lens_counts_what_the_references_are(world: Path) -> None:
    async def scenario(editor: Editor) -> None:
        file = editor.open(world)
        lenses = await editor.client.text_document_code_lens_async(types.CodeLensParams(file))
        titles = {each.range.start.line: each.command.title for each in reversed(lenses or ()) if each.command}
        for caret, line in (("<name>a|1", 2), ("<name>a|2", 3)):
            params = types.ReferenceParams(types.ReferenceContext(False), file, editor.find(world, caret))
            references = await editor.client.text_document_references_async(params)
            number = len(references or ())
            assert titles[line] == f"{number} reference{'' if number == 1 else 's'}"

    edit(scenario, world.parent)
