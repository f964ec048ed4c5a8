"""Diagnostics in the formats of continuous integration: GitHub annotations, GitLab's code quality report, JUnit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sdfviewer.diagnostics import Diagnostic, Severity
from sdfviewer.display_text import json_text, visible
from sdfviewer.document.xml.parse import escape
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
        place = {"file": name if span is None else span.path, "title": each.rule.name}
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
        mark = fingerprint(each, name)
        count = seen[mark] = seen.get(mark, 0) + 1
        entries.append(
            {
                "description": each.message,
                "check_name": each.rule.name,
                "fingerprint": mark if count == 1 else f"{mark}-{count}",
                "severity": _GITLAB[each.severity],
                "location": {
                    "path": name if each.span is None else each.span.path,
                    "lines": {"begin": 1 if each.span is None else each.span.line},
                },
            }
        )
    return entries


def format_gitlab(entries: Sequence[dict[str, Any]]) -> str:
    """Return a code quality report."""
    return json_text(list(entries), indent=1)


def junit_case(name: str, diagnostics: Sequence[Diagnostic], unreadable: str | None) -> dict[str, Any]:
    """Return a file as a test case: its name, its failures as text, and whether it could not be read."""
    failures = []
    for each in diagnostics:
        where = name if each.span is None else f"{each.span.path}:{each.span.line}:{each.span.column}"
        failures.append(
            {"type": each.rule.name, "message": each.message, "text": f"{where}: {each.severity.value}: {each.message}"}
        )
    return {"name": name, "failures": failures, "unreadable": unreadable}


def format_junit(cases: Sequence[dict[str, Any]]) -> str:
    """Return cases as a JUnit report, with a test case for each file."""
    failures = sum(1 for case in cases if case["failures"])
    errors = sum(1 for case in cases if case["unreadable"])
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuite name="sdfviewer check" tests="{len(cases)}" failures="{failures}" errors="{errors}">',
    ]
    for case in cases:
        lines.append(f'  <testcase classname="sdfviewer" name={_quoted(case["name"])}>')
        if case["unreadable"]:
            lines.append(f"    <error message={_quoted(case['unreadable'])}/>")
        for failure in case["failures"]:
            start = f"    <failure type={_quoted(failure['type'])} message={_quoted(failure['message'])}>"
            lines.append(f"{start}{escape(visible(failure['text']))}</failure>")
        lines.append("  </testcase>")
    return "\n".join([*lines, "</testsuite>"])


def _quoted(text: str) -> str:
    return f'"{escape(visible(text), chr(34))}"'
