"""Quick fixes for diagnostics, offered by a loader."""

from __future__ import annotations

from sdfviewer.formats.load import FixProvider, Rebuild
from sdfviewer.model.findings import Findings
from sdfviewer.model.model import Model


def offer_fixes(model: Model | None, findings: Findings, rebuild: Rebuild) -> FixProvider:
    """Return the provider of quick fixes for the findings of one load; see :class:`QuickFixProvider`."""
    from sdfviewer.refactoring.quick_fixes import QuickFixProvider  # noqa: PLC0415  # needed only for problems

    return QuickFixProvider(model, findings, rebuild)
