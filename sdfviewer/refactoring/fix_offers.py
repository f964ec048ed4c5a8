"""Quick fixes for diagnostics, offered by a loader."""

from __future__ import annotations

from sdfviewer.diagnostics import Fix
from sdfviewer.document.document import Document
from sdfviewer.formats.load import FixProvider, Rebuild
from sdfviewer.formats.written_rows import expansion_of
from sdfviewer.model.findings import Findings
from sdfviewer.model.model import Model


def offer_fixes(model: Model | None, findings: Findings, rebuild: Rebuild) -> FixProvider:
    """Return the provider of quick fixes for the findings of one load; see :class:`QuickFixProvider`."""
    from sdfviewer.refactoring.quick_fixes import QuickFixProvider  # noqa: PLC0415  # needed only for problems

    return QuickFixProvider(model, findings, rebuild)


def document_of_fix(document: Document, model: Model | None, fix: Fix) -> Document | None:
    """Return the document that a fix edits: a file itself, or another one, which xacro reads with it.

    None where the fix is for a file that is read by itself, such as an included model.

    Parameters
    ----------
    document, model
        The file, and what it means; None where that is not known.
    """
    expanded = None if model is None else expansion_of(model)
    sources = () if expanded is None else expanded.sources
    return next((each for each in (document, *sources) if each.name == fix.path), None)
