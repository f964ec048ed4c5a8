"""``sdfviewer check``: every problem of a file, at its line."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from sdfviewer.cli.inputs import CLEAN, FINDINGS, UNREADABLE, add_path_option, expand, make_finder, read
from sdfviewer.diagnostics import Diagnostic, SdfViewerError, Severity
from sdfviewer.document.document import Document
from sdfviewer.semantics import Loader


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each file")
    parser.add_argument("--strict", action="store_true", help="warnings count as findings too")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file, a folder to walk, or - for standard input")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    loader = Loader(make_finder(options))
    worst = CLEAN
    for name in expand(options.files):
        try:
            document = read(name)
        except SdfViewerError as error:
            print(f"sdfviewer: {error}", file=sys.stderr)
            if options.json:
                print(json.dumps({"file": name, "valid": False, "unreadable": str(error), "diagnostics": []}))
            worst = UNREADABLE
            continue
        _, diagnostics = loader.load_with_diagnostics(document)
        if options.json:
            print(json.dumps(_as_json(name, diagnostics)))
        else:
            for diagnostic in diagnostics:
                print(_as_text(document, diagnostic))
        if any(d.is_error or (options.strict and d.severity is Severity.WARNING) for d in diagnostics):
            worst = max(worst, FINDINGS)
    return worst


def _as_json(name: str, diagnostics: tuple[Diagnostic, ...]) -> dict[str, Any]:
    return {
        "file": name,
        "valid": not any(diagnostic.is_error for diagnostic in diagnostics),
        "diagnostics": [
            {
                "rule": d.rule.name,
                "code": d.rule.code,
                "severity": d.severity.value,
                "message": d.message,
                "libsdformat": d.libsdformat,
                "file": d.span.path if d.span else name,
                "line": d.span.line if d.span else None,
                "column": d.span.column if d.span else None,
                "frames": list(d.frames),
                "related": [
                    {"message": r.message, "file": r.span.path, "line": r.span.line, "column": r.span.column}
                    for r in d.related
                ],
                "fixes": [fix.label for fix in d.fixes],
            }
            for d in diagnostics
        ],
    }


def _as_text(document: Document, diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    where = f"{span.path}:{span.line}:{span.column}" if span else document.name
    lines = [f"{where}: {diagnostic.severity.value}: {diagnostic.message} [{diagnostic.rule.name}]"]
    if span and span.path == document.name:
        source = document.line(span.line)
        width = (span.end_column if span.end_line == span.line else len(source) + 1) - span.column
        gutter = f"{span.line:>6} | "
        lines.append(gutter + source.expandtabs(1))
        lines.append(" " * (len(gutter) - 2) + "| " + " " * (span.column - 1) + "^" * max(1, width))
    for related in diagnostic.related:
        lines.append(f"  {related.span.path}:{related.span.line}:{related.span.column}: note: {related.message}")
    return "\n".join(lines)
