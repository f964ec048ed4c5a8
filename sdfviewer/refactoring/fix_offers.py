"""Quick fixes for diagnostics, offered by a loader."""

from __future__ import annotations

from sdfviewer.diagnostics import Fix
from sdfviewer.document.document import Document
from sdfviewer.document.edits import Edit
from sdfviewer.formats.load import FixProvider, Rebuild
from sdfviewer.formats.written_rows import expansion_of
from sdfviewer.model.findings import Findings
from sdfviewer.model.model import Model


def offer_fixes(model: Model | None, findings: Findings, rebuild: Rebuild) -> FixProvider:
    """Return the provider of quick fixes for the findings of one load; see :class:`QuickFixProvider`."""
    from sdfviewer.refactoring.quick_fixes import QuickFixProvider  # noqa: PLC0415  # needed only for problems

    return QuickFixProvider(model, findings, rebuild)


def edit_of_fix(
    document: Document, model: Model | None, fix: Fix
) -> tuple[Edit, tuple[tuple[Document, Document], ...]] | None:
    """Return the edit that a fix makes of a file, and of another one before and after, which xacro reads with it.

    None where the fix is for a file that is read by itself, such as an included model.

    Parameters
    ----------
    document, model
        The file, and what it means; None where that is not known.
    """
    if fix.path == document.name:
        return Edit(fix.label, document, fix.replacements), ()
    expanded = None if model is None else expansion_of(model)
    for source in () if expanded is None else expanded.sources:
        if source.name == fix.path:
            return Edit(fix.label, document, ()), ((source, source.edited(fix.replacements)),)
    return None
