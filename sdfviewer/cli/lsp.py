"""``sdfviewer lsp``: the language server."""

from __future__ import annotations

import argparse

from sdfviewer.cli.inputs import CLEAN, FINDINGS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("--stdio", action="store_true", help="use standard input and output (default)")
    parser.add_argument("--tcp", metavar="PORT", type=int, help="listen on a local port instead")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from sdfviewer.lsp.create import create_server

    server = create_server()
    if options.tcp is not None:
        server.start_tcp("127.0.0.1", options.tcp)
    else:
        server.start_io()
    return CLEAN if server.left_in_order else FINDINGS
