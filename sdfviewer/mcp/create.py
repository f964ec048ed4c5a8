"""Make the server for assistants and run it on standard input and output."""

from __future__ import annotations

import sys
from typing import Any

from mcp import types
from mcp.server import Server
from mcp.server.stdio import stdio_server

import sdfviewer
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.faults import fault_error
from sdfviewer.mcp.tools import call, list_tools
from sdfviewer.mcp.workspace import Workspace
from sdfviewer.session.live_windows import LiveWindows

_INSTRUCTIONS = (
    "Robot models in SDFormat, URDF, xacro and MJCF. Poses are in metres and radians, names are scoped: gripper::palm. "
    "Every edit is a preview first: show its diff and what it moves to the user, then call apply with its token."
)


async def serve(workspace: Workspace) -> None:
    """Answer an assistant until it ends the connection."""
    windows = LiveWindows(lambda _window, _message: None)
    server = make_server(workspace, windows)
    try:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
    finally:
        windows.close()
        sys.stderr.flush()


def make_server(workspace: Workspace, windows: LiveWindows) -> Server[Any]:
    """Return what answers an assistant about the files of a workspace, and proposes edits to the windows."""

    async def tools(_context: Any, _parameters: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=list_tools())

    async def answer(_context: Any, parameters: types.CallToolRequestParams) -> types.CallToolResult:
        given = parameters.arguments or {}
        try:
            return types.CallToolResult(content=await call(workspace, windows, parameters.name, given))
        except SdfViewerError as error:
            return _refused(str(error))
        except Exception as error:  # an unforeseen fault ends a call, not the server
            return _refused(str(fault_error(f"answer the tool {parameters.name}", error)))

    return Server(
        "sdfviewer",
        version=sdfviewer.__version__,
        instructions=_INSTRUCTIONS,
        on_list_tools=tools,
        on_call_tool=answer,
    )


def _refused(message: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=message)], is_error=True)
