"""``sdfviewer lsp``: the language server."""

from __future__ import annotations

import argparse
import socket
import sys
from typing import BinaryIO, cast

from sdfviewer.cli.inputs import CLEAN, FINDINGS
from sdfviewer.cli.outputs import print_note
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.garbage_collection import count_edits_as_old


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("--stdio", action="store_true", help="use standard input and output (default)")
    parser.add_argument(
        "--tcp",
        metavar="PORT",
        type=int,
        help="wait for one editor on a local port instead, with 0 on any that is free",
    )


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from sdfviewer.lsp.create import create_server
    from sdfviewer.lsp.protocol import MessageInput

    count_edits_as_old()
    server = create_server()
    if options.tcp is not None:
        # Messages are read as from standard input: what pygls reads from a port has no bounds.
        with _accepted(options.tcp) as editor, editor.makefile("rb") as sent, editor.makefile("wb") as answers:
            messages = MessageInput(sent)
            server.start_io(cast(BinaryIO, messages), answers)
    elif sys.stdin is None or sys.stdout is None:
        raise SdfViewerError("standard input or output is closed; the editor's messages come and go there")
    else:
        messages = MessageInput(sys.stdin.buffer)
        server.start_io(cast(BinaryIO, messages))  # of which it reads lines and bytes
    if messages.fault:
        raise SdfViewerError(messages.fault)
    return CLEAN if server.left_in_order else FINDINGS


def _accepted(port: int) -> socket.socket:
    """Return the connection of the first editor that calls a local port."""
    try:
        with socket.create_server(("127.0.0.1", port)) as listening:
            print_note(f"sdfviewer: waiting for an editor on port {listening.getsockname()[1]}")
            return listening.accept()[0]
    except (OSError, OverflowError) as error:  # OverflowError: no port has such a number
        raise SdfViewerError(f"cannot listen on port {port}: {getattr(error, 'strerror', None) or error}") from error
