"""``sdfviewer check``: every problem of a file, at its line."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sdfviewer.cli.inputs import CLEAN, FINDINGS, UNREADABLE, add_path_option, expand, make_finder, read
from sdfviewer.cli.report import TextReport, as_json, summarise
from sdfviewer.diagnostics import Diagnostic, SdfViewerError, Severity
from sdfviewer.document.document import Document
from sdfviewer.semantics import Loader


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_path_option(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object a line for each file")
    form.add_argument("--sarif", action="store_true", help="one SARIF 2.1.0 log for all files")
    parser.add_argument("--strict", action="store_true", help="warnings count as findings too")
    parser.add_argument("-j", "--jobs", type=_jobs, default=1, metavar="N", help="check N files at once, 0: all cores")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file, a folder to walk, or - for standard input")


def _jobs(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("0 or more")
    # Windows waits for no more than 61 processes at once.
    return min(number or os.cpu_count() or 1, 61)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What was found in a file, in a form that processes can hand over."""

    name: str
    text: str
    results: list[dict[str, Any]]
    errors: int
    warnings: int
    unreadable: str | None


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    form = "json" if options.json else "sarif" if options.sarif else "text"
    colour = form == "text" and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    answers: list[_Answer] = []
    for answer in _answers(list(expand(options.files)), options, form, colour):
        if answer.unreadable is not None:
            print(f"sdfviewer: {answer.unreadable}", file=sys.stderr)
        if form != "sarif" and answer.text:
            print(answer.text)
        answers.append(answer)
    if form == "sarif":
        _print_sarif(answers)
    errors, warnings = sum(answer.errors for answer in answers), sum(answer.warnings for answer in answers)
    if form == "text":
        print(summarise(errors, warnings, len(answers)), file=sys.stderr)
    if any(answer.unreadable is not None for answer in answers):
        return UNREADABLE
    return FINDINGS if errors or (options.strict and warnings) else CLEAN


def _answers(files: Sequence[str], options: argparse.Namespace, form: str, colour: bool) -> Iterator[_Answer]:
    """Yield the answers in the order of the files."""
    jobs = min(options.jobs, len(files))
    if jobs <= 1:
        loader = Loader(make_finder(options))
        yield from (_check(name, loader, form, colour) for name in files)
        return
    from concurrent.futures import ProcessPoolExecutor  # takes a while to import

    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(options,)) as pool:
        chunk = max(1, len(files) // (8 * jobs))
        yield from pool.map(partial(_check_there, form=form, colour=colour), files, chunksize=chunk)


#: The loader of a worker process.
_there: list[Loader] = []


def _start(options: argparse.Namespace) -> None:
    _there[:] = [Loader(make_finder(options))]


def _check_there(name: str, form: str, colour: bool) -> _Answer:
    return _check(name, _there[0], form, colour)


def _check(name: str, loader: Loader, form: str, colour: bool) -> _Answer:
    try:
        document = read(name)
    except SdfViewerError as error:
        text = json.dumps(as_json(name, (), str(error)), ensure_ascii=False) if form == "json" else ""
        return _Answer(name, text, [], 0, 0, str(error))
    _, diagnostics = loader.load_with_diagnostics(document)
    errors = sum(diagnostic.is_error for diagnostic in diagnostics)
    warnings = sum(diagnostic.severity is Severity.WARNING for diagnostic in diagnostics)
    text, results = _format(name, document, diagnostics, form, colour)
    return _Answer(name, text, results, errors, warnings, None)


def _format(
    name: str, document: Document, diagnostics: Sequence[Diagnostic], form: str, colour: bool
) -> tuple[str, list[dict[str, Any]]]:
    if form == "json":
        return json.dumps(as_json(name, diagnostics), ensure_ascii=False), []
    if form == "sarif":
        from sdfviewer.cli.sarif import as_results

        return "", as_results(diagnostics)
    report = TextReport(document, colour)
    return "\n".join(report.format(diagnostic) for diagnostic in diagnostics), []


def _print_sarif(answers: Sequence[_Answer]) -> None:
    from importlib.metadata import version

    from sdfviewer.cli.sarif import as_log

    results = [result for answer in answers for result in answer.results]
    unreadable = [(answer.name, answer.unreadable) for answer in answers if answer.unreadable is not None]
    print(json.dumps(as_log(results, unreadable, version("sdfviewer")), ensure_ascii=False, indent=1))
