"""The server for assistants, with the client of the package: in this process, and over standard input and output."""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sdfviewer
from sdfviewer.cli import command_parser
from sdfviewer.extras import MissingExtraError
from sdfviewer.operations.table import OPERATIONS
from sdfviewer.session.live_link import LiveWindows, announce, decode, encode

mcp: Any = pytest.importorskip("mcp", reason="needs the extra mcp")

REPOSITORY = Path(sdfviewer.__file__).parents[1]


@pytest.fixture
def folder(tmp_path: Path, examples: Path) -> Path:
    """A folder with an arm, and one beside it that is not the assistant's."""
    inside = tmp_path / "robots"
    inside.mkdir()
    shutil.copy(examples / "arm.sdf", inside)
    shutil.copy(examples / "arm.sdf", tmp_path / "secret.sdf")
    return inside


class Assistant:
    """Calls tools as an assistant does."""

    def __init__(self, client: Any) -> None:
        self.client = client

    async def ask(self, tool: str, **arguments: Any) -> Any:
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content[0].text
        return json.loads(result.content[0].text)

    async def refused(self, tool: str, **arguments: Any) -> str:
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error
        text: str = result.content[0].text
        return text


async def talk_to_program(folder: Path, conversation: Callable[[Assistant], Awaitable[None]]) -> None:
    """Hold a conversation with a server that is started for a folder."""
    start = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "sdfviewer", "mcp", str(folder)],
        cwd=str(REPOSITORY),
        env={"XDG_RUNTIME_DIR": str(folder.parent)},
    )
    async with mcp.Client(mcp.stdio_client(start)) as client:
        await conversation(Assistant(client))


def talk(folder: Path, conversation: Callable[[Assistant], Awaitable[None]], *options: str) -> None:
    """Hold a conversation with a server for a folder in this process."""
    from sdfviewer.cli.mcp import workspace_of
    from sdfviewer.mcp.tools import make_server

    async def run() -> None:
        workspace = workspace_of(command_parser("mcp").parse_args([str(folder), *options]))
        windows = LiveWindows(lambda _window, _message: None)
        async with mcp.Client(make_server(workspace, windows)) as client:
            await conversation(Assistant(client))
        windows.close()

    asyncio.run(run())


def test_every_operation_is_a_tool_with_the_parameters_of_its_declaration(folder: Path) -> None:
    async def conversation(assistant: Assistant) -> None:
        tools = {each.name: each for each in (await assistant.client.list_tools()).tools}
        assert set(tools) == {*OPERATIONS, "open", "check", "frames", "why", "diff", "picture", "apply"}
        for name, operation in OPERATIONS.items():
            schema = tools[name].input_schema
            assert set(schema["properties"]) == {"document", "after", "xacro_arguments", *operation.by_name}
            assert set(schema["required"]) == {
                "document", *(each.name for each in operation.parameters if each.is_required)
            }  # fmt: skip
            for each in operation.parameters:
                assert schema["properties"][each.name]["description"].startswith(each.help)
        assert tools["set_pose"].annotations.read_only_hint is True
        assert tools["apply"].annotations.destructive_hint is True

    talk(folder, conversation)


def test_an_assistant_reads_a_model(folder: Path) -> None:
    async def conversation(assistant: Assistant) -> None:
        arm = sdfviewer.load(folder / "arm.sdf")
        content = await assistant.ask("open", document="arm.sdf")
        assert (content["name"], content["links"]) == ("arm", list(arm.link_names))
        assert await assistant.ask("check", document="arm.sdf") == []
        frames = await assistant.ask("frames", document="arm.sdf", joints={"joint_2": 0.5}, relative_to="base")
        palm = next(each for each in frames if each["name"] == "palm")
        np.testing.assert_allclose(palm["xyz"], arm.poses({"joint_2": 0.5}, "base")["palm"].xyz, atol=1e-9)
        chain = await assistant.ask("why", document=str(folder / "arm.sdf"), frame="grasp")
        assert chain == [str(step) for step in arm.explain("grasp")]
        other = folder / "other.sdf"
        other.write_text(arm.text.replace("0 0 0.115 0 0 0", "0 0 0.2 0 0 0"), encoding="utf-8")
        (difference,) = await assistant.ask("diff", before="arm.sdf", after="other.sdf")
        assert (difference["name"], difference["changes"]) == ("arm::grasp", ["moved"])
        assert difference["metres"] == pytest.approx(0.085)

    asyncio.run(talk_to_program(folder, conversation))


