"""A URDF and its SRDF in a code editor: operations, quick fixes, and renaming in both."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

import sdfviewer
from tests.lsp.editor import Editor, edit

SHAPE = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
URDF = f"""<robot name="arm">
  <link name="base">{SHAPE}</link>
  <link name="tip">{SHAPE}</link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="tip"/>{LIMIT}</joint>
</robot>
"""
SRDF = """<robot name="arm">
  <group name="all"><chain base_link="base" tip_link="tpi"/></group>
  <disable_collisions link1="tip" link2="base" reason="Adjacent"/>
</robot>
"""


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    path = tmp_path / "arm.urdf"
    path.write_text(URDF)
    path.with_suffix(".srdf").write_text(SRDF)
    return path


def test_operations_are_offered_where_they_fit_and_write_what_the_library_writes(robot: Path) -> None:
    async def scenario(editor: Editor) -> None:
        file = editor.open(robot)
        where = types.Range(*[editor.find(robot, '<link name="ti|p"')] * 2)
        context = types.CodeActionContext([], [types.CodeActionKind.Refactor])
        offered = await editor.client.text_document_code_action_async(types.CodeActionParams(file, where, context))
        titles = [each.title for each in offered or ()]
        assert {"Compute inertials of tip", "Mirror limb of tip", "Shorten poses"} <= set(titles)
        assert not [title for title in titles if title.startswith(("Convert to", "Reverse joint"))]
        action = next(each for each in offered or () if each.title == "Compute inertials of tip")
        assert isinstance(action, types.CodeAction)
        resolved = await editor.client.code_action_resolve_async(action)
        assert resolved.edit is not None
        document = sdfviewer.open_document(URDF)
        with document.edit("Compute") as change:
            change.compute_inertials("tip")
        assert editor.apply(resolved.edit)[file.uri] == document.text

    edit(scenario, robot.parent)


def test_a_wrong_name_in_an_srdf_is_reported_and_fixed(robot: Path) -> None:
    srdf = robot.with_suffix(".srdf")

    async def scenario(editor: Editor) -> None:
        file = editor.open(srdf)
        where = types.Range(*[editor.find(srdf, 'tip_link="t|pi"')] * 2)
        context = types.CodeActionContext([], [types.CodeActionKind.QuickFix])
        offered = await editor.client.text_document_code_action_async(types.CodeActionParams(file, where, context))
        action = next(each for each in offered or () if each.title == "Replace 'tpi' with 'tip'")
        assert isinstance(action, types.CodeAction)
        resolved = action if action.edit is not None else await editor.client.code_action_resolve_async(action)
        assert resolved.edit is not None
        assert editor.apply(resolved.edit)[file.uri] == SRDF.replace("tpi", "tip")

    edit(scenario, robot.parent)


def test_a_link_is_renamed_in_the_srdf_too(robot: Path) -> None:
    srdf = robot.with_suffix(".srdf")

    async def scenario(editor: Editor) -> None:
        file, other = editor.open(robot), editor.open(srdf)
        position = editor.find(robot, '<parent link="ba|se"')
        answer = await editor.client.text_document_rename_async(types.RenameParams(file, position, "chassis"))
        assert answer is not None
        texts = editor.apply(answer)
        assert texts[file.uri] == URDF.replace('"base"', '"chassis"')
        assert texts[other.uri] == SRDF.replace('"base"', '"chassis"')

    edit(scenario, robot.parent)
