"""Very large models have no quick fixes: to try one out is to load the file again."""

from __future__ import annotations

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.formats import load
from sdfviewer.formats.load import Loader
from sdfviewer.refactoring.fix_offers import offer_fixes

TEXT = '<sdf version="1.11"><model name="m"><link name="a"/><frame name="f" attached_to="aa"/></model></sdf>'


def test_a_model_beyond_the_bound_has_no_quick_fixes(monkeypatch: pytest.MonkeyPatch) -> None:
    def number_of_fixes() -> int:
        _, diagnostics = Loader(offer_fixes=offer_fixes).load_with_diagnostics(parse_document(TEXT))
        return sum(len(each.fixes) for each in diagnostics)

    assert number_of_fixes() > 0
    monkeypatch.setattr(load, "MOST_ROWS_WITH_FIXES", 2)
    assert number_of_fixes() == 0
