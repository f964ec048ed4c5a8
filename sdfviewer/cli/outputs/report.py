"""Diagnostics as text with excerpts, as JSON, and for continuous integration: GitHub, GitLab, JUnit and SARIF."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from sdfviewer.diagnostics import RULES, Diagnostic, Fix, Rule, SdfViewerError, Severity, Span, record_of
from sdfviewer.display_text import json_text, path_here, visible, visible_columns, without_commands
from sdfviewer.document.document import Document
from sdfviewer.document.xml.parse import escape
from sdfviewer.files.configuration import fingerprint
from sdfviewer.files.finder import shown_from
from sdfviewer.files.opening import current_folder, open_document
from sdfviewer.number_text import counted

_COLOURS = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m", Severity.INFO: "\x1b[1;36m"}
_BOLD, _FAINT, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"
#: Longer lines are cut around the marked part.
MAX_EXCERPT = 160
#: Problems of a file whose fixes are printed.
MOST_WITH_FIXES = 20


def path_advice(folder: str) -> str:
    """Return with which option what a file names would be found in a folder."""
    import shlex  # few files need it

    shown = visible(shown_from(Path(folder), Path.cwd()))
    return f"found in {shown}: add `--path {shlex.quote(shown)}`"


class TextReport:
    """Words diagnostics as ``file:line:column: severity: message [rule]`` with a source excerpt.

    Parameters
    ----------
    document
        The file that was checked; lines of included files are read where they are needed.
    colour
        Whether to colour for a terminal.
    """

    def __init__(self, document: Document, colour: bool = False) -> None:
        self._documents: dict[str, Document | None] = {document.name: document}
        self._name = document.name
        self._colour = colour
        self._count = 0

    def format(self, diagnostic: Diagnostic) -> str:
        """Return a diagnostic, its excerpt, its other places and its fixes."""
        span = diagnostic.span
        where = self._place(span) if span else visible(self._name)
        severity = self._paint(f"{diagnostic.severity.value}:", _COLOURS[diagnostic.severity])
        rule = self._paint(f"[{diagnostic.rule.name}]", _FAINT)
        lines = [f"{self._paint(where + ':', _BOLD)} {severity} {diagnostic.message} {rule}"]
        if span is not None:
            lines += self._excerpt(span, _COLOURS[diagnostic.severity])
        for related in diagnostic.related:
            lines.append(f"  {self._place(related.span)}: note: {related.message}")
        lines += [f"  tried: {visible(str(place))}" for place in diagnostic.tried]
        if diagnostic.found_in:
            lines.append(f"  {path_advice(diagnostic.found_in)}")
        # Each fix is tried out: for thousands of problems that would take hours.
        self._count += 1
        if self._count <= MOST_WITH_FIXES:
            lines += [f"  fix: {visible(fix.label)}" for fix in diagnostic.fixes]
        return "\n".join(lines)

    def _place(self, span: Span) -> str:
        """Return a place: in the file as it was named, in others as they are written in the current folder."""
        path = span.path if span.path == self._name else path_here(span.path)
        return visible(f"{path}:{span.line}:{span.column}")

    def _paint(self, text: str, colour: str) -> str:
        return f"{colour}{text}{_RESET}" if self._colour else text

    def _excerpt(self, span: Span, colour: str) -> list[str]:
        document = self._document(span.path)
        if document is None or span.end > len(document.text):
            return []
        # Use only the part of a long line around the problem: the line may have thousands of problems.
        line = document.offset_of_line(span.line)
        found = document.text.find("\n", line + span.column - 1, line + span.column - 1 + MAX_EXCERPT)
        line_end = found if found >= 0 else min(len(document.text), line + span.column - 1 + MAX_EXCERPT)
        first = max(0, min(span.column - 1 - MAX_EXCERPT // 4, line_end - line - MAX_EXCERPT))
        source = document.text[line + first : min(line_end, line + first + MAX_EXCERPT)].rstrip("\r")
        shown = visible_columns(source.replace("\t", " "))
        end = span.end_column if span.end_line == span.line else line_end - line + 1
        caret = span.column - 1 - first
        width = max(1, min(end - span.column, len(shown) - caret))
        number = f"{span.line:>6} | "
        blank = " " * (len(number) - 2) + "| "
        marks = "^" + "~" * (width - 1)
        return [number + shown, blank + " " * caret + self._paint(marks, colour)]

    def _document(self, path: str) -> Document | None:
        if path not in self._documents:
            try:
                self._documents[path] = open_document(path)
            except SdfViewerError:  # gone meanwhile: the diagnostic is reported without its line
                self._documents[path] = None
        return self._documents[path]


def summarise(errors: int, warnings: int, files: int, unreadable: int = 0, *, is_known_left_out: bool = False) -> str:
    """Return the last line of a report; of ``files``, so many cannot be read, folders among them."""
    not_read = f"{counted(unreadable, 'file')} cannot be read"
    if files == 0:
        return "there is no file to check"
    if unreadable == files:
        return not_read
    new = "new " if is_known_left_out else ""
    in_files = counted(files - unreadable, "file")
    found = f"{in_files}: no {new}problems found"
    if errors or warnings:
        found = f"{counted(errors, 'error')} and {counted(warnings, 'warning')} in {in_files}"
    return f"{found}; {not_read}" if unreadable else found


def as_json(name: str, diagnostics: Iterable[Diagnostic], unreadable: str | None = None) -> dict[str, Any]:
    """Return the findings of a file as one JSON object.

    Parameters
    ----------
    name
        The file as it was given.
    diagnostics
        What was found.
    unreadable
        Why the file could not be read at all, None where it could.
    """
    found = list(diagnostics)
    valid = unreadable is None and not any(diagnostic.is_error for diagnostic in found)
    result: dict[str, Any] = {"file": name, "valid": valid}
    if unreadable is not None:
        result["unreadable"] = unreadable
    result["diagnostics"] = [
        record_of(diagnostic, name) | {"fixes": list(map(_fix_as_json, diagnostic.fixes))} for diagnostic in found
    ]
    return result


def _fix_as_json(fix: Fix) -> dict[str, Any]:
    changes = [{"start": each.start, "end": each.end, "text": each.text} for each in fix.replacements]
    return {"label": fix.label, "file": fix.path, "replacements": changes}


def with_slashes(path: str, kind: type[PurePath] = PurePath) -> str:
    """Return a path with ``/`` between its parts, as reports name it on every system.

    Parameters
    ----------
    path
        A path of this system, or ``-``.
    kind
        The paths of a system, this one by default.
    """
    return path if path == "-" else kind(path).as_posix()


def as_uri(path: str, quote: Callable[[bytes], str], kind: type[PurePath] = PurePath) -> str:
    """Return a path as a URI, relative where the path is; the others as of :func:`with_slashes`."""
    if path == "-":
        return "stdin"
    file = kind(path)
    return file.as_uri() if file.is_absolute() else quote(os.fsencode(file.as_posix()))


_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_GITLAB = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def github_lines(name: str, diagnostics: Iterable[Diagnostic]) -> list[str]:
    """Return one workflow command for each diagnostic of a file.

    Notes
    -----
    Source: GitHub Actions, "Workflow commands", setting an error message.
    """
    lines = []
    for each in diagnostics:
        span = each.span
        place = {"file": _in_project(name if span is None else span.path), "title": each.rule.name}
        if span is not None:
            place |= {"line": str(span.line), "col": str(span.column), "endLine": str(span.end_line)}
        properties = ",".join(f"{key}={_property(value)}" for key, value in place.items())
        lines.append(f"::{_GITHUB[each.severity]} {properties}::{_data(each.message)}")
    return lines


def _data(text: str) -> str:
    return visible(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def gitlab_entries(name: str, diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Return the entries of a file in a code quality report.

    Notes
    -----
    Source: GitLab, "Code Quality", report format. It wants fingerprints that differ within a report.
    """
    entries: list[dict[str, Any]] = []
    seen: dict[str, int] = {}
    for each in diagnostics:
        mark = fingerprint(each, _in_project(name))
        count = seen[mark] = seen.get(mark, 0) + 1
        entries.append(
            {
                "description": each.message,
                "check_name": each.rule.name,
                "fingerprint": mark if count == 1 else f"{mark}-{count}",
                "severity": _GITLAB[each.severity],
                "location": {
                    "path": _in_project(name if each.span is None else each.span.path),
                    "lines": {"begin": 1 if each.span is None else each.span.line},
                },
            }
        )
    return entries


