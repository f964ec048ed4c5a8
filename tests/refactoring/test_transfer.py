"""Frames moved between models stay where they are; what is removed leaves no reference that was taken care of."""

from __future__ import annotations

import numpy as np
import pytest

from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.model import Model
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.removal import references_to, remove, replacement_targets
from sdfviewer.refactoring.transfer import transfer, transfer_targets
from tests.frames import frame_in

ARM = """<sdf version="1.9">
  <model name="arm">
    <link name="base"/>
    <frame name="tool" attached_to="hand::palm">
      <pose>0 0.1 0 0.5 0 0</pose>
    </frame>
    <frame name="grip" attached_to="tool"/>
    <model name="hand">
      <pose relative_to="base">0 0 1 0 0 0.3</pose>
      <link name="palm"/>
      <frame name="tip" attached_to="palm"/>
    </model>
    <model name="other"><link name="part"/></model>
  </model>
</sdf>
"""


@pytest.fixture
def arm() -> Model:
    return load_model(ARM)


def after(model: Model, replacements: tuple) -> Model:
    result = Loader().load(model.document.edited(replacements))
    assert result is not None
    return result


def test_a_frame_goes_into_another_model_and_stays_where_it_is(arm: Model) -> None:
    edit = transfer(arm, arm.row("arm::tool"), arm.row("arm::hand"))
    model = after(arm, edit.replacements)
    assert not model.diagnostics
    assert edit.renamed == (("arm::tool", "arm::hand::tool"),)
    for old, new in (("tool", "hand::tool"), ("grip", "grip")):
        X, Y = frame_in(arm, f"arm::{old}").pose, frame_in(model, f"arm::{new}").pose
        np.testing.assert_allclose(X, Y, atol=1e-12)
        assert frame_in(model, f"arm::{new}").body == frame_in(model, "arm::hand::palm")
    assert '<frame name="grip" attached_to="hand::tool"/>' in model.document.text


def test_what_is_written_in_a_frame_moves_with_it() -> None:
    pose = '<pose degrees="true">0 0.1 0   30 0 0</pose>'
    text = ARM.replace("<pose>0 0.1 0 0.5 0 0</pose>", f"<!-- the drill -->\n      {pose}")
    arm = load_model(text)
    model = after(arm, transfer(arm, arm.row("arm::tool"), arm.row("arm::hand")).replacements)
    assert (
        '      <frame name="tool" attached_to="palm">\n        <!-- the drill -->\n'
        '        <pose degrees="true" relative_to="palm">0 0.1 0   30 0 0</pose>\n      </frame>\n'
    ) in model.document.text


def test_a_frame_that_could_not_name_its_carrier_stays(arm: Model) -> None:
    with pytest.raises(RefactoringError, match="moves with 'arm::hand::palm'"):
        transfer(arm, arm.row("arm::tool"), arm.row("arm::other"))


def test_a_frame_comes_out_of_a_nested_model(arm: Model) -> None:
    edit = transfer(arm, arm.row("arm::hand::tip"), 0)
    model = after(arm, edit.replacements)
    assert not model.diagnostics
    np.testing.assert_allclose(frame_in(model, "arm::tip").pose, frame_in(arm, "arm::hand::tip").pose, atol=1e-12)
    assert dict(transfer_targets(arm, arm.row("arm::tool")))[0] == "It is already there."


def test_references_can_be_retargeted_when_something_goes(arm: Model) -> None:
    row = arm.row("arm::tool")
    (reference,) = references_to(arm, [row])
    names = [target.name for target in replacement_targets(arm, reference, set(arm.inside(row)))]
    assert "tool" not in names
    assert "grip" not in names
    assert "hand::palm" in names
    model = after(arm, remove(arm, [row], {reference: "hand::palm"}).replacements)
    assert not model.diagnostics
    assert '<frame name="grip" attached_to="hand::palm"/>' in model.document.text
    assert after(arm, remove(arm, [row], {}).replacements).diagnostics


def test_several_are_removed_as_one_step(arm: Model) -> None:
    rows = [arm.row("arm::hand::tip"), arm.row("arm::hand"), arm.row("arm::other")]
    text = arm.document.edited(remove(arm, rows, {}).replacements).text
    assert 'hand"' not in text
    assert "other" not in text