def test_a_preview_writes_nothing_until_it_is_applied(folder: Path) -> None:
    path = folder / "arm.sdf"
    before = path.read_bytes()

    async def conversation(assistant: Assistant) -> None:
        moved = await assistant.ask("set_pose", document="arm.sdf", frame="grasp", xyz=[0, 0, 0.2])
        assert "+      <pose>0 0 0.2 0 0 0</pose>" in moved["diff"]
        assert moved["moves"][0]["frame"] == "arm::grasp"
        assert moved["moves"][0]["metres"] == pytest.approx(0.085)
        both = await assistant.ask(
            "add_link", document="arm.sdf", name="box", geometry={"shape": "box", "size": "0.1 0.2 0.3"}, mass=2,
            joined_to="palm", pose="0 0 12mm", after=moved["token"],
        )  # fmt: skip
        assert "0 0 0.2 0 0 0" in both["diff"]
        assert path.read_bytes() == before
        assert "start the server with --patch FILE or --allow-writes" in await assistant.refused(
            "apply", token=both["token"]
        )
        assert path.read_bytes() == before
        applied = subprocess.run(
            ["git", "apply", "--check"], input=both["diff"], text=True, cwd=folder, capture_output=True, check=False
        )
        assert applied.returncode == 0, applied.stderr

    talk(folder, conversation)


def test_an_applied_preview_is_what_it_showed(folder: Path) -> None:
    path = folder / "arm.sdf"

    async def conversation(assistant: Assistant) -> None:
        preview = await assistant.ask("rename", document="arm.sdf", old="palm", new="hand")
        stale = await assistant.ask("add_frame", document="arm.sdf", name="tcp", attached_to="palm")
        assert await assistant.ask("apply", token=preview["token"]) == {"written": [str(path.resolve())]}
        assert "hand" in sdfviewer.load(path).links
        assert "has changed since" in await assistant.refused("apply", token=stale["token"])
        assert "no such preview" in await assistant.refused("apply", token=preview["token"])
        split = await assistant.ask("rename", document="arm.sdf", old="hand", new="palm")
        assert split["other_files"] == []

    talk(folder, conversation, "--allow-writes")


def test_an_applied_preview_becomes_a_patch(folder: Path) -> None:
    """The user reads it in an editor, and accepts it with git."""
    path, patch = folder / "arm.sdf", folder.parent / "robots.patch"
    before = path.read_bytes()

    async def conversation(assistant: Assistant) -> None:
        first = await assistant.ask("rename", document="arm.sdf", old="palm", new="hand")
        both = await assistant.ask("set_pose", document="arm.sdf", frame="grasp", xyz=[0, 0, 0.2], after=first["token"])
        applied = await assistant.ask("apply", token=both["token"])
        assert applied["patch"] == str(patch)
        assert "git apply" in applied["next"]

    talk(folder, conversation, "--patch", str(patch))
    assert path.read_bytes() == before
    subprocess.run(["git", "apply", str(patch)], cwd=folder, check=True)
    arm = sdfviewer.load(path)
    assert "hand" in arm.links
    assert "<pose>0 0 0.2 0 0 0</pose>" in arm.text


def test_arguments_of_xacro_are_those_of_a_call(folder: Path) -> None:
    pytest.importorskip("xacro", reason="needs the extra xacro")
    text = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="side" default="left"/>
