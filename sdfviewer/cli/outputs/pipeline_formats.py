"""Diagnostics for continuous integration: GitHub annotations, GitLab's code quality report, JUnit and SARIF."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sdfviewer.cli.outputs.report import as_uri, with_slashes
from sdfviewer.diagnostics import RULES, Diagnostic, Rule, Severity, Span
from sdfviewer.display_text import json_text, path_here, visible, without_commands
from sdfviewer.document.xml.parse import escape
from sdfviewer.files.opening import current_folder
from sdfviewer.validation.suppression import fingerprint

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
