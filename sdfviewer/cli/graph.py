"""``sdfviewer graph``: a frame graph or the kinematic graph of a file."""

from __future__ import annotations

import argparse
from pathlib import Path

from sdfviewer.cli.inputs import CLEAN, FINDINGS, add_path_option, load_model, make_loader, read
from sdfviewer.diagnostics import SdfViewerError
from sdfviewer.graphs.graph_build import build_graph
from sdfviewer.graphs.graph_view import Graph, GraphKind

_FORMATS = ("dot", "svg", "json")
#: Other suffixes of what is written as DOT.
_OTHERS_OF_DOT = ("", "gv", "txt")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    kinds = [kind.value for kind in GraphKind]
    parser.add_argument(
        "--kind", choices=kinds, default=GraphKind.RELATIVE_TO.value, help="graph to write (default: %(default)s)"
    )
    parser.add_argument("--format", choices=_FORMATS, help="output format (default: the suffix of OUT, or dot)")
    parser.add_argument("--dark", action="store_true", help="use colours for a dark background")
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, help="output file (default: standard output)")
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    model, diagnostics = load_model(make_loader(options), read(options.file))
    text = format_graph(build_graph(model, GraphKind(options.kind)), _form(options), options.dark)
    if options.output is None:
        print(text.removesuffix("\n"))
    else:
        try:
            options.output.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise SdfViewerError(f"cannot write {options.output}: {error.strerror or error}") from error
    return FINDINGS if any(diagnostic.is_error for diagnostic in diagnostics) else CLEAN


def _form(options: argparse.Namespace) -> str:
    """Return the format that is requested, or that the suffix of the output file names.

    DOT and JSON hold names as they are: in a file that is called ``.html`` they would be markup.
    """
    if options.format or options.output is None:
        return options.format or "dot"
    suffix = options.output.suffix.lower().removeprefix(".")
    form = "dot" if suffix in _OTHERS_OF_DOT else suffix
    if form not in _FORMATS:
        raise SdfViewerError(f"{options.output}: no graph is written as '.{suffix}'; use .dot, .svg or .json")
    return form


def format_graph(graph: Graph, form: str, dark: bool = False) -> str:
    """Return a graph as DOT, SVG or JSON."""
    if form == "dot":
        from sdfviewer.export.graph_files import format_dot

        return format_dot(graph, dark)
    if form == "json":
        from sdfviewer.export.graph_files import format_graph_json

        return format_graph_json(graph)
    from sdfviewer.export.graph_files import format_svg
    from sdfviewer.graphs.picture import draw_graph

    return format_svg(draw_graph(graph), dark)
