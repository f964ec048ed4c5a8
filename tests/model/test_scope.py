"""The columns of a scope."""

from __future__ import annotations

from array import array

import pytest

from sdfviewer.diagnostics import Replacement
from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.model import scope
from sdfviewer.model.graph import ROOT, UNRESOLVED
from sdfviewer.model.scope import shifted_rows


@pytest.mark.parametrize("times", [1, scope._FEW])
def test_row_numbers_are_shifted_and_what_is_none_stays(times: int) -> None:
    rows = array("q", [ROOT, UNRESOLVED, 0, 1, 7] * times)
    assert shifted_rows(rows, 5) == array("q", [ROOT, UNRESOLVED, 5, 6, 12] * times)
    assert shifted_rows(rows, -1, first=1) == array("q", [ROOT, UNRESOLVED, 0, 0, 6] * times)


def test_an_edit_of_a_world_shifts_its_rows_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    models = "\n".join(f'<model name="m{n}"><link name="l"/></model>' for n in range(1000))
    document = parse_document(f'<sdf version="1.9"><world name="w">\n{models}\n</world></sdf>')
    loader = Loader()
    assert loader.load(document) is not None
    shifted: list[int] = []

    def count(rows: array[int], offset: int, first: int = 0) -> array[int]:
        shifted.append(len(rows))
        return shifted_rows(rows, offset, first)

    monkeypatch.setattr(scope, "shifted_rows", count)
    start, end = (document.text.index(f'<model name="m{n}"') for n in (5, 6))
    after = document.edited((Replacement(start, end, ""),))
    model = loader.load(after)
    assert shifted[:4] == [1, 1, 2, 2], "the model beside the one that is gone is read again"
    assert shifted[4:] == [2 * 993] * 4, "all after it, once in each column"
    monkeypatch.undo()
    fresh = Loader().load(parse_document(after.text))
    assert model is not None
    assert fresh is not None
    for name in ("owners", "scopes", "relative_to", "attached_to"):
        assert getattr(model, name).tolist() == getattr(fresh, name).tolist()
