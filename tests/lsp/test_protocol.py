"""The rules of the protocol, message by message: order, refusals, cancellation."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsprotocol import types
from pygls.exceptions import FeatureNotificationError, JsonRpcInternalError

from sdfviewer.lsp.create import create_server
from tests.large import world_of_shapes
from tests.lsp.wire import Wire, between, place
from tests.patience import PATIENCE_SECONDS

INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, NOT_INITIALIZED = -32600, -32601, -32602, -32002
CANCELLED, CONTENT_MODIFIED = -32800, -32801
URI = "untitled:arm"
ARM = """<sdf version="1.9">
  <model name="arm">
    <link name="base"/>
    <frame name="F" attached_to="bse"/>
  </model>
</sdf>
"""


def test_requests_out_of_order_are_refused() -> None:
    where = {"textDocument": {"uri": URI}, "position": place(2, 17)}
    with Wire() as wire:
        assert wire.answer(wire.ask("textDocument/hover", where))["error"]["code"] == NOT_INITIALIZED
        wire.start()
        again = wire.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        assert wire.answer(again)["error"]["code"] == INVALID_REQUEST
        assert wire.answer(wire.ask("textDocument/moniker", where))["error"]["code"] == METHOD_NOT_FOUND
        wire.request("shutdown")
        assert wire.answer(wire.ask("textDocument/hover", where))["error"]["code"] == INVALID_REQUEST
        wire.notify("exit")
        assert wire.process.wait(PATIENCE_SECONDS) == 0


def test_an_editor_that_leaves_without_shutting_down_is_reported() -> None:
    with Wire() as wire:
        wire.start()
        wire.notify("exit")
        assert wire.process.wait(PATIENCE_SECONDS) == 1


def test_what_is_under_way_when_the_editor_leaves_is_dropped_without_a_word() -> None:
    links = "".join(f'    <link name="link_{each}"/>\n' for each in range(5000))
    with Wire() as wire:
        wire.start()
        wire.open(URI, ARM.replace("  </model>", links + "  </model>"))
        for _ in range(10):
            wire.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        wire.notify("exit")
        assert wire.process.wait(PATIENCE_SECONDS) == 1
    # pygls wrote thousands of lines here: with an editor that does not read them the server would never have ended.
    assert wire.errors == []


def test_an_error_in_sending_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    server = create_server()
    shown: list[types.ShowMessageParams] = []
    monkeypatch.setattr(server, "window_show_message", shown.append)
    server.report_server_error(OSError("closed"), JsonRpcInternalError)
    assert not shown
    server.report_server_error(ValueError("wrong"), FeatureNotificationError)
    assert len(shown) == 1


def test_a_request_with_wrong_parameters_is_refused() -> None:
    with Wire() as wire:
        wire.start()
        wire.open(URI, ARM)
        wire.until_checked(URI, 1)
        wrong: tuple[Any, ...] = (None, {}, {"textDocument": {"uri": URI}, "position": place(-1, 0)}, {"position": 5})
        for params in wrong:
            assert wire.answer(wire.ask("textDocument/hover", params))["error"]["code"] == INVALID_PARAMS
        closed = {"textDocument": {"uri": "file:///closed.sdf"}, "position": place(0, 0)}
        assert wire.answer(wire.ask("textDocument/hover", closed))["error"]["code"] == INVALID_PARAMS
        command = {"command": "sdfviewer.open", "arguments": []}
        assert wire.answer(wire.ask("workspace/executeCommand", command))["error"]["code"] == INVALID_PARAMS
        assert wire.request("textDocument/hover", {"textDocument": {"uri": URI}, "position": place(2, 17)})
        assert wire.end() == 0
        # What is refused is no error of the server.
        assert not [line for line in wire.errors if "is not open" in line or "the arguments are" in line]


def test_diagnostics_that_are_the_same_are_not_sent_again() -> None:
    params: dict[str, Any] = {"textDocument": {"uri": URI}}
    with Wire() as wire:
        wire.start({"textDocument": {"diagnostic": {}}})
        wire.open(URI, ARM)
        first = wire.request("textDocument/diagnostic", params)
        assert [each["code"] for each in first["items"]] == ["attached-to-invalid"]
        wire.change(URI, 2, "  ", between((1, 0), (1, 0)))
        params["previousResultId"] = first["resultId"]
        assert wire.request("textDocument/diagnostic", params) == {"kind": "unchanged", "resultId": first["resultId"]}
        wire.change(URI, 3, ARM.replace("bse", "base"))
        fixed = wire.request("textDocument/diagnostic", params)
        assert (fixed["kind"], fixed["items"]) == ("full", [])
        assert wire.end() == 0


def test_an_editor_without_a_tree_of_symbols_gets_a_list() -> None:
    with Wire() as wire:
        wire.start()
        wire.open(URI, ARM)
        symbols = wire.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        assert [(each["name"], each.get("containerName")) for each in symbols] == [
            ("arm", None),
            ("base", "arm"),
            ("F", "arm"),
        ]
        assert {each["location"]["uri"] for each in symbols} == {URI}
        assert wire.end() == 0


def test_the_tree_of_symbols_and_the_folds_are_at_their_places() -> None:
    text = (
        '<sdf version="1.9">\n<!-- 𝔘\n--><model name="𝔘"><link name="a">\n\n</link>\n<link name="b"/></model></sdf>\n'
    )
    with Wire() as wire:
        wire.start({"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}})
        wire.open(URI, text)
        params = {"textDocument": {"uri": URI}}
        (model,) = wire.request("textDocument/documentSymbol", params)
        assert model["name"] == "𝔘"
        assert model["range"] == between((2, 3), (5, 24))
        assert model["selectionRange"] == between((2, 16), (2, 18))
        assert [(each["name"], each["range"], "children" in each) for each in model["children"]] == [
            ("a", between((2, 20), (4, 7)), False),
            ("b", between((5, 0), (5, 16)), False),
        ]
        folds = wire.request("textDocument/foldingRange", params)
        assert [(each["startLine"], each["endLine"], each["kind"]) for each in folds] == [
            (0, 4, "region"),
            (2, 4, "region"),
            (2, 3, "region"),
            (1, 2, "comment"),
        ]
        assert wire.end() == 0


def _resident_bytes(process: int) -> int:
    for line in Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("the system does not say how much memory a process has")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_requests_cancelled_at_any_moment_leave_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "world.sdf"
    path.write_text(world_of_shapes(1000), encoding="utf-8")
    text, uri, numbers = path.read_text(encoding="utf-8"), path.as_uri(), random.Random(18)
    lines = text.split("\n")
    line = next(at for at in range(len(lines) // 2, len(lines)) if "<model name=" in lines[at])
    position = place(line, lines[line].index('name="') + 7)
    common: dict[str, Any] = {
        **{"textDocument": {"uri": uri}, "position": position, "positions": [position], "newName": "other"},
        **{"range": between((line - 30, 0), (line + 30, 0)), "options": {"tabSize": 2, "insertSpaces": True}},
        **{
            "previousResultId": "",
            "previousResultIds": [],
            "query": "box",
            "color": {"red": 1, "green": 0, "blue": 0, "alpha": 1},
        },
    }
    contexts: dict[str, dict[str, Any]] = {
        "references": {"includeDeclaration": True},
        "codeAction": {"diagnostics": []},
        "completion": {"triggerKind": 1},
        "signatureHelp": {"triggerKind": 1, "isRetrigger": False},
    }
    names = (
        *("hover", "definition", "declaration", "references", "documentHighlight", "documentSymbol", "completion"),
        *("codeAction", "codeLens", "documentLink", "documentColor", "colorPresentation", "formatting", "foldingRange"),
        *("rangeFormatting", "rename", "prepareRename", "selectionRange", "linkedEditingRange", "inlayHint"),
        *("prepareCallHierarchy", "semanticTokens/full", "semanticTokens/full/delta", "semanticTokens/range"),
        *("signatureHelp", "diagnostic"),
    )
    methods = [f"textDocument/{name}" for name in names] + ["workspace/symbol", "workspace/diagnostic"]

    def params_of(method: str) -> dict[str, Any]:
        context = contexts.get(method.rpartition("/")[2])
        return common if context is None else {**common, "context": context}

    with Wire() as wire:
        wire.start({"textDocument": {"diagnostic": {}}})
        wire.open(uri, text)
        wire.request("textDocument/diagnostic", common)
        version, answered, memory = 1, 0, []
        for _ in range(3):
            for method in numbers.sample(methods, len(methods)):
                number = wire.ask(method, params_of(method))
                moment = numbers.choice((0.0, 0.0, 0.01, 0.05))
                if numbers.random() < 0.3:
                    version += 1
                    wire.change(uri, version, " ", between((0, 0), (0, version % 2)))
                answer = wire.cancel(number, moment)
                assert "result" in answer or answer["error"]["code"] in (CANCELLED, CONTENT_MODIFIED), (method, answer)
                answered += 1
            memory.append(_resident_bytes(wire.process.pid))
        assert answered == 3 * len(methods)
        # What was cancelled has stopped, and what comes after it is answered.
        assert wire.request("textDocument/hover", common)["contents"]["value"].startswith("**model**")
        assert wire.end() == 0
        assert not [line for line in wire.errors if "Traceback" in line]
    # The text before the last one may still be in use; more texts than that must not be kept.
    assert memory[-1] < memory[0] * 1.5, memory


def test_what_is_no_message_is_ignored() -> None:
    with Wire() as wire:
        wire.start()
        assert wire.process.stdin is not None
        for body in (b"[1, 2]", b'"a"', b"null", b"{}"):
            wire.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            wire.request("workspace/symbol", {"query": ""})
        wire.request("shutdown")
        assert not any("Traceback" in line for line in wire.errors)


def test_an_answer_to_the_editors_own_request_is_ignored() -> None:
    with Wire() as wire:
        wire.start()
        wire.open(URI, ARM.replace("<frame", '<link name="l"/>' * 4_000 + "<frame"))
        number = wire.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        wire.send({"jsonrpc": "2.0", "id": number, "result": None})
        assert "result" in wire.answer(number)
        wire.request("shutdown")
        assert not any("Traceback" in line for line in wire.errors)
