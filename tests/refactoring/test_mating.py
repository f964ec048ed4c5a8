"""Frames are made to meet, in every form that the scopes allow, and nothing else moves."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sdfviewer.formats.load import Loader, load_model
from sdfviewer.model.model import Model
from sdfviewer.refactoring.arranging import Align, Mate, MateForm, mate_refusals, write_mate
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.transforms import invert
from tests.frames import frame_in

WORLD = """<sdf version="1.11"><world name="w">
  <model name="arm"><pose>1 2 3 0.1 0.2 0.3</pose>
    <link name="l"/>
    <frame name="flange" attached_to="l"><pose>0 0 0.5 0 1 0</pose></frame>
  </model>
  <model name="tool">
    <pose>4 0 0 0 0 1</pose>
    <link name="body"/>
    <frame name="mount" attached_to="body"><pose>0 0 -0.1 0.5 0 0</pose></frame>
  </model>
  <model name="bare"><link name="x"><pose>1 0 0 0 0 0</pose></link></model>
</world></sdf>
"""

MODEL = """<sdf version="1.11"><model name="m">
  <link name="base"/>
  <frame name="seat" attached_to="base"><pose>1 0 0 0 0 1.5</pose></frame>
  <link name="part"><pose>0 3 0 0 0 0</pose></link>
  <frame name="pin" attached_to="part"><pose relative_to="part">0 0 0.2 0.4 0 0</pose></frame>
</model></sdf>
"""


def mated(model: Model, a: str, b: str, form: MateForm | None = None, **options: object) -> Model:
    mate = Mate(model.row(a), model.row(b), **options)  # type: ignore[arg-type]
    after = Loader().load(model.document.edited(write_mate(model, mate, form).replacements))
    assert after is not None
    assert not [each for each in after.diagnostics if each.is_error], after.diagnostics
    return after


def X_AB(model: Model, a: str, b: str) -> np.ndarray:
    return np.asarray(invert(frame_in(model, a).pose) @ frame_in(model, b).pose)


CASES = (
    [(WORLD, "arm::flange", "tool::mount", form) for form in (None, *MateForm)]
    + [(MODEL, "m::seat", "m::pin", form) for form in (None, MateForm.RELATIVE_TO, MateForm.JOINT)]
    + [(WORLD, "arm::flange", "bare::x", form) for form in MateForm]
)


@pytest.mark.parametrize(("text", "a", "b", "form"), CASES)
def test_the_frames_meet_and_nothing_else_moves(text: str, a: str, b: str, form: MateForm | None) -> None:
    model = load_model(text)
    after = mated(model, a, b, form)
    np.testing.assert_allclose(X_AB(after, a, b), np.eye(4), atol=1e-9)
    still = "arm" if text is WORLD else "m::seat"
    for name in model.names:
        if name == still or name.startswith(f"{still}::"):
            np.testing.assert_allclose(frame_in(after, name).pose, frame_in(model, name).pose, atol=1e-12)
    if form is MateForm.JOINT:
        assert after.joints[-1].type == "fixed"


def test_a_placed_model_is_written_as_a_person_would() -> None:
    after = mated(load_model(WORLD), "arm::flange", "tool::mount")
    text = after.document.text
    assert '<model name="tool" placement_frame="mount">' in text
    assert '<pose relative_to="arm::flange">0 0 0 0 0 0</pose>' in text


def test_offset_angle_and_what_coincides() -> None:
    model = load_model(WORLD)
    after = mated(model, "arm::flange", "tool::mount", offset=(0.1, 0, 0.2), angle=math.pi / 2)
    X = X_AB(after, "arm::flange", "tool::mount")
    np.testing.assert_allclose(X[:3, 3], [0.1, 0, 0.2], atol=1e-9)
    np.testing.assert_allclose(X[:3, 0], [0, 1, 0], atol=1e-9)
    before = X_AB(model, "arm::flange", "tool::mount")
    after = mated(model, "arm::flange", "tool::mount", align=Align.ORIGIN)
    X = X_AB(after, "arm::flange", "tool::mount")
    np.testing.assert_allclose(X[:3, 3], 0, atol=1e-9)
    np.testing.assert_allclose(X[:3, :3], before[:3, :3], atol=1e-9)
    after = mated(model, "arm::flange", "tool::mount", align=Align.AXIS)
    np.testing.assert_allclose(X_AB(after, "arm::flange", "tool::mount")[:3, 2], [0, 0, 1], atol=1e-9)


def test_an_old_version_has_no_placement_frame() -> None:
    model = load_model(WORLD.replace("1.11", "1.7"))
    mate = Mate(model.row("arm::flange"), model.row("tool::mount"))
    assert mate_refusals(model, mate)[MateForm.PLACEMENT_FRAME] == "SDFormat 1.7 has no placement_frame"


def test_other_forms_say_why_they_cannot_be() -> None:
    model = load_model(MODEL)
    refusals = mate_refusals(model, Mate(model.row("m::seat"), model.row("m::pin")))
    assert refusals[MateForm.RELATIVE_TO] is None
    assert refusals[MateForm.PLACEMENT_FRAME] == "only a model has a placement frame"
    with pytest.raises(RefactoringError, match="same part"):
        write_mate(model, Mate(model.row("m::part"), model.row("m::pin")))
    with pytest.raises(RefactoringError, match="two frames"):
        write_mate(model, Mate(model.row("m::pin"), model.row("m::pin")))