<xacro:arg name="twin" default="false"/><link name="$(arg side)_arm"/>
<xacro:if value="$(arg twin)"><link name="twin"/></xacro:if></robot>
"""
    (folder / "robot.xacro").write_text(text, encoding="utf-8")

    async def conversation(assistant: Assistant) -> None:
        async def links(**given: Any) -> list[str]:
            opened: dict[str, list[str]] = await assistant.ask("open", document="robot.xacro", **given)
            return opened["links"]

        assert await links() == ["left_arm"]
        assert await links(xacro_arguments={"side": "right"}) == ["right_arm"]
        assert "left_arm" in await links(xacro_arguments={"twin": True})
        frames = await assistant.ask("frames", document="robot.xacro", xacro_arguments={"side": 7})
        assert "7_arm" in [each["name"] for each in frames]
        added = await assistant.ask(
            "add_joint", document="robot.xacro", name="j", type="fixed", parent="right_arm", child="twin",
            xacro_arguments={"side": "right", "twin": True},
        )  # fmt: skip
        assert "+" in added["diff"]
        assert "such as" in await assistant.refused("open", document="robot.xacro", xacro_arguments=["side"])

    talk(folder, conversation)


def test_hostile_input_is_refused_with_a_message(folder: Path) -> None:
    (folder / "link.sdf").symlink_to(folder.parent / "secret.sdf")
    (folder / "broken.sdf").write_text("<sdf", encoding="utf-8")

    async def conversation(assistant: Assistant) -> None:
        outside = "outside of the folders"
        for document in ("../secret.sdf", str(folder.parent / "secret.sdf"), "link.sdf", "/etc/passwd"):
            assert outside in await assistant.refused("open", document=document)
        assert "there is no file" in await assistant.refused("check", document="nothing.sdf")
        for nonsense in ("", 3, ["arm.sdf"]):
            assert "a path is a text" in await assistant.refused("check", document=nonsense)
        assert "\0" not in await assistant.refused("open", document="a\0b")
        assert outside in await assistant.refused("split_off", document="arm.sdf", model="arm", file="../stolen.sdf")
        assert outside in await assistant.refused("rename", document="arm.sdf", old="palm", new="x", also=["/etc"])
        assert "did you mean 'why'" in await assistant.refused("whi", document="arm.sdf")
        assert "needs the argument 'frame'" in await assistant.refused("why", document="arm.sdf")
        assert "did you mean 'pose'" in await assistant.refused("set_pose", document="arm.sdf", frame="grasp", poze=[0])
        assert "expected 6 numbers" in await assistant.refused("set_pose", document="arm.sdf", frame="grasp", pose="up")
        assert "no such preview" in await assistant.refused("apply", token="../../x")
        assert "no such preview" in await assistant.refused("apply", token=["x"])
        wrong = await assistant.refused("frames", document="arm.sdf", joints={"joint_2": "x"})
        assert "numbers" in wrong
        assert await assistant.refused("open", document="broken.sdf")
        assert (await assistant.ask("open", document="arm.sdf"))["name"] == "arm"  # it is still there

    talk(folder, conversation)
    assert not (folder.parent / "stolen.sdf").exists()


def test_a_picture_is_a_png(folder: Path) -> None:
    pytest.importorskip("OpenGL", reason="pictures need the extra render")

    async def conversation(assistant: Assistant) -> None:
        result = await assistant.client.call_tool("picture", {"document": "arm.sdf", "view": "front"})
        if result.is_error:
            pytest.skip(result.content[0].text)
        assert base64.b64decode(result.content[0].data).startswith(b"\x89PNG")

    talk(folder, conversation)


@pytest.mark.skipif(sys.platform == "win32", reason="the socket of a window is a pipe there")
def test_a_preview_is_proposed_to_the_window_that_has_the_file_open(folder: Path) -> None:
    said: list[dict[str, Any]] = []
    ended = asyncio.Event()

    async def window(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            message = decode(line)
            assert message is not None
            said.append(message)
            answer = {"type": "proposed", "path": message["path"], "taken": len(said) == 1, "reason": "it is busy"}
            writer.write(encode(answer))
        writer.close()
        await writer.wait_closed()
        ended.set()

    async def conversation(assistant: Assistant) -> None:
        preview = await assistant.ask("set_pose", document="arm.sdf", frame="grasp", xyz=[0, 0, 0.2])
        assert "Ctrl+S" in (await assistant.ask("apply", token=preview["token"]))["next"]
        assert "it is busy" in await assistant.refused("apply", token=preview["token"])

    async def run() -> None:
        runtime = folder.parent / "sdfviewer"
        runtime.mkdir(mode=0o700)
        async with await asyncio.start_unix_server(window, str(runtime / "w.socket")):
            announce(str(runtime / "w.socket"), runtime)
            await talk_to_program(folder, conversation)
            await ended.wait()

    before = (folder / "arm.sdf").read_text(encoding="utf-8")
    asyncio.run(run())
    assert said[0]["type"] == "propose"
    assert said[0]["base"] == before
    assert "<pose>0 0 0.2 0 0 0</pose>" in said[0]["text"]
    assert (folder / "arm.sdf").read_text(encoding="utf-8") == before


def test_without_the_package_the_command_names_the_extra(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sdfviewer.cli import main

    for name in [each for each in sys.modules if each == "mcp" or each.startswith(("mcp.", "sdfviewer.mcp."))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert main(["mcp", str(folder)]) == 2
    assert issubclass(MissingExtraError, ImportError)
    assert main(["mcp", str(folder / "nothing")]) == 2
