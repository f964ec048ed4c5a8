"""``sdfviewer lsp``: the language server."""

from __future__ import annotations

import argparse
import sys
from typing import BinaryIO, cast

from sdfviewer.cli.inputs import CLEAN, FINDINGS
from sdfviewer.diagnostics import SdfViewerError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("--stdio", action="store_true", help="use standard input and output (default)")
    parser.add_argument("--tcp", metavar="PORT", type=int, help="listen on a local port instead")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from sdfviewer.lsp.create import create_server
    from sdfviewer.lsp.messages import MessageInput

    server = create_server()
    if options.tcp is not None:
        server.start_tcp("127.0.0.1", options.tcp)
    elif sys.stdin is None or sys.stdout is None:
        raise SdfViewerError("standard input or output is closed; the editor's messages come and go there")
    else:
        messages = MessageInput(sys.stdin.buffer)
        server.start_io(cast(BinaryIO, messages))  # of which it reads lines and bytes
        if messages.fault:
            raise SdfViewerError(messages.fault)
    return CLEAN if server.left_in_order else FINDINGS
