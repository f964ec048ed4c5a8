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

from sdfviewer.diagnostics import RULES, Diagnostic
from sdfviewer.document.document import Document
from sdfviewer.files.configuration import Configuration, matches

_COMMENT = re.compile(r"<!--\s*sdfviewer:\s*ignore(-file)?\b([^>]*?)-->")


def reported(
    document: Document, diagnostics: Sequence[Diagnostic], configuration: Configuration | None = None
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics that neither a comment of the document nor the configuration suppresses."""
    lines = _ignored(document)
    return tuple(
        each
        for each in diagnostics
        if not _is_ignored(document, each, lines)
        and (configuration is None or configuration.reports(each.rule.name, each.rule.code, document.path))
    )


#: The key of the rules that are ignored in the whole file, among those of lines.
_EVERYWHERE = 0
#: At most so many different names and patterns are compared with the rules.
_MOST_PATTERNS = 1000


def _ignored(document: Document) -> dict[int, set[str]]:
    """Return the names of the ignored rules by line."""
    ignored: dict[int, set[str]] = {}
    if "sdfviewer:" not in document.text:
        return ignored
    starts: dict[int, bool] = {}
    ends: dict[int, bool] = {}
    rules: dict[str, list[str]] = {}
    for match in _COMMENT.finditer(document.text):
        line = _EVERYWHERE
        if not match[1]:
            first, last = document.position(match.start())[0], document.position(match.end())[0]
            # A comment on its own line is about the next line. One line may hold thousands of comments.
            if first not in starts:
                starts[first] = document.line(first).lstrip().startswith("<!--")
            if last not in ends:
                ends[last] = document.line(last).rstrip().endswith("-->")
            line = last + 1 if starts[first] and ends[last] else last
        for pattern in re.split(r"[\s,]+", match[2].strip() or "*"):
            if pattern not in rules and len(rules) < _MOST_PATTERNS:
                rules[pattern] = [rule.name for rule in RULES.values() if matches((pattern,), rule.name, rule.code)]
            ignored.setdefault(line, set()).update(rules.get(pattern, ()))
    return ignored


def _is_ignored(document: Document, diagnostic: Diagnostic, lines: dict[int, set[str]]) -> bool:
    rule, span = diagnostic.rule.name, diagnostic.span
    if rule in lines.get(_EVERYWHERE, ()):
        return True
    return span is not None and span.path == document.name and rule in lines.get(span.line, ())


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