def format_gitlab(entries: Sequence[dict[str, Any]]) -> str:
    """Return a code quality report."""
    return json_text(list(entries), indent=1)


def _in_project(path: str) -> str:
    """Return a path with ``/``, relative to the folder of the project, as runners want it, where it is in it.

    That is the folder that GitLab or GitHub says while one of its runners works in it, otherwise the current one.

    Notes
    -----
    Source: GitLab, "Predefined CI/CD variables"; GitHub Actions, "Default environment variables".
    """
    here = current_folder()
    named = (Path(os.environ[name]) for name in ("CI_PROJECT_DIR", "GITHUB_WORKSPACE") if os.environ.get(name))
    project = next((each for each in named if here.is_relative_to(each)), here)
    file = Path(os.path.normpath(here / path))
    return with_slashes(str(file.relative_to(project)) if path != "-" and file.is_relative_to(project) else path)


def junit_case(
    name: str,
    diagnostics: Sequence[Diagnostic],
    unreadable: str | None,
    *,
    strict: bool = False,
    skipped: str | None = None,
) -> dict[str, Any]:
    """Return a file as a test case: its name, its failures, its other problems, and why it was not read or not checked.

    Warnings are failures only where ``strict``; else they are output of the test.
    """
    failures, others = [], []
    for each in diagnostics:
        place = with_slashes(name if each.span is None else each.span.path)
        where = place if each.span is None else f"{place}:{each.span.line}:{each.span.column}"
        text = f"{where}: {each.severity.value}: {each.message}"
        notes = [
            f"{with_slashes(path_here(other.span.path))}:{other.span.line}:{other.span.column}: note: {other.message}"
            for other in each.related
        ]
        # One line each, whatever a name holds: lines that begin in a name could be commands to a runner.
        whole = "\n".join(map(visible, [text, *notes]))
        if each.is_error or (strict and each.severity is Severity.WARNING):
            failures.append({"type": each.rule.name, "message": each.message, "text": whole})
        else:
            others.append(f"{whole} [{each.rule.name}]")
    return {
        "name": with_slashes(name),
        "failures": failures,
        "others": others,
        "unreadable": unreadable,
        "skipped": skipped,
    }


