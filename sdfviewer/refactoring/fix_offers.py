"""Quick fixes for diagnostics, offered by a loader."""

from __future__ import annotations

from collections.abc import Sequence

from sdfviewer.formats.load import FixProvider, Rebuild
from sdfviewer.model.model import Model
from sdfviewer.model.scope import Finding


def offer_fixes(model: Model | None, findings: Sequence[Finding], rebuild: Rebuild) -> FixProvider:
    """Return the provider of quick fixes for the findings of one load; see :class:`QuickFixProvider`."""
    from sdfviewer.refactoring.quick_fixes import QuickFixProvider  # noqa: PLC0415  # needed only for problems

    return QuickFixProvider(model, findings, rebuild)
