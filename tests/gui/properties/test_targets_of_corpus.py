"""Pickers and drags in the graphs offer and refuse for each reference what may be named there."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.gui.graphs.graph_editing import Retargeting
from sdfviewer.gui.properties.reference_section import build_choices
from sdfviewer.model.targets import ReferenceTargets
from sdfviewer.refactoring.editable import is_editable
from tests.properties.test_targets import SHARE, load, references

_GRAPHS = {"relative_to": GraphKind.RELATIVE_TO, "attached_to": GraphKind.ATTACHED_TO}


@pytest.mark.corpus
@pytest.mark.parametrize("path", SHARE, ids=lambda path: path.name)
def test_pickers_and_drags_offer_what_may_be_named(path: Path) -> None:
    _, model = load(path)
    if model is None:
        return
    for reference in references(model):
        attribute = reference.attribute
        if attribute not in _GRAPHS or not is_editable(model, reference.row):
            continue
        targets = list(ReferenceTargets(model, reference.row, attribute))
        choices = {choice.name: choice.reason for choice in build_choices(model, reference.row, attribute)}
        drag = Retargeting(model, _GRAPHS[attribute], reference.row)
        for target in targets:
            assert choices[target.name] == target.reason
            assert drag.refusal(target.row) == target.reason
