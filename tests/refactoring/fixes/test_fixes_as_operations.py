"""A quick fix that names another frame is an operation with arguments, which makes the same edit."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.files.finder import Finder
from sdfviewer.files.opening import open_document
from sdfviewer.formats.load import Loader
from sdfviewer.language.actions import perform
from sdfviewer.refactoring.fix_offers import offer_fixes

_TESTS = Path(__file__).parents[2]
#: Rules whose fixes name another frame.
_RULES = (
    "attached-to-cycle",
    "attached-to-invalid",
    "canonical-link-invalid",
    "expressed-in-invalid",
    "joint-child-invalid",
    "joint-parent-invalid",
    "placement-frame-invalid",
    "relative-to-cycle",
    "relative-to-invalid",
)


@pytest.mark.parametrize("rule", _RULES)
def test_the_operation_of_a_fix_makes_the_same_edit(rule: str) -> None:
    loader, compared = Loader(Finder([]), offer_fixes=offer_fixes), 0
    for path in sorted((_TESTS / "rules" / rule).glob("bad*.*")):
        model = loader.load(open_document(path))
        assert model is not None
        for fix in (each for problem in model.diagnostics for each in problem.fixes if each.operation):
            made = perform(model, loader, fix.operation, fix.arguments)[0].replacements
            document = model.document
            assert document.edited(made).text == document.edited(fix.replacements).text, fix.label
            compared += 1
    assert compared, "at least one fix of this rule names another frame"
