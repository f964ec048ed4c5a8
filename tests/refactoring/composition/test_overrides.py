"""What an include changes is listed with what it was, changed, and taken out again."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.model.model import Model
from sdfviewer.refactoring.composition.overrides import overridden_rows, overrides_of, set_override
from sdfviewer.refactoring.editable import RefactoringError

ARM = """<sdf version="1.11"><model name="arm"><link name="base"/>
  <link name="upper"><pose relative_to="shoulder"/>
    <visual name="v"><geometry><sphere><radius>1</radius></sphere></geometry></visual></link>
  <joint name="shoulder" type="revolute"><parent>base</parent><child>upper</child><axis><xyz>0 1 0</xyz></axis></joint>
  <frame name="tool" attached_to="upper"><pose>0 0 0.8 0 0 0</pose></frame>
</model></sdf>"""
INSIDE = """<frame element_id="tool" action="modify" attached_to="base">
          <pose relative_to="upper">0 0 0.5 0 0 0</pose></frame>
        <joint element_id="shoulder"><axis action="modify"><xyz>1 0 0</xyz></axis></joint>
        <visual element_id="upper::v" action="remove"/>
        <link element_id="base"><pose action="add">1 0 0 0 0 0</pose></link>
        <link element_id="lost" action="remove"/>"""


def load(folder: Path, inside: str) -> Model:
    (folder / "arm.sdf").write_text(ARM, encoding="utf-8")
    text = f"""<sdf version="1.11" xmlns:experimental="x"><world name="w">
    <include>
      <uri>arm.sdf</uri>
      <experimental:params>
        {inside}
      </experimental:params>
    </include>
  </world></sdf>"""
    model = Loader().load(parse_document(text, folder / "world.sdf"))
    assert model is not None
    return model


def test_each_change_is_listed_with_what_it_was(tmp_path: Path) -> None:
    model = load(tmp_path, INSIDE)
    found = [(each.name, each.action, each.before, each.after) for each in overrides_of(model, model.row("arm"))]
    assert found == [
        ("tool/@attached_to", "modify", "upper", "base"),
        ("tool/pose/@relative_to", "modify", None, "upper"),
        ("tool/pose", "modify", "0 0 0.8 0 0 0", "0 0 0.5 0 0 0"),
        ("shoulder/axis/xyz", "modify", "0 1 0", "1 0 0"),
        ("upper::v", "remove", None, None),
        ("base/pose", "add", None, "1 0 0 0 0 0"),
        ("lost", "remove", None, None),
    ]
    rows = {model.names[row]: [each.name for each in found] for row, found in overridden_rows(model).items()}
    assert rows["arm::shoulder"] == ["shoulder/axis/xyz"]
    assert rows["arm::upper"] == ["upper::v"], "what is removed is listed where it was"
    assert rows["arm"] == ["lost"]


def test_values_are_changed_and_all_are_taken_out_one_by_one(tmp_path: Path) -> None:
    model = load(tmp_path, INSIDE)
    for name, value in (
        ("tool/pose", "0 0 0.6 0 0 0"),
        ("tool/@attached_to", "shoulder"),
        ("shoulder/axis/xyz", "0 0 1"),
    ):
        edit = set_override(model, model.row("arm"), name, value)
        (change,) = edit.replacements
        assert change.text == value
    while found := overrides_of(model, model.row("arm")):
        left = [each.name for each in found[1:]]
        edit = set_override(model, model.row("arm"), found[0].name, None)
        after = Loader().load(model.document.edited(edit.replacements))
        assert after is not None
        model = after
        assert [each.name for each in overrides_of(model, model.row("arm"))] == left
    assert "experimental:params>" not in model.document.text, "nothing empty is left"


@pytest.mark.parametrize(
    ("name", "value", "why"), [("tool/poze", "1", "mean 'tool/pose'"), ("upper::v", "1", "no value")]
)
def test_what_is_no_value_is_refused(tmp_path: Path, name: str, value: str, why: str) -> None:
    model = load(tmp_path, INSIDE)
    with pytest.raises(RefactoringError, match=why):
        set_override(model, model.row("arm"), name, value)