def format_junit(cases: Sequence[dict[str, Any]]) -> str:
    """Return cases as a JUnit report, with a test case for each file.

    Notes
    -----
    Source: the schema of the xUnit plugin of Jenkins, ``junit-10.xsd``.
    """
    failures = sum(1 for case in cases if case["failures"])
    errors = sum(1 for case in cases if case["unreadable"])
    counted = f'tests="{len(cases)}" failures="{failures}" errors="{errors}"'
    if skipped := sum(1 for case in cases if case["skipped"]):
        counted += f' skipped="{skipped}"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuite name="sdfviewer check" {counted}>']
    for case in cases:
        lines.append(f'  <testcase classname="sdfviewer" name={_quoted(case["name"])}>')
        if case["unreadable"]:
            lines.append(f"    <error message={_quoted(case['unreadable'])}/>")
        if case["skipped"]:
            lines.append(f"    <skipped message={_quoted(case['skipped'])}/>")
        for failure in case["failures"]:
            start = f"    <failure type={_quoted(failure['type'])} message={_quoted(failure['message'])}>"
            lines.append(f"{start}{_lines(failure['text'])}</failure>")
        if case["others"]:
            lines.append(f"    <system-out>{_lines(chr(10).join(case['others']))}</system-out>")
        lines.append("  </testcase>")
    return "\n".join([*lines, "</testsuite>"])


