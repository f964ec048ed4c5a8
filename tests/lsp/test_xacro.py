"""A xacro file in a code editor: fixes and operations are written where the values come from, also in other files."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

pytest.importorskip("xacro", reason="the extra xacro is not installed")

from sdfviewer.files.opening import open_document
from sdfviewer.formats.xacro.decisions import Answer, Decisions
from tests.lsp.editor import Editor, edit

HEAD = 'xmlns:xacro="http://ros.org/wiki/xacro"'
ROBOT = f"""<robot name="r" {HEAD}>
  <xacro:include filename="arm.xacro"/>
  <xacro:property name="reach" value="-1"/>
  <link name="base"/>
  <link name="mast"/>
  <joint name="mount" type="revolute">
    <parent link="base"/><child link="mast"/>
    <limit lower="1" upper="${{reach}}" effort="5" velocity="2"/>
  </joint>
  <xacro:arm side="left" link="base"/>
  <xacro:arm side="right" link="mast"/>
  <xacro:lamp/>
</robot>
"""
ARM = f"""<robot {HEAD}>
  <xacro:macro name="arm" params="side link">
    <link name="${{side}}_arm"><inertial>
      <mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="${{side}}_j" type="revolute">
      <origin xyz="0 0.1 0"/><parent link="${{link}}"/><child link="${{side}}_amr"/>
      <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
    </joint>
  </xacro:macro>
  <xacro:macro name="lamp">
    <link name="lamp">
      <collision><geometry><box size="1 1 1"/></geometry></collision>
    </link>
    <joint name="post" type="fixed"><origin xyz="0 0 1"/><parent link="base"/><child link="lamp"/></joint>
  </xacro:macro>
</robot>
"""


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    path = tmp_path / "r.urdf.xacro"
    path.write_text(ROBOT, encoding="utf-8", newline="")
    (tmp_path / "arm.xacro").write_text(ARM, encoding="utf-8", newline="")
    Decisions("").decide([open_document(path)], Answer.FOLDER)
    return path


async def offered(editor: Editor, robot: Path, at: str, title: str, kind: types.CodeActionKind) -> types.CodeAction:
    """Return an action that is offered at a place, with its edit."""
    place = editor.find(robot, at)
    known = [each for each in await editor.diagnostics(robot) if each.range.start.line == place.line]
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(robot.as_uri()), types.Range(place, place), types.CodeActionContext(known, [kind])
    )
    found = await editor.client.text_document_code_action_async(params) or ()
    titles = [each.title for each in found]
    assert title in titles, titles
    action = next(each for each in found if each.title == title)
    assert isinstance(action, types.CodeAction)
    return action if action.edit is not None else await editor.client.code_action_resolve_async(action)


@pytest.mark.parametrize(
    ("at", "title", "changed"),
    [
        (
            "<limit low|er",
            "Swap the limits of 'mount'",
            {"r.urdf.xacro": ROBOT.replace('"-1"', '"1"').replace('lower="1"', 'lower="-1"')},
        ),
        (
            '<xacro:arm side="le|ft"',
            "Replace 'left_amr' with 'left_arm'; this moves 'r::left_arm', 'r::right_arm'",
            {"arm.xacro": ARM.replace("_amr", "_arm")},
        ),
    ],
)
def test_a_fix_of_what_a_xacro_file_writes_is_made_in_its_source(
    robot: Path, at: str, title: str, changed: dict[str, str]
) -> None:
    async def scenario(editor: Editor) -> None:
        editor.open(robot)
        editor.open(robot.with_name("arm.xacro"))
        action = await offered(editor, robot, at, title, types.CodeActionKind.QuickFix)
        assert action.edit is not None
        texts = editor.apply(action.edit)
        assert texts == {robot.with_name(name).as_uri(): text for name, text in changed.items()}

    edit(scenario, robot.parent)


def test_an_operation_changes_the_included_file_that_writes_what_it_is_about(robot: Path) -> None:
    arm = robot.with_name("arm.xacro")
    arm.write_text(ARM.replace("_amr", "_arm"), encoding="utf-8", newline="")

    async def scenario(editor: Editor) -> None:
        editor.open(robot)
        editor.open(arm)
        title = "Compute inertials of lamp"
        action = await offered(editor, robot, "<xacro:la|mp", title, types.CodeActionKind.RefactorRewrite)
        assert action.edit is not None
        texts = editor.apply(action.edit)
        assert list(texts) == [arm.as_uri()]
        assert texts[arm.as_uri()].count("<inertial>") == 2

    edit(scenario, robot.parent)
