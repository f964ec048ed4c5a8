"""Suppressed problems: by a comment, by the configuration, or by a baseline.

``<!-- sdfviewer: ignore unknown-element -->`` ignores a rule in the element that follows on the same or the next line,
``<!-- sdfviewer: ignore-file unknown-element -->`` in the whole file. Several rules are separated by commas; without a
rule all are ignored.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import Document
from sdfviewer.files.configuration import Configuration, matches

_COMMENT = re.compile(r"<!--\s*sdfviewer:\s*ignore(-file)?\b([^>]*?)-->")


def reported(
    document: Document, diagnostics: Sequence[Diagnostic], configuration: Configuration | None = None
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics that neither a comment of the document nor the configuration suppresses."""
    lines, everywhere = _ignored(document)
    return tuple(
        each
        for each in diagnostics
        if not _is_ignored(document, each, lines, everywhere)
        and (configuration is None or configuration.reports(each.rule.name, each.rule.code, document.path))
    )


def _ignored(document: Document) -> tuple[dict[int, tuple[str, ...]], tuple[str, ...]]:
    """Return the ignored rules by line, and those of the whole file."""
    lines: dict[int, tuple[str, ...]] = {}
    everywhere: tuple[str, ...] = ()
    if "sdfviewer:" not in document.text:
        return lines, everywhere
    for match in _COMMENT.finditer(document.text):
        rules = tuple(word for word in re.split(r"[\s,]+", match[2].strip()) if word) or ("*",)
        if match[1]:
            everywhere += rules
            continue
        first, last = document.position(match.start())[0], document.position(match.end())[0]
        # A comment that has a line to itself is about the line after it.
        alone = document.line(first).lstrip().startswith("<!--") and document.line(last).rstrip().endswith("-->")
        line = last + 1 if alone else last
        lines[line] = (*lines.get(line, ()), *rules)
    return lines, everywhere


def _is_ignored(
    document: Document, diagnostic: Diagnostic, lines: dict[int, tuple[str, ...]], everywhere: tuple[str, ...]
) -> bool:
    rule = diagnostic.rule
    if matches(everywhere, rule.name, rule.code):
        return True
    span = diagnostic.span
    own = span is not None and span.path == document.name
    return span is not None and own and matches(lines.get(span.line, ()), rule.name, rule.code)


def fingerprint(diagnostic: Diagnostic, file: str) -> str:
    """Return the identity of a problem when lines above it change: its file, rule and message."""
    content = "\0".join((file, diagnostic.rule.name, diagnostic.message))
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def without_known(diagnostics: Iterable[Diagnostic], file: str, known: Counter[str]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics that a baseline does not hold, and take those that it does from ``known``."""
    new = []
    for each in diagnostics:
        mark = fingerprint(each, file)
        if known[mark] > 0:
            known[mark] -= 1
        else:
            new.append(each)
    return tuple(new)
