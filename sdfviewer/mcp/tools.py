"""The server for assistants: its tools, and how they are called."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from mcp import types
from mcp.server import Server
from mcp.server.stdio import stdio_server

import sdfviewer
from sdfviewer.diagnostics import Diagnostic, InvalidValueError, SdfViewerError, record_of
from sdfviewer.faults import fault_error
from sdfviewer.mcp.workspace import Preview, Workspace, read_arguments
from sdfviewer.model.near_names import did_you_mean
from sdfviewer.operations.declaration import Operation
from sdfviewer.operations.table import OPERATIONS
from sdfviewer.scene.camera import VIEWS
from sdfviewer.session.live_link import LiveWindows

#: Frames, problems and differences that one answer lists at most.
_MOST_ROWS = 500
_DOCUMENT = {"type": "string", "description": "the file, from the first folder of the server, or absolute"}
_JOINTS = {
    "type": "object",
    "additionalProperties": {"type": ["number", "array"]},
    "description": "joint positions by name, radians or metres; the others stay at zero",
}
_XACRO = {
    "type": "object",
    "additionalProperties": {"type": ["string", "number", "boolean"]},
    "description": "arguments of a xacro file by name, as `--arg` gives them",
}
_AFTER = {"type": "string", "description": "the token of a preview of the same file that this edit is added to"}
#: The arguments of every operation beside its own.
_COMMON: Mapping[str, Any] = {"document": _DOCUMENT, "after": _AFTER, "xacro_arguments": _XACRO}

#: What a tool answers: something for JSON, or the bytes of a picture.
Answer = Callable[[Workspace, Mapping[str, Any]], Any]


@dataclass(frozen=True)
class Question:
    """A tool that changes nothing.

    Attributes
    ----------
    help
        What it answers.
    answer
        Returns it.
    properties
        The schema of each argument.
    required
        The arguments that must be given.
    """

    help: str
    answer: Answer
    properties: Mapping[str, Mapping[str, Any]] = field(
        default_factory=lambda: {"document": _DOCUMENT, "xacro_arguments": _XACRO}
    )
    required: tuple[str, ...] = ("document",)


# --- questions -----------------------------------------------------------------------------------------------------


def _load(workspace: Workspace, given: Mapping[str, Any]) -> sdfviewer.Model:
    return workspace.load(given["document"], given.get("xacro_arguments"))


def _open(workspace: Workspace, given: Mapping[str, Any]) -> dict[str, Any]:
    model = _load(workspace, given)
    return {
        "name": model.name,
        "format": model.format,
        "version": model.version,
        "is_world": model.is_world,
        "links": list(model.link_names[:_MOST_ROWS]),
        "joints": [
            {"name": joint.name, "type": joint.type, "parent": joint.parent_name, "child": joint.child_name}
            for joint in model.joints[:_MOST_ROWS]
        ],
        "frames": list(model.frame_names[:_MOST_ROWS]),
        "models": list(model.model_names[:_MOST_ROWS]),
        "independent_joints": list(model.independent_joint_names[:_MOST_ROWS]),
        "problems": len(model.diagnostics),
    }


def _check(workspace: Workspace, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    arguments = read_arguments(given.get("xacro_arguments"))
    diagnostics = sdfviewer.check(workspace.file(given["document"]), paths=workspace.paths, arguments=arguments)
    return [_problem(each) for each in diagnostics[:_MOST_ROWS]]


def _problem(diagnostic: Diagnostic) -> dict[str, Any]:
    record = record_of(diagnostic)
    shown = {key: record[key] for key in ("severity", "message", "rule", "file", "line", "column")}
    return shown | {"fixes": [fix.label for fix in diagnostic.fixes]}


def _frames(workspace: Workspace, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    model = _load(workspace, given)
    poses = model.poses(given.get("joints"), given.get("relative_to"))
    if poses.array.ndim != 3:
        raise InvalidValueError("give one configuration")
    return [
        {
            "name": thing.name,
            "kind": thing.kind,
            "xyz": _numbers(poses[thing].xyz),
            "rpy": _numbers(poses[thing].rpy),
            "relative_to": None if thing.relative_to is None else thing.relative_to.name,
            "body": None if thing.body is None else thing.body.name,
        }
        for thing in model.things[:_MOST_ROWS]
        if thing.kind in ("model", "link", "joint", "frame", "sensor", "light")
    ]


def _numbers(values: Any) -> list[float | None]:
    """Return numbers for JSON, which has no NaN."""
    return [round(float(each), 12) + 0.0 if np.isfinite(each) else None for each in values]


def _why(workspace: Workspace, given: Mapping[str, Any]) -> list[str]:
    return [str(step) for step in _load(workspace, given).explain(str(given["frame"]))]


def _diff(workspace: Workspace, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    before, after = workspace.load(given["before"]), workspace.load(given["after"])
    return [
        {
            "name": each.name,
            "kind": str(each.kind),
            "changes": [str(getattr(change, "value", change)) for change in each.changes],
            **({"metres": _numbers([each.metres])[0]} if isinstance(each, sdfviewer.FrameDifference) else {}),
        }
        for each in sdfviewer.diff(before, after)[:_MOST_ROWS]
    ]


def _picture(workspace: Workspace, given: Mapping[str, Any]) -> bytes:
    model = _load(workspace, given)
    return model.screenshot(
        q=given.get("joints"), view=str(given.get("view", "iso")), focus=given.get("focus"), size=(960, 640)
    )


QUESTIONS: Mapping[str, Question] = {
    "open": Question("What is in a file: links, joints, frames, nested models, and how many problems it has.", _open),
    "check": Question("Every problem of a file, with its line, its rule and the fixes that it has.", _check),
    "frames": Question(
        "Every frame with its pose at joint positions, what it is measured from, and the body that carries it.",
        _frames,
        {
            "document": _DOCUMENT,
            "xacro_arguments": _XACRO,
            "joints": _JOINTS,
            "relative_to": {"type": "string", "description": "the frame in which poses are given, the root by default"},
        },
    ),
    "why": Question(
        "Why a frame is where it is: the chain of frames from the root to it, each with its file and line.",
        _why,
        {
            "document": _DOCUMENT,
            "xacro_arguments": _XACRO,
            "frame": {"type": "string", "description": "its name"},
        },
        ("document", "frame"),
    ),
    "diff": Question(
        "What differs between two files: frames, joints, masses, shapes, appearance.",
        _diff,
        {"before": _DOCUMENT, "after": _DOCUMENT},
        ("before", "after"),
    ),
    "picture": Question(
        "A picture of the model as PNG.",
        _picture,
        {
            "document": _DOCUMENT,
            "xacro_arguments": _XACRO,
            "joints": _JOINTS,
            "view": {"type": "string", "enum": list(VIEWS)},
            "focus": {"type": "string", "description": "the frame that the camera looks at"},
        },
    ),
}

# --- edits ---------------------------------------------------------------------------------------------------------

_APPLY = (
    "Make a preview. In a running window that has the file open it becomes an unsaved step, which the user saves or "
    "undoes. Otherwise it is written as a patch if the server was started with --patch, and into the files with "
    "--allow-writes."
)


def list_tools() -> list[types.Tool]:
    """Return all tools: the questions, every operation as a preview, and ``apply``."""
    tools = [_tool(name, each.help, each.properties, each.required) for name, each in QUESTIONS.items()]
    tools += [_operation_tool(each) for each in OPERATIONS.values()]
    token = {"type": "string", "description": "what the preview is called"}
    return [*tools, _tool("apply", _APPLY, {"token": token}, ("token",), writes=True)]


def _tool(
    name: str, help: str, properties: Mapping[str, Any], required: tuple[str, ...], *, writes: bool = False
) -> types.Tool:
    schema = {
        "type": "object",
        "properties": {key: dict(value) for key, value in properties.items()},
        "required": list(required),
        "additionalProperties": False,
    }
    hints = types.ToolAnnotations(read_only_hint=not writes, destructive_hint=writes)
    return types.Tool(name=name, description=help, input_schema=schema, annotations=hints)


def _operation_tool(operation: Operation) -> types.Tool:
    properties: dict[str, Any] = dict(_COMMON)
    for each in operation.parameters:
        properties[each.name] = {**each.type.schema, "description": f"{each.help} ({each.type.expects})"}
    required = ("document", *(each.name for each in operation.parameters if each.is_required))
    help = f"Preview: {operation.help.replace('``', '`')} Returns a diff, what moves, and a token for apply."
    return _tool(operation.name, help, properties, required)


def _described(preview: Preview) -> dict[str, Any]:
    return {
        "token": preview.token,
        "edit": preview.label,
        "diff": preview.diff,
        "moves": [
            {
                "frame": each.name,
                "changes": list(each.changes),
                "metres": _numbers([each.metres])[0],
                "radians": _numbers([each.radians])[0],
            }
            for each in preview.moved[:_MOST_ROWS]
        ],
        "notes": list(preview.notes),
        "other_files": [str(each) for each in preview.others],
        "problems_after": [_problem(each) for each in preview.problems[:_MOST_ROWS]],
    }


# --- calls ---------------------------------------------------------------------------------------------------------


async def call(
    workspace: Workspace, windows: LiveWindows, name: str, given: Mapping[str, Any]
) -> list[types.ContentBlock]:
    """Return what a tool answers.

    Raises
    ------
    SdfViewerError
        If there is no such tool, an argument is missing or unknown, or it cannot be done.
    """
    if name == "apply":
        return [_text(await _apply(workspace, windows, given))]
    if name in QUESTIONS:
        question = QUESTIONS[name]
        _require(name, given, question.properties, question.required)
        answer = await asyncio.to_thread(question.answer, workspace, given)
        if isinstance(answer, bytes):
            data = base64.b64encode(answer).decode("ascii")
            return [types.ImageContent(type="image", data=data, mime_type="image/png")]
        return [_text(answer)]
    if name not in OPERATIONS:
        raise SdfViewerError(f"there is no tool '{name}'{did_you_mean(name, [*QUESTIONS, *OPERATIONS, 'apply'])}")
    _require(name, given, {**_COMMON, **OPERATIONS[name].by_name}, ("document",))
    arguments = {key: value for key, value in given.items() if key not in _COMMON}
    preview = await asyncio.to_thread(
        workspace.preview, given["document"], name, arguments, given.get("after"), given.get("xacro_arguments")
    )
    return [_text(_described(preview))]


def _require(name: str, given: Mapping[str, Any], known: Mapping[str, Any], required: tuple[str, ...]) -> None:
    for key in given:
        if key not in known:
            raise InvalidValueError(f"{name} has no argument '{key}'{did_you_mean(key, list(known))}")
    for key in required:
        if key not in given:
            raise InvalidValueError(f"{name} needs the argument '{key}'")


def _text(answer: object) -> types.TextContent:
    return types.TextContent(type="text", text=json.dumps(answer, ensure_ascii=False))


async def _apply(workspace: Workspace, windows: LiveWindows, given: Mapping[str, Any]) -> dict[str, Any]:
    _require("apply", given, {"token": ""}, ("token",))
    preview = workspace.find(given["token"])
    if workspace.allows_writes:
        await asyncio.to_thread(workspace.write, preview)
        return {"written": [str(preview.path), *map(str, preview.others)]}
    why = "no running window has the file open"
    window = None if preview.others else await windows.window_for(preview.path)
    if preview.others:
        why = "the edit writes other files, too"
    elif window is not None:
        texts = {"base": preview.before, "text": preview.after, "label": preview.label}
        answer = await window.ask({"type": "propose", "path": str(preview.path), **texts}, "proposed")
        if answer.get("taken") is True:
            return {"proposed": str(preview.path), "next": "the user saves it in the window with Ctrl+S, or undoes it"}
        why = str(answer.get("reason", "the window does not answer"))
    if workspace.patch is not None:
        await asyncio.to_thread(workspace.write_patch, preview)
        return {"patch": str(workspace.patch), "next": f"the user accepts it with: git apply {workspace.patch}"}
    raise SdfViewerError(
        f"nothing was written: {why}. Ask the user to open {preview.path} in the window and apply again, "
        "to start the server with --patch FILE or --allow-writes, or to apply the diff with: git apply"
    )


# --- the server ---------------------------------------------------------------------------------------------------


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
