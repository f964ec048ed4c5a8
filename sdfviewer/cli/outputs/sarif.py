"""Diagnostics as SARIF 2.1.0, the format that code hosts and editors read.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any
from urllib.parse import quote

from sdfviewer.cli.outputs.report import as_uri
from sdfviewer.diagnostics import RULES, Diagnostic, Rule, Severity, Span
from sdfviewer.display_text import json_text

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def results_as_json(diagnostics: Iterable[Diagnostic]) -> list[str]:
    """Return the ``results`` of a file, each as JSON: as dictionaries, those of 100,000 problems take a gigabyte."""
    numbers = {name: number for number, name in enumerate(RULES)}
    return [json_text(_result(diagnostic, numbers)) for diagnostic in diagnostics]


def write_log(
    results: Iterable[str], unreadable: Sequence[tuple[str, str]], version: str, write: Callable[[str], object]
) -> None:
    """Write the whole log, a result in a line.

    Parameters
    ----------
    results
        Of all files, see :func:`results_as_json`.
    unreadable
        Files that could not be read, and why.
    version
        Of this program.
    write
        Called with one part of the text after the other.
    """
    log = json_text(_log_without_results(unreadable, version), indent=1)
    begin, empty, end = log.rpartition("[]")
    assert empty, "the results come last"
    write(f"{begin}[")
    separator = "\n    "
    for result in results:
        write(separator + result)
        separator = ",\n    "
    write(f"]{end}\n")


def _log_without_results(unreadable: Sequence[tuple[str, str]], version: str) -> dict[str, Any]:
    notifications = [
        {
            "level": "error",
            "message": {"text": why},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": as_uri(name, quote)}}}],
        }
        for name, why in unreadable
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
                        "artifactLocation": {"uri": as_uri(fix.path, quote)},
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
            "artifactLocation": {"uri": as_uri(span.path, quote)},
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
