"""Processing instructions where TinyXML2 refuses a file."""

from __future__ import annotations

import re

from sdfviewer.diagnostics import Diagnostic, Fix, Replacement
from sdfviewer.document.document import Document
from sdfviewer.document.text_rules import misplaced_instruction

_FIRST = re.compile(r"(?:\s|<\?.*?\?>)*", re.DOTALL)
_TOKEN = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|(<\?.*?\?>)", re.DOTALL)


def misplaced_instructions(document: Document) -> tuple[Diagnostic, ...]:
    """Return the diagnostic of the first processing instruction after something else; xacro reads them anywhere."""
    text = document.text
    if text.find("<?", 1, text.rfind("?") + 1) < 0 or "xmlns:xacro" in text:
        return ()
    first = _FIRST.match(text)
    at = 0 if first is None else first.end()
    found = next((token for token in _TOKEN.finditer(text, at) if token[1]), None) if "<?" in text[at:] else None
    if found is None:
        return ()
    rule = misplaced_instruction
    fix = Fix("Remove the processing instruction", document.name, (Replacement(*found.span(), ""),))
    span = document.span_between(*found.span())
    return (Diagnostic(rule, rule.severity, rule.format(), span, libsdformat=rule.libsdformat, fixes=(fix,)),)
