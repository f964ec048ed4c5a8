"""Diagnostics of what a scene could not show."""

from __future__ import annotations

from collections.abc import Iterable

from sdfviewer.diagnostics import Diagnostic
from sdfviewer.document.document import Document
from sdfviewer.model.model import Model
from sdfviewer.scene.loader import MeshProblem
from sdfviewer.validation.file_rules import not_drawn


def diagnose(model: Model, problems: Iterable[MeshProblem]) -> tuple[Diagnostic, ...]:
    """Return a diagnostic for each problem, at the element that it points at."""
    documents: dict[object, Document] = {model.document.path: model.document}
    documents |= {source.path: source for source in model.sources if source is not None}
    return tuple(_diagnose(problem, documents.get(problem.file)) for problem in problems)


def _diagnose(problem: MeshProblem, document: Document | None) -> Diagnostic:
    span = None
    if document is not None and problem.element is not None and problem.element in document:
        span = document.span(problem.element)
    tried, message = tuple(map(str, problem.tried)), not_drawn.format(problem.message)
    return Diagnostic(not_drawn, not_drawn.severity, message, span, tried=tried, found_in=problem.found_in)
