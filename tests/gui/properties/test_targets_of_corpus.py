"""Pickers and drags in the graphs offer and refuse for each reference what may be named there."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer import gui
from sdfviewer.graphs.graph_view import GraphKind
from sdfviewer.gui.graphs.graph_editing import Retargeting
from sdfviewer.gui.properties.reference_field import build_choices
from sdfviewer.model.targets import ReferenceTargets
from sdfviewer.refactoring.editable import is_editable
from tests.properties.test_targets import each_file, load, references

_GRAPHS = {"relative_to": GraphKind.RELATIVE_TO, "attached_to": GraphKind.ATTACHED_TO}


@pytest.mark.corpus
@each_file(5)
def test_pickers_and_drags_offer_what_may_be_named(path: Path) -> None:
    _, model = load(path)
    if model is None:
        return
    for reference in references(model):
        attribute = reference.attribute
        assert attribute is not None
        targets = list(ReferenceTargets(model, reference.row, attribute))
        choices = {choice.name: choice.reason for choice in build_choices(model, reference.row, attribute)}
        assert {name: reason for name, reason in choices.items() if name is not None} == {
            target.name: target.reason for target in targets
        }
        if attribute in _GRAPHS and is_editable(model, reference.row):
            drag = Retargeting(model, _GRAPHS[attribute], reference.row)
            assert [drag.refusal(target.row) for target in targets] == [target.reason for target in targets]


def test_the_window_has_one_field_for_a_reference() -> None:
    """Pickers show targets by `choice_of`, and the fields of the panel are `ReferenceField`."""
    package = Path(gui.__file__).parent
    texts = {path.relative_to(package).as_posix(): path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    assert [name for name, text in texts.items() if "FrameChoice(target." in text] == []
    in_panel = {name for name, text in texts.items() if name.startswith("properties/") and "FramePicker(" in text}
    assert in_panel == {"properties/reference_field.py", "properties/pose_sections.py"}, "which shows no reference"
