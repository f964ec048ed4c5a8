"""Headers that no editor sends end the server with a sentence; names that are not UTF-8 are names."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from contextlib import suppress
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsprotocol import types

from sdfviewer.cli import main
from sdfviewer.document.document import Document
from sdfviewer.lsp.protocol import MOST_BYTES, path_of, uri_of
from sdfviewer.session.live_link import decode
from tests.forked import start
from tests.lsp.editor import Editor, edit
from tests.lsp.test_workspace import reports

WRONG = [
    (b"Content-Length: " + b"9" * 5000 + b"\r\n", "a header of more than"),
    (b"Content-Length: " + b"9" * 400 + b"\r\n", "are not read"),
    (f"Content-Length: {MOST_BYTES + 1}\r\n".encode(), "are not read"),
    (b"Content-Length: -5\r\n", "no number of bytes"),
    (b"Content-Length: many\r\n", "no number of bytes"),
    (b"Content-Length: \xff\r\n", "no number of bytes"),
    (b"a" * 10_000, "a header of more than"),
    (b"a" * 200_000, "a header of more than"),
    (b"Content-Length: 500000000\r\n", "has announced a message of 500000000 bytes, and has sent 2"),
]
COMMAND = [sys.executable, "-m", "sdfviewer", "lsp"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


@pytest.mark.parametrize(("header", "says"), WRONG)
def test_a_header_that_no_editor_sends_ends_the_server(
    header: bytes, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(header + b"\r\n{}")))
    monkeypatch.setattr("sys.stdout", TextIOWrapper(BytesIO()))
    assert main(["lsp"]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(("header", "says"), WRONG[8:])
def test_a_header_that_no_editor_sends_ends_the_process(header: bytes, says: str) -> None:
    done = subprocess.run(COMMAND, input=header + b"\r\n{}", capture_output=True, check=False, env=ENVIRONMENT)
    assert done.returncode == 2
    assert says in done.stderr.decode()
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(("header", "says"), WRONG[::8])
def test_a_header_that_no_editor_sends_to_a_port_ends_the_server(header: bytes, says: str) -> None:
    with start("lsp", "--tcp", "0") as server:
        assert server.stderr is not None
        port = int(server.stderr.readline().split()[-1])
        with socket.create_connection(("127.0.0.1", port)) as editor:
            with suppress(ConnectionError):  # it may be gone before all is sent
                editor.sendall(header + b"\r\n{}")
                editor.shutdown(socket.SHUT_WR)
            with suppress(ConnectionError):
                assert editor.recv(1) == b""
        said = server.stderr.read().decode()
        assert server.wait() == 2
    assert says in said
    assert "Traceback" not in said


def test_an_editor_works_on_a_port() -> None:
    with start("lsp", "--tcp", "0") as server:
        assert server.stderr is not None
        port = int(server.stderr.readline().split()[-1])
        with socket.create_connection(("127.0.0.1", port)) as editor, editor.makefile("rb") as answers:
            for body in (
                b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}',
                b'{"jsonrpc":"2.0","id":2,"method":"shutdown"}',
                b'{"jsonrpc":"2.0","method":"exit"}',
            ):
                editor.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            said = answers.read()
        assert b'"id": 1' in said or b'"id":1' in said
        assert server.wait() == 0


def test_a_port_that_cannot_be_had_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for port in (taken.getsockname()[1], 70_000):
            with start("lsp", "--tcp", str(port)) as server:
                assert server.stderr is not None
                assert f"cannot listen on port {port}" in server.stderr.read().decode()
                assert server.wait() == 2


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux only")
def test_a_name_that_is_not_utf_8(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff.sdf"))
    path.write_text('<sdf version="1.9"><model name="m"><link name="l"/><joint/></model></sdf>', encoding="utf-8")
    assert path_of(uri_of(path)) == path
    assert path_of(uri_of(tmp_path / "b\ufffd.sdf")) == tmp_path / "b\ufffd.sdf"
    (tmp_path / "good.sdf").write_text(
        '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>', encoding="utf-8"
    )

    async def scenario(editor: Editor) -> None:
        found = await reports(editor, {})
        assert found["good.sdf"] == []
        assert found["a%FF.sdf"]

    edit(scenario, tmp_path)


def test_a_line_of_the_live_link_that_is_nested_too_deep_is_no_message() -> None:
    assert decode(b"[" * 200_000) is None
    assert decode(b'{"type": "text", "a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}") is None
    assert decode(b'{"type": "show"}') == {"type": "show"}


def test_a_fault_with_one_file_leaves_the_others_their_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sdfviewer.diagnostics import Diagnostic
    from sdfviewer.lsp import checking
    from sdfviewer.lsp.checking import WorkspaceCheck
    from sdfviewer.lsp.create import create_server

    bad = '<sdf version="1.9"><model name="m"><link name="l"/><joint/></model></sdf>'
    (tmp_path / "a.sdf").write_text(bad, encoding="utf-8")
    (tmp_path / "b.sdf").write_text(bad.replace("<joint/>", ""), encoding="utf-8")

    def fail_for_a(document: Document, diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        if document.name.endswith("a.sdf"):
            raise ZeroDivisionError("injected")
        return diagnostics

    monkeypatch.setattr(checking, "reported_of", fail_for_a)
    server = create_server()
    server.protocol.server_capabilities = types.ServerCapabilities()
    server.folders = [tmp_path]

    async def ask() -> dict[str, list[object]]:
        reports = [each async for some in WorkspaceCheck(server).reports({}) for each in some]
        return {each.uri.rpartition("/")[2]: [problem.code for problem in each.items] for each in reports}

    assert asyncio.run(ask()) == {"a.sdf": ["internal-error"], "b.sdf": []}