def _lines(text: str) -> str:
    """Return several lines as content in XML."""
    return "\n".join(map(_content, without_commands(text).split("\n")))


def _quoted(text: str) -> str:
    return f'"{_content(text)}"'


def _content(text: str) -> str:
    """Return a text as content or value in XML; no command to a runner, see `without_commands`, is seen in it."""
    return escape(visible(text), '"').replace("##", "#&#35;")


SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def results_as_json(diagnostics: Iterable[Diagnostic]) -> list[str]:
    """Return the ``results`` of a file, each as JSON: as dictionaries, those of 100,000 problems take a gigabyte."""
    numbers = {name: number for number, name in enumerate(RULES)}
    return [json_text(_result(diagnostic, numbers)) for diagnostic in diagnostics]


def write_log(
    results: Iterable[str],
    unreadable: Sequence[tuple[str, str]],
    unchecked: Sequence[tuple[str, str]],
    version: str,
    write: Callable[[str], object],
) -> None:
    """Write the whole log, a result in a line.

    Parameters
    ----------
    results
        Of all files, see :func:`results_as_json`.
    unreadable, unchecked
        Files that could not be read, and those that were not checked, each with why.
    version
        Of this program.
    write
        Called with one part of the text after the other.
    """
    log = json_text(_log_without_results(unreadable, unchecked, version), indent=1)
    begin, empty, end = log.rpartition("[]")
    assert empty, "the results come last"
    write(f"{begin}[")
    separator = "\n    "
    for result in results:
        write(separator + result)
        separator = ",\n    "
    write(f"]{end}\n")


def _log_without_results(
    unreadable: Sequence[tuple[str, str]], unchecked: Sequence[tuple[str, str]], version: str
) -> dict[str, Any]:
    notifications = [
        {
            "level": level,
            "message": {"text": why},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": as_uri(_in_project(name), quote)}}}],
        }
        for level, files in (("error", unreadable), ("note", unchecked))
        for name, why in files
    ]
    driver = {"name": "sdfviewer", "version": version, "rules": [_rule(rule) for rule in RULES.values()]}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notifications}],
                "results": [],
            }
        ],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    described: dict[str, Any] = {
        "id": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": " ".join(rule.page.split("Bad:")[0].split())},
        "help": {"text": rule.page, "markdown": rule.page.replace("``", "`")},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"code": rule.code, "tags": ["sdformat"]},
    }
    words = rule.name.split("-")
    if len(words) > 1:  # else it would be the id once more, which validators object to
        described["name"] = "".join(word.capitalize() for word in words)
    if rule.libsdformat:
        described["properties"]["libsdformat"] = rule.libsdformat
    return described


def _result(diagnostic: Diagnostic, numbers: dict[str, int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.rule.name,
        "ruleIndex": numbers[diagnostic.rule.name],
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": diagnostic.message},
        "locations": [_location(diagnostic.span)] if diagnostic.span else [],
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": related.message}, **_location(related.span)}
            for number, related in enumerate(diagnostic.related)
        ]
    if diagnostic.fixes:
        result["fixes"] = [
            {
                "description": {"text": fix.label},
                "artifactChanges": [
                    {
                        "artifactLocation": {"uri": as_uri(_in_project(fix.path), quote)},
                        "replacements": [
                            {
                                "deletedRegion": {
                                    "charOffset": change.start,
                                    "charLength": change.end - change.start,
                                },
                                "insertedContent": {"text": change.text},
                            }
                            for change in fix.replacements
                        ],
                    }
                ],
            }
            for fix in diagnostic.fixes
            if fix.replacements
        ]
    if diagnostic.libsdformat:
        result["properties"] = {"libsdformat": diagnostic.libsdformat, "frames": list(diagnostic.frames)}
    return result


def _location(span: Span) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": as_uri(_in_project(span.path), quote)},
            "region": {
                "startLine": span.line,
                "startColumn": span.column,
                "endLine": span.end_line,
                "endColumn": span.end_column,
                "charOffset": span.start,
                "charLength": span.end - span.start,
            },
        }
    }
