"""Phase 1: elements and attributes against the element tables of the file's version."""

from __future__ import annotations

from sdfviewer.document.element import Element
from sdfviewer.semantics.members import Origin
from sdfviewer.semantics.scope import Finding


def check_schema(element: Element, kind: str, origin: Origin) -> list[Finding]:
    return []
